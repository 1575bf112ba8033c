//! What happened: operations on a shared object, each with its call and its return.
//!
//! A [`History`] is columns of integers. Every process, operation name, argument and result
//! is a [`ValueId`], interned once in [`Values`]; two values are equal exactly when their
//! ids are. Times are kept exactly as the source gave them; the algorithms use *ranks*: all events
//! in one total order, calls before returns on a tie, because intervals are closed.

mod builder;
mod columns;
mod equality;
mod error;
mod order;
pub mod read;
mod subhistory;
mod time;
mod value;
pub mod write;

pub use builder::{Builder, Record};
pub use columns::{Annotation, Event, History, PENDING, Status, Times};
pub use error::{Complaint, ReadError};
pub use time::Time;
pub use value::{Renamed, Value, ValueId, Values};
