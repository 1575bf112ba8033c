//! What can a concurrent object do under a bounded client? All its states and transitions, its cycles, its interleavings.
//!
//! ```text
//!   Program (checked) ─▶ Machine: one step of one thread ─▶ System: the most general client ─▶ Space: all states, in parallel
//!                                                                                               └─▶ Graph ─▶ Lts (equiv)
//!   Atomic: the sequential model as a table ─▶ Θ_sp, the specification's Graph                        ├─▶ progress: lassos
//!                                                                                                     └─▶ path, replay: runs
//! ```

mod atomic;
mod choices;
mod client;
mod cycles;
mod explore;
mod fault;
mod graph;
mod heap;
mod layout;
mod liveness;
mod machine;
mod path;
mod program;
mod progress;
mod replay;
mod table;
mod value;
mod walk;

pub use atomic::Atomic;
pub use client::{Call, Client, Event, Label, Order, System};
pub use explore::{Failure, Space};
pub use fault::Fault;
pub use graph::{Graph, Names};
pub use machine::Machine;
pub use path::Run;
pub use program::{Program, RawProgram};
pub use progress::Lasso;
pub use replay::{Cell, Memory, NAMED, Seen, Shown, Taken, replay};
