//! Operations in a table: a row each, a column per field. Shared by CSV and data frames.
//!
//! Columns have the names of [`super::jsonl`]'s fields. One that is called `value_json` (or `result_json`, `key_json`, `process_json`,
//! `extra_json`) holds JSON in texts: so a table whose columns have one type each can hold any value, whichever tool it passed
//! through. An empty cell is a missing field. What is not known is kept as an extra field, unless it resembles a
//! field that is missing. Costs one pass; a row allocates nothing unless it holds a new value.

use super::cursor::{Quoted, Read};
use super::entry::named_entries;
use super::foreign::wanted_of_columns;
use super::json::Json;
use super::pieces::Whole;
use super::row::{FIELDS, Field, Line, Moment, RETURN, likeness, operation};
use super::{Options, Unread};
use crate::builder::Unfinished;
use crate::time::Clock;
use crate::{Builder, Complaint, History, Status, Time, Value, ValueId, Values};
use linpoint_base::{Cause, Control};

/// What one cell of a row holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Nothing: an empty cell, a null, NaN.
    Missing,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number; whole ones are what they equal.
    Float(f64),
    /// A text, and nothing but a text.
    Text(&'a str),
    /// Seconds since 1970, and whether a zone is named.
    Time(Time, bool),
    /// Any value, interned in the table's own [`Table::values`].
    Value(ValueId),
}

/// What a column means.
#[derive(Clone, Copy)]
struct Column {
    field: Field,
    /// Do its texts hold JSON?
    json: bool,
}

/// Gathers rows; [`Table::history`] makes the history.
pub struct Table<'o> {
    builder: Builder,
    columns: Vec<Column>,
    clock: Clock,
    /// Was a call a date of the table's own type?
    is_dated: bool,
    line: Line,
    extra: Vec<(ValueId, ValueId)>,
    options: &'o Options,
}

impl<'o> Table<'o> {
    /// A table with columns of these names; refuses, in words, names that stand twice or resemble a field that is missing.
    pub fn new(names: &[&str], options: &'o Options) -> Result<Self, String> {
        let mut builder = Builder::new();
        let names: Vec<&str> = names.iter().map(|name| options.renamed(name.trim())).collect();
        let mut columns: Vec<Column> = Vec::with_capacity(names.len());
        let mut seen = 0;
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                return Err(format!("two columns are called {}", Quoted(name)));
            }
            let plain = name.strip_suffix("_json").filter(|plain| *plain == "extra" || FIELDS.contains(plain));
            let field = Field::named(&mut builder.values, plain.unwrap_or(name));
            if let Field::Known(known) = field {
                if seen & 1 << known != 0 {
                    return Err(format!("two columns are the {} of an operation", FIELDS[known as usize]));
                }
                seen |= 1 << known;
            }
            if let Field::Duration(_) = field {
                seen |= RETURN;
            }
            columns.push(Column { field, json: plain.is_some() });
        }
        refuse_lookalikes(&names, seen, options)?;
        (builder.rename_crashed, builder.operations) = (options.rename_crashed, options.operations());
        let (clock, line, extra) = (Clock::default(), Line::new(0, 0), Vec::new());
        Ok(Table { builder, columns, clock, is_dated: false, line, extra, options })
    }

    /// The table that the values of cells are interned in.
    pub fn values(&mut self) -> &mut Values {
        &mut self.builder.values
    }

    /// What was gathered so far.
    pub fn builder(&self) -> &Builder {
        &self.builder
    }

    /// Is this column a time? Then its cells are best given as they are written.
    pub fn is_time(&self, column: usize) -> bool {
        matches!(self.columns[column].field, Field::Known(4 | 5))
    }

    /// Is this column a name (of an operation, of a type), whose cells are texts whatever they look like?
    pub fn is_name(&self, column: usize) -> bool {
        matches!(self.columns[column].field, Field::Known(1 | 7))
    }

    /// Which of the fields a column is, and whether its texts hold JSON; None if it is none that is known.
    pub(super) fn known(&self, column: usize) -> Option<(u8, bool)> {
        match self.columns[column] {
            Column { field: Field::Known(known), json } => Some((known, json)),
            _ => None,
        }
    }

    /// How it is to be read.
    pub(super) fn options(&self) -> &'o Options {
        self.options
    }

    /// Begins a row, which stands in this line of the file (0: in none).
    pub fn start(&mut self, line: u32) {
        self.line = Line::new(0, line);
        self.extra.clear();
    }

    /// Sets a cell that holds a whole number: what [`Table::cell`] does with it, on the short way. Most cells are of this kind.
    #[inline]
    pub fn int(&mut self, column: usize, number: i64) -> Result<(), String> {
        let Field::Known(known @ (0 | 2..=5)) = self.columns[column].field else {
            return self.cell(column, Cell::Int(number));
        };
        let (line, values) = (&mut self.line, &mut self.builder.values);
        line.seen |= 1 << known;
        match known {
            0 => line.process = values.int(number),
            2 => line.value = values.int(number),
            3 => line.result = values.int(number),
            4 => line.call = Moment::Int(number),
            _ => line.ret = Moment::Int(number),
        }
        Ok(())
    }

    /// Sets a cell that holds a text, likewise.
    #[inline]
    pub fn text(&mut self, column: usize, text: &str) -> Result<(), String> {
        let Column { field: Field::Known(known @ (0..=3)), json: false } = self.columns[column] else {
            return self.cell(column, Cell::Text(text));
        };
        self.line.seen |= 1 << known;
        let id = self.builder.values.text(text);
        self.set(known, id);
        Ok(())
    }

    /// Sets a cell that holds a text which many rows may share: `id` is its id, absent until the first of them. What [`Table::cell`] does
    /// with it, on the short way.
    #[inline]
    pub(super) fn word(&mut self, column: usize, text: &str, id: &mut ValueId) -> Result<(), String> {
        let Column { field: Field::Known(known @ (0..=3)), json: false } = self.columns[column] else {
            return self.cell(column, Cell::Text(text));
        };
        if *id == ValueId::ABSENT {
            *id = self.builder.values.text(text);
        }
        self.line.seen |= 1 << known;
        self.set(known, *id);
        Ok(())
    }

    /// Sets one of the first four fields.
    #[inline]
    fn set(&mut self, known: u8, id: ValueId) {
        match known {
            0 => self.line.process = id,
            1 => self.line.f = id,
            2 => self.line.value = id,
            _ => self.line.result = id,
        }
    }

    /// Sets a cell of the row; the error says what was expected.
    pub fn cell(&mut self, column: usize, cell: Cell<'_>) -> Result<(), String> {
        let Column { field, json } = self.columns[column];
        let cell = match cell {
            Cell::Text(text) if json => Cell::Value(read_json(text, &mut self.builder.values)?),
            other => other,
        };
        let (line, values) = (&mut self.line, &mut self.builder.values);
        if let Field::Known(known) = field
            && (cell != Cell::Missing || known == 5)
        {
            line.seen |= 1 << known;
        }
        match (field, cell) {
            (_, Cell::Missing) => {}
            (Field::Known(0), cell) => {
                line.process = id(cell, values);
                if !matches!(values.get(line.process), Value::Int(_) | Value::Big(_) | Value::Text(_)) {
                    return Err(unlike("a process: a whole number or a text", values, line.process));
                }
            }
            (Field::Known(1), cell) => {
                line.f = id(cell, values);
                if values.as_text(line.f).is_none() {
                    return Err(unlike("the name of an operation", values, line.f));
                }
            }
            (Field::Known(2), cell) => line.value = id(cell, values),
            (Field::Known(3), cell) => line.result = id(cell, values),
            (Field::Known(4), cell) => {
                self.is_dated |= matches!(cell, Cell::Time(..));
                line.call = moment(cell, &mut self.clock, values)?;
            }
            (Field::Known(5), cell) => line.ret = moment(cell, &mut self.clock, values)?,
            (Field::Known(6), cell) => match id(cell, values) {
                ValueId::NULL => {}
                key => line.key = key,
            },
            (Field::Known(_), cell) => {
                let kind = id(cell, values);
                line.kind = Some(match values.as_text(kind).map(|word| self.options.kind(word)) {
                    Some("ok") => Status::Ok,
                    Some("fail") => Status::Fail,
                    Some("info") => Status::Info,
                    _ => return Err(unlike("a type: ok, fail or info", values, kind)),
                });
            }
            (Field::Extras, cell) => {
                let all = id(cell, values);
                let Some(entries) = named_entries(values, all) else {
                    return Err(unlike("extra fields: a JSON object", values, all));
                };
                self.extra.extend(entries);
            }
            (Field::Duration(name), cell) => {
                line.duration = id(cell, values);
                self.extra.push((name, line.duration));
            }
            (Field::Extra(name, _), cell) => {
                let value = id(cell, values);
                self.extra.push((name, value));
            }
        }
        Ok(())
    }

    /// Adds the row to the history.
    pub fn end(&mut self) -> Result<(), String> {
        self.line.lasted(&self.builder.values, self.is_dated || self.clock.is_dated())?;
        operation(&self.line, &mut self.extra, self.options, &mut self.builder).map_err(|fault| fault.message)
    }

    /// Takes out what was gathered.
    pub(super) fn take(&mut self) -> Whole {
        let (builder, clock) = (std::mem::take(&mut self.builder), std::mem::take(&mut self.clock));
        Whole { builder, clock, lines: 0 }
    }

    /// Goes on with what was taken out.
    pub(super) fn put(&mut self, whole: Whole) {
        (self.builder, self.clock) = (whole.builder, whole.clock);
    }

    /// The operations.
    pub(super) fn into_builder(self) -> Builder {
        self.builder
    }

    /// The history, within a budget.
    pub fn history(self, control: &Control) -> Result<History, Unread> {
        self.builder.finish_unless(&|| control.expired().is_some()).map_err(|unfinished| unread(unfinished, control))
    }
}

/// Why a table is no history.
pub(super) fn unread(unfinished: Unfinished, control: &Control) -> Unread {
    match unfinished {
        Unfinished::Refused(Complaint { operation, message, .. }) => Unread::in_row(operation, message),
        Unfinished::Stopped => Unread::Stopped(control.expired().unwrap_or(Cause::Interrupted)),
    }
}

/// The value of a cell that is not missing.
fn id(cell: Cell<'_>, values: &mut Values) -> ValueId {
    match cell {
        Cell::Missing => ValueId::NULL,
        Cell::Bool(truth) => values.bool(truth),
        Cell::Int(number) => values.int(number),
        Cell::Float(number) if number.is_finite() => values.float(number),
        Cell::Float(_) => ValueId::NULL,
        Cell::Text(text) => values.text(text),
        Cell::Time(time, zoned) => values.text(&time.to_iso(zoned)),
        Cell::Value(id) => id,
    }
}

/// The time in a cell.
fn moment(cell: Cell<'_>, clock: &mut Clock, values: &Values) -> Result<Moment, String> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53: up to here every whole number is an f64
    match cell {
        Cell::Missing => Ok(Moment::None),
        Cell::Int(time) => Ok(Moment::Int(time)),
        Cell::Float(time) if time.is_nan() => Ok(Moment::None),
        Cell::Float(time) if time.fract() == 0.0 && time.abs() <= EXACT => Ok(Moment::Int(time as i64)),
        Cell::Float(time) => Time::number(&format!("{time:e}")).map(Moment::Exact),
        Cell::Text(text) => match text.parse() {
            Ok(time) => Ok(Moment::Int(time)),
            Err(_) => clock.read(text).map(Moment::Exact),
        },
        Cell::Time(time, _) => Ok(Moment::Exact(time)),
        Cell::Bool(truth) => Err(format!("expected a time, found {truth}")),
        Cell::Value(id) => match values.get(id) {
            Value::Null => Ok(Moment::None),
            Value::Int(time) => Ok(Moment::Int(*time)),
            Value::Float(bits) => Time::number(&format!("{:e}", f64::from_bits(*bits))).map(Moment::Exact),
            Value::Text(text) => clock.read(text).map(Moment::Exact),
            _ => Err(unlike("a time", values, id)),
        },
    }
}

fn unlike(expected: &str, values: &Values, id: ValueId) -> String {
    format!("expected {expected}, found {}", Quoted(&values.show(id)))
}

/// The value that a text of JSON is.
pub(super) fn read_json(text: &str, values: &mut Values) -> Result<ValueId, String> {
    let mut whole = |json: &mut Json<'_>| -> Read<ValueId> {
        json.spaces();
        let id = json.value(values)?;
        json.spaces();
        match json.cursor.peek() {
            None => Ok(id),
            Some(_) => Err(json.cursor.expected("the end of the value")),
        }
    };
    whole(&mut Json::native_array(text)).map_err(|fault| fault.message)
}

/// Refuses an unknown name that resembles a field which is missing: a whole column would mean nothing.
fn refuse_lookalikes(names: &[&str], seen: u8, options: &Options) -> Result<(), String> {
    for field in [0, 1, 4, 5, 2, 3, 6] {
        let like = |name: &&&str| likeness(name) & 1 << field != 0 && !FIELDS.contains(name);
        if seen & 1 << field == 0
            && let Some(name) = names.iter().find(like)
        {
            let known = FIELDS[field];
            let rename = wanted_of_columns(names, options).unwrap_or_else(|| format!("--map {name}={known}"));
            return Err(format!(
                "the column {} is unknown and {known} is missing: did you mean it? ({rename})",
                Quoted(name)
            ));
        }
    }
    match [0, 1, 4].into_iter().find(|field| seen & 1 << field == 0) {
        Some(field) => {
            let hint = wanted_of_columns(names, options).map_or(String::new(), |hint| format!(" ({hint})"));
            Err(format!("no column is called {}: expected at least process, f and call{hint}", FIELDS[field]))
        }
        None => Ok(()),
    }
}
