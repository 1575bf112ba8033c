//! Lists under keys: the elements that were appended to each.

use crate::op::Op;
use crate::sequential::{Fit, Names, Sequential};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::ValueId;

/// Lists by key: append, read, txn.
#[derive(Clone, Default)]
pub(crate) struct AppendList {
    lists: HashMap<ValueId, Vec<ValueId>, Hashing>,
    /// How many elements there are.
    length: usize,
}

impl AppendList {
    fn append(&mut self, key: ValueId, element: ValueId) {
        self.lists.entry(key).or_default().push(element);
        self.length += 1;
    }

    /// Does the list show this? Null is the empty list.
    fn shows(&self, key: ValueId, recorded: ValueId, op: &Op<'_>) -> Fit {
        let held = self.lists.get(&key).map_or(&[][..], Vec::as_slice);
        match op.values.as_list(recorded) {
            Some(elements) => Fit::of(elements == held),
            None if recorded == ValueId::NULL => Fit::of(held.is_empty()),
            None => Fit::NotUnderstood,
        }
    }

    /// One step, named in the argument, and repeated in the result with what was read.
    fn transaction(&mut self, op: &Op<'_>) -> Fit {
        let triple = |list: ValueId| -> Option<[ValueId; 3]> {
            let [step] = *op.values.as_list(list)? else { return None };
            op.values.as_list(step)?.try_into().ok()
        };
        let (None, Some([kind, key, argument])) = (op.key, triple(op.value)) else { return Fit::NotUnderstood };
        let unchanged = [kind, key, argument];
        let answered = op.result.map(|result| if result == ValueId::NULL { Some(unchanged) } else { triple(result) });
        match (op.values.as_text(kind), answered) {
            (Some("append"), answered) => {
                self.append(key, argument);
                Fit::of(answered.is_none_or(|answer| answer == Some(unchanged)))
            }
            (Some("read" | "r"), None) => Fit::Yes,
            (Some("read" | "r"), Some(Some([same, of, shown]))) if (same, of) == (kind, key) => {
                self.shows(key, shown, op)
            }
            _ => Fit::NotUnderstood,
        }
    }
}

impl Sequential for AppendList {
    const NAMES: &'static Names = &[("append", &[]), ("read", &["get", "r"]), ("txn", &["transaction"])];
    const HAS_KEYS: bool = true;

    fn act(&mut self, op: &Op<'_>) -> Fit {
        match op.name {
            "append" => {
                let Some((key, element)) = op.key_and_one() else { return Fit::NotUnderstood };
                self.append(key, element);
                op.not_compared()
            }
            "read" => op.result.map_or(Fit::Yes, |recorded| self.shows(op.key_alone(), recorded, op)),
            "txn" => self.transaction(op),
            _ => Fit::NotUnderstood,
        }
    }

    fn bytes(&self) -> usize {
        self.lists.allocation_size() + 2 * self.length * size_of::<ValueId>()
    }
}
