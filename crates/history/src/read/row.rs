//! What does a line or a row say? Its fields become an operation of the history: the rules that JSON lines and tables share.
//!
//! [`super::jsonl`] has the table of the fields. Which of them are there is a bit each, so an operation costs no allocation.

use super::Options;
use super::cursor::{Fault, Quoted, Read, fault};
use super::entry::{EXTRA, EXTRAS};
use super::lookalike::{meant, resembles};
use crate::{Annotation, Builder, Record, Status, Time, Value, ValueId, Values};

/// The fields of an operation, in the order they are written.
pub(super) const FIELDS: [&str; 8] = ["process", "f", "value", "result", "call", "return", "key", "type"];
/// The bit of the field `return` among those seen.
pub(super) const RETURN: u8 = 1 << 5;
/// The field that says how long an operation took.
pub(super) const DURATION: &str = "duration";

/// A time as the line gives it.
#[derive(Clone, Copy)]
pub(super) enum Moment {
    None,
    Int(i64),
    Exact(Time),
}

impl Moment {
    pub fn exact(self) -> Option<Time> {
        match self {
            Moment::None => None,
            Moment::Int(time) => Some(time.into()),
            Moment::Exact(time) => Some(time),
        }
    }
}

/// What a field's name means.
#[derive(Clone, Copy)]
pub(super) enum Field {
    /// One of [`FIELDS`], by its place there.
    Known(u8),
    /// The object of all fields to keep.
    Extras,
    /// How long it took, kept under this name, too: where there is no return it tells it.
    Duration(ValueId),
    /// A field to keep, under this name, and which of [`FIELDS`] it resembles.
    Extra(ValueId, u8),
}

impl Field {
    /// What the name of a field means.
    pub fn named(values: &mut Values, name: &str) -> Field {
        match FIELDS.iter().position(|known| *known == name) {
            Some(field) => Field::Known(field as u8),
            None if name == EXTRAS => Field::Extras,
            None if name == DURATION => Field::Duration(values.text(name)),
            None => match name.strip_prefix(EXTRA) {
                Some(kept) => Field::Extra(values.text(kept), 0),
                None => Field::Extra(values.text(name), likeness(name)),
            },
        }
    }
}

/// The bits of the fields that a name resembles. A duration tells the return.
pub(super) fn likeness(name: &str) -> u8 {
    let like = |known: &str| resembles(name, known) || known == "return" && resembles(name, DURATION);
    FIELDS.iter().enumerate().filter(|(_, known)| like(known)).map(|(field, _)| 1 << field).sum()
}

/// The fields of a line.
pub(super) struct Line {
    /// Where it starts.
    pub at: usize,
    pub number: u32,
    /// Which of [`FIELDS`] it has, a bit each.
    pub seen: u8,
    pub process: ValueId,
    pub f: ValueId,
    pub value: ValueId,
    pub result: ValueId,
    pub key: ValueId,
    pub kind: Option<Status>,
    pub call: Moment,
    pub ret: Moment,
    /// How long it took; [`ValueId::NULL`] if that is not told.
    pub duration: ValueId,
    /// Which of [`FIELDS`] its unknown fields resemble.
    pub like: u8,
}

impl Line {
    /// A line without fields, which starts at `at`.
    pub fn new(at: usize, number: u32) -> Line {
        let null = ValueId::NULL;
        let (process, f, value, result, key) = (null, null, null, null, ValueId::ABSENT);
        let (call, ret, kind) = (Moment::None, Moment::None, None);
        Line { at, number, seen: 0, process, f, value, result, key, kind, call, ret, duration: null, like: 0 }
    }

    /// If it is told how long it took, and no return: it returned so much later. The error says what was expected.
    #[inline]
    pub fn lasted(&mut self, values: &Values, is_dated: bool) -> Result<(), String> {
        if self.duration == ValueId::NULL || self.seen & RETURN != 0 || self.kind == Some(Status::Info) {
            return Ok(());
        }
        let span = match values.get(self.duration) {
            Value::Int(span) => Some(Time::from(*span)),
            Value::Float(bits) => Time::number(&format!("{:e}", f64::from_bits(*bits))).ok(),
            _ => None,
        };
        let Some(span) = span.filter(|_| !is_dated) else {
            let shown = values.show(self.duration);
            let expected = "expected duration and call as numbers in the same unit";
            return Err(format!(
                "{expected}, found {}{}",
                Quoted(&shown),
                if is_dated { " beside a date" } else { "" }
            ));
        };
        let ret = match (self.call, values.as_int(self.duration)) {
            (Moment::Int(call), Some(span)) => call.checked_add(span).map(Moment::Int),
            (call, _) => call.exact().and_then(|call| call.sum(span)).map(Moment::Exact),
        };
        self.ret = ret.ok_or("call and duration have too many digits for a sum")?;
        self.seen |= RETURN;
        Ok(())
    }
}

/// Refuses an unknown field that resembles a known one which is missing and would have been needed.
#[cold]
pub(super) fn refuse_lookalikes(
    line: &Line,
    extra: &[(ValueId, ValueId)],
    places: &[(ValueId, usize)],
    values: &Values,
) -> Read<()> {
    if line.seen == 0 {
        return Ok(()); // no operation at all
    }
    let word = |name: ValueId| extra.iter().find(|e| e.0 == name).and_then(|e| values.as_text(e.1));
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
        for &(name, at) in places {
            let text = values.as_text(name).unwrap_or_default();
            if likeness(text) & 1 << field != 0 && needed(name) {
                return Err(meant(at, text, known));
            }
        }
    }
    Ok(())
}

#[cold]
pub(super) fn found(at: usize, expected: &str, values: &Values, id: ValueId) -> Box<Fault> {
    fault(at, format!("expected {expected}, found {}", Quoted(&values.show(id))))
}

/// Adds the operation of a line.
pub(super) fn operation(
    line: &Line,
    extra: &mut Vec<(ValueId, ValueId)>,
    options: &Options,
    builder: &mut Builder,
) -> Read<()> {
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
    if status == Status::Fail && options.failed_cas && builder.values.as_text(line.f).is_some_and(|f| options.is_cas(f))
    {
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
