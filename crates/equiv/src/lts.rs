//! What is a labelled transition system here? Rows of (label, target), one row per source state: 8 bytes per transition.
//!
//! Labels are interned; label 0 is the internal step τ, whether or not it occurs. States that no transition mentions exist only
//! as a number: a header that promises 10^18 states costs nothing.

use crate::silent::components;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The label of internal steps.
pub const TAU: u32 = 0;

/// The distinct labels, each once. Whoever writes the file chooses them, so the hash has a secret seed.
#[derive(Clone, Debug)]
pub struct Labels {
    names: Vec<Box<str>>,
    known: HashTable<u32>,
    seed: DefaultHashBuilder,
}

impl Default for Labels {
    fn default() -> Self {
        let mut labels = Labels { names: Vec::new(), known: HashTable::new(), seed: DefaultHashBuilder::default() };
        labels.add("tau");
        labels
    }
}

impl Labels {
    /// The number of labels, τ included.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never true: τ is always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The text of a label.
    pub fn name(&self, label: u32) -> &str {
        &self.names[label as usize]
    }

    /// The number of a label that is known already.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.known.find(self.seed.hash_one(name), |&label| self.names[label as usize].as_bytes() == name).copied()
    }

    /// The number of a label, new or known.
    pub fn intern(&mut self, name: &str) -> u32 {
        self.find(name.as_bytes()).unwrap_or_else(|| self.add(name))
    }

    /// The number of a label that is visible whatever its text: one that is called `tau` is told apart from the internal step.
    pub fn intern_visible(&mut self, name: &str) -> u32 {
        self.intern(if name == "tau" { "tau (visible)" } else { name })
    }

    fn add(&mut self, name: &str) -> u32 {
        let label = self.names.len() as u32;
        self.names.push(name.into());
        let hash = |name: &str| self.seed.hash_one(name.as_bytes());
        self.known.insert_unique(hash(name), label, |&old| hash(&self.names[old as usize]));
        label
    }
}

/// A labelled transition system.
#[derive(Clone, Debug)]
pub struct Lts {
    /// The distinct labels.
    pub labels: Labels,
    /// The initial state.
    pub initial: u32,
    /// How many states there are, mentioned or not.
    pub states: u64,
    /// Row `s` is `offsets[s]..offsets[s + 1]`. Mentioned states only: there may be fewer rows than states.
    pub(crate) offsets: Vec<u32>,
    pub(crate) label: Vec<u32>,
    pub(crate) target: Vec<u32>,
}

impl Lts {
    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.label.len()
    }

    /// The number of states that have a row: all states that are initial, a source or a target are among them.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The transitions of a state, as (label, target).
    pub fn row(&self, state: u32) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        let range = self.range(state);
        self.label[range.clone()].iter().copied().zip(self.target[range].iter().copied())
    }

    /// All transitions, as (source, label, target).
    pub fn all(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        (0..self.rows() as u32)
            .flat_map(move |state| self.row(state).map(move |(label, target)| (state, label, target)))
    }

    pub(crate) fn range(&self, state: u32) -> std::ops::Range<usize> {
        self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize
    }

    /// A system from its transitions in any order. `states` is at least one more than each state mentioned.
    pub fn from_transitions(labels: Labels, initial: u32, states: u64, transitions: &[(u32, u32, u32)]) -> Self {
        let mut parts = Parts { labels, initial, states, ..Parts::default() };
        for &(source, label, target) in transitions {
            parts.push(source, label, target);
        }
        parts.finish()
    }

    /// A system from its rows: the transitions of state `s` end at `ends[s]`, and each target has a row.
    pub fn from_rows(labels: Labels, initial: u32, ends: &[u32], label: Vec<u32>, target: Vec<u32>) -> Self {
        assert!(label.len() == target.len() && ends.last().is_none_or(|&end| end as usize == label.len()));
        let offsets = std::iter::once(0).chain(ends.iter().copied()).collect();
        Lts { labels, initial, states: ends.len() as u64, offsets, label, target }
    }

    /// Both systems side by side, with the shift of the second one's states. The initial state is the first one's.
    pub fn beside(&self, other: &Lts) -> (Lts, u32) {
        let shift = self.rows() as u32;
        let mut labels = self.labels.clone();
        let rename: Vec<u32> = (0..other.labels.len() as u32)
            .map(|label| if label == TAU { TAU } else { labels.intern(other.labels.name(label)) })
            .collect();
        let base = self.transitions() as u32;
        let mut both = self.clone();
        both.labels = labels;
        both.states = u64::from(shift) + other.rows() as u64;
        both.offsets.extend(other.offsets[1..].iter().map(|&offset| offset + base));
        both.label.extend(other.label.iter().map(|&label| rename[label as usize]));
        both.target.extend(other.target.iter().map(|&target| target + shift));
        (both, shift)
    }

    /// Which rows can be reached from the given states.
    pub fn reachable(&self, from: &[u32]) -> Vec<bool> {
        let mut seen = vec![false; self.rows()];
        let mut stack = Vec::new();
        for &state in from {
            if !std::mem::replace(&mut seen[state as usize], true) {
                stack.push(state);
            }
        }
        while let Some(state) = stack.pop() {
            for &target in &self.target[self.range(state)] {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    stack.push(target);
                }
            }
        }
        seen
    }
}

/// What `info` tells about a system.
pub struct Facts {
    /// States that can be reached from the initial one.
    pub reachable: usize,
    /// Internal transitions, reachable or not.
    pub internal: usize,
    /// Reachable states without a transition.
    pub deadlocks: usize,
    /// Reachable states that can come back to themselves by internal steps alone.
    pub divergent: usize,
}

impl Lts {
    /// Counts what `info` tells. O(m) time.
    pub fn facts(&self) -> Facts {
        let reachable = self.reachable(&[self.initial]);
        let found = components(self, &reachable);
        let inside = |state: &u32| reachable[*state as usize];
        let states = || (0..self.rows() as u32).filter(inside);
        Facts {
            reachable: states().count(),
            internal: self.label.iter().filter(|&&label| label == TAU).count(),
            deadlocks: states().filter(|&state| self.range(state).is_empty()).count(),
            divergent: states().filter(|&state| found.divergent[found.of[state as usize] as usize]).count(),
        }
    }
}

/// Transitions on their way into rows.
#[derive(Default)]
pub(crate) struct Parts {
    pub labels: Labels,
    pub initial: u32,
    pub states: u64,
    pub source: Vec<u32>,
    pub label: Vec<u32>,
    pub target: Vec<u32>,
    /// Is a source smaller than the one before it?
    pub unsorted: bool,
    /// The highest state mentioned.
    pub highest: u32,
}

impl Parts {
    #[inline]
    pub fn push(&mut self, source: u32, label: u32, target: u32) {
        self.unsorted |= self.source.last().is_some_and(|&last| last > source);
        self.highest = self.highest.max(source).max(target);
        self.source.push(source);
        self.label.push(label);
        self.target.push(target);
    }

    /// Rows by source. Within a row, transitions keep their order.
    pub fn finish(mut self) -> Lts {
        let rows = self.highest.max(self.initial) as usize + 1;
        let mut offsets = vec![0u32; rows + 1];
        for &source in &self.source {
            offsets[source as usize + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        if self.unsorted {
            self.sort(&offsets);
        }
        let Parts { labels, initial, states, label, target, .. } = self;
        Lts { labels, initial, states: states.max(rows as u64), offsets, label, target }
    }

    fn sort(&mut self, offsets: &[u32]) {
        let mut next = offsets.to_vec();
        let (mut label, mut target) = (vec![0; self.label.len()], vec![0; self.label.len()]);
        for (at, &source) in self.source.iter().enumerate() {
            let place = &mut next[source as usize];
            label[*place as usize] = self.label[at];
            target[*place as usize] = self.target[at];
            *place += 1;
        }
        self.label = label;
        self.target = target;
    }
}
