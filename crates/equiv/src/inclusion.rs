//! Is every trace of one system a trace of another? If not: a shortest trace that shows it.
//!
//! A trace is the sequence of visible labels of a path. The question is PSPACE-complete; antichains make it fast in practice (De Wulf, Doyen,
//! Henzinger, Raskin, "Antichains: a new algorithm for checking universality of finite automata", CAV 2006). Both systems are first
//! reduced together by branching bisimilarity, which keeps traces (van Glabbeek & Weijland): where both begin in the same class
//! there is nothing to search.
//!
//! The search goes through pairs of a state of the first system and the set of states that the second may be in. A pair is left out
//! if a pair with the same state and a smaller set was met before: whatever the larger set cannot do, the smaller one cannot
//! either. Pairs are met layer by layer, by the number of visible steps, so the first difference is a shortest one. The trace is replayed on
//! the systems as they were given before it is reported.

use crate::equivalence::{Equivalence, partition};
use crate::lts::{Lts, TAU};
use hashbrown::HashMap;
use linpoint_base::{Account, Cause, Control, Hashing};

type FastMap<K, V> = HashMap<K, V, Hashing>;

/// A shortest trace of `one` that `other` does not have, as labels of `one`; None if there is none.
pub fn missing_trace(one: &Lts, other: &Lts, control: &Control) -> Result<Option<Vec<u32>>, Cause> {
    let (both, shift) = one.beside(other);
    let roots = [one.initial, other.initial + shift];
    let classes = partition(&both, &roots, Equivalence::Branching, control)?;
    let (here, there) = (classes.of[roots[0] as usize], classes.of[roots[1] as usize]);
    if here == there {
        return Ok(None);
    }
    let system = classes.rows(&both.labels);
    let mut search = Inclusion::new(&system);
    let found = search.run(here, there, &mut Account::alone(control))?;
    if let Some(trace) = &found {
        assert!(has_trace(&both, roots[0], trace), "the first system has the trace");
        assert!(!has_trace(&both, roots[1], trace), "the second system does not have the trace");
    }
    Ok(found)
}

/// Can the system do the trace from this state? By the definition: all states it may be in, step by step.
pub(crate) fn has_trace(lts: &Lts, from: u32, trace: &[u32]) -> bool {
    let mut seen = vec![u32::MAX; lts.rows()];
    let mut states = vec![from];
    for (round, &label) in trace.iter().enumerate() {
        let mut at = 0;
        states.retain(|&state| std::mem::replace(&mut seen[state as usize], round as u32) != round as u32);
        let mut next = Vec::new();
        while let Some(&state) = states.get(at) {
            at += 1;
            for (step, target) in lts.row(state) {
                if step == label {
                    next.push(target);
                } else if step == TAU && std::mem::replace(&mut seen[target as usize], round as u32) != round as u32 {
                    states.push(target);
                }
            }
        }
        states = next;
    }
    !states.is_empty()
}

/// How a pair was reached: from which one and by which label.
struct Node {
    state: u32,
    set: u32,
    parent: u32,
    label: u32,
}

struct Inclusion<'a> {
    lts: &'a Lts,
    /// The distinct sets, sorted and closed under internal steps.
    sets: Vec<Box<[u32]>>,
    names: FastMap<Box<[u32]>, u32>,
    after: FastMap<(u32, u32), u32>,
    /// For each state the minimal sets it was met with.
    minimal: Vec<Vec<u32>>,
    nodes: Vec<Node>,
    /// Bytes held by sets.
    bytes: usize,
    round: u32,
    seen: Vec<u32>,
}

impl<'a> Inclusion<'a> {
    fn new(lts: &'a Lts) -> Self {
        Inclusion {
            lts,
            sets: Vec::new(),
            names: FastMap::default(),
            after: FastMap::default(),
            minimal: vec![Vec::new(); lts.rows()],
            nodes: Vec::new(),
            bytes: 0,
            round: 0,
            seen: vec![0; lts.rows()],
        }
    }

    fn run(&mut self, here: u32, there: u32, account: &mut Account<'_>) -> Result<Option<Vec<u32>>, Cause> {
        let start = self.close(vec![there]);
        // All pairs that need one more visible step wait in `next` until no pair of the present layer is left. A pair that was
        // taken up as soon as it is seen could shut out one that needs a step less.
        let mut next = vec![Node { state: here, set: start, parent: u32::MAX, label: TAU }];
        while !next.is_empty() {
            let mut layer: Vec<u32> =
                std::mem::take(&mut next).into_iter().filter_map(|node| self.meet(node)).collect();
            let mut met = 0;
            while let Some(&at) = layer.get(met) {
                met += 1;
                account.configurations += 1;
                if account.configurations.is_multiple_of(256)
                    && let Some(cause) = account.poll(self.bytes + 16 * (self.nodes.len() + next.len()), 0)
                {
                    return Err(cause);
                }
                let Node { state, set, .. } = self.nodes[at as usize];
                for (label, target) in self.lts.row(state) {
                    if label == TAU {
                        layer.extend(self.meet(Node { state: target, set, parent: at, label }));
                        continue;
                    }
                    let set = self.step(set, label);
                    if self.sets[set as usize].is_empty() {
                        return Ok(Some(self.trace(at, label)));
                    }
                    next.push(Node { state: target, set, parent: at, label });
                }
            }
        }
        Ok(None)
    }

    /// The number of a pair that was not met before, nor with a smaller set.
    fn meet(&mut self, node: Node) -> Option<u32> {
        let new = self.insert(node.state, node.set);
        new.then(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        })
    }

    /// Adds a pair unless a smaller one is there; removes larger ones.
    fn insert(&mut self, state: u32, set: u32) -> bool {
        let sets = &self.sets;
        let minimal = &mut self.minimal[state as usize];
        if minimal.iter().any(|&known| is_subset(&sets[known as usize], &sets[set as usize])) {
            return false;
        }
        minimal.retain(|&known| !is_subset(&sets[set as usize], &sets[known as usize]));
        minimal.push(set);
        true
    }

    /// The set after a visible step.
    fn step(&mut self, set: u32, label: u32) -> u32 {
        if let Some(&known) = self.after.get(&(set, label)) {
            return known;
        }
        let row = |&state: &u32| self.lts.row(state).filter(move |&(step, _)| step == label).map(|(_, target)| target);
        let reached = self.sets[set as usize].iter().flat_map(row).collect();
        let name = self.close(reached);
        self.after.insert((set, label), name);
        self.bytes += 16;
        name
    }

    /// The number of a set after internal steps.
    fn close(&mut self, mut states: Vec<u32>) -> u32 {
        self.round += 1;
        let (round, seen) = (self.round, &mut self.seen);
        states.retain(|&state| std::mem::replace(&mut seen[state as usize], round) != round);
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            at += 1;
            for (label, target) in self.lts.row(state) {
                if label == TAU && std::mem::replace(&mut seen[target as usize], round) != round {
                    states.push(target);
                }
            }
        }
        states.sort_unstable();
        let states: Box<[u32]> = states.into();
        if let Some(&known) = self.names.get(&states) {
            return known;
        }
        let name = self.sets.len() as u32;
        self.bytes += 8 * states.len() + 64;
        self.sets.push(states.clone());
        self.names.insert(states, name);
        name
    }

    fn trace(&self, mut at: u32, last: u32) -> Vec<u32> {
        let mut trace = vec![last];
        while at != u32::MAX {
            let Node { parent, label, .. } = self.nodes[at as usize];
            if label != TAU {
                trace.push(label);
            }
            at = parent;
        }
        trace.reverse();
        trace
    }
}

/// Are all of the one sorted slice in the other?
fn is_subset(one: &[u32], other: &[u32]) -> bool {
    if one.len() > other.len() {
        return false;
    }
    let mut rest = other.iter();
    one.iter().all(|wanted| rest.by_ref().find(|&found| found >= wanted) == Some(wanted))
}
