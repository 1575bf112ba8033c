//! May a walk over all states go on? Every loop over a graph asks, and few questions reach the budget.

use linpoint_base::{Account, Cause, Control};

/// Steps between two looks at the budget.
const BETWEEN_POLLS: u64 = 1 << 14;

/// A walk that can be stopped.
pub struct Walk<'c> {
    account: Account<'c>,
    steps: u64,
}

impl<'c> Walk<'c> {
    /// A walk on this budget.
    pub fn new(control: &'c Control) -> Self {
        Walk { account: Account::alone(control), steps: 0 }
    }

    /// One more state, transition or entry, while so many bytes are held.
    #[inline]
    pub fn step(&mut self, held: impl FnOnce() -> usize) -> Result<(), Cause> {
        self.steps += 1;
        if self.steps.is_multiple_of(BETWEEN_POLLS) {
            return self.account.poll(held(), 0).map_or(Ok(()), Err);
        }
        Ok(())
    }
}
