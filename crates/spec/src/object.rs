//! What every shipped model provides: how an operation is understood, and what it does.

use crate::{Growth, Held, Role, Shape, State};
use linpoint_history::{History, ValueId, Values};
use std::hash::Hash;
use std::sync::Arc;

/// One operation of the history, as a model sees it.
pub struct OpView<'a> {
    /// The operation's name as recorded; synonyms are the model's business.
    pub f: &'a str,
    /// The key or object the source named, if it did.
    pub key: Option<ValueId>,
    /// The argument.
    pub value: ValueId,
    /// The recorded result; None while it is not known (pending).
    pub result: Option<ValueId>,
    /// The table behind the ids.
    pub values: &'a Values,
}

impl<'a> OpView<'a> {
    /// Operation `i` of a history; `values` is the history's table, perhaps with more values. A null key is no key.
    pub fn of(history: &'a History, i: usize, values: &'a Values) -> Self {
        let key = history.key_of(i).filter(|&key| key != ValueId::NULL);
        let (value, result) = (history.value[i], history.result_of(i));
        OpView { f: history.name(i), key, value, result, values }
    }
}

/// Why an operation is not one of the model's: "needs …, but has …".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

/// Which cells an operation is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// One cell, named by its key. An object without keys is one cell under null.
    Cell(ValueId),
    /// Several cells at once (a transaction); sorted, no duplicates.
    Cells(Box<[ValueId]>),
    /// Every cell there is (the size of a set).
    All,
}

/// An operation, understood.
pub struct Request<C> {
    /// The cells it is about.
    pub reach: Reach,
    /// What it does there. Equal calls on equal cells are interchangeable, so leave out what does not matter:
    /// the recorded result of a write, say.
    pub call: C,
}

/// The cells an operation over several of them may read and change.
pub struct Cells<'a> {
    /// The keys, sorted.
    pub keys: &'a [ValueId],
    /// Their states, in the same order.
    pub states: &'a mut [State],
}

impl Cells<'_> {
    /// The state under `key`, if it is one of these cells.
    pub fn at(&mut self, key: ValueId) -> Option<&mut State> {
        let place = self.keys.binary_search(&key).ok()?;
        Some(&mut self.states[place])
    }
}

/// A sequential object: a register, one key of a map, a queue.
///
/// `decode` is called for every distinct operation first (it may note values it will need), then
/// `settle` once; then the object is cloned for each search, which owns its clone and whatever
/// states it interns. There may be as many clones as keys: what `decode` gathers belongs in an `Arc`.
pub trait Object: Clone + Send + Sync + 'static {
    /// An operation of this object, decoded.
    type Call: Clone + Eq + Hash + Send + Sync + 'static;

    /// Understands an operation or says why not. Synonyms are settled here.
    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Self::Call>, Refusal>;

    /// Everything was decoded: a chance to order or index what was noted, or to keep the table of values.
    fn settle(&mut self, values: &Arc<Values>) {
        let _ = values;
    }

    /// Cells that are there though perhaps no operation names them (the elements a set begins with): an operation
    /// over all cells sees them too.
    fn standing(&self) -> &[ValueId] {
        &[]
    }

    /// The state of the cell under `key` before the first operation.
    fn initial(&mut self, key: ValueId) -> State;

    /// Appends the states that `call` may lead to; nothing when its recorded result is impossible here.
    fn step(&mut self, state: State, call: &Self::Call, next: &mut Vec<State>);

    /// Does `call` leave every state in which it is legal as it is?
    fn read_only(&self, call: &Self::Call) -> bool;

    /// The state in words. `values` is the history's table.
    fn show(&self, state: State, values: &Values) -> String;

    /// What a cell in this state holds, told without naming the state. Unless said otherwise, a state is the id of the one value it holds.
    fn hold(&self, state: State) -> Held {
        Held::value(state)
    }

    /// A cell will begin with this: called before everything is settled, as `decode` is.
    fn expect(&mut self, held: &Held, values: &Values) {
        let _ = (held, values);
    }

    /// The state of a cell that holds this, which was expected.
    fn adopt(&mut self, held: &Held) -> State {
        u64::from(held.values()[0].0)
    }

    /// How many bits a state needs at most, once everything was decoded; 64 when there is no bound.
    fn width(&self) -> u32 {
        64
    }

    /// Bytes held by interned states.
    fn bytes(&self) -> usize {
        0
    }

    /// The kind of object one cell is, for the log-linear monitors. Saying nothing is always right.
    fn shape(&self) -> Shape {
        Shape::Other
    }

    /// What `call` does to a cell of this shape.
    fn role(&self, call: &Self::Call) -> Role {
        let _ = call;
        Role::Other
    }

    /// What the cell under `key` holds at first, in the words of [`Role`]: see [`Spec::contents`](crate::Spec::contents).
    fn contents(&self, key: ValueId) -> Vec<u32> {
        let _ = key;
        Vec::new()
    }

    /// Is `call` about the back of a deque? See [`Structure::at_back`](crate::Structure::at_back).
    fn at_back(&self, call: &Self::Call) -> bool {
        let _ = call;
        false
    }

    /// The priority of a value, once everything was decoded: the larger comes out first.
    fn class(&self, value: u32) -> u32 {
        let _ = value;
        0
    }

    /// What `call`, about several cells, does to each of them, by their places in `keys`; None if that is not told.
    fn effects(&self, call: &Self::Call, keys: &[ValueId]) -> Option<Vec<(u32, Role)>> {
        let _ = (call, keys);
        None
    }

    /// What `call`, about the cell at this place of `keys` or about all of them, does to an object that only grows.
    fn growth<'a>(&'a self, call: &'a Self::Call, cell: Option<u32>, keys: &[ValueId]) -> Growth<'a> {
        let _ = (call, cell, keys);
        Growth::Other
    }

    /// What the cells of these keys hold at first, once everything was decoded, if the object only grows.
    fn grown_at_first(&self, keys: &[ValueId]) -> Growth<'_> {
        let _ = keys;
        Growth::Other
    }

    /// An operation over several cells: changes them and says whether it was legal. Only objects whose
    /// `decode` answers [`Reach::Cells`] or [`Reach::All`] have one.
    fn step_cells(&mut self, call: &Self::Call, cells: &mut Cells<'_>) -> bool {
        let _ = (call, cells);
        unreachable!("this object has no operation over several cells")
    }
}
