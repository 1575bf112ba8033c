//! linpoint's own format, see [`crate::read::jsonl`]. Lossless; linear in the size of the file.

use super::json::{write_exact, write_exact_map, write_text};
use crate::{History, Status, Times, ValueId};
use std::fmt::Write as _;
use std::io;

/// The history as a text.
pub fn jsonl(history: &History) -> String {
    let mut text = String::with_capacity(96 * history.len());
    head(history, &mut text);
    for op in 0..history.len() {
        operation(history, op, &mut text);
    }
    tail(history, &mut text);
    text
}

/// Writes the history in pieces of about 64 KiB, so that a big one is never in memory twice.
pub fn jsonl_to(history: &History, out: &mut impl io::Write) -> io::Result<()> {
    const PIECE: usize = 64 << 10;
    let mut text = String::with_capacity(2 * PIECE);
    head(history, &mut text);
    for op in 0..history.len() {
        operation(history, op, &mut text);
        if text.len() >= PIECE {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    tail(history, &mut text);
    out.write_all(text.as_bytes())
}

/// The kind of object.
fn head(history: &History, out: &mut String) {
    if let Some(object) = &history.object {
        out.push_str("{\"object\":");
        write_text(object, out);
        out.push_str("}\n");
    }
}

/// The annotations.
fn tail(history: &History, out: &mut String) {
    for annotation in &history.annotations {
        out.push_str("{\"annotation\":");
        write_exact(&history.values, annotation.fields, out);
        writeln!(out, ",\"after\":{}}}", annotation.after_events).expect("a String takes all");
    }
}

/// The line of an operation.
fn operation(history: &History, op: usize, out: &mut String) {
    let values = &history.values;
    out.push_str("{\"process\":");
    write_exact(values, history.process[op], out);
    out.push_str(",\"f\":");
    write_exact(values, history.f[op], out);
    if let Some(key) = history.key_of(op) {
        out.push_str(",\"key\":");
        write_exact(values, key, out);
    }
    out.push_str(",\"value\":");
    write_exact(values, history.value[op], out);
    if let Some(result) = history.result_of(op) {
        out.push_str(",\"result\":");
        write_exact(values, result, out);
    }
    out.push_str(",\"call\":");
    time(&history.call_time, op, out);
    out.push_str(",\"return\":");
    if history.has_return[op] {
        time(&history.return_time, op, out)
    } else {
        out.push_str("null")
    }
    match history.status[op] {
        Status::Ok => {}
        Status::Fail => out.push_str(",\"type\":\"fail\""),
        Status::Info => out.push_str(",\"type\":\"info\""),
    }
    let mut extra: Vec<(ValueId, ValueId)> = history.extra_of(op).iter().map(|e| (e.1, e.2)).collect();
    if !extra.is_empty() {
        extra.sort_by(|a, b| values.compare(a.0, b.0)); // the order of the source does not count
        out.push_str(",\"extra\":");
        write_exact_map(values, &extra, out);
    }
    out.push_str("}\n");
}

fn time(times: &Times, op: usize, out: &mut String) {
    write!(out, "{}", times.at(op)).expect("a String takes all");
}
