//! Do the versions of a register fit into one order, once it is known what each operation found?
//!
//! Gibbons & Korach's zones, as a greedy order: a block may come next if none of its operations was called after an operation of another block that
//! is still to come returned. Taking any such block first is never wrong, and if there is none, the block with the first return is in
//! conflict with the one that has the second: each has an operation that returned before one of the other was called. So two blocks always tell.
//! O(n log n).

use super::{Member, NONE, Operations};
use crate::intervals::{Intervals, NEVER};

/// Why a choice of sources fits no order.
#[derive(Debug)]
pub(crate) enum Conflict {
    /// Two CAS found the same write.
    Twice(u32, u32, u32),
    /// CAS that found each other; each is the source of the next.
    Loop(Vec<u32>),
    /// Of a later version of the block: `early` returned before `late`, of an earlier version, was called.
    Within { block: u32, early: Member, late: Member },
    /// `a` of the one block returned before `c` of the other was called, and `d` of the other before `b` of the one.
    Between { one: u32, other: u32, a: Member, b: Member, c: Member, d: Member },
}

/// With how many other blocks a block is told to be in conflict, at most, for one model.
const OTHERS: usize = 4;

/// The blocks of a choice of sources.
pub(crate) struct Blocks {
    /// Versions, chain by chain; block b has those from `begin[b]` to `begin[b + 1]`.
    versions: Vec<u32>,
    begin: Vec<u32>,
    /// Of each version: its place in its chain.
    place: Vec<u32>,
    /// Of each version: the member that returned first, and the one that was called last.
    bounds: Vec<(u32, u32)>,
    /// The same of each block.
    first: Vec<Member>,
    last: Vec<Member>,
}

impl Blocks {
    /// What is wrong with single links is told, and then the chain begins anew behind it: there may be more.
    pub fn of(intervals: &Intervals, operations: &Operations, found: &[u32], conflicts: &mut Vec<Conflict>) -> Blocks {
        let count = operations.len() + 1;
        let is_used = used(intervals, operations, found);
        let (mut next, mut is_root) = (vec![NONE; count], is_used.clone());
        let mut bounds: Vec<(u32, u32)> = (0..count as u32).map(|op| (op, op)).collect();
        for (op, &source) in found.iter().enumerate().filter(|&(_, &source)| source != NONE) {
            if operations.leaves(op as u32) != NONE {
                match next[source as usize] {
                    NONE => {
                        next[source as usize] = op as u32;
                        is_root[op] = false;
                    }
                    other => conflicts.push(Conflict::Twice(source, other, op as u32)),
                }
                continue;
            }
            let (first, last) = &mut bounds[source as usize];
            if intervals.ret[op] < intervals.ret[*first as usize] {
                *first = op as u32;
            }
            if intervals.call[op] > intervals.call[*last as usize] {
                *last = op as u32;
            }
        }
        let place = vec![NONE; count];
        let mut blocks = Blocks { versions: Vec::new(), begin: vec![0], place, bounds, first: vec![], last: vec![] };
        for root in (0..count).filter(|&op| is_root[op]) {
            blocks.follow(intervals, &next, root as u32, conflicts);
        }
        for start in (0..count).filter(|&op| is_used[op]) {
            if blocks.place[start] == NONE {
                conflicts.push(Conflict::Loop(round(found, start as u32)));
                blocks.follow(intervals, &next, start as u32, conflicts);
            }
        }
        blocks
    }

    /// The block that begins with `root`.
    fn follow(&mut self, intervals: &Intervals, next: &[u32], root: u32, conflicts: &mut Vec<Conflict>) {
        let block = self.first.len() as u32;
        let (mut first, mut last): (Option<Member>, Option<Member>) = (None, None);
        let (mut version, mut place) = (root, 0);
        while version != NONE && self.place[version as usize] == NONE {
            let (earliest, latest) = self.bounds[version as usize];
            let [earliest, latest] = [earliest, latest].map(|op| Member { version, op });
            if let Some(late) = last
                && intervals.precedes(earliest.op, late.op)
            {
                conflicts.push(Conflict::Within { block, early: earliest, late });
            }
            if first.is_none_or(|first| intervals.ret[earliest.op as usize] < intervals.ret[first.op as usize]) {
                first = Some(earliest);
            }
            if last.is_none_or(|last| intervals.call[latest.op as usize] > intervals.call[last.op as usize]) {
                last = Some(latest);
            }
            self.versions.push(version);
            self.place[version as usize] = place;
            place += 1;
            version = next[version as usize];
        }
        self.begin.push(self.versions.len() as u32);
        self.first.extend(first);
        self.last.extend(last);
    }

    /// The versions of a block, in order.
    pub fn chain(&self, block: u32) -> &[u32] {
        &self.versions[self.begin[block as usize] as usize..self.begin[block as usize + 1] as usize]
    }

    /// The place of a version in its chain.
    pub fn place(&self, version: u32) -> usize {
        self.place[version as usize] as usize
    }

    /// All operations in order; or the conflicts.
    pub fn order(
        &self,
        intervals: &Intervals,
        operations: &Operations,
        found: &[u32],
        conflicts: &mut Vec<Conflict>,
    ) -> Option<Vec<u32>> {
        let row = self.row(intervals, conflicts); // also where something is wrong already: there may be more
        if !conflicts.is_empty() {
            return None;
        }
        let mut reads: Vec<(u32, u32)> = (found.iter().enumerate())
            .filter(|&(op, &source)| source != NONE && operations.leaves(op as u32) == NONE)
            .map(|(op, &source)| (source, op as u32))
            .collect();
        reads.sort_unstable(); // operations are numbered by their calls
        let mut order = Vec::with_capacity(operations.len());
        for version in row.into_iter().flat_map(|block| self.chain(block)).copied() {
            order.extend(Some(version).filter(|&op| op != intervals.first()));
            let from = reads.partition_point(|&(source, _)| source < version);
            order.extend(reads[from..].iter().take_while(|&&(source, _)| source == version).map(|&(_, op)| op));
        }
        Some(order)
    }

    /// The blocks in a row.
    fn row(&self, intervals: &Intervals, conflicts: &mut Vec<Conflict>) -> Vec<u32> {
        let count = self.first.len();
        let first = |block: u32| intervals.ret[self.first[block as usize].op as usize];
        let last = |block: u32| intervals.call[self.last[block as usize].op as usize];
        let mut by_first: Vec<u32> = (0..count as u32).collect();
        let mut by_last = by_first.clone();
        by_first.sort_unstable_by_key(|&block| first(block));
        by_last.sort_unstable_by_key(|&block| last(block));
        let (mut placed, mut row) = (vec![false; count], Vec::with_capacity(count));
        let (mut at_first, mut at_last) = (0, 0);
        while row.len() < count {
            while placed[by_first[at_first] as usize] {
                at_first += 1;
            }
            while placed[by_last[at_last] as usize] {
                at_last += 1;
            }
            let (foremost, easiest) = (by_first[at_first], by_last[at_last]);
            let others = || by_first[at_first + 1..].iter().copied().filter(|&block| !placed[block as usize]);
            let block = if easiest != foremost && last(easiest) < first(foremost) { easiest } else { foremost };
            if block == foremost {
                // Whatever is still to come was called, in part, after `foremost` returned, in part.
                for other in others().take_while(|&other| first(other) < last(foremost)).take(OTHERS) {
                    let [a, b] = [self.first[foremost as usize], self.last[foremost as usize]];
                    let [d, c] = [self.first[other as usize], self.last[other as usize]];
                    debug_assert!(intervals.precedes(a.op, c.op) && intervals.precedes(d.op, b.op));
                    conflicts.push(Conflict::Between { one: foremost, other, a, b, c, d });
                }
            }
            placed[block as usize] = true;
            row.push(block);
        }
        row
    }
}

/// Which operations leave something that counts: what completed, what was held at first, and what was found.
fn used(intervals: &Intervals, operations: &Operations, found: &[u32]) -> Vec<bool> {
    let leaves = |op: usize| operations.leaves(op as u32) != NONE;
    let mut used: Vec<bool> = (0..=found.len()).map(|op| leaves(op) && intervals.ret[op] != NEVER).collect();
    found.iter().filter(|&&source| source != NONE).for_each(|&source| used[source as usize] = true);
    used
}

/// The sources of `start`, back to where they repeat; each before what found it.
fn round(found: &[u32], start: u32) -> Vec<u32> {
    let mut seen = vec![false; found.len()];
    let mut at = start;
    while !std::mem::replace(&mut seen[at as usize], true) {
        at = found[at as usize];
    }
    let mut round = vec![at];
    let mut source = found[at as usize];
    while source != at {
        round.push(source);
        source = found[source as usize];
    }
    round.reverse();
    round
}
