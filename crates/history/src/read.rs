//! From a file to a history: which format is it, and what does it say?
//!
//! [`path`] and [`bytes`] read any [`Format`], packed with gzip or not, and sniff it unless the
//! options name it. Every reader is one pass over the bytes, straight into the columns; no
//! input makes it panic, recurse deeper than 100 levels or take more than linear time. An
//! error says file, line and column, what was expected there and what was found.

mod cursor;
mod edn;
pub(crate) mod entry;
pub(crate) mod events;
mod format;
mod jepsen_edn;
mod jepsen_json;
mod jepsen_log;
mod json;
pub mod jsonl;
mod lookalike;
mod names;
mod number;
mod porcupine;
mod recorder;
mod sniff;
mod source;
mod violat;
mod violin;

pub use format::Format;
pub use sniff::sniff;

use crate::{Complaint, History, ReadError};
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
}

/// Reads a file.
pub fn path(path: &Path, options: &Options) -> Result<History, ReadError> {
    let name = path.display().to_string();
    let data = source::load(path).map_err(|error| whole_file(&name, format!("cannot be read: {error}")))?;
    bytes(&data, &name, options)
}

/// Reads the content of a file that is called `name` in complaints.
pub fn bytes(data: &[u8], name: &str, options: &Options) -> Result<History, ReadError> {
    let unpacked;
    let data = if source::is_packed(data) {
        unpacked = source::unpack(data, source::LARGEST).map_err(|message| whole_file(name, message))?;
        &unpacked
    } else {
        data
    };
    let text = source::text(data, name)?;
    if sniff::is_blank(text) {
        return Err(whole_file(name, sniff::EMPTY.to_owned()));
    }
    let format = match options.format {
        Some(format) => format,
        None => sniff::sniff_text(text).map_err(|message| whole_file(name, message))?,
    };
    if options.sort_by_time && matches!(format, Format::JepsenLog | Format::Violin | Format::Violat) {
        return Err(whole_file(
            name,
            format!("cannot be sorted by time: events of the format {} have none", format.name()),
        ));
    }
    let builder = match format {
        Format::Jsonl => jsonl::read(text, options),
        Format::JepsenEdn => jepsen_edn::read(text, options),
        Format::JepsenLog => jepsen_log::read(text, options),
        Format::JepsenJson => jepsen_json::read(text, options),
        Format::PorcupineKv => porcupine::read(text, options),
        Format::Violin => violin::read(text),
        Format::Violat => violat::read(text),
    };
    let builder = builder.map_err(|fault| fault.place(text, name))?;
    if builder.is_empty() {
        return Err(whole_file(name, "no operation in the file: expected operations".to_owned()));
    }
    builder.finish().map_err(|complaint| on_line(name, complaint))
}

/// A complaint about the file as a whole.
fn whole_file(name: &str, message: String) -> ReadError {
    ReadError { file: name.to_owned(), line: 0, column: 0, message }
}

/// A complaint about the line of an operation.
fn on_line(name: &str, complaint: Complaint) -> ReadError {
    ReadError { file: name.to_owned(), line: complaint.line, column: 0, message: complaint.message }
}
