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

/// May the window of this group be decided from intervals? Every value is added or written once, nothing was inside at first, and of a
/// stack no remove crashed.
pub fn covers(part: &Part, group: &Group, slice: &Slice, all: &[Op]) -> bool {
    if group.cut {
        return false;
    }
    let shape = part.spec.shape();
    match shape {
        Shape::Queue | Shape::PriorityQueue | Shape::Stack if part.spec.contents().is_empty() => {}
        Shape::Register if part.spec.contents().len() == 1 => {}
        _ => return false,
    }
    let mut added: HashSet<u32, Hashing> = part.spec.contents().into_iter().collect();
    part.codes.iter().enumerate().all(|(op, &code)| match part.spec.role(code) {
        Role::Add(value) | Role::Write(value) => added.insert(value),
        // Of a prefix: what returned later was open then.
        Role::RemoveUnknown => shape != Shape::Stack || !slice.op(part, op, all).crashed(),
        Role::Remove(_) | Role::Peek(_) | Role::Empty | Role::Read(_) => true,
        Role::Nothing => shape != Shape::Register || slice.op(part, op, all).returned().is_none(),
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
        let ops = || group.events.iter().filter(|event| !event.is_return).map(|event| &all[event.op as usize]);
        let calls =
            |reaches: &dyn Fn(&Op) -> bool| ops().filter(|op| reaches(op)).map(|op| op.call).min().unwrap_or(u64::MAX);
        let fixed = calls(&|op| op.end.is_none());
        let reached = calls(&|op| op.end.is_none() || op.returned().is_some_and(|number| number >= fixed));
        Horizon { fixed, reached }
    }

    /// Did it return before anything that touches what is open?
    pub fn is_behind(self, op: &Op) -> bool {
        op.returned().is_some_and(|number| number < self.reached)
    }
}

/// What can be forgotten of an explained window in which crashed removes took this; nothing if that is not known.
pub fn forget(part: &Part, slice: &Slice, all: &[Op], horizon: Horizon, taken: Option<&[Taken]>) -> Forgotten {
    let Some(taken) = taken else { return Forgotten::default() };
    let view = View { part, slice, all, horizon, taken };
    match part.spec.shape() {
        Shape::Stack => crate::nested::forget(&view),
        Shape::Register => crate::overwritten::forget(&view),
        _ => crate::through::forget(&view),
    }
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
    /// The operation of this number in the history.
    pub fn numbered(&self, number: u32) -> &Op {
        &self.all[self.slice.ops[number as usize] as usize]
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
