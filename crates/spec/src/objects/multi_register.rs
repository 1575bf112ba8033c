//! Several registers, read and written together by transactions.
//!
//! A transaction is brought to a normal form: for every register it touches, what must be held
//! before and what is held after. A read that follows a write of the same transaction is settled here;
//! if it saw anything else, the transaction is legal nowhere. One that touches a single register is a
//! call of that [`cell`], the same as a plain read or write. Registers that no
//! transaction spans are split; a step costs O(r log n) for r of n registers, plus their unpacking.

use super::cell::{self, Test, width};
use super::understand::{key_alone, keyed, needs};
use crate::info::{ModelInfo, operation, option};
use crate::{Cells, Held, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::{Value, ValueId, Values};
use std::sync::Arc;

/// The registers with transactions.
pub const INFO: ModelInfo = ModelInfo {
    name: "multi-register",
    aliases: &["registers", "txn-register"],
    summary: "Registers that transactions read and write together.",
    operations: &[
        operation(
            "txn",
            &["transaction"],
            "list of [read or r, register, null] and [write or w, register, value]",
            "the same list with reads filled in; null for a transaction without reads",
        ),
        operation("read", &["get", "load"], "register", "the value held"),
        operation("write", &["set", "put", "store"], "[register, value]", "–"),
    ],
    options: &[option("initial", "null", "a value for all registers, or an object {name: value}")],
};

/// What the registers hold at first.
#[derive(Clone, Debug)]
enum Initial {
    All(ValueId),
    /// By name; those not named hold null.
    Named(Arc<HashMap<ValueId, ValueId, Hashing>>),
}

/// Registers under their names.
#[derive(Clone, Debug)]
pub struct MultiRegister {
    initial: Initial,
    /// The largest value id that may be held: bounds the width of a state.
    largest: u32,
}

/// What registers can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// About one register.
    One(cell::Call),
    /// About several: each with its call, sorted by register.
    Many(Box<[(ValueId, cell::Call)]>),
    /// A transaction that contradicts itself: legal nowhere.
    Never,
}

impl MultiRegister {
    /// Registers that hold `initial`: a value for all of them, or an object {name: value}.
    pub fn new(initial: ValueId, values: &Values) -> Self {
        let Value::Map(entries) = values.get(initial) else {
            return MultiRegister { initial: Initial::All(initial), largest: initial.0 };
        };
        let named: HashMap<ValueId, ValueId, Hashing> = entries.iter().copied().collect();
        let largest = named.values().map(|value| value.0).max().unwrap_or(0);
        MultiRegister { initial: Initial::Named(Arc::new(named)), largest }
    }
}

impl MultiRegister {
    /// What `register` holds at first.
    fn first_value(&self, register: ValueId) -> ValueId {
        match &self.initial {
            Initial::All(value) => *value,
            Initial::Named(named) => named.get(&register).copied().unwrap_or(ValueId::NULL),
        }
    }
}

/// One step of a transaction.
struct Step {
    /// The word for read or write.
    kind: ValueId,
    register: ValueId,
    /// What is written; None for a read.
    write: Option<ValueId>,
}

const TXN_VALUE: &str = "a list of [read, register, null] and [write, register, value] as value";
const TXN_RESULT: &str = "the same list with its reads filled in as result";

/// The steps of a transaction and the third item of each.
fn steps(values: &Values, list: ValueId) -> Option<Vec<(Step, ValueId)>> {
    let step = |&item: &ValueId| {
        let &[kind, register, value] = values.as_list(item)? else { return None };
        match values.as_text(kind)? {
            "read" | "r" => Some((Step { kind, register, write: None }, value)),
            "write" | "w" => Some((Step { kind, register, write: Some(value) }, value)),
            _ => None,
        }
    };
    values.as_list(list)?.iter().map(step).collect()
}

/// What every read of the transaction saw, in order; None while it is not known.
fn seen(op: &OpView<'_>, asked: &[(Step, ValueId)]) -> Result<Vec<Option<ValueId>>, Refusal> {
    let Some(result) = op.result else { return Ok(vec![None; asked.len()]) };
    if result == ValueId::NULL && asked.iter().all(|(step, _)| step.write.is_some()) {
        return Ok(vec![None; asked.len()]);
    }
    let refusal = || needs(op, "a completed txn", TXN_RESULT, result);
    let done = steps(op.values, result).ok_or_else(refusal)?;
    let told = |step: &Step| (step.kind, step.register, step.write);
    if !asked.iter().map(|(step, _)| told(step)).eq(done.iter().map(|(step, _)| told(step))) {
        return Err(refusal());
    }
    Ok(done.into_iter().map(|(_, value)| Some(value)).collect())
}

/// The normal form of a transaction.
fn transaction(op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
    if let Some(key) = op.key {
        return Err(needs(op, "txn", "no key, as it names its registers in its value", key));
    }
    let asked = steps(op.values, op.value).ok_or_else(|| needs(op, "txn", TXN_VALUE, op.value))?;
    let seen = seen(op, &asked)?;
    let mut touched: Vec<(ValueId, Option<ValueId>, Option<ValueId>)> = Vec::new(); // register, before, after
    let mut place: HashMap<ValueId, usize, Hashing> = HashMap::default();
    let mut contradiction = false;
    for ((step, _), seen) in asked.iter().zip(seen) {
        let place = *place.entry(step.register).or_insert(touched.len());
        if place == touched.len() {
            touched.push((step.register, None, None));
        }
        let (_, before, after) = &mut touched[place];
        match (step.write, seen) {
            (Some(value), _) => *after = Some(value),
            (None, None) => {}
            (None, Some(seen)) => {
                let held = if after.is_some() { after } else { before };
                contradiction |= *held.get_or_insert(seen) != seen;
            }
        }
    }
    touched.sort();
    let registers: Vec<ValueId> = touched.iter().map(|(register, ..)| *register).collect();
    let reach = match registers[..] {
        [register] => Reach::Cell(register),
        _ => Reach::Cells(registers.into()),
    };
    let calls = touched.into_iter().map(|(register, before, after)| {
        let test = Test::known(before);
        (register, after.map_or(cell::Call::Check(test), |after| cell::Call::put(test, after.0)))
    });
    let calls: Box<[_]> = calls.collect();
    let call = match calls[..] {
        _ if contradiction => Call::Never,
        [(_, call)] => Call::One(call),
        _ => Call::Many(calls),
    };
    Ok(Request { reach, call })
}

impl Object for MultiRegister {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let one = |register, call| Request { reach: Reach::Cell(register), call: Call::One(call) };
        let request = match INFO.resolve(op)? {
            "txn" => transaction(op)?,
            "read" => one(key_alone(op), cell::Call::read(op.result)),
            "write" => {
                let (register, [value]) = keyed(op, "write", &["register", "value"])?;
                one(register, cell::Call::put(Test::Any, value.0))
            }
            name => unreachable!("a multi-register has no {name}"),
        };
        let largest = match &request.call {
            Call::One(call) => call.largest(),
            Call::Many(calls) => calls.iter().map(|(_, call)| call.largest()).max().unwrap_or(0),
            Call::Never => 0,
        };
        self.largest = self.largest.max(largest);
        Ok(request)
    }

    fn initial(&mut self, register: ValueId) -> State {
        u64::from(self.first_value(register).0)
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        match call {
            Call::One(call) => call.step(state, next),
            Call::Never => {}
            Call::Many(_) => unreachable!("this reaches several cells"),
        }
    }

    fn step_cells(&mut self, call: &Call, cells: &mut Cells<'_>) -> bool {
        let Call::Many(calls) = call else { return false };
        calls.iter().all(|&(register, call)| cells.at(register).is_some_and(|state| call.change(state)))
    }

    fn read_only(&self, call: &Call) -> bool {
        match call {
            Call::One(call) => call.read_only(),
            Call::Many(calls) => calls.iter().all(|(_, call)| call.read_only()),
            Call::Never => true,
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
            Call::One(call) => call.role(),
            Call::Many(_) | Call::Never => Role::Other,
        }
    }

    fn effects(&self, call: &Call, keys: &[ValueId]) -> Option<Vec<(u32, Role)>> {
        let Call::Many(calls) = call else { return None };
        let place = |register: &ValueId| keys.binary_search(register).ok().map(|place| place as u32);
        calls.iter().map(|(register, call)| Some((place(register)?, call.role()))).collect()
    }

    fn contents(&self, register: ValueId) -> Vec<u32> {
        vec![self.first_value(register).0]
    }

    fn width(&self) -> u32 {
        width(self.largest)
    }
}
