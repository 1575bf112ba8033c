//! Which of some operations that contradict each other cannot be spared? Without those that only show where what the others saw comes from.
//!
//! ```text
//!   write 1 |--|                       the conflict has three, needed are two: with write 1 optional, write 2 and
//!   write 2       |--|                 read → 1 have no order
//!   read → 1            |--|
//! ```
//!
//! A set that has no order whatever else happened has none with more in it, so one pass that makes an operation after the other optional
//! leaves a set of which each is needed. Cost: one search for each operation of the conflict, among those about the same values.

use super::values::about_those_of;
use super::workbench::{Found, Workbench};
use crate::search::breadth_first::Start;
use crate::search::problem::Need;
use crate::sub::{Ops, only, past};
use linpoint_base::Control;
use linpoint_spec::{Part, StepError};

/// What a conflict cannot do without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needed {
    /// These operations; and is it known of each of them?
    These(Vec<u32>, bool),
    /// Not even the accused operation: without it no order explains the return of this one.
    NotTheAccused(u32),
}

/// The operations of a conflict that are needed: they have no order, whatever else happened until the accused one returned. At most about so many
/// configurations are visited.
pub fn needed(part: &Part, accused: u32, conflict: &[u32], work: u64, control: &Control) -> Result<Needed, StepError> {
    let all = || Ok(Needed::These(conflict.to_vec(), false));
    let view =
        about_those_of(part, conflict).map_or_else(|| past(part, accused), |ops| past(&only(part, &ops), accused));
    let Some(view) = view else { return all() };
    let mut bench = Workbench::new(part.spec.fork(), work, control);
    let shown: Ops = conflict.iter().copied().collect();
    let returned: Vec<usize> = view.events.iter().filter(|event| event.is_return()).map(|event| event.op()).collect();
    let mut places: Vec<usize> = returned.iter().copied().filter(|&place| shown.contains(&view.ops[place])).collect();
    let is_accused = |place: usize| view.ops[place] == accused;
    places.sort_unstable_by_key(|&place| (is_accused(place), place)); // by their calls, and the accused one last
    let mut need = vec![Need::Optional; view.ops.len()];
    places.iter().for_each(|&place| need[place] = Need::Recorded);
    let start = [Start { state: bench.specification().initial()?, done: Vec::new() }];
    let mut stuck_at = |need: &[Need]| match bench.explain(&view, &start, |op| need[op])? {
        Found::Stuck(rho) => {
            // What is optional and changes nothing is left out of a search, and so is its return.
            let searched = |place: usize| need[place] == Need::Recorded || !view.spec.read_only(view.codes[place]);
            Ok(returned.iter().filter(|&&place| searched(place)).nth(rho))
        }
        Found::Explained | Found::Unknown => Ok(None),
    };
    if stuck_at(&need)?.is_none() {
        return all();
    }
    for place in places {
        need[place] = Need::Optional;
        match stuck_at(&need)? {
            None => need[place] = Need::Recorded,
            Some(&other) if is_accused(place) => return Ok(Needed::NotTheAccused(view.ops[other])),
            Some(_) => {}
        }
    }
    let operations = (0..view.ops.len()).filter(|&place| need[place] == Need::Recorded).map(|place| view.ops[place]);
    Ok(Needed::These(operations.collect(), !bench.exhausted))
}
