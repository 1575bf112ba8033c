//! From a Parquet file to a history, without pyarrow, if the table is plain: columns of whole numbers, texts and truth values.
//!
//! That is what our own files and most logs are. Everything else (nested values, times, floats, other codecs, files that are broken) is left to
//! pyarrow: [`parquet_within`] gives None, and whoever asked asks there, so the same is read and the same is said of what cannot be read.
//! The crate parquet takes minutes of CPU time to build, and importing pyarrow a third of the time in which it reads a million rows.
//!
//! Columns are unpacked side by side by all cores, one group of rows after the other. Where every column is a field of an operation they make
//! the history column by column ([`columnwise`]); otherwise the rows are read in pieces ([`super::pieces`]) as those of any table, and a word of a
//! dictionary is looked up once per piece. O(bytes), and room for the cells of one group.
//!
//! Format: <https://parquet.apache.org/docs/file-format/>.

mod codec;
mod columnwise;
mod footer;
mod pages;
mod schema;
#[cfg(test)]
mod tests;
mod thrift;

use super::meter::{Meter, Watch as _};
use super::pieces::{Cut, Pieces, Rows, Whole, processors, together};
use super::source::load;
use super::table::{Cell, Table};
use super::{Options, Unread};
use crate::{History, ValueId};
use columnwise::Columnwise;
use footer::{Chunk, Field, Footer, footer};
use linpoint_base::{Account, Control};
use pages::{Cells, Column, column};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

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
    let file = File { data, fields: &fields, groups: &groups, names: &names, options, control, cut };
    let by_columns = file.by_columns();
    match if matches!(by_columns, Err(Why::Odd)) { file.by_rows() } else { by_columns } {
        Ok(history) => Some(Ok(history)),
        Err(Why::Unread(unread)) => Some(Err(unread)),
        Err(Why::NotOurs | Why::Odd) => None,
    }
}

/// Why there is no history.
enum Why {
    /// Its rows have to be looked at.
    Odd,
    /// It is not for us to read.
    NotOurs,
    Unread(Unread),
}

impl From<Unread> for Why {
    fn from(unread: Unread) -> Why {
        Why::Unread(unread)
    }
}

/// A plain file, and how it is to be read.
struct File<'f> {
    data: &'f [u8],
    fields: &'f [Field],
    groups: &'f [(usize, Vec<Chunk>)],
    names: &'f [&'f str],
    options: &'f Options,
    control: &'f Control,
    cut: &'f Cut,
}

impl<'f> File<'f> {
    fn by_columns(&self) -> Result<History, Why> {
        let (mut history, meter) = (Columnwise::new(self.table()?, self.names.len())?, Meter::new(self.control));
        let (last, others) = self.groups.split_last().ok_or(Why::Odd)?;
        for (rows, chunks) in others {
            let mut columns = self.unpacked(chunks, *rows, &meter)?;
            history.add_moments(&mut columns, *rows)?;
            history.add_values(&columns, *rows, &meter)?;
        }
        let mut columns = self.unpacked(&last.1, last.0, &meter)?;
        history.add_moments(&mut columns, last.0)?;
        history.finish((&columns, last.0), &meter, self.threads(last.0), self.control)
    }

    fn by_rows(&self) -> Result<History, Why> {
        let (mut table, meter, mut first) = (self.table()?, Meter::new(self.control), 0);
        for (rows, chunks) in self.groups {
            let columns = self.unpacked(chunks, *rows, &meter)?;
            let group = Group { names: self.names, columns, rows: *rows, options: self.options, piece: self.cut.piece };
            let mut from = 0;
            if self.threads(*rows) > 1 {
                let mut whole = table.take();
                let done = together(&group, &meter, self.threads(*rows), &mut whole);
                table.put(whole);
                from = done.map_err(|_| Unread::Stopped(meter.cause()))?;
            }
            group.append(&mut table, from..*rows, first, &meter)?;
            first += rows;
        }
        Ok(table.history(self.control)?)
    }

    fn table(&self) -> Result<Table<'f>, Why> {
        Table::new(self.names, self.options).map_err(|_| Why::NotOurs) // pyarrow's turn to complain
    }

    /// So many threads are of use for so many rows.
    fn threads(&self, rows: usize) -> usize {
        if rows < 2 * self.cut.piece { 1 } else { self.cut.threads }
    }

    /// The columns of a group, unpacked by all threads.
    fn unpacked(&self, chunks: &[Chunk], rows: usize, meter: &Meter<'_>) -> Result<Vec<Column>, Why> {
        let mut by_size: Vec<usize> = (0..self.fields.len()).collect();
        by_size.sort_by_key(|&place| std::cmp::Reverse(chunks[place].length));
        let (next, columns) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            while let Some(&place) = by_size.get(next.fetch_add(1, Relaxed)) {
                let mut account = Account::alone(self.control);
                let column = column(self.data, &self.fields[place], &chunks[place], &mut account);
                columns.lock().unwrap_or_else(PoisonError::into_inner).push((place, column, account));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads(rows).min(self.fields.len()) {
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break; // fewer threads will do
                }
            }
            work();
        });
        let mut columns = columns.into_inner().unwrap_or_else(PoisonError::into_inner);
        columns.sort_by_key(|(place, ..)| *place);
        let columns: Option<Vec<Column>> = columns.into_iter().map(|(_, column, _)| column).collect();
        let Some(columns) = columns else {
            return Err(self.control.expired().map_or(Why::NotOurs, |cause| Unread::Stopped(cause).into()));
        };
        meter.load(columns.iter().map(Column::bytes).sum()).map_err(Unread::Stopped)?;
        Ok(columns)
    }
}

/// Does two things at once; one after the other where no thread can be had.
fn both<A, B: Send>(at_once: bool, here: impl FnOnce() -> A, there: impl Fn() -> B + Sync) -> (A, B) {
    std::thread::scope(|scope| {
        let thread = at_once.then(|| std::thread::Builder::new().spawn_scoped(scope, &there).ok());
        let one = here();
        let other = match thread.flatten() {
            Some(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => there(),
        };
        (one, other)
    })
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
