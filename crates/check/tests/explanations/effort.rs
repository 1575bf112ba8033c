//! How small are explanations, and what do they cost? Exact numbers: work is counted, not timed.
//!
//! Whoever makes explanations smaller or cheaper puts the new numbers here; whoever makes them larger, or forgets to count, sees it.

use crate::broken::broken;
use linpoint_check::{Claim, Control, Effort, Settings, Verdict, explain};
use linpoint_spec::{Code, Part, Spec, State, StepError, Structure};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A specification that counts its steps.
struct Counted {
    inner: Box<dyn Spec>,
    steps: Arc<AtomicU64>,
}

impl Structure for Counted {}

impl Spec for Counted {
    fn initial(&mut self) -> Result<State, StepError> {
        self.inner.initial()
    }
    fn step(&mut self, state: State, code: Code, next: &mut Vec<State>) -> Result<(), StepError> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        self.inner.step(state, code, next)
    }
    fn read_only(&self, code: Code) -> bool {
        self.inner.read_only(code)
    }
    fn domain(&self, code: Code) -> u32 {
        self.inner.domain(code)
    }
    fn bytes(&self) -> usize {
        self.inner.bytes()
    }
    fn show(&self, state: State) -> String {
        self.inner.show(state)
    }
    fn fork(&self) -> Box<dyn Spec> {
        Box::new(Counted { inner: self.inner.fork(), steps: Arc::clone(&self.steps) })
    }
}

/// Explanations of `count` violations at this effort: how many there are, how many begin at a cut, how many are minimal, how many
/// operations and steps in all.
fn sums(violations: &[(Part, Arc<AtomicU64>, u32)], effort: Effort) -> [u64; 5] {
    let mut sums = [0; 5];
    for (part, steps, accused) in violations {
        steps.store(0, Ordering::Relaxed);
        let control = Control::new(None, 1 << 30);
        let found = explain(part, *accused, &[], effort, &control).expect("automata do not fail");
        sums[4] += steps.load(Ordering::Relaxed);
        let Some(found) = found else { continue };
        sums[0] += 1;
        sums[1] += u64::from(found.claim == Claim::AfterCut);
        sums[2] += u64::from(found.minimal);
        sums[3] += found.operations.len() as u64;
    }
    sums
}

#[test]
fn explanations_are_as_small_and_as_cheap_as_they_are() {
    let settings = Settings::of("breadth-first").expect("a method of this name");
    let violations = (0..300).filter_map(|seed| {
        let mut part = broken(seed, [20, 40, 80][seed as usize % 3])?;
        let steps = Arc::new(AtomicU64::new(0));
        part.spec = Box::new(Counted { inner: part.spec, steps: Arc::clone(&steps) });
        let control = Control::new(None, 1 << 30);
        let answer = settings.method.run(&part, &settings, &control).expect("automata do not fail");
        let accused = answer.evidence.accused();
        (answer.verdict == Verdict::Violation).then(|| (part, steps, accused.expect("it is stuck somewhere")))
    });
    let violations: Vec<_> = violations.collect();
    let table = [
        (100, 2_000, [68, 46, 22, 1334, 58159]),
        (1_000, 2_000, [68, 16, 41, 457, 107475]),
        (10_000, 2_000, [68, 3, 64, 336, 405968]),
        (100, 0, [68, 45, 24, 986, 53196]),
        (1_000, 0, [68, 33, 46, 359, 62735]),
        (10_000, 0, [68, 34, 55, 126, 152134]),
    ];
    let found = table.map(|(work, short, _)| (work, short, sums(&violations, Effort { work, short })));
    assert_eq!(found, table, "work, short: explained, at a cut, minimal, operations, steps");
}
