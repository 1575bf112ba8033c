//! A LIFO stack: its elements, bottom first.

use crate::op::{Found, Op};
use crate::sequential::{Fit, Names, Options, Sequential};
use linpoint_history::ValueId;

/// Last in, first out: push, pop, peek.
#[derive(Clone)]
pub(crate) struct Stack {
    items: Vec<ValueId>,
}

impl Stack {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        Some(Stack { items: options.elements()? })
    }
}

impl Sequential for Stack {
    const NAMES: &'static Names =
        &[("push", &["add", "put", "insert"]), ("pop", &["remove", "poll", "take", "get"]), ("peek", &["top"])];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        if op.name == "push" {
            self.items.push(op.value);
            return op.not_compared();
        }
        let top = match op.name {
            "pop" => self.items.pop(),
            "peek" => self.items.last().copied(),
            _ => return Fit::NotUnderstood,
        };
        match op.found() {
            Found::Anything => Fit::Yes,
            Found::Nothing => Fit::of(top.is_none()),
            Found::This(element) => Fit::of(top == Some(element)),
        }
    }

    fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<ValueId>()
    }
}
