//! What can a state do if internal steps are free? The saturated system has `s ⇒a⇒ t` as one step, and `s ⇒ t` as an internal one.
//!
//! Only for systems without internal cycles, such as branching quotients: targets are then complete before sources. The result can
//! have a step for each label and pair of states, so its size is counted against the memory.

use crate::lts::{Lts, Parts, TAU};
use linpoint_base::{Account, Cause, Control};

/// The saturated system. Every state has an internal step to itself.
pub(crate) fn saturate(lts: &Lts, control: &Control) -> Result<Lts, Cause> {
    let mut account = Account::alone(control);
    let rows = lts.rows();
    let order = targets_first(lts);
    let mut closure: Vec<Vec<u32>> = vec![Vec::new(); rows];
    let mut held = 0;
    for &state in &order {
        let mut reached = vec![state];
        for (label, target) in lts.row(state) {
            if label == TAU {
                reached.extend_from_slice(&closure[target as usize]);
            }
        }
        reached.sort_unstable();
        reached.dedup();
        held += 4 * reached.len() + 24;
        account.configurations += 1;
        if let Some(cause) = account.poll(held, 0) {
            return Err(cause);
        }
        closure[state as usize] = reached;
    }
    let mut parts = Parts { labels: lts.labels.clone(), initial: lts.initial, states: rows as u64, ..Parts::default() };
    let mut steps: Vec<(u32, u32)> = Vec::new();
    for state in 0..rows as u32 {
        steps.clear();
        steps.extend(closure[state as usize].iter().map(|&target| (TAU, target)));
        for &middle in &closure[state as usize] {
            for (label, target) in lts.row(middle).filter(|&(label, _)| label != TAU) {
                steps.extend(closure[target as usize].iter().map(|&end| (label, end)));
            }
        }
        steps.sort_unstable();
        steps.dedup();
        account.configurations += steps.len() as u64;
        if let Some(cause) = account.poll(held + 12 * (parts.label.len() + steps.len()), 0) {
            return Err(cause);
        }
        for &(label, target) in &steps {
            parts.push(state, label, target);
        }
    }
    Ok(parts.finish())
}

/// The states, each after all those that its internal steps lead to.
pub(crate) fn targets_first(lts: &Lts) -> Vec<u32> {
    let mut waits_for = vec![0u32; lts.rows()];
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); lts.rows()];
    for (source, _, target) in lts.all().filter(|&(_, label, _)| label == TAU) {
        waits_for[source as usize] += 1;
        sources[target as usize].push(source);
    }
    let mut order: Vec<u32> = (0..lts.rows() as u32).filter(|&state| waits_for[state as usize] == 0).collect();
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        for &source in &sources[state as usize] {
            waits_for[source as usize] -= 1;
            if waits_for[source as usize] == 0 {
                order.push(source);
            }
        }
        at += 1;
    }
    order
}
