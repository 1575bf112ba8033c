//! Are hitting families what the paper says they are, and does the method built on them tell the truth?
//!
//! `LINPOINT_FUZZ=100000 cargo test --release -p linpoint-check --test hitting` tries so many random histories in each test.

#[path = "../automata/mod.rs"]
mod automata;
mod by_definition;
mod depth;
mod families;
mod verdicts;
