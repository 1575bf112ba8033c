//! Where do operations fit that only need *some* place: what is legal everywhere, and what saw anything but one value?
//!
//! Each stands between the last operation of the order that returned before its call and the first that was called after its return: between the
//! two real time leaves it free, and it takes the first place at which the register holds what it may see, behind those of its kind that precede it:
//!
//! ```text
//!   order             |-- write 1 --|
//!   saw not 0     |------|                stands behind the write
//!   saw not 1                |----|       would fit before it, but the other precedes it
//! ```
//!
//! O(n log n + the gaps looked at).

use super::{NONE, Operations, Sees};
use crate::intervals::Intervals;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The order with `extras`, which are numbered by their calls; or those that fit nowhere.
pub(crate) fn insert(
    intervals: &Intervals,
    operations: &Operations,
    order: &[u32],
    extras: &[u32],
) -> Result<Vec<u32>, Vec<u32>> {
    if extras.is_empty() {
        return Ok(order.to_vec());
    }
    // Gap g is before order[g]. Earliest gap: behind all that returned before the call.
    let mut by_return: Vec<(u32, usize)> =
        order.iter().enumerate().map(|(place, &op)| (intervals.ret[op as usize], place + 1)).collect();
    by_return.sort_unstable();
    for i in 1..by_return.len() {
        by_return[i].1 = by_return[i].1.max(by_return[i - 1].1);
    }
    let mut held = vec![operations.leaves(intervals.first())];
    for &op in order {
        let before = held[held.len() - 1];
        held.push(if operations.leaves(op) == NONE { before } else { operations.leaves(op) });
    }
    let (mut placed, mut unplaced) = (Vec::with_capacity(extras.len()), Vec::new());
    let (mut open, mut behind) = (BinaryHeap::new(), 0); // extras that have not returned yet; the last gap of those that have
    for &op in extras {
        let (call, ret) = (intervals.call[op as usize], intervals.ret[op as usize]);
        let before = by_return.partition_point(|&(returned, _)| returned < call);
        while let Some(Reverse((returned, gap))) = open.pop() {
            if returned > call {
                open.push(Reverse((returned, gap)));
                break;
            }
            behind = behind.max(gap);
        }
        let mut gap = before.checked_sub(1).map_or(behind, |last| by_return[last].1.max(behind));
        let fits = |gap: usize| operations.sees(op) != Sees::Not(held[gap]);
        let may_pass = |gap: usize| order.get(gap).is_some_and(|&next| intervals.call[next as usize] < ret);
        while !fits(gap) && may_pass(gap) {
            gap += 1;
        }
        if fits(gap) {
            placed.push((gap, op))
        } else {
            unplaced.push(op)
        }
        open.push(Reverse((ret, gap)));
    }
    if !unplaced.is_empty() {
        return Err(unplaced);
    }
    placed.sort_unstable();
    let mut whole = Vec::with_capacity(order.len() + placed.len());
    let mut rest = placed.into_iter().peekable();
    for gap in 0..=order.len() {
        while let Some((_, op)) = rest.next_if(|&(place, _)| place == gap) {
            whole.push(op);
        }
        whole.extend(order.get(gap));
    }
    Ok(whole)
}
