//! Depth-first or breadth-first? Both, until one knows.
//!
//! Depth-first runs alone for a first slice, which settles most histories; then both run in slices that
//! double, side by side where a core is free (`rayon::join`), one after the other where none is. So the loser
//! costs at most about as much as the winner. A search that runs out of memory leaves; the other goes on.
//!
//! Slices count work, not time, and each search may cut short the other only with the answer it is preferred for
//! ("yes" depth-first, "no" breadth-first), so which of them answers for a part does not depend on the machine.

use crate::methods::Method;
use crate::outcome::{Answer, Evidence, Progress, Stuck, Verdict};
use crate::search::breadth_first::Breadth;
use crate::search::depth_first::Depth;
use crate::search::mask::{Bits, Many, Mask};
use crate::search::problem::Problem;
use crate::settings::Settings;
use linpoint_base::{Account, Cause, Control, Rivals};
use linpoint_spec::{Part, StepError};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Who takes part.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Entrants {
    Both,
    DepthOnly,
    BreadthOnly,
}

/// Depth-first search alone.
pub struct DepthFirst;

impl Method for DepthFirst {
    fn name(&self) -> &'static str {
        DEPTH_FIRST
    }

    fn help(&self) -> &'static str {
        "tries one order after the other: quick to find a witness"
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        race(part, Entrants::DepthOnly, settings.head_start(part), control)
    }
}

/// Breadth-first search alone.
pub struct BreadthFirst;

impl Method for BreadthFirst {
    fn name(&self) -> &'static str {
        BREADTH_FIRST
    }

    fn help(&self) -> &'static str {
        "follows all orders at once, return by return: quick to find a violation"
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        race(part, Entrants::BreadthOnly, settings.head_start(part), control)
    }
}

const DEPTH_FIRST: &str = "depth-first";
const BREADTH_FIRST: &str = "breadth-first";

/// How many candidate orders a violation shows at most.
const CANDIDATES: usize = 8;

/// So many open operations, or cells, are few.
const FEW: u64 = 8;

/// Runs one search on a part, or both; depth-first has `slice` to itself.
pub(crate) fn race(part: &Part, entrants: Entrants, slice: u64, control: &Control) -> Result<Answer, StepError> {
    race_unless(part, entrants, slice, control, &|_| Ok(None))
}

/// The same, with masks as wide as the part needs. Where depth-first did not know after its slice, `aside` is asked before the race begins, and
/// again after each of its rounds.
pub(crate) fn race_unless(
    part: &Part,
    entrants: Entrants,
    slice: u64,
    control: &Control,
    aside: Aside<'_>,
) -> Result<Answer, StepError> {
    let problem = Problem::new(part);
    match problem.slots {
        0..=64 => race_with::<u64>(part, &problem, entrants, slice, control, aside),
        65..=128 => race_with::<Bits<2>>(part, &problem, entrants, slice, control, aside),
        129..=512 => race_with::<Bits<8>>(part, &problem, entrants, slice, control, aside),
        _ => race_with::<Many>(part, &problem, entrants, slice, control, aside),
    }
}

/// Something that may know an answer.
pub(crate) type Aside<'a> = &'a dyn Fn(Turn) -> Result<Option<Answer>, StepError>;

/// When somebody else is asked.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    /// How many configurations a search may visit in a round.
    pub slice: u64,
    /// How many returns a search has explained.
    pub explained: u64,
    /// How many there are.
    pub returns: u64,
}

/// Where the part breaks, if breadth-first finds that within `work` configurations. Another method has said that it is a violation.
/// The more operations are open and the more cells there are, the more a configuration costs: beyond [`FEW`] there are fewer of them, beyond 64 slots
/// none, for the verdict is known already.
/// Nor where it is at least so many `returns` away, each of which takes a configuration.
pub(crate) fn violation_evidence(
    part: &Part,
    work: u64,
    returns: usize,
    control: &Control,
) -> Result<Option<Stuck>, StepError> {
    if returns as u64 > work {
        return Ok(None); // each return takes a configuration at least
    }
    let problem = Problem::new(part);
    let open = FEW.max(problem.slots as u64); // each has more successors to try, and each of those is dearer
    let work = work * FEW * FEW * FEW / (open * open * FEW.max(part.spec.cells().len() as u64));
    if problem.slots > 64 || returns as u64 > work {
        return Ok(None);
    }
    let mut shared = Account::alone(control);
    shared.poll(problem.bytes(), 0);
    let mut search = Breadth::<u64>::new(&problem, part.spec.fork(), Account::alone(control))?;
    match search.run(work) {
        Progress::No => search.evidence(CANDIDATES).map(Some),
        Progress::Yes if part.spec.why_run().is_some() => Err(part.spec.runner().unreliable(None, false)),
        Progress::Yes => panic!("another method called a violation what breadth-first search explains"),
        Progress::Running | Progress::GaveUp(_) => Ok(None),
    }
}

fn race_with<M: Mask>(
    part: &Part,
    problem: &Problem,
    entrants: Entrants,
    slice: u64,
    control: &Control,
    aside: Aside<'_>,
) -> Result<Answer, StepError> {
    let mut shared = Account::alone(control); // what both read; whether it is too much, their own polls will say
    shared.poll(problem.bytes(), 0);
    let leave = [AtomicBool::new(false), AtomicBool::new(false)];
    let furthest = AtomicU64::new(0);
    // While they race, depth-first, whose memo grows for ever, gets half of the memory.
    let share = if entrants == Entrants::Both { 0.5 } else { 1.0 };
    let mut race = Race::<M> {
        part,
        problem,
        control,
        leave: &leave,
        furthest: &furthest,
        depth: None,
        breadth: None,
        breadth_is_to_come: entrants == Entrants::Both,
        name: match entrants {
            Entrants::Both => "auto",
            Entrants::DepthOnly => DEPTH_FIRST,
            Entrants::BreadthOnly => BREADTH_FIRST,
        },
        best: Stuck::default(),
        visited: 0,
    };
    if entrants != Entrants::BreadthOnly {
        race.depth = Some(Depth::new(
            problem,
            part.spec.fork(),
            Account::among(control, share, Rivals { leave: &leave[0], furthest: &furthest }),
        ));
    } else {
        race.start_breadth()?;
    }
    let mut slice = slice;
    loop {
        if let Some(answer) = race.round(slice)? {
            return Ok(answer);
        }
        let returns = part.events.iter().filter(|event| event.is_return()).count() as u64;
        if let Some(answer) = aside(Turn { slice, explained: furthest.load(Relaxed), returns })? {
            return Ok(Answer { configurations: answer.configurations + race.configurations(), ..answer });
        }
        if race.breadth_is_to_come {
            race.start_breadth()?;
        } else {
            slice = slice.saturating_mul(2);
        }
    }
}

struct Race<'a, M> {
    part: &'a Part,
    problem: &'a Problem,
    control: &'a Control,
    /// Tells depth-first, and breadth-first, to leave.
    leave: &'a [AtomicBool; 2],
    furthest: &'a AtomicU64,
    depth: Option<Depth<'a, M>>,
    breadth: Option<Breadth<'a, M>>,
    breadth_is_to_come: bool,
    /// What the race is called when neither search answers.
    name: &'static str,
    /// The evidence of a search that left.
    best: Stuck,
    /// The configurations of searches that left.
    visited: u64,
}

impl<'a, M: Mask> Race<'a, M> {
    fn start_breadth(&mut self) -> Result<(), StepError> {
        self.breadth_is_to_come = false;
        let rivals = Rivals { leave: &self.leave[1], furthest: self.furthest };
        let account = Account::among(self.control, 1.0, rivals);
        self.breadth = Some(Breadth::new(self.problem, self.part.spec.fork(), account)?);
        Ok(())
    }

    /// One slice of each search; an answer if one knows or none can go on.
    fn round(&mut self, slice: u64) -> Result<Option<Answer>, StepError> {
        let (leave, control) = (self.leave, self.control);
        let mut deep = || self.depth.as_mut().map(|search| tell(search.run(slice), &leave[1], Progress::is_yes));
        let mut broad = || {
            let progress = self.breadth.as_mut().map(|search| tell(search.run(slice), &leave[0], Progress::is_no));
            if progress.as_ref().is_some_and(Progress::is_no) {
                control.settle(); // the other parts need not wait until this thread is free to say so
            }
            progress
        };
        // Inside a pool a free thread takes the other half; outside there is no thread to share with.
        let (deep, broad) = if rayon::current_thread_index().is_some() {
            rayon::join(deep, broad)
        } else {
            let deep = deep();
            let broad = if deep.as_ref().is_some_and(Progress::is_yes) { None } else { broad() };
            (deep, broad)
        };
        match (deep, broad) {
            (Some(Progress::Yes), Some(Progress::No)) => {
                unreachable!("one search found an order, the other excluded all")
            }
            (Some(Progress::Yes), _) => self.depth_says_yes().map(Some),
            (_, Some(Progress::No)) => self.breadth_says_no(BREADTH_FIRST).map(Some),
            (_, Some(Progress::Yes)) => self.breadth_says_yes().map(Some),
            (Some(Progress::No), _) => self.depth_says_no().map(Some),
            (deep, broad) => Ok(self.dismiss(deep, broad)),
        }
    }

    fn configurations(&self) -> u64 {
        self.visited
            + self.depth.as_ref().map_or(0, Depth::configurations)
            + self.breadth.as_ref().map_or(0, Breadth::configurations)
    }

    fn depth_says_yes(&mut self) -> Result<Answer, StepError> {
        let witness = self.depth.as_mut().expect("it spoke").witness()?;
        Ok(self.answer(Verdict::Linearizable, DEPTH_FIRST, Evidence::Witness(witness)))
    }

    fn breadth_says_yes(&mut self) -> Result<Answer, StepError> {
        let witness = self.breadth.as_mut().expect("it spoke").witness()?;
        Ok(self.answer(Verdict::Linearizable, BREADTH_FIRST, Evidence::Witness(witness)))
    }

    fn breadth_says_no(&mut self, method: &'static str) -> Result<Answer, StepError> {
        let evidence = self.breadth.as_mut().expect("it spoke").evidence(CANDIDATES)?;
        Ok(self.answer(Verdict::Violation, method, Evidence::Stuck(evidence)))
    }

    /// Every order is excluded. Breadth-first, which visits no more configurations, shows the candidates side by side.
    fn depth_says_no(&mut self) -> Result<Answer, StepError> {
        let search = self.depth.as_mut().expect("it spoke");
        let (evidence, visited) = (search.evidence()?, search.configurations());
        self.visited += visited;
        self.depth = None;
        if self.breadth.is_none() {
            self.start_breadth()?;
        }
        match self.breadth.as_mut().expect("just started").run(u64::MAX) {
            Progress::No => self.breadth_says_no(DEPTH_FIRST),
            Progress::Yes => {
                unreachable!("depth-first excluded every order, breadth-first found one")
            }
            Progress::Running | Progress::GaveUp(_) => {
                Ok(self.answer(Verdict::Violation, DEPTH_FIRST, Evidence::Stuck(evidence)))
            }
        }
    }

    /// Lets a search go that cannot go on; an answer when neither is left or the cause concerns both.
    fn dismiss(&mut self, deep: Option<Progress>, broad: Option<Progress>) -> Option<Answer> {
        let mut last = None;
        if let Some(Progress::GaveUp(cause)) = deep {
            let mut search = self.depth.take().expect("it spoke");
            self.keep(search.evidence(), search.configurations());
            last = Some(cause);
        }
        if let Some(Progress::GaveUp(cause)) = broad {
            let mut search = self.breadth.take().expect("it spoke");
            self.keep(search.evidence(1), search.configurations());
            last = Some(cause);
        }
        let cause = last?;
        if cause == Cause::Memory && (self.depth.is_some() || self.breadth.is_some() || self.breadth_is_to_come) {
            return None;
        }
        if let Some(mut search) = self.breadth.take() {
            self.keep(search.evidence(1), search.configurations());
        }
        if let Some(mut search) = self.depth.take() {
            self.keep(search.evidence(), search.configurations());
        }
        let best = std::mem::take(&mut self.best);
        Some(self.answer(Verdict::Unknown(cause), self.name, Evidence::Stuck(best)))
    }

    /// Keeps the better evidence. It is a courtesy: where the specification is broken, what was known before stays.
    fn keep(&mut self, found: Result<Stuck, StepError>, configurations: u64) {
        self.visited += configurations;
        if let Ok(found) = found
            && found.tells_more_than(&self.best)
        {
            self.best = found;
        }
    }

    fn answer(&self, verdict: Verdict, method: &'static str, evidence: Evidence) -> Answer {
        let configurations = self.configurations();
        Answer { evidence, configurations, is_general: true, ..Answer::bare(verdict, method) }
    }
}

/// Tells the rival to leave when this is the answer that settles the race.
fn tell(progress: Progress, rival: &AtomicBool, settles: fn(&Progress) -> bool) -> Progress {
    if settles(&progress) {
        rival.store(true, Relaxed);
    }
    progress
}
