//! General searches and the queue search: each report is what is in use at that moment, and no limit is passed.

use crate::allocator::{Measured, measured};
use linpoint_check::{Cause, Control, Settings, Verdict};
use linpoint_history::Event;
use linpoint_spec::{Code, Part, Role, Shape, Spec, State, StepError, Structure};

/// What may stand beside an account: the box of the specification, a few outcomes.
const SLACK: i64 = 1024;

/// What may be taken between two looks at the budget, and for the evidence behind the last one.
const BETWEEN: i64 = 256 << 10;

/// A set of 48 bits. Code c < 48 flips bit c; the others are these.
#[derive(Clone)]
struct Bits {
    /// The state in which [`GOAL`] is legal.
    goal: State,
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
        0
    }
    fn show(&self, state: State) -> String {
        state.to_string()
    }
    fn fork(&self) -> Box<dyn Spec> {
        Box::new(self.clone())
    }
}

fn part(goal: State, codes: Vec<Code>, events: Vec<Event>) -> Part {
    Part { label: None, ops: (0..codes.len() as u32).collect(), codes, events, spec: Box::new(Bits { goal }) }
}

/// `busy` pending operations whose every subset is a configuration, `idle` that are never legal, and the return of the goal. Where the
/// goal is what depth-first search tries last, both verdicts cost the whole space.
fn at_once(busy: u32, idle: usize, reachable: bool) -> Part {
    let mut codes: Vec<Code> = (0..busy).collect();
    codes.push(GOAL);
    codes.extend(std::iter::repeat_n(NEVER_LEGAL, idle));
    let events = (0..codes.len()).map(Event::call).chain([Event::ret(busy as usize)]).collect();
    part(if reachable { 1 << (busy - 1) } else { State::MAX }, codes, events)
}

/// One after the other, each with a read beside it.
fn one_by_one(count: usize) -> Part {
    let codes = (0..count).flat_map(|place| [(place % 48) as Code, READ]).collect();
    let around = |place: usize| {
        let (write, read) = (2 * place, 2 * place + 1);
        [Event::call(write), Event::call(read), Event::ret(write), Event::ret(read)]
    };
    part(0, codes, (0..count).flat_map(around).collect())
}

/// `width` at a time, `count` times, and a read beside them; at the end one that is never legal, if asked for.
fn by_turns(width: usize, count: usize, fails: bool) -> Part {
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
    part(0, codes, events)
}

/// A queue for the search that holds one element at a time: enqueue c for c < 1000, dequeue c - 1000 above.
#[derive(Clone)]
struct Queue;

impl Structure for Queue {
    fn shape(&self) -> Shape {
        Shape::Queue
    }
    fn role(&self, code: Code) -> Role {
        if code < 1000 { Role::Add(code) } else { Role::Remove(code - 1000) }
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

/// Enqueues at once, of values that repeat, then dequeues at once, one of them of what nobody enqueued.
fn queue(width: usize, idle: usize) -> Part {
    let mut codes: Vec<Code> = (0..width as u32).map(|place| place % 5).collect();
    codes.extend((0..width as u32).map(|place| 1000 + place % 5));
    codes.push(1999);
    let required = codes.len();
    codes.extend(std::iter::repeat_n(0, idle));
    let calls = (0..codes.len()).map(Event::call);
    let events = calls.chain((0..required).map(Event::ret)).collect();
    Part { label: None, ops: (0..codes.len() as u32).collect(), codes, events, spec: Box::new(Queue) }
}

fn run(part: &Part, method: &str, control: &Control) -> Measured<Verdict> {
    let settings = Settings::of(method).expect("a method of this name");
    measured(control, || settings.method.run(part, &settings, control).expect("the specification works").verdict)
}

/// Every report is right, within the slack; there are several, and the highest is of some size.
fn is_exact(name: &str, part: &Part, method: &str, expected: &Verdict) {
    let control = Control::new(None, usize::MAX);
    let found = run(part, method, &control);
    println!("{name}, {method}: {} polls, {} reported, peak {}", found.pairs.len(), found.reported, found.peak);
    assert_eq!(found.given, *expected, "{name}, {method}");
    assert!(found.pairs.len() > 2, "{name}, {method}: {:?}", found.pairs);
    for (in_use, reported) in &found.pairs {
        let off = (in_use - reported).abs();
        assert!(off <= SLACK, "{name}, {method}: {in_use} in use, {reported} reported");
    }
    assert!(found.reported > 20 * SLACK, "{name}, {method}: only {} reported", found.reported);
    assert_eq!(control.held(), 0, "{name}, {method}: all is given back");
}

#[test]
fn reports_of_general_searches_are_exact() {
    for (method, expected) in
        [("depth-first", Verdict::Linearizable), ("breadth-first", Verdict::Violation), ("wgl", Verdict::Violation)]
    {
        let yes = expected == Verdict::Linearizable;
        is_exact("at once", &at_once(13, 0, yes), method, &expected);
        is_exact("at once, 100 open", &at_once(11, 100, yes), method, &expected);
        is_exact("at once, 500 open", &at_once(10, 490, yes), method, &expected);
        is_exact("at once, 1000 open", &at_once(10, 1000, yes), method, &expected);
        is_exact("one by one", &one_by_one(2000), method, &Verdict::Linearizable);
        is_exact("by turns", &by_turns(5, 200, !yes), method, &expected);
    }
}

#[test]
fn reports_of_the_queue_search_are_exact() {
    is_exact("few", &queue(10, 0), "queue-search", &Verdict::Violation);
    is_exact("100 open", &queue(9, 100), "queue-search", &Verdict::Violation);
    is_exact("600 open", &queue(8, 600), "queue-search", &Verdict::Violation);
}

#[test]
fn the_limit_is_kept() {
    let spaces =
        [("narrow", at_once(30, 0, false)), ("wide", at_once(30, 300, false)), ("very wide", at_once(30, 700, false))];
    for (name, part) in &spaces {
        for method in ["depth-first", "breadth-first", "wgl", "auto"] {
            let limits: &[usize] = if *name == "narrow" { &[2 << 19, 3 << 19, 5 << 19] } else { &[3 << 19] };
            for &limit in limits {
                let found = run(part, method, &Control::new(None, limit));
                println!("{name}, {method}: limit {limit}, peak {}", found.peak);
                assert_eq!(found.given, Verdict::Unknown(Cause::Memory), "{name}, {method}");
                let limit = limit as i64;
                assert!(found.peak <= limit + BETWEEN, "{name}, {method}: limit {limit}, peak {}", found.peak);
                assert!(found.peak >= limit / 4, "{name}, {method}: limit {limit}, only {} used", found.peak);
            }
        }
    }
}
