//! Which multisets are equal, if elements go in and come out one by one?
//!
//! The elements are *seats*, integers below a bound m. A multiset is a tree that parts its seats by their
//! digits, the highest digit first, and equal subtrees are one (hash-consing: Ershov 1958, Goto 1974):
//!
//! ```text
//!   fork     more than FEW copies: a subtree for each digit
//!   bucket   at most FEW copies: their seats, sorted, as one sequence
//!   leaf     all digits are known: the count itself
//! ```
//!
//! Which of them a subtree is follows from what it holds, so equal multisets have equal numbers; 0 is the empty one at
//! every level. A bucket that overflows bursts into a fork (burst tries: Heinz, Zobel & Williams 2002), and a fork
//! left with few copies is a bucket again.
//!
//! Cost: O(log m) for each question and step, and for a new state at most log m forks of 36 bytes and one bucket,
//! however many copies are inside. Buckets are there for the small multisets, which are most: those cost one sequence.

use super::{End, Sequences};
use hashbrown::HashTable;
use linpoint_base::Hashing;
use std::hash::BuildHasher;

/// Bits of a digit.
const BITS: u32 = 3;
const FAN: usize = 1 << BITS;

/// How many copies a bucket holds at most.
const FEW: usize = 16;

/// Tells the number of a fork from that of a bucket.
const FORK: u32 = 1 << 31;

/// Interned multisets of seats.
#[derive(Clone, Debug)]
pub struct Counts {
    /// How many digits a seat has: subtrees of level i part the lowest i digits.
    levels: u32,
    /// Bucket 0 is the empty one.
    buckets: Sequences,
    forks: Vec<Fork>,
    index: HashTable<u32>,
    /// A bucket in the making; kept to save allocations.
    draft: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fork {
    /// How many copies the children hold together.
    copies: u32,
    children: [u32; FAN],
}

fn hash_of(fork: &Fork) -> u64 {
    Hashing::default().hash_one(fork)
}

/// The digits of a seat that a subtree of this level does not part: all its seats share them.
fn prefix(seat: u32, level: u32) -> u32 {
    seat.checked_shr(BITS * level).unwrap_or(0)
}

/// The child of a fork of this level that a seat belongs to.
fn digit(seat: u32, level: u32) -> usize {
    prefix(seat, level - 1) as usize % FAN
}

/// A number that leaves the bit of [`FORK`] free.
fn narrow(id: usize) -> u32 {
    u32::try_from(id).ok().filter(|id| id & FORK == 0).expect("fewer than 2^31 subtrees")
}

impl Counts {
    /// The number of the empty multiset.
    pub const EMPTY: u64 = 0;

    /// For multisets over the seats 0 .. `seats`.
    pub fn new(seats: usize) -> Self {
        let highest = u32::try_from(seats.saturating_sub(1)).expect("at most 2^32 seats");
        let levels = (u32::BITS - highest.leading_zeros()).div_ceil(BITS);
        let mut buckets = Sequences::default();
        buckets.intern(&[]);
        Counts { levels, buckets, forks: Vec::new(), index: HashTable::new(), draft: Vec::new() }
    }

    /// The number of the multiset of these seats, which are sorted.
    pub fn intern(&mut self, seats: &[u32]) -> u64 {
        u64::from(self.build(seats, self.levels))
    }

    /// Is a copy of `seat` in?
    pub fn contains(&self, id: u64, seat: u32) -> bool {
        let mut id = id as u32;
        for level in (1..=self.levels).rev() {
            match self.fork(id) {
                Some(fork) => id = fork.children[digit(seat, level)],
                None => return self.bucket(id).binary_search(&seat).is_ok(),
            }
        }
        id > 0
    }

    /// The highest seat that has a copy in; None when the multiset is empty.
    pub fn highest(&self, id: u64) -> Option<u32> {
        let (mut id, mut prefix) = (id as u32, 0);
        for _ in 0..self.levels {
            let Some(fork) = self.fork(id) else { return self.bucket(id).last().copied() };
            let last = fork.children.iter().rposition(|&child| child != 0)?;
            (id, prefix) = (fork.children[last], prefix << BITS | last as u32);
        }
        (id > 0).then_some(prefix)
    }

    /// The seats from `from` on that have copies in, ascending, each with the number of its copies.
    pub fn seats_from(&self, id: u64, from: u32) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        self.gather(id as u32, self.levels, 0, from, &mut found);
        found
    }

    /// The number of multiset `id` with a copy of `seat` more.
    pub fn insert(&mut self, id: u64, seat: u32) -> u64 {
        u64::from(self.with(id as u32, self.levels, seat))
    }

    /// The number of multiset `id` with a copy of `seat` less; None when there is none.
    pub fn remove(&mut self, id: u64, seat: u32) -> Option<u64> {
        self.without(id as u32, self.levels, seat).map(u64::from)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let forks = self.forks.capacity() * size_of::<Fork>() + self.index.allocation_size();
        self.buckets.bytes() + forks + self.draft.capacity() * 4
    }

    /// The fork behind the number of a subtree above the leaves, if it is one.
    fn fork(&self, id: u32) -> Option<Fork> {
        (id & FORK != 0).then(|| self.forks[(id ^ FORK) as usize])
    }

    fn bucket(&self, id: u32) -> &[u32] {
        self.buckets.get(u64::from(id))
    }

    /// What [`Counts::seats_from`] finds in the subtree whose seats have this prefix.
    fn gather(&self, id: u32, level: u32, common: u32, from: u32, found: &mut Vec<(u32, u32)>) {
        if id == 0 || common < prefix(from, level) {
            return;
        }
        if level == 0 {
            return found.push((common, id));
        }
        let Some(fork) = self.fork(id) else {
            let runs = self.bucket(id).chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
            return found.extend(runs.filter(|&(seat, _)| seat >= from));
        };
        for (digit, &child) in fork.children.iter().enumerate() {
            self.gather(child, level - 1, common << BITS | digit as u32, from, found);
        }
    }

    fn with(&mut self, id: u32, level: u32, seat: u32) -> u32 {
        if level == 0 {
            return id + 1;
        }
        if let Some(mut fork) = self.fork(id) {
            let child = &mut fork.children[digit(seat, level)];
            *child = self.with(*child, level - 1, seat);
            fork.copies += 1;
            return self.intern_fork(fork);
        }
        let seats = self.bucket(id);
        let place = seats.partition_point(|&other| other <= seat);
        if place == seats.len() && place < FEW {
            return narrow(self.buckets.push(u64::from(id), End::Back, seat) as usize);
        }
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        draft.extend_from_slice(self.bucket(id));
        draft.insert(place, seat);
        let new = self.build(&draft, level);
        self.draft = draft;
        new
    }

    fn without(&mut self, id: u32, level: u32, seat: u32) -> Option<u32> {
        if level == 0 {
            return id.checked_sub(1);
        }
        if let Some(mut fork) = self.fork(id) {
            let child = &mut fork.children[digit(seat, level)];
            *child = self.without(*child, level - 1, seat)?;
            fork.copies -= 1;
            let few = fork.copies as usize <= FEW;
            return Some(if few { self.merge(fork, level, seat) } else { self.intern_fork(fork) });
        }
        let seats = self.buckets.get(u64::from(id));
        let place = seats.binary_search(&seat).ok()?;
        let new = if seats.last() == Some(&seat) {
            self.buckets.pop(u64::from(id), End::Back)
        } else {
            self.draft.clear();
            self.draft.extend_from_slice(seats);
            self.draft.remove(place);
            self.buckets.intern(&self.draft)
        };
        Some(narrow(new as usize))
    }

    /// The bucket of all that a fork holds: few copies by now, so its children are buckets or leaves. `seat` is one of its seats.
    fn merge(&mut self, fork: Fork, level: u32, seat: u32) -> u32 {
        self.draft.clear();
        for (digit, &child) in fork.children.iter().enumerate() {
            if level > 1 {
                self.draft.extend_from_slice(self.buckets.get(u64::from(child)));
            } else {
                let seat = prefix(seat, 1) << BITS | digit as u32;
                self.draft.extend(std::iter::repeat_n(seat, child as usize));
            }
        }
        narrow(self.buckets.intern(&self.draft) as usize)
    }

    /// The subtree of these seats, which are sorted and share their prefix.
    fn build(&mut self, seats: &[u32], level: u32) -> u32 {
        if level == 0 {
            return seats.len() as u32;
        }
        if seats.len() <= FEW {
            return narrow(self.buckets.intern(seats) as usize);
        }
        let mut fork = Fork { copies: seats.len() as u32, children: [0; FAN] };
        for part in seats.chunk_by(|&a, &b| digit(a, level) == digit(b, level)) {
            fork.children[digit(part[0], level)] = self.build(part, level - 1);
        }
        self.intern_fork(fork)
    }

    fn intern_fork(&mut self, fork: Fork) -> u32 {
        let (forks, hash) = (&self.forks, hash_of(&fork));
        if let Some(&known) = self.index.find(hash, |&known| forks[known as usize] == fork) {
            return FORK | known;
        }
        let new = narrow(forks.len());
        self.forks.push(fork);
        let forks = &self.forks;
        self.index.insert_unique(hash, new, |&id| hash_of(&forks[id as usize]));
        FORK | new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn equal_multisets_share_a_number() {
        let mut heap = Counts::new(9);
        let one = heap.insert(Counts::EMPTY, 7);
        let two = heap.insert(one, 3);
        let other = heap.insert(Counts::EMPTY, 3);
        assert_eq!(heap.insert(other, 7), two);
        assert_eq!(heap.intern(&[3, 7]), two);
        assert_eq!(heap.remove(two, 3), Some(one));
        assert_eq!(heap.remove(two, 8), None);
        assert_eq!(heap.remove(one, 7), Some(Counts::EMPTY));
        assert_eq!((heap.highest(two), heap.highest(Counts::EMPTY)), (Some(7), None));
    }

    #[test]
    fn a_step_costs_the_same_however_many_are_inside() {
        let mut heap = Counts::new(1 << 12);
        let seats: Vec<u32> = (0..1 << 12).flat_map(|seat| std::iter::repeat_n(seat, 50)).collect();
        let full = heap.intern(&seats);
        let (forks, buckets) = (heap.forks.len(), heap.buckets.bytes());
        for seat in (0..1 << 12).step_by(41) {
            let less = heap.remove(full, seat).unwrap();
            assert_eq!(heap.insert(less, seat), full);
        }
        assert!(heap.forks.len() - forks <= 100 * 4, "a fork for each of four digits");
        assert_eq!(heap.buckets.bytes(), buckets);
    }

    proptest! {
        /// Every state is compared with a sorted vector, and its number with those of all states so far.
        #[test]
        fn steps_agree_with_a_vector(
            seats in prop::sample::select(vec![1, 2, 8, 9, 70, 3000, u32::MAX]),
            start in prop::collection::vec(any::<u32>(), 0..80),
            steps in prop::collection::vec((any::<bool>(), any::<u32>(), any::<prop::sample::Index>()), 0..150),
        ) {
            let mut heap = Counts::new(seats as usize);
            let mut start: Vec<u32> = start.into_iter().map(|seat| seat % seats).collect();
            start.sort();
            let mut states = vec![(heap.intern(&start), start)];
            let mut known = BTreeMap::from([(states[0].1.clone(), states[0].0)]);
            for (insert, seat, from) in steps {
                // Mostly from the last state, so that buckets burst and forks merge.
                let from = from.index(2 * states.len()).min(states.len() - 1);
                let (id, mut items) = states[from].clone();
                let seat = match items.get(seat as usize % (items.len() + 1)) {
                    Some(&inside) if !insert => inside,
                    _ => seat % seats,
                };
                let found = items.binary_search(&seat);
                let next = if insert {
                    items.insert(found.unwrap_or_else(|place| place), seat);
                    heap.insert(id, seat)
                } else if let Ok(place) = found {
                    items.remove(place);
                    heap.remove(id, seat).expect("there is one")
                } else {
                    prop_assert_eq!(heap.remove(id, seat), None);
                    continue;
                };
                let runs = items.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
                let after: Vec<(u32, u32)> = runs.filter(|&(other, _)| other >= seat).collect();
                prop_assert_eq!(heap.seats_from(next, seat), after);
                prop_assert_eq!(heap.contains(next, seat), items.binary_search(&seat).is_ok());
                prop_assert_eq!(heap.highest(next), items.last().copied());
                prop_assert_eq!(heap.intern(&items), next);
                prop_assert_eq!(next == Counts::EMPTY, items.is_empty());
                prop_assert_eq!(*known.entry(items.clone()).or_insert(next), next);
                states.push((next, items));
            }
            let mut numbers: Vec<u64> = known.values().copied().collect();
            numbers.sort();
            numbers.dedup();
            prop_assert_eq!(numbers.len(), known.len(), "different multisets, different numbers");
        }
    }
}
