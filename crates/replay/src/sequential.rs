//! What must a sequential object do to be replayed?

use crate::op::Op;
use linpoint_history::{ValueId, Values};

/// Does the recorded result fit what the object answers?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It does.
    Yes,
    /// It does not, or the operation is not possible here.
    No,
    /// The operation is none that the reference describes: the replay in Python will say what is wrong with it.
    NotUnderstood,
}

impl Fit {
    /// Yes or no.
    pub fn of(fits: bool) -> Fit {
        if fits { Fit::Yes } else { Fit::No }
    }
}

/// The names of a model's operations: (the one in the reference, synonyms).
pub(crate) type Names = [(&'static str, &'static [&'static str])];

/// An object that carries out operations one after the other. A clone is a further object of the same kind.
pub(crate) trait Sequential: Clone + Send + Sync {
    /// What its operations are called.
    const NAMES: &'static Names;
    /// Does a key stand for a place in the object? If not, each key is an object of its own.
    const HAS_KEYS: bool = false;

    /// Carries out an operation.
    fn act(&mut self, op: &Op<'_>) -> Fit;

    /// Did it have to guess what a pending operation did? Then a result that does not fit proves nothing.
    fn guessed(&self) -> bool {
        false
    }

    /// Bytes that it holds.
    fn bytes(&self) -> usize {
        0
    }
}

/// The options of a model.
pub(crate) struct Options<'a> {
    pub given: &'a [(String, ValueId)],
    pub values: &'a Values,
}

impl Options<'_> {
    /// The option of this name.
    pub fn get(&self, name: &str) -> Option<ValueId> {
        self.given.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// The option `initial` of a container: its elements.
    pub fn elements(&self) -> Option<Vec<ValueId>> {
        self.get("initial").map_or(Some(Vec::new()), |initial| self.values.as_list(initial).map(<[_]>::to_vec))
    }
}
