//! Which slot is the next one in which nobody higher is certainly inside?
//!
//! The ceiling of a slot is the highest class of the presences that cover it, found by one sweep with a heap of those that
//! are inside. A query looks for the nearest slot whose ceiling is low enough, to either side: in the rest of its block, then among
//! blocks of blocks, whose lowest ceilings are known. O(n log n) to build and O(log n) a query; what is asked for is
//! usually near, and values are asked for in the order of time, so millions of operations stay in the cache.

use super::lives::Lives;
use super::{Decided, Meter, NONE};
use std::collections::BinaryHeap;

/// How many slots, or blocks, make a block: a cache line.
const BLOCK: usize = 16;

/// Ceilings, and the lowest of each block, of each block of blocks, and so on.
pub(super) struct Ceiling {
    levels: Vec<Vec<u32>>,
}

impl Ceiling {
    /// The ceilings of all slots: 0 where nobody is inside for certain, otherwise the highest class plus one.
    pub fn of(lives: &Lives, class: &[u32], meter: &mut Meter<'_>) -> Decided<Ceiling> {
        let slots = lives.end as usize + 1;
        meter.hold(slots * 9)?;
        let mut enters = vec![NONE; slots]; // a rank is one event, so one value at most
        for v in (0..lives.len()).filter(|&v| lives.has_presence(v)) {
            enters[lives.life[v].in_by as usize] = v as u32;
        }
        let mut inside: BinaryHeap<(u32, u32)> = BinaryHeap::new(); // class plus one, until which slot
        let mut ceiling = enters;
        for (slot, here) in ceiling.iter_mut().enumerate() {
            meter.beat()?;
            if *here != NONE {
                inside.push((class[*here as usize] + 1, lives.life[*here as usize].out_from));
            }
            while inside.peek().is_some_and(|&(_, until)| until as usize <= slot) {
                inside.pop();
            }
            *here = inside.peek().map_or(0, |&(height, _)| height);
        }
        let mut levels = vec![ceiling];
        while levels[levels.len() - 1].len() > 1 {
            let lowest = |block: &[u32]| block.iter().copied().min().unwrap_or(0);
            levels.push(levels[levels.len() - 1].chunks(BLOCK).map(lowest).collect());
        }
        Ok(Ceiling { levels })
    }

    /// The first slot that is not before this one and whose ceiling is at most `height`. The last slot always is one.
    pub fn next(&self, slot: u32, height: u32) -> u32 {
        let (mut at, mut level) = (slot as usize, 0);
        loop {
            let row = &self.levels[level];
            let until = row.len().min((at / BLOCK + 1) * BLOCK);
            if let Some(found) = (at..until).find(|&place| row[place] <= height) {
                return self.descend(level, found, |row, mut block| block.find(|&place| row[place] <= height));
            }
            (at, level) = (at / BLOCK + 1, level + 1);
        }
    }

    /// The last slot that is not behind this one and whose ceiling is at most `height`.
    pub fn previous(&self, slot: u32, height: u32) -> Option<u32> {
        let (mut at, mut level) = (slot as usize, 0);
        loop {
            let row = &self.levels[level];
            let from = at / BLOCK * BLOCK;
            if let Some(found) = (from..=at).rev().find(|&place| row[place] <= height) {
                return Some(self.descend(level, found, |row, mut block| block.rfind(|&place| row[place] <= height)));
            }
            (at, level) = ((at / BLOCK).checked_sub(1)?, level + 1);
        }
    }

    /// From a block whose lowest ceiling is low enough to a slot of it that is.
    fn descend(
        &self,
        mut level: usize,
        mut at: usize,
        find: impl Fn(&[u32], std::ops::Range<usize>) -> Option<usize>,
    ) -> u32 {
        while level > 0 {
            level -= 1;
            let row = &self.levels[level];
            at = find(row, at * BLOCK..row.len().min((at + 1) * BLOCK)).expect("the lowest of its block");
        }
        at as u32
    }
}
