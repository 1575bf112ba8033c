//! Which number has a name? Names of 32 bits, renumbered without gaps.

use crate::ranks::NONE;

/// Names given by 32 bits, numbered 0, 1, 2 … in the order they are met: a table where the names are dense,
/// a hash map where they are not (one key of many has few of the history's values).
pub(crate) enum Numbering {
    Dense { number: Vec<u32>, count: u32 },
    Sparse(hashbrown::HashMap<u32, u32, linpoint_base::Hashing>),
}

impl Numbering {
    /// For about `count` names, none larger than `largest`.
    pub fn new(count: usize, largest: u32) -> Numbering {
        match (largest as usize) < 8 * count + 64 {
            true => Numbering::Dense { number: vec![NONE; largest as usize + 1], count: 0 },
            false => Numbering::Sparse(hashbrown::HashMap::default()),
        }
    }

    /// The number of a name.
    pub fn of(&mut self, name: u32) -> u32 {
        match self {
            Numbering::Dense { number, count } => {
                let number = &mut number[name as usize];
                if *number == NONE {
                    *number = *count;
                    *count += 1;
                }
                *number
            }
            Numbering::Sparse(numbers) => {
                let next = numbers.len() as u32;
                *numbers.entry(name).or_insert(next)
            }
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Numbering::Dense { number, .. } => number.capacity() * 4,
            Numbering::Sparse(numbers) => numbers.allocation_size(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Numbering::Dense { count, .. } => *count as usize,
            Numbering::Sparse(numbers) => numbers.len(),
        }
    }
}
