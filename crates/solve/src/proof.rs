//! What would convince somebody who trusts neither the solver nor its lemmas? Premises, each an instance of a formula, and steps.
//!
//! A lemma of a client is a shortcut: it follows by unit propagation from a few instances of the formulas of the theory (`crates/theory`), its
//! [`Premise`]s. So a proof has the premises of all lemmas that a refutation needs, then the lemmas and what the solver learnt, each
//! following from what stands before it by unit propagation, and the empty clause at the end. Premises are written as DIMACS, with comments that say what the
//! variables are and which formula, applied to which operations, each clause is; steps as DRAT. What real time decides is left out of a premise.

use crate::clause::{Atom, Lemma, Literal};
use crate::intervals::Intervals;
use crate::solve::{Client, Refutation};
use hashbrown::{HashMap, HashSet};
use linpoint_base::Hashing;
use linpoint_theory::Formula;
use linpoint_theory::figures::TRANSITIVE;
use std::fmt::Write;

/// An instance of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The name of the formula.
    pub formula: &'static str,
    /// What its variables stand for.
    pub binding: Vec<u32>,
    /// What it says.
    pub literals: Vec<Literal>,
}

impl Premise {
    /// An instance that was just made.
    pub fn new(formula: &Formula, binding: &[u32], literals: Vec<Literal>) -> Premise {
        Premise { formula: formula.name, binding: binding.to_vec(), literals }
    }

    /// No round of operations, each before the next: a chain of transitivity.
    pub fn round(operations: &[u32]) -> Premise {
        let edges = (0..operations.len()).map(|i| (operations[i], operations[(i + 1) % operations.len()]));
        Premise::new(&TRANSITIVE, operations, edges.map(|(a, b)| Literal::no(Atom::Before(a, b))).collect())
    }

    /// Without what real time decides; None if that makes it true.
    pub fn simplified(mut self, intervals: &Intervals) -> Option<Premise> {
        let mut left = Vec::new();
        for literal in self.literals {
            match intervals.decide(literal) {
                Ok(true) => return None,
                Ok(false) => {}
                Err(literal) => left.push(literal),
            }
        }
        left.sort_unstable();
        left.dedup();
        self.literals = left;
        Some(self)
    }
}

/// A refutation from premises. Operations are places in the part.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Instances of formulas.
    pub premises: Vec<Premise>,
    /// What follows, one after the other by unit propagation; the last is empty.
    pub steps: Vec<Vec<Literal>>,
}

/// A proof as the texts of two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The premises, in DIMACS.
    pub cnf: String,
    /// The steps, in DRAT.
    pub drat: String,
}

impl Proof {
    /// The proof of a refutation; None if that has no steps, or lemmas without premises.
    pub fn of(refutation: &Refutation, client: &dyn Client, intervals: &Intervals) -> Option<Proof> {
        let mut proof = Proof::default();
        let mut known: HashSet<Vec<Literal>, Hashing> = HashSet::default();
        for step in &refutation.steps {
            let lemma = step.lemma.as_ref().map(|(rule, binding)| Lemma { rule: *rule, binding });
            let premises = lemma.map(|lemma| client.premises(lemma, &step.literals));
            if premises.as_ref().is_some_and(Vec::is_empty) {
                return None;
            }
            for premise in premises.into_iter().flatten().filter_map(|premise| premise.simplified(intervals)) {
                if known.insert(premise.literals.clone()) {
                    proof.premises.push(premise);
                }
            }
            let mut literals = step.literals.clone();
            literals.sort_unstable();
            literals.dedup();
            let is_last = literals.is_empty();
            if is_last || !known.contains(&literals) {
                proof.steps.push(literals);
            }
            if is_last {
                break;
            }
        }
        (!refutation.steps.is_empty()).then_some(proof)
    }

    /// The two files; `name` says what an operation is called.
    pub fn written(&self, name: &dyn Fn(u32) -> String) -> Written {
        let mut variables: HashMap<Atom, usize, Hashing> = HashMap::default();
        let mut atoms = Vec::new();
        let clauses = self.premises.iter().map(|premise| &premise.literals).chain(&self.steps);
        for literal in clauses.flatten() {
            variables.entry(literal.atom).or_insert_with(|| {
                atoms.push(literal.atom);
                atoms.len()
            });
        }
        let row = |literals: &[Literal]| {
            let mut row = String::new();
            for literal in literals {
                let sign = if literal.positive { "" } else { "-" };
                let _ = write!(row, "{sign}{} ", variables[&literal.atom]);
            }
            row + "0\n"
        };
        let mut cnf = String::new();
        for (place, &atom) in atoms.iter().enumerate() {
            let said = match atom {
                Atom::Before(a, b) => format!("before {} {}", name(a), name(b)),
                Atom::Match(a, b) => format!("match {} {}", name(a), name(b)),
                Atom::Used(op) => format!("used {}", name(op)),
                Atom::Gone(a, b) => format!("gone {} {}", name(a), name(b)),
            };
            let _ = writeln!(cnf, "c atom {} {said}", place + 1);
        }
        for (place, premise) in self.premises.iter().enumerate() {
            let binding: Vec<String> = premise.binding.iter().map(|&op| name(op)).collect();
            let _ = writeln!(cnf, "c clause {} {} {}", place + 1, premise.formula, binding.join(" "));
        }
        let _ = writeln!(cnf, "p cnf {} {}", atoms.len(), self.premises.len());
        self.premises.iter().for_each(|premise| cnf.push_str(&row(&premise.literals)));
        Written { cnf, drat: self.steps.iter().map(|step| row(step)).collect() }
    }
}
