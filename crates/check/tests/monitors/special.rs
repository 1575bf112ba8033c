//! The methods for what the plain monitors decline, on random small histories, against the definition.
//!
//! Half of the histories are noise, half really happened (`lived_part`); each method sees every part that it covers. The big run:
//! `LINPOINT_FUZZ=1000000 cargo test --release -p linpoint-check --test monitors special`.

use crate::judge::{patience, rounds};
use linpoint_check::{Cause, Control, Evidence, Settings, Verdict, judge, relevant};
use linpoint_history::History;
use linpoint_spec::Part;
use linpoint_testkit::{
    Dice, brute_force, excerpt, history, is_witness, lived_part, parts, random_part, vocabularies, vocabulary,
};

/// Yes, no, declined, not covered.
type Tally = [u64; 4];

/// No small history needs more bytes.
const PLENTY: usize = 256 << 20;

/// What the method says; None if it declines or does not cover the part. Its evidence is what it claims to be.
fn verdict(method: &str, part: &Part, seed: &str) -> Option<bool> {
    let settings = Settings::of(method).expect("a method of this name");
    settings.method.covers(part).ok()?;
    let answer = settings.method.run(part, &settings, &Control::new(None, PLENTY)).expect("nothing breaks");
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

/// A history of one of each operation that the model has, whose parts are where random ones take their operations from.
fn whole(model: &str, pattern: &str) -> History {
    history(&vocabulary(model, pattern))
}

fn small(method: &str, model: &str, pattern: &str, decided: u64) {
    let (rounds, mut tally) = (rounds(1_500), Tally::default());
    let whole = parts(model, &whole(model, pattern), true).expect("the model fits").remove(0);
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
    let (rounds, mut tally) = ((rounds(1_500) / 20).max(40), Tally::default());
    let history = whole(model, pattern);
    let whole = parts(model, &history, true).expect("the model fits").remove(0);
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let part = if dice.chance(25) { random_part(&mut dice, &whole, 24) } else { lived_part(&mut dice, &whole, 60) };
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

const TEXTS: &str = "append @x {a|b|c|d|e|ab}; append @x {f|g|h}; get @x -> {\"\"|a|b|c|ab|ba|ac|ca|bc|abc|acb|bac|f|g|fa|af|fg|gf|fab|abf}";
const LISTS: &str = "append @x {1|2|3|4|5}; txn [[append,x,{6|7}]]; read @x -> {[]|[1]|[2]|[1,2]|[2,1]|[3,1]|[1,3,2]|[6]|[6,1]|[1,6]|[1,1]}; \
    txn [[r,x,null]] -> {[[r,x,[]]]|[[r,x,[1]]]|[[r,x,[2,7]]]|[[r,x,[6,7]]]}";
const SETS: &str = "add {1|2|3|4|5|6} -> {null|true}; add {7|8|9}; read -> {[]|[1]|[2]|[3]|[1,2]|[2,3]|[1,3]|[3,2,1]|[7]|[1,7]|[8,7]|[9]|[1,1]}";

#[test]
fn lists_read_as_a_whole() {
    small("append-list", "kv", TEXTS, 30);
    small("append-list", "kv:initial=a", TEXTS, 10);
    small("append-list", "append-list", LISTS, 30);
}

#[test]
fn sets_read_as_a_whole() {
    small("grow-only-set", "set", SETS, 30);
    small("grow-only-set", "set:initial=[7]", SETS, 10);
}

const TRANSACTIONS: &str = "txn [[w,x,{1|2}],[w,y,{3|4}]]; txn [[w,x,{5|6}],[w,z,{7|8}]]; txn [[w,y,{9|10}],[w,z,{11|12}]]; \
    txn [[r,x,null],[r,y,null]] -> [[r,x,{null|1|2|5}],[r,y,{null|3|9}]]; txn [[r,y,null],[r,z,null]] -> [[r,y,{null|3|4}],[r,z,{null|7|11}]]; \
    txn [[r,x,null],[w,y,{13|14}]] -> [[r,x,{1|2}],[w,y,{13|14}]]; txn [[r,y,null],[w,z,15]] -> [[r,y,3],[w,z,15]]; read x -> {null|1|5}; write [z,16]";

#[test]
fn transactions_over_registers() {
    small("transactions", "multi-register", TRANSACTIONS, 20);
    small("transactions", "multi-register:initial=0", &TRANSACTIONS.replace("null|", "0|"), 20);
}

/// Every model, for what crashes may be anything.
#[test]
#[cfg_attr(feature = "collide", ignore = "quadratic where every hash collides")]
fn operations_that_never_returned_are_counted() {
    for (model, operations) in vocabularies() {
        if !model.starts_with("counter:") {
            small("crash-counts", model, &operations, 40);
        }
    }
}

#[test]
#[cfg_attr(feature = "collide", ignore = "quadratic where every hash collides")]
fn longer_registers_agree_with_the_search() {
    medium("reads-from", "register", REGISTER);
    medium("reads-from", "cas-register", CAS);
    medium("reads-from", "map", MAP);
    medium("crash-counts", "cas-register", CAS);
    medium("crash-counts", "semaphore", "{acquire|release} {null|1|2}; try_acquire {1|2} -> {true|false}");
}
