//! Replaying a witness, as Python calls it.

use crate::check::options_of;
use crate::columns::Columns;
use crate::door::{Entered, deadline, enter};
use crate::evidence::{Witness, words};
use linpoint_base::Control;
use linpoint_replay::{Judgement, Model};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A witness of fewer operations than this is replayed before a thread would be running.
const QUICK: usize = 2_000;

/// (right, wrong, cannot tell or stopped; the operation at fault; why).
type Judged = (&'static str, Option<u32>, String);

#[pyfunction]
#[pyo3(signature = (columns, model, options, witness, *, timeout, memory, threads))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub fn replay(
    py: Python<'_>,
    columns: &Columns,
    model: String,
    options: &Bound<'_, PyDict>,
    witness: &Witness,
    timeout: Option<f64>,
    memory: usize,
    threads: usize,
) -> PyResult<Judged> {
    let (history, order) = (Arc::clone(&columns.history), witness.shared());
    let (options, values) = options_of(options, columns)?;
    let control = Arc::new(Control::new(deadline(timeout), memory));
    let (quick, shared) = (history.len() < QUICK, Arc::clone(&control));
    let work = move || {
        let model = Model { name: &model, options: &options, values: &values };
        linpoint_replay::replay(&history, &model, &order, threads, &shared)
    };
    let judgement = if quick {
        py.detach(work)
    } else {
        match enter(py, &control, &Arc::default(), None, work)? {
            Entered::Done(Judgement::Stopped(cause), _) | Entered::Abandoned(cause) => Judgement::Stopped(cause),
            Entered::Done(_, Some(ctrl_c)) => return Err(ctrl_c),
            Entered::Done(judgement, None) => judgement,
        }
    };
    Ok(match judgement {
        Judgement::Right => ("right", None, String::new()),
        Judgement::Wrong { operation, why } => ("wrong", Some(operation), why),
        Judgement::CannotTell => ("cannot tell", None, String::new()),
        Judgement::Stopped(cause) => ("stopped", None, words(cause)),
    })
}
