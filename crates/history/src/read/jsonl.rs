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
//! | `call` | the time of its call: a number, or ISO 8601 in quotes | an error |
//! | `return` | the time of its return; `null` if it never returned | it never returned |
//! | `key` | the object or key it is about; `null` is no key | no key |
//! | `type` | `ok`: it took effect; `fail`: it did not; `info`: not known which | `ok` with a `return`, else `info` |
//!
//! Times are numbers of any size with at most 36 digits, compared exactly, or ISO 8601 texts, which count as seconds since
//! 1970; only their order counts, and on a tie calls come before returns. An operation that is `ok` or `fail` needs a `return`;
//! one that is `info` may have one (when the client gave up), but may take effect later all the same.
//!
//! Fields that mean nothing here are kept in `extra`, an object: `"extra":{"node":"n1"}`. An unknown field beside the known
//! ones is kept there too, unless it resembles a known one that is missing ([`super::lookalike`]). (Older files say
//! `extra:call` where such a field has the name of a known one. The `result` of an operation that is not `ok` is such a field.)
//!
//! Two other kinds of lines: `{"object":"queue"}` names the kind of object, and
//! `{"annotation":{…},"after":12}` is a remark that belongs after the first 12 events. Blank
//! lines and lines that start with `#` or `//` are skipped. JSON lacks maps with other keys than texts;
//! they are written `{"#map":[[key,value],…]}`. NaN and infinities are no values.
//!
//! Costs one pass over the bytes; a line allocates nothing unless it holds a new value, a map or an escape.

use super::Options;
use super::cursor::{Fault, Quoted, Read, fault};
use super::entry::{EXTRA, EXTRAS, MOST_FIELDS, named_entries};
use super::json::{Json, twice};
use super::lookalike::{meant, resembles};
use super::meter::Watch;
use super::names::Names;
use super::number::{Written, written};
use crate::time::Clock;
use crate::{Annotation, Builder, Record, Status, Time, Value, ValueId, Values};

/// The fields of an operation, in the order they are written.
const FIELDS: [&str; 8] = ["process", "f", "value", "result", "call", "return", "key", "type"];
/// The bit of the field `return` among those seen.
const RETURN: u8 = 1 << 5;

/// A time as the line gives it.
#[derive(Clone, Copy)]
enum Moment {
    None,
    Int(i64),
    Exact(Time),
}

impl Moment {
    fn exact(self) -> Option<Time> {
        match self {
            Moment::None => None,
            Moment::Int(time) => Some(time.into()),
            Moment::Exact(time) => Some(time),
        }
    }
}

/// What a field's name means.
#[derive(Clone, Copy)]
enum Field {
    /// One of [`FIELDS`], by its place there.
    Known(u8),
    /// The object of all fields to keep.
    Extras,
    /// A field to keep, under this name, and which of [`FIELDS`] it resembles.
    Extra(ValueId, u8),
}

/// The bits of the fields that a name resembles.
fn likeness(name: &str) -> u8 {
    FIELDS.iter().enumerate().filter(|(_, known)| resembles(name, known)).map(|(field, _)| 1 << field).sum()
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
    call: Moment,
    ret: Moment,
    /// Which of [`FIELDS`] its unknown fields resemble.
    like: u8,
}

/// The lines of a file.
struct Lines<'a> {
    json: Json<'a>,
    names: Names<'a, Field>,
    /// The extra fields of the line.
    extra: Vec<(ValueId, ValueId)>,
    /// Where the names of unknown fields stand.
    places: Vec<(ValueId, usize)>,
    clock: Clock,
}

/// Reads all lines.
pub(super) fn read(text: &str, options: &Options, watch: &dyn Watch) -> Read<Builder> {
    let mut builder = Builder::new();
    let (json, clock) = (Json::native(text).watched(watch), Clock::default());
    let mut lines = Lines { json, names: Names::new(), extra: Vec::new(), places: Vec::new(), clock };
    while lines.json.next_line() {
        let line = lines.next(&mut builder.values)?;
        if line.like & !line.seen != 0 {
            lines.refuse_lookalikes(&line, &builder.values)?;
        }
        operation(&line, &mut lines.extra, options, &mut builder)?;
        watch.hold(&builder);
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
            call: Moment::None,
            ret: Moment::None,
            like: 0,
        };
        self.extra.clear();
        self.places.clear();
        let mut more = self.json.open_object()?;
        let mut place = 0;
        while more {
            let at = self.json.cursor.at;
            match self.field(values, place)? {
                Field::Known(field) if line.seen & 1 << field != 0 => return Err(twice(at, FIELDS[field as usize])),
                Field::Known(field) => {
                    line.seen |= 1 << field;
                    line.read(field, &mut self.json, &mut self.clock, values)?;
                }
                Field::Extras => self.keep_all(values, at)?,
                Field::Extra(name, like) => {
                    let value = self.json.value(values)?;
                    self.keep(values, name, value, at)?;
                    self.places.push((name, at));
                    line.like |= like;
                }
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
            None if name == EXTRAS => Field::Extras,
            None => match name.strip_prefix(EXTRA) {
                Some(kept) => Field::Extra(values.text(kept), 0),
                None => Field::Extra(values.text(&name), likeness(&name)),
            },
        };
        self.names.learn(place, start, &self.json.cursor, field);
        Ok(field)
    }

    /// Keeps the fields of `extra`; if it is no object, it is a field of that name itself.
    fn keep_all(&mut self, values: &mut Values, at: usize) -> Read<()> {
        let all = self.json.value(values)?;
        match named_entries(values, all) {
            Some(entries) => entries.into_iter().try_for_each(|(name, value)| self.keep(values, name, value, at)),
            None => {
                let name = values.text(EXTRAS);
                self.keep(values, name, all, at)
            }
        }
    }

    /// Keeps a field that means nothing here.
    fn keep(&mut self, values: &Values, name: ValueId, value: ValueId, at: usize) -> Read<()> {
        if self.extra.iter().any(|e| e.0 == name) {
            return Err(twice(at, values.as_text(name).unwrap_or_default()));
        }
        if self.extra.len() == MOST_FIELDS {
            return Err(fault(at, format!("too many fields: expected at most {MOST_FIELDS}")));
        }
        self.extra.push((name, value));
        Ok(())
    }

    /// Refuses an unknown field that resembles a known one which is missing and would have been needed.
    #[cold]
    fn refuse_lookalikes(&self, line: &Line, values: &Values) -> Read<()> {
        if line.seen == 0 {
            return Ok(()); // no operation at all
        }
        let word = |name: ValueId| self.extra.iter().find(|e| e.0 == name).and_then(|e| values.as_text(e.1));
        // `ret` may be the time or the result; what leaves an operation pending is said first.
        let order = ["process", "f", "call", "return", "value", "result", "key", "type"];
        let place = |known: &str| FIELDS.iter().position(|field| *field == known).unwrap_or_default();
        for (field, known) in order.map(|known| (place(known), known)) {
            if line.seen & 1 << field != 0 {
                continue;
            }
            let needed = |name: ValueId| match known {
                "return" => line.kind != Some(Status::Info),
                "result" => line.kind.is_none_or(|kind| kind == Status::Ok),
                "type" => matches!(word(name), Some("ok" | "fail" | "info" | "invoke")),
                _ => true,
            };
            for &(name, at) in &self.places {
                let text = values.as_text(name).unwrap_or_default();
                if likeness(text) & 1 << field != 0 && needed(name) {
                    return Err(meant(at, text, known));
                }
            }
        }
        Ok(())
    }
}

impl Line {
    /// Reads the value of the field `FIELDS[field]`.
    #[inline]
    fn read(&mut self, field: u8, json: &mut Json<'_>, clock: &mut Clock, values: &mut Values) -> Read<()> {
        match field {
            0 => self.process = process(json, values)?,
            1 => self.f = f(json, values)?,
            2 => self.value = json.value(values)?,
            3 => self.result = json.value(values)?,
            4 => self.call = time(json, clock)?,
            5 => self.ret = if json.cursor.eat_word("null") { Moment::None } else { time(json, clock)? },
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

fn time(json: &mut Json<'_>, clock: &mut Clock) -> Read<Moment> {
    let at = json.cursor.at;
    match json.cursor.peek() {
        Some(b'-' | b'0'..=b'9') => match written(&mut json.cursor)? {
            Written::Small(time) => return Ok(Moment::Int(time)),
            Written::Whole(text) => match text.parse() {
                Ok(time) => return Ok(Moment::Int(time)),
                Err(_) => Time::number(text),
            },
            Written::Fraction(text) => Time::number(text),
        },
        Some(b'"') => clock.read(&json.text()?),
        _ => return Err(json.cursor.expected("a time: a number or ISO 8601 in double quotes")),
    }
    .map(Moment::Exact)
    .map_err(|message| fault(at, message))
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
    let returned = !matches!(line.ret, Moment::None);
    let mut status = line.kind.unwrap_or(if returned { Status::Ok } else { Status::Info });
    if status != Status::Info && !returned {
        let kind = if status == Status::Ok { "ok" } else { "fail" };
        return Err(fault(line.at, format!("type {kind} without return: expected the time of its return")));
    }
    let says_when = line.seen & RETURN != 0 || line.kind.is_some();
    if !says_when && line.result != ValueId::NULL {
        let message = "a result without return: expected the time of its return (or type info, if it is not known whether it returned)";
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
        (Moment::Int(call), Moment::Int(ret)) => {
            builder.push(Record { process, f, key, value, result, status, call, ret: Some(ret), line: number })
        }
        (Moment::Int(call), Moment::None) => {
            builder.push(Record { process, f, key, value, result, status, call, ret: None, line: number })
        }
        (call, ret) => {
            let (call, ret) = (call.exact().unwrap_or(0.into()), ret.exact());
            builder.push_exact(Record { process, f, key, value, result, status, call, ret, line: number })
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
    let only = |names: &[&str]| extra.iter().all(|e| values.as_text(e.0).is_some_and(|name| names.contains(&name)));
    if line.seen == 0 && (only(&["annotation", "after"]) || only(&["object"])) {
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
