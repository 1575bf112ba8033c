//! Which order explains the whole history, if each part has one of its own?
//!
//! Each operation takes effect at a point between its call and its return: as early as its part's order lets it.
//! Sorted by their points, operations keep the order of their part and the order of real time.
//!
//! ```text
//!   rank        0   1   2   3   4   5
//!   x: write 1  |-----------|           point 0
//!   y: write 2      |---|               point 1
//!   x: read → 1             |---|  …    point 4: part x gives (write 1, read), part y (write 2); whole: write 1, write 2, read
//! ```
//! O(n log n), no second search.

use linpoint_history::History;

/// One order for the whole history out of one per part.
pub(crate) fn merge(history: &History, mut orders: impl ExactSizeIterator<Item = Vec<u32>>) -> Vec<u32> {
    if orders.len() == 1 {
        return orders.next().expect("there is one");
    }
    let mut points: Vec<(u32, u32)> = Vec::with_capacity(history.len());
    for order in orders {
        let mut point = 0;
        for op in order {
            point = point.max(history.call[op as usize]);
            points.push((point, op));
        }
    }
    points.sort_by_key(|&(point, _)| point);
    points.into_iter().map(|(_, op)| op).collect()
}
