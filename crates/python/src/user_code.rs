//! A user's Python under the clock: who is inside it, and how to get it out.
//!
//! A model may loop for ever, and no search polls its [`Control`](linpoint_base::Control) meanwhile. So every visit to user
//! code is noted, and the door raises [`Halted`] inside a visit that goes on after the time is up (`PyThreadState_SetAsyncExc`:
//! Python raises it at the next jump backward or call). Code that catches everything gets it again and again; code
//! that waits in C (`time.sleep`) does not notice, and is left behind.

use crate::errors::Halted;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::c_ulong;
use std::sync::{Mutex, PoisonError};

/// One stay of a thread in user code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    thread: c_ulong,
    number: u64,
}

impl Visit {
    /// Does the thread run Python, and not wait in C? A thread that runs takes an exception up, even if it catches it.
    pub fn runs(self, py: Python<'_>) -> PyResult<bool> {
        let halted = py.get_type::<Halted>();
        let fresh = PyErr::new_type(py, c"linpoint._core.Halted", None, Some(&halted), None)?;
        let fresh = fresh.bind(py);
        // SAFETY: the object is alive and the GIL is held.
        let count = || unsafe { ffi::Py_REFCNT(fresh.as_ptr()) };
        let before = count();
        self.raise(fresh);
        for _ in 0..10 {
            py.detach(|| std::thread::sleep(crate::door::PAUSE));
            if count() <= before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn raise(self, class: &Bound<'_, PyAny>) {
        // SAFETY: the GIL is held; an identity that is no thread any more does nothing.
        unsafe { ffi::PyThreadState_SetAsyncExc(self.thread.cast_signed(), class.as_ptr()) };
    }
}

/// Which thread is in user code? One at most: visitors hold the lock of the table of states, or are alone.
#[derive(Default)]
pub struct UserCode {
    now: Mutex<(u64, Option<Visit>)>,
}

impl UserCode {
    /// Runs user code on this thread, noted.
    pub fn visit<T>(&self, _: Python<'_>, run: impl FnOnce() -> T) -> T {
        struct Left<'a>(&'a UserCode);
        impl Drop for Left<'_> {
            fn drop(&mut self) {
                self.0.now.lock().unwrap_or_else(PoisonError::into_inner).1 = None;
            }
        }
        // SAFETY: asks for the identity of the calling thread, which has a Python thread state.
        let thread = unsafe { ffi::PyThread_get_thread_ident() };
        {
            let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
            now.0 += 1;
            now.1 = Some(Visit { thread, number: now.0 });
        }
        let _left = Left(self);
        run()
    }

    /// The visit that goes on at the moment.
    pub fn inside(&self) -> Option<Visit> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Raises [`Halted`] in the visit, if it still goes on. With the GIL held no visitor can leave meanwhile.
    pub fn end(&self, py: Python<'_>, visit: Visit) {
        if self.inside() == Some(visit) {
            visit.raise(&py.get_type::<Halted>());
        }
    }
}
