//! A specification written in Python, as the search sees it: user code runs once per distinct transition.
//!
//! States are interned by their own `==` and `hash` in a dict that all threads share, and so is the
//! table of transitions. Each search keeps a table of its own in front of it, so its inner loop takes no lock and
//! never enters Python for a transition that anybody has asked for before.
//!
//! Locks: the table's lock is taken first, then the GIL, never the other way round; while a thread waits
//! for the table it holds no GIL.

use crate::columns::Columns;
use hashbrown::HashMap;
use linpoint_spec::{Code, Part, Spec, State, StepError, compile::deal};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rustc_hash::FxBuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Table = HashMap<(State, Code), Arc<[State]>, FxBuildHasher>;

/// What all searches of one check share.
pub struct Shared {
    adapter: Py<PyAny>,
    read_only: Vec<bool>,
    table: Mutex<Interned>,
    failure: Mutex<Option<PyErr>>,
}

struct Interned {
    ids: Py<PyDict>,
    states: Vec<Py<PyAny>>,
    transitions: Table,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub fn new(py: Python<'_>, adapter: &Bound<'_, PyAny>, kinds: usize) -> PyResult<Self> {
        let read_only = (0..kinds).map(|kind| adapter.call_method1("read_only", (kind,))?.is_truthy());
        Ok(Shared {
            read_only: read_only.collect::<PyResult<_>>()?,
            adapter: adapter.clone().unbind(),
            table: Mutex::new(Interned {
                ids: PyDict::new(py).unbind(),
                states: Vec::new(),
                transitions: Table::default(),
            }),
            failure: Mutex::new(None),
        })
    }

    /// The exception that user code raised, if it did.
    pub fn take_failure(&self) -> Option<PyErr> {
        locked(&self.failure).take()
    }

    /// Notes an exception for the caller and tells the search.
    fn broken(&self, py: Python<'_>, error: PyErr) -> StepError {
        let message = error.value(py).to_string();
        locked(&self.failure).get_or_insert(error);
        StepError(message)
    }

    fn initial(&self) -> Result<State, StepError> {
        let mut table = locked(&self.table);
        Python::attach(|py| {
            let initial = self.adapter.bind(py).call_method0("initial");
            initial.and_then(|state| table.intern(&state)).map_err(|error| self.broken(py, error))
        })
    }

    fn step(&self, state: State, code: Code) -> Result<Arc<[State]>, StepError> {
        let mut table = locked(&self.table);
        if let Some(known) = table.transitions.get(&(state, code)) {
            return Ok(Arc::clone(known));
        }
        let outcomes = Python::attach(|py| {
            table.call(self.adapter.bind(py), state, code).map_err(|error| self.broken(py, error))
        })?;
        if self.read_only[code as usize] && outcomes.iter().any(|&outcome| outcome != state) {
            return Err(Python::attach(|py| self.broken(py, changed(self.adapter.bind(py), code))));
        }
        table.transitions.insert((state, code), Arc::clone(&outcomes));
        Ok(outcomes)
    }
}

fn changed(adapter: &Bound<'_, PyAny>, code: Code) -> PyErr {
    let message = "an operation that the model calls read-only changed the state";
    let name = adapter.call_method1("describe", (code,)).map(|text| text.to_string());
    crate::errors::ModelError::new_err((format!("{message}: {}", name.unwrap_or_default()), None::<usize>))
}

impl Interned {
    fn intern(&mut self, state: &Bound<'_, PyAny>) -> PyResult<State> {
        let ids = self.ids.bind(state.py());
        if let Some(id) = ids.get_item(state)? {
            return id.extract();
        }
        let id = self.states.len() as State;
        ids.set_item(state, id)?;
        self.states.push(state.clone().unbind());
        Ok(id)
    }

    fn call(&mut self, adapter: &Bound<'_, PyAny>, state: State, code: Code) -> PyResult<Arc<[State]>> {
        let before = self.states[state as usize].bind(adapter.py()).clone();
        let mut outcomes: Vec<State> = Vec::new();
        for next in adapter.call_method1("step", (before, code))?.try_iter()? {
            let next = self.intern(&next?)?;
            if !outcomes.contains(&next) {
                outcomes.push(next);
            }
        }
        Ok(outcomes.into())
    }
}

/// One search's view of the specification.
struct PythonSpec {
    shared: Arc<Shared>,
    transitions: Table,
}

impl Spec for PythonSpec {
    fn initial(&mut self) -> Result<State, StepError> {
        self.shared.initial()
    }

    fn step(&mut self, state: State, code: Code, next: &mut Vec<State>) -> Result<(), StepError> {
        if let Some(known) = self.transitions.get(&(state, code)) {
            next.extend_from_slice(known);
            return Ok(());
        }
        let outcomes = self.shared.step(state, code)?;
        next.extend_from_slice(&outcomes);
        self.transitions.insert((state, code), outcomes);
        Ok(())
    }

    fn read_only(&self, code: Code) -> bool {
        self.shared.read_only[code as usize]
    }

    fn bytes(&self) -> usize {
        // What the states weigh in Python nobody knows; a small tuple takes about this much.
        const STATE: usize = 200;
        let states = self.transitions.capacity() / 4;
        self.transitions.capacity() * (size_of::<((State, Code), Arc<[State]>)>() + 1) + states * STATE
    }

    fn show(&self, state: State) -> String {
        let table = locked(&self.shared.table);
        Python::attach(|py| {
            let state = table.states[state as usize].clone_ref(py);
            let shown = self.shared.adapter.bind(py).call_method1("show", (state,));
            shown.map_or_else(|error| format!("(cannot be shown: {error})"), |text| text.to_string())
        })
    }

    fn fork(&self) -> Box<dyn Spec> {
        Box::new(PythonSpec { shared: Arc::clone(&self.shared), transitions: Table::default() })
    }
}

/// Turns a history into parts to be judged by a Python specification.
pub fn compile(
    adapter: &Bound<'_, PyAny>,
    columns: &Columns,
    (codes, kinds): (&[Code], usize),
    shared: &Arc<Shared>,
    partition: bool,
) -> PyResult<Vec<Part>> {
    let mut group_of = vec![0usize; kinds];
    if partition {
        for (kind, group) in group_of.iter_mut().enumerate() {
            *group = adapter.call_method1("group", (kind,))?.extract()?;
        }
    }
    let groups = group_of.iter().max().map_or(1, |last| last + 1);
    let mut parts = Vec::new();
    for group in 0..groups {
        let label = match groups {
            1 => None,
            _ => Some(adapter.call_method1("group_label", (group,))?.extract()?),
        };
        let spec = PythonSpec { shared: Arc::clone(shared), transitions: Table::default() };
        parts.push(Part { label, ops: Vec::new(), codes: Vec::new(), events: Vec::new(), spec: Box::new(spec) });
    }
    let history = &columns.history;
    let code_of: Vec<Option<Code>> = codes
        .iter()
        .enumerate()
        .map(|(op, &kind)| (history.status[op] != linpoint_history::Status::Fail).then_some(kind))
        .collect();
    deal(history, &code_of, |code| group_of[code as usize], &mut parts);
    Ok(parts)
}
