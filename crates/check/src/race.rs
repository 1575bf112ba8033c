//! Depth-first or breadth-first? Both, until one knows.
//!
//! Depth-first runs alone for a first slice, which settles most histories; then both run in slices that
//! double, side by side where a core is free (`rayon::join`), one after the other where none is. So the loser
//! costs at most about as much as the winner. A search that runs out of memory leaves; the other goes on.
//!
//! Slices count work, not time, and each search may cut short the other only with the answer it is preferred for
//! ("yes" depth-first, "no" breadth-first), so the verdict and its evidence do not depend on the machine.

use crate::breadth::Breadth;
use crate::control::{Account, Cause, Control};
use crate::depth::Depth;
use crate::mask::{Bits, Many, Mask};
use crate::outcome::{Answer, Evidence, Progress, Verdict};
use crate::problem::Problem;
use linpoint_spec::{Part, StepError};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Who takes part.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Entrants {
    Both,
    DepthOnly,
    BreadthOnly,
}

/// How many candidate orders a violation shows at most.
const CANDIDATES: usize = 8;

/// Runs the searches on a part, with masks as wide as it needs.
pub(crate) fn race(part: &Part, entrants: Entrants, control: &Control) -> Result<Answer, StepError> {
    let problem = Problem::new(part);
    match problem.slots {
        0..=64 => race_with::<u64>(part, &problem, entrants, control),
        65..=128 => race_with::<Bits<2>>(part, &problem, entrants, control),
        129..=512 => race_with::<Bits<8>>(part, &problem, entrants, control),
        _ => race_with::<Many>(part, &problem, entrants, control),
    }
}

fn race_with<M: Mask>(
    part: &Part,
    problem: &Problem,
    entrants: Entrants,
    control: &Control,
) -> Result<Answer, StepError> {
    let leave = [AtomicBool::new(false), AtomicBool::new(false)];
    // While they race, depth-first, whose memo grows for ever, gets half of the memory.
    let share = if entrants == Entrants::Both { 0.5 } else { 1.0 };
    let mut race = Race::<M> {
        part,
        problem,
        control,
        leave: &leave,
        depth: None,
        breadth: None,
        breadth_is_to_come: entrants == Entrants::Both,
        best: Evidence::default(),
        visited: 0,
    };
    if entrants != Entrants::BreadthOnly {
        race.depth = Some(Depth::new(problem, part.spec.fork(), Account::new(control, share, &leave[0])));
    } else {
        race.start_breadth()?;
    }
    let mut slice = 4096 + problem.code.len() as u64;
    loop {
        if let Some(answer) = race.round(slice)? {
            return Ok(answer);
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
    depth: Option<Depth<'a, M>>,
    breadth: Option<Breadth<'a, M>>,
    breadth_is_to_come: bool,
    /// The evidence of a search that left.
    best: Evidence,
    /// The configurations of searches that left.
    visited: u64,
}

impl<'a, M: Mask> Race<'a, M> {
    fn start_breadth(&mut self) -> Result<(), StepError> {
        self.breadth_is_to_come = false;
        let account = Account::new(self.control, 1.0, &self.leave[1]);
        self.breadth = Some(Breadth::new(self.problem, self.part.spec.fork(), account)?);
        Ok(())
    }

    /// One slice of each search; an answer if one knows or none can go on.
    fn round(&mut self, slice: u64) -> Result<Option<Answer>, StepError> {
        let leave = self.leave;
        let mut deep = || self.depth.as_mut().map(|search| tell(search.run(slice), &leave[1], Progress::is_yes));
        let mut broad = || self.breadth.as_mut().map(|search| tell(search.run(slice), &leave[0], Progress::is_no));
        // Inside a pool a free thread takes the other half; outside there is nobody to share with.
        let (deep, broad) =
            if rayon::current_thread_index().is_some() { rayon::join(deep, broad) } else { (deep(), broad()) };
        match (deep, broad) {
            (Some(Progress::Yes), _) => self.depth_says_yes().map(Some),
            (_, Some(Progress::No)) => self.breadth_says_no("breadth-first").map(Some),
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
        Ok(self.answer(Verdict::Linearizable, "depth-first", Some(witness), Evidence::default()))
    }

    fn breadth_says_yes(&mut self) -> Result<Answer, StepError> {
        let witness = self.breadth.as_mut().expect("it spoke").witness()?;
        Ok(self.answer(Verdict::Linearizable, "breadth-first", Some(witness), Evidence::default()))
    }

    fn breadth_says_no(&mut self, method: &'static str) -> Result<Answer, StepError> {
        let evidence = self.breadth.as_mut().expect("it spoke").evidence(CANDIDATES)?;
        Ok(self.answer(Verdict::Violation, method, None, evidence))
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
            Progress::No => self.breadth_says_no("depth-first"),
            Progress::Yes => {
                unreachable!("depth-first excluded every order, breadth-first found one")
            }
            Progress::Running | Progress::GaveUp(_) => {
                Ok(self.answer(Verdict::Violation, "depth-first", None, evidence))
            }
        }
    }

    /// Lets a search go that cannot go on; an answer when nobody is left or the cause concerns both.
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
        Some(self.answer(Verdict::Unknown(cause), "auto", None, best))
    }

    /// Keeps the better evidence. It is a courtesy: where the specification is broken, what was known before stays.
    fn keep(&mut self, found: Result<Evidence, StepError>, configurations: u64) {
        self.visited += configurations;
        if let Ok(found) = found
            && (found.explained > self.best.explained || self.best.candidates.is_empty())
        {
            self.best = found;
        }
    }

    fn answer(&self, verdict: Verdict, method: &'static str, witness: Option<Vec<u32>>, evidence: Evidence) -> Answer {
        Answer { witness, evidence, configurations: self.configurations(), ..Answer::bare(verdict, method) }
    }
}

/// Tells the rival to leave when this is the answer that settles the race.
fn tell(progress: Progress, rival: &AtomicBool, settles: fn(&Progress) -> bool) -> Progress {
    if settles(&progress) {
        rival.store(true, Relaxed);
    }
    progress
}
