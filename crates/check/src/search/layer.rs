//! Which configurations are there? A set of (mask, state) that drops the dominated ones.
//!
//! A configuration that used fewer pending operations than another, all else equal, can do
//! whatever the other can: it may fire the rest later or never. So of two configurations with the
//! same state and the same completed operations linearized, the one whose pending set contains
//! the other's is dropped. Without pending operations this is a plain set.
//!
//! Open addressing over indices; keys are compared in full. Emptying it costs nothing: entries
//! carry the epoch they were made in.

use crate::search::ancestry::Node;
use crate::search::mask::{Mask, growth};
use linpoint_base::{hashed, room};
use linpoint_spec::State;

/// One configuration: which open operations are linearized, and the state they led to.
#[derive(Clone)]
pub(crate) struct Configuration<M> {
    pub mask: M,
    pub state: State,
    pub node: Node,
    /// Was it dominated after it was inserted?
    pub dropped: bool,
}

/// A set of configurations, in the order of their insertion.
pub(crate) struct Layer<M> {
    pub configurations: Vec<Configuration<M>>,
    /// (epoch, index) per cell; a cell of another epoch is free.
    cells: Vec<(u32, u32)>,
    epoch: u32,
    dropped: usize,
}

impl<M: Mask> Layer<M> {
    pub fn new() -> Self {
        Layer { configurations: Vec::new(), cells: vec![(0, 0); room(64)], epoch: 1, dropped: 0 }
    }

    pub fn clear(&mut self) {
        self.configurations.clear();
        self.dropped = 0;
        if self.epoch == u32::MAX {
            self.cells.fill((0, 0));
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    /// How many configurations live.
    pub fn living(&self) -> usize {
        self.configurations.len() - self.dropped
    }

    pub fn bytes(&self) -> usize {
        let spilled = self.configurations.first().map_or(0, |c| c.mask.spilled());
        self.configurations.capacity() * size_of::<Configuration<M>>()
            + self.configurations.len() * spilled
            + self.cells.capacity() * size_of::<(u32, u32)>()
    }

    /// What it takes more when it grows, if `more` configurations may make it grow: its old cells go when the new ones are filled.
    pub fn growth(&self, more: usize) -> usize {
        let cells = if 2 * (self.configurations.len() + more) > self.cells.len() { 2 * self.cells.len() } else { 0 };
        cells * size_of::<(u32, u32)>() + growth(&self.configurations, more)
    }

    /// Inserts unless it is there or dominated; says whether it did. `pending` holds the slots of
    /// pending operations.
    #[inline]
    pub fn insert(&mut self, mask: M, state: State, node: Node, pending: &M) -> bool {
        if 2 * (self.configurations.len() + 1) > self.cells.len() {
            self.grow(pending);
        }
        let room = self.cells.len() - 1;
        let mut at = place(&mask.without(pending), state) & room;
        while self.cells[at].0 == self.epoch {
            let other = &mut self.configurations[self.cells[at].1 as usize];
            if other.state == state && !other.dropped {
                if other.mask == mask {
                    return false;
                }
                if !pending.is_empty() && other.mask.without(pending) == mask.without(pending) {
                    if other.mask.within(&mask) {
                        return false;
                    }
                    if mask.within(&other.mask) {
                        other.dropped = true;
                        self.dropped += 1;
                    }
                }
            }
            at = (at + 1) & room;
        }
        self.cells[at] = (self.epoch, self.configurations.len() as u32);
        self.configurations.push(Configuration { mask, state, node, dropped: false });
        true
    }

    fn grow(&mut self, pending: &M) {
        let room = 2 * self.cells.len() - 1;
        self.cells = vec![(0, 0); room + 1];
        self.epoch = 1;
        for (index, configuration) in self.configurations.iter().enumerate() {
            if configuration.dropped {
                continue;
            }
            let mut at = place(&configuration.mask.without(pending), configuration.state) & room;
            while self.cells[at].0 == 1 {
                at = (at + 1) & room;
            }
            self.cells[at] = (1, index as u32);
        }
    }
}

#[inline]
fn place<M: Mask>(mask: &M, state: State) -> usize {
    let mixed = (mask.digest() ^ state).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hashed(mixed ^ mixed >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominated_configurations_are_dropped() {
        let pending = 0b1100u64;
        let mut layer = Layer::<u64>::new();
        assert!(layer.insert(0b0101, 7, 0, &pending));
        assert!(!layer.insert(0b1101, 7, 0, &pending), "uses one pending operation more");
        assert!(layer.insert(0b1001, 7, 0, &pending), "uses another one");
        assert!(layer.insert(0b0101, 8, 0, &pending), "another state");
        assert!(layer.insert(0b0001, 7, 0, &pending), "uses none: drops two");
        assert_eq!(layer.living(), 2);
        layer.clear();
        assert!(layer.insert(0b1101, 7, 0, &pending));
    }

    /// Straight from the definition: what is there or dominated stays out, what is dominated by the new one goes.
    fn insert_into_list(list: &mut Vec<(u64, State)>, mask: u64, state: State, pending: u64) -> bool {
        let dominates = |a: u64, b: u64| a & !pending == b & !pending && a & !b == 0;
        if list.iter().any(|&(other, s)| s == state && dominates(other, mask)) {
            return false;
        }
        list.retain(|&(other, s)| s != state || !dominates(mask, other));
        list.push((mask, state));
        true
    }

    #[test]
    fn it_agrees_with_a_list() {
        let mut word = 1u64;
        let mut roll = |sides: u64| {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (word >> 33) % sides
        };
        for pending in [0, 0b1, 0b11_0000_0000, 0b1111_1111] {
            let mut layer = Layer::<u64>::new();
            for inserted in [20, 60, 500] {
                let mut list = Vec::new();
                layer.clear();
                for _ in 0..inserted {
                    let (mask, state) = (roll(1 << 10), roll(3));
                    let expected = insert_into_list(&mut list, mask, state, pending);
                    assert_eq!(layer.insert(mask, state, 0, &pending), expected, "{mask:b} in {state}");
                    assert_eq!(layer.living(), list.len());
                }
                let living = layer.configurations.iter().filter(|c| !c.dropped);
                assert!(living.map(|c| (c.mask, c.state)).eq(list));
            }
        }
    }

    #[test]
    #[cfg(not(feature = "collide"))]
    fn growth_is_foreseen() {
        let mut layer = Layer::<u64>::new();
        for i in 0..10 {
            layer.insert(i, 0, 0, &0);
        }
        let (cells, listed) = (64 * 8, layer.configurations.capacity() * size_of::<Configuration<u64>>());
        assert_eq!(layer.growth(1), 0, "there is room for one");
        assert_eq!(layer.growth(22), listed, "there are cells for 32 in all");
        assert_eq!(layer.growth(23), 2 * cells + listed, "the new cells are made beside the old ones");
    }

    #[test]
    fn it_grows() {
        let mut layer = Layer::<u64>::new();
        for round in 0..2 {
            for i in 0..1000u64 {
                assert_eq!(layer.insert(i % 32, i / 32, 0, &0), round == 0);
            }
        }
        assert_eq!(layer.living(), 1000);
    }
}
