//! The rules of a theory, made ready for unit propagation over an order.
//!
//! In a total order `not b(x,y)` is `b(y,x)`, so a rule is: given these matches, *one of these comes before that*. FIFO: given match(a1,r1) and
//! match(a2,r2), a2 comes before a1, or r1 before r2. When all but one are known to be the other way round, the last one holds. A
//! [`Trigger`] says how to go on from a pair that became known: which literal it contradicts, and along which matches the
//! other variables are found. A clause without matches and premises of order is *free*: what it concludes is known when its operations are. ATOMIC is the order itself, and FUNCTION and INJECTIVE are in the way matches are kept.

use crate::notation::{Predicate, Term};
use crate::rule::Rule;
use crate::theories::Theory;

/// One comes before the other, by variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub from: usize,
    pub to: usize,
    /// Is it the contrary of a premise, which two equal operations never meet?
    pub is_premise: bool,
}

/// A rule that concludes an order, or that somebody matches.
#[derive(Debug)]
pub(crate) struct Clause {
    pub rule: Rule,
    /// (giver, taker), which must match.
    pub matches: Vec<(usize, usize)>,
    /// What operations must be, and writes that must not match.
    pub tests: Vec<Term>,
    /// One of these holds.
    pub edges: Vec<Edge>,
    /// Where somebody is looked for: all that must hold of whoever it is.
    pub heads: Vec<Term>,
}

/// How to find operations for all variables of a clause from those of one edge or match.
#[derive(Debug)]
pub(crate) struct Trigger {
    pub clause: usize,
    /// The two variables that are given.
    pub given: [usize; 2],
    /// Matches to follow, in this order: from the variable that is known to the one that is not.
    pub plan: Vec<(usize, usize, bool)>,
}

/// All clauses of a theory, and what sets them off.
#[derive(Debug)]
pub(crate) struct Clauses {
    pub list: Vec<Clause>,
    /// By a pair: the given are (earlier, later).
    pub by_pair: Vec<Trigger>,
    /// By a match: the given are (giver, taker).
    pub by_match: Vec<Trigger>,
    /// That somebody matches, whoever it is: places in the list.
    pub unconditional: Vec<usize>,
    /// Those that wait for nothing but their operations: places in the list.
    pub free: Vec<usize>,
}

impl Clauses {
    pub fn of(theory: &Theory) -> Clauses {
        let ready = |rule: Rule| {
            let clause = Clause::of(rule);
            (!clause.edges.is_empty() || clause.rule.somebody.is_some() || clause.is_free()).then_some(clause)
        };
        let rules = theory.rules().into_iter().filter(|rule| rule.formula.name != "ATOMIC");
        let list: Vec<Clause> = rules.filter_map(ready).collect();
        let (mut by_pair, mut by_match, mut unconditional) = (Vec::new(), Vec::new(), Vec::new());
        for (place, clause) in list.iter().enumerate() {
            for edge in &clause.edges {
                by_pair.extend(clause.trigger(place, [edge.to, edge.from]));
            }
            for &(giver, taker) in &clause.matches {
                by_match.extend(clause.trigger(place, [giver, taker]));
            }
            if clause.rule.somebody.is_some() && clause.rule.body.is_empty() {
                unconditional.push(place);
            }
        }
        let free = (0..list.len()).filter(|&place| list[place].is_free()).collect();
        Clauses { list, by_pair, by_match, unconditional, free }
    }
}

impl Clause {
    fn of(rule: Rule) -> Clause {
        let (mut matches, mut tests, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for &term in &rule.body {
            let [x, y] = term.of;
            match (term.predicate, term.positive) {
                (Predicate::Match, true) => matches.push((x, y)),
                (Predicate::Before, _) => edges.push(Edge { from: y, to: x, is_premise: true }),
                _ => tests.push(term),
            }
        }
        edges.extend(rule.head.map(|head| Edge { from: head.of[0], to: head.of[1], is_premise: false }));
        let heads = match rule.somebody {
            Some(_) => rule.formula.sentence().alternatives[0].terms.clone(),
            None => Vec::new(),
        };
        Clause { rule, matches, tests, edges, heads }
    }

    /// Is there nothing to wait for?
    fn is_free(&self) -> bool {
        self.matches.is_empty() && self.rule.somebody.is_none() && !self.edges.iter().any(|edge| edge.is_premise)
    }

    /// From two variables to all of them; None if matches do not lead there.
    fn trigger(&self, clause: usize, given: [usize; 2]) -> Option<Trigger> {
        let mut known = vec![false; self.rule.sorts.len()];
        given.iter().for_each(|&variable| known[variable] = true);
        let mut plan = Vec::new();
        while let Some(&(giver, taker)) = self.matches.iter().find(|&&(giver, taker)| known[giver] != known[taker]) {
            plan.push(if known[giver] { (giver, taker, true) } else { (taker, giver, false) });
            (known[giver], known[taker]) = (true, true);
        }
        known.iter().all(|&it| it).then_some(Trigger { clause, given, plan })
    }
}
