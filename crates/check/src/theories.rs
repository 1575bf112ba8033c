//! The three methods of Emmi, Enea and Hamza, *Monitoring Refinement via Symbolic Reasoning* (PLDI 2015), over the theories of `crates/theory`.
//!
//! | method | how | "no" | otherwise |
//! |---|---|---|---|
//! | `enumerate` | all orders | all were tried | an order |
//! | `symbolic` | SAT | the operations of an unsatisfiable core | an order |
//! | `saturate` | unit propagation | a derivation | an order, if one is found without a guess taken back; unknown if not |
//! | `symbolic-removal`, `saturate-removal` | the same, prefix by prefix, and matches are forgotten | likewise | unknown |
//!
//! None is in the portfolio: what they decide, monitors and searches decide faster. They are here for their explanations, and to be
//! compared with. Costs stand in the files of `crates/theory`. A part without a theory is declined.

use crate::methods::Method;
use crate::outcome::{Answer, Deduction, Evidence, Stuck, Verdict};
use crate::settings::Settings;
use linpoint_base::{Account, Cause, Control};
use linpoint_spec::{Part, StepError};
use linpoint_theory::derivation::{Because, Derivation, Step};
use linpoint_theory::enumerate::{Enumerated, enumerate};
use linpoint_theory::saturate::{Saturated, saturate};
use linpoint_theory::symbolic::{Symbolic, solve, solve_with_removal};
use linpoint_theory::{Atom, Literal, Operations, Theory};

/// One of the methods.
pub struct ByTheory {
    name: &'static str,
    help: &'static str,
    run: fn(&'static Theory, &Operations, &Part, &mut Account<'_>) -> Found,
}

/// What a method found, over the operations of the theory.
enum Found {
    Order(Vec<u32>),
    Conflict(Vec<u32>),
    Derived(Derivation),
    Unknown(Cause, usize),
}

/// All orders.
pub static ENUMERATE: ByTheory = ByTheory {
    name: "enumerate",
    help: "all orders of all completions, each held against the formulas of the object: the baseline of Emmi, Enea and Hamza 2015",
    run: |theory, operations, part, account| match enumerate(theory, operations, account) {
        Enumerated::Order(order) => Found::Order(order),
        Enumerated::Nothing => Found::Conflict((0..part.ops.len() as u32).collect()),
        Enumerated::Stopped(cause) => Found::Unknown(cause, 0),
    },
};

/// A SAT solver.
pub static SYMBOLIC: ByTheory = ByTheory {
    name: "symbolic",
    help: "the formulas of the object, grounded over all operations, given to a SAT solver; an unsatisfiable core is the counterexample",
    run: |theory, operations, _, account| symbolic(solve(theory, operations, account)),
};

/// A SAT solver that forgets.
pub static SYMBOLIC_REMOVAL: ByTheory = ByTheory {
    name: "symbolic-removal",
    help: "the same, prefix by prefix, and matched operations are forgotten: it may miss a violation, and answers unknown if it finds none",
    run: |theory, operations, _, account| symbolic(solve_with_removal(theory, operations, account)),
};

/// Unit propagation.
pub static SATURATE: ByTheory = ByTheory {
    name: "saturate",
    help: "what follows from the formulas of the object without a guess: a violation comes with its derivation; unknown if it finds neither a violation nor an order",
    run: |theory, operations, part, account| match saturated(saturate(theory, operations, false, account)) {
        Found::Order(order) if !is_legal(&order, part) => {
            Found::Unknown(incomplete("saturation found no contradiction"), part.ops.len())
        }
        found => found,
    },
};

/// Unit propagation that forgets.
pub static SATURATE_REMOVAL: ByTheory = ByTheory {
    name: "saturate-removal",
    help: "the same, and matched operations are forgotten when their consequences are drawn: it may miss a violation, and answers unknown if it finds none",
    run: |theory, operations, _, account| saturated(saturate(theory, operations, true, account)),
};

fn symbolic(answer: Symbolic) -> Found {
    match answer {
        Symbolic::Order(order) => Found::Order(order),
        Symbolic::Core(core) => Found::Conflict(core),
        Symbolic::Nothing => {
            Found::Unknown(incomplete("no prefix is a violation without what was forgotten before"), 0)
        }
        Symbolic::Stopped(cause, done) => Found::Unknown(cause, done),
    }
}

fn saturated(answer: Saturated) -> Found {
    match answer {
        Saturated::Order(order) => Found::Order(order),
        Saturated::Contradiction(derivation) => Found::Derived(derivation),
        Saturated::Nothing(done) => Found::Unknown(incomplete("saturation found no contradiction"), done),
        Saturated::Stopped(cause, done) => Found::Unknown(cause, done),
    }
}

/// Can the operations be done in this order? Where values repeat, saturation may leave open who gave what.
fn is_legal(order: &[u32], part: &Part) -> bool {
    let codes: Vec<u32> = order.iter().filter_map(|&op| part.codes.get(op as usize).copied()).collect();
    part.spec.runner().run(&codes) == Ok(codes.len())
}

fn incomplete(what: &str) -> Cause {
    Cause::Incomplete(format!("{what}; that there is an order is not known"))
}

impl Method for ByTheory {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn run(&self, part: &Part, _: &Settings, control: &Control) -> Result<Answer, StepError> {
        let (operations, theory) = match Operations::of(part) {
            Ok(seen) => seen,
            Err(why) => return Ok(Answer::bare(Verdict::Unknown(Cause::Declined(why)), self.name)),
        };
        let mut account = Account::alone(control);
        let found = (self.run)(theory, &operations, part, &mut account);
        let numbers = |ops: Vec<u32>| ops.iter().filter_map(|&op| part.ops.get(op as usize).copied()).collect();
        let (verdict, evidence) = match found {
            Found::Order(order) => (Verdict::Linearizable, Evidence::Witness(numbers(order))),
            Found::Conflict(operations) => {
                let operations = numbers(operations);
                (Verdict::Violation, Evidence::Conflict { operations, stuck: Stuck::default() })
            }
            Found::Derived(derivation) => {
                let operations = numbers(derivation.operations());
                let steps = derivation.steps.iter().map(|step| deduction(step, part)).collect();
                (Verdict::Violation, Evidence::Derivation { operations, steps, stuck: Stuck::default() })
            }
            Found::Unknown(cause, explained) => {
                (Verdict::Unknown(cause), Evidence::Stuck(Stuck { explained, ..Stuck::default() }))
            }
        };
        let why = format!("by the theory of a {}", theory.name);
        Ok(Answer { evidence, why, configurations: account.configurations, ..Answer::bare(verdict, self.name) })
    }
}

/// A step in the words of an outcome; operations are numbers of the history.
fn deduction(step: &Step, part: &Part) -> Deduction {
    let number =
        |op: u32| Some(part.ops.get(op as usize).map_or(part.ops.len() as i32 - op as i32 - 1, |&op| op as i32));
    let (kind, first, second) = match step.fact {
        None => ("contradiction", None, None),
        Some(Literal { atom: Atom::Before(x, y), .. }) => ("before", number(x), number(y)),
        Some(Literal { atom: Atom::Match(x, y), positive: true }) => ("match", number(x), number(y)),
        Some(Literal { atom: Atom::Match(x, y), positive: false }) => ("no match", number(x), number(y)),
        Some(Literal { atom: Atom::Used(op), .. }) => ("used", number(op), None),
        Some(Literal { atom: Atom::Gone(..), .. }) => unreachable!("no formula names what the solver defines"),
    };
    let (law, says) = match &step.because {
        Because::Time => ("TIME", "the first returned before the second was called"),
        Because::Chain => ("CHAIN", "one before the other before the next"),
        Because::Law { formula, .. } => (formula.name, formula.law),
    };
    let about = match &step.because {
        Because::Law { binding, .. } => binding.iter().filter_map(|&op| part.ops.get(op as usize).copied()).collect(),
        Because::Time | Because::Chain => Vec::new(),
    };
    Deduction { kind, first, second, law, says, about, premises: step.from.clone() }
}
