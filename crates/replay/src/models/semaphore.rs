//! A semaphore: the permits left. Beyond 128 bits this replay does not go; Python's does.

use crate::op::{Op, whole};
use crate::sequential::{Fit, Names, Options, Sequential};
use linpoint_history::ValueId;

/// Permits: acquire, release, try_acquire, each of one or more.
#[derive(Clone)]
pub(crate) struct Semaphore {
    left: i128,
    /// How many there may be, if that is bounded.
    most: Option<i128>,
}

impl Semaphore {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        let left = options.get("permits").map_or(Some(1), |permits| whole(options.values, permits))?;
        let bounded = options.get("bounded") == Some(ValueId::TRUE);
        Some(Semaphore { left, most: bounded.then_some(left) })
    }
}

impl Sequential for Semaphore {
    const NAMES: &'static Names = &[
        ("acquire", &["wait", "p", "down"]),
        ("release", &["signal", "v", "up", "post"]),
        ("try_acquire", &["try_wait", "tryAcquire"]),
    ];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        let Some(amount) = op.amount().filter(|&amount| amount >= 0) else { return Fit::NotUnderstood };
        if op.name == "release" {
            let Some(after) = self.left.checked_add(amount) else { return Fit::NotUnderstood };
            if self.most.is_some_and(|most| after > most) {
                return Fit::No;
            }
            self.left = after;
            return op.not_compared();
        }
        let enough = amount <= self.left;
        if enough {
            self.left -= amount;
        }
        match op.name {
            "acquire" if !enough => Fit::No,
            "acquire" => op.not_compared(),
            "try_acquire" => op.answered_bool(enough),
            _ => Fit::NotUnderstood,
        }
    }
}
