//! What a check answers: a verdict and the evidence for it.

use crate::Cause;
use linpoint_solve::Written;

/// Yes, no, or why neither.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an order: the evidence holds it.
    Linearizable,
    /// There is none.
    Violation,
    /// Not known yet.
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
    /// What proves it.
    pub evidence: Evidence,
    /// Did a general search find this? Then the evidence is complete.
    pub is_general: bool,
    /// Configurations visited; calls, where schedules were run; steps, where the solver decided.
    pub configurations: u64,
    /// Which schedules were run, if that is how it was found.
    pub hits: Option<Hits>,
    /// A proof that others can check, if one was asked for and the method has one.
    pub proof: Option<Written>,
}

/// Which schedules of hitting families were run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hits {
    /// The depth of the family in which the witness was found; of several parts the largest. None if one has no witness.
    pub depth: Option<usize>,
    /// How many distinct schedules were run, over all depths.
    pub schedules: u64,
    /// How many distinct schedules the family of each depth has, the first of depth 1; of the last one as many as were made.
    pub family: Vec<u64>,
}

impl Hits {
    /// The schedules of two parts.
    pub(crate) fn and(mut self, other: Hits) -> Hits {
        self.depth = self.depth.max(other.depth);
        self.schedules += other.schedules;
        self.family.resize(self.family.len().max(other.family.len()), 0);
        self.family.iter_mut().zip(other.family).for_each(|(sum, more)| *sum += more);
        self
    }
}

impl Answer {
    /// An answer without evidence.
    pub fn bare(verdict: Verdict, method: &'static str) -> Answer {
        let (why, evidence) = (String::new(), Evidence::Stuck(Stuck::default()));
        Answer { verdict, method, why, evidence, is_general: false, configurations: 0, hits: None, proof: None }
    }

    /// There is this order.
    pub fn yes(witness: Vec<u32>, method: &'static str) -> Answer {
        Answer { evidence: Evidence::Witness(witness), ..Answer::bare(Verdict::Linearizable, method) }
    }
}

/// What proves a verdict: one type, from the method that found it to the class that Python sees. Operations are numbers of the
/// history. (Interleavings and lassos will be further kinds.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Linearizable: all operations that took effect, in order.
    Witness(Vec<u32>),
    /// Violation or unknown: the return that no order explains, or that was not explained yet.
    Stuck(Stuck),
    /// Violation, found by a monitor: a few operations that are one by themselves, and where that shows.
    Conflict {
        /// The operations.
        operations: Vec<u32>,
        /// Where it shows.
        stuck: Stuck,
    },
    /// Violation, found by a theory: how a contradiction follows, step by step.
    Derivation {
        /// The operations that it is about: a violation by themselves.
        operations: Vec<u32>,
        /// The steps; the last is the contradiction.
        steps: Vec<Deduction>,
        /// Where it shows.
        stuck: Stuck,
    },
}

/// One step of a derivation. What is held at first was put there by no operation of the history: its first thing is -1, its second -2, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// `before` (the first takes effect before the second), `match` (the second found what the first left), `no match`, or
    /// `contradiction`.
    pub kind: &'static str,
    /// The operation that it speaks of first.
    pub first: Option<i32>,
    /// The other one.
    pub second: Option<i32>,
    /// The name of the formula; `TIME` or `CHAIN` where it is none.
    pub law: &'static str,
    /// The formula in words.
    pub says: &'static str,
    /// The operations that the formula is about, of the history.
    pub about: Vec<u32>,
    /// The steps that it follows from.
    pub premises: Vec<u32>,
}

impl Evidence {
    /// The order, of a witness.
    pub fn witness(&self) -> Option<&[u32]> {
        if let Evidence::Witness(order) = self { Some(order) } else { None }
    }

    /// Where it goes wrong, if it does.
    pub fn stuck(&self) -> Option<&Stuck> {
        match self {
            Evidence::Witness(_) => None,
            Evidence::Stuck(stuck) | Evidence::Conflict { stuck, .. } | Evidence::Derivation { stuck, .. } => {
                Some(stuck)
            }
        }
    }

    /// The operation whose return cannot be explained, or was not yet.
    pub fn accused(&self) -> Option<u32> {
        self.stuck().and_then(|stuck| stuck.operation)
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
pub struct Stuck {
    /// The operation whose return cannot be explained (violation) or was not explained yet (unknown). Of a violation that a search
    /// found it is the first such; of a monitor's, the first among the operations about the values in conflict.
    pub operation: Option<u32>,
    /// Orders that explain all returns before it. For a violation: up to a handful of all there are.
    pub candidates: Vec<Candidate>,
    /// The operations open at that return.
    pub frontier: Vec<u32>,
    /// How many returns are explained.
    pub explained: usize,
}

impl Stuck {
    /// Does it explain more returns? What shows no candidate tells least.
    pub(crate) fn tells_more_than(&self, other: &Stuck) -> bool {
        self.explained > other.explained || other.candidates.is_empty()
    }
}

/// The answer for a whole history.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// What proves it, or how far it goes.
    pub evidence: Evidence,
    /// The label of the part that decided, if the history was split.
    pub part: Option<String>,
    /// Which methods decided.
    pub method: &'static str,
    /// Why this method and no cheaper one.
    pub why_method: String,
    /// Into how many parts the history was split.
    pub parts: usize,
    /// Configurations visited in all.
    pub configurations: u64,
    /// Which schedules were run, where hitting families decided.
    pub hits: Option<Hits>,
    /// A proof of a violation, if one was asked for and the method has one.
    pub proof: Option<Written>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A race tells the rival search, and the other parts, by these: no answer is more than one of them.
    #[test]
    fn yes_and_no_are_told_apart() {
        let all = [Progress::Running, Progress::Yes, Progress::No, Progress::GaveUp(Cause::Time)];
        assert_eq!(all.each_ref().map(Progress::is_yes), [false, true, false, false]);
        assert_eq!(all.each_ref().map(Progress::is_no), [false, false, true, false]);
    }

    #[test]
    fn more_returns_tell_more() {
        let stuck = |explained, candidates| {
            let candidate = Candidate { order: vec![], state: String::new() };
            Stuck { explained, candidates: vec![candidate; candidates], ..Stuck::default() }
        };
        assert!(stuck(4, 1).tells_more_than(&stuck(3, 5)));
        assert!(!stuck(3, 5).tells_more_than(&stuck(3, 1)), "what was known first stays");
        assert!(!stuck(2, 5).tells_more_than(&stuck(3, 1)));
        assert!(stuck(2, 1).tells_more_than(&stuck(3, 0)));
    }
}
