//! Are explanations true? Every claim is tried by brute force on random specifications, with every subset of what was left out.
//!
//! Histories of automata are small and nasty: pending operations, twins, long overlaps, two domains. With `short: 0` every
//! explanation begins at a cut or from all states at once. A failure prints its seed.

mod automata;

use automata::{Automata, random_part};
use linpoint_check::{Claim, Control, Effort, Explanation, Settings, Verdict, explain, judge};
use linpoint_history::Event;
use linpoint_spec::Part;
use linpoint_testkit::{Dice, brute_force, rounds};

/// The part of these operations only, up to `end` events of the whole.
fn only(part: &Part, keep: impl Fn(u32) -> bool) -> Part {
    let mut small =
        Part { label: None, ops: vec![], codes: vec![], processes: vec![], events: vec![], spec: part.spec.fork() };
    let mut place = vec![0; part.ops.len()];
    for event in part.events.iter().filter(|event| keep(part.ops[event.op()])) {
        let op = event.op();
        if event.is_return() {
            small.events.push(Event::ret(place[op]));
            continue;
        }
        place[op] = small.ops.len();
        small.events.push(Event::call(place[op]));
        small.ops.push(part.ops[op]);
        small.codes.push(part.codes[op]);
        small.processes.push(part.processes[op]);
    }
    small
}

/// The place of an operation's return among all events.
fn rank(part: &Part, op: u32) -> usize {
    part.events.iter().position(|event| event.is_return() && part.ops[event.op()] == op).expect("it returned")
}

/// The part before an event: what has not returned by then is pending.
fn before(part: &Part, rank: usize) -> Part {
    let mut small = only(part, |op| part.events[..rank].iter().any(|event| part.ops[event.op()] == op));
    small.events.truncate(rank);
    small
}

/// Has every union of `kept` with a subset of `free` no order?
fn whatever_else(part: &Part, kept: &[u32], free: &[u32]) -> bool {
    (0..1u32 << free.len()).all(|subset| {
        let in_subset = |op| free.iter().position(|&other| other == op).is_some_and(|bit| subset >> bit & 1 == 1);
        !brute_force(&only(part, |op| kept.contains(&op) || in_subset(op)))
    })
}

fn check(part: &Part, found: &Explanation, seed: u64) {
    let kept = &found.operations;
    assert!(kept.contains(&found.accused), "seed {seed}: {found:?}");
    let end = rank(part, found.accused);
    assert!(!brute_force(&before(part, end + 1)), "seed {seed}: the accused return can be explained: {found:?}");
    assert!(brute_force(&before(part, end)), "seed {seed}: an earlier return cannot be explained: {found:?}");
    let called = |op: u32| part.events.iter().position(|event| part.ops[event.op()] == op);
    assert!(kept.iter().all(|&op| called(op) < Some(end)), "seed {seed}: {found:?}");
    let (mut kept_or_past, mut free) = (kept.clone(), part.ops.clone());
    if let Some(cut) = &found.cut {
        let cut = rank(part, cut.after);
        let past = part.events[..cut].iter().map(|event| part.ops[event.op()]);
        kept_or_past.extend(past);
    } else {
        let alone = only(part, |op| kept.contains(&op));
        let last = rank(&alone, found.accused);
        assert!(brute_force(&before(&alone, last)), "seed {seed}: it goes wrong earlier: {found:?}");
        assert!(!found.continuations.is_empty(), "seed {seed}: {found:?}");
    }
    free.retain(|op| !kept_or_past.contains(op));
    assert!(whatever_else(part, &kept_or_past, &free), "seed {seed}: {found:?}");
    let dispensable = |op: &u32| *op == found.accused || found.support.contains(op);
    for &op in kept.iter().filter(|op| found.minimal && !dispensable(op)) {
        assert!(!whatever_without(part, found, op), "seed {seed}: it can do without {op}: {found:?}");
    }
}

/// Have the other operations of an explanation no order, with any subset of all others?
fn whatever_without(part: &Part, found: &Explanation, op: u32) -> bool {
    let cut = found.cut.as_ref().map_or(0, |cut| rank(part, cut.after) + 1);
    let past = part.events[..cut].iter().filter(|event| event.is_return()).map(|event| part.ops[event.op()]);
    let needed: Vec<u32> = found.operations.iter().copied().filter(|&other| other != op).chain(past).collect();
    let free: Vec<u32> = part.ops.iter().copied().filter(|op| !needed.contains(op)).collect();
    whatever_else(part, &needed, &free)
}

const ENOUGH: u64 = 1_000_000;

#[test]
fn every_claim_holds_with_every_subset_of_what_was_left_out() {
    let rounds = rounds(6_000);
    let (mut whole, mut cuts, mut small) = (0, 0, 0);
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let spec = Automata::random(&mut dice);
        let (history, part) = random_part(&mut dice, &spec);
        let control = Control::new(None, 1 << 30);
        let settings = Settings::of("auto").expect("a method of this name");
        let outcome = judge(&history, &[only(&part, |_| true)], settings, &control);
        if outcome.verdict != Verdict::Violation {
            continue;
        }
        let stuck = outcome.evidence.accused().expect("a violation is stuck somewhere");
        // With little work not much is left out; what is said must be true all the same.
        for (short, work) in [(2_000, ENOUGH), (0, ENOUGH), (2_000, 0), (2_000, 20), (2_000, 200)] {
            let (effort, control) = (Effort { short, work }, Control::new(None, 1 << 30));
            let found =
                explain(&part, stuck, &[], effort, &control).expect("automata do not fail").expect("it returned");
            // Minimal is claimed where everything was tried: not where an operation of the contradiction was still open at its end.
            let end = rank(&part, found.accused);
            let returned = |op: &u32| part.events[..=end].iter().any(|e| e.is_return() && part.ops[e.op()] == *op);
            let all_returned = found.operations.iter().all(returned);
            assert!(found.minimal || short == 0 || work != ENOUGH || !all_returned, "seed {seed}: {found:?}");
            check(&part, &found, seed);
            match found.claim {
                Claim::WhateverElse => whole += 1,
                Claim::AfterCut => cuts += 1,
            }
            small += usize::from(found.operations.len() < part.ops.len());
        }
    }
    assert!(whole > rounds / 10 && cuts > rounds / 100 && small as u64 > rounds / 10, "{whole} {cuts} {small}");
}
