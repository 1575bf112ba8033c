//! Why is there no order? A chain of facts, each by a law from earlier ones, that ends in a contradiction; and is it right?
//!
//! The check knows nothing of how a derivation was found. It asks of each step whether it is what it says: time, a chain of facts, or an
//! instance of a formula of the theory that would be false if the facts before it held and its own did not. Cost: O(n) per step
//! where somebody is looked for, otherwise constant.

use crate::notation::{Formula, Ground, Term};
use crate::operation::{Operations, RELEASE, REMOVE, UNLOCK};
use crate::theories::Theory;
use crate::{Atom, Literal};
use std::collections::BTreeSet;

/// Why a fact holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Because {
    /// The first returned before the second was called.
    Time,
    /// One before the other before the next.
    Chain,
    /// A formula, for these operations: one for each of its universal variables.
    Law {
        /// The formula.
        formula: &'static Formula,
        /// An operation for each variable.
        binding: Vec<u32>,
    },
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What holds; nothing, if that is a contradiction.
    pub fact: Option<Literal>,
    /// Why.
    pub because: Because,
    /// From which steps before it.
    pub from: Vec<u32>,
}

/// Steps, the last of which is a contradiction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// The steps, in an order in which each follows from earlier ones.
    pub steps: Vec<Step>,
}

impl Derivation {
    /// All operations that it is about, by their places.
    pub fn operations(&self) -> Vec<u32> {
        let mut all = BTreeSet::new();
        for step in &self.steps {
            match step.fact.map(|fact| fact.atom) {
                Some(Atom::Before(x, y) | Atom::Match(x, y) | Atom::Gone(x, y)) => all.extend([x, y]),
                Some(Atom::Used(op)) => all.extend([op]),
                None => {}
            }
            if let Because::Law { binding, .. } = &step.because {
                all.extend(binding.iter().copied());
            }
        }
        all.into_iter().collect()
    }

    /// Is every step what it says, and the last one a contradiction? If not, which one is wrong.
    pub fn check(&self, theory: &Theory, operations: &Operations) -> Result<(), String> {
        let mut used: BTreeSet<u32> =
            (0..operations.len() as u32).filter(|&op| operations.get(op).is_required()).collect();
        for (place, step) in self.steps.iter().enumerate() {
            if step.from.iter().any(|&from| from as usize >= place) {
                return Err(format!("step {place} uses a later one"));
            }
            let from: Option<Vec<Literal>> = step.from.iter().map(|&from| self.steps[from as usize].fact).collect();
            let from = from.ok_or_else(|| format!("step {place} follows from a contradiction"))?;
            if !holds(step, &from, theory, operations, &used) {
                return Err(format!("step {place} does not follow: {step:?}"));
            }
            if let Some(Literal { atom: Atom::Match(giver, taker), positive: true }) = step.fact {
                used.extend([giver, taker]);
            }
        }
        match self.steps.last() {
            Some(Step { fact: None, .. }) => Ok(()),
            _ => Err("it does not end in a contradiction".to_owned()),
        }
    }
}

fn before(fact: Literal) -> Option<(u32, u32)> {
    match fact {
        Literal { atom: Atom::Before(x, y), positive: true } => Some((x, y)),
        _ => None,
    }
}

fn holds(step: &Step, from: &[Literal], theory: &Theory, operations: &Operations, used: &BTreeSet<u32>) -> bool {
    match &step.because {
        Because::Time => step.fact.and_then(before).is_some_and(|(x, y)| operations.precedes(x, y)),
        Because::Chain => {
            let Some((x, y)) = step.fact.and_then(before) else { return false };
            let along =
                |at: Option<u32>, &fact: &Literal| before(fact).filter(|edge| Some(edge.0) == at).map(|edge| edge.1);
            let passes = |&fact: &Literal| before(fact).is_some_and(|(_, through)| used.contains(&through));
            from[..from.len().saturating_sub(1)].iter().all(passes) && from.iter().fold(Some(x), along) == Some(y)
        }
        Because::Law { formula, binding } => {
            let contrary = step.fact.map(contrary);
            let facts: Vec<Literal> = from.iter().copied().chain(contrary).collect();
            theory.formulas.contains(formula) && is_false(formula, binding, &facts, operations, used)
        }
    }
}

fn contrary(fact: Literal) -> Literal {
    match fact {
        Literal { atom: Atom::Before(x, y), positive: true } => Literal::yes(Atom::Before(y, x)),
        other => !other,
    }
}

/// Do the facts make the formula false for these operations: premises true, every alternative false?
fn is_false(
    formula: &Formula,
    binding: &[u32],
    facts: &[Literal],
    operations: &Operations,
    used: &BTreeSet<u32>,
) -> bool {
    let sentence = formula.sentence();
    let supposed = |op: u32| {
        facts
            .iter()
            .any(|fact| matches!(*fact, Literal { atom: Atom::Match(x, y), positive: true } if x == op || y == op))
    };
    let is_there = |(&op, variable): (&u32, &crate::Variable)| {
        operations.is(op, variable.sorts) && (used.contains(&op) || supposed(op))
    };
    if binding.len() != sentence.universal || !binding.iter().zip(&sentence.variables).all(is_there) {
        return false;
    }
    if !sentence.premises.iter().all(|term| value(term, binding, facts, operations) == Some(true)) {
        return false;
    }
    sentence.alternatives.iter().all(|alternative| {
        let is_out = |binding: &[u32]| {
            alternative.terms.iter().any(|term| value(term, binding, facts, operations) == Some(false))
        };
        if alternative.some.is_empty() {
            return is_out(binding);
        }
        if alternative.some.len() > 1 {
            return false; // no formula looks for two
        }
        let mut longer = vec![0; alternative.some.start];
        longer[..binding.len()].copy_from_slice(binding);
        longer.push(0);
        let sorts = sentence.variables[alternative.some.start].sorts;
        (0..operations.len() as u32).filter(|&op| operations.is(op, sorts)).all(|op| {
            longer[alternative.some.start] = op;
            is_out(&longer)
        })
    })
}

/// What the facts say of a term.
fn value(term: &Term, binding: &[u32], facts: &[Literal], operations: &Operations) -> Option<bool> {
    let literal = match term.ground(binding, operations) {
        Ground::Known(holds) => return Some(holds),
        Ground::Open(literal) => literal,
    };
    let is_single = |op: u32| operations.is(op, REMOVE | UNLOCK | RELEASE);
    let says = |fact: &Literal| match (literal.atom, fact.atom, fact.positive) {
        (Atom::Before(x, y), Atom::Before(u, v), true) if (x, y) == (u, v) => Some(true),
        (Atom::Before(x, y), Atom::Before(u, v), true) if (x, y) == (v, u) => Some(false),
        (Atom::Match(x, y), Atom::Match(u, v), positive) if (x, y) == (u, v) => Some(positive),
        (Atom::Match(x, y), Atom::Match(u, v), true) if y == v && x != u => Some(false),
        (Atom::Match(x, y), Atom::Match(u, v), true) if x == u && is_single(y) && is_single(v) => Some(false),
        _ => None,
    };
    facts.iter().find_map(says).map(|holds| holds == literal.positive)
}
