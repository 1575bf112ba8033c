//! Containers whose values repeat, or whose pending removes hide what they took: verdict, witness and stuck operation against the
//! definition and the search.
//!
//! The big run: `LINPOINT_FUZZ=1000000 cargo test --release -p linpoint-check --test monitors ambiguous`.

use crate::histories::{Kind, Taste, container, part};
use crate::judge::{patience, rounds};
use linpoint_check::{Control, Outcome, Settings, Verdict, judge};
use linpoint_history::History;
use linpoint_spec::Part;
use linpoint_testkit::{Dice, brute_force, is_witness};

/// A race that begins at once: everybody has a turn, also where a search would know soon.
const RACE: &str = "auto, at once";

fn ask(method: &str, history: &History, part: &Part, control: &Control) -> Outcome {
    let settings = match method {
        RACE => Settings { head_start: 0, ..Settings::of("auto").expect("a method of this name") },
        _ => Settings::of(method).expect("a method of this name"),
    };
    judge(history, std::slice::from_ref(part), settings, control)
}

fn taste(dice: &mut Dice, ops: u64) -> Taste {
    let unknown_removes = if dice.chance(40) { 20 } else { 0 };
    let values = if dice.chance(90) { 1 + dice.roll(3) as i64 } else { 0 };
    Taste { values, unknown_removes, ..Taste::random(dice, ops) }
}

fn small(kind: Kind, method: &str) {
    let (rounds, mut tally) = (rounds(6_000), [0; 2]);
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let taste = taste(&mut dice, 10);
        let (ops, initial) = container(&mut dice, kind, &taste);
        let (history, part) = part(kind.model(), initial, &ops);
        let unlimited = || Control::new(None, usize::MAX);
        let outcome = ask(method, &history, &part, &unlimited());
        let expected = brute_force(&part);
        assert_eq!(outcome.verdict == Verdict::Linearizable, expected, "seed {seed}, {kind:?}: {outcome:?}\n{ops:#?}");
        tally[usize::from(!expected)] += 1;
        match outcome.evidence.witness() {
            Some(order) => assert!(is_witness(&part, order), "seed {seed}, {kind:?}: {order:?}\n{ops:#?}"),
            None => {
                let right = ask("breadth-first", &history, &part, &unlimited());
                let place = |outcome: &Outcome| {
                    let stuck = outcome.evidence.stuck().expect("a violation is stuck").clone();
                    (stuck.operation, stuck.explained, stuck.frontier)
                };
                assert_eq!(place(&outcome), place(&right), "seed {seed}, {kind:?}\n{ops:#?}");
            }
        }
    }
    println!("{kind:?}: {rounds} histories: {tally:?} linearizable, violation");
    assert!(tally.iter().all(|&count| count > rounds / 10), "both verdicts are common: {tally:?}");
}

#[test]
fn queues() {
    small(Kind::Queue, "queue-search");
}

#[test]
fn stacks() {
    small(Kind::Stack, "auto");
}

#[test]
fn a_race_from_the_start_agrees() {
    small(Kind::Stack, RACE);
    small(Kind::Queue, RACE);
}

/// `takes-from` says nothing but "linearizable", and finds nearly all of those.
fn taken(kind: Kind) {
    let (rounds, mut tally) = (rounds(6_000), [0; 3]);
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let taste = Taste { peeks: 0, ..taste(&mut dice, 10) };
        let (ops, initial) = container(&mut dice, kind, &taste);
        let (history, part) = part(kind.model(), initial, &ops);
        let outcome = ask("takes-from", &history, &part, &Control::new(None, usize::MAX));
        let expected = brute_force(&part);
        match outcome.evidence.witness() {
            Some(order) => assert!(is_witness(&part, order), "seed {seed}, {kind:?}: {order:?}\n{ops:#?}"),
            None => assert!(matches!(outcome.verdict, Verdict::Unknown(_)), "seed {seed}, {kind:?}: {outcome:?}"),
        }
        let is_found = outcome.verdict == Verdict::Linearizable;
        assert!(expected || !is_found, "seed {seed}, {kind:?}\n{ops:#?}");
        tally[usize::from(!is_found) + usize::from(!expected)] += 1;
    }
    println!("{kind:?}: {rounds} histories: {tally:?} found, missed, no order");
    assert!(tally[0] > rounds / 5 && tally[2] > rounds / 10, "both verdicts are common: {tally:?}");
    assert!(tally[1] <= tally[0] / 50, "few are missed: {tally:?}");
}

#[test]
fn what_each_remove_took_can_be_chosen() {
    taken(Kind::Stack);
    taken(Kind::Queue);
}

#[test]
fn the_solver_agrees() {
    small(Kind::Stack, "solve");
    small(Kind::Queue, "solve");
}

#[test]
fn priority_queues() {
    small(Kind::Priority, "auto");
}

#[test]
fn bags() {
    small(Kind::Bag, "auto");
}

#[test]
#[cfg_attr(feature = "collide", ignore = "quadratic where every hash collides")]
fn longer_queues_agree_with_the_search() {
    let (rounds, mut tally) = ((rounds(20_000) / 50).max(80), [0; 3]);
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let taste = Taste { ops: 20 + dice.roll(41), ..taste(&mut dice, 40) };
        let (ops, initial) = container(&mut dice, Kind::Queue, &taste);
        let (history, part) = part("queue", initial, &ops);
        let found = ask("queue-search", &history, &part, &patience());
        let right = ask("breadth-first", &history, &part, &patience());
        if let Some(order) = found.evidence.witness() {
            assert!(is_witness(&part, order), "seed {seed}: {order:?}");
        }
        match (found.verdict, right.verdict) {
            (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => tally[2] += 1,
            (found, right) => {
                assert_eq!(found, right, "seed {seed}");
                tally[usize::from(found == Verdict::Violation)] += 1;
            }
        }
    }
    println!("queue: {rounds} histories: {tally:?} linearizable, violation, too long");
    assert_eq!(tally.iter().sum::<u64>(), rounds, "every history is counted");
    assert!(tally[0] > rounds / 5 && tally[1] > rounds / 6, "both verdicts are compared: {tally:?}");
    assert!(tally[2] <= rounds / 10, "few are too long to search: {tally:?}");
}
