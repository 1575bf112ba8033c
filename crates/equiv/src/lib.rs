//! Do two systems behave alike? Labelled transition systems: reading, writing, minimising, comparing.
//!
//! ```text
//!   .aut ──▶ read ──▶ Lts ──▶ prepare ──▶ refine ──▶ Partition ──▶ quotient ──▶ write: .aut, dot
//!                              │                         └──▶ distinguish: why two states differ
//!                              └──▶ inclusion: is every trace of the one a trace of the other?
//! ```

mod distinguish;
mod equivalence;
mod formula;
mod inclusion;
mod lts;
mod prepare;
mod read;
mod refine;
mod silent;
mod weak;
pub mod write;

pub use distinguish::{Comparison, Difference, compare};
pub use equivalence::{Equivalence, Partition, partition, reduce, reduce_owned};
pub use formula::{Formula, Node, TRUE};
pub use inclusion::missing_trace;
pub use lts::{Facts, Labels, Lts, TAU};
pub use read::{ReadFailure, read};
