//! How does a plain table become a history column by column, and become the one that its rows would make?
//!
//! Times are taken over as they are, and an operation's status is known from them and its type. What is left is to number values: in the
//! order of the rows, and of the cells of a row, a value is numbered where it is met first. A word of a dictionary is looked up once, and a
//! whole number among the dense ones of [`crate::Values`]. Meanwhile another thread puts the events in order.
//!
//! A column that is no field of an operation, a time that is no number, whatever would be refused or kept beside the operation: that is
//! [`Why::Odd`], and the file is read anew, row by row, by those who know what to say. O(cells).

use super::pages::{Cells, Column};
use super::{LOOK, Why, both};
use crate::builder::{MOST, Unfinished};
use crate::order::order_unless;
use crate::read::meter::{Meter, Watch as _};
use crate::read::table::{Table, read_json, unread};
use crate::read::{Options, Unread};
use crate::{Builder, History, Status, ValueId, Values};
use linpoint_base::Control;

/// The place of a field among the columns, where it has one.
#[derive(Default)]
struct Places {
    process: usize,
    f: usize,
    call: usize,
    result: Option<usize>,
    ret: Option<usize>,
    kind: Option<usize>,
}

/// A history in the making.
pub(super) struct Columnwise<'o> {
    places: Places,
    /// The columns of values: place, field, and whether their texts hold JSON.
    of_values: Vec<(usize, u8, bool)>,
    options: &'o Options,
    builder: Builder,
}

impl<'o> Columnwise<'o> {
    /// For a table with so many columns.
    pub fn new(mut table: Table<'o>, columns: usize) -> Result<Self, Why> {
        let options = table.options();
        let (mut places, mut of_values) = (Places::default(), Vec::new());
        for place in 0..columns {
            let (field, json) = table.known(place).ok_or(Why::Odd)?;
            match field {
                0 => places.process = place,
                1 => places.f = place,
                3 => places.result = Some(place),
                4 => places.call = place,
                5 => places.ret = Some(place),
                7 => places.kind = Some(place),
                _ => {}
            }
            if json && !matches!(field, 2 | 3) || options.failed_cas {
                return Err(Why::Odd);
            }
            if !matches!(field, 4 | 5) {
                of_values.push((place, field, json));
            }
        }
        Ok(Columnwise { places, of_values, options, builder: table.take().builder })
    }

    /// Adds what the cells of a group of rows say but their values: times and statuses.
    pub fn add_moments(&mut self, columns: &mut [Column], rows: usize) -> Result<(), Why> {
        let Places { process, f, call, ret, kind, .. } = self.places;
        let is_whole = |place: usize| columns[place].present.is_none();
        let names = matches!(columns[process].cells, Cells::Ints(_) | Cells::Texts(..))
            && matches!(columns[f].cells, Cells::Texts(..));
        if !(names && is_whole(process) && is_whole(f) && is_whole(call)) || self.builder.len() + rows > MOST {
            return Err(Why::Odd);
        }
        let calls = columns[call].take_ints().ok_or(Why::Odd)?;
        let (rets, returned) = match ret {
            None => (calls.clone(), vec![false; rows]),
            Some(place) => {
                let mut rets = columns[place].take_ints().ok_or(Why::Odd)?;
                let returned = columns[place].present.take().unwrap_or_else(|| vec![true; rows]);
                for row in (0..rows).filter(|&row| !returned[row]) {
                    rets[row] = calls[row];
                }
                (rets, returned)
            }
        };
        let status = |&returned: &bool| if returned { Status::Ok } else { Status::Info };
        let first = self.builder.status.len();
        self.builder.status.extend(returned.iter().map(status));
        if let Some(place) = kind {
            let told = self.statuses(&columns[place], rows).ok_or(Why::Odd)?;
            for (row, status) in told.into_iter().enumerate() {
                let Some(status) = status else { continue };
                if status != Status::Info && !returned[row] {
                    return Err(Why::Odd);
                }
                self.builder.status[first + row] = status;
            }
        }
        append(&mut self.builder.call, calls);
        append(&mut self.builder.ret, rets);
        append(&mut self.builder.has_return, returned);
        self.builder.line.resize(first + rows, 0);
        Ok(())
    }

    /// What a column of types says.
    fn statuses(&self, column: &Column, rows: usize) -> Option<Vec<Option<Status>>> {
        let Cells::Texts(cells, words) = &column.cells else { return None };
        let status = |word: usize| match self.options.kind(words.get(word)) {
            "ok" => Some(Status::Ok),
            "fail" => Some(Status::Fail),
            "info" => Some(Status::Info),
            _ => None,
        };
        let of_word: Vec<Option<Status>> = (0..words.len()).map(status).collect();
        let told = |row: usize| match &column.present {
            Some(present) if !present[row] => Some(None),
            _ => of_word[cells[row] as usize].map(Some),
        };
        (0..rows).map(told).collect()
    }

    /// Adds the values of a group whose moments were added.
    pub fn add_values(&mut self, columns: &[Column], rows: usize, meter: &Meter<'_>) -> Result<(), Why> {
        let builder = &mut self.builder;
        let first = builder.f.len();
        for column in [&mut builder.process, &mut builder.f, &mut builder.value, &mut builder.result] {
            column.resize(first + rows, ValueId::NULL);
        }
        builder.key.resize(first + rows, ValueId::ABSENT);
        meter.hold(builder);
        let Builder { values, process, f, key, value, result, .. } = builder;
        let ids = |column| Some(<[ValueId]>::get_mut(column, first..).unwrap_or_default());
        let mut by_field = [ids(process), ids(f), ids(value), ids(result), None, None, ids(key), None];
        let source = |&(place, field, json): &(usize, u8, bool)| {
            let ids = by_field[usize::from(field)].take().unwrap_or_default();
            Source::new(&columns[place], json, ids)
        };
        let mut sources: Vec<Source<'_, '_>> = self.of_values.iter().map(source).collect();
        for row in 0..rows {
            for source in &mut sources {
                source.read(row, values).ok_or(Why::Odd)?;
            }
            if row % LOOK == 0 && meter.stops(values.bytes()) {
                return Err(Unread::Stopped(meter.cause()).into());
            }
        }
        // The result of an operation that did not end well is kept beside it.
        let beside = |row: usize| builder.status[row] != Status::Ok && builder.result[row] != ValueId::NULL;
        let plain = self.places.result.is_none() || !(first..first + rows).any(beside);
        if plain { Ok(()) } else { Err(Why::Odd) }
    }

    /// Adds the values of the last group and gives the history.
    pub fn finish(
        mut self,
        (columns, rows): (&[Column], usize),
        meter: &Meter<'_>,
        threads: usize,
        control: &Control,
    ) -> Result<History, Why> {
        let stops = || control.expired().is_some();
        let (returns, (call, ret)) = (self.builder.returns(), self.builder.take_times());
        let order = || order_unless(&call, &ret, &returns, &stops);
        let (added, order) = both(threads > 1, || self.add_values(columns, rows, meter), order);
        added?;
        let refused = self.builder.refuse_backward(&call, &ret).map_err(Unfinished::Refused);
        let ordered = refused.and_then(|()| order.ok_or(Unfinished::Stopped));
        let history = ordered.and_then(|order| self.builder.finish_ordered((call, ret), order, &stops));
        history.map_err(|unfinished| unread(unfinished, control).into())
    }
}

/// Adds a column to another; the first is not copied.
fn append<T>(to: &mut Vec<T>, mut more: Vec<T>) {
    if to.is_empty() {
        *to = more;
    } else {
        to.append(&mut more);
    }
}

/// A column whose values are numbered.
struct Source<'c, 'i> {
    column: &'c Column,
    json: bool,
    /// The ids of words that were met; [`ValueId::ABSENT`] until then.
    known: Vec<ValueId>,
    /// Where the ids go; nowhere if this is empty.
    ids: &'i mut [ValueId],
}

impl<'c, 'i> Source<'c, 'i> {
    fn new(column: &'c Column, json: bool, ids: &'i mut [ValueId]) -> Self {
        let words = if let Cells::Texts(_, words) = &column.cells { words.len() } else { 0 };
        Source { column, json, known: vec![ValueId::ABSENT; words], ids }
    }

    /// Numbers the value of a row, if it is there; None if it is none.
    #[inline]
    fn read(&mut self, row: usize, values: &mut Values) -> Option<()> {
        if self.column.present.as_ref().is_some_and(|present| !present[row]) {
            return Some(());
        }
        let id = match &self.column.cells {
            Cells::Ints(cells) => values.int(cells[row]),
            Cells::Bools(cells) => values.bool(cells[row]),
            Cells::Texts(cells, words) => {
                let word = cells[row] as usize;
                if self.known[word] == ValueId::ABSENT {
                    let text = words.get(word);
                    self.known[word] = if self.json { read_json(text, values).ok()? } else { values.text(text) };
                }
                self.known[word]
            }
        };
        if let Some(place) = self.ids.get_mut(row) {
            *place = id;
        }
        Some(())
    }
}
