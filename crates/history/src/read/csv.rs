//! Tables as text: a header, then one operation per row.
//!
//! ```csv
//! process,f,value,result,call,return
//! 0,cas,"[1,2]",true,10,17
//! 1,write,3,,11,
//! ```
//!
//! RFC 4180, also with semicolons or tabs. Columns are those of [`super::table`]. A cell is the JSON value that it can be read as
//! (`1`, `true`, `[1,2]`, `"1"` in quotes of its own), and a text if it cannot; an empty one, and `NaN`, is missing. Names of
//! operations are texts, times are read digit by digit. Costs one pass.

use super::Options;
use super::cursor::{Cursor, Read, fault};
use super::meter::Watch;
use super::number::number;
use super::table::{Cell, Table, read_json};
use crate::{Builder, ValueId, Values};
use csv::{ByteRecord, ReaderBuilder};

/// What may stand between two cells.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// So many rows are read between two looks at the budget.
const LOOK: usize = 1024;

/// Reads all rows.
pub(super) fn read(text: &str, options: &Options, watch: &dyn Watch) -> Read<Builder> {
    let separator = separator_of(text.lines().next().unwrap_or_default());
    let mut rows = ReaderBuilder::new().delimiter(separator).has_headers(false).from_reader(text.as_bytes());
    let mut row = ByteRecord::new();
    let broken = |error: csv::Error| {
        let at = error.position().map_or(0, |place| place.byte() as usize);
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                fault(at, format!("expected {expected_len} cells as in the header, found {len}"))
            }
            _ => fault(at, format!("expected a row of a table: {error}")),
        }
    };
    rows.read_byte_record(&mut row).map_err(broken)?;
    let names: Vec<&str> = row.iter().map(utf8).collect();
    let mut table = Table::new(&names, options).map_err(|message| fault(0, message))?;
    let times: Vec<bool> = (0..names.len()).map(|column| table.is_time(column)).collect();
    let plain: Vec<bool> = (0..names.len()).map(|column| table.is_name(column)).collect();
    for count in 0.. {
        if !rows.read_byte_record(&mut row).map_err(broken)? {
            break;
        }
        let (at, line) = row.position().map_or((0, 0), |place| (place.byte() as usize, place.line() as u32));
        table.start(line);
        for (column, cell) in row.iter().map(utf8).enumerate() {
            let cell = match cell {
                "" => Cell::Missing,
                text if times[column] => Cell::Text(text.trim()),
                text if plain[column] => Cell::Text(text),
                text => guess(text, table.values()),
            };
            table.cell(column, cell).map_err(|message| fault(at, message))?;
        }
        table.end().map_err(|message| fault(at, message))?;
        if count % LOOK == 0 {
            watch.hold(table.builder());
            if watch.stops(table.builder().values.bytes()) {
                return Err(fault(at, super::cursor::STOPPED));
            }
        }
    }
    Ok(table.into_builder())
}

/// The file is UTF-8, and so are its cells.
fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The value that a cell can be read as, or its text.
fn guess<'a>(text: &'a str, values: &mut Values) -> Cell<'a> {
    match text.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => {
            let mut cursor = Cursor::new(text);
            match number(&mut cursor) {
                Ok(found) if cursor.at == text.len() => Cell::Value(found.intern(values)),
                _ => Cell::Text(text),
            }
        }
        Some(b'[' | b'{' | b'"') => read_json(text, values).map_or(Cell::Text(text), Cell::Value),
        _ => match text {
            "" | "NaN" => Cell::Missing,
            "null" => Cell::Value(ValueId::NULL),
            "true" | "false" => Cell::Bool(text == "true"),
            _ => Cell::Text(text),
        },
    }
}

/// Is a cell with this text read as a text?
pub(crate) fn guessed(text: &str, values: &mut Values) -> bool {
    matches!(guess(text, values), Cell::Text(_))
}

/// Does the text start with the header of a table: three names or more?
pub(super) fn is_header(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let name = |cell: &str| {
        let cell = cell.trim().trim_matches('"');
        cell.starts_with(char::is_alphabetic) && cell.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c))
    };
    let cells: Vec<&str> = line.split(separator_of(line) as char).collect();
    cells.len() >= 3 && cells.into_iter().all(name)
}

fn separator_of(line: &str) -> u8 {
    let count = |separator: &u8| line.bytes().filter(|byte| byte == separator).count();
    SEPARATORS.into_iter().rev().max_by_key(count).unwrap_or(b',')
}
