//! About which few values is the violation? Everything about other values may then be left out.
//!
//! Restricting a container or a register to some of its values keeps linearizable what is linearizable (`relevant`), so a violation among
//! the operations about a few values is one whatever happened to the others. A monitor names operations in conflict; where
//! none did, the values of the accused operation are tried, then these and one more, the latest first.

use super::workbench::{Found, Workbench};
use crate::relevant::relevant;
use crate::search::breadth_first::Start;
use crate::search::problem::Need;
use crate::sub::{Ops, only, past};
use linpoint_spec::{Part, Role, Shape, StepError};

/// How many values are tried together with the accused one's.
const TRIED: usize = 100;

/// Operations about few values, the accused one among them, of which a search finds the same return impossible; None if
/// there are none, the object is not of a kind for which this is sound, or it is not worth it.
pub(super) fn about_the_same(
    bench: &mut Workbench<'_>,
    part: &Part,
    base: &Part,
    accused: u32,
    conflict: &[u32],
) -> Result<Option<Ops>, StepError> {
    if !is_sound(part) {
        return Ok(None);
    }
    if !conflict.is_empty()
        && let Some(found) = violating(bench, part, accused, conflict)?
    {
        return Ok(Some(found));
    }
    if let Some(found) = violating(bench, part, accused, &[accused])? {
        return Ok(Some(found));
    }
    let mut tried = 0;
    let mut seen = Ops::default();
    for (&op, &code) in base.ops.iter().zip(&base.codes).rev() {
        let value = match part.spec.role(code) {
            Role::Add(value) | Role::Remove(value) | Role::Write(value) | Role::Change(_, value) => value,
            _ => continue,
        };
        if seen.insert(value) {
            if let Some(found) = violating(bench, part, accused, &[accused, op])? {
                return Ok(Some(found));
            }
            tried += 1;
        }
        if tried == TRIED || bench.left == 0 {
            break;
        }
    }
    Ok(None)
}

/// The operations about the values of `core`, and no others: if the whole was linearizable, so are they. None if the object is not of a kind for
/// which this is sound, or they are too many.
pub(super) fn about_those_of(part: &Part, core: &[u32]) -> Option<Ops> {
    let ops: Ops = if is_sound(part) { relevant(part, core).into_iter().collect() } else { Ops::default() };
    Some(ops).filter(|ops| core.iter().all(|op| ops.contains(op)))
}

/// Is every operation of a kind that may be left out with all others about its value?
fn is_sound(part: &Part) -> bool {
    let container = matches!(part.spec.shape(), Shape::Queue | Shape::Stack | Shape::PriorityQueue);
    let known = |role: Role| match role {
        Role::Other | Role::ReadNot(_) | Role::ChangeNot(..) => false, // what another value was seen to be is not told
        Role::Add(_) | Role::Remove(_) | Role::RemoveUnknown | Role::Peek(_) | Role::Empty => container,
        Role::Absent(_) => container,
        Role::Read(_) | Role::Write(_) | Role::Change(..) | Role::ChangeIf(..) => !container,
        Role::Nothing => true,
    };
    (container || part.spec.shape() == Shape::Register) && part.codes.iter().all(|&code| known(part.spec.role(code)))
}

/// The operations about the values of `core`, if they go wrong at the return of the accused one.
fn violating(bench: &mut Workbench<'_>, part: &Part, accused: u32, core: &[u32]) -> Result<Option<Ops>, StepError> {
    let ops: Ops = relevant(part, core).into_iter().collect();
    bench.spend(part.ops.len() as u64 / 64);
    if !ops.contains(&accused) {
        return Ok(None);
    }
    let Some(base) = past(&only(part, &ops), accused) else { return Ok(None) };
    let start = Start { state: bench.specification().initial()?, done: Vec::new() };
    let last = base.events.iter().filter(|event| event.is_return()).count() - 1;
    Ok((bench.explain(&base, &[start], |_| Need::Recorded)? == Found::Stuck(last)).then_some(ops))
}
