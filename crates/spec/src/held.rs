//! What does a cell hold, told without the specification that named its state?
//!
//! A [`State`](crate::State) is a number within one [`Spec`](crate::Spec), which knows all operations of its history. A monitor
//! judges a stream in windows, each with a specification of its own, and carries what the cells hold from one to the
//! next; so values that no cell holds and no operation names are forgotten between two windows.

use linpoint_history::ValueId;
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What one cell holds. Values are ids of the table that both specifications share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// One of a few states: is it in, is it locked?
    Bit(bool),
    /// Values: the one of a register; all elements of a container, in the order that its model has for them.
    Values(Vec<ValueId>),
    /// A text.
    Text(String),
    /// A number.
    Number(i128),
    /// A state of a user's model.
    Foreign(Foreign),
}

/// A state that only the side it comes from can read. Equal to itself, and to no other.
#[derive(Clone)]
pub struct Foreign(pub Arc<dyn Any + Send + Sync>);

impl PartialEq for Foreign {
    fn eq(&self, other: &Foreign) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Foreign {}

impl Hash for Foreign {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).cast::<()>().hash(state);
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign({:p})", Arc::as_ptr(&self.0))
    }
}

impl Held {
    /// One value.
    pub fn value(id: u64) -> Held {
        Held::Values(vec![ValueId(id as u32)])
    }

    /// The values, if it holds values.
    pub fn values(&self) -> &[ValueId] {
        match self {
            Held::Values(ids) => ids,
            _ => &[],
        }
    }

    /// The same, to be renamed when the table of values was compacted.
    pub fn values_mut(&mut self) -> &mut [ValueId] {
        match self {
            Held::Values(ids) => ids,
            _ => &mut [],
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        let more = match self {
            Held::Values(ids) => size_of_val(&ids[..]),
            Held::Text(text) => text.len(),
            _ => 0,
        };
        size_of::<Held>() + more
    }
}

/// Cells that were judged before, together, and go on from what they hold.
pub struct Carried<'a> {
    /// Their keys.
    pub keys: &'a [ValueId],
    /// Whatever one of them may hold.
    pub held: Vec<&'a Held>,
}
