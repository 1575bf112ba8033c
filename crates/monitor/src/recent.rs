//! What happened last? The last few operations that were forgotten are kept as they were, for whoever reads an alarm: what is settled is known
//! by its states or not at all, and a person wants to see what came before.
//!
//! Nothing is decided by them. O(1) each, and always the same memory.

use crate::window::{Op, Outcome};
use std::collections::VecDeque;

/// So many of all keys are kept.
const KEPT: usize = 64;
/// So many are shown.
const SHOWN: usize = 5;

/// The last that were forgotten.
#[derive(Default)]
pub struct Recent(VecDeque<Op>);

impl Recent {
    /// An operation is forgotten. Nobody asks for one that did not return.
    pub fn push(&mut self, op: &Op) {
        if !op.end.is_some_and(|end| matches!(end.outcome, Outcome::Ok(_))) {
            return;
        }
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(op.clone());
    }

    /// The last that returned before this event, of those that are `about` the same and of these others, in the order of their returns.
    pub fn before<'a>(
        &'a self,
        event: u64,
        about: impl Fn(&Op) -> bool,
        others: impl Iterator<Item = &'a Op>,
    ) -> Vec<Op> {
        let all = self.0.iter().filter(|op| about(op)).chain(others);
        let mut before: Vec<&Op> = all.filter(|op| op.returned().is_some_and(|number| number < event)).collect();
        before.sort_by_key(|op| op.returned());
        before[before.len().saturating_sub(SHOWN)..].iter().map(|&op| op.clone()).collect()
    }

    /// All of them, to name their values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Op> {
        self.0.iter_mut()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Op> {
        self.0.iter()
    }
}

impl FromIterator<Op> for Recent {
    fn from_iter<I: IntoIterator<Item = Op>>(all: I) -> Recent {
        Recent(all.into_iter().collect())
    }
}
