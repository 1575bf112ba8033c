//! violin's logs of stacks and queues: a call or a return a line.
//!
//! ```text
//! # @object atomic-queue
//! [1] call add(1)
//!     [2] call remove
//! [1] return
//!     [2] return empty
//! ```
//!
//! `[ID]` names the operation, not the thread: each is called once, and its process is its id.
//! Whole numbers, `true`, `false` and `null` become such values, all else text (`empty` too);
//! no argument is null, several are a list. `atomic-` is dropped from the kind of object.

use super::cursor::{Cursor, Fault, Quoted, Read, fault};
use super::meter::Watch;
use super::recorder::Recorder;
use crate::{Builder, Status, ValueId, Values};
use hashbrown::HashMap;

/// An operation that was called.
struct Called {
    op: usize,
    line: u32,
    returned: Option<u32>,
}

/// Reads all lines.
pub(super) fn read(text: &str, watch: &dyn Watch) -> Read<Builder> {
    let mut recorder = Recorder::default();
    let mut called: HashMap<&str, Called> = HashMap::new();
    let mut cursor = Cursor::new(text);
    cursor.watch = Some(watch);
    loop {
        cursor.tick(&recorder.builder.values)?;
        cursor.take_while(|b| b.is_ascii_whitespace());
        let line = cursor.line();
        match cursor.peek() {
            None => return Ok(recorder.builder),
            Some(b'#') => comment(&mut cursor, &mut recorder.builder),
            Some(_) => {
                let start = cursor.at;
                let id = id(&mut cursor)?;
                if cursor.eat_word("call") {
                    if let Some(first) = called.get(id) {
                        let message = format!("[{id}] is called again: it was called at line {}", first.line);
                        return Err(fault(start, message));
                    }
                    let (f, value) = call(&mut cursor, &mut recorder.builder.values)?;
                    let process = scalar(&mut recorder.builder.values, id);
                    let op = recorder.invoke(process, f, ValueId::ABSENT, value, line);
                    called.insert(id, Called { op, line, returned: None });
                    watch.hold(&recorder.builder);
                } else if cursor.eat_word("return") {
                    let Some(known) = called.get_mut(id) else {
                        return Err(fault(start, format!("[{id}] returns: expected its call before")));
                    };
                    if let Some(first) = known.returned.replace(line) {
                        return Err(fault(start, format!("[{id}] returns again: it returned at line {first}")));
                    }
                    let result = scalar(&mut recorder.builder.values, rest(&mut cursor));
                    recorder.complete(known.op, Status::Ok, result);
                } else {
                    return Err(cursor.expected("call or return"));
                }
            }
        }
    }
}

/// A comment, which may name the kind of object.
fn comment(cursor: &mut Cursor<'_>, builder: &mut Builder) {
    let text = rest(cursor).trim_start_matches('#').trim();
    if let Some(object) = text.strip_prefix("@object").map(str::trim)
        && !object.is_empty()
    {
        builder.object = Some(object.strip_prefix("atomic-").unwrap_or(object).to_owned());
    }
}

/// The rest of the line.
pub(super) fn rest<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    cursor.take_while(|b| b != b'\n').trim()
}

/// The name between brackets.
pub(super) fn id<'a>(cursor: &mut Cursor<'a>) -> Read<&'a str> {
    cursor.need(b'[', "[ID] call … or [ID] return …")?;
    let id = cursor.take_while(|b| b != b']' && b != b'\n').trim();
    if id.is_empty() {
        return Err(cursor.expected("the id of an operation"));
    }
    cursor.need(b']', "']' after the id of an operation")?;
    cursor.take_while(|b| b == b' ' || b == b'\t');
    Ok(id)
}

/// The operation's name and its argument.
pub(super) fn call(cursor: &mut Cursor<'_>, values: &mut Values) -> Read<(ValueId, ValueId)> {
    cursor.take_while(|b| b == b' ' || b == b'\t');
    let name = cursor.take_while(|b| !b.is_ascii_whitespace() && b != b'(');
    if name.is_empty() {
        return Err(cursor.expected("the name of an operation"));
    }
    if let Some(odd) = name.chars().find(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '$')) {
        let place = cursor.at - name.len();
        return Err(fault(
            place,
            format!("the name of an operation is a word, found {} in it", Quoted(&odd.to_string())),
        ));
    }
    let at = cursor.at;
    let tail = rest(cursor);
    let value = match tail.strip_prefix('(').map(|inner| inner.strip_suffix(')')) {
        None if tail.is_empty() => ValueId::NULL,
        None => return Err(unexpected(at, "'(' or the end of the line", tail)),
        Some(None) => return Err(unexpected(at, "arguments in '(…)'", tail)),
        Some(Some(inner)) => match inner.split_once(',') {
            None => scalar(values, inner.trim()),
            Some(_) => {
                let parts: Vec<ValueId> = inner.split(',').map(|part| scalar(values, part.trim())).collect();
                values.list(&parts)
            }
        },
    };
    Ok((values.text(name), value))
}

fn unexpected(at: usize, expected: &str, found: &str) -> Box<Fault> {
    fault(at, format!("expected {expected}, found {}", Quoted(found)))
}

/// The value of a word: nothing is null, what looks like an integer, a truth or null is one, all else is text.
pub(super) fn scalar(values: &mut Values, word: &str) -> ValueId {
    match word {
        "" | "null" => ValueId::NULL,
        "true" => ValueId::TRUE,
        "false" => ValueId::FALSE,
        _ => {
            let digits = word.strip_prefix('-').unwrap_or(word);
            let whole = !digits.is_empty() && digits.len() <= 4096 && digits.bytes().all(|b| b.is_ascii_digit());
            if whole { values.integer(word) } else { values.text(word) }
        }
    }
}
