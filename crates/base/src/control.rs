//! What may a whole check use, and must it stop? Shared by all threads that work on it.

use crate::Cause;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// The budget and the state of a check, shared by all threads that work on it.
pub struct Control {
    deadline: Option<Instant>,
    pub(crate) memory: i64,
    /// Configurations that may be visited in all.
    work: u64,
    interrupted: AtomicBool,
    moot: AtomicBool,
    pub(crate) used: AtomicI64,
    /// Returns explained so far, over all parts.
    pub(crate) explained: AtomicU64,
    /// Returns there are, over all parts.
    total: AtomicU64,
    /// Configurations visited so far.
    pub(crate) configurations: AtomicU64,
}

impl Control {
    /// A budget of `memory` bytes and, if given, a point in time; work is not limited.
    pub fn new(deadline: Option<Instant>, memory: usize) -> Self {
        Control {
            deadline,
            memory: i64::try_from(memory).unwrap_or(i64::MAX),
            work: u64::MAX,
            interrupted: AtomicBool::new(false),
            moot: AtomicBool::new(false),
            used: AtomicI64::new(0),
            explained: AtomicU64::new(0),
            total: AtomicU64::new(0),
            configurations: AtomicU64::new(0),
        }
    }

    /// The same budget with a limit on the configurations (steps, lines) of all engines together. It is looked at by each
    /// poll, so an engine may pass it by what it does between two polls.
    pub fn with_work(self, work: u64) -> Self {
        Control { work, ..self }
    }

    /// A budget of its own with the same limits, and this limit on the configurations.
    pub fn for_work(&self, work: u64) -> Self {
        Control::new(self.deadline, usize::try_from(self.memory).unwrap_or(0)).with_work(work)
    }

    /// Asks every engine to stop. May be called from a signal handler.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Relaxed);
    }

    /// Tells every engine that its answer is no longer needed.
    pub fn settle(&self) {
        self.moot.store(true, Relaxed);
    }

    /// Announces `returns` that are to be explained, for [`Control::progress`].
    pub fn expect(&self, returns: usize) {
        self.total.fetch_add(returns as u64, Relaxed);
    }

    /// (share of the returns explained, configurations visited).
    pub fn progress(&self) -> (f64, u64) {
        let total = self.total.load(Relaxed).max(1) as f64;
        ((self.explained.load(Relaxed) as f64 / total).min(1.0), self.configurations.load(Relaxed))
    }

    /// Bytes that the accounts hold now.
    pub fn held(&self) -> usize {
        usize::try_from(self.used.load(Relaxed)).unwrap_or(0)
    }

    /// The cause to stop the whole check now, if there is one: Ctrl-C, time or work.
    pub fn expired(&self) -> Option<Cause> {
        if self.interrupted.load(Relaxed) {
            return Some(Cause::Interrupted);
        }
        if self.configurations.load(Relaxed) > self.work {
            return Some(Cause::Work);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Cause::Time)
    }

    /// The same for one engine, which also stops when its answer is no longer needed.
    pub fn halted(&self) -> Option<Cause> {
        if self.moot.load(Relaxed) { Some(Cause::Moot) } else { self.expired() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn nothing_stops_an_unlimited_check() {
        let control = Control::new(None, usize::MAX);
        assert_eq!((control.expired(), control.halted()), (None, None));
    }

    #[test]
    fn the_user_comes_before_the_clock() {
        let past = Instant::now().checked_sub(Duration::from_secs(1)).expect("the machine runs for a second");
        let control = Control::new(Some(past), 0);
        assert_eq!(control.expired(), Some(Cause::Time));
        control.interrupt();
        assert_eq!(control.expired(), Some(Cause::Interrupted));
    }

    #[test]
    fn a_settled_check_is_not_expired_but_every_engine_halts() {
        let control = Control::new(None, usize::MAX);
        control.settle();
        assert_eq!((control.expired(), control.halted()), (None, Some(Cause::Moot)));
    }

    #[test]
    fn progress_is_a_share_even_of_nothing() {
        assert_eq!(Control::new(None, 0).progress(), (0.0, 0));
    }
}
