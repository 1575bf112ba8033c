//! What is a clause of the solver about? Atoms and literals are those of the theories; a lemma says where a clause comes from.
//!
//! Operations are places in the part; one more, the place after the last, stands for what the object held at first.

pub use linpoint_theory::{Atom, Literal};

/// The atom itself.
pub fn yes(atom: Atom) -> Literal {
    Literal::yes(atom)
}

/// Its negation.
pub fn no(atom: Atom) -> Literal {
    Literal::no(atom)
}

/// Why a clause holds: the rule of a client, and the operations it was applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemma<'a> {
    /// The rule, by its number.
    pub rule: u32,
    /// The operations.
    pub binding: &'a [u32],
}
