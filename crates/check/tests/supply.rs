//! Is a value that no operation can have supplied a violation at once? For every model whose operations tell what they do.

#![cfg(not(feature = "collide"))] // quadratic where every hash collides

use linpoint_check::{Cause, Control, Evidence, Settings, Verdict, judge};
use linpoint_history::{Builder, Record, Status, ValueId};
use linpoint_spec::{Model, Options, Part};
use linpoint_testkit::{Dice, brute_force, excerpt, history, parts, random_part, rounds, vocabularies};
use std::collections::BTreeMap;

fn conflict(evidence: &Evidence) -> &[u32] {
    let Evidence::Conflict { operations, .. } = evidence else { panic!("no conflict: {evidence:?}") };
    operations
}

/// The conflict that the scan finds, if it does.
fn scan(part: &Part) -> Option<Vec<u32>> {
    let settings = Settings::of("supply-scan").expect("a method of this name");
    settings.method.covers(part).ok()?;
    let answer = settings.method.run(part, &settings, &Control::new(None, usize::MAX)).expect("no step is taken");
    match answer.verdict {
        Verdict::Unknown(Cause::Declined(_)) => None,
        Verdict::Violation => Some(conflict(&answer.evidence).to_vec()),
        other => panic!("{other:?}"),
    }
}

/// Pending operations, ties, things there from the start, empties, repeated values: never a false alarm, and the conflict is a
/// violation by itself and with any one of the other operations.
#[test]
fn a_shortage_is_always_a_violation() {
    let (rounds, mut found) = (rounds(4_000), BTreeMap::<&str, u64>::new());
    for (model, operations) in vocabularies() {
        let apart = |operation: &&str| !["size", ",y", "@y"].iter().any(|joins| operation.contains(joins));
        let operations: Vec<&str> = operations.split(';').filter(apart).collect(); // one key, so one cell
        for whole in parts(model, &history(&operations.join(";")), true).expect("the model fits") {
            for seed in 0..rounds {
                let part = random_part(&mut Dice(seed), &whole, 9);
                let Some(core) = scan(&part) else { continue };
                *found.entry(model.split(':').next().unwrap_or(model)).or_default() += 1;
                assert!(!brute_force(&part), "{model}, seed {seed}");
                assert!(!brute_force(&excerpt(&part, &core)), "{model}, seed {seed}: {core:?}");
                for other in part.ops.iter().filter(|op| !core.contains(op)) {
                    let more: Vec<u32> = core.iter().chain([other]).copied().collect();
                    assert!(!brute_force(&excerpt(&part, &more)), "{model}, seed {seed}: {core:?} and {other}");
                }
            }
        }
    }
    let expected = "array bag cas-register deque height-stack kv map multi-register mutex pq queue register set stack";
    assert_eq!(found.keys().copied().collect::<Vec<_>>().join(" "), expected, "{found:?}");
    assert!(found.values().all(|&count| count > rounds / 50), "{found:?}");
}

/// 24 pushes that overlap, then 24 pops that do, and one of a value that was never pushed: every order of the pushes is possible, and none helps.
#[test]
fn finding_26_a_value_never_pushed() {
    let mut builder = Builder::new();
    let (push, pop) = (builder.values.text("push"), builder.values.text("pop"));
    for i in 0..49i64 {
        let process = builder.values.int(i);
        let number = builder.values.int(if i < 24 { i / 2 } else { (i - 22) / 2 }); // the last pop answers 13
        let (f, value, result, call) = match i < 24 {
            true => (push, number, ValueId::NULL, 0),
            false => (pop, ValueId::NULL, number, 2),
        };
        let (key, status) = (ValueId::ABSENT, Status::Ok);
        builder.push(Record { process, f, key, value, result, status, call, ret: Some(call + 1), line: 0 });
    }
    let history = builder.finish().expect("each process has one operation");
    let model = Model { name: "stack".into(), options: Options::default() };
    let parts = model.compile(&history, &history.values, true).expect("the model fits");
    let control = Control::new(None, 1 << 30).with_work(100_000);
    let outcome = judge(&history, &parts, Settings::of("auto").expect("a method of this name"), &control);
    assert_eq!((&outcome.verdict, outcome.method), (&Verdict::Violation, "supply-scan"));
    assert!(conflict(&outcome.evidence).len() <= 3, "{outcome:?}");
}

/// All that supplied or used up the value by then, and nothing about other values.
#[test]
fn the_conflict_is_everything_about_the_value() {
    let cases: [(&str, &str, &[u32]); 6] = [
        ("stack", "push 1 -> ?; pop -> 1; pop -> 1", &[0, 1, 2]),
        ("stack", "push 1; push 2 -> ?; pop -> 1; peek -> 1; push 1", &[0, 2, 3]),
        ("queue", "enq 2; deq -> 2; enq 1 -> ?; enq 1 -> ?; deq -> 1; enq 3; deq -> 1; peek -> 1", &[2, 3, 4, 6, 7]),
        ("queue:initial=[1]", "enq 2; deq -> 1; deq -> 1; enq 1", &[1, 2]),
        ("register", "write 1; read -> 2; write 2", &[1]),
        ("cas-register", "write 1; cas [1,2] -> ?; cas [1,2] -> true; cas [1,3] -> true", &[0, 2, 3]),
    ];
    for (model, operations, expected) in cases {
        let part = parts(model, &history(operations), false).expect("the model fits").remove(0);
        assert_eq!(scan(&part).as_deref(), Some(expected), "{model}: {operations}");
    }
}
