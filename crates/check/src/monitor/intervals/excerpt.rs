//! The intervals of some values alone: to shrink a conflict, or to ask what a pending remove may have taken.
//!
//! Whole intervals left out of a linearizable history leave a linearizable one: so if what is left is a violation,
//! the whole was. O(k log k) for k operations that are left.

use super::{ADD, Interval, PEEK, REMOVE, ValueIntervals};
use crate::monitor::{NEVER, NONE};

impl ValueIntervals {
    /// The intervals of `values` (sorted), without gaps between the ranks; and the operation that each one was.
    pub fn only(&self, values: &[u32], with_empties: bool) -> (ValueIntervals, Vec<u32>) {
        let mut ops: Vec<u32> = if with_empties { self.empties.clone() } else { Vec::new() };
        for &v in values {
            let interval = self.values[v as usize];
            ops.extend([interval.add, interval.remove].into_iter().filter(|&op| op != NONE));
            ops.extend_from_slice(self.peeks_of(v as usize));
        }
        ops.sort_unstable(); // the order of their calls
        ops.dedup(); // one hidden remove may stand for many
        let mut events: Vec<u32> = ops.iter().map(|&op| self.call[op as usize]).collect();
        events.extend(ops.iter().map(|&op| self.ret[op as usize]).filter(|&ret| ret != NEVER));
        events.sort_unstable();
        let initial = values.iter().filter(|&&v| (v as usize) < self.initial).count();
        let rank = |before: u32| events.binary_search(&before).map_or(NEVER, |rank| (rank + 2 * initial) as u32);
        let place = |op: u32| ops.binary_search(&op).map_or(NONE, |place| place as u32);
        let mut intervals = ValueIntervals {
            end: (events.len() + 2 * initial) as u32,
            call: ops.iter().map(|&op| rank(self.call[op as usize])).collect(),
            ret: ops.iter().map(|&op| rank(self.ret[op as usize])).collect(),
            values: Vec::with_capacity(values.len()),
            peeks: Vec::new(),
            peeks_from: vec![0],
            empties: if with_empties { self.empties.iter().map(|&op| place(op)).collect() } else { Vec::new() },
            hidden: Vec::new(),
            initial,
        };
        for &v in values {
            intervals.transfer(self, v as usize, place);
        }
        (intervals, ops)
    }

    /// Appends the interval of value `v` of `whole`, whose operations now are at `place`.
    fn transfer(&mut self, whole: &ValueIntervals, v: usize, place: impl Fn(u32) -> u32) {
        let old = whole.values[v];
        let mut interval = Interval::new(old.name, self.end);
        if v < whole.initial {
            interval.set_initial(self.values.len());
        }
        let ends = [(ADD, old.add), (REMOVE, old.remove)].into_iter().filter(|&(_, op)| op != NONE);
        for (kind, op) in ends.chain(whole.peeks_of(v).iter().map(|&peek| (PEEK, peek))) {
            let op = place(op);
            interval.note(kind, op, self.call[op as usize], self.ret[op as usize]);
        }
        interval.finish(self.end);
        self.values.push(interval);
        self.peeks.extend(whole.peeks_of(v).iter().map(|&peek| place(peek)));
        self.peeks_from.push(self.peeks.len() as u32);
    }
}
