//! From a Parquet file to a history, without pyarrow, if the table is plain: columns of whole numbers, texts and truth values.
//!
//! That is what our own files and most logs are. Everything else (nested values, times, floats, other codecs, files that are broken) is left to
//! pyarrow: [`parquet_within`] gives None, and whoever asked asks there, so the same is read and the same is said of what cannot be read.
//! The crate parquet takes minutes of CPU time to build, and importing pyarrow a third of the time in which it reads a million rows.
//!
//! Columns are unpacked side by side by all cores, one group of rows after the other; then the rows are read in pieces ([`super::pieces`]) as
//! those of any table. A word of a dictionary is looked up once per piece. O(bytes), and room for the cells of one group.
//!
//! Format: <https://parquet.apache.org/docs/file-format/>.

mod codec;
mod footer;
mod pages;
mod schema;
mod thrift;

use super::meter::{Meter, Watch as _};
use super::pieces::{Cut, Pieces, Rows, Whole, processors, together};
use super::source::load;
use super::table::{Cell, Table};
use super::{Options, Unread};
use crate::{History, ValueId};
use footer::{Chunk, Field, Footer, footer};
use linpoint_base::{Account, Control};
use pages::{Cells, Column, column};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// So many rows are read between two looks at the budget.
const LOOK: usize = 4096;
/// Rows of a piece: what is made of them stays in the cache.
const PIECE: usize = 1 << 13;

/// The history in a Parquet file, within a budget; None if it is not for us to read.
pub fn parquet_path_within(path: &Path, options: &Options, control: &Control) -> Option<Result<History, Unread>> {
    parquet_within(&load(path).ok()?, options, control)
}

/// The same of the bytes of a file.
pub fn parquet_within(data: &[u8], options: &Options, control: &Control) -> Option<Result<History, Unread>> {
    read(data, options, control, &Cut { piece: PIECE, threads: processors() })
}

fn read(data: &[u8], options: &Options, control: &Control, cut: &Cut) -> Option<Result<History, Unread>> {
    let Footer { fields, groups } = footer(data)?;
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let mut table = Table::new(&names, options).ok()?; // pyarrow's turn to complain
    let (meter, mut first) = (Meter::new(control), 0);
    for (rows, chunks) in groups {
        let threads = if rows < 2 * cut.piece { 1 } else { cut.threads };
        let Some(columns) = unpacked(data, &fields, &chunks, threads, control) else {
            return control.expired().map(|cause| Err(Unread::Stopped(cause)));
        };
        let group = Group { names: &names, columns, rows, options, piece: cut.piece };
        if meter.load(group.columns.iter().map(Column::bytes).sum()).is_err() {
            return Some(Err(Unread::Stopped(meter.cause())));
        }
        let mut from = 0;
        if threads > 1 {
            let mut whole = table.take();
            let done = together(&group, &meter, threads, &mut whole);
            table.put(whole);
            match done {
                Ok(done) => from = done,
                Err(_) => return Some(Err(Unread::Stopped(meter.cause()))),
            }
        }
        if let Err(unread) = group.append(&mut table, from..rows, first, &meter) {
            return Some(Err(unread));
        }
        first += rows;
    }
    Some(table.history(control))
}

/// The columns of a group, unpacked by so many threads.
fn unpacked(data: &[u8], fields: &[Field], chunks: &[Chunk], threads: usize, control: &Control) -> Option<Vec<Column>> {
    let mut by_size: Vec<usize> = (0..fields.len()).collect();
    by_size.sort_by_key(|&place| std::cmp::Reverse(chunks[place].length));
    let (next, columns) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(&place) = by_size.get(next.fetch_add(1, Relaxed)) {
            let mut account = Account::alone(control);
            let column = column(data, &fields[place], &chunks[place], &mut account);
            columns.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((place, column, account));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(fields.len()) {
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break; // fewer threads will do
            }
        }
        work();
    });
    let mut columns = columns.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    columns.sort_by_key(|(place, ..)| *place);
    columns.into_iter().map(|(_, column, _)| column).collect()
}

/// A group of rows.
struct Group<'a> {
    names: &'a [&'a str],
    columns: Vec<Column>,
    rows: usize,
    options: &'a Options,
    piece: usize,
}

impl Group<'_> {
    /// Adds some of the rows to the table; the first row of the group is the `first` of the file.
    fn append(&self, table: &mut Table<'_>, rows: Range<usize>, first: usize, meter: &Meter<'_>) -> Result<(), Unread> {
        // The ids of the words of each column, as they are met: values are numbered in the order of the rows. Not where there are so many
        // words that they hardly repeat.
        let words = |column: &Column| match &column.cells {
            Cells::Texts(_, words) if words.len() <= rows.len() => words.len(),
            _ => 0,
        };
        let mut ids: Vec<Vec<ValueId>> =
            self.columns.iter().map(|column| vec![ValueId::ABSENT; words(column)]).collect();
        for row in rows {
            table.start(0);
            for (place, column) in self.columns.iter().enumerate() {
                let is_there = column.present.as_ref().is_none_or(|present| present[row]);
                let set = match &column.cells {
                    _ if !is_there => table.cell(place, Cell::Missing),
                    Cells::Ints(cells) => table.int(place, cells[row]),
                    Cells::Bools(cells) => table.cell(place, Cell::Bool(cells[row])),
                    Cells::Texts(cells, words) => {
                        let (word, text) = (cells[row] as usize, words.get(cells[row] as usize));
                        match ids[place].get_mut(word) {
                            Some(id) => table.word(place, text, id),
                            None => table.text(place, text),
                        }
                    }
                };
                set.map_err(|message| Unread::in_row(first + row, format!("column {}: {message}", self.names[place])))?;
            }
            table.end().map_err(|message| Unread::in_row(first + row, message))?;
            if row % LOOK == 0 {
                meter.hold(table.builder());
                if meter.stops(table.builder().values.bytes()) {
                    return Err(Unread::Stopped(meter.cause()));
                }
            }
        }
        Ok(())
    }
}

impl Pieces for Group<'_> {
    fn length(&self) -> usize {
        self.rows
    }

    fn end(&self, from: usize) -> usize {
        (from + self.piece).min(self.rows)
    }

    fn read(&self, from: usize, to: usize, rows: &mut Rows<'_>) -> bool {
        let Ok(mut table) = Table::new(self.names, self.options) else { return false };
        let is_plain = self.append(&mut table, from..to, 0, &rows.meter).is_ok();
        Whole { builder: rows.builder, clock: rows.clock, lines: rows.lines } = table.take();
        is_plain
    }
}
