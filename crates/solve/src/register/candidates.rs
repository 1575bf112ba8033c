//! Which writes can each operation of a register have found? The clauses to begin with.
//!
//! A write of the right value, called before the read returned, and not surely overwritten: no completed write began after it returned and returned before
//! the read was called. O(n log n), and the candidates themselves.

use super::NONE;
use crate::intervals::{Intervals, NEVER};
use hashbrown::HashMap;
use linpoint_base::{Account, Cause, Hashing};
use linpoint_spec::{Part, Role};

/// How many operations are looked at between two looks at the budget.
const BETWEEN_LOOKS: u32 = 1 << 12;

/// What an operation saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// It does not tell, or it is pending and left nothing: it may stand anywhere.
    Nothing,
    /// This value.
    Is(u32),
    /// Any other than this.
    Not(u32),
}

/// The operations of a register.
pub struct Operations {
    /// The value that each leaves, or [`NONE`]; the last is what was held at first.
    leaves: Vec<u32>,
    sees: Vec<Sees>,
    /// What each may have found: `sources[from[op]..from[op + 1]]`.
    sources: Vec<u32>,
    from: Vec<usize>,
    /// Completed writes by their returns, each with the latest call up to there and whose it is.
    overwritten: Vec<(u32, u32, u32)>,
}

impl Operations {
    /// Those of a part; [`Cause::Declined`] if an operation does not tell what it saw or left, or if there are more than `most` possible sources.
    /// `account` is polled every now and then.
    pub fn of(part: &Part, intervals: &Intervals, most: usize, account: &mut Account<'_>) -> Result<Operations, Cause> {
        let declined = |why: &str| Cause::Declined(why.to_owned());
        let &[held_first] = &part.spec.contents()[..] else { return Err(declined("it does not hold one value")) };
        let (mut leaves, mut sees) = (Vec::new(), Vec::new());
        for (op, &code) in part.codes.iter().enumerate() {
            let is_pending = intervals.is_pending(op as u32);
            let (left, saw) = match part.spec.role(code) {
                Role::Read(_) | Role::ReadNot(_) | Role::Nothing if is_pending => (NONE, Sees::Nothing),
                Role::Nothing => (NONE, Sees::Nothing),
                Role::Read(value) => (NONE, Sees::Is(value)),
                Role::ReadNot(value) => (NONE, Sees::Not(value)),
                Role::Write(value) => (value, Sees::Nothing),
                Role::Change(from, to) => (to, Sees::Is(from)),
                Role::ChangeNot(not, to) => (to, Sees::Not(not)),
                Role::ChangeIf(from, to) if is_pending => (to, Sees::Is(from)),
                _ => return Err(declined("it has an operation that does not tell what it saw or left")),
            };
            leaves.push(left);
            sees.push(saw);
        }
        leaves.push(held_first);
        let mut operations = Operations { leaves, sees, sources: Vec::new(), from: vec![0], overwritten: Vec::new() };
        operations.note_overwriting(intervals);
        match operations.note_sources(intervals, most, account)? {
            true => Ok(operations),
            false => Err(declined("too many writes come into question")),
        }
    }

    /// How many there are, besides what was held at first.
    pub fn len(&self) -> usize {
        self.sees.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.sees.is_empty()
    }

    /// The value that an operation leaves, or [`NONE`].
    pub fn leaves(&self, op: u32) -> u32 {
        self.leaves[op as usize]
    }

    /// What it saw.
    pub fn sees(&self, op: u32) -> Sees {
        self.sees[op as usize]
    }

    /// What it may have found, the likeliest first: what happened at about the same time.
    pub fn sources(&self, op: u32) -> &[u32] {
        &self.sources[self.from[op as usize]..self.from[op as usize + 1]]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        12 * self.overwritten.capacity() + 20 * self.sees.capacity() + 4 * self.sources.capacity()
    }

    /// Does it stand in every order without being part of a version, unless it was asked for its source?
    pub fn is_extra(&self, intervals: &Intervals, op: u32) -> bool {
        self.leaves(op) == NONE && !intervals.is_pending(op)
    }

    fn note_overwriting(&mut self, intervals: &Intervals) {
        let writes = (0..self.len() as u32).filter(|&op| self.leaves(op) != NONE && !intervals.is_pending(op));
        let ranked = writes.map(|op| (intervals.ret[op as usize], intervals.call[op as usize], op));
        self.overwritten = ranked.collect();
        self.overwritten.sort_unstable();
        for i in 1..self.overwritten.len() {
            let (_, latest, whose) = self.overwritten[i - 1];
            let this = &mut self.overwritten[i];
            if latest > this.1 {
                (this.1, this.2) = (latest, whose);
            }
        }
    }

    /// The write that began last among those that returned before `op` was called, and when it was called.
    fn overwriter(&self, intervals: &Intervals, op: u32) -> Option<(u32, u32)> {
        let call = intervals.call[op as usize];
        let before = self.overwritten.partition_point(|&(ret, ..)| ret < call);
        before.checked_sub(1).map(|last| (self.overwritten[last].1, self.overwritten[last].2))
    }

    fn fits(&self, write: usize, op: u32) -> bool {
        let left = self.leaves[write];
        let saw = match self.sees(op) {
            Sees::Is(value) => left == value,
            Sees::Not(value) => left != value,
            Sees::Nothing => false,
        };
        left != NONE && saw && write as u32 != op
    }

    /// The writes that would fit and were called in time, overwritten or not. O(n).
    pub fn fitting(&self, intervals: &Intervals, op: u32) -> Vec<u32> {
        let in_time = |&write: &u32| self.fits(write as usize, op) && !intervals.precedes(op, write);
        (0..self.leaves.len() as u32).filter(in_time).collect()
    }

    /// The write that shows that some writes which would fit were overwritten before `op` was called, if there are such. O(n).
    pub fn overwriter_for(&self, intervals: &Intervals, op: u32) -> Option<u32> {
        let (call, write) = self.overwriter(intervals, op)?;
        (0..self.leaves.len()).any(|write| self.fits(write, op) && intervals.ret[write] < call).then_some(write)
    }

    /// False if there are too many.
    fn note_sources(&mut self, intervals: &Intervals, most: usize, account: &mut Account<'_>) -> Result<bool, Cause> {
        // Writes by their calls, and of each value; with the latest return up to each, to know when to stop.
        let mut by_call: Vec<u32> = (0..=self.len() as u32).filter(|&op| self.leaves(op) != NONE).collect();
        by_call.sort_unstable_by_key(|&op| intervals.call[op as usize]);
        let mut of_value: HashMap<u32, Vec<(u32, u32)>, Hashing> = HashMap::default();
        let mut all: Vec<(u32, u32)> = Vec::new();
        for &op in &by_call {
            for row in [of_value.entry(self.leaves(op)).or_default(), &mut all] {
                let latest = row.last().map_or(0, |&(_, latest)| latest);
                row.push((op, latest.max(intervals.ret[op as usize])));
            }
        }
        let completed = (0..self.len()).filter(|&op| intervals.ret[op] != NEVER);
        let spans: Vec<u64> = completed.map(|op| u64::from(intervals.ret[op] - intervals.call[op])).collect();
        let span = (spans.iter().sum::<u64>() / spans.len().max(1) as u64) as u32; // of a pending operation, as far as can be guessed
        for op in 0..self.len() as u32 {
            let nothing = Vec::new();
            let (writes, other_than) = match self.sees(op) {
                Sees::Nothing => (&nothing, NONE),
                Sees::Is(value) => (of_value.get(&value).unwrap_or(&nothing), NONE),
                Sees::Not(value) => (&all, value),
            };
            let overwritten = self.overwriter(intervals, op).map_or(0, |(call, _)| call);
            let ret = intervals.ret[op as usize];
            let until = writes.partition_point(|&(write, _)| intervals.call[write as usize] < ret);
            let reach = writes[..until].iter().rev().take_while(|&&(_, latest)| latest >= overwritten);
            let fits = |&write: &u32| {
                write != op && intervals.ret[write as usize] >= overwritten && self.leaves[write as usize] != other_than
            };
            let begin = self.sources.len();
            self.sources.extend(reach.map(|&(write, _)| write).filter(fits));
            let middle = |op: u32| {
                let (call, ret) = (intervals.call[op as usize], intervals.ret[op as usize]);
                2 * u64::from(call) + u64::from(span.min(ret - call))
            };
            self.sources[begin..].sort_by_cached_key(|&write| middle(write).abs_diff(middle(op)));
            self.from.push(self.sources.len());
            if self.sources.len() > most {
                return Ok(false);
            }
            if op.is_multiple_of(BETWEEN_LOOKS) {
                account.poll(intervals.bytes() + 2 * self.bytes(), 0).map_or(Ok(()), Err)?;
            }
        }
        Ok(true)
    }
}
