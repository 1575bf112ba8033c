//! Which copies of which values are there, and who removes a copy of such a value?
//!
//! Every add is a copy of its value, and so is what is there from the start. Copies of one value stand side by side, by the middles of the intervals of
//! their adds; so do its removes. Cost: O(n log n), 16 bytes for each operation.

use super::super::intervals::{ADD, Operations, PEEK, REMOVE};
use super::super::{Decided, Meter, NEVER, NONE, declined};
use std::ops::Range;

/// An add.
#[derive(Clone, Copy)]
pub(super) struct Add {
    pub call: u32,
    pub ret: u32,
    /// Which copy it is for the monitor: first those that are there from the start, then the adds as they stand in the history.
    pub number: u32,
}

/// A remove that returned.
#[derive(Clone, Copy)]
pub(super) struct Remove {
    pub call: u32,
    pub ret: u32,
    /// The operation.
    pub op: u32,
}

/// Copies and removes of one value.
pub(super) struct Group {
    pub copies: Range<usize>,
    pub removes: Range<usize>,
}

/// All copies and removes.
pub(super) struct Copies {
    pub adds: Vec<Add>,
    pub removes: Vec<Remove>,
    pub groups: Vec<Group>,
    /// By copy: its group.
    pub group_of: Vec<u32>,
}

impl Copies {
    pub fn of(operations: &Operations, meter: &mut Meter<'_>) -> Decided<Copies> {
        let Operations { call, ret, kind, name, contents, .. } = operations;
        if kind.contains(&PEEK) {
            return Err(declined("it has peeks, and values repeat"));
        }
        meter.hold(40 * (kind.len() + contents.len()))?;
        let mut adds: Vec<(u32, Add)> = (0..)
            .zip(contents)
            .map(|(number, &name)| (name, Add { call: 2 * number, ret: 2 * number + 1, number }))
            .collect();
        let mut removes = Vec::new();
        for (op, &kind) in kind.iter().enumerate() {
            let (call, ret) = (call[op], ret[op]);
            match kind {
                ADD => adds.push((name[op], Add { call, ret, number: adds.len() as u32 })),
                REMOVE => removes.push((name[op], Remove { call, ret, op: op as u32 })),
                _ => {}
            }
        }
        adds.sort_unstable_by_key(|&(name, add)| (name, middle(add.call, add.ret)));
        removes.sort_unstable_by_key(|&(name, remove)| (name, middle(remove.call, remove.ret)));
        let (mut groups, mut group_of, mut next) = (Vec::new(), Vec::with_capacity(adds.len()), 0);
        for same in adds.chunk_by(|a, b| a.0 == b.0) {
            let copies = group_of.len()..group_of.len() + same.len();
            group_of.resize(copies.end, groups.len() as u32);
            let count = removes[next..].iter().take_while(|remove| remove.0 == same[0].0).count();
            if removes.get(next).is_some_and(|remove| remove.0 < same[0].0) || count > same.len() {
                return Err(declined("a value was removed more often than it was added"));
            }
            groups.push(Group { copies, removes: next..next + count });
            next += count;
        }
        if next < removes.len() {
            return Err(declined("a value was removed that was never added"));
        }
        let (adds, removes) =
            (adds.into_iter().map(|(_, add)| add).collect(), removes.into_iter().map(|(_, remove)| remove).collect());
        Ok(Copies { adds, removes, groups, group_of })
    }

    pub fn len(&self) -> usize {
        self.adds.len()
    }

    /// By operation the number of its copy, as these takers have it.
    pub fn numbers(&self, kind: &[u8], founders: usize, taker: &[u32]) -> Vec<u32> {
        let mut number = vec![NONE; kind.len()];
        let adds = (0..).zip(kind).filter(|(_, kind)| **kind == ADD).map(|(op, _): (usize, _)| op);
        adds.zip(founders as u32..).for_each(|(op, copy)| number[op] = copy);
        for (add, &taker) in self.adds.iter().zip(taker).filter(|(_, taker)| **taker != NONE) {
            number[self.removes[taker as usize].op as usize] = add.number;
        }
        number
    }

    /// The copies that these operations are about, if their copies have such numbers.
    pub fn of_numbers(&self, operations: &[u32], numbers: &[u32]) -> Vec<usize> {
        let mut copy_of = vec![0; self.len()];
        (0..).zip(&self.adds).for_each(|(copy, add)| copy_of[add.number as usize] = copy);
        operations.iter().filter_map(|&op| copy_of.get(numbers[op as usize] as usize).copied()).collect()
    }
}

fn middle(call: u32, ret: u32) -> u64 {
    if ret == NEVER { u64::MAX } else { u64::from(call) + u64::from(ret) }
}
