//! The textbook, slow and short: partitions by signatures, each computed from the definition; traces by subsets. Shares nothing with
//! the crate but the type of a system.

#![allow(dead_code)] // each test uses its part

use linpoint_equiv::{Equivalence, Lts, TAU};
use linpoint_testkit::Dice;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A random system: mostly 1 to 12 states, sometimes 50; at most three transitions per state, few labels, from almost no internal steps to almost nothing else. Duplicates,
/// self-loops, deadlocks, internal cycles and states out of reach all occur.
pub fn random(dice: &mut Dice) -> Lts {
    let states = 1 + if dice.roll(8) == 0 { dice.roll(50) } else { dice.roll(12) };
    let labels = 1 + dice.roll(3);
    let silent = dice.roll(10);
    let mut names = linpoint_equiv::Labels::default();
    let known: Vec<u32> = ["a", "b", "c"].iter().map(|name| names.intern(name)).collect();
    let most = 1 + states * (1 + dice.roll(3));
    let transitions: Vec<(u32, u32, u32)> = (0..dice.roll(most))
        .map(|_| {
            let label = if dice.roll(10) < silent { TAU } else { known[dice.roll(labels) as usize] };
            (dice.roll(states) as u32, label, dice.roll(states) as u32)
        })
        .collect();
    Lts::from_transitions(names, dice.roll(states) as u32, states, &transitions)
}

/// The class of each row, by rounds of signatures.
pub fn classes(lts: &Lts, equivalence: Equivalence) -> Vec<usize> {
    let mut class = vec![0; lts.rows()];
    let mut count = 1;
    loop {
        let mut known: BTreeMap<(usize, BTreeSet<(u32, usize)>), usize> = BTreeMap::new();
        let next: Vec<usize> = (0..lts.rows())
            .map(|state| {
                let fresh = known.len();
                *known.entry((class[state], signature(lts, equivalence, state as u32, &class))).or_insert(fresh)
            })
            .collect();
        class = next;
        if known.len() == count {
            return class;
        }
        count = known.len();
    }
}

const DIVERGES: u32 = u32::MAX;

fn signature(lts: &Lts, equivalence: Equivalence, state: u32, class: &[usize]) -> BTreeSet<(u32, usize)> {
    let home = class[state as usize];
    let steps = |from: u32| lts.row(from).map(|(label, target)| (label, class[target as usize]));
    match equivalence {
        Equivalence::Strong => steps(state).collect(),
        Equivalence::Branching | Equivalence::Divergence => {
            let inert = silently(lts, state, |target| class[target as usize] == home);
            let mut found: BTreeSet<_> =
                inert.iter().flat_map(|&s| steps(s)).filter(|&(a, to)| a != TAU || to != home).collect();
            // For ever inside the class: a member of the inert closure that comes back to itself.
            let inside = |target: u32| class[target as usize] == home;
            let comes_back =
                |&s: &u32| lts.row(s).any(|(a, t)| a == TAU && inside(t) && silently(lts, t, inside).contains(&s));
            if equivalence == Equivalence::Divergence && inert.iter().any(comes_back) {
                found.insert((DIVERGES, home));
            }
            found
        }
        Equivalence::Weak => {
            let before = silently(lts, state, |_| true);
            let mut found: BTreeSet<_> = before.iter().map(|&s| (TAU, class[s as usize])).collect();
            for (label, target) in before.iter().flat_map(|&s| lts.row(s)).filter(|&(label, _)| label != TAU) {
                found.extend(silently(lts, target, |_| true).iter().map(|&s| (label, class[s as usize])));
            }
            found
        }
    }
}

/// The states that internal steps lead to through states that are `allowed`.
pub fn silently(lts: &Lts, from: u32, allowed: impl Fn(u32) -> bool) -> BTreeSet<u32> {
    let mut seen = BTreeSet::from([from]);
    let mut stack = vec![from];
    while let Some(state) = stack.pop() {
        for (label, target) in lts.row(state) {
            if label == TAU && allowed(target) && seen.insert(target) {
                stack.push(target);
            }
        }
    }
    seen
}

/// The states that can be reached.
pub fn reachable(lts: &Lts, from: u32) -> BTreeSet<u32> {
    let mut seen = BTreeSet::from([from]);
    let mut stack = vec![from];
    while let Some(state) = stack.pop() {
        stack.extend(lts.row(state).map(|(_, target)| target).filter(|&target| seen.insert(target)));
    }
    seen
}

/// The length of a shortest trace of the first system that the second does not have, by the subset construction on both sides.
pub fn shortest_difference(one: &Lts, other: &Lts) -> Option<usize> {
    type Pair = (BTreeSet<u32>, BTreeSet<u32>);
    let closed = |lts: &Lts, states: BTreeSet<u32>| -> BTreeSet<u32> {
        states.iter().flat_map(|&state| silently(lts, state, |_| true)).collect()
    };
    let after = |lts: &Lts, states: &BTreeSet<u32>, name: &str| -> BTreeSet<u32> {
        let step = |&state: &u32| {
            let row = lts.row(state).filter(|&(label, _)| label != TAU && lts.labels.name(label) == name);
            row.map(|(_, target)| target).collect::<Vec<_>>()
        };
        closed(lts, states.iter().flat_map(step).collect())
    };
    let start: Pair = (closed(one, BTreeSet::from([one.initial])), closed(other, BTreeSet::from([other.initial])));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((left, right), length)) = queue.pop_front() {
        for label in 1..one.labels.len() as u32 {
            let name = one.labels.name(label);
            let pair = (after(one, &left, name), after(other, &right, name));
            if pair.0.is_empty() {
                continue;
            }
            if pair.1.is_empty() {
                return Some(length + 1);
            }
            if seen.insert(pair.clone()) {
                queue.push_back((pair, length + 1));
            }
        }
    }
    None
}

/// The first seed: `LINPOINT_SEED`, or 0.
pub fn first_seed() -> u64 {
    std::env::var("LINPOINT_SEED").ok().and_then(|number| number.parse().ok()).unwrap_or(0)
}
