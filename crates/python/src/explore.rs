//! The explorer, as Python holds it: states and transitions stay on this side, runs and lassos cross as positions of transitions.

use crate::lts::{Budget, PyLts, stopped};
use linpoint_base::{Cause, Control};
use linpoint_explore as explore;
use linpoint_explore::{
    Atomic, Call, Client, Event, Graph, Label, Lasso, Machine, Memory, Names, Order, Program, RawProgram, Seen, Space,
    System, Taken,
};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// (stem, cycle, thread).
type PyLasso = (Vec<usize>, Vec<usize>, Option<usize>);
/// (name of the node or 0, cell or field).
type PyCell = (u32, usize);
/// (what, position, cell, value before, value after).
type PySeen = (&'static str, u16, PyCell, u32, u32);
/// Shared cells; (name, kind, freed, fields) of each node; (position or None, returning, (register, value)) of each thread.
type PyMemory = (Vec<u32>, Vec<(u32, u8, bool, Vec<u32>)>, Vec<(Option<u16>, bool, Vec<(u8, u32)>)>);
/// (thread, call or method or None, result or None, what was seen, fault and position, memory afterwards).
type PyTaken = (usize, Option<String>, Vec<PySeen>, Option<(&'static str, u16)>, PyMemory);

/// All that a client can make of an object.
#[pyclass(frozen, module = "linpoint._core", name = "Explored")]
pub struct Explored {
    inside: Arc<Inside>,
}

struct Inside {
    system: System,
    graph: Graph,
    names: Names,
    failure: Option<(Option<u32>, explore::Failure)>,
    /// How long it took to number the states.
    numbering: f64,
}

#[pyfunction]
#[pyo3(signature = (program, calls, names, *, threads, ops, order, patience, workers, states, timeout, memory, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn explore_object<'py>(
    py: Python<'py>,
    program: RawProgram,
    calls: Vec<(usize, Vec<u8>)>,
    names: (Vec<String>, Vec<String>, Vec<String>),
    threads: usize,
    ops: Option<usize>,
    order: (bool, bool, u8),
    patience: usize,
    workers: usize,
    states: Option<u64>,
    timeout: Option<f64>,
    memory: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Explored> {
    let program = Program::new(program).map_err(PyValueError::new_err)?;
    let menu = menu_of(calls);
    let order = Order::new(order.0, order.1, &menu, order.2);
    let client = Client { threads, calls: ops, menu, patience, order };
    client.check(&program).map_err(PyValueError::new_err)?;
    let names = named(names, client.menu.len(), program.methods.len(), program.symbols)?;
    let system = System::new(Machine::new(program, threads), client);
    let budget = Budget::limited(timeout, memory, states, progress);
    let explored = budget.spend(py, move |control| {
        let space = Space::explore(system, workers, control)?;
        let begun = Instant::now();
        let (system, graph, failure) = space.into_graph(control)?;
        let numbering = begun.elapsed().as_secs_f64();
        Ok(Explored { inside: Arc::new(Inside { system, graph, names, failure, numbering }) })
    })?;
    explored.map_err(stopped)
}

/// Θ_sp from the table of a sequential model.
#[pyfunction]
#[pyo3(signature = (calls, outcomes, names, *, threads, ops, order, timeout, memory, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn explore_specification<'py>(
    py: Python<'py>,
    calls: Vec<(usize, Vec<u8>)>,
    outcomes: Vec<Vec<Vec<(u32, u8)>>>,
    names: (Vec<String>, Vec<String>, Vec<String>),
    threads: usize,
    ops: usize,
    order: (bool, bool, u8),
    timeout: Option<f64>,
    memory: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<PyLts> {
    let menu = menu_of(calls);
    let order = Order::new(order.0, order.1, &menu, order.2);
    let methods: Vec<u8> = menu.iter().map(|call| call.method.min(usize::from(u8::MAX)) as u8).collect();
    let highest = usize::from(methods.iter().copied().max().unwrap_or(0));
    let symbols = names.2.len();
    let names = named(names, methods.len(), highest + 1, symbols)?;
    let budget = Budget::limited(timeout, memory, None, progress);
    let lts = budget.spend(py, move |control| {
        let graph = Atomic { methods, outcomes, order }.graph(threads, ops, control)?;
        graph.lts(&names, control)
    })?;
    lts.map(PyLts::of).map_err(stopped)
}

fn menu_of(calls: Vec<(usize, Vec<u8>)>) -> Vec<Call> {
    calls.into_iter().map(|(method, arguments)| Call { method, arguments }).collect()
}

fn named(
    (calls, methods, symbols): (Vec<String>, Vec<String>, Vec<String>),
    entries: usize,
    most_methods: usize,
    most_symbols: usize,
) -> PyResult<Names> {
    if calls.len() != entries || methods.len() < most_methods || symbols.len() < most_symbols {
        return Err(PyValueError::new_err("a name is missing"));
    }
    Ok(Names { calls, methods, symbols })
}

#[pymethods]
impl Explored {
    #[getter]
    fn states(&self) -> usize {
        self.inside.graph.states()
    }

    #[getter]
    fn transitions(&self) -> usize {
        self.inside.graph.transitions()
    }

    /// Seconds that it took to number the states, for the sake of what comes then.
    #[getter]
    fn numbering(&self) -> f64 {
        self.inside.numbering
    }

    /// (what failed, at which instruction, is it a limit of the explorer) or None.
    #[getter]
    fn failure(&self) -> Option<(&'static str, u16, bool)> {
        let failure = self.inside.failure?.1;
        Some((failure.fault.words(), failure.position, failure.fault.is_limit()))
    }

    /// Did a client that calls for ever wait with a call, since there were many nodes?
    #[getter]
    fn held_back(&self) -> bool {
        self.inside.system.held_back.load(Relaxed)
    }

    /// The system with calls and returns as labels.
    #[pyo3(signature = (*, timeout, memory))]
    fn lts(&self, py: Python<'_>, timeout: Option<f64>, memory: usize) -> PyResult<PyLts> {
        self.walk(py, timeout, memory, |inside, control| inside.graph.lts(&inside.names, control)).map(PyLts::of)
    }

    /// (method, value) of every return that occurs, each once, in order.
    fn returned(&self, py: Python<'_>) -> Vec<(u8, u8)> {
        let returned = |label: Label| match label.event() {
            Event::Return(method, value) => Some((method, value)),
            _ => None,
        };
        let mut found: Vec<(u8, u8)> = py.detach(|| self.inside.graph.visible().filter_map(returned).collect());
        found.sort_unstable();
        found.dedup();
        found
    }

    /// A way into a state where a call is pending and nobody can go on; and one where a thread has to wait for another.
    #[pyo3(signature = (*, timeout, memory))]
    fn waiting(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        memory: usize,
    ) -> PyResult<(Option<PyLasso>, Option<PyLasso>)> {
        self.walk(py, timeout, memory, |inside, control| {
            let pending = inside.graph.pending(control)?;
            let deadlock = inside.graph.deadlock(&pending, control)?;
            Ok((deadlock.map(lasso), inside.graph.waiting(&pending, control)?.map(lasso)))
        })
    }

    /// A cycle of internal steps, of all threads or of one alone.
    #[pyo3(signature = (thread, *, timeout, memory))]
    fn divergence(
        &self,
        py: Python<'_>,
        thread: Option<usize>,
        timeout: Option<f64>,
        memory: usize,
    ) -> PyResult<Option<PyLasso>> {
        self.walk(py, timeout, memory, move |inside, control| Ok(inside.graph.divergence(thread, control)?.map(lasso)))
    }

    /// A cycle in which a thread takes steps and its call does not return.
    #[pyo3(signature = (*, timeout, memory))]
    fn starvation(&self, py: Python<'_>, timeout: Option<f64>, memory: usize) -> PyResult<Option<PyLasso>> {
        self.walk(py, timeout, memory, |inside, control| Ok(inside.graph.starvation(control)?.map(lasso)))
    }

    /// A shortest run with these visible labels.
    #[pyo3(signature = (trace, *, timeout, memory))]
    fn along(
        &self,
        py: Python<'_>,
        trace: Vec<String>,
        timeout: Option<f64>,
        memory: usize,
    ) -> PyResult<Option<Vec<usize>>> {
        self.walk(py, timeout, memory, move |Inside { graph, names, .. }, control| {
            let known: HashMap<String, Label> =
                graph.visible().filter_map(|label| Some((names.label(label)?, label))).collect();
            let trace: Option<Vec<Label>> = trace.iter().map(|name| known.get(name).copied()).collect();
            trace.map_or(Ok(None), |trace| graph.along(&trace, control))
        })
    }

    /// A shortest run to the state of the failure; None if there is none, or if it happens before the first call.
    #[pyo3(signature = (*, timeout, memory))]
    fn to_failure(&self, py: Python<'_>, timeout: Option<f64>, memory: usize) -> PyResult<Option<Vec<usize>>> {
        let Some((Some(wanted), _)) = self.inside.failure else { return Ok(None) };
        self.walk(py, timeout, memory, move |Inside { graph, .. }, control| {
            graph.shortest(graph.initial, |_, _, _| true, |state| state == wanted, control)
        })
    }

    /// Takes a run again: the memory before, and each step. `failing` adds the step that fails.
    fn replay(&self, py: Python<'_>, run: Vec<usize>, failing: bool) -> PyResult<Option<(PyMemory, Vec<PyTaken>)>> {
        let Inside { system, graph, names, failure, .. } = &*self.inside;
        if run.iter().any(|&at| at >= graph.transitions()) {
            return Err(PyIndexError::new_err("there is no such transition"));
        }
        let last = failure.filter(|_| failing).map(|(_, failure)| failure.label);
        let replayed = py.detach(|| explore::replay(system, graph, &run, last));
        Ok(replayed
            .map(|(memory, taken)| (shown(memory), taken.into_iter().map(|step| step_of(step, names)).collect())))
    }
}

impl Explored {
    /// Looks at all states, through the door.
    fn walk<T: Send + 'static>(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        memory: usize,
        look: impl FnOnce(&Inside, &Control) -> Result<T, Cause> + Send + 'static,
    ) -> PyResult<T> {
        let inside = Arc::clone(&self.inside);
        let budget = Budget::limited(timeout, memory, None, None);
        budget.spend(py, move |control| look(&inside, control))?.map_err(stopped)
    }
}

fn lasso(lasso: Lasso) -> PyLasso {
    (lasso.stem, lasso.cycle, lasso.thread)
}

fn shown(memory: Memory) -> PyMemory {
    (memory.cells, memory.nodes, memory.threads)
}

fn step_of(taken: Taken, names: &Names) -> PyTaken {
    let seen = taken.seen.into_iter().map(|seen| match seen {
        Seen::Read(at, cell, value) => ("read", at, cell, value, value),
        Seen::Wrote(at, cell, old, new) => ("wrote", at, cell, old, new),
        Seen::Made(at, node) => ("made", at, (node, 0), node, node),
        Seen::Freed(at, node) => ("freed", at, (node, 0), node, node),
    });
    let failed = taken.failed.map(|(fault, at)| (fault.words(), at));
    let label = (taken.label.event() != Event::Step).then(|| names.label(taken.label)).flatten();
    (taken.label.thread(), label, seen.collect(), failed, shown(taken.memory))
}
