//! In which order did it happen, by the clocks? Events that come late, and clocks that differ.
//!
//! Logs of several machines are merged as they come, and a line may come a moment late. With a *window* events are held back until one comes whose
//! time is that much later; then they are taken in the order of their times, calls before ends on a tie. What comes later still is told, and skipped.
//!
//! If every clock may be off by ε (the *skew*), one operation precedes another for certain only if it returned more than 2ε before the other was
//! called. So every end is taken 2ε late, behind all calls up to then.
//!
//! ```text
//!   write 1  |---|                          by the clocks the read comes behind the write
//!   read → 0       |---|                    with ε = 1 it may have come first
//! ```
//!
//! Times that are whole numbers are nanoseconds, all others seconds. Cost: O(log h) per event, h of them held back.

use crate::monitor::{Monitor, Outcome, Token};
use linpoint_history::read::stream::{StreamEvent, Told};
use linpoint_history::{Time, ValueId};
use std::collections::BTreeMap;

/// What waits for its turn.
#[derive(Default)]
pub(crate) struct Clock {
    /// The window and the skew, in nanoseconds. If one is given, both hold.
    pub(crate) spans: Option<(i64, i64)>,
    /// Events that are held back, by time, calls first, in the order in which they came; each with its line.
    pub(crate) held: BTreeMap<(Time, bool, u64), (u32, StreamEvent)>,
    /// The latest time of all events, and of those that were taken.
    pub(crate) newest: Option<Time>,
    pub(crate) taken: Option<Time>,
    /// Ends that are not taken yet, by the time at which they are, and their numbers in the log.
    pub(crate) ends: BTreeMap<(Time, u64), (Token, Outcome, u32)>,
    /// How many came: the number of the last one in the log.
    pub(crate) count: u64,
    /// The numbers of those that were refused when their turn came, in their order: others are told as if these had no number, as in a log that
    /// is taken as it is.
    pub(crate) refused: Vec<u64>,
    /// How many more were refused, of numbers before all that matter.
    pub(crate) refused_before: u64,
}

/// Refused numbers beyond so many are given up where nothing that is kept is older.
const MANY_REFUSED: usize = 4096;

/// So many nanoseconds, as this time counts.
fn span(nanoseconds: i64, like: Time) -> Time {
    if like.is_integer() { Time::from(nanoseconds) } else { Time::units(nanoseconds, -9) }
}

impl Clock {
    /// Goes by time: a window and a skew in nanoseconds.
    pub fn new(window: i64, skew: i64) -> Clock {
        Clock { spans: Some((window, skew)), ..Clock::default() }
    }

    /// Does it go by time at all?
    pub fn is_set(&self) -> bool {
        self.spans.is_some()
    }

    /// Holds an event back, or says why not.
    pub fn hold(&mut self, event: StreamEvent, line: u32) -> Result<(), String> {
        let Some(time) = event.time else {
            return Err("the event has no time, and events are taken in the order of their times".to_owned());
        };
        if self.taken.is_some_and(|taken| time < taken) {
            return Err("the event comes too late: one of a later time was taken already".to_owned());
        }
        self.count += 1;
        self.newest = self.newest.max(Some(time));
        self.held.insert((time, event.told != Told::Call, self.count), (line, event));
        Ok(())
    }

    /// The next event whose turn has come, with its number in the log and its line; at the end of the stream (`all`) the next one.
    pub fn next(&mut self, all: bool) -> Option<(u64, u32, StreamEvent)> {
        let (&key, _) = self.held.first_key_value()?;
        let (window, _) = self.spans?;
        if !all && Some(key.0.plus(span(window, key.0))) > self.newest {
            return None;
        }
        self.taken = Some(key.0);
        self.held.remove(&key).map(|(line, event)| (key.2, line, event))
    }

    /// The event of this number was refused.
    pub fn refuse(&mut self, count: u64) {
        let place = self.refused.partition_point(|&other| other < count);
        self.refused.insert(place, count);
    }

    /// What an event that came as number `count` is told as.
    pub fn told(&self, count: u64) -> u64 {
        let refused = self.refused.partition_point(|&other| other < count) as u64 + self.refused_before;
        count.saturating_sub(refused)
    }

    /// Gives up numbers before all that are asked for, if there are many: `oldest` says which those are.
    pub fn forget_refused(&mut self, oldest: impl FnOnce() -> u64) {
        if self.refused.len() < MANY_REFUSED {
            return;
        }
        let held = self.held.keys().map(|key| key.2).chain(self.ends.keys().map(|key| key.1)).min();
        let oldest = oldest().min(held.unwrap_or(u64::MAX));
        let before = self.refused.partition_point(|&other| other < oldest);
        self.refused.drain(..before);
        self.refused_before += before as u64;
    }

    /// All values that it names.
    pub fn ids(&mut self) -> impl Iterator<Item = &mut ValueId> {
        let ends = self.ends.values_mut().filter_map(|(_, outcome, _)| match outcome {
            Outcome::Ok(result) => Some(result),
            _ => None,
        });
        self.held.values_mut().flat_map(|(_, event)| event.ids()).chain(ends)
    }
}

impl Monitor {
    /// Takes all events in the order of time, each end late by twice the skew, both in nanoseconds.
    pub fn by_time(&mut self, window: i64, skew: i64) {
        self.clock = Clock::new(window, skew);
    }

    /// The operation ends, now or when its time has come.
    pub(crate) fn end_in_time(
        &mut self,
        token: Token,
        outcome: Outcome,
        line: u32,
        time: Option<Time>,
    ) -> Result<(), String> {
        match (self.clock.spans, time) {
            (Some((_, skew)), Some(time)) if skew > 0 => {
                let late = time.plus(span(2 * skew, time));
                let came = self.came.unwrap_or_default();
                self.clock.ends.insert((late, came), (token, outcome, line));
                Ok(())
            }
            _ => self.end(token, outcome, line),
        }
    }

    /// Takes the ends whose time has come before this moment; without one, all. What is wrong with them, by line.
    pub(crate) fn end_until(&mut self, moment: Option<Time>) -> Vec<(u32, String)> {
        let mut wrong = Vec::new();
        while let Some(entry) = self.clock.ends.first_entry() {
            if moment.is_some_and(|moment| entry.key().0 >= moment) {
                break;
            }
            self.came = Some(entry.key().1);
            let (token, outcome, line) = entry.remove();
            if let Err(message) = self.end(token, outcome, line) {
                wrong.push((line, message));
            }
        }
        wrong
    }
}
