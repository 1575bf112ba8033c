//! Which states were met, and where do their transitions lead? One part of the whole: states are dealt to parts by their hash.
//!
//! The hash of a state is a sum over its words, so zeros at the end do not change it: a state keeps its part and its place when all states get
//! more room.

use crate::client::Label;
use hashbrown::HashTable;
use linpoint_base::hashed;
use std::hint::black_box;

/// How many parts there are: a constant, so that numbers do not depend on how many threads work.
pub const PARTS: usize = 16;

/// States that are looked up together.
const TOGETHER: usize = 16;

/// A state as (number within its part) × PARTS + part.
pub type Handle = u32;

/// The handle of a state of a part.
#[inline]
pub fn handle(part: usize, local: u32) -> Handle {
    local * PARTS as u32 + part as u32
}

/// The hash of a state: folded products of its words with fixed odd numbers.
#[inline]
pub fn hash(state: &[u8]) -> u64 {
    let mut sum = 0u64;
    let mut factor = 0x9e37_79b9_7f4a_7c15u64;
    for word in state.as_chunks::<8>().0 {
        let product = u128::from(u64::from_le_bytes(*word)) * u128::from(factor);
        sum = sum.wrapping_add(product as u64 ^ (product >> 64) as u64);
        factor = factor.wrapping_mul(0xd134_2543_de82_ef95) | 1;
    }
    let mixed = u128::from(sum ^ sum >> 32) * 0xa076_1d64_78bd_642f_u128;
    hashed(mixed as u64 ^ (mixed >> 64) as u64)
}

/// The part of a hash. The table within the part looks at other bits.
#[inline]
pub fn part_of(hash: u64) -> usize {
    (hash >> 40) as usize % PARTS
}

/// One part.
#[derive(Default)]
pub struct Part {
    /// The states, one after the other.
    pub states: Vec<u8>,
    /// (upper half of the hash, state).
    index: HashTable<(u32, u32)>,
    /// Where the transitions of each expanded state end.
    pub ends: Vec<u32>,
    /// The transitions, and where they lead.
    pub steps: Vec<(Label, Handle)>,
}

impl Part {
    /// How many states it has.
    pub fn len(&self, bytes: usize) -> usize {
        self.states.len() / bytes
    }

    /// The number of a state within the part, new or known.
    #[inline]
    pub fn insert(&mut self, hash: u64, state: &[u8]) -> u32 {
        let (bytes, tag) = (state.len(), (hash >> 32) as u32);
        let known = &self.states;
        let same = |entry: &(u32, u32)| entry.0 == tag && known[entry.1 as usize * bytes..][..bytes] == *state;
        if let Some(entry) = self.index.find(place(tag), same) {
            return entry.1;
        }
        let new = self.len(bytes) as u32;
        self.states.extend_from_slice(state);
        self.index.insert_unique(place(tag), (tag, new), |entry| place(entry.0));
        new
    }

    /// The numbers of states within the part, new or known.
    ///
    /// Each look-up waits for the memory twice, for the index and for the state. Those of a few states are independent, so all are fetched first:
    /// what is read here is only read to be near.
    pub fn insert_all(&mut self, hashes: &[u64], states: &[u8], bytes: usize, numbers: &mut Vec<u32>) {
        for (hashes, states) in hashes.chunks(TOGETHER).zip(states.chunks(TOGETHER * bytes)) {
            let near = hashes.iter().fold(0, |near, hash| {
                let tag = (hash >> 32) as u32;
                let entry = self.index.find(place(tag), |entry| entry.0 == tag);
                near ^ entry.map_or(0, |entry| self.states[entry.1 as usize * bytes])
            });
            black_box(near);
            let states = states.chunks_exact(bytes);
            numbers.extend(hashes.iter().zip(states).map(|(&hash, state)| self.insert(hash, state)));
        }
    }

    /// Gives every state more room.
    pub fn widen(&mut self, from: usize, to: usize) {
        let mut wide = Vec::with_capacity(self.states.len() / from * to);
        for state in self.states.chunks_exact(from) {
            wide.extend_from_slice(state);
            wide.resize(wide.len() + to - from, 0);
        }
        self.states = wide;
    }

    /// Drops the states; the transitions stay.
    pub fn forget_states(&mut self) {
        self.states = Vec::new();
        self.index = HashTable::new();
    }

    /// Bytes that it holds.
    pub fn memory(&self) -> usize {
        self.states.capacity() + self.index.allocation_size() + self.ends.capacity() * 4 + self.steps.capacity() * 8
    }
}

/// The hash that the index sees: made from the half that it keeps, so that it can grow without the states.
#[inline]
fn place(tag: u32) -> u64 {
    hashed(u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_met_once_also_after_it_got_more_room() {
        let mut part = Part::default();
        let states: Vec<[u8; 16]> = (0..200u8)
            .map(|byte| {
                let mut state = [0; 16];
                state[3] = byte;
                state
            })
            .collect();
        for (number, state) in states.iter().enumerate() {
            assert_eq!(part.insert(hash(state), state), number as u32);
        }
        part.widen(16, 24);
        for (number, state) in states.iter().enumerate() {
            let mut wide = state.to_vec();
            wide.resize(24, 0);
            assert_eq!(hash(state), hash(&wide));
            assert_eq!(part.insert(hash(&wide), &wide), number as u32);
        }
        assert_eq!(part.len(24), 200);
    }
}
