//! A double-ended queue: its elements, front first.

use crate::op::{Found, Op};
use crate::sequential::{Fit, Names, Options, Sequential};
use linpoint_history::ValueId;
use std::collections::VecDeque;

/// A queue with two ends: push, pop and peek at the front and at the back.
#[derive(Clone)]
pub(crate) struct Deque {
    items: VecDeque<ValueId>,
}

impl Deque {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        Some(Deque { items: options.elements()?.into() })
    }
}

impl Sequential for Deque {
    const NAMES: &'static Names = &[
        ("push_front", &["add_first", "addFirst", "appendleft", "push_left"]),
        ("push_back", &["add_last", "addLast", "append", "push_right"]),
        ("pop_front", &["poll_first", "pollFirst", "popleft", "pop_left", "remove_first"]),
        ("pop_back", &["poll_last", "pollLast", "pop", "pop_right", "remove_last"]),
        ("peek_front", &["peek_first", "peekFirst", "peek_left"]),
        ("peek_back", &["peek_last", "peekLast", "peek_right"]),
    ];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        let element = match op.name {
            "push_front" => {
                self.items.push_front(op.value);
                return op.not_compared();
            }
            "push_back" => {
                self.items.push_back(op.value);
                return op.not_compared();
            }
            "pop_front" => self.items.pop_front(),
            "pop_back" => self.items.pop_back(),
            "peek_front" => self.items.front().copied(),
            "peek_back" => self.items.back().copied(),
            _ => return Fit::NotUnderstood,
        };
        match op.found() {
            Found::Anything => Fit::Yes,
            Found::Nothing => Fit::of(element.is_none()),
            Found::This(recorded) => Fit::of(element == Some(recorded)),
        }
    }

    fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<ValueId>()
    }
}
