//! Whole numbers as states: exact however far a counter runs.
//!
//! A number of up to 63 bits is its own state, shifted by one; the few beyond are interned. Sums
//! are taken in 128 bits: an operation adds a number of at most 28 digits ([`SUMMAND`]), the number at first
//! has no more, and no history has 2³² operations, so no sum comes near 2¹²⁷.

use crate::State;
use hashbrown::HashMap;
use linpoint_base::Seeded;
use linpoint_history::{Value, ValueId, Values};

/// Numbers that need more than 63 bits.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    large: Vec<i128>,
    index: HashMap<i128, u64, Seeded>,
}

/// The state of small numbers ends in 0, of interned ones in 1.
const SMALL: std::ops::Range<i128> = -(1 << 62)..1 << 62;

impl Numbers {
    /// The number that a state stands for.
    pub fn get(&self, state: State) -> i128 {
        if state & 1 == 0 { i128::from(state as i64 >> 1) } else { self.large[(state >> 1) as usize] }
    }

    /// The state that stands for a number.
    pub fn intern(&mut self, number: i128) -> State {
        if SMALL.contains(&number) {
            return (number as i64 as u64) << 1;
        }
        *self.index.entry(number).or_insert_with(|| {
            self.large.push(number);
            (self.large.len() as u64 - 1) << 1 | 1
        })
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.large.capacity() * 16 + self.index.allocation_size()
    }
}

/// No operation may add this much or more: it has 29 digits.
pub const SUMMAND: i128 = 10i128.pow(28);

/// The whole number that a value is, if it fits 128 bits.
pub fn whole(values: &Values, id: ValueId) -> Option<i128> {
    match values.get(id) {
        Value::Int(number) => Some(i128::from(*number)),
        Value::Big(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// The number of 128 bits that is nearest to a value that is a whole number.
pub fn nearest(values: &Values, id: ValueId) -> Option<i128> {
    whole(values, id).or_else(|| match values.get(id) {
        Value::Big(digits) => Some(if digits.starts_with('-') { i128::MIN } else { i128::MAX }),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_state() {
        let mut heap = Numbers::default();
        let edge = 1i128 << 62;
        for number in [0, 1, -1, edge - 1, edge, -edge, -edge - 1, i128::MAX, i128::MIN, edge] {
            let state = heap.intern(number);
            assert_eq!(heap.get(state), number);
            assert_eq!(heap.intern(number), state);
        }
        assert_eq!(heap.large.len(), 4);
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        let mut values = Values::new();
        let nine = "9".repeat(28);
        let (big, half, text) = (values.integer(&nine), values.float(0.5), values.text("1"));
        assert_eq!(whole(&values, big), Some(SUMMAND - 1));
        assert_eq!((whole(&values, half), whole(&values, text)), (None, None));
        assert_eq!((nearest(&values, big), nearest(&values, half)), (Some(SUMMAND - 1), None));
        let (above, below) = (values.integer(&"9".repeat(40)), values.integer(&format!("-{}", "9".repeat(40))));
        assert_eq!((nearest(&values, above), nearest(&values, below)), (Some(i128::MAX), Some(i128::MIN)));
    }
}
