//! Which field did a misspelt one mean? `end` without a `return` leaves an operation pending, and a pending operation explains
//! nearly everything; so where a known field is missing, an unknown one that resembles it is refused with a suggestion.
//!
//! A name resembles a field when it is another word for it (upper case, `-` and `_` do not count, nor that it is a time: `ts_start`,
//! `end_ms`) or one slip of the hand away. It is asked once per name and place, not once per line.

use super::cursor::{Fault, Quoted, fault};

/// Other words for each field.
const WORDS: [(&str, &str); 10] = [
    ("process", "client clientid thread threadid pid proc processid worker workerid session sessionid actor tid"),
    ("f", "op fn func fun function operation opname method action name command cmd verb span"),
    ("value", "args arg argument arguments input inputs param params parameter parameters val payload in"),
    ("result", "output outputs out response res reply answer returned ret retval returnvalue"),
    ("call", "start started tstart begin began invoke invoked invocation called"),
    ("return", "end ended tend ret finish finished stop stopped complete completed completion returned responsetime"),
    ("duration", "dur elapsed latency took"),
    ("key", "keys"),
    ("type", "status outcome state kind event eventtype phase"),
    ("time", "ts timestamp at when datetime"),
];

/// What names of times begin or end with.
const OF_TIMES: [&str; 10] = ["timestamp", "time", "ts", "at", "unix", "nanos", "nano", "ns", "us", "ms"];

/// Does `name` resemble the field `known`?
pub(super) fn resembles(name: &str, known: &str) -> bool {
    if name == known || name.len() > 32 {
        return false;
    }
    let plain: String = name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect();
    let words = WORDS.iter().find(|(field, _)| *field == known).map_or("", |(_, words)| words);
    let is_word = |name: &str| name == known || words.split_whitespace().any(|word| word == name);
    let is_time = matches!(known, "call" | "return" | "duration") && is_word(without_time(&plain));
    is_word(&plain) || is_time || known.len() > 2 && one_slip(&plain, known)
}

/// The name of a time without what says that it is one.
fn without_time(mut name: &str) -> &str {
    while let Some(rest) = OF_TIMES.iter().find_map(|word| name.strip_prefix(word).or_else(|| name.strip_suffix(word)))
    {
        name = rest;
    }
    name
}

/// Are two names of operations one but for upper case, `-`, `_` and spaces?
#[inline]
pub fn is_alike(one: &str, other: &str) -> bool {
    // Of every event of a log it is asked several times, and the first letters tell most names apart.
    let first = |name: &str| name.bytes().next().filter(u8::is_ascii_alphanumeric);
    match (first(one), first(other)) {
        (Some(one), Some(other)) if !one.eq_ignore_ascii_case(&other) => false,
        _ => is_spelt_alike(one, other),
    }
}

fn is_spelt_alike(one: &str, other: &str) -> bool {
    let plain =
        |name| str::bytes(name).filter(|letter| !b"-_ ".contains(letter)).map(|letter| letter.to_ascii_lowercase());
    plain(one).eq(plain(other))
}

/// Is one letter wrong, missing or too much, or are two neighbours swapped?
pub(super) fn one_slip(name: &str, known: &str) -> bool {
    let (a, b) = (name.as_bytes(), known.as_bytes());
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    match (&a[..a.len() - tail], &b[..b.len() - tail]) {
        ([], [_]) | ([_], []) | ([_], [_]) => true,
        ([x, y], [v, w]) => x == w && y == v,
        _ => false,
    }
}

/// The complaint about such a field.
#[cold]
pub(super) fn meant(at: usize, name: &str, known: &str) -> Box<Fault> {
    let advice = "did you mean it? (What is to be kept beside the known fields goes into extra.)";
    fault(at, format!("the field {} is unknown and {known} is missing: {advice}", Quoted(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_other_words_resemble_a_field() {
        for (name, known) in [
            ("end", "return"),
            ("End_Time", "return"),
            ("ret", "return"),
            ("retrun", "return"),
            ("retur", "return"),
            ("returns", "return"),
            ("Return", "return"),
            ("start", "call"),
            ("startTimeUnixNano", "call"),
            ("ts_start", "call"),
            ("began_at_ms", "call"),
            ("call_ns", "call"),
            ("end-ts", "return"),
            ("return time", "return"),
            ("cal", "call"),
            ("op", "f"),
            ("args", "value"),
            ("thread-id", "process"),
            ("response", "result"),
            ("status", "type"),
            ("kty", "key"),
            ("ey", "key"),
            ("ke,", "key"),
            ("argumens", "arguments"),
        ] {
            assert!(resembles(name, known), "{name} and {known}");
        }
        for (name, known) in [
            ("return", "return"),
            ("time", "type"),
            ("node", "call"),
            ("error", "result"),
            ("k", "key"),
            ("", "call"),
            ("ts", "call"),
            ("time_ms", "return"),
            ("response_ms", "return"),
        ] {
            assert!(!resembles(name, known), "{name} and {known}");
        }
    }
}
