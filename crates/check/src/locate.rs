//! Where does a history break that a special method calls a violation? A general search looks for the place.
//!
//! A monitor answers with a few operations in conflict, the queue search with one order. Breadth-first search shows all
//! candidates side by side, if it gets there within 20,000 configurations, fewer where more than 8 operations are open at once or there are more than 8 cells, and none beyond 64 (a limit on
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
            if let Ok(Some(shown)) = violation_evidence(part, ENOUGH, stuck.explained, control) {
                let place = |stuck: &Stuck| (stuck.operation, stuck.explained);
                debug_assert_eq!(place(stuck), place(&shown), "two searches get equally far");
                *stuck = shown;
            }
        }
        Evidence::Conflict { operations, stuck } | Evidence::Derivation { operations, stuck, .. } => {
            *stuck = shown(part, operations, control).unwrap_or_default()
        }
    }
}

/// Where the part breaks, if a search finds that quickly; otherwise where the operations about the values in conflict do.
/// Nobody is accused if that is not found quickly either: the last of the conflict to return may be innocent.
fn shown(part: &Part, conflict: &[u32], control: &Control) -> Result<Stuck, StepError> {
    let inside: Ops = conflict.iter().copied().collect();
    let last = last_return(part, &inside);
    if let Some(stuck) = violation_evidence(part, ENOUGH, returns_before(part, last), control)? {
        return Ok(stuck);
    }
    let about: Ops = relevant(part, conflict).into_iter().collect();
    for ops in [&about, &inside].into_iter().filter(|ops| !ops.is_empty()) {
        let few = only(part, ops);
        let returns = returns_before(&few, last_return(&few, &inside));
        if let Some(stuck) = violation_evidence(&few, ENOUGH, returns, control)? {
            return Ok(Stuck { operation: stuck.operation, ..Stuck::default() });
        }
    }
    Ok(Stuck::default())
}

/// The place of the last event that is a return of one of these operations.
fn last_return(part: &Part, ops: &Ops) -> Option<usize> {
    part.events.iter().rposition(|event| event.is_return() && ops.contains(&part.ops[event.op()]))
}

/// How many operations return before a place among the events.
fn returns_before(part: &Part, place: Option<usize>) -> usize {
    part.events[..place.unwrap_or(0)].iter().filter(|event| event.is_return()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    const CONFLICT: &str = "enqueue 1; enqueue 2; dequeue -> 2; dequeue -> 1";

    /// Values that pass through the queue, one by one; two operations each.
    fn passing(count: u64) -> String {
        (0..count).map(|value| format!("enqueue {0}; dequeue -> {0};", value + 10)).collect()
    }

    fn shown_in(operations: &str, conflict: &[u32], control: &Control) -> Stuck {
        let history = linpoint_testkit::history(operations);
        let part = linpoint_testkit::parts("queue", &history, false).expect("the model fits").remove(0);
        shown(&part, conflict, control).expect("queues do not fail")
    }

    #[test]
    fn whatever_comes_later_the_return_is_shown_with_its_candidates() {
        let operations = format!("{CONFLICT}; {}", passing(ENOUGH / 2 + 10));
        let stuck = shown_in(&operations, &[0, 1, 2, 3], &Control::new(None, usize::MAX));
        assert_eq!((stuck.operation, stuck.explained, stuck.candidates.len()), (Some(2), 2, 1));
    }

    #[test]
    fn what_lies_behind_many_returns_is_shown_alone() {
        let before = ENOUGH + 20;
        let operations = format!("{}; {CONFLICT}", passing(before / 2));
        let conflict = [0, 1, 2, 3].map(|place| before as u32 + place);
        let stuck = shown_in(&operations, &conflict, &Control::new(None, usize::MAX));
        assert_eq!(stuck, Stuck { operation: Some(before as u32 + 2), ..Stuck::default() });
    }

    /// Of this conflict the third breaks it, not the last.
    #[test]
    fn without_time_or_memory_nobody_is_accused() {
        for control in [Control::new(Some(Instant::now()), usize::MAX), Control::new(None, 1)] {
            let stuck = shown_in(&format!("{CONFLICT}; {}", passing(10)), &[0, 1, 2, 3], &control);
            assert_eq!(stuck, Stuck::default());
        }
    }
}
