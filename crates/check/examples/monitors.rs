//! How long do the monitors take? 16 processes, unique values, linearizable and with a violation at the very end.
//!
//! `cargo run --release -p linpoint-check --example monitors [largest]` prints for 10^5, 10^6 and 10^7 operations (or up to
//! `largest`) the seconds of the check alone, its order or core included, next to those it takes to sort the 2n event times: the floor.

use linpoint_check::Control;
use linpoint_check::monitor::{Decision, decide};
use linpoint_history::Event;
use linpoint_spec::{Code, Part, Role, Shape, Spec, State, StepError};
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// Random numbers: SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) % sides
    }
}

/// A specification that only tells roles: monitors ask for nothing else.
#[derive(Clone)]
struct Roles(Shape, Arc<[Role]>);

impl Spec for Roles {
    fn initial(&mut self) -> Result<State, StepError> {
        Ok(0)
    }
    fn step(&mut self, _: State, _: Code, _: &mut Vec<State>) -> Result<(), StepError> {
        Err(StepError("monitors do not step".into()))
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
    fn shape(&self) -> Shape {
        self.0
    }
    fn role(&self, code: Code) -> Role {
        self.1[code as usize]
    }
    fn contents(&self) -> Vec<u32> {
        if matches!(self.0, Shape::Register | Shape::Toggle) { vec![0] } else { Vec::new() }
    }
    fn class(&self, value: u32) -> u32 {
        value.wrapping_mul(0x9e37_79b1) >> 12 // 2^20 priorities, with ties
    }
}

/// An object that answers in the order in which it is asked.
struct Object {
    shape: Shape,
    queue: VecDeque<u32>,
    stack: Vec<u32>,
    heap: BinaryHeap<(u32, u32)>,
    held: u32,
    fresh: u32,
    peeks: bool,
    /// How many values are put in before the first one is taken out.
    depth: u32,
}

impl Object {
    fn act(&mut self, dice: &mut Dice, spec: &Roles) -> Role {
        match self.shape {
            Shape::Register => {
                let role = match dice.roll(10) {
                    0..6 => return Role::Read(self.held),
                    6..9 => Role::Write(self.fresh + 1),
                    _ => Role::Change(self.held, self.fresh + 1),
                };
                self.fresh += 1;
                self.held = self.fresh;
                role
            }
            Shape::Toggle => {
                let target = dice.roll(2) as u32;
                if dice.roll(3) == 0 || target == self.held {
                    return Role::Read(self.held);
                }
                Role::Change(std::mem::replace(&mut self.held, target), target)
            }
            _ => {
                let count = self.queue.len() + self.stack.len() + self.heap.len();
                let add = if self.fresh < self.depth { true } else { dice.roll(2) == 0 && count < 1000 };
                match (add, count, self.peeks && dice.roll(5) == 0) {
                    (_, 0, true) => Role::Empty,
                    (_, _, true) => Role::Peek(self.front()),
                    (true, ..) | (_, 0, _) => {
                        self.fresh += 1;
                        self.put(self.fresh, spec);
                        Role::Add(self.fresh)
                    }
                    _ => Role::Remove(self.take()),
                }
            }
        }
    }

    fn put(&mut self, value: u32, spec: &Roles) {
        match self.shape {
            Shape::Queue => self.queue.push_back(value),
            Shape::Stack => self.stack.push(value),
            _ => self.heap.push((spec.class(value), value)),
        }
    }

    fn front(&self) -> u32 {
        match self.shape {
            Shape::Queue => self.queue[0],
            Shape::Stack => self.stack[self.stack.len() - 1],
            _ => self.heap.peek().map_or(0, |best| best.1),
        }
    }

    fn take(&mut self) -> u32 {
        match self.shape {
            Shape::Queue => self.queue.pop_front(),
            Shape::Stack => self.stack.pop(),
            _ => self.heap.pop().map(|best| best.1),
        }
        .expect("it is not empty")
    }
}

const PROCESSES: usize = 16;

/// `n` operations of 16 processes, each taking effect somewhere between its call and its return.
fn make(shape: Shape, n: usize, peeks: bool, deep: bool, bad: bool) -> Part {
    let mut dice = Dice(n as u64);
    let spec = Roles(shape, Arc::new([]));
    let (queue, stack, heap) = (VecDeque::new(), Vec::new(), BinaryHeap::new());
    let depth = if deep { n as u32 / 2 } else { 0 };
    let mut object = Object { shape, queue, stack, heap, held: 0, fresh: 0, peeks, depth };
    let (mut roles, mut events) = (Vec::with_capacity(n + 8), Vec::with_capacity(2 * n + 16));
    let mut open: [Option<(usize, bool)>; PROCESSES] = [None; PROCESSES]; // operation, did it take effect
    let mut running = 0;
    while roles.len() < n || running > 0 {
        let process = dice.roll(PROCESSES as u64) as usize;
        match open[process] {
            None if roles.len() < n => {
                events.push(Event::call(roles.len()));
                open[process] = Some((roles.len(), false));
                roles.push(Role::Nothing);
                running += 1;
            }
            None => {}
            Some((op, false)) => {
                roles[op] = object.act(&mut dice, &spec);
                open[process] = Some((op, true));
            }
            Some((op, true)) => {
                events.push(Event::ret(op));
                open[process] = None;
                running -= 1;
            }
        }
    }
    if bad {
        let (a, b) = (object.fresh + 1, object.fresh + 2);
        roles.extend(match shape {
            Shape::Queue => vec![Role::Add(a), Role::Add(b), Role::Remove(b)],
            Shape::Stack => vec![Role::Add(a), Role::Add(b), Role::Remove(a)],
            Shape::Register => vec![Role::Write(a), Role::Write(b), Role::Read(a)],
            Shape::Toggle => vec![Role::Read(object.held), Role::Read(1 - object.held)],
            _ if spec.class(a) > spec.class(b) => vec![Role::Add(a), Role::Add(b), Role::Remove(b)],
            _ => vec![Role::Add(a), Role::Add(b), Role::Remove(a)],
        });
        for op in events.len() / 2..roles.len() {
            events.extend([Event::call(op), Event::ret(op)]);
        }
    }
    let n = roles.len();
    let spec = Box::new(Roles(shape, roles.into()));
    Part { label: None, ops: (0..n as u32).collect(), codes: (0..n as u32).collect(), events, spec }
}

/// Seconds to sort as many times as there are events.
fn floor(events: usize) -> f64 {
    let mut dice = Dice(7);
    let mut times: Vec<u64> = (0..events as u64).map(|i| i * 16 + dice.roll(1000)).collect();
    let begun = Instant::now();
    times.sort_unstable();
    std::hint::black_box(&times);
    begun.elapsed().as_secs_f64()
}

fn main() {
    let largest: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    let shapes = [Shape::Queue, Shape::Stack, Shape::PriorityQueue, Shape::Toggle, Shape::Register];
    println!("{:>10} {:>14} {:>6} {:>11} {:>9} {:>9}", "operations", "object", "kind", "verdict", "seconds", "sort 2n");
    for shape in shapes {
        for n in [100_000, 1_000_000, 10_000_000].into_iter().filter(|&n| n <= largest) {
            let container = !matches!(shape, Shape::Toggle | Shape::Register);
            let kinds = [("steady", false, false), ("peeks", true, false), ("deep", true, true)];
            for (kind, (peeks, deep), bad) in kinds.iter().flat_map(|k| [false, true].map(|bad| (k.0, (k.1, k.2), bad)))
            {
                if peeks && !container {
                    continue;
                }
                let part = make(shape, n, peeks, deep, bad);
                let begun = Instant::now();
                let decision = decide(&part, &Control::new(None, usize::MAX));
                let took = begun.elapsed().as_secs_f64();
                let verdict = match decision {
                    Decision::Linearizable(_) => "yes".to_owned(),
                    Decision::Violation(core) => format!("no, core {}", core.len()),
                    other => format!("{other:?}"),
                };
                let floor = floor(part.events.len());
                println!("{n:>10} {:>14} {kind:>6} {verdict:>11} {took:>9.3} {floor:>9.3}", format!("{shape:?}"));
            }
        }
    }
}
