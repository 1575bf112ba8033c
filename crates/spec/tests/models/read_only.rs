//! Does `read_only` mean what it says, for every call on every state within reach?
//!
//! A wrong "yes" gives wrong verdicts: the search linearizes such an operation at once. A wrong "no" only
//! costs time, but is found too. Each model has a small vocabulary: every operation with a few
//! arguments and all results that tell cases apart. Its states are explored breadth first up to a bound.

use linpoint_testkit::{history, parts, vocabularies};
use std::collections::HashSet;

#[test]
fn read_only_is_exactly_what_changes_nothing_anywhere() {
    for (model, operations) in vocabularies() {
        let part = &mut parts(model, &history(&operations), false).unwrap()[0];
        let (spec, mut codes) = (&mut part.spec, part.codes.clone());
        codes.sort();
        codes.dedup();
        let mut seen = HashSet::from([spec.initial().unwrap()]);
        let mut order: Vec<u64> = seen.iter().copied().collect();
        let mut legal = HashSet::new();
        let mut changes = HashSet::new();
        let mut next = Vec::new();
        for place in 0..300 {
            let Some(&state) = order.get(place) else { break };
            for &code in &codes {
                next.clear();
                spec.step(state, code, &mut next).unwrap();
                for &after in &next {
                    legal.insert(code);
                    if after != state {
                        changes.insert(code);
                        assert!(!spec.read_only(code), "{model}: code {code} changes {}", spec.show(state));
                    }
                    if seen.insert(after) {
                        order.push(after);
                    }
                }
            }
        }
        for code in codes.into_iter().filter(|code| legal.contains(code)) {
            let first = part.codes.iter().position(|&other| other == code).unwrap();
            let text = operations.split(';').nth(part.ops[first] as usize).unwrap().trim();
            assert_eq!(spec.read_only(code), !changes.contains(&code), "{model}: {text}");
        }
        assert!(order.len() > 1 && changes.len() > 1, "{model}: {} states", order.len());
    }
}
