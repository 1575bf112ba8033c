//! Values as compact JSON: for people ([`Values::show`]) and for files that must be read back.
//!
//! JSON has no maps with other keys than texts. For people such a key stands there without quotes, `{1:2}`. For files
//! the map is wrapped, `{"#map":[[1,2]]}`, and so is a map that would look like a wrapping. The call depth is the
//! nesting of the value.

use crate::{Value, ValueId, Values};
use std::fmt::Write as _;

impl Values {
    /// The value in one line, for messages: compact JSON, except that maps may have any keys.
    pub fn show(&self, id: ValueId) -> String {
        let mut text = String::new();
        self.write_json(id, &mut text);
        text
    }

    /// Can plain JSON say a map of these entries? Its keys are texts, and it does not look like `{"#map": …}`.
    pub fn is_plain_map(&self, entries: &[(ValueId, ValueId)]) -> bool {
        entries.iter().all(|e| self.as_text(e.0).is_some_and(|key| entries.len() > 1 || !key.starts_with('#')))
    }

    /// Appends the value in one line, for messages.
    pub fn write_json(&self, id: ValueId, out: &mut String) {
        write_value(self, id, false, out);
    }
}

/// Appends a value, for a file that our reader reads back.
pub(super) fn write_exact(values: &Values, id: ValueId, out: &mut String) {
    write_value(values, id, true, out);
}

/// Appends a map of these entries, for a file that our reader reads back.
pub(super) fn write_exact_map(values: &Values, entries: &[(ValueId, ValueId)], out: &mut String) {
    write_map(values, entries, true, out);
}

fn write_value(values: &Values, id: ValueId, exact: bool, out: &mut String) {
    match values.get(id) {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => write!(out, "{number}").expect("a String takes all"),
        Value::Big(digits) => out.push_str(digits),
        Value::Float(bits) => write!(out, "{:?}", f64::from_bits(*bits)).expect("a String takes all"),
        Value::Text(text) => write_text(text, out),
        Value::List(parts) => {
            out.push('[');
            for (i, part) in parts.iter().enumerate() {
                separate(i, out);
                write_value(values, *part, exact, out);
            }
            out.push(']');
        }
        Value::Map(entries) => write_map(values, entries, exact, out),
    }
}

fn write_map(values: &Values, entries: &[(ValueId, ValueId)], exact: bool, out: &mut String) {
    let wrapped = exact && !values.is_plain_map(entries);
    out.push_str(if wrapped { "{\"#map\":[" } else { "{" });
    for (i, (key, value)) in entries.iter().enumerate() {
        separate(i, out);
        match values.get(*key) {
            _ if wrapped => {
                out.push('[');
                write_value(values, *key, exact, out);
            }
            Value::Text(text) => write_text(text, out),
            _ => write_value(values, *key, exact, out), // {1:2} is no JSON, but it is not {"1":2} either
        }
        out.push(if wrapped { ',' } else { ':' });
        write_value(values, *value, exact, out);
        out.push_str(if wrapped { "]" } else { "" });
    }
    out.push_str(if wrapped { "]}" } else { "}" });
}

fn separate(i: usize, out: &mut String) {
    if i > 0 {
        out.push(',');
    }
}

/// Appends a JSON text with its quotes.
pub(super) fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c == '\u{7f}' => {
                write!(out, "\\u{:04x}", c as u32).expect("a String takes all");
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
