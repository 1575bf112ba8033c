//! In which slots is certainly no value present? Which values cover the others?
//!
//! An operation that found nothing needs a slot that no presence covers. That is also enough: the monitors linearize
//! every other value around the free slots. O(n) by counting what begins and ends at
//! each rank.

use super::intervals::ValueIntervals;
use super::{Decided, Meter};
use linpoint_base::root;

/// For each slot up to `end` the first free one that is not before it. `end` itself is free. One column: whoever does not keep it
/// needs more for what comes next, so only those that keep it account for it.
pub(super) fn next_free(intervals: &ValueIntervals) -> Vec<u32> {
    let slots = intervals.end as usize + 1;
    let mut change = vec![0u32; slots + 1]; // wrapping: +1 where a presence begins, -1 where it ends
    for v in (0..intervals.len()).filter(|&v| intervals.has_presence(v)) {
        let (from, to) = (intervals.values[v].present_from as usize, intervals.values[v].present_until as usize);
        change[from] = change[from].wrapping_add(1);
        change[to] = change[to].wrapping_sub(1);
    }
    let mut covered = 0u32;
    for count in &mut change[..slots] {
        covered = covered.wrapping_add(*count);
        *count = covered;
    }
    change.truncate(slots);
    let mut free = intervals.end;
    for slot in (0..slots).rev() {
        if change[slot] == 0 {
            free = slot as u32;
        }
        change[slot] = free;
    }
    change
}

/// A free slot for each of the empties, or the presences that leave one of them none.
pub(super) fn place_empties(intervals: &ValueIntervals, free: &[u32], meter: &mut Meter<'_>) -> Decided<Vec<u32>> {
    let mut slots = Vec::with_capacity(intervals.empties.len());
    for &empty in &intervals.empties {
        meter.tick()?;
        let (call, ret) = (intervals.call[empty as usize], intervals.ret[empty as usize]);
        let slot = free[call as usize];
        if slot >= ret {
            let mut conflict = covering(intervals, call, ret, |_| true);
            conflict.push(empty);
            return Err(intervals.violation(conflict));
        }
        slots.push(slot);
    }
    Ok(slots)
}

/// The operations of as few presences as can cover the slots `from..to`, out of those that `may`; they do.
pub(super) fn covering(intervals: &ValueIntervals, from: u32, to: u32, may: impl Fn(usize) -> bool) -> Vec<u32> {
    let meets = |v: &usize| {
        intervals.has_presence(*v)
            && intervals.values[*v].present_from < to
            && intervals.values[*v].present_until > from
            && may(*v)
    };
    let mut candidates: Vec<usize> = (0..intervals.len()).filter(meets).collect();
    candidates.sort_by_key(|&v| intervals.values[v].present_from);
    let mut conflict = Vec::new();
    let (mut covered, mut next) = (from, 0);
    while covered < to {
        let mut best = None;
        while next < candidates.len() && intervals.values[candidates[next]].present_from <= covered {
            best = best.max(Some((intervals.values[candidates[next]].present_until, candidates[next])));
            next += 1;
        }
        let Some((until, v)) = best.filter(|&(until, _)| until > covered) else { break };
        covered = until;
        conflict.extend(intervals.bounds_of(v));
    }
    conflict
}

/// Slots that no presence covers yet: two union-finds, one for each direction.
pub(super) struct Free {
    /// Towards the first free slot that is not before this one.
    next: Vec<u32>,
    /// Towards the last free slot before this one, plus one; 0 if there is none.
    previous: Vec<u32>,
}

impl Free {
    /// All slots up to `end`; that one is never covered.
    pub fn new(end: u32) -> Free {
        Free { next: (0..=end).collect(), previous: (0..=end + 1).collect() }
    }

    /// The first free slot that is not before this one.
    pub fn next(&mut self, slot: u32) -> u32 {
        root(&mut self.next, slot)
    }

    /// The last free slot that is not behind this one.
    pub fn previous(&mut self, slot: u32) -> Option<u32> {
        root(&mut self.previous, slot + 1).checked_sub(1)
    }

    /// Covers the slots `from..to`.
    pub fn cover(&mut self, from: u32, to: u32) {
        let mut slot = self.next(from);
        while slot < to {
            self.next[slot as usize] = slot + 1;
            self.previous[slot as usize + 1] = slot;
            slot = self.next(slot + 1);
        }
    }
}
