//! Jepsen's and Elle's events as JSON: an array of objects, or an object after another.
//!
//! ```json
//! {"process":0,"type":"invoke","f":"read","value":null}
//! {"process":0,"type":"ok","f":"read","value":3}
//! {"process":"nemesis","type":"info","f":"start","value":null}
//! ```
//!
//! The same events as in Jepsen's EDN ([`super::jepsen_edn`]). JSON has no keywords, so a
//! process is a bystander when it is called `nemesis` or starts with a colon, and a colon
//! before a type or a name is dropped. Blank lines and lines that start with `#` or `//` are skipped.

use super::Options;
use super::cursor::Read;
use super::entry::{Entry, Field};
use super::events::{Pairing, time_of};
use super::json::Json;
use super::meter::Watch;
use super::names::Names;
use crate::time::Clock;
use crate::{Builder, ValueId, Values};

/// Reads all events.
pub(super) fn read(text: &str, options: &Options, watch: &dyn Watch) -> Read<Builder> {
    let mut pairing = Pairing::new(options);
    let mut json = Json::new(text).watched(watch);
    let mut entry = Entry::new();
    let mut names = Names::new();
    let mut more = json.next_line();
    let array = json.cursor.eat(b'[');
    if array {
        json.spaces();
        more = !json.cursor.eat(b']');
    }
    while more {
        entry.start(json.cursor.at, json.cursor.line());
        event(&mut json, &mut names, pairing.values_and_clock(), &mut entry, options)?;
        pairing.take(&mut entry)?;
        watch.hold(pairing.builder());
        more = if array { json.another(b']')? } else { json.next_line() };
    }
    if array && json.next_line() {
        return Err(json.cursor.expected("the end of the file after the array"));
    }
    pairing.finish()
}

/// Reads one object into `entry`, which was started.
pub(super) fn event<'a>(
    json: &mut Json<'a>,
    names: &mut Names<'a, Field>,
    (values, clock): (&mut Values, &mut Clock),
    entry: &mut Entry,
    options: &Options,
) -> Read<()> {
    let mut more = json.open_object()?;
    for place in 0.. {
        if !more {
            break;
        }
        let at = json.cursor.at;
        let field = match names.step(place, &mut json.cursor) {
            Some(field) => field,
            None => {
                let field = Field::of(values, options.renamed(&json.field()?));
                names.learn(place, at, &json.cursor, field);
                field
            }
        };
        json.spaces();
        let start = json.cursor.at;
        let mut value = json.value(values)?;
        match field {
            Field::Time(_) => {
                let written = &json.cursor.text[start..json.cursor.at];
                entry.time = time_of(values, value, written, at, clock)?;
            }
            Field::Process => {
                let called = values.as_text(value);
                entry.bystander = called.is_some_and(|name| name == "nemesis" || name.starts_with(':'));
            }
            Field::Kind => {
                value = without_colon(values, value);
                value = options.kind_of(values, value);
            }
            Field::F => value = without_colon(values, value),
            _ => {}
        }
        entry.set(values, field, value, at)?;
        more = json.another(b'}')?;
    }
    Ok(())
}

fn without_colon(values: &mut Values, id: ValueId) -> ValueId {
    match values.as_text(id).and_then(|name| name.strip_prefix(':')) {
        Some(name) => {
            let name = name.to_owned();
            values.text(&name)
        }
        None => id,
    }
}
