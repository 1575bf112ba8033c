//! An array of registers: the value at each index that was written.

use crate::op::Op;
use crate::sequential::{Fit, Names, Options, Sequential};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::ValueId;

/// Registers by index: read, write, cas.
#[derive(Clone)]
pub(crate) struct Array {
    initial: ValueId,
    cells: HashMap<ValueId, ValueId, Hashing>,
}

impl Array {
    pub fn new(options: &Options<'_>) -> Self {
        Array { initial: options.get("initial").unwrap_or(ValueId::NULL), cells: HashMap::default() }
    }
}

impl Sequential for Array {
    const NAMES: &'static Names = &[
        ("read", &["get", "load"]),
        ("write", &["set", "put", "store"]),
        ("cas", &["compare_and_set", "compareAndSet", "compare-and-set", "compare_and_swap"]),
    ];
    const HAS_KEYS: bool = true;

    fn act(&mut self, op: &Op<'_>) -> Fit {
        match op.name {
            "read" => op.answered(self.cells.get(&op.key_alone()).copied().unwrap_or(self.initial)),
            "write" => {
                let Some((index, new)) = op.key_and_one() else { return Fit::NotUnderstood };
                self.cells.insert(index, new);
                op.not_compared()
            }
            "cas" => {
                let Some((index, old, new)) = op.key_and_two() else { return Fit::NotUnderstood };
                let cell = self.cells.entry(index).or_insert(self.initial);
                let was = *cell == old;
                if was {
                    *cell = new;
                }
                op.answered_bool(was)
            }
            _ => Fit::NotUnderstood,
        }
    }

    fn bytes(&self) -> usize {
        self.cells.allocation_size()
    }
}
