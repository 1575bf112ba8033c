//! A FIFO queue: its elements, front first.

use crate::op::{Found, Op};
use crate::sequential::{Fit, Names, Options, Sequential};
use linpoint_history::ValueId;
use std::collections::VecDeque;

/// First in, first out: enqueue, dequeue, peek.
#[derive(Clone)]
pub(crate) struct Queue {
    items: VecDeque<ValueId>,
}

impl Queue {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        Some(Queue { items: options.elements()?.into() })
    }
}

impl Sequential for Queue {
    const NAMES: &'static Names = &[
        ("enqueue", &["enq", "add", "offer", "push", "put", "send", "insert"]),
        ("dequeue", &["deq", "remove", "poll", "pop", "take", "get", "receive", "recv"]),
        ("peek", &["front", "head", "first"]),
    ];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        if op.name == "enqueue" {
            self.items.push_back(op.value);
            return op.not_compared();
        }
        let front = match op.name {
            "dequeue" => self.items.pop_front(),
            "peek" => self.items.front().copied(),
            _ => return Fit::NotUnderstood,
        };
        match op.found() {
            Found::Anything => Fit::Yes,
            Found::Nothing => Fit::of(front.is_none()),
            Found::This(element) => Fit::of(front == Some(element)),
        }
    }

    fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<ValueId>()
    }
}
