//! Where does a history break that a special method calls a violation? A general search shows it, and confirms it.
//!
//! A monitor answers with a few operations in conflict, the queue search with one order. Breadth-first search shows all
//! candidates side by side, if it gets there within a bounded amount of work (not of time: evidence does not depend on the
//! load of the machine). Two exact methods that disagree are a bug, and a loud one.

use crate::outcome::{Answer, Evidence};
use crate::relevant::relevant;
use crate::search::race::violation_evidence;
use linpoint_base::Control;
use linpoint_history::Event;
use linpoint_spec::{Part, StepError};
use std::collections::HashSet;

/// How many configurations may be visited to show a violation as a search would, or to confirm it.
const ENOUGH: u64 = 20_000;

/// Completes the evidence of a violation, unless a general search gave it. The violation stands in any case.
pub(crate) fn confirm(part: &Part, answer: &mut Answer, control: &Control) {
    if answer.is_general {
        return;
    }
    if !answer.core.is_empty() {
        let last = last_return(part, &answer.core);
        let stuck = last.map(|place| part.ops[part.events[place].op()]);
        answer.evidence = Evidence { stuck, ..Evidence::default() };
        answer.relevant = relevant(part, &answer.core);
    }
    if let Ok(Some(evidence)) = search(part, &answer.core, control) {
        let place = |evidence: &Evidence| (evidence.stuck, evidence.explained);
        debug_assert!(
            !answer.core.is_empty() || place(&answer.evidence) == place(&evidence),
            "two searches get equally far"
        );
        answer.evidence = evidence;
    }
}

/// Where the part breaks, if a search finds that quickly. If not, a search of the conflict alone, if it ends, must agree.
fn search(part: &Part, conflict: &[u32], control: &Control) -> Result<Option<Evidence>, StepError> {
    let before = &part.events[..last_return(part, conflict).unwrap_or(0)];
    if before.iter().filter(|event| event.is_return()).count() as u64 <= ENOUGH
        && let Some(evidence) = violation_evidence(part, ENOUGH, control)?
    {
        return Ok(Some(evidence));
    }
    if !conflict.is_empty() {
        violation_evidence(&excerpt(part, conflict), ENOUGH, control)?;
    }
    Ok(None)
}

/// The place of the last return of these operations.
fn last_return(part: &Part, conflict: &[u32]) -> Option<usize> {
    let inside: HashSet<u32> = conflict.iter().copied().collect();
    part.events.iter().rposition(|event| event.is_return() && inside.contains(&part.ops[event.op()]))
}

/// The part of these operations only.
fn excerpt(part: &Part, conflict: &[u32]) -> Part {
    let inside: HashSet<u32> = conflict.iter().copied().collect();
    let mut small =
        Part { label: None, ops: Vec::new(), codes: Vec::new(), events: Vec::new(), spec: part.spec.fork() };
    let mut local = hashbrown::HashMap::new();
    for event in part.events.iter().filter(|event| inside.contains(&part.ops[event.op()])) {
        let place = *local.entry(event.op()).or_insert(small.ops.len());
        if event.is_return() {
            small.events.push(Event::ret(place));
        } else {
            small.events.push(Event::call(place));
            small.ops.push(part.ops[event.op()]);
            small.codes.push(part.codes[event.op()]);
        }
    }
    small
}
