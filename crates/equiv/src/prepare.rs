//! From any system to the one that is refined: reachable states only, internal components contracted, no transition twice.
//!
//! States that cannot be reached from the initial states are dropped first: they would make a quotient larger without a trace that
//! shows them. A divergent component gets a loop with a label of its own, visible to the refinement; the quotient turns it back into
//! an internal loop. O(m) time apart from sorting each row.

use crate::lts::{Lts, TAU};
use crate::silent::{Components, DROPPED, components};
use linpoint_base::{Account, Cause, Control};

/// States between two looks at the budget.
const BETWEEN_POLLS: u32 = 1 << 14;

/// What counts as the same, as far as preparation is concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Internal steps are steps like any other.
    Visible,
    /// Internal steps are silent; running for ever by them is not noticed.
    Blind,
    /// Internal steps are silent; running for ever by them is noticed.
    Divergence,
}

/// A system with rows sorted by label and target, without duplicates.
pub(crate) struct Prepared {
    /// The rows. Unless internal steps are visible, these lead from a state to one with a smaller number.
    pub offsets: Vec<u32>,
    pub label: Vec<u32>,
    pub target: Vec<u32>,
    /// The prepared state of each row of the original, or DROPPED.
    pub of: Vec<u32>,
    /// The label of the loops that stand for divergence: one more than the last label.
    pub divergence: u32,
}

impl Prepared {
    pub fn states(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline]
    pub fn range(&self, state: u32) -> std::ops::Range<usize> {
        self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize
    }
}

/// Prepares what can be reached from `roots`.
pub(crate) fn prepare(lts: &Lts, roots: &[u32], silence: Silence, control: &Control) -> Result<Prepared, Cause> {
    let mut account = Account::alone(control);
    let held = 8 * lts.transitions() + 16 * lts.rows();
    let reachable = lts.reachable(roots);
    let Components { of, divergent } = match silence {
        Silence::Visible => each_alone(&reachable),
        Silence::Blind | Silence::Divergence => components(lts, &reachable),
    };
    drop(reachable);
    let states = divergent.len();
    let members = by_component(&of, states);
    let mut prepared = Prepared {
        offsets: Vec::with_capacity(states + 1),
        label: Vec::with_capacity(lts.transitions()),
        target: Vec::with_capacity(lts.transitions()),
        of,
        divergence: lts.labels.len() as u32,
    };
    let mut row: Vec<(u32, u32)> = Vec::new();
    let mut next = members.iter().peekable();
    prepared.offsets.push(0);
    for state in 0..states as u32 {
        if state % BETWEEN_POLLS == 0
            && let Some(cause) = account.poll(held, 0)
        {
            return Err(cause);
        }
        row.clear();
        while let Some(&member) = next.next_if(|&&member| prepared.of[member as usize] == state) {
            row.extend(lts.row(member).map(|(label, target)| (label, prepared.of[target as usize])));
        }
        if silence != Silence::Visible {
            row.retain(|&(label, target)| label != TAU || target != state);
        }
        if silence == Silence::Divergence && divergent[state as usize] {
            row.push((prepared.divergence, state));
        }
        row.sort_unstable();
        row.dedup();
        prepared.label.extend(row.iter().map(|&(label, _)| label));
        prepared.target.extend(row.iter().map(|&(_, target)| target));
        prepared.offsets.push(prepared.label.len() as u32);
    }
    Ok(prepared)
}

/// Every row that is wanted is a component of its own.
fn each_alone(wanted: &[bool]) -> Components {
    let mut states = 0;
    let of = wanted.iter().map(|&wanted| {
        states += u32::from(wanted);
        if wanted { states - 1 } else { DROPPED }
    });
    let of = of.collect();
    Components { of, divergent: vec![false; states as usize] }
}

/// The rows that were kept, those of one component together, components in the order of their numbers.
fn by_component(of: &[u32], states: usize) -> Vec<u32> {
    let mut next = vec![0u32; states + 1];
    for &state in of.iter().filter(|&&state| state != DROPPED) {
        next[state as usize + 1] += 1;
    }
    for state in 0..states {
        next[state + 1] += next[state];
    }
    let mut members = vec![0; next[states] as usize];
    for (row, &state) in of.iter().enumerate().filter(|&(_, &state)| state != DROPPED) {
        members[next[state as usize] as usize] = row as u32;
        next[state as usize] += 1;
    }
    members
}
