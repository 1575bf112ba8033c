//! Which operations matter to a violation? Those about the same values; everything about other values may be left out.
//!
//! Leave out all that happened to one value: if the whole was linearizable, so is the rest, for the others of a container keep their order, and
//! a register never held it. (A CAS ties two values together.) Hence a violation among the rest is one of the whole, and the explanation of a violation of millions of
//! operations may start from these few. O(n) per round, and a round for each link of a chain of CAS.

use hashbrown::HashSet;
use linpoint_base::Hashing;
use linpoint_spec::{Part, Role};

/// More than these are not worth gathering: the explanation has its own ways to cut a history down.
const MANY: usize = 50_000;

/// A chain of CAS that needs more rounds is not followed to its end.
const LONG: usize = 20;

/// The operations about the values of `conflict`, as numbers of the history; none if they are too many.
pub fn relevant(part: &Part, conflict: &[u32]) -> Vec<u32> {
    let inside: HashSet<u32, Hashing> = conflict.iter().copied().collect();
    let mut values: HashSet<u32, Hashing> = HashSet::default();
    for (op, &code) in part.ops.iter().zip(&part.codes) {
        if inside.contains(op) {
            values.extend(named(part.spec.role(code)));
        }
    }
    values.extend(part.spec.contents()); // they are there from the start, whatever is left out
    for _ in 0..LONG {
        let (mut found, before) = (Vec::new(), values.len());
        for (&op, &code) in part.ops.iter().zip(&part.codes) {
            let role = part.spec.role(code);
            if matches!(role, Role::ChangeNot(..)) {
                return Vec::new(); // it needs some value or other, and it is not told which
            }
            if role == Role::RemoveUnknown || inside.contains(&op) || named(role).any(|value| values.contains(&value)) {
                values.extend(named(role));
                found.push(op);
                if found.len() > MANY {
                    return Vec::new();
                }
            }
        }
        if values.len() == before {
            return found;
        }
    }
    Vec::new()
}

/// The values that an operation is about.
fn named(role: Role) -> impl Iterator<Item = u32> {
    let (one, other) = match role {
        Role::Add(value) | Role::Remove(value) | Role::Peek(value) | Role::Absent(value) => (Some(value), None),
        Role::Read(value) | Role::Write(value) => (Some(value), None),
        Role::Change(from, to) | Role::ChangeIf(from, to) | Role::ChangeNot(from, to) => (Some(from), Some(to)),
        Role::RemoveUnknown | Role::Empty | Role::ReadNot(_) | Role::Nothing | Role::Other => (None, None),
    };
    one.into_iter().chain(other)
}
