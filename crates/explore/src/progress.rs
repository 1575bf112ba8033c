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
use crate::walk::Walk;
use linpoint_base::{Cause, Control};

/// What was looked for, if it is there; or why the search was stopped.
type Found<T> = Result<Option<T>, Cause>;

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
    pub fn deadlock(&self, pending: &[u8], control: &Control) -> Found<Lasso> {
        let stuck = |state: u32| pending[state as usize] != 0 && self.range(state).is_empty();
        let stem = self.way_to(stuck, control)?;
        Ok(stem.map(|stem| Lasso { stem, cycle: Run::new(), thread: None }))
    }

    /// A shortest way into a state where a thread with a pending call has to wait for another one.
    pub fn waiting(&self, pending: &[u8], control: &Control) -> Found<Lasso> {
        let waits = |state: u32| {
            let moves = self.row(state).fold(0u8, |moves, (label, _)| moves | 1 << label.thread());
            pending[state as usize] & !moves
        };
        let Some(stem) = self.way_to(|state| waits(state) != 0, control)? else { return Ok(None) };
        let thread = waits(self.end_of(&stem)).trailing_zeros() as usize;
        Ok(Some(Lasso { thread: Some(thread), stem, cycle: Run::new() }))
    }

    /// A shortest way into a cycle of internal steps, of any thread or of this one alone.
    pub fn divergence(&self, alone: Option<usize>, control: &Control) -> Found<Lasso> {
        let allowed = |label: Label| label.internal() && alone.is_none_or(|thread| label.thread() == thread);
        let found = self.lasso(allowed, |_| true, control)?;
        Ok(found.map(|(stem, cycle)| Lasso { stem, cycle, thread: alone }))
    }

    /// A shortest way into a cycle in which a thread takes steps and its call does not return. The client must call for ever.
    pub fn starvation(&self, control: &Control) -> Found<Lasso> {
        let mut shortest: Option<Lasso> = None;
        for thread in 0..self.threads {
            // A cycle without a return of the thread and with a step of it has no call of it either.
            let allowed = |label: Label| !(label.thread() == thread && matches!(label.event(), Event::Return(..)));
            let step = |label: Label| label.internal() && label.thread() == thread;
            if let Some((stem, cycle)) = self.lasso(allowed, step, control)? {
                let length = |lasso: &Lasso| lasso.stem.len() + lasso.cycle.len();
                if shortest.as_ref().is_none_or(|known| stem.len() + cycle.len() < length(known)) {
                    shortest = Some(Lasso { stem, cycle, thread: Some(thread) });
                }
            }
        }
        Ok(shortest)
    }

    /// A shortest way from the initial state to one like this. Most often there is none: that is told by a look at each state in turn.
    fn way_to(&self, wanted: impl Fn(u32) -> bool, control: &Control) -> Found<Run> {
        let mut walk = Walk::new(control);
        for state in 0..self.states() as u32 {
            walk.step(|| 0)?;
            if wanted(state) {
                return self.shortest(self.initial, |_, _, _| true, wanted, control);
            }
        }
        Ok(None)
    }

    fn end_of(&self, stem: &Run) -> u32 {
        stem.last().map_or(self.initial, |&at| self.transition(at).1)
    }

    /// A shortest way to a state on a cycle of the allowed transitions with at least one that counts, and a cycle through it.
    fn lasso(
        &self,
        allowed: impl Fn(Label) -> bool,
        counts: impl Fn(Label) -> bool,
        control: &Control,
    ) -> Found<(Run, Run)> {
        let edges = |state| self.row(state).filter(|(label, _)| allowed(*label)).map(|(_, target)| target);
        let of = components(self.states(), edges, &mut Walk::new(control))?;
        let within =
            |state: u32, label: Label, target: u32| allowed(label) && of[state as usize] == of[target as usize];
        // A transition that counts within a component is on a cycle.
        let goes_round = |state: u32, (label, target): (Label, u32)| counts(label) && within(state, label, target);
        let begins = |state: u32| self.row(state).any(|step| goes_round(state, step));
        let Some(stem) = self.way_to(begins, control)? else { return Ok(None) };
        let state = self.end_of(&stem);
        let Some(first) = self.range(state).find(|&at| goes_round(state, self.transition(at))) else { return Ok(None) };
        let back = self.shortest(self.transition(first).1, within, |found| found == state, control)?;
        Ok(back.map(|back| (stem, std::iter::once(first).chain(back).collect())))
    }
}
