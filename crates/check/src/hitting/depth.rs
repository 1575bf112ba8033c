//! What is the linearizability depth of a history? Definition 4.2, decided exactly.
//!
//! Ozkan, Majumdar & Niksic, PPoPP 2019: the depth is the smallest d for which there are operations x₀ … x_{d−1} such that *every* schedule that
//! strongly hits ⟨x₀ … x_{d−1}⟩ explains the history. For each tuple, by increasing d, we look for a schedule that hits it and explains nothing.
//!
//! The schedules that hit a tuple are the linear extensions of a larger order: whatever follows no xⱼ, j ≥ i, in real time stands before xᵢ.
//!
//! ```text
//!   |--a--|                 ⟨c⟩: a and b follow c in no way, so both stand before c, in either order.
//!     |--b--|               ⟨b, c⟩: a stands before b, too. One schedule is left: a b c
//!    |--c--|
//! ```
//!
//! All of them are walked together, by the set of operations done and the states that the object may be in: a walk that meets an operation
//! which cannot take effect has found a schedule that explains nothing. Where an operation is pending, a schedule explains the history if
//! it does so with some of the pending operations left out: the states keep both.
//!
//! Cost: at most 2^w·n sets for w operations open at once, for each of up to n!/(n−d)! tuples. For small histories: at most 64 operations.

use crate::hitting::poset::Poset;
use crate::hitting::tuples::Tuples;
use hashbrown::{HashMap, HashSet};
use linpoint_base::{Account, Cause, Control, Hashing};
use linpoint_spec::{Code, Part, Spec, State, StepError};

/// More operations are not looked at.
pub const MOST_OPERATIONS: usize = 64;

/// What is known of the depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// It is this; 0 if there is no operation.
    Is(usize),
    /// No schedule explains the history.
    NotLinearizable,
    /// Why it was not found.
    Unknown(Cause),
}

/// The depth of a part with up to [`MOST_OPERATIONS`] operations.
pub fn depth(part: &Part, control: &Control) -> Result<Depth, StepError> {
    let (call, ret) = crate::ranks::ranks(part, 0);
    let poset = Poset::new((0..part.ops.len()).map(|op| (call[op], ret[op], part.processes[op])));
    let count = poset.len() as u32;
    assert!(poset.len() <= MOST_OPERATIONS, "the caller looks at the number of operations");
    let mut walk = Walk {
        sets: Sets::new(part.spec.fork())?,
        codes: part.codes.clone(),
        pending: (0..count).map(|op| poset.is_pending(op)).collect(),
        needs: (0..count).map(|op| mask((0..op).filter(|&before| poset.precedes(before, op)))).collect(),
        seen: HashSet::default(),
        open: Vec::new(),
        account: Account::alone(control),
    };
    let from_on: Vec<u64> =
        (0..count).map(|op| mask((op..count).filter(|&after| after == op || poset.precedes(op, after)))).collect();
    match walk.explore(true)? {
        Explored::Stopped(cause) => return Ok(Depth::Unknown(cause)),
        Explored::SomeComplete if count == 0 => return Ok(Depth::Is(0)),
        Explored::SomeComplete => {}
        Explored::NoneComplete | Explored::SomeStuck => return Ok(Depth::NotLinearizable),
    }
    let real_time = walk.needs.clone();
    for d in 1..=count as usize {
        let mut tuples = Tuples::new(count, d);
        while let Some(tuple) = tuples.next() {
            walk.needs.copy_from_slice(&real_time);
            let mut may_follow = 0;
            for &x in tuple.iter().rev() {
                may_follow |= from_on[x as usize];
                walk.needs[x as usize] |= all(count) & !may_follow;
            }
            match walk.explore(false)? {
                Explored::Stopped(cause) => return Ok(Depth::Unknown(cause)),
                Explored::SomeStuck => {}
                Explored::SomeComplete | Explored::NoneComplete => return Ok(Depth::Is(d)),
            }
        }
    }
    unreachable!("a witness is the only schedule that hits the tuple of all its operations")
}

fn mask(ops: impl Iterator<Item = u32>) -> u64 {
    ops.fold(0, |mask, op| mask | 1 << op)
}

/// The first `count` bits.
fn all(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count).unwrap_or(0)
}

/// What a walk over schedules met.
enum Explored {
    /// A schedule that explains the history, and none that does not if that ends the walk.
    SomeComplete,
    /// No schedule that explains the history.
    NoneComplete,
    /// A schedule that does not explain it.
    SomeStuck,
    Stopped(Cause),
}

struct Walk<'c> {
    sets: Sets,
    codes: Vec<Code>,
    pending: Vec<bool>,
    /// By operation: what stands before it in every schedule.
    needs: Vec<u64>,
    seen: HashSet<(u64, u32), Hashing>,
    open: Vec<(u64, u32)>,
    account: Account<'c>,
}

impl Walk<'_> {
    /// Walks all schedules that `needs` allows. `is_patient`: until one explains the history; otherwise until one does not.
    fn explore(&mut self, is_patient: bool) -> Result<Explored, StepError> {
        let count = self.codes.len() as u32;
        self.seen.clear();
        self.open.clear();
        self.open.push((0, 0));
        let mut is_complete = false;
        while let Some((done, states)) = self.open.pop() {
            self.account.configurations += 1;
            if self.account.configurations.is_multiple_of(256) {
                let held = self.seen.allocation_size() + self.open.capacity() * 16 + self.sets.bytes();
                if let Some(cause) = self.account.poll(held, 0) {
                    return Ok(Explored::Stopped(cause));
                }
            }
            if done == all(count) {
                is_complete = true;
                if is_patient {
                    return Ok(Explored::SomeComplete);
                }
            }
            for op in (0..count).filter(|&op| done >> op & 1 == 0 && self.needs[op as usize] & !done == 0) {
                let after = self.sets.after(states, self.codes[op as usize], self.pending[op as usize])?;
                match after {
                    Some(after) if self.seen.insert((done | 1 << op, after)) => self.open.push((done | 1 << op, after)),
                    Some(_) => {}
                    None if is_patient => {}
                    None => return Ok(Explored::SomeStuck),
                }
            }
        }
        Ok(if is_complete { Explored::SomeComplete } else { Explored::NoneComplete })
    }
}

/// Sets of states, numbered; 0 holds the initial one.
struct Sets {
    spec: Box<dyn Spec>,
    sets: Vec<Box<[State]>>,
    numbers: HashMap<Box<[State]>, u32, Hashing>,
    steps: HashMap<(u32, Code, bool), Option<u32>, Hashing>,
    held: usize,
}

impl Sets {
    fn new(mut spec: Box<dyn Spec>) -> Result<Sets, StepError> {
        let first = spec.initial()?;
        let mut sets = Sets { spec, sets: Vec::new(), numbers: HashMap::default(), steps: HashMap::default(), held: 0 };
        sets.number(vec![first]);
        Ok(sets)
    }

    fn number(&mut self, states: Vec<State>) -> u32 {
        if let Some(&number) = self.numbers.get(states.as_slice()) {
            return number;
        }
        let (number, states) = (self.sets.len() as u32, states.into_boxed_slice());
        self.held += 2 * (8 * states.len() + 16);
        self.sets.push(states.clone());
        self.numbers.insert(states, number);
        number
    }

    /// The states behind an operation, as it may never happen if it `is_pending`; None if there is no such state.
    fn after(&mut self, set: u32, code: Code, is_pending: bool) -> Result<Option<u32>, StepError> {
        if let Some(&known) = self.steps.get(&(set, code, is_pending)) {
            return Ok(known);
        }
        let mut next: Vec<State> = if is_pending { self.sets[set as usize].to_vec() } else { Vec::new() };
        for place in 0..self.sets[set as usize].len() {
            let state = self.sets[set as usize][place];
            self.spec.step(state, code, &mut next)?;
        }
        next.sort_unstable();
        next.dedup();
        let after = if next.is_empty() { None } else { Some(self.number(next)) };
        self.steps.insert((set, code, is_pending), after);
        Ok(after)
    }

    fn bytes(&self) -> usize {
        self.held + self.spec.bytes() + self.numbers.allocation_size() + self.steps.allocation_size()
    }
}
