//! A counter: a whole number. Beyond 128 bits this replay does not go; Python's does.

use crate::op::{Op, whole};
use crate::sequential::{Fit, Names, Options, Sequential};

/// Counts: add, sub, fetch_add, add_and_get, read.
#[derive(Clone)]
pub(crate) struct Counter {
    count: i128,
}

impl Counter {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        let first = options.get("initial").map_or(Some(0), |initial| whole(options.values, initial));
        first.map(|count| Counter { count })
    }
}

impl Sequential for Counter {
    const NAMES: &'static Names = &[
        ("add", &["increment", "inc", "incr"]),
        ("sub", &["decrement", "dec", "decr", "subtract"]),
        ("fetch_add", &["get_and_add", "getAndAdd", "fetch-and-add"]),
        ("add_and_get", &["addAndGet", "add-and-get"]),
        ("read", &["get", "load", "value"]),
    ];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        let before = self.count;
        if op.name == "read" {
            return op.answered_number(before);
        }
        let amount = op.amount().and_then(|amount| if op.name == "sub" { amount.checked_neg() } else { Some(amount) });
        let Some(after) = amount.and_then(|amount| before.checked_add(amount)) else { return Fit::NotUnderstood };
        self.count = after;
        match op.name {
            "add" | "sub" => op.not_compared(),
            "fetch_add" => op.answered_number(before),
            "add_and_get" => op.answered_number(after),
            _ => Fit::NotUnderstood,
        }
    }
}
