//! The door for long work: the GIL is free, Ctrl-C answers, progress is told, a panic is an exception.
//!
//! The work runs in a thread of its own, so that the calling thread can look at signals (only Python's main thread may) and
//! at the clock. When the time is up or Ctrl-C was pressed, native work ends at its next look at the [`Control`], and is waited
//! for, however busy the machine is: it hands over what it knows. Only user code can be late. It gets an exception
//! ([`UserCode`]); if it stays all the same, the caller leaves without it, and without what the work knew.

use crate::errors::Halted;
use crate::farewell::{known, leave};
use crate::user_code::{UserCode, Visit};
use linpoint_base::{Cause, Control};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often signals are looked at.
const GLANCE: Duration = Duration::from_millis(40);
/// How often progress is told.
const BREATH: Duration = Duration::from_millis(100);
/// How long one visit to user code may go on after the first exception was raised in it.
const GRACE: Duration = Duration::from_millis(400);
/// Between two looks at work that is waited for.
pub const PAUSE: Duration = Duration::from_millis(10);
/// User code calls Python functions that call C functions that call Python functions.
const STACK: usize = 16 << 20;

/// What came of the work.
pub enum Entered<T> {
    /// It finished, perhaps because it was told to stop. Ctrl-C that was pressed meanwhile is not lost: the caller raises it,
    /// unless the work says itself that it was interrupted.
    Done(T, Option<PyErr>),
    /// It did not come back from user code after it was told to stop.
    Abandoned(Cause),
}

/// Runs `work` in a thread of its own until it finishes or is abandoned. `user` tells when it is in user code.
pub fn enter<T: Send + 'static>(
    py: Python<'_>,
    control: &Arc<Control>,
    user: &Arc<UserCode>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<Entered<T>> {
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver); // only to cross into `detach`; it has one owner
    let thread = std::thread::Builder::new()
        .name("linpoint".into())
        .stack_size(STACK)
        .spawn(move || {
            let done = known(|| catch_unwind(AssertUnwindSafe(work)));
            // The receiver is gone when the work was abandoned: the answer is not needed then.
            let _ = sender.send(done);
        })
        .map_err(|error| PyRuntimeError::new_err(format!("no thread could be started: {error}")))?;
    let mut told = Instant::now();
    let mut late = Late::default();
    let mut raised = Raised::default();
    loop {
        let glance = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(GLANCE);
        match py.detach(glance) {
            Ok(Ok(done)) => return raised.failure.map_or(Ok(Entered::Done(done, raised.ctrl_c)), Err),
            Ok(Err(panic)) => return Err(PyRuntimeError::new_err(panic_message(&*panic))),
            Err(RecvTimeoutError::Disconnected) => unreachable!("the thread sends before it ends"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(error) = py.check_signals() {
            control.interrupt();
            raised.note(py, error);
        }
        if let Some(progress) = progress
            && told.elapsed() >= BREATH
            && raised.failure.is_none()
        {
            told = Instant::now();
            if let Err(error) = progress.call1(control.progress()) {
                control.interrupt();
                raised.note(py, error);
            }
        }
        if let Some(cause) = control.expired()
            && late.overdue(py, user)
        {
            leave(thread, Arc::clone(user));
            return raised.failure.map_or(Ok(Entered::Abandoned(cause)), Err);
        }
    }
}

/// Work that asks for the GIL again and again: its thread keeps its Python thread state meanwhile, for making one takes several
/// microseconds. The state is given back before the work is reported as done, so no thread asks for the GIL while Python shuts down.
pub fn at_home<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    Python::attach(|py| py.detach(work))
}

/// What handlers of signals, and the one who is told of progress, raised while the work went on: the first of each kind.
#[derive(Default)]
struct Raised {
    ctrl_c: Option<PyErr>,
    failure: Option<PyErr>,
}

impl Raised {
    fn note(&mut self, py: Python<'_>, error: PyErr) {
        let is_ctrl_c = error.is_instance_of::<PyKeyboardInterrupt>(py);
        let place = if is_ctrl_c { &mut self.ctrl_c } else { &mut self.failure };
        place.get_or_insert(error);
    }
}

/// A visit to user code that goes on though the time is up.
#[derive(Default)]
struct Late {
    visit: Option<Visit>,
    since: Option<Instant>,
}

impl Late {
    /// Raises an exception in a visit that was there at the last glance, too; says whether it has stayed for too long.
    fn overdue(&mut self, py: Python<'_>, user: &UserCode) -> bool {
        let visit = user.inside();
        if visit != self.visit {
            *self = Late { visit, since: None };
            return false;
        }
        let Some(visit) = visit else { return false };
        user.end(py, visit);
        self.since.get_or_insert_with(Instant::now).elapsed() >= GRACE
    }
}

/// Calls `work` in a thread of its own, under the clock: (what stopped it, what it returned).
#[pyfunction]
pub fn guarded(py: Python<'_>, work: Py<PyAny>, timeout: Option<f64>) -> PyResult<(Option<&'static str>, Py<PyAny>)> {
    let control = Arc::new(Control::new(deadline(timeout), usize::MAX));
    let user = Arc::new(UserCode::default());
    let visitor = Arc::clone(&user);
    let call = move || Python::attach(|py| visitor.visit(py, || work.call0(py)));
    let cause = match enter(py, &control, &user, None, call)? {
        Entered::Done(Err(raised), _) if raised.is_instance_of::<Halted>(py) => match control.expired() {
            Some(cause) => cause,
            None => return Err(raised),
        },
        Entered::Done(_, Some(ctrl_c)) => return Err(ctrl_c),
        Entered::Done(returned, None) => return Ok((None, returned?)),
        Entered::Abandoned(cause) => cause,
    };
    let words = if cause == Cause::Time { "time" } else { "interrupted" };
    Ok((Some(words), py.None()))
}

/// The moment so many seconds from now.
pub fn deadline(timeout: Option<f64>) -> Option<Instant> {
    let wait = timeout.map(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX));
    wait.and_then(|wait| Instant::now().checked_add(wait))
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("linpoint has a bug, please report it: {text}")
}
