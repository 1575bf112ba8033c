//! How does Python exit while user code that nobody waits for still runs?
//!
//! A thread that asks for the GIL while Python shuts down is killed in the middle of Rust code, and glibc aborts a process whose
//! thread dies in code that cannot be unwound (Python < 3.14; later ones let such a thread wait):
//!
//! ```text
//!     work     time.sleep(20)  ·  ·  ·  ·  ·  ·  asks for the GIL, pthread_exit, abort
//!     program           check gives up, exits  |  modules are torn down  |
//! ```
//!
//! So such work is ended first, if it takes exceptions (unless a daemon thread waits for it). What catches them all, or waits in C and wakes up at the worst moment,
//! stays where its stack is taken down ([`UserCode::visit`]) or, if that cannot be done, in the signal of its own abort. It ends
//! with the process, whose exit status is that of the program.

use crate::door::PAUSE;
use crate::user_code::UserCode;
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long Python waits for abandoned work when it exits.
const FAREWELL: Duration = Duration::from_millis(500);

/// Work that was left behind in user code.
struct Abandoned {
    thread: JoinHandle<()>,
    user: Arc<UserCode>,
}

static ABANDONED: Mutex<Vec<Abandoned>> = Mutex::new(Vec::new());
/// How many works have not ended. One that is waited for by a daemon thread still runs when Python exits.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// May this thread be left behind? Set by the thread itself, so that a handler of signals finds it made.
    static WORKS: Cell<bool> = const { Cell::new(false) };
}

/// Says of the calling thread that it works for a caller who may leave without it.
pub fn may_be_left() {
    WORKS.set(true);
}

/// Runs work of which Python's exit is to know.
pub fn known<T>(work: impl FnOnce() -> T) -> T {
    may_be_left();
    RUNNING.fetch_add(1, SeqCst);
    let done = work();
    RUNNING.fetch_sub(1, SeqCst);
    done
}

/// What a thread does that is killed in user code: it waits for the end of the process. It holds neither the GIL nor a lock of Python's.
pub fn stay_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::MAX);
    }
}

/// Nobody waits for this work any more, until Python exits.
pub fn leave(thread: JoinHandle<()>, user: Arc<UserCode>) {
    ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).push(Abandoned { thread, user });
}

/// Gets abandoned work out of user code, called at exit. What stays all the same does not disturb.
#[pyfunction]
pub fn join_abandoned(py: Python<'_>) -> PyResult<()> {
    let begun = Instant::now();
    loop {
        let visits = {
            let mut left = ABANDONED.lock().unwrap_or_else(PoisonError::into_inner);
            left.retain(|work| !work.thread.is_finished());
            left.iter().map(|work| (Arc::clone(&work.user), work.user.inside())).collect::<Vec<_>>()
        };
        if visits.is_empty() || begun.elapsed() > FAREWELL {
            #[cfg(unix)]
            if RUNNING.load(SeqCst) > 0 {
                aborts::stay_in_them();
            }
            return Ok(());
        }
        for (user, visit) in visits {
            if let Some(visit) = visit {
                user.end(py, visit);
            }
        }
        py.check_signals()?;
        py.detach(|| std::thread::sleep(PAUSE));
    }
}

/// The abort of one thread, kept from ending the process.
#[cfg(unix)]
mod aborts {
    use super::{WORKS, stay_for_ever};
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    const SIGABRT: c_int = 6; // on every Unix

    unsafe extern "C" {
        /// Sets the handler of a signal; the one before.
        fn signal(number: c_int, handler: usize) -> usize;
        /// Sends a signal to the calling thread.
        fn raise(number: c_int) -> c_int;
    }

    static BEFORE: AtomicUsize = AtomicUsize::new(0);

    /// Threads that were left behind do not return from their abort. Others do what they would have done.
    pub fn stay_in_them() {
        // SAFETY: the handler takes the number of the signal, and calls only what may be called in one.
        BEFORE.store(unsafe { signal(SIGABRT, stay as extern "C" fn(c_int) as usize) }, SeqCst);
    }

    extern "C" fn stay(number: c_int) {
        if WORKS.get() {
            stay_for_ever();
        }
        // SAFETY: sets back what was there, and sends the signal again, which comes when this returns.
        unsafe {
            signal(number, BEFORE.load(SeqCst));
            raise(number);
        }
    }
}
