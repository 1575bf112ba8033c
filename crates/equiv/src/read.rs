//! What does an Aldebaran file (`.aut`) say? One pass over chunks of the file, packed with gzip or not; 12 bytes per transition.
//!
//! ```text
//!   des (0, 2, 3)                 initial state, number of transitions, number of states
//!   (0, "t1.call.push(1)", 1)     source, label, target; within quotes \" and \\ are escapes
//!   (1, tau, 2)                   a label without quotes ends at the last comma; its brackets are balanced
//! ```
//!
//! The header is checked against the transitions at the end, so that a file that was cut off is noticed, and nothing is allocated on its
//! word alone. Labels that mean τ are `tau` (mCRL2) and `i` (CADP), unless the caller says otherwise.

use crate::lts::{Lts, Parts, TAU};
use crate::refine::MOST_TRANSITIONS;
use flate2::read::MultiGzDecoder;
use linpoint_base::{Account, Cause, Control};
use std::io::{self, Read};

/// Bytes read at once.
const CHUNK: usize = 1 << 18;
/// The longest line, to keep what is not a line from filling the memory.
const LONGEST_LINE: usize = 1 << 24;
/// The highest number of a state.
const HIGHEST: u64 = (1 << 32) - 3;

/// What went wrong.
#[derive(Debug)]
pub enum ReadFailure {
    /// The file could not be read at all.
    Io(io::Error),
    /// It is not an Aldebaran file: line and column (from 1, column 0: the whole line) and what was expected.
    Syntax {
        /// Counted from 1; 0: the whole file.
        line: u64,
        /// Counted from 1, in bytes; 0: the whole line.
        column: usize,
        /// What is wrong, and what was expected.
        message: String,
    },
    /// The budget is used up.
    Stopped(Cause),
}

type Parsed<T> = Result<T, (usize, String)>;

/// Reads a system. `internal` are the labels that mean τ.
pub fn read(mut input: impl Read, internal: &[&str], control: &Control) -> Result<Lts, ReadFailure> {
    let mut start = [0; 2];
    let got = fill(&mut input, &mut start)?;
    let rest = io::Cursor::new(start).take(got as u64).chain(input);
    if got == 2 && start == [0x1f, 0x8b] {
        lines(MultiGzDecoder::new(rest), Reader::new(internal), control)
    } else {
        lines(rest, Reader::new(internal), control)
    }
}

fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize, ReadFailure> {
    let mut got = 0;
    while got < buffer.len() {
        match input.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ReadFailure::Io(error)),
        }
    }
    Ok(got)
}

/// Hands complete lines to the reader, chunk by chunk.
fn lines(mut input: impl Read, mut reader: Reader, control: &Control) -> Result<Lts, ReadFailure> {
    let mut account = Account::alone(control);
    let mut buffer = vec![0; CHUNK];
    let mut kept = 0;
    loop {
        if buffer.len() - kept < CHUNK / 2 {
            buffer.resize(buffer.len() * 2, 0);
        }
        let got = input.read(&mut buffer[kept..]);
        let got = match got {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // Broken gzip data is told where it breaks; the file itself was read.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
                ) =>
            {
                let message = format!("broken gzip data: {error}");
                return Err(ReadFailure::Syntax { line: reader.line, column: 0, message });
            }
            other => other.map_err(ReadFailure::Io)?,
        };
        let filled = kept + got;
        let complete =
            if got == 0 { filled } else { last_newline(&buffer[kept..filled]).map_or(0, |at| kept + at + 1) };
        reader.lines(&buffer[..complete])?;
        buffer.copy_within(complete..filled, 0);
        kept = filled - complete;
        if got == 0 {
            return reader.finish(&mut account);
        }
        if kept > LONGEST_LINE {
            return reader.complain(0, format!("a line of more than {LONGEST_LINE} bytes"));
        }
        account.configurations = reader.parts.label.len() as u64;
        if let Some(cause) = account.poll(buffer.len() + 12 * reader.parts.label.capacity(), 0) {
            return Err(ReadFailure::Stopped(cause));
        }
    }
}

fn last_newline(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|&byte| byte == b'\n')
}

struct Reader {
    parts: Parts,
    /// The number of transitions in the header; None before it was read.
    promised: Option<u64>,
    internal: Vec<Box<[u8]>>,
    /// The lines before the present one, plus one.
    line: u64,
    /// A label with escapes, without them.
    unescaped: Vec<u8>,
}

impl Reader {
    fn new(internal: &[&str]) -> Self {
        let internal = internal.iter().map(|name| name.as_bytes().into()).collect();
        Reader { parts: Parts::default(), promised: None, internal, line: 1, unescaped: Vec::new() }
    }

    fn complain<T>(&self, column: usize, message: String) -> Result<T, ReadFailure> {
        Err(ReadFailure::Syntax { line: self.line, column, message })
    }

    fn lines(&mut self, mut text: &[u8]) -> Result<(), ReadFailure> {
        if self.line == 1 && self.promised.is_none() {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        while !text.is_empty() {
            if self.promised.is_some()
                && let Some(length) = self.plain(text)
            {
                text = &text[length..];
                self.line += 1;
                continue;
            }
            let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
            if let Err((column, message)) = self.one_line(&text[..end]) {
                return self.complain(column, message);
            }
            text = &text[(end + 1).min(text.len())..];
            self.line += 1;
        }
        Ok(())
    }

    /// The common case at full speed: `(1,"known label",2)` and a newline. Says how long it is, or None if it is anything else.
    #[inline]
    fn plain(&mut self, text: &[u8]) -> Option<usize> {
        let (source, mut at) = digits(text, usize::from(text.first() == Some(&b'(')))?;
        if text.get(at..at + 2)? != b",\"" {
            return None;
        }
        let start = at + 2;
        at = start + text[start..].iter().position(|&byte| byte == b'"' || byte == b'\\' || byte == b'\n')?;
        if text.get(at..at + 2)? != b"\"," {
            return None;
        }
        let name = &text[start..at];
        let (target, at) = digits(text, at + 2)?;
        if text.get(at..at + 2)? != b")\n"
            || source >= self.parts.states
            || target >= self.parts.states
            || self.is_full()
        {
            return None;
        }
        let label = self.parts.labels.find(name)?;
        if label == TAU && !self.is_internal(name) {
            return None;
        }
        self.parts.push(source as u32, label, target as u32);
        Some(at + 2)
    }

    fn is_full(&self) -> bool {
        self.parts.label.len() >= MOST_TRANSITIONS
    }

    fn is_internal(&self, name: &[u8]) -> bool {
        self.internal.iter().any(|internal| **internal == *name)
    }

    fn one_line(&mut self, line: &[u8]) -> Parsed<()> {
        let mut cursor = Cursor { line: line.strip_suffix(b"\r").unwrap_or(line), at: 0 };
        cursor.blanks();
        if cursor.at == cursor.line.len() {
            return Ok(());
        }
        if self.promised.is_none() {
            return self.header(cursor);
        }
        cursor.expect(b'(', "a transition such as (0,\"label\",1)")?;
        let source = self.state(&mut cursor)?;
        cursor.expect(b',', "a comma and a label")?;
        let label = self.label(&mut cursor)?;
        cursor.expect(b',', "a comma and the target of the transition")?;
        let target = self.state(&mut cursor)?;
        cursor.expect(b')', "a closing bracket")?;
        cursor.end()?;
        if self.is_full() {
            return Err((0, format!("more than {MOST_TRANSITIONS} transitions: expected a smaller file")));
        }
        self.parts.push(source, label, target);
        Ok(())
    }

    fn header(&mut self, mut cursor: Cursor<'_>) -> Parsed<()> {
        let wanted = "the header des (initial, transitions, states)";
        if !cursor.line[cursor.at..].starts_with(b"des") {
            return Err((cursor.at + 1, format!("expected {wanted}")));
        }
        cursor.at += 3;
        cursor.expect(b'(', wanted)?;
        let place = cursor.here();
        let initial = cursor.number("the number of the initial state")?;
        cursor.expect(b',', "a comma and the number of transitions")?;
        let transitions = cursor.number("the number of transitions")?;
        cursor.expect(b',', "a comma and the number of states")?;
        let states = cursor.number("the number of states")?;
        cursor.expect(b')', "a closing bracket")?;
        cursor.end()?;
        if initial >= states {
            return Err((
                place,
                format!("initial state {initial}: expected a state below {states}, as the header says"),
            ));
        }
        if initial > HIGHEST {
            return Err((place, format!("initial state {initial}: expected at most {HIGHEST}")));
        }
        (self.parts.initial, self.parts.states, self.promised) = (initial as u32, states, Some(transitions));
        Ok(())
    }

    fn state(&self, cursor: &mut Cursor<'_>) -> Parsed<u32> {
        cursor.blanks();
        let place = cursor.here();
        let state = cursor.number("the number of a state")?;
        if state >= self.parts.states {
            let states = self.parts.states;
            return Err((place, format!("state {state}: expected a state below {states}, as the header says")));
        }
        u32::try_from(state)
            .ok()
            .filter(|_| state <= HIGHEST)
            .ok_or_else(|| (place, format!("state {state}: expected at most {HIGHEST}")))
    }

    fn label(&mut self, cursor: &mut Cursor<'_>) -> Parsed<u32> {
        cursor.blanks();
        let place = cursor.here();
        self.unescaped.clear();
        if cursor.peek() == Some(b'"') {
            cursor.quoted(&mut self.unescaped)?;
        } else {
            self.unescaped.extend_from_slice(cursor.unquoted()?);
        }
        if self.is_internal(&self.unescaped) {
            return Ok(TAU);
        }
        match std::str::from_utf8(&self.unescaped) {
            Ok(name) => Ok(self.parts.labels.intern_visible(name)),
            Err(error) => Err((place + error.valid_up_to(), "invalid text in a label: expected UTF-8".into())),
        }
    }

    fn finish(self, account: &mut Account<'_>) -> Result<Lts, ReadFailure> {
        let found = self.parts.label.len() as u64;
        match self.promised {
            None => {
                return Err(ReadFailure::Syntax {
                    line: 0,
                    column: 0,
                    message: "an empty file: expected the header des (initial, transitions, states)".into(),
                });
            }
            Some(promised) if promised != found => {
                let message = format!("expected {promised} transitions, as the header says, found {found}");
                return self.complain(0, message);
            }
            Some(_) => {}
        }
        // Rows are made for all states up to the highest one mentioned.
        let rows = self.parts.highest.max(self.parts.initial) as usize + 1;
        if let Some(cause) = account.poll(12 * self.parts.label.len() + 4 * rows, 0) {
            return Err(ReadFailure::Stopped(cause));
        }
        Ok(self.parts.finish())
    }
}

/// The number at a place and the place behind it. At most 18 digits.
#[inline]
fn digits(text: &[u8], from: usize) -> Option<(u64, usize)> {
    let (mut number, mut at) = (0u64, from);
    while let Some(&byte) = text.get(at)
        && byte.is_ascii_digit()
    {
        number = number * 10 + u64::from(byte - b'0');
        at += 1;
        if at - from > 18 {
            return None;
        }
    }
    (at > from).then_some((number, at))
}

/// A line, read with care.
struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The column, counted from 1.
    fn here(&self) -> usize {
        self.at + 1
    }

    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte == b' ' || byte == b'\t') {
            self.at += 1;
        }
    }

    fn fail<T>(&self, wanted: &str) -> Parsed<T> {
        let rest = String::from_utf8_lossy(&self.line[self.at..]);
        let found = rest.chars().next().map_or_else(|| "the end of the line".into(), |found| format!("{found:?}"));
        Err((self.here(), format!("expected {wanted}, found {found}")))
    }

    fn expect(&mut self, byte: u8, wanted: &str) -> Parsed<()> {
        self.blanks();
        if self.peek() != Some(byte) {
            return self.fail(wanted);
        }
        self.at += 1;
        Ok(())
    }

    fn end(&mut self) -> Parsed<()> {
        self.blanks();
        if self.at == self.line.len() { Ok(()) } else { self.fail("the end of the line") }
    }

    fn number(&mut self, wanted: &str) -> Parsed<u64> {
        self.blanks();
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.line[start..self.at]).expect("digits");
        if text.is_empty() {
            return self.fail(wanted);
        }
        text.parse().map_err(|_| (start + 1, format!("expected {wanted}, found a number of {} digits", text.len())))
    }

    /// A label within quotes, into `name`.
    fn quoted(&mut self, name: &mut Vec<u8>) -> Parsed<()> {
        let open = self.here();
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err((open, "a label without its closing quote".into())),
                Some(b'"') => break,
                Some(b'\\') if matches!(self.line.get(self.at + 1), Some(b'"' | b'\\')) => self.at += 1,
                Some(_) => {}
            }
            name.push(self.line[self.at]);
            self.at += 1;
        }
        self.at += 1;
        Ok(())
    }

    /// A label without quotes: up to the last comma. Its brackets are balanced, or two transitions on a line would be one.
    fn unquoted(&mut self) -> Parsed<&'a [u8]> {
        let rest = &self.line[self.at..];
        let Some(length) = rest.iter().rposition(|&byte| byte == b',') else {
            self.at = self.line.len();
            return self.fail("a comma and the target of the transition");
        };
        let name = rest[..length].trim_ascii_end();
        if name.is_empty() {
            return self.fail("a label");
        }
        let mut depth = 0i64;
        for (at, byte) in name.iter().enumerate() {
            depth += i64::from(*byte == b'(') - i64::from(*byte == b')');
            if depth < 0 {
                self.at += at;
                return self.fail("a label with balanced brackets, or quotes around it");
            }
        }
        self.at += length;
        Ok(name)
    }
}
