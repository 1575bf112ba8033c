//! Lists, one a key, that are appended to and read as a whole: Jepsen's list-append, one step a transaction.
//!
//! A state is the number of a sequence of elements ([`Sequences`]): an append costs O(1) or a copy, a read compares the elements. What a read shows
//! stays in the history's table of values. Histories split by key; a transaction of several steps is refused, since it would tie lists
//! together and order its own steps: that is serializability, which no part by itself can answer for.

use super::line::{ids, show_all};
use super::understand::{key_alone, keyed, needs};
use crate::heap::{End, Sequences};
use crate::info::{ModelInfo, operation};
use crate::{Growth, Held, Object, OpView, Reach, Refusal, Request, State, Text};
use linpoint_history::{ValueId, Values};
use std::sync::Arc;

/// The lists.
pub const INFO: ModelInfo = ModelInfo {
    name: "append-list",
    aliases: &["list-append"],
    summary: "Lists under keys, which are appended to and read as a whole.",
    operations: &[
        operation("append", &[], "[key, element]", "–"),
        operation("read", &["get", "r"], "key", "list of all elements, in order; null counts as []"),
        operation(
            "txn",
            &["transaction"],
            "[[append, key, element]] or [[read or r, key, null]]",
            "the same list with the read filled in; null if that changes nothing",
        ),
    ],
    options: &[],
};

/// Lists under keys.
#[derive(Clone, Debug, Default)]
pub struct AppendList {
    heap: Sequences,
    /// Where the lists are that were read, once all are known.
    values: Arc<Values>,
    appends: bool,
}

/// What a list can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Put this element behind all others.
    Append(ValueId),
    /// All elements: a list, or null for none; None while it is not known.
    Read(Option<ValueId>),
}

const STEP: &str = "a list of one step, [append, key, element] or [r, key, null], as value (several are serializability, not linearizability)";
const STEP_DONE: &str = "the same list with its read filled in as result";

/// The one step of a transaction: (its kind, its key, the third item).
fn only_step(values: &Values, list: ValueId) -> Option<[ValueId; 3]> {
    let &[step] = values.as_list(list)? else { return None };
    values.as_list(step)?.try_into().ok()
}

/// A read of this result.
fn read(op: &OpView<'_>, result: Option<ValueId>) -> Result<Call, Refusal> {
    match result {
        Some(list) if list != ValueId::NULL && op.values.as_list(list).is_none() => {
            Err(needs(op, "a completed read", "a list as result", list))
        }
        result => Ok(Call::Read(result)),
    }
}

/// What a transaction of one step does, and to which list.
fn transaction(op: &OpView<'_>) -> Result<(ValueId, Call), Refusal> {
    if let Some(key) = op.key {
        return Err(needs(op, "txn", "no key, as it names its list in its value", key));
    }
    let refusal = || needs(op, "txn", STEP, op.value);
    let [kind, key, item] = only_step(op.values, op.value).ok_or_else(refusal)?;
    let appends = match op.values.as_text(kind) {
        Some("append") => true,
        Some("read" | "r") => false,
        _ => return Err(refusal()),
    };
    let shown = match op.result {
        None => None,
        Some(ValueId::NULL) => Some(item),
        Some(result) => match only_step(op.values, result) {
            Some([same, list, shown]) if (same, list) == (kind, key) && (!appends || shown == item) => Some(shown),
            _ => return Err(needs(op, "a completed txn", STEP_DONE, result)),
        },
    };
    Ok((key, if appends { Call::Append(item) } else { read(op, shown)? }))
}

impl AppendList {
    /// The elements that a read shows.
    fn elements(&self, list: ValueId) -> &[ValueId] {
        self.values.as_list(list).unwrap_or_default()
    }
}

impl Object for AppendList {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let (key, call) = match INFO.resolve(op)? {
            "append" => {
                let (key, [element]) = keyed(op, "append", &["key", "element"])?;
                (key, Call::Append(element))
            }
            "read" => (key_alone(op), read(op, op.result)?),
            "txn" => transaction(op)?,
            name => unreachable!("an append-list has no {name}"),
        };
        self.appends |= matches!(call, Call::Append(_));
        Ok(Request { reach: Reach::Cell(key), call })
    }

    fn settle(&mut self, values: &Arc<Values>) {
        self.values = Arc::clone(values);
    }

    fn initial(&mut self, _: ValueId) -> State {
        self.heap.intern(&[])
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        match *call {
            Call::Append(element) => next.push(self.heap.push(state, End::Back, element.0)),
            Call::Read(None) => next.push(state),
            Call::Read(Some(list)) => {
                let held = self.heap.get(state).iter().copied();
                if held.eq(self.elements(list).iter().map(|element| element.0)) {
                    next.push(state);
                }
            }
        }
    }

    fn read_only(&self, call: &Call) -> bool {
        matches!(call, Call::Read(_))
    }

    fn show(&self, state: State, values: &Values) -> String {
        show_all(self.heap.get(state).iter().copied(), values)
    }

    fn hold(&self, state: State) -> Held {
        Held::Values(self.heap.get(state).iter().map(|&id| ValueId(id)).collect())
    }

    fn adopt(&mut self, held: &Held) -> State {
        self.heap.intern(&ids(held.values()))
    }

    fn growth<'a>(&'a self, call: &'a Call, _: Option<u32>, _: &[ValueId]) -> Growth<'a> {
        match call {
            Call::Append(element) => Growth::Append(Text::Elements(std::slice::from_ref(element))),
            Call::Read(Some(list)) => Growth::Text(Text::Elements(self.elements(*list))),
            Call::Read(None) => Growth::Nothing,
        }
    }

    fn grown_at_first(&self, keys: &[ValueId]) -> Growth<'_> {
        if self.appends && keys.len() == 1 { Growth::Text(Text::Elements(&[])) } else { Growth::Other }
    }

    fn width(&self) -> u32 {
        32
    }

    fn bytes(&self) -> usize {
        self.heap.bytes()
    }
}
