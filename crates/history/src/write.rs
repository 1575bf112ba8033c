//! From a history to a file.
//!
//! [`jsonl()`] is lossless: reading it back gives the same operations, times and annotations.
//! [`edn()`] writes Jepsen's events; reading them back gives the same operations in the same
//! order, with their places in the file as times.

mod edn;
mod json;
mod jsonl;

pub use edn::edn;
pub use jsonl::{jsonl, jsonl_to};
