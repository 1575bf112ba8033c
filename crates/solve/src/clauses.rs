//! Which clauses are there, and is there a model? The one place that knows the CDCL solver (`batsat`, MiniSat in Rust).
//!
//! Variables are made when a clause first names their atom. Order between operations that do not overlap is decided by real time: such
//! literals are left out, or make the clause trivial. Every clause is noted with its lemma (`log.rs`), so that a refutation can be trimmed and checked.
//!
//! Work is counted in decisions of the solver, and in operations for every look at a model. The budget is looked at every few thousand decisions.

use crate::clause::{Atom, Lemma, Literal};
use crate::intervals::Intervals;
use crate::log::{Code, Log};
use batsat::clause::Kind;
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use hashbrown::HashMap;
use linpoint_base::{Account, Cause, Hashing};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// How many decisions are taken between two looks at the budget.
const BETWEEN_LOOKS: u64 = 1 << 11;

/// What the solver holds for a variable and for a clause, besides its literals: watches, activity, trail.
const PER_VARIABLE: usize = 160;
const PER_CLAUSE: usize = 56;

/// What the solver tells while it works.
struct Witnessed<'a, 'c> {
    account: RefCell<&'a mut Account<'c>>,
    log: Log,
    /// How many more decisions may be taken.
    left: Cell<u64>,
    /// Bytes of the solver itself, about.
    bytes: Cell<usize>,
    decisions: Cell<u64>,
    cause: RefCell<Option<Cause>>,
}

impl Witnessed<'_, '_> {
    /// Counts work; the cause to stop, if it was too much.
    fn spend(&self, work: u64) -> Option<Cause> {
        self.left.set(self.left.get().saturating_sub(work));
        (self.left.get() == 0).then_some(Cause::Work)
    }

    fn look(&self) -> Option<Cause> {
        let mut account = self.account.borrow_mut();
        account.configurations += self.decisions.take();
        account.poll(self.bytes.get() + self.log.bytes(), 0)
    }
}

impl Callbacks for Witnessed<'_, '_> {
    fn on_new_clause(&mut self, clause: &[Lit], _: Kind) {
        self.log.learn(clause.iter().map(Lit::idx));
        *self.bytes.get_mut() += PER_CLAUSE + 4 * clause.len();
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        *self.bytes.get_mut() -= (PER_CLAUSE + 4 * clause.len()).min(self.bytes.get());
    }

    fn stop(&self) -> bool {
        self.decisions.set(self.decisions.get() + 1);
        if self.cause.borrow().is_some() {
            return true;
        }
        if self.decisions.get() < BETWEEN_LOOKS {
            return false;
        }
        let over = self.spend(self.decisions.get());
        *self.cause.borrow_mut() = self.look().or(over);
        self.cause.borrow().is_some()
    }
}

/// What solving the present clauses gave.
pub(crate) enum Found {
    Model,
    Refuted,
    /// No model, as long as these atoms are false.
    Doubtful(Vec<Atom>),
    GaveUp(Cause),
}

/// The clauses, and the solver that has them.
pub struct Clauses<'a, 'c> {
    intervals: &'a Intervals,
    solver: Solver<Witnessed<'a, 'c>>,
    variables: HashMap<Atom, Var, Hashing>,
    atoms: Vec<Atom>,
    /// Atoms whose variable is true when they are not: the solver tries "false" first.
    flipped: Vec<bool>,
    row: Vec<Lit>,
    told: usize,
    /// What is assumed: atoms in doubt are false.
    doubted: BTreeMap<Atom, Lit>,
}

impl<'a, 'c> Clauses<'a, 'c> {
    pub(crate) fn new(intervals: &'a Intervals, work: u64, account: &'a mut Account<'c>) -> Self {
        let (bytes, decisions, cause) = (Cell::new(0), Cell::new(0), RefCell::new(None));
        let (account, left) = (RefCell::new(account), Cell::new(work));
        let witnessed = Witnessed { account, log: Log::default(), left, bytes, decisions, cause };
        Clauses {
            intervals,
            solver: Solver::new(SolverOpts::default(), witnessed),
            variables: HashMap::default(),
            atoms: Vec::new(),
            flipped: Vec::new(),
            row: Vec::new(),
            told: 0,
            doubted: BTreeMap::new(),
        }
    }

    /// Real time.
    pub fn intervals(&self) -> &'a Intervals {
        self.intervals
    }

    /// How many clauses were added that real time does not make trivial.
    pub fn told(&self) -> usize {
        self.told
    }

    fn literal(&mut self, literal: Literal) -> Lit {
        let variable = self.variable(literal.atom, false);
        Lit::new(variable, literal.positive != self.flipped[variable.idx() as usize])
    }

    fn variable(&mut self, atom: Atom, first_true: bool) -> Var {
        if let Some(&variable) = self.variables.get(&atom) {
            return variable;
        }
        let variable = self.solver.new_var_default();
        self.variables.insert(atom, variable);
        self.atoms.push(atom);
        self.flipped.push(first_true);
        *self.solver.cb_mut().bytes.get_mut() += PER_VARIABLE;
        variable
    }

    /// Lets the solver try this literal first. To be said before a clause names the atom.
    pub fn prefer(&mut self, literal: Literal) {
        if let Err(literal) = self.intervals.decide(literal) {
            self.variable(literal.atom, literal.positive);
        }
    }

    /// Takes an atom to be false, until there is no model any more.
    pub fn doubt(&mut self, atom: Atom) {
        let literal = self.literal(Literal::no(atom));
        self.doubted.insert(atom, literal);
    }

    /// Takes it to be false no longer.
    pub fn trust(&mut self, atom: Atom) {
        self.doubted.remove(&atom);
    }

    /// Adds a clause, which `lemma` explains.
    pub fn add(&mut self, lemma: Lemma<'_>, literals: &[Literal]) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let mut is_trivial = false;
        for &literal in literals {
            match self.intervals.decide(literal) {
                Ok(true) => is_trivial = true,
                Ok(false) => {}
                Err(literal) => row.push(self.literal(literal)),
            }
        }
        if !is_trivial {
            self.told += 1;
            let witnessed = self.solver.cb_mut();
            witnessed.log.tell(row.iter().map(Lit::idx), lemma);
            *witnessed.bytes.get_mut() += PER_CLAUSE + 4 * row.len();
            self.solver.add_clause_reuse(&mut row);
        }
        self.row = row;
    }

    /// The cause to stop, if there is one. To be asked in long loops, every few thousand rounds.
    pub fn look(&self) -> Result<(), Cause> {
        self.solver.cb().look().map_or(Ok(()), Err)
    }

    /// Accounts for so many bytes more.
    pub(crate) fn hold(&self, bytes: usize) {
        let held = &self.solver.cb().bytes;
        held.set(held.get() + bytes);
    }

    /// Counts a look at a model as work.
    pub(crate) fn spend(&self, work: u64) -> Result<(), Cause> {
        self.solver.cb().account.borrow_mut().configurations += work;
        self.solver.cb().spend(work).map_or(Ok(()), Err)
    }

    pub(crate) fn solve(&mut self) -> Found {
        let assumed: Vec<Lit> = self.doubted.values().copied().collect();
        let found = self.solver.solve_limited(&assumed);
        if let Some(cause) = self.solver.cb().cause.borrow_mut().take() {
            return Found::GaveUp(cause);
        }
        if found == lbool::TRUE {
            return Found::Model;
        }
        let mut core: Vec<Atom> =
            self.solver.unsat_core().iter().map(|lit| self.atoms[lit.var().idx() as usize]).collect();
        core.sort_unstable();
        if core.is_empty() { Found::Refuted } else { Found::Doubtful(core) }
    }

    /// What the last model says; None if it does not know the atom.
    pub fn says(&self, atom: Atom) -> Option<bool> {
        match self.intervals.decide(Literal { atom, positive: true }) {
            Ok(truth) => Some(truth),
            Err(literal) => {
                let variable = *self.variables.get(&literal.atom)?;
                let truth = *self.solver.get_model().get(variable.idx() as usize)? == lbool::TRUE;
                Some((truth != self.flipped[variable.idx() as usize]) == literal.positive)
            }
        }
    }

    /// The order of pairs that the last model decides: the first of each stands before the second.
    pub fn ordered_pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.atoms.iter().filter_map(|&atom| match atom {
            Atom::Before(a, b) => Some(if self.says(atom)? { (a, b) } else { (b, a) }),
            _ => None,
        })
    }

    pub(crate) fn log(&self) -> &Log {
        &self.solver.cb().log
    }

    pub(crate) fn variables(&self) -> usize {
        self.atoms.len()
    }

    /// The literal that a code of the log stands for.
    pub(crate) fn decode(&self, code: Code) -> Literal {
        let variable = (code / 2) as usize;
        Literal { atom: self.atoms[variable], positive: (code & 1 == 0) != self.flipped[variable] }
    }
}
