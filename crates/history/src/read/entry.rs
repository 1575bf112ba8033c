//! One line of an event log: which fields does it have?
//!
//! `process`, `type`, `f`, `value` and `key` mean something; `time` and `index` are compared with the order of the lines;
//! every other field is kept as an extra one, and so are those of a map called `extra`. Our own EDN writer adds `linpoint/result` where Jepsen's convention (the value of
//! the completion is the result, unless it only repeats the argument) could not say what an
//! operation returned, and `linpoint/annotation` where an annotation is no line of a nemesis. (Older ones write an
//! extra field with a name that means something as `extra:NAME`.)

use super::cursor::{Quoted, Read, fault};
use super::json::twice;
use super::lookalike::{meant, resembles};
use crate::{Status, Time, Value, ValueId, Values};

/// The most fields an event may have: beyond it a file is broken or hostile.
pub(super) const MOST_FIELDS: usize = 1000;

/// The field that says what an operation returned.
pub(crate) const RESULT: &str = "linpoint/result";

/// The field that is a whole annotation, for one that does not look like a line of Jepsen's nemesis.
pub(crate) const ANNOTATION: &str = "linpoint/annotation";

/// What stands before the name of an extra field that would mean something, in older files.
pub(crate) const EXTRA: &str = "extra:";

/// The field that holds all extra fields.
pub(crate) const EXTRAS: &str = "extra";

/// What the name of a field means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Process,
    Kind,
    F,
    Value,
    Key,
    Result,
    /// When it happened; kept under this name, too.
    Time(ValueId),
    /// Its place among the events; kept under this name, too.
    Index(ValueId),
    /// The map of all fields to keep.
    Extras,
    /// Nothing: a field to keep, under this name, and which of [`KNOWN`] it resembles.
    Extra(ValueId, u8),
}

/// The names that mean something.
const KNOWN: [(&str, Field); 6] = [
    ("process", Field::Process),
    ("type", Field::Kind),
    ("f", Field::F),
    ("value", Field::Value),
    ("key", Field::Key),
    (RESULT, Field::Result),
];

impl Field {
    /// The meaning of a name.
    pub fn of(values: &mut Values, name: &str) -> Field {
        match KNOWN.iter().find(|known| known.0 == name) {
            Some(known) => known.1,
            None if name == "time" => Field::Time(values.text(name)),
            None if name == "index" => Field::Index(values.text(name)),
            None if name == EXTRAS => Field::Extras,
            None => match name.strip_prefix(EXTRA) {
                Some(kept) => Field::Extra(values.text(kept), 0),
                None => Field::Extra(values.text(name), likeness(name)),
            },
        }
    }
}

/// The bits of the known fields that a name resembles. An event has one value: what it is asked or what it answers.
fn likeness(name: &str) -> u8 {
    let like =
        |known: &str| resembles(name, known) || known == "value" && (name == "result" || resembles(name, "result"));
    KNOWN.iter().enumerate().filter(|(_, known)| like(known.0)).map(|(place, _)| 1 << place).sum()
}

/// The entries of a map whose keys are texts.
pub(super) fn named_entries(values: &Values, id: ValueId) -> Option<Vec<(ValueId, ValueId)>> {
    match values.get(id) {
        Value::Map(entries) if entries.iter().all(|e| values.as_text(e.0).is_some()) => Some(entries.to_vec()),
        _ => None,
    }
}

/// What an event tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// An operation is called.
    Call,
    /// The operation of a process ends.
    End(Status),
    /// Something else happened (a nemesis).
    Remark,
}

/// The fields of a line of an event log; [`ValueId::ABSENT`] where there is none.
#[derive(Clone)]
pub(super) struct Entry {
    /// Where it starts.
    pub at: usize,
    pub line: u32,
    pub process: ValueId,
    /// Is its process no client (Jepsen's `:nemesis`)?
    pub bystander: bool,
    pub kind: ValueId,
    pub f: ValueId,
    pub value: ValueId,
    pub key: ValueId,
    pub result: ValueId,
    /// When it happened, and where that stands.
    pub time: Option<(Time, usize)>,
    /// Its place among the events, and where that stands.
    pub index: Option<(i64, usize)>,
    /// Names and values of all other fields.
    pub extra: Vec<(ValueId, ValueId)>,
    /// Where unknown fields stand that resemble known ones, which are bits.
    pub like: Vec<(ValueId, usize, u8)>,
}

impl Entry {
    /// An entry without fields.
    pub fn new() -> Self {
        let none = ValueId::ABSENT;
        let (process, kind, f, value, key, result) = (none, none, none, none, none, none);
        let (time, index, extra, like) = (None, None, Vec::new(), Vec::new());
        Entry { at: 0, line: 0, process, bystander: false, kind, f, value, key, result, time, index, extra, like }
    }

    /// Forgets the fields; the next line starts at `at`.
    pub fn start(&mut self, at: usize, line: u32) {
        self.extra.clear();
        self.like.clear();
        let (extra, like) = (std::mem::take(&mut self.extra), std::mem::take(&mut self.like));
        *self = Entry { at, line, extra, like, ..Entry::new() };
    }

    /// Sets a field whose name stands at `at`.
    pub fn set(&mut self, values: &mut Values, field: Field, value: ValueId, at: usize) -> Read<()> {
        let slot = match field {
            Field::Process => &mut self.process,
            Field::Kind => &mut self.kind,
            Field::F => &mut self.f,
            Field::Value => &mut self.value,
            Field::Key => &mut self.key,
            Field::Result => &mut self.result,
            Field::Time(name) => return self.set_extra(values, name, value, at),
            Field::Index(name) => {
                self.index = values.as_int(value).map(|index| (index, at));
                return self.set_extra(values, name, value, at);
            }
            Field::Extras => {
                let own = values.text(EXTRAS);
                let entries = named_entries(values, value).unwrap_or_else(|| vec![(own, value)]);
                return entries.into_iter().try_for_each(|(name, value)| self.set_extra(values, name, value, at));
            }
            Field::Extra(name, like) => {
                if like != 0 {
                    self.like.push((name, at, like));
                }
                return self.set_extra(values, name, value, at);
            }
        };
        if *slot != ValueId::ABSENT {
            let name = KNOWN.iter().find(|known| known.1 == field).map_or("", |known| known.0);
            return Err(twice(at, name));
        }
        *slot = value;
        Ok(())
    }

    fn set_extra(&mut self, values: &Values, name: ValueId, value: ValueId, at: usize) -> Read<()> {
        if self.extra.iter().any(|e| e.0 == name) {
            return Err(twice(at, values.as_text(name).unwrap_or_default()));
        }
        if self.extra.len() == MOST_FIELDS {
            return Err(fault(at, format!("too many fields: expected at most {MOST_FIELDS}")));
        }
        self.extra.push((name, value));
        Ok(())
    }

    /// Refuses an unknown field that resembles a known one which is missing.
    pub fn refuse_lookalikes(&self, values: &Values) -> Read<()> {
        let known = [self.process, self.kind, self.f, self.value, self.key, self.result];
        for (place, (field, _)) in KNOWN.iter().enumerate().filter(|(place, _)| known[*place] == ValueId::ABSENT) {
            if let Some(&(name, at, _)) = self.like.iter().find(|like| like.2 & 1 << place != 0) {
                return Err(meant(at, values.as_text(name).unwrap_or_default(), field));
            }
        }
        Ok(())
    }

    /// What the fields tell, if they are those of an event; then there is a value, and a key that is not null.
    pub fn told(&mut self, values: &Values) -> Read<Told> {
        if !self.like.is_empty() && !self.bystander {
            self.refuse_lookalikes(values)?;
        }
        let missing =
            |field: &str| fault(self.at, format!("an event without {field}: expected the fields process, type and f"));
        if self.process == ValueId::ABSENT {
            return Err(missing("process"));
        }
        if self.bystander {
            return Ok(Told::Remark);
        }
        if !matches!(values.get(self.process), Value::Int(_) | Value::Big(_) | Value::Text(_)) {
            let found = values.show(self.process);
            return Err(fault(self.at, format!("expected a process (a number or a name), found {}", Quoted(&found))));
        }
        if self.kind == ValueId::ABSENT {
            return Err(missing("type"));
        }
        let told = match values.as_text(self.kind) {
            Some("invoke") => Told::Call,
            Some("ok") => Told::End(Status::Ok),
            Some("fail") => Told::End(Status::Fail),
            Some("info") => Told::End(Status::Info),
            kind => {
                let found = kind.map_or_else(|| values.show(self.kind), str::to_owned);
                let found = Quoted(&found).to_string();
                return Err(fault(self.at, format!("unknown type {found}: expected invoke, ok, fail or info")));
            }
        };
        match self.f {
            ValueId::ABSENT if told != Told::Call => {} // it ends what its process has called
            ValueId::ABSENT => return Err(missing("f")),
            f if values.as_text(f).is_none() => {
                let found = values.show(f);
                return Err(fault(self.at, format!("expected a name as f, found {}", Quoted(&found))));
            }
            _ => {}
        }
        if self.value == ValueId::ABSENT {
            self.value = ValueId::NULL;
        }
        if self.key == ValueId::NULL {
            self.key = ValueId::ABSENT;
        }
        Ok(told)
    }

    /// All fields as a map, or the annotation it wraps.
    pub fn as_map(&self, values: &mut Values) -> ValueId {
        if let Some(wrapped) = self.extra.iter().find(|e| values.as_text(e.0) == Some(ANNOTATION)) {
            return wrapped.1;
        }
        let known = [self.process, self.kind, self.f, self.value, self.key, self.result];
        let mut entries = self.extra.clone();
        for ((name, _), value) in KNOWN.into_iter().zip(known) {
            if value != ValueId::ABSENT {
                entries.push((values.text(name), value));
            }
        }
        values.intern(Value::Map(entries.into()))
    }
}
