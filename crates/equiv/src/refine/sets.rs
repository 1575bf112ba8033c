//! The transitions, grouped: a *set* holds those with one source block, one label and one target constellation.
//!
//! A set is a slice of `order`. Its first part, up to `fresh`, are the transitions of fresh bottom states (see `mod.rs`). Splitting a
//! set moves transitions one by one behind its end, where the new set grows towards the old one; a move is a few swaps.

use super::blocks::{Block, Blocks};
use crate::prepare::Prepared;

/// No set, no state.
pub(super) const NONE: u32 = u32::MAX;

/// Marks from here on say that a set waits to be used as a splitter: alone, or with this bit and the number of the set of
/// the same block and label whose transitions go to the rest of the old constellation.
pub(super) const WAITS: u32 = 1 << 31;
/// A set that waits alone.
pub(super) const WAITS_ALONE: u32 = u32::MAX - 1;

#[derive(Clone, Copy)]
pub(super) struct Set {
    pub first: u32,
    /// `first..fresh` are transitions of fresh bottom states that were not yet checked against this set.
    pub fresh: u32,
    pub end: u32,
    /// Neighbours in the list of the block that the set belongs to.
    pub next: u32,
    pub previous: u32,
    /// Below [`WAITS`]: the clock when the bottom states of the block were last checked against this set.
    pub mark: u32,
    /// Within one operation: the set that transitions of this one move to.
    pub split: u32,
}

/// What is known about a transition, in one place: who moves it wants all of this at once.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub set: u32,
    place: u32,
    pub source: u32,
    /// The counter of all transitions with the same source, label and target constellation.
    pub counter: u32,
}

pub(super) struct Sets {
    pub all: Vec<Set>,
    /// Transitions, those of one set together.
    pub order: Vec<u32>,
    /// What is known about each transition.
    pub steps: Vec<Step>,
    /// Sets that were split in the present operation.
    pub touched: Vec<u32>,
    free: Vec<u32>,
}

impl Sets {
    /// One set per block and label, all to be checked, and one counter per state and label. Rows are sorted by label.
    pub fn new(system: &Prepared, blocks: &mut Blocks) -> (Self, Vec<u32>) {
        let transitions = system.label.len();
        let (mut steps, mut counters) = (Vec::with_capacity(transitions), Vec::with_capacity(transitions));
        for source in 0..blocks.states.len() as u32 {
            for same_label in system.label[system.range(source)].chunk_by(|one, other| one == other) {
                let step = Step { set: NONE, place: NONE, source, counter: counters.len() as u32 };
                steps.resize(steps.len() + same_label.len(), step);
                counters.push(same_label.len() as u32);
            }
        }
        let order = Vec::with_capacity(transitions);
        let mut sets = Sets { all: Vec::new(), order, steps, touched: Vec::new(), free: Vec::new() };
        let mut members = Vec::new();
        for block in 0..blocks.all.len() {
            let Block { first, bottom, end, .. } = blocks.all[block];
            for at in first..end {
                let transitions = system.range(blocks.order[at as usize]);
                members
                    .extend(transitions.map(|transition| (system.label[transition], at >= bottom, transition as u32)));
            }
            members.sort_unstable(); // by label, those of bottom states first
            for same_label in members.chunk_by(|one, other| one.0 == other.0) {
                let first = sets.order.len() as u32;
                let fresh = first + same_label.partition_point(|member| !member.1) as u32;
                let end = first + same_label.len() as u32;
                let set = sets.all.len() as u32;
                for (at, &(.., transition)) in same_label.iter().enumerate() {
                    sets.order.push(transition);
                    let step = &mut sets.steps[transition as usize];
                    (step.set, step.place) = (set, first + at as u32);
                }
                sets.all.push(Set { first, fresh, end, next: NONE, previous: NONE, mark: 0, split: NONE });
                sets.link(&mut blocks.all[block].todo, set);
            }
            members.clear();
        }
        (sets, counters)
    }

    /// The transitions of a set.
    #[inline]
    pub fn members(&self, set: u32) -> &[u32] {
        let Set { first, end, .. } = self.all[set as usize];
        &self.order[first as usize..end as usize]
    }

    /// Any transition of a set.
    #[inline]
    pub fn some(&self, set: u32) -> usize {
        self.order[self.all[set as usize].first as usize] as usize
    }

    #[inline]
    pub fn is_empty(&self, set: u32) -> bool {
        self.all[set as usize].first == self.all[set as usize].end
    }

    /// Does the set have one transition, and had no more in the present operation?
    #[inline]
    pub fn is_one_step(&self, set: u32) -> bool {
        let Set { first, end, split, .. } = self.all[set as usize];
        end - first == 1 && split == NONE
    }

    #[inline]
    fn swap(&mut self, a: u32, b: u32) {
        if a != b {
            self.order.swap(a as usize, b as usize);
            self.steps[self.order[a as usize] as usize].place = a;
            self.steps[self.order[b as usize] as usize].place = b;
        }
    }

    /// Counts a transition as one of a fresh bottom state.
    pub fn promote(&mut self, transition: u32) {
        let Step { set, place: at, .. } = self.steps[transition as usize];
        let set = &mut self.all[set as usize];
        if at >= set.fresh {
            let to = set.fresh;
            set.fresh += 1;
            self.swap(at, to);
        }
    }

    /// Moves a transition from its set to the one that is split off it.
    #[inline]
    pub fn split_off(&mut self, transition: u32, fresh: bool) {
        let Step { set, place: mut at, .. } = self.steps[transition as usize];
        let (old, new) = (set as usize, self.counterpart(set) as usize);
        if at < self.all[old].fresh {
            self.all[old].fresh -= 1;
            self.swap(at, self.all[old].fresh);
            at = self.all[old].fresh;
        }
        self.all[old].end -= 1;
        let last = self.all[old].end;
        self.swap(at, last);
        self.all[new].first = last;
        if !fresh {
            self.all[new].fresh -= 1;
            self.swap(last, self.all[new].fresh);
        }
        self.steps[transition as usize].set = new as u32;
    }

    fn counterpart(&mut self, old: u32) -> u32 {
        let known = self.all[old as usize].split;
        if known != NONE {
            return known;
        }
        let at = self.all[old as usize].end;
        let fresh = Set { first: at, fresh: at, end: at, next: NONE, previous: NONE, mark: 0, split: NONE };
        let new = if let Some(free) = self.free.pop() {
            self.all[free as usize] = fresh;
            free
        } else {
            self.all.push(fresh);
            self.all.len() as u32 - 1
        };
        self.all[old as usize].split = new;
        self.touched.push(old);
        new
    }

    /// Gives back a set without transitions that is in no list.
    pub fn release(&mut self, set: u32) {
        self.all[set as usize].mark = 0;
        self.free.push(set);
    }

    /// Puts a set at the front of a list.
    pub fn link(&mut self, head: &mut u32, set: u32) {
        self.all[set as usize].next = *head;
        self.all[set as usize].previous = NONE;
        if *head != NONE {
            self.all[*head as usize].previous = set;
        }
        *head = set;
    }

    /// Takes a set out of whichever of the two lists it is in.
    pub fn unlink(&mut self, heads: [&mut u32; 2], set: u32) {
        let Set { next, previous, .. } = self.all[set as usize];
        if next != NONE {
            self.all[next as usize].previous = previous;
        }
        if previous != NONE {
            self.all[previous as usize].next = next;
        } else {
            for head in heads {
                if *head == set {
                    *head = next;
                }
            }
        }
    }
}
