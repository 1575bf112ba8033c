//! Is it allowed? Decides whether the parts of a history have a linearization.
//!
//! [`judge`] runs the portfolio; [`monitor`], [`queue_search`], [`breadth`], [`depth`] and [`wgl`] are the methods, which know
//! nothing of each other. All are exact: a verdict of "yes" comes with an order, a verdict of "no" after every
//! order was excluded. They keep whole keys and compare them in full, so no hash collision can
//! flip a verdict: a hash only says where to look.

mod breadth;
mod control;
mod depth;
mod genealogy;
mod layer;
mod lru;
mod mask;
pub mod monitor;
mod open;
mod outcome;
mod portfolio;
mod problem;
mod queue_search;
mod race;
mod ranks;
mod trail;
mod wgl;

pub use control::{Cause, Control};
pub use outcome::{Candidate, Evidence, Outcome, Verdict};
pub use portfolio::{HEAD_START, Method, Settings, judge};
