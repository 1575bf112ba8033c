//! The atoms of EDN: numbers, texts, characters, keywords, symbols, tags.

use super::Edn;
use crate::read::cursor::{Quoted, Read, fault};
use crate::read::json::code_point;
use crate::read::number::{Number, number};
use crate::{ValueId, Values};
use std::borrow::Cow;

/// Which bytes may stand in a symbol, a keyword or a number? (Non-ASCII characters may.)
const IN_SYMBOL: [bool; 256] = {
    let mut table = [true; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        table[byte] = false;
        byte += 1;
    }
    let others = b",;\"\\()[]{}@^`~\x7f";
    let mut i = 0;
    while i < others.len() {
        table[others[i] as usize] = false;
        i += 1;
    }
    table
};

fn in_symbol(byte: u8) -> bool {
    IN_SYMBOL[byte as usize]
}

impl<'a> Edn<'a> {
    /// A keyword's name, without the colon the cursor stands on.
    pub(super) fn keyword(&mut self) -> Read<&'a str> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let name = self.cursor.take_while(in_symbol);
        if name.is_empty() || name.starts_with(':') {
            self.cursor.at = start;
            return Err(self.cursor.expected("a keyword"));
        }
        Ok(name)
    }

    /// `nil`, `true`, `false` or a symbol.
    pub(super) fn symbol(&mut self, values: &mut Values) -> Read<ValueId> {
        let start = self.cursor.at;
        match self.cursor.take_while(in_symbol) {
            "nil" => Ok(ValueId::NULL),
            "true" => Ok(ValueId::TRUE),
            "false" => Ok(ValueId::FALSE),
            name if name.is_empty() || name.starts_with('\'') => {
                self.cursor.at = start;
                Err(self.cursor.expected("a value"))
            }
            name => Ok(values.text(name)),
        }
    }

    /// Steps over a tag: `#name` gives "", and the `#:name` of a map gives the name.
    pub(super) fn tag(&mut self) -> Read<&'a str> {
        self.cursor.at += 1;
        let name = self.cursor.take_while(in_symbol);
        let namespace = name.strip_prefix(':').unwrap_or("");
        let lone = name.is_empty() || name == ":" || namespace.starts_with(':') || name.starts_with('#');
        if lone { Err(self.cursor.expected("a tag")) } else { Ok(namespace) }
    }

    /// An integer (`1`, `1N`, `0x1f`), a ratio (as text), or a number with a fraction (`1.5`, `1e3`, `1.5M`).
    pub(super) fn number(&mut self, values: &mut Values) -> Read<ValueId> {
        let start = self.cursor.at;
        if self.cursor.eat_word("0x") || self.cursor.eat_word("0X") {
            let digits = self.cursor.take_while(|b| b.is_ascii_hexdigit());
            let id = match i64::from_str_radix(digits, 16) {
                Ok(number) => values.int(number),
                Err(_) => values.text(&self.cursor.text[start..self.cursor.at]),
            };
            return self.ended(start, id);
        }
        let read = number(&mut self.cursor)?;
        let whole = !matches!(read, Number::Float(_));
        let id = match self.cursor.peek() {
            Some(b'/') if whole => {
                self.cursor.at += 1;
                if self.cursor.take_while(|b| b.is_ascii_digit()).is_empty() {
                    return Err(self.cursor.expected("the denominator of a ratio"));
                }
                values.text(&self.cursor.text[start..self.cursor.at])
            }
            Some(b'N') if whole => {
                self.cursor.at += 1;
                read.intern(values)
            }
            Some(b'M') => {
                self.cursor.at += 1;
                read.intern(values)
            }
            _ => read.intern(values),
        };
        self.ended(start, id)
    }

    /// Complains if a number runs on into something else.
    fn ended(&mut self, start: usize, id: ValueId) -> Read<ValueId> {
        if !self.cursor.peek().is_some_and(in_symbol) {
            return Ok(id);
        }
        self.cursor.take_while(in_symbol);
        let found = &self.cursor.text[start..self.cursor.at];
        Err(fault(start, format!("expected a number, found {}", Quoted(found))))
    }

    /// `##NaN`, `##Inf` and `##-Inf` are no values: NaN equals nothing, not even itself.
    pub(super) fn special_number(&mut self) -> Read<ValueId> {
        Err(self.cursor.expected("a finite number"))
    }

    /// A text; the cursor stands on its opening quote.
    pub(super) fn text(&mut self) -> Read<Cow<'a, str>> {
        self.cursor.at += 1;
        let start = self.cursor.at;
        let plain = self.cursor.take_while(|b| b != b'"' && b != b'\\');
        if self.cursor.eat(b'"') {
            return Ok(Cow::Borrowed(plain));
        }
        self.cursor.at = start;
        let mut text = String::new();
        loop {
            text.push_str(self.cursor.take_while(|b| b != b'"' && b != b'\\'));
            match self.cursor.peek() {
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => {
                    self.cursor.at += 1;
                    return Ok(Cow::Owned(text));
                }
                None => return Err(self.cursor.expected("the closing '\"' of a text")),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let c = match self.cursor.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'n') => '\n',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'0'..=b'7') => return self.octal(start),
            Some(b'u') => {
                self.cursor.at += 1;
                return code_point(&mut self.cursor, start);
            }
            _ => {
                self.cursor.at = start;
                return Err(self
                    .cursor
                    .expected("an escape: one of \\\" \\\\ \\t \\r \\n \\b \\f \\u or octal digits"));
            }
        };
        self.cursor.at += 1;
        Ok(c)
    }

    /// A character of up to three octal digits.
    fn octal(&mut self, start: usize) -> Read<char> {
        let mut code = 0;
        for _ in 0..3 {
            let Some(digit @ b'0'..=b'7') = self.cursor.peek() else { break };
            code = code * 8 + u32::from(digit - b'0');
            self.cursor.at += 1;
        }
        match char::from_u32(code) {
            Some(c) if code <= 0o377 => Ok(c),
            _ => Err(fault(start, "an octal escape out of range: expected at most \\377")),
        }
    }

    /// The source of a regular expression; the cursor stands on its opening quote.
    pub(super) fn regex(&mut self) -> Read<&'a str> {
        self.cursor.at += 1;
        let start = self.cursor.at;
        loop {
            self.cursor.take_while(|b| b != b'"' && b != b'\\');
            match self.cursor.peek_char() {
                None => return Err(self.cursor.expected("the closing '\"' of a text")),
                Some('"') => break,
                Some(_) => {
                    self.cursor.at += 1;
                    self.cursor.at += self.cursor.peek_char().map_or(0, char::len_utf8);
                }
            }
        }
        self.cursor.at += 1;
        Ok(&self.cursor.text[start..self.cursor.at - 1])
    }

    /// A character: `\a`, `\newline`, `\u00e9`, `\o101`; the cursor stands on its backslash.
    pub(super) fn character(&mut self) -> Read<char> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let Some(first) = self.cursor.peek_char() else { return Err(self.cursor.expected("a character")) };
        self.cursor.at += first.len_utf8();
        let rest = self.cursor.take_while(in_symbol);
        let code = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        let named = match (first, rest) {
            (_, "") => Some(first),
            ('n', "ewline") => Some('\n'),
            ('s', "pace") => Some(' '),
            ('t', "ab") => Some('\t'),
            ('r', "eturn") => Some('\r'),
            ('b', "ackspace") => Some('\u{8}'),
            ('f', "ormfeed") => Some('\u{c}'),
            ('u', digits) if digits.len() == 4 => code(digits, 16),
            ('o', digits) if digits.len() <= 3 => code(digits, 8),
            _ => None,
        };
        named.ok_or_else(|| {
            let found = Quoted(&self.cursor.text[start..self.cursor.at]).to_string();
            fault(start, format!("expected a character such as \\a or \\newline, found {found}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Values;
    use crate::read::cursor::Cursor;
    use crate::read::edn::Edn;

    fn show(text: &str) -> String {
        let mut values = Values::new();
        match Edn::new(Cursor::new(text)).value(&mut values) {
            Ok(id) => values.show(id),
            Err(fault) => format!("{}: {}", fault.at, fault.message),
        }
    }

    #[test]
    fn atoms() {
        let table = [
            ("-12", "-12"),
            ("+7", "7"),
            ("12N", "12"),
            ("123456789012345678901234567890N", "123456789012345678901234567890"),
            ("1.5M", "1.5"),
            ("2M", "2"),
            ("1e3", "1000"),
            ("22/7", "\"22/7\""),
            ("0xffffffffffffffffff", "\"0xffffffffffffffffff\""),
            (":timed-out", "\"timed-out\""),
            ("-", "\"-\""),
            ("a.b$c/d'e", "\"a.b$c/d'e\""),
            (r#""x\ty\"\\\u00e9\101""#, r#""x\ty\"\\éA""#),
            ("\"a\nb\"", "\"a\\nb\""),
            (r"[\a \newline \space \u00e9 \o101 \é \(]", "[\"a\",\"\\n\",\" \",\"é\",\"A\",\"é\",\"(\"]"),
        ];
        for (text, shown) in table {
            assert_eq!(show(text), shown, "{text}");
        }
    }

    #[test]
    fn atoms_that_are_none() {
        let table = [
            (":", "0: expected a keyword, found ':'"),
            ("::a", "0: expected a keyword, found '::a'"),
            ("12abc", "0: expected a number, found '12abc'"),
            ("1/x", "2: expected the denominator of a ratio, found 'x'"),
            ("1.5N", "0: expected a number, found '1.5N'"),
            ("##Nan", "0: expected a finite number, found '##Nan'"),
            ("\"ab", "3: expected the closing '\"' of a text, found the end of the file"),
            (
                r#""\q""#,
                "1: expected an escape: one of \\\" \\\\ \\t \\r \\n \\b \\f \\u or octal digits, found '\\\\q\"'",
            ),
            (r#""\777""#, "1: an octal escape out of range: expected at most \\377"),
            (r"\foo", "0: expected a character such as \\a or \\newline, found '\\\\foo'"),
            ("\\", "1: expected a character, found the end of the file"),
            ("#\"a\\", "4: expected the closing '\"' of a text, found the end of the file"),
        ];
        for (text, message) in table {
            assert_eq!(show(text), message, "{text}");
        }
    }
}
