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
//! If everything that tells so, and everything that happened to v, returned before anything that touches what is open, v is *settled*: it is forgotten with a crashed remove, the
//! one with the latest deadline first, with the one called last of those that were called before its deadline. *No violation is made up*: take an order of the whole stream, now or later. T is
//! taken in it, by removes that were called before the deadlines; leave the settled ones and them out. What is left of the crashed removes here was called no later, one by one, than what is left of them there, for the
//! latest were chosen, and can take their parts. *None is lost*: everything is explained if each v was taken by the last remove before its deadline, though that took several, and all else stays inside. An earlier remove
//! leaves a value inside for less long, and that is never worse; so values that are through say nothing of who took what but by the deadlines. What the deadlines of values that are not settled come from is kept.
//!
//! Removes that are *open* are called behind the horizon. What is through was out by then, and whatever they took and will tell was inside or came later: it is decided without them.
//!
//! So all that is kept of crashed removes is those that may still take something. Cost: O(n log n) for n operations.

use crate::matched::{ByValue, Forgotten, View, by_value};
use linpoint_check::monitor::Taken;
use linpoint_spec::Role;

/// What is known of a value.
#[derive(Default)]
struct Through {
    removed: bool,
    waits: bool,
}

/// The operations of values that are through.
pub fn forget(view: &View<'_>) -> Forgotten {
    let (settled, open): (Vec<&Taken>, Vec<&Taken>) = view.taken.iter().partition(|taken| view.is_settled(taken));
    let telling = view.telling(&open);
    let mut values: ByValue<Through> = by_value(view.part.ops.len());
    settled.iter().for_each(|taken| values.entry(taken.value).or_default().removed = true);
    for (place, op, role) in view.ops() {
        let (Role::Add(value) | Role::Remove(value) | Role::Peek(value)) = role else { continue };
        let known = values.entry(value).or_default();
        known.removed |= matches!(role, Role::Remove(_));
        // An add that crashed took effect before its value was removed.
        known.waits |= !op.crashed() && !view.horizon.is_behind(op) || telling.contains(&place);
    }
    let gone = view.ops().filter(|&(place, op, role)| match role {
        Role::Add(value) | Role::Remove(value) | Role::Peek(value) => {
            values.get(&value).is_some_and(|known| known.removed && !known.waits)
        }
        Role::Empty => view.horizon.is_behind(op) && !telling.contains(&place),
        Role::Nothing => op.end.is_some(),
        _ => false,
    });
    let takers = settled.iter().map(|taken| view.place(taken.by));
    Forgotten { gone: gone.map(|(place, ..)| place).chain(takers).collect(), ..Forgotten::default() }
}
