//! Which id has this whole number? Looked up by place, without a hash: most histories count their values.
//!
//! The table reaches from 0 to a power of two, and grows as long as a quarter of it or so is in use: `1, 2, 3, …` in any order is
//! in it, `1000000, 2000000, …` is not. Four bytes and one access per number, where the hash table takes up to 18 bytes and two.

use super::{Value, ValueId};

/// So many numbers are in the table whatever they are.
const SMALL: usize = 256;
/// The table is at most so many times as large as what is in it.
const SPARSE: usize = 4;

/// The ids of the numbers from 0 on.
#[derive(Clone, Debug, Default)]
pub(super) struct Dense {
    ids: Vec<ValueId>,
    /// How many of them are known.
    known: usize,
}

impl Dense {
    /// The id of a number that is within the table, [`ValueId::ABSENT`] if it is not known; None if the number is not within.
    #[inline]
    pub fn at(&self, number: i64) -> Option<ValueId> {
        usize::try_from(number).ok().and_then(|place| self.ids.get(place)).copied()
    }

    /// Gives a number within the table its id.
    pub fn set(&mut self, number: i64, id: ValueId) {
        self.ids[number as usize] = id;
        self.known += 1;
    }

    /// Shall the table grow for this number, which is not within? Never more often than the number of its bits.
    pub fn wants(&self, number: i64) -> bool {
        usize::try_from(number).is_ok_and(|place| place < SMALL.max(SPARSE * self.known))
    }

    /// Grows so that the number is within; `items` are all values that have an id.
    pub fn grow(&mut self, number: i64, items: &[Value]) {
        let before = self.ids.len();
        let length = (number as usize + 1).next_power_of_two().max(SMALL);
        self.ids.resize(length, ValueId::ABSENT);
        for (id, item) in items.iter().enumerate() {
            if let Value::Int(known) = *item
                && (before as i64..length as i64).contains(&known)
            {
                self.set(known, ValueId(id as u32));
            }
        }
    }

    /// Forgets all numbers, and keeps the room.
    pub fn clear(&mut self) {
        self.ids.fill(ValueId::ABSENT);
        self.known = 0;
    }

    /// Bytes that the table holds.
    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<ValueId>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Value, Values};

    #[test]
    fn numbers_keep_their_ids_while_the_table_grows() {
        let mut values = Values::new();
        let order = (0..5_000i64).map(|i| i * 2_713 % 5_003); // each once, all over the place
        let far = [-1, i64::MIN, i64::MAX, 1 << 40, 1_000_000];
        let numbers: Vec<i64> = far.into_iter().chain(order).collect();
        let ids: Vec<_> = numbers.iter().map(|&number| values.int(number)).collect();
        for (&number, &id) in numbers.iter().zip(&ids) {
            assert_eq!(values.int(number), id);
            assert_eq!(values.find(&Value::Int(number)), Some(id));
            assert_eq!(values.intern(Value::Int(number)), id);
            assert_eq!(values.as_int(id), Some(number));
        }
        assert_eq!(values.len(), 3 + numbers.len());
        assert_eq!(values.find(&Value::Int(5_001 * 2_713 % 5_003)), None);
    }

    #[test]
    fn numbers_far_apart_take_no_room() {
        let mut values = Values::new();
        for i in 0..1_000 {
            values.int(i * 1_000_000);
        }
        assert!(values.bytes() < 100_000, "{}", values.bytes());
    }
}
