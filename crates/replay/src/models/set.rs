//! A set: its elements, each with the number of the last read that named it.
//!
//! A read names every element once, in any order: as many as there are, each inside, and none named before by this very read.

use crate::op::Op;
use crate::sequential::{Fit, Names, Options, Sequential};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::ValueId;

/// Elements: add, remove, contains, and of all of them read and size.
#[derive(Clone)]
pub(crate) struct Set {
    inside: HashMap<ValueId, u64, Hashing>,
    /// How many reads there were.
    reads: u64,
}

impl Set {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        Some(Set { inside: options.elements()?.into_iter().map(|element| (element, 0)).collect(), reads: 0 })
    }

    fn read(&mut self, op: &Op<'_>) -> Fit {
        let Some(result) = op.result else { return Fit::Yes };
        let Some(named) = op.values.as_list(result) else { return Fit::NotUnderstood };
        self.reads += 1;
        let mut first_time = |element| {
            let last = self.inside.get_mut(element);
            last.is_some_and(|last| std::mem::replace(last, self.reads) != self.reads)
        };
        let all_inside = named.iter().all(&mut first_time);
        Fit::of(all_inside && named.len() == self.inside.len())
    }
}

impl Sequential for Set {
    const NAMES: &'static Names = &[
        ("add", &["insert", "put"]),
        ("remove", &["delete", "discard"]),
        ("contains", &["member", "has"]),
        ("read", &[]),
        ("size", &["len", "count"]),
    ];
    const HAS_KEYS: bool = true;

    fn act(&mut self, op: &Op<'_>) -> Fit {
        match op.name {
            "read" => return self.read(op),
            "size" => return op.answered_number(self.inside.len() as i128),
            _ => {}
        }
        if op.key.is_some_and(|key| op.value != ValueId::NULL && op.value != key) {
            return Fit::NotUnderstood; // two elements
        }
        let element = op.key_alone();
        match op.name {
            "add" => op.perhaps_answered_bool(self.inside.insert(element, 0).is_none()),
            "remove" => op.perhaps_answered_bool(self.inside.remove(&element).is_some()),
            "contains" => op.answered_bool(self.inside.contains_key(&element)),
            _ => Fit::NotUnderstood,
        }
    }

    fn bytes(&self) -> usize {
        self.inside.allocation_size()
    }
}
