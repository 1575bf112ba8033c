//! Which `--map` would a foreign file need? Asked when a file could not be read; a guess, told beside the complaint.
//!
//! ```json
//! {"ts": 1.25, "client": "w1", "event": "start", "op": "put", "args": 1}
//! {"ts": 1.75, "client": "w1", "event": "end", "op": "put", "reply": true}
//! ```
//!
//! wants `--map client=process,event=type,op=f,args=value,reply=value,ts=time,start=invoke,end=ok`: every field that is missing and
//! has one that resembles it ([`super::lookalike`]), and every word for a type. Only the first objects are looked at.

use super::json::Json;
use super::lookalike::resembles;
use super::row::FIELDS;
use super::{Format, Options, sniff};
use crate::Values;

/// So many objects are looked at.
const LOOK: usize = 100;
/// The fields of events.
const OF_EVENTS: [&str; 6] = ["process", "type", "f", "value", "key", "time"];

/// Other words for the types of events.
const WORDS: [(&str, &str); 4] = [
    ("invoke", "start started begin began call called request requested req enter issue issued send sent invoked"),
    (
        "ok",
        "end ended finish finished return returned response respond complete completed completion done success succeeded \
         exit reply receive received",
    ),
    ("fail", "error failed failure abort aborted reject rejected"),
    ("info", "timeout timedout crash crashed unknown"),
];

/// What may be said in `--map` to read the text, beside what was said; None if there is nothing to say.
pub(super) fn wanted(text: &str, format: Format, options: &Options) -> Option<String> {
    let events = match format {
        Format::Jsonl => false,
        Format::JepsenJson => true,
        _ => return None,
    };
    let found = fields(text);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let mut pairs = pairs(&names, events, options);
    let kind = pairs.iter().find(|pair| pair.1 == "type").map(|pair| pair.0);
    for (name, words) in &found {
        if Some(name.as_str()) == kind || events && options.renamed(name) == "type" {
            pairs.extend(words.iter().filter_map(|word| Some((word.as_str(), meaning(word, options)?))));
        }
    }
    told(&pairs, options)
}

/// The same for the columns of a table.
pub(super) fn wanted_of_columns(names: &[&str], options: &Options) -> Option<String> {
    told(&pairs(names, false, options), options)
}

fn told(pairs: &[(&str, &str)], options: &Options) -> Option<String> {
    let said = options.map.iter().map(|(foreign, own)| (foreign.as_str(), own.as_str()));
    let all: Vec<String> = said.chain(pairs.iter().copied()).map(|(foreign, own)| format!("{foreign}={own}")).collect();
    (!pairs.is_empty()).then(|| format!("--map {}", all.join(",")))
}

/// Foreign names of missing fields.
fn pairs<'n>(names: &[&'n str], events: bool, options: &Options) -> Vec<(&'n str, &'static str)> {
    const OF_OPERATIONS: [&str; 7] = ["process", "f", "call", "return", "value", "result", "key"];
    let known: &[&'static str] = if events { &OF_EVENTS } else { &OF_OPERATIONS };
    let there = |own: &str| names.iter().any(|name| options.renamed(name) == own);
    let mut pairs: Vec<(&str, &'static str)> = Vec::new();
    for &own in known.iter().filter(|own| !there(own)) {
        for &name in names {
            let like = resembles(name, own) || events && own == "value" && resembles(name, "result");
            let free = options.renamed(name) == name && !FIELDS.contains(&name) && pairs.iter().all(|p| p.0 != name);
            if like && free && is_plain(name) {
                pairs.push((name, own));
                if own != "value" || !events {
                    break; // an event may call its argument and its answer by two names
                }
            }
        }
    }
    pairs
}

/// What a word for a type may mean, if it means nothing yet.
fn meaning(word: &str, options: &Options) -> Option<&'static str> {
    let plain: String = word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let known = |own: &&(&str, &str)| options.kind(word.trim_start_matches(':')) == own.0;
    if WORDS.iter().any(|own| known(&own)) || !is_plain(word) {
        return None;
    }
    WORDS.iter().find(|(own, words)| *own == plain || words.split_whitespace().any(|w| w == plain)).map(|(own, _)| *own)
}

/// Can a shell and `--map` take it as it is?
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/'))
}

/// The fields of the first objects, each with the texts that it holds, as far as they can be read.
fn fields(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut values = Values::new();
    let mut json = Json::new(text);
    let array = sniff::is_array(text);
    let mut more = json.next_line();
    if array && more {
        json.cursor.at += 1;
        json.spaces();
    }
    for _ in 0..LOOK {
        if !more || object(&mut json, &mut values, &mut found).is_none() {
            break;
        }
        more = if array { json.another(b']').unwrap_or(false) } else { json.next_line() };
    }
    found
}

fn object(json: &mut Json<'_>, values: &mut Values, found: &mut Vec<(String, Vec<String>)>) -> Option<()> {
    const MOST: usize = 50; // fields, and words of one
    let mut more = json.open_object().ok()?;
    while more {
        let name = json.field().ok()?.into_owned();
        let value = json.value(values).ok()?;
        let place = found.iter().position(|field| field.0 == name).unwrap_or(found.len());
        if place == found.len() && place < MOST {
            found.push((name, Vec::new()));
        }
        if let Some((_, words)) = found.get_mut(place)
            && let Some(word) = values.as_text(value)
            && words.len() < MOST
            && !words.iter().any(|known| known == word)
        {
            words.push(word.to_owned());
        }
        more = json.another(b'}').ok()?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str, map: &[(&str, &str)]) -> Option<String> {
        let map = map.iter().map(|(foreign, own)| ((*foreign).to_owned(), (*own).to_owned())).collect();
        let options = Options { map, ..Options::default() };
        wanted(text, sniff::sniff_text(text, &options).unwrap(), &options)
    }

    #[test]
    fn events_of_an_application() {
        let log = r#"{"ts": 1.25, "client": "w1", "event": "start", "op": "put", "args": 1}
                     {"ts": 1.75, "client": "w1", "event": "end", "op": "put", "reply": true}"#;
        let all = "client=process,event=type,op=f,args=value,reply=value,ts=time,start=invoke,end=ok";
        assert_eq!(asked(log, &[]), Some(format!("--map {all}")));
        let pairs: Vec<(&str, &str)> = all.split(',').filter_map(|pair| pair.split_once('=')).collect();
        assert_eq!(asked(log, &pairs), None);
        assert_eq!(asked(log, &pairs[..6]), Some(format!("--map {all}")));
    }

    #[test]
    fn operations_of_an_application() {
        let spans = r#"[{"start_time": 1, "end_time": 2, "thread": 7, "method": "get", "args": [], "response": 5}]"#;
        let all = "thread=process,method=f,start_time=call,end_time=return,args=value,response=result";
        assert_eq!(asked(spans, &[]), Some(format!("--map {all}")));
        let status = r#"[{"client": "w", "operation": "push", "arg": 1, "ts_start": 1, "ts_end": 2, "status": "OK"}]"#;
        let all = "client=process,operation=f,ts_start=call,ts_end=return,arg=value";
        assert_eq!(asked(status, &[]), Some(format!("--map {all}")));
    }

    #[test]
    fn a_file_of_ours_wants_nothing() {
        assert_eq!(asked(r#"{"process":0,"f":"read","call":1,"return":2,"client":3,"op":4}"#, &[]), None);
        assert_eq!(asked(r#"{"process":0,"type":"invoke","f":"read","client":3}"#, &[]), None);
        assert_eq!(asked(r#"{"a b":0,"c=d":1}"#, &[]), None);
    }
}
