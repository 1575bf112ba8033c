//! What the tests of theories share: random parts of every model that has one.

use linpoint_spec::{Part, Role};
use linpoint_testkit::{Dice, history, lived_part, parts, random_part, vocabularies};
use linpoint_theory::{Operations, Theory};

/// Every model with a theory, and the operations that the theory covers.
pub fn theories() -> Vec<(&'static str, Part)> {
    let mut all = Vec::new();
    for (model, operations) in vocabularies() {
        let told = |operation: &&str| {
            let whole = parts(model, &history(operation), true).expect("the model fits");
            whole.iter().all(|part| Operations::of(&as_recorded(part)).is_ok())
        };
        let covered: Vec<&str> = operations.split(';').filter(told).collect();
        if !covered.is_empty() {
            let whole = parts(model, &history(&covered.join(";")), true).expect("the model fits");
            all.extend(whole.into_iter().map(|part| (model, part)));
        }
    }
    all
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

/// A random part, noise or something that happened, with its operations as the theory sees them.
pub fn random(seed: u64, whole: &Part, most: u64) -> (Part, Operations, &'static Theory) {
    let mut dice = Dice(seed);
    let make = if dice.chance(50) { random_part } else { lived_part };
    let part = as_recorded(&make(&mut dice, whole, most));
    let (operations, theory) = Operations::of(&part).expect("operations that a theory covers");
    (part, operations, theory)
}
