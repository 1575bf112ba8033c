//! From a stream of Arrow to a history: what is in a row of a data frame?
//!
//! Every type that pandas, polars and pyarrow give a column of values: numbers, texts, bytes, times, lists, structs, maps and
//! dictionaries (categories) of these. A null and NaN are missing. Costs one pass over the cells, straight into the columns of
//! the history.

use super::batches::{self, last_error};
use super::{ArrowArray, ArrowArrayStream, ArrowSchema, STREAM};
use linpoint_base::{Account, Control};
use linpoint_history::read::{Cell, Options, Table, Unread};
use linpoint_history::{History, Time, ValueId, Values};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;

/// So many rows are read between two looks at the budget.
const LOOK: i64 = 4096;
/// Types may be nested this deep and no deeper.
const DEEPEST: usize = 100;

/// How the cells of a column are read.
enum Kind {
    Null,
    Bool,
    /// Whole numbers of so many bytes, with a sign or without.
    Whole(usize, bool),
    Single,
    Double,
    /// Texts or bytes with offsets of so many bytes.
    Text(usize),
    Bytes(usize),
    /// Texts or bytes that stand in any buffer.
    TextView,
    BytesView,
    /// Bytes of this length.
    Fixed(usize),
    /// Times in units of ten to this power of seconds since 1970, and whether a zone is named.
    Stamp(i16, bool),
    /// Days since 1970 in four bytes, or milliseconds in eight.
    Date(usize),
    /// Decimals of 128 bits with so many digits behind the point.
    Decimal(i32),
    /// Lists with offsets of so many bytes, or of a fixed length.
    List(usize, Box<Kind>),
    FixedList(usize, Box<Kind>),
    Struct(Vec<(String, Kind)>),
    /// Lists of pairs.
    Map(Box<Kind>),
    /// Numbers of values in a dictionary.
    Dictionary(usize, bool, Box<Kind>),
}

/// The stream in a capsule, taken out of it.
pub fn taken(capsule: &Bound<'_, PyAny>) -> PyResult<ArrowArrayStream> {
    // SAFETY: a capsule of this name holds a stream; whoever takes it leaves one behind that counts as released.
    unsafe {
        let place = ffi::PyCapsule_GetPointer(capsule.as_ptr(), STREAM.as_ptr()).cast::<ArrowArrayStream>();
        if place.is_null() {
            return Err(PyErr::fetch(capsule.py()));
        }
        Ok(std::mem::replace(&mut *place, ArrowArrayStream::empty()))
    }
}

/// All rows of a stream as a history, within a budget.
pub fn history(mut stream: ArrowArrayStream, options: &Options, control: &Control) -> Result<History, Unread> {
    let mut schema = ArrowSchema::empty();
    let get_schema = stream.get_schema.ok_or_else(|| Unread::table("the stream is broken".to_owned()))?;
    // SAFETY: the stream is alive, and fills in an empty schema.
    if unsafe { get_schema(&mut stream, &mut schema) } != 0 {
        return Err(Unread::table(format!("the table cannot be read: {}", last_error(&mut stream))));
    }
    let columns = match kind(&schema, 0).map_err(Unread::table)? {
        Kind::Struct(columns) => columns,
        _ => return Err(Unread::table("expected a table with columns".to_owned())),
    };
    let names: Vec<&str> = columns.iter().map(|column| column.0.as_str()).collect();
    let mut table = Table::new(&names, options).map_err(Unread::table)?;
    let mut account = Account::alone(control);
    let mut row = 0;
    batches::each(
        stream,
        |why| Unread::table(format!("the table cannot be read: {why}")),
        |batch| {
            if batch.n_children != columns.len() as i64 {
                return Err(Unread::in_row(row, "a batch with other columns than the table".to_owned()));
            }
            for i in 0..batch.length {
                table.start(0);
                for (place, (name, kind)) in columns.iter().enumerate() {
                    // SAFETY: the batch has as many children as the schema, see above.
                    let child = unsafe { &**batch.children.add(place) };
                    set(&mut table, place, kind, child, i + batch.offset)
                        .map_err(|message| Unread::in_row(row, format!("column {name}: {message}")))?;
                }
                table.end().map_err(|message| Unread::in_row(row, message))?;
                row += 1;
                if i % LOOK == 0 {
                    account.configurations += LOOK as u64;
                    let held = table.builder().bytes() + table.builder().values.bytes();
                    if let Some(cause) = account.poll(held, 0) {
                        return Err(Unread::Stopped(cause));
                    }
                }
            }
            Ok(())
        },
    )?;
    table.history(control)
}

/// Sets the cell of a column to what stands in row `i` of its array. Whole numbers and texts go the short way.
#[inline]
fn set(table: &mut Table<'_>, place: usize, kind: &Kind, array: &ArrowArray, i: i64) -> Result<(), String> {
    let at = (i + array.offset) as usize;
    match kind {
        // SAFETY: see `cell`.
        Kind::Whole(8, true) if !is_null(array, at as i64) => table.int(place, unsafe { *raw::<i64>(array, 1, at) }),
        Kind::Text(width) if !is_null(array, at as i64) => table.text(place, text(slice(array, at, *width))?),
        _ => cell(kind, array, i, table.values()).and_then(|found| table.cell(place, found)),
    }
}

fn words(text: *const std::ffi::c_char) -> String {
    // SAFETY: the interface demands a text that ends with a zero.
    if text.is_null() { String::new() } else { unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned() }
}

/// How the cells of this type are read; an error in words for a type that has no values.
fn kind(schema: &ArrowSchema, depth: usize) -> Result<Kind, String> {
    if depth > DEEPEST {
        return Err(format!("values may be nested {DEEPEST} deep at most"));
    }
    let format = words(schema.format);
    // SAFETY: the schema has so many children, and a dictionary if the pointer says so.
    let child = |place: i64| -> Result<&ArrowSchema, String> {
        if place < schema.n_children {
            Ok(unsafe { &**schema.children.add(place as usize) })
        } else {
            Err(unknown(schema))
        }
    };
    let plain = match format.as_str() {
        "n" => Kind::Null,
        "b" => Kind::Bool,
        "c" => Kind::Whole(1, true),
        "C" => Kind::Whole(1, false),
        "s" => Kind::Whole(2, true),
        "S" => Kind::Whole(2, false),
        "i" => Kind::Whole(4, true),
        "I" => Kind::Whole(4, false),
        "l" => Kind::Whole(8, true),
        "L" => Kind::Whole(8, false),
        "f" => Kind::Single,
        "g" => Kind::Double,
        "u" => Kind::Text(4),
        "U" => Kind::Text(8),
        "vu" => Kind::TextView,
        "z" => Kind::Bytes(4),
        "Z" => Kind::Bytes(8),
        "vz" => Kind::BytesView,
        "tdD" => Kind::Date(4),
        "tdm" => Kind::Date(8),
        "+l" => Kind::List(4, Box::new(kind(child(0)?, depth + 1)?)),
        "+L" => Kind::List(8, Box::new(kind(child(0)?, depth + 1)?)),
        "+m" => Kind::Map(Box::new(kind(child(0)?, depth + 1)?)),
        "+s" => {
            let part = |place| child(place).and_then(|part| Ok((words(part.name), kind(part, depth + 1)?)));
            Kind::Struct((0..schema.n_children).map(part).collect::<Result<_, _>>()?)
        }
        other => {
            if let Some(unit) = other.strip_prefix("ts") {
                let power = match unit.as_bytes().first() {
                    Some(b's') => 0,
                    Some(b'm') => -3,
                    Some(b'u') => -6,
                    Some(b'n') => -9,
                    _ => return Err(unknown(schema)),
                };
                Kind::Stamp(power, !unit[1..].trim_start_matches(':').is_empty())
            } else if let Some(length) = other.strip_prefix("w:").and_then(|length| length.parse().ok()) {
                Kind::Fixed(length)
            } else if let Some(length) = other.strip_prefix("+w:").and_then(|length| length.parse().ok()) {
                Kind::FixedList(length, Box::new(kind(child(0)?, depth + 1)?))
            } else if let Some(digits) = other.strip_prefix("d:") {
                let parts: Vec<i32> = digits.split(',').filter_map(|part| part.parse().ok()).collect();
                match parts[..] {
                    [_, scale] | [_, scale, 128] => Kind::Decimal(scale),
                    _ => return Err(unknown(schema)),
                }
            } else {
                return Err(unknown(schema));
            }
        }
    };
    if schema.dictionary.is_null() {
        return Ok(plain);
    }
    // SAFETY: it is not null.
    let values = kind(unsafe { &*schema.dictionary }, depth + 1)?;
    match plain {
        Kind::Whole(bytes, signed) => Ok(Kind::Dictionary(bytes, signed, Box::new(values))),
        _ => Err(unknown(schema)),
    }
}

fn unknown(schema: &ArrowSchema) -> String {
    format!("column {}: the Arrow type {:?} holds no values of a history", words(schema.name), words(schema.format))
}

/// What stands in row `i` of the array, its offset counted in.
fn cell<'a>(kind: &Kind, array: &'a ArrowArray, i: i64, values: &mut Values) -> Result<Cell<'a>, String> {
    let at = (i + array.offset) as usize;
    if matches!(kind, Kind::Null) || is_null(array, i + array.offset) {
        return Ok(Cell::Missing);
    }
    // SAFETY (all of `raw`): the interface says which buffers an array of this type has, and that they hold every row.
    Ok(match kind {
        Kind::Null => Cell::Missing,
        Kind::Bool => Cell::Bool(unsafe { *raw::<u8>(array, 1, at / 8) } >> (at % 8) & 1 == 1),
        Kind::Whole(bytes, signed) => integer(array, at, *bytes, *signed, values),
        Kind::Single => real(f64::from(unsafe { *raw::<f32>(array, 1, at) }))?,
        Kind::Double => real(unsafe { *raw::<f64>(array, 1, at) })?,
        Kind::Text(width) => Cell::Text(text(slice(array, at, *width))?),
        Kind::Bytes(width) => Cell::Value(bytes(slice(array, at, *width), values)),
        Kind::TextView => Cell::Text(text(view(array, at))?),
        Kind::BytesView => Cell::Value(bytes(view(array, at), values)),
        Kind::Fixed(length) => {
            let all = unsafe { std::slice::from_raw_parts(raw::<u8>(array, 1, at * length), *length) };
            Cell::Value(bytes(all, values))
        }
        Kind::Stamp(power, zoned) => Cell::Time(Time::units(unsafe { *raw::<i64>(array, 1, at) }, *power), *zoned),
        Kind::Date(width) => {
            let seconds = match width {
                4 => i64::from(unsafe { *raw::<i32>(array, 1, at) }) * 86_400,
                _ => unsafe { *raw::<i64>(array, 1, at) }.div_euclid(1000),
            };
            let text = Time::units(seconds, 0).to_iso(false);
            Cell::Value(values.text(text.split('T').next().unwrap_or_default()))
        }
        Kind::Decimal(scale) => decimal(unsafe { raw::<i128>(array, 1, at).read_unaligned() }, *scale, values),
        Kind::List(width, part) => {
            let (from, to) = offsets(array, at, *width);
            Cell::Value(list(part, child(array, 0), from..to, values)?)
        }
        Kind::FixedList(length, part) => {
            let from = (at * length) as i64;
            Cell::Value(list(part, child(array, 0), from..from + *length as i64, values)?)
        }
        Kind::Struct(parts) => {
            let mut entries = Vec::with_capacity(parts.len());
            for (place, (name, part)) in parts.iter().enumerate() {
                let found = value(part, child(array, place), i + array.offset, values)?;
                entries.push((values.text(name), found));
            }
            Cell::Value(map(&entries, values)?)
        }
        Kind::Map(pair) => {
            let ((from, to), mut entries) = (offsets(array, at, 4), Vec::new());
            for place in from..to {
                if let Kind::Struct(parts) = &**pair
                    && let [(_, key), (_, item)] = &parts[..]
                {
                    let pairs = child(array, 0);
                    let place = place + pairs.offset;
                    entries.push((
                        value(key, child(pairs, 0), place, values)?,
                        value(item, child(pairs, 1), place, values)?,
                    ));
                }
            }
            Cell::Value(map(&entries, values)?)
        }
        Kind::Dictionary(width, signed, inner) => match integer(array, at, *width, *signed, values) {
            // SAFETY: an array of numbers in a dictionary has one.
            Cell::Int(place) => cell(inner, unsafe { &*array.dictionary }, place, values)?,
            _ => return Err("the number of a category is out of range".to_owned()),
        },
    })
}

/// The value in a row; null where it is missing.
fn value(kind: &Kind, array: &ArrowArray, i: i64, values: &mut Values) -> Result<ValueId, String> {
    Ok(match cell(kind, array, i, values)? {
        Cell::Missing => ValueId::NULL,
        Cell::Bool(truth) => values.bool(truth),
        Cell::Int(number) => values.int(number),
        Cell::Float(number) => values.float(number),
        Cell::Text(text) => values.text(text),
        Cell::Time(time, zoned) => values.text(&time.to_iso(zoned)),
        Cell::Value(id) => id,
    })
}

fn list(part: &Kind, array: &ArrowArray, places: std::ops::Range<i64>, values: &mut Values) -> Result<ValueId, String> {
    let parts = places.map(|place| value(part, array, place, values)).collect::<Result<Vec<_>, _>>()?;
    Ok(values.list(&parts))
}

fn map(entries: &[(ValueId, ValueId)], values: &mut Values) -> Result<ValueId, String> {
    values.map(entries).map_err(|key| format!("a map has the key {} twice", values.show(key)))
}

fn real<'a>(number: f64) -> Result<Cell<'a>, String> {
    match number {
        _ if number.is_nan() => Ok(Cell::Missing),
        _ if number.is_infinite() => Err("infinities are no values".to_owned()),
        _ => Ok(Cell::Float(number)),
    }
}

/// Bytes as a value: `{"#bytes": "00ff"}`.
fn bytes(all: &[u8], values: &mut Values) -> ValueId {
    let digits: String = all.iter().map(|byte| format!("{byte:02x}")).collect();
    let (name, digits) = (values.text("#bytes"), values.text(&digits));
    values.map(&[(name, digits)]).unwrap_or(ValueId::NULL)
}

/// A decimal as a value: the number that it equals, `{"#decimal": "1.10"}` if neither an integer nor an f64 does.
fn decimal<'a>(digits: i128, scale: i32, values: &mut Values) -> Cell<'a> {
    let text = format!("{digits}e{}", -scale);
    let number: f64 = text.parse().unwrap_or(f64::NAN);
    let exact = Time::number(&text).ok();
    if exact.is_some() && Time::number(&format!("{number:e}")).ok() == exact {
        return Cell::Float(number);
    }
    let (name, digits) = (values.text("#decimal"), values.text(&exact.map_or(text, |time| time.to_string())));
    Cell::Value(values.map(&[(name, digits)]).unwrap_or(ValueId::NULL))
}

fn integer<'a>(array: &ArrowArray, at: usize, width: usize, signed: bool, values: &mut Values) -> Cell<'a> {
    // SAFETY: see `cell`.
    Cell::Int(unsafe {
        match (width, signed) {
            (1, true) => i64::from(*raw::<i8>(array, 1, at)),
            (1, false) => i64::from(*raw::<u8>(array, 1, at)),
            (2, true) => i64::from(*raw::<i16>(array, 1, at)),
            (2, false) => i64::from(*raw::<u16>(array, 1, at)),
            (4, true) => i64::from(*raw::<i32>(array, 1, at)),
            (4, false) => i64::from(*raw::<u32>(array, 1, at)),
            (_, true) => *raw::<i64>(array, 1, at),
            (_, false) => {
                let number = *raw::<u64>(array, 1, at);
                match i64::try_from(number) {
                    Ok(small) => small,
                    Err(_) => return Cell::Value(values.integer(&number.to_string())),
                }
            }
        }
    })
}

fn text(all: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(all).map_err(|_| "a text that is not UTF-8".to_owned())
}

fn child(array: &ArrowArray, place: usize) -> &ArrowArray {
    // SAFETY: the array has the children that its type has.
    unsafe { &**array.children.add(place) }
}

/// Does the bitmap say that row `at` is null?
fn is_null(array: &ArrowArray, at: i64) -> bool {
    if array.null_count == 0 || array.n_buffers == 0 {
        return false;
    }
    // SAFETY: the first buffer is the bitmap, or null if every row is there.
    unsafe {
        let bitmap = (*array.buffers).cast::<u8>();
        !bitmap.is_null() && *bitmap.add(at as usize / 8) >> (at % 8) & 1 == 0
    }
}

/// The place of element `at` in a buffer.
///
/// # Safety
/// The array must have the buffer, and it so many elements of this type.
unsafe fn raw<T>(array: &ArrowArray, buffer: usize, at: usize) -> *const T {
    unsafe { (*array.buffers.add(buffer)).cast::<T>().add(at) }
}

fn offsets(array: &ArrowArray, at: usize, width: usize) -> (i64, i64) {
    // SAFETY: see `cell`: there is one offset more than rows.
    unsafe {
        if width == 4 {
            (i64::from(*raw::<i32>(array, 1, at)), i64::from(*raw::<i32>(array, 1, at + 1)))
        } else {
            (*raw::<i64>(array, 1, at), *raw::<i64>(array, 1, at + 1))
        }
    }
}

fn slice(array: &ArrowArray, at: usize, width: usize) -> &[u8] {
    let (from, to) = offsets(array, at, width);
    if from == to {
        return &[];
    }
    // SAFETY: the offsets point into the buffer of the characters.
    unsafe { std::slice::from_raw_parts(raw::<u8>(array, 2, from as usize), (to - from) as usize) }
}

/// A text or bytes of which the first twelve may stand in the view itself.
fn view(array: &ArrowArray, at: usize) -> &[u8] {
    // SAFETY: a view is a length, and then either the bytes or the first four, a buffer and an offset.
    unsafe {
        let view = raw::<[i32; 4]>(array, 1, at);
        let length = (*view)[0] as usize;
        if length <= 12 {
            return std::slice::from_raw_parts(view.cast::<u8>().add(4), length);
        }
        std::slice::from_raw_parts(raw::<u8>(array, 2 + (*view)[2] as usize, (*view)[3] as usize), length)
    }
}
