//! Violat's traces: one JSON object with a schema and its events.
//!
//! ```json
//! {"schema": {"class": "java.util.concurrent.ConcurrentLinkedQueue"},
//!  "events": [
//!   {"kind": "call",   "sid": 0, "invocation": {"id": 7, "method": {"name": "offer"}, "arguments": [1]}},
//!   {"kind": "return", "sid": 0, "invocation": {"id": 7, "method": {"name": "offer"}, "arguments": [1]}, "value": "true"}]}
//! ```
//!
//! A return belongs to the call with the same invocation id. The process is the sequence `sid`;
//! if a sequence of the file calls before it returned, every operation is a process of its own.
//! Returned values are texts of Java; integers, `true`, `false` and `null` become such values. One argument
//! is the operation's value, several are a list, none is null. A class that is called a queue or a stack names the kind of object.

use super::cursor::{Quoted, Read, fault};
use super::json::{Json, twice};
use super::lookalike::{meant, resembles};
use super::meter::Watch;
use super::recorder::Recorder;
use super::violin::scalar;
use crate::{Builder, Status, Value, ValueId, Values};
use hashbrown::{HashMap, HashSet};

/// One event of the trace.
struct Event {
    at: usize,
    line: u32,
    returns: bool,
    sid: ValueId,
    id: ValueId,
    f: ValueId,
    value: ValueId,
    result: ValueId,
}

/// Reads the trace.
pub(super) fn read(text: &str, watch: &dyn Watch) -> Read<Builder> {
    let mut recorder = Recorder::default();
    let values = &mut recorder.builder.values;
    let mut json = Json::new(text).watched(watch);
    let (mut schema, mut events) = (None, None);
    json.spaces();
    let mut more = json.open_object()?;
    while more {
        let at = json.cursor.at;
        let name = json.field()?;
        let again = match &*name {
            "schema" => schema.replace(json.value(values)?).is_some(),
            "events" => events.replace(read_events(&mut json, values)?).is_some(),
            _ => {
                json.value(values)?;
                false
            }
        };
        if again {
            return Err(twice(at, &name));
        }
        more = json.another(b'}')?;
    }
    json.spaces();
    if json.cursor.peek().is_some() {
        return Err(json.cursor.expected("the end of the file after the trace"));
    }
    let Some(events) = events else { return Err(fault(0, "a trace without events: expected the field events")) };
    let object = schema.and_then(|schema| object_of(values, schema));
    record(&events, &mut recorder)?;
    recorder.builder.object = object;
    Ok(recorder.builder)
}

fn read_events(json: &mut Json<'_>, values: &mut Values) -> Read<Vec<Event>> {
    let mut events = Vec::new();
    json.cursor.need(b'[', "a list of events")?;
    json.spaces();
    let mut more = !json.cursor.eat(b']');
    while more {
        events.push(event(json, values)?);
        more = json.another(b']')?;
    }
    Ok(events)
}

fn event(json: &mut Json<'_>, values: &mut Values) -> Read<Event> {
    let (at, line) = (json.cursor.at, json.cursor.line());
    if json.cursor.peek() != Some(b'{') {
        return Err(json.cursor.expected("an event {…}"));
    }
    let whole = json.value(values)?;
    let need = |values: &mut Values, map: ValueId, name: &str| {
        field(values, map, name)
            .ok_or_else(|| fault(at, format!("an event without {name}: expected kind, sid and invocation")))
    };
    let kind = need(values, whole, "kind")?;
    let returns = match values.as_text(kind) {
        Some("call") => false,
        Some("return") => true,
        _ => {
            let found = Quoted(&values.show(kind)).to_string();
            return Err(fault(at, format!("unknown kind {found}: expected call or return")));
        }
    };
    let sid = need(values, whole, "sid")?;
    let invocation = need(values, whole, "invocation")?;
    let id = need(values, invocation, "id")?;
    let method = need(values, invocation, "method")?;
    let f = need(values, method, "name")?;
    for (name, number) in [("sid", sid), ("id", id)] {
        if !matches!(values.get(number), Value::Int(_) | Value::Text(_)) {
            let found = Quoted(&values.show(number)).to_string();
            return Err(fault(at, format!("expected a number as {name}, found {found}")));
        }
    }
    if values.as_text(f).is_none() {
        return Err(fault(at, "expected a text as the name of the method"));
    }
    let arguments = optional(values, invocation, "arguments", at)?;
    let value = match values.as_list(arguments) {
        Some([]) => ValueId::NULL,
        Some(&[one]) => one,
        _ => arguments,
    };
    let result = if returns { optional(values, whole, "value", at)? } else { ValueId::NULL };
    let result = match values.as_text(result) {
        Some(word) => {
            let word = word.to_owned();
            scalar(values, &word)
        }
        None => result,
    };
    Ok(Event { at, line, returns, sid, id, f, value, result })
}

/// A field that may be missing, but not while another one resembles it: what a poll answered must not get lost.
fn optional(values: &Values, map: ValueId, name: &str, at: usize) -> Read<ValueId> {
    if let Some(found) = field(values, map, name) {
        return Ok(found);
    }
    let Value::Map(entries) = values.get(map) else { return Ok(ValueId::NULL) };
    let mut names = entries.iter().filter_map(|e| values.as_text(e.0));
    names.find(|other| resembles(other, name)).map_or(Ok(ValueId::NULL), |other| Err(meant(at, other, name)))
}

/// A field of a map value.
fn field(values: &Values, map: ValueId, name: &str) -> Option<ValueId> {
    match values.get(map) {
        Value::Map(entries) => entries.iter().find(|e| values.as_text(e.0) == Some(name)).map(|e| e.1),
        _ => None,
    }
}

/// Pairs the events by invocation id.
fn record(events: &[Event], recorder: &mut Recorder) -> Read<()> {
    let overlap = sequences_overlap(events);
    let mut called: HashMap<ValueId, (usize, u32, bool)> = HashMap::new();
    for event in events {
        let show = |values: &Values| format!("the invocation {}", values.show(event.id));
        let values = &recorder.builder.values;
        match (called.get_mut(&event.id), event.returns) {
            (None, false) => {
                let process = if overlap { event.id } else { event.sid };
                let op = recorder.invoke(process, event.f, ValueId::ABSENT, event.value, event.line);
                called.insert(event.id, (op, event.line, false));
            }
            (Some((op, _, returned @ false)), true) => {
                *returned = true;
                recorder.complete(*op, Status::Ok, event.result);
            }
            (None, true) => return Err(fault(event.at, format!("{} returns: expected its call before", show(values)))),
            (Some((_, line, _)), false) => {
                let message = format!("{} is called again: it was called at line {line}", show(values));
                return Err(fault(event.at, message));
            }
            (Some((_, line, true)), true) => {
                let message = format!("{} returns again: it was called at line {line}", show(values));
                return Err(fault(event.at, message));
            }
        }
    }
    Ok(())
}

/// Does a sequence call before its last call returned?
fn sequences_overlap(events: &[Event]) -> bool {
    let mut open: HashSet<ValueId> = HashSet::new();
    events.iter().any(|e| if e.returns { !open.remove(&e.sid) } else { !open.insert(e.sid) })
}

/// The kind of object, if the class is called so: `java.util.concurrent.PriorityBlockingQueue` is a priority queue.
fn object_of(values: &Values, schema: ValueId) -> Option<String> {
    let class = field(values, schema, "class").and_then(|id| values.as_text(id))?;
    let name = class.rsplit('.').next().unwrap_or(class).to_ascii_lowercase();
    let object = match name {
        name if name.ends_with("queue") && name.starts_with("priority") => "priority-queue",
        name if name.ends_with("queue") => "queue",
        name if name.ends_with("stack") => "stack",
        _ => return None,
    };
    Some(object.to_owned())
}
