//! A lock: free or held. Who holds it does not matter.

use crate::op::Op;
use crate::sequential::{Fit, Names, Sequential};

/// One holder at a time: acquire, release, try_acquire.
#[derive(Clone, Default)]
pub(crate) struct Mutex {
    held: bool,
}

impl Sequential for Mutex {
    const NAMES: &'static Names =
        &[("acquire", &["lock"]), ("release", &["unlock"]), ("try_acquire", &["try_lock", "tryLock", "tryAcquire"])];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        let was_held = self.held;
        self.held = op.name != "release";
        match op.name {
            "acquire" if was_held => Fit::No,
            "release" if !was_held => Fit::No,
            "acquire" | "release" => op.not_compared(),
            "try_acquire" => op.answered_bool(!was_held),
            _ => Fit::NotUnderstood,
        }
    }
}
