//! Checking, as Python calls it: compile, enter the door, judge, report.

use crate::columns::{Columns, fields_named};
use crate::convert::from_python;
use crate::door::{Entered, at_home, deadline, enter};
use crate::errors::{ModelError, model_error};
use crate::evidence::Outcome;
use crate::python_spec::{self, Shared};
use crate::user_code::UserCode;
use linpoint_base::{Cause, Control};
use linpoint_check::{Evidence, HEAD_START, METHODS, Settings, Stuck, Verdict, judge};
use linpoint_history::{History, Value, ValueId, Values};
use linpoint_spec::{Model, ModelError as CoreModelError, Options, Part};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use std::time::Instant;

/// A history of no more operations than this may be judged in the calling thread.
const SHORT: usize = 2_000;
/// For so many configurations, and four per operation: milliseconds, so Ctrl-C may wait for the end.
const LITTLE_WORK: u64 = 6_000;

/// What both entries take beside the model: a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Request<'py> {
    method: String,
    partition: bool,
    cache: Option<usize>,
    depth: Option<usize>,
    proof: bool,
    timeout: Option<f64>,
    memory: usize,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
    /// Is called with the answer before anything can be raised: then no Ctrl-C loses it.
    keep: Bound<'py, PyAny>,
}

impl<'py> Request<'py> {
    fn control(&self) -> Arc<Control> {
        Arc::new(Control::new(deadline(self.timeout), self.memory))
    }

    fn settings(&self) -> PyResult<Settings> {
        let method = linpoint_check::method(&self.method).ok_or_else(|| {
            let names = METHODS.iter().map(|method| method.name()).collect::<Vec<_>>().join(", ");
            ModelError::new_err((format!("there is no method {:?}; methods: {names}", self.method), None::<usize>))
        })?;
        let (cache, depth, proof, threads) = (self.cache, self.depth, self.proof, self.threads);
        Ok(Settings { method, cache, depth, proof, threads, head_start: HEAD_START })
    }

    /// Judges the parts of a short history in the calling thread, if little work is enough: starting a thread would take longer.
    fn judge_at_once(
        &self,
        py: Python<'py>,
        history: &History,
        parts: &[Part],
        control: &Control,
    ) -> PyResult<Option<linpoint_check::Outcome>> {
        let settings = self.settings()?;
        if history.len() > SHORT || settings.method.name() != "auto" {
            return Ok(None);
        }
        let control = control.for_work(LITTLE_WORK + 4 * history.len() as u64);
        let outcome = py.detach(|| judge(history, parts, settings, &control));
        let cut_short = control.expired() == Some(Cause::Work) && lacks_evidence(&outcome);
        Ok((!cut_short).then_some(outcome))
    }

    /// Judges the parts, `user` if they run user code: the answer, and Ctrl-C if it came too late for the answer to tell.
    fn judge(
        &self,
        py: Python<'py>,
        history: &Arc<History>,
        parts: Vec<Part>,
        (control, user): (&Arc<Control>, Option<&Arc<UserCode>>),
    ) -> PyResult<(linpoint_check::Outcome, Option<PyErr>)> {
        let settings = self.settings()?;
        let (history, count) = (Arc::clone(history), parts.len());
        let shared = Arc::clone(control);
        let work = move || judge(&history, &parts, settings, &shared);
        let entered = match user {
            None => enter(py, control, &Arc::default(), self.progress.as_ref(), work)?,
            Some(user) => enter(py, control, user, self.progress.as_ref(), || at_home(work))?,
        };
        Ok(match entered {
            Entered::Done(outcome, _) if outcome.verdict == Verdict::Unknown(Cause::Interrupted) => (outcome, None),
            Entered::Done(outcome, ctrl_c) => (outcome, ctrl_c),
            Entered::Abandoned(cause) => (unknown(cause, "abandoned", count, control), None),
        })
    }

    /// Hands the answer over; then Ctrl-C, if it is still to be told.
    fn give(
        &self,
        py: Python<'py>,
        (outcome, ctrl_c): (linpoint_check::Outcome, Option<PyErr>),
        begun: Instant,
    ) -> PyResult<()> {
        self.keep.call1((Outcome::of(py, outcome, begun.elapsed())?,))?;
        ctrl_c.map_or(Ok(()), Err)
    }
}

/// Could more work still tell a verdict, or the place of a violation?
fn lacks_evidence(outcome: &linpoint_check::Outcome) -> bool {
    match (&outcome.verdict, &outcome.evidence) {
        (Verdict::Linearizable, _) => false,
        (
            Verdict::Violation,
            Evidence::Stuck(stuck) | Evidence::Conflict { stuck, .. } | Evidence::Derivation { stuck, .. },
        ) => stuck.candidates.is_empty(),
        _ => true,
    }
}

/// The answer of a check that was ended before it had one.
fn unknown(cause: Cause, method: &'static str, parts: usize, control: &Control) -> linpoint_check::Outcome {
    linpoint_check::Outcome {
        verdict: Verdict::Unknown(cause),
        evidence: Evidence::Stuck(Stuck::default()),
        part: None,
        method,
        why_method: String::new(),
        parts,
        configurations: control.progress().1,
        hits: None,
        proof: None,
    }
}

#[pyfunction]
pub fn check_native<'py>(
    py: Python<'py>,
    columns: &Columns,
    model: &str,
    options: &Bound<'py, PyDict>,
    request: Request<'py>,
) -> PyResult<()> {
    let begun = Instant::now();
    let control = request.control();
    let judged = match native_parts(py, columns, model, options, (request.partition, &control))? {
        Err(Ended { cause, .. }) => (unknown(cause, "none", 1, &control), None),
        Ok(parts) => match request.judge_at_once(py, &columns.history, &parts, &control)? {
            Some(outcome) => (outcome, None),
            None => request.judge(py, &columns.history, parts, (&control, None))?,
        },
    };
    request.give(py, judged, begun)
}

/// Why there are no parts: the budget was used up, or Ctrl-C was pressed, which is then to be raised.
pub struct Ended {
    pub cause: Cause,
    pub ctrl_c: Option<PyErr>,
}

/// The parts of a history under a shipped model: those of a long history through the door.
pub fn native_parts(
    py: Python<'_>,
    columns: &Columns,
    model: &str,
    options: &Bound<'_, PyDict>,
    (partition, control): (bool, &Arc<Control>),
) -> PyResult<Result<Vec<Part>, Ended>> {
    let (entries, values) = options_of(options, columns)?;
    columns.keep(&values);
    let model = Model { name: model.to_owned(), options: Options::new(entries) };
    let (history, shared) = (Arc::clone(&columns.history), Arc::clone(control));
    let is_short = history.len() <= SHORT;
    let work = move || model.compile_within(&history, &values, partition, &shared);
    let (compiled, ctrl_c) = if is_short {
        (py.detach(work), None)
    } else {
        match enter(py, control, &Arc::default(), None, work)? {
            Entered::Done(compiled, ctrl_c) => (compiled, ctrl_c),
            Entered::Abandoned(_) => unreachable!("native work is waited for"),
        }
    };
    match (compiled, ctrl_c) {
        (Err(CoreModelError::Stopped(cause)), ctrl_c) => Ok(Err(Ended { cause, ctrl_c })),
        (Ok(_), Some(ctrl_c)) => Ok(Err(Ended { cause: Cause::Interrupted, ctrl_c: Some(ctrl_c) })),
        (compiled, _) => compiled.map(Ok).map_err(model_error),
    }
}

/// Options by name, as values, and the table that they and the values of the history are in.
type Given = (Vec<(String, ValueId)>, Arc<Values>);

/// The options of a model.
pub fn options_of(options: &Bound<'_, PyDict>, columns: &Columns) -> PyResult<Given> {
    let mut values = columns.widest();
    let mut entries = Vec::new();
    for (name, value) in options.iter() {
        let known = value.extract::<String>().ok().and_then(|text| values.find(&Value::Text(text.into())));
        let id = match known {
            Some(known) => known,
            None => from_python(&value, Arc::make_mut(&mut values))?,
        };
        entries.push((name.extract::<String>()?, id));
    }
    Ok((entries, values))
}

#[pyfunction]
pub fn check_python<'py>(
    py: Python<'py>,
    columns: &Columns,
    adapter: &Bound<'py, PyAny>,
    fields: Vec<String>,
    request: Request<'py>,
) -> PyResult<()> {
    let begun = Instant::now();
    let control = request.control();
    let (shared, parts) = python_parts(py, columns, adapter, &fields, request.partition, &control)?;
    let judged = request.judge(py, &columns.history, parts, (&control, Some(&shared.user)));
    if let Some(failure) = shared.take_failure() {
        return Err(failure);
    }
    let (mut outcome, ctrl_c) = judged?;
    if let (Verdict::Unknown(Cause::Broken(_)), Some(cause)) = (&outcome.verdict, shared.halted()) {
        outcome.verdict = Verdict::Unknown(cause); // a budget ended user code: nothing is broken
    }
    request.give(py, (outcome, ctrl_c), begun)
}

/// The parts of a history under a model in Python, and what their specifications share.
pub fn python_parts(
    py: Python<'_>,
    columns: &Columns,
    adapter: &Bound<'_, PyAny>,
    fields: &[String],
    partition: bool,
    control: &Arc<Control>,
) -> PyResult<(Arc<Shared>, Vec<Part>)> {
    let (codes, examples) = columns.kinds_of_operations(&fields_named(fields)?);
    let shared = Arc::new(Shared::new(py, adapter, examples.len(), control, &Arc::default())?);
    let parts = python_spec::compile(adapter, columns, (&codes, examples.len()), &shared, partition)?;
    Ok((shared, parts))
}
