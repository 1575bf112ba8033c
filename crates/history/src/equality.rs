//! Are two histories the same, though their values are numbered differently?
//!
//! Operations are compared in the order of their calls, because formats number them
//! differently (an event log by call, a file of operations by line). O(operations + values): the
//! parts of a value have smaller ids, so one table is translated into the other in order.

use crate::{History, Status, Times, Value, ValueId, Values};
use std::sync::Arc;

/// The ids of one table in terms of another; None for a value the other does not have.
struct Translation(Option<Vec<Option<ValueId>>>);

impl Translation {
    fn new(from: &Arc<Values>, to: &Arc<Values>) -> Self {
        if Arc::ptr_eq(from, to) {
            return Translation(None);
        }
        let mut known: Vec<Option<ValueId>> = Vec::with_capacity(from.len());
        for id in 0..from.len() {
            let part = |id: ValueId| known.get(id.index()).copied().flatten();
            let value = match from.get(ValueId(id as u32)) {
                Value::List(parts) => parts.iter().map(|&p| part(p)).collect::<Option<_>>().map(Value::List),
                Value::Map(entries) => {
                    let pair = |e: &(ValueId, ValueId)| Some((part(e.0)?, part(e.1)?));
                    entries.iter().map(pair).collect::<Option<_>>().map(Value::Map)
                }
                other => Some(other.clone()),
            };
            known.push(value.and_then(|value| to.find(&value)));
        }
        Translation(Some(known))
    }

    fn same(&self, a: ValueId, b: ValueId) -> bool {
        match &self.0 {
            None => a == b,
            Some(_) if a == ValueId::ABSENT || b == ValueId::ABSENT => a == b,
            Some(known) => known[a.index()] == Some(b),
        }
    }
}

impl History {
    /// Do both hold the same operations in the same order of events, with the same extra fields? With `times`
    /// also at the same times. Lines, annotations and the kind of object do not count.
    pub fn same_operations(&self, other: &History, times: bool) -> bool {
        if self.len() != other.len() || self.events.len() != other.events.len() {
            return false;
        }
        let translation = Translation::new(&self.values, &other.values);
        let calls = |history: &History| {
            history.events.iter().filter(|e| !e.is_return()).map(|e| e.op()).collect::<Vec<usize>>()
        };
        calls(self).into_iter().zip(calls(other)).all(|(a, b)| {
            let same = |x: &[ValueId], y: &[ValueId]| translation.same(x[a], y[b]);
            self.call[a] == other.call[b]
                && self.ret[a] == other.ret[b]
                && self.status[a] == other.status[b]
                && self.has_return[a] == other.has_return[b]
                && same(&self.process, &other.process)
                && same(&self.f, &other.f)
                && same(&self.key, &other.key)
                && same(&self.value, &other.value)
                && (self.status[a] != Status::Ok || same(&self.result, &other.result))
                && same_extra(self.extra_of(a), other.extra_of(b), &translation)
                && (!times || self.same_times(a, other, b))
        })
    }

    fn same_times(&self, a: usize, other: &History, b: usize) -> bool {
        let same = |x: &Times, y: &Times| x.at(a) == y.at(b);
        same(&self.call_time, &other.call_time) && (!self.has_return[a] || same(&self.return_time, &other.return_time))
    }
}

/// The same names with the same values, in any order.
fn same_extra(a: &[(u32, ValueId, ValueId)], b: &[(u32, ValueId, ValueId)], translation: &Translation) -> bool {
    let found =
        |x: &(u32, ValueId, ValueId)| b.iter().any(|y| translation.same(x.1, y.1) && translation.same(x.2, y.2));
    a.len() == b.len() && a.iter().all(found)
}
