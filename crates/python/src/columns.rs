//! A history, held by Python: the columns stay on this side, operations cross one by one.

use crate::convert::{record, to_python};
use crate::errors::{HistoryError, read_error};
use hashbrown::HashMap;
use linpoint_history::read::{Format, Options};
use linpoint_history::{History, PENDING, Status, ValueId, read, write};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rustc_hash::FxBuildHasher;
use std::path::Path;
use std::sync::Arc;

/// A history as columns: immutable, shared, cheap to hand around.
#[pyclass(frozen, module = "linpoint._core")]
pub struct Columns {
    pub history: Arc<History>,
}

type FastMap<K, V> = HashMap<K, V, FxBuildHasher>;

impl Columns {
    fn of(history: History) -> Self {
        Columns { history: Arc::new(history) }
    }

    fn checked(&self, index: usize) -> PyResult<usize> {
        if index < self.history.len() {
            return Ok(index);
        }
        Err(PyIndexError::new_err(format!("operation {index} of {}", self.history.len())))
    }

    /// The kind of each operation and an example per kind: same f, key, value and result (or lack of one).
    pub fn kinds_of_operations(&self) -> (Vec<u32>, Vec<usize>) {
        type Seen = (ValueId, ValueId, ValueId, Option<ValueId>);
        let history = &self.history;
        let mut seen: FastMap<Seen, u32> = FastMap::default();
        let mut examples = Vec::new();
        let kinds = (0..history.len()).map(|i| {
            let recorded = (history.f[i], history.key[i], history.value[i], history.result_of(i));
            *seen.entry(recorded).or_insert_with(|| {
                examples.push(i);
                examples.len() as u32 - 1
            })
        });
        (kinds.collect(), examples)
    }

    /// Distinct processes by their first call, and the place of each operation's process among them.
    fn lanes(&self) -> (Vec<ValueId>, Vec<u32>) {
        let history = &self.history;
        let mut lane_of: FastMap<ValueId, u32> = FastMap::default();
        let mut processes = Vec::new();
        let mut lanes = vec![0; history.len()];
        for event in history.events.iter().filter(|event| !event.is_return()) {
            let process = history.process[event.op()];
            lanes[event.op()] = *lane_of.entry(process).or_insert_with(|| {
                processes.push(process);
                processes.len() as u32 - 1
            });
        }
        (processes, lanes)
    }
}

#[pymethods]
impl Columns {
    #[staticmethod]
    fn from_records(py: Python<'_>, records: Vec<Bound<'_, PyDict>>) -> PyResult<Self> {
        // Through the native format, so that there is one definition of what an operation is.
        let options = PyDict::new(py);
        options.set_item("allow_nan", false)?;
        options.set_item("ensure_ascii", false)?;
        let dumps = py.import("json")?.getattr("dumps")?;
        let mut lines = String::new();
        for (at, dict) in records.iter().enumerate() {
            let line = dumps
                .call((dict,), Some(&options))
                .map_err(|error| HistoryError::new_err((format!("operation {at}: {}", error.value(py)), at)))?;
            lines.push_str(&line.extract::<String>()?);
            lines.push('\n');
        }
        if lines.is_empty() {
            let empty = linpoint_history::Builder::new().finish().expect("nothing to complain about");
            return Ok(Columns::of(empty));
        }
        let options = Options { format: Some(Format::Jsonl), ..Options::default() };
        let history = read::bytes(lines.as_bytes(), "operations", &options).map_err(|error| {
            let at = error.line.saturating_sub(1);
            HistoryError::new_err((format!("operation {at}: {}", error.message), at))
        })?;
        Ok(Columns::of(History { line: vec![0; history.len()], ..history }))
    }

    fn __len__(&self) -> usize {
        self.history.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Columns>().is_ok_and(|other| self.history.same_operations(&other.get().history, true))
    }

    fn record<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyDict>> {
        let dict = record(py, &self.history, self.checked(index)?)?;
        if self.history.line[index] > 0 {
            dict.set_item("line", self.history.line[index])?;
        }
        Ok(dict)
    }

    fn process<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.history.values, self.history.process[self.checked(index)?])
    }

    fn processes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.lanes().0.into_iter().map(|process| to_python(py, &self.history.values, process)).collect()
    }

    fn process_codes(&self) -> Vec<u32> {
        self.lanes().1
    }

    fn ranks(&self) -> (Vec<u32>, Vec<Option<u32>>) {
        let ret = self.history.ret.iter().map(|&rank| (rank != PENDING).then_some(rank));
        (self.history.call.clone(), ret.collect())
    }

    fn statuses<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let statuses = self.history.status.iter().map(|status| match status {
            Status::Ok => 0,
            Status::Fail => 1,
            Status::Info => 2,
        });
        PyBytes::new(py, &statuses.collect::<Vec<u8>>())
    }

    fn distinct(&self) -> (Vec<u32>, Vec<usize>) {
        self.kinds_of_operations()
    }

    fn subhistory(&self, indices: Vec<usize>) -> PyResult<Self> {
        for &index in &indices {
            self.checked(index)?;
        }
        Ok(Columns::of(self.history.subhistory(&indices)))
    }

    fn annotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for annotation in &self.history.annotations {
            let dict = PyDict::new(py);
            dict.set_item("after", annotation.after_events)?;
            dict.set_item("line", annotation.line)?;
            dict.set_item("fields", to_python(py, &self.history.values, annotation.fields)?)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    #[getter]
    fn object(&self) -> Option<&str> {
        self.history.object.as_deref()
    }

    fn to_jsonl<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let history = &self.history;
        PyBytes::new(py, py.detach(|| write::jsonl(history)).as_bytes())
    }

    fn to_edn<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let history = &self.history;
        let text = py.detach(|| write::edn(history));
        let text = text.map_err(|complaint| HistoryError::new_err((complaint.to_string(), complaint.operation)))?;
        Ok(PyBytes::new(py, text.as_bytes()))
    }
}

fn options(format: Option<&str>, independent: bool, failed_cas: bool) -> PyResult<Options> {
    let format = format
        .map(|name| {
            Format::from_name(name).ok_or_else(|| {
                let names = Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ");
                crate::errors::ReadError::new_err((format!("there is no format {name:?}; formats: {names}"), "", 0, 0))
            })
        })
        .transpose()?;
    Ok(Options { format, independent, failed_cas })
}

#[pyfunction]
pub fn read_path(
    py: Python<'_>,
    path: &str,
    format: Option<&str>,
    independent: bool,
    failed_cas: bool,
) -> PyResult<Columns> {
    let options = options(format, independent, failed_cas)?;
    py.detach(|| read::path(Path::new(path), &options)).map(Columns::of).map_err(read_error)
}

#[pyfunction]
pub fn read_bytes(
    py: Python<'_>,
    data: &[u8],
    name: &str,
    format: Option<&str>,
    independent: bool,
    failed_cas: bool,
) -> PyResult<Columns> {
    let options = options(format, independent, failed_cas)?;
    py.detach(|| read::bytes(data, name, &options)).map(Columns::of).map_err(read_error)
}
