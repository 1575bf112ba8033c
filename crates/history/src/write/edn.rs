//! Jepsen's events as EDN: a vector of maps, one a line, that Jepsen, Knossos and
//! [`crate::read`] read back.
//!
//! Times become places: the n-th event is the n-th line. What Jepsen's convention cannot say (see
//! `read/events.rs`) stands in fields of our own: `:linpoint/result`, `:linpoint/annotation`,
//! `:extra {…}`. Extra fields called `error` or `return-NAME` belong to the completion. Sorts the
//! events once; otherwise linear.
//!
//! A line is an event, so a process whose call has the very time of its last return
//! cannot be written: on a tie the call comes first, and the process would be called twice.

use crate::order::order;
use crate::read::entry::{ANNOTATION, EXTRA, EXTRAS, RESULT};
use crate::read::events::result_of;
use crate::{Complaint, History, Status, Value, ValueId, Values};
use hashbrown::HashMap;
use std::fmt::Write as _;

/// The history as a text, or the operation that cannot be written.
pub fn edn(history: &History) -> Result<String, Complaint> {
    let events = order(&history.call_time, &history.return_time, &history.has_return).events;
    let mut open: HashMap<ValueId, usize> = HashMap::new();
    let mut annotations = by_place(history).into_iter().peekable();
    let mut out = Lines { text: String::with_capacity(80 * events.len()) };
    let mut ranked = 0;
    for event in events {
        while let Some(place) = annotations.next_if(|&a| history.annotations[a].after_events <= ranked) {
            out.annotation(history, place);
        }
        let op = event.op();
        let process = history.process[op];
        if event.is_return() {
            open.remove(&process);
            out.completion(history, op);
        } else {
            if let Some(before) = open.insert(process, op) {
                return Err(called_twice(history, op, before));
            }
            out.invocation(history, op);
        }
        ranked += u32::from(!event.is_return() || history.status[op] != Status::Info);
    }
    annotations.for_each(|place| out.annotation(history, place));
    Ok(if out.text.is_empty() { "[]\n".to_owned() } else { out.text + "]\n" })
}

/// The annotations in the order of their places.
fn by_place(history: &History) -> Vec<usize> {
    let mut places: Vec<usize> = (0..history.annotations.len()).collect();
    places.sort_by_key(|&i| history.annotations[i].after_events);
    places
}

fn called_twice(history: &History, op: usize, before: usize) -> Complaint {
    let process = history.values.show(history.process[op]);
    let message = format!(
        "process {process} calls at the very time its operation {before} returns: events in a row cannot say that"
    );
    Complaint { operation: op, line: history.line[op] as usize, message }
}

struct Lines {
    text: String,
}

impl Lines {
    fn start(&mut self, history: &History, op: usize, kind: &str) {
        self.text.push_str(if self.text.is_empty() { "[{:process " } else { "\n {:process " });
        write_value(&history.values, history.process[op], &mut self.text);
        write!(self.text, ", :type :{kind}, :f ").expect("a String takes all");
        name(history.name(op), &mut self.text);
        if let Some(key) = history.key_of(op) {
            self.field(&history.values, "key", key);
        }
    }

    fn field(&mut self, values: &Values, called: &str, value: ValueId) {
        self.text.push_str(", ");
        name(called, &mut self.text);
        self.text.push(' ');
        write_value(values, value, &mut self.text);
    }

    fn invocation(&mut self, history: &History, op: usize) {
        self.start(history, op, "invoke");
        self.field(&history.values, "value", history.value[op]);
        self.extra(history, op, false);
        self.text.push('}');
    }

    fn completion(&mut self, history: &History, op: usize) {
        let values = &history.values;
        let argument = history.value[op];
        let (kind, value, said) = match history.status[op] {
            Status::Fail => ("fail", argument, true),
            Status::Info => ("info", argument, true),
            Status::Ok => {
                let result = history.result[op];
                let says = |value| result_of(history.name(op), argument, value) == result;
                let value = if says(argument) || !says(result) { argument } else { result };
                ("ok", value, says(value))
            }
        };
        self.start(history, op, kind);
        self.field(values, "value", value);
        if !said {
            self.field(values, RESULT, history.result[op]);
        }
        self.extra(history, op, true);
        self.text.push('}');
    }

    /// The extra fields that belong to the invocation or to the completion: apart, so that none is taken for a known one.
    fn extra(&mut self, history: &History, op: usize, completion: bool) {
        let values = &history.values;
        let mut kept = Vec::new();
        for &(_, id, value) in history.extra_of(op) {
            let Some(full) = values.as_text(id) else { continue };
            let (called, later) = match full.strip_prefix("return-") {
                _ if !history.has_return[op] => (full, false),
                None => (full, full == "error"),
                Some("error") => (full, false),
                Some(rest) => (rest, true),
            };
            if later != completion {
                continue;
            }
            if called == "error" {
                self.field(values, called, value); // as Jepsen has it
            } else {
                kept.push((called, value));
            }
        }
        kept.sort_unstable_by_key(|(called, _)| *called); // the order of the source does not count
        for (i, (called, value)) in kept.iter().enumerate() {
            self.text.push_str(if i == 0 { ", :extra {" } else { ", " });
            name(called, &mut self.text);
            self.text.push(' ');
            write_value(values, *value, &mut self.text);
        }
        self.text.push_str(if kept.is_empty() { "" } else { "}" });
    }

    fn annotation(&mut self, history: &History, place: usize) {
        let values = &history.values;
        let id = history.annotations[place].fields;
        self.text.push_str(if self.text.is_empty() { "[{" } else { "\n {" });
        match nemesis_line(values, id) {
            None => {
                self.text.push_str(":process :nemesis, :type :info");
                self.field(values, ANNOTATION, id);
            }
            Some(entries) => {
                for (i, &(key, value)) in entries.iter().enumerate() {
                    self.text.push_str(if i > 0 { ", " } else { "" });
                    name(values.as_text(key).unwrap_or_default(), &mut self.text);
                    self.text.push(' ');
                    match (values.as_text(key), values.as_text(value)) {
                        (Some("process" | "type" | "f"), Some(word)) => name(word, &mut self.text),
                        _ => write_value(values, value, &mut self.text),
                    }
                }
            }
        }
        self.text.push('}');
    }
}

/// The fields of an annotation that is a line of a process which is a keyword.
fn nemesis_line(values: &Values, id: ValueId) -> Option<&[(ValueId, ValueId)]> {
    let Value::Map(entries) = values.get(id) else { return None };
    let field = |e: &(ValueId, ValueId)| values.as_text(e.0).map(|key| (key.to_owned(), e.1));
    let named = entries.iter().map(field).collect::<Option<Vec<_>>>()?;
    let process = named.iter().find(|e| e.0 == "process")?;
    let own = |name: &str| name == ANNOTATION || name == EXTRAS || name == "time" || name == "index";
    let plain = named.iter().all(|e| !own(&e.0) && !e.0.starts_with(EXTRA));
    (plain && values.as_text(process.1).is_some_and(is_keyword)).then_some(&**entries)
}

/// Can the name be written as a keyword?
fn is_keyword(name: &str) -> bool {
    let inner = |b: u8| b.is_ascii_alphanumeric() || b"-_.*+!?$%&=<>/:".contains(&b);
    name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && name.bytes().all(inner)
        && !name.ends_with([':', '/'])
        && !name.contains("::")
        && name.split('/').count() <= 2
}

/// Appends a name: a keyword, or a text if it cannot be one.
fn name(name: &str, out: &mut String) {
    if is_keyword(name) {
        out.push(':');
        out.push_str(name);
    } else {
        write_text(name, out);
    }
}

/// Appends a value; the call depth is its nesting.
fn write_value(values: &Values, id: ValueId, out: &mut String) {
    match values.get(id) {
        Value::Null => out.push_str("nil"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => write!(out, "{number}").expect("a String takes all"),
        Value::Big(digits) => write!(out, "{digits}N").expect("a String takes all"),
        Value::Float(bits) => write!(out, "{:?}", f64::from_bits(*bits)).expect("a String takes all"),
        Value::Text(text) => write_text(text, out),
        Value::List(parts) => {
            out.push('[');
            for (i, &part) in parts.iter().enumerate() {
                out.push_str(if i > 0 { " " } else { "" });
                write_value(values, part, out);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (i, &(key, value)) in entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_value(values, key, out);
                out.push(' ');
                write_value(values, value, out);
            }
            out.push('}');
        }
    }
}

/// Appends a text with its quotes: EDN's escapes are among JSON's.
fn write_text(text: &str, out: &mut String) {
    super::json::write_text(text, out);
}
