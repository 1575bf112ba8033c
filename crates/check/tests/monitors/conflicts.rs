//! How small are the conflicts that monitors name? Pinned: a violation that is shown with more operations than it needs
//! is no wrong answer, but a worse one.

use crate::histories::{Datum, Kind, Op, Taste, container, element, part, register};
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
