//! What can a state do if internal steps are free? The saturated system has `s ⇒a⇒ t` as one step, and `s ⇒ t` as an internal one.
//!
//! Only for systems without internal cycles, such as branching quotients: targets are then complete before sources. The result can
//! have a step for each label and pair of states, so its size is counted against the memory.

use crate::lts::{Lts, Parts, TAU};
use linpoint_base::{Account, Cause, Control};

/// The saturated system. Every state has an internal step to itself.
///
/// A state can do what its internal steps lead to, and `a` to wherever internal steps lead after its own `a`. Each list is made from sorted
/// ones that are complete, so a state costs its transitions times the length of its list.
pub(crate) fn saturate(lts: &Lts, control: &Control) -> Result<Lts, Cause> {
    let mut account = Account::alone(control);
    let mut rows: Vec<Vec<(u32, u32)>> = vec![Vec::new(); lts.rows()];
    let order = targets_first(lts);
    let mut held = 0;
    for visible in [false, true] {
        for &state in &order {
            let mut steps = if visible { Vec::new() } else { vec![(TAU, state)] };
            for (label, target) in lts.row(state) {
                let silent = &rows[target as usize];
                let silent = &silent[..silent.partition_point(|&(label, _)| label == TAU)];
                match (label == TAU, visible) {
                    (true, false) => steps.extend_from_slice(silent),
                    (true, true) => steps.extend_from_slice(&rows[target as usize][silent.len()..]),
                    (false, true) => steps.extend(silent.iter().map(|&(_, end)| (label, end))),
                    (false, false) => {}
                }
                account.configurations += steps.len() as u64;
                if let Some(cause) = account.poll(held + 8 * steps.len(), 0) {
                    return Err(cause);
                }
            }
            steps.sort(); // it finds the sorted runs that it is made of
            steps.dedup();
            held += 8 * steps.len();
            rows[state as usize].extend_from_slice(&steps);
        }
    }
    let mut parts =
        Parts { labels: lts.labels.clone(), initial: lts.initial, states: lts.rows() as u64, ..Parts::default() };
    for (state, row) in rows.into_iter().enumerate() {
        held += 12 * row.len();
        if let Some(cause) = account.poll(held, 0) {
            return Err(cause);
        }
        row.into_iter().for_each(|(label, target)| parts.push(state as u32, label, target));
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
