//! In which order do operations with given slots take effect?
//!
//! Within a slot, values that leave go first, then those that are present throughout or pass, then those that
//! enter; so between the first and the last only values that are present throughout are inside. O(n), but for many
//! operations in one slot.

/// When within its slot an operation takes effect.
#[derive(Clone, Copy)]
pub(super) enum Phase {
    /// Its value leaves in this slot.
    Ending = 0,
    /// Its value is inside throughout, or comes and goes.
    Within = 1,
    /// Its value enters in this slot.
    Beginning = 2,
}

/// The places of operations.
pub(super) struct Schedule {
    /// By operation: its slot above, its turn within the slot below; [`NOWHERE`] if it takes no effect.
    places: Vec<u64>,
    /// How many operations each slot has; then where they start.
    starts: Vec<u32>,
}

const NOWHERE: u64 = u64::MAX;

/// The largest turn.
pub(super) const LAST: u32 = (1 << 28) - 1;

/// Does a class have a turn of its own, neither the first nor the last?
pub(super) fn has_turn(class: u32) -> bool {
    class < LAST - 1
}

/// Do so many values have turns of their own, at both ends?
pub(super) fn has_turns(values: usize) -> bool {
    2 * values + 2 <= LAST as usize
}

impl Schedule {
    /// For `count` operations in the slots up to `end`.
    pub fn new(count: usize, end: u32) -> Schedule {
        Schedule { places: vec![NOWHERE; count], starts: vec![0; end as usize + 2] }
    }

    pub fn bytes(&self) -> usize {
        self.places.capacity() * 8 + self.starts.capacity() * 4
    }

    /// Operation `op` takes effect in `slot` and `phase`, by `turn` among others there; of equal turns
    /// by `step`: 0 adds, 1 peeks, 2 removes.
    pub fn put(&mut self, op: u32, slot: u32, phase: Phase, turn: u32, step: u32) {
        let within = (phase as u32) << 30 | turn << 2 | step;
        self.places[op as usize] = u64::from(slot) << 32 | u64::from(within);
    }

    /// The operations in order: dealt to their slots, which they are near already, and sorted within.
    pub fn order(self) -> Vec<u32> {
        let Schedule { places, mut starts } = self;
        let slot = |place: u64| (place >> 32) as usize;
        places.iter().filter(|&&place| place != NOWHERE).for_each(|&place| starts[slot(place) + 1] += 1);
        for slot in 1..starts.len() {
            starts[slot] += starts[slot - 1];
        }
        let mut dealt = vec![0u64; starts.last().map_or(0, |&count| count as usize)];
        for (op, &place) in places.iter().enumerate().filter(|(_, place)| **place != NOWHERE) {
            let to = &mut starts[slot(place)];
            dealt[*to as usize] = place << 32 | op as u64;
            *to += 1;
        }
        drop(places);
        let mut from = 0; // by now every start is where the next slot starts
        for &to in &starts {
            if to > from + 1 {
                dealt[from as usize..to as usize].sort_unstable();
            }
            from = from.max(to);
        }
        dealt.into_iter().map(|item| item as u32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_turns_but_the_first_and_the_last() {
        assert!(has_turn(0) && has_turn(LAST - 2));
        assert!(!has_turn(LAST - 1) && !has_turn(LAST));
    }

    #[test]
    fn half_of_the_turns_but_one() {
        assert!(has_turns(0) && has_turns((1 << 27) - 2));
        assert!(!has_turns((1 << 27) - 1) && !has_turns(1 << 27));
    }
}
