//! How much is known of a specification? Three layers, each with the methods that need it.
//!
//! | layer | what is known | who needs it |
//! |---|---|---|
//! | [`Run`] | whether operations, one after the other, give the recorded results | hitting families, replaying a witness |
//! | [`Spec`] | a step from any named state: which states an operation may lead to | every search |
//! | [`Structure`] | the shape of the object, and what each operation does to which value | monitors, the supply scan |
//!
//! Whatever can be stepped can be run ([`Stepped`]). What has no structure is searched: saying nothing is always right.

use crate::{Growth, Held, Role, Shape, Stepped};
use linpoint_history::ValueId;

/// A state, named by 64 bits: packed where it fits, interned where it does not. Equal names mean equal states
/// within one [`Spec`]; a fork names its states anew.
pub type State = u64;

/// A distinct operation: name, key, argument and recorded result (or the lack of one).
pub type Code = u32;

/// Why a step could not be taken: not "illegal", which is an ordinary answer, but broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepError(pub String);

/// Layer 1: an object that can be run from the beginning. Nothing is known of its states; perhaps it can be copied.
///
/// There is one object in hand, and a stack of copies for those who come back to where they were.
pub trait Run: Send {
    /// Takes a new object in hand, on which nothing was done yet.
    fn begin(&mut self) -> Result<(), StepError>;

    /// Does `codes` one after the other on the object in hand. How many gave their recorded result: all, or those before the first that
    /// does not, and then the object is of no further use.
    fn go_on(&mut self, codes: &[Code]) -> Result<usize, StepError>;

    /// To how many calls a copy comes, roughly; None if the object cannot be copied, and then nobody calls `save` or `restore`.
    fn copy_cost(&self) -> Option<usize>;

    /// Puts a copy of the object in hand on the stack. False if this one cannot be copied.
    fn save(&mut self) -> Result<bool, StepError>;

    /// Takes in hand what lies on top of the stack: a copy of it if it shall stay there, or itself. False if it cannot be copied.
    fn restore(&mut self, stays: bool) -> Result<bool, StepError>;

    /// Forgets all copies.
    fn clear(&mut self);

    /// Bytes held: interned states, copies where their size is known.
    fn bytes(&self) -> usize;

    /// What is wrong with an object that answered one way and, run again or copied, another way; `code`, if it is known which call did.
    fn unreliable(&mut self, code: Option<Code>, copied: bool) -> StepError {
        let how = if copied { "on a copy of the object" } else { "when it is run again" };
        let what = code.map_or("an operation".to_owned(), |code| format!("operation {code}"));
        StepError(format!("{what} answers differently {how}"))
    }

    /// How many operations of `order` can be done from the beginning, each with its recorded result; all, if the order is legal.
    fn run(&mut self, order: &[Code]) -> Result<usize, StepError> {
        self.begin()?;
        self.go_on(order)
    }
}

/// Layer 3: what is known of the object beyond its steps.
pub trait Structure {
    /// The kind of object this is.
    fn shape(&self) -> Shape {
        Shape::Other
    }

    /// What `code` does to which value. May be told of an object without a shape; [`Role::Other`] tells nothing.
    fn role(&self, code: Code) -> Role {
        let _ = code;
        Role::Other
    }

    /// What it holds at first, if it has roles: a queue front first, a stack bottom first, a register its one value.
    fn contents(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Does `code` add, remove or look at the back of a deque? Otherwise at its front.
    fn at_back(&self, code: Code) -> bool {
        let _ = code;
        false
    }

    /// The priority of a value: the larger comes out first, equal ones in any order.
    fn class(&self, value: u32) -> u32 {
        let _ = value;
        0
    }

    /// What `code` does to each of the cells that it is about; None if that is not told.
    fn effects(&self, code: Code) -> Option<Vec<(u32, Role)>> {
        let _ = code;
        None
    }

    /// What one of several cells holds at first, as [`Structure::contents`] has it.
    fn contents_of(&self, cell: u32) -> Vec<u32> {
        let _ = cell;
        Vec::new()
    }

    /// What `code` does, if the object only grows.
    fn growth(&self, code: Code) -> Growth<'_> {
        let _ = code;
        Growth::Other
    }

    /// What it holds at first, if it only grows.
    fn grown_at_first(&self) -> Growth<'_> {
        Growth::Other
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

    /// The keys of its cells; none if its states cannot be carried elsewhere.
    fn cells(&self) -> &[ValueId] {
        &[]
    }

    /// What each of its cells holds in this state.
    fn hold(&self, state: State) -> Result<Vec<Held>, StepError> {
        Err(StepError(format!("state {state} cannot be carried elsewhere")))
    }

    /// The state in which its cells hold this; a cell of which nothing is said holds what it holds at first.
    fn adopt(&mut self, held: &[Option<&Held>]) -> Result<State, StepError> {
        Err(StepError(format!("a state of {} cells cannot be brought here", held.len())))
    }

    /// Bytes held by interned states.
    fn bytes(&self) -> usize;

    /// The state in words, for explanations.
    fn show(&self, state: State) -> String;

    /// The same specification with no states interned yet, for another thread.
    fn fork(&self) -> Box<dyn Spec>;

    /// The same specification, to be run: by its own steps, unless it knows better.
    fn runner(&self) -> Box<dyn Run> {
        Box::new(Stepped::new(self.fork()))
    }

    /// Why a few schedules should be run before any search, in words: a step is dear if the object behind it can only be run, or copied or
    /// read as a whole.
    fn why_run(&self) -> Option<&'static str> {
        None
    }
}
