//! How far may a search go? One place for time, memory, Ctrl-C and progress.
//!
//! Searches poll every few hundred configurations; between two polls they touch nothing shared.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Why a search stopped without a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The time was up.
    Time,
    /// The memory was used up.
    Memory,
    /// Somebody asked it to stop.
    Interrupted,
    /// The specification failed: a user's step raised.
    Broken(String),
    /// The method that was asked for does not cover this history, for this reason.
    Declined(String),
    /// Another part is a violation already, so nobody needs the answer.
    Moot,
}

/// The budget and the state of a check, shared by all threads that work on it.
pub struct Control {
    deadline: Option<Instant>,
    memory: i64,
    interrupted: AtomicBool,
    moot: AtomicBool,
    used: AtomicI64,
    /// Returns explained so far, over all parts.
    explained: AtomicU64,
    /// Returns there are, over all parts.
    total: AtomicU64,
    /// Configurations visited so far.
    configurations: AtomicU64,
}

impl Control {
    /// A budget of `memory` bytes for the search and, if given, a point in time.
    pub fn new(deadline: Option<Instant>, memory: usize) -> Self {
        Control {
            deadline,
            memory: i64::try_from(memory).unwrap_or(i64::MAX),
            interrupted: AtomicBool::new(false),
            moot: AtomicBool::new(false),
            used: AtomicI64::new(0),
            explained: AtomicU64::new(0),
            total: AtomicU64::new(0),
            configurations: AtomicU64::new(0),
        }
    }

    /// Asks every search to stop.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Relaxed);
    }

    /// Tells every search that its answer is no longer needed.
    pub(crate) fn settle(&self) {
        self.moot.store(true, Relaxed);
    }

    pub(crate) fn expect(&self, returns: usize) {
        self.total.fetch_add(returns as u64, Relaxed);
    }

    /// (share of the returns explained, configurations visited).
    pub fn progress(&self) -> (f64, u64) {
        let total = self.total.load(Relaxed).max(1) as f64;
        ((self.explained.load(Relaxed) as f64 / total).min(1.0), self.configurations.load(Relaxed))
    }

    /// The cause that time or somebody's wish gives to stop now: the whole check is over.
    pub fn expired(&self) -> Option<Cause> {
        if self.interrupted.load(Relaxed) {
            return Some(Cause::Interrupted);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Cause::Time)
    }

    /// The same for one search, which also stops when its answer is no longer needed.
    pub(crate) fn halted(&self) -> Option<Cause> {
        if self.moot.load(Relaxed) { Some(Cause::Moot) } else { self.expired() }
    }
}

/// One search's account with the [`Control`]: what it holds is given back when it is dropped.
pub(crate) struct Account<'c> {
    control: &'c Control,
    /// Set when a rival has the answer.
    leave: &'c AtomicBool,
    /// Returns of this part explained by whichever search is furthest.
    furthest: &'c AtomicU64,
    bytes: i64,
    /// Configurations visited by this search.
    pub configurations: u64,
    reported: u64,
    /// The most this search may hold.
    limit: i64,
}

impl<'c> Account<'c> {
    /// An account that may hold `share` (0 to 1) of the whole memory, for a search that ends when told to leave.
    pub fn new(control: &'c Control, share: f64, leave: &'c AtomicBool, furthest: &'c AtomicU64) -> Self {
        let limit = (control.memory as f64 * share) as i64;
        Account { control, leave, furthest, bytes: 0, configurations: 0, reported: 0, limit }
    }

    /// Reports what the search holds and how far it is; says whether it must stop.
    pub fn poll(&mut self, bytes: usize, explained: usize) -> Option<Cause> {
        let change = bytes as i64 - self.bytes;
        self.bytes = bytes as i64;
        let used = self.control.used.fetch_add(change, Relaxed) + change;
        self.control.configurations.fetch_add(self.configurations - self.reported, Relaxed);
        self.reported = self.configurations;
        self.advance(explained as u64);
        if self.leave.load(Relaxed) {
            return Some(Cause::Moot);
        }
        if let Some(cause) = self.control.halted() {
            return Some(cause);
        }
        (used > self.control.memory || self.bytes > self.limit).then_some(Cause::Memory)
    }

    /// Counts returns of this part as explained, each once however many searches explain it.
    fn advance(&self, explained: u64) {
        let before = self.furthest.fetch_max(explained, Relaxed);
        self.control.explained.fetch_add(explained.saturating_sub(before), Relaxed);
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        self.control.used.fetch_sub(self.bytes, Relaxed);
        self.control.configurations.fetch_add(self.configurations - self.reported, Relaxed);
    }
}
