//! What can go wrong while an object runs?

/// Why a thread cannot go on. The last three are limits of the explorer, the others are mistakes of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A field of something that is not a node.
    NotANode,
    /// A field that this kind of node does not have.
    NoSuchField,
    /// An index outside of the array.
    OutOfBounds,
    /// Arithmetic or order on something that is not a number.
    NotANumber,
    /// A condition that is neither True nor False.
    NotATruth,
    /// A truth value compared with a number.
    Mixed,
    /// A division by zero.
    DivisionByZero,
    /// An assertion that does not hold.
    Assertion,
    /// A lock released by a thread that does not hold it.
    NotHeld,
    /// A node freed that is free.
    FreedTwice,
    /// A node as the result of an operation.
    ReturnsNode,
    /// A number too large or too small for a cell.
    NumberRange,
    /// More nodes than there can be.
    TooManyNodes,
    /// An atomic block, or the initial method, that does not end.
    Endless,
}

impl Fault {
    /// Is it a limit of the explorer, not a mistake of the object?
    pub fn is_limit(self) -> bool {
        matches!(self, Fault::NumberRange | Fault::TooManyNodes | Fault::Endless)
    }

    /// The fault in words.
    pub fn words(self) -> &'static str {
        match self {
            Fault::NotANode => "it asks for a field of something that is not a node",
            Fault::NoSuchField => "the node has no such field",
            Fault::OutOfBounds => "the index is outside of the array",
            Fault::NotANumber => "it calculates with something that is not a number",
            Fault::NotATruth => "the condition is neither True nor False",
            Fault::Mixed => "it compares a truth value with a number",
            Fault::DivisionByZero => "it divides by zero",
            Fault::Assertion => "the assertion does not hold",
            Fault::NotHeld => "it releases a lock that it does not hold",
            Fault::FreedTwice => "it frees a node that is free already",
            Fault::ReturnsNode => "it returns a node",
            Fault::NumberRange => "a number is outside of -19 to 118, which is as far as cells go",
            Fault::TooManyNodes => "there are more than 100 nodes at once",
            Fault::Endless => "an atomic block or __init__ does not end",
        }
    }
}
