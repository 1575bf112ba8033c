//! A map: the value of each key. No value and the value null are the same thing, so null is never stored.

use crate::op::Op;
use crate::sequential::{Fit, Names, Sequential};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::ValueId;

/// Values by key, with the conditional operations of a concurrent map.
#[derive(Clone, Default)]
pub(crate) struct Map {
    entries: HashMap<ValueId, ValueId, Hashing>,
}

impl Map {
    fn get(&self, key: ValueId) -> ValueId {
        self.entries.get(&key).copied().unwrap_or(ValueId::NULL)
    }

    /// Sets the value of a key (null takes it out) and gives the old one.
    fn set(&mut self, key: ValueId, new: ValueId) -> ValueId {
        let old = if new == ValueId::NULL { self.entries.remove(&key) } else { self.entries.insert(key, new) };
        old.unwrap_or(ValueId::NULL)
    }

    /// Operations that name a key and nothing else.
    fn act_on_key(&mut self, op: &Op<'_>) -> Fit {
        let key = op.key_alone();
        match op.name {
            "get" => op.answered(self.get(key)),
            "remove" => op.answered(self.set(key, ValueId::NULL)),
            "delete" => op.perhaps_answered_bool(self.set(key, ValueId::NULL) != ValueId::NULL),
            "contains" => op.answered_bool(self.get(key) != ValueId::NULL),
            _ => Fit::NotUnderstood,
        }
    }

    /// Operations that name a key and a value.
    fn act_with_value(&mut self, op: &Op<'_>) -> Fit {
        let Some((key, value)) = op.key_and_one() else { return Fit::NotUnderstood };
        let old = self.get(key);
        match op.name {
            "put" => {
                self.set(key, value);
                op.not_compared()
            }
            "swap" => op.answered(self.set(key, value)),
            "put_if_absent" => {
                if old == ValueId::NULL {
                    self.set(key, value);
                }
                op.answered(old)
            }
            "replace" => {
                if old != ValueId::NULL {
                    self.set(key, value);
                }
                op.answered(old)
            }
            "remove_if" => {
                if old == value {
                    self.set(key, ValueId::NULL);
                }
                op.answered_bool(old == value)
            }
            _ => Fit::NotUnderstood,
        }
    }
}

impl Sequential for Map {
    const NAMES: &'static Names = &[
        ("get", &["read", "lookup"]),
        ("put", &["set", "write", "store"]),
        ("swap", &["get_and_put", "getAndPut", "exchange"]),
        ("remove", &[]),
        ("delete", &["discard"]),
        ("put_if_absent", &["putIfAbsent", "put-if-absent"]),
        ("replace", &[]),
        ("replace_if", &["compare_and_set", "cas"]),
        ("remove_if", &["compare_and_remove"]),
        ("contains", &["containsKey", "contains_key", "has"]),
        ("size", &["len", "count"]),
    ];
    const HAS_KEYS: bool = true;

    fn act(&mut self, op: &Op<'_>) -> Fit {
        match op.name {
            "size" => op.answered_number(self.entries.len() as i128),
            "replace_if" => {
                let Some((key, old, new)) = op.key_and_two() else { return Fit::NotUnderstood };
                let was = self.get(key) == old;
                if was {
                    self.set(key, new);
                }
                op.answered_bool(was)
            }
            "put" | "swap" | "put_if_absent" | "replace" | "remove_if" => self.act_with_value(op),
            _ => self.act_on_key(op),
        }
    }

    fn bytes(&self) -> usize {
        self.entries.allocation_size()
    }
}
