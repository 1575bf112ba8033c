//! Where may an explanation begin? At a cut near the accused return at which few configurations can be reached.
//!
//! A cut lies right behind a return. Whatever order explains the returns before it leads to one of the configurations that
//! breadth-first search holds there (which open operations have taken effect, and the state), so what follows may be judged
//! from these alone. That holds for any model and any length, and it costs one search up to the accused return.

use super::workbench::Workbench;
use crate::outcome::Progress;
use crate::search::ancestry::Node;
use crate::search::breadth_first::{Breadth, Reached};
use crate::search::mask::{Bits, Many, Mask};
use crate::search::problem::Problem;
use linpoint_base::Account;
use linpoint_spec::StepError;

/// A cut behind the first `returns` returns, and how each configuration there was reached.
pub(super) struct Cut {
    pub returns: usize,
    pub reached: Vec<Reached>,
}

/// Cuts with more configurations explain nothing.
const MOST_CONFIGURATIONS: usize = 8;
/// How many returns before the accused operation's call are looked at.
const BACK: usize = 64;
/// How many cuts are tried.
const CUTS: usize = 3;
/// The search for cuts may visit so many times the configurations of everything else: it passes the whole history.
const PATIENCE: u64 = 16;

/// The most promising cuts before the last return, whose operation was called after `called` returns.
pub(super) fn cuts(bench: &mut Workbench<'_>, problem: &Problem, called: usize) -> Result<Vec<Cut>, StepError> {
    match problem.slots {
        0..=64 => survey::<u64>(bench, problem, called),
        65..=512 => survey::<Bits<8>>(bench, problem, called),
        _ => survey::<Many>(bench, problem, called),
    }
}

fn survey<M: Mask>(bench: &mut Workbench<'_>, problem: &Problem, called: usize) -> Result<Vec<Cut>, StepError> {
    let account = Account::alone(bench.control);
    let spec = bench.spec.take().expect("given back after every search");
    let mut search = Breadth::<M>::new(problem, spec, account)?;
    let work = bench.left.saturating_mul(PATIENCE);
    let mut seen: Vec<(usize, Vec<Node>)> = Vec::new();
    for returns in called.saturating_sub(BACK).max(1)..problem.returns.len() {
        let left = work.saturating_sub(search.configurations());
        let paused = matches!(search.run_up_to(returns, left), Progress::Running) && search.rho() == returns;
        if !paused {
            bench.exhausted = true;
            break;
        }
        if let Some(nodes) = search.snapshot(MOST_CONFIGURATIONS) {
            seen.push((returns, nodes));
        }
    }
    // Before the call of the accused operation its whole interval is in view; then few configurations, few open, near.
    let open = |returns: usize| problem.open_at(returns).len();
    seen.sort_by_key(|(returns, nodes)| {
        (*returns > called, nodes.len() + open(*returns), problem.returns.len() - returns)
    });
    seen.truncate(CUTS);
    let mut found = Vec::new();
    for (returns, nodes) in seen {
        let reached = nodes.iter().map(|&node| search.reached(node, returns)).collect::<Result<_, _>>()?;
        found.push(Cut { returns, reached });
    }
    bench.spend(search.configurations() / PATIENCE);
    bench.spec = Some(search.into_spec());
    Ok(found)
}
