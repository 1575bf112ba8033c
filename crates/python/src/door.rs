//! The door for long work: the GIL is free, Ctrl-C answers, progress is told, a panic is an exception.
//!
//! The work runs in a thread of its own, so that the calling thread can look at signals (only Python's main
//! thread may) and so that a user's slow step cannot hold up Ctrl-C or the time limit: after a moment of
//! grace the caller leaves without it, and the work ends at its next look at the [`Control`].

use linpoint_base::{Cause, Control};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often signals are looked at.
const GLANCE: Duration = Duration::from_millis(40);
/// How often progress is told.
const BREATH: Duration = Duration::from_millis(100);
/// How long halted work may take to come back.
const GRACE: Duration = Duration::from_millis(120);

/// Threads whose work was abandoned. Python must not shut down under them: a thread that asks for the GIL then is
/// killed in the middle of Rust code, which aborts the process.
static ABANDONED: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Waits for abandoned work, as Python waits for its own threads; a further Ctrl-C ends the waiting. Called at exit.
#[pyfunction]
pub fn join_abandoned(py: Python<'_>) -> PyResult<()> {
    loop {
        let waiting = {
            let mut threads = ABANDONED.lock().unwrap_or_else(PoisonError::into_inner);
            threads.retain(|thread| !thread.is_finished());
            !threads.is_empty()
        };
        if !waiting {
            return Ok(());
        }
        py.check_signals()?;
        py.detach(|| std::thread::sleep(Duration::from_millis(10)));
    }
}

/// What came of the work.
pub enum Entered<T> {
    /// It finished (perhaps because it was told to stop).
    Done(T),
    /// It did not come back in time after it was told to stop.
    Abandoned(Cause),
}

/// Runs `work` in a thread of its own until it finishes or is abandoned.
pub fn enter<T: Send + 'static>(
    py: Python<'_>,
    control: &Arc<Control>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<Entered<T>> {
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver); // only to cross into `detach`; nobody else has it
    let thread = std::thread::Builder::new()
        .name("linpoint".into())
        .spawn(move || {
            // The receiver is gone when the work was abandoned: nobody needs the answer then.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
        })
        .map_err(|error| PyRuntimeError::new_err(format!("no thread could be started: {error}")))?;
    let mut told = Instant::now();
    let mut halted_since = None;
    let mut failure = None;
    loop {
        let glance = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(GLANCE);
        match py.detach(glance) {
            Ok(Ok(done)) => return failure.map_or(Ok(Entered::Done(done)), Err),
            Ok(Err(panic)) => return Err(PyRuntimeError::new_err(panic_message(&*panic))),
            Err(RecvTimeoutError::Disconnected) => unreachable!("the thread sends before it ends"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(raised) = py.check_signals() {
            control.interrupt();
            failure = failure.or(other_than_ctrl_c(py, raised));
        }
        if let Some(progress) = progress
            && told.elapsed() >= BREATH
            && failure.is_none()
        {
            told = Instant::now();
            if let Err(error) = progress.call1(control.progress()) {
                control.interrupt();
                failure = other_than_ctrl_c(py, error);
            }
        }
        if let Some(cause) = control.expired() {
            let since = *halted_since.get_or_insert_with(Instant::now);
            if since.elapsed() >= GRACE {
                ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
                return failure.map_or(Ok(Entered::Abandoned(cause)), Err);
            }
        }
    }
}

/// Ctrl-C ends the check and is told by its result; whatever else a handler raised is the caller's.
fn other_than_ctrl_c(py: Python<'_>, raised: PyErr) -> Option<PyErr> {
    (!raised.is_instance_of::<PyKeyboardInterrupt>(py)).then_some(raised)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("linpoint has a bug, please report it: {text}")
}
