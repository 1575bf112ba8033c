//! Explaining a violation, as Python calls it: compile again, find the part of the accused operation, enter the door.
//!
//! The parts are those of a partitioned check, however the check was done: what is true of a part is true of the whole.

use crate::check::{native_parts, python_parts};
use crate::columns::Columns;
use crate::door::{Entered, deadline, enter};
use crate::evidence::Shrunk;
use crate::user_code::UserCode;
use linpoint_base::Control;
use linpoint_check::{Effort, explain};
use linpoint_spec::{Part, StepError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// What both entries take beside the model.
struct Request {
    accused: u32,
    conflict: Vec<u32>,
    work: u64,
    control: Arc<Control>,
}

impl Request {
    fn new(accused: u32, conflict: Vec<u32>, work: u64, timeout: Option<f64>, memory: usize) -> Self {
        Request { accused, conflict, work, control: Arc::new(Control::new(deadline(timeout), memory)) }
    }

    fn run(self, py: Python<'_>, parts: Vec<Part>, user: &Arc<UserCode>) -> PyResult<Option<Shrunk>> {
        let Some(part) = parts.into_iter().find(|part| part.ops.contains(&self.accused)) else {
            return Ok(None);
        };
        let control = Arc::clone(&self.control);
        let effort = Effort { work: self.work, ..Effort::default() };
        let work = move || explain(&part, self.accused, &self.conflict, effort, &control);
        match enter(py, &self.control, user, None, work)? {
            Entered::Done(Ok(found)) => Ok(found.map(Shrunk::from)),
            // The model failed, which its caller tells in the user's words; or there was no time.
            Entered::Done(Err(StepError(_))) | Entered::Abandoned(_) => Ok(None),
        }
    }
}

#[pyfunction]
#[pyo3(signature = (columns, model, options, accused, conflict, *, work, timeout, memory))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub fn explain_native(
    py: Python<'_>,
    columns: &Columns,
    model: &str,
    options: &Bound<'_, PyDict>,
    accused: u32,
    conflict: Vec<u32>,
    work: u64,
    timeout: Option<f64>,
    memory: usize,
) -> PyResult<Option<Shrunk>> {
    let request = Request::new(accused, conflict, work, timeout, memory);
    request.run(py, native_parts(py, columns, model, options, true)?, &Arc::default())
}

#[pyfunction]
#[pyo3(signature = (columns, adapter, fields, accused, conflict, *, work, timeout, memory))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub fn explain_python(
    py: Python<'_>,
    columns: &Columns,
    adapter: &Bound<'_, PyAny>,
    fields: Vec<String>,
    accused: u32,
    conflict: Vec<u32>,
    work: u64,
    timeout: Option<f64>,
    memory: usize,
) -> PyResult<Option<Shrunk>> {
    let request = Request::new(accused, conflict, work, timeout, memory);
    let (shared, parts) = python_parts(py, columns, adapter, &fields, true, &request.control)?;
    let found = request.run(py, parts, &shared.user);
    match shared.take_failure() {
        Some(failure) => Err(failure),
        None => found,
    }
}
