//! Jepsen's logs, old and new, and its `history.txt`: an event a line, fields between tabs.
//!
//! ```text
//! INFO  jepsen.util - 0⇥:invoke⇥:read⇥nil
//! INFO [2017-03-31 19:34:47,351] jepsen worker 4 - jepsen.util 4⇥:info⇥:cas⇥[4 4]⇥:timeout
//! 0⇥:ok⇥:read⇥3
//! ```
//!
//! A line is an event when a number or a keyword stands before a tab and a keyword after it;
//! whatever the logger put before it does not matter. All other lines are the chatter of a
//! log and are skipped, but a file without any event is refused. An error may stand in the value
//! of an `:info` or a `:fail` (`:timed-out`), or in a field of its own; one that is not EDN is kept as text.

use super::Options;
use super::cursor::{Cursor, Read, fault};
use super::edn::Edn;
use super::entry::Entry;
use super::events::Pairing;
use crate::{Builder, ValueId, Values};

/// Reads all events.
pub(super) fn read(text: &str, options: &Options) -> Read<Builder> {
    let mut pairing = Pairing::new(options);
    let mut entry = Entry::new();
    let mut start = 0;
    for (number, line) in text.split('\n').enumerate() {
        let end = start + line.trim_end_matches('\r').len();
        if let Some(tab) = event_at(&text[start..end]) {
            entry.start(start, u32::try_from(number + 1).unwrap_or(u32::MAX));
            event(text, start, start + tab, end, pairing.values(), &mut entry)?;
            pairing.take(&mut entry)?;
        }
        start += line.len() + 1;
    }
    let builder = pairing.finish();
    if builder.is_empty() && builder.annotations.is_empty() {
        return Err(fault(0, "no line is an event: expected process⇥:type⇥:f⇥value"));
    }
    Ok(builder)
}

/// The tab after the process of an event, or None for any other line.
pub(super) fn event_at(line: &str) -> Option<usize> {
    let is_event = |&tab: &usize| {
        let process = line[..tab].rsplit([' ', '\t']).next().unwrap_or_default();
        is_number(process) || process.len() > 1 && process.starts_with(':')
    };
    line.match_indices("\t:").map(|(tab, _)| tab).find(is_event)
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Reads the event whose line is `start..end` and whose process ends at `tab` into `entry`.
fn event(text: &str, start: usize, tab: usize, end: usize, values: &mut Values, entry: &mut Entry) -> Read<()> {
    let first = text[start..tab].rfind([' ', '\t']).map_or(start, |space| start + space + 1);
    entry.bystander = text[first..tab].starts_with(':');
    entry.process = only_value(text, first, tab, values)?;
    let mut from = tab + 1;
    let mut field = || {
        let to = text[from..end].find('\t').map_or(end, |length| from + length);
        let place = (from, to);
        from = (to + 1).min(end);
        place
    };
    let (kind, f, value, error) = (field(), field(), field(), field());
    entry.kind = only_value(text, kind.0, kind.1, values)?;
    if f.0 == end {
        return Err(Cursor::within(text, end, end).expected("the name of the operation"));
    }
    entry.f = only_value(text, f.0, f.1, values)?;
    let strict = !entry.bystander && !matches!(values.as_text(entry.kind), Some("info" | "fail"));
    if value.0 < value.1 {
        entry.value = match only_value(text, value.0, value.1, values) {
            Err(fault) if strict => return Err(fault),
            Err(_) => values.text(&text[value.0..value.1]),
            Ok(id) => id,
        };
    }
    if error.0 < end {
        let id = only_value(text, error.0, end, values).unwrap_or_else(|_| values.text(&text[error.0..end]));
        entry.extra.push((values.text("error"), id));
    }
    Ok(())
}

/// The one EDN value of `from..to`.
fn only_value(text: &str, from: usize, to: usize, values: &mut Values) -> Read<ValueId> {
    let mut edn = Edn::new(Cursor::within(text, from, to));
    let id = edn.value(values)?;
    edn.blank(values)?;
    match edn.cursor.peek() {
        None => Ok(id),
        Some(_) => Err(edn.cursor.expected("a tab or the end of the line")),
    }
}
