//! Which clauses does a refutation need? Backward checking, after Goldberg & Novikov (DATE 2003).
//!
//! All clauses together, learnt ones included, refute themselves by unit propagation. From the last learnt clause backwards: a clause that was
//! needed is assumed false, and unit propagation over the clauses before it ends in a conflict, whose reasons are needed in turn. What was
//! not needed is left out. So every step that stays has been checked, with none of the solver's code.
//!
//! Cost: one propagation from the start for each clause that stays; sixteen bytes per literal.

use crate::log::{Code, Log};

const NONE: u32 = u32::MAX;

/// The clauses that a refutation needs, in order. `look` is asked now and then whether to go on.
///
/// # Panics
/// If the clauses are no refutation.
pub(crate) fn trim<E>(log: &Log, variables: usize, look: &mut dyn FnMut() -> Result<(), E>) -> Result<Vec<usize>, E> {
    look()?; // at the memory that this takes
    let mut board = Board::new(log, variables);
    let mut needed = vec![false; log.len()];
    board.conflict(log.len() as u32, &[], &mut needed);
    for clause in (0..log.len()).rev() {
        if needed[clause] && log.lemma(clause).is_none() {
            look()?;
            board.conflict(clause as u32, log.literals(clause), &mut needed);
        }
    }
    Ok((0..log.len()).filter(|&clause| needed[clause]).collect())
}

/// Clauses with two watched literals each, and what follows from them.
struct Board {
    literals: Vec<Code>,
    ends: Vec<u32>,
    watches: Vec<Vec<u32>>,
    /// Clauses of one literal.
    units: Vec<(u32, Code)>,
    empty: Option<u32>,
    /// Of each literal: is it true?
    truth: Vec<bool>,
    /// The clause that made each variable true or false.
    reason: Vec<u32>,
    trail: Vec<Code>,
}

impl Board {
    fn new(log: &Log, variables: usize) -> Board {
        let mut board = Board {
            literals: Vec::new(),
            ends: vec![0],
            watches: vec![Vec::new(); 2 * variables],
            units: Vec::new(),
            empty: None,
            truth: vec![false; 2 * variables],
            reason: vec![NONE; variables],
            trail: Vec::new(),
        };
        let mut row = Vec::new();
        for clause in 0..log.len() {
            row.clear();
            row.extend_from_slice(log.literals(clause));
            row.sort_unstable();
            row.dedup();
            match row[..] {
                [] => board.empty = board.empty.or(Some(clause as u32)),
                [literal] => board.units.push((clause as u32, literal)),
                [a, b, ..] => {
                    board.watches[a as usize].push(clause as u32);
                    board.watches[b as usize].push(clause as u32);
                }
            }
            board.literals.extend_from_slice(&row);
            board.ends.push(board.literals.len() as u32);
        }
        board
    }

    fn range(&self, clause: u32) -> std::ops::Range<usize> {
        self.ends[clause as usize] as usize..self.ends[clause as usize + 1] as usize
    }

    /// Assumes the literals false, and marks the clauses before `limit` that contradict this.
    fn conflict(&mut self, limit: u32, assumed: &[Code], needed: &mut [bool]) {
        let found = match self.empty.filter(|&clause| clause < limit) {
            Some(clause) => clause,
            None => self.refute(limit, assumed).expect("what the solver learnt follows by unit propagation"),
        };
        let mut reasons = vec![found];
        while let Some(clause) = reasons.pop() {
            needed[clause as usize] = true;
            for at in self.range(clause) {
                let reason = std::mem::replace(&mut self.reason[(self.literals[at] / 2) as usize], NONE);
                if reason != NONE && reason != clause {
                    reasons.push(reason);
                }
            }
        }
        for literal in self.trail.drain(..) {
            self.truth[literal as usize] = false;
            self.reason[(literal / 2) as usize] = NONE;
        }
    }

    /// Is the literal already false? Otherwise it is true from now on.
    fn contradicts(&mut self, literal: Code, reason: u32) -> bool {
        if self.truth[(literal ^ 1) as usize] {
            return true;
        }
        if !std::mem::replace(&mut self.truth[literal as usize], true) {
            self.reason[(literal / 2) as usize] = reason;
            self.trail.push(literal);
        }
        false
    }

    /// The clause that is false once everything that follows was concluded.
    fn refute(&mut self, limit: u32, assumed: &[Code]) -> Option<u32> {
        for &literal in assumed {
            self.contradicts(literal ^ 1, NONE);
        }
        for at in 0..self.units.len() {
            let (clause, literal) = self.units[at];
            if clause < limit && self.contradicts(literal, clause) {
                return Some(clause);
            }
        }
        let mut done = 0;
        while done < self.trail.len() {
            let falsified = self.trail[done] ^ 1;
            done += 1;
            let mut watching = std::mem::take(&mut self.watches[falsified as usize]);
            let mut found = None;
            watching.retain(|&clause| {
                if found.is_some() {
                    return true;
                }
                if clause >= limit {
                    return false; // never needed again: limits only fall
                }
                match self.rewatch(clause, falsified) {
                    Watch::Moved => false,
                    Watch::Stays => true,
                    Watch::Conflict => {
                        found = Some(clause);
                        true
                    }
                }
            });
            self.watches[falsified as usize] = watching;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn rewatch(&mut self, clause: u32, falsified: Code) -> Watch {
        let range = self.range(clause);
        let first = range.start;
        if self.literals[first] == falsified {
            self.literals.swap(first, first + 1);
        }
        if self.truth[self.literals[first] as usize] {
            return Watch::Stays;
        }
        for at in first + 2..range.end {
            let literal = self.literals[at];
            if !self.truth[(literal ^ 1) as usize] {
                self.literals.swap(first + 1, at);
                self.watches[literal as usize].push(clause);
                return Watch::Moved;
            }
        }
        if self.contradicts(self.literals[first], clause) { Watch::Conflict } else { Watch::Stays }
    }
}

enum Watch {
    Moved,
    Stays,
    Conflict,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::Lemma;

    const GIVEN: Lemma<'static> = Lemma { rule: 0, binding: &[] };

    fn trimmed(told: &[&[Code]], learnt: &[&[Code]]) -> Vec<usize> {
        let mut log = Log::default();
        told.iter().for_each(|clause| log.tell(clause.iter().copied(), GIVEN));
        learnt.iter().for_each(|clause| log.learn(clause.iter().copied()));
        trim(&log, 4, &mut || Ok::<(), ()>(())).expect("it may go on")
    }

    /// a or b, a or not b, not a or c, not a or not c; d is about nothing.
    const SQUARE: [&[Code]; 5] = [&[0, 2], &[0, 3], &[1, 4], &[6, 7], &[1, 5]];

    #[test]
    fn what_no_step_needs_is_left_out() {
        assert_eq!(trimmed(&SQUARE, &[&[0, 6], &[0]]), [0, 1, 2, 4, 6]);
        assert_eq!(trimmed(&[&[0, 2], &[]], &[]), [1], "an empty clause needs no other");
        assert_eq!(trimmed(&[&[0, 2], &[1], &[3, 3]], &[]), [0, 1, 2], "no clause was learnt");
    }

    #[test]
    #[should_panic(expected = "follows by unit propagation")]
    fn a_step_that_does_not_follow_is_found_out() {
        trimmed(&SQUARE[..4], &[&[0], &[1]]);
    }
}
