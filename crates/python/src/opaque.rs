//! An ordinary Python class, run by one thread, as a specification: calls its methods and compares what they answer.
//!
//! Between two calls of a method stand one look-up of its name, one comparison and nothing else: no Python frame, no conversion. Results of the
//! plain types are compared here; whatever else is asked of the model (`_agrees`), and so is whether an exception is what was
//! recorded (`_agrees_raised`). One visit to user code ([`UserCode`](crate::user_code::UserCode)) for a whole run of operations.
//!
//! What the model is asked for is described by `Opaque` in `_core.pyi`. Objects that are copied stay on a stack here.

use crate::errors::{Halted, ModelError};
use crate::python_spec::Shared;
use linpoint_spec::{Code, Run, StepError};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// So many calls that are declared readonly are watched, of each kind; later one in so many.
const READS_WATCHED: u32 = 64;

/// How an operation of one kind is called, and what it must answer.
struct Call {
    method: Py<PyString>,
    arguments: Py<PyTuple>,
    /// Gives arguments that a call may keep and change; None if there are none such.
    fresh_arguments: Option<Py<PyAny>>,
    /// None for a pending operation: whatever it answers is fine.
    expected: Option<Py<PyAny>>,
    operation: Py<PyAny>,
    /// Calls so far of one that is declared readonly.
    reads: Option<AtomicU32>,
}

/// What all runs of one check share.
pub struct Class {
    model: Py<PyAny>,
    calls: Vec<Option<Call>>,
    copy: Option<Py<PyAny>>,
    copy_cost: usize,
}

impl Class {
    /// What the model of a class says, asked once for each kind; `examples` holds an operation of each, None where all failed.
    pub fn new(model: &Bound<'_, PyAny>, examples: &Bound<'_, PyAny>, read_only: &[bool]) -> PyResult<Self> {
        let mut calls = Vec::new();
        for (operation, &is_read) in examples.try_iter()?.zip(read_only) {
            let operation = operation?;
            calls.push(if operation.is_none() { None } else { Some(Call::new(model, operation, is_read)?) });
        }
        let copy = model.getattr("_copy")?;
        Ok(Class {
            calls,
            copy: (!copy.is_none()).then(|| copy.unbind()),
            copy_cost: model.getattr("_copy_cost")?.extract()?,
            model: model.clone().unbind(),
        })
    }
}

impl Call {
    fn new(model: &Bound<'_, PyAny>, operation: Bound<'_, PyAny>, is_read: bool) -> PyResult<Self> {
        let (method, arguments) =
            model.call_method1("_invocation", (&operation,))?.extract::<(Bound<'_, PyString>, Bound<'_, PyTuple>)>()?;
        let fresh = model.call_method1("_arguments", (&operation,))?;
        let is_pending = operation.getattr("pending")?.is_truthy()?;
        let expected = if is_pending { None } else { Some(model.call_method1("_expected", (&operation,))?.unbind()) };
        Ok(Call {
            method: method.unbind(),
            arguments: arguments.unbind(),
            fresh_arguments: (!fresh.is_none()).then(|| fresh.unbind()),
            expected,
            operation: operation.unbind(),
            reads: is_read.then(AtomicU32::default),
        })
    }

    /// Calls the method; does the answer agree with the recorded one? One that is declared readonly must leave the object as it is.
    fn agrees(&self, model: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let watched = self.reads.as_ref().is_some_and(|reads| {
            let calls = reads.fetch_add(1, Relaxed);
            calls < READS_WATCHED || calls.is_multiple_of(READS_WATCHED)
        });
        if !watched {
            return self.call(model, object);
        }
        let held = model.call_method1("_noted", (object,))?;
        let agrees = self.call(model, object)?;
        model.call_method1("_must_be_as_before", (&self.operation, object, held))?;
        Ok(agrees)
    }

    fn call(&self, model: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = object.py();
        let arguments = match &self.fresh_arguments {
            None => self.arguments.bind(py).clone(),
            Some(fresh) => fresh.bind(py).call0()?.cast_into::<PyTuple>()?,
        };
        let answer = object.getattr(self.method.bind(py)).and_then(|method| method.call1(arguments));
        match (answer, &self.expected) {
            (Ok(_), None) => Ok(true),
            (Ok(answer), Some(expected)) => match plainly(&answer, expected.bind(py)) {
                Some(equal) => Ok(equal),
                None => model.call_method1("_agrees", (&self.operation, answer))?.is_truthy(),
            },
            (Err(raised), _) if raised.is_instance_of::<Halted>(py) => Err(raised),
            (Err(raised), None) if raised.is_instance_of::<PyException>(py) => Ok(true),
            (Err(raised), _) => model.call_method1("_agrees_raised", (&self.operation, raised.value(py)))?.is_truthy(),
        }
    }
}

/// Whether two plain values are equal, and of one type; None if the model has to tell.
fn plainly(answer: &Bound<'_, PyAny>, expected: &Bound<'_, PyAny>) -> Option<bool> {
    if answer.is(expected) && (answer.is_none() || answer.is_exact_instance_of::<PyBool>()) {
        return Some(true);
    }
    let both_are = |is: fn(&Bound<'_, PyAny>) -> bool| is(answer) && is(expected);
    let plain = both_are(|value| value.is_exact_instance_of::<PyInt>())
        || both_are(|value| value.is_exact_instance_of::<PyString>())
        || both_are(|value| value.is_exact_instance_of::<PyBool>());
    if plain { answer.eq(expected).ok() } else { None }
}

/// Objects of the class, run.
pub struct OpaqueRun {
    shared: Arc<Shared>,
    class: Arc<Class>,
    object: Option<Py<PyAny>>,
    saved: Vec<Py<PyAny>>,
}

impl OpaqueRun {
    pub fn new(shared: &Arc<Shared>, class: &Arc<Class>) -> Self {
        OpaqueRun { shared: Arc::clone(shared), class: Arc::clone(class), object: None, saved: Vec::new() }
    }

    /// A copy of an object; None if this one cannot be copied.
    fn copied(&self, object: &Py<PyAny>) -> Result<Option<Py<PyAny>>, StepError> {
        let Some(copy) = &self.class.copy else { return Ok(None) };
        self.shared.visit(|py| {
            let copied = copy.call1(py, (object,))?;
            Ok((!copied.is_none(py)).then_some(copied))
        })
    }
}

impl Run for OpaqueRun {
    fn begin(&mut self) -> Result<(), StepError> {
        self.object = Some(self.shared.visit(|py| self.class.model.call_method0(py, "_fresh"))?);
        Ok(())
    }

    fn go_on(&mut self, codes: &[Code]) -> Result<usize, StepError> {
        let Some(object) = &self.object else { return Err(StepError("nothing is in hand".to_owned())) };
        self.shared.visit(|py| {
            let (model, object) = (self.class.model.bind(py), object.bind(py));
            for (place, &code) in codes.iter().enumerate() {
                let call = self.class.calls[code as usize].as_ref().expect("what failed is in no schedule");
                if !call.agrees(model, object)? {
                    return Ok(place);
                }
            }
            Ok(codes.len())
        })
    }

    fn copy_cost(&self) -> Option<usize> {
        self.class.copy.as_ref().map(|_| self.class.copy_cost)
    }

    fn save(&mut self) -> Result<bool, StepError> {
        let copied = self.object.as_ref().map_or(Ok(None), |object| self.copied(object))?;
        let is_copied = copied.is_some();
        self.saved.extend(copied);
        Ok(is_copied)
    }

    fn restore(&mut self, stays: bool) -> Result<bool, StepError> {
        self.object = match self.saved.last() {
            Some(top) if stays => self.copied(top)?,
            _ => self.saved.pop(),
        };
        Ok(self.object.is_some())
    }

    fn clear(&mut self) {
        self.saved.clear();
    }

    fn bytes(&self) -> usize {
        0 // nobody knows what an object weighs; at most one per operation of a schedule is held
    }

    fn unreliable(&mut self, code: Option<Code>, copied: bool) -> StepError {
        let how = if copied { "on a copy of the object" } else { "when it is run again" };
        self.shared.fail(|py| {
            let call = code.and_then(|code| self.class.calls[code as usize].as_ref());
            let method = call.map(|call| self.class.model.call_method1(py, "_answering", (&call.operation,)));
            let name = method.map_or_else(
                || self.class.model.bind(py).str().map(|name| name.to_string()),
                |name| Ok(name?.to_string()),
            );
            let name = name.unwrap_or_else(|_| "a method".to_owned());
            let why = "the same calls must give the same answers";
            ModelError::new_err((format!("{name} answers differently {how}: {why}"), None::<usize>))
        })
    }
}
