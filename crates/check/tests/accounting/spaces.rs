//! Histories whose configurations can be counted by hand, of specifications that hold a known amount of memory.

use linpoint_history::Event;
use linpoint_spec::{Code, Part, Role, Shape, Spec, State, StepError, Structure};

/// A set of 48 bits. Code c < 48 flips bit c; the others are these.
struct Bits {
    /// The state in which [`GOAL`] is legal.
    goal: State,
    /// Memory to account for.
    ballast: Vec<u8>,
}

impl Bits {
    fn new(goal: State) -> Box<Bits> {
        Box::new(Bits { goal, ballast: vec![0; 10_000] })
    }
}

const GOAL: Code = 48;
const NEVER_LEGAL: Code = 49;
const READ: Code = 50;

impl Structure for Bits {}

impl Spec for Bits {
    fn initial(&mut self) -> Result<State, StepError> {
        Ok(0)
    }
    fn step(&mut self, state: State, code: Code, next: &mut Vec<State>) -> Result<(), StepError> {
        match code {
            0..48 => next.push(state ^ 1 << code),
            READ => next.push(state),
            GOAL if state == self.goal => next.push(state | 1 << GOAL),
            _ => {}
        }
        Ok(())
    }
    fn read_only(&self, code: Code) -> bool {
        code == READ
    }
    fn bytes(&self) -> usize {
        self.ballast.capacity()
    }
    fn show(&self, state: State) -> String {
        state.to_string()
    }
    fn fork(&self) -> Box<dyn Spec> {
        Bits::new(self.goal)
    }
}

fn part(codes: Vec<Code>, events: Vec<Event>, spec: Box<dyn Spec>) -> Part {
    Part {
        label: None,
        ops: (0..codes.len() as u32).collect(),
        processes: (0..codes.len() as u32).collect(),
        codes,
        events,
        spec,
    }
}

/// `busy` pending operations whose every subset is a configuration, `idle` that are never legal, and the return of the goal. Where the
/// goal is what depth-first search tries last, both verdicts cost the whole space.
pub fn at_once(busy: u32, idle: usize, reachable: bool) -> Part {
    let mut codes: Vec<Code> = (0..busy).collect();
    codes.push(GOAL);
    codes.extend(std::iter::repeat_n(NEVER_LEGAL, idle));
    let events = (0..codes.len()).map(Event::call).chain([Event::ret(busy as usize)]).collect();
    part(codes, events, Bits::new(if reachable { 1 << (busy - 1) } else { State::MAX }))
}

/// The same operation, `returning` and `pending` times at once, and one that is never legal: how many of them took effect is all
/// that matters.
pub fn twins(returning: usize, pending: usize) -> Part {
    let mut codes = vec![0; returning + pending];
    codes.push(NEVER_LEGAL);
    let returns = (0..returning).rev().chain([returning + pending]).map(Event::ret);
    let events = (0..codes.len()).map(Event::call).chain(returns).collect();
    part(codes, events, Bits::new(0))
}

/// One after the other, each with a read beside it.
pub fn one_by_one(count: usize) -> Part {
    let codes = (0..count).flat_map(|place| [(place % 48) as Code, READ]).collect();
    let around = |place: usize| {
        let (write, read) = (2 * place, 2 * place + 1);
        [Event::call(write), Event::call(read), Event::ret(write), Event::ret(read)]
    };
    part(codes, (0..count).flat_map(around).collect(), Bits::new(0))
}

/// `width` at a time, `count` times, and a read beside them; at the end one that is never legal, if asked for.
pub fn by_turns(width: usize, count: usize, fails: bool) -> Part {
    let mut codes: Vec<Code> = (0..width * count).map(|place| (place % width) as Code).collect();
    let turn = |turn: usize| {
        let ops = turn * width..(turn + 1) * width;
        ops.clone().map(Event::call).chain(ops.map(Event::ret))
    };
    let mut events: Vec<Event> = (0..count).flat_map(turn).collect();
    if fails {
        events.extend([Event::call(codes.len()), Event::ret(codes.len())]);
        codes.push(NEVER_LEGAL);
    }
    part(codes, events, Bits::new(0))
}

/// A queue for the search that holds one element at a time: enqueue c for c < 1000, dequeue c - 1000 above, and one whose result is not known.
#[derive(Clone)]
struct Queue;

impl Structure for Queue {
    fn shape(&self) -> Shape {
        Shape::Queue
    }
    fn role(&self, code: Code) -> Role {
        match code {
            0..1000 => Role::Add(code),
            HIDDEN => Role::RemoveUnknown,
            _ => Role::Remove(code - 1000),
        }
    }
}

impl Spec for Queue {
    fn initial(&mut self) -> Result<State, StepError> {
        Ok(0)
    }
    fn step(&mut self, state: State, _: Code, next: &mut Vec<State>) -> Result<(), StepError> {
        next.push(state);
        Ok(())
    }
    fn read_only(&self, _: Code) -> bool {
        false
    }
    fn bytes(&self) -> usize {
        0
    }
    fn show(&self, _: State) -> String {
        String::new()
    }
    fn fork(&self) -> Box<dyn Spec> {
        Box::new(self.clone())
    }
}

const HIDDEN: Code = 2000;

/// Enqueues at once, of values that repeat, then dequeues at once, one of them of what nobody enqueued. Pending are `idle` enqueues and
/// `hidden` dequeues.
pub fn queue(width: usize, idle: usize, hidden: usize) -> Part {
    let mut codes: Vec<Code> = (0..width as u32).map(|place| place % 5).collect();
    codes.extend((0..width as u32).map(|place| 1000 + place % 5));
    codes.push(1999);
    let required = codes.len();
    codes.extend(std::iter::repeat_n(0, idle));
    codes.extend(std::iter::repeat_n(HIDDEN, hidden));
    let calls = (0..codes.len()).map(Event::call);
    let events = calls.chain((0..required).map(Event::ret)).collect();
    part(codes, events, Box::new(Queue))
}
