//! The monitor, as Python feeds it: calls and ends one by one, or the bytes of a log; judged when enough has gathered, or on request.
//!
//! Any thread may call. A thread that waits for another one's turn holds no GIL, and judging goes through the door.

use crate::convert::{from_python, status_name, to_python};
use crate::door::{Entered, PAUSE, at_home, deadline, enter};
use crate::errors::{HistoryError, ModelError, model_error};
use crate::evidence::words;
use crate::memory::trim;
use crate::own_model::{Handle, OwnModel};
use linpoint_base::{Cause, Control};
use linpoint_history::read::{Format, Options};
use linpoint_history::{Status, ValueId, Values};
use linpoint_monitor::{Alarm, Feed, Monitor as Core, Native, Op, Outcome, Shown, Source, Standing, Token};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// What the threads that feed it share.
struct Inner {
    feed: Feed,
    /// Alarms that were not told yet.
    alarms: Vec<Py<PyAny>>,
    /// How many events were judged since memory was looked at.
    judged: u64,
}

/// After so many events the memory that judging them left free is given back.
const MANY: u64 = 1 << 12;

/// A stream of calls and returns, judged while it runs.
#[pyclass(frozen, module = "linpoint._core")]
pub struct Monitor {
    inner: Arc<Mutex<Inner>>,
    /// Of a user's model.
    own: Option<Arc<Handle>>,
    /// Did the user's code not come back? Then the monitor is in its hands for ever.
    abandoned: AtomicBool,
    /// Seconds that one look may take.
    timeout: Option<f64>,
    memory: usize,
    /// So many events gather before they are judged without being asked.
    batch: u64,
}

#[pymethods]
impl Monitor {
    #[new]
    #[pyo3(signature = (model, options, *, goes_on, restarts, strict, format, independent, failed_cas, map, rename_crashed, memory, timeout, batch, by_time))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        model: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        goes_on: bool,
        restarts: bool,
        strict: bool,
        format: Option<&str>,
        independent: bool,
        failed_cas: bool,
        map: Vec<(String, String)>,
        rename_crashed: bool,
        memory: usize,
        timeout: Option<f64>,
        batch: u64,
        by_time: Option<(i64, i64)>,
    ) -> PyResult<Monitor> {
        let mut values = Values::new();
        let mut entries = Vec::new();
        for (name, value) in options.iter() {
            entries.push((name.extract::<String>()?, from_python(&value, &mut values)?));
        }
        let (source, own): (Box<dyn Source>, _) = match model.extract::<&str>() {
            Ok(name) => (Box::new(Native::new(name, entries, &values).map_err(model_error)?), None),
            Err(_) => {
                let (source, handle) = OwnModel::new(model)?;
                (Box::new(source), Some(handle))
            }
        };
        let format = match format {
            None => None,
            Some(name) => match Format::from_name(name) {
                None => return Err(PyValueError::new_err(format!("there is no format {name:?}"))),
                format => format,
            },
        };
        let reading = Options { format, independent, failed_cas, map, rename_crashed, ..Options::default() };
        let mut core = Core::new(source, values, goes_on);
        if restarts {
            core.restart_when_lost();
        }
        if let Some((window, skew)) = by_time {
            core.by_time(window, skew);
        }
        let feed = Feed::new(core, &reading, strict);
        let inner = Inner { feed, alarms: Vec::new(), judged: 0 };
        Ok(Monitor {
            inner: Arc::new(Mutex::new(inner)),
            own,
            abandoned: AtomicBool::new(false),
            timeout,
            memory,
            batch,
        })
    }

    /// An operation is called: its token.
    fn call(
        &self,
        py: Python<'_>,
        process: &Bound<'_, PyAny>,
        f: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        key: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let mut inner = self.locked(py)?;
        let values = inner.feed.monitor.table();
        let process = from_python(process, values)?;
        let f = from_python(f, values)?;
        let value = from_python(value, values)?;
        let key = key.map_or(Ok(ValueId::ABSENT), |key| from_python(key, values))?;
        let token = inner.feed.monitor.call(process, f, key, value, 0);
        drop(inner);
        self.failed()?;
        let token = token.map_err(refused)?;
        self.judge_if_ripe(py)?;
        Ok(token.as_u64())
    }

    /// An operation returns.
    fn ret(&self, py: Python<'_>, token: u64, result: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut inner = self.locked(py)?;
        let result = from_python(result, inner.feed.monitor.table())?;
        inner.feed.monitor.end(Token::from_u64(token), Outcome::Ok(result), 0).map_err(refused)?;
        drop(inner);
        self.judge_if_ripe(py)
    }

    /// An operation took no effect.
    fn fail(&self, py: Python<'_>, token: u64) -> PyResult<()> {
        self.locked(py)?.feed.monitor.end(Token::from_u64(token), Outcome::Fail, 0).map_err(refused)
    }

    /// It is not known whether an operation took effect, or will.
    fn info(&self, py: Python<'_>, token: u64) -> PyResult<()> {
        self.locked(py)?.feed.monitor.end(Token::from_u64(token), Outcome::Info, 0).map_err(refused)
    }

    /// The next bytes of a log, all of them whatever happens meanwhile; judges nothing.
    fn push(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        drop(self.locked(py)?);
        let inner = Arc::clone(&self.inner);
        py.detach(move || lock(&inner).feed.push(bytes));
        self.failed()
    }

    /// Judges what can be judged cheaply if enough has gathered.
    fn judge_if_ripe(&self, py: Python<'_>) -> PyResult<()> {
        if self.locked(py)?.feed.monitor.is_ripe(self.batch) { self.judge_most(py, false) } else { Ok(()) }
    }

    /// The log has ended: its last line needs no newline.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.locked(py)?.feed.finish();
        self.failed()
    }

    /// Forgets the beginning of a line whose end will not come; was there one?
    fn drop_partial(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.locked(py)?.feed.drop_partial())
    }

    /// Bytes of a line whose end has not come.
    fn begun(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.locked(py)?.feed.begun())
    }

    /// Everything that is kept, as one line of JSON.
    fn save(&self, py: Python<'_>) -> PyResult<String> {
        let inner = Arc::clone(&self.inner);
        py.detach(move || lock(&inner).feed.save()).map_err(PyValueError::new_err)
    }

    /// Goes on from what was saved.
    fn restore(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        let inner = Arc::clone(&self.inner);
        py.detach(move || lock(&inner).feed.restore(text)).map_err(PyValueError::new_err)
    }

    /// Judges everything that has gathered.
    fn judge(&self, py: Python<'_>) -> PyResult<()> {
        if self.locked(py)?.feed.monitor.waiting() == 0 { Ok(()) } else { self.judge_most(py, true) }
    }

    /// Alarms that were not told yet, in the order in which they were found.
    fn alarms(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        Ok(std::mem::take(&mut self.locked(py)?.alarms))
    }

    /// (verdict, the event since which, the cause) of everything that was judged.
    fn standing(&self, py: Python<'_>) -> PyResult<(&'static str, Option<u64>, Option<String>)> {
        let inner = self.locked(py)?;
        Ok(match inner.feed.monitor.standing() {
            Standing::Linearizable if inner.feed.is_unreadable() => ("unknown", None, Some("unreadable".to_owned())),
            Standing::Linearizable => ("linearizable", None, None),
            Standing::Violation(event) => ("violation", Some(event), None),
            Standing::Unknown(event, cause) => ("unknown", Some(event), Some(words(cause))),
        })
    }

    /// (the event since which not everything was judged, the cause), also behind a violation.
    fn lost(&self, py: Python<'_>) -> PyResult<Option<(u64, String)>> {
        Ok(self.locked(py)?.feed.monitor.lost().map(|(event, cause)| (event, words(cause))))
    }

    /// Lines that were skipped and not told yet: (number, what is wrong).
    fn complaints(&self, py: Python<'_>) -> PyResult<Vec<(u32, String)>> {
        let complaints = std::mem::take(&mut self.locked(py)?.feed.complaints);
        Ok(complaints.into_iter().map(|complaint| (complaint.line, complaint.message)).collect())
    }

    /// How much there is, by name.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.locked(py)?;
        let counts = inner.feed.monitor.counts();
        let dict = PyDict::new(py);
        dict.set_item("events", counts.events)?;
        dict.set_item("operations", counts.operations)?;
        dict.set_item("open", counts.open)?;
        dict.set_item("crashed", counts.crashed)?;
        dict.set_item("groups", counts.groups)?;
        dict.set_item("configurations", counts.configurations)?;
        dict.set_item("restarts", counts.restarts)?;
        dict.set_item("bytes", counts.bytes)?;
        dict.set_item("waiting", inner.feed.monitor.waiting())?;
        dict.set_item("lines", inner.feed.line())?;
        dict.set_item("skipped", inner.feed.skipped)?;
        Ok(dict)
    }
}

impl Monitor {
    /// The monitor, when it is this thread's turn.
    fn locked(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        loop {
            match self.inner.try_lock() {
                Ok(inner) => return Ok(inner),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if self.own.is_none() => py.detach(|| drop(lock(&self.inner))),
                Err(TryLockError::WouldBlock) if self.abandoned.load(Relaxed) => return Err(left_behind()),
                Err(TryLockError::WouldBlock) => py.detach(|| std::thread::sleep(PAUSE / 10)),
            }
        }
    }

    /// Raises what the user's code raised, if it did.
    fn failed(&self) -> PyResult<()> {
        self.own.as_ref().and_then(|own| own.take_failure()).map_or(Ok(()), Err)
    }

    /// Judges everything that has gathered, or what can be judged cheaply.
    fn judge_most(&self, py: Python<'_>, everything: bool) -> PyResult<()> {
        let control = Arc::new(Control::new(deadline(self.timeout), self.memory));
        let (inner, shared) = (Arc::clone(&self.inner), Arc::clone(&control));
        let work = move || {
            let inner = &mut *lock(&inner);
            let monitor = &mut inner.feed.monitor;
            inner.judged += monitor.waiting();
            let alarms = if everything { monitor.judge(&shared) } else { monitor.look(&shared) };
            if inner.judged >= MANY {
                inner.judged = 0;
                trim();
            }
            alarms
        };
        let entered = match &self.own {
            None => enter(py, &control, &Arc::default(), None, work)?,
            Some(own) => {
                own.begin(&control);
                enter(py, &control, &own.user, None, || at_home(work))?
            }
        };
        let (alarms, ctrl_c) = match entered {
            Entered::Done(alarms, ctrl_c) => (alarms, ctrl_c),
            Entered::Abandoned(cause) => {
                self.abandoned.store(true, Relaxed);
                let interrupted = cause == Cause::Interrupted;
                return Err(if interrupted { PyKeyboardInterrupt::new_err(()) } else { left_behind() });
            }
        };
        let mut inner = self.locked(py)?;
        let skipped: Vec<u64> = alarms.iter().map(|alarm| inner.feed.skipped_before(alarm.line)).collect();
        let renumbers = inner.feed.monitor.renumbers();
        if inner.feed.monitor.waiting() == 0 {
            inner.feed.forget_skipped();
        }
        drop(inner);
        if !alarms.is_empty() {
            let told = alarms.iter().zip(skipped);
            let told = told.map(|(alarm, skipped)| Ok(as_dict(py, alarm, skipped, renumbers)?.into_any().unbind()));
            let told = told.collect::<PyResult<Vec<_>>>()?;
            self.locked(py)?.alarms.extend(told);
        }
        self.failed()?;
        ctrl_c.map_or(Ok(()), Err)
    }
}

fn left_behind() -> PyErr {
    let message = "the code of the model did not come back, and the monitor is lost with it".to_owned();
    ModelError::new_err((message, None::<usize>))
}

fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

fn refused(message: String) -> PyErr {
    HistoryError::new_err((message, None::<usize>))
}

/// An alarm in plain values, and how many lines before it were skipped. If events have other numbers in the log, those that are not known there
/// are left out.
fn as_dict<'py>(py: Python<'py>, alarm: &Alarm, skipped: u64, renumbers: bool) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("event", alarm.came)?;
    dict.set_item("skipped", skipped)?;
    dict.set_item("line", alarm.line)?;
    dict.set_item("states", &alarm.states)?;
    dict.set_item("state_count", alarm.state_count)?;
    dict.set_item("whole", alarm.whole)?;
    dict.set_item("forgot", alarm.forgot)?;
    dict.set_item("exact", alarm.exact)?;
    dict.set_item("minimal", alarm.minimal)?;
    dict.set_item("unjudged", alarm.unjudged)?;
    dict.set_item("earlier", alarm.earlier)?;
    let ended = alarm.ended.as_ref().map(|op| operation(py, op, &alarm.values)).transpose()?;
    dict.set_item("ended", ended)?;
    let before = alarm.before.iter().map(|op| operation(py, op, &alarm.values)).collect::<PyResult<Vec<_>>>()?;
    dict.set_item("before", PyList::new(py, before)?)?;
    let shown = |shown: &Shown| {
        let dict = operation(py, &shown.op, &alarm.values)?;
        dict.set_item("needed", shown.needed)?;
        dict.set_item("support", shown.support)?;
        dict.set_item("accused", shown.accused)?;
        dict.set_item("effect_by", shown.op.by.filter(|_| !renumbers))?;
        Ok(dict)
    };
    let shown = alarm.shown.iter().map(shown).collect::<PyResult<Vec<_>>>()?;
    dict.set_item("operations", PyList::new(py, shown)?)?;
    Ok(dict)
}

/// An operation in the native form; times are the numbers of its events as they were taken, and beside it those in the log.
fn operation<'py>(py: Python<'py>, op: &Op, values: &Values) -> PyResult<Bound<'py, PyDict>> {
    let (record, dict) = (PyDict::new(py), PyDict::new(py));
    record.set_item("process", to_python(py, values, op.process)?)?;
    record.set_item("f", to_python(py, values, op.f)?)?;
    if op.key != ValueId::ABSENT {
        record.set_item("key", to_python(py, values, op.key)?)?;
    }
    record.set_item("value", to_python(py, values, op.value)?)?;
    record.set_item("call", op.call)?;
    let (status, result, ret) = match op.end.map(|end| (end.outcome, end.number)) {
        Some((Outcome::Ok(result), number)) => (Status::Ok, Some(result), Some(number)),
        Some((Outcome::Fail, number)) => (Status::Fail, None, Some(number)),
        Some((Outcome::Info, _)) | None => (Status::Info, None, None),
    };
    if let Some(result) = result {
        record.set_item("result", to_python(py, values, result)?)?;
    }
    record.set_item("return", ret)?;
    record.set_item("type", status_name(status))?;
    dict.set_item("record", record)?;
    dict.set_item("came", (op.came(), op.end.filter(|_| ret.is_some()).map(|end| end.came())))?;
    Ok(dict)
}
