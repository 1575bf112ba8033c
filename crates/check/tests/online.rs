//! Does a history that is fed event by event get the verdict of the whole?

use linpoint_check::{Control, Online, Standing};
use linpoint_testkit::{Dice, brute_force, excerpt, history, parts, random_part, rounds, vocabularies};

/// Whenever nothing is open the standing is the verdict of all that happened; a violation is told at most once too late, never too early.
#[test]
fn the_standing_is_the_verdict_of_what_has_happened() {
    let (rounds, mut tally) = (rounds(if cfg!(feature = "collide") { 40 } else { 300 }), [0u64; 3]);
    for (model, operations) in vocabularies() {
        for whole in parts(model, &history(&operations), true).expect("the model fits") {
            for seed in 0..rounds {
                let mut dice = Dice(seed);
                let part = random_part(&mut dice, &whole, 9);
                let control = Control::new(None, usize::MAX);
                let mut online = Online::new(part.spec.fork(), &control).expect("a state");
                let mut standing = Standing::Linearizable(0);
                let (mut seen, mut open, mut lost) = (Vec::new(), 0u32, Vec::new());
                for event in &part.events {
                    let (op, code) = (event.op(), part.codes[event.op()]);
                    let returns = part.events.iter().any(|other| other.is_return() && other.op() == op);
                    match (event.is_return(), returns) {
                        (true, _) => {
                            standing = online.ret(op as u32, code).clone();
                            open -= 1;
                        }
                        (false, true) => {
                            assert_eq!(online.call(), op as u32, "operations are numbered by their calls");
                            seen.push(op as u32);
                            open += 1;
                        }
                        (false, false) => {
                            online.call();
                            seen.push(op as u32);
                            if dice.chance(50) {
                                standing = online.lose(op as u32, code).clone();
                            } else {
                                lost.push((op as u32, code));
                            }
                        }
                    }
                    if open == 0 && lost.is_empty() && event.is_return() {
                        tally[0] += 1;
                        compare(&standing, brute_force(&excerpt(&part, &seen)), model, seed);
                    }
                }
                for (op, code) in lost {
                    standing = online.lose(op, code).clone();
                }
                let expected = brute_force(&part);
                tally[1 + usize::from(expected)] += 1;
                compare(&standing, expected, model, seed);
            }
        }
    }
    assert!(tally.iter().all(|&count| count > rounds), "{tally:?}");
}

fn compare(standing: &Standing, expected: bool, model: &str, seed: u64) {
    match standing {
        Standing::Linearizable(_) => assert!(expected, "{model}, seed {seed}: too kind"),
        Standing::Violation(_) => assert!(!expected, "{model}, seed {seed}: too strict"),
        Standing::Unknown(cause) => panic!("{model}, seed {seed}: {cause:?}"),
    }
}

/// Every return of a sequential history is explained at once, and the first wrong one is named.
#[test]
fn a_sequential_history_is_judged_return_by_return() {
    let history = history("enqueue 1; enqueue 2; dequeue -> 1; dequeue -> 1; enqueue 3");
    let part = parts("queue", &history, true).expect("the model fits").pop().expect("one part");
    let control = Control::new(None, usize::MAX);
    let mut online = Online::new(part.spec.fork(), &control).expect("a state");
    let mut told = Vec::new();
    for &code in &part.codes {
        let op = online.call();
        told.push(online.ret(op, code).clone());
    }
    use Standing::{Linearizable, Violation};
    assert_eq!(told, [Linearizable(1), Linearizable(2), Linearizable(3), Violation(3), Violation(3)]);
}

/// More operations than the masks have room for: refused in words, not in a panic.
#[test]
fn too_many_open_operations_are_declined() {
    let history = history("enqueue 1; dequeue -> 2");
    let part = parts("queue", &history, true).expect("the model fits").pop().expect("one part");
    let control = Control::new(None, usize::MAX);
    let mut online = Online::new(part.spec.fork(), &control).expect("a state");
    let last = (0..600).map(|_| online.call()).last().expect("many");
    (0..last).for_each(|op| _ = online.lose(op, part.codes[0]));
    assert!(matches!(online.ret(last, part.codes[0]), Standing::Unknown(_)));
}
