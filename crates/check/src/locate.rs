//! Where does a history break that a special method calls a violation? A general search looks for the place.
//!
//! A monitor answers with a few operations in conflict, the queue search with one order. Breadth-first search shows all
//! candidates side by side, if it gets there within 20,000 configurations and needs at most 64 slots for open operations (a limit on
//! work, not on time: evidence does not depend on the load of the machine). If it explains everything instead, two exact methods
//! disagree: a bug in linpoint, and it panics.

use crate::outcome::{Answer, Evidence, Stuck};
use crate::relevant::relevant;
use crate::search::race::violation_evidence;
use crate::sub::{Ops, only};
use linpoint_base::Control;
use linpoint_spec::{Part, StepError};

/// How many configurations may be visited to find the place.
const ENOUGH: u64 = 20_000;

/// Completes the evidence of a violation, unless a general search gave it. The violation stands in any case.
pub(crate) fn locate(part: &Part, answer: &mut Answer, control: &Control) {
    if answer.is_general {
        return;
    }
    match &mut answer.evidence {
        Evidence::Witness(_) => unreachable!("a violation has no witness"),
        Evidence::Stuck(stuck) => {
            if let Ok(Some(shown)) = violation_evidence(part, ENOUGH, control) {
                let place = |stuck: &Stuck| (stuck.operation, stuck.explained);
                debug_assert_eq!(place(stuck), place(&shown), "two searches get equally far");
                *stuck = shown;
            }
        }
        Evidence::Conflict { operations, stuck } => *stuck = shown(part, operations, control).unwrap_or_default(),
    }
}

/// Where the part breaks, if a search finds that quickly; otherwise where the operations about the values in conflict do.
/// The last of the conflict to return, if that is not found quickly either.
fn shown(part: &Part, conflict: &[u32], control: &Control) -> Result<Stuck, StepError> {
    let inside: Ops = conflict.iter().copied().collect();
    let last = part.events.iter().rposition(|event| event.is_return() && inside.contains(&part.ops[event.op()]));
    let returns = part.events[..last.unwrap_or(0)].iter().filter(|event| event.is_return()).count();
    if returns as u64 <= ENOUGH
        && let Some(stuck) = violation_evidence(part, ENOUGH, control)?
    {
        return Ok(stuck);
    }
    let about: Ops = relevant(part, conflict).into_iter().collect();
    for ops in [&about, &inside].into_iter().filter(|ops| !ops.is_empty()) {
        if let Some(stuck) = violation_evidence(&only(part, ops), ENOUGH, control)? {
            return Ok(Stuck { operation: stuck.operation, ..Stuck::default() });
        }
    }
    Ok(Stuck { operation: last.map(|place| part.ops[part.events[place].op()]), ..Stuck::default() })
}
