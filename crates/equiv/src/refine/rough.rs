//! Which states differ in what they can do within a few steps? A first partition, rough and quick.
//!
//! A round gives each state a *mask* of 64 bits: one bit for every (label, block of the target) that it can do after inert steps. States of
//! a block with different masks part. This is the signature of S. Blom and J. van de Pol ("Distributed branching bisimulation
//! minimization by inductive signatures", PDMC 2009), folded: along a chain of internal steps signatures grow as long as the chain, masks do not.
//!
//! ```text
//!   s ──τ──▶ t ──a──▶ …      inert: s can do what t can, so the mask of t is part of the mask of s
//!   u ──a──▶ …               u has the same mask as t, and as s if s can do nothing else
//! ```
//!
//! Equivalent states can do the same after inert steps, so their masks are equal whatever bits were chosen: **no class rests on a hash**. Two
//! different steps that share a bit only leave work for the refinement. O(m) time per round, a few rounds; 12 bytes per state and a table of the
//! blocks meanwhile.

use crate::lts::TAU;
use crate::prepare::Prepared;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use linpoint_base::{Cause, Control, Seeded, hashed};
use std::ops::Range;

/// The most rounds.
const ROUNDS: usize = 4;

/// States between two looks at the budget.
const BETWEEN_POLLS: usize = 1 << 14;

/// The block of each state, and how many blocks there are: a partition that is coarser than the classes, or the classes.
pub(super) struct Rough {
    pub block: Vec<u32>,
    pub count: usize,
}

/// Parts what a few steps tell.
pub(super) fn rough(system: &Prepared, silent: bool, control: &Control) -> Result<Rough, Cause> {
    let states = system.states();
    let (mut block, mut mask) = (vec![0; states], vec![0; states]);
    let mut count = 1;
    for _ in 0..ROUNDS {
        for first in (0..states).step_by(BETWEEN_POLLS) {
            if let Some(cause) = control.halted() {
                return Err(cause);
            }
            fill(&mut mask, &block, first..states.min(first + BETWEEN_POLLS), system, silent);
        }
        let before = std::mem::replace(&mut count, part(&mut block, &mask));
        if count < before + before / 4 {
            break; // the rest is for those who need not look at everything
        }
    }
    Ok(Rough { block, count })
}

/// What these states can do, as bits. The target of a silent step comes before its source.
fn fill(mask: &mut [u64], block: &[u32], states: Range<usize>, system: &Prepared, silent: bool) {
    for state in states {
        let here = block[state];
        let steps = system.range(state as u32).map(|at| (system.label[at], system.target[at] as usize));
        mask[state] = steps.fold(0, |mine, (label, target)| {
            let inert = silent && label == TAU && block[target] == here;
            mine | if inert { mask[target] } else { bit(label, block[target]) }
        });
    }
}

/// One of 64 bits. The same in every run, so that classes always have the same numbers; where every hash collides, the first: then this
/// partition tells next to nothing, and the tests try what the refinement does alone.
fn bit(label: u32, block: u32) -> u64 {
    let mixed = (u64::from(label) << 32 | u64::from(block)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    1 << (hashed((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)) >> 58)
}

/// States of a block with different masks part. New numbers follow the states; says how many there are.
fn part(block: &mut [u32], mask: &[u64]) -> usize {
    let mut names: HashMap<(u32, u64), u32, Seeded> = HashMap::default();
    for (block, &mask) in block.iter_mut().zip(mask) {
        let next = names.len() as u32;
        *block = match names.entry((*block, mask)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(next),
        };
    }
    names.len()
}
