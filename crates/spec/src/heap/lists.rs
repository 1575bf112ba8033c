//! Which lists are equal, if they grow and shrink at one end only?
//!
//! Hash-consing (Ershov 1958, Goto 1974): a list is a number, its cell holds the top item and the
//! number of the rest, and equal cells are one cell. So equal lists have equal numbers, push is one
//! look-up and pop is one load, however long the list is.

use super::scramble;
use hashbrown::HashTable;

/// Interned lists of integers.
#[derive(Clone, Debug)]
pub struct Lists {
    /// Cell 0 is the empty list.
    cells: Vec<Cell>,
    index: HashTable<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    top: u32,
    rest: u32,
    height: u32,
}

impl Default for Lists {
    fn default() -> Self {
        Lists { cells: vec![Cell { top: 0, rest: 0, height: 0 }], index: HashTable::new() }
    }
}

fn hash_of(cell: Cell) -> u64 {
    scramble(u64::from(cell.top).wrapping_mul(0xd6e8_feb8_6659_fd93), cell.rest as usize)
}

impl Lists {
    /// The number of the empty list.
    pub const EMPTY: u64 = 0;

    /// The item on top and the list below it; None when the list is empty.
    pub fn top(&self, id: u64) -> Option<(u32, u64)> {
        let cell = self.cells[id as usize];
        (cell.height > 0).then_some((cell.top, u64::from(cell.rest)))
    }

    /// How many items the list has.
    pub fn height(&self, id: u64) -> u32 {
        self.cells[id as usize].height
    }

    /// The number of the list with `item` on top of list `id`.
    pub fn push(&mut self, id: u64, item: u32) -> u64 {
        let cell = Cell { top: item, rest: id as u32, height: self.height(id) + 1 };
        let cells = &self.cells;
        if let Some(&known) = self.index.find(hash_of(cell), |&known| cells[known as usize] == cell) {
            return u64::from(known);
        }
        let new = u32::try_from(self.cells.len()).expect("fewer than 2^32 states");
        self.cells.push(cell);
        let cells = &self.cells;
        self.index.insert_unique(hash_of(cell), new, |&id| hash_of(cells[id as usize]));
        u64::from(new)
    }

    /// The items, the lowest first.
    pub fn items(&self, mut id: u64) -> Vec<u32> {
        let mut items = Vec::with_capacity(self.height(id) as usize);
        while let Some((item, rest)) = self.top(id) {
            items.push(item);
            id = rest;
        }
        items.reverse();
        items
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>() + self.index.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_share_a_number() {
        let mut heap = Lists::default();
        let one = heap.push(Lists::EMPTY, 7);
        let two = heap.push(one, 8);
        assert_eq!(heap.push(Lists::EMPTY, 7), one);
        assert_eq!(heap.push(one, 8), two);
        assert_ne!(heap.push(one, 7), two);
        assert_eq!(heap.top(two), Some((8, one)));
        assert_eq!(heap.top(Lists::EMPTY), None);
        assert_eq!((heap.items(two), heap.height(two)), (vec![7, 8], 2));
    }
}
