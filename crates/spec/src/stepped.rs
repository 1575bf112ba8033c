//! How is a specification run that can be stepped? By keeping every state that the operations so far may have led to.
//!
//! A run of k operations costs k steps from each of these states; most models have one. A copy is a list of states.

use crate::{Code, Run, Spec, State, StepError};

/// A specification that is run by its steps.
pub struct Stepped {
    spec: Box<dyn Spec>,
    /// The states that the object in hand may be in.
    states: Vec<State>,
    next: Vec<State>,
    saved: Vec<Vec<State>>,
}

impl Stepped {
    /// Nothing is done yet.
    pub fn new(spec: Box<dyn Spec>) -> Stepped {
        Stepped { spec, states: Vec::new(), next: Vec::new(), saved: Vec::new() }
    }
}

impl Run for Stepped {
    fn begin(&mut self) -> Result<(), StepError> {
        self.states.clear();
        self.states.push(self.spec.initial()?);
        Ok(())
    }

    fn go_on(&mut self, codes: &[Code]) -> Result<usize, StepError> {
        for (place, &code) in codes.iter().enumerate() {
            self.next.clear();
            for &state in &self.states {
                self.spec.step(state, code, &mut self.next)?;
            }
            std::mem::swap(&mut self.states, &mut self.next);
            match self.states.len() {
                0 => return Ok(place),
                1 => {}
                _ => {
                    self.states.sort_unstable();
                    self.states.dedup();
                }
            }
        }
        Ok(codes.len())
    }

    fn copy_cost(&self) -> Option<usize> {
        Some(1)
    }

    fn save(&mut self) -> Result<bool, StepError> {
        self.saved.push(self.states.clone());
        Ok(true)
    }

    fn restore(&mut self, stays: bool) -> Result<bool, StepError> {
        match (self.saved.last(), stays) {
            (Some(top), true) => self.states.clone_from(top),
            _ => self.states = self.saved.pop().unwrap_or_default(),
        }
        Ok(true)
    }

    fn clear(&mut self) {
        self.saved.clear();
    }

    fn bytes(&self) -> usize {
        let states: usize = self.saved.iter().map(|states| states.capacity() + 3).sum();
        self.spec.bytes() + 8 * (states + self.states.capacity() + self.next.capacity())
    }
}
