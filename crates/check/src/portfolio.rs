//! Which method for which part? The only file that knows all methods.
//!
//! Parts run in parallel, largest first, and the first violation settles the whole history: the other parts
//! stop. Within a part the two searches race (`race`), unless one method was asked for.

use crate::control::{Account, Cause, Control};
use crate::outcome::{Answer, Outcome, Progress, Verdict};
use crate::race::Entrants::{Both, BreadthOnly, DepthOnly};
use crate::race::race;
use crate::wgl::Wgl;
use linpoint_history::History;
use linpoint_spec::{Part, StepError};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Both searches, raced.
    Auto,
    /// Depth-first alone.
    DepthFirst,
    /// Breadth-first alone.
    BreadthFirst,
    /// The seed's algorithm.
    Wgl,
}

impl Method {
    /// All methods with their names.
    pub const ALL: [(Method, &'static str); 4] = [
        (Method::Auto, "auto"),
        (Method::DepthFirst, "depth-first"),
        (Method::BreadthFirst, "breadth-first"),
        (Method::Wgl, "wgl"),
    ];

    /// The method of a name.
    pub fn from_name(name: &str) -> Option<Method> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(method, _)| *method)
    }
}

/// What the user chose.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How to search.
    pub method: Method,
    /// How many configurations [`Method::Wgl`] remembers; None: all.
    pub cache: Option<usize>,
    /// How many threads may work at once.
    pub threads: usize,
    /// How much depth-first may try alone before the race begins, besides one try an operation. [`HEAD_START`], but in tests.
    pub head_start: u64,
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

/// One answer out of those of the parts: a violation beats unknown beats linearizable.
fn combine(history: &History, parts: &[Part], mut answers: Vec<(usize, Answer)>) -> Outcome {
    let configurations = answers.iter().map(|(_, answer)| answer.configurations).sum();
    // Among violations the one that shows first; among the rest the largest part, which came first.
    answers.sort_by_key(|(_, answer)| match &answer.verdict {
        Verdict::Violation => (0, answer.evidence.stuck.map_or(u32::MAX, |op| history.ret[op as usize])),
        Verdict::Unknown(Cause::Broken(_)) => (1, 0),
        Verdict::Unknown(Cause::Moot) => (3, 0),
        Verdict::Unknown(_) => (2, 0),
        Verdict::Linearizable => (4, 0),
    });
    let Some((part, decisive)) = answers.first_mut() else {
        unreachable!("a history has at least one part");
    };
    let (verdict, method) = (decisive.verdict.clone(), decisive.method);
    let evidence = std::mem::take(&mut decisive.evidence);
    let (witness, part) = match verdict {
        Verdict::Linearizable => (Some(merge(history, answers)), None),
        _ => (None, parts[*part].label.clone()),
    };
    Outcome { verdict, witness, evidence, part, method, parts: parts.len(), configurations }
}

/// One order for the whole history out of one per part.
///
/// Each operation takes effect at a point between its call and its return: as early as its part's order lets it.
/// Sorted by their points, operations keep the order of their part and the order of real time.
fn merge(history: &History, answers: Vec<(usize, Answer)>) -> Vec<u32> {
    let mut orders = answers.into_iter().map(|(_, answer)| answer.witness.expect("a yes comes with an order"));
    if orders.len() == 1 {
        return orders.next().expect("there is one");
    }
    let mut points: Vec<(u32, u32)> = Vec::with_capacity(history.len());
    for order in orders {
        let mut point = 0;
        for op in order {
            point = point.max(history.call[op as usize]);
            points.push((point, op));
        }
    }
    points.sort_by_key(|&(point, _)| point);
    points.into_iter().map(|(_, op)| op).collect()
}

fn judge_part(part: &Part, settings: Settings, control: &Control) -> Answer {
    if let Some(cause) = control.halted() {
        return Answer::unknown(cause);
    }
    let slice = settings.head_start + part.ops.len() as u64;
    let answer = match settings.method {
        Method::Wgl => wgl(part, settings.cache, control),
        Method::Auto => race(part, Both, slice, control),
        Method::DepthFirst => race(part, DepthOnly, slice, control),
        Method::BreadthFirst => race(part, BreadthOnly, slice, control),
    };
    answer.unwrap_or_else(|StepError(message)| Answer::unknown(Cause::Broken(message)))
}

fn wgl(part: &Part, cache: Option<usize>, control: &Control) -> Result<Answer, StepError> {
    let (leave, furthest) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut search = Wgl::new(part, Account::new(control, 1.0, &leave, &furthest), cache)?;
    loop {
        let (verdict, witness) = match search.run(1 << 20) {
            Progress::Running => continue,
            Progress::Yes => (Verdict::Linearizable, Some(search.witness())),
            Progress::No => (Verdict::Violation, None),
            Progress::GaveUp(cause) => (Verdict::Unknown(cause), None),
        };
        let (evidence, configurations) = (search.evidence(), search.configurations());
        return Ok(Answer { verdict, method: "wgl", witness, evidence, configurations });
    }
}
