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

/// Two values of a stack leave in the wrong order, and thousands came and went meanwhile: none of these can be peeled off before the two.
#[test]
fn two_values_are_found_among_thousands() {
    const COUNT: i64 = 24_000;
    let at = |f, value: Datum, result: Datum, time: i64| Op {
        call: 2 * time,
        ret: Some(2 * time + 1),
        ..op(f, value, result)
    };
    let push = |value, time| at("push", Datum::Int(value), Datum::Null, time);
    let pop = |value, time| at("pop", Datum::Null, Datum::Int(value), time);
    let mut ops = vec![push(-1, 0), push(-2, 1)];
    ops.extend((0..COUNT).flat_map(|value| [push(value, 2 * value + 2), pop(value, 2 * value + 3)]));
    ops.extend([pop(-1, 2 * COUNT + 2), pop(-2, 2 * COUNT + 3)]);
    let last = 2 * COUNT as u32 + 2;
    let (_, part) = part("stack", None, &ops);
    assert_eq!(monitor(&part), Decision::Violation(vec![0, 1, last, last + 1]));
}
