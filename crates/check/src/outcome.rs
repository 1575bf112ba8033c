//! What a check answers: a verdict and the evidence for it.

use crate::Cause;

/// Yes, no, or why neither.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an order: the evidence holds it.
    Linearizable,
    /// There is none.
    Violation,
    /// Nobody knows yet.
    Unknown(Cause),
}

/// What a search can say after a slice of work.
pub(crate) enum Progress {
    /// Not finished.
    Running,
    /// There is an order.
    Yes,
    /// There is none.
    No,
    /// It cannot go on.
    GaveUp(Cause),
}

impl Progress {
    pub fn is_yes(&self) -> bool {
        matches!(self, Progress::Yes)
    }

    pub fn is_no(&self) -> bool {
        matches!(self, Progress::No)
    }
}

/// The answer for one part.
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The method that decided.
    pub method: &'static str,
    /// Why this method and no cheaper one.
    pub why: String,
    /// For "linearizable": the order.
    pub witness: Option<Vec<u32>>,
    /// For the other verdicts: how far it goes.
    pub evidence: Evidence,
    /// Did a general search find this? Then the evidence needs no confirmation.
    pub is_general: bool,
    /// For a violation that a monitor found: operations that are one by themselves.
    pub core: Vec<u32>,
    /// All operations about the values of the core, unless they are too many.
    pub relevant: Vec<u32>,
    /// Configurations visited.
    pub configurations: u64,
}

impl Answer {
    /// An answer without evidence.
    pub fn bare(verdict: Verdict, method: &'static str) -> Answer {
        Answer {
            verdict,
            method,
            why: String::new(),
            witness: None,
            evidence: Evidence::default(),
            is_general: false,
            core: Vec::new(),
            relevant: Vec::new(),
            configurations: 0,
        }
    }
}

/// An order of operations that explains every return before the stuck one, and the state it ends in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Operations of the history, in the order in which they take effect.
    pub order: Vec<u32>,
    /// The state after them, in words.
    pub state: String,
}

/// How far the explanation of a part goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The operation whose return cannot be explained (violation) or was not explained yet (unknown).
    pub stuck: Option<u32>,
    /// Orders that explain all returns before it. For a violation: up to a handful of all there are.
    pub candidates: Vec<Candidate>,
    /// The operations open at that return.
    pub frontier: Vec<u32>,
    /// How many returns are explained.
    pub explained: usize,
}

/// The answer for a whole history.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// For "linearizable": all operations that took effect, in order.
    pub witness: Option<Vec<u32>>,
    /// For the other verdicts: how far it goes.
    pub evidence: Evidence,
    /// The label of the part that decided, if the history was split.
    pub part: Option<String>,
    /// Which methods decided.
    pub method: &'static str,
    /// Why this method and no cheaper one.
    pub why_method: String,
    /// For a violation that a monitor found: a few operations that are a violation by themselves; else nothing.
    pub core: Vec<u32>,
    /// All operations about the values of the core: a violation too, whatever happened to other values. Nothing if they are too many.
    pub relevant: Vec<u32>,
    /// Into how many parts the history was split.
    pub parts: usize,
    /// Configurations visited in all.
    pub configurations: u64,
}
