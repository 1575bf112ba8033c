//! Random histories, nasty on purpose: ties, long overlaps, peeks around adds and removes, empties, pending operations.
//!
//! Half are noise. The other half really happened to an object, operation after operation, with intervals around
//! those moments; then, perhaps, one of them is moved, so that the verdict hangs by a thread.

use linpoint_history::{Builder, History, Record, Status, Value, ValueId};
use linpoint_spec::{Model, Options, Part};
use linpoint_testkit::Dice;
use std::sync::Arc;

/// What an operation is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    Null,
    Int(i64),
    Bool(bool),
    Pair(i64, i64),
}

impl Datum {
    fn intern(&self, builder: &mut Builder) -> ValueId {
        match *self {
            Datum::Null => ValueId::NULL,
            Datum::Int(number) => builder.values.int(number),
            Datum::Bool(truth) => builder.values.bool(truth),
            Datum::Pair(a, b) => {
                let pair = [builder.values.int(a), builder.values.int(b)];
                builder.values.intern(Value::List(Box::new(pair)))
            }
        }
    }
}

/// An operation; no return: pending.
#[derive(Clone, Debug)]
pub struct Op {
    pub f: &'static str,
    pub value: Datum,
    pub result: Datum,
    pub call: i64,
    pub ret: Option<i64>,
}

pub fn op(f: &'static str, value: Datum, result: Datum) -> Op {
    Op { f, value, result, call: 0, ret: Some(0) }
}

/// The history of these operations, each of a process of its own, and its only part.
pub fn part(model: &str, initial: Option<Datum>, ops: &[Op]) -> (History, Part) {
    let mut builder = Builder::new();
    let options = initial.map(|initial| {
        let value = match initial {
            Datum::Pair(a, b) => {
                let all: Vec<ValueId> = (a..b).map(|i| builder.values.int(i)).collect();
                builder.values.list(&all)
            }
            other => other.intern(&mut builder),
        };
        ("initial".to_owned(), value)
    });
    for (process, op) in ops.iter().enumerate() {
        let (process, f) = (builder.values.int(process as i64), builder.values.text(op.f));
        let (value, result) = (op.value.intern(&mut builder), op.result.intern(&mut builder));
        let (status, result) = if op.ret.is_some() { (Status::Ok, result) } else { (Status::Info, ValueId::NULL) };
        let key = ValueId::ABSENT;
        builder.push(Record { process, f, key, value, result, status, call: op.call, ret: op.ret, line: 0 });
    }
    let history = builder.finish().expect("processes are sequential");
    let model = Model { name: model.into(), options: Options::new(options.into_iter().collect()) };
    let values = Arc::clone(&history.values);
    let mut parts = model.compile(&history, &values, true).expect("the model fits");
    assert!(parts.len() <= 1, "one object");
    (history, parts.pop().expect("one part"))
}

/// Gives operations intervals: noise, or around moments one after the other.
pub fn spread(dice: &mut Dice, ops: &mut [Op], pending: u64) {
    let noise = dice.chance(40);
    let widest = [4, 8, 24][dice.roll(3) as usize];
    let (gap, reach) = (1 + dice.roll(6) as i64, 1 + dice.roll(widest));
    let span = 4 + dice.roll(4 * ops.len() as u64);
    for (place, op) in ops.iter_mut().enumerate() {
        if noise {
            op.call = dice.roll(span) as i64;
            op.ret = Some(op.call + dice.roll(reach) as i64);
        } else {
            op.call = place as i64 * gap - dice.roll(reach) as i64;
            op.ret = Some(place as i64 * gap + dice.roll(reach) as i64);
        }
        if dice.chance(pending) {
            op.ret = None;
        }
    }
    if !noise && dice.chance(60) && !ops.is_empty() {
        let place = dice.roll(ops.len() as u64) as usize;
        let by = dice.roll(9) as i64 - 4;
        ops[place].call += by;
        ops[place].ret = ops[place].ret.map(|ret| (ret + by).max(ops[place].call));
    }
}

/// Which container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Queue,
    Stack,
    Priority,
    Bag,
}

impl Kind {
    pub fn model(self) -> &'static str {
        match self {
            Kind::Queue => "queue",
            Kind::Stack => "stack",
            Kind::Priority => "priority-queue",
            Kind::Bag => "bag",
        }
    }

    fn names(self) -> [&'static str; 3] {
        match self {
            Kind::Queue => ["enqueue", "dequeue", "peek"],
            Kind::Stack => ["push", "pop", "peek"],
            Kind::Priority => ["insert", "poll", "peek"],
            Kind::Bag => ["add", "take", "contains"],
        }
    }

    /// Which of those inside comes out next.
    fn next(self, inside: &[Datum], dice: &mut Dice) -> usize {
        match self {
            Kind::Queue => 0,
            Kind::Stack => inside.len() - 1,
            Kind::Bag => dice.roll(inside.len() as u64) as usize,
            Kind::Priority => {
                let key = |datum: &Datum| match datum {
                    Datum::Pair(priority, _) | Datum::Int(priority) => *priority,
                    _ => 0,
                };
                let best = inside.iter().map(key).max().unwrap_or(0);
                let ties: Vec<usize> = (0..inside.len()).filter(|&i| key(&inside[i]) == best).collect();
                ties[dice.roll(ties.len() as u64) as usize]
            }
        }
    }
}

/// What the next history is like.
pub struct Taste {
    pub ops: u64,
    pub peeks: u64,
    pub empties: u64,
    pub pending: u64,
    pub unknown_removes: u64,
    pub founders: u64,
    /// How many different values there are; 0: no two are equal.
    pub values: i64,
}

impl Taste {
    pub fn random(dice: &mut Dice, ops: u64) -> Taste {
        let maybe = |dice: &mut Dice, percent: u64| if dice.chance(50) { percent } else { 0 };
        Taste {
            ops: 2 + dice.roll(ops - 1),
            peeks: maybe(dice, 50),
            empties: maybe(dice, 15),
            pending: if dice.chance(25) { 10 } else { 0 },
            unknown_removes: if dice.chance(15) { 15 } else { 0 },
            founders: if dice.chance(10) { dice.roll(3) } else { 0 },
            values: 0,
        }
    }
}

/// Operations that happened to a container one after the other.
pub fn container(dice: &mut Dice, kind: Kind, taste: &Taste) -> (Vec<Op>, Option<Datum>) {
    let [add, remove, peek] = kind.names();
    let founders = taste.founders as i64;
    let mut inside: Vec<Datum> = (100..100 + founders).map(Datum::Int).collect();
    let (mut ops, mut fresh) = (Vec::new(), 0);
    while (ops.len() as u64) < taste.ops {
        if dice.chance(taste.unknown_removes) {
            let mut hidden = op(remove, Datum::Null, Datum::Null);
            hidden.ret = None;
            ops.push(hidden);
            if !inside.is_empty() && dice.chance(70) {
                inside.remove(kind.next(&inside, dice));
            }
        } else if dice.chance(taste.empties) && inside.is_empty() {
            ops.push(op(if dice.chance(50) && kind != Kind::Bag { peek } else { remove }, Datum::Null, Datum::Null));
        } else if !inside.is_empty() && dice.chance(taste.peeks) {
            let seen = inside[kind.next(&inside, dice)].clone();
            ops.push(if kind == Kind::Bag { op(peek, seen, Datum::Bool(true)) } else { op(peek, Datum::Null, seen) });
        } else if inside.is_empty() || dice.chance(50) {
            fresh += 1;
            let name = if taste.values > 0 { 100 + fresh % taste.values } else { fresh };
            let value = if kind == Kind::Priority { Datum::Pair(dice.roll(4) as i64, name) } else { Datum::Int(name) };
            inside.push(value.clone());
            ops.push(op(add, value, Datum::Null));
        } else {
            let value = inside.remove(kind.next(&inside, dice));
            ops.push(op(remove, Datum::Null, value));
        }
    }
    let hidden: Vec<bool> = ops.iter().map(|op| op.ret.is_none()).collect();
    // Results may be swapped between removes, so that more than intervals is wrong.
    if dice.chance(20) {
        let (a, b) = (dice.roll(taste.ops) as usize, dice.roll(taste.ops) as usize);
        if a != b && ops[a].f == ops[b].f && ops[a].value == ops[b].value && !hidden[a] && !hidden[b] {
            let result = std::mem::replace(&mut ops[a].result, Datum::Null);
            ops[a].result = std::mem::replace(&mut ops[b].result, result);
        }
    }
    spread(dice, &mut ops, 0);
    for (op, hidden) in ops.iter_mut().zip(hidden) {
        if hidden || dice.chance(taste.pending) {
            op.ret = None;
        }
    }
    (ops, (founders > 0).then_some(Datum::Pair(100, 100 + founders)))
}

/// Operations on a register; values are each written once, and none is the first one.
pub fn register(dice: &mut Dice, count: u64) -> (Vec<Op>, Option<Datum>) {
    let pending = if dice.chance(30) { 12 } else { 0 };
    let cas = if dice.chance(60) { 40 } else { 0 };
    let wrong = if dice.chance(30) { 10 } else { 0 };
    let (mut held, mut fresh) = (0, 0);
    let mut ops = Vec::new();
    for _ in 0..2 + dice.roll(count - 1) {
        let found = if dice.chance(wrong) { dice.roll(fresh as u64 + 2) as i64 } else { held };
        if dice.chance(45) {
            ops.push(op("read", Datum::Null, Datum::Int(found)));
        } else if dice.chance(cas) {
            fresh += 1;
            held = fresh;
            ops.push(match dice.roll(12) {
                0..6 => op("cas", Datum::Pair(found, fresh), Datum::Bool(true)),
                6..10 => op("swap", Datum::Int(fresh), Datum::Int(found)),
                _ => op("cas", Datum::Pair(found, found), Datum::Bool(true)),
            });
            if let Datum::Pair(a, b) = ops[ops.len() - 1].value
                && a == b
            {
                held = found;
            }
        } else {
            fresh += 1;
            held = fresh;
            ops.push(op("write", Datum::Int(fresh), Datum::Null));
        }
    }
    spread(dice, &mut ops, pending);
    (ops, Some(Datum::Int(0)))
}

/// Operations on one element of a set.
pub fn element(dice: &mut Dice, count: u64) -> (Vec<Op>, Option<Datum>) {
    let pending = if dice.chance(30) { 15 } else { 0 };
    let wrong = if dice.chance(50) { 10 } else { 0 };
    let first = dice.chance(20);
    let mut inside = first;
    let mut ops = Vec::new();
    for _ in 0..2 + dice.roll(count - 1) {
        let (f, answer, after) = match dice.roll(3) {
            0 => ("add", !inside, true),
            1 => ("remove", inside, false),
            _ => ("contains", inside, inside),
        };
        ops.push(op(f, Datum::Int(7), Datum::Bool(answer != dice.chance(wrong))));
        inside = after;
    }
    spread(dice, &mut ops, pending);
    (ops, first.then_some(Datum::Pair(7, 8)))
}
