//! A register: read, write, and for `cas-register` also compare-and-set and swap.
//!
//! A state is the id of the value held; the calls are those of any [`cell`](super::cell).

use super::cell::{Call, Test, width};
use super::understand::{needs, object, truth};
use crate::info::{ModelInfo, Operation, operation, option};
use crate::{Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};

const READ: Operation = operation("read", &["get", "load"], "–", "the value held");
const WRITE: Operation = operation("write", &["set", "put", "store"], "the new value", "–");

/// The register.
pub const INFO: ModelInfo = ModelInfo {
    name: "register",
    aliases: &["rw-register", "read-write-register", "variable"],
    summary: "One value that is read and written.",
    operations: &[READ, WRITE],
    options: &[option("initial", "null", "the value before the first write")],
};

/// The register that can also compare and set.
pub const CAS_INFO: ModelInfo = ModelInfo {
    name: "cas-register",
    aliases: &["cas", "atomic-register", "atomic-reference"],
    summary: "A register that can also compare and set, and swap.",
    operations: &[
        READ,
        WRITE,
        operation(
            "cas",
            &["compare_and_set", "compareAndSet", "compare-and-set", "compare_and_swap"],
            "[old, new]",
            "bool",
        ),
        operation("swap", &["get_and_set", "getAndSet", "exchange"], "the new value", "the old value"),
    ],
    options: &[option("initial", "null", "the value before the first write")],
};

/// A register that holds one value.
#[derive(Clone, Debug)]
pub struct Register {
    info: &'static ModelInfo,
    initial: ValueId,
    /// The largest value id that may be held: bounds the width of a state.
    largest: u32,
}

impl Register {
    /// A register holding `initial`; with `cas` it can also compare and set, and swap.
    pub fn new(initial: ValueId, cas: bool) -> Self {
        Register { info: if cas { &CAS_INFO } else { &INFO }, initial, largest: initial.0 }
    }
}

impl Object for Register {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let call = match self.info.resolve(op)? {
            "read" => Call::read(op.result),
            "write" => Call::put(Test::Any, op.value.0),
            "cas" => {
                let Some(&[old, new]) = op.values.as_list(op.value) else {
                    return Err(needs(op, "cas", "a value [old, new]", op.value));
                };
                Call::cas(old, new, truth(op, "cas")?)
            }
            "swap" => Call::put(Test::known(op.result), op.value.0),
            name => unreachable!("a register has no {name}"),
        };
        self.largest = self.largest.max(call.largest());
        Ok(Request { reach: Reach::Cell(object(op)), call })
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
