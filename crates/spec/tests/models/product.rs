//! Are many cells the same whether they are split, packed, or interned?

use crate::legality::legal;
use linpoint_spec::{Part, State};
use linpoint_testkit::{history, parts};
use linpoint_testkit::{vocabularies, vocabulary};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::HashMap;

/// The parts of a vocabulary, walked together: each with the states it may be in.
struct Walk {
    parts: Vec<(Part, Vec<State>)>,
    /// The part and the code of every operation.
    place: Vec<(usize, u32)>,
}

impl Walk {
    fn new(model: &str, operations: &str, partition: bool) -> Walk {
        let history = history(operations);
        let mut place = vec![(0, 0); history.len()];
        let mut walked = Vec::new();
        for (i, mut part) in parts(model, &history, partition).unwrap().into_iter().enumerate() {
            for (&op, &code) in part.ops.iter().zip(&part.codes) {
                place[op as usize] = (i, code);
            }
            let initial = part.spec.initial().unwrap();
            walked.push((part, vec![initial]));
        }
        Walk { parts: walked, place }
    }

    /// Takes the step if it is legal; was it?
    fn step(&mut self, operation: usize) -> bool {
        let (part, code) = self.place[operation];
        let (part, states) = &mut self.parts[part];
        let mut next = Vec::new();
        states.iter().for_each(|&state| part.spec.step(state, code, &mut next).unwrap());
        next.sort();
        next.dedup();
        let legal = !next.is_empty();
        if legal {
            *states = next;
        }
        legal
    }
}

/// Walks the same random way split and whole: every step must be legal in both or in neither.
fn split_and_whole_agree(model: &str, operations: &str, steps: &[Index]) -> Result<(), TestCaseError> {
    let (mut split, mut whole) = (Walk::new(model, operations, true), Walk::new(model, operations, false));
    prop_assert_eq!(whole.parts.len(), 1);
    for step in steps {
        let operation = step.index(split.place.len());
        let text = operations.split(';').nth(operation);
        prop_assert_eq!(split.step(operation), whole.step(operation), "{} {:?}", model, text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))] // each case is a walk through every vocabulary

    #[test]
    fn every_model_is_the_same_split_or_whole(steps in prop::collection::vec(any::<Index>(), 0..200)) {
        for (model, operations) in vocabularies() {
            split_and_whole_agree(model, &operations, &steps)?;
        }
    }

    #[test]
    fn every_layout_is_the_same_as_single_cells(steps in prop::collection::vec(any::<Index>(), 0..200)) {
        let keys = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join("|");
        let (few, some, many) = (keys(3), keys(20), keys(70));
        for (model, pattern) in [
            ("register", format!("write @{{{few}}} {{1|2}}; read @{{{few}}} -> {{null|1|2}}")), // packed
            ("register", format!("write @{{{some}}} {{1|2}}; read @{{{some}}} -> {{null|1|2}}")), // many in a word
            ("mutex", format!("acquire @{{{many}}}; release @{{{many}}}")), // 32 in a word
            ("queue", format!("enq @{{{few}}} {{1|2}}; deq @{{{few}}} -> {{null|1|2}}")), // one in a word
            ("counter", format!("add @{{{few}}} {{1|-1}}; read @{{{few}}} -> {{0|1}}")), // two words each
            ("kv", format!("append @{{{few}}} {{a|b}}; get @{{{few}}} -> {{a|ab}}")),
        ] {
            split_and_whole_agree(model, &vocabulary(model, &pattern), &steps)?;
        }
    }

    /// Transactions with the answers that a plain table gives are legal; with one wrong answer they are not.
    #[test]
    fn transactions_answer_like_a_table(
        transactions in prop::collection::vec(prop::collection::vec((0..4u8, 0..3u8, any::<bool>()), 1..4), 1..12),
        wrong in any::<Index>(),
    ) {
        let mut table: HashMap<u8, u8> = HashMap::new();
        let mut reads = 0;
        let mut written = |wrong: Option<usize>| {
            table.clear();
            reads = 0;
            let mut operations = Vec::new();
            for steps in &transactions {
                let (mut asked, mut answered) = (Vec::new(), Vec::new());
                for &(register, value, is_read) in steps {
                    let held = table.get(&register).map_or("null".to_owned(), u8::to_string);
                    if is_read {
                        let seen = if wrong == Some(reads) { "7" } else { &held };
                        asked.push(format!("[r,{register},null]"));
                        answered.push(format!("[r,{register},{seen}]"));
                        reads += 1;
                    } else {
                        table.insert(register, value);
                        asked.push(format!("[w,{register},{value}]"));
                        answered.push(format!("[w,{register},{value}]"));
                    }
                }
                operations.push(format!("txn [{}] -> [{}]", asked.join(","), answered.join(",")));
            }
            (operations.join("; "), reads)
        };
        let (right, reads) = written(None);
        prop_assert_eq!(legal("multi-register", &right), Ok(true), "{}", right);
        if reads > 0 {
            let (wrong, _) = written(Some(wrong.index(reads)));
            prop_assert_eq!(legal("multi-register", &wrong), Ok(false), "{}", wrong);
        }
    }
}

#[test]
fn parts_are_named_by_their_keys_and_states_can_be_shown() {
    let operations = "write @x 1; write @y 2; read @x -> 1";
    let split = parts("register", &history(operations), true).unwrap();
    let labels: Vec<_> = split.iter().map(|part| part.label.as_deref()).collect();
    assert_eq!(labels, [Some("\"x\""), Some("\"y\"")]);
    assert_eq!(split.iter().map(|part| part.ops.clone()).collect::<Vec<_>>(), [vec![0, 2], vec![1]]);
    let shown = |model: &str, operations: &str| {
        let part = &mut parts(model, &history(operations), false).unwrap()[0];
        let state = linpoint_testkit::run(&mut *part.spec, &part.codes)[0];
        part.spec.show(state)
    };
    assert_eq!(shown("register", operations), r#"{"x": 1, "y": 2}"#);
    assert_eq!(shown("register", "write 3"), "3");
    assert_eq!(shown("mutex", "acquire"), "held");
    assert_eq!(shown("set", "add 1; size -> 1; remove 2"), "{1: in, 2: out}");
    assert_eq!(shown("queue", "enq 1; enq a"), r#"[1,"a"]"#);
    assert_eq!(shown("stack", "push 1; push 2"), "[1,2]");
    assert_eq!(shown("pq", "add 3; add 1; add 2"), "[1,2,3]");
    assert_eq!(shown("kv", "append @k a; append @k b"), r#"{"k": "ab"}"#);
    assert_eq!(shown("counter", "sub 7"), "-7");
    assert_eq!(shown("semaphore", "release 2"), "3");
    assert_eq!(shown("map", "put [1,a]; remove 2"), r#"{1: "a", 2: null}"#);
}

#[test]
fn operations_that_failed_are_left_out() {
    let part = &parts("register", &history("write 1 -> fail; write 2"), true).unwrap()[0];
    assert_eq!((part.ops.as_slice(), part.events.len()), (&[1][..], 2));
}
