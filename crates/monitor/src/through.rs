//! Which values of a queue, a priority queue or a bag can be forgotten though it was never empty? Match removal.
//!
//! After Emmi, Enea & Hamza (PLDI 2015), who remove a matched group once the operations open at its completion have returned; we
//! also wait for those that were open when these were called ([`Horizon`](crate::matched::Horizon)).
//!
//! Why it changes no verdict. What is wrong with a queue is wrong with two of its values, or with one value and an "empty"; what is wrong with a
//! priority queue is one removal during which higher values are present. Of a value that is through all of that is decided: whatever it
//! is compared with either returned before anything is open, or was called after it. And what is left of a
//! linearizable history without a value is linearizable.
//!
//! **What crashed removes took.** A crashed remove may take, at any time behind its call, a value that no other operation removes. Let T be the values that
//! *must* have been taken, for something else was found in spite of them: by one of the removes that were called before some *deadline*.
//! `linpoint_check::monitor` tells T, if everything is explained with nothing but T taken.
//!
//! ```text
//!   enqueue 1  |--|                                  1 must have been taken before dequeue → 2 returned;
//!   enqueue 2       |--|                             only the crashed dequeue can have done it
//!   dequeue → ?          |-----------------------…
//!   dequeue → 2              |--|
//! ```
//!
//! If everything that tells so, and everything that happened to T, returned before anything that touches what is open, T is forgotten, and with it as many crashed removes: for each v, the one
//! with the latest deadline first, the one called last of those that were called before its deadline. *No violation is made up*: take an order of the whole stream, now or later. T is
//! taken in it, by removes that were called before the deadlines; leave T and them out. What is left of the crashed removes here was called no later, one by one, than what is left of them there, for the
//! latest were chosen, and can take their parts. *None is lost*: T is through, like values that an operation removed. As long as some v of T cannot be forgotten, nothing is.
//!
//! So all that is kept of crashed removes is those that may still take something. Not for stacks (`nested`). Cost: O(n log n) for n operations.

use crate::matched::{ByValue, Forgotten, View};
use linpoint_spec::Role;

/// What is known of a value.
#[derive(Default)]
struct Through {
    removed: bool,
    waits: bool,
}

/// The operations of values that are through.
pub fn forget(view: &View<'_>) -> Forgotten {
    let mut values: ByValue<Through> = ByValue::default();
    for taken in view.taken {
        values.entry(taken.value).or_default().removed = true;
        if !taken.because.iter().all(|&op| view.horizon.is_behind(view.numbered(op)) || view.numbered(op).crashed()) {
            return Forgotten::default();
        }
    }
    for (_, op, role) in view.ops() {
        let (Role::Add(value) | Role::Remove(value) | Role::Peek(value)) = role else { continue };
        let known = values.entry(value).or_default();
        known.removed |= matches!(role, Role::Remove(_));
        // An add that crashed took effect before its value was removed.
        known.waits |= !op.crashed() && !view.horizon.is_behind(op);
    }
    if view.taken.iter().any(|taken| values[&taken.value].waits) {
        return Forgotten::default();
    }
    let takers = takers(view);
    if takers.iter().any(|&place| !view.all[place as usize].crashed()) {
        return Forgotten::default(); // it is open
    }
    let gone = view.ops().filter(|(_, op, role)| match role {
        Role::Add(value) | Role::Remove(value) | Role::Peek(value) => {
            values.get(value).is_some_and(|known| known.removed && !known.waits)
        }
        Role::Empty => view.horizon.is_behind(op),
        Role::Nothing => op.end.is_some(),
        _ => false,
    });
    Forgotten { gone: gone.map(|(place, ..)| place).chain(takers).collect(), earlier: Vec::new() }
}

/// The crashed removes that are forgotten with what they took: the latest that will do.
fn takers(view: &View<'_>) -> Vec<u32> {
    if view.taken.is_empty() {
        return Vec::new();
    }
    let mut deadlines: Vec<usize> = view.taken.iter().map(|taken| taken.takers).collect();
    deadlines.sort_unstable();
    let removes = view.ops().filter(|(_, op, role)| *role == Role::RemoveUnknown && op.returned().is_none());
    let mut removes: Vec<(u64, u32)> = removes.map(|(place, op, _)| (op.call, place)).collect();
    removes.sort_unstable();
    let mut takers = Vec::new();
    while let Some(deadline) = deadlines.pop() {
        removes.truncate(deadline); // those left over are called behind all further deadlines, too
        takers.extend(removes.pop().map(|(_, place)| place));
    }
    takers
}
