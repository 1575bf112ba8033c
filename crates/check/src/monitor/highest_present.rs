//! Which slot is the next one in which no higher value is certainly present?
//!
//! The highest class present in a slot is that of the presences that cover it, found by one sweep over the slots that counts the values
//! inside by class (`Inside`: a binary heap of millions of entries would miss the cache at every level). A query looks for the nearest slot whose
//! highest class is low enough, to either side: in the rest of its block, then among blocks of blocks, whose lowest entries
//! are known. O(n log n) to build and O(log n) per query; what is asked for is
//! usually near, and values are asked for in the order of time, so millions of operations stay in the cache.

use super::intervals::ValueIntervals;
use super::{Decided, Meter, NONE};

/// How many slots, or blocks, make a block: a cache line.
const BLOCK: usize = 16;

/// Ceilings, and the lowest of each block, of each block of blocks, and so on.
pub(super) struct HighestPresent {
    levels: Vec<Vec<u32>>,
}

impl HighestPresent {
    /// For all slots: 0 where no value is present for certain, otherwise the highest class plus one.
    pub fn of(intervals: &ValueIntervals, class: &[u32], meter: &mut Meter<'_>) -> Decided<HighestPresent> {
        let slots = intervals.end as usize + 1;
        let classes = class.iter().copied().max().map_or(0, |highest| highest as usize + 1);
        meter.hold(slots * 4 + slots / 4 + classes * 4)?; // the levels above the first are a fifteenth of it
        // Who enters or leaves at this rank: a rank is one event, so one value, unless one hidden remove stands for many.
        let (mut turns, mut together) = (vec![NONE; slots], Vec::new());
        for v in (0..intervals.len()).filter(|&v| intervals.has_presence(v)) {
            let interval = intervals.values[v];
            turns[interval.present_from as usize] = v as u32;
            if interval.present_until < intervals.end {
                // The others stay until the end, where no value is inside.
                let before = std::mem::replace(&mut turns[interval.present_until as usize], v as u32);
                together.extend((before != NONE).then_some((interval.present_until, before)));
            }
        }
        together.sort_unstable_by_key(|&(until, _)| std::cmp::Reverse(until));
        let mut inside = Inside::new(classes);
        let mut highest_present = turns;
        for (slot, here) in highest_present.iter_mut().enumerate() {
            meter.tick()?;
            if *here != NONE {
                let v = *here as usize;
                if intervals.values[v].present_from as usize == slot {
                    inside.enter(class[v])
                } else {
                    inside.leave(class[v]);
                    while let Some(&(_, other)) = together.last().filter(|&&(until, _)| until as usize == slot) {
                        inside.leave(class[other as usize]);
                        together.pop();
                    }
                }
            }
            *here = inside.highest().map_or(0, |highest| highest + 1);
        }
        highest_present[slots - 1] = 0;
        Ok(HighestPresent::over(highest_present))
    }

    /// With the blocks over a row of slots.
    fn over(row: Vec<u32>) -> HighestPresent {
        let mut levels = vec![row];
        while levels[levels.len() - 1].len() > 1 {
            let lowest = |block: &[u32]| block.iter().copied().min().unwrap_or(0);
            levels.push(levels[levels.len() - 1].chunks(BLOCK).map(lowest).collect());
        }
        HighestPresent { levels }
    }

    /// The first slot that is not before this one and whose highest_present is at most `height`. The last slot always is one.
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

    /// The last slot that is not behind this one and whose highest_present is at most `height`.
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

    /// From a block whose lowest highest_present is low enough to a slot of it that is.
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

/// How many values of each class are inside, and which class is the highest. A bit says that a class is there, a bit above that one of
/// its 64 is, and so on: O(log n) with a base of 64, one or two cache misses.
struct Inside {
    count: Vec<u32>,
    bits: Vec<Vec<u64>>,
}

impl Inside {
    /// Empty, for so many classes.
    fn new(classes: usize) -> Inside {
        let mut bits = vec![vec![0; classes.div_ceil(64).max(1)]];
        while bits[bits.len() - 1].len() > 1 {
            bits.push(vec![0; bits[bits.len() - 1].len().div_ceil(64)]);
        }
        Inside { count: vec![0; classes], bits }
    }

    fn enter(&mut self, class: u32) {
        self.count[class as usize] += 1;
        let mut at = class as usize;
        for row in &mut self.bits {
            row[at / 64] |= 1 << (at % 64);
            at /= 64;
        }
    }

    fn leave(&mut self, class: u32) {
        self.count[class as usize] -= 1;
        let mut at = class as usize;
        let mut gone = self.count[at] == 0;
        for row in &mut self.bits {
            if !gone {
                return;
            }
            row[at / 64] &= !(1 << (at % 64));
            gone = row[at / 64] == 0;
            at /= 64;
        }
    }

    /// The highest class of those inside.
    fn highest(&self) -> Option<u32> {
        let mut at = 0;
        for row in self.bits.iter().rev() {
            at = at * 64 + row[at].checked_ilog2()? as usize;
        }
        Some(at as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_testkit::Dice;

    /// To either side, from any slot of rows with several levels of blocks, high and low.
    #[test]
    fn the_nearest_slot_is_found() {
        let mut dice = Dice(0);
        for length in [1, 15, 16, 17, 256, 257, 300, 5000] {
            let tall = 2 + dice.roll(length / 2);
            let mut row: Vec<u32> = (0..length).map(|_| 1 + dice.roll(tall) as u32).collect();
            row[length as usize - 1] = 0;
            let built = HighestPresent::over(row.clone());
            for _ in 0..500 {
                let (slot, most) = (dice.roll(length) as usize, dice.roll(8));
                let height = dice.roll(1 + most) as u32;
                let low = |&place: &usize| row[place] <= height;
                let next = (slot..row.len()).find(low).expect("the last one is");
                assert_eq!(built.next(slot as u32, height) as usize, next, "{slot} of {length}, {height}");
                let previous = (0..=slot).rev().find(low).map(|place| place as u32);
                assert_eq!(built.previous(slot as u32, height), previous, "{slot} of {length}, {height}");
            }
        }
    }

    #[test]
    fn the_highest_class_inside() {
        let mut inside = Inside::new(300_000);
        assert_eq!(inside.highest(), None);
        for class in [5, 299_999, 70, 5] {
            inside.enter(class);
        }
        for (leaves, highest) in [(70, Some(299_999)), (299_999, Some(5)), (5, Some(5)), (5, None)] {
            inside.leave(leaves);
            assert_eq!(inside.highest(), highest);
        }
        inside.enter(64);
        assert_eq!(inside.highest(), Some(64));
        assert_eq!(Inside::new(0).highest(), None);
    }
}
