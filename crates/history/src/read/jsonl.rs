//! linpoint's own format: one JSON object a line, an operation each.
//!
//! ```json
//! {"process":0,"f":"cas","value":[1,2],"result":true,"call":10,"return":17}
//! {"process":1,"f":"write","value":3,"call":11,"return":null}
//! ```
//!
//! | field | value | if it is missing |
//! |---|---|---|
//! | `process` | who called: an integer or a text; a process calls again only after it returned | an error |
//! | `f` | the name of the operation, a text | an error |
//! | `value` | its argument, any JSON value | `null` |
//! | `result` | what it returned, any JSON value; only an `ok` has one | `null` |
//! | `call` | the time of its call, an integer or a float | an error |
//! | `return` | the time of its return; `null` if it never returned | it never returned |
//! | `key` | the object or key it is about; `null` is no key | no key |
//! | `type` | `ok`: it took effect; `fail`: it did not; `info`: nobody knows | `ok` with a `return`, else `info` |
//!
//! Times are 64-bit integers or floats; only their order counts, and on a tie calls come
//! before returns. An operation that is `ok` or `fail` needs a `return`; one that is `info` may have one (when
//! the client gave up), but may take effect later all the same. Any other field is kept and
//! written back. Its name starts with `extra:` if it would mean something else: `extra:call`.
//! (The `result` of an operation that is not `ok` is such a field.)
//!
//! Two other kinds of lines: `{"object":"queue"}` names the kind of object, and
//! `{"annotation":{…},"after":12}` is a remark that belongs after the first 12 events. Blank
//! lines and lines that start with `#` or `//` are skipped. JSON lacks maps with other keys than texts, and
//! numbers that are not finite; they are written `{"#map":[[key,value],…]}` and `{"#float":"NaN"}`
//! (`"inf"`, `"-inf"`).
//!
//! Costs one pass over the bytes; a line allocates nothing unless it holds a new value, a map or an escape.

use super::Options;
use super::cursor::{Fault, Quoted, Read, fault};
use super::entry::{EXTRA, MOST_FIELDS};
use super::json::{Json, twice};
use super::names::Names;
use super::number::Number;
use crate::{Annotation, Builder, Record, Status, Value, ValueId, Values};

/// The fields of an operation, in the order they are written.
const FIELDS: [&str; 8] = ["process", "f", "value", "result", "call", "return", "key", "type"];
/// The bit of the field `return` among those seen.
const RETURN: u8 = 1 << 5;

/// Would a field of this name mean something to this reader?
pub(crate) fn is_reserved(name: &str) -> bool {
    FIELDS.contains(&name) || name.starts_with(EXTRA)
}

/// A time as the line gives it.
#[derive(Clone, Copy)]
enum Time {
    None,
    Int(i64),
    Float(f64),
}

impl Time {
    fn float(self) -> f64 {
        match self {
            Time::None => 0.0,
            Time::Int(time) => time as f64,
            Time::Float(time) => time,
        }
    }
}

/// What a field's name means.
#[derive(Clone, Copy)]
enum Field {
    /// One of [`FIELDS`], by its place there.
    Known(u8),
    /// A field to keep, under this name.
    Extra(ValueId),
}

/// The fields of a line.
struct Line {
    /// Where it starts.
    at: usize,
    number: u32,
    /// Which of [`FIELDS`] it has, a bit each.
    seen: u8,
    process: ValueId,
    f: ValueId,
    value: ValueId,
    result: ValueId,
    key: ValueId,
    kind: Option<Status>,
    call: Time,
    ret: Time,
}

/// The lines of a file.
struct Lines<'a> {
    json: Json<'a>,
    names: Names<'a, Field>,
    /// The extra fields of the line.
    extra: Vec<(ValueId, ValueId)>,
}

/// Reads all lines.
pub(super) fn read(text: &str, options: &Options) -> Read<Builder> {
    let mut builder = Builder::new();
    let mut lines = Lines { json: Json::native(text), names: Names::new(), extra: Vec::new() };
    while lines.json.next_line() {
        let line = lines.next(&mut builder.values)?;
        operation(&line, &mut lines.extra, options, &mut builder)?;
    }
    Ok(builder)
}

impl<'a> Lines<'a> {
    /// Reads the fields of one line.
    fn next(&mut self, values: &mut Values) -> Read<Line> {
        let (null, number) = (ValueId::NULL, self.json.cursor.line());
        let mut line = Line {
            at: self.json.cursor.at,
            number,
            seen: 0,
            process: null,
            f: null,
            value: null,
            result: null,
            key: ValueId::ABSENT,
            kind: None,
            call: Time::None,
            ret: Time::None,
        };
        self.extra.clear();
        let mut more = self.json.open_object()?;
        let mut place = 0;
        while more {
            let at = self.json.cursor.at;
            match self.field(values, place)? {
                Field::Known(field) if line.seen & 1 << field != 0 => return Err(twice(at, FIELDS[field as usize])),
                Field::Known(field) => {
                    line.seen |= 1 << field;
                    line.read(field, &mut self.json, values)?;
                }
                Field::Extra(name) => self.keep(values, name, at)?,
            }
            place += 1;
            more = self.json.another(b'}')?;
        }
        self.json.spaces();
        match self.json.cursor.peek() {
            None | Some(b'\n') => Ok(line),
            Some(_) => Err(self.json.cursor.expected("the end of the line after the object")),
        }
    }

    /// What the name of the `place`-th field means.
    #[inline]
    fn field(&mut self, values: &mut Values, place: usize) -> Read<Field> {
        let start = self.json.cursor.at;
        if let Some(field) = self.names.step(place, &mut self.json.cursor) {
            self.json.spaces();
            return Ok(field);
        }
        let name = self.json.field()?;
        let field = match FIELDS.iter().position(|known| *known == name) {
            Some(field) => Field::Known(field as u8),
            None => Field::Extra(values.text(name.strip_prefix(EXTRA).unwrap_or(&name))),
        };
        self.names.learn(place, start, &self.json.cursor, field);
        Ok(field)
    }

    /// Keeps a field that means nothing here.
    fn keep(&mut self, values: &mut Values, name: ValueId, at: usize) -> Read<()> {
        let value = self.json.value(values)?;
        if self.extra.iter().any(|e| e.0 == name) {
            return Err(twice(at, values.as_text(name).unwrap_or_default()));
        }
        if self.extra.len() == MOST_FIELDS {
            return Err(fault(at, format!("too many fields: expected at most {MOST_FIELDS}")));
        }
        self.extra.push((name, value));
        Ok(())
    }
}

impl Line {
    /// Reads the value of the field `FIELDS[field]`.
    #[inline]
    fn read(&mut self, field: u8, json: &mut Json<'_>, values: &mut Values) -> Read<()> {
        match field {
            0 => self.process = process(json, values)?,
            1 => self.f = f(json, values)?,
            2 => self.value = json.value(values)?,
            3 => self.result = json.value(values)?,
            4 => self.call = time(json)?,
            5 => self.ret = if json.cursor.eat_word("null") { Time::None } else { time(json)? },
            6 => {
                let key = json.value(values)?;
                self.key = if key == ValueId::NULL { ValueId::ABSENT } else { key };
            }
            _ => self.kind = kind(json)?,
        }
        Ok(())
    }
}

fn process(json: &mut Json<'_>, values: &mut Values) -> Read<ValueId> {
    let at = json.cursor.at;
    let id = json.value(values)?;
    match values.get(id) {
        Value::Int(_) | Value::Big(_) | Value::Text(_) => Ok(id),
        _ => Err(found(at, "a process: an integer or a text", values, id)),
    }
}

fn f(json: &mut Json<'_>, values: &mut Values) -> Read<ValueId> {
    match json.cursor.peek() {
        Some(b'"') => Ok(values.text(&json.text()?)),
        _ => Err(json.cursor.expected("the name of an operation in double quotes")),
    }
}

fn time(json: &mut Json<'_>) -> Read<Time> {
    let at = json.cursor.at;
    match json.cursor.peek() {
        Some(b'-' | b'0'..=b'9') => {}
        _ => return Err(json.cursor.expected("a time: an integer or a float")),
    }
    match json.number()? {
        Number::Int(time) => Ok(Time::Int(time)),
        Number::Float(time) => Ok(Time::Float(time)),
        Number::Big(digits) => {
            Err(fault(at, format!("time out of range: expected a 64-bit integer, found {}", Quoted(digits))))
        }
    }
}

fn kind(json: &mut Json<'_>) -> Read<Option<Status>> {
    let at = json.cursor.at;
    if json.cursor.eat_word("null") {
        return Ok(None);
    }
    if json.cursor.peek() != Some(b'"') {
        return Err(json.cursor.expected("a type in double quotes: ok, fail or info"));
    }
    match &*json.text()? {
        "ok" => Ok(Some(Status::Ok)),
        "fail" => Ok(Some(Status::Fail)),
        "info" => Ok(Some(Status::Info)),
        "invoke" => Err(fault(
            at,
            "type invoke in a line of an operation: expected ok, fail or info (events are format jepsen-json)",
        )),
        other => Err(fault(at, format!("unknown type {}: expected ok, fail or info", Quoted(other)))),
    }
}

#[cold]
fn found(at: usize, expected: &str, values: &Values, id: ValueId) -> Box<Fault> {
    fault(at, format!("expected {expected}, found {}", Quoted(&values.show(id))))
}

/// Adds the operation of a line.
fn operation(line: &Line, extra: &mut Vec<(ValueId, ValueId)>, options: &Options, builder: &mut Builder) -> Read<()> {
    if line.seen & 0b01_0011 != 0b01_0011 {
        return remark(line, extra, builder);
    }
    let returned = !matches!(line.ret, Time::None);
    let mut status = line.kind.unwrap_or(if returned { Status::Ok } else { Status::Info });
    if status != Status::Info && !returned {
        let kind = if status == Status::Ok { "ok" } else { "fail" };
        return Err(fault(line.at, format!("type {kind} without return: expected the time of its return")));
    }
    let says_when = line.seen & RETURN != 0 || line.kind.is_some();
    if !says_when && line.result != ValueId::NULL {
        let message = "a result without return: expected the time of its return (or type info, if nobody knows whether it returned)";
        return Err(fault(line.at, message));
    }
    let mut result = line.result;
    if status != Status::Ok && result != ValueId::NULL {
        let name = builder.values.text("result");
        if extra.iter().all(|e| e.0 != name) {
            extra.push((name, result));
        }
    }
    if status == Status::Fail && options.failed_cas && builder.values.as_text(line.f) == Some("cas") {
        (status, result) = (Status::Ok, ValueId::FALSE);
    }
    let &Line { process, f, key, value, number, .. } = line;
    let op = match (line.call, line.ret) {
        (Time::Int(call), Time::Int(ret)) => {
            builder.push(Record { process, f, key, value, result, status, call, ret: Some(ret), line: number })
        }
        (Time::Int(call), Time::None) => {
            builder.push(Record { process, f, key, value, result, status, call, ret: None, line: number })
        }
        (call, ret) => {
            let (call, ret) = (call.float(), returned.then(|| ret.float()));
            builder.push_float(Record { process, f, key, value, result, status, call, ret, line: number })
        }
    };
    for &(name, value) in &*extra {
        builder.extra(op, name, value);
    }
    Ok(())
}

/// A line without process, f or call: an annotation, the kind of object, or a mistake.
#[cold]
fn remark(line: &Line, extra: &[(ValueId, ValueId)], builder: &mut Builder) -> Read<()> {
    let get = |values: &Values, name: &str| extra.iter().find(|e| values.as_text(e.0) == Some(name)).map(|e| e.1);
    let values = &builder.values;
    if line.seen == 0 {
        if let Some(fields) = get(values, "annotation") {
            let after_events = match get(values, "after").map(|id| (id, values.as_int(id))) {
                None => u32::try_from(2 * builder.len()).unwrap_or(u32::MAX),
                Some((id, number)) => number
                    .and_then(|number| u32::try_from(number).ok())
                    .ok_or_else(|| found(line.at, "a number of events in the field after", values, id))?,
            };
            builder.annotations.push(Annotation { line: line.number, after_events, fields });
            return Ok(());
        }
        if let Some(object) = get(values, "object") {
            let Some(name) = values.as_text(object) else {
                return Err(found(line.at, "the name of an object", values, object));
            };
            builder.object = Some(name.to_owned());
            return Ok(());
        }
    }
    let missing = [(1, "process"), (1 << 1, "f"), (1 << 4, "call")].into_iter().find(|(bit, _)| line.seen & bit == 0);
    let name = missing.map_or("call", |m| m.1);
    Err(fault(line.at, format!("an operation without {name}: expected the fields process, f and call")))
}
