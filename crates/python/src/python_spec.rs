//! A specification written in Python, as the search sees it: user code runs once per distinct transition.
//!
//! States are interned by their own `==` and `hash` in a dict that all threads share, and so is the
//! table of transitions. Each search keeps a table of its own in front of it, so its inner loop takes no lock and
//! never enters Python for a transition that anybody has asked for before.
//!
//! Locks: the table's lock is taken first, then the GIL, never the other way round; while a thread waits
//! for the table it holds no GIL. So one thread at a time is in user code, and the door knows which ([`UserCode`]).
//!
//! Memory: the adapter weighs the states. Each search is charged with those that it was the first to reach; all of them together, and
//! those of searches that ended, are held against the limit by the adapter, which raises [`Halted`].

use crate::columns::Columns;
use crate::errors::{Halted, ModelError};
use crate::opaque::{Class, OpaqueRun};
use crate::user_code::UserCode;
use hashbrown::HashMap;
use linpoint_base::{Cause, Control};
use linpoint_history::ValueId;
use linpoint_monitor::Events;
use linpoint_spec::{
    Code, Foreign, Held, Part, Run, Spec, State, StepError, Stepped, Structure,
    compile::{FAILED, deal},
};
use pyo3::exceptions::{PyException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rustc_hash::FxBuildHasher;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Table = HashMap<(State, Code), Arc<[State]>, FxBuildHasher>;

/// What all searches of one check share.
pub struct Shared {
    adapter: Py<PyAny>,
    control: Arc<Control>,
    /// Who is in user code.
    pub user: Arc<UserCode>,
    read_only: Vec<bool>,
    table: Mutex<Interned>,
    failure: Mutex<Option<PyErr>>,
    /// If the model is a class that can be run without its states.
    class: Option<Arc<Class>>,
    /// Its states cannot be hashed: they are told apart by all that they hold.
    unhashable: bool,
    /// Set when user code was ended for want of memory.
    out_of_memory: AtomicBool,
}

struct Interned {
    ids: Py<PyDict>,
    states: Vec<Py<PyAny>>,
    /// The initial one, once somebody has asked. A window may have adopted others before.
    initial: Option<State>,
    transitions: Table,
    /// What the states weigh, in bytes.
    weight: usize,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What to say of an exception that is meant to end more than an operation, such as `SystemExit`.
fn ends_the_program(py: Python<'_>, error: &PyErr, words: &str) -> PyErr {
    let kind = error.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    let words = if words.is_empty() { String::new() } else { format!(" ({words})") };
    ModelError::new_err((format!("the code of the model raised {kind}{words}, which no answer is"), None::<usize>))
}

impl Shared {
    pub fn new(
        py: Python<'_>,
        adapter: &Bound<'_, PyAny>,
        kinds: usize,
        control: &Arc<Control>,
        user: &Arc<UserCode>,
    ) -> PyResult<Self> {
        let read_only = (0..kinds).map(|kind| adapter.call_method1("read_only", (kind,))?.is_truthy());
        let read_only: Vec<bool> = read_only.collect::<PyResult<_>>()?;
        let model = adapter.call_method0("opaque")?;
        let class = match model.is_none() {
            true => None,
            false => Some(Arc::new(Class::new(&model, &adapter.getattr("examples")?, &read_only)?)),
        };
        Ok(Shared {
            read_only,
            unhashable: adapter.getattr("unhashable")?.is_truthy()?,
            adapter: adapter.clone().unbind(),
            control: Arc::clone(control),
            user: Arc::clone(user),
            table: Mutex::new(Interned {
                ids: PyDict::new(py).unbind(),
                states: Vec::new(),
                initial: None,
                transitions: Table::default(),
                weight: 0,
            }),
            failure: Mutex::new(None),
            class,
            out_of_memory: AtomicBool::new(false),
        })
    }

    /// The exception that user code raised, if it did.
    pub fn take_failure(&self) -> Option<PyErr> {
        locked(&self.failure).take()
    }

    /// The budget that ended user code, if one did.
    pub fn halted(&self) -> Option<Cause> {
        if self.out_of_memory.load(Relaxed) { Some(Cause::Memory) } else { self.control.expired() }
    }

    /// Notes an exception for the caller, unless it is the end of a budget, and tells the search.
    fn broken(&self, py: Python<'_>, error: PyErr) -> StepError {
        let value = error.value(py);
        if error.is_instance_of::<Halted>(py) {
            let given = value.getattr("args").is_ok_and(|args| !args.is_empty().unwrap_or(true));
            self.out_of_memory.fetch_or(given, Relaxed);
            return StepError("a budget is used up".to_owned());
        }
        let message = value.str().map_or_else(|_| "(no words)".to_owned(), |text| text.to_string());
        let error = match error.is_instance_of::<PyException>(py) || error.is_instance_of::<PyKeyboardInterrupt>(py) {
            true => error,
            false => ends_the_program(py, &error, &message),
        };
        locked(&self.failure).get_or_insert(error);
        StepError(message)
    }

    /// Lets user code run on its own, noted and unless the time is up.
    pub fn visit<T>(&self, run: impl for<'py> FnOnce(Python<'py>) -> PyResult<T>) -> Result<T, StepError> {
        let _table = locked(&self.table); // one thread at a time is in user code
        Python::attach(|py| self.ask(py, |_| run(py)).map_err(|error| self.broken(py, error)))
    }

    /// Notes what is wrong with the model, for the caller to raise.
    pub fn fail(&self, wrong: impl for<'py> FnOnce(Python<'py>) -> PyErr) -> StepError {
        Python::attach(|py| self.broken(py, wrong(py)))
    }

    /// Lets user code run, unless the time is up.
    fn ask<'py, T>(&self, py: Python<'py>, run: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>) -> PyResult<T> {
        if self.control.expired().is_some() {
            return Err(Halted::new_err(()));
        }
        let adapter = self.adapter.bind(py);
        self.user.visit(py, || run(adapter))
    }

    fn initial(&self) -> Result<State, StepError> {
        let mut table = locked(&self.table);
        if let Some(known) = table.initial {
            return Ok(known);
        }
        let initial = Python::attach(|py| {
            let initial = self.ask(py, |adapter| table.intern(&adapter.call_method0("initial")?));
            initial.map_err(|error| self.broken(py, error))
        })?;
        table.initial = Some(initial);
        Ok(initial)
    }

    /// The state that the adapter gives for a Python object.
    fn adopt(&self, state: &Py<PyAny>) -> Result<State, StepError> {
        let mut table = locked(&self.table);
        Python::attach(|py| {
            let adopted = self.ask(py, |adapter| table.intern(&adapter.call_method1("adopt", (state,))?));
            adopted.map_err(|error| self.broken(py, error))
        })
    }

    /// The Python object behind a state.
    fn carried(&self, state: State) -> Result<Foreign, StepError> {
        let table = locked(&self.table);
        Python::attach(|py| {
            let state = table.states[state as usize].clone_ref(py);
            let carried = self.adapter.bind(py).call_method1("carried", (state,));
            carried.map(|object| Foreign(Arc::new(object.unbind()))).map_err(|error| self.broken(py, error))
        })
    }

    /// The states that are reached, and by how much they made the table heavier.
    fn step(&self, state: State, code: Code) -> Result<(Arc<[State]>, usize), StepError> {
        let mut table = locked(&self.table);
        if let Some(known) = table.transitions.get(&(state, code)) {
            return Ok((Arc::clone(known), 0));
        }
        let before = table.weight;
        let outcomes = Python::attach(|py| {
            let called = self.ask(py, |adapter| table.call(adapter, state, code));
            called.map_err(|error| self.broken(py, error))
        })?;
        if self.read_only[code as usize] && outcomes.iter().any(|&outcome| outcome != state) {
            return Err(Python::attach(|py| self.broken(py, changed(self.adapter.bind(py), code))));
        }
        table.transitions.insert((state, code), Arc::clone(&outcomes));
        Ok((outcomes, table.weight.saturating_sub(before)))
    }
}

fn changed(adapter: &Bound<'_, PyAny>, code: Code) -> PyErr {
    let name = adapter.call_method1("describe", (code,)).map(|text| text.to_string());
    let name = name.unwrap_or_else(|_| "an operation".to_owned());
    let message = format!("`readonly` of the model says that {name} never changes the state, but it did");
    ModelError::new_err((message, None::<usize>))
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
        self.weight = adapter.getattr("bytes")?.extract()?;
        Ok(outcomes.into())
    }
}

/// One search's view of the specification.
struct PythonSpec {
    shared: Arc<Shared>,
    transitions: Table,
    /// What the states weigh that this search was the first to reach.
    weight: usize,
    /// The cells of a monitored group, which have one state between them.
    cells: Arc<[ValueId]>,
}

impl PythonSpec {
    fn new(shared: &Arc<Shared>, cells: &Arc<[ValueId]>) -> Self {
        let (shared, cells) = (Arc::clone(shared), Arc::clone(cells));
        PythonSpec { shared, transitions: Table::default(), weight: 0, cells }
    }
}

/// Nothing is known of a user's model but its steps.
impl Structure for PythonSpec {}

impl Spec for PythonSpec {
    fn initial(&mut self) -> Result<State, StepError> {
        self.shared.initial()
    }

    fn step(&mut self, state: State, code: Code, next: &mut Vec<State>) -> Result<(), StepError> {
        if let Some(known) = self.transitions.get(&(state, code)) {
            next.extend_from_slice(known);
            return Ok(());
        }
        let (outcomes, weight) = self.shared.step(state, code)?;
        self.weight += weight;
        next.extend_from_slice(&outcomes);
        self.transitions.insert((state, code), outcomes);
        Ok(())
    }

    fn read_only(&self, code: Code) -> bool {
        self.shared.read_only[code as usize]
    }

    fn cells(&self) -> &[ValueId] {
        &self.cells
    }

    fn hold(&self, state: State) -> Result<Vec<Held>, StepError> {
        let held = Held::Foreign(self.shared.carried(state)?);
        Ok(vec![held; self.cells.len()])
    }

    fn adopt(&mut self, held: &[Option<&Held>]) -> Result<State, StepError> {
        let mut known = held.iter().copied().flatten();
        let Some(first) = known.next() else { return self.initial() };
        if known.any(|other| other != first) {
            let words =
                "`partition` puts together what was judged apart before: a monitor cannot tell what they hold together";
            return Err(StepError(words.to_owned()));
        }
        match first {
            Held::Foreign(Foreign(state)) => match state.downcast_ref::<Py<PyAny>>() {
                Some(state) => self.shared.adopt(state),
                None => Err(StepError("a state of another model".to_owned())),
            },
            _ => Err(StepError("a state of another model".to_owned())),
        }
    }

    fn bytes(&self) -> usize {
        self.transitions.capacity() * (size_of::<((State, Code), Arc<[State]>)>() + 1) + self.weight
    }

    fn show(&self, state: State) -> String {
        let table = locked(&self.shared.table);
        Python::attach(|py| {
            let state = table.states[state as usize].clone_ref(py);
            let adapter = self.shared.adapter.bind(py);
            let shown = adapter.call_method1("show", (state,)); // no visit: the adapter itself looks at the clock
            shown.map_or_else(|_| "(no words)".to_owned(), |text| text.to_string())
        })
    }

    fn fork(&self) -> Box<dyn Spec> {
        Box::new(PythonSpec::new(&self.shared, &self.cells))
    }

    fn runner(&self) -> Box<dyn Run> {
        match &self.shared.class {
            Some(class) => Box::new(OpaqueRun::new(&self.shared, class)),
            None => Box::new(Stepped::new(self.fork())),
        }
    }

    fn why_run(&self) -> Option<&'static str> {
        match (&self.shared.class, self.shared.unhashable) {
            (Some(_), _) => Some("the specification can only be run"),
            (None, true) => Some("the states of the specification cannot be hashed"),
            (None, false) => None,
        }
    }
}

/// A part without operations.
fn empty_part(label: Option<String>, shared: &Arc<Shared>, cells: &Arc<[ValueId]>) -> Part {
    let spec = Box::new(PythonSpec::new(shared, cells));
    Part { label, ops: Vec::new(), codes: Vec::new(), processes: Vec::new(), events: Vec::new(), spec }
}

/// The parts of a monitored window: one for each group of cells. `kinds` are those of the operations.
pub fn parts_of_groups(events: &Events<'_>, kinds: &[Code], shared: &Arc<Shared>) -> Vec<Part> {
    let groups = (0..).zip(events.carried);
    let of_key: HashMap<ValueId, usize> =
        groups.flat_map(|(group, held)| held.keys.iter().map(move |&key| (key, group))).collect();
    // An operation about all cells is in the only group there is.
    let group_of: Vec<usize> = events.cells.iter().map(|cell| cell.map_or(0, |key| of_key[&key])).collect();
    let mut parts: Vec<Part> = events.carried.iter().map(|held| empty_part(None, shared, &held.keys.into())).collect();
    // A kind may be there in several groups: operations are dealt by their own number.
    let numbers: Vec<Code> = (0..kinds.len() as Code).collect();
    deal(events.history, &numbers, |op| group_of[op as usize], &mut parts);
    for part in &mut parts {
        part.codes.iter_mut().for_each(|code| *code = kinds[*code as usize]);
    }
    parts
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
        parts.push(empty_part(label, shared, &Arc::default()));
    }
    let history = &columns.history;
    let failed = |op: usize| history.status[op] == linpoint_history::Status::Fail;
    let code = |(op, &kind): (usize, &Code)| if failed(op) { FAILED } else { kind };
    let code_of: Vec<Code> = codes.iter().enumerate().map(code).collect();
    deal(history, &code_of, |code| group_of[code as usize], &mut parts);
    Ok(parts)
}
