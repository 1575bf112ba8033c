//! What does a log tell a monitor? Lines become calls and ends; what does not fit is complained about by its line, and skipped.
//!
//! A process is sequential: it calls, its operation ends, it calls again; after an `info` it never calls again, and its successor needs a
//! new name (unless the options say that whoever calls then is another one). O(1) per event.

use crate::clients::Client;
use crate::monitor::{Monitor, Outcome};
use linpoint_history::read::Options;
use linpoint_history::read::stream::{Stream, StreamEvent, Told};
use linpoint_history::{Status, ValueId, Values};

/// A line that was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Its number.
    pub line: u32,
    /// What is wrong with it.
    pub message: String,
}

/// A monitor that reads a log.
pub struct Feed {
    /// The monitor.
    pub monitor: Monitor,
    pub(crate) stream: Stream,
    /// The beginning of a line whose end has not come.
    partial: Vec<u8>,
    /// Was the beginning of this line too long already? Then its rest is skipped.
    pub(crate) overlong: bool,
    /// Lines that were skipped and not told yet.
    pub complaints: Vec<Complaint>,
    /// How many lines were skipped.
    pub skipped: u64,
    /// Those of them that may lie behind events that are not judged yet: how many behind which line of an event.
    pub(crate) recent: Vec<(u32, u64)>,
    /// The last line of an event.
    pub(crate) event_line: u32,
    /// Is a process that calls again, though it crashed or its operation is open, another one?
    renames: bool,
    /// Events that were read and not taken yet; empty between two calls.
    told: Vec<(u32, Result<StreamEvent, String>)>,
    /// Are no more lines read after one that is skipped?
    strict: bool,
}

/// Complaints beyond so many are counted only, until they are told.
const MOST_COMPLAINTS: usize = 1000;
/// What some programs begin a file of UTF-8 with.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// A longer line is no event.
const LONGEST: usize = 1 << 24;

impl Feed {
    /// Nothing was read yet.
    pub fn new(monitor: Monitor, options: &Options, strict: bool) -> Feed {
        let (stream, partial, complaints) = (Stream::new(options), Vec::new(), Vec::new());
        let (recent, renames, told) = (Vec::new(), options.rename_crashed, Vec::new());
        let (overlong, skipped, event_line) = (false, 0, 0);
        Feed { monitor, stream, partial, overlong, complaints, skipped, recent, event_line, renames, told, strict }
    }

    /// The number of the last line read.
    pub fn line(&self) -> u32 {
        self.stream.line()
    }

    /// Takes the next bytes; the beginning of a line waits for its end.
    pub fn push(&mut self, bytes: &[u8]) {
        let bytes = match (self.overlong, bytes.iter().position(|&byte| byte == b'\n')) {
            (false, _) => bytes,
            (true, None) => return,
            (true, Some(end)) => {
                self.overlong = false;
                &bytes[end + 1..]
            }
        };
        let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') else {
            self.partial.extend_from_slice(bytes);
            if self.partial.len() > LONGEST {
                self.partial.clear();
                self.overlong = true;
                let number = self.line().saturating_add(1);
                self.stream.skip_to(number);
                self.complain(number, format!("a line of more than {LONGEST} bytes"));
            }
            return;
        };
        let (whole, rest) = bytes.split_at(end + 1);
        if self.partial.is_empty() {
            self.lines(whole);
        } else {
            let mut lines = std::mem::take(&mut self.partial);
            lines.extend_from_slice(whole);
            self.lines(&lines);
        }
        self.partial.extend_from_slice(rest);
    }

    /// The stream has ended: its last line needs no end.
    pub fn finish(&mut self) {
        let last = std::mem::take(&mut self.partial);
        if !last.is_empty() {
            self.lines(&last);
        }
        self.in_turn(true);
    }

    /// Bytes of a line whose end has not come.
    pub fn begun(&self) -> usize {
        self.partial.len()
    }

    /// Forgets the beginning of a line: its end will not come.
    pub fn drop_partial(&mut self) -> bool {
        let overlong = std::mem::take(&mut self.overlong);
        !std::mem::take(&mut self.partial).is_empty() || overlong
    }

    fn lines(&mut self, bytes: &[u8]) {
        let bytes = if self.line() == 0 { bytes.strip_prefix(MARK).unwrap_or(bytes) } else { bytes };
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.text(text);
        }
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            match std::str::from_utf8(line) {
                Ok(text) => self.text(text),
                Err(_) => {
                    let number = self.line().saturating_add(1);
                    self.stream.skip_to(number);
                    self.complain(number, "not UTF-8".to_owned());
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        let mut told = std::mem::take(&mut self.told);
        self.stream.read(text, self.monitor.table(), |line, event| told.push((line, event)));
        for (line, event) in told.drain(..) {
            if self.strict && self.skipped > 0 {
                break;
            }
            let by_time = self.monitor.clock.is_set();
            let taken = event.and_then(|event| match by_time {
                true => self.monitor.clock.hold(event, line),
                false => take(&mut self.monitor, &event, line, self.renames),
            });
            match taken {
                Ok(()) => self.event_line = line,
                Err(message) => self.complain(line, message),
            }
            if by_time {
                self.in_turn(false);
            }
        }
        self.told = told;
    }

    /// Takes the events whose turn has come, or all.
    fn in_turn(&mut self, all: bool) {
        while let Some((came, line, event)) = self.monitor.clock.next(all) {
            let mut wrong = self.monitor.end_until(event.time);
            self.monitor.came = Some(came);
            let before = self.monitor.counted();
            if let Err(message) = take(&mut self.monitor, &event, line, self.renames) {
                wrong.push((line, message));
                if self.monitor.counted() == before {
                    self.monitor.clock.refuse(came);
                }
            }
            wrong.into_iter().for_each(|(line, message)| self.complain(line, message));
        }
        if all {
            let wrong = self.monitor.end_until(None);
            wrong.into_iter().for_each(|(line, message)| self.complain(line, message));
        }
    }

    /// Was something read, and nothing of it an event? Then nothing is known of the stream.
    pub fn is_unreadable(&self) -> bool {
        self.skipped > 0 && self.event_line == 0 && self.monitor.events == 0
    }

    /// How many lines before this one were skipped, if it tells an event that was not judged before.
    pub fn skipped_before(&self, line: u32) -> u64 {
        let behind = self.recent.iter().filter(|(event, _)| *event >= line);
        self.skipped - behind.map(|(_, count)| count).sum::<u64>()
    }

    /// Everything was judged: whatever was skipped lies before all events to come.
    pub fn forget_skipped(&mut self) {
        self.recent.clear();
    }

    fn complain(&mut self, line: u32, message: String) {
        self.skipped += 1;
        let behind = self.event_line.min(line);
        match self.recent.last_mut() {
            Some((event, count)) if *event == behind => *count += 1,
            _ => self.recent.push((behind, 1)),
        }
        if self.complaints.len() < MOST_COMPLAINTS {
            self.complaints.push(Complaint { line, message });
        }
    }
}

/// Takes an event, or says why not.
fn take(monitor: &mut Monitor, event: &StreamEvent, line: u32, renames: bool) -> Result<(), String> {
    let process = event.process;
    let who = |values: &Values| format!("process {}", values.show(process));
    let status = match event.told {
        Told::Remark => return Ok(()),
        Told::Call => {
            let name = monitor.values.as_text(event.f).unwrap_or_default();
            match monitor.clients.get(process) {
                None => {}
                Some(Client::Crashed(_)) if renames => {}
                Some(Client::Open(token, _)) if renames => monitor.give_up(token, line),
                Some(Client::Open(_, before)) => {
                    let who = who(&monitor.values);
                    return Err(format!("{who} calls {name}, but its operation of line {before} has not ended"));
                }
                Some(Client::Crashed(before)) => {
                    let who = who(&monitor.values);
                    let crash = format!("it crashed (info) at line {before}: its successor needs a new id");
                    return Err(format!("{who} calls {name}, but {crash}"));
                }
            }
            let token = monitor.call(process, event.f, event.key, event.value, line)?;
            monitor.clients.set(process, Client::Open(token, line));
            return Ok(());
        }
        Told::End(status) => status,
    };
    let (token, called) = match monitor.clients.get(process) {
        Some(Client::Open(token, line)) => (token, line),
        Some(Client::Crashed(before)) => {
            return Err(format!("{} ends an operation, but it crashed (info) at line {before}", who(&monitor.values)));
        }
        None => {
            let who = who(&monitor.values);
            return Err(format!("{who} ends an operation, but has none open: was it called before the log begins?"));
        }
    };
    let (f, key, argument) = monitor.called(token);
    let values = &monitor.values;
    if event.f != ValueId::ABSENT && event.f != f {
        let (ended, invoked) = (values.as_text(event.f).unwrap_or_default(), values.as_text(f).unwrap_or_default());
        return Err(format!("{} ends {ended}, but it called {invoked} at line {called}", who(values)));
    }
    if event.key != ValueId::ABSENT && event.key != key {
        let found = values.show(event.key);
        return Err(format!(
            "{} ends an operation on key {found}, but called it on another at line {called}",
            who(values)
        ));
    }
    let outcome = match status {
        Status::Ok => Outcome::Ok(event.result(values.as_text(f).unwrap_or_default(), argument)),
        Status::Fail => Outcome::Fail,
        Status::Info => Outcome::Info,
    };
    match outcome {
        Outcome::Info => monitor.clients.set(process, Client::Crashed(line)),
        _ => monitor.clients.remove(process),
    }
    monitor.end_in_time(token, outcome, line, event.time)
}
