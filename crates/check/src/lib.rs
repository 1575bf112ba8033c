//! Is it allowed? Decides whether the parts of a history have a linearization.
//!
//! | where | what |
//! |---|---|
//! | [`portfolio`] | which method for which part: the policy |
//! | [`search`] | general and special searches: `wgl`, `depth_first`, `breadth_first`, their `race`, `queue` |
//! | [`monitor`] | log-linear deciders for queue, stack, priority queue, register, set and mutex |
//! | [`outcome`] | what is answered: verdict and evidence |
//!
//! All methods are exact and know nothing of each other: a verdict of "yes" comes with an order, a verdict of "no" after every
//! order was excluded. They keep whole keys and compare them in full, so no hash collision can
//! flip a verdict: a hash only says where to look. The budget is [`linpoint_base::Control`].

pub mod monitor;
mod outcome;
mod portfolio;
mod ranks;
mod search;

pub use linpoint_base::{Cause, Control};
pub use outcome::{Candidate, Evidence, Outcome, Verdict};
pub use portfolio::{HEAD_START, Method, Settings, judge};
