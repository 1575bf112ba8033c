//! How much is known of a specification? Three layers, each with the methods that need it.
//!
//! | layer | what is known | who needs it |
//! |---|---|---|
//! | [`Run`] | whether operations, one after the other, give the recorded results | replaying a witness |
//! | [`Spec`] | a step from any named state: which states an operation may lead to | every search |
//! | [`Structure`] | the shape of the object, and what each operation does to which value | monitors, the supply scan |
//!
//! Whatever can be stepped can be run. What has no structure is searched: saying nothing is always right.

use crate::{Role, Shape};

/// A state, named by 64 bits: packed where it fits, interned where it does not. Equal names mean equal states
/// within one [`Spec`]; a fork names its states anew.
pub type State = u64;

/// A distinct operation: name, key, argument and recorded result (or the lack of one).
pub type Code = u32;

/// Why a step could not be taken: not "illegal", which is an ordinary answer, but broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepError(pub String);

/// Layer 1: what can be run from the beginning. Nothing is known of its states.
pub trait Run {
    /// How many operations of `order` can be done one after the other, each with its recorded result; all, if the order is legal.
    fn run(&mut self, order: &[Code]) -> Result<usize, StepError>;
}

impl<S: Spec + ?Sized> Run for S {
    /// Keeps every state that the operations so far may have led to.
    fn run(&mut self, order: &[Code]) -> Result<usize, StepError> {
        let mut states = vec![self.initial()?];
        let mut next = Vec::new();
        for (place, &code) in order.iter().enumerate() {
            next.clear();
            for &state in &states {
                self.step(state, code, &mut next)?;
            }
            if next.is_empty() {
                return Ok(place);
            }
            next.sort_unstable();
            next.dedup();
            std::mem::swap(&mut states, &mut next);
        }
        Ok(order.len())
    }
}

/// Layer 3: what is known of the object beyond its steps.
pub trait Structure {
    /// The kind of object this is.
    fn shape(&self) -> Shape {
        Shape::Other
    }

    /// What `code` does to which value. May be told of an object without a shape (a deque); [`Role::Other`] tells nothing.
    fn role(&self, code: Code) -> Role {
        let _ = code;
        Role::Other
    }

    /// What it holds at first, if it has roles: a queue front first, a stack bottom first, a register its one value.
    fn contents(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The priority of a value: the larger comes out first, equal ones in any order.
    fn class(&self, value: u32) -> u32 {
        let _ = value;
        0
    }
}

/// Layer 2: a sequential specification that can be stepped from any of its states.
pub trait Spec: Structure + Send + Sync {
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

    /// Bytes held by interned states.
    fn bytes(&self) -> usize;

    /// The state in words, for explanations.
    fn show(&self, state: State) -> String;

    /// The same specification with no states interned yet, for another thread.
    fn fork(&self) -> Box<dyn Spec>;
}
