//! What a check found, as Python sees it: a few frozen classes, the only form in which evidence crosses the door.
//!
//! A kind of evidence is a variant of [`Evidence`] on this side and a class on the other; `_core.pyi` describes them.

use hashbrown::HashSet;
use linpoint_base::Cause;
use linpoint_check as check;
use linpoint_check::Verdict;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;
use std::time::Duration;

/// Operations by their numbers; a tuple in Python, made when it is asked for.
#[derive(Clone, Default, PartialEq)]
pub struct Numbers(Arc<Vec<u32>>);

impl From<Vec<u32>> for Numbers {
    fn from(numbers: Vec<u32>) -> Self {
        Numbers(Arc::new(numbers))
    }
}

impl<'py> IntoPyObject<'py> for Numbers {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.iter())
    }
}

/// An order of operations and the state it leads to.
#[pyclass(frozen, get_all, eq, module = "linpoint._core")]
#[derive(Clone, PartialEq)]
pub struct Candidate {
    order: Numbers,
    state: String,
    start: usize,
}

#[pymethods]
impl Candidate {
    #[new]
    #[pyo3(signature = (order, state, start = 0))]
    fn new(order: Vec<u32>, state: String, start: usize) -> Self {
        Candidate { order: order.into(), state, start }
    }
}

/// An order that explains everything.
#[pyclass(frozen, get_all, eq, module = "linpoint._core")]
#[derive(Clone, PartialEq)]
pub struct Witness {
    order: Numbers,
}

#[pymethods]
impl Witness {
    #[new]
    fn new(order: Vec<u32>) -> Self {
        Witness { order: order.into() }
    }

    fn __len__(&self) -> usize {
        self.order.0.len()
    }

    /// The order of some of its operations: a picture shows forty of a million.
    fn among(&self, operations: Vec<u32>) -> Numbers {
        let some: HashSet<u32> = operations.into_iter().collect();
        self.order.0.iter().copied().filter(|op| some.contains(op)).collect::<Vec<_>>().into()
    }
}

/// The return that cannot be explained, or was not yet, and how far it goes until then.
#[pyclass(frozen, get_all, eq, module = "linpoint._core")]
#[derive(Clone, PartialEq)]
pub struct Stuck {
    operation: Option<u32>,
    candidates: Vec<Candidate>,
    frontier: Numbers,
    explained: usize,
    conflict: Numbers,
    derivation: Vec<Deduction>,
}

#[pymethods]
impl Stuck {
    #[new]
    #[pyo3(signature = (operation, candidates = vec![], frontier = vec![], explained = 0, conflict = vec![]))]
    fn new(
        operation: Option<u32>,
        candidates: Vec<PyRef<'_, Candidate>>,
        frontier: Vec<u32>,
        explained: usize,
        conflict: Vec<u32>,
    ) -> Self {
        let candidates = candidates.iter().map(|candidate| (**candidate).clone()).collect();
        Stuck {
            operation,
            candidates,
            frontier: frontier.into(),
            explained,
            conflict: conflict.into(),
            derivation: vec![],
        }
    }
}

/// The answer to a check.
#[pyclass(frozen, get_all, module = "linpoint._core")]
pub struct Outcome {
    verdict: &'static str,
    cause: Option<String>,
    evidence: Py<PyAny>,
    part: Option<String>,
    parts: usize,
    method: &'static str,
    why_method: String,
    configurations: u64,
    depth: Option<usize>,
    schedules: Option<u64>,
    family: Option<Vec<u64>>,
    proof: Option<(String, String)>,
    seconds: f64,
}

impl Outcome {
    pub fn of(py: Python<'_>, outcome: check::Outcome, took: Duration) -> PyResult<Self> {
        let (verdict, cause) = match outcome.verdict {
            Verdict::Linearizable => ("linearizable", None),
            Verdict::Violation => ("violation", None),
            Verdict::Unknown(cause) => ("unknown", Some(words(cause))),
        };
        let evidence = match outcome.evidence {
            check::Evidence::Witness(order) => Py::new(py, Witness::new(order))?.into_any(),
            check::Evidence::Stuck(stuck) => Py::new(py, Stuck::of(stuck, Vec::new(), Vec::new()))?.into_any(),
            check::Evidence::Conflict { stuck, operations } => {
                Py::new(py, Stuck::of(stuck, operations, Vec::new()))?.into_any()
            }
            check::Evidence::Derivation { stuck, operations, steps } => {
                Py::new(py, Stuck::of(stuck, operations, steps))?.into_any()
            }
        };
        Ok(Outcome {
            verdict,
            cause,
            evidence,
            part: outcome.part,
            parts: outcome.parts,
            method: outcome.method,
            why_method: outcome.why_method,
            configurations: outcome.configurations,
            depth: outcome.hits.as_ref().and_then(|hits| hits.depth),
            schedules: outcome.hits.as_ref().map(|hits| hits.schedules),
            family: outcome.hits.map(|hits| hits.family),
            proof: outcome.proof.map(|proof| (proof.cnf, proof.drat)),
            seconds: took.as_secs_f64(),
        })
    }
}

impl Witness {
    /// The operations, to be taken along into a thread.
    pub fn shared(&self) -> Arc<Vec<u32>> {
        Arc::clone(&self.order.0)
    }
}

impl Stuck {
    fn of(stuck: check::Stuck, conflict: Vec<u32>, steps: Vec<check::Deduction>) -> Self {
        let candidate = |found: check::Candidate| Candidate::new(found.order, found.state, 0);
        Stuck {
            operation: stuck.operation,
            candidates: stuck.candidates.into_iter().map(candidate).collect(),
            frontier: stuck.frontier.into(),
            explained: stuck.explained,
            conflict: conflict.into(),
            derivation: steps.into_iter().map(deduction).collect(),
        }
    }
}

/// One step of a derivation: kind, first, second, law, what it says, what it is about, premises. A class of Python has the names.
type Deduction = (&'static str, Option<i32>, Option<i32>, &'static str, &'static str, Numbers, Numbers);

fn deduction(step: check::Deduction) -> Deduction {
    let check::Deduction { kind, first, second, law, says, about, premises } = step;
    (kind, first, second, law, says, about.into(), premises.into())
}

/// The cause in the words of `Cause` in Python.
pub fn words(cause: Cause) -> String {
    match cause {
        Cause::Time => "time".into(),
        Cause::Memory => "memory".into(),
        Cause::Work => "work".into(),
        Cause::Interrupted | Cause::Moot => "interrupted".into(),
        Cause::Broken(message) => format!("gave up: {message}"),
        Cause::Declined(why) => format!("declined: {why}"),
        Cause::Incomplete(why) => format!("gave up: {why}"),
        Cause::Depth(why) => format!("depth: {why}"),
    }
}

/// A moment right behind a return.
#[pyclass(frozen, get_all, module = "linpoint._core")]
#[derive(Clone)]
pub struct Cut {
    after: u32,
    returned: usize,
    reachable: Vec<Candidate>,
    early: Vec<Numbers>,
}

/// Few operations that show a violation.
#[pyclass(frozen, get_all, module = "linpoint._core")]
pub struct Shrunk {
    accused: u32,
    operations: Numbers,
    support: Numbers,
    claim: &'static str,
    part: Option<String>,
    cut: Option<Cut>,
    candidates: Vec<Candidate>,
    minimal: bool,
}

impl Shrunk {
    /// What was found in the part with this label.
    pub fn of(found: check::Explanation, part: Option<String>) -> Self {
        let claim = match found.claim {
            check::Claim::WhateverElse => "whatever else happened",
            check::Claim::AfterCut => "after a cut",
        };
        let reachable = |found: check::Reachable| Candidate::new(found.order, found.state, 0);
        let candidate = |found: check::Continuation| Candidate::new(found.order, found.state, found.start);
        Shrunk {
            accused: found.accused,
            operations: found.operations.into(),
            support: found.support.into(),
            claim,
            part,
            cut: found.cut.map(|cut| Cut {
                after: cut.after,
                returned: cut.returned,
                early: cut.reachable.iter().map(|found| found.early.clone().into()).collect(),
                reachable: cut.reachable.into_iter().map(reachable).collect(),
            }),
            candidates: found.continuations.into_iter().map(candidate).collect(),
            minimal: found.minimal,
        }
    }
}
