//! A formula as clauses: "if all of these hold, then that".
//!
//! `∃y. match(x,y) ∧ C(y)` is no clause, but the matching has at most one y for x: every y by its sort is injective where it is a
//! taker, and a taker has one giver. So it is two clauses (the paper grounds the disjunction of conjunctions instead):
//!
//! ```text
//!   premises ⇒ match(x,y1) ∨ match(x,y2) ∨ …         somebody matches
//!   premises ∧ match(x,y) ⇒ C(y)      for every y     and whoever does is such a one
//! ```
//!
//! Both have no further variables, and the second is a Horn clause: what saturation needs. Cost of an instance: its literals, and one
//! look at each operation where somebody is looked for.

use crate::notation::{Formula, Ground, Predicate, Sentence, Term};
use crate::{Atom, Literal, Operations};

/// A clause of a theory.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The formula that it is a part of.
    pub formula: &'static Formula,
    /// The sorts of its variables.
    pub sorts: Vec<u32>,
    /// If all of these hold …
    pub body: Vec<Term>,
    /// … then this does; if there is none, and nobody is looked for, they cannot hold together.
    pub head: Option<Term>,
    /// … or somebody of these sorts does: the last variable of the term stands for whoever it is.
    pub somebody: Option<(u32, Term)>,
}

impl Rule {
    /// The clauses of a formula; none if it has several alternatives.
    pub fn of(formula: &'static Formula) -> Vec<Rule> {
        let sentence = formula.sentence();
        let universal: Vec<u32> = sentence.variables[..sentence.universal].iter().map(|v| v.sorts).collect();
        let plain =
            |head| Rule { formula, sorts: universal.clone(), body: sentence.premises.clone(), head, somebody: None };
        let [alternative] = &sentence.alternatives[..] else {
            return if sentence.alternatives.is_empty() { vec![plain(None)] } else { Vec::new() };
        };
        if alternative.some.is_empty() {
            return alternative.terms.iter().map(|&term| plain(Some(term))).collect();
        }
        let wanted = alternative.some.start;
        let Some(found) = matching(sentence, wanted, &alternative.terms) else { return Vec::new() };
        let sorts = sentence.variables[wanted].sorts;
        let mut rules = vec![Rule { somebody: Some((sorts, found)), ..plain(None) }];
        for &term in alternative.terms.iter().filter(|term| **term != found) {
            let mut rule = plain(Some(term));
            rule.sorts.push(sorts);
            rule.body.push(found);
            rules.push(rule);
        }
        rules
    }

    /// The clause for these operations, one for each variable. What values, sorts and real time decide is left out; None if it is true
    /// anyhow. An operation that is pending counts only if it is used.
    ///
    /// That a taker has one giver is taken as known: `match(w2,r) ⇒ … ∨ match(w1,r)` is given without its last literal.
    pub fn instance(&self, binding: &[u32], operations: &Operations) -> Option<Vec<Literal>> {
        if binding.iter().zip(&self.sorts).any(|(&op, &sorts)| !operations.is(op, sorts)) {
            return None;
        }
        let mut clause = Vec::new();
        let mut matched = Vec::new();
        for term in &self.body {
            match timed(term.ground(binding, operations), operations) {
                Ground::Known(true) => {}
                Ground::Known(false) => return None,
                Ground::Open(literal) => {
                    if let Literal { atom: Atom::Match(giver, taker), positive: true } = literal {
                        matched.push((giver, taker));
                    }
                    clause.push(!literal);
                }
            }
        }
        match self.head.map(|head| timed(head.ground(binding, operations), operations)) {
            Some(Ground::Known(true)) => return None,
            Some(Ground::Open(literal)) => clause.push(literal),
            Some(Ground::Known(false)) | None => {}
        }
        if let Some((sorts, term)) = self.somebody {
            let mut extended = binding.to_vec();
            extended.push(0);
            for op in (0..operations.len() as u32).filter(|&op| operations.is(op, sorts)) {
                *extended.last_mut().expect("just pushed") = op;
                if let Ground::Open(literal) = term.ground(&extended, operations) {
                    clause.push(literal);
                }
            }
        }
        for literal in &clause {
            let Literal { atom: Atom::Match(giver, taker), positive: true } = *literal else { continue };
            if matched.contains(&(giver, taker)) {
                return None;
            }
        }
        let has_other_giver = |literal: &Literal| match *literal {
            Literal { atom: Atom::Match(_, taker), positive: true } => matched.iter().any(|&(_, other)| other == taker),
            _ => false,
        };
        clause.retain(|literal| !has_other_giver(literal));
        let in_match = |op: u32| matched.iter().any(|&(giver, taker)| op == giver || op == taker);
        for &op in binding.iter().filter(|&&op| !operations.get(op).is_required() && !in_match(op)) {
            clause.push(Literal::no(Atom::Used(op)));
        }
        clause.sort_unstable();
        clause.dedup();
        Some(clause)
    }
}

/// The term that says who the wanted variable matches.
fn matching(sentence: &Sentence, wanted: usize, terms: &[Term]) -> Option<Term> {
    let matches = |term: &&Term| term.predicate == Predicate::Match && term.positive && term.of.contains(&wanted);
    terms.iter().find(matches).copied().filter(|_| sentence.variables.len() == wanted + 1)
}

/// What real time says of a term.
fn timed(ground: Ground, operations: &Operations) -> Ground {
    match ground {
        Ground::Open(Literal { atom: Atom::Before(x, y), positive }) if operations.precedes(x, y) => {
            Ground::Known(positive)
        }
        Ground::Open(Literal { atom: Atom::Before(x, y), positive }) if operations.precedes(y, x) => {
            Ground::Known(!positive)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::{FIFO, READ_FROM};
    use linpoint_testkit::{history, parts};

    fn operations(model: &str, text: &str) -> Operations {
        let mut part = parts(model, &history(text), false).expect("the model fits").remove(0);
        part.events.sort_by_key(|event| event.is_return()); // all overlap
        Operations::of(&part).expect("a theory").0
    }

    /// Two clauses of FIFO: somebody takes out what was put in first, and before.
    #[test]
    fn a_formula_is_two_clauses_where_it_looks_for_somebody() {
        let ops = operations("queue", "enq 1; enq 2; deq -> 2; deq -> ?; deq -> 1");
        let rules = Rule::of(&FIFO);
        assert_eq!(rules.len(), 2);
        let somebody = rules[0].instance(&[0, 1, 2], &ops).expect("a clause");
        let (before, matched) = (Literal::no(Atom::Before(0, 1)), Literal::no(Atom::Match(1, 2)));
        let (known, unknown) = (Literal::yes(Atom::Match(0, 4)), Literal::yes(Atom::Match(0, 3)));
        assert_eq!(somebody, [before, unknown, known, matched]);
        let whoever = rules[1].instance(&[0, 1, 2, 4], &ops).expect("a clause");
        assert_eq!(whoever, [before, Literal::yes(Atom::Before(4, 2)), Literal::no(Atom::Match(0, 4)), matched]);
        assert_eq!(rules[1].instance(&[0, 1, 4, 2], &ops), None, "a dequeue of 1 does not match an enqueue of 2");
        assert_eq!(rules[1].instance(&[2, 1, 2, 4], &ops), None, "a dequeue is no enqueue");
    }

    /// The write a read is matched to is not one that it must not see; a pending write counts only if it is used.
    #[test]
    fn a_clause_says_nothing_twice() {
        let ops = operations("register", "write 1; write 1 -> ?; read -> 1");
        let rules = Rule::of(&READ_FROM);
        assert_eq!(rules[1].instance(&[0, 2, 0], &ops), None);
        let clause = rules[1].instance(&[0, 2, 1], &ops).expect("a clause");
        let (before, matched) = (Literal::no(Atom::Before(0, 2)), Literal::no(Atom::Match(1, 2)));
        assert_eq!(clause, [Literal::yes(Atom::Before(0, 1)), before, matched], "the second is matched, so it is used");
        let clause = rules[1].instance(&[1, 2, 0], &ops).expect("a clause");
        assert!(clause.contains(&Literal::no(Atom::Used(1))), "{clause:?}");
    }
}
