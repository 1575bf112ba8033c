//! Which method for which part? The policy, and nothing else.
//!
//! Within a part the cheapest exact method decides:
//!
//! 1. the monitor of its shape, without a search;
//! 2. for a queue that the monitor declines, the search that holds one element at a time; where that does not know soon, it takes turns with `takes-from` and the solver;
//! 3. where a specification can only be run, or its states cannot be hashed, a few schedules of depth 1 and 2: cheaper than any search, if one is a witness;
//! 4. otherwise the two general searches and, where it covers the object, the solver, raced: turn by turn each may do twice the work.
//!
//! A value that no operation can have supplied would cost a search everything, and a scan tells it: before the queue search, and
//! where the first slice of depth-first search, which settles most histories, did not settle this one; before that slice, too, where many operations are
//! open at once. Behind it operations that never returned are counted (`crash-counts`) where there are many, transactions are put in order
//! (`transactions`), and unless that search gets on, what each remove of a stack can have taken is looked at (`takes-from`), the solver has its first turn, and
//! where that is not enough the writes that each read of a register can have seen are looked at (`reads-from`).
//!
//! A method that declines, or lacks the memory, gives way to the next; its reason is told (`--explain-method`).

use crate::methods::Method;
use crate::outcome::{Answer, Verdict};
use crate::search::crashed::CrashCounts;
use crate::search::queue::{self, QueueSearch};
use crate::search::race::{Entrants, Turn, race_unless};
use crate::settings::Settings;
use crate::solver::{self, Solver};
use crate::supply::SupplyScan;
use crate::{hitting, monitor};
use linpoint_base::{Cause, Control};
use linpoint_spec::{Part, StepError};
use std::cell::Cell;

/// The cheapest method that covers the part and has the memory for it.
pub struct Auto;

impl Method for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn help(&self) -> &'static str {
        "the cheapest exact method for each part: a monitor, the queue search, a few schedules if the specification can only be run or its states cannot be hashed, or the general searches and the solver in turns with other methods that fit"
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        let mut why = None;
        let growing = monitor::GROWING.iter().map(|&method| method as &dyn Method);
        for method in growing.chain(monitor::MONITORS.iter().map(|&method| method as &dyn Method)) {
            match attempt(method, part, settings, control)? {
                Ok(answer) => return Ok(answer),
                Err(reason) => why = why.or(reason),
            }
        }
        let why = why.unwrap_or_else(|| "there is no monitor for this object".to_owned());
        let scan = || Ok(attempt(&SupplyScan, part, settings, control)?.ok());
        let load = Load::of(part);
        let (turns, has_looked) = (Cell::new(0u32), Cell::new(false));
        let aside = |Turn { slice, explained, returns }: Turn| {
            let turn = turns.replace(turns.get() + 1);
            let before: &[&dyn Method] = match (turn, load.crashed) {
                (0, true) => &[&SupplyScan, &CrashCounts, &monitor::transactions::MONITOR],
                (0, false) => &[&SupplyScan, &monitor::transactions::MONITOR],
                _ => &[],
            };
            for &method in before {
                if let Ok(answer) = attempt(method, part, settings, control)? {
                    return Ok(Some(answer));
                }
            }
            if TENTH * explained >= returns << turn.min(4) {
                return Ok(None); // the search gets on
            }
            let known = taken(part, turn, slice, control).or_else(|| solved(part, slice, settings, control));
            if known.is_some() || has_looked.replace(true) {
                return Ok(known);
            }
            Ok(attempt(&monitor::reads_from::MONITOR, part, settings, control)?.ok())
        };
        if QueueSearch.covers(part).is_ok() {
            if let Some(answer) = scan()? {
                return Ok(Answer { why, ..answer });
            }
            let aside = |Turn { slice, .. }: Turn| {
                let turn = turns.replace(turns.get() + 1);
                Ok(taken(part, turn, slice, control).or_else(|| solved(part, slice, settings, control)))
            };
            let answer = queue::search_unless(part, settings.head_start(part), control, &aside)?;
            if let Ok(answer) = given(answer) {
                return Ok(Answer { why: with_reason(why, &answer), ..answer });
            }
        }
        let mut why = why;
        if let Some(reason) = part.spec.why_run() {
            let answer = hitting::first_try(part, control)?;
            match answer.verdict {
                Verdict::Unknown(Cause::Depth(_) | Cause::Work | Cause::Memory) => {
                    why = format!("{reason}; {}; a search went on", answer.why);
                }
                _ => return Ok(Answer { why: reason.to_owned(), ..answer }),
            }
        }
        if load.open >= MANY
            && let Some(answer) = scan()?
        {
            return Ok(Answer { why, ..answer });
        }
        let answer = race_unless(part, Entrants::Both, settings.head_start(part), control, &aside)?;
        Ok(Answer { why: with_reason(why, &answer), ..answer })
    }
}

/// A search that has explained a tenth of the returns after its first slice, a fifth after its second, and so on, gets on: nobody else is asked.
const TENTH: u64 = 10;

/// For how many steps of the solver's work, or comparisons of `takes-from`, a configuration of a search stands. A step takes a quarter of a microsecond, a configuration one where few
/// operations are open and thirty where a thousand are; and what the solver cannot decide, a search rarely can.
const STEPS: u64 = 256;

/// What the `turn`-th choice of adds for removes gives with the work of so many configurations, if the part is a stack or a queue.
fn taken(part: &Part, turn: u32, slice: u64, control: &Control) -> Option<Answer> {
    monitor::TAKES_FROM.covers(part).ok()?;
    let answer = monitor::TAKES_FROM.within(part, turn.into(), slice.saturating_mul(STEPS), control);
    let why = format!("a search did not know after {slice} configurations, this did {}", answer.why);
    given(answer).ok().map(|answer| Answer { why, ..answer })
}

/// What the solver knows after the work of so many configurations, if it covers the part.
fn solved(part: &Part, slice: u64, settings: &Settings, control: &Control) -> Option<Answer> {
    Solver.covers(part).ok()?;
    let answer = solver::within(part, slice.saturating_mul(STEPS), settings, control);
    let why = format!(
        "a search did not know after {slice} configurations, the solver did after {} steps",
        answer.configurations
    );
    (!matches!(answer.verdict, Verdict::Unknown(_))).then_some(Answer { why, ..answer })
}

/// So many operations open at once are many: a value out of thin air is looked for before any search, which would take long to exclude it.
const MANY: usize = 16;

/// One crash in so many operations is frequent.
const FREQUENT: usize = 50;

/// What makes a part hard to search.
struct Load {
    /// How many operations are open at once at most, pending ones to the end.
    open: usize,
    /// Did many operations never return?
    crashed: bool,
}

impl Load {
    fn of(part: &Part) -> Load {
        let (mut now, mut open) = (0usize, 0);
        for event in &part.events {
            now = if event.is_return() { now - 1 } else { now + 1 };
            open = open.max(now);
        }
        Load { open, crashed: now >= MANY && now * FREQUENT > part.ops.len() }
    }
}

/// An answer; or why there is none, if the method covers such objects at all.
fn attempt(
    method: &dyn Method,
    part: &Part,
    settings: &Settings,
    control: &Control,
) -> Result<Result<Answer, Option<String>>, StepError> {
    if method.covers(part).is_err() {
        return Ok(Err(None));
    }
    Ok(given(method.run(part, settings, control)?))
}

/// The answer, unless the method declined, for this reason, or ran out of memory.
fn given(answer: Answer) -> Result<Answer, Option<String>> {
    match answer.verdict {
        Verdict::Unknown(Cause::Declined(reason)) => Err(Some(reason)),
        Verdict::Unknown(Cause::Memory) => Err(Some(format!("{} ran out of memory", answer.method))),
        _ => Ok(answer),
    }
}

/// Why the monitors did not answer; and why another method than a search did.
fn with_reason(why: String, answer: &Answer) -> String {
    let is_aside = [Solver.name(), monitor::TAKES_FROM.name()].contains(&answer.method);
    if is_aside { format!("{why}; {}", answer.why) } else { why }
}
