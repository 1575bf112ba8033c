//! Why does an engine stop without an answer?

/// Why an engine stopped without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The time was up.
    Time,
    /// The memory was used up.
    Memory,
    /// The work that was allowed is done.
    Work,
    /// The user asked it to stop.
    Interrupted,
    /// The specification failed: a user's step raised.
    Broken(String),
    /// The method that was asked for does not cover this history, for this reason.
    Declined(String),
    /// All schedules up to the depth that was asked for were run, and none explains the history, in these words.
    Depth(String),
    /// The method is incomplete and came to its end, in these words.
    Incomplete(String),
    /// The answer is no longer needed: another part is a violation already, or a rival search has answered.
    Moot,
}
