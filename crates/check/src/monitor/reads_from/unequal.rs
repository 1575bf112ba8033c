//! Where do failed CAS fit that only tell what they did *not* see? Into an order of all others, at a moment with another value.
//!
//! A failed CAS changes nothing, so an order of the others stays one wherever it is put, if real time allows it: behind every operation
//! that returned before its call, before every one called after its return. These places are a row without gaps:
//!
//! ```text
//!   order      write 1   write 2   write 1   write 3
//!   fits            |----------------------|            cas(1, _) → false: behind write 2 is the first place that will do
//! ```
//!
//! Each takes the first place that will do, in the order of their calls, not before one that preceded it: no other choice leaves
//! those after it more room. O(n log n). What does not fit has to be given a version of its own to see (`repair`); then the order is another.

use super::sources::Sources;
use crate::monitor::NONE;

/// The order with all failed CAS but those of `placed`, which stand in it already; or those that do not fit.
pub(super) fn insert(sources: &Sources, order: &[u32], placed: &[u32]) -> Result<Vec<u32>, Vec<u32>> {
    let row = Row::of(sources, order);
    let mut missing: Vec<u32> = (0..sources.avoids.len() as u32).collect();
    missing.retain(|&op| sources.avoids[op as usize] != NONE && !placed.contains(&op));
    missing.sort_unstable_by_key(|&op| sources.call[op as usize]);
    let mut by_return = missing.clone();
    by_return.sort_unstable_by_key(|&op| sources.ret[op as usize]);
    let mut returned = by_return.into_iter().peekable();
    let mut place = vec![0; sources.avoids.len()];
    let (mut earliest, mut left_over) = (0, Vec::new());
    for &op in &missing {
        let call = sources.call[op as usize];
        while let Some(before) = returned.next_if(|&before| sources.ret[before as usize] < call) {
            earliest = earliest.max(place[before as usize]);
        }
        match row.first_fit(sources, op, earliest) {
            Some(fit) => place[op as usize] = fit,
            None => left_over.push(op),
        }
    }
    if !left_over.is_empty() {
        return Err(left_over);
    }
    missing.sort_by_key(|&op| place[op as usize]);
    let mut missing = missing.into_iter().peekable();
    let mut whole = Vec::with_capacity(order.len());
    for at in 0..=order.len() {
        while let Some(op) = missing.next_if(|&op| place[op as usize] == at) {
            whole.push(op);
        }
        whole.extend(order.get(at));
    }
    Ok(whole)
}

/// An order, by places: place p is behind the first p operations.
struct Row {
    /// The value held.
    value: Vec<u32>,
    /// The next place at which it is another.
    changes: Vec<usize>,
    /// The last call among those before, and the first return among those behind.
    last_call: Vec<u32>,
    first_return: Vec<u32>,
}

impl Row {
    fn of(sources: &Sources, order: &[u32]) -> Row {
        let n = order.len();
        let (mut value, mut last_call) = (vec![sources.value[0]; n + 1], vec![0; n + 1]);
        for (at, &op) in order.iter().enumerate() {
            let made = sources.makes[op as usize];
            value[at + 1] = if made == NONE { value[at] } else { sources.value[made as usize] };
            last_call[at + 1] = last_call[at].max(sources.call[op as usize]);
        }
        let (mut changes, mut first_return) = (vec![n + 1; n + 1], vec![u32::MAX; n + 1]);
        for at in (0..n).rev() {
            changes[at] = if value[at] == value[at + 1] { changes[at + 1] } else { at + 1 };
            first_return[at] = first_return[at + 1].min(sources.ret[order[at] as usize]);
        }
        Row { value, changes, last_call, first_return }
    }

    /// The first place from `earliest` on for an operation that avoids a value.
    fn first_fit(&self, sources: &Sources, op: u32, earliest: usize) -> Option<usize> {
        let (call, ret) = (sources.call[op as usize], sources.ret[op as usize]);
        let from = self.first_return.partition_point(|&first| first <= call).max(earliest);
        let until = self.last_call.partition_point(|&last| last < ret);
        let differs = |at: usize| self.value[at] != sources.avoids[op as usize];
        let fit = if from < self.value.len() && !differs(from) { self.changes[from] } else { from };
        (fit < until).then_some(fit)
    }
}
