//! Does the object always get on? Lock-freedom, obstruction-freedom, wait-freedom, freedom from deadlock, each with a run that shows the contrary.
//!
//! | property | what may not be reached |
//! |---|---|
//! | deadlock-free | a call is pending and no thread can take a step |
//! | lock-free | a cycle of internal steps; a pending call whose thread has to wait for another one |
//! | obstruction-free | a cycle of internal steps of one thread alone; a pending call whose thread has to wait |
//! | wait-free | a cycle with a step of a thread and without a return of its call; a pending call whose thread has to wait |
//!
//! Under a bounded client every retry loop ends, since the others run out of calls, so wait-freedom needs a client that calls for ever (Petrank, Musuvathi,
//! Steensgaard, "Progress guarantee for parallel programs via bounded lock-freedom", PLDI 2009; Dongol, ICFEM 2006). O(m) for each property and thread.

use crate::client::{Event, Label};
use crate::cycles::components;
use crate::graph::Graph;
use crate::path::Run;

/// A run that shows that a property does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The way there.
    pub stem: Run,
    /// What can go on for ever; empty if it ends there, since the thread has to wait.
    pub cycle: Run,
    /// The thread that does not get on; None is all of them.
    pub thread: Option<usize>,
}

impl Graph {
    /// A shortest way into a state where a call is pending and nobody can take a step.
    pub fn deadlock(&self, pending: &[u8]) -> Option<Lasso> {
        let stuck = |state: u32| pending[state as usize] != 0 && self.range(state).is_empty();
        self.any(stuck)?;
        self.shortest(self.initial, |_, _, _| true, stuck).map(|stem| Lasso { stem, cycle: Run::new(), thread: None })
    }

    /// A shortest way into a state where a thread with a pending call has to wait for another one.
    pub fn waiting(&self, pending: &[u8]) -> Option<Lasso> {
        let waits = |state: u32| {
            let moves = self.row(state).fold(0u8, |moves, (label, _)| moves | 1 << label.thread());
            pending[state as usize] & !moves
        };
        self.any(|state| waits(state) != 0)?;
        let stem = self.shortest(self.initial, |_, _, _| true, |state| waits(state) != 0)?;
        let end = stem.last().map_or(self.initial, |&at| self.transition(at).1);
        Some(Lasso { thread: Some(waits(end).trailing_zeros() as usize), stem, cycle: Run::new() })
    }

    /// A shortest way into a cycle of internal steps, of any thread or of this one alone.
    pub fn divergence(&self, alone: Option<usize>) -> Option<Lasso> {
        let allowed = |label: Label| label.internal() && alone.is_none_or(|thread| label.thread() == thread);
        self.lasso(allowed, |_| true).map(|(stem, cycle)| Lasso { stem, cycle, thread: alone })
    }

    /// A shortest way into a cycle in which a thread takes steps and its call does not return. The client must call for ever.
    pub fn starvation(&self) -> Option<Lasso> {
        (0..self.threads)
            .filter_map(|thread| {
                // A cycle without a return of the thread and with a step of it has no call of it either.
                let allowed = |label: Label| !(label.thread() == thread && matches!(label.event(), Event::Return(..)));
                let step = |label: Label| label.internal() && label.thread() == thread;
                self.lasso(allowed, step).map(|(stem, cycle)| Lasso { stem, cycle, thread: Some(thread) })
            })
            .min_by_key(|lasso| lasso.stem.len() + lasso.cycle.len())
    }

    /// Any state like this, if there is one: a look at each state in turn, before a search for a shortest way.
    fn any(&self, wanted: impl Fn(u32) -> bool) -> Option<u32> {
        (0..self.states() as u32).find(|&state| wanted(state))
    }

    /// A shortest way to a state on a cycle of the allowed transitions with at least one that counts, and a cycle through it.
    fn lasso(&self, allowed: impl Fn(Label) -> bool, counts: impl Fn(Label) -> bool) -> Option<(Run, Run)> {
        let of = components(self.states(), |state| {
            self.row(state).filter(|(label, _)| allowed(*label)).map(|(_, target)| target)
        });
        let within =
            |state: u32, label: Label, target: u32| allowed(label) && of[state as usize] == of[target as usize];
        // A transition that counts within a component is on a cycle.
        let begins = |state: u32| self.row(state).any(|(label, target)| counts(label) && within(state, label, target));
        self.any(begins)?;
        let stem = self.shortest(self.initial, |_, _, _| true, begins)?;
        let state = stem.last().map_or(self.initial, |&at| self.transition(at).1);
        let first = self.range(state).find(|&at| {
            let (label, target) = self.transition(at);
            counts(label) && within(state, label, target)
        })?;
        let back = self.shortest(self.transition(first).1, within, |found| found == state)?;
        Some((stem, std::iter::once(first).chain(back).collect()))
    }
}
