//! From a Parquet file to a history, without pyarrow, if the table is plain: columns of whole numbers, texts and truth values.
//!
//! That is what our own files and most logs are. Everything else (nested values, times, floats, other codecs, files that are broken) is left to
//! pyarrow: [`parquet_within`] gives None, and whoever asked asks there, so the same is read and the same is said of what cannot be read.
//! The crate parquet takes two minutes of CPU time to build, and importing pyarrow longer than reading a million rows here.
//!
//! Columns are unpacked side by side by all cores, one group of rows after the other; then the rows are dealt with as those of any table. A word of a
//! dictionary is looked up once. O(bytes), and room for the cells of one group.
//!
//! Format: <https://parquet.apache.org/docs/file-format/>.

mod codec;
mod footer;
mod pages;
mod schema;
mod thrift;

use super::source::load;
use super::table::{Cell, Table};
use super::{Options, Unread};
use crate::{History, ValueId};
use footer::{Chunk, Field, Footer, footer};
use linpoint_base::{Account, Control};
use pages::{Cells, Column, column};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// So many rows are read between two looks at the budget.
const LOOK: usize = 4096;
/// Fewer rows are unpacked before a thread would be running.
const LONG: usize = 1 << 14;

/// The history in a Parquet file, within a budget; None if it is not for us to read.
pub fn parquet_path_within(path: &Path, options: &Options, control: &Control) -> Option<Result<History, Unread>> {
    parquet_within(&load(path).ok()?, options, control)
}

/// The same of the bytes of a file.
pub fn parquet_within(data: &[u8], options: &Options, control: &Control) -> Option<Result<History, Unread>> {
    let Footer { fields, groups } = footer(data)?;
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let mut table = Table::new(&names, options).ok()?; // pyarrow's turn to complain
    let (mut account, mut row) = (Account::alone(control), 0);
    for (rows, chunks) in groups {
        let Some(columns) = unpacked(data, &fields, &chunks, rows, control) else {
            return control.expired().map(|cause| Err(Unread::Stopped(cause)));
        };
        if let Err(unread) = append(&mut table, &fields, &columns, rows, (&mut row, &mut account)) {
            return Some(Err(unread));
        }
    }
    Some(table.history(control))
}

/// The columns of a group, unpacked by as many threads as there are processors.
fn unpacked(data: &[u8], fields: &[Field], chunks: &[Chunk], rows: usize, control: &Control) -> Option<Vec<Column>> {
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
    let threads = if rows < LONG { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
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

/// Adds the rows of a group to the table.
fn append(
    table: &mut Table<'_>,
    fields: &[Field],
    columns: &[Column],
    rows: usize,
    (number, account): (&mut usize, &mut Account<'_>),
) -> Result<(), Unread> {
    // The ids of the words of each column, as they are met: values are numbered in the order of the rows.
    let words = |column: &Column| if let Cells::Texts(_, words) = &column.cells { words.len() } else { 0 };
    let mut ids: Vec<Vec<ValueId>> = columns.iter().map(|column| vec![ValueId::ABSENT; words(column)]).collect();
    let held: usize =
        columns.iter().map(Column::bytes).sum::<usize>() + ids.iter().map(|ids| 4 * ids.len()).sum::<usize>();
    for row in 0..rows {
        table.start(0);
        for (place, column) in columns.iter().enumerate() {
            let is_there = column.present.as_ref().is_none_or(|present| present[row]);
            let set = match &column.cells {
                _ if !is_there => table.cell(place, Cell::Missing),
                Cells::Ints(cells) => table.int(place, cells[row]),
                Cells::Bools(cells) => table.cell(place, Cell::Bool(cells[row])),
                Cells::Texts(cells, words) => {
                    let word = cells[row] as usize;
                    table.word(place, words.get(word), &mut ids[place][word])
                }
            };
            set.map_err(|message| Unread::in_row(*number, format!("column {}: {message}", fields[place].name)))?;
        }
        table.end().map_err(|message| Unread::in_row(*number, message))?;
        *number += 1;
        if row % LOOK == 0 {
            account.configurations += LOOK as u64;
            let table = table.builder().bytes() + table.builder().values.bytes();
            if let Some(cause) = account.poll(held + table, 0) {
                return Err(Unread::Stopped(cause));
            }
        }
    }
    Ok(())
}
