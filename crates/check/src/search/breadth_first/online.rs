//! Is the history linearizable so far? Breadth-first search, fed event by event: the same code as for a recorded history.
//!
//! What an operation did is known at its return, so a return is explained as soon as every operation called before it has
//! returned or is given up as lost. Until then it waits:
//!
//! ```text
//!   event                 known then                     explained
//!   call a                                               –
//!   call b                                               –
//!   return b → 2          b                              –   a may have gone first: what did it do?
//!   return a → 1          a, b                           both returns
//! ```
//!
//! So the answer is at most as late as the longest operation that is still open, and exact whenever nothing is open. A
//! violation is final: no later event can explain an earlier return.
//!
//! Cost: that of `breadth_first`, spread over the events; memory grows by about 60 bytes per operation. At most 512 operations may be open
//! at once.

use super::Breadth;
use crate::outcome::Progress;
use crate::search::mask::{Bits, Mask};
use crate::search::problem::{Fate, Problem};
use crate::{Cause, Control};
use linpoint_base::Account;
use linpoint_history::Event;
use linpoint_spec::{Code, Spec, StepError};
use std::collections::VecDeque;

/// How many operations may be open at once.
const WIDEST: usize = 512;

/// What is known after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// So many returns are explained by one order; the others wait.
    Linearizable(usize),
    /// No order explains the return of this operation, whatever happens from now on.
    Violation(u32),
    /// The search stopped: it knows no more from now on.
    Unknown(Cause),
}

/// A history in the making. Operations are numbered by their calls.
pub struct Online<'c> {
    search: Breadth<'c, Bits<8>, Box<Problem>>,
    /// Events whose turn has not come: the first is a call of an operation of which nothing is known yet.
    waiting: VecDeque<Event>,
    /// What each operation did, once that is known, and its number in the search.
    known: Vec<Option<(Code, Fate)>>,
    numbers: Vec<Option<u32>>,
    standing: Standing,
    /// What is held beside the search.
    account: Account<'c>,
}

impl<'c> Online<'c> {
    /// Nothing has happened yet.
    pub fn new(spec: Box<dyn Spec>, control: &'c Control) -> Result<Self, StepError> {
        let search = Breadth::new(Box::new(Problem::empty()), spec, Account::alone(control))?;
        let (waiting, known, numbers) = (VecDeque::new(), Vec::new(), Vec::new());
        let (standing, account) = (Standing::Linearizable(0), Account::alone(control));
        Ok(Online { search, waiting, known, numbers, standing, account })
    }

    /// An operation is called: its number.
    pub fn call(&mut self) -> u32 {
        let op = self.known.len();
        self.known.push(None);
        self.numbers.push(None);
        self.waiting.push_back(Event::call(op));
        op as u32
    }

    /// An operation returns: now it is known what it did.
    pub fn ret(&mut self, op: u32, code: Code) -> &Standing {
        self.known[op as usize] = Some((code, Fate::Required));
        self.waiting.push_back(Event::ret(op as usize));
        self.proceed()
    }

    /// An operation will never return: it may have taken effect, or may still do so, or never. `code` says what it does.
    pub fn lose(&mut self, op: u32, code: Code) -> &Standing {
        self.known[op as usize] = Some((code, Fate::Pending));
        self.proceed()
    }

    /// Takes in the events whose turn has come, and explains the returns among them.
    fn proceed(&mut self) -> &Standing {
        if !matches!(self.standing, Standing::Linearizable(_)) {
            return &self.standing;
        }
        while let Some(event) = self.waiting.front() {
            let op = event.op();
            match (event.is_return(), self.known[op]) {
                (true, _) => {
                    if let Some(number) = self.numbers[op] {
                        self.search.push_return(number);
                    }
                }
                (false, Some((code, fate))) => self.numbers[op] = self.search.push_call(op as u32, code, fate),
                (false, None) => break,
            }
            if self.search.slots() > WIDEST {
                let why = format!("more than {WIDEST} operations are open at once");
                self.standing = Standing::Unknown(Cause::Declined(why));
                return &self.standing;
            }
            self.waiting.pop_front();
        }
        if self.known.len().is_multiple_of(256) {
            let queued = self.waiting.capacity() * size_of::<Event>();
            let noted = self.known.capacity() * size_of::<Option<(Code, Fate)>>() + self.numbers.capacity() * 8;
            self.account.poll(self.search.problem_bytes() + queued + noted, 0);
        }
        self.standing = match self.search.run(u64::MAX) {
            Progress::Yes => Standing::Linearizable(self.search.rho()),
            Progress::No => Standing::Violation(self.search.returning()),
            Progress::GaveUp(cause) => Standing::Unknown(cause),
            Progress::Running => unreachable!("its work is not limited"),
        };
        &self.standing
    }
}

impl<M: Mask> Breadth<'_, M, Box<Problem>> {
    /// An operation is called: its number in the search, if it has to be looked at.
    pub fn push_call(&mut self, origin: u32, code: Code, fate: Fate) -> Option<u32> {
        self.problem.push_call(origin, code, fate, &*self.spec)
    }

    /// An operation returns.
    pub fn push_return(&mut self, op: u32) {
        self.problem.push_return(op);
    }

    /// The operation whose return is to be explained next.
    pub fn returning(&self) -> u32 {
        self.problem.origin[self.problem.returns[self.rho] as usize]
    }

    pub fn problem_bytes(&self) -> usize {
        self.problem.bytes()
    }

    /// How many operations were open at once.
    pub fn slots(&self) -> usize {
        self.problem.slots
    }
}
