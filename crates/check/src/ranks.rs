//! When was each operation called, and when did it return? Intervals, for methods that decide by them.
//!
//! O(n): events are in order already.

use linpoint_spec::Part;

/// No operation, no value.
pub(crate) const NONE: u32 = u32::MAX;

/// The rank of a return that never comes.
pub(crate) const NEVER: u32 = u32::MAX;

/// The ranks of the calls and returns of a part, `shift` added: room for what happened before.
pub(crate) fn ranks(part: &Part, shift: u32) -> (Vec<u32>, Vec<u32>) {
    let mut call = vec![0; part.ops.len()];
    let mut ret = vec![NEVER; part.ops.len()];
    for (rank, event) in part.events.iter().enumerate() {
        let column = if event.is_return() { &mut ret } else { &mut call };
        column[event.op()] = rank as u32 + shift;
    }
    (call, ret)
}

/// 0, 1, 2 … below `count`, sorted by a rank below `ranks`. Counting sort: O(count + ranks), stable.
pub(crate) fn by_rank(count: usize, ranks: usize, rank: impl Fn(usize) -> u32) -> Vec<u32> {
    by_rank_in(&mut Vec::new(), count, ranks, rank)
}

/// The same with room for the counts that is used again: of fresh memory every page has to be asked for.
pub(crate) fn by_rank_in(start: &mut Vec<u32>, count: usize, ranks: usize, rank: impl Fn(usize) -> u32) -> Vec<u32> {
    start.clear();
    start.resize(ranks + 1, 0);
    for i in 0..count {
        start[rank(i) as usize + 1] += 1;
    }
    for i in 1..start.len() {
        start[i] += start[i - 1];
    }
    let mut sorted = vec![0; count];
    for i in 0..count {
        let place = &mut start[rank(i) as usize];
        sorted[*place as usize] = i as u32;
        *place += 1;
    }
    sorted
}
