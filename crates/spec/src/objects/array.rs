//! An array: registers under their indices, each a cell of its own, read, written, compared and set.
//!
//! Nothing reads two cells at once, so a history of an array always splits by index.

use super::cell::{Call, Test};
use super::one_value::OneValue;
use super::understand::{key_alone, keyed, truth};
use crate::info::{ModelInfo, operation, option};
use crate::{OpView, Refusal};
use linpoint_history::ValueId;

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

/// An array with `initial` in every cell.
pub fn array(initial: ValueId) -> OneValue {
    OneValue::new(understand, initial)
}

fn understand(op: &OpView<'_>) -> Result<(ValueId, Call), Refusal> {
    Ok(match INFO.resolve(op)? {
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
    })
}
