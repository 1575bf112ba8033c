//! Monitors account for what they are about to need: the most they report is near the most they use.

use crate::allocator::measured;
use crate::histories::{Datum, Op, op, part};
use linpoint_check::monitor::{Decision, decide};
use linpoint_check::{Cause, Control, Settings, Verdict};

const COUNT: i64 = 4000;

fn between(mut op: Op, call: i64, ret: i64) -> Op {
    (op.call, op.ret) = (call, Some(ret));
    op
}

/// Values that pass through one after the other, each seen `peeks` times, with a look at an empty container now and then.
fn passing([add, remove, peek]: [&'static str; 3], peeks: i64) -> Vec<Op> {
    let value = |i: i64| Datum::Int(i);
    let of = |i: i64| {
        let at = 20 * i;
        let seen = (0..peeks).map(move |k| between(op(peek, Datum::Null, value(i)), at + 2 + k % 6, at + 9));
        let ends = [
            between(op(add, value(i), Datum::Null), at, at + 3),
            between(op(remove, Datum::Null, value(i)), at + 8, at + 12),
            between(op(remove, Datum::Null, Datum::Null), at + 15, at + 17),
        ];
        seen.chain(ends)
    };
    (0..COUNT).flat_map(of).collect()
}

/// Values that are all inside before the first one leaves, in the order `out`.
fn deep([add, remove, _]: [&'static str; 3], out: impl Fn(i64) -> i64) -> Vec<Op> {
    let adds = (0..COUNT).map(|i| between(op(add, Datum::Int(i), Datum::Null), 4 * i, 4 * i + 5));
    let removes = (0..COUNT).map(|i| {
        let at = 5 * COUNT + 4 * i;
        between(op(remove, Datum::Null, Datum::Int(out(i))), at, at + 5)
    });
    adds.chain(removes).collect()
}

/// Writes, and reads of what was written last; every fourth change is a CAS.
fn register(reads: i64) -> Vec<Op> {
    let of = |i: i64| {
        let at = 20 * i;
        let change = match i % 4 {
            3 => op("cas", Datum::Pair(i, i + 1), Datum::Bool(true)),
            _ => op("write", Datum::Int(i + 1), Datum::Null),
        };
        let seen = (0..reads).map(move |k| between(op("read", Datum::Null, Datum::Int(i + 1)), at + 2 + k, at + 9));
        std::iter::once(between(change, at, at + 4)).chain(seen)
    };
    (0..COUNT).flat_map(of).collect()
}

fn element() -> Vec<Op> {
    let of = |i: i64| {
        let at = 20 * i;
        ["add", "contains", "remove"]
            .into_iter()
            .zip(0..)
            .map(move |(f, k)| between(op(f, Datum::Int(7), Datum::Bool(true)), at + 4 * k, at + 4 * k + 5))
    };
    (0..COUNT).flat_map(of).collect()
}

const QUEUE: [&str; 3] = ["enqueue", "dequeue", "peek"];
const STACK: [&str; 3] = ["push", "pop", "peek"];
const HEAP: [&str; 3] = ["insert", "poll", "peek"];

fn cases() -> Vec<(&'static str, &'static str, Vec<Op>, Option<Datum>)> {
    vec![
        ("passing", "queue", passing(QUEUE, 0), None),
        ("peeks", "queue", passing(QUEUE, 4), None),
        ("many peeks", "queue", passing(QUEUE, 20)[..23 * 1000].to_vec(), None),
        ("deep", "queue", deep(QUEUE, |i| i), None),
        ("passing", "stack", passing(STACK, 0), None),
        ("peeks", "stack", passing(STACK, 4), None),
        ("many peeks", "stack", passing(STACK, 20)[..23 * 1000].to_vec(), None),
        ("deep", "stack", deep(STACK, |i| COUNT - 1 - i), None),
        ("passing", "priority-queue", passing(HEAP, 0), None),
        ("peeks", "priority-queue", passing(HEAP, 4), None),
        ("many peeks", "priority-queue", passing(HEAP, 20)[..23 * 1000].to_vec(), None),
        ("deep", "priority-queue", deep(HEAP, |i| COUNT - 1 - i), None),
        ("writes", "cas-register", register(0), Some(Datum::Int(0))),
        ("reads", "cas-register", register(4), Some(Datum::Int(0))),
        ("element", "set", element(), None),
    ]
}

#[test]
fn what_monitors_report_is_near_what_they_use() {
    let (mut wrong, mut each) = (Vec::new(), Vec::new());
    for (name, model, ops, initial) in cases() {
        let (_, part) = part(model, initial, &ops);
        let control = Control::new(None, usize::MAX);
        let found = measured(&control, || decide(&part, &control));
        let ratio = found.reported as f64 / found.peak as f64;
        println!("{name}, {model}: {} reported, {} used: {ratio:.2}", found.reported, found.peak);
        assert!(matches!(found.given, Decision::Linearizable(_)), "{name}, {model}");
        each.push((found.peak / ops.len() as i64, (100.0 * ratio).round() as i64));
        if !(0.93..=1.11).contains(&ratio) {
            wrong.push(format!("{name}, {model}: {ratio:.2}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(
        each,
        [
            (52, 106),
            (51, 100),
            (51, 100),
            (50, 109),
            (69, 98),
            (64, 98),
            (62, 99),
            (79, 95),
            (52, 100),
            (53, 100),
            (52, 100),
            (52, 100),
            (55, 94),
            (33, 98),
            (41, 100)
        ],
        "bytes per operation, and how many per cent of them are reported"
    );
}

#[test]
fn monitors_keep_the_limit() {
    for (name, model, ops, initial) in cases() {
        let (_, part) = part(model, initial, &ops);
        let column = 4 * part.events.len() as i64;
        for bytes in [12, 20, 28] {
            let limit = bytes * ops.len();
            let control = Control::new(None, limit);
            let found = measured(&control, || decide(&part, &control));
            assert!(matches!(found.given, Decision::GaveUp(Cause::Memory)), "{name}, {model}: {bytes} per operation");
            assert!(found.peak <= limit as i64 + column, "{name}, {model}: limit {limit}, peak {}", found.peak);
        }
    }
}

/// It reports enough, and not half as much again.
#[test]
fn what_the_supply_scan_reports_is_near_what_it_uses() {
    let settings = Settings::of("supply-scan").expect("a method of this name");
    for (name, model, ops, initial) in cases() {
        let (_, part) = part(model, initial, &ops);
        let run = |control: &Control| settings.method.run(&part, &settings, control).expect("no step is taken").verdict;
        let control = Control::new(None, usize::MAX);
        let found = measured(&control, || run(&control));
        let ratio = found.reported as f64 / found.peak as f64;
        assert!((0.99..=1.35).contains(&ratio), "{name}, {model}: {} reported, {} used", found.reported, found.peak);
        let limit = Control::new(None, found.reported as usize / 2);
        assert_eq!(run(&limit), Verdict::Unknown(Cause::Memory), "{name}, {model}");
    }
}

/// A violation that a pending remove might explain: the values that are removed are judged once more, by themselves.
#[test]
fn judging_once_more_is_reported() {
    for (model, names) in [("queue", QUEUE), ("priority-queue", HEAP)] {
        let mut ops = deep(names, |i| (i + COUNT / 2) % COUNT);
        ops.push(Op { ret: None, call: 0, ..op(names[1], Datum::Null, Datum::Null) });
        let (_, part) = part(model, None, &ops);
        let control = Control::new(None, usize::MAX);
        let found = measured(&control, || decide(&part, &control));
        let ratio = found.reported as f64 / found.peak as f64;
        assert!(matches!(found.given, Decision::Violation(_)), "{model}: {:?}", found.given);
        assert!((0.99..=1.3).contains(&ratio), "{model}: {} reported, {} used", found.reported, found.peak);
    }
}
