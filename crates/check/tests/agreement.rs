//! Do all methods agree with brute force on random specifications?
//!
//! A specification here is a random automaton, partial and sometimes nondeterministic, so that nothing
//! about registers or queues can hide a mistake. Histories are small and nasty: pending operations, many twins,
//! long overlaps. Brute force works straight from the definition: some pending operations,
//! every order that respects real time, every outcome. A failure prints its seed.

mod automata;

use automata::{Automata, random_part};
use linpoint_check::{Control, HEAD_START, Outcome, Settings, Stuck, Verdict, judge};
use linpoint_history::History;
use linpoint_spec::{Part, State};
use linpoint_testkit::{Dice, before, brute_force, is_witness, only, rank, returned, rounds, states_after};

fn check(history: &History, part: &Part, method: &str, cache: Option<usize>, head_start: u64) -> Outcome {
    let parts = [only(part, |_| true)];
    let control = Control::new(None, 1 << 30);
    judge(
        history,
        &parts,
        Settings { cache, head_start, ..Settings::of(method).expect("a method of this name") },
        &control,
    )
}

/// Is the evidence of a violation true? Every return before the accused one can be explained, as the candidates show; this one cannot.
/// `known` is the operation that another method accused.
fn check_evidence(part: &Part, found: &Stuck, known: &mut Option<u32>, method: &str, name: &str) {
    let accused = found.operation.unwrap_or_else(|| panic!("{name}: nothing is stuck"));
    let rank = rank(part, accused);
    let story = before(part, rank);
    if known.replace(accused) != Some(accused) {
        assert!(brute_force(&story) && !brute_force(&before(part, rank + 1)), "{name}: {found:?}");
    }
    assert_eq!(found.explained, returned(&story).len(), "{name}: {found:?}");
    if method == "wgl" {
        return; // it shows no candidates
    }
    assert!(!found.candidates.is_empty(), "{name}: {found:?}");
    let changes =
        |op: u32| !part.spec.read_only(part.codes[part.ops.iter().position(|&o| o == op).expect("an operation")]);
    let open = story.ops.iter().copied().filter(|&op| !returned(&story).contains(&op));
    let open: Vec<u32> = open.filter(|&op| changes(op) || returned(part).contains(&op)).collect();
    assert_eq!(found.frontier, open, "{name}: {found:?}");
    for candidate in &found.candidates {
        let state: State = candidate.state.parse().expect("automata show numbers");
        assert!(is_witness(&story, &candidate.order), "{name}: {found:?}");
        assert!(states_after(part, &mut *part.spec.fork(), &candidate.order).contains(&state), "{name}: {found:?}");
    }
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
        let mut accused = None;
        for (method, cache, head_start) in methods {
            let outcome = check(&history, &part, method, cache, head_start);
            let said = outcome.verdict == Verdict::Linearizable;
            assert_eq!(said, expected, "seed {seed}, {method:?}, cache {cache:?}: {outcome:?}");
            if let Some(order) = outcome.evidence.witness() {
                assert!(is_witness(&part, order), "seed {seed}, {method:?}: {order:?}");
            } else {
                let stuck = outcome.evidence.stuck().expect("no order was found");
                check_evidence(&part, stuck, &mut accused, method, &format!("seed {seed}, {method}, cache {cache:?}"));
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > rounds / 10), "both verdicts are common: {verdicts:?}");
}
