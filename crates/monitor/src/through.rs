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
//! Not for stacks (`nested`). Cost: O(n) for n operations.

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
    for (_, op, role) in view.ops() {
        let (Role::Add(value) | Role::Remove(value) | Role::Peek(value)) = role else { continue };
        let known = values.entry(value).or_default();
        known.removed |= matches!(role, Role::Remove(_));
        // An add that crashed took effect before its value was removed.
        known.waits |= !op.crashed() && !view.horizon.is_behind(op);
    }
    let gone = view.ops().filter(|(_, op, role)| match role {
        Role::Add(value) | Role::Remove(value) | Role::Peek(value) => {
            values.get(value).is_some_and(|known| known.removed && !known.waits)
        }
        Role::Empty => view.horizon.is_behind(op),
        Role::Nothing => op.end.is_some(),
        _ => false,
    });
    Forgotten { gone: gone.map(|(place, ..)| place).collect(), earlier: Vec::new() }
}
