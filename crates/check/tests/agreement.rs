//! Do all methods agree with brute force on random specifications?
//!
//! A specification here is a random automaton, partial and sometimes nondeterministic, so that nothing
//! about registers or queues can hide a mistake. Histories are small and nasty: pending operations, many twins,
//! long overlaps. Brute force works straight from the definition: some pending operations,
//! every order that respects real time, every outcome. A failure prints its seed.

mod automata;

use automata::{Automata, random_part};
use linpoint_check::{Control, HEAD_START, Outcome, Settings, Verdict, judge};
use linpoint_history::History;
use linpoint_spec::Part;
use linpoint_testkit::{Dice, brute_force, is_witness, rounds};

fn check(history: &History, part: &Part, method: &str, cache: Option<usize>, head_start: u64) -> Outcome {
    let parts = [Part {
        label: None,
        ops: part.ops.clone(),
        codes: part.codes.clone(),
        processes: part.processes.clone(),
        events: part.events.clone(),
        spec: part.spec.fork(),
    }];
    let control = Control::new(None, 1 << 30);
    judge(
        history,
        &parts,
        Settings { cache, head_start, ..Settings::of(method).expect("a method of this name") },
        &control,
    )
}

#[test]
fn every_method_agrees_with_brute_force() {
    let rounds = rounds(if cfg!(feature = "collide") { 10_000 } else { 20_000 });
    let mut verdicts = [0, 0];
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let spec = Automata::random(&mut dice);
        let (history, part) = random_part(&mut dice, &spec);
        let expected = brute_force(&part);
        verdicts[usize::from(expected)] += 1;
        let methods = [
            ("auto", None, HEAD_START),
            ("auto", None, 0),
            ("depth-first", None, 0),
            ("breadth-first", None, 0),
            ("wgl", None, 0),
            ("wgl", Some(2), 0),
        ];
        for (method, cache, head_start) in methods {
            let outcome = check(&history, &part, method, cache, head_start);
            let said = outcome.verdict == Verdict::Linearizable;
            assert_eq!(said, expected, "seed {seed}, {method:?}, cache {cache:?}: {outcome:?}");
            if let Some(order) = outcome.evidence.witness() {
                assert!(is_witness(&part, order), "seed {seed}, {method:?}: {order:?}");
            } else {
                assert!(outcome.evidence.accused().is_some(), "seed {seed}, {method:?}: nothing is stuck");
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > rounds / 10), "both verdicts are common: {verdicts:?}");
}
