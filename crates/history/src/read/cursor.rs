//! Where are we in the text, and what stands there? Shared by every reader.
//!
//! Positions are byte offsets. Lines and columns are counted only when an error needs them
//! (O(file), once) or when an event stream asks for the line of its next event (O(file) in
//! all, because the count goes on from the last one).

use super::meter::Watch;
use crate::{ReadError, Values};
use std::fmt;

/// So many values are read between two looks at the budget.
pub(super) const LOOK: u32 = 4096;

/// The message of a reader that was stopped; users never see it, see [`super::Unread`].
pub(super) const STOPPED: &str = "stopped";

/// Values may be nested this deep and no deeper.
pub(super) const DEEPEST: u32 = 100;

/// What is wrong at a byte of the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub at: usize,
    pub message: String,
}

/// A result whose error is one word wide, so that the good path stays cheap.
pub(super) type Read<T> = Result<T, Box<Fault>>;

/// A fault at a byte of the text.
pub(super) fn fault(at: usize, message: impl Into<String>) -> Box<Fault> {
    Box::new(Fault { at, message: message.into() })
}

impl Fault {
    /// The same complaint with file, line and column.
    pub fn place(self, text: &str, file: &str) -> ReadError {
        let before = &text.as_bytes()[..self.at.min(text.len())];
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
        let (line, column) = (1 + newlines(before), before.len() - start + 1);
        ReadError { file: file.to_owned(), line, column, message: self.message }
    }
}

/// How many newlines there are; summed in bytes, 255 at a time, which the compiler turns into vector instructions.
pub(super) fn newlines(bytes: &[u8]) -> usize {
    bytes.chunks(255).map(|chunk| usize::from(chunk.iter().map(|&b| u8::from(b == b'\n')).sum::<u8>())).sum()
}

/// A place in a text. The text may be cut off at the end of a line, so that offsets stay those of the file.
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
    /// What to call the end of the text.
    end: &'static str,
    /// The line of the offset beside it: where the last count ended.
    counted: (usize, u32),
    /// Who is asked whether to stop.
    pub watch: Option<&'a dyn Watch>,
    ticks: u32,
}

impl<'a> Cursor<'a> {
    /// At the start of a file.
    pub fn new(text: &'a str) -> Self {
        Cursor { text, at: 0, end: "the end of the file", counted: (0, 1), watch: None, ticks: 0 }
    }

    /// At byte `from` of a text that is cut off at byte `to`; `from` is in this line.
    pub fn piece(text: &'a str, from: usize, to: usize, line: u32) -> Self {
        Cursor { at: from, counted: (from, line), ..Cursor::new(&text[..to]) }
    }

    /// At byte `from` of a line that ends before byte `to`.
    pub fn within(text: &'a str, from: usize, to: usize) -> Self {
        Cursor { text: &text[..to], at: from, end: "the end of the line", counted: (0, 1), watch: None, ticks: 0 }
    }

    /// Counts a value that is read; every few thousand a look at the budget.
    #[inline]
    pub fn tick(&mut self, values: &Values) -> Read<()> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(LOOK) { self.look(values) } else { Ok(()) }
    }

    /// Fails if the reader must stop.
    #[cold]
    fn look(&self, values: &Values) -> Read<()> {
        match self.watch {
            Some(watch) if watch.stops(values.bytes()) => Err(fault(self.at, STOPPED)),
            _ => Ok(()),
        }
    }

    /// The next byte.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The byte after the next one.
    pub fn peek_second(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at + 1).copied()
    }

    /// Steps over `byte` if it is next.
    #[inline]
    pub fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Steps over `word` if it is next.
    #[inline]
    pub fn eat_word(&mut self, word: &str) -> bool {
        let there = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// Steps over `byte` or complains.
    #[inline]
    pub fn need(&mut self, byte: u8, expected: &str) -> Read<()> {
        if self.eat(byte) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// Steps over all bytes that `wanted` likes; gives them.
    #[inline]
    pub fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Steps to the end of the line, not over it.
    pub fn skip_line(&mut self) {
        self.take_while(|b| b != b'\n');
    }

    /// The next character, if there is one.
    pub fn peek_char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The 1-based line of the next byte. Never ask for an earlier place than before.
    pub fn line(&mut self) -> u32 {
        let (from, line) = self.counted;
        let line = line.saturating_add(newlines(&self.text.as_bytes()[from..self.at]) as u32);
        self.counted = (self.at, line);
        line
    }

    /// A complaint: something else stands here than was expected.
    #[cold]
    pub fn expected(&self, what: &str) -> Box<Fault> {
        fault(self.at, format!("expected {what}, found {}", self.found()))
    }

    /// What stands here, shortened.
    pub fn found(&self) -> String {
        let rest = self.text.get(self.at..).unwrap_or("");
        match rest.chars().next() {
            None => self.end.to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(_) => {
                let stop = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | ')');
                let first = rest.chars().next().map_or(0, char::len_utf8);
                let word = rest[first..].find(stop).map_or(rest, |i| &rest[..first + i]);
                Quoted(word).to_string()
            }
        }
    }
}

/// A piece of the input in a message: in quotes, escaped, at most 24 characters of it.
pub(super) struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 24;
        let end = self.0.char_indices().nth(LONGEST).map_or(self.0.len(), |(i, _)| i);
        let mark = if end < self.0.len() { "…" } else { "" };
        write!(f, "'{}{mark}'", self.0[..end].escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_one_in_bytes() {
        let place = |at| {
            let error = Fault { at, message: String::new() }.place("ab\nü7\n", "x");
            (error.line, error.column)
        };
        assert_eq!((place(0), place(2), place(3), place(5), place(99)), ((1, 1), (1, 3), (2, 1), (2, 3), (3, 1)));
    }

    #[test]
    fn what_is_found_is_shortened() {
        let found = |text| Cursor::new(text).found();
        assert_eq!(found(""), "the end of the file");
        assert_eq!(found("\nx"), "the end of the line");
        assert_eq!(found("\"a b"), "'\"a'");
        assert_eq!(found("}}"), "'}'");
        assert_eq!(found("\0"), "'\\0'");
        assert_eq!(found("0123456789012345678901234567"), "'012345678901234567890123…'");
    }

    #[test]
    fn lines_are_counted_on_the_way() {
        let mut cursor = Cursor::new("a\n\nb\nc");
        cursor.at = 3;
        assert_eq!(cursor.line(), 3);
        assert_eq!(cursor.line(), 3);
        cursor.at = 5;
        assert_eq!(cursor.line(), 4);
    }
}
