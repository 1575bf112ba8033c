//! From which instances of the paper's formulas do the lemmas of a register follow?
//!
//! Figure 6 of Emmi, Enea & Hamza: READWRITE (what is read was written before), READFROM (a read sees the last write before it), and ATOMIC (the order
//! is one: a round of operations, each before the next, is a chain of transitivity). A pending operation counts only if it is used (USED).
//!
//! ```text
//!   TURNS w a v b    a found w                     READWRITE w a          w < a
//!                    a returned before b           ATOMIC b w a           w < b
//!                    b found v                     READFROM w b v         w < v
//! ```

use super::{Operations, rules};
use crate::clause::{Atom, Lemma, Literal, no, yes};
use crate::intervals::Intervals;
use crate::proof::Premise;
use linpoint_theory::figures::{READ_FROM, READ_WRITE};

/// Pending operations that are part of a match took effect.
const USED: &str = "USED";

/// Makes premises.
pub(super) struct Premises<'a> {
    intervals: &'a Intervals,
    operations: &'a Operations,
    made: Vec<Premise>,
}

impl<'a> Premises<'a> {
    /// The premises of a lemma.
    pub fn of(lemma: Lemma<'_>, intervals: &'a Intervals, operations: &'a Operations) -> Vec<Premise> {
        let mut premises = Premises { intervals, operations, made: Vec::new() };
        match (lemma.rule, lemma.binding) {
            (rules::SOURCES, &[op]) => premises.sources(op),
            (rules::TURNS, &[write, a, version, b]) => premises.turns(write, a, version, b),
            (rules::ASIDE, &[write, cas, other]) => premises.read_from(other, cas, write),
            (rules::ALONG, &[write, cas, other]) => {
                premises.read_write(write, cas);
                premises.round(&[other, write, cas]);
            }
            (rules::FOUND, &[write, cas]) => premises.read_write(write, cas),
            (rules::ONCE, &[write, one, other]) => {
                for (this, that) in [(one, other), (other, one)] {
                    premises.read_write(write, this);
                    premises.used(write, this);
                    premises.read_from(that, this, write);
                }
            }
            (rules::LOOP, round) => {
                (0..round.len()).for_each(|i| premises.read_write(round[i], round[(i + 1) % round.len()]));
                premises.round(round);
            }
            (rules::USED, &[write, op]) => premises.used(write, op),
            (rule, binding) => unreachable!("there is no rule {rule} about {binding:?}"),
        }
        premises.made
    }

    fn add(&mut self, formula: &'static str, binding: &[u32], literals: &[Literal]) {
        self.made.push(Premise { formula, binding: binding.to_vec(), literals: literals.to_vec() });
    }

    /// Everything of the right value that was called in time; what was overwritten, and by what.
    fn sources(&mut self, op: u32) {
        let all = self.operations.fitting(self.intervals, op);
        let mut clause: Vec<Literal> = all.iter().map(|&write| yes(Atom::Match(write, op))).collect();
        clause.push(no(Atom::Used(op)));
        self.add(READ_WRITE.name, &[op], &clause);
        let left = self.operations.sources(op);
        let overwriter = self.operations.overwriter_for(self.intervals, op);
        for write in all.into_iter().filter(|write| !left.contains(write)) {
            self.read_from(overwriter.expect("something overwrote it"), op, write);
        }
    }

    fn turns(&mut self, write: u32, a: u32, version: u32, b: u32) {
        if a != write {
            self.read_write(write, a);
            self.used(write, a);
            self.round(&[b, write, a]);
        }
        if b != version {
            self.read_from(write, b, version);
        }
    }

    fn read_write(&mut self, write: u32, op: u32) {
        let clause = [no(Atom::Match(write, op)), yes(Atom::Before(write, op))];
        self.add(READ_WRITE.name, &[op, write], &clause);
    }

    /// `op` found `write`; so `other`, if it is before `op`, is before `write`.
    fn read_from(&mut self, other: u32, op: u32, write: u32) {
        let before = [no(Atom::Before(other, op)), yes(Atom::Before(other, write))];
        let clause = [no(Atom::Match(write, op)), before[0], before[1], no(Atom::Used(other))];
        self.add(READ_FROM.name, &[other, op, write], &clause);
    }

    fn round(&mut self, round: &[u32]) {
        self.made.push(Premise::round(round));
    }

    fn used(&mut self, write: u32, op: u32) {
        for pending in [write, op] {
            self.add(USED, &[write, op, pending], &[no(Atom::Match(write, op)), yes(Atom::Used(pending))]);
        }
    }
}
