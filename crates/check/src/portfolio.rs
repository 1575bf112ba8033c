//! Which method for which part? The policy, and nothing else.
//!
//! Within a part the cheapest exact method decides:
//!
//! 1. the monitor of its shape, without a search;
//! 2. for a queue that the monitor declines, the search that holds one element at a time;
//! 3. otherwise the two general searches, raced.
//!
//! A method that declines, or lacks the memory, gives way to the next; its reason is told (`--explain-method`).

use crate::judge::Settings;
use crate::methods::Method;
use crate::outcome::{Answer, Verdict};
use crate::search::race::{Entrants, race};
use crate::{monitor, search};
use linpoint_base::{Cause, Control};
use linpoint_spec::{Part, StepError};

/// Special methods, the cheapest first.
const SPECIAL: [&dyn Method; 7] = [
    &monitor::queue::MONITOR,
    &monitor::stack::MONITOR,
    &monitor::priority_queue::MONITOR,
    &monitor::register::MONITOR,
    &monitor::set::SET,
    &monitor::set::MUTEX,
    &search::queue::QueueSearch,
];

/// The cheapest method that covers the part and has the memory for it.
pub struct Auto;

impl Method for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn help(&self) -> &'static str {
        "the cheapest exact method for each part: a monitor, the queue search, or a race of the two general searches"
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        let mut why = None;
        for method in SPECIAL.into_iter().filter(|method| method.covers(part).is_ok()) {
            let answer = method.run(part, settings, control)?;
            let reason = match &answer.verdict {
                Verdict::Unknown(Cause::Declined(reason)) => reason.clone(),
                Verdict::Unknown(Cause::Memory) => format!("{} ran out of memory", answer.method),
                _ => return Ok(Answer { why: why.unwrap_or(answer.why), ..answer }),
            };
            why.get_or_insert(reason);
        }
        let why = why.unwrap_or_else(|| "there is no monitor for this object".to_owned());
        Ok(Answer { why, ..race(part, Entrants::Both, settings.head_start(part), control)? })
    }
}
