//! From a history to a stream of Arrow: one batch with all operations.
//!
//! The columns are those of a table (`history/src/read/table.rs`). A column has one type: whole numbers, numbers, texts or
//! true and false where all of its values are of that type and none is changed by it; otherwise JSON in texts, and its name ends
//! in `_json`. Costs one pass per column.

use super::{ArrowArray, ArrowArrayStream, ArrowSchema, STREAM};
use linpoint_history::write::{Needed, extra_of, json_of, kind_of};
use linpoint_history::{History, Times, Value, ValueId, Values};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

/// The cells of a column, null where there is none.
enum Cells {
    Bools(Vec<Option<bool>>),
    Ints(Vec<Option<i64>>),
    Floats(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
}

/// A column: its name, and its cells.
type Column = (&'static str, Cells);

/// The history as a stream.
pub fn stream(history: &History) -> ArrowArrayStream {
    let columns = Box::new((columns(history), false)); // with whether they were given
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(columns).cast(),
    }
}

/// The stream in a capsule, which releases it if nobody takes it.
pub fn capsule(py: Python<'_>, stream: ArrowArrayStream) -> PyResult<Bound<'_, PyAny>> {
    unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
        // SAFETY: called once, by Python, with a capsule that was made below.
        unsafe {
            let place = ffi::PyCapsule_GetPointer(capsule, STREAM.as_ptr());
            drop(Box::from_raw(place.cast::<ArrowArrayStream>()));
        }
    }
    let place = Box::into_raw(Box::new(stream));
    // SAFETY: a fresh capsule around a pointer that lives as long as it; a null result is an error of Python's.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(place.cast(), STREAM.as_ptr(), Some(destroy))) }
}

fn columns(history: &History) -> Vec<Column> {
    let (values, needed) = (&history.values, Needed::of(history));
    let all = |ids: &[ValueId]| ids.iter().map(|&id| (id != ValueId::ABSENT).then_some(id)).collect::<Vec<_>>();
    let mut columns = vec![
        named(["process", "process_json"], cells(values, &all(&history.process))),
        named(["f", "f_json"], cells(values, &all(&history.f))),
    ];
    if needed.key {
        columns.push(named(["key", "key_json"], cells(values, &all(&history.key))));
    }
    columns.push(named(["value", "value_json"], cells(values, &all(&history.value))));
    columns.push(named(["result", "result_json"], cells(values, &all(&history.result))));
    columns.push(("call", times(&history.call_time, |_| true, history.len())));
    columns.push(("return", times(&history.return_time, |op| history.has_return[op], history.len())));
    let each = 0..history.len();
    if needed.kind {
        columns.push(("type", Cells::Texts(each.clone().map(|op| Some(kind_of(history, op).to_owned())).collect())));
    }
    if needed.extra {
        let extra = each.map(|op| Some(extra_of(history, op)).filter(|text| !text.is_empty()));
        columns.push(("extra_json", Cells::Texts(extra.collect())));
    }
    columns
}

fn named([plain, json]: [&'static str; 2], (cells, is_json): (Cells, bool)) -> Column {
    (if is_json { json } else { plain }, cells)
}

/// The cells of some values, and whether they are JSON. A null is a missing cell.
fn cells(values: &Values, ids: &[Option<ValueId>]) -> (Cells, bool) {
    let there = || ids.iter().flatten().map(|&id| values.get(id)).filter(|value| **value != Value::Null);
    let held = |id: &Option<ValueId>| id.map(|id| values.get(id));
    if there().all(|value| matches!(value, Value::Int(_))) {
        let int = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
        return (Cells::Ints(ids.iter().map(|id| held(id).and_then(int)).collect()), false);
    }
    if there().all(|value| matches!(value, Value::Text(_))) {
        let text = |value: &Value| if let Value::Text(text) = value { Some(text.to_string()) } else { None };
        return (Cells::Texts(ids.iter().map(|id| held(id).and_then(text)).collect()), false);
    }
    if there().all(|value| matches!(value, Value::Bool(_))) {
        let truth = |value: &Value| if let Value::Bool(truth) = value { Some(*truth) } else { None };
        return (Cells::Bools(ids.iter().map(|id| held(id).and_then(truth)).collect()), false);
    }
    if there().all(|value| number(value).is_some()) {
        return (Cells::Floats(ids.iter().map(|id| held(id).and_then(number)).collect()), false);
    }
    let json = |id: &Option<ValueId>| id.filter(|id| *id != ValueId::NULL).map(|id| json_of(values, id));
    (Cells::Texts(ids.iter().map(json).collect()), true)
}

/// The f64 that equals the value, if one does.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) if number.unsigned_abs() <= 1 << 53 => Some(*number as f64),
        Value::Float(bits) => Some(f64::from_bits(*bits)),
        _ => None,
    }
}

/// Times as whole numbers, as numbers, or, where that would change one, as texts.
fn times(times: &Times, there: impl Fn(usize) -> bool, count: usize) -> Cells {
    let exact = match times {
        Times::Int(times) => {
            return Cells::Ints((0..count).map(|op| there(op).then(|| times[op])).collect());
        }
        Times::Exact(times) => times,
    };
    if (0..count).filter(|&op| there(op)).all(|op| exact[op].fits_float()) {
        return Cells::Floats((0..count).map(|op| there(op).then(|| exact[op].as_float())).collect());
    }
    Cells::Texts((0..count).map(|op| there(op).then(|| exact[op].to_string())).collect())
}

/// What an array or a schema owns, until it is released.
struct Owned {
    _text: Vec<CString>,
    /// Words, so that numbers of eight bytes stand where such numbers may stand.
    _words: Vec<Vec<u64>>,
    _pointers: Vec<*const c_void>,
    children: Vec<*mut c_void>,
}

/// The type of a column with this format and these children, which it owns from now on.
fn schema(format: &str, name: &str, children: Vec<ArrowSchema>) -> ArrowSchema {
    let text = [format, name].map(|text| CString::new(text).expect("no zero in our own names"));
    let mut all: Vec<*mut c_void> = children.into_iter().map(|child| Box::into_raw(Box::new(child)).cast()).collect();
    let (n_children, pointers) = (all.len() as i64, all.as_mut_ptr().cast::<*mut ArrowSchema>());
    let [format, name] = [text[0].as_ptr(), text[1].as_ptr()];
    let owned = Owned { _text: text.into(), _words: Vec::new(), _pointers: Vec::new(), children: all };
    ArrowSchema {
        format,
        name,
        metadata: ptr::null(),
        flags: 2, // cells may be null
        n_children,
        children: pointers,
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(Box::new(owned)).cast(),
    }
}

/// Rows with these buffers (an empty one is none) and children, which it owns from now on.
fn array(length: usize, null_count: usize, buffers: Vec<Vec<u8>>, children: Vec<ArrowArray>) -> ArrowArray {
    let words: Vec<Vec<u64>> = buffers.iter().map(|buffer| in_words(buffer)).collect();
    let place = |buffer: &Vec<u64>| if buffer.is_empty() { ptr::null() } else { buffer.as_ptr().cast::<c_void>() };
    let mut pointers: Vec<*const c_void> = words.iter().map(place).collect();
    let mut all: Vec<*mut c_void> = children.into_iter().map(|child| Box::into_raw(Box::new(child)).cast()).collect();
    let (n_buffers, n_children) = (pointers.len() as i64, all.len() as i64);
    let (at, of_children) = (pointers.as_mut_ptr(), all.as_mut_ptr().cast::<*mut ArrowArray>());
    let owned = Owned { _text: Vec::new(), _words: words, _pointers: pointers, children: all };
    ArrowArray {
        length: length as i64,
        null_count: null_count as i64,
        offset: 0,
        n_buffers,
        n_children,
        buffers: at,
        children: of_children,
        dictionary: ptr::null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(Box::new(owned)).cast(),
    }
}

fn in_words(bytes: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

fn format_of(cells: &Cells) -> &'static str {
    match cells {
        Cells::Bools(_) => "b",
        Cells::Ints(_) => "l",
        Cells::Floats(_) => "g",
        Cells::Texts(_) => "U",
    }
}

fn rows(cells: &Cells) -> ArrowArray {
    match cells {
        Cells::Bools(cells) => {
            let truth = bits(cells.iter().map(|cell| cell.unwrap_or(false)));
            column(cells, vec![truth])
        }
        Cells::Ints(cells) => {
            let numbers = cells.iter().flat_map(|cell| cell.unwrap_or(0).to_ne_bytes()).collect();
            column(cells, vec![numbers])
        }
        Cells::Floats(cells) => {
            let numbers = cells.iter().flat_map(|cell| cell.unwrap_or(0.0).to_ne_bytes()).collect();
            column(cells, vec![numbers])
        }
        Cells::Texts(cells) => {
            let (mut offsets, mut text) = (0i64.to_ne_bytes().to_vec(), Vec::new());
            for cell in cells {
                text.extend_from_slice(cell.as_deref().unwrap_or_default().as_bytes());
                offsets.extend_from_slice(&(text.len() as i64).to_ne_bytes());
            }
            column(cells, vec![offsets, text])
        }
    }
}

fn column<T>(cells: &[Option<T>], content: Vec<Vec<u8>>) -> ArrowArray {
    let nulls = cells.iter().filter(|cell| cell.is_none()).count();
    let there = if nulls == 0 { Vec::new() } else { bits(cells.iter().map(Option::is_some)) };
    let buffers = [vec![there], content].concat();
    array(cells.len(), nulls, buffers, Vec::new())
}

fn bits(truths: impl ExactSizeIterator<Item = bool>) -> Vec<u8> {
    let mut bytes = vec![0u8; truths.len().div_ceil(8)];
    for (place, truth) in truths.enumerate() {
        bytes[place / 8] |= u8::from(truth) << (place % 8);
    }
    bytes
}

// What the other side calls. Each gets structs that were made above, and that are alive.

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the stream is one of ours; `out` is room for a schema, whose old content nobody owns.
    unsafe {
        let columns = (*stream).private_data.cast::<(Vec<Column>, bool)>();
        let children = (*columns).0.iter().map(|(name, cells)| schema(format_of(cells), name, Vec::new())).collect();
        out.write(schema("+s", "", children));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as above.
    unsafe {
        let (columns, given) = &mut *(*stream).private_data.cast::<(Vec<Column>, bool)>();
        if std::mem::replace(given, true) {
            out.write(ArrowArray::empty());
            return 0;
        }
        let children: Vec<ArrowArray> = columns.iter().map(|(_, cells)| rows(cells)).collect();
        let count = children[0].length as usize;
        out.write(array(count, 0, vec![Vec::new()], children));
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: called once, for `release` is set to nothing.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<(Vec<Column>, bool)>()));
        (*stream).release = None;
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: as above; a child that was moved away counts as released.
    unsafe {
        let owned = Box::from_raw((*schema).private_data.cast::<Owned>());
        for &child in &owned.children {
            drop(Box::from_raw(child.cast::<ArrowSchema>()));
        }
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as above.
    unsafe {
        let owned = Box::from_raw((*array).private_data.cast::<Owned>());
        for &child in &owned.children {
            drop(Box::from_raw(child.cast::<ArrowArray>()));
        }
        (*array).release = None;
    }
}
