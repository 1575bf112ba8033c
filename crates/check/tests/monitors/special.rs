//! The methods for what the plain monitors decline, on random small histories, against the definition.
//!
//! Half of the histories are noise, half really happened (`lived_part`); each method sees every part that it covers. The big run:
//! `LINPOINT_FUZZ=1000000 cargo test --release -p linpoint-check --test monitors special`.

use crate::judge::{patience, rounds};
use linpoint_check::{Cause, Control, Evidence, Settings, Verdict, judge, relevant};
use linpoint_history::History;
use linpoint_spec::Part;
use linpoint_testkit::{Dice, brute_force, excerpt, expand, history, is_witness, lived_part, parts, random_part};

/// Yes, no, declined, not covered.
type Tally = [u64; 4];

/// What the method says; None if it declines or does not cover the part. Its evidence is what it claims to be.
fn verdict(method: &str, part: &Part, seed: &str) -> Option<bool> {
    let settings = Settings::of(method).expect("a method of this name");
    settings.method.covers(part).ok()?;
    let answer = settings.method.run(part, &settings, &Control::new(None, usize::MAX)).expect("nothing breaks");
    let roles: Vec<_> = part.codes.iter().map(|&code| part.spec.role(code)).collect();
    let shown = || format!("{seed}: {:?} of {roles:?}, {:?}", answer.evidence, part.events);
    match (&answer.verdict, &answer.evidence) {
        (Verdict::Linearizable, Evidence::Witness(order)) => {
            assert!(is_witness(part, order), "not a witness, {}", shown());
            Some(true)
        }
        (Verdict::Violation, Evidence::Conflict { operations, .. }) => {
            if part.ops.len() <= 12 {
                assert!(!brute_force(&excerpt(part, operations)), "not a core, {}", shown());
                let about = relevant(part, operations);
                assert!(
                    about.is_empty() || !brute_force(&excerpt(part, &about)),
                    "its values are no core, {}",
                    shown()
                );
            }
            Some(false)
        }
        (Verdict::Unknown(Cause::Declined(_)), _) => None,
        _ => panic!("{:?}, {}", answer.verdict, shown()),
    }
}

/// A history of one of each operation, whose parts are where random ones take their operations from.
fn whole(pattern: &str) -> History {
    let all: Vec<String> = pattern.split(';').flat_map(|operation| expand(operation.trim())).collect();
    history(&all.join("; "))
}

fn small(method: &str, model: &str, pattern: &str, decided: u64) {
    let (rounds, mut tally) = (rounds(4_000), Tally::default());
    let whole = parts(model, &whole(pattern), true).expect("the model fits").remove(0);
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let part = if dice.chance(30) { random_part(&mut dice, &whole, 9) } else { lived_part(&mut dice, &whole, 9) };
        let told = format!("{method}, {model}, seed {seed}");
        match verdict(method, &part, &told) {
            Some(linearizable) => {
                tally[usize::from(!linearizable)] += 1;
                assert_eq!(linearizable, brute_force(&part), "{told}: {:?} {:?}", part.codes, part.events);
            }
            None => tally[2] += 1,
        }
    }
    println!("{method}, {model}: {rounds} histories: {tally:?} linearizable, violation, declined");
    assert!(tally[0] > rounds / 10 && tally[1] > rounds / 20, "both verdicts are common: {tally:?}");
    assert!(tally[2] * 100 <= rounds * (100 - decided), "few are declined: {tally:?}");
}

/// 20 to 60 operations, against the search.
fn medium(method: &str, model: &str, pattern: &str) {
    let (rounds, mut tally) = ((rounds(4_000) / 10).max(40), Tally::default());
    let history = whole(pattern);
    let whole = parts(model, &history, true).expect("the model fits").remove(0);
    for seed in 0..rounds {
        let part = lived_part(&mut Dice(seed), &whole, 60);
        let told = format!("{method}, {model}, seed {seed}");
        let Some(linearizable) = verdict(method, &part, &told) else {
            tally[2] += 1;
            continue;
        };
        let search = Settings::of("breadth-first").expect("a method of this name");
        match judge(&history, &[part], search, &patience()).verdict {
            Verdict::Unknown(_) => tally[3] += 1,
            other => {
                tally[usize::from(!linearizable)] += 1;
                assert_eq!(linearizable, other == Verdict::Linearizable, "{told}");
            }
        }
    }
    println!("{method}, {model}: {rounds} histories: {tally:?} linearizable, violation, declined, too long to search");
    assert!(tally[0] > 0 && tally[1] > 0, "both verdicts are compared: {tally:?}");
}

const REGISTER: &str = "read -> {null|0|1|2}; read -> {0|1}; write {null|0|1|2|3}";
const CAS: &str = "read -> {null|0|1|2}; write {0|1|2}; cas [{null|0|1},{0|1|2}] -> {true|false}; cas [0,1] -> true; swap {0|1} -> {null|0|1}";
const FAILED: &str = "read -> {1|2|3|4|5|6}; write {1|2|3|4|5|6}; cas [{0|1|2|3|4},{7|8|9}] -> {true|false}";
const MAP: &str = "get @x -> {null|0|1}; put @x {0|1|2}; remove @x -> {null|0|1|2}; put_if_absent @x {0|1} -> {null|0|1}; \
                   replace_if @x [{0|1},{1|2}] -> {true|false}; contains @x -> {true|false}";

#[test]
fn registers_whose_values_repeat() {
    small("reads-from", "register", REGISTER, 90);
    small("reads-from", "register:initial=0", REGISTER, 90);
    small("reads-from", "cas-register", CAS, 80);
    small("reads-from", "cas-register:initial=0", FAILED, 80);
    small("reads-from", "map", MAP, 80);
    small(
        "reads-from",
        "array",
        "read 0 -> {null|0|1}; write [0,{0|1}]; cas [0,{null|0},{null|0|1}] -> {true|false}",
        80,
    );
}

#[test]
#[cfg_attr(feature = "collide", ignore = "quadratic where every hash collides")]
fn longer_registers_agree_with_the_search() {
    medium("reads-from", "register", REGISTER);
    medium("reads-from", "cas-register", CAS);
    medium("reads-from", "map", MAP);
}
