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
//! *Answers.* A witness; a violation, if every schedule was run; otherwise "unknown: depth", never a violation.
//!
//! *Cost.* At most m·n!/(n−d+1)! schedules of n calls for m threads, shared prefixes once. Memory for the distinct schedules: 4 bytes per
//! operation of each. *Not* for violations, nor for long histories with a known state: a search excludes many schedules at once.

pub mod depth;
pub mod family;
pub mod poset;
pub(crate) mod rehearse;
mod tuples;

use crate::methods::Method;
use crate::outcome::{Answer, Evidence, Hits, Stuck, Verdict};
use crate::ranks::{NEVER, ranks};
use crate::settings::Settings;
use family::{Family, Novelty, Schedules};
use linpoint_base::{Account, Cause, Control};
use linpoint_spec::{Part, StepError};
use poset::Poset;
use rehearse::{Kind, Rehearsal, Rehearsed};
use std::sync::Arc;

const NAME: &str = "hitting";

/// What depth means, for users.
pub(crate) const MEANING: &str = "depth d: for any d operations one of the schedules takes each of them as late as real time and those behind it allow";

/// Hitting families as a method.
pub struct Hitting;

impl Method for Hitting {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "runs the schedules of strong d-hitting families, d = 1, 2, … up to --depth: finds a witness that orders few operations, \
         and needs only to run the specification; unknown if there is none"
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        hunt(part, settings.depth, u64::MAX, control)
    }
}

/// How much schedules before a search may cost, in operations placed or run: what the schedules of depth 1 cost, or this, if it is more.
const FIRST_TRY: u64 = 200_000;

/// Schedules of depth 1 and 2 at a bounded cost, before a search.
pub(crate) fn first_try(part: &Part, control: &Control) -> Result<Answer, StepError> {
    let mut processes = part.processes.clone();
    processes.sort_unstable();
    processes.dedup();
    let depth_1 = processes.len() as u64 * part.ops.len() as u64 * 4;
    hunt(part, Some(2), depth_1.max(FIRST_TRY), control)
}

/// So many schedules are run together at first, then four times as many, and so on: the more there are, the more prefixes they share.
const FIRST_TOGETHER: usize = 4;
const MOST_TOGETHER: usize = 1 << 14;

/// Looks for a witness of depth at most `most`, at a cost of at most `work` operations placed or run.
fn hunt(part: &Part, most: Option<usize>, work: u64, control: &Control) -> Result<Answer, StepError> {
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
    for depth in 1..=deepest {
        match hunt.family(depth, total)? {
            Hunted::Found(order) => {
                hunt.hits.depth = Some(depth);
                let witness = order.into_iter().map(|op| part.ops[ops[op as usize] as usize]).collect();
                return Ok(hunt.answer(Answer::yes(witness, NAME)));
            }
            Hunted::Stopped(cause) => return Ok(hunt.answer(Answer::bare(Verdict::Unknown(cause), NAME))),
            Hunted::Nothing if depth == last || total == Some(hunt.seen.len() as u128) => {
                let evidence = Evidence::Conflict { operations: part.ops.clone(), stuck: Stuck::default() };
                return Ok(hunt.answer(Answer { evidence, ..Answer::bare(Verdict::Violation, NAME) }));
            }
            Hunted::Nothing => {}
        }
    }
    let cause = Cause::Depth(format!("no witness among the {} schedules up to depth {deepest}", hunt.seen.len()));
    Ok(hunt.answer(Answer::bare(Verdict::Unknown(cause), NAME)))
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

    /// The answer, with what there is to tell of schedules.
    fn answer(mut self, answer: Answer) -> Answer {
        self.hits.schedules = self.seen.len() as u64;
        let found = self
            .hits
            .depth
            .map_or("no witness".to_owned(), |depth| format!("a witness in the family of depth {depth}"));
        let why = format!("{found} among {} schedules; {MEANING}", self.hits.schedules);
        Answer { why, configurations: self.rehearsal.calls(), hits: Some(self.hits), ..answer }
    }
}
