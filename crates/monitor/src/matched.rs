//! Which values can be forgotten though the container was never empty? Match removal for queues, priority queues and bags.
//!
//! Breadth-first search would keep every order in which a queue's elements may stand: with five enqueues at a time that is beyond counting. If every
//! value is added once, the monitors of recorded histories decide from intervals instead (`linpoint_check::monitor`), and what has to be
//! kept is the history itself, without the values that are through. After Emmi, Enea & Hamza (PLDI 2015), who remove a matched group once the
//! operations open at its completion have returned; we also wait for those that were open when these were called.
//!
//! ```text
//!   T0: the call of the oldest open operation          everything before it is fixed for good
//!   T1: the call of the oldest operation that reaches T0
//!   add 7 ─┤ ├─ remove → 7 │T1 ├── add 8 ──┼T0 ──…     7 is through: all of it returned before T1
//! ```
//!
//! Why it changes no verdict. What is wrong with a queue is wrong with two of its values, or with one value and an "empty"; what is wrong with a
//! priority queue is one removal during which higher values are present. Of 7 all of that is decided: whatever it is
//! compared with either returned before T0, or was called after T1. And what is left of a linearizable history without 7 is linearizable.
//!
//! Not for stacks: there 7 may be the reason why one value lies below another. Cost: O(n log n) for the n operations kept
//! and new, at each look.

use crate::group::Group;
use crate::window::{Op, Outcome, Slice};
use hashbrown::HashMap;
use linpoint_base::{Control, Hashing};
use linpoint_check::monitor::{Decision, decide};
use linpoint_check::{Settings, Verdict, Window, method};
use linpoint_history::Event;
use linpoint_spec::{Part, Role, Shape, StepError};

/// May the window of this group be decided from intervals? Every value is added once, nothing was inside at first, and no remove crashed.
pub fn covers(part: &Part, group: &Group, slice: &Slice, all: &[Op]) -> bool {
    if group.cut
        || !matches!(part.spec.shape(), Shape::Queue | Shape::PriorityQueue)
        || !part.spec.contents().is_empty()
    {
        return false;
    }
    let mut added: HashMap<u32, (), Hashing> = HashMap::default();
    part.codes.iter().enumerate().all(|(op, &code)| match part.spec.role(code) {
        Role::Add(value) => added.insert(value, ()).is_none(),
        Role::RemoveUnknown => of(part, slice, all, op).end.is_none(),
        role => role != Role::Other,
    })
}

/// The operation at a place of the part.
fn of<'a>(part: &Part, slice: &Slice, all: &'a [Op], op: usize) -> &'a Op {
    &all[slice.ops[part.ops[op] as usize] as usize]
}

/// What the window is, and if it is refuted, operations that are a violation by themselves.
pub fn judge(part: &Part, control: &Control) -> Result<(Window, Vec<u32>), StepError> {
    let known: Vec<bool> = part.codes.iter().map(|&code| part.spec.role(code) != Role::RemoveUnknown).collect();
    let some_open = known.contains(&false);
    // An open remove may never take effect: without all of them is one way it may have been.
    if some_open && matches!(decide(&without(part, &known), control), Decision::Linearizable(_)) {
        return Ok((Window::Explained, Vec::new()));
    }
    match decide(part, control) {
        Decision::Linearizable(_) => return Ok((Window::Explained, Vec::new())),
        Decision::Violation(conflict) => return Ok((refuted(part, &conflict), conflict)),
        Decision::GaveUp(cause) => return Ok((Window::Stopped(cause), Vec::new())),
        Decision::Declined(_) => {}
    }
    let auto = method("auto").expect("the portfolio has a name");
    let settings = Settings::of("auto").expect("the portfolio has a name");
    let answer = auto.run(part, &settings, control)?;
    Ok(match answer.verdict {
        Verdict::Linearizable => (Window::Explained, Vec::new()),
        Verdict::Unknown(cause) => (Window::Stopped(cause), Vec::new()),
        Verdict::Violation => {
            let accused: Vec<u32> = answer.evidence.accused().into_iter().collect();
            (refuted(part, &accused), Vec::new())
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

/// What is known of a value.
#[derive(Default)]
struct Through {
    removed: bool,
    waits: bool,
}

/// The operations of an explained window that can be forgotten.
pub fn through(part: &Part, slice: &Slice, all: &[Op]) -> Vec<u32> {
    let op = |place: usize| of(part, slice, all, place);
    let calls = |reaches: &dyn Fn(&Op) -> bool| {
        (0..part.ops.len()).map(op).filter(|op| reaches(op)).map(|op| op.call).min().unwrap_or(u64::MAX)
    };
    let fixed = calls(&|op| op.end.is_none());
    let returned = |op: &Op| match op.end {
        Some(end) if matches!(end.outcome, Outcome::Ok(_)) => Some(end.number),
        _ => None,
    };
    let reached = calls(&|op| op.end.is_none() || returned(op).is_some_and(|number| number >= fixed));
    let decided = |op: &Op| returned(op).is_some_and(|number| number < reached);
    let mut values: HashMap<u32, Through, Hashing> = HashMap::default();
    for (place, &code) in part.codes.iter().enumerate() {
        let (Role::Add(value) | Role::Remove(value) | Role::Peek(value)) = part.spec.role(code) else { continue };
        let known = values.entry(value).or_default();
        known.removed |= matches!(part.spec.role(code), Role::Remove(_));
        // An add that crashed took effect before its value was removed.
        let crashed = op(place).end.is_some_and(|end| end.outcome == Outcome::Info);
        known.waits |= !crashed && !decided(op(place));
    }
    let gone = |&place: &usize| match part.spec.role(part.codes[place]) {
        Role::Add(value) | Role::Remove(value) | Role::Peek(value) => {
            values.get(&value).is_some_and(|known| known.removed && !known.waits)
        }
        Role::Empty => decided(op(place)),
        Role::Nothing => op(place).end.is_some(),
        _ => false,
    };
    (0..part.ops.len()).filter(gone).map(|place| slice.ops[part.ops[place] as usize]).collect()
}
