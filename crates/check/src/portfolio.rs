//! Which method for which part? The only file that knows all methods.
//!
//! Parts run in parallel, largest first, and the first violation settles the whole history: the other parts
//! stop. Within a part the cheapest exact method decides, unless one was asked for:
//!
//! 1. the monitor of its shape, without a search (`monitor`);
//! 2. if it declines a queue, the search that holds one element at a time (`queue_search`);
//! 3. otherwise the two general searches, raced (`race`).
//!
//! A violation found by 1 or 2 is shown, and confirmed, by a general search, if that ends soon.

use crate::monitor::{self, Decision};
use crate::outcome::{Answer, Evidence, Outcome, Progress, Verdict};
use crate::search::queue as queue_search;
use crate::search::race::Entrants::{Both, BreadthOnly, DepthOnly};
use crate::search::race::{race, violation_evidence};
use crate::search::wgl::Wgl;
use linpoint_base::{Account, Cause, Control};
use linpoint_history::{Event, History};
use linpoint_spec::{Part, Shape, StepError};
use rayon::prelude::*;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The cheapest method that covers the part: a monitor, the queue search, or both general searches, raced.
    Auto,
    /// Depth-first alone.
    DepthFirst,
    /// Breadth-first alone.
    BreadthFirst,
    /// The algorithm of Horn & Kroening (FORTE 2015) as published.
    Wgl,
    /// The monitor for objects of this shape, or nothing.
    Monitor(Shape),
    /// The search for queues whose values repeat, or nothing.
    QueueSearch,
}

impl Method {
    /// All methods with their names.
    pub const ALL: [(Method, &'static str); 11] = [
        (Method::Auto, "auto"),
        (Method::DepthFirst, "depth-first"),
        (Method::BreadthFirst, "breadth-first"),
        (Method::Wgl, "wgl"),
        (Method::Monitor(monitor::NAMES[0].0), monitor::NAMES[0].1),
        (Method::Monitor(monitor::NAMES[1].0), monitor::NAMES[1].1),
        (Method::Monitor(monitor::NAMES[2].0), monitor::NAMES[2].1),
        (Method::Monitor(monitor::NAMES[3].0), monitor::NAMES[3].1),
        (Method::Monitor(monitor::NAMES[4].0), monitor::NAMES[4].1),
        (Method::Monitor(monitor::NAMES[5].0), monitor::NAMES[5].1),
        (Method::QueueSearch, queue_search::NAME),
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
    let (why_method, core) = (std::mem::take(&mut decisive.why), std::mem::take(&mut decisive.core));
    let relevant = std::mem::take(&mut decisive.relevant);
    let (witness, part) = match verdict {
        Verdict::Linearizable => (Some(merge(history, answers)), None),
        _ => (None, parts[*part].label.clone()),
    };
    Outcome { verdict, witness, evidence, part, method, why_method, core, relevant, parts: parts.len(), configurations }
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
        return Answer::bare(Verdict::Unknown(cause), "none");
    }
    let slice = settings.head_start + part.ops.len() as u64;
    let answer = match settings.method {
        Method::Wgl => wgl(part, settings.cache, control),
        Method::Auto => auto(part, slice, control),
        Method::DepthFirst => race(part, DepthOnly, slice, control),
        Method::BreadthFirst => race(part, BreadthOnly, slice, control),
        Method::Monitor(shape) => alone(part, shape, monitor_name(shape), monitored, control),
        Method::QueueSearch => alone(part, Shape::Queue, queue_search::NAME, queue_searched, control),
    };
    answer.unwrap_or_else(|StepError(message)| Answer::bare(Verdict::Unknown(Cause::Broken(message)), "none"))
}

/// The cheapest method that covers the part, and has the memory for it.
fn auto(part: &Part, slice: u64, control: &Control) -> Result<Answer, StepError> {
    let lacks_memory = |answer: &Answer| answer.verdict == Verdict::Unknown(Cause::Memory);
    let why = match monitored(part, control)? {
        Ok(answer) if lacks_memory(&answer) => format!("{} ran out of memory", answer.method),
        Ok(answer) => return Ok(answer),
        Err(why) => why,
    };
    let searched = match part.spec.shape() {
        Shape::Queue => queue_searched(part, control)?.ok(),
        _ => None,
    };
    match searched.filter(|answer| !lacks_memory(answer)) {
        Some(answer) => Ok(Answer { why, ..answer }),
        None => Ok(Answer { why, ..race(part, Both, slice, control)? }),
    }
}

/// A method that knows one kind of object: an answer, or why there is none.
type Special = fn(&Part, &Control) -> Result<Result<Answer, String>, StepError>;

fn alone(
    part: &Part,
    shape: Shape,
    name: &'static str,
    method: Special,
    control: &Control,
) -> Result<Answer, StepError> {
    let decided = match part.spec.shape() == shape {
        true => method(part, control)?,
        false => Err("this is another kind of object".to_owned()),
    };
    Ok(decided.unwrap_or_else(|why| Answer::bare(Verdict::Unknown(Cause::Declined(format!("{name}: {why}"))), name)))
}

fn monitor_name(shape: Shape) -> &'static str {
    monitor::NAMES.iter().find(|(known, _)| *known == shape).map_or("none", |(_, name)| name)
}

/// What the monitor answers, or why it does not.
fn monitored(part: &Part, control: &Control) -> Result<Result<Answer, String>, StepError> {
    let name = monitor_name(part.spec.shape());
    let covered = |answer| Ok(Ok(Answer { why: "it covers this history, in O(n log n)".to_owned(), ..answer }));
    match monitor::decide(part, control) {
        Decision::Linearizable(order) => {
            covered(Answer { witness: Some(order), ..Answer::bare(Verdict::Linearizable, name) })
        }
        Decision::Violation(core) => {
            let evidence = evidence_of(part, &core, control)?;
            let relevant = monitor::relevant(part, &core);
            covered(Answer { evidence, core, relevant, ..Answer::bare(Verdict::Violation, name) })
        }
        Decision::Declined(why) => Ok(Err(why)),
        Decision::GaveUp(cause) => Ok(Ok(Answer::bare(Verdict::Unknown(cause), name))),
    }
}

/// What the search for queues answers, or why it does not.
fn queue_searched(part: &Part, control: &Control) -> Result<Result<Answer, String>, StepError> {
    let mut decided = queue_search::decide(part, control)?;
    if let Ok(answer) = &mut decided
        && answer.verdict == Verdict::Violation
        && let Some(evidence) = violation_evidence(part, ENOUGH, control)?
    {
        let place = |evidence: &Evidence| (evidence.stuck, evidence.explained);
        debug_assert_eq!(place(&answer.evidence), place(&evidence), "both get equally far");
        answer.evidence = evidence;
    }
    Ok(decided)
}

/// How many configurations may be visited to show what a monitor found as a search would, or to confirm it.
const ENOUGH: u64 = 20_000;

/// The evidence for a monitor's violation: where the history breaks, if a search finds that quickly; otherwise what
/// returns last of the core. Either way a search of the core, if it ends, must agree: two methods that disagree are a bug.
fn evidence_of(part: &Part, core: &[u32], control: &Control) -> Result<Evidence, StepError> {
    let inside: std::collections::HashSet<u32> = core.iter().copied().collect();
    let in_core = |event: &Event| event.is_return() && inside.contains(&part.ops[event.op()]);
    let last = part.events.iter().rposition(in_core);
    let returns = part.events[..last.unwrap_or(0)].iter().filter(|event| event.is_return()).count();
    if returns as u64 <= ENOUGH
        && let Some(evidence) = violation_evidence(part, ENOUGH, control)?
    {
        return Ok(evidence);
    }
    violation_evidence(&excerpt(part, core), ENOUGH, control)?;
    Ok(Evidence { stuck: last.map(|place| part.ops[part.events[place].op()]), ..Evidence::default() })
}

/// The part of these operations only.
fn excerpt(part: &Part, core: &[u32]) -> Part {
    let inside: std::collections::HashSet<u32> = core.iter().copied().collect();
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

fn wgl(part: &Part, cache: Option<usize>, control: &Control) -> Result<Answer, StepError> {
    let mut search = Wgl::new(part, Account::alone(control), cache)?;
    loop {
        let (verdict, witness) = match search.run(1 << 20) {
            Progress::Running => continue,
            Progress::Yes => (Verdict::Linearizable, Some(search.witness())),
            Progress::No => (Verdict::Violation, None),
            Progress::GaveUp(cause) => (Verdict::Unknown(cause), None),
        };
        let (evidence, configurations) = (search.evidence(), search.configurations());
        return Ok(Answer { witness, evidence, configurations, ..Answer::bare(verdict, "wgl") });
    }
}
