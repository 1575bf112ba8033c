//! A stream that zstd has packed, unpacked while Python reads it. Python has gzip itself, and zstd only from 3.14 on.

use linpoint_history::read::Unpack;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::sync::{Mutex, PoisonError};

/// A stream that is being unpacked.
#[pyclass(frozen, module = "linpoint._core")]
pub struct Unzstd(Mutex<Unpack>);

#[pymethods]
impl Unzstd {
    #[new]
    fn new() -> PyResult<Unzstd> {
        Ok(Unzstd(Mutex::new(Unpack::new()?)))
    }

    /// Unpacks up to `most` bytes of these: what they unpack to, and how many were read.
    fn step<'py>(&self, py: Python<'py>, packed: PyBackedBytes, most: usize) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        let unpacked = py.detach(|| {
            let mut room = vec![0; most];
            let mut unpack = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let (read, written) = unpack.step(&packed, &mut room)?;
            room.truncate(written);
            Ok((room, read))
        });
        let (bytes, read) = unpacked.map_err(|error: std::io::Error| PyValueError::new_err(error.to_string()))?;
        Ok((PyBytes::new(py, &bytes), read))
    }

    /// Would the stream be complete if nothing more came?
    fn is_complete(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_complete()
    }
}
