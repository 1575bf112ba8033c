//! Is the whole history allowed? Judges the parts in parallel and makes one answer of theirs.
//!
//! Parts run largest first, and the first violation settles the whole history: the other parts stop.

use crate::confirm::confirm;
use crate::merge::merge;
use crate::methods::{Method, method};
use crate::outcome::{Answer, Evidence, Outcome, Stuck, Verdict};
use linpoint_base::{Cause, Control};
use linpoint_history::History;
use linpoint_spec::{Part, StepError};
use rayon::prelude::*;

/// What the user chose.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How to decide a part.
    pub method: &'static dyn Method,
    /// How many configurations the method `wgl` remembers; None: all.
    pub cache: Option<usize>,
    /// How many threads may work at once.
    pub threads: usize,
    /// How much depth-first may try alone before the race begins, besides one try per operation. [`HEAD_START`], but in tests.
    pub head_start: u64,
}

impl Settings {
    /// The method of this name, with defaults for the rest; None if there is no such method.
    pub fn of(name: &str) -> Option<Settings> {
        method(name).map(|method| Settings { method, cache: None, threads: 1, head_start: HEAD_START })
    }

    /// How many configurations depth-first has to itself in a part.
    pub(crate) fn head_start(&self, part: &Part) -> u64 {
        self.head_start + part.ops.len() as u64
    }
}

/// Enough for most histories.
pub const HEAD_START: u64 = 4096;

/// Histories smaller than this are not worth a thread.
const SMALL: usize = 2000;

/// Judges the parts of a history.
pub fn judge(history: &History, parts: &[Part], settings: Settings, control: &Control) -> Outcome {
    let mut by_size: Vec<usize> = (0..parts.len()).collect();
    by_size.sort_by_key(|&part| std::cmp::Reverse(parts[part].ops.len()));
    for part in parts {
        control.expect(part.events.iter().filter(|event| event.is_return()).count());
    }
    let work = |&part: &usize| {
        let answer = judge_part(&parts[part], settings, control);
        if answer.verdict == Verdict::Violation {
            control.settle();
        }
        (part, answer)
    };
    let answers: Vec<(usize, Answer)> = if history.len() < SMALL {
        by_size.iter().map(work).collect()
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.max(1)).build();
        let pool = pool.expect("threads can be started");
        // A bridge keeps "largest first": an idle thread takes the next in line.
        pool.install(|| by_size.iter().par_bridge().map(work).collect())
    };
    combine(history, parts, answers)
}

fn judge_part(part: &Part, settings: Settings, control: &Control) -> Answer {
    if let Some(cause) = control.halted() {
        return Answer::bare(Verdict::Unknown(cause), "none");
    }
    let method = settings.method;
    let ran = match method.covers(part) {
        Ok(()) => method.run(part, &settings, control),
        Err(why) => Ok(Answer::bare(Verdict::Unknown(Cause::Declined(why)), method.name())),
    };
    let broken = |StepError(message)| Answer::bare(Verdict::Unknown(Cause::Broken(message)), "none");
    let mut answer = ran.unwrap_or_else(broken);
    match &mut answer.verdict {
        Verdict::Violation => confirm(part, &mut answer, control),
        Verdict::Unknown(Cause::Declined(why)) => *why = format!("{}: {why}", method.name()),
        _ => {}
    }
    answer
}

/// One answer out of those of the parts: a violation beats unknown beats linearizable.
fn combine(history: &History, parts: &[Part], mut answers: Vec<(usize, Answer)>) -> Outcome {
    let configurations = answers.iter().map(|(_, answer)| answer.configurations).sum();
    // Among violations the one that shows first; among the rest the largest part, which came first.
    answers.sort_by_key(|(_, answer)| match &answer.verdict {
        Verdict::Violation => (0, answer.evidence.accused().map_or(u32::MAX, |op| history.ret[op as usize])),
        Verdict::Unknown(Cause::Broken(_)) => (1, 0),
        Verdict::Unknown(Cause::Moot) => (3, 0),
        Verdict::Unknown(_) => (2, 0),
        Verdict::Linearizable => (4, 0),
    });
    let Some((part, decisive)) = answers.first_mut() else {
        unreachable!("a history has at least one part");
    };
    let (verdict, method) = (decisive.verdict.clone(), decisive.method);
    let why_method = std::mem::take(&mut decisive.why);
    let nothing = Evidence::Stuck(Stuck::default());
    let (evidence, part) = match verdict {
        Verdict::Linearizable => {
            let orders = answers.into_iter().map(|(_, answer)| match answer.evidence {
                Evidence::Witness(order) => order,
                _ => unreachable!("a yes comes with an order"),
            });
            (Evidence::Witness(merge(history, orders)), None)
        }
        _ => (std::mem::replace(&mut decisive.evidence, nothing), parts[*part].label.clone()),
    };
    Outcome { verdict, evidence, part, method, why_method, parts: parts.len(), configurations }
}
