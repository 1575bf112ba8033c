//! Where do the streams of the online monitor come from? `python -m tests.monitor.speed` and its neighbours watch up to 2·10^7 events.
//!
//! `long_stream OBJECT EVENTS [CRASHED [WRONG]]` prints events as Jepsen's JSON lines. Eight clients (ten of `cas-register`) call, take
//! effect at one instant and return, in the order that seeded dice say, so the stream is linearizable. CRASHED of a million operations
//! never return and their client goes on under a new name; half of them take effect. At event WRONG, or soon behind it, one answer
//! is made up.
//!
//! - `queue`, `stack`, `priority-queue`, `bag`: unique values, a twentieth of the operations peeks (but of a bag), at most 1,000 values inside and sometimes none.
//! - `deque`: unique values at both ends, of two clients, at most 10 values inside.
//! - `set`: add, remove and contains of 1,000 elements, again and again.
//! - `register`: reads and unique writes. `keys`: the same, of 10,000 registers.
//! - `cas-register`: reads, writes and CAS of five values.
//!
//! The same arguments give the same bytes. Written as it goes: needs no more memory than the object.

use linpoint_testkit::Dice;
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};

const INSIDE: usize = 1_000;
const ELEMENTS: u64 = 1_000;
const KEYS: u64 = 10_000;

/// An operation: its name, its key, its argument.
struct Call {
    f: &'static str,
    key: Option<u64>,
    value: Option<[u64; 2]>,
}

/// What there is.
struct World {
    object: String,
    dice: Dice,
    line: VecDeque<u64>,
    heap: BTreeSet<(u64, u64)>,
    bits: Vec<bool>,
    cells: Vec<u64>,
    last: u64,
    /// Is the next answer made up?
    lies: bool,
}

impl World {
    fn call(&mut self) -> Call {
        let plain = |f, value: Option<u64>| Call { f, key: None, value: value.map(|value| [value, 0]) };
        self.last += 1;
        let (dice, last) = (&mut self.dice, self.last);
        let names = match self.object.as_str() {
            "queue" => ["enqueue", "dequeue"],
            "stack" => ["push", "pop"],
            "priority-queue" => ["insert", "poll"],
            "bag" => ["add", "take"],
            "deque" if dice.roll(2) == 0 => ["push_front", "pop_front"],
            "deque" => ["push_back", "pop_back"],
            "set" => {
                let f = ["add", "add", "remove", "remove", "contains"][dice.roll(5) as usize];
                return plain(f, Some(dice.roll(ELEMENTS)));
            }
            "cas-register" => {
                let (old, new) = (dice.roll(5), dice.roll(5));
                return match dice.roll(3) {
                    0 => plain("read", None),
                    1 => plain("write", Some(old)),
                    _ => Call { f: "cas", key: None, value: Some([old, new]) },
                };
            }
            kind => {
                let key = (kind == "keys").then(|| dice.roll(KEYS));
                let call = if dice.roll(2) == 0 { plain("read", None) } else { plain("write", Some(last)) };
                return Call { key, ..call };
            }
        };
        let (most, peeks) = match self.object.as_str() {
            "deque" => (10, false),
            "bag" => (INSIDE, false),
            _ => (INSIDE, true),
        };
        match (dice.roll(20), dice.roll(2)) {
            (0, _) if peeks => plain("peek", None),
            (_, 0) if self.line.len() + self.heap.len() < most => {
                let priority = if self.object == "priority-queue" { dice.roll(1_000_000) } else { last };
                Call { f: names[0], key: None, value: Some([priority, last]) }
            }
            _ => plain(names[1], None),
        }
    }

    /// The operation takes effect: what is returned, in JSON.
    fn act(&mut self, call: &Call) -> String {
        let lies = std::mem::take(&mut self.lies);
        let none_yet = self.object != "cas-register";
        let told = |value: u64| if value == 0 && none_yet { "null".to_owned() } else { value.to_string() };
        let [value, second] = call.value.unwrap_or_default();
        let cell = call.key.unwrap_or(0) as usize;
        match call.f {
            "enqueue" | "push" | "push_back" => self.line.push_back(value),
            "push_front" => self.line.push_front(value),
            "add" if self.object == "bag" => self.line.push_back(value),
            "insert" => _ = self.heap.insert((value, second)),
            "write" => self.cells[cell] = value,
            "read" => {
                return told(self.cells[cell] + u64::from(lies) * 1_000_000_000);
            }
            "cas" => {
                let fits = self.cells[0] == value;
                if fits {
                    self.cells[0] = second;
                }
                return (fits != lies).to_string();
            }
            "add" | "remove" | "contains" => {
                let bit = &mut self.bits[value as usize];
                let before = *bit;
                if call.f != "contains" {
                    *bit = call.f == "add";
                }
                let answer = if call.f == "add" { !before } else { before };
                return (answer != lies).to_string();
            }
            f => return self.take(f, lies),
        }
        self.lies = lies; // nothing to lie about yet
        "null".to_owned()
    }

    /// What comes out; a lie is something from the middle.
    fn take(&mut self, f: &str, lies: bool) -> String {
        let stays = f == "peek";
        if lies && self.line.len() + self.heap.len() < 10 {
            self.lies = true;
        } else if lies {
            let middle = (self.line.len() + self.heap.len()) / 2;
            return match self.heap.iter().nth(middle) {
                Some(&(priority, value)) => format!("[{priority},{value}]"),
                None => self.line[middle].to_string(),
            };
        }
        if self.object == "priority-queue" {
            let found = if stays { self.heap.last().copied() } else { self.heap.pop_last() };
            return found.map_or("null".to_owned(), |(priority, value)| format!("[{priority},{value}]"));
        }
        let found = match (self.object.as_str(), f) {
            ("queue", "peek") => self.line.front().copied(),
            (_, "peek") => self.line.back().copied(),
            ("bag", _) => {
                let any = self.dice.roll(self.line.len().max(1) as u64) as usize;
                self.line.swap_remove_back(any)
            }
            (_, "dequeue" | "pop_front") => self.line.pop_front(),
            _ => self.line.pop_back(),
        };
        found.map_or("null".to_owned(), |value| value.to_string())
    }
}

/// A client: its name, and its operation with its answer.
struct Client {
    name: u64,
    open: Option<(Call, Option<String>)>,
}

fn run(object: &str, events: u64, crashed: u64, wrong: Option<u64>) -> io::Result<()> {
    let clients = match object {
        "cas-register" => 10,
        "deque" => 2,
        _ => 8,
    };
    let mut world = World {
        object: object.to_owned(),
        dice: Dice(events),
        line: VecDeque::new(),
        heap: BTreeSet::new(),
        bits: vec![false; ELEMENTS as usize],
        cells: vec![0; KEYS as usize],
        last: 0,
        lies: false,
    };
    let mut dice = Dice(!events);
    let mut all: Vec<Client> = (0..clients).map(|name| Client { name, open: None }).collect();
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let (mut printed, mut names, mut line) = (0, clients, String::new());
    while printed < events {
        let client = &mut all[dice.roll(clients) as usize];
        let (kind, call, answer) = match client.open.take() {
            None => {
                let call = world.call();
                client.open = Some((call, None));
                ("invoke", &client.open.as_ref().expect("it was put there").0, None)
            }
            Some((call, None)) if dice.roll(1_000_000) >= crashed => {
                let answer = world.act(&call);
                client.open = Some((call, Some(answer)));
                continue;
            }
            Some((call, None)) => {
                if dice.roll(2) == 0 {
                    world.act(&call);
                }
                client.open = Some((call, None));
                ("info", &client.open.as_ref().expect("it was put there").0, None)
            }
            Some((call, answer)) => {
                client.open = Some((call, None));
                ("ok", &client.open.as_ref().expect("it was put there").0, answer)
            }
        };
        printed += 1;
        world.lies |= wrong == Some(printed);
        line.clear();
        write!(line, r#"{{"process":{},"type":"{kind}","f":"{}""#, client.name, call.f).expect("a text grows");
        if let Some(key) = call.key {
            write!(line, r#","key":{key}"#).expect("a text grows");
        }
        let pair = matches!(call.f, "insert" | "cas");
        match call.value {
            _ if kind == "ok" && matches!(answer.as_deref(), Some(answer) if answer != "null") => {
                write!(line, r#","value":{}"#, answer.unwrap_or_default()).expect("a text grows");
            }
            None => line.push_str(r#","value":null"#),
            Some([first, second]) if pair => write!(line, r#","value":[{first},{second}]"#).expect("a text grows"),
            Some([first, _]) => write!(line, r#","value":{first}"#).expect("a text grows"),
        }
        line.push_str("}\n");
        out.write_all(line.as_bytes())?;
        if kind != "invoke" {
            client.open = None;
        }
        if kind == "info" {
            client.name = names;
            names += 1;
        }
    }
    out.flush()
}

fn main() -> Result<(), String> {
    const USAGE: &str = "long_stream OBJECT EVENTS [CRASHED of a million [WRONG, the number of an event]]";
    const OBJECTS: [&str; 9] =
        ["queue", "stack", "priority-queue", "bag", "deque", "set", "register", "keys", "cas-register"];
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| match arguments.get(place) {
        None => Ok(None),
        Some(word) => word.parse::<u64>().map(Some).map_err(|_| USAGE.to_owned()),
    };
    let object = arguments.first().filter(|name| OBJECTS.contains(&name.as_str())).ok_or(USAGE)?;
    let events = number(1)?.ok_or(USAGE)?;
    run(object, events, number(2)?.unwrap_or(0), number(3)?).map_err(|error| error.to_string())
}
