//! Values across the door: plain Python on one side, interned ids on the other.

use linpoint_history::{History, Status, Times, Value, ValueId, Values};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

/// How deep lists and maps may nest.
const DEEPEST: usize = 100;

/// The Python object of a value, as plain JSON has it. A map with other keys than texts is `{"#map": [[key, value], …]}`, as in
/// the native format: in a Python dict `1`, `True` and `1.0` would be one key.
pub fn to_python<'py>(py: Python<'py>, values: &Values, id: ValueId) -> PyResult<Bound<'py, PyAny>> {
    Ok(match values.get(id) {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Int(number) => number.into_pyobject(py)?.into_any(),
        Value::Big(digits) => py.get_type::<PyInt>().call1((&**digits,))?,
        Value::Float(bits) => PyFloat::new(py, f64::from_bits(*bits)).into_any(),
        Value::Text(text) => PyString::new(py, text).into_any(),
        Value::List(parts) => {
            let parts = parts.iter().map(|&part| to_python(py, values, part)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, parts)?.into_any()
        }
        Value::Map(entries) => {
            let dict = PyDict::new(py);
            if values.is_plain_map(entries) {
                for &(key, value) in entries {
                    dict.set_item(to_python(py, values, key)?, to_python(py, values, value)?)?;
                }
            } else {
                let pair = |&(key, value): &(ValueId, ValueId)| {
                    PyList::new(py, [to_python(py, values, key)?, to_python(py, values, value)?])
                };
                dict.set_item("#map", entries.iter().map(pair).collect::<PyResult<Vec<_>>>()?)?;
            }
            dict.into_any()
        }
    })
}

/// The value of a Python object: None, bool, int, float, str, and lists, tuples and mappings of them.
pub fn from_python(object: &Bound<'_, PyAny>, values: &mut Values) -> PyResult<ValueId> {
    nested(object, values, 0)
}

fn nested(object: &Bound<'_, PyAny>, values: &mut Values, depth: usize) -> PyResult<ValueId> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err(format!("values may be nested {DEEPEST} deep at most")));
    }
    if object.is_none() {
        return Ok(ValueId::NULL);
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(values.bool(truth.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        return match object.extract::<i64>() {
            Ok(number) => Ok(values.int(number)),
            Err(_) => Ok(values.integer(object.str()?.to_str()?)),
        };
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        if !number.value().is_finite() {
            return Err(PyValueError::new_err(format!(
                "{} is no value: NaN and infinities are refused",
                number.value()
            )));
        }
        return Ok(values.float(number.value()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(values.text(text.to_str()?));
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        let parts = object.try_iter()?.map(|part| nested(&part?, values, depth + 1)).collect::<PyResult<Vec<_>>>()?;
        return Ok(values.list(&parts));
    }
    if let Ok(map) = object.cast::<PyMapping>() {
        let mut entries = Vec::new();
        for pair in map.items()?.iter() {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            entries.push((nested(&key, values, depth + 1)?, nested(&value, values, depth + 1)?));
        }
        return Ok(values.intern(Value::Map(entries.into())));
    }
    let kind = object.get_type().name()?.to_string();
    Err(PyTypeError::new_err(format!("a value is None, bool, int, float, str, list, tuple or dict, not {kind}")))
}

/// The time of an event as a Python number: an int if it was written as one, otherwise a float, or a `decimal.Decimal` if
/// `decimal` says so: where floats would not say the same.
pub fn time<'py>(py: Python<'py>, times: &Times, at: usize, decimal: bool) -> PyResult<Bound<'py, PyAny>> {
    match times {
        Times::Int(times) => Ok(times[at].into_pyobject(py)?.into_any()),
        Times::Exact(times) if times[at].is_integer() => py.get_type::<PyInt>().call1((times[at].to_string(),)),
        Times::Exact(times) if decimal => py.import("decimal")?.getattr("Decimal")?.call1((times[at].to_string(),)),
        Times::Exact(times) => Ok(times[at].as_float().into_pyobject(py)?.into_any()),
    }
}

/// Operation `at` in the native JSONL form; extra fields stand apart, so that none is taken for a known one.
pub fn record<'py>(py: Python<'py>, history: &History, at: usize, decimal: bool) -> PyResult<Bound<'py, PyDict>> {
    let values = &history.values;
    let dict = PyDict::new(py);
    dict.set_item("process", to_python(py, values, history.process[at])?)?;
    dict.set_item("f", history.name(at))?;
    if let Some(key) = history.key_of(at) {
        dict.set_item("key", to_python(py, values, key)?)?;
    }
    dict.set_item("value", to_python(py, values, history.value[at])?)?;
    dict.set_item("result", to_python(py, values, history.result[at])?)?;
    dict.set_item("call", time(py, &history.call_time, at, decimal)?)?;
    let ret = if history.has_return[at] { Some(time(py, &history.return_time, at, decimal)?) } else { None };
    dict.set_item("return", ret)?;
    dict.set_item("type", status_name(history.status[at]))?;
    let extra = history.extra_of(at);
    if !extra.is_empty() {
        let fields = PyDict::new(py);
        for &(_, name, value) in extra {
            fields.set_item(to_python(py, values, name)?, to_python(py, values, value)?)?;
        }
        dict.set_item("extra", fields)?;
    }
    Ok(dict)
}

/// How an operation ended, as the file formats call it.
pub fn status_name(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Fail => "fail",
        Status::Info => "info",
    }
}
