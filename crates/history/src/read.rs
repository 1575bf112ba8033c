//! From a file to a history: which format is it, and what does it say?
//!
//! [`path`] and [`bytes`] read any [`Format`], packed with gzip or zstd or not, and sniff it unless the
//! options name it. Every reader is one pass over the bytes, straight into the columns; no
//! input makes it panic, recurse deeper than 100 levels or take more than linear time. An
//! error says file, line and column, what was expected there and what was found. [`path_within`] and
//! [`bytes_within`] heed a budget of time and memory, and Ctrl-C.

mod csv;
mod cursor;
mod edn;
pub(crate) mod entry;
pub(crate) mod events;
mod foreign;
mod format;
mod jepsen_edn;
mod jepsen_json;
mod jepsen_log;
mod json;
pub mod jsonl;
mod lookalike;
mod meter;
mod names;
mod number;
mod parquet;
mod pieces;
mod plain;
mod porcupine;
mod recorder;
mod row;
mod sniff;
mod source;
pub mod stream;
mod table;
mod unpack;
mod violat;
mod violin;

pub(crate) use csv::guessed;
pub(crate) use events::SUCCESSOR;
pub use format::Format;
pub use lookalike::is_alike;
pub use parquet::{parquet_path_within, parquet_within};
pub use sniff::sniff;
pub use source::is_packed;
pub use table::{Cell, Table};
pub use unpack::Unpack;

use crate::builder::Unfinished;
use crate::{Builder, Complaint, History, ReadError, ValueId, Values};
use cursor::Quoted;
use linpoint_base::{Cause, Control};
use meter::{Meter, Watch as _};
use source::Packed;
use std::path::Path;

/// How to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The format; None to sniff it.
    pub format: Option<Format>,
    /// Values of Jepsen's events are pairs `[key value]` of independent keys, which look just like the
    /// argument of a compare-and-set.
    pub independent: bool,
    /// A `cas` of type `fail` is not dropped but returned false: the value differed.
    pub failed_cas: bool,
    /// Events are taken in the order of their field `time`, not of their lines. Without it, lines that
    /// contradict the times are refused.
    pub sort_by_time: bool,
    /// Foreign names of fields, each with the name it has here: `("client", "process")`; foreign words for the types of
    /// events: `("start", "invoke")`; and foreign names of operations: `("SET", "write")`. What a pair is about is told by its second.
    pub map: Vec<(String, String)>,
    /// A process that calls again after it crashed, or while its last operation is open, is another process from then on.
    pub rename_crashed: bool,
}

/// The types of events and operations.
pub(crate) const KINDS: [&str; 4] = ["invoke", "ok", "fail", "info"];
/// What fields may be mapped to: those of operations, and of events.
pub(crate) const MEANINGS: [&str; 11] =
    ["process", "f", "value", "result", "call", "return", "duration", "key", "type", "time", "index"];

impl Options {
    /// What a field is called here.
    pub(crate) fn renamed<'a>(&'a self, name: &'a str) -> &'a str {
        let found = self.map.iter().find(|(foreign, own)| foreign == name && MEANINGS.contains(&own.as_str()));
        found.map_or(name, |(_, own)| own)
    }

    /// What the source calls operations, each with its name here.
    pub(crate) fn operations(&self) -> Vec<(String, String)> {
        let is_one = |own: &str| !MEANINGS.contains(&own) && !KINDS.contains(&own);
        self.map.iter().filter(|(_, own)| is_one(own)).cloned().collect()
    }

    /// Is it a `cas`, whatever it is called?
    pub(crate) fn is_cas(&self, f: &str) -> bool {
        let own = self.map.iter().find(|(foreign, _)| foreign == f).map_or(f, |(_, own)| own);
        is_alike(own, "cas")
    }

    /// What a type is called here.
    pub(crate) fn kind<'a>(&'a self, word: &'a str) -> &'a str {
        self.mapped_kind(word).unwrap_or(word)
    }

    /// The same for a value that is a type.
    fn kind_of(&self, values: &mut Values, kind: ValueId) -> ValueId {
        let own = values.as_text(kind).and_then(|word| self.mapped_kind(word));
        own.map_or(kind, |own| values.text(own))
    }

    fn mapped_kind(&self, word: &str) -> Option<&str> {
        let found = self.map.iter().find(|(foreign, own)| foreign == word && KINDS.contains(&own.as_str()));
        found.map(|(_, own)| own.as_str())
    }
}

/// Why there is no history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The file cannot be read.
    Refused(ReadError),
    /// The budget was used up, or the user asked to stop.
    Stopped(Cause),
}

impl Unread {
    /// A complaint about a table.
    pub fn table(message: String) -> Unread {
        Unread::Refused(ReadError { file: String::new(), line: 0, column: 0, message })
    }

    /// A complaint about a row of a table, counted from 0; the "lines" of a table begin at 1.
    pub fn in_row(row: usize, message: String) -> Unread {
        Unread::Refused(ReadError { file: String::new(), line: row + 1, column: 0, message })
    }
}

impl From<ReadError> for Unread {
    fn from(error: ReadError) -> Self {
        Unread::Refused(error)
    }
}

/// Reads a file, however long it takes.
pub fn path(path: &Path, options: &Options) -> Result<History, ReadError> {
    path_within(path, options, &Control::new(None, usize::MAX)).map_err(refused)
}

/// Reads the content of a file that is called `name` in complaints, however long it takes.
pub fn bytes(data: &[u8], name: &str, options: &Options) -> Result<History, ReadError> {
    bytes_within(data, name, options, &Control::new(None, usize::MAX)).map_err(refused)
}

/// Without a limit nothing is stopped.
fn refused(unread: Unread) -> ReadError {
    match unread {
        Unread::Refused(error) => error,
        Unread::Stopped(cause) => unreachable!("a budget without end was used up: {cause:?}"),
    }
}

/// Reads a file within a budget of time and memory: the text if it is loaded, the values and the columns count.
pub fn path_within(path: &Path, options: &Options, control: &Control) -> Result<History, Unread> {
    let name = path.display().to_string();
    let data = source::load(path).map_err(|error| whole_file(&name, format!("cannot be read: {error}")))?;
    let meter = Meter::new(control);
    let builder = parsed(&data, &name, options, &meter)?;
    drop(data); // ordering the events needs room, too
    finished(builder, &name, &meter)
}

/// Reads the content of a file within a budget.
pub fn bytes_within(data: &[u8], name: &str, options: &Options, control: &Control) -> Result<History, Unread> {
    let meter = Meter::new(control);
    finished(parsed(data, name, options, &meter)?, name, &meter)
}

fn finished(builder: Builder, name: &str, meter: &Meter) -> Result<History, Unread> {
    let values = builder.values.bytes();
    builder.finish_unless(&|| meter.stops(values)).map_err(|unfinished| match unfinished {
        Unfinished::Refused(complaint) => on_line(name, complaint).into(),
        Unfinished::Stopped => Unread::Stopped(meter.cause()),
    })
}

/// The operations that a file tells of, at least one.
fn parsed(data: &[u8], name: &str, options: &Options, meter: &Meter) -> Result<Builder, Unread> {
    let unpacked;
    let data = if source::is_packed(data) {
        unpacked = source::unpack(data, source::LARGEST, |bytes| meter.load(bytes)).map_err(|why| match why {
            Packed::Broken(message) => Unread::Refused(whole_file(name, message)),
            Packed::Stopped(cause) => Unread::Stopped(cause),
        })?;
        &unpacked
    } else {
        data
    };
    let text = source::text(data, name)?;
    if sniff::is_blank(text) {
        return Err(whole_file(name, sniff::EMPTY.to_owned()).into());
    }
    let format = match options.format {
        Some(format) => format,
        None => sniff::sniff_text(text, options).map_err(|message| whole_file(name, message))?,
    };
    if options.sort_by_time && matches!(format, Format::JepsenLog | Format::Violin | Format::Violat | Format::Csv) {
        let message = format!("cannot be sorted by time: events of the format {} have none", format.name());
        return Err(whole_file(name, message).into());
    }
    let is_missing = |pair: &&(String, String)| !text.contains(pair.0.as_str());
    let of_operations = options.operations();
    if let Some((foreign, _)) = options.map.iter().filter(is_missing).find(|pair| !of_operations.contains(pair)) {
        let message = format!("no field is called {}: expected the names of its own fields in --map", Quoted(foreign));
        return Err(whole_file(name, message).into());
    }
    let builder = match format {
        Format::Jsonl => jsonl::read(text, options, meter),
        Format::JepsenEdn => jepsen_edn::read(text, options, meter),
        Format::JepsenLog => jepsen_log::read(text, options, meter),
        Format::JepsenJson => jepsen_json::read(text, options, meter),
        Format::PorcupineKv => porcupine::read(text, options, meter),
        Format::Violin => violin::read(text, meter),
        Format::Violat => violat::read(text, meter),
        Format::Csv => csv::read(text, options, meter),
    };
    let mut builder = match builder {
        Err(mut fault) => {
            if let Some(map) = foreign::wanted(text, format, options, &fault.message) {
                let stop = if fault.message.ends_with(['.', ')']) { "" } else { "." };
                fault.message += &format!("{stop} {map}");
            }
            return Err(meter.stopped().map_or_else(|| fault.place(text, name).into(), Unread::Stopped));
        }
        Ok(builder) if meter.stops(builder.values.bytes()) => {
            return Err(Unread::Stopped(meter.cause()));
        }
        Ok(builder) => builder,
    };
    (builder.rename_crashed, builder.operations) = (options.rename_crashed, of_operations);
    if builder.is_empty() {
        return Err(whole_file(name, "no operation in the file: expected operations".to_owned()).into());
    }
    Ok(builder)
}

/// A complaint about the file as a whole.
fn whole_file(name: &str, message: String) -> ReadError {
    ReadError { file: name.to_owned(), line: 0, column: 0, message }
}

/// A complaint about the line of an operation.
fn on_line(name: &str, complaint: Complaint) -> ReadError {
    ReadError { file: name.to_owned(), line: complaint.line, column: 0, message: complaint.message }
}

/// The value of a JSON text, such as [`write::value`](crate::write::value) writes; or what is wrong with it.
pub fn value(text: &str, values: &mut crate::Values) -> Result<crate::ValueId, String> {
    let mut json = json::Json::native(text);
    json.spaces();
    let found = json.value(values).map_err(|fault| fault.message)?;
    json.spaces();
    if json.cursor.at < text.len() { Err("there is something behind the value".to_owned()) } else { Ok(found) }
}
