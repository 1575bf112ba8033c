//! A history, held by Python: the columns stay on this side, operations cross one by one.

use crate::arrow;
use crate::arrow::export::capsule;
use crate::arrow::import::taken;
use crate::convert::{record, to_python};
use crate::door::{Entered, deadline, enter};
use crate::errors::{HistoryError, Stopped, read_error};
use crate::evidence::words;
use hashbrown::HashMap;
use linpoint_base::Control;
use linpoint_history::read::{Format, Options, Unread};
use linpoint_history::{History, PENDING, ReadError, Status, Times, ValueId, Values, read, write};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::hash::Hash;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A history as columns: immutable, shared, cheap to hand around.
#[pyclass(frozen, module = "linpoint._core")]
pub struct Columns {
    pub history: Arc<History>,
    /// Are there times that a float would not say exactly? Known when a time was asked for.
    decimal: OnceLock<bool>,
    /// The values with those of a model's options, from a check to its replay: copying millions of values takes longer than a look-up.
    wider: Mutex<Option<Arc<Values>>>,
}

/// A field by which a user's model may tell operations apart, beyond those that every model looks at.
#[derive(Clone, Copy)]
pub enum Field {
    Process,
    Call,
    Ret,
    Index,
    Line,
    Extra,
}

/// The fields of these names.
pub fn fields_named(names: &[String]) -> PyResult<Vec<Field>> {
    let field = |name: &String| match name.as_str() {
        "process" => Ok(Field::Process),
        "call" => Ok(Field::Call),
        "ret" => Ok(Field::Ret),
        "index" => Ok(Field::Index),
        "line" => Ok(Field::Line),
        "extra" => Ok(Field::Extra),
        _ => Err(PyValueError::new_err(format!("operations are not told apart by {name:?}"))),
    };
    names.iter().map(field).collect()
}

/// Splits kinds by a further property; kinds stay numbered by their first operation.
fn refine<K: Eq + Hash>(kinds: &mut [u32], property: impl Fn(usize) -> K) {
    let mut seen: HashMap<(u32, K), u32> = HashMap::new();
    for (op, kind) in kinds.iter_mut().enumerate() {
        let next = seen.len() as u32;
        *kind = *seen.entry((*kind, property(op))).or_insert(next);
    }
}

impl Columns {
    pub fn of(history: History) -> Self {
        Columns { history: Arc::new(history), decimal: OnceLock::new(), wider: Mutex::default() }
    }

    /// The values of the history, perhaps with those of the options that were asked for last; they are kept no longer.
    pub fn widest(&self) -> Arc<Values> {
        let kept = self.wider.lock().unwrap_or_else(PoisonError::into_inner).take();
        kept.unwrap_or_else(|| Arc::clone(&self.history.values))
    }

    /// Keeps values that have more than those of the history.
    pub fn keep(&self, values: &Arc<Values>) {
        if !Arc::ptr_eq(values, &self.history.values) {
            *self.wider.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(values));
        }
    }

    fn checked(&self, index: usize) -> PyResult<usize> {
        if index < self.history.len() {
            return Ok(index);
        }
        Err(PyIndexError::new_err(format!("operation {index} of {}", self.history.len())))
    }

    /// Must times with a fraction be decimals? One is enough: a float and a decimal cannot be compared by their digits.
    fn decimal(&self) -> bool {
        let inexact = |times: &Times| match times {
            Times::Int(_) => false,
            Times::Exact(times) => times.iter().any(|time| !time.is_integer() && !time.fits_float()),
        };
        *self.decimal.get_or_init(|| inexact(&self.history.call_time) || inexact(&self.history.return_time))
    }

    /// The kind of each operation and an example per kind: same f, key, value and result (or lack of one), and the
    /// same in these further fields.
    pub fn kinds_of_operations(&self, fields: &[Field]) -> (Vec<u32>, Vec<usize>) {
        let history = &self.history;
        let mut kinds = vec![0; history.len()];
        refine(&mut kinds, |i| (history.f[i], history.key[i], history.value[i], history.result_of(i)));
        for field in fields {
            match field {
                Field::Process => refine(&mut kinds, |i| history.process[i]),
                Field::Call => refine(&mut kinds, |i| history.call_time.at(i)),
                Field::Ret => {
                    refine(&mut kinds, |i| history.has_return[i].then(|| history.return_time.at(i)));
                }
                Field::Index => refine(&mut kinds, |i| i),
                Field::Line => refine(&mut kinds, |i| history.line[i]),
                Field::Extra => refine(&mut kinds, |i| {
                    let named = history.extra_of(i).iter().map(|&(_, name, value)| (name, value));
                    named.collect::<Vec<_>>()
                }),
            }
        }
        let mut examples = Vec::new();
        for (op, &kind) in kinds.iter().enumerate() {
            if kind as usize == examples.len() {
                examples.push(op);
            }
        }
        (kinds, examples)
    }

    /// Distinct processes by their first call, and the place of each operation's process among them.
    fn lanes(&self) -> (Vec<ValueId>, Vec<u32>) {
        let history = &self.history;
        let mut lane_of: HashMap<ValueId, u32> = HashMap::new();
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
            if at % 4096 == 4095 {
                py.check_signals()?; // Ctrl-C
            }
            let line = dumps.call((dict,), Some(&options)).map_err(|error| {
                let mut words = error.value(py).to_string();
                if words.starts_with("Out of range float") {
                    words = "NaN and infinities are no values".to_owned();
                }
                HistoryError::new_err((format!("operation {at}: {words}"), at))
            })?;
            let line = line.extract::<String>().map_err(|_| {
                HistoryError::new_err((format!("operation {at}: a text with half of a surrogate pair is no value"), at))
            })?;
            lines.push_str(&line);
            lines.push('\n');
        }
        if lines.is_empty() {
            let empty = linpoint_history::Builder::new().finish().expect("nothing to complain about");
            return Ok(Columns::of(empty));
        }
        let (options, size) = (Options { format: Some(Format::Jsonl), ..Options::default() }, lines.len());
        let control = Control::new(None, usize::MAX);
        let read = move |control: &Control| read::bytes_within(lines.as_bytes(), "operations", &options, control);
        let history = read_within(py, size, control, read)?.map_err(|error| {
            let at = error.line.saturating_sub(1);
            HistoryError::new_err((format!("operation {at}: {}", error.message), at))
        })?;
        Ok(Columns::of(History { line: vec![0; history.len()], ..history }))
    }

    /// The rows of a data frame: of anything with `__arrow_c_stream__`.
    #[staticmethod]
    fn from_arrow(py: Python<'_>, frame: &Bound<'_, PyAny>, reading: Reading) -> PyResult<Self> {
        let options = reading.options()?;
        let stream = taken(&frame.call_method0("__arrow_c_stream__")?)?;
        let read = move |control: &Control| arrow::import::history(stream, &options, control);
        let history = read_within(py, usize::MAX, reading.control(), read)?.map_err(in_row)?;
        Ok(Columns::of(history))
    }

    /// The operations as a stream of Arrow, in a capsule.
    fn to_arrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let history = &self.history;
        capsule(py, py.detach(|| arrow::export::stream(history)))
    }

    fn __len__(&self) -> usize {
        self.history.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Columns>().is_ok_and(|other| self.history.same_operations(&other.get().history, true))
    }

    fn record<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyDict>> {
        let dict = record(py, &self.history, self.checked(index)?, self.decimal())?;
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

    fn first_called(&self, count: usize) -> Vec<usize> {
        self.history.events.iter().filter(|event| !event.is_return()).take(count).map(|event| event.op()).collect()
    }

    /// `stuck` and those of the operations called by its return that were last heard of, `count` in all, in the order of their calls.
    /// `scope`: the only ones to look at.
    fn heard_last(&self, stuck: usize, count: usize, scope: Option<Vec<u32>>) -> Vec<u32> {
        let History { call, ret, .. } = &*self.history;
        let end = if ret[stuck] == PENDING { call[stuck] } else { ret[stuck] };
        let last = |&op: &u32| match ret[op as usize] {
            PENDING => call[op as usize],
            ret => ret,
        };
        let is_past = |&op: &u32| call[op as usize] <= end && op as usize != stuck;
        let mut past: Vec<u32> = match scope {
            Some(scope) => scope.into_iter().filter(is_past).collect(),
            None => (0..call.len() as u32).filter(is_past).collect(),
        };
        let dropped = (past.len() + 1).saturating_sub(count);
        if dropped > 0 {
            past.select_nth_unstable_by_key(dropped - 1, last);
            past.drain(..dropped);
        }
        past.push(stuck as u32);
        past.sort_unstable_by_key(|&op| call[op as usize]);
        past
    }

    /// The operations that are open right behind the return of `op`; not those that failed.
    fn open_behind(&self, op: usize) -> Vec<u32> {
        let History { call, ret, status, .. } = &*self.history;
        let is_open = |&other: &usize| call[other] < ret[op] && ret[other] > ret[op] && status[other] != Status::Fail;
        (0..call.len()).filter(is_open).map(|other| other as u32).collect()
    }

    /// The operations in the order of their calls.
    fn by_call(&self, mut operations: Vec<u32>) -> Vec<u32> {
        operations.sort_unstable_by_key(|&op| self.history.call[op as usize]);
        operations
    }

    #[getter]
    fn numbered(&self) -> bool {
        self.history.numbered
    }

    fn whole_times(&self) -> bool {
        matches!((&self.history.call_time, &self.history.return_time), (Times::Int(_), Times::Int(_)))
    }

    fn statuses<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let statuses = self.history.status.iter().map(|status| match status {
            Status::Ok => 0,
            Status::Fail => 1,
            Status::Info => 2,
        });
        PyBytes::new(py, &statuses.collect::<Vec<u8>>())
    }

    #[pyo3(signature = (fields=vec![]))]
    fn distinct(&self, fields: Vec<String>) -> PyResult<(Vec<u32>, Vec<usize>)> {
        Ok(self.kinds_of_operations(&fields_named(&fields)?))
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

    fn to_csv<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let history = &self.history;
        PyBytes::new(py, py.detach(|| write::csv(history)).as_bytes())
    }

    fn to_edn<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let history = &self.history;
        let text = py.detach(|| write::edn(history));
        let text = text.map_err(|complaint| HistoryError::new_err((complaint.to_string(), complaint.operation)))?;
        Ok(PyBytes::new(py, text.as_bytes()))
    }
}

/// How a history is to be read: a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Reading {
    format: Option<String>,
    independent: bool,
    failed_cas: bool,
    sort_by_time: bool,
    rename_crashed: bool,
    map: Vec<(String, String)>,
    timeout: Option<f64>,
    memory: usize,
}

impl Reading {
    fn options(&self) -> PyResult<Options> {
        let named = |name: &String| {
            Format::from_name(name).ok_or_else(|| {
                let names = Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ");
                crate::errors::ReadError::new_err((format!("there is no format {name:?}; formats: {names}"), "", 0, 0))
            })
        };
        let &Reading { independent, failed_cas, sort_by_time, rename_crashed, .. } = self;
        let (format, map) = (self.format.as_ref().map(named).transpose()?, self.map.clone());
        Ok(Options { format, independent, failed_cas, sort_by_time, map, rename_crashed })
    }

    fn control(&self) -> Control {
        Control::new(deadline(self.timeout), self.memory)
    }
}

/// Work of fewer bytes than this takes no longer than starting a thread for it does.
const QUICK: usize = 256 << 10;

/// Reads `size` bytes within a budget, through the door unless that is done at once.
fn read_within<T: Send + 'static>(
    py: Python<'_>,
    size: usize,
    control: Control,
    work: impl FnOnce(&Control) -> Result<T, Unread> + Send + 'static,
) -> PyResult<Result<T, ReadError>> {
    let outcome = if size < QUICK {
        py.detach(|| work(&control))
    } else {
        let control = Arc::new(control);
        let shared = Arc::clone(&control);
        match enter(py, &control, &Arc::default(), None, move || work(&shared))? {
            Entered::Done(Ok(_), Some(ctrl_c)) => return Err(ctrl_c),
            Entered::Done(outcome, _) => outcome,
            Entered::Abandoned(cause) => Err(Unread::Stopped(cause)),
        }
    };
    match outcome {
        Ok(history) => Ok(Ok(history)),
        Err(Unread::Refused(error)) => Ok(Err(error)),
        Err(Unread::Stopped(cause)) => Err(Stopped::new_err((words(cause),))),
    }
}

/// The table in a Parquet file, given by its path or its bytes; None if it is not for us to read.
#[pyfunction]
pub fn read_parquet(py: Python<'_>, source: Source, reading: Reading) -> PyResult<Option<Columns>> {
    let options = reading.options()?;
    let read = move |control: &Control| match source {
        Source::Path(path) => read::parquet_path_within(&path, &options, control).transpose(),
        Source::Bytes(data) => read::parquet_within(&data, &options, control).transpose(),
    };
    let history = read_within(py, usize::MAX, reading.control(), read)?.map_err(in_row)?;
    Ok(history.map(Columns::of))
}

/// What a Parquet file is given by.
#[derive(FromPyObject)]
pub enum Source {
    Bytes(PyBackedBytes),
    Path(PathBuf),
}

/// The complaint about a row of a table.
fn in_row(error: ReadError) -> PyErr {
    HistoryError::new_err((error.message, error.line.checked_sub(1)))
}

#[pyfunction]
pub fn read_path(py: Python<'_>, path: PathBuf, reading: Reading) -> PyResult<Columns> {
    let options = reading.options()?;
    let size = std::fs::metadata(&path).map_or(usize::MAX, |file| usize::try_from(file.len()).unwrap_or(usize::MAX));
    let size = if is_packed(&path) { usize::MAX } else { size };
    let read = move |control: &Control| read::path_within(&path, &options, control);
    read_within(py, size, reading.control(), read)?.map(Columns::of).map_err(read_error)
}

/// Does the file start like a packed one, whose size says nothing?
fn is_packed(path: &Path) -> bool {
    let mut start = [0; 4];
    let got = std::fs::File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    read::is_packed(&start[..got])
}

#[pyfunction]
pub fn read_bytes(py: Python<'_>, data: PyBackedBytes, name: String, reading: Reading) -> PyResult<Columns> {
    let options = reading.options()?;
    let size = if read::is_packed(&data) { usize::MAX } else { data.len() };
    let read = move |control: &Control| read::bytes_within(&data, &name, &options, control);
    read_within(py, size, reading.control(), read)?.map(Columns::of).map_err(read_error)
}

/// The data packed as a zstd file.
#[pyfunction]
pub fn zst(py: Python<'_>, data: PyBackedBytes) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &py.detach(|| write::zst(&data)))
}
