//! Does a window of a longer history go on from where the history before it may have led? Breadth-first search from given
//! configurations, and the configurations that it holds at a later point.
//!
//! What happened before a window is forgotten but for the configurations at its beginning: which operations that are still open have taken
//! effect, and the state. Breadth-first search holds all of them at each return, so nothing is lost (just-in-time
//! linearization, Lowe 2017). The window begins with the calls of the operations that are open.
//!
//! ```text
//!   before       │ window
//!   write 1 ──┤  │                        configurations at the cut: {} in state 1, {write 2} in state 1 or 2
//!      write 2 ──┼─────┤                   the window: call write 2, call read, return write 2 …
//! ```
//!
//! Where no operation overlaps another one there is only one order, and it is gone through: most windows of one key of many are such.
//!
//! Cost: that of breadth-first search of the window, times the configurations it begins with.

use crate::Cause;
use crate::outcome::Progress;
use crate::search::breadth_first::{Breadth, Start};
use crate::search::mask::{Bits, Many, Mask};
use crate::search::problem::{Need, Problem};
use linpoint_base::{Account, Control};
use linpoint_history::Event;
use linpoint_spec::{Part, Spec, StepError};

/// What a window is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Window {
    /// Some order explains every return.
    Explained,
    /// No order explains the return of this number (the first is 0), of this operation of the history.
    Refuted {
        /// So many returns before it are explained.
        returns: usize,
        /// The operation whose return is not.
        operation: u32,
    },
    /// The search ended without an answer.
    Stopped(Cause),
}

/// What a search of a window found.
pub struct Resumed {
    /// Is it explained?
    pub window: Window,
    /// All configurations behind the return that was asked for, if the search came so far.
    pub there: Option<Vec<Start>>,
    /// Configurations visited.
    pub configurations: u64,
    /// The specification that names the states.
    pub spec: Box<dyn Spec>,
}

/// Searches a window from these configurations, whose states `spec` names, and tells those behind the first `returns` returns. Operations
/// that are `optional`, by their place in the part, may also never have happened.
pub fn resume(
    part: &Part,
    spec: Box<dyn Spec>,
    starts: &[Start],
    returns: usize,
    optional: impl Fn(usize) -> bool,
    control: &Control,
) -> Result<Resumed, StepError> {
    let mut spec = spec;
    if let [start] = starts
        && start.done.is_empty()
        && (0..part.ops.len()).all(|op| !optional(op))
        && let Some(there) = in_turn(part, &mut *spec, start, returns, control)?
    {
        let (window, configurations) = (Window::Explained, part.events.len() as u64 / 2);
        return Ok(Resumed { window, there: Some(vec![there]), configurations, spec });
    }
    let problem = Problem::with(part, |op| if optional(op) { Need::Optional } else { Need::Recorded });
    match problem.slots {
        0..=64 => search::<u64>(&problem, spec, starts, returns, control),
        65..=512 => search::<Bits<8>>(&problem, spec, starts, returns, control),
        _ => search::<Many>(&problem, spec, starts, returns, control),
    }
}

/// So many operations take effect between two looks at the budget.
const BETWEEN_LOOKS: usize = 1 << 12;

/// The only configuration behind the first `returns` returns, if no two operations overlap and each leads to one state. What is called behind
/// the last return explains nothing.
fn in_turn(
    part: &Part,
    spec: &mut dyn Spec,
    start: &Start,
    returns: usize,
    control: &Control,
) -> Result<Option<Start>, StepError> {
    let last = part.events.iter().rposition(|event| event.is_return()).map_or(0, |place| place + 1);
    let (pairs, rest) = part.events[..last].as_chunks::<2>();
    let follow = |[call, ret]: &[Event; 2]| !call.is_return() && ret.is_return() && call.op() == ret.op();
    if !rest.is_empty() || !pairs.iter().all(follow) || returns > pairs.len() {
        return Ok(None);
    }
    let (mut state, mut there, mut next) = (start.state, start.state, Vec::new());
    for (place, [call, _]) in pairs.iter().enumerate() {
        if place % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 && control.expired().is_some() {
            return Ok(None); // the search will say so
        }
        next.clear();
        spec.step(state, part.codes[call.op()], &mut next)?;
        let [after] = next[..] else { return Ok(None) };
        state = after;
        if place + 1 == returns {
            there = state;
        }
    }
    Ok(Some(Start { state: there, done: Vec::new() }))
}

fn search<M: Mask>(
    problem: &Problem,
    spec: Box<dyn Spec>,
    starts: &[Start],
    returns: usize,
    control: &Control,
) -> Result<Resumed, StepError> {
    let mut search = Breadth::<M>::from(problem, spec, Account::alone(control), starts)?;
    let mut there = (returns == 0).then(|| starts.to_vec());
    let mut progress = Progress::Running;
    if returns > 0 {
        progress = search.run_up_to(returns, u64::MAX);
        if search.rho() == returns && matches!(progress, Progress::Running | Progress::Yes) {
            there = Some(search.configurations_here());
        }
    }
    if matches!(progress, Progress::Running) {
        progress = search.run(u64::MAX);
    }
    let window = match progress {
        Progress::Yes => Window::Explained,
        Progress::No => {
            let operation = problem.origin[problem.returns[search.rho()] as usize];
            Window::Refuted { returns: search.rho(), operation }
        }
        Progress::GaveUp(cause) => Window::Stopped(cause),
        Progress::Running => unreachable!("its work is not limited"),
    };
    Ok(Resumed { window, there, configurations: search.configurations(), spec: search.into_spec() })
}
