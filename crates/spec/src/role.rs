//! What a log-linear monitor needs to know of an object: its shape, and the role of each operation.
//!
//! A search only ever calls `step`. A monitor (`check::monitor`) never does: it decides from intervals and values,
//! so it must be told that this is a queue, and that this operation put 7 in. An object that says
//! nothing about itself is searched; one operation without a role is enough for that.

/// The kind of object that one cell is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shape {
    /// First in, first out.
    Queue,
    /// Last in, first out.
    Stack,
    /// A line with two ends: see [`at_back`](crate::Structure::at_back).
    Deque,
    /// The highest [class](crate::Spec::class) first; a bag, when all classes are equal.
    PriorityQueue,
    /// Holds one value.
    Register,
    /// An element of a set: absent (0) or present (1).
    Set,
    /// A mutex: free (0) or held (1).
    Mutex,
    /// A semaphore of two permits that never has more: what it holds are the permits that are out (0), at most two.
    Permits,
    /// None of these, or more than one cell.
    #[default]
    Other,
}

/// What an operation with its recorded result does. Values are named by 32 bits, equal names for equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Containers: puts the value in.
    Add(u32),
    /// Containers: takes the value out.
    Remove(u32),
    /// Containers: takes out whatever comes first, or finds nothing: it is not known which (pending).
    RemoveUnknown,
    /// Containers: sees the value as the one that comes first.
    Peek(u32),
    /// Containers: finds nothing.
    Empty,
    /// Bags: finds no copy of this value.
    Absent(u32),
    /// Registers, sets and mutexes: sees this value.
    Read(u32),
    /// Registers: sees another value than this.
    ReadNot(u32),
    /// Registers, sets and mutexes: from now on this value is held, whatever was.
    Write(u32),
    /// Registers, sets and mutexes: the first value was held, the second (another one) is from now on.
    Change(u32, u32),
    /// Registers: another value than the first was held, the second is from now on.
    ChangeNot(u32, u32),
    /// As [`Role::Change`] where the first value is held; where it is not, nothing (pending: it is not known which).
    ChangeIf(u32, u32),
    /// Changes nothing and is legal everywhere.
    Nothing,
    /// Anything else.
    Other,
}
