//! Every verdict, witness and core on random small histories, against the definition.

use crate::histories::{Datum, Kind, Op, Taste, container, element, part, register};
use crate::judge::{monitor, rounds};
use linpoint_check::monitor::Decision;
use linpoint_check::relevant;
use linpoint_testkit::{Dice, brute_force, excerpt, is_witness};

/// How often each answer was given: yes, no, declined.
type Tally = [u64; 3];

fn compare(seed: u64, model: &str, (ops, initial): (Vec<Op>, Option<Datum>), tally: &mut Tally) {
    let (_, part) = part(model, initial, &ops);
    let expected = brute_force(&part);
    let decision = monitor(&part);
    let show = || format!("seed {seed}, {model}: {decision:?}, expected {expected}\n{}", lines(&ops));
    match &decision {
        Decision::Linearizable(order) => {
            tally[0] += 1;
            assert!(expected, "{}", show());
            assert!(is_witness(&part, order), "not a witness: {}", show());
        }
        Decision::Violation(core) => {
            tally[1] += 1;
            assert!(!expected, "{}", show());
            assert!(!brute_force(&excerpt(&part, core)), "not a core: {}", show());
            assert!(!brute_force(&excerpt(&part, &relevant(&part, core))), "its values are no core: {}", show());
        }
        Decision::Declined(why) => {
            tally[2] += 1;
            let known =
                ["a pending remove of unknown result", "values repeat, and", "no pair of values is in conflict"];
            assert!(known.iter().any(|known| why.starts_with(known)), "{why}: {}", show());
        }
        Decision::GaveUp(_) => panic!("{}", show()),
    }
}

fn lines(ops: &[Op]) -> String {
    let line = |op: &Op| format!("  {}({:?}) → {:?} [{}, {:?}]\n", op.f, op.value, op.result, op.call, op.ret);
    ops.iter().map(line).collect()
}

fn containers(kind: Kind) {
    let (rounds, mut tally) = (rounds(6_000), Tally::default());
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let taste = Taste::random(&mut dice, 10);
        compare(seed, kind.model(), container(&mut dice, kind, &taste), &mut tally);
    }
    report(kind.model(), tally, rounds);
}

/// Many pending removes, of which it is not known what they took, among values that stay.
fn hidden(kind: Kind) {
    let (rounds, mut tally) = (rounds(6_000), Tally::default());
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let (founders, unknown_removes) = (dice.roll(3), 10 + dice.roll(40));
        let taste = Taste { founders, unknown_removes, ..Taste::random(&mut dice, 11) };
        compare(seed, kind.model(), container(&mut dice, kind, &taste), &mut tally);
    }
    println!("{} with pending removes: {rounds} histories: {tally:?}", kind.model());
    assert!(tally[0] > rounds / 10 && tally[1] > rounds / 10, "both verdicts are common: {tally:?}");
    assert!(tally[2] <= rounds / 10_000, "of so few operations nearly none is declined: {tally:?}");
}

/// Few values, each added many times.
fn repeated(kind: Kind) {
    let (rounds, mut tally) = (rounds(10_000), Tally::default());
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let values = 1 + dice.roll(3) as i64;
        let unknown_removes = if dice.chance(30) { 20 } else { 0 };
        let taste = Taste { values, unknown_removes, ..Taste::random(&mut dice, 12) };
        compare(seed, kind.model(), container(&mut dice, kind, &taste), &mut tally);
    }
    println!("{} of few values: {rounds} histories: {tally:?}", kind.model());
    assert!(tally[0] > rounds / 2 && tally[1] > rounds / 100, "most are decided: {tally:?}");
}

fn report(model: &str, tally: Tally, rounds: u64) {
    println!("{model}: {rounds} histories: {tally:?} linearizable, violation, declined");
    assert!(tally[0] > rounds / 10 && tally[1] > rounds / 10, "both verdicts are common: {tally:?}");
    assert!(tally[2] < rounds / 10, "few are declined: {tally:?}");
}

#[test]
fn queues() {
    containers(Kind::Queue);
}

#[test]
fn stacks() {
    containers(Kind::Stack);
}

#[test]
fn priority_queues() {
    containers(Kind::Priority);
}

#[test]
fn bags() {
    containers(Kind::Bag);
}

#[test]
fn pending_removes() {
    [Kind::Queue, Kind::Stack, Kind::Priority, Kind::Bag].into_iter().for_each(hidden);
}

#[test]
fn repeated_values() {
    [Kind::Priority, Kind::Bag].into_iter().for_each(repeated);
}

#[test]
fn registers() {
    let (rounds, mut tally) = (rounds(6_000), Tally::default());
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        compare(seed, "cas-register", register(&mut dice, 9), &mut tally);
    }
    report("register", tally, rounds);
}

#[test]
fn elements_of_sets() {
    let (rounds, mut tally) = (rounds(6_000), Tally::default());
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        compare(seed, "set", element(&mut dice, 10), &mut tally);
    }
    report("set", tally, rounds);
}
