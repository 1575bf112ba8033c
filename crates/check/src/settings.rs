//! What did the user choose? The method, and what it may use.

use crate::methods::{Method, method};
use linpoint_spec::Part;

/// What the user chose.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How to decide a part.
    pub method: &'static dyn Method,
    /// How many configurations the method `wgl` remembers; None: all.
    pub cache: Option<usize>,
    /// The deepest families that the method `hitting` runs; None: as deep as it takes.
    pub depth: Option<usize>,
    /// Shall the method `solve` write a proof of a violation?
    pub proof: bool,
    /// How many threads may work at once.
    pub threads: usize,
    /// How much depth-first may try alone before the race begins, besides one try per operation. [`HEAD_START`], but in tests.
    pub head_start: u64,
}

impl Settings {
    /// The method of this name, with defaults for the rest; None if there is no such method.
    pub fn of(name: &str) -> Option<Settings> {
        method(name).map(|method| Settings {
            method,
            cache: None,
            depth: None,
            proof: false,
            threads: 1,
            head_start: HEAD_START,
        })
    }

    /// How many configurations depth-first has to itself in a part.
    pub(crate) fn head_start(&self, part: &Part) -> u64 {
        self.head_start + part.ops.len() as u64
    }
}

/// Enough for most histories.
pub const HEAD_START: u64 = 4096;
