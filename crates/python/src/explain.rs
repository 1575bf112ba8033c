//! Explaining a violation, as Python calls it: compile again, find the part of the accused operation, enter the door.
//!
//! The parts are those of a partitioned check, however the check was done: what is true of a part is true of the whole.

use crate::check::{native_parts, python_parts};
use crate::columns::Columns;
use crate::door::{Entered, deadline, enter};
use crate::evidence::Shrunk;
use crate::user_code::UserCode;
use linpoint_base::Control;
use linpoint_check::{Effort, explain, states_after};
use linpoint_spec::{Part, StepError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// What both entries take beside the model: a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Request {
    accused: u32,
    conflict: Vec<u32>,
    work: u64,
    timeout: Option<f64>,
    memory: usize,
}

impl Request {
    fn control(&self) -> Arc<Control> {
        Arc::new(Control::new(deadline(self.timeout), self.memory))
    }

    fn run(
        self,
        py: Python<'_>,
        parts: Vec<Part>,
        control: &Arc<Control>,
        user: &Arc<UserCode>,
    ) -> PyResult<Option<Shrunk>> {
        let Some(part) = parts.into_iter().find(|part| part.ops.contains(&self.accused)) else {
            return Ok(None);
        };
        let (shared, label) = (Arc::clone(control), part.label.clone());
        let effort = Effort { work: self.work, ..Effort::default() };
        let work = move || explain(&part, self.accused, &self.conflict, effort, &shared);
        match enter(py, control, user, None, work)? {
            Entered::Done(_, Some(ctrl_c)) => Err(ctrl_c),
            Entered::Done(Ok(found), None) => Ok(found.map(|found| Shrunk::of(found, label))),
            // The model failed, which its caller tells in the user's words; or there was no time.
            Entered::Done(Err(StepError(_)), None) | Entered::Abandoned(_) => Ok(None),
        }
    }
}

#[pyfunction]
pub fn explain_native(
    py: Python<'_>,
    columns: &Columns,
    model: &str,
    options: &Bound<'_, PyDict>,
    request: Request,
) -> PyResult<Option<Shrunk>> {
    let control = request.control();
    match native_parts(py, columns, model, options, (true, &control))? {
        Ok(parts) => request.run(py, parts, &control, &Arc::default()),
        Err(ended) => ended.ctrl_c.map_or(Ok(None), Err),
    }
}

/// The states that an order leads to, in words; None if there are too many to tell.
type States = Option<Vec<String>>;

/// How many parts there are, the label of that of `accused`, and for each order of its operations the states in words that it
/// leads to: none if the model refuses one of them, or if one is not of this part; None if there are too many to tell.
#[pyfunction]
pub fn states_native(
    py: Python<'_>,
    columns: &Columns,
    model: &str,
    options: &Bound<'_, PyDict>,
    accused: u32,
    orders: Vec<Vec<u32>>,
) -> PyResult<(usize, Option<String>, Vec<States>)> {
    let control = Arc::new(Control::new(None, usize::MAX));
    let parts = match native_parts(py, columns, model, options, (true, &control))? {
        Ok(parts) => parts,
        Err(ended) => return ended.ctrl_c.map_or_else(|| unreachable!("only Ctrl-C ends it"), Err),
    };
    let count = parts.len();
    let Some(part) = parts.into_iter().find(|part| part.ops.contains(&accused)) else {
        return Ok((count, None, vec![Some(Vec::new()); orders.len()]));
    };
    let (label, asked) = (part.label.clone(), orders.len());
    let watched = Arc::clone(&control);
    let work = move || states_after(&part, &orders, &watched);
    let states = match enter(py, &control, &Arc::default(), None, work)? {
        Entered::Done(_, Some(ctrl_c)) => return Err(ctrl_c),
        Entered::Done(Ok(found), None) => found,
        Entered::Done(Err(StepError(_)), None) | Entered::Abandoned(_) => vec![None; asked],
    };
    Ok((count, label, states))
}

#[pyfunction]
pub fn explain_python(
    py: Python<'_>,
    columns: &Columns,
    adapter: &Bound<'_, PyAny>,
    fields: Vec<String>,
    request: Request,
) -> PyResult<Option<Shrunk>> {
    let control = request.control();
    let (shared, parts) = python_parts(py, columns, adapter, &fields, true, &control)?;
    let found = request.run(py, parts, &control, &shared.user);
    match shared.take_failure() {
        Some(failure) => Err(failure),
        None => found,
    }
}
