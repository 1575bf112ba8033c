//! What does one engine use of the whole check's budget?

use crate::{Cause, Control};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What engines that work on the same part share: a sign to leave, and how far the furthest of them is.
pub struct Rivals<'c> {
    /// Set when a rival has the answer.
    pub leave: &'c AtomicBool,
    /// Returns of this part explained by whichever engine is furthest.
    pub furthest: &'c AtomicU64,
}

/// One engine's account with the [`Control`]: what it holds is given back when it is dropped.
pub struct Account<'c> {
    control: &'c Control,
    rivals: Option<Rivals<'c>>,
    /// Returns reported by this engine, if it has no rivals.
    explained: u64,
    bytes: i64,
    /// Configurations visited by this engine: its work.
    pub configurations: u64,
    reported: u64,
    /// The most this engine may hold.
    limit: i64,
}

impl<'c> Account<'c> {
    /// The account of an engine that has its part to itself and may use the whole memory.
    pub fn alone(control: &'c Control) -> Self {
        Self::open(control, control.memory, None)
    }

    /// The account of one of several engines that work on the same part; it may hold `share` (0 to 1) of the whole memory.
    pub fn among(control: &'c Control, share: f64, rivals: Rivals<'c>) -> Self {
        Self::open(control, (control.memory as f64 * share) as i64, Some(rivals))
    }

    fn open(control: &'c Control, limit: i64, rivals: Option<Rivals<'c>>) -> Self {
        Account { control, rivals, explained: 0, bytes: 0, configurations: 0, reported: 0, limit }
    }

    /// Reports what the engine holds and how far it is; says whether it must stop.
    pub fn poll(&mut self, bytes: usize, explained: usize) -> Option<Cause> {
        let change = bytes as i64 - self.bytes;
        self.bytes = bytes as i64;
        let used = self.control.used.fetch_add(change, Relaxed) + change;
        self.control.configurations.fetch_add(self.configurations - self.reported, Relaxed);
        self.reported = self.configurations;
        self.advance(explained as u64);
        if self.rivals.as_ref().is_some_and(|rivals| rivals.leave.load(Relaxed)) {
            return Some(Cause::Moot);
        }
        if let Some(cause) = self.control.halted() {
            return Some(cause);
        }
        (used > self.control.memory || self.bytes > self.limit).then_some(Cause::Memory)
    }

    /// Bytes that the engine may still take. A table that is about to grow holds its old and its new self for a moment, so its
    /// engine asks before.
    pub fn spare(&self) -> usize {
        let left = self.control.memory - self.control.used.load(Relaxed);
        usize::try_from(left.min(self.limit - self.bytes)).unwrap_or(0)
    }

    /// Counts returns of this part as explained, each once however many rivals explain it.
    fn advance(&mut self, explained: u64) {
        let before = match &self.rivals {
            Some(rivals) => rivals.furthest.fetch_max(explained, Relaxed),
            None => self.explained,
        };
        self.explained = explained.max(before);
        self.control.explained.fetch_add(explained.saturating_sub(before), Relaxed);
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        self.control.used.fetch_sub(self.bytes, Relaxed);
        self.control.configurations.fetch_add(self.configurations - self.reported, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_counted_over_all_engines_and_given_back() {
        let control = Control::new(None, 100);
        let mut one = Account::alone(&control);
        let mut two = Account::alone(&control);
        assert_eq!(one.poll(60, 0), None);
        assert_eq!(two.spare(), 40);
        assert_eq!(two.poll(40, 0), None, "exactly the limit");
        assert_eq!((one.spare(), two.spare()), (0, 0));
        assert_eq!(two.poll(41, 0), Some(Cause::Memory));
        assert_eq!(control.held(), 101);
        drop(one);
        assert_eq!((two.poll(41, 0), control.held()), (None, 41));
        drop(two);
        assert_eq!(control.held(), 0);
    }

    #[test]
    fn one_of_several_may_hold_its_share() {
        let control = Control::new(None, 100);
        let (leave, furthest) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut half = Account::among(&control, 0.5, Rivals { leave: &leave, furthest: &furthest });
        assert_eq!((half.poll(40, 0), half.spare()), (None, 10));
        assert_eq!(half.poll(50, 0), None);
        assert_eq!(half.poll(51, 0), Some(Cause::Memory));
        leave.store(true, Relaxed);
        assert_eq!(half.poll(0, 0), Some(Cause::Moot));
    }

    #[test]
    fn a_return_explained_by_two_rivals_counts_once() {
        let control = Control::new(None, 100);
        control.expect(10);
        let (leave, furthest) = (AtomicBool::new(false), AtomicU64::new(0));
        let rivals = || Rivals { leave: &leave, furthest: &furthest };
        let (mut one, mut two) = (Account::among(&control, 1.0, rivals()), Account::among(&control, 1.0, rivals()));
        one.poll(0, 3);
        two.poll(0, 2);
        two.poll(0, 5);
        assert_eq!(control.progress().0, 0.5);
        let mut alone = Account::alone(&control);
        alone.poll(0, 4);
        alone.poll(0, 1);
        alone.poll(0, 5);
        assert_eq!(control.progress().0, 1.0);
    }

    #[test]
    fn work_is_counted_by_polls_and_at_the_end() {
        let control = Control::new(None, 100).with_work(10);
        let mut one = Account::alone(&control);
        one.configurations = 10;
        assert_eq!(one.poll(0, 0), None, "exactly the limit");
        one.configurations = 11;
        assert_eq!(one.poll(0, 0), Some(Cause::Work));
        one.configurations = 15;
        drop(one);
        assert_eq!(control.progress().1, 15);
    }
}
