//! What if an explanation needs many operations? As many as a word has bits are tried in every order, and that is work, too.

use super::*;
use linpoint_history::Event;
use linpoint_spec::{Spec, Structure};

/// Counts ticks. A mark can be set before there are `late` of them, and the goal needs the mark. All other codes change nothing.
#[derive(Clone)]
struct Late {
    late: State,
}

const TICK: Code = 0;
const MARK: Code = 1;
const GOAL: Code = 2;
const MARKED: State = 1 << 20;

impl Structure for Late {}

impl Spec for Late {
    fn initial(&mut self) -> Result<State, StepError> {
        Ok(0)
    }
    fn step(&mut self, state: State, code: Code, next: &mut Vec<State>) -> Result<(), StepError> {
        let count = state % MARKED;
        next.extend(match code {
            TICK => Some(state + 1),
            MARK if count < self.late => Some(state | MARKED),
            GOAL if state < MARKED => None,
            _ => Some(state),
        });
        Ok(())
    }
    fn read_only(&self, code: Code) -> bool {
        code == GOAL
    }
    fn bytes(&self) -> usize {
        0
    }
    fn show(&self, state: State) -> String {
        state.to_string()
    }
    fn fork(&self) -> Box<dyn Spec> {
        Box::new(self.clone())
    }
}

/// One after the other.
fn one_by_one(late: State, codes: Vec<Code>) -> Part {
    let events = (0..codes.len()).flat_map(|op| [Event::call(op), Event::ret(op)]).collect();
    let ops: Vec<u32> = (0..codes.len() as u32).collect();
    Part { label: None, processes: ops.clone(), ops, codes, events, spec: Box::new(Late { late }) }
}

/// The mark came too late, for all ticks were before it: `ticks` operations and the goal contradict each other whatever else happened.
fn too_late(ticks: usize, noise: u32) -> Part {
    let mut codes = vec![TICK; ticks];
    codes.push(MARK);
    codes.extend(3..3 + noise);
    codes.push(GOAL);
    one_by_one(ticks as State, codes)
}

#[test]
fn as_many_operations_are_tried_in_every_order_as_a_word_has_bits() {
    for ticks in [62, 63, 64] {
        let part = too_late(ticks, 0);
        let mark = ticks as u32;
        let control = Control::new(None, usize::MAX);
        let mut bench = Workbench::new(part.spec.fork(), Effort::default().work, &control);
        let found = Explainer::new(&mut bench, &part, mark + 1).with_all_in_view().expect("it steps").expect("found");
        let with_mark = ticks + 2 <= few::MOST;
        // Without the order of time the mark may come first: then all is possible, and a reader sees where it should have been.
        assert_eq!(found.claim, Claim::WhateverElse);
        assert_eq!(found.support, if with_mark { vec![mark] } else { vec![] }, "{ticks} ticks");
        assert_eq!(found.operations.len(), if with_mark { ticks + 2 } else { ticks + 1 }, "{ticks} ticks");
        assert_eq!(found.continuations.len(), usize::from(found.operations.len() <= few::MOST), "{ticks} ticks");
    }
}

/// Operations that help nobody are tried before the mark, each with all the others in thousands of orders.
#[test]
fn orders_without_time_are_work_as_well() {
    let part = too_late(16, 8);
    let control = Control::new(None, usize::MAX);
    let accused = part.ops.len() as u32 - 1;
    for (work, spent, is_found) in [(1_000_000, 185_445, true), (50_000, 50_000, false)] {
        let mut bench = Workbench::new(part.spec.fork(), work, &control);
        let found = Explainer::new(&mut bench, &part, accused).with_all_in_view().expect("it steps").expect("found");
        assert_eq!((work - bench.left, found.minimal), (spent, is_found));
        assert_eq!(found.support, if is_found { vec![16] } else { vec![] });
    }
}
