//! A set, one cell an element: add, remove, contains, and over all cells read and size.
//!
//! A state is one bit: is the element in? An add that answers false found it there, a remove
//! that answers false did not: both are reads. A null answer was not recorded and is not compared.
//! Without `read` and `size` a history splits by element; with them all elements stay together. What a read shows stays in the
//! history's table of values: long lists are neither copied nor compared until a step or a monitor asks for them.

use super::cell::{self, Test};
use super::understand::{count, key_alone, needs, truth, truth_if_recorded};
use crate::info::{ModelInfo, operation, option};
use crate::{Cells, Growth, Held, NOWHERE, Object, OpView, Reach, Refusal, Request, Role, Shape, State};
use linpoint_history::{ValueId, Values};
use std::sync::{Arc, OnceLock};

/// The set.
pub const INFO: ModelInfo = ModelInfo {
    name: "set",
    aliases: &["hash-set", "grow-only-set", "g-set"],
    summary: "Elements that are in or not.",
    operations: &[
        operation("add", &["insert", "put"], "element", "bool?: true if it was not in"),
        operation("remove", &["delete", "discard"], "element", "bool?: true if it was in"),
        operation("contains", &["member", "has"], "element", "bool"),
        operation("read", &[], "–", "list of all elements, each once, any order"),
        operation("size", &["len", "count"], "–", "how many"),
    ],
    options: &[option("initial", "[]", "the elements that are in before the first operation")],
};

/// A set of values.
#[derive(Clone, Debug)]
pub struct Set {
    /// The elements in it at first, sorted, each once.
    initial: Arc<[ValueId]>,
    /// Is it read as a whole? Is anything removed?
    reads: bool,
    removes: bool,
    /// Where the lists are that were read, once all are known.
    values: Arc<Values>,
    /// By value: where it is among the keys; made when a monitor asks for the first list.
    places: OnceLock<Arc<[u32]>>,
    /// By cell: was it met in the list at hand? Kept to save allocations.
    is_met: Vec<bool>,
}

/// What a set can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// About one element.
    Element(cell::Call),
    /// All elements: a list; None while it is not known.
    Read(Option<ValueId>),
    /// How many there are.
    Size(Option<i128>),
}

const OUT: u32 = 0;
const IN: u32 = 1;

impl Set {
    /// A set that holds `initial`.
    pub fn new(mut initial: Vec<ValueId>) -> Self {
        initial.sort();
        initial.dedup();
        Set {
            initial: initial.into(),
            reads: false,
            removes: false,
            values: Arc::default(),
            places: OnceLock::new(),
            is_met: Vec::new(),
        }
    }

    /// The elements that a read shows.
    fn elements(&self, list: ValueId) -> &[ValueId] {
        self.values.as_list(list).expect("it was a list when it was decoded")
    }

    /// Where the elements are among the keys.
    fn places(&self, list: ValueId, keys: &[ValueId]) -> Vec<u32> {
        let places = self.places.get_or_init(|| {
            let mut places = vec![NOWHERE; keys.last().map_or(0, |key| key.index() + 1)];
            (0..).zip(keys).for_each(|(place, key)| places[key.index()] = place);
            places.into()
        });
        self.elements(list).iter().map(|element| places.get(element.index()).copied().unwrap_or(NOWHERE)).collect()
    }
}

/// The element ends up as `after`; the answer says whether it was otherwise before.
fn change_to(after: u32, changed: Option<bool>) -> cell::Call {
    match changed {
        None => cell::Call::put(Test::Any, after),
        Some(true) => cell::Call::put(Test::Is(1 - after), after),
        Some(false) => cell::Call::Check(Test::Is(after)),
    }
}

impl Object for Set {
    type Call = Call;

    fn decode(&mut self, op: &OpView<'_>) -> Result<Request<Call>, Refusal> {
        let name = INFO.resolve(op)?;
        if op.key.is_some_and(|key| ![key, ValueId::NULL].contains(&op.value)) && !matches!(name, "read" | "size") {
            return Err(needs(op, name, "its element as key or as value, not one of each", op.value));
        }
        let call = match name {
            "add" => change_to(IN, truth_if_recorded(op, "add")?),
            "remove" => {
                self.removes = true;
                change_to(OUT, truth_if_recorded(op, "remove")?)
            }
            "contains" => {
                let inside = truth(op, "contains")?;
                cell::Call::Check(inside.map_or(Test::Any, |inside| Test::Is(u32::from(inside))))
            }
            "read" => {
                self.reads = true;
                if let Some(result) = op.result
                    && op.values.as_list(result).is_none()
                {
                    return Err(needs(op, "a completed read", "a list as result", result));
                }
                return Ok(Request { reach: Reach::All, call: Call::Read(op.result) });
            }
            "size" => return Ok(Request { reach: Reach::All, call: Call::Size(count(op, "size")?) }),
            name => unreachable!("a set has no {name}"),
        };
        Ok(Request { reach: Reach::Cell(key_alone(op)), call: Call::Element(call) })
    }

    fn settle(&mut self, values: &Arc<Values>) {
        self.values = Arc::clone(values);
    }

    fn standing(&self) -> &[ValueId] {
        &self.initial
    }

    fn initial(&mut self, element: ValueId) -> State {
        u64::from(if self.initial.binary_search(&element).is_ok() { IN } else { OUT })
    }

    fn step(&mut self, state: State, call: &Call, next: &mut Vec<State>) {
        match call {
            Call::Element(call) => call.step(state, next),
            Call::Read(_) | Call::Size(_) => unreachable!("these reach all cells"),
        }
    }

    fn step_cells(&mut self, call: &Call, cells: &mut Cells<'_>) -> bool {
        let size = || cells.states.iter().filter(|&&state| state == u64::from(IN)).count();
        match *call {
            Call::Read(Some(list)) => {
                let mut is_met = std::mem::take(&mut self.is_met);
                is_met.clear();
                is_met.resize(cells.keys.len(), false);
                let elements = self.elements(list);
                let is_new_and_in = |element: &ValueId| {
                    let place = cells.keys.binary_search(element);
                    place.is_ok_and(|at| cells.states[at] == u64::from(IN) && !std::mem::replace(&mut is_met[at], true))
                };
                let is_legal = elements.len() == size() && elements.iter().all(is_new_and_in);
                self.is_met = is_met;
                is_legal
            }
            Call::Size(Some(recorded)) => recorded == size() as i128,
            _ => true,
        }
    }

    fn read_only(&self, call: &Call) -> bool {
        match call {
            Call::Element(call) => call.read_only(),
            Call::Read(_) | Call::Size(_) => true,
        }
    }

    fn show(&self, state: State, _: &Values) -> String {
        if state == u64::from(IN) { "in" } else { "out" }.into()
    }

    fn hold(&self, state: State) -> Held {
        Held::Bit(state == u64::from(IN))
    }

    fn adopt(&mut self, held: &Held) -> State {
        u64::from(*held == Held::Bit(true))
    }

    fn shape(&self) -> Shape {
        Shape::Set
    }

    fn role(&self, call: &Call) -> Role {
        match call {
            Call::Element(call) => call.role(),
            Call::Read(_) | Call::Size(_) => Role::Other,
        }
    }

    fn contents(&self, element: ValueId) -> Vec<u32> {
        vec![if self.initial.binary_search(&element).is_ok() { IN } else { OUT }]
    }

    fn growth<'a>(&'a self, call: &'a Call, cell: Option<u32>, keys: &[ValueId]) -> Growth<'a> {
        match (call, cell) {
            (Call::Element(cell::Call::Put(Test::Any, IN)), Some(cell)) => Growth::Add(cell, None),
            (Call::Element(cell::Call::Put(Test::Is(OUT), IN)), Some(cell)) => Growth::Add(cell, Some(true)),
            (Call::Read(Some(list)), _) => Growth::Elements(self.places(*list, keys)),
            (Call::Element(cell::Call::Check(Test::Any)) | Call::Read(None) | Call::Size(None), _) => Growth::Nothing,
            _ => Growth::Other,
        }
    }

    fn grown_at_first(&self, keys: &[ValueId]) -> Growth<'_> {
        if self.removes || !self.reads {
            return Growth::Other;
        }
        let is_in = |&place: &u32| self.initial.binary_search(&keys[place as usize]).is_ok();
        Growth::Elements((0..keys.len() as u32).filter(is_in).collect())
    }

    fn width(&self) -> u32 {
        1
    }
}
