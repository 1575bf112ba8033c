//! Which `--map` would a foreign file need? Asked when a file could not be read; a guess, told beside the complaint.
//!
//! ```json
//! {"ts": 1.25, "client": "w1", "event": "start", "op": "put", "args": 1}
//! {"ts": 1.75, "client": "w1", "event": "end", "op": "put", "reply": true}
//! ```
//!
//! wants `--map client=process,event=type,op=f,args=value,reply=value,ts=time,start=invoke,end=ok`: every field that is missing and
//! has one that resembles it ([`super::lookalike`]), and every word for a type. All fields that mean nothing yet are listed beside it,
//! each with something that it holds. Only the first objects are looked at.

use super::json::Json;
use super::lookalike::resembles;
use super::row::{DURATION, FIELDS};
use super::{Format, MEANINGS, Options, sniff};
use crate::{ValueId, Values};

/// So many objects are looked at.
const LOOK: usize = 100;
/// So many fields, and words of one.
const MOST: usize = 50;
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
/// `complaint` is what the file was refused with: one about something else than a missing field needs no list of fields.
pub(super) fn wanted(text: &str, format: Format, options: &Options, complaint: &str) -> Option<String> {
    let events = match format {
        Format::Jsonl => false,
        Format::JepsenJson => true,
        _ => return None,
    };
    let found = fields(text);
    let names: Vec<&str> = found.iter().map(|seen| seen.name.as_str()).collect();
    let mut pairs = pairs(&names, events, options);
    let left = left(&found, &pairs, events, options);
    let kind = pairs.iter().find(|pair| pair.1 == "type").map(|pair| pair.0);
    for seen in &found {
        if Some(seen.name.as_str()) == kind || events && options.renamed(&seen.name) == "type" {
            pairs.extend(seen.words.iter().filter_map(|word| Some((word.as_str(), meaning(word, options)?))));
        }
    }
    match (told(&pairs, options), left) {
        (None, None) => None,
        (None, Some(_)) if !complaint.contains(" without ") => None,
        (None, Some(left)) => Some(format!("Say what its fields mean with --map NAME=FIELD,…: {left}")),
        (Some(map), None) => Some(format!("Try {map}")),
        (Some(map), Some(left)) => Some(format!("Try {map} and say what the other fields mean, if anything: {left}")),
    }
}

/// The fields that mean nothing yet, and those that every line must have and that would still be missing; None if there is nothing to map.
fn left(found: &[Seen], pairs: &[(&str, &str)], events: bool, options: &Options) -> Option<String> {
    let needed: &[&str] = if events { &["process", "type", "f"] } else { &["process", "f", "call"] };
    let own = |seen: &Seen| pairs.iter().find(|pair| pair.0 == seen.name).map(|pair| pair.1.to_owned());
    let meant = |seen: &Seen| own(seen).unwrap_or_else(|| options.renamed(&seen.name).to_owned());
    let missing: Vec<&str> =
        needed.iter().filter(|own| !found.iter().any(|seen| meant(seen) == **own)).copied().collect();
    let unknown = |seen: &&Seen| !MEANINGS.contains(&meant(seen).as_str());
    let shown = |seen: &Seen| {
        if seen.sample.is_empty() { seen.name.clone() } else { format!("{} ({})", seen.name, seen.sample) }
    };
    let unknown: Vec<String> = found.iter().filter(unknown).map(shown).collect();
    if unknown.is_empty() || missing.is_empty() && pairs.is_empty() || found.len() == MOST {
        return None; // all is said, or it is broken or hostile
    }
    let are = if missing.len() == 1 { "is" } else { "are" };
    let missing = if missing.is_empty() { String::new() } else { format!("; {} {are} missing", missing.join(", ")) };
    Some(format!("{}{missing}", unknown.join(", ")))
}

/// The same for the columns of a table.
pub(super) fn wanted_of_columns(names: &[&str], options: &Options) -> Option<String> {
    let pairs = pairs(names, false, options);
    let plain = |name: &&str| Seen { name: (*name).to_owned(), words: Vec::new(), sample: String::new() };
    let left = left(&names.iter().map(plain).collect::<Vec<_>>(), &pairs, false, options);
    match (told(&pairs, options), left) {
        (map, None) => map,
        (None, Some(left)) => Some(format!("--map says what others mean: {left}")),
        (Some(map), Some(left)) => Some(format!("{map} and what the others mean, if anything: {left}")),
    }
}

fn told(pairs: &[(&str, &str)], options: &Options) -> Option<String> {
    let said = options.map.iter().map(|(foreign, own)| (foreign.as_str(), own.as_str()));
    let said = said.filter(|said| pairs.iter().all(|pair| pair.0 != said.0));
    let all: Vec<String> = said.chain(pairs.iter().copied()).map(|(foreign, own)| format!("{foreign}={own}")).collect();
    (!pairs.is_empty()).then(|| format!("--map {}", all.join(",")))
}

/// Foreign names of missing fields.
fn pairs<'n>(names: &[&'n str], events: bool, options: &Options) -> Vec<(&'n str, &'static str)> {
    const OF_OPERATIONS: [&str; 8] = ["process", "f", "call", "return", DURATION, "value", "result", "key"];
    let known: &[&'static str] = if events { &OF_EVENTS } else { &OF_OPERATIONS };
    let there = |own: &str| names.iter().any(|name| options.renamed(name) == own);
    let mut pairs: Vec<(&str, &'static str)> = Vec::new();
    for &own in known.iter().filter(|own| !there(own)) {
        if own == DURATION && (there("return") || pairs.iter().any(|pair| pair.1 == "return")) {
            continue; // it is told already
        }
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

/// A field that was met.
struct Seen {
    name: String,
    /// The texts that it holds.
    words: Vec<String>,
    /// Something that it holds, shown.
    sample: String,
}

/// The fields of the first objects, as far as they can be read.
fn fields(text: &str) -> Vec<Seen> {
    let mut found: Vec<Seen> = Vec::new();
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

fn object(json: &mut Json<'_>, values: &mut Values, found: &mut Vec<Seen>) -> Option<()> {
    let mut more = json.open_object().ok()?;
    while more {
        let name = json.field().ok()?.into_owned();
        let value = json.value(values).ok()?;
        let place = found.iter().position(|seen| seen.name == name).unwrap_or(found.len());
        if place == found.len() && place < MOST {
            found.push(Seen { name, words: Vec::new(), sample: "null".to_owned() });
        }
        if let Some(seen) = found.get_mut(place) {
            if seen.sample == "null" && value != ValueId::NULL {
                seen.sample = short(&values.show(value));
            }
            if let Some(word) = values.as_text(value)
                && seen.words.len() < MOST
                && !seen.words.iter().any(|known| known == word)
            {
                seen.words.push(word.to_owned());
            }
        }
        more = json.another(b'}').ok()?;
    }
    Some(())
}

/// The beginning of a text that is shown.
fn short(shown: &str) -> String {
    const ENOUGH: usize = 24;
    match shown.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str, map: &[(&str, &str)]) -> Option<String> {
        let map = map.iter().map(|(foreign, own)| ((*foreign).to_owned(), (*own).to_owned())).collect();
        let options = Options { map, ..Options::default() };
        wanted(text, sniff::sniff_text(text, &options).unwrap(), &options, "an operation without f")
    }

    #[test]
    fn events_of_an_application() {
        let log = r#"{"ts": 1.25, "client": "w1", "event": "start", "op": "put", "args": 1}
                     {"ts": 1.75, "client": "w1", "event": "end", "op": "put", "reply": true}"#;
        let all = "client=process,event=type,op=f,args=value,reply=value,ts=time,start=invoke,end=ok";
        assert_eq!(asked(log, &[]), Some(format!("Try --map {all}")));
        let pairs: Vec<(&str, &str)> = all.split(',').filter_map(|pair| pair.split_once('=')).collect();
        assert_eq!(asked(log, &pairs), None);
        assert_eq!(asked(log, &pairs[..6]), Some(format!("Try --map {all}")));
    }

    #[test]
    fn operations_of_an_application() {
        let spans = r#"[{"start_time": 1, "end_time": 2, "thread": 7, "method": "get", "args": [], "response": 5}]"#;
        let all = "thread=process,method=f,start_time=call,end_time=return,args=value,response=result";
        assert_eq!(asked(spans, &[]), Some(format!("Try --map {all}")));
        let status = r#"[{"client": "w", "operation": "push", "arg": 1, "ts_start": 1, "ts_end": 2, "status": "OK"}]"#;
        let all = "client=process,operation=f,ts_start=call,ts_end=return,arg=value";
        let rest = r#"and say what the other fields mean, if anything: status ("OK")"#;
        assert_eq!(asked(status, &[]), Some(format!("Try --map {all} {rest}")));
    }

    #[test]
    fn a_file_of_ours_wants_nothing() {
        assert_eq!(asked(r#"{"process":0,"f":"read","call":1,"return":2,"client":3,"op":4}"#, &[]), None);
        assert_eq!(asked(r#"{"process":0,"type":"invoke","f":"read","client":3}"#, &[]), None);
        assert_eq!(asked(r#"{"process":0,"f":"read","call":1,"return":2,"note":3}"#, &[]), None);
    }

    #[test]
    fn every_field_that_means_nothing_is_listed_with_something_that_it_holds() {
        let log = r#"[{"worker":"w-1","deed":"PUSH","load":null,"began":1.5,"finished":2},
                      {"worker":"w-1","deed":"POP","load":[1,2,3,4,5,6,7,8,9,10,11],"began":3,"finished":4}]"#;
        let map = "worker=process,began=call,finished=return";
        let left = r#"deed ("PUSH"), load ([1,2,3,4,5,6,7,8,9,10,11…); f is missing"#;
        let wanted = format!("Try --map {map} and say what the other fields mean, if anything: {left}");
        assert_eq!(asked(log, &[]), Some(wanted));
        let pairs: Vec<(&str, &str)> = map.split(',').filter_map(|pair| pair.split_once('=')).collect();
        assert_eq!(asked(log, &pairs), Some(format!("Say what its fields mean with --map NAME=FIELD,…: {left}")));
    }
}
