//! The one error map: what is wrong with a file, with operations, with a model.

use crate::evidence::words;
use linpoint_spec::catalog::ModelError as CoreModelError;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyBaseException, PyRuntimeError, PyValueError};

create_exception!(_core, ReadError, PyValueError, "A file that cannot be read. args: (message, file, line, column).");
create_exception!(
    _core,
    HistoryError,
    PyValueError,
    "Operations that do not make a history. args: (message, operation)."
);
create_exception!(
    _core,
    ModelError,
    PyValueError,
    "A model that cannot be used here. args: (message, operation or None)."
);

create_exception!(
    _core,
    Halted,
    PyBaseException,
    "Ends user code, or a search that asks it, when a budget is used up. args: (cause,); without: the time is up."
);
create_exception!(_core, Stopped, PyRuntimeError, "Work that the budget or Ctrl-C ended. args: (cause,).");

/// A file that cannot be read.
pub fn read_error(error: linpoint_history::ReadError) -> PyErr {
    ReadError::new_err((error.message, error.file, error.line, error.column))
}

/// A model that does not fit.
pub fn model_error(error: CoreModelError) -> PyErr {
    match error {
        CoreModelError::Usage(message) => ModelError::new_err((message, None::<usize>)),
        CoreModelError::Misfit(misfit) => ModelError::new_err((misfit.message, Some(misfit.operation))),
        CoreModelError::Stopped(cause) => Stopped::new_err((words(cause),)),
    }
}
