//! What was the solver told, and what did it conclude? Every clause in order, in two flat columns.
//!
//! A clause that the solver was told has a lemma; one that it learnt follows from those before it by unit propagation. Together they are a
//! proof, once `trim.rs` has found the few that matter. Four bytes per literal and operation, eight per clause.

use crate::clause::Lemma;

/// A literal as a number: twice its variable, one more if it is denied.
pub(crate) type Code = u32;

/// Every clause in order.
#[derive(Default)]
pub(crate) struct Log {
    literals: Vec<Code>,
    /// The rule and the operations of each clause that was told.
    lemmas: Vec<u32>,
    /// Where the literals and the lemma of each clause end.
    ends: Vec<(u32, u32)>,
}

impl Log {
    pub fn tell(&mut self, literals: impl Iterator<Item = Code>, lemma: Lemma<'_>) {
        self.lemmas.push(lemma.rule);
        self.lemmas.extend_from_slice(lemma.binding);
        self.learn(literals);
    }

    pub fn learn(&mut self, literals: impl Iterator<Item = Code>) {
        self.literals.extend(literals);
        self.ends.push((self.literals.len() as u32, self.lemmas.len() as u32));
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn begin(&self, clause: usize) -> (u32, u32) {
        if clause == 0 { (0, 0) } else { self.ends[clause - 1] }
    }

    pub fn literals(&self, clause: usize) -> &[Code] {
        &self.literals[self.begin(clause).0 as usize..self.ends[clause].0 as usize]
    }

    /// Why the clause holds; None if it was learnt.
    pub fn lemma(&self, clause: usize) -> Option<Lemma<'_>> {
        let (rule, binding) = self.lemmas[self.begin(clause).1 as usize..self.ends[clause].1 as usize].split_first()?;
        Some(Lemma { rule: *rule, binding })
    }

    /// Bytes that it takes to trim it: the literals once more, and who watches them.
    pub fn trimming(&self) -> usize {
        4 * self.literals.len() + 40 * self.ends.len()
    }

    pub fn bytes(&self) -> usize {
        4 * (self.literals.capacity() + self.lemmas.capacity()) + 8 * self.ends.capacity()
    }
}
