//! What there is: formats, methods and models, as the core defines them.

use crate::columns::Columns;
use crate::errors::ModelError;
use linpoint_check::METHODS;
use linpoint_history::read::Format;
use linpoint_spec::catalog;
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[pyfunction]
pub fn formats() -> Vec<(&'static str, &'static str)> {
    Format::ALL.iter().map(|format| (format.name(), format.description())).collect()
}

/// The names of those that a monitor reads.
#[pyfunction]
pub fn event_formats() -> Vec<&'static str> {
    Format::ALL.iter().filter(|format| format.has_events()).map(|format| format.name()).collect()
}

#[pyfunction]
pub fn format_named(name: &str) -> Option<&'static str> {
    Format::from_name(name).map(Format::name)
}

#[pyfunction]
pub fn methods() -> Vec<(&'static str, &'static str)> {
    METHODS.iter().map(|method| (method.name(), method.help())).collect()
}

#[pyfunction]
pub fn models(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let models = catalog::all().iter().map(|info| {
        let dict = PyDict::new(py);
        dict.set_item("name", info.name)?;
        dict.set_item("aliases", info.aliases.to_vec())?;
        dict.set_item("summary", info.summary)?;
        let operations = info.operations.iter().map(|op| (op.name, op.synonyms.join(", "), op.value, op.result));
        dict.set_item("operations", operations.collect::<Vec<_>>())?;
        let options = info.options.iter().map(|option| (option.name, option.default, option.meaning));
        dict.set_item("options", options.collect::<Vec<_>>())?;
        Ok(dict)
    });
    models.collect()
}

#[pyfunction]
pub fn model_named(name: &str) -> PyResult<&'static str> {
    catalog::find(name).map(|info| info.name).map_err(|why| ModelError::new_err((why, None::<usize>)))
}

#[pyfunction]
pub fn guess_model(py: Python<'_>, columns: &Columns) -> PyResult<(&'static str, String, Vec<&'static str>)> {
    let history = &columns.history;
    let guess = py.detach(|| catalog::guess(history));
    guess.map(|guess| (guess.model, guess.why, guess.rivals)).map_err(|why| ModelError::new_err((why, None::<usize>)))
}
