//! From a history to a file.
//!
//! [`jsonl()`] is lossless: reading it back gives the same operations, times and annotations.
//! [`edn()`] writes Jepsen's events; reading them back gives the same operations in the same
//! order, with their places in the file as times.

mod csv;
mod edn;
mod json;
mod jsonl;

pub use csv::{Needed, csv, extra_of, json_of, kind_of};
pub use edn::edn;
pub use jsonl::{jsonl, jsonl_to};

/// The level of zstd that packs well without taking long.
const QUICKLY: i32 = 3;

/// The data packed as a zstd file.
pub fn zst(data: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(data, QUICKLY).expect("there is room for what was packed")
}

/// A value as JSON that [`read::value`](crate::read::value) reads back.
pub fn value(values: &crate::Values, id: crate::ValueId) -> String {
    let mut text = String::new();
    value_to(values, id, &mut text);
    text
}

/// The same at the end of a text.
pub fn value_to(values: &crate::Values, id: crate::ValueId, text: &mut String) {
    json::write_exact(values, id, text);
}
