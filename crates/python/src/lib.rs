//! The one door between Python and the core: conversions, errors, budgets, Ctrl-C.
//!
//! Nothing is decided here. Values are converted, long work goes through [`door::enter`] (which frees the
//! GIL, polls for signals and reports progress), and every error becomes one of three exceptions.

mod arrow;
mod check;
mod columns;
mod convert;
mod door;
mod errors;
mod evidence;
mod explain;
mod explore;
mod farewell;
mod hitting;
mod listing;
mod lts;
mod memory;
mod monitor;
mod opaque;
mod own_model;
mod patient;
mod python_spec;
mod replay;
mod unpack;
mod user_code;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ReadError", module.py().get_type::<errors::ReadError>())?;
    module.add("HistoryError", module.py().get_type::<errors::HistoryError>())?;
    module.add("ModelError", module.py().get_type::<errors::ModelError>())?;
    module.add("Halted", module.py().get_type::<errors::Halted>())?;
    module.add_class::<columns::Columns>()?;
    module.add_function(wrap_pyfunction!(columns::read_path, module)?)?;
    module.add_function(wrap_pyfunction!(columns::read_parquet, module)?)?;
    module.add_function(wrap_pyfunction!(columns::read_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(columns::zst, module)?)?;
    module.add_function(wrap_pyfunction!(listing::formats, module)?)?;
    module.add_function(wrap_pyfunction!(listing::event_formats, module)?)?;
    module.add_function(wrap_pyfunction!(listing::format_named, module)?)?;
    module.add_function(wrap_pyfunction!(listing::methods, module)?)?;
    module.add_function(wrap_pyfunction!(listing::models, module)?)?;
    module.add_function(wrap_pyfunction!(listing::model_named, module)?)?;
    module.add_function(wrap_pyfunction!(listing::guess_model, module)?)?;
    module.add_function(wrap_pyfunction!(check::check_native, module)?)?;
    module.add_function(wrap_pyfunction!(check::check_python, module)?)?;
    module.add_function(wrap_pyfunction!(memory::give_memory_back, module)?)?;
    module.add_function(wrap_pyfunction!(replay::replay, module)?)?;
    module.add_function(wrap_pyfunction!(door::guarded, module)?)?;
    module.add("Stopped", module.py().get_type::<errors::Stopped>())?;
    module.add_class::<lts::PyLts>()?;
    module.add_function(wrap_pyfunction!(lts::lts_read, module)?)?;
    module.add_function(wrap_pyfunction!(lts::lts_reduce, module)?)?;
    module.add_function(wrap_pyfunction!(lts::lts_reduce_file, module)?)?;
    module.add_function(wrap_pyfunction!(lts::lts_compare, module)?)?;
    module.add_function(wrap_pyfunction!(lts::lts_missing_trace, module)?)?;
    module.add_class::<explore::Explored>()?;
    module.add_function(wrap_pyfunction!(explore::explore_object, module)?)?;
    module.add_function(wrap_pyfunction!(explore::explore_specification, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain_native, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain_python, module)?)?;
    module.add_function(wrap_pyfunction!(explain::states_native, module)?)?;
    module.add_class::<hitting::HittingFamily>()?;
    module.add_function(wrap_pyfunction!(hitting::depth_native, module)?)?;
    module.add_function(wrap_pyfunction!(hitting::depth_python, module)?)?;
    module.add_class::<evidence::Candidate>()?;
    module.add_class::<evidence::Witness>()?;
    module.add_class::<evidence::Stuck>()?;
    module.add_class::<evidence::Outcome>()?;
    module.add_class::<evidence::Cut>()?;
    module.add_class::<evidence::Shrunk>()?;
    module.add_class::<monitor::Monitor>()?;
    module.add_class::<unpack::Unzstd>()?;
    let join = wrap_pyfunction!(farewell::join_abandoned, module)?;
    module.py().import("atexit")?.call_method1("register", (join,))?;
    Ok(())
}
