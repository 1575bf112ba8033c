//! Writes down a stream of events: the n-th event happens at time n, or events that are sorted by their times share a time with
//! those of the same time.
//!
//! The order of the lines is what an event log vouches for, so it is what we keep; clocks that
//! the log names beside it become extra fields.

use crate::{Annotation, Builder, Record, Status, ValueId};

/// A builder with a clock.
#[derive(Default)]
pub(super) struct Recorder {
    pub builder: Builder,
    /// The time of the next event.
    clock: i64,
    /// Does the clock stand still until [`Recorder::stand_still`] moves it?
    still: bool,
    /// How many events will have a rank in the history: all but the completions of `info` operations.
    ranked: u32,
}

impl Recorder {
    /// From now on the clock moves only by this: by one, or not at all.
    pub fn stand_still(&mut self, moves: bool) {
        self.still = true;
        self.clock += i64::from(moves);
    }

    /// An operation is called; gives its number. Until it returns, it is not known whether it took effect.
    pub fn invoke(&mut self, process: ValueId, f: ValueId, key: ValueId, value: ValueId, line: u32) -> usize {
        let (status, result) = (Status::Info, ValueId::NULL);
        let record = Record { process, f, key, value, result, status, call: self.clock, ret: None, line };
        self.clock += i64::from(!self.still);
        self.ranked += 1;
        self.builder.numbered = true;
        self.builder.push(record)
    }

    /// Operation `op` ends.
    pub fn complete(&mut self, op: usize, status: Status, result: ValueId) {
        self.builder.complete(op, status, result, self.clock);
        self.clock += i64::from(!self.still);
        self.ranked += u32::from(status != Status::Info);
    }

    /// Something else happens.
    pub fn annotate(&mut self, fields: ValueId, line: u32) {
        self.builder.annotations.push(Annotation { line, after_events: self.ranked, fields });
    }
}
