//! Which sequences of integers are equal? Each distinct one gets one number.
//!
//! All sequences are spans of one pool, and spans may overlap: taking an item off either end is a
//! new span over the same items, putting one at the end copies nothing when the item already
//! stands there or when the span ends where the pool does. Otherwise the sequence is copied.
//!
//! The hash is the polynomial Σ mix(xᵢ)·Bⁱ modulo 2⁶⁴, which follows a change at either end, or of
//! one item, in O(1) (Karp & Rabin 1987). A known sequence costs one comparison, a new one 24 bytes
//! and the copy, if any.

use super::scramble;
use hashbrown::HashTable;
use linpoint_base::hashed;

/// One of the two ends of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Where it begins: item 0.
    Front,
    /// Where it ends.
    Back,
}

/// Interned sequences of integers.
#[derive(Clone, Debug, Default)]
pub struct Sequences {
    pool: Vec<u32>,
    spans: Vec<Span>,
    index: HashTable<u32>,
    /// Bⁱ for every place i that a sequence has had so far, and one more.
    powers: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    len: usize,
    hash: u64,
}

const BASE: u64 = 0xd6e8_feb8_6659_fd93;
const INVERSE: u64 = inverse(BASE);

/// The inverse of an odd number modulo 2⁶⁴: each of Newton's steps doubles the number of right bits.
const fn inverse(odd: u64) -> u64 {
    let mut x = odd; // right in its lowest three bits
    let mut bits = 3;
    while bits < 64 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
        bits *= 2;
    }
    x
}

fn mix(item: u32) -> u64 {
    let x = (u64::from(item) + 1).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hashed(x ^ x >> 29)
}

impl Sequences {
    /// The sequence behind a number.
    pub fn get(&self, id: u64) -> &[u32] {
        self.items(self.spans[id as usize])
    }

    /// The item at one end; None when the sequence is empty.
    pub fn end(&self, id: u64, end: End) -> Option<u32> {
        let items = self.get(id);
        match end {
            End::Front => items.first().copied(),
            End::Back => items.last().copied(),
        }
    }

    /// The number of a sequence, new or known.
    pub fn intern(&mut self, sequence: &[u32]) -> u64 {
        self.reach(sequence.len());
        let terms = sequence.iter().zip(&self.powers).map(|(&item, power)| mix(item).wrapping_mul(*power));
        let hash = terms.fold(0, u64::wrapping_add);
        self.find(hash, sequence.len(), |known| known == sequence).unwrap_or_else(|| {
            let start = self.pool.len();
            self.pool.extend_from_slice(sequence);
            self.insert(Span { start, len: sequence.len(), hash })
        })
    }

    /// The number of sequence `id` with `item` put at one end.
    pub fn push(&mut self, id: u64, end: End, item: u32) -> u64 {
        let span = self.spans[id as usize];
        self.reach(span.len + 1);
        let hash = match end {
            End::Front => span.hash.wrapping_mul(BASE).wrapping_add(mix(item)),
            End::Back => span.hash.wrapping_add(mix(item).wrapping_mul(self.powers[span.len])),
        };
        let before = self.items(span);
        let same = |known: &[u32]| match end {
            End::Front => known[0] == item && known[1..] == *before,
            End::Back => known[span.len] == item && known[..span.len] == *before,
        };
        if let Some(known) = self.find(hash, span.len + 1, same) {
            return known;
        }
        let start = match end {
            End::Front => self.room_in_front(span, item),
            End::Back => self.room_behind(span, item),
        };
        self.insert(Span { start, len: span.len + 1, hash })
    }

    /// The number of sequence `id` without the item at one end; `id` itself when it is empty.
    pub fn pop(&mut self, id: u64, end: End) -> u64 {
        let span = self.spans[id as usize];
        let Some(item) = self.end(id, end) else { return id };
        let len = span.len - 1;
        let (start, hash) = match end {
            End::Front => (span.start + 1, span.hash.wrapping_sub(mix(item)).wrapping_mul(INVERSE)),
            End::Back => (span.start, span.hash.wrapping_sub(mix(item).wrapping_mul(self.powers[len]))),
        };
        let after = Span { start, len, hash };
        let known = self.find(hash, len, |known| known == self.items(after));
        known.unwrap_or_else(|| self.insert(after))
    }

    /// The number of sequence `id` with the item at `place` replaced.
    pub fn replace(&mut self, id: u64, place: usize, item: u32) -> u64 {
        let span = self.spans[id as usize];
        let before = self.items(span);
        let change = mix(item).wrapping_sub(mix(before[place])).wrapping_mul(self.powers[place]);
        let hash = span.hash.wrapping_add(change);
        let same = |known: &[u32]| {
            known[place] == item && known[..place] == before[..place] && known[place + 1..] == before[place + 1..]
        };
        if let Some(known) = self.find(hash, span.len, same) {
            return known;
        }
        let start = self.pool.len();
        self.pool.extend_from_within(span.start..span.start + span.len);
        self.pool[start + place] = item;
        self.insert(Span { start, len: span.len, hash })
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.pool.capacity() * 4
            + self.spans.capacity() * size_of::<Span>()
            + self.index.allocation_size()
            + self.powers.capacity() * 8
    }

    fn items(&self, span: Span) -> &[u32] {
        &self.pool[span.start..span.start + span.len]
    }

    /// Makes the powers of all places of a sequence of `len` items.
    fn reach(&mut self, len: usize) {
        while self.powers.len() <= len {
            self.powers.push(self.powers.last().map_or(1, |power| power.wrapping_mul(BASE)));
        }
    }

    fn find(&self, hash: u64, len: usize, same: impl Fn(&[u32]) -> bool) -> Option<u64> {
        let candidate = |&id: &u32| {
            let span = self.spans[id as usize];
            span.hash == hash && span.len == len && same(self.items(span))
        };
        self.index.find(scramble(hash, len), candidate).map(|&id| u64::from(id))
    }

    fn insert(&mut self, span: Span) -> u64 {
        let id = u32::try_from(self.spans.len()).expect("fewer than 2^32 states");
        self.spans.push(span);
        let spans = &self.spans;
        let hash_of = |&id: &u32| scramble(spans[id as usize].hash, spans[id as usize].len);
        self.index.insert_unique(scramble(span.hash, span.len), id, hash_of);
        u64::from(id)
    }

    /// Makes `item` stand right behind the items of `span`; gives where they start then.
    fn room_behind(&mut self, span: Span, item: u32) -> usize {
        let end = span.start + span.len;
        match self.pool.get(end) {
            Some(&next) if next == item => return span.start,
            Some(_) => {
                let start = self.pool.len();
                self.pool.extend_from_within(span.start..end);
                self.pool.push(item);
                return start;
            }
            None => self.pool.push(item),
        }
        span.start
    }

    /// Makes `item` stand right in front of the items of `span`; gives where it stands.
    fn room_in_front(&mut self, span: Span, item: u32) -> usize {
        if span.start > 0 && self.pool[span.start - 1] == item {
            return span.start - 1;
        }
        let start = self.pool.len();
        self.pool.push(item);
        self.pool.extend_from_within(span.start..span.start + span.len);
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_sequences_share_a_number() {
        let mut heap = Sequences::default();
        let empty = heap.intern(&[]);
        let one = heap.intern(&[7]);
        let two = heap.intern(&[7, 8]);
        assert_eq!(heap.intern(&[7]), one);
        assert_eq!(heap.intern(&[]), empty);
        assert_eq!(heap.get(two), &[7, 8]);
        assert_eq!(heap.get(empty), &[] as &[u32]);
        assert_eq!(heap.pop(two, End::Back), one);
        assert_eq!(heap.pop(empty, End::Front), empty);
        assert_eq!(heap.replace(one, 0, 9), heap.push(empty, End::Front, 9));
    }

    #[test]
    fn a_queue_that_moves_along_copies_nothing() {
        let mut heap = Sequences::default();
        let mut state = heap.intern(&[0, 1, 2]);
        for i in 3..1000 {
            state = heap.push(state, End::Back, i);
            state = heap.pop(state, End::Front);
        }
        assert_eq!((heap.get(state), heap.pool.len()), (&[997, 998, 999][..], 1000));
    }

    proptest! {
        #[test]
        fn steps_agree_with_a_vector(steps in prop::collection::vec((0..5u8, 0..3u32, any::<prop::sample::Index>()), 0..60)) {
            let mut heap = Sequences::default();
            let mut states = vec![(heap.intern(&[]), Vec::<u32>::new())];
            for (step, item, from) in steps {
                let (id, mut items) = states[from.index(states.len())].clone();
                let next = match step {
                    0 => { items.insert(0, item); heap.push(id, End::Front, item) }
                    1 => { items.push(item); heap.push(id, End::Back, item) }
                    2 => { if !items.is_empty() { items.remove(0); } heap.pop(id, End::Front) }
                    3 => { items.pop(); heap.pop(id, End::Back) }
                    _ if items.is_empty() => id,
                    _ => { let place = item as usize % items.len(); items[place] = 9; heap.replace(id, place, 9) }
                };
                prop_assert_eq!(heap.get(next), &items[..]);
                prop_assert_eq!(heap.intern(&items), next);
                states.push((next, items));
            }
        }
    }
}
