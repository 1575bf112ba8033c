//! EDN values, straight from the bytes into interned values. Linear in the size of the text.
//!
//! All of EDN, and what Clojure prints beyond it (`#:ns{…}`, `#"…"`, hexadecimal numbers in `#object[…]`), but no
//! `##NaN` or `##Inf`. Keywords, symbols and characters become text; so do ratios. The
//! tag of a tagged value is dropped. Lists, vectors and sets become lists; a set is sorted, so
//! that equal sets are equal.

mod atom;

use super::cursor::{Cursor, DEEPEST, Quoted, Read, fault};
use crate::{ValueId, Values};
use std::borrow::Cow;

/// A reader of EDN values.
pub(super) struct Edn<'a> {
    pub cursor: Cursor<'a>,
    /// The parts of the lists that are open.
    parts: Vec<ValueId>,
}

impl<'a> Edn<'a> {
    /// Values from where the cursor stands.
    pub fn new(cursor: Cursor<'a>) -> Self {
        Edn { cursor, parts: Vec::new() }
    }

    /// Steps over spaces, commas, comments and discarded values.
    #[inline]
    pub fn blank(&mut self, values: &mut Values) -> Read<()> {
        self.skip(values, 0)
    }

    fn skip(&mut self, values: &mut Values, depth: u32) -> Read<()> {
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b' ' | b'\n' | b',' | b'\t' | b'\r' | 0x0b | 0x0c => self.cursor.at += 1,
                b';' => self.cursor.skip_line(),
                b'#' if self.cursor.peek_second() == Some(b'_') => {
                    refuse_deep(self.cursor.at, depth)?;
                    self.cursor.at += 2;
                    self.skip(values, depth + 1)?;
                    self.form(values, depth + 1)?;
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// Any value, after what is blank.
    pub fn value(&mut self, values: &mut Values) -> Read<ValueId> {
        self.nested(values, 0)
    }

    fn nested(&mut self, values: &mut Values, depth: u32) -> Read<ValueId> {
        self.skip(values, depth)?;
        self.form(values, depth)
    }

    fn form(&mut self, values: &mut Values, depth: u32) -> Read<ValueId> {
        self.cursor.tick(values)?;
        match self.cursor.peek() {
            Some(b':') => self.keyword().map(|name| values.text(name)),
            Some(b'"') => self.text().map(|text| values.text(&text)),
            Some(b'\\') => self.character().map(|c| values.text(c.encode_utf8(&mut [0; 4]))),
            Some(b'0'..=b'9') => self.number(values),
            Some(b'+' | b'-') if self.cursor.peek_second().is_some_and(|b| b.is_ascii_digit()) => self.number(values),
            Some(b'[' | b'(' | b'{' | b'#') => {
                refuse_deep(self.cursor.at, depth)?;
                self.compound(values, depth)
            }
            _ => self.symbol(values),
        }
    }

    fn compound(&mut self, values: &mut Values, depth: u32) -> Read<ValueId> {
        match (self.cursor.peek(), self.cursor.peek_second()) {
            (Some(b'['), _) => self.sequence(values, depth, b']', false),
            (Some(b'('), _) => self.sequence(values, depth, b')', false),
            (Some(b'{'), _) => self.map(values, depth, ""),
            (_, Some(b'{')) => {
                self.cursor.at += 1;
                self.sequence(values, depth, b'}', true)
            }
            (_, Some(b'"')) => {
                self.cursor.at += 1;
                self.regex().map(|text| values.text(text))
            }
            (_, Some(b'#')) => self.special_number(),
            _ => {
                let namespace = self.tag()?;
                if namespace.is_empty() {
                    self.nested(values, depth + 1)
                } else {
                    self.skip(values, depth)?;
                    self.map(values, depth, namespace)
                }
            }
        }
    }

    /// A list, vector or set; the cursor stands on its opening bracket.
    fn sequence(&mut self, values: &mut Values, depth: u32, close: u8, set: bool) -> Read<ValueId> {
        let base = self.parts.len();
        self.cursor.at += 1;
        loop {
            self.skip(values, depth)?;
            if self.cursor.eat(close) {
                break;
            }
            self.refuse_closing(close)?;
            let part = self.form(values, depth + 1)?;
            self.parts.push(part);
        }
        let id = if set {
            let mut parts = self.parts[base..].to_vec();
            values.sort_set(&mut parts);
            values.list(&parts)
        } else {
            values.list(&self.parts[base..])
        };
        self.parts.truncate(base);
        Ok(id)
    }

    /// A map; keywords among its keys are put into `namespace` unless that is empty.
    fn map(&mut self, values: &mut Values, depth: u32, namespace: &str) -> Read<ValueId> {
        self.cursor.need(b'{', "a map {…}")?;
        let mut entries = Vec::new();
        let mut places = Vec::new();
        loop {
            self.skip(values, depth)?;
            if self.cursor.eat(b'}') {
                break;
            }
            self.refuse_closing(b'}')?;
            places.push(self.cursor.at);
            let key = match self.cursor.peek() {
                Some(b':') => values.text(&qualified(namespace, self.keyword()?)),
                _ => self.form(values, depth + 1)?,
            };
            self.skip(values, depth)?;
            if self.cursor.peek() == Some(b'}') {
                return Err(self.cursor.expected("a value for the last key"));
            }
            entries.push((key, self.form(values, depth + 1)?));
        }
        values.map(&entries).map_err(|key| {
            let second = entries.iter().enumerate().filter(|(_, e)| e.0 == key).nth(1);
            let at = second.map_or(self.cursor.at, |(i, _)| places[i]);
            fault(at, format!("the key {} stands twice: expected each key once", Quoted(&values.show(key))))
        })
    }

    /// Steps over the tags of a map and its opening bracket; gives the namespace of its keys, or "".
    pub fn open_map(&mut self, values: &mut Values) -> Read<&'a str> {
        let mut namespace = "";
        let mut tags = 0;
        while self.cursor.peek() == Some(b'#') {
            refuse_deep(self.cursor.at, tags)?;
            tags += 1;
            namespace = self.tag()?;
            self.skip(values, 0)?;
        }
        self.cursor.need(b'{', "a map {…} of an event")?;
        Ok(namespace)
    }

    /// The name of a field of a map that [`Edn::open_map`] opened, and what is blank behind it.
    pub fn field(&mut self, values: &mut Values, namespace: &str) -> Read<Cow<'a, str>> {
        let name = match self.cursor.peek() {
            Some(b':') => qualified(namespace, self.keyword()?),
            Some(b'"') => self.text()?,
            _ => return Err(self.cursor.expected("a keyword that names a field, or '}'")),
        };
        self.skip(values, 0)?;
        if self.cursor.peek() == Some(b'}') {
            return Err(self.cursor.expected("a value for the last key"));
        }
        Ok(name)
    }

    /// Complains about a bracket that closes something else than what is open.
    fn refuse_closing(&self, close: u8) -> Read<()> {
        match self.cursor.peek() {
            Some(b']' | b')' | b'}') | None => Err(self.cursor.expected(match close {
                b']' => "a value or ']'",
                b')' => "a value or ')'",
                _ => "a value or '}'",
            })),
            Some(_) => Ok(()),
        }
    }
}

/// A keyword's name in a namespace: `#:a{:b 1, :c/d 2, :_/e 3}` is `{:a/b 1, :c/d 2, :e 3}`.
fn qualified<'a>(namespace: &str, name: &'a str) -> Cow<'a, str> {
    if namespace.is_empty() {
        return Cow::Borrowed(name);
    }
    match name.strip_prefix("_/") {
        Some(bare) => Cow::Borrowed(bare),
        None if name.contains('/') => Cow::Borrowed(name),
        None => Cow::Owned(format!("{namespace}/{name}")),
    }
}

fn refuse_deep(at: usize, depth: u32) -> Read<()> {
    if depth < DEEPEST {
        return Ok(());
    }
    Err(fault(at, format!("nested too deep: expected at most {DEEPEST} levels")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let mut values = Values::new();
        let mut edn = Edn::new(Cursor::new(text));
        match edn.value(&mut values) {
            Ok(id) => values.show(id),
            Err(fault) => format!("{}: {}", fault.at, fault.message),
        }
    }

    #[test]
    fn values_of_every_kind() {
        let table = [
            ("nil", "null"),
            (" , ; note\n [true, false]", "[true,false]"),
            ("(:a/b x')", r#"["a/b","x'"]"#),
            ("#{3 1 2 1}", "[1,2,3]"),
            ("#_ #_ 1 2 3", "3"),
            ("[1 #_[2 3] #_4]", "[1]"),
            ("{:a 1 \"b\" nil c [d]}", r#"{"a":1,"b":null,"c":["d"]}"#),
            ("#jepsen.history.Op{:index 1}", r#"{"index":1}"#),
            ("#inst \"2020\"", r#""2020""#),
            ("#:x{:a 1 :y/b 2 :_/c 3}", r#"{"c":3,"x/a":1,"y/b":2}"#),
            ("#object[a.B 0x1f \"a.B@1f\"]", r#"["a.B",31,"a.B@1f"]"#),
            ("{1 :a, \"1\" :b, true :c}", r#"{true:"c",1:"a","1":"b"}"#),
            ("#\"a\\.b\"", r#""a\\.b""#),
        ];
        for (text, shown) in table {
            assert_eq!(show(text), shown, "{text}");
        }
    }

    #[test]
    fn complaints_say_where_and_what() {
        let table = [
            ("", "0: expected a value, found the end of the file"),
            ("[1", "2: expected a value or ']', found the end of the file"),
            ("(1]", "2: expected a value or ')', found ']'"),
            ("{:a}", "3: expected a value for the last key, found '}'"),
            ("{:a 1 :b 2 :a 3}", "11: the key '\"a\"' stands twice: expected each key once"),
            ("#_", "2: expected a value, found the end of the file"),
            ("[#_]", "3: expected a value, found ']'"),
            ("#:a[1]", "3: expected a map {…}, found '[1'"),
            ("#", "1: expected a tag, found the end of the file"),
            ("[1 ##NaN]", "3: expected a finite number, found '##NaN'"),
            ("##-Inf", "0: expected a finite number, found '##-Inf'"),
            ("'x", "0: expected a value, found ''x'"),
            ("@x", "0: expected a value, found '@x'"),
            ("\0", "0: expected a value, found '\\0'"),
        ];
        for (text, message) in table {
            assert_eq!(show(text), message, "{text}");
        }
        for open in ["[", "(", "{", "#{", "#a ", "#_ ", "{1 ", "#:a{"] {
            let message = show(&open.repeat(100_000));
            assert!(message.ends_with("nested too deep: expected at most 100 levels"), "{open}: {message}");
        }
        let quoted = "{[".repeat(50) + &"[".repeat(51);
        assert_eq!(show(&quoted), "100: nested too deep: expected at most 100 levels");
    }
}
