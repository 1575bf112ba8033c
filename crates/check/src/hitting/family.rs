//! Which few schedules cover every choice of d operations? Strong d-hitting families.
//!
//! Ozkan, Majumdar & Niksic, *Checking Linearizability Using Hitting Families*, PPoPP 2019, Algorithm 1. A schedule (an order that respects
//! real time) *strongly hits* ⟨x₀ … x_{d−1}⟩ if nothing stands behind an xᵢ but what has to: whatever does follows some xⱼ, j ≥ i, in
//! real time. In words: these d in this order, each as late as possible. A family that hits every d-tuple has one schedule per
//! *index*: a chain (a thread) and d−1 distinct operations. Operations are inserted in the order of their calls:
//!
//! ```text
//!   index ⟨thread 1, ⟨c⟩⟩                      1. c is named: as late as possible, behind a
//!   1  |--a--|                                 2. a is of the thread: as late as possible, but before c
//!   2    |--b--|                               3. b is neither: as early as possible
//!   3  |--c--|             schedule: b a c
//! ```
//!
//! Changed: indices and schedules are made one at a time, so that nothing of size m·n!/(n−d+1)! is ever held, and the poset is asked by ranks.
//! Cost: O(n·w) for a schedule, w operations open at once. Different indices often give equal schedules: see [`Schedules`].

use crate::hitting::poset::Poset;
use crate::hitting::tuples::Tuples;
use hashbrown::HashTable;
use linpoint_base::Hashing;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Not among the operations of the index.
const UNNAMED: u32 = u32::MAX;

/// The schedules of Algorithm 1 for one depth, one index after the other; equal ones come as often as they do.
pub struct Family {
    poset: Arc<Poset>,
    tuples: Tuples,
    /// The d−1 operations of the index.
    named: Vec<u32>,
    /// The chain of the index.
    chain: u32,
    /// By operation: its place in `named`.
    place: Vec<u32>,
    /// The named operations that stand in the schedule already: (place in `named`, operation), by place.
    standing: Vec<(u32, u32)>,
    schedule: Vec<u32>,
    is_over: bool,
}

impl Family {
    /// A strong d-hitting family; d larger than the number of operations hits no more than that number.
    pub fn new(poset: &Arc<Poset>, d: usize) -> Family {
        let (poset, count) = (Arc::clone(poset), poset.len());
        let tuples = Tuples::new(count as u32, d.min(count).saturating_sub(1));
        let (named, place) = (Vec::new(), vec![UNNAMED; count]);
        let (standing, schedule) = (Vec::new(), Vec::with_capacity(count));
        let mut family = Family { poset, tuples, named, chain: 0, place, standing, schedule, is_over: false };
        family.name_others();
        family
    }

    /// The schedule of the next index.
    #[expect(clippy::should_implement_trait, reason = "it lends what it overwrites, as no Iterator can")]
    pub fn next(&mut self) -> Option<&[u32]> {
        if self.is_over {
            return None;
        }
        self.insert_all();
        self.chain += 1;
        if self.chain == self.poset.chains {
            self.chain = 0;
            self.is_over = !self.name_others();
        }
        Some(&self.schedule)
    }

    /// Lines 6–26 of Algorithm 1 for one index.
    fn insert_all(&mut self) {
        self.schedule.clear();
        self.standing.clear();
        for op in 0..self.poset.len() as u32 {
            let named = self.place[op as usize];
            let at = if named != UNNAMED {
                self.late(op, named)
            } else if self.poset.chain[op as usize] == self.chain {
                self.late(op, 0)
            } else {
                self.early(op)
            };
            self.schedule.insert(at, op);
            if named != UNNAMED {
                let at = self.standing.partition_point(|&(place, _)| place < named);
                self.standing.insert(at, (named, op));
            }
        }
    }

    /// As late as possible, but before the named operations from place `from` on that overlap it together with all behind them.
    fn late(&self, op: u32, from: u32) -> usize {
        let blocks = |&&(place, other): &&(u32, u32)| place >= from && !self.poset.precedes(other, op);
        match self.standing.iter().rev().take_while(blocks).last() {
            None => self.schedule.len(),
            Some(&(_, other)) => self.position(|&placed| placed == other),
        }
    }

    /// As early as possible: right behind the last operation that precedes it.
    fn early(&self, op: u32) -> usize {
        self.schedule.iter().rposition(|&placed| self.poset.precedes(placed, op)).map_or(0, |before| before + 1)
    }

    fn position(&self, is_it: impl Fn(&u32) -> bool) -> usize {
        self.schedule.iter().rposition(is_it).expect("what stands in the schedule can be found")
    }

    /// Takes the next d−1 distinct operations; false after the last.
    fn name_others(&mut self) -> bool {
        for &op in &self.named {
            self.place[op as usize] = UNNAMED;
        }
        let Some(next) = self.tuples.next() else { return false };
        self.named.clear();
        self.named.extend_from_slice(next);
        for (at, &op) in self.named.iter().enumerate() {
            self.place[op as usize] = at as u32;
        }
        true
    }
}

/// Is a schedule new?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// It was never seen.
    New,
    /// It was seen in a family of smaller depth only.
    NewAtThisDepth,
    /// It was seen in this family.
    Known,
}

/// Distinct schedules, kept and compared in full: 4 bytes per operation, and about 14 for each schedule.
pub struct Schedules {
    width: usize,
    operations: Vec<u32>,
    /// The depth of the last family that each was in.
    depth: Vec<u32>,
    table: HashTable<u32>,
}

impl Schedules {
    /// None yet, of `width` operations each.
    pub fn new(width: usize) -> Schedules {
        Schedules { width, operations: Vec::new(), depth: Vec::new(), table: HashTable::new() }
    }

    /// Keeps a schedule of the family of this depth.
    pub fn insert(&mut self, schedule: &[u32], depth: u32) -> Novelty {
        let (width, operations) = (self.width, &self.operations);
        let of = |&number: &u32| &operations[number as usize * width..][..width];
        let hash = Hashing::default().hash_one(schedule);
        if let Some(&number) = self.table.find(hash, |number| of(number) == schedule) {
            let before = std::mem::replace(&mut self.depth[number as usize], depth);
            return if before == depth { Novelty::Known } else { Novelty::NewAtThisDepth };
        }
        self.table.insert_unique(hash, self.depth.len() as u32, |number| Hashing::default().hash_one(of(number)));
        self.operations.extend_from_slice(schedule);
        self.depth.push(depth);
        Novelty::New
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.depth.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.depth.is_empty()
    }

    /// One of them, by number.
    pub fn get(&self, number: usize) -> &[u32] {
        &self.operations[number * self.width..][..self.width]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        4 * (self.operations.capacity() + self.depth.capacity()) + self.table.allocation_size()
    }
}
