//! Is a window linearizable, decided from intervals? Containers and registers whose values are all different.
//!
//! Breadth-first search would keep every order in which a queue's elements may stand: with five enqueues at a time that is beyond counting. If every
//! value is added or written once, the monitors of recorded histories decide from intervals instead (`linpoint_check::monitor`), and what has to be
//! kept is the history itself, without what can be forgotten (`through`, `nested`, `overwritten`).
//!
//! Cost: O(n log n) for the n operations kept and new, at each look; more where it has to be guessed what open removes took.

use crate::group::Group;
use crate::window::{Op, Slice};
use hashbrown::{HashMap, HashSet};
use linpoint_base::{Control, Hashing};
use linpoint_check::monitor::{Decision, Taken, decide_only};
use linpoint_check::{Settings, Window, method};
use linpoint_history::Event;
use linpoint_spec::{Part, Role, Shape, StepError};

/// May the window of this group be decided from intervals? Every value is added or written once, and nothing was inside at first.
pub fn covers(part: &Part, group: &Group) -> bool {
    if group.cut {
        return false;
    }
    let shape = part.spec.shape();
    match shape {
        Shape::Queue | Shape::PriorityQueue | Shape::Stack if part.spec.contents().is_empty() => {}
        Shape::Register if part.spec.contents().len() == 1 => {}
        _ => return false,
    }
    let mut returned = vec![false; part.ops.len()]; // of a prefix: what returned later was open then
    part.events.iter().filter(|event| event.is_return()).for_each(|event| returned[event.op()] = true);
    let mut added: HashSet<u32, Hashing> = HashSet::with_capacity_and_hasher(part.ops.len() / 2, Hashing::default());
    added.extend(part.spec.contents());
    part.codes.iter().enumerate().all(|(op, &code)| match part.spec.role(code) {
        Role::Add(value) | Role::Write(value) => added.insert(value),
        Role::Remove(_) | Role::RemoveUnknown | Role::Peek(_) | Role::Empty | Role::Read(_) => true,
        Role::Nothing => shape != Shape::Register || !returned[op],
        _ => false,
    })
}

/// What a window is.
pub struct Verdict {
    pub window: Window,
    /// If it is refuted: operations that are a violation by themselves, unless a search found it.
    pub conflict: Vec<u32>,
    /// If it is explained: what crashed removes must have taken; None if that is not known.
    pub taken: Option<Vec<Taken>>,
}

impl Verdict {
    fn of(window: Window) -> Verdict {
        Verdict { window, conflict: Vec::new(), taken: None }
    }
}

/// Judges a window.
pub fn judge(part: &Part, control: &Control) -> Result<Verdict, StepError> {
    Ok(match decide_only(part, control) {
        (Decision::Linearizable(_), taken) => Verdict { taken, ..Verdict::of(Window::Explained) },
        (Decision::Violation(conflict), _) => Verdict { window: refuted(part, &conflict), conflict, taken: None },
        (Decision::GaveUp(cause), _) => Verdict::of(Window::Stopped(cause)),
        (Decision::Declined(_), _) => Verdict::of(searched(part, control)?),
    })
}

/// What the window is, by search.
fn searched(part: &Part, control: &Control) -> Result<Window, StepError> {
    let auto = method("auto").expect("the portfolio has a name");
    let settings = Settings::of("auto").expect("the portfolio has a name");
    let answer = auto.run(part, &settings, control)?;
    Ok(match answer.verdict {
        linpoint_check::Verdict::Linearizable => Window::Explained,
        linpoint_check::Verdict::Unknown(cause) => Window::Stopped(cause),
        linpoint_check::Verdict::Violation => {
            let accused: Vec<u32> = answer.evidence.accused().into_iter().collect();
            refuted(part, &accused)
        }
    })
}

/// A window that is refuted: of these operations, or of all, the one that returns last is accused.
fn refuted(part: &Part, among: &[u32]) -> Window {
    let place = part
        .events
        .iter()
        .rposition(|event| event.is_return() && (among.is_empty() || among.contains(&part.ops[event.op()])));
    let place = place.expect("what is refuted has returned");
    let returns = part.events[..place].iter().filter(|event| event.is_return()).count();
    Window::Refuted { returns, operation: part.ops[part.events[place].op()] }
}

/// The part of some of its operations.
pub fn without(part: &Part, kept: &[bool]) -> Part {
    let ops: Vec<usize> = (0..part.ops.len()).filter(|&op| kept[op]).collect();
    let mut place = vec![0; part.ops.len()];
    ops.iter().enumerate().for_each(|(new, &op)| place[op] = new);
    let events = part.events.iter().filter(|event| kept[event.op()]).map(|event| {
        let op = place[event.op()];
        if event.is_return() { Event::ret(op) } else { Event::call(op) }
    });
    Part {
        label: None,
        ops: ops.iter().map(|&op| part.ops[op]).collect(),
        codes: ops.iter().map(|&op| part.codes[op]).collect(),
        processes: ops.iter().map(|&op| part.processes[op]).collect(),
        events: events.collect(),
        spec: part.spec.fork(),
    }
}

/// What need not be kept of a window that is explained.
#[derive(Default)]
pub struct Forgotten {
    /// Operations, by their places among those remembered.
    pub gone: Vec<u32>,
    /// Operations that are kept, and the events by which they had taken effect for certain: instead of those that are gone.
    pub earlier: Vec<(u32, u64)>,
    /// Adds and writes that crashed: they need not be looked at until an operation sees their value.
    pub crashed: Vec<u32>,
    /// Removes that crashed, in the order of their calls, called before anything that is open.
    pub removes: Vec<u32>,
}

/// Since when is everything open, and since when may it touch what is open?
///
/// ```text
///   fixed: the call of the oldest open operation       everything before it is fixed for good
///   reached: the call of the oldest operation that reaches it
///   add 7 ─┤ ├─ remove → 7 │reached ├── add 8 ──┼fixed ──…     7 is through: all of it returned before `reached`
/// ```
#[derive(Clone, Copy)]
pub struct Horizon {
    pub fixed: u64,
    pub reached: u64,
}

impl Horizon {
    /// That of a group's events.
    pub fn of(group: &Group, all: &[Op]) -> Horizon {
        Horizon::before(group, all, u64::MAX)
    }

    /// The same as if everything that was called at `limit` or later were open.
    fn before(group: &Group, all: &[Op], limit: u64) -> Horizon {
        let mut ops = group.events.iter().filter(|event| !event.is_return).map(|event| &all[event.op as usize]);
        // They stand in the order of their calls.
        let fixed = ops.clone().find(|op| op.end.is_none()).map_or(limit, |op| op.call.min(limit));
        let reached = ops.find(|op| op.end.is_none() || op.returned().is_some_and(|number| number >= fixed));
        Horizon { fixed, reached: reached.map_or(fixed, |op| op.call.min(fixed)) }
    }

    /// Did it return before anything that touches what is open?
    pub fn is_behind(self, op: &Op) -> bool {
        op.returned().is_some_and(|number| number < self.reached)
    }
}

/// What can be forgotten of an explained window in which crashed removes took this.
///
/// Should that not be known, less of the window is looked at: only what was called before some earlier event, as if all else were open. If
/// that is explained, what can be forgotten of it can be forgotten, for what comes later may be anything.
pub fn forget(
    (part, slice): (&Part, &Slice),
    (group, all): (&Group, &[Op]),
    taken: Option<Vec<Taken>>,
    control: &Control,
) -> Forgotten {
    let horizon = Horizon::of(group, all);
    if let Some(forgotten) = settled(&View { part, slice, all, horizon, taken: &[] }, taken) {
        return forgotten;
    }
    let known = group.events.partition_point(|event| event.number < horizon.fixed);
    for tries in 1..=TRIES {
        let Some(limit) = group.events[..known].get(known - known * tries / (TRIES + 1)) else { break };
        let horizon = Horizon::before(group, all, limit.number);
        let called: Vec<bool> = (0..part.ops.len()).map(|op| slice.op(part, op, all).call < limit.number).collect();
        let less = without(part, &called);
        let (Decision::Linearizable(_), taken) = decide_only(&less, control) else { continue };
        if let Some(forgotten) = settled(&View { part: &less, slice, all, horizon, taken: &[] }, taken) {
            return forgotten;
        }
    }
    Forgotten::default()
}

/// So often less of a window is looked at.
const TRIES: usize = 3;

/// What can be forgotten; None if it is not known what crashed removes took.
fn settled(view: &View<'_>, taken: Option<Vec<Taken>>) -> Option<Forgotten> {
    let crashed: Vec<(u32, Role)> = view.crashed().collect();
    let taken = if crashed.iter().any(|(_, role)| *role == Role::RemoveUnknown) { taken? } else { Vec::new() };
    let view = View { taken: &taken, ..*view };
    let mut forgotten = match view.part.spec.shape() {
        Shape::Stack => crate::nested::forget(&view),
        Shape::Register => crate::overwritten::forget(&view),
        _ => crate::through::forget(&view),
    };
    let adds = crashed.iter().filter(|(_, role)| matches!(role, Role::Add(_) | Role::Write(_)));
    forgotten.crashed = adds.map(|(place, _)| *place).collect();
    let removes = crashed.iter().filter(|(_, role)| *role == Role::RemoveUnknown).map(|(place, _)| *place);
    forgotten.removes = removes.filter(|&place| view.all[place as usize].call < view.horizon.fixed).collect();
    Some(forgotten)
}

/// An explained window.
pub struct View<'a> {
    pub part: &'a Part,
    pub slice: &'a Slice,
    pub all: &'a [Op],
    pub horizon: Horizon,
    pub taken: &'a [Taken],
}

impl View<'_> {
    /// The place of the operation of this number in the history.
    pub fn place(&self, number: u32) -> u32 {
        self.slice.ops[number as usize]
    }

    /// The operation of this number in the history.
    pub fn numbered(&self, number: u32) -> &Op {
        &self.all[self.place(number) as usize]
    }

    /// Did a crashed remove take it, and is everything over that happened to it or tells so?
    pub fn is_settled(&self, taken: &Taken) -> bool {
        let over = |op: &Op| self.horizon.is_behind(op) || op.crashed();
        let about = |role: Role| matches!(role, Role::Add(value) | Role::Peek(value) if value == taken.value);
        self.numbered(taken.by).crashed()
            && taken.because.iter().all(|&op| over(self.numbered(op)))
            && self.ops().all(|(_, op, role)| !about(role) || over(op))
    }

    /// The operations that tell of these, by their places.
    pub fn telling(&self, taken: &[&Taken]) -> HashSet<u32, Hashing> {
        taken.iter().flat_map(|taken| &taken.because).map(|&op| self.place(op)).collect()
    }

    /// The operations that crashed, with what they do.
    fn crashed(&self) -> impl Iterator<Item = (u32, Role)> {
        let placed = self.part.codes.iter().zip(&self.part.ops).map(|(&code, &number)| (code, self.place(number)));
        let crashed = placed.filter(|&(_, place)| self.all[place as usize].crashed());
        crashed.map(|(code, place)| (place, self.part.spec.role(code)))
    }

    /// The operations with what they do.
    pub fn ops(&self) -> impl Iterator<Item = (u32, &Op, Role)> {
        self.part.codes.iter().zip(&self.part.ops).map(|(&code, &number)| {
            let place = self.slice.ops[number as usize];
            (place, &self.all[place as usize], self.part.spec.role(code))
        })
    }
}

/// By value.
pub type ByValue<T> = HashMap<u32, T, Hashing>;

/// Room for the values of so many operations.
pub fn by_value<T>(operations: usize) -> ByValue<T> {
    HashMap::with_capacity_and_hasher(operations / 2, Hashing::default())
}
