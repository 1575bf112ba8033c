//! How the tests write histories: `write 3; cas [3,4] -> true; get @k -> ?`.
//!
//! An operation is its name, perhaps `@key`, perhaps a value in JSON, perhaps `->` and its result: JSON, `?` for
//! a pending operation, `fail` for one that failed. Without `->` it completed with null. Models
//! are written as on the command line: `register:initial=0`.

use linpoint_history::{Builder, History, Record, Status, Value, ValueId, Values};
use linpoint_spec::{Model, ModelError, Options, Part, Spec, State};
use std::sync::Arc;

/// The operations, one after the other.
pub fn history(operations: &str) -> History {
    let mut builder = Builder::new();
    for (i, text) in operations.split(';').map(str::trim).filter(|text| !text.is_empty()).enumerate() {
        let (call, result) = match text.split_once("->") {
            Some((call, result)) => (call.trim(), result.trim()),
            None => (text, "null"),
        };
        let (name, rest) = call.split_once(' ').unwrap_or((call, ""));
        let (key, value) = match rest.trim().strip_prefix('@') {
            Some(keyed) => keyed.split_once(' ').map_or((Some(keyed), ""), |(key, value)| (Some(key), value)),
            None => (None, rest.trim()),
        };
        let status = match result {
            "?" => Status::Info,
            "fail" => Status::Fail,
            _ => Status::Ok,
        };
        let values = &mut builder.values;
        let record = Record {
            process: values.int(i as i64),
            f: values.text(name),
            key: key.map_or(ValueId::ABSENT, |key| json(values, key)),
            value: if value.is_empty() { ValueId::NULL } else { json(values, value) },
            result: if status == Status::Ok { json(values, result) } else { ValueId::NULL },
            status,
            call: 2 * i as i64,
            ret: (status != Status::Info).then_some(2 * i as i64 + 1),
            line: 0,
        };
        builder.push(record);
    }
    builder.finish().expect("each operation has a process of its own")
}

/// The parts of a history for a model.
pub fn parts(model: &str, history: &History, partition: bool) -> Result<Vec<Part>, ModelError> {
    let mut values = Values::clone(&history.values);
    let (name, options) = named(model, &mut values);
    let options = Options::new(options);
    Model { name: name.to_owned(), options }.compile(history, &Arc::new(values), partition)
}

/// The name and the options of a model.
pub fn named<'a>(model: &'a str, values: &mut Values) -> (&'a str, Vec<(String, ValueId)>) {
    let (name, options) = model.split_once(':').unwrap_or((model, ""));
    let option = |option: &str| {
        let (name, value) = option.split_once('=').expect("name=value");
        (name.to_owned(), json(values, value))
    };
    (name, split(options).into_iter().map(option).collect())
}

/// All states that the codes may lead to, one after the other.
pub fn run(spec: &mut dyn Spec, codes: &[u32]) -> Vec<State> {
    let mut states = vec![spec.initial().expect("a state")];
    for &code in codes {
        let mut next = Vec::new();
        states.iter().for_each(|&state| spec.step(state, code, &mut next).expect("shipped models never break"));
        next.sort();
        next.dedup();
        states = next;
    }
    states
}

/// Options separated by commas that are not within brackets.
fn split(options: &str) -> Vec<&str> {
    let mut depth = 0;
    let separator = |c: char| {
        depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        c == ',' && depth == 0
    };
    options.split(separator).filter(|option| !option.is_empty()).collect()
}

/// The value written in JSON; a bare word is text.
fn json(values: &mut Values, text: &str) -> ValueId {
    let mut rest = text.trim();
    let value = read(values, &mut rest);
    assert_eq!(rest.trim(), "", "after the value of {text}");
    value
}

fn read(values: &mut Values, rest: &mut &str) -> ValueId {
    *rest = rest.trim_start();
    let close = |rest: &mut &str, end: char| {
        *rest = rest.trim_start().trim_start_matches(',').trim_start();
        rest.strip_prefix(end).inspect(|after| *rest = after).is_some()
    };
    if let Some(after) = rest.strip_prefix('[') {
        *rest = after;
        let mut items = Vec::new();
        while !close(rest, ']') {
            items.push(read(values, rest));
        }
        return values.list(&items);
    }
    if let Some(after) = rest.strip_prefix('{') {
        *rest = after;
        let mut entries = Vec::new();
        while !close(rest, '}') {
            let name = read(values, rest);
            *rest = rest.trim_start().strip_prefix(':').expect("a colon");
            entries.push((name, read(values, rest)));
        }
        return values.intern(Value::Map(entries.into()));
    }
    if let Some(after) = rest.strip_prefix('"') {
        let (text, after) = after.split_once('"').expect("an end of the text");
        *rest = after;
        return values.text(text);
    }
    let end = rest.find([',', ']', '}', ':']).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    match word.trim() {
        "null" => ValueId::NULL,
        "true" => ValueId::TRUE,
        "false" => ValueId::FALSE,
        number if number.parse::<i128>().is_ok() => values.integer(number),
        number if number.starts_with(|c: char| c.is_ascii_digit() || c == '-') && number.parse::<f64>().is_ok() => {
            values.float(number.parse().expect("just tried"))
        }
        word => values.text(word),
    }
}
