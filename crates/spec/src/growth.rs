//! What does an operation do to an object that only grows and is read as a whole?
//!
//! A list that is appended to and a set that is added to never forget: what is read at one moment is all that came before. Monitors of
//! such objects (`check::monitor`) need neither steps nor roles, but what was put in and what was seen.

use std::borrow::Cow;

/// What an operation of a growing object does, or what such an object holds at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Growth<'a> {
    /// Puts this behind all that is there: a text by its bytes.
    Append(Cow<'a, [u8]>),
    /// All that is there, one behind the other.
    Text(Cow<'a, [u8]>),
    /// Puts an element in: it is in from then on. True if it was not in before, by its answer.
    Add(u32, Option<bool>),
    /// All elements, in any order; [`NOWHERE`] stands for one that no operation puts in.
    Elements(Vec<u32>),
    /// Changes nothing and is legal everywhere.
    Nothing,
    /// Anything else; of an object: it does not only grow, as far as is known.
    Other,
}

/// An element that no operation puts in.
pub const NOWHERE: u32 = u32::MAX;
