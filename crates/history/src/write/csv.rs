//! A history as a table: a header, then one operation per row, as [`crate::read`] reads it back.
//!
//! The columns `key`, `type` and `extra_json` are there if an operation needs them. Annotations and the kind of object have no
//! place in a table and are left out.

use super::json::{write_exact, write_exact_map};
use crate::read::guessed;
use crate::{History, Status, Value, ValueId, Values};
use std::fmt::Write as _;

/// The whole history.
pub fn csv(history: &History) -> String {
    let needed = Needed::of(history);
    let mut out = String::from("process,f,");
    out.push_str(if needed.key { "key," } else { "" });
    out.push_str("value,result,call,return");
    out.push_str(if needed.kind { ",type" } else { "" });
    out.push_str(if needed.extra { ",extra_json\n" } else { "\n" });
    let mut scratch = Values::new();
    let mut put = |id: ValueId, out: &mut String| cell(&history.values, id, &mut scratch, out);
    for op in 0..history.len() {
        put(history.process[op], &mut out);
        out.push(',');
        quote(history.name(op), &mut out);
        out.push(',');
        if needed.key {
            put(history.key_of(op).unwrap_or(ValueId::NULL), &mut out);
            out.push(',');
        }
        put(history.value[op], &mut out);
        out.push(',');
        put(history.result[op], &mut out);
        write!(out, ",{},", history.call_time.at(op)).expect("a String takes all");
        if history.has_return[op] {
            write!(out, "{}", history.return_time.at(op)).expect("a String takes all");
        }
        if needed.kind {
            out.push(',');
            out.push_str(kind_of(history, op));
        }
        if needed.extra {
            out.push(',');
            quote(&extra_of(history, op), &mut out);
        }
        out.push('\n');
    }
    out
}

/// Which columns does a table need beyond the usual ones?
pub struct Needed {
    /// Has an operation a key?
    pub key: bool,
    /// Does an operation end otherwise than its return says?
    pub kind: bool,
    /// Has an operation extra fields?
    pub extra: bool,
}

impl Needed {
    /// Those of this history.
    pub fn of(history: &History) -> Needed {
        let usual = |op: usize| if history.has_return[op] { Status::Ok } else { Status::Info };
        Needed {
            key: history.key.iter().any(|key| *key != ValueId::ABSENT),
            kind: (0..history.len()).any(|op| history.status[op] != usual(op)),
            extra: !history.extra.is_empty(),
        }
    }
}

/// How operation `op` ended, in a word.
pub fn kind_of(history: &History, op: usize) -> &'static str {
    match history.status[op] {
        Status::Ok => "ok",
        Status::Fail => "fail",
        Status::Info => "info",
    }
}

/// The extra fields of operation `op` as a JSON object; nothing if it has none.
pub fn extra_of(history: &History, op: usize) -> String {
    let mut text = String::new();
    let fields: Vec<(ValueId, ValueId)> = history.extra_of(op).iter().map(|e| (e.1, e.2)).collect();
    if !fields.is_empty() {
        write_exact_map(&history.values, &fields, &mut text);
    }
    text
}

/// A value as a text of JSON that is read back as it was.
pub fn json_of(values: &Values, id: ValueId) -> String {
    let mut text = String::new();
    write_exact(values, id, &mut text);
    text
}

/// Appends a value: a text as it is, unless it would be read as something else.
fn cell(values: &Values, id: ValueId, scratch: &mut Values, out: &mut String) {
    match values.get(id) {
        Value::Null => {}
        Value::Int(number) => write!(out, "{number}").expect("a String takes all"),
        Value::Text(text) if guessed(text, scratch) => quote(text, out),
        _ => quote(&json_of(values, id), out),
    }
}

/// Appends the text of a cell, in quotes if it needs them.
fn quote(text: &str, out: &mut String) {
    let odd = text.contains([',', ';', '\t', '"', '\n', '\r']) || text.trim() != text;
    if !odd {
        out.push_str(text);
        return;
    }
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}
