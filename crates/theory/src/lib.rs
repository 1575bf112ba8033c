//! Theories as data: what makes an order of operations one of a queue, a stack, a register?
//!
//! After Emmi, Enea and Hamza, *Monitoring Refinement via Symbolic Reasoning* (PLDI 2015): an object is a handful of first-order
//! formulas over two relations, *before* (which operation takes effect first) and *match* (which add a remove took out what of).
//! [`figures`] has each formula once, in a notation that can be read beside the paper; [`theories`] says which of them make an
//! object; [`Rule`] is a formula as clauses, and [`Rule::instance`] a clause about given operations. Whoever decides, saturates
//! or explains by a theory does it by these data.

mod atom;
pub mod derivation;
pub mod enumerate;
pub mod figures;
mod growing;
pub mod kernel;
mod notation;
pub mod operation;
pub mod removal;
mod rule;
pub mod saturate;
pub mod symbolic;
pub mod theories;

pub use atom::{Atom, Literal};
pub use notation::{Alternative, Formula, Ground, Predicate, Sentence, Term, Variable};
pub use operation::{ANY, NEVER, NONE, Operation, Operations};
pub use rule::Rule;
pub use theories::{Theory, theory_of};
