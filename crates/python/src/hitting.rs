//! Hitting families and linearizability depth, as Python asks for them: through the door, some schedules at a time.

use crate::check::{native_parts, python_parts};
use crate::columns::Columns;
use crate::door::{Entered, at_home, deadline, enter};
use crate::errors::{ModelError, Stopped};
use crate::evidence::words;
use crate::user_code::UserCode;
use linpoint_base::{Account, Cause, Control};
use linpoint_check::hitting::depth::{Depth, MOST_OPERATIONS, depth};
use linpoint_check::hitting::family::{Family, Novelty, Schedules};
use linpoint_check::hitting::poset::Poset;
use linpoint_spec::{Part, StepError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, PoisonError};

/// A strong d-hitting family in the making.
#[pyclass(frozen, module = "linpoint._core")]
pub struct HittingFamily {
    /// The operations of the history by their numbers in the poset.
    operations: Vec<u32>,
    making: Arc<Mutex<Making>>,
}

struct Making {
    family: Family,
    seen: Schedules,
    width: usize,
}

impl Making {
    /// Makes up to `count` further distinct schedules: how many there were before.
    fn more(&mut self, count: usize, control: &Control) -> Result<usize, Cause> {
        let mut account = Account::alone(control);
        let (before, mut unpolled) = (self.seen.len(), 0);
        while self.seen.len() < before + count {
            let Some(schedule) = self.family.next() else { break };
            let is_new = self.seen.insert(schedule, 0) == Novelty::New;
            unpolled += self.width;
            if unpolled > 1 << 14 || (is_new && self.width > 1 << 14) {
                unpolled = 0;
                if let Some(cause) = account.poll(self.seen.bytes(), 0) {
                    return Err(cause);
                }
            }
        }
        Ok(before)
    }
}

#[pymethods]
impl HittingFamily {
    #[new]
    fn new(columns: &Columns, depth: usize) -> Self {
        let (poset, operations) = Poset::of_history(&columns.history);
        let (width, poset) = (poset.len(), Arc::new(poset));
        let making = Making { family: Family::new(&poset, depth), seen: Schedules::new(width), width };
        HittingFamily { operations, making: Arc::new(Mutex::new(making)) }
    }

    /// The next distinct schedules, up to `count`; none when the family is over.
    #[pyo3(signature = (count, *, timeout, memory))]
    fn more(&self, py: Python<'_>, count: usize, timeout: Option<f64>, memory: usize) -> PyResult<Vec<Vec<u32>>> {
        let control = Arc::new(Control::new(deadline(timeout), memory));
        let (making, watched) = (Arc::clone(&self.making), Arc::clone(&control));
        let work = move || making.lock().unwrap_or_else(PoisonError::into_inner).more(count, &watched);
        let before = match enter(py, &control, &Arc::default(), None, work)? {
            Entered::Done(Ok(_), Some(ctrl_c)) => return Err(ctrl_c),
            Entered::Done(Ok(before), None) => before,
            Entered::Done(Err(cause), _) | Entered::Abandoned(cause) => return Err(stopped(cause)),
        };
        let making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let named = |schedule: &[u32]| schedule.iter().map(|&op| self.operations[op as usize]).collect();
        Ok((before..making.seen.len()).map(|number| named(making.seen.get(number))).collect())
    }
}

fn stopped(cause: Cause) -> PyErr {
    Stopped::new_err((words(cause),))
}

#[pyfunction]
#[pyo3(signature = (columns, model, options, *, timeout, memory))]
pub fn depth_native(
    py: Python<'_>,
    columns: &Columns,
    model: &str,
    options: &Bound<'_, PyDict>,
    timeout: Option<f64>,
    memory: usize,
) -> PyResult<Option<usize>> {
    let control = Arc::new(Control::new(deadline(timeout), memory));
    let parts = match native_parts(py, columns, model, options, (false, &control))? {
        Ok(parts) => parts,
        Err(ended) => return Err(ended.ctrl_c.unwrap_or_else(|| stopped(ended.cause))),
    };
    found(ask(py, parts, &Arc::default(), &control)?)
}

#[pyfunction]
#[pyo3(signature = (columns, adapter, fields, *, timeout, memory))]
pub fn depth_python(
    py: Python<'_>,
    columns: &Columns,
    adapter: &Bound<'_, PyAny>,
    fields: Vec<String>,
    timeout: Option<f64>,
    memory: usize,
) -> PyResult<Option<usize>> {
    let control = Arc::new(Control::new(deadline(timeout), memory));
    let (shared, parts) = python_parts(py, columns, adapter, &fields, false, &control)?;
    let answer = ask(py, parts, &shared.user, &control);
    if let Some(failure) = shared.take_failure() {
        return Err(failure);
    }
    match (answer?, shared.halted()) {
        (Err(StepError(_)), Some(cause)) => Err(stopped(cause)), // a budget ended user code: nothing is broken
        (answer, _) => found(answer),
    }
}

/// The depth of a history in one part.
fn ask(
    py: Python<'_>,
    mut parts: Vec<Part>,
    user: &Arc<UserCode>,
    control: &Arc<Control>,
) -> PyResult<Result<Depth, StepError>> {
    let part = parts.remove(0);
    if part.ops.len() > MOST_OPERATIONS {
        let message = format!("a depth is looked for in up to {MOST_OPERATIONS} operations, not in {}", part.ops.len());
        return Err(ModelError::new_err((message, None::<usize>)));
    }
    let watched = Arc::clone(control);
    Ok(match enter(py, control, user, None, move || at_home(|| depth(&part, &watched)))? {
        Entered::Done(Ok(Depth::Unknown(cause)), _) | Entered::Abandoned(cause) => Ok(Depth::Unknown(cause)),
        Entered::Done(_, Some(ctrl_c)) => return Err(ctrl_c),
        Entered::Done(answer, None) => answer,
    })
}

/// None if the history is not linearizable.
fn found(answer: Result<Depth, StepError>) -> PyResult<Option<usize>> {
    match answer {
        Ok(Depth::Is(depth)) => Ok(Some(depth)),
        Ok(Depth::NotLinearizable) => Ok(None),
        Ok(Depth::Unknown(cause)) => Err(stopped(cause)),
        Err(StepError(message)) => Err(ModelError::new_err((message, None::<usize>))),
    }
}
