//! JSON values, straight from the bytes into interned values: no tree, no copy of a text
//! without escapes. Linear in the size of the text.
//!
//! Strict JSON: Python's `NaN`, `Infinity` and `-Infinity` are refused, because NaN equals nothing, not even itself. In
//! *lines* mode a newline ends the line and is never a space, so a broken line is
//! reported where it breaks and not at the end of the file.

use super::cursor::{Cursor, DEEPEST, Quoted, Read, fault};
use super::meter::Watch;
use super::number::number;
use crate::{Value, ValueId, Values};
use std::borrow::Cow;

/// A reader of JSON values.
pub(super) struct Json<'a> {
    pub cursor: Cursor<'a>,
    /// Does a newline end the line?
    lines: bool,
    /// Is `{"#map": …}` our writer's escape? (Native files only.)
    escapes: bool,
    /// The parts of the lists that are open.
    parts: Vec<ValueId>,
}

impl<'a> Json<'a> {
    /// Values that may span lines.
    pub fn new(text: &'a str) -> Self {
        Json { cursor: Cursor::new(text), lines: false, escapes: false, parts: Vec::new() }
    }

    /// Values of a native file, each within its line.
    pub fn native(text: &'a str) -> Self {
        Json { lines: true, escapes: true, ..Self::new(text) }
    }

    /// The same from where a cursor stands.
    pub fn native_at(cursor: Cursor<'a>) -> Self {
        Json { cursor, ..Self::native("") }
    }

    /// Values of a native file that is an array, over any number of lines.
    pub fn native_array(text: &'a str) -> Self {
        Json { escapes: true, ..Self::new(text) }
    }

    /// The same, under a budget.
    pub fn watched(mut self, watch: &'a dyn Watch) -> Self {
        self.cursor.watch = Some(watch);
        self
    }

    /// Steps over spaces.
    #[inline]
    pub fn spaces(&mut self) {
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b' ' | b'\t' | b'\r' => self.cursor.at += 1,
                b'\n' if !self.lines => self.cursor.at += 1,
                _ => break,
            }
        }
    }

    /// Steps over blank lines and lines that start with `#` or `//`. False at the end of the file.
    pub fn next_line(&mut self) -> bool {
        loop {
            self.cursor.take_while(|b| b.is_ascii_whitespace());
            match self.cursor.peek() {
                None => return false,
                Some(b'#') => self.cursor.skip_line(),
                Some(b'/') if self.cursor.peek_second() == Some(b'/') => self.cursor.skip_line(),
                Some(_) => return true,
            }
        }
    }

    /// Steps over the opening of an object. True if a field follows.
    #[inline]
    pub fn open_object(&mut self) -> Read<bool> {
        self.cursor.need(b'{', "an object {…}")?;
        self.spaces();
        Ok(!self.cursor.eat(b'}'))
    }

    /// The name of a field, and the colon after it.
    #[inline]
    pub fn field(&mut self) -> Read<Cow<'a, str>> {
        if self.cursor.peek() != Some(b'"') {
            return Err(self.cursor.expected("the name of a field in double quotes"));
        }
        let name = self.text()?;
        self.spaces();
        self.cursor.need(b':', "':'")?;
        self.spaces();
        Ok(name)
    }

    /// What follows a part of a list or an object: true if another part does.
    #[inline]
    pub fn another(&mut self, close: u8) -> Read<bool> {
        self.spaces();
        if self.cursor.eat(b',') {
            self.spaces();
            return Ok(true);
        }
        if self.cursor.eat(close) {
            return Ok(false);
        }
        Err(self.cursor.expected(if close == b'}' { "',' or '}'" } else { "',' or ']'" }))
    }

    /// Any value.
    #[inline]
    pub fn value(&mut self, values: &mut Values) -> Read<ValueId> {
        self.nested(values, 0)
    }

    fn nested(&mut self, values: &mut Values, depth: u32) -> Read<ValueId> {
        self.cursor.tick(values)?;
        match self.cursor.peek() {
            Some(b'"') => Ok(values.text(&self.text()?)),
            Some(b'0'..=b'9') => Ok(number(&mut self.cursor)?.intern(values)),
            Some(b'-') if self.cursor.peek_second() != Some(b'I') => Ok(number(&mut self.cursor)?.intern(values)),
            Some(b'[' | b'{') if depth == DEEPEST => {
                Err(fault(self.cursor.at, format!("nested too deep: expected at most {DEEPEST} levels")))
            }
            Some(b'[') => self.list(values, depth),
            Some(b'{') => self.map(values, depth),
            _ => self.word(values),
        }
    }

    /// The name `null`, `true` or `false`.
    fn word(&mut self, values: &mut Values) -> Read<ValueId> {
        let start = self.cursor.at;
        let minus = self.cursor.eat(b'-');
        match self.cursor.take_while(|b| b.is_ascii_alphanumeric()) {
            "null" if !minus => Ok(ValueId::NULL),
            "true" | "false" if !minus => Ok(values.bool(self.cursor.text.as_bytes()[start] == b't')),
            word => {
                self.cursor.at = start;
                let expected = if matches!(word, "NaN" | "Infinity") { "a finite number" } else { "a value" };
                Err(self.cursor.expected(expected))
            }
        }
    }

    fn list(&mut self, values: &mut Values, depth: u32) -> Read<ValueId> {
        let base = self.parts.len();
        self.cursor.at += 1;
        self.spaces();
        if !self.cursor.eat(b']') {
            loop {
                let part = self.nested(values, depth + 1)?;
                self.parts.push(part);
                if !self.another(b']')? {
                    break;
                }
            }
        }
        let id = values.list(&self.parts[base..]);
        self.parts.truncate(base);
        Ok(id)
    }

    fn map(&mut self, values: &mut Values, depth: u32) -> Read<ValueId> {
        let start = self.cursor.at;
        let mut entries = Vec::new();
        let mut places = Vec::new();
        if self.open_object()? {
            loop {
                places.push(self.cursor.at);
                let name = values.text(&self.field()?);
                entries.push((name, self.nested(values, depth + 1)?));
                if !self.another(b'}')? {
                    break;
                }
            }
        }
        if self.escapes
            && let [(name, content)] = entries[..]
            && values.as_text(name) == Some("#map")
        {
            let escaped = "a map as its pairs: {\"#map\": [[key, value], …]}, each key once";
            return unescape(values, content).ok_or_else(|| fault(start, format!("expected {escaped}")));
        }
        values.map(&entries).map_err(|key| {
            let second = entries.iter().enumerate().filter(|(_, e)| e.0 == key).nth(1);
            let at = second.map_or(self.cursor.at, |(i, _)| places[i]);
            twice(at, values.as_text(key).unwrap_or_default())
        })
    }

    /// A text; the cursor stands on its opening quote.
    #[inline]
    pub fn text(&mut self) -> Read<Cow<'a, str>> {
        self.cursor.at += 1;
        let start = self.cursor.at;
        let plain = self.cursor.take_while(|b| b != b'"' && b != b'\\' && b >= 0x20);
        if self.cursor.eat(b'"') {
            return Ok(Cow::Borrowed(plain));
        }
        self.cursor.at = start;
        self.escaped_text().map(Cow::Owned)
    }

    #[cold]
    fn escaped_text(&mut self) -> Read<String> {
        let mut text = String::new();
        loop {
            text.push_str(self.cursor.take_while(|b| b != b'"' && b != b'\\' && b >= 0x20));
            match self.cursor.peek() {
                Some(b'"') => {
                    self.cursor.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(b'\n') | None => return Err(self.cursor.expected("the closing '\"' of a text")),
                Some(_) => return Err(self.cursor.expected("an escape for a control character (such as \\u0000)")),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let c = match self.cursor.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.cursor.at += 1;
                return code_point(&mut self.cursor, start);
            }
            _ => {
                let known = "an escape: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u";
                self.cursor.at = start;
                return Err(self.cursor.expected(known));
            }
        };
        self.cursor.at += 1;
        Ok(c)
    }
}

/// The character of `\uXXXX`, or of two of them; the cursor stands behind the first `\u`, which starts at `start`.
pub(super) fn code_point(cursor: &mut Cursor<'_>, start: usize) -> Read<char> {
    let high = hex4(cursor)?;
    let mut code = high;
    if (0xd800..0xdc00).contains(&high) && cursor.eat_word("\\u") {
        let low = hex4(cursor)?;
        if (0xdc00..0xe000).contains(&low) {
            code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    char::from_u32(code)
        .ok_or_else(|| fault(start, format!("half a surrogate pair, \\u{high:04x}: expected a character")))
}

/// Four hexadecimal digits.
fn hex4(cursor: &mut Cursor<'_>) -> Read<u32> {
    let mut code = 0;
    for _ in 0..4 {
        match cursor.peek().and_then(|b| char::from(b).to_digit(16)) {
            Some(digit) => code = code * 16 + digit,
            None => return Err(cursor.expected("four hexadecimal digits after \\u")),
        }
        cursor.at += 1;
    }
    Ok(code)
}

/// The complaint about a name that stands twice in one object.
#[cold]
pub(super) fn twice(at: usize, name: &str) -> Box<super::cursor::Fault> {
    fault(at, format!("the field {} stands twice: expected each name once", Quoted(name)))
}

/// The value behind our writer's `{"#map": [[k, v], …]}`; None if it holds something else.
fn unescape(values: &mut Values, content: ValueId) -> Option<ValueId> {
    let pair = |&id: &ValueId| match values.get(id) {
        Value::List(pair) if pair.len() == 2 => Some((pair[0], pair[1])),
        _ => None,
    };
    let entries: Vec<_> = values.as_list(content)?.iter().map(pair).collect::<Option<_>>()?;
    values.map(&entries).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let mut values = Values::new();
        let mut json = Json::new(text);
        match json.value(&mut values) {
            Ok(id) => values.show(id),
            Err(fault) => format!("{}: {}", fault.at, fault.message),
        }
    }

    #[test]
    fn values_of_every_kind() {
        for text in ["null", "true", "-3", "2.5", r#""a\"b""#, "[]", "[1,[2,{}]]", r#"{"a":{"b":[null]}}"#] {
            assert_eq!(show(text), text);
        }
        assert_eq!(show("[ 1 ,\n 2 ]"), "[1,2]");
        assert_eq!(show(r#""\ud83d\ude00\u00e9\/""#), "\"😀é/\"");
        assert_eq!(show("[1,NaN]"), "3: expected a finite number, found 'NaN'");
        assert_eq!(show("-Infinity"), "0: expected a finite number, found '-Infinity'");
    }

    #[test]
    fn complaints_say_where_and_what() {
        let table = [
            ("", "0: expected a value, found the end of the file"),
            ("[1 2]", "3: expected ',' or ']', found '2'"),
            ("[1,]", "3: expected a value, found ']'"),
            ("nul", "0: expected a value, found 'nul'"),
            ("\"ab", "3: expected the closing '\"' of a text, found the end of the file"),
            (r#""\x""#, "1: expected an escape: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u, found '\\\\x\"'"),
            (r#""\u12g4""#, "5: expected four hexadecimal digits after \\u, found 'g4\"'"),
            (r#""\ud800x""#, "1: half a surrogate pair, \\ud800: expected a character"),
            ("{a:1}", "1: expected the name of a field in double quotes, found 'a:1'"),
            (r#"{"a" 1}"#, "5: expected ':', found '1'"),
            (r#"{"a":1,"b":2,"a":3}"#, "13: the field 'a' stands twice: expected each name once"),
        ];
        for (text, message) in table {
            assert_eq!(show(text), message, "{text}");
        }
        assert_eq!(show(&"[".repeat(100_000)), "100: nested too deep: expected at most 100 levels");
        assert!(show(&format!("{}{}", "[".repeat(100), "]".repeat(100))).starts_with("[["));
    }
}
