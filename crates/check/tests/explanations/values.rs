//! Are long histories explained among the few operations about the values in conflict? All of them, and nothing else.

use linpoint_check::{Claim, Control, Effort, Explanation, explain};

/// `count` operations, each made from its number.
fn many(count: usize, operation: impl Fn(usize) -> String) -> String {
    (0..count).map(|value| operation(1000 + value)).collect::<Vec<_>>().join("; ")
}

/// Why the last operation cannot return.
fn explained(model: &str, operations: &str, conflict: &[u32]) -> Explanation {
    let history = linpoint_testkit::history(operations);
    let part = linpoint_testkit::parts(model, &history, false).expect("the model fits").remove(0);
    let control = Control::new(None, usize::MAX);
    let accused = history.len() as u32 - 1;
    explain(&part, accused, conflict, Effort::default(), &control).expect("it steps").expect("it is explained")
}

fn is_explained_by(model: &str, operations: &str, conflict: &[u32], expected: &[u32]) {
    let found = explained(model, operations, conflict);
    assert_eq!((found.claim, &found.operations[..]), (Claim::WhateverElse, expected), "{model}: {found:?}");
    assert!(found.minimal && !found.continuations.is_empty(), "{model}: {found:?}");
}

/// The stale value was written long ago. A reader wants to see where it came from.
#[test]
fn the_writer_of_a_stale_value_is_shown() {
    let writes = many(2500, |value| format!("write {value}"));
    is_explained_by("register", &format!("write 1; {writes}; read -> 1"), &[], &[0, 2500, 2501]);
    is_explained_by("cas-register", &format!("write 1; {writes}; cas [1,7] -> true"), &[], &[0, 2500, 2501]);
}

#[test]
fn what_passed_through_a_container_is_left_out() {
    let names = [
        ("queue", "enqueue", "dequeue", "enqueue 1; enqueue 2; dequeue -> 2"),
        ("queue", "enqueue", "dequeue", "enqueue 1; dequeue -> 1; dequeue -> 1"),
        ("stack", "push", "pop", "push 1; push 2; pop -> 1"),
        ("priority-queue", "insert", "poll", "insert 1; insert 2; poll -> 1"),
    ];
    for (model, add, remove, end) in names {
        let passing = many(1200, |value| format!("{add} {value}; {remove} -> {value}"));
        is_explained_by(model, &format!("{passing}; {end}"), &[], &[2400, 2401, 2402]);
    }
}

/// Among hundreds of values inside, the one in front is named by the monitor alone.
#[test]
fn a_monitor_knows_which_values_are_in_conflict() {
    let inside = many(2500, |value| format!("enqueue {value}"));
    let operations = format!("enqueue 1; enqueue 2; {inside}; dequeue -> 2");
    is_explained_by("queue", &operations, &[0, 1, 2502], &[0, 1, 2502]);
}
