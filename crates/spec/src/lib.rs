//! What is allowed: sequential specifications, as the search sees them.
//!
//! A search knows a specification only as a [`Spec`]: numbered states, numbered operations
//! ([`Code`]) and `step`; a monitor by its [`Structure`] (`layers.rs`). Shipped models are [`Object`]s, one file each in `objects/`; an
//! object that lives under a key (a map's entry, a set's element, one register of many) is a
//! *cell*, and [`compile()`] turns a history into independent [`Part`]s, one per group of cells
//! that no operation spans: P-compositionality (Horn & Kroening, FORTE 2015, §3).

pub mod catalog;
pub mod compile;
mod growth;
pub mod heap;
mod held;
mod info;
mod layers;
mod object;
pub mod objects;
mod options;
mod product;
mod role;
mod stepped;

pub use catalog::{Model, ModelError, Route};
pub use compile::{Misfit, Part, compile};
pub use growth::{Growth, NOWHERE, Pieces, Spelled, Text};
pub use held::{Carried, Foreign, Held};
pub use info::{ModelInfo, Operation, OptionInfo};
pub use layers::{Code, Run, Spec, State, StepError, Structure};
pub use object::{Cells, Object, OpView, Reach, Refusal, Request};
pub use options::Options;
pub use role::{Role, Shape};
pub use stepped::Stepped;
