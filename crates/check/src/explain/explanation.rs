//! What an explanation says: few operations, what is known of them, and where they begin.

/// What is known of the operations of an [`Explanation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Together with any subset of the others they have no order.
    WhateverElse,
    /// From the configurations at the cut they have no order, together with any subset of what was called since.
    AfterCut,
}

/// A configuration that can be reached at a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reachable {
    /// An order of the operations before the cut that leads there.
    pub order: Vec<u32>,
    /// Those of them that were still open, but for those that only look.
    pub early: Vec<u32>,
    /// The state, in words.
    pub state: String,
}

/// A moment right behind a return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The operation that returns.
    pub after: u32,
    /// How many operations had returned.
    pub returned: usize,
    /// Every order of what came before leads to one of these, up to operations that were open.
    pub reachable: Vec<Reachable>,
}

/// An order of the operations of an explanation, all but the accused one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// Operations of the history.
    pub order: Vec<u32>,
    /// Which of the cut's configurations it begins in; 0 if there is no cut.
    pub start: usize,
    /// The state after it, in words.
    pub state: String,
}

/// Few operations that show a violation. Operations are numbers of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The operation whose return no order explains.
    pub accused: u32,
    /// The operations, by their calls, the accused one among them.
    pub operations: Vec<u32>,
    /// Those of them that the contradiction could do without: they show where the others come from.
    pub support: Vec<u32>,
    /// What is known of them.
    pub claim: Claim,
    /// Where they begin, if not in the initial state.
    pub cut: Option<Cut>,
    /// Orders of all but the accused one; none if there are too many operations.
    pub continuations: Vec<Continuation>,
    /// Was everything tried that might make it smaller?
    pub minimal: bool,
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many configurations of a few cells may be visited, about. Counted, so that the outcome does not depend on the machine.
    pub work: u64,
    /// A violation with a longer past is not searched from its beginning, but from cuts.
    pub short: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { work: 1_000_000, short: 2_000 }
    }
}

impl Explanation {
    /// How much there is to read; a claim about the whole history is worth more.
    pub(super) fn size(&self) -> usize {
        match &self.cut {
            None if self.operations.len() <= SIMPLE => 0,
            None => self.operations.len(),
            Some(cut) => 2 * self.operations.len() + cut.reachable.len(),
        }
    }
}

/// So few operations are better than a cut and fewer.
pub(super) const SIMPLE: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn size(operations: u32, configurations: Option<usize>) -> usize {
        let reachable = Reachable { order: vec![], early: vec![], state: String::new() };
        let cut = configurations.map(|count| Cut { after: 0, returned: 1, reachable: vec![reachable; count] });
        let claim = if cut.is_some() { Claim::AfterCut } else { Claim::WhateverElse };
        let operations = (0..operations).collect();
        Explanation { accused: 0, operations, support: vec![], claim, cut, continuations: vec![], minimal: true }.size()
    }

    #[test]
    fn a_reader_prefers_few_operations_and_no_cut() {
        assert_eq!([size(1, None), size(6, None), size(7, None)], [0, 0, 7]);
        assert_eq!([size(1, Some(1)), size(3, Some(2)), size(2, Some(4))], [3, 8, 8]);
    }
}
