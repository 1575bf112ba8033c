//! Which format is it? Decided by the first thing in the text that is neither blank nor a comment.
//!
//! Looks at the first event only, except that a log may start with any amount of chatter. Of two formats that
//! would both do, the one whose complaints fit better is chosen, so a broken file is reported where it breaks.

use super::cursor::Cursor;
use super::edn::Edn;
use super::json::Json;
use super::lookalike::resembles;
use super::{Format, Options, csv, jepsen_log, source};
use crate::{ValueId, Values};

/// The complaint about a file without content.
pub(super) const EMPTY: &str = "the file is empty: expected operations";

/// The format of a file's content (packed or not), or why it cannot be told.
pub fn sniff(data: &[u8]) -> Result<Format, String> {
    const ENOUGH: u64 = 1 << 20;
    if source::is_packed(data) {
        return sniff_bytes(&source::unpack_start(data, ENOUGH));
    }
    sniff_bytes(data)
}

fn sniff_bytes(data: &[u8]) -> Result<Format, String> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let text = match std::str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&data[..error.valid_up_to()]).unwrap_or_default(),
    };
    if is_blank(text) && text.len() < data.len() {
        return Err("not text in UTF-8: expected operations".to_owned());
    }
    sniff_text(text, &Options::default())
}

/// Does the text hold nothing but blank lines and comments?
pub(super) fn is_blank(text: &str) -> bool {
    text.lines().all(|line| line.trim().is_empty() || is_comment(line))
}

/// Is the line a comment in one of the formats?
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(';') || line.starts_with("//") || line.starts_with('#') && !is_tagged(line)
}

/// Does the line start with a tagged or discarded EDN value, such as `#jepsen.history.Op{…}` or `#_{…}`?
fn is_tagged(line: &str) -> bool {
    let after = &line[1..];
    if after.starts_with(['_', '{', ':']) {
        return true;
    }
    let name = after.find(|c: char| !(c.is_alphanumeric() || ".-_/$".contains(c))).unwrap_or(after.len());
    name > 0 && after[name..].trim_start().starts_with(['{', '[', '('])
}

pub(super) fn sniff_text(text: &str, options: &Options) -> Result<Format, String> {
    if text.lines().take_while(|line| line.trim().is_empty() || is_comment(line)).any(is_violin_header) {
        return Ok(Format::Violin);
    }
    let Some(start) = first_line(text) else { return Err(EMPTY.to_owned()) };
    let rest = text[start..].trim_start();
    let inside = rest.get(1..).unwrap_or_default().trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    match rest.as_bytes().first() {
        Some(b'(' | b'#') => Ok(Format::JepsenEdn),
        Some(b'{') if inside.starts_with('"') => Ok(json_object(rest, options)),
        Some(b'{') => Ok(edn_map(rest)),
        Some(b'[') if is_violin_line(rest) => Ok(Format::Violin),
        Some(b'[') if inside.starts_with(['#', ']', ';']) => Ok(Format::JepsenEdn),
        Some(b'[') if inside.starts_with('{') && inside[1..].trim_start().starts_with('"') => {
            Ok(json_array(inside, options))
        }
        Some(b'[') if inside.starts_with('{') || inside.is_empty() => Ok(Format::JepsenEdn),
        _ if text.lines().any(|line| matches!(jepsen_log::sight(line), jepsen_log::Sight::Event { .. })) => {
            Ok(Format::JepsenLog)
        }
        _ if csv::is_header(text) => Ok(Format::Csv),
        _ => {
            let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
            let found = Cursor::new(rest).found();
            Err(format!("cannot tell the format: it starts with {found}; expected one of {}", names.join(", ")))
        }
    }
}

/// Where the first line starts that is neither blank nor a comment.
fn first_line(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !(line.trim().is_empty() || is_comment(line)) {
            return Some(start);
        }
        start += line.len();
    }
    None
}

fn is_violin_header(line: &str) -> bool {
    line.trim_start().trim_start_matches('#').trim_start().starts_with("@object")
}

/// `[ID] call …` or `[ID] return …`
fn is_violin_line(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    line.split_once(']').is_some_and(|(_, tail)| {
        let tail = tail.trim_start();
        tail.starts_with("call") || tail.starts_with("return")
    })
}

/// Does the text start with an array?
pub(super) fn is_array(text: &str) -> bool {
    first_line(text).is_some_and(|start| text[start..].trim_start().starts_with('['))
}

/// The format of an array of JSON objects: whole operations have the time of a call, everything else is events.
fn json_array(text: &str, options: &Options) -> Format {
    match json_object(text, options) {
        Format::Jsonl if object_has_call(text, options) => Format::Jsonl,
        _ => Format::JepsenJson,
    }
}

/// Has the object that the text starts with the time of a call, or what may be meant to be one?
fn object_has_call(text: &str, options: &Options) -> bool {
    let mut values = Values::new();
    let mut json = Json::new(text);
    let mut more = json.open_object().unwrap_or(false);
    while more {
        match json.field() {
            Ok(name) if matches!(options.renamed(&name), own if own == "call" || resembles(own, "call")) => {
                return true;
            }
            Ok(_) if json.value(&mut values).is_ok() => more = json.another(b'}').unwrap_or(false),
            _ => return false,
        }
    }
    false
}

/// The format of a JSON object, by its fields as far as they can be read.
fn json_object(text: &str, options: &Options) -> Format {
    let mut values = Values::new();
    let mut json = Json::new(text);
    let (mut events, mut spans) = (false, false);
    let mut more = json.open_object().unwrap_or(false);
    while more {
        let Ok(name) = json.field() else { break };
        match options.renamed(&name) {
            "schema" | "events" => return Format::Violat,
            "call" | "return" | "annotation" | "object" => return Format::Jsonl,
            own => {
                events |= resembles(own, "type");
                spans |= resembles(own, "call") || resembles(own, "return");
            }
        }
        let Ok(value) = json.value(&mut values) else { break };
        if options.renamed(&name) == "type" {
            events = true;
            if values.as_text(value).is_some_and(|kind| kind.trim_start_matches(':') == "invoke") {
                return Format::JepsenJson;
            }
        }
        more = json.another(b'}').unwrap_or(false);
    }
    if events && !spans { Format::JepsenJson } else { Format::Jsonl }
}

/// The format of a stream of EDN maps, by the fields of its first.
fn edn_map(text: &str) -> Format {
    let mut values = Values::new();
    let mut edn = Edn::new(Cursor::new(text));
    let (mut f, mut key) = (ValueId::NULL, false);
    if edn.open_map(&mut values).is_err() {
        return Format::JepsenEdn;
    }
    while edn.blank(&mut values).is_ok() {
        let Ok(name) = edn.field(&mut values, "") else { break };
        let Ok(value) = edn.value(&mut values) else { break };
        match &*name {
            "f" => f = value,
            "key" => key = true,
            _ => {}
        }
    }
    let kv = matches!(values.as_text(f), Some("get" | "put" | "append"));
    if key && kv { Format::PorcupineKv } else { Format::JepsenEdn }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        let table = [
            ("{\"process\":0,\"f\":\"read\",\"call\":1}", Format::Jsonl),
            ("# note\n// note\n\n{\"process\":0,\"f\":\"read\"", Format::Jsonl),
            ("{\"object\":\"queue\"}", Format::Jsonl),
            ("{\"type\":\"info\",\"process\":0,\"f\":\"read\",\"call\":1}", Format::Jsonl),
            ("{\"process\":0,\"type\":\"invoke\",\"f\":\"read\",\"value\":null}", Format::JepsenJson),
            ("{\"process\":\"nemesis\",\"type\":\"info\",\"f\":\"start\"}", Format::JepsenJson),
            ("[\n {\"index\":0", Format::JepsenJson),
            ("[{:process 0", Format::JepsenEdn),
            ("; note\n({:process 0", Format::JepsenEdn),
            ("#jepsen.history.Op{:process 0}", Format::JepsenEdn),
            ("[#jepsen.history.Op{:process 0}", Format::JepsenEdn),
            ("[]", Format::JepsenEdn),
            ("{:process 0, :type :invoke, :f :read, :value nil}", Format::JepsenEdn),
            ("{:process 0, :type :invoke, :f :get, :key \"0\", :value nil}", Format::PorcupineKv),
            ("[{:process 0, :type :invoke, :f :get, :key \"0\", :value nil}]", Format::JepsenEdn),
            ("INFO  jepsen.util - 0\t:invoke\t:read\tnil", Format::JepsenLog),
            ("starting\n\n[x] y\n:nemesis\t:info\t:start\tnil", Format::JepsenLog),
            ("2021-01-01 10:00:00,000{GMT}\tINFO\t[worker 0] jepsen.util: 0\t:invoke\t:read\tnil", Format::JepsenLog),
            ("# @object atomic-queue\n[1] call add(1)", Format::Violin),
            ("  [a1] return empty", Format::Violin),
            ("[{\"process\":0,\"f\":\"read\",\"call\":1}]", Format::Jsonl),
            ("[{\"f\":\"read\",\"type\":\"ok\",\"process\":0,\"call\":1}]", Format::Jsonl),
            ("process,f,value,call,return\n", Format::Csv),
            ("client;op;start", Format::Csv),
            ("process\tf\tcall\n", Format::Csv),
            ("{\"schema\":{}}", Format::Violat),
            ("{\n \"events\":[", Format::Violat),
        ];
        for (text, format) in table {
            assert_eq!(sniff(text.as_bytes()), Ok(format), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_told() {
        assert_eq!(sniff(b""), Err(EMPTY.to_owned()));
        assert_eq!(sniff(b" \n; x\n# y\n// z"), Err(EMPTY.to_owned()));
        let names = "jsonl, jepsen, jepsen-log, jepsen-json, porcupine-kv, violin, violat, csv";
        let message = format!("cannot tell the format: it starts with 'hello'; expected one of {names}");
        assert_eq!(sniff(b"hello world"), Err(message));
        assert_eq!(sniff(b"\xff\xfe"), Err("not text in UTF-8: expected operations".to_owned()));
    }
}
