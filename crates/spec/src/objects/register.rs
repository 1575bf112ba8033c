//! A register: read, write, and for `cas-register` also compare-and-set and swap.
//!
//! The rest is that of any object whose cell holds one value ([`one_value`](super::one_value)).

use super::cell::{Call, Test};
use super::one_value::OneValue;
use super::understand::{needs, object, truth};
use crate::info::{ModelInfo, Operation, operation, option};
use crate::{OpView, Refusal};
use linpoint_history::ValueId;

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

/// A register holding `initial`; with `cas` it can also compare and set, and swap.
pub fn register(initial: ValueId, cas: bool) -> OneValue {
    OneValue::new(if cas { |op| understand(&CAS_INFO, op) } else { |op| understand(&INFO, op) }, initial)
}

fn understand(info: &ModelInfo, op: &OpView<'_>) -> Result<(ValueId, Call), Refusal> {
    let call = match info.resolve(op)? {
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
    Ok((object(op), call))
}
