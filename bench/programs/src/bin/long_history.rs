//! Where do the longest histories come from? `bench/suites/monitors.py` checks up to 10^7 operations, for which Python
//! (`bench/generate.py`) would be too slow.
//!
//! `long_history OBJECT OPERATIONS ok|bad FILE` writes linpoint's JSONL: 16 processes, one line per operation, in the order
//! of the returns. Each operation takes effect at one instant between its call and its return, so an `ok` history is
//! linearizable. A `bad` one ends with a few operations, one after the other, of which the last is impossible.
//!
//! - `queue`, `stack`, `priority-queue`: unique values, half of the operations adds and half removes, but a tenth
//!   peeks; at most 1,000 values inside, and sometimes none. About five values share a priority.
//! - `deep-queue`, `deep-stack`, `deep-priority-queue`: half of the operations are adds before the first remove.
//! - `set`: add, remove and contains of 1,000 elements, again and again.
//! - `register`: reads, unique writes, and CAS that succeed.
//!
//! `long_history floor OPERATIONS` prints the seconds it takes to sort the 2n times of such a history, in the order in
//! which the file has them, the least of three.
//!
//! The dice are seeded by the number of operations, and who acts next is decided by dice of its own. So a file has the
//! same bytes on every machine, and `ok` histories of one length have the same times, those that `floor` sorts. Written
//! as it goes: needs no more memory than the object.

use linpoint_testkit::Dice;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt::{Display, Formatter};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::time::Instant;

const PROCESSES: u64 = 16;
const INSIDE: usize = 1_000;
const ELEMENTS: u64 = 1_000;

/// An argument or a result.
enum Json {
    Null,
    Bool(bool),
    Int(u64),
    Pair(u64, u64),
}
use Json::{Bool, Int, Null, Pair};

impl Display for Json {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Null => out.write_str("null"),
            Bool(truth) => write!(out, "{truth}"),
            Int(number) => write!(out, "{number}"),
            Pair(first, second) => write!(out, "[{first},{second}]"),
        }
    }
}

/// What was done: the name of the operation, its argument, its result.
type Done = (&'static str, Json, Json);

/// An object that answers in the order in which it is asked.
trait Object {
    /// Does whatever the dice say.
    fn act(&mut self, dice: &mut Dice) -> Done;

    /// What cannot happen next, one after the other.
    fn impossible(&self) -> Vec<Done>;
}

/// Who comes out first: the oldest, the youngest, or the highest priority.
#[derive(Clone, Copy, PartialEq)]
enum Discipline {
    Queue,
    Stack,
    PriorityQueue,
}
use Discipline::{PriorityQueue, Queue, Stack};

struct Container {
    discipline: Discipline,
    /// What is inside, as (priority, value); only one of the two is used.
    line: VecDeque<(u64, u64)>,
    heap: BinaryHeap<(u64, u64)>,
    /// The last value that was put in; they are 1, 2, 3, …
    last: u64,
    /// How many values are put in before the first one is taken out.
    depth: u64,
    priorities: u64,
}

impl Container {
    fn new(discipline: Discipline, operations: u64, deep: bool) -> Self {
        let (line, heap, depth) = (VecDeque::new(), BinaryHeap::new(), if deep { operations / 2 } else { 0 });
        Container { discipline, line, heap, last: 0, depth, priorities: operations / 10 + 1 }
    }

    fn add(&self, value: (u64, u64)) -> Done {
        let name = match self.discipline {
            Queue => "enqueue",
            Stack => "push",
            PriorityQueue => "insert",
        };
        (name, self.shown(Some(value)), Null)
    }

    fn remove(&self, value: Option<(u64, u64)>) -> Done {
        let name = match self.discipline {
            Queue => "dequeue",
            Stack => "pop",
            PriorityQueue => "poll",
        };
        (name, Null, self.shown(value))
    }

    fn shown(&self, value: Option<(u64, u64)>) -> Json {
        match value {
            None => Null,
            Some((priority, value)) if self.discipline == PriorityQueue => Pair(priority, value),
            Some((_, value)) => Int(value),
        }
    }
}

impl Object for Container {
    fn act(&mut self, dice: &mut Dice) -> Done {
        if dice.roll(10) == 0 {
            let next = match self.discipline {
                Queue => self.line.front(),
                Stack => self.line.back(),
                PriorityQueue => self.heap.peek(),
            };
            return ("peek", Null, self.shown(next.copied()));
        }
        let full = self.line.len() + self.heap.len() >= INSIDE;
        if self.last < self.depth || (!full && dice.roll(2) == 0) {
            self.last += 1;
            let value = (dice.roll(self.priorities), self.last);
            match self.discipline {
                Queue | Stack => self.line.push_back(value),
                PriorityQueue => self.heap.push(value),
            }
            return self.add(value);
        }
        let taken = match self.discipline {
            Queue => self.line.pop_front(),
            Stack => self.line.pop_back(),
            PriorityQueue => self.heap.pop(),
        };
        self.remove(taken)
    }

    fn impossible(&self) -> Vec<Done> {
        let (first, second) = ((1, self.last + 1), (2, self.last + 2));
        let wrong = if self.discipline == Queue { second } else { first };
        vec![self.add(first), self.add(second), self.remove(Some(wrong))]
    }
}

/// Which elements are in.
struct Set([bool; ELEMENTS as usize]);

impl Object for Set {
    fn act(&mut self, dice: &mut Dice) -> Done {
        let element = dice.roll(ELEMENTS);
        let inside = &mut self.0[element as usize];
        let (name, after) = match dice.roll(10) {
            0..3 => ("add", true),
            3..6 => ("remove", false),
            _ => return ("contains", Int(element), Bool(*inside)),
        };
        (name, Int(element), Bool(std::mem::replace(inside, after) != after))
    }

    fn impossible(&self) -> Vec<Done> {
        vec![("contains", Int(0), Bool(!self.0[0]))]
    }
}

/// The value that is held; the values are 1, 2, 3, …, and 0 stands for none yet.
struct Register(u64);

impl Object for Register {
    fn act(&mut self, dice: &mut Dice) -> Done {
        match (dice.roll(10), self.0) {
            (0..6, 0) => ("read", Null, Null),
            (0..6, held) => ("read", Null, Int(held)),
            (6, held @ 1..) => {
                self.0 += 1;
                ("cas", Pair(held, self.0), Bool(true))
            }
            _ => {
                self.0 += 1;
                ("write", Int(self.0), Null)
            }
        }
    }

    fn impossible(&self) -> Vec<Done> {
        let (stale, fresh) = (self.0 + 1, self.0 + 2);
        vec![("write", Int(stale), Null), ("write", Int(fresh), Null), ("read", Null, Int(stale))]
    }
}

fn object(name: &str, operations: u64) -> Option<Box<dyn Object>> {
    let (deep, kind) = name.strip_prefix("deep-").map_or((false, name), |kind| (true, kind));
    let discipline = match kind {
        "queue" => Queue,
        "stack" => Stack,
        "priority-queue" => PriorityQueue,
        "set" if !deep => return Some(Box::new(Set([false; ELEMENTS as usize]))),
        "register" if !deep => return Some(Box::new(Register(0))),
        _ => return None,
    };
    Some(Box::new(Container::new(discipline, operations, deep)))
}

/// Lets the processes call, take effect (`act`) and return (`done`: process, time of the call, time of the return).
fn simulate<T>(
    mut dice: Dice,
    operations: u64,
    mut act: impl FnMut() -> T,
    mut done: impl FnMut(u64, u64, u64, T) -> io::Result<()>,
) -> io::Result<()> {
    let mut open: [Option<(u64, Option<T>)>; PROCESSES as usize] = [const { None }; PROCESSES as usize];
    let (mut called, mut returned, mut now) = (0, 0, 0);
    while returned < operations {
        let process = dice.roll(PROCESSES);
        let place = &mut open[process as usize];
        *place = match place.take() {
            None if called == operations => None,
            None => {
                (called, now) = (called + 1, now + 1);
                Some((now - 1, None))
            }
            Some((call, None)) => Some((call, Some(act()))),
            Some((call, Some(effect))) => {
                (returned, now) = (returned + 1, now + 1);
                done(process, call, now - 1, effect)?;
                None
            }
        };
    }
    Ok(())
}

fn write_history(mut object: Box<dyn Object>, operations: u64, bad: bool, file: &str) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(file)?);
    let mut line = |process: u64, call: u64, ret: u64, (f, value, result): Done| {
        writeln!(
            out,
            r#"{{"process":{process},"f":"{f}","value":{value},"result":{result},"call":{call},"return":{ret}}}"#
        )
    };
    let ending = if bad { object.impossible().len() as u64 } else { 0 };
    let mut dice = Dice(!operations);
    simulate(Dice(operations), operations - ending, || object.act(&mut dice), &mut line)?;
    if bad {
        for (call, done) in (2 * (operations - ending)..).step_by(2).zip(object.impossible()) {
            line(0, call, call + 1, done)?;
        }
    }
    out.flush()
}

/// Seconds to sort all times of a history.
fn floor(operations: u64) -> io::Result<f64> {
    let mut times = Vec::with_capacity(2 * operations as usize);
    simulate(
        Dice(operations),
        operations,
        || (),
        |_, call, ret, ()| {
            times.extend([call, ret]);
            Ok(())
        },
    )?;
    let seconds = (0..3).map(|_| {
        let mut times = times.clone();
        let begun = Instant::now();
        times.sort_unstable();
        std::hint::black_box(&times);
        begun.elapsed().as_secs_f64()
    });
    Ok(seconds.fold(f64::INFINITY, f64::min))
}

fn main() -> Result<(), String> {
    const USAGE: &str = "long_history OBJECT OPERATIONS ok|bad FILE, or long_history floor OPERATIONS";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [name, operations, rest @ ..] = &words[..] else { return Err(USAGE.into()) };
    let operations = operations.parse().ok().filter(|&n: &u64| n >= 10).ok_or("OPERATIONS is a number, at least 10")?;
    match (*name, rest) {
        ("floor", []) => println!("{:.6}", floor(operations).map_err(|error| error.to_string())?),
        (name, [kind @ ("ok" | "bad"), file]) => {
            let object = object(name, operations).ok_or_else(|| format!("there is no object {name}: {USAGE}"))?;
            write_history(object, operations, *kind == "bad", file).map_err(|error| format!("{file}: {error}"))?;
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}
