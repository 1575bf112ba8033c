//! Is it still a violation? Many small searches of one part, with one specification and one account of the work.
//!
//! All searches share a specification, so that a state found by one is a state for the next. Work is counted in
//! configurations, not in seconds: what an explanation finds does not depend on the machine or its load.

use crate::outcome::Progress;
use crate::search::breadth_first::{Breadth, Start};
use crate::search::mask::{Bits, Many, Mask};
use crate::search::problem::{Need, Problem};
use linpoint_base::{Account, Control};
use linpoint_spec::{Part, Spec, StepError};

/// One search may use so large a part (1 in this many) of what is left: with many operations optional it may visit a
/// configuration for every subset of them, and other questions are cheaper.
const SHARE: u64 = 8;

/// What a search within the budget says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No order explains this return (counted from 0) or any later one.
    Stuck(usize),
    /// There is an order.
    Explained,
    /// The work or the time was used up.
    Unknown,
}

pub(super) struct Workbench<'a> {
    pub control: &'a Control,
    pub spec: Option<Box<dyn Spec>>,
    /// Configurations that may still be visited.
    pub left: u64,
    /// Was a question left open?
    pub exhausted: bool,
}

impl<'a> Workbench<'a> {
    pub fn new(spec: Box<dyn Spec>, work: u64, control: &'a Control) -> Self {
        Workbench { control, spec: Some(spec), left: work, exhausted: false }
    }

    pub fn specification(&mut self) -> &mut dyn Spec {
        &mut **self.spec.as_mut().expect("given back after every search")
    }

    /// Counts work that is not a search.
    pub fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
    }

    /// Is there an order of these operations, from one of these configurations?
    pub fn explain(&mut self, part: &Part, starts: &[Start], need: impl Fn(usize) -> Need) -> Result<Found, StepError> {
        let problem = Problem::with(part, need);
        self.spend(1 + problem.code.len() as u64 / 4);
        let found = match problem.slots {
            0..=64 => self.search::<u64>(&problem, starts)?,
            65..=512 => self.search::<Bits<8>>(&problem, starts)?,
            _ => self.search::<Many>(&problem, starts)?,
        };
        self.exhausted |= found == Found::Unknown;
        Ok(found)
    }

    fn search<M: Mask>(&mut self, problem: &Problem, starts: &[Start]) -> Result<Found, StepError> {
        let account = Account::alone(self.control);
        let spec = self.spec.take().expect("given back after every search");
        let mut search = Breadth::<M>::from(problem, spec, account, starts)?;
        let progress = if self.left == 0 { Progress::Running } else { search.run(self.left.div_ceil(SHARE)) };
        self.spend(search.configurations());
        let found = match progress {
            Progress::No => Found::Stuck(search.rho()),
            Progress::Yes => Found::Explained,
            Progress::Running | Progress::GaveUp(_) => Found::Unknown,
        };
        self.spec = Some(search.into_spec());
        Ok(found)
    }
}
