//! The history as columns: immutable, one entry an operation in each.

use crate::{Time, ValueId, Values};
use std::sync::Arc;

/// The rank of a return that never came.
pub const PENDING: u32 = u32::MAX;

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It returned: it took effect between its call and its return.
    Ok,
    /// It failed: it took no effect, and every checker leaves it out.
    Fail,
    /// Not known: it may take effect at any time after its call, or never.
    Info,
}

/// Times as the source gave them: all integers of 64 bits, or some that are not.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// Ticks, nanoseconds, line numbers.
    Int(Vec<i64>),
    /// Seconds with a fraction, usually.
    Exact(Vec<Time>),
}

impl Times {
    /// The time at place `i`.
    pub fn at(&self, i: usize) -> Time {
        match self {
            Times::Int(times) => times[i].into(),
            Times::Exact(times) => times[i],
        }
    }
}

/// A line that is not an operation (a nemesis action, a note), kept for the pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// The line it came from, 0 if none.
    pub line: u32,
    /// How many events of the history came before it.
    pub after_events: u32,
    /// Its fields as a map value.
    pub fields: ValueId,
}

/// One event: the call or the return of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event(u32);

impl Event {
    /// No event: there are not so many operations.
    pub(crate) const NONE: Event = Event(u32::MAX);

    /// The call of operation `op`.
    pub fn call(op: usize) -> Event {
        Event((op as u32) << 1)
    }

    /// The return of operation `op`.
    pub fn ret(op: usize) -> Event {
        Event((op as u32) << 1 | 1)
    }

    /// The operation it belongs to.
    pub fn op(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Is it a return?
    pub fn is_return(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A recorded history. Operations are numbered in the order of the source.
#[derive(Clone, Debug)]
pub struct History {
    /// Every value the columns name.
    pub values: Arc<Values>,
    /// Who called.
    pub process: Vec<ValueId>,
    /// The operation's name, a text.
    pub f: Vec<ValueId>,
    /// The object or key it is about; [`ValueId::ABSENT`] when the source names none.
    pub key: Vec<ValueId>,
    /// The argument.
    pub value: Vec<ValueId>,
    /// What it returned; null unless `status` is Ok.
    pub result: Vec<ValueId>,
    /// How it ended.
    pub status: Vec<Status>,
    /// The time of the call.
    pub call_time: Times,
    /// The time of the return; meaningless where `ret` is [`PENDING`] and `has_return` is false.
    pub return_time: Times,
    /// Did the source name a return time? (An `info` may.)
    pub has_return: Vec<bool>,
    /// Rank of the call among all events.
    pub call: Vec<u32>,
    /// Rank of the return; [`PENDING`] for an `info`.
    pub ret: Vec<u32>,
    /// All events in order: `events[call[i]] == Event::call(i)`. Operations that failed are in it.
    pub events: Vec<Event>,
    /// Fields of the source that mean nothing to the checkers: (operation, name, value), by operation.
    pub extra: Vec<(u32, ValueId, ValueId)>,
    /// The line each operation's call came from, 0 if none.
    pub line: Vec<u32>,
    /// Lines that are not operations.
    pub annotations: Vec<Annotation>,
    /// The kind of object the source names, if it does: `queue`, `stack`.
    pub object: Option<String>,
    /// Do times only number the events, as where each line of the source is one?
    pub numbered: bool,
}

impl History {
    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.f.len()
    }

    /// Is there no operation at all?
    pub fn is_empty(&self) -> bool {
        self.f.is_empty()
    }

    /// The name of operation `i`.
    pub fn name(&self, i: usize) -> &str {
        self.values.as_text(self.f[i]).expect("names are texts")
    }

    /// The key of operation `i`, if the source names one.
    pub fn key_of(&self, i: usize) -> Option<ValueId> {
        (self.key[i] != ValueId::ABSENT).then_some(self.key[i])
    }

    /// The result of operation `i`: None while it is not known.
    pub fn result_of(&self, i: usize) -> Option<ValueId> {
        (self.status[i] == Status::Ok).then_some(self.result[i])
    }

    /// The extra fields of operation `i`.
    pub fn extra_of(&self, i: usize) -> &[(u32, ValueId, ValueId)] {
        let start = self.extra.partition_point(|e| (e.0 as usize) < i);
        let end = self.extra.partition_point(|e| (e.0 as usize) <= i);
        &self.extra[start..end]
    }
}
