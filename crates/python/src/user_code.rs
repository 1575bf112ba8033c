//! A user's Python under the clock: who is inside it, and how to get it out.
//!
//! A model may loop for ever, and no search polls its [`Control`](linpoint_base::Control) meanwhile. So every visit to user
//! code is noted, and the door raises [`Halted`] inside a visit that goes on after the time is up (`PyThreadState_SetAsyncExc`:
//! Python raises it at the next jump backward or call). Code that catches everything gets it again and again; code
//! that waits in C (`time.sleep`) does not notice, and is left behind.

use crate::errors::Halted;
use crate::farewell::{may_be_left, stay_for_ever};
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
        struct Stay<'a> {
            user: &'a UserCode,
            came_back: bool,
        }
        impl Drop for Stay<'_> {
            fn drop(&mut self) {
                if !self.came_back && !std::thread::panicking() {
                    stay_for_ever();
                }
                self.user.now.lock().unwrap_or_else(PoisonError::into_inner).1 = None;
            }
        }
        may_be_left();
        // SAFETY: asks for the identity of the calling thread, which has a Python thread state.
        let thread = unsafe { ffi::PyThread_get_thread_ident() };
        {
            let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
            now.0 += 1;
            now.1 = Some(Visit { thread, number: now.0 });
        }
        let mut stay = Stay { user: self, came_back: false };
        let answer = run();
        stay.came_back = true;
        answer
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
