//! Values as compact JSON: for people ([`Values::show`]) and for files that must be read back.
//!
//! JSON has no maps with other keys than texts, and no numbers that are not finite. For people
//! such a key is written as the text of its JSON and such a number as a text. For files they
//! are wrapped, `{"#map":[[1,2]]}` and `{"#float":"NaN"}`, and so is a map that would look like a wrapping. The
//! call depth is the nesting of the value.

use crate::{Value, ValueId, Values};
use std::fmt::Write as _;

impl Values {
    /// Compact JSON of a value, for messages.
    pub fn show(&self, id: ValueId) -> String {
        let mut text = String::new();
        self.write_json(id, &mut text);
        text
    }

    /// Appends compact JSON, for messages.
    pub fn write_json(&self, id: ValueId, out: &mut String) {
        write_value(self, id, false, out);
    }
}

/// Appends a value, for a file that our reader reads back.
pub(super) fn write_exact(values: &Values, id: ValueId, out: &mut String) {
    write_value(values, id, true, out);
}

fn write_value(values: &Values, id: ValueId, exact: bool, out: &mut String) {
    match values.get(id) {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => write!(out, "{number}").expect("a String takes all"),
        Value::Big(digits) => out.push_str(digits),
        Value::Float(bits) => match f64::from_bits(*bits) {
            number if number.is_finite() => write!(out, "{number:?}").expect("a String takes all"),
            number if exact => write!(out, "{{\"#float\":\"{number}\"}}").expect("a String takes all"),
            number => write!(out, "\"{number}\"").expect("a String takes all"),
        },
        Value::Text(text) => write_text(text, out),
        Value::List(parts) => {
            out.push('[');
            for (i, part) in parts.iter().enumerate() {
                separate(i, out);
                write_value(values, *part, exact, out);
            }
            out.push(']');
        }
        Value::Map(entries) if exact && needs_wrapping(values, entries) => {
            out.push_str("{\"#map\":[");
            for (i, (key, value)) in entries.iter().enumerate() {
                separate(i, out);
                out.push('[');
                write_value(values, *key, exact, out);
                out.push(',');
                write_value(values, *value, exact, out);
                out.push(']');
            }
            out.push_str("]}");
        }
        Value::Map(entries) => {
            out.push('{');
            for (i, (key, value)) in entries.iter().enumerate() {
                separate(i, out);
                match values.get(*key) {
                    Value::Text(text) => write_text(text, out),
                    _ => write_text(&values.show(*key), out),
                }
                out.push(':');
                write_value(values, *value, exact, out);
            }
            out.push('}');
        }
    }
}

fn separate(i: usize, out: &mut String) {
    if i > 0 {
        out.push(',');
    }
}

/// Would the map not be read back as it is?
fn needs_wrapping(values: &Values, entries: &[(ValueId, ValueId)]) -> bool {
    entries.iter().any(|e| values.as_text(e.0).is_none_or(|key| entries.len() == 1 && key.starts_with('#')))
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
