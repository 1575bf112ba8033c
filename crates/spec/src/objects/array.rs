//! An array: registers under their indices, each a cell of its own, read, written, compared and set.
//!
//! Nothing reads two cells at once, so a history of an array always splits by index.

use super::cell::{Call, Test, width};
use super::understand::{key_alone, keyed, truth};
use crate::info::{ModelInfo, operation, option};
use crate::{Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};

/// The array.
pub const INFO: ModelInfo = ModelInfo {
    name: "array",
    aliases: &["register-array", "vector"],
    summary: "Many registers, each named by its index.",
    operations: &[
        operation("read", &["get", "load"], "index", "value"),
        operation("write", &["set", "put", "store"], "[index, value]", "–"),
        operation(
            "cas",
            &["compare_and_set", "compareAndSet", "compare-and-set", "compare_and_swap"],
            "[index, old, new]",
            "bool",
        ),
    ],
    options: &[option("initial", "null", "what every cell holds before its first write")],
};

/// An array of registers.
#[derive(Clone, Debug)]
pub struct Array {
    initial: ValueId,
    /// The largest value id that may be held: bounds the width of a state.
    largest: u32,
}

impl Array {
    /// An array with `initial` in every cell.
    pub fn new(initial: ValueId) -> Self {
        Array { initial, largest: initial.0 }
    }
}

impl Object for Array {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let (index, call) = match INFO.resolve(op)? {
            "read" => (key_alone(op), Call::read(op.result)),
            "write" => {
                let (index, [value]) = keyed(op, "write", &["index", "value"])?;
                (index, Call::put(Test::Any, value.0))
            }
            "cas" => {
                let (index, [old, new]) = keyed(op, "cas", &["index", "old", "new"])?;
                (index, Call::cas(old, new, truth(op, "cas")?))
            }
            name => unreachable!("an array has no {name}"),
        };
        self.largest = self.largest.max(call.largest());
        Ok(Request { reach: Reach::Cell(index), call })
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
