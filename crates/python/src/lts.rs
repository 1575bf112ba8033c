//! Labelled transition systems, as Python holds them: the transitions stay on this side.

use crate::door::{Entered, enter};
use crate::errors::{ReadError, Stopped};
use crate::evidence::words;
use crate::patient::Patient;
use linpoint_base::{Cause, Control};
use linpoint_equiv as equiv;
use linpoint_equiv::{Comparison, Equivalence, Labels, Node, ReadFailure, TAU};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::fs::File;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A system: immutable, shared, cheap to hand around.
#[pyclass(frozen, module = "linpoint._core", name = "Lts")]
pub struct PyLts {
    lts: Arc<equiv::Lts>,
}

impl PyLts {
    pub(crate) fn of(lts: equiv::Lts) -> Self {
        PyLts { lts: Arc::new(lts) }
    }
}

/// What every entry takes beside its question.
pub(crate) struct Budget<'py> {
    control: Arc<Control>,
    progress: Option<Bound<'py, PyAny>>,
}

impl<'py> Budget<'py> {
    fn new(timeout: Option<f64>, memory: usize, progress: Option<Bound<'py, PyAny>>) -> Self {
        Budget::limited(timeout, memory, None, progress)
    }

    /// With a limit on the work: states, transitions, whatever the engine counts.
    pub(crate) fn limited(
        timeout: Option<f64>,
        memory: usize,
        work: Option<u64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> Self {
        let wait = timeout.map(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX));
        let deadline = wait.and_then(|wait| Instant::now().checked_add(wait));
        let control = Control::new(deadline, memory).with_work(work.unwrap_or(u64::MAX));
        Budget { control: Arc::new(control), progress }
    }

    /// Works through the door. What was abandoned has the cause of that.
    pub(crate) fn spend<T: Send + 'static>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&Control) -> Result<T, Cause> + Send + 'static,
    ) -> PyResult<Result<T, Cause>> {
        let (control, no_user_code) = (Arc::clone(&self.control), Arc::default());
        match enter(py, &self.control, &no_user_code, self.progress.as_ref(), move || work(&control))? {
            Entered::Done(Ok(_), Some(ctrl_c)) => Err(ctrl_c),
            Entered::Done(outcome, _) => Ok(outcome),
            Entered::Abandoned(cause) => Ok(Err(cause)),
        }
    }
}

pub(crate) fn stopped(cause: Cause) -> PyErr {
    Stopped::new_err((words(cause),))
}

fn equivalence_named(name: &str) -> PyResult<Equivalence> {
    Equivalence::from_name(name).ok_or_else(|| PyValueError::new_err(format!("there is no equivalence {name:?}")))
}

#[pymethods]
impl PyLts {
    /// A system from (source, label, target); no label (None) is an internal step.
    #[staticmethod]
    fn from_transitions(initial: u32, states: u64, transitions: Vec<(u32, Option<String>, u32)>) -> Self {
        let mut labels = Labels::default();
        let named: Vec<(u32, u32, u32)> = transitions
            .into_iter()
            .map(|(source, label, target)| (source, label.map_or(TAU, |name| labels.intern_visible(&name)), target))
            .collect();
        PyLts::of(equiv::Lts::from_transitions(labels, initial, states, &named))
    }

    #[getter]
    fn states(&self) -> u64 {
        self.lts.states
    }

    #[getter]
    fn transitions(&self) -> usize {
        self.lts.transitions()
    }

    #[getter]
    fn initial(&self) -> u32 {
        self.lts.initial
    }

    /// The visible labels that occur, sorted.
    fn labels(&self) -> Vec<String> {
        let mut occurs = vec![false; self.lts.labels.len()];
        self.lts.all().for_each(|(_, label, _)| occurs[label as usize] = true);
        let visible = (1..occurs.len() as u32).filter(|&label| occurs[label as usize]);
        let mut names: Vec<String> = visible.map(|label| self.lts.labels.name(label).to_owned()).collect();
        names.sort_unstable();
        names
    }

    /// The transitions of a state as (label or None, target).
    fn row(&self, state: u64) -> PyResult<Vec<(Option<&str>, u32)>> {
        if state >= self.lts.states {
            return Err(PyIndexError::new_err(format!("state {state} of {}", self.lts.states)));
        }
        if state >= self.lts.rows() as u64 {
            return Ok(Vec::new());
        }
        let name = |label: u32| (label != TAU).then(|| self.lts.labels.name(label));
        Ok(self.lts.row(state as u32).map(|(label, target)| (name(label), target)).collect())
    }

    /// (reachable states, internal transitions, reachable deadlocks, reachable states on an internal cycle).
    fn facts(&self, py: Python<'_>) -> (usize, usize, usize, usize) {
        let lts = &self.lts;
        py.detach(|| {
            let facts = lts.facts();
            (facts.reachable, facts.internal, facts.deadlocks, facts.divergent)
        })
    }

    fn to_aut<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, py.detach(|| equiv::write::aut(&self.lts)).as_bytes())
    }

    fn to_dot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, py.detach(|| equiv::write::dot(&self.lts)).as_bytes())
    }
}

/// A failure to read that is not the budget's.
enum Unreadable {
    Io(std::io::Error),
    Syntax(u64, usize, String),
}

#[pyfunction]
#[pyo3(signature = (path, internal, *, timeout, memory, progress))]
pub fn lts_read<'py>(
    py: Python<'py>,
    path: String,
    internal: Vec<String>,
    timeout: Option<f64>,
    memory: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<PyLts> {
    let name = path.clone();
    let budget = Budget::new(timeout, memory, progress);
    let outcome = budget.spend(py, move |control| load(path, &internal, control))?;
    outcome.map_err(stopped)?.map(PyLts::of).map_err(|error| unreadable(py, error, &name))
}

/// Reads and reduces; what was read is given back as soon as it is not needed.
#[pyfunction]
#[pyo3(signature = (path, internal, equivalence, *, timeout, memory, progress))]
pub fn lts_reduce_file<'py>(
    py: Python<'py>,
    path: String,
    internal: Vec<String>,
    equivalence: &str,
    timeout: Option<f64>,
    memory: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(u64, usize, PyLts, f64, f64)> {
    let (name, equivalence) = (path.clone(), equivalence_named(equivalence)?);
    let budget = Budget::new(timeout, memory, progress);
    let outcome = budget.spend(py, move |control| {
        let begun = Instant::now();
        let lts = match load(path, &internal, control)? {
            Ok(lts) => lts,
            Err(error) => return Ok(Err(error)),
        };
        let (loaded, size) = (begun.elapsed(), (lts.states, lts.transitions()));
        let reduced = equiv::reduce_owned(lts, equivalence, control)?;
        Ok(Ok((size, reduced, loaded, begun.elapsed() - loaded)))
    })?;
    let ((states, transitions), reduced, loaded, took) =
        outcome.map_err(stopped)?.map_err(|error| unreadable(py, error, &name))?;
    Ok((states, transitions, PyLts::of(reduced), loaded.as_secs_f64(), took.as_secs_f64()))
}

/// Reads; the outer error is the budget's.
fn load(path: String, internal: &[String], control: &Control) -> Result<Result<equiv::Lts, Unreadable>, Cause> {
    let internal: Vec<&str> = internal.iter().map(String::as_str).collect();
    match read_from(path, &internal, control) {
        Err(ReadFailure::Io(error)) if error.kind() == std::io::ErrorKind::TimedOut => {
            Err(control.expired().unwrap_or(Cause::Time))
        }
        Ok(lts) => Ok(Ok(lts)),
        Err(ReadFailure::Stopped(cause)) => Err(cause),
        Err(ReadFailure::Io(error)) => Ok(Err(Unreadable::Io(error))),
        Err(ReadFailure::Syntax { line, column, message }) => Ok(Err(Unreadable::Syntax(line, column, message))),
    }
}

fn unreadable(py: Python<'_>, error: Unreadable, file: &str) -> PyErr {
    match error {
        Unreadable::Syntax(line, column, message) => ReadError::new_err((message, file.to_owned(), line, column)),
        Unreadable::Io(error) => io_error(py, &error, file),
    }
}

/// Reads a file at once, and a pipe or standard input as the bytes come.
fn read_from(path: String, internal: &[&str], control: &Control) -> Result<equiv::Lts, ReadFailure> {
    if path == "-" {
        let input = Patient::new(|| Ok(std::io::stdin()), control).map_err(ReadFailure::Io)?;
        return equiv::read(input, internal, control);
    }
    if std::fs::metadata(&path).map_err(ReadFailure::Io)?.is_file() {
        return equiv::read(File::open(path).map_err(ReadFailure::Io)?, internal, control);
    }
    let input = Patient::new(move || File::open(path), control).map_err(ReadFailure::Io)?;
    equiv::read(input, internal, control)
}

/// An OSError that names the file, as Python's own do.
fn io_error(py: Python<'_>, error: &std::io::Error, file: &str) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return pyo3::exceptions::PyOSError::new_err(format!("{file}: {error}"));
    };
    let words = py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
    pyo3::exceptions::PyOSError::new_err((number, words.unwrap_or_else(|_| error.to_string()), file.to_owned()))
}

#[pyfunction]
#[pyo3(signature = (lts, equivalence, *, timeout, memory, progress))]
pub fn lts_reduce<'py>(
    py: Python<'py>,
    lts: &PyLts,
    equivalence: &str,
    timeout: Option<f64>,
    memory: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<PyLts> {
    let (lts, equivalence) = (Arc::clone(&lts.lts), equivalence_named(equivalence)?);
    let budget = Budget::new(timeout, memory, progress);
    let reduced = budget.spend(py, move |control| equiv::reduce(&lts, equivalence, control))?;
    reduced.map(PyLts::of).map_err(stopped)
}

#[pyfunction]
#[pyo3(signature = (lts, other, equivalence, *, timeout, memory, progress))]
pub fn lts_compare<'py>(
    py: Python<'py>,
    lts: &PyLts,
    other: &PyLts,
    equivalence: &str,
    timeout: Option<f64>,
    memory: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (one, other, equivalence) = (Arc::clone(&lts.lts), Arc::clone(&other.lts), equivalence_named(equivalence)?);
    let budget = Budget::new(timeout, memory, progress);
    let outcome = budget.spend(py, move |control| equiv::compare(&one, &other, equivalence, control))?;
    let dict = PyDict::new(py);
    let (holds, cause, why) = match outcome {
        Err(cause) => (None, Some(cause), None),
        Ok(Comparison::Equivalent) => (Some(true), None, None),
        Ok(Comparison::Different(Ok(why))) => (Some(false), None, Some(why)),
        Ok(Comparison::Different(Err(cause))) => (Some(false), Some(cause), None),
    };
    dict.set_item("holds", holds)?;
    dict.set_item("cause", cause.map(words))?;
    dict.set_item("in_first", why.as_ref().map(|why| why.in_first))?;
    let nodes = why.map(|why| why.formula.nodes.iter().map(|node| row_of(node, &why.labels)).collect::<Vec<_>>());
    dict.set_item("nodes", nodes)?;
    Ok(dict)
}

/// A node of a formula as (kind, parts, label): all and its parts, not and its part, step and what holds on the way and afterwards.
fn row_of(node: &Node, labels: &[String]) -> (&'static str, Vec<u32>, Option<String>) {
    let name = |label: u32| (label != TAU).then(|| labels[label as usize].clone());
    match node {
        Node::All(parts) => ("all", parts.clone(), None),
        Node::Not(part) => ("not", vec![*part], None),
        Node::Step { through, label, then } => ("step", vec![*through, *then], name(*label)),
        Node::Diverges { through } => ("diverges", vec![*through], None),
    }
}

#[pyfunction]
#[pyo3(signature = (lts, other, *, timeout, memory, progress))]
pub fn lts_missing_trace<'py>(
    py: Python<'py>,
    lts: &PyLts,
    other: &PyLts,
    timeout: Option<f64>,
    memory: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Option<Vec<String>>> {
    let (one, other) = (Arc::clone(&lts.lts), Arc::clone(&other.lts));
    let budget = Budget::new(timeout, memory, progress);
    let found = budget.spend(py, move |control| {
        let trace = equiv::missing_trace(&one, &other, control)?;
        Ok(trace.map(|trace| trace.iter().map(|&label| one.labels.name(label).to_owned()).collect()))
    })?;
    found.map_err(stopped)
}
