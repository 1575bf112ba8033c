//! What a search needs to know of a part: who is open when, who may stand for whom.
//!
//! Operations are numbered by their calls, returns by their order (ρ = 0, 1, 2 …). Dropped
//! beforehand: operations that need not take effect and change nothing, and those called after the last return.
//!
//! An operation is *required* (it returned: it takes effect before that), *pending* (it may take effect any time after its
//! call, or never) or *optional*: it takes effect between its call and its return with its recorded result, or it never
//! happened. A history in which K is required and all else optional has no order exactly if K together with *any* subset of
//! the rest has none: that is what "whatever else happened" means, and one search decides it.

use linpoint_spec::{Code, Part};

/// The return number of an operation that never returns.
pub(crate) const NEVER: u32 = u32::MAX;

/// Must an operation take effect?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// As recorded: if it returned, yes.
    Recorded,
    /// It took effect within its interval, or never happened.
    Optional,
    /// It never happened.
    Absent,
}

/// One part, prepared.
pub(crate) struct Problem {
    /// The operation's number in the history.
    pub origin: Vec<u32>,
    /// What it does.
    pub code: Vec<Code>,
    /// Its slot in masks, its own while it is open.
    pub slot: Vec<u32>,
    /// The number of its return, or [`NEVER`].
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
        let mut problem = Problem {
            origin: Vec::new(),
            code: Vec::new(),
            slot: Vec::new(),
            deadline: Vec::new(),
            required: Vec::new(),
            domain: Vec::new(),
            read_only: Vec::new(),
            older_twin: Vec::new(),
            returns: Vec::new(),
            called: Vec::new(),
            slots: 0,
        };
        let mut renumbered = vec![NEVER; part.ops.len()];
        let mut free: Vec<u32> = Vec::new();
        let mut twins = hashbrown::HashMap::<Code, u32, linpoint_base::Hashing>::default();
        for event in &part.events[..last] {
            let op = event.op();
            if event.is_return() {
                if renumbered[op] == NEVER {
                    continue; // absent, or an optional read
                }
                let new = renumbered[op] as usize;
                problem.deadline[new] = problem.returns.len() as u32;
                problem.returns.push(new as u32);
                problem.called.push(problem.origin.len() as u32);
                free.push(problem.slot[new]);
                continue;
            }
            let (code, read_only) = (part.codes[op], part.spec.read_only(part.codes[op]));
            let need = need(op);
            let required = returned[op] && need == Need::Recorded;
            if need == Need::Absent || (read_only && !required) {
                continue;
            }
            let new = problem.origin.len() as u32;
            renumbered[op] = new;
            problem.origin.push(part.ops[op]);
            problem.code.push(code);
            problem.deadline.push(NEVER);
            problem.required.push(required);
            problem.domain.push(part.spec.domain(code));
            problem.read_only.push(read_only);
            problem.older_twin.push(if returned[op] { None } else { twins.insert(code, new) });
            problem.slot.push(free.pop().unwrap_or_else(|| {
                problem.slots += 1;
                problem.slots as u32 - 1
            }));
        }
        problem
    }

    pub fn bytes(&self) -> usize {
        let columns = [&self.origin, &self.code, &self.slot, &self.deadline, &self.domain, &self.returns, &self.called];
        columns.iter().map(|column| column.capacity() * 4).sum::<usize>()
            + self.read_only.capacity()
            + self.older_twin.capacity() * size_of::<Option<u32>>()
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
