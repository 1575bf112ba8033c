//! Do the methods by theories say what brute force says, and does each answer carry what it promises?

#![cfg(not(feature = "collide"))] // they keep no tables

use linpoint_check::{Cause, Control, Evidence, Settings, Verdict, judge};
use linpoint_spec::Role;
use linpoint_testkit::{Dice, brute_force, excerpt, history, is_witness, parts, random_part, rounds, vocabularies};

const METHODS: [&str; 5] = ["enumerate", "symbolic", "symbolic-removal", "saturate", "saturate-removal"];

fn outcome(method: &str, model: &str, operations: &str) -> linpoint_check::Outcome {
    let history = history(operations);
    let parts = parts(model, &history, true).expect("the model fits");
    let settings = Settings::of(method).expect("a method of this name");
    judge(&history, &parts, settings, &Control::new(None, usize::MAX))
}

/// A verdict is that of brute force, an order is a witness, a conflict is a violation by itself; only saturation and removal leave something
/// unknown.
#[test]
fn every_verdict_is_right() {
    for (model, operations) in vocabularies() {
        for whole in parts(model, &history(&operations), true).expect("the model fits") {
            for seed in 0..rounds(12) {
                let mut part = random_part(&mut Dice(seed), &whole, 6);
                let is_open =
                    |op: usize| matches!(part.spec.role(part.codes[op]), Role::RemoveUnknown | Role::ChangeIf(..));
                let events = part.events.iter().copied().filter(|event| !(event.is_return() && is_open(event.op())));
                part.events = events.collect();
                for name in METHODS {
                    let settings = Settings::of(name).expect("a method of this name");
                    let control = Control::new(None, usize::MAX);
                    let answer = settings.method.run(&part, &settings, &control).expect("no step is taken");
                    let told = format!("{name}, {model}, seed {seed}: {:?}", answer.evidence);
                    match (answer.verdict, &answer.evidence) {
                        (Verdict::Linearizable, Evidence::Witness(order)) => {
                            assert!(is_witness(&part, order), "{told}")
                        }
                        (
                            Verdict::Violation,
                            Evidence::Conflict { operations, .. } | Evidence::Derivation { operations, .. },
                        ) => assert!(!brute_force(&excerpt(&part, operations)), "{told}"),
                        (Verdict::Unknown(Cause::Incomplete(_)), _) => {
                            assert!(name.starts_with("saturate") || name.ends_with("removal"), "{told}");
                        }
                        (Verdict::Unknown(Cause::Declined(_)), _) => {}
                        (verdict, _) => panic!("{verdict:?}: {told}"),
                    }
                }
            }
        }
    }
}

/// The paper's Figure 9: 3 was pushed after 2 and popped after it, though both were there.
#[test]
fn a_contradiction_is_told_step_by_step() {
    let outcome = outcome("saturate", "queue", "enq 1; enq 2; deq -> 2; deq -> 1");
    let Evidence::Derivation { operations, steps, stuck } = &outcome.evidence else { panic!("{outcome:?}") };
    assert_eq!((&outcome.verdict, &operations[..], stuck.operation), (&Verdict::Violation, &[0, 1, 2, 3][..], Some(2)));
    let laws: Vec<&str> = steps.iter().map(|step| step.law).collect();
    assert_eq!(laws.last(), Some(&"FIFO"), "{steps:#?}");
    assert_eq!(steps.last().map(|step| step.kind), Some("contradiction"));
    for (place, step) in steps.iter().enumerate() {
        assert!(step.premises.iter().all(|&premise| (premise as usize) < place), "{steps:#?}");
        assert!(!step.says.is_empty());
    }
}

#[test]
fn what_is_not_known_is_not_called_linearizable() {
    let fine = "enq 1; enq 2; deq -> 1; deq -> 2";
    for name in METHODS {
        let outcome = outcome(name, "queue", fine);
        match name.ends_with("removal") {
            true => assert!(matches!(outcome.verdict, Verdict::Unknown(Cause::Incomplete(_))), "{name}: {outcome:?}"),
            false => assert_eq!(outcome.verdict, Verdict::Linearizable, "{name}"),
        }
    }
}

#[test]
fn what_has_no_theory_is_declined() {
    for name in METHODS {
        let outcome = outcome(name, "counter", "add 1; read -> 1");
        assert!(
            matches!(&outcome.verdict, Verdict::Unknown(Cause::Declined(why)) if why.starts_with(name)),
            "{outcome:?}"
        );
    }
}
