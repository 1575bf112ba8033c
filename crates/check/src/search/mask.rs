//! Which of the open operations are linearized already? A set of slots, as narrow as it can be.
//!
//! The linearized operations are always {those that returned before the next return ρ} plus some
//! of those open at ρ, so a set over the open ones says it all: k bits instead of n.
//! Operations get a slot at their call and give it back at their return.

use std::hash::Hash;

/// A set of small integers.
pub(crate) trait Mask: Clone + Eq + Hash + Send + Sync + 'static {
    /// The empty set, with room for `slots`.
    fn empty(slots: usize) -> Self;
    fn has(&self, slot: u32) -> bool;
    fn insert(&mut self, slot: u32);
    fn remove(&mut self, slot: u32);
    /// Adds all of `other`.
    fn unite(&mut self, other: &Self);
    /// Is all of it in `other`?
    fn within(&self, other: &Self) -> bool;
    /// The part of it that is not in `other`.
    fn without(&self, other: &Self) -> Self;
    fn is_empty(&self) -> bool;
    /// Bits that differ for most different sets.
    fn digest(&self) -> u64;
    /// Bytes held beside the value itself.
    fn spilled(&self) -> usize {
        0
    }
}

/// How many masks may be made between two looks at the budget: `usual`, fewer where each of them is large.
pub(crate) fn between_looks(usual: usize, slots: usize) -> usize {
    (usual / (1 + slots / 512)).max(1)
}

/// What a vector takes more when it grows, if `more` items may make it grow.
pub(crate) fn growth<T>(vector: &Vec<T>, more: usize) -> usize {
    if vector.len() + more > vector.capacity() { vector.capacity() * size_of::<T>() } else { 0 }
}

/// The same of a hash table that takes `bytes`: the old one goes when the new one, twice as large, is filled.
pub(crate) fn table_growth(len: usize, capacity: usize, bytes: usize, more: usize) -> usize {
    if len + more > capacity { 2 * bytes } else { 0 }
}

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Mask for u64 {
    fn empty(_: usize) -> Self {
        0
    }
    #[inline]
    fn has(&self, slot: u32) -> bool {
        *self >> slot & 1 == 1
    }
    #[inline]
    fn insert(&mut self, slot: u32) {
        *self |= 1 << slot;
    }
    #[inline]
    fn remove(&mut self, slot: u32) {
        *self &= !(1 << slot);
    }
    #[inline]
    fn unite(&mut self, other: &Self) {
        *self |= other;
    }
    #[inline]
    fn within(&self, other: &Self) -> bool {
        *self & !other == 0
    }
    #[inline]
    fn without(&self, other: &Self) -> Self {
        *self & !other
    }
    #[inline]
    fn is_empty(&self) -> bool {
        *self == 0
    }
    #[inline]
    fn digest(&self) -> u64 {
        self.wrapping_mul(ODD)
    }
}

/// What every wider set has: words of 64 slots.
trait Words {
    fn words(&self) -> &[u64];
    fn words_mut(&mut self) -> &mut [u64];
}

macro_rules! wide_mask {
    ($name:ty, $($generic:tt)*) => {
        impl $($generic)* Mask for $name {
            fn empty(slots: usize) -> Self {
                Self::with_room(slots)
            }
            fn has(&self, slot: u32) -> bool {
                self.words()[slot as usize / 64] >> (slot % 64) & 1 == 1
            }
            fn insert(&mut self, slot: u32) {
                self.words_mut()[slot as usize / 64] |= 1 << (slot % 64);
            }
            fn remove(&mut self, slot: u32) {
                self.words_mut()[slot as usize / 64] &= !(1 << (slot % 64));
            }
            fn unite(&mut self, other: &Self) {
                self.words_mut().iter_mut().zip(other.words()).for_each(|(a, b)| *a |= b);
            }
            fn within(&self, other: &Self) -> bool {
                self.words().iter().zip(other.words()).all(|(a, b)| a & !b == 0)
            }
            fn without(&self, other: &Self) -> Self {
                let mut rest = self.clone();
                rest.words_mut().iter_mut().zip(other.words()).for_each(|(a, b)| *a &= !b);
                rest
            }
            fn is_empty(&self) -> bool {
                self.words().iter().all(|&word| word == 0)
            }
            fn digest(&self) -> u64 {
                self.words().iter().fold(0, |digest: u64, &word| (digest.rotate_left(23) ^ word).wrapping_mul(ODD))
            }
            fn spilled(&self) -> usize {
                Self::spill(self.words())
            }
        }
    };
}

/// Up to `64 * W` slots, in place.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    fn with_room(slots: usize) -> Self {
        assert!(slots <= 64 * W);
        Bits([0; W])
    }
    fn spill(_: &[u64]) -> usize {
        0
    }
}

impl<const W: usize> Words for Bits<W> {
    fn words(&self) -> &[u64] {
        &self.0
    }
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

wide_mask!(Bits<W>, <const W: usize>);

/// Any number of slots, on the heap.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Many(Box<[u64]>);

impl Many {
    fn with_room(slots: usize) -> Self {
        Many(vec![0; slots.div_ceil(64)].into())
    }
    fn spill(words: &[u64]) -> usize {
        8 * words.len()
    }
}

impl Words for Many {
    fn words(&self) -> &[u64] {
        &self.0
    }
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

wide_mask!(Many,);

#[cfg(test)]
mod tests {
    use super::*;

    fn behaves<M: Mask>(slots: u32) {
        let mut set = M::empty(slots as usize);
        assert!(set.is_empty());
        let last = slots - 1;
        set.insert(last);
        set.insert(0);
        assert!(set.has(last) && set.has(0) && !set.has(1));
        let mut small = M::empty(slots as usize);
        small.insert(last);
        assert!(small.within(&set) && !set.within(&small));
        assert!(set.without(&small).has(0) && !set.without(&small).has(last));
        small.unite(&set);
        assert!(small == set && small.digest() == set.digest());
        small.remove(last);
        assert!(!small.has(last) && small.has(0));
    }

    #[test]
    fn growth_is_foreseen_when_the_room_is_used_up_and_not_before() {
        let mut vector = Vec::<u32>::with_capacity(8);
        assert_eq!(vector.capacity(), 8);
        vector.extend([0; 5]);
        assert_eq!([growth(&vector, 3), growth(&vector, 4), growth(&vector, 100)], [0, 32, 32]);
        assert_eq!([3, 4, 100].map(|more| table_growth(5, 8, 80, more)), [0, 160, 160]);
    }

    #[test]
    fn large_masks_are_looked_at_more_often() {
        assert_eq!([0, 511, 512, 5120, 10_000_000].map(|slots| between_looks(4096, slots)), [4096, 4096, 2048, 372, 1]);
    }

    #[test]
    fn all_widths_behave_the_same() {
        behaves::<u64>(64);
        behaves::<Bits<2>>(128);
        behaves::<Bits<8>>(512);
        behaves::<Many>(1000);
    }
}
