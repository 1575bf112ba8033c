//! A user's model, as a monitor asks it: which cells an operation is about, and the specification of a window.
//!
//! `linpoint.monitor.own.Own` knows the model. Its code runs in two places: `partition`, if the user wrote one, in the thread that tells of a call;
//! everything else while a window is judged, under the clock (`door.rs`). A state is carried from window to window as the Python object
//! that it is, and lives as long as a configuration holds it.

use crate::columns::{Columns, fields_named};
use crate::convert::{from_python, to_python};
use crate::errors::Halted;
use crate::python_spec::{Shared, parts_of_groups};
use crate::user_code::UserCode;
use hashbrown::HashMap;
use linpoint_base::{Cause, Control};
use linpoint_history::{Renamed, ValueId, Values};
use linpoint_monitor::{Asked, Events, Source};
use linpoint_spec::{Code, ModelError, Part, Reach, Refusal};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the monitor and its source share.
pub struct Handle {
    /// Who is in user code.
    pub user: Arc<UserCode>,
    control: Mutex<Arc<Control>>,
    failure: Mutex<Option<PyErr>>,
    shared: Mutex<Option<Arc<Shared>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Handle {
    /// The budget of what follows.
    pub fn begin(&self, control: &Arc<Control>) {
        *locked(&self.control) = Arc::clone(control);
    }

    /// What user code raised, if it did.
    pub fn take_failure(&self) -> Option<PyErr> {
        let of_window = locked(&self.shared).as_ref().and_then(|shared| shared.take_failure());
        locked(&self.failure).take().or(of_window)
    }

    /// Notes what user code raised.
    fn broken(&self, py: Python<'_>, error: PyErr) -> ModelError {
        if error.is_instance_of::<Halted>(py) {
            return ModelError::Stopped(locked(&self.control).expired().unwrap_or(Cause::Memory));
        }
        let message = error.value(py).to_string();
        locked(&self.failure).get_or_insert(error);
        ModelError::Usage(message)
    }
}

/// The model of a monitor.
pub struct OwnModel {
    own: Py<PyAny>,
    handle: Arc<Handle>,
    /// How operations are split: by key, not at all, or as the user's `partition` says.
    split: Split,
    /// Why an operation of this name is refused, if it is.
    known: HashMap<String, Option<String>>,
}

enum Split {
    ByKey,
    Whole,
    Asked,
}

impl OwnModel {
    pub fn new(own: &Bound<'_, PyAny>) -> PyResult<(OwnModel, Arc<Handle>)> {
        let split = match own.call_method0("split")?.extract::<&str>()? {
            "by key" => Split::ByKey,
            "whole" => Split::Whole,
            _ => Split::Asked,
        };
        let control = Mutex::new(Arc::new(Control::new(None, usize::MAX)));
        let handle = Handle { user: Arc::default(), control, failure: Mutex::default(), shared: Mutex::default() };
        let handle = Arc::new(handle);
        let source = OwnModel { own: own.clone().unbind(), handle: Arc::clone(&handle), split, known: HashMap::new() };
        Ok((source, handle))
    }

    /// The cells that the user's `partition` names.
    fn asked(&self, op: &Asked, values: &mut Values) -> Result<Reach, Refusal> {
        let mut ask = |py: Python<'_>| -> PyResult<Reach> {
            let record = PyDict::new(py);
            record.set_item("process", to_python(py, values, op.process)?)?;
            record.set_item("f", to_python(py, values, op.f)?)?;
            record.set_item("value", to_python(py, values, op.value)?)?;
            record.set_item("call", 0)?;
            if op.key != ValueId::ABSENT {
                record.set_item("key", to_python(py, values, op.key)?)?;
            }
            let keys = self.own.bind(py).call_method1("keys", (record,))?;
            if keys.is_none() {
                return Ok(Reach::All);
            }
            let keys = keys.try_iter()?.map(|key| from_python(&key?, values)).collect::<PyResult<Vec<ValueId>>>()?;
            Ok(if let [key] = keys[..] { Reach::Cell(key) } else { Reach::Cells(keys.into()) })
        };
        Python::attach(|py| ask(py).map_err(|error| Refusal(self.handle.broken(py, error).to_string())))
    }
}

impl Source for OwnModel {
    fn route(&mut self, op: &Asked, values: &mut Arc<Values>) -> Result<Reach, Refusal> {
        let name = values.as_text(op.f).unwrap_or_default();
        if !self.known.contains_key(name) {
            let refusal = Python::attach(|py| self.own.bind(py).call_method1("refusal", (name,))?.extract());
            let refusal = refusal.map_err(|error: PyErr| Refusal(error.to_string()))?;
            self.known.insert(name.to_owned(), refusal);
        }
        if let Some(Some(why)) = self.known.get(name) {
            return Err(Refusal(why.clone()));
        }
        match self.split {
            Split::ByKey => Ok(Reach::Cell(op.key)),
            Split::Whole => Ok(Reach::Cell(ValueId::ABSENT)),
            Split::Asked if op.result.is_some() => Ok(Reach::Cell(ValueId::ABSENT)), // it was asked at the call
            Split::Asked => self.asked(op, Arc::make_mut(values)),
        }
    }

    fn compile(&mut self, events: &Events<'_>, _: &Control) -> Result<Vec<Part>, ModelError> {
        let (control, handle) = (Arc::clone(&locked(&self.handle.control)), Arc::clone(&self.handle));
        if let Some(cause) = control.expired() {
            return Err(ModelError::Stopped(cause));
        }
        let columns = Columns::of(events.history.clone());
        let compile = |py: Python<'_>| -> PyResult<(Arc<Shared>, Vec<Code>)> {
            let columns = Bound::new(py, columns)?;
            let window = self.own.bind(py).call_method1("window", (&columns,))?;
            let (adapter, fields): (Bound<'_, PyAny>, Vec<String>) = window.extract()?;
            let (codes, examples) = columns.get().kinds_of_operations(&fields_named(&fields)?);
            let shared = Shared::new(py, &adapter, examples.len(), &control, &handle.user)?;
            Ok((Arc::new(shared), codes))
        };
        let compiled =
            Python::attach(|py| handle.user.visit(py, || compile(py)).map_err(|error| handle.broken(py, error)));
        let (shared, codes) = compiled?;
        *locked(&handle.shared) = Some(Arc::clone(&shared));
        Ok(parts_of_groups(events, &codes, &shared))
    }

    fn asks_who(&self) -> bool {
        true
    }

    fn begins_anew(&mut self) -> bool {
        let shared = locked(&self.handle.shared);
        let Some(shared) = &*shared else { return false };
        Python::attach(|py| {
            let anew = self.own.bind(py).call_method0("begins_anew").and_then(|anew| anew.extract());
            let anew = anew.unwrap_or(false);
            if anew {
                shared.take_failure();
            }
            anew
        })
    }

    fn spent(&self) -> Option<Cause> {
        locked(&self.handle.shared).as_ref().and_then(|shared| shared.halted())
    }

    fn roots(&self) -> Vec<ValueId> {
        Vec::new()
    }

    fn rename(&mut self, _: &Renamed, _: &Values) {}
}
