//! Is this witness one? A small checker that shares nothing with the search and believes nothing it says.
//!
//! A witness is an order of operations. It proves a history linearizable when (a) every operation that returned stands in it
//! exactly once and none that failed does, (b) no operation stands before one that had returned when it was called (`order.rs`),
//! and (c) a sequential object that carries out the operations in that order gives the recorded results (`run.rs`, and a
//! file per model in `models/`). The models follow `docs/reference/models.md` and were written from it: the search's models, in
//! `crates/spec`, are others. This crate knows only histories and budgets; a test reads its manifest and its imports.
//!
//! Costs one step of a plain object per operation, objects with different keys in parallel. Values are compared by the ids that the
//! *reader* gave them: equal ids are equal values.
//!
//! Where one run cannot tell (a crashed `take` from a bag took nobody knows what) the answer is [`Judgement::CannotTell`], and
//! the replay in Python, which keeps several states in mind, decides.

mod models;
mod op;
mod order;
mod run;
mod sequential;

use linpoint_base::{Cause, Control};
use linpoint_history::{History, ValueId, Values};

/// What is known of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It proves the history linearizable.
    Right,
    /// It proves nothing: this operation cannot stand where it stands, or is missing.
    Wrong {
        /// The operation, by its number in the history; larger than any if there is no such operation.
        operation: u32,
        /// What is wrong, in words.
        why: String,
    },
    /// One run of the model does not tell.
    CannotTell,
    /// The budget ended first.
    Stopped(Cause),
}

/// A model by its name and its options, which are values of `values`.
pub struct Model<'a> {
    /// The name, as in the reference.
    pub name: &'a str,
    /// The options that were given.
    pub options: &'a [(String, ValueId)],
    /// The history's values, perhaps with more.
    pub values: &'a Values,
}

/// Judges a witness of a history under a model, with so many threads.
pub fn replay(history: &History, model: &Model<'_>, witness: &[u32], threads: usize, control: &Control) -> Judgement {
    match order::complete(history, witness, control) {
        Judgement::Right => {}
        other => return other,
    }
    match order::in_real_time(history, witness, control) {
        Judgement::Right => models::replay(history, model, witness, threads, control),
        other => other,
    }
}
