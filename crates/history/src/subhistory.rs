//! Which history do some of the operations make? The events between them are forgotten.
//!
//! Shrinking, partitioning and explaining all take parts, often small ones of big
//! histories, so the cost is O(k log n) for k operations and not O(n). Annotations stay at their places.

use crate::{Annotation, Event, History, PENDING, Status, Times};
use std::sync::Arc;

impl History {
    /// The history of the operations `ops`, each named once, numbered in the order given. Values, extra fields,
    /// lines and times are kept; events are ranked anew in their old order.
    pub fn subhistory(&self, ops: &[usize]) -> History {
        let mut ranked: Vec<(u32, Event)> = Vec::with_capacity(2 * ops.len());
        for (new, &old) in ops.iter().enumerate() {
            ranked.push((self.call[old], Event::call(new)));
            if self.status[old] != Status::Info {
                ranked.push((self.ret[old], Event::ret(new)));
            }
        }
        ranked.sort_unstable_by_key(|r| r.0);
        let (mut call, mut ret) = (vec![0; ops.len()], vec![PENDING; ops.len()]);
        for (rank, (_, event)) in ranked.iter().enumerate() {
            let column = if event.is_return() { &mut ret } else { &mut call };
            column[event.op()] = rank as u32;
        }
        let after = |a: &Annotation| ranked.partition_point(|r| r.0 < a.after_events) as u32;
        let annotations = self.annotations.iter().map(|a| Annotation { after_events: after(a), ..a.clone() }).collect();
        let extra_of = |(new, &old): (usize, &usize)| self.extra_of(old).iter().map(move |e| (new as u32, e.1, e.2));
        History {
            values: Arc::clone(&self.values),
            process: pick(&self.process, ops),
            f: pick(&self.f, ops),
            key: pick(&self.key, ops),
            value: pick(&self.value, ops),
            result: pick(&self.result, ops),
            status: pick(&self.status, ops),
            call_time: pick_times(&self.call_time, ops),
            return_time: pick_times(&self.return_time, ops),
            has_return: pick(&self.has_return, ops),
            call,
            ret,
            events: ranked.iter().map(|r| r.1).collect(),
            extra: ops.iter().enumerate().flat_map(extra_of).collect(),
            line: pick(&self.line, ops),
            annotations,
            object: self.object.clone(),
            numbered: self.numbered,
        }
    }
}

fn pick<T: Copy>(column: &[T], ops: &[usize]) -> Vec<T> {
    ops.iter().map(|&op| column[op]).collect()
}

fn pick_times(times: &Times, ops: &[usize]) -> Times {
    match times {
        Times::Int(times) => Times::Int(pick(times, ops)),
        Times::Exact(times) => Times::Exact(pick(times, ops)),
    }
}
