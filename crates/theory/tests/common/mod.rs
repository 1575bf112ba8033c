//! What the tests of theories share: random parts of every model that has one.

use linpoint_spec::{Growth, Part, Role};
use linpoint_testkit::{Dice, history, lived_part, parts, random_part, vocabularies};
use linpoint_theory::{Operations, Theory};

/// Every model with a theory, and the operations that the theory covers: those of parts that only grow, and of the others those that can be told
/// one by one.
pub fn theories() -> Vec<(&'static str, Part)> {
    let mut all = Vec::new();
    for (model, operations) in vocabularies() {
        let parts = |operations: &str| parts(model, &history(operations), true).expect("the model fits");
        all.extend(parts(&operations).into_iter().filter(grows).map(|part| (model, part)));
        let told = |operation: &&str| {
            parts(operation).iter().all(|part| !grows(part) && Operations::of(&as_recorded(part)).is_ok())
        };
        let covered: Vec<&str> = operations.split(';').filter(told).collect();
        if !covered.is_empty() {
            all.extend(parts(&covered.join(";")).into_iter().map(|part| (model, part)));
        }
    }
    all
}

/// Does it only grow, whatever it is asked?
pub fn grows(part: &Part) -> bool {
    let grows = |growth| growth != Growth::Other;
    grows(part.spec.grown_at_first()) && part.codes.iter().all(|&code| grows(part.spec.growth(code)))
}

/// The part, in which what is not known did not return.
fn as_recorded(part: &Part) -> Part {
    let open: Vec<bool> = part
        .codes
        .iter()
        .map(|&code| matches!(part.spec.role(code), Role::RemoveUnknown | Role::ChangeIf(..)))
        .collect();
    let events = part.events.iter().copied().filter(|event| !(event.is_return() && open[event.op()]));
    Part {
        label: None,
        ops: part.ops.clone(),
        codes: part.codes.clone(),
        processes: part.processes.clone(),
        events: events.collect(),
        spec: part.spec.fork(),
    }
}

/// A random part, noise or something that happened, with its operations as the theory sees them; None where the theory cannot tell
/// one operation from another (lists and sets whose elements repeat).
pub fn random(seed: u64, whole: &Part, most: u64) -> Option<(Part, Operations, &'static Theory)> {
    let mut dice = Dice(seed);
    let make = if dice.chance(50) { random_part } else { lived_part };
    let part = as_recorded(&make(&mut dice, whole, most));
    let seen = Operations::of(&part);
    let repeats = |why: &String| why.contains("more than one way") || why.contains("more than once");
    assert!(seen.as_ref().err().is_none_or(repeats), "operations that a theory covers: {:?}", seen.err());
    seen.ok().map(|(operations, theory)| (part, operations, theory))
}
