//! What is a clause of the solver about? Atoms, literals, and the rule that each clause comes from.
//!
//! Operations are places in the part; one more, the place after the last, stands for what the object held at first.

/// A fact that is true or false of a linearization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// The first operation stands before the second in the order.
    Before(u32, u32),
    /// The second operation found what the first one left: a read and its write, a remove and its add.
    Match(u32, u32),
    /// The (pending) operation took effect.
    Used(u32),
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The atom.
    pub atom: Atom,
    /// Is it claimed, or denied?
    pub positive: bool,
}

/// The atom itself.
pub fn yes(atom: Atom) -> Literal {
    Literal { atom, positive: true }
}

/// Its negation.
pub fn no(atom: Atom) -> Literal {
    Literal { atom, positive: false }
}

/// Why a clause holds: the rule of a theory, and the operations it was applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemma<'a> {
    /// A rule of the client, by its number.
    pub rule: u32,
    /// The operations.
    pub binding: &'a [u32],
}
