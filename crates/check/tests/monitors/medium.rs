//! Verdicts on histories of 20 to 60 operations, against the search.

use crate::histories::{Datum, Kind, Op, Taste, container, element, part, register};
use crate::judge::{monitor, patience, rounds};
use linpoint_check::monitor::Decision;
use linpoint_check::{Settings, Verdict, judge};
use linpoint_testkit::{Dice, is_witness};

/// Yes, no, declined, and what the search could not decide within its budget.
type Tally = [u64; 4];

fn compare(seed: u64, model: &str, (ops, initial): (Vec<Op>, Option<Datum>), tally: &mut Tally) {
    let (history, part) = part(model, initial, &ops);
    let decision = monitor(&part);
    let linearizable = match &decision {
        Decision::Linearizable(order) => {
            assert!(is_witness(&part, order), "seed {seed}, {model}: {order:?}");
            true
        }
        Decision::Violation(_) => false,
        Decision::Declined(_) => {
            tally[2] += 1;
            return;
        }
        Decision::GaveUp(cause) => panic!("seed {seed}, {model}: {cause:?}"),
    };
    let settings = Settings::of("breadth-first").expect("a method of this name");
    match judge(&history, &[part], settings, &patience()).verdict {
        Verdict::Unknown(_) => tally[3] += 1,
        verdict => {
            tally[usize::from(!linearizable)] += 1;
            assert_eq!(verdict == Verdict::Linearizable, linearizable, "seed {seed}, {model}: {decision:?}");
        }
    }
}

fn medium(model: &str, make: impl Fn(&mut Dice) -> (Vec<Op>, Option<Datum>)) {
    let (rounds, mut tally) = ((rounds(20_000) / 100).max(40), Tally::default());
    for seed in 0..rounds {
        compare(seed, model, make(&mut Dice(seed)), &mut tally);
    }
    println!("{model}: {rounds} histories: {tally:?} linearizable, violation, declined, too long to search");
    assert_eq!(tally.iter().sum::<u64>(), rounds, "every history is counted");
    assert!(tally[0] > rounds / 5 && tally[1] > rounds / 5, "both verdicts are compared: {tally:?}");
    assert!(tally[3] <= rounds / 10, "few are too long to search: {tally:?}");
}

#[test]
#[cfg_attr(feature = "collide", ignore = "quadratic where every hash collides")]
fn containers_agree_with_the_search() {
    for kind in [Kind::Queue, Kind::Stack, Kind::Priority, Kind::Bag] {
        medium(kind.model(), |dice| {
            let taste = Taste { ops: 20 + dice.roll(41), ..Taste::random(dice, 40) };
            container(dice, kind, &taste)
        });
    }
}

#[test]
#[cfg_attr(feature = "collide", ignore = "quadratic where every hash collides")]
fn registers_and_sets_agree_with_the_search() {
    medium("cas-register", |dice| register(dice, 60));
    medium("set", |dice| element(dice, 60));
}
