//! A store of texts, one cell a key: get, put, append (the workload of Jepsen's and Porcupine's kv tests).
//!
//! A state is the number of the text under the key ([`Texts`]): a get compares two integers, an append
//! costs O(1) plus, when the text was met before by another way, its comparison. Histories split by key.

use super::cell::{self, Test, width};
use super::understand::{key_alone, keyed, needs};
use crate::heap::Texts;
use crate::info::{ModelInfo, operation, option};
use crate::{Growth, Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State, Text};
use linpoint_history::{ValueId, Values};
use std::sync::Arc;

/// The store of texts.
pub const INFO: ModelInfo = ModelInfo {
    name: "kv",
    aliases: &["kv-store", "key-value", "key-value-store"],
    summary: "Texts under keys, which can be appended to.",
    operations: &[
        operation("get", &["read"], "key", "the text held, `initial` if none; null counts as `initial`"),
        operation("put", &["set", "write"], "[key, text]", "–"),
        operation("append", &[], "[key, text]", "–"),
    ],
    options: &[option("initial", "\"\"", "the text under every key at first")],
};

/// Texts under keys.
#[derive(Clone, Debug)]
pub struct Kv {
    texts: Texts,
    initial: u32,
    appends: bool,
}

/// What a key can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Read or written.
    Cell(cell::Call),
    /// This text is put behind the text there; never the empty one, which is a read.
    Append(u32),
}

impl Kv {
    /// A store with `initial` under every key.
    pub fn new(initial: &str) -> Self {
        let mut texts = Texts::default();
        let initial = texts.intern(initial);
        Kv { texts, initial, appends: false }
    }

    /// The text of `value`, or what stands there instead.
    fn text(&mut self, op: &OpView<'_>, name: &str, value: ValueId) -> Result<u32, Refusal> {
        let number = self.texts.named_by(value, op.values);
        number.ok_or_else(|| needs(op, name, "a text (a map holds any value)", value))
    }
}

/// The text that a cell holds.
fn text_of(held: &Held) -> &str {
    let Held::Text(text) = held else { unreachable!("a kv holds texts") };
    text
}

impl Object for Kv {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let name = INFO.resolve(op)?;
        let (key, call) = match name {
            "get" => {
                let test = match op.result {
                    None => Test::Any,
                    Some(ValueId::NULL) => Test::Is(self.initial),
                    Some(result) => Test::Is(self.text(op, "the result of a get", result)?),
                };
                (key_alone(op), Call::Cell(cell::Call::Check(test)))
            }
            "put" | "append" => {
                let (key, [value]) = keyed(op, name, &["key", "text"])?;
                let text = self.text(op, name, value)?;
                let call = match name {
                    "put" => Call::Cell(cell::Call::put(Test::Any, text)),
                    _ if text == Texts::EMPTY => Call::Cell(cell::Call::Check(Test::Any)),
                    _ => Call::Append(text),
                };
                self.appends |= matches!(call, Call::Append(_));
                (key, call)
            }
            name => unreachable!("a kv has no {name}"),
        };
        Ok(Request { reach: Reach::Cell(key), call })
    }

    fn settle(&mut self, values: &Arc<Values>) {
        self.texts.settle(values);
    }

    fn initial(&mut self, _: ValueId) -> State {
        u64::from(self.initial)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        match *call {
            Call::Cell(call) => call.step(state, next),
            Call::Append(text) => next.push(u64::from(self.texts.append(state as u32, text))),
        }
    }

    fn read_only(&self, call: &Call) -> bool {
        match call {
            Call::Cell(call) => call.read_only(),
            Call::Append(_) => false,
        }
    }

    fn show(&self, state: State, _: &Values) -> String {
        format!("{:?}", self.texts.get(state as u32))
    }

    fn hold(&self, state: State) -> Held {
        Held::Text(self.texts.get(state as u32))
    }

    fn expect(&mut self, held: &Held, values: &Values) {
        self.texts.number(text_of(held), values);
    }

    fn adopt(&mut self, held: &Held) -> State {
        let values = Arc::clone(self.texts.values());
        u64::from(self.texts.number(text_of(held), &values))
    }

    fn shape(&self) -> Shape {
        Shape::Register
    }

    fn role(&self, call: &Call) -> Role {
        match call {
            Call::Cell(call) => call.role(),
            Call::Append(_) => Role::Other,
        }
    }

    fn contents(&self, _: ValueId) -> Vec<u32> {
        vec![self.initial]
    }

    fn growth<'a>(&'a self, call: &'a Call, _: Option<u32>, _: &[ValueId]) -> Growth<'a> {
        match *call {
            Call::Append(text) => Growth::Append(Text::Bytes(self.texts.bytes_of(text))),
            Call::Cell(cell::Call::Check(Test::Is(text))) => Growth::Text(Text::Bytes(self.texts.bytes_of(text))),
            Call::Cell(cell::Call::Check(Test::Any)) => Growth::Nothing,
            Call::Cell(_) => Growth::Other,
        }
    }

    fn grown_at_first(&self, keys: &[ValueId]) -> Growth<'_> {
        match self.appends && keys.len() == 1 {
            true => Growth::Text(Text::Bytes(self.texts.bytes_of(self.initial))),
            false => Growth::Other,
        }
    }

    fn width(&self) -> u32 {
        if self.appends { 32 } else { width(self.texts.named() as u32 - 1) }
    }

    fn bytes(&self) -> usize {
        self.texts.bytes()
    }
}
