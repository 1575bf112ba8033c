//! What can a clause be about? Four kinds of atoms, over operations named by their places in the part.

/// A fact that may hold or not. Operations are places in `Part::ops`; what is there from the start comes behind them
/// ([`Operations`](crate::Operations)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// The first takes effect before the second.
    Before(u32, u32),
    /// The first (add, write, lock) is the one whose value the second (remove, peek, read, unlock) found.
    Match(u32, u32),
    /// The operation took effect; certain for all that returned.
    Used(u32),
    /// What the first, an add, put in was taken out before the second took effect: a definition that the solver makes on demand.
    Gone(u32, u32),
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// What it is about.
    pub atom: Atom,
    /// Does it hold?
    pub positive: bool,
}

impl Literal {
    /// The atom holds.
    pub fn yes(atom: Atom) -> Literal {
        Literal { atom, positive: true }
    }

    /// The atom does not hold.
    pub fn no(atom: Atom) -> Literal {
        Literal { atom, positive: false }
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal { positive: !self.positive, ..self }
    }
}
