//! Checking, as Python calls it: compile, enter the door, judge, report.

use crate::columns::{Columns, fields_named};
use crate::convert::from_python;
use crate::door::{Entered, deadline, enter};
use crate::errors::{ModelError, model_error};
use crate::python_spec::{self, Shared};
use crate::user_code::UserCode;
use linpoint_base::{Cause, Control};
use linpoint_check::{Evidence, HEAD_START, METHODS, Outcome, Settings, Verdict, judge};
use linpoint_history::History;
use linpoint_spec::{Model, Options, Part};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What both entries take beside the model.
struct Request<'py> {
    settings: Settings,
    control: Arc<Control>,
    progress: Option<Bound<'py, PyAny>>,
}

impl<'py> Request<'py> {
    fn new(
        method: &str,
        cache: Option<usize>,
        timeout: Option<f64>,
        memory: usize,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let method = linpoint_check::method(method).ok_or_else(|| {
            let names = METHODS.map(|method| method.name()).join(", ");
            ModelError::new_err((format!("there is no method {method:?}; methods: {names}"), None::<usize>))
        })?;
        let settings = Settings { method, cache, threads, head_start: HEAD_START };
        Ok(Request { settings, control: Arc::new(Control::new(deadline(timeout), memory)), progress })
    }

    /// Judges the parts.
    fn judge(
        &self,
        py: Python<'py>,
        history: &Arc<History>,
        parts: Vec<Part>,
        user: &Arc<UserCode>,
    ) -> PyResult<Outcome> {
        let (settings, control, history) = (self.settings, Arc::clone(&self.control), Arc::clone(history));
        let count = parts.len();
        let work = move || judge(&history, &parts, settings, &control);
        Ok(match enter(py, &self.control, user, self.progress.as_ref(), work)? {
            Entered::Done(outcome) => outcome,
            Entered::Abandoned(cause) => Outcome {
                verdict: Verdict::Unknown(cause),
                witness: None,
                evidence: Evidence::default(),
                part: None,
                method: "abandoned",
                why_method: String::new(),
                core: Vec::new(),
                relevant: Vec::new(),
                parts: count,
                configurations: self.control.progress().1,
            },
        })
    }
}

#[pyfunction]
#[pyo3(signature = (columns, model, options, *, method, partition, cache, timeout, memory, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub fn check_native<'py>(
    py: Python<'py>,
    columns: &Columns,
    model: &str,
    options: &Bound<'py, PyDict>,
    method: &str,
    partition: bool,
    cache: Option<usize>,
    timeout: Option<f64>,
    memory: usize,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let begun = Instant::now();
    let request = Request::new(method, cache, timeout, memory, threads, progress)?;
    let history = &columns.history;
    let mut values = Arc::clone(&history.values);
    let mut entries = Vec::new();
    for (name, value) in options.iter() {
        entries.push((name.extract::<String>()?, from_python(&value, Arc::make_mut(&mut values))?));
    }
    let model = Model { name: model.to_owned(), options: Options::new(entries) };
    let parts = py.detach(|| model.compile(history, &values, partition)).map_err(model_error)?;
    let outcome = request.judge(py, history, parts, &Arc::default())?;
    report(py, outcome, begun.elapsed())
}

#[pyfunction]
#[pyo3(signature = (columns, adapter, fields, *, method, partition, cache, timeout, memory, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub fn check_python<'py>(
    py: Python<'py>,
    columns: &Columns,
    adapter: &Bound<'py, PyAny>,
    fields: Vec<String>,
    method: &str,
    partition: bool,
    cache: Option<usize>,
    timeout: Option<f64>,
    memory: usize,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let begun = Instant::now();
    let request = Request::new(method, cache, timeout, memory, threads, progress)?;
    let (codes, examples) = columns.kinds_of_operations(&fields_named(&fields)?);
    let shared = Arc::new(Shared::new(py, adapter, examples.len(), &request.control)?);
    let parts = python_spec::compile(adapter, columns, (&codes, examples.len()), &shared, partition)?;
    let judged = request.judge(py, &columns.history, parts, &shared.user);
    if let Some(failure) = shared.take_failure() {
        return Err(failure);
    }
    let mut outcome = judged?;
    if let (Verdict::Unknown(Cause::Broken(_)), Some(cause)) = (&outcome.verdict, shared.halted()) {
        outcome.verdict = Verdict::Unknown(cause); // a budget ended user code: nothing is broken
    }
    report(py, outcome, begun.elapsed())
}

/// The report as a dict (see `Report` in the stub).
fn report<'py>(py: Python<'py>, outcome: Outcome, took: Duration) -> PyResult<Bound<'py, PyDict>> {
    let (verdict, cause) = match outcome.verdict {
        Verdict::Linearizable => ("linearizable", None),
        Verdict::Violation => ("violation", None),
        Verdict::Unknown(cause) => ("unknown", Some(words(cause))),
    };
    let candidates = outcome.evidence.candidates.iter().map(|candidate| {
        let dict = PyDict::new(py);
        dict.set_item("order", &candidate.order)?;
        dict.set_item("state", &candidate.state)?;
        Ok(dict)
    });
    let dict = PyDict::new(py);
    dict.set_item("verdict", verdict)?;
    dict.set_item("method", outcome.method)?;
    dict.set_item("why_method", outcome.why_method)?;
    dict.set_item("core", outcome.core)?;
    dict.set_item("relevant", outcome.relevant)?;
    dict.set_item("seconds", took.as_secs_f64())?;
    dict.set_item("configurations", outcome.configurations)?;
    dict.set_item("parts", outcome.parts)?;
    dict.set_item("part", outcome.part)?;
    dict.set_item("cause", cause)?;
    dict.set_item("witness", outcome.witness)?;
    dict.set_item("stuck", outcome.evidence.stuck)?;
    let longest = outcome.evidence.candidates.iter().map(|c| &c.order).max_by_key(|order| order.len());
    dict.set_item("prefix", longest.cloned().unwrap_or_default())?;
    dict.set_item("candidates", candidates.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("frontier", &outcome.evidence.frontier)?;
    Ok(dict)
}

/// The cause in the words of `Cause` in Python.
pub fn words(cause: Cause) -> String {
    match cause {
        Cause::Time => "time".into(),
        Cause::Memory => "memory".into(),
        Cause::Work => "work".into(),
        Cause::Interrupted | Cause::Moot => "interrupted".into(),
        Cause::Broken(message) => format!("gave up: {message}"),
        Cause::Declined(why) => format!("declined: {why}"),
    }
}
