//! Is a contradiction always a violation, and does its derivation hold? Random small histories against brute force.
//!
//! `LINPOINT_FUZZ=1000000 cargo test --release -p linpoint-theory --test saturate -- --nocapture` tries a million of each part of each
//! vocabulary and says how many violations were found.

mod common;

use common::{random, theories};
use linpoint_base::{Account, Cause, Control};
use linpoint_testkit::{brute_force, excerpt, history, is_witness, parts, rounds};
use linpoint_theory::Operations;
use linpoint_theory::saturate::{Saturated, saturate};
use std::collections::BTreeMap;

/// Pending operations, ties, repeated values, empties, things there from the start: every contradiction is a violation, the operations of
/// its derivation are one by themselves, and every step holds. With removal too.
#[test]
fn a_contradiction_is_a_violation() {
    let mut orders = [0; 2];
    let mut found = BTreeMap::<String, [u64; 4]>::new();
    for (model, whole) in theories() {
        for seed in 0..rounds(150) {
            let (part, operations, theory) = random(seed, &whole, 8);
            let violates = !brute_force(&part);
            let counts = found.entry(format!("{model} ({})", theory.name)).or_default();
            counts[0] += 1;
            counts[1] += u64::from(violates);
            for removal in [false, true] {
                let control = Control::new(None, usize::MAX);
                match saturate(theory, &operations, removal, &mut Account::alone(&control)) {
                    Saturated::Contradiction(derivation) => {
                        let told =
                            format!("{model}, seed {seed}, removal {removal}: {derivation:#?}\n{:#?}", operations.list);
                        assert!(violates, "{told}");
                        derivation.check(theory, &operations).unwrap_or_else(|wrong| panic!("{wrong}\n{told}"));
                        let about: Vec<u32> =
                            derivation.operations().into_iter().filter(|&op| op < part.ops.len() as u32).collect();
                        assert!(!brute_force(&excerpt(&part, &about)), "{about:?}\n{told}");
                        counts[2 + usize::from(removal)] += 1;
                    }
                    Saturated::Order(order) => {
                        let order: Vec<u32> = order.into_iter().filter(|&op| op < part.ops.len() as u32).collect();
                        orders[0] += u64::from(is_witness(&part, &order));
                        orders[1] += 1;
                    }
                    Saturated::Nothing(_) => {}
                    Saturated::Stopped(cause, _) => panic!("{cause:?}"),
                }
            }
        }
    }
    println!("{} of {} orders are witnesses", orders[0], orders[1]);
    for (model, [tried, violations, plain, removal]) in &found {
        println!("{model}: {tried} histories, {violations} violations, found {plain}, with removal {removal}");
        assert!(3 * plain > 2 * violations, "{model}: {plain} of {violations}");
        assert!(plain >= removal, "{model}: removal only loses");
    }
}

/// The matrices are not made wider than the memory allows: the answer is that it ended, before it is taken.
#[test]
fn memory_ends_it_before_it_is_taken() {
    let text: String = (0..300).map(|value| format!("enq {value};")).collect();
    let part = parts("queue", &history(&text), false).expect("the model fits").remove(0);
    let (operations, theory) = Operations::of(&part).expect("a theory");
    let control = Control::new(None, 100_000);
    let answer = saturate(theory, &operations, false, &mut Account::alone(&control));
    assert!(matches!(answer, Saturated::Stopped(Cause::Memory, done) if done > 60), "{answer:?}");
}
