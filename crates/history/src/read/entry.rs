//! One line of an event log: which fields does it have?
//!
//! `process`, `type`, `f`, `value` and `key` mean something; every other field is kept as an
//! extra one. Our own EDN writer adds `linpoint/result` where Jepsen's convention (the value of
//! the completion is the result, unless it only repeats the argument) could not say what an
//! operation returned, `linpoint/annotation` where an annotation is no line of a nemesis, and
//! writes an extra field with a name that means something as `extra:NAME`.

use super::cursor::{Read, fault};
use super::json::twice;
use crate::{ValueId, Values};

/// The most fields an event may have: beyond it a file is broken or hostile.
pub(super) const MOST_FIELDS: usize = 1000;

/// The field that says what an operation returned.
pub(crate) const RESULT: &str = "linpoint/result";

/// The field that is a whole annotation, for one that does not look like a line of Jepsen's nemesis.
pub(crate) const ANNOTATION: &str = "linpoint/annotation";

/// What stands before the name of an extra field that would mean something.
pub(crate) const EXTRA: &str = "extra:";

/// What the name of a field means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Process,
    Kind,
    F,
    Value,
    Key,
    Result,
    /// Nothing: a field to keep, under this name.
    Extra(ValueId),
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
            None => Field::Extra(values.text(name.strip_prefix(EXTRA).unwrap_or(name))),
        }
    }
}

/// The fields of a line of an event log; [`ValueId::ABSENT`] where there is none.
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
    /// Names and values of all other fields.
    pub extra: Vec<(ValueId, ValueId)>,
}

impl Entry {
    /// An entry without fields.
    pub fn new() -> Self {
        let none = ValueId::ABSENT;
        let (process, kind, f, value, key, result) = (none, none, none, none, none, none);
        Entry { at: 0, line: 0, process, bystander: false, kind, f, value, key, result, extra: Vec::new() }
    }

    /// Forgets the fields; the next line starts at `at`.
    pub fn start(&mut self, at: usize, line: u32) {
        self.extra.clear();
        let extra = std::mem::take(&mut self.extra);
        *self = Entry { at, line, extra, ..Entry::new() };
    }

    /// Sets a field whose name stands at `at`.
    pub fn set(&mut self, values: &Values, field: Field, value: ValueId, at: usize) -> Read<()> {
        let slot = match field {
            Field::Process => &mut self.process,
            Field::Kind => &mut self.kind,
            Field::F => &mut self.f,
            Field::Value => &mut self.value,
            Field::Key => &mut self.key,
            Field::Result => &mut self.result,
            Field::Extra(name) => return self.set_extra(values, name, value, at),
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
        values.intern(crate::Value::Map(entries.into()))
    }
}

/// Would a field of this name mean something to a reader of events?
pub(crate) fn is_reserved(name: &str) -> bool {
    KNOWN.iter().any(|known| known.0 == name) || name.starts_with(EXTRA)
}
