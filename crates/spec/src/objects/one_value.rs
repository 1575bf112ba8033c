//! An object whose cells hold one value each: what register, cas-register and array share.
//!
//! A state is the id of the value held; the calls are those of any [`cell`](super::cell). A model adds its vocabulary: how an
//! operation is understood, and which cell it is about.

use super::cell::{Call, width};
use crate::{Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};

/// How a model understands an operation: the key of the cell, and the call.
pub type Understand = fn(&OpView<'_>) -> Result<(ValueId, Call), Refusal>;

/// Cells that hold one value each.
#[derive(Clone, Debug)]
pub struct OneValue {
    understand: Understand,
    initial: ValueId,
    /// The largest value id that may be held: bounds the width of a state.
    largest: u32,
}

impl OneValue {
    /// Cells that hold `initial` at first.
    pub fn new(understand: Understand, initial: ValueId) -> Self {
        OneValue { understand, initial, largest: initial.0 }
    }
}

impl Object for OneValue {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let (key, call) = (self.understand)(op)?;
        self.largest = self.largest.max(call.largest());
        Ok(Request { reach: Reach::Cell(key), call })
    }

    fn initial(&mut self, _: ValueId) -> State {
        u64::from(self.initial.0)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        call.step(state, next);
    }

    fn read_only(&self, call: &Call) -> bool {
        call.read_only()
    }

    fn show(&self, state: State, values: &Values) -> String {
        values.show(ValueId(state as u32))
    }

    fn expect(&mut self, held: &Held, _: &Values) {
        self.largest = held.values().iter().map(|value| value.0).fold(self.largest, u32::max);
    }

    fn shape(&self) -> Shape {
        Shape::Register
    }

    fn role(&self, call: &Call) -> Role {
        call.role()
    }

    fn contents(&self, _: ValueId) -> Vec<u32> {
        vec![self.initial.0]
    }

    fn width(&self) -> u32 {
        width(self.largest)
    }
}
