//! Is there an order? Clauses, a model, what the model breaks, and again: until nothing is broken, or no model is left.
//!
//! SYMBOLIC of Emmi, Enea & Hamza (*Monitoring Refinement via Symbolic Reasoning*, PLDI 2015) grounds a theory over all operations at once. Here a
//! [`Client`] begins with few clauses and adds instances only where a model breaks them. Exact: a model that breaks
//! nothing is an order; clauses without a model refute all orders, for every clause holds in each of them.

use crate::clause::{Atom, Lemma, Literal};
use crate::clauses::{Clauses, Found};
use crate::intervals::Intervals;
use crate::proof::Premise;
use crate::trim::trim;
use linpoint_base::{Account, Cause};

/// A theory whose instances are made on demand.
pub trait Client {
    /// The clauses to begin with.
    fn begin(&mut self, clauses: &mut Clauses<'_, '_>) -> Result<(), Cause>;

    /// Looks at a model: the order that it stands for; or None, and at least one clause was added that the model breaks.
    fn check(&mut self, clauses: &mut Clauses<'_, '_>) -> Result<Option<Vec<u32>>, Cause>;

    /// There is no model in which all these [doubted](Clauses::doubt) atoms are false: adds clauses that say what follows if one of them is true.
    fn give_way(&mut self, atoms: &[Atom], clauses: &mut Clauses<'_, '_>) {
        let _ = clauses;
        unreachable!("nothing was doubted, and {atoms:?} shall be")
    }

    /// The operations without which the lemma would not hold; operations that it only allows need not be among them.
    fn operations(&self, lemma: Lemma<'_>) -> Vec<u32>;

    /// The instances of formulas from which the lemma, which says `clause` beyond real time, follows by unit propagation; none where the client cannot tell.
    fn premises(&self, lemma: Lemma<'_>, clause: &[Literal]) -> Vec<Premise>;
}

/// What solving gave. Operations are places in the part.
pub enum Solution {
    /// There is this order.
    Order(Vec<u32>),
    /// There is none.
    Refuted(Refutation),
    /// It had to stop.
    GaveUp(Cause),
}

/// Why there is no order: a proof, trimmed.
#[derive(Debug, Default)]
pub struct Refutation {
    /// The operations of all lemmas: a violation by themselves.
    pub operations: Vec<u32>,
    /// The clauses in order, the last one empty; none if there was no time to trim them.
    pub steps: Vec<Step>,
}

/// A clause of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The clause.
    pub literals: Vec<Literal>,
    /// The rule and the operations that it comes from; None if it follows from the clauses before it by unit propagation.
    pub lemma: Option<(u32, Vec<u32>)>,
}

/// Looks for an order of the operations of a part.
pub fn solve(intervals: &Intervals, client: &mut dyn Client, account: &mut Account<'_>) -> Solution {
    solve_within(intervals, client, u64::MAX, account)
}

/// The same with a limit on work: decisions of the solver, and operations for every look at a model.
pub fn solve_within(intervals: &Intervals, client: &mut dyn Client, work: u64, account: &mut Account<'_>) -> Solution {
    rounds(client, &mut Clauses::new(intervals, work, account)).unwrap_or_else(Solution::GaveUp)
}

fn rounds(client: &mut dyn Client, clauses: &mut Clauses<'_, '_>) -> Result<Solution, Cause> {
    client.begin(clauses)?;
    loop {
        clauses.look()?;
        match clauses.solve() {
            Found::GaveUp(cause) => return Err(cause),
            Found::Doubtful(atoms) => client.give_way(&atoms, clauses),
            Found::Refuted => return Ok(Solution::Refuted(refutation(client, clauses))),
            Found::Model => {
                clauses.spend(u64::from(clauses.intervals().first()))?;
                let before = clauses.told();
                if let Some(order) = client.check(clauses)? {
                    return Ok(Solution::Order(order));
                }
                assert!(clauses.told() > before, "a model was refused, and no clause says why");
            }
        }
    }
}

/// The verdict stands, also where there is no time left to trim its proof: then every operation is part of it.
fn refutation(client: &dyn Client, clauses: &Clauses<'_, '_>) -> Refutation {
    let log = clauses.log();
    clauses.hold(log.trimming());
    let Ok(kept) = trim(log, clauses.variables(), &mut || clauses.look()) else {
        return Refutation { operations: (0..clauses.intervals().first()).collect(), steps: Vec::new() };
    };
    let (mut operations, mut steps) = (Vec::new(), Vec::new());
    for clause in kept {
        let lemma = log.lemma(clause);
        operations.extend(lemma.into_iter().flat_map(|lemma| client.operations(lemma)));
        let literals = log.literals(clause).iter().map(|&code| clauses.decode(code)).collect();
        steps.push(Step { literals, lemma: lemma.map(|lemma| (lemma.rule, lemma.binding.to_vec())) });
    }
    steps.push(Step { literals: Vec::new(), lemma: None });
    operations.sort_unstable();
    operations.dedup();
    Refutation { operations, steps }
}
