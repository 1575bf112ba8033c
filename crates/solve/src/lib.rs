//! Is there an order, where a search would have to try too many? A solver that chooses what matters and leaves the rest to real time.
//!
//! A search by configurations is exponential in the operations that are open at once. A CDCL solver is exponential at worst, too, but what it learns from one conflict it never
//! tries again, and a history is hard in few places. After SYMBOLIC of Emmi, Enea & Hamza (*Monitoring Refinement via Symbolic Reasoning*, PLDI 2015): a first-order theory of the
//! object, grounded over the operations of the history. Where they ground everything, a clause is made here when a model breaks it.
//!
//! | file | question |
//! |---|---|
//! | [`solve()`] | the loop: a model, what it breaks, and again; the refutation |
//! | `clause` | atoms, literals, lemmas |
//! | `clauses` | variables for atoms, what real time decides, the CDCL solver and its budget |
//! | `order` | theories of any order: from a model to an order, or to the cycles in it |
//! | [`register`] | reads, writes, CAS: which write did each find? |
//! | [`container`] | stacks, queues, deques: which add did each remove take? |
//! | `log`, `trim` | what was told and learnt, and what of it a refutation needs |
//! | `proof` | a refutation from instances of formulas, as DIMACS and DRAT |
//! | `intervals` | calls and returns |
//!
//! A refutation is a list of clauses, each with the rule and the operations it comes from, or following from those before by unit propagation:
//! a proof in the sense of DRAT.

mod clause;
mod clauses;
pub mod container;
mod intervals;
mod log;
mod order;
mod proof;
pub mod register;
mod solve;
mod trim;

pub use clause::{Atom, Lemma, Literal, no, yes};
pub use clauses::Clauses;
pub use intervals::{Intervals, NEVER};
pub use order::{CYCLE, InOrder, Theory};
pub use proof::{Premise, Proof, Written};
pub use solve::{Client, Refutation, Solution, Step, solve, solve_within};
