//! Several registers, read and written one by one or in transactions: what each holds that was written.

use crate::op::Op;
use crate::sequential::{Fit, Names, Options, Sequential};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::{Value, ValueId, Values};

type Held = HashMap<ValueId, ValueId, Hashing>;

/// Registers by name: read, write, txn.
#[derive(Clone)]
pub(crate) struct MultiRegister {
    /// What a register holds that was neither written nor named at first.
    initial: ValueId,
    held: Held,
}

impl MultiRegister {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        let initial = options.get("initial").unwrap_or(ValueId::NULL);
        Some(match options.values.get(initial) {
            Value::Map(named) => MultiRegister { initial: ValueId::NULL, held: named.iter().copied().collect() },
            _ => MultiRegister { initial, held: Held::default() },
        })
    }

    fn get(&self, register: ValueId) -> ValueId {
        self.held.get(&register).copied().unwrap_or(self.initial)
    }

    /// Carries out the steps in order; a read is compared with what stands in its place in the result.
    fn transaction(&mut self, op: &Op<'_>) -> Fit {
        let (None, Some(steps)) = (op.key, steps(op.values, op.value)) else { return Fit::NotUnderstood };
        let only_writes = steps.iter().all(|step| step.writes);
        let recorded = match op.result {
            None => None,
            Some(ValueId::NULL) if only_writes => None,
            Some(result) => match op.values.as_list(result) {
                Some(items) if items.len() == steps.len() => Some(items),
                _ => return Fit::No,
            },
        };
        for (at, step) in steps.iter().enumerate() {
            if step.writes {
                self.held.insert(step.register, step.value);
            }
            let answer = [step.kind, step.register, self.get(step.register)];
            if recorded.is_some_and(|items| op.values.as_list(items[at]) != Some(&answer)) {
                return Fit::No;
            }
        }
        Fit::Yes
    }
}

impl Sequential for MultiRegister {
    const NAMES: &'static Names =
        &[("txn", &["transaction"]), ("read", &["get", "load"]), ("write", &["set", "put", "store"])];
    const HAS_KEYS: bool = true;

    fn act(&mut self, op: &Op<'_>) -> Fit {
        match op.name {
            "txn" => self.transaction(op),
            "read" => op.answered(self.get(op.key_alone())),
            "write" => {
                let Some((register, new)) = op.key_and_one() else { return Fit::NotUnderstood };
                self.held.insert(register, new);
                op.not_compared()
            }
            _ => Fit::NotUnderstood,
        }
    }

    fn bytes(&self) -> usize {
        self.held.allocation_size()
    }
}

/// One step of a transaction: `["write", register, value]`.
struct Step {
    kind: ValueId,
    writes: bool,
    register: ValueId,
    value: ValueId,
}

fn steps(values: &Values, list: ValueId) -> Option<Vec<Step>> {
    let step = |&item: &ValueId| {
        let &[kind, register, value] = values.as_list(item)? else { return None };
        let writes = match values.as_text(kind)? {
            "read" | "r" => false,
            "write" | "w" => true,
            _ => return None,
        };
        Some(Step { kind, writes, register, value })
    };
    values.as_list(list)?.iter().map(step).collect()
}
