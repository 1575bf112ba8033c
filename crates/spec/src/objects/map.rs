//! A map, one cell a key: get, put, their conditional kin, and over all cells the size.
//!
//! A state is the id of the value under the key; null stands for "no value", so to put null is to
//! remove. All operations on one key are calls of a [`cell`]: a `put_if_absent` that
//! answered 3 is a read of 3, one that answered null a `cas` from null. Without `size` a history
//! splits by key.

use super::cell::{self, Test, width};
use super::understand::{count, key_alone, keyed, truth, truth_if_recorded};
use crate::info::{ModelInfo, operation};
use crate::{Cells, Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};

/// The map.
pub const INFO: ModelInfo = ModelInfo {
    name: "map",
    aliases: &["hash-map", "dict", "dictionary", "concurrent-map", "table"],
    summary: "Values under keys; null means that there is none.",
    operations: &[
        operation("get", &["read", "lookup"], "key", "value or null"),
        operation("put", &["set", "write", "store"], "[key, value]", "–"),
        operation("swap", &["get_and_put", "getAndPut", "exchange"], "[key, value]", "old value or null"),
        operation("remove", &[], "key", "old value or null"),
        operation("delete", &["discard"], "key", "bool?: was it there"),
        operation(
            "put_if_absent",
            &["putIfAbsent", "put-if-absent"],
            "[key, value]",
            "the value that was there, or null (and then it is put)",
        ),
        operation("replace", &[], "[key, value]", "old value, or null if there was none (and then nothing changes)"),
        operation(
            "replace_if",
            &["compare_and_set", "cas"],
            "[key, old, new]",
            "bool (old null: the key must be absent; new null: it is removed)",
        ),
        operation("remove_if", &["compare_and_remove"], "[key, old]", "bool"),
        operation("contains", &["containsKey", "contains_key", "has"], "key", "bool"),
        operation("size", &["len", "count"], "–", "number of keys with a value"),
    ],
    options: &[],
};

/// A map, empty at first.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// The largest value id that may be held: bounds the width of a state.
    largest: u32,
}

/// What a map can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// About one key.
    Entry(cell::Call),
    /// How many keys have a value; None while it is not known.
    Size(Option<i128>),
}

const NONE: u32 = ValueId::NULL.0;
const ABSENT: Test = Test::Is(NONE);
const PRESENT: Test = Test::IsNot(NONE);

impl Object for Map {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let name = INFO.resolve(op)?;
        let (key, call) = match name {
            "get" => (key_alone(op), cell::Call::read(op.result)),
            "put" | "swap" | "put_if_absent" | "replace" => {
                let (key, [value]) = keyed(op, name, &["key", "value"])?;
                let call = match (name, op.result) {
                    ("put", _) => cell::Call::put(Test::Any, value.0),
                    ("swap", before) => cell::Call::put(Test::known(before), value.0),
                    ("put_if_absent", None) => cell::Call::put_if(ABSENT, value.0, None),
                    ("put_if_absent", Some(ValueId::NULL)) => cell::Call::put(ABSENT, value.0),
                    ("put_if_absent", there) => cell::Call::read(there),
                    (_, None) => cell::Call::put_if(PRESENT, value.0, None),
                    (_, Some(ValueId::NULL)) => cell::Call::Check(ABSENT),
                    (_, before) => cell::Call::put(Test::known(before), value.0),
                };
                (key, call)
            }
            "remove" => (key_alone(op), cell::Call::put(Test::known(op.result), NONE)),
            "delete" => (key_alone(op), cell::Call::put_if(PRESENT, NONE, truth_if_recorded(op, name)?)),
            "replace_if" => {
                let (key, [old, new]) = keyed(op, name, &["key", "old", "new"])?;
                (key, cell::Call::cas(old, new, truth(op, name)?))
            }
            "remove_if" => {
                let (key, [old]) = keyed(op, name, &["key", "old"])?;
                (key, cell::Call::cas(old, ValueId::NULL, truth(op, name)?))
            }
            "contains" => {
                let test = match truth(op, name)? {
                    None => Test::Any,
                    Some(true) => PRESENT,
                    Some(false) => ABSENT,
                };
                (key_alone(op), cell::Call::Check(test))
            }
            "size" => return Ok(Request { reach: Reach::All, call: Call::Size(count(op, name)?) }),
            name => unreachable!("a map has no {name}"),
        };
        self.largest = self.largest.max(call.largest());
        Ok(Request { reach: Reach::Cell(key), call: Call::Entry(call) })
    }

    fn initial(&mut self, _: ValueId) -> State {
        u64::from(NONE)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        match call {
            Call::Entry(call) => call.step(state, next),
            Call::Size(_) => unreachable!("the size reaches all cells"),
        }
    }

    fn step_cells(&mut self, call: &Call, cells: &mut Cells<'_>) -> bool {
        match call {
            Call::Size(Some(size)) => {
                *size == cells.states.iter().filter(|&&state| state != u64::from(NONE)).count() as i128
            }
            _ => true,
        }
    }

    fn read_only(&self, call: &Call) -> bool {
        match call {
            Call::Entry(call) => call.read_only(),
            Call::Size(_) => true,
        }
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
        match call {
            Call::Entry(call) => call.role(),
            Call::Size(_) => Role::Other,
        }
    }

    fn contents(&self, _: ValueId) -> Vec<u32> {
        vec![NONE]
    }

    fn width(&self) -> u32 {
        width(self.largest)
    }
}
