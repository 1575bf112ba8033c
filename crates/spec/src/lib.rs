//! What is allowed: sequential specifications, as the search sees them.
//!
//! The search knows a specification only as a [`Spec`]: numbered states, numbered operations
//! ([`Code`]) and `step`. Shipped models are [`Object`]s, one file each in `objects/`; an
//! object that lives under a key (a map's entry, a set's element, one register of many) is a
//! *cell*, and [`compile()`] turns a history into independent [`Part`]s, one per group of cells
//! that no operation spans: P-compositionality (Horn & Kroening 2015, seed 000, §3).

pub mod catalog;
pub mod compile;
pub mod heap;
mod info;
mod object;
pub mod objects;
mod options;
mod product;
mod role;

pub use catalog::{Model, ModelError};
pub use compile::{Misfit, Part, compile};
pub use info::{ModelInfo, Operation, OptionInfo};
pub use object::{Cells, Object, OpView, Reach, Refusal, Request};
pub use options::Options;
pub use role::{Role, Shape};

/// A state, named by 64 bits: packed where it fits, interned where it does not. Equal names mean equal states
/// within one [`Spec`]; a fork names its states anew.
pub type State = u64;

/// A distinct operation: name, key, argument and recorded result (or the lack of one).
pub type Code = u32;

/// Why a step could not be taken: not "illegal", which is an ordinary answer, but broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepError(pub String);

/// A sequential specification, ready to be run by a search.
pub trait Spec: Send + Sync {
    /// The state before the first operation.
    fn initial(&mut self) -> Result<State, StepError>;

    /// Appends the states that `code` may lead to from `state`; nothing when it is not legal there.
    fn step(&mut self, state: State, code: Code, next: &mut Vec<State>) -> Result<(), StepError>;

    /// Does `code` leave *every* state in which it is legal as it is? (A read; a failed CAS.)
    /// Not merely "here": writing the value that is already there does not count.
    fn read_only(&self, code: Code) -> bool;

    /// Operations of different domains touch different parts of the state: neither changes what the other
    /// answers or does, and they may swap places. One domain for all is always right.
    fn domain(&self, code: Code) -> u32 {
        let _ = code;
        0
    }

    /// The kind of object this is, for methods that know more than `step`. The others of this family
    /// ([`Spec::role`], [`Spec::contents`], [`Spec::class`]) mean something only if this is not `Other`.
    fn shape(&self) -> Shape {
        Shape::Other
    }

    /// What `code` does to an object of this shape.
    fn role(&self, code: Code) -> Role {
        let _ = code;
        Role::Other
    }

    /// What it holds at first: a queue front first, a stack bottom first, a register its one value.
    fn contents(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The priority of a value: the larger comes out first, equal ones in any order.
    fn class(&self, value: u32) -> u32 {
        let _ = value;
        0
    }

    /// Bytes held by interned states.
    fn bytes(&self) -> usize;

    /// The state in words, for explanations.
    fn show(&self, state: State) -> String;

    /// The same specification with no states interned yet, for another thread.
    fn fork(&self) -> Box<dyn Spec>;
}
