//! Does a model stand for an order? For theories that speak of the order of any two operations.
//!
//! A model orders the pairs that some clause names; real time orders those that do not overlap; the rest is free. Kahn's algorithm makes one order of all
//! that, if there is one. If not, there is a cycle, and the clause that forbids it is added: a cycle is an instance of transitivity, real time gives some
//! of its edges for nothing, and a pair that nobody asked about never becomes a variable.
//!
//! ```text
//!   a < b in the model    a |------|
//!   b < c in the model         b |-----------|
//!   c before a in time    c |-|                     c returned before a was called: not (a < b and b < c)
//! ```
//!
//! O(n log n + pairs) for a model; cycles are looked for from the operation that returns first among those that are left, shortest first.

use crate::clause::{Atom, Lemma, Literal};
use crate::clauses::Clauses;
use crate::intervals::Intervals;
use crate::proof::Premise;
use crate::solve::Client;
use linpoint_base::Cause;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The rule of a cycle: its operations in a round. Theories number their own rules from 0.
pub const CYCLE: u32 = u32::MAX;

/// How many cycles are told of one model, at most.
const CYCLES: usize = 256;

/// A theory that looks at orders.
pub trait Theory {
    /// The clauses to begin with.
    fn begin(&mut self, clauses: &mut Clauses<'_, '_>) -> Result<(), Cause>;

    /// Looks at an order of all operations that the model allows, pending ones included, whether they take effect or not: the witness, if it is one;
    /// or None, and at least one clause was added that the model breaks, or that names a pair the model does not know and this order breaks.
    fn check(&mut self, order: &[u32], clauses: &mut Clauses<'_, '_>) -> Result<Option<Vec<u32>>, Cause>;

    /// The operations without which the lemma would not hold; operations that it only allows need not be among them.
    fn operations(&self, lemma: Lemma<'_>) -> Vec<u32>;

    /// The instances of formulas from which the lemma, which says `clause` beyond real time, follows by unit propagation; none where the theory cannot tell.
    fn premises(&self, lemma: Lemma<'_>, clause: &[Literal]) -> Vec<Premise> {
        let _ = (lemma, clause);
        Vec::new()
    }

    /// Where an operation stands if nothing else is known: smaller numbers come first.
    fn preference(&self, intervals: &Intervals, op: u32) -> u64 {
        u64::from(intervals.call[op as usize]) + u64::from(intervals.ret[op as usize])
    }
}

/// A client that shows its theory orders only.
pub struct InOrder<T> {
    theory: T,
    /// The place of each operation in the last order: the next one shall differ little.
    place: Vec<u64>,
}

impl<T: Theory> InOrder<T> {
    /// For this theory.
    pub fn new(theory: T, intervals: &Intervals) -> Self {
        let place = (0..intervals.first()).map(|op| theory.preference(intervals, op)).collect();
        InOrder { theory, place }
    }
}

impl<T: Theory> Client for InOrder<T> {
    fn begin(&mut self, clauses: &mut Clauses<'_, '_>) -> Result<(), Cause> {
        self.theory.begin(clauses)
    }

    fn check(&mut self, clauses: &mut Clauses<'_, '_>) -> Result<Option<Vec<u32>>, Cause> {
        let graph = Graph::of(clauses);
        let mut cycles = Vec::new();
        let order = graph.sort(&self.place, &mut cycles);
        if cycles.is_empty() {
            order.iter().enumerate().for_each(|(place, &op)| self.place[op as usize] = place as u64);
            return self.theory.check(&order, clauses);
        }
        for cycle in cycles {
            let cycle = shortened(cycle, clauses);
            clauses.add(Lemma { rule: CYCLE, binding: &cycle }, &Premise::round(&cycle).literals);
        }
        Ok(None)
    }

    fn operations(&self, lemma: Lemma<'_>) -> Vec<u32> {
        if lemma.rule == CYCLE { lemma.binding.to_vec() } else { self.theory.operations(lemma) }
    }

    fn premises(&self, lemma: Lemma<'_>, clause: &[Literal]) -> Vec<Premise> {
        if lemma.rule == CYCLE { vec![Premise::round(lemma.binding)] } else { self.theory.premises(lemma, clause) }
    }
}

/// A cycle of fewer operations, if the model knows the order of two that are not neighbours: whichever comes first, one side of the chord is a cycle.
fn shortened(mut cycle: Vec<u32>, clauses: &Clauses<'_, '_>) -> Vec<u32> {
    'shorter: while cycle.len() > 3 {
        let count = cycle.len();
        for i in 0..count - 2 {
            for j in i + 2..count.min(i + count - 1) {
                match clauses.says(Atom::Before(cycle[i], cycle[j])) {
                    Some(true) => drop(cycle.drain(i + 1..j)),
                    Some(false) => cycle = cycle[i..=j].to_vec(),
                    None => continue,
                }
                continue 'shorter;
            }
        }
        break;
    }
    cycle
}

/// The pairs that a model orders, and real time.
struct Graph<'a> {
    intervals: &'a Intervals,
    /// Before and after each operation: `before[before_from[op]..before_from[op + 1]]`.
    before: Lists,
    after: Lists,
}

/// Lists of operations in one column.
struct Lists {
    items: Vec<u32>,
    from: Vec<u32>,
}

impl Lists {
    fn new(count: usize, pairs: &[(u32, u32)], pick: fn(&(u32, u32)) -> (u32, u32)) -> Lists {
        let mut from = vec![0; count + 2];
        pairs.iter().for_each(|pair| from[pick(pair).0 as usize + 2] += 1);
        for i in 2..from.len() {
            from[i] += from[i - 1];
        }
        let mut items = vec![0; pairs.len()];
        for pair in pairs {
            let (list, item) = pick(pair);
            let place = &mut from[list as usize + 1];
            items[*place as usize] = item;
            *place += 1;
        }
        Lists { items, from }
    }

    fn of(&self, op: u32) -> &[u32] {
        &self.items[self.from[op as usize] as usize..self.from[op as usize + 1] as usize]
    }
}

impl<'a> Graph<'a> {
    fn of(clauses: &Clauses<'a, '_>) -> Graph<'a> {
        let intervals = clauses.intervals();
        let pairs: Vec<(u32, u32)> = clauses.ordered_pairs().collect();
        let count = intervals.first() as usize + 1;
        let before = Lists::new(count, &pairs, |&(a, b)| (b, a));
        Graph { intervals, before, after: Lists::new(count, &pairs, |&(a, b)| (a, b)) }
    }

    /// All operations in order, of several that may come next the one with the smallest `place`. With cycles there is no order, and what is returned is of no use.
    fn sort(&self, place: &[u64], cycles: &mut Vec<Vec<u32>>) -> Vec<u32> {
        let count = place.len();
        let mut missing: Vec<u32> = (0..count as u32).map(|op| self.before.of(op).len() as u32).collect();
        let mut by_return: Vec<u32> = (0..count as u32).collect();
        by_return.sort_unstable_by_key(|&op| self.intervals.ret[op as usize]);
        let (mut placed, mut order) = (vec![false; count], Vec::with_capacity(count));
        let (mut returned, mut called) = (0, 0); // operations are numbered by their calls
        let mut ready = BinaryHeap::new();
        while order.len() < count {
            while placed[by_return[returned] as usize] {
                returned += 1;
            }
            let horizon = self.intervals.ret[by_return[returned] as usize];
            while called < count && self.intervals.call[called] < horizon {
                if missing[called] == 0 && !placed[called] {
                    ready.push(Reverse((place[called], called as u32)));
                }
                called += 1;
            }
            let op = match ready.pop() {
                Some(Reverse((_, op))) => op,
                None => {
                    let stuck = by_return[returned];
                    if cycles.len() < CYCLES {
                        cycles.push(self.cycle(stuck, &placed));
                    }
                    stuck // goes first all the same: perhaps there are more cycles behind it
                }
            };
            if std::mem::replace(&mut placed[op as usize], true) {
                continue;
            }
            order.push(op);
            for &next in self.after.of(op) {
                let left = &mut missing[next as usize];
                *left = left.saturating_sub(1);
                if *left == 0 && (next as usize) < called && !placed[next as usize] {
                    ready.push(Reverse((place[next as usize], next)));
                }
            }
        }
        order
    }

    /// A cycle among operations that are not placed: through `stuck`, which returns first, if there is one, and then the shortest.
    fn cycle(&self, stuck: u32, placed: &[bool]) -> Vec<u32> {
        let mut behind: Vec<u32> = vec![u32::MAX; placed.len()]; // what each operation was found to stand before
        let mut queue = VecDeque::from([stuck]);
        while let Some(op) = queue.pop_front() {
            for &earlier in self.before.of(op).iter().filter(|&&earlier| !placed[earlier as usize]) {
                let closes = earlier == stuck || self.intervals.precedes(stuck, earlier);
                if behind[earlier as usize] == u32::MAX && earlier != stuck {
                    behind[earlier as usize] = op;
                    queue.push_back(earlier);
                }
                if closes {
                    let start = if earlier == stuck { op } else { earlier };
                    let mut cycle = vec![stuck];
                    let mut at = start;
                    while at != stuck {
                        cycle.push(at);
                        at = behind[at as usize];
                    }
                    return cycle;
                }
            }
        }
        self.elsewhere(stuck, placed)
    }

    /// A cycle among what stands before `stuck`: from one to an earlier one, until that repeats.
    fn elsewhere(&self, stuck: u32, placed: &[bool]) -> Vec<u32> {
        let mut seen = vec![false; placed.len()];
        let mut path = vec![stuck];
        loop {
            let at = path[path.len() - 1];
            seen[at as usize] = true;
            let mut earlier = self.before.of(at).iter().copied().filter(|&op| !placed[op as usize]);
            let earlier = earlier.next().expect("nothing is ready: something stands before each");
            if seen[earlier as usize] {
                let from = path.iter().position(|&op| op == earlier).expect("it was seen on the path");
                path.drain(..from);
                path.reverse();
                return path;
            }
            path.push(earlier);
        }
    }
}
