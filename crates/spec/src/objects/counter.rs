//! A counter: added to, subtracted from, read; a number that never overflows.
//!
//! Every operation comes down to one call: the number was `before` (if that is known), then it
//! changes by `by`. A read changes it by 0, `add_and_get(2) → 5` found 3. A state is the number
//! itself ([`Numbers`]).

use super::understand::{amount, count, object};
use crate::heap::Numbers;
use crate::info::{ModelInfo, operation, option};
use crate::{Held, Object, OpView, Reach, Refusal, Request, State};
use linpoint_history::{ValueId, Values};

/// The counter.
pub const INFO: ModelInfo = ModelInfo {
    name: "counter",
    aliases: &["atomic-counter", "atomic-integer", "atomic-long", "pn-counter"],
    summary: "A whole number that is added to and read.",
    operations: &[
        operation("add", &["increment", "inc", "incr"], "a whole number (null = 1)", "–"),
        operation("sub", &["decrement", "dec", "decr", "subtract"], "a whole number (null = 1)", "–"),
        operation(
            "fetch_add",
            &["get_and_add", "getAndAdd", "fetch-and-add"],
            "a whole number (null = 1)",
            "the number before",
        ),
        operation("add_and_get", &["addAndGet", "add-and-get"], "a whole number (null = 1)", "the number after"),
        operation("read", &["get", "load", "value"], "–", "the number"),
    ],
    options: &[option("initial", "0", "the number at first")],
};

/// A number that is counted up and down.
#[derive(Clone, Debug)]
pub struct Counter {
    initial: i128,
    numbers: Numbers,
}

/// What a counter can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The number found; None when it is not known or not compared.
    pub before: Option<i128>,
    /// What is added to it.
    pub by: i128,
}

impl Counter {
    /// A counter that starts at `initial`.
    pub fn new(initial: i128) -> Self {
        Counter { initial, numbers: Numbers::default() }
    }
}

impl Object for Counter {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let name = INFO.resolve(op)?;
        let (before, by) = match name {
            "add" => (None, amount(op, name)?),
            "sub" => (None, -amount(op, name)?),
            "fetch_add" => (count(op, name)?, amount(op, name)?),
            "add_and_get" => {
                let by = amount(op, name)?;
                (count(op, name)?.map(|after| after.saturating_sub(by)), by)
            }
            "read" => (count(op, name)?, 0),
            name => unreachable!("a counter has no {name}"),
        };
        Ok(Request { reach: Reach::Cell(object(op)), call: Call { before, by } })
    }

    fn initial(&mut self, _: ValueId) -> State {
        self.numbers.intern(self.initial)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        let number = self.numbers.get(state);
        if call.before.is_none_or(|before| before == number) {
            next.push(if call.by == 0 { state } else { self.numbers.intern(number + call.by) });
        }
    }

    fn read_only(&self, call: &Call) -> bool {
        call.by == 0
    }

    fn show(&self, state: State, _: &Values) -> String {
        self.numbers.get(state).to_string()
    }

    fn hold(&self, state: State) -> Held {
        Held::Number(self.numbers.get(state))
    }

    fn adopt(&mut self, held: &Held) -> State {
        let Held::Number(number) = held else { unreachable!("a counter holds a number") };
        self.numbers.intern(*number)
    }

    fn bytes(&self) -> usize {
        self.numbers.bytes()
    }
}
