//! What a search needs to know of a part: who is open when, who may stand for whom.
//!
//! Operations are numbered by their calls, returns by their order (ρ = 0, 1, 2 …). Dropped
//! beforehand: operations that need not take effect and change nothing, and those called after the last return.
//!
//! An operation is *required* (it returned: it takes effect before that), *pending* (it may take effect any time after its
//! call, or never) or *optional*: it takes effect between its call and its return with its recorded result, or it never
//! happened. A history in which K is required and all else optional has no order exactly if K together with *any* subset of
//! the rest has none: that is what "whatever else happened" means, and one search decides it.

use crate::ranks::NEVER;
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_spec::{Code, Part, Spec};

/// The return number of an operation whose return has not come yet, but will.
pub(crate) const AWAITED: u32 = NEVER - 1;

/// Must an operation take effect?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// As recorded: if it returned, yes.
    Recorded,
    /// It took effect within its interval, or never happened.
    Optional,
}

/// What becomes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It takes effect before its return.
    Required,
    /// It takes effect before its return, or never.
    Optional,
    /// It never returns, and takes effect at some time or never.
    Pending,
}

/// One part, prepared: all at once, or event by event.
#[derive(Default)]
pub(crate) struct Problem {
    /// The operation's number in the history.
    pub origin: Vec<u32>,
    /// What it does.
    pub code: Vec<Code>,
    /// Its slot in masks, its own while it is open.
    pub slot: Vec<u32>,
    /// The number of its return; [`AWAITED`] until that is known, [`NEVER`] if it is pending.
    pub deadline: Vec<u32>,
    /// Must it take effect before its return? False if it is pending or optional.
    pub required: Vec<bool>,
    /// Which part of the state it is about: operations of other domains need not be fired for its sake.
    pub domain: Vec<u32>,
    /// Does it change nothing wherever it is legal?
    pub read_only: Vec<bool>,
    /// The pending operation with the same code called last before this one, if this one is pending.
    pub older_twin: Vec<Option<u32>>,
    /// The operation of each return.
    pub returns: Vec<u32>,
    /// How many operations are called before each return.
    pub called: Vec<u32>,
    /// How many slots there are.
    pub slots: usize,
    /// Slots of operations that returned.
    free: Vec<u32>,
    /// The last pending operation of each code.
    last_pending: HashMap<Code, u32, Hashing>,
}

impl Problem {
    /// Prepares a part. O(n).
    pub fn new(part: &Part) -> Problem {
        Problem::with(part, |_| Need::Recorded)
    }

    /// Prepares a part of which not all is required; `need` is asked by the place of an operation in the part. O(n).
    pub fn with(part: &Part, need: impl Fn(usize) -> Need) -> Problem {
        let mut returned = vec![false; part.ops.len()];
        let last = part.events.iter().rposition(|event| event.is_return()).map_or(0, |place| place + 1);
        for event in part.events[..last].iter().filter(|event| event.is_return()) {
            returned[event.op()] = true;
        }
        let mut problem = Problem::empty();
        let mut number = vec![None; part.ops.len()];
        for event in &part.events[..last] {
            let op = event.op();
            if event.is_return() {
                number[op].into_iter().for_each(|number| problem.push_return(number));
                continue;
            }
            let fate = match (need(op), returned[op]) {
                (Need::Recorded, true) => Fate::Required,
                (Need::Optional, true) => Fate::Optional,
                (_, false) => Fate::Pending,
            };
            number[op] = problem.push_call(part.ops[op], part.codes[op], fate, &*part.spec);
        }
        problem
    }

    /// Nothing has happened yet.
    pub fn empty() -> Problem {
        Problem::default()
    }

    /// An operation is called: its number; None if it can be left out, because it changes nothing and need not take effect.
    pub fn push_call(&mut self, origin: u32, code: Code, fate: Fate, spec: &dyn Spec) -> Option<u32> {
        let read_only = spec.read_only(code);
        if read_only && fate != Fate::Required {
            return None;
        }
        let new = self.origin.len() as u32;
        let is_pending = fate == Fate::Pending;
        self.origin.push(origin);
        self.code.push(code);
        self.deadline.push(if is_pending { NEVER } else { AWAITED });
        self.required.push(fate == Fate::Required);
        self.domain.push(spec.domain(code));
        self.read_only.push(read_only);
        self.older_twin.push(if is_pending { self.last_pending.insert(code, new) } else { None });
        self.slot.push(self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots as u32 - 1
        }));
        Some(new)
    }

    /// An operation returns. Not one that is pending.
    pub fn push_return(&mut self, op: u32) {
        self.deadline[op as usize] = self.returns.len() as u32;
        self.returns.push(op);
        self.called.push(self.origin.len() as u32);
        self.free.push(self.slot[op as usize]);
    }

    pub fn bytes(&self) -> usize {
        let columns = [&self.origin, &self.code, &self.slot, &self.deadline, &self.domain, &self.returns, &self.called];
        columns.iter().map(|column| column.capacity() * 4).sum::<usize>()
            + (self.read_only.capacity() + self.required.capacity())
            + self.older_twin.capacity() * size_of::<Option<u32>>()
            + self.last_pending.allocation_size()
            + self.free.capacity() * 4
    }

    /// The operations open at return `rho`, in the order of their calls.
    pub fn open_at(&self, rho: usize) -> Vec<u32> {
        let called = self.called.get(rho).map_or(self.code.len(), |&called| called as usize);
        (0..called as u32).filter(|&op| self.deadline[op as usize] as usize >= rho).collect()
    }

    /// Does it return?
    pub fn returns(&self, op: u32) -> bool {
        self.deadline[op as usize] != NEVER
    }
}
