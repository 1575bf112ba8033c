//! How small are the conflicts that monitors name? Pinned: a violation that is shown with more operations than it needs
//! is no wrong answer, but a worse one.

use crate::histories::{Datum, Kind, Op, Taste, container, element, op, part, register};
use crate::judge::monitor;
use linpoint_check::monitor::Decision;
use linpoint_testkit::Dice;

/// Over 200 random histories: how many are violations, and how many operations their conflicts have in all.
fn sizes(model: &str, make: impl Fn(&mut Dice) -> (Vec<Op>, Option<Datum>)) -> (usize, usize) {
    let conflict = |seed| {
        let (ops, initial) = make(&mut Dice(seed));
        let (_, part) = part(model, initial, &ops);
        match monitor(&part) {
            Decision::Violation(conflict) => Some(conflict.len()),
            _ => None,
        }
    };
    let found: Vec<usize> = (0..200).filter_map(conflict).collect();
    (found.len(), found.iter().sum())
}

#[test]
fn conflicts_stay_as_small_as_they_are() {
    let of = |kind: Kind| {
        sizes(kind.model(), |dice| {
            let taste = Taste { ops: 20 + dice.roll(41), ..Taste::random(dice, 40) };
            container(dice, kind, &taste)
        })
    };
    let found = [Kind::Queue, Kind::Stack, Kind::Priority, Kind::Bag].map(of);
    assert_eq!(found, [(88, 228), (88, 223), (84, 215), (78, 190)]);
    let found = [sizes("cas-register", |dice| register(dice, 60)), sizes("set", |dice| element(dice, 60))];
    assert_eq!(found, [(101, 232), (113, 652)]);
}

fn push(value: i64, time: i64) -> Op {
    Op { call: 2 * time, ret: Some(2 * time + 1), ..op("push", Datum::Int(value), Datum::Null) }
}

fn pop(value: i64, time: i64) -> Op {
    Op { call: 2 * time, ret: Some(2 * time + 1), ..op("pop", Datum::Null, Datum::Int(value)) }
}

const COUNT: i64 = 24_000;

/// Values that come and go, from time 2 on.
fn passing() -> impl Iterator<Item = Op> {
    (0..COUNT).flat_map(|value| [push(value, 2 * value + 2), pop(value, 2 * value + 3)])
}

/// Two values of a stack leave in the wrong order, and thousands came and went meanwhile: none of these can be peeled off before the two.
#[test]
fn two_values_are_found_among_thousands() {
    let mut ops = vec![push(-1, 0), push(-2, 1)];
    ops.extend(passing());
    ops.extend([pop(-1, 2 * COUNT + 2), pop(-2, 2 * COUNT + 3)]);
    let last = 2 * COUNT as u32 + 2;
    let (_, part) = part("stack", None, &ops);
    assert_eq!(monitor(&part), Decision::Violation(vec![0, 1, last, last + 1]));
}

/// The same with one of the two in the midst of the others: that takes more tries than it is worth, and what is left then is named.
#[test]
fn the_search_for_a_small_conflict_ends() {
    let middle = COUNT as usize + 1; // half of them have passed
    let mut ops = vec![push(-1, 0)];
    ops.extend(passing().map(|op| Op { call: 2 * op.call, ret: op.ret.map(|ret| 2 * ret), ..op }));
    let between = ops[middle].call - 2;
    ops.insert(middle, Op { call: between, ret: Some(between + 1), ..push(-2, 0) });
    ops.extend([pop(-1, 4 * COUNT + 10), pop(-2, 4 * COUNT + 11)]);
    let last = 2 * COUNT as u32 + 2;
    let (_, part) = part("stack", None, &ops);
    let Decision::Violation(conflict) = monitor(&part) else { panic!("a violation") };
    assert!([0, middle as u32, last, last + 1].iter().all(|op| conflict.contains(op)));
    assert_eq!(conflict.len(), 18_000);
}
