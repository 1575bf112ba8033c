//! Which completion belongs to which invocation? Pairs the events of every process.
//!
//! A process is sequential: it invokes, then it completes, then it invokes again. After an
//! `info` it is not known whether the operation took effect, and the process never invokes again.
//! What does not fit is refused with the line it contradicts. O(1) an event.
//!
//! The order of the lines is the order of time. Where events name their times, these must not contradict it:
//!
//! ```text
//! {:process 1, :type :invoke, :f :read, …, :time 20}
//! {:process 0, :type :ok, :f :write, …, :time 10}    the write returned before the read was called: the lines say they overlap
//! ```
//!
//! Two calls, or two returns, may be swapped: Jepsen's workers take the time a moment before they write the line, and who
//! precedes whom stays the same. An index must never decrease. [`Options::sort_by_time`] takes the events in the order of their times instead: stably, and events of one time are a tie.
//!
//! Jepsen records one value an event; we need an argument and a result. The argument is the
//! invocation's value. The result of an `ok` is the completion's value, except that
//! - a `cas` that is ok returned true (or the true or false that it says);
//! - a completion that only repeats the argument returned nothing (null): `write 3` → `write 3`.
//!   A `read`, `get`, `peek`, `contains` or `txn` is never such an echo: what a transaction read may have been null.

use super::Options;
use super::cursor::{Fault, Quoted, Read, fault};
use super::entry::{Entry, Told};
use super::lookalike::is_alike;
use super::recorder::Recorder;
use crate::time::Clock;
use crate::{Builder, Status, Time, Value, ValueId, Values};
use hashbrown::HashMap;

/// What to do about a process that calls again after a crash.
pub(crate) const SUCCESSOR: &str = "--rename-crashed gives it a new id";

/// What a process is doing.
#[derive(Default)]
struct Client {
    state: State,
    /// The line that brought it there.
    line: u32,
    /// The names of the extra fields its open operation has.
    extra: Vec<ValueId>,
}

#[derive(Default, PartialEq)]
enum State {
    #[default]
    Idle,
    Open(usize),
    Crashed,
}

/// Pairs events; [`Pairing::finish`] gives the operations.
#[derive(Default)]
pub(super) struct Pairing {
    recorder: Recorder,
    clock: Clock,
    /// The latest time of a call and of a return, each with its line.
    latest: [Option<(Time, u32)>; 2],
    /// The last index, with its line.
    last_index: Option<(i64, u32)>,
    /// Events that wait to be sorted by time.
    waiting: Option<Vec<Entry>>,
    independent: bool,
    failed_cas: bool,
    rename_crashed: bool,
    /// Foreign names of operations, each with its own.
    operations: Vec<(String, String)>,
    clients: HashMap<ValueId, Client>,
    /// A field's name on an invocation → its name when a completion has it.
    on_return: HashMap<ValueId, ValueId>,
}

impl Pairing {
    /// No event yet.
    pub fn new(options: &Options) -> Self {
        let waiting = options.sort_by_time.then(Vec::new);
        let &Options { independent, failed_cas, rename_crashed, .. } = options;
        let operations = options.operations();
        Pairing { independent, failed_cas, rename_crashed, operations, waiting, ..Self::default() }
    }

    /// The table that the fields of entries are interned in.
    pub fn values(&mut self) -> &mut Values {
        &mut self.recorder.builder.values
    }

    /// What was recorded so far.
    pub fn builder(&self) -> &Builder {
        &self.recorder.builder
    }

    /// That table, and the clock that reads times.
    pub fn values_and_clock(&mut self) -> (&mut Values, &mut Clock) {
        (&mut self.recorder.builder.values, &mut self.clock)
    }

    /// The operations.
    pub fn finish(mut self) -> Read<Builder> {
        if let Some(waiting) = self.waiting.take() {
            self.take_sorted(waiting)?;
        }
        Ok(self.recorder.builder)
    }

    /// Takes the events by time; equal times are a tie, so a call at the time of a return overlaps it.
    fn take_sorted(&mut self, waiting: Vec<Entry>) -> Read<()> {
        let mut timed: Vec<(Time, Entry)> = Vec::with_capacity(waiting.len());
        for entry in waiting {
            let before = timed.last().map(|(time, _)| *time);
            match entry.time.map(|(time, _)| time).or(if entry.bystander { before } else { None }) {
                Some(time) => timed.push((time, entry)),
                None if entry.bystander => timed.push((Time::from(i64::MIN), entry)),
                None => return Err(fault(entry.at, "an event without time: expected a time to sort by")),
            }
        }
        timed.sort_by_key(|(time, _)| *time); // stable: equal times stay in the order of their lines
        let mut now = None;
        for (time, entry) in &mut timed {
            self.recorder.stand_still(now.replace(*time) != Some(*time));
            self.pair(entry)?;
        }
        Ok(())
    }

    /// Takes the next event.
    pub fn take(&mut self, entry: &mut Entry) -> Read<()> {
        if let Some(waiting) = &mut self.waiting {
            waiting.push(entry.clone());
            return Ok(());
        }
        self.refuse_disorder(entry)?;
        self.pair(entry)
    }

    /// Refuses a call that was before a return of an earlier line, a return that was before such a call, and a smaller index.
    fn refuse_disorder(&mut self, entry: &Entry) -> Read<()> {
        let line = entry.line;
        let kind = if entry.kind == ValueId::ABSENT { None } else { self.recorder.builder.values.as_text(entry.kind) };
        let side = match kind {
            Some("invoke") => 0,
            Some("ok" | "fail") => 1,
            _ => 2, // an operation of unknown outcome has no return
        };
        if let (Some((time, at)), 0 | 1, false) = (entry.time, side, entry.bystander) {
            if let Some((last, before)) = self.latest[1 - side].filter(|(last, _)| time < *last) {
                let other = ["return", "call"][side];
                let advice = "expected lines in the order of time, or --sort-by-time (sort_by_time=True)";
                return Err(fault(
                    at,
                    format!("time {time} comes after the {other} at {last} of line {before}: {advice}"),
                ));
            }
            if self.latest[side].is_none_or(|(last, _)| last < time) {
                self.latest[side] = Some((time, line));
            }
        }
        if let Some((index, at)) = entry.index
            && let Some((last, before)) = self.last_index.replace((index, line)).filter(|(last, _)| index < *last)
        {
            let advice = "expected events in the order of their indices";
            return Err(fault(at, format!("index {index} comes after index {last} of line {before}: {advice}")));
        }
        Ok(())
    }

    fn pair(&mut self, entry: &mut Entry) -> Read<()> {
        match entry.told(&self.recorder.builder.values)? {
            Told::Remark => {
                let fields = entry.as_map(self.values());
                self.recorder.annotate(fields, entry.line);
                Ok(())
            }
            Told::Call => self.invoke(entry),
            Told::End(status) => self.complete(entry, status),
        }
    }

    fn invoke(&mut self, entry: &mut Entry) -> Read<()> {
        if self.independent {
            split(&self.recorder.builder.values, entry)?;
        }
        let client = self.clients.entry(entry.process).or_default();
        let values = &self.recorder.builder.values;
        let who = || format!("process {} invokes {}", values.show(entry.process), name(values, entry.f));
        match client.state {
            State::Idle => {}
            _ if self.rename_crashed => {} // what it has called before stays pending
            State::Open(op) => {
                let open = name(values, self.recorder.builder.f_of(op));
                let crash = format!("its {open} of line {} has not completed (did it crash? {SUCCESSOR})", client.line);
                return Err(fault(entry.at, format!("{}, but {crash}", who())));
            }
            State::Crashed => {
                let crash =
                    format!("it crashed (info) at line {}: its successor needs a new id ({SUCCESSOR})", client.line);
                return Err(fault(entry.at, format!("{}, but {crash}", who())));
            }
        }
        let op = self.recorder.invoke(entry.process, entry.f, entry.key, entry.value, entry.line);
        client.state = State::Open(op);
        client.line = entry.line;
        client.extra.clear();
        for &(name, value) in &entry.extra {
            client.extra.push(name);
            self.recorder.builder.extra(op, name, value);
        }
        Ok(())
    }

    fn complete(&mut self, entry: &mut Entry, status: Status) -> Read<()> {
        let Some(Client { state: State::Open(op), line, .. }) = self.clients.get(&entry.process) else {
            return Err(self.nothing_open(entry));
        };
        let (op, line) = (*op, *line);
        let builder = &self.recorder.builder;
        if entry.f == ValueId::ABSENT {
            entry.f = builder.f_of(op);
        }
        if builder.f_of(op) != entry.f {
            let values = &builder.values;
            let invoked = name(values, builder.f_of(op));
            return Err(fault(entry.at, format!("{}, but it invoked {invoked} at line {line}", self.who(entry))));
        }
        // In place of the pair an error may stand, as in `:info :cas :timed-out`.
        if self.independent && (status == Status::Ok || is_pair(&builder.values, entry.value)) {
            split(&builder.values, entry)?;
        }
        let key = self.recorder.builder.key_of(op);
        if entry.key != ValueId::ABSENT && entry.key != key {
            let values = &self.recorder.builder.values;
            let invoked = if key == ValueId::ABSENT { "none".to_owned() } else { values.show(key) };
            let found = values.show(entry.key);
            let what = format!("{} on key {found}, but it invoked it on {invoked} at line {line}", self.who(entry));
            return Err(fault(entry.at, what));
        }
        self.record(entry, op, status);
        Ok(())
    }

    /// Writes down the completion of `op`, which fits.
    fn record(&mut self, entry: &Entry, op: usize, status: Status) {
        let values = &self.recorder.builder.values;
        let f = values.as_text(entry.f).unwrap_or_default();
        let f = self.operations.iter().find(|(foreign, _)| foreign == f).map_or(f, |(_, own)| own);
        let argument = self.recorder.builder.value_of(op);
        let (told, result) = match status {
            Status::Fail if self.failed_cas && is_alike(f, "cas") => (Status::Ok, ValueId::FALSE),
            Status::Ok if entry.result != ValueId::ABSENT => (status, entry.result),
            Status::Ok => (status, result_of(f, argument, entry.value)),
            _ => (status, ValueId::NULL),
        };
        self.recorder.complete(op, told, result);
        let error = self.values().text("error");
        let mut explained = false;
        for &(name, value) in &entry.extra {
            explained |= name == error;
            let name = if name == error { error } else { self.on_return(name) };
            self.keep(entry.process, op, name, value);
        }
        // A value that is no echo is an error: `:info :write :timed-out`.
        if status != Status::Ok && entry.value != argument && entry.value != ValueId::NULL {
            let name = if explained { self.values().text("return-value") } else { error };
            self.keep(entry.process, op, name, entry.value);
        }
        if let Some(client) = self.clients.get_mut(&entry.process) {
            client.state = if status == Status::Info { State::Crashed } else { State::Idle };
            client.line = entry.line;
        }
    }

    /// Keeps a field of a completion under a name that its operation does not have yet.
    fn keep(&mut self, process: ValueId, op: usize, mut name: ValueId, value: ValueId) {
        while self.clients.get(&process).is_some_and(|client| client.extra.contains(&name)) {
            name = self.on_return(name);
        }
        if let Some(client) = self.clients.get_mut(&process) {
            client.extra.push(name);
        }
        self.recorder.builder.extra(op, name, value);
    }

    /// The name `return-NAME`.
    fn on_return(&mut self, name: ValueId) -> ValueId {
        let values = &mut self.recorder.builder.values;
        *self.on_return.entry(name).or_insert_with(|| {
            let later = format!("return-{}", values.as_text(name).unwrap_or_default());
            values.text(&later)
        })
    }

    fn who(&self, entry: &Entry) -> String {
        let values = &self.recorder.builder.values;
        let kind = values.as_text(entry.kind).unwrap_or_default();
        format!("process {} completes {} ({kind})", values.show(entry.process), name(values, entry.f))
    }

    #[cold]
    fn nothing_open(&self, entry: &Entry) -> Box<Fault> {
        let why = match self.clients.get(&entry.process) {
            Some(Client { state: State::Crashed, line, .. }) => format!("it crashed (info) at line {line}"),
            Some(Client { line, .. }) => format!("its last operation completed at line {line}"),
            None => "it has invoked nothing".to_owned(),
        };
        fault(entry.at, format!("{}, but {why}", self.who(entry)))
    }
}

pub(super) fn is_pair(values: &Values, id: ValueId) -> bool {
    values.as_list(id).is_some_and(|parts| parts.len() == 2)
}

/// Splits the value `[key value]` of an independent operation.
pub(super) fn split(values: &Values, entry: &mut Entry) -> Read<()> {
    match values.as_list(entry.value) {
        Some(&[key, value]) => {
            entry.key = if key == ValueId::NULL { ValueId::ABSENT } else { key };
            entry.value = value;
            Ok(())
        }
        _ => {
            let found = Quoted(&values.show(entry.value)).to_string();
            Err(fault(entry.at, format!("expected a value [key value] (independent), found {found}")))
        }
    }
}

/// The time that a field `time` names as `written`, if it names one; `at` is where the field stands.
pub(super) fn time_of(
    values: &Values,
    value: ValueId,
    written: &str,
    at: usize,
    clock: &mut Clock,
) -> Read<Option<(Time, usize)>> {
    let time = match values.get(value) {
        Value::Int(number) => Ok(Time::from(*number)),
        Value::Big(digits) => Time::number(digits),
        Value::Float(_) => {
            Time::number(written.trim().trim_end_matches('M')).or_else(|_| Time::number(&values.show(value)))
        }
        Value::Text(text) if Time::iso(text).is_some() => clock.read(text),
        _ => return Ok(None), // some other remark about time
    };
    time.map(|time| Some((time, at))).map_err(|message| fault(at, message))
}

fn name(values: &Values, f: ValueId) -> &str {
    if f == ValueId::ABSENT {
        return "an operation"; // a completion need not name it
    }
    values.as_text(f).unwrap_or_default()
}

/// What an operation that is ok returned, by Jepsen's convention: a completion that repeats the argument is no answer, unless the operation has one in any case.
pub(crate) fn result_of(f: &str, argument: ValueId, completion: ValueId) -> ValueId {
    const ANSWERS: [&str; 17] = [
        "read",
        "get",
        "lookup",
        "peek",
        "contains",
        "txn",
        "transaction",
        "swap",
        "exchange",
        "get_and_set",
        "get_and_put",
        "put_if_absent",
        "replace",
        "fetch_add",
        "fetch_and_add",
        "get_and_add",
        "add_and_get",
    ];
    if is_alike(f, "cas") {
        return if completion == ValueId::FALSE { completion } else { ValueId::TRUE };
    }
    let answers = completion != argument || argument == ValueId::NULL || ANSWERS.iter().any(|name| is_alike(f, name));
    if answers { completion } else { ValueId::NULL }
}
