//! SYMBOLIC: is STRONGER(h) ∧ G(THEORY(H)) satisfiable? As §4 of Emmi, Enea and Hamza has it, given to a stock SAT solver.
//!
//! A variable for every ordered pair (before), for every pair that can match, and for every operation (used). Every formula is
//! grounded over all operations, guarded by *used*; "there is" becomes a disjunction over all operations, with a variable of its own
//! for each conjunction (Tseitin). A model is an order; without one the operations whose being used was needed are a
//! counterexample, whatever else happened.
//!
//! What we changed: ATOMIC is not guarded (what is not used can stand anywhere), and the solver is `batsat` in place of Z3. Cost: n³
//! clauses for transitivity alone, less those that time makes true, before anything is solved: for dozens of operations. `crates/solve` grounds on demand instead.
//! With removal (`removal.rs`) every prefix that ends with a return is solved, without the matches that were obsolete before it, as
//! a monitor would: sound, not complete.

use crate::notation::{Ground, Sentence, Term};
use crate::operation::{NEVER, NONE, Operation, Operations};
use crate::removal::matches;
use crate::theories::Theory;
use crate::{Atom, Literal};
use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, Var, lbool};
use linpoint_base::{Account, Cause, Hashing};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What the solver said.
#[derive(Debug, PartialEq, Eq)]
pub enum Symbolic {
    /// Satisfiable: the operations that are used, in an order that the theory allows.
    Order(Vec<u32>),
    /// Unsatisfiable: these operations cannot all take effect, whatever the others do.
    Core(Vec<u32>),
    /// With removal: no prefix was refuted, which proves nothing.
    Nothing,
    /// The budget ended; so many prefixes were solved.
    Stopped(Cause, usize),
}

/// Solves the operations as a whole.
pub fn solve(theory: &Theory, operations: &Operations, account: &mut Account<'_>) -> Symbolic {
    match Grounding::of(theory, operations, account) {
        Ok(mut grounding) => grounding.solve(operations),
        Err(cause) => Symbolic::Stopped(cause, 0),
    }
}

/// Solves prefix after prefix, and forgets what became obsolete.
pub fn solve_with_removal(theory: &Theory, operations: &Operations, account: &mut Account<'_>) -> Symbolic {
    let mut obsolete = match matches(operations, account) {
        Ok(found) => found.into_iter().peekable(),
        Err(cause) => return Symbolic::Stopped(cause, 0),
    };
    let (mut is_forgotten, mut forgotten) = (vec![false; operations.len()], BTreeSet::new());
    let mut returns: Vec<u32> = operations.list.iter().filter(|op| op.is_required()).map(|op| op.ret).collect();
    returns.sort_unstable();
    for (done, &now) in returns.iter().enumerate() {
        let called = |&op: &u32| operations.get(op).call <= now && !is_forgotten[op as usize];
        let kept: Vec<u32> = (0..operations.len() as u32).filter(called).collect();
        let as_of_now = |&op: &u32| {
            let operation = operations.get(op);
            Operation { ret: if operation.ret <= now { operation.ret } else { NEVER }, ..*operation }
        };
        let list = kept.iter().map(as_of_now).collect();
        let prefix = Operations { list, recorded: kept.len(), views: Arc::clone(&operations.views) };
        match solve(theory, &prefix, account) {
            Symbolic::Core(core) => {
                // without the rest it is one only if what was forgotten, and what overwrote it, is there to be forgotten
                forgotten.extend(core.into_iter().map(|op| kept[op as usize]));
                return Symbolic::Core(forgotten.into_iter().collect());
            }
            Symbolic::Stopped(cause, _) => return Symbolic::Stopped(cause, done),
            Symbolic::Order(_) | Symbolic::Nothing => {}
        }
        while let Some(old) = obsolete.next_if(|old| old.obsolete <= now) {
            old.takers.iter().chain([&old.giver]).for_each(|&op| is_forgotten[op as usize] = true);
            forgotten.extend(old.takers.iter().chain([&old.giver, &old.by]).copied().filter(|&op| op != NONE));
        }
    }
    Symbolic::Nothing
}

/// How many clauses are made, or calls of the solver answered, between two polls.
const BETWEEN_POLLS: u64 = 1 << 10;
/// What a clause takes besides its literals: its header and two watches.
const PER_CLAUSE: usize = 56;

/// The budget, as the solver asks for it.
struct Budget<'b, 'c> {
    account: RefCell<&'b mut Account<'c>>,
    bytes: usize,
    cause: RefCell<Option<Cause>>,
}

impl Budget<'_, '_> {
    fn poll(&self) -> bool {
        let mut account = self.account.borrow_mut();
        account.configurations += 1;
        let mut cause = self.cause.borrow_mut();
        if cause.is_none() {
            *cause = account.poll(self.bytes, 0);
        }
        cause.is_some()
    }
}

impl Callbacks for Budget<'_, '_> {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.bytes += PER_CLAUSE + 4 * clause.len();
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.bytes = self.bytes.saturating_sub(PER_CLAUSE + 4 * clause.len());
    }

    fn stop(&self) -> bool {
        self.poll()
    }
}

struct Grounding<'g, 'b, 'c> {
    operations: &'g Operations,
    solver: Solver<Budget<'b, 'c>>,
    variables: HashMap<Atom, Var, Hashing>,
    clauses: u64,
}

impl<'g, 'b, 'c> Grounding<'g, 'b, 'c> {
    /// STRONGER(h) ∧ G(THEORY(H)); the cause, if the budget does not allow it.
    fn of(theory: &Theory, operations: &'g Operations, account: &'b mut Account<'c>) -> Result<Self, Cause> {
        let budget = Budget { account: RefCell::new(account), bytes: 0, cause: RefCell::new(None) };
        let solver = Solver::new(batsat::SolverOpts::default(), budget);
        let mut grounding = Grounding { operations, solver, variables: HashMap::default(), clauses: 0 };
        let count = operations.len() as u32;
        for first in 0..count {
            for second in (0..count).filter(|&second| operations.precedes(first, second)) {
                grounding.add(vec![Literal::yes(Atom::Before(first, second))])?; // ORDER(h)
                grounding.add(vec![Literal::no(Atom::Before(second, first))])?;
            }
        }
        for (formula, sentence) in theory.sentences() {
            grounding.sentence(sentence, formula.name != "ATOMIC", &mut Vec::new())?;
        }
        Ok(grounding)
    }

    fn literal(&mut self, literal: Literal) -> Lit {
        let solver = &mut self.solver;
        let variable = *self.variables.entry(literal.atom).or_insert_with(|| solver.new_var_default());
        Lit::new(variable, literal.positive)
    }

    fn add(&mut self, clause: Vec<Literal>) -> Result<(), Cause> {
        let clause = clause.into_iter().map(|literal| self.literal(literal)).collect();
        self.add_lits(clause)
    }

    fn add_lits(&mut self, mut clause: Vec<Lit>) -> Result<(), Cause> {
        self.solver.cb_mut().bytes += PER_CLAUSE + 4 * clause.len();
        self.solver.add_clause_reuse(&mut clause);
        self.clauses += 1;
        if self.clauses.is_multiple_of(BETWEEN_POLLS) && self.solver.cb().poll() {
            let cause = self.solver.cb().cause.borrow().clone();
            return Err(cause.expect("a poll that stops has a cause"));
        }
        Ok(())
    }

    /// The clauses of a formula for all operations; `binding` are those of its first variables.
    fn sentence(&mut self, sentence: &Sentence, guarded: bool, binding: &mut Vec<u32>) -> Result<(), Cause> {
        if binding.len() == sentence.universal {
            return self.clause(sentence, guarded, binding);
        }
        let sorts = sentence.variables[binding.len()].sorts;
        for op in (0..self.operations.len() as u32).filter(|&op| self.operations.is(op, sorts)) {
            binding.push(op);
            if !sentence.premises.iter().any(|term| is_false(term, binding, self.operations)) {
                self.sentence(sentence, guarded, binding)?; // as deep as a formula has variables
            }
            binding.pop();
        }
        Ok(())
    }

    fn clause(&mut self, sentence: &Sentence, guarded: bool, binding: &[u32]) -> Result<(), Cause> {
        let mut clause = Vec::new();
        if guarded {
            clause.extend(binding.iter().map(|&op| Literal::no(Atom::Used(op))));
        }
        for term in &sentence.premises {
            if let Ground::Open(literal) = term.ground(binding, self.operations) {
                clause.push(!literal);
            }
        }
        let mut clause: Vec<Lit> = clause.into_iter().map(|literal| self.literal(literal)).collect();
        for alternative in &sentence.alternatives {
            let mut longer = vec![0; alternative.some.start];
            longer[..binding.len()].copy_from_slice(binding);
            let found =
                if alternative.some.is_empty() { vec![None] } else { self.among(sentence, alternative.some.start) };
            for op in found {
                longer.truncate(alternative.some.start);
                longer.extend(op);
                match self.conjunction(&alternative.terms, &longer, op)? {
                    Some(Holds::Anyhow) => return Ok(()),
                    Some(Holds::If(literal)) => clause.push(literal),
                    None => {}
                }
            }
        }
        self.add_lits(clause)
    }

    fn among(&self, sentence: &Sentence, variable: usize) -> Vec<Option<u32>> {
        let sorts = sentence.variables[variable].sorts;
        (0..self.operations.len() as u32).filter(|&op| self.operations.is(op, sorts)).map(Some).collect()
    }

    /// A literal that implies all terms and that the operation is used; none if they cannot all hold.
    fn conjunction(&mut self, terms: &[Term], binding: &[u32], used: Option<u32>) -> Result<Option<Holds>, Cause> {
        let mut all = Vec::new();
        for term in terms {
            match term.ground(binding, self.operations) {
                Ground::Known(true) => {}
                Ground::Known(false) => return Ok(None),
                Ground::Open(literal) => all.push(literal),
            }
        }
        all.extend(used.map(|op| Literal::yes(Atom::Used(op))));
        let all: Vec<Lit> = all.into_iter().map(|literal| self.literal(literal)).collect();
        Ok(Some(match all[..] {
            [] => Holds::Anyhow,
            [only] => Holds::If(only),
            _ => {
                let defined = Lit::new(self.solver.new_var_default(), true);
                for literal in all {
                    self.add_lits(vec![!defined, literal])?;
                }
                Holds::If(defined)
            }
        }))
    }

    fn solve(&mut self, operations: &Operations) -> Symbolic {
        let required: Vec<u32> = (0..operations.len() as u32).filter(|&op| operations.get(op).is_required()).collect();
        let assumed: Vec<Lit> = required.iter().map(|&op| self.literal(Literal::yes(Atom::Used(op)))).collect();
        let answer = self.solver.solve_limited(&assumed);
        if answer == lbool::FALSE {
            let core = self.solver.unsat_core().to_vec();
            let is_needed = |&(_, literal): &(&u32, &Lit)| core.iter().any(|it| it.var() == literal.var());
            return Symbolic::Core(required.iter().zip(&assumed).filter(is_needed).map(|(&op, _)| op).collect());
        }
        if answer == lbool::UNDEF {
            let cause = self.solver.cb().cause.borrow().clone();
            return Symbolic::Stopped(cause.unwrap_or(Cause::Work), 0);
        }
        let count = operations.len() as u32;
        let mut used: Vec<u32> = (0..count).filter(|&op| self.holds(Atom::Used(op))).collect();
        let earlier = |op: u32| (0..count).filter(|&other| self.holds(Atom::Before(other, op))).count();
        used.sort_by_cached_key(|&op| earlier(op));
        Symbolic::Order(used)
    }

    /// Does the model make it true?
    fn holds(&self, atom: Atom) -> bool {
        self.variables.get(&atom).is_some_and(|&variable| self.solver.value_var(variable) == lbool::TRUE)
    }
}

/// When a conjunction holds.
enum Holds {
    Anyhow,
    If(Lit),
}

/// Is a premise false already, by the variables that are bound? By what the operations are, or by ORDER(h).
fn is_false(term: &Term, binding: &[u32], operations: &Operations) -> bool {
    let is_bound = term.of[0] < binding.len() && term.of[1] < binding.len();
    is_bound
        && match term.ground(binding, operations) {
            Ground::Known(holds) => !holds,
            Ground::Open(Literal { atom: Atom::Before(x, y), positive }) => positive && operations.precedes(y, x),
            Ground::Open(_) => false,
        }
}
