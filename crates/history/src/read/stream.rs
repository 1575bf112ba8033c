//! What does a log say that is still being written? Line by line, each an event; one that is broken is reported, and the next is read.
//!
//! The event formats of Jepsen and violin, one event per line (an array of JSON or EDN may be spread over lines, an event may not).
//! The format is sniffed at the first line that has one with events. Events are not paired here: a reader of a stream that never
//! ends remembers no operation. Costs one pass over the bytes.

use super::cursor::{Cursor, Read, fault};
use super::edn::Edn;
use super::entry::{Entry, Field};
use super::events::{is_pair, result_of, split};
use super::format::Format;
use super::jepsen_log::{Sight, damaged, sight};
use super::json::Json;
use super::names::Names;
use super::plain::Plain;
use super::{Options, jepsen_edn, jepsen_json, jepsen_log, sniff, violin};
use crate::time::Clock;
use crate::{Status, Time, ValueId, Values};

pub use super::entry::Told;

/// An event of a stream. Fields that it does not have are absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamEvent {
    /// A call, or how an operation ended.
    pub told: Told,
    /// Who.
    pub process: ValueId,
    /// The operation; absent where the format does not repeat it at the end.
    pub f: ValueId,
    /// The key or object.
    pub key: ValueId,
    /// The argument of a call; what an end says (see [`StreamEvent::result`]).
    pub value: ValueId,
    /// What was returned, where the format says so apart.
    pub returned: ValueId,
    /// When, if the line says so.
    pub time: Option<Time>,
}

impl StreamEvent {
    /// All values that it names, to be renamed when the table of values was compacted.
    pub fn ids(&mut self) -> [&mut ValueId; 5] {
        [&mut self.process, &mut self.f, &mut self.key, &mut self.value, &mut self.returned]
    }

    /// What an operation `f` with this argument returned.
    pub fn result(&self, f: &str, argument: ValueId) -> ValueId {
        match self.returned {
            ValueId::ABSENT => result_of(f, argument, self.value),
            result => result,
        }
    }
}

/// Reads the lines of a stream.
pub struct Stream {
    format: Option<Format>,
    independent: bool,
    failed_cas: bool,
    clock: Clock,
    entry: Entry,
    line: u32,
    /// For the names of fields.
    options: Options,
    /// What the log calls operations, each with its name here.
    operations: Vec<(String, String)>,
}

impl Stream {
    /// No line yet.
    pub fn new(options: &Options) -> Stream {
        let &Options { format, independent, failed_cas, .. } = options;
        let (clock, entry, operations) = (Clock::default(), Entry::new(), options.operations());
        Stream { format, independent, failed_cas, clock, entry, line: 0, options: options.clone(), operations }
    }

    /// The format, once it is known.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The number of the last line read.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Goes on behind so many lines.
    pub fn skip_to(&mut self, line: u32) {
        self.line = line;
    }

    /// Goes on behind so many lines of a format that was found already, if it was.
    pub fn go_on(&mut self, line: u32, format: Option<Format>) {
        (self.line, self.format) = (line, format.or(self.format));
    }

    /// Reads whole lines. `take` gets every event with its line, or what is wrong with the line.
    pub fn read(&mut self, text: &str, values: &mut Values, mut take: impl FnMut(u32, Result<StreamEvent, String>)) {
        let (mut names, mut plain) = (Names::new(), Plain::new());
        let mut start = 0;
        while start < text.len() {
            self.line = self.line.saturating_add(1);
            let read = match self.plain(text, start, &names, &mut plain, values) {
                Some(next) => {
                    start = next;
                    self.told(values)
                }
                None => {
                    let line = text[start..].split_inclusive('\n').next().unwrap_or_default();
                    let end = start + line.trim_end_matches(['\n', '\r']).len();
                    let settled = self.format;
                    let read = self.event(text, start, end, &mut names, values);
                    if !matches!(read, Ok(Some(_))) {
                        self.format = settled; // a line that is no event tells nothing of the others
                    }
                    start += line.len();
                    read
                }
            };
            match read {
                Ok(None) => {}
                Ok(Some(event)) => take(self.line, Ok(event)),
                Err(fault) => take(self.line, Err(fault.message)),
            }
        }
    }

    /// Reads the line at `start` if it is plain: where the next one begins.
    fn plain<'a>(
        &mut self,
        text: &'a str,
        start: usize,
        names: &Names<'a, Field>,
        plain: &mut Plain<'a>,
        values: &mut Values,
    ) -> Option<usize> {
        if self.format != Some(Format::JepsenJson) || !self.options.map.is_empty() {
            return None;
        }
        self.entry.start(start, self.line);
        plain.event((text, start), names, values, &mut self.entry)
    }

    fn event<'a>(
        &mut self,
        text: &'a str,
        start: usize,
        end: usize,
        names: &mut Names<'a, Field>,
        values: &mut Values,
    ) -> Read<Option<StreamEvent>> {
        let line = &text[start..end];
        if line.trim().is_empty() {
            return Ok(None);
        }
        let format = match self.format {
            Some(format) => format,
            None if matches!(line.trim(), "[" | "(") || line.trim_start().starts_with(['#', ';', '/']) => {
                return Ok(None);
            }
            None => {
                let found = || Cursor::new(line.trim_start()).found();
                let nothing = |_| fault(start, format!("no event in any format: it starts with {}", found()));
                let format = sniff::sniff_text(line, &self.options).map_err(nothing)?;
                if !format.has_events() {
                    let name = format.name();
                    let message =
                        format!("no event, but operations as format {name} has them: linpoint check reads it");
                    return Err(fault(start, message)); // the next line may tell more
                }
                self.format = Some(format);
                format
            }
        };
        self.entry.start(start, self.line);
        match format {
            Format::JepsenJson | Format::JepsenEdn | Format::PorcupineKv => {
                let mut from = end - line.trim_start().len();
                let rest = &text[from..end];
                let is_comment = match format {
                    Format::JepsenJson => rest.starts_with('#') || rest.starts_with("//"),
                    _ => rest.starts_with(';'),
                };
                from += usize::from(rest.starts_with(['[', '(', ',']));
                if is_comment || text[from..end].trim_matches([' ', '\t', ']', ')', ',']).is_empty() {
                    return Ok(None);
                }
                let clock = (&mut *values, &mut self.clock);
                let left = if format == Format::JepsenJson {
                    let mut json = Json::new(text);
                    json.cursor = Cursor::within(text, from, end);
                    json.spaces();
                    jepsen_json::event(&mut json, names, clock, &mut self.entry, &self.options)?;
                    json.cursor.at
                } else {
                    let mut edn = Edn::new(Cursor::within(text, from, end));
                    edn.blank(clock.0)?;
                    jepsen_edn::event(&mut edn, names, clock, &mut self.entry, &self.options)?;
                    edn.cursor.at
                };
                let rest = text[left..end].trim_matches([' ', '\t', ',', ']', ')']);
                if !rest.is_empty() && !rest.starts_with(';') {
                    return Err(Cursor::within(text, left, end).expected("the end of the line after the event"));
                }
            }
            Format::JepsenLog => match sight(line) {
                Sight::Event { process, kind } => {
                    let shift = |(from, to): (usize, usize)| (start + from, start + to);
                    jepsen_log::event(text, shift(process), shift(kind), end, values, &mut self.entry)?;
                }
                Sight::Damaged(at) => return Err(damaged(line, at, start)),
                Sight::Chatter if line.trim_start().starts_with("{\"") && line.contains("\"process\"") => {
                    return Err(fault(start, "an event in JSON: expected one as the lines before have it"));
                }
                Sight::Chatter => return Ok(None),
            },
            Format::Violin => return self.violin(text, start, end, values),
            _ => {
                let name = format.name();
                return Err(fault(start, format!("format {name} has no events: expected calls and ends")));
            }
        }
        self.told(values)
    }

    /// The event that the fields of the line tell.
    fn told(&mut self, values: &mut Values) -> Read<Option<StreamEvent>> {
        let entry = &mut self.entry;
        let mut told = entry.told(values)?;
        if told == Told::Remark {
            return Ok(None);
        }
        let returned = told == Told::End(Status::Ok);
        if self.independent && (told == Told::Call || returned || is_pair(values, entry.value)) {
            split(values, entry)?;
        }
        let mut result = entry.result;
        if self.failed_cas && told == Told::End(Status::Fail) {
            if entry.f == ValueId::ABSENT {
                return Err(fault(entry.at, "an event without f: expected the name of what failed (--failed-cas)"));
            }
            if values.as_text(entry.f).is_some_and(|f| self.options.is_cas(f)) {
                (told, result) = (Told::End(Status::Ok), ValueId::FALSE);
            }
        }
        let (time, &mut Entry { process, f, key, value, .. }) = (entry.time.map(|time| time.0), entry);
        let f = match f {
            ValueId::ABSENT => f,
            _ => {
                let name = values.as_text(f);
                let own = self.operations.iter().find(|(foreign, _)| Some(foreign.as_str()) == name);
                own.map_or(f, |(_, own)| values.text(own))
            }
        };
        Ok(Some(StreamEvent { told, process, f, key, value, returned: result, time }))
    }

    fn violin(&self, text: &str, start: usize, end: usize, values: &mut Values) -> Read<Option<StreamEvent>> {
        let mut cursor = Cursor::within(text, start, end);
        cursor.take_while(|byte| byte.is_ascii_whitespace());
        if cursor.peek() == Some(b'#') {
            return Ok(None);
        }
        let id = violin::id(&mut cursor)?;
        let process = violin::scalar(values, id);
        let (key, time, result) = (ValueId::ABSENT, None, ValueId::ABSENT);
        if cursor.eat_word("call") {
            let (f, value) = violin::call(&mut cursor, values)?;
            return Ok(Some(StreamEvent { told: Told::Call, process, f, key, value, returned: result, time }));
        }
        if cursor.eat_word("return") {
            let value = violin::scalar(values, violin::rest(&mut cursor));
            let (told, f) = (Told::End(Status::Ok), ValueId::ABSENT);
            return Ok(Some(StreamEvent { told, process, f, key, value, returned: value, time }));
        }
        Err(cursor.expected("call or return"))
    }
}
