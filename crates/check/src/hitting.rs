//! Does a schedule that orders only a few operations explain the history? Strong d-hitting families, for d = 1, 2, …
//!
//! Ozkan, Majumdar & Niksic, *Checking Linearizability Using Hitting Families*, PPoPP 2019. Most linearizable histories have a witness of small
//! *depth*: it is enough to take d operations in the right order, each as late as possible. So the schedules of a strong d-hitting family
//! are run, d = 1, then 2, and so on, until one gives the recorded results. That needs neither states nor hashes of them: the object is only
//! *run*. It is the method for an ordinary class that nobody can look into.
//!
//! | file | what |
//! |---|---|
//! | `poset` | which operation precedes which, the chains, how many schedules there are |
//! | `family` | Algorithm 1, one schedule at a time, and the distinct ones so far; `tuples` names the operations |
//! | `rehearse` | runs schedules, each common prefix once |
//! | `depth` | the linearizability depth of Definition 4.2, exactly |
//!
//! *Changed.* A pending operation stands in every schedule, and takes effect there or never: both are tried. (One that changes nothing, or
//! was called after the last return, is left out.) The paper stops at d = n, where the family is all schedules; we count the schedules
//! beforehand where that is quick, and stop as soon as all were run.
//!
//! *Answers.* A witness; a violation, if every schedule was run; otherwise "unknown: depth", never a violation, with the longest beginning of
//! a schedule that gave the recorded results.
//!
//! *Cost.* At most m·n!/(n−d+1)! schedules of n calls for m threads, shared prefixes once. Memory for the distinct schedules: 4 bytes per
//! operation of each. *Not* for violations, nor for long histories with a known state: a search excludes many schedules at once.

pub mod depth;
pub mod family;
pub mod poset;
pub(crate) mod rehearse;
mod tuples;

use crate::methods::Method;
use crate::outcome::{Answer, Candidate, Evidence, Hits, Stuck, Verdict};
use crate::ranks::{NEVER, ranks};
use crate::settings::Settings;
use family::{Family, Novelty, Schedules};
use linpoint_base::{Account, Cause, Control};
use linpoint_spec::{Part, State, StepError};
use poset::Poset;
use rehearse::{Kind, Rehearsal, Rehearsed};
use std::sync::Arc;

const NAME: &str = "hitting";

/// What depth means, for users.
const MEANING: &str = "depth d: for any d operations one of the schedules takes each of them as late as real time and those behind it allow";

/// Hitting families as a method.
pub struct Hitting;

impl Method for Hitting {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "runs the schedules of strong d-hitting families, d = 1, 2, … up to --depth: finds a witness that orders few operations, \
         and needs only to run the specification; unknown if there is none and orders are left that it did not run"
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        let (mut answer, furthest) = hunt(part, settings.depth, u64::MAX, control)?;
        answer.why.clear();
        if matches!(answer.verdict, Verdict::Unknown(_)) {
            // A budget that ends the steps is the cause already; whatever else is wrong with the specification is noted there.
            answer.evidence = Evidence::Stuck(how_far(part, &furthest).unwrap_or_default());
        }
        Ok(answer)
    }
}

/// What an order of some operations explains, real time and results being right.
fn how_far(part: &Part, order: &[u32]) -> Result<Stuck, StepError> {
    let mut is_done = vec![false; part.ops.len()];
    order.iter().for_each(|&op| is_done[op as usize] = true);
    let mut spec = part.spec.fork();
    let mut states: Vec<State> = vec![spec.initial()?];
    for &op in order {
        let mut next = Vec::new();
        for &state in &states {
            spec.step(state, part.codes[op as usize], &mut next)?;
        }
        next.sort_unstable();
        next.dedup();
        states = next;
    }
    let state = states.first().map_or_else(String::new, |&state| spec.show(state));
    let (mut explained, mut open) = (0, vec![false; part.ops.len()]);
    let mut operation = None;
    for event in &part.events {
        if event.is_return() && !is_done[event.op()] {
            operation = Some(part.ops[event.op()]);
            break;
        }
        explained += usize::from(event.is_return());
        open[event.op()] = !event.is_return();
    }
    let candidate = Candidate { order: order.iter().map(|&op| part.ops[op as usize]).collect(), state };
    let frontier = (0..part.ops.len()).filter(|&op| open[op]).map(|op| part.ops[op]).collect();
    Ok(Stuck { operation, candidates: vec![candidate], frontier, explained })
}

/// How many schedules, in words, and whether they are those of a part.
fn schedules(count: u64, parts: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    let of = if parts > 1 { format!(" of {parts} parts") } else { String::new() };
    format!("{count} schedule{plural}{of}")
}

/// What came of the schedules of so many parts, for users.
pub(crate) fn told(hits: &Hits, parts: usize) -> String {
    let found = match (hits.depth, parts) {
        (Some(depth), 1) => format!("a witness in the family of depth {depth}"),
        (Some(depth), _) => format!("witnesses in families up to depth {depth}"),
        (None, 1) => "no witness".to_owned(),
        (None, _) => "no witness for one part".to_owned(),
    };
    format!("{found} among {}; {MEANING}", schedules(hits.schedules, parts))
}

/// How much schedules before a search may cost, in operations placed or run: what the schedules of depth 1 cost, or this, if it is more.
const FIRST_TRY: u64 = 200_000;

/// Schedules of depth 1 and 2 at a bounded cost, before a search.
pub(crate) fn first_try(part: &Part, control: &Control) -> Result<Answer, StepError> {
    let mut processes = part.processes.clone();
    processes.sort_unstable();
    processes.dedup();
    let depth_1 = processes.len() as u64 * part.ops.len() as u64 * 4;
    Ok(hunt(part, Some(2), depth_1.max(FIRST_TRY), control)?.0)
}

/// So many schedules are run together at first, then four times as many, and so on: the more there are, the more prefixes they share.
const FIRST_TOGETHER: usize = 4;
const MOST_TOGETHER: usize = 1 << 14;

/// Looks for a witness of depth at most `most`, at a cost of at most `work` operations placed or run. The answer, and the longest order that
/// gave the recorded results.
fn hunt(part: &Part, most: Option<usize>, work: u64, control: &Control) -> Result<(Answer, Vec<u32>), StepError> {
    let (poset, ops) = poset_of(part);
    let poset = Arc::new(poset);
    let kind = |(number, &op): (usize, &u32)| Kind {
        code: part.codes[op as usize],
        is_pending: poset.is_pending(number as u32),
    };
    let kinds = ops.iter().enumerate().map(kind).collect();
    let rehearsal = Rehearsal::new(part.spec.runner(), kinds, Account::alone(control));
    let hits = Hits { depth: None, schedules: 0, family: Vec::new() };
    let seen = Schedules::new(poset.len());
    let mut hunt = Hunt { poset, seen, rehearsal, hits, together: FIRST_TOGETHER, left: work };
    let last = hunt.poset.len().max(1);
    let total = hunt.poset.schedules();
    let deepest = most.map_or(last, |most| most.clamp(1, last));
    let mut verdict = None;
    for depth in 1..=deepest {
        match hunt.family(depth, total)? {
            Hunted::Found(order) => {
                hunt.hits.depth = Some(depth);
                let witness = order.into_iter().map(|op| part.ops[ops[op as usize] as usize]).collect();
                verdict = Some(Answer::yes(witness, NAME));
            }
            Hunted::Stopped(cause) => verdict = Some(Answer::bare(Verdict::Unknown(cause), NAME)),
            Hunted::Nothing if depth == last || total == Some(hunt.seen.len() as u128) => {
                let evidence = Evidence::Conflict { operations: part.ops.clone(), stuck: Stuck::default() };
                verdict = Some(Answer { evidence, ..Answer::bare(Verdict::Violation, NAME) });
            }
            Hunted::Nothing => {}
        }
        if verdict.is_some() {
            break;
        }
    }
    let answer = verdict.unwrap_or_else(|| {
        let of = if part.label.is_some() { " of this part" } else { "" };
        let count = schedules(hunt.seen.len() as u64, 1);
        let cause = Cause::Depth(format!("no witness among the {count}{of} up to depth {deepest}"));
        Answer::bare(Verdict::Unknown(cause), NAME)
    });
    let furthest = hunt.rehearsal.furthest().iter().map(|&op| ops[op as usize]).collect();
    Ok((hunt.answer(answer, part.label.is_some()), furthest))
}

/// The operations that matter, in the order of their calls: not a pending one that changes nothing or was called after the last return.
fn poset_of(part: &Part) -> (Poset, Vec<u32>) {
    let (call, ret) = ranks(part, 0);
    let last = part.events.iter().rposition(|event| event.is_return()).unwrap_or(0) as u32;
    let matters = |op: &usize| ret[*op] != NEVER || (call[*op] < last && !part.spec.read_only(part.codes[*op]));
    let ops: Vec<usize> = (0..part.ops.len()).filter(matters).collect();
    let poset = Poset::new(ops.iter().map(|&op| (call[op], ret[op], part.processes[op])));
    (poset, ops.into_iter().map(|op| op as u32).collect())
}

enum Hunted {
    Found(Vec<u32>),
    Nothing,
    Stopped(Cause),
}

struct Hunt<'c> {
    poset: Arc<Poset>,
    seen: Schedules,
    rehearsal: Rehearsal<'c>,
    hits: Hits,
    /// How many schedules are run together.
    together: usize,
    /// How many operations may still be placed or run.
    left: u64,
}

impl Hunt<'_> {
    /// Runs those schedules of the family of one depth that were not run before.
    fn family(&mut self, depth: usize, total: Option<u128>) -> Result<Hunted, StepError> {
        let mut family = Family::new(&self.poset, depth);
        self.hits.family.push(0);
        loop {
            let tried = self.seen.len();
            let (cause, is_over) = self.gather(&mut family, depth as u32);
            if let Some(cause) = cause {
                return Ok(Hunted::Stopped(cause));
            }
            let fresh: Vec<&[u32]> = (tried..self.seen.len()).map(|number| self.seen.get(number)).collect();
            let calls = self.rehearsal.calls();
            let rehearsed = self.rehearsal.rehearse(&fresh)?;
            self.left = self.left.saturating_sub(self.rehearsal.calls() - calls);
            self.together = (self.together * 4).min(MOST_TOGETHER);
            match rehearsed {
                Rehearsed::Explained(order) => return Ok(Hunted::Found(order)),
                Rehearsed::Stopped(cause) => return Ok(Hunted::Stopped(cause)),
                Rehearsed::Unexplained if is_over || total == Some(self.seen.len() as u128) => {
                    return Ok(Hunted::Nothing);
                }
                Rehearsed::Unexplained => {}
            }
        }
    }

    /// Takes the next new schedules of a family: the cause to stop, if there is one, and whether the family is over.
    fn gather(&mut self, family: &mut Family, depth: u32) -> (Option<Cause>, bool) {
        let width = self.poset.len() as u64 + 1;
        let (enough, mut unpolled) = (self.seen.len() + self.together, 0);
        while self.seen.len() < enough {
            let Some(schedule) = family.next() else { return (None, true) };
            match self.seen.insert(schedule, depth) {
                Novelty::Known => {}
                Novelty::New | Novelty::NewAtThisDepth => *self.hits.family.last_mut().expect("pushed") += 1,
            }
            unpolled += width;
            self.left = self.left.saturating_sub(width);
            if self.left == 0 {
                return (Some(Cause::Work), false);
            }
            if unpolled > 1 << 14 {
                unpolled = 0;
                self.rehearsal.bytes = self.seen.bytes() + self.poset.bytes();
                if let Some(cause) = self.rehearsal.account.poll(self.rehearsal.bytes, 0) {
                    return (Some(cause), false);
                }
            }
        }
        (None, false)
    }

    /// The answer, with what there is to tell of schedules. Why, of a part: in case that a search goes on.
    fn answer(mut self, answer: Answer, is_part: bool) -> Answer {
        self.hits.schedules = self.seen.len() as u64;
        let of = if is_part { " of this part" } else { "" };
        let why = match answer.verdict {
            Verdict::Unknown(_) => format!("no witness among {}{of}; {MEANING}", schedules(self.hits.schedules, 1)),
            _ => String::new(),
        };
        Answer { why, configurations: self.rehearsal.calls(), hits: Some(self.hits), ..answer }
    }
}
