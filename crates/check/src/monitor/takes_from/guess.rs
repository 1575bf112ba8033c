//! Which add does each remove take at first? A guess that leaves few conflicts.
//!
//! In a queue the elements of one value leave in the order in which they came: the k-th remove of a value, by the middle of its interval, takes
//! the k-th add. In a stack a push and a pop that overlap are in nobody's way, one right after the other. So of each value as many as can be
//! are matched like that, by the classical greedy: whoever returns takes the open partner that returns first. A pop that
//! finds no open push takes the last one that returned.
//!
//! Cost: O(n log n).

use super::super::{NEVER, NONE};
use super::copies::{Copies, Remove};
use std::collections::BTreeSet;

/// By copy: who takes it.
pub(super) fn first_in_first_out(copies: &Copies) -> Vec<u32> {
    let mut taker = vec![NONE; copies.len()];
    for group in &copies.groups {
        // Both are by the middles of their intervals.
        group.copies.clone().zip(group.removes.clone()).for_each(|(copy, remove)| taker[copy] = remove as u32);
    }
    taker
}

/// What may happen to the operations of one value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Add,
    Added,
    Remove,
    Removed,
}

/// By copy: who takes it.
pub(super) fn last_in_first_out(copies: &Copies) -> Vec<u32> {
    let mut taker = vec![NONE; copies.len()];
    for group in &copies.groups {
        let mut events: Vec<(u32, Event, u32)> = Vec::with_capacity(2 * (group.copies.len() + group.removes.len()));
        for copy in group.copies.clone() {
            let add = copies.adds[copy];
            events.push((add.call, Event::Add, copy as u32));
            events.extend((add.ret != NEVER).then_some((add.ret, Event::Added, copy as u32)));
        }
        for place in group.removes.clone() {
            let Remove { call, ret, .. } = copies.removes[place];
            events.extend([(call, Event::Remove, place as u32), (ret, Event::Removed, place as u32)]);
        }
        events.sort_unstable();
        let (mut adding, mut removing) = (BTreeSet::new(), BTreeSet::new()); // (return, which): open and not matched
        let (mut inside, mut unmatched) = (Vec::new(), Vec::new());
        for (_, event, which) in events {
            match event {
                Event::Add => _ = adding.insert((copies.adds[which as usize].ret, which)),
                Event::Remove => _ = removing.insert((copies.removes[which as usize].ret, which)),
                Event::Added if adding.remove(&(copies.adds[which as usize].ret, which)) => {
                    match removing.pop_first() {
                        Some((_, remove)) => taker[which as usize] = remove,
                        None => inside.push(which),
                    }
                }
                Event::Removed if removing.remove(&(copies.removes[which as usize].ret, which)) => {
                    match adding.pop_first().map(|(_, copy)| copy).or_else(|| inside.pop()) {
                        Some(copy) => taker[copy as usize] = which,
                        None => unmatched.push(which),
                    }
                }
                Event::Added | Event::Removed => {}
            }
        }
        let left = group.copies.clone().filter(|&copy| taker[copy] == NONE).collect::<Vec<_>>();
        left.into_iter().zip(unmatched).for_each(|(copy, remove)| taker[copy] = remove);
    }
    taker
}
