//! Many cells, one state: how the cells of a part are laid into 64 bits.
//!
//! One cell is its own state. Several are packed side by side where their widths allow it (a set
//! of up to 64 elements is one word). Otherwise they are interned as a sequence of 32-bit words, as
//! many cells in each as fit: a set of 1000 elements takes 32 words, not 1000. A step that changes one
//! of many cells copies the words, and hashes only the one that changed.

use crate::heap::Sequences;
use crate::{Cells, Code, Growth, Held, Object, Role, Shape, Spec, State, StepError, Structure};
use linpoint_history::{ValueId, Values};
use std::sync::Arc;

/// Every distinct call of a history, shared by all parts.
pub(crate) struct Calls<C> {
    /// By code.
    pub calls: Vec<C>,
    pub read_only: Vec<bool>,
    /// By code: which cells it is about, as a place in the columns below; empty if all are about the same.
    pub reach_of: Vec<u32>,
    /// By reach: the place of its cell within its part; None when it spans several.
    pub cell: Vec<Option<u32>>,
    /// By reach: the group of cells that it is in, as fine as the operations allow.
    pub domain: Vec<u32>,
}

impl<C> Calls<C> {
    fn call(&self, code: Code) -> &C {
        &self.calls[code as usize]
    }

    /// The number of what it is about.
    pub fn reach(&self, code: Code) -> usize {
        if self.reach_of.is_empty() { 0 } else { self.reach_of[code as usize] as usize }
    }

    fn cell(&self, code: Code) -> Option<u32> {
        self.cell[self.reach(code)]
    }
}

#[derive(Clone, Copy, Debug)]
enum Layout {
    /// The state is the state of the only cell.
    Single,
    /// Cell i has the bits from i × width on.
    Packed { width: u32 },
    /// Word i has the cells from i × (32 / width) on, the first in its lowest bits.
    Words { width: u32 },
    /// Cell i has the words 2i (its lower half) and 2i + 1.
    Pairs,
}

/// An object, or many under their keys, as one specification.
pub(crate) struct Product<O: Object> {
    object: O,
    /// The object before it interned any state, for forks.
    fresh: O,
    calls: Arc<Calls<O::Call>>,
    /// The cells of this part, sorted.
    keys: Arc<[ValueId]>,
    values: Arc<Values>,
    layout: Layout,
    heap: Sequences,
    /// The cells of the state at hand, and the words of one in the making; kept to save allocations.
    cells: Vec<State>,
    words: Vec<u32>,
}

impl<O: Object> Product<O> {
    pub fn new(fresh: O, calls: Arc<Calls<O::Call>>, keys: Arc<[ValueId]>, values: Arc<Values>) -> Self {
        let width = fresh.width().max(1);
        let layout = match keys.len() as u64 {
            1 => Layout::Single,
            0 => Layout::Packed { width: 1 },
            n if n * u64::from(width) <= 64 => Layout::Packed { width },
            _ if width <= 32 => Layout::Words { width },
            _ => Layout::Pairs,
        };
        let (heap, cells, words) = (Sequences::default(), Vec::new(), Vec::new());
        Product { object: fresh.clone(), fresh, calls, keys, values, layout, heap, cells, words }
    }

    /// The cells of a state, appended to `cells`.
    fn unpack(&self, state: State, cells: &mut Vec<State>) {
        match self.layout {
            Layout::Single => cells.push(state),
            Layout::Packed { width } => {
                let mask = low_bits(width);
                cells.extend((0..self.keys.len() as u32).map(|i| state >> (i * width) & mask));
            }
            Layout::Words { width } => {
                let (each, mask) = (32 / width, low_bits(width));
                let words = self.heap.get(state).iter();
                cells.extend(words.flat_map(|&word| (0..each).map(move |i| u64::from(word) >> (i * width) & mask)));
                cells.truncate(self.keys.len());
            }
            Layout::Pairs => cells.extend(self.heap.get(state).chunks_exact(2).map(|pair| join(pair[0], pair[1]))),
        }
    }

    /// The state made of `self.cells`.
    fn pack(&mut self) -> State {
        self.words.clear();
        match self.layout {
            Layout::Single => return self.cells[0],
            Layout::Packed { width } => {
                return self.cells.iter().rev().fold(0, |state, &cell| state << width | cell);
            }
            Layout::Words { width } => {
                let groups = self.cells.chunks((32 / width) as usize);
                let word = |cells: &[State]| cells.iter().rev().fold(0, |word, &cell| word << width | cell);
                self.words.extend(groups.map(|cells| word(cells) as u32));
            }
            Layout::Pairs => self.words.extend(self.cells.iter().flat_map(|&cell| [cell as u32, (cell >> 32) as u32])),
        }
        self.heap.intern(&self.words)
    }

    /// A step of one cell.
    fn step_cell(&mut self, state: State, cell: u32, code: Code, next: &mut Vec<State>) {
        let call = self.calls.call(code);
        let from = next.len();
        match self.layout {
            Layout::Single => self.object.step(state, call, next),
            Layout::Packed { width } => {
                let (shift, mask) = (cell * width, low_bits(width));
                self.object.step(state >> shift & mask, call, next);
                for outcome in &mut next[from..] {
                    *outcome = state & !(mask << shift) | *outcome << shift;
                }
            }
            Layout::Words { width } => {
                let each = 32 / width;
                let (place, shift, mask) = ((cell / each) as usize, cell % each * width, low_bits(width));
                let word = u64::from(self.heap.get(state)[place]);
                self.object.step(word >> shift & mask, call, next);
                for outcome in &mut next[from..] {
                    let changed = word & !(mask << shift) | *outcome << shift;
                    *outcome = if changed == word { state } else { self.heap.replace(state, place, changed as u32) };
                }
            }
            Layout::Pairs => {
                let place = 2 * cell as usize;
                let before = join(self.heap.get(state)[place], self.heap.get(state)[place + 1]);
                self.object.step(before, call, next);
                for outcome in &mut next[from..] {
                    let after = *outcome;
                    *outcome = state;
                    if after != before {
                        self.words.clear();
                        self.words.extend_from_slice(self.heap.get(state));
                        (self.words[place], self.words[place + 1]) = (after as u32, (after >> 32) as u32);
                        *outcome = self.heap.intern(&self.words);
                    }
                }
            }
        }
    }

    /// A step over several cells.
    fn step_cells(&mut self, state: State, code: Code, next: &mut Vec<State>) {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        self.unpack(state, &mut cells);
        let call = self.calls.call(code);
        let legal = self.object.step_cells(call, &mut Cells { keys: &self.keys, states: &mut cells });
        self.cells = cells;
        if legal {
            let after = if self.calls.read_only[code as usize] { state } else { self.pack() };
            next.push(after);
        }
    }
}

/// A mask of `width` bits; where several cells share a word, it is at most 32.
fn low_bits(width: u32) -> u64 {
    (1 << width) - 1
}

fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Shape, role and contents only of a single cell: the values of several have nothing to do with each other.
impl<O: Object> Structure for Product<O> {
    fn shape(&self) -> Shape {
        if self.keys.len() == 1 { self.fresh.shape() } else { Shape::Other }
    }

    fn role(&self, code: Code) -> Role {
        match self.calls.cell(code).filter(|_| self.keys.len() == 1) {
            Some(_) => self.fresh.role(self.calls.call(code)),
            None => Role::Other,
        }
    }

    fn contents(&self) -> Vec<u32> {
        self.keys.first().map_or_else(Vec::new, |&key| self.fresh.contents(key))
    }

    fn at_back(&self, code: Code) -> bool {
        self.fresh.at_back(self.calls.call(code))
    }

    fn class(&self, value: u32) -> u32 {
        self.fresh.class(value)
    }

    fn effects(&self, code: Code) -> Option<Vec<(u32, Role)>> {
        let call = self.calls.call(code);
        match self.calls.cell(code) {
            Some(cell) => Some(vec![(cell, self.fresh.role(call))]).filter(|told| told[0].1 != Role::Other),
            None => self.fresh.effects(call, &self.keys),
        }
    }

    fn contents_of(&self, cell: u32) -> Vec<u32> {
        self.fresh.contents(self.keys[cell as usize])
    }

    fn growth(&self, code: Code) -> Growth<'_> {
        self.fresh.growth(self.calls.call(code), self.calls.cell(code), &self.keys)
    }

    fn grown_at_first(&self) -> Growth<'_> {
        self.fresh.grown_at_first(&self.keys)
    }
}

impl<O: Object> Spec for Product<O> {
    fn initial(&mut self) -> Result<State, StepError> {
        self.cells.clear();
        for &key in self.keys.iter() {
            self.cells.push(self.object.initial(key));
        }
        Ok(self.pack())
    }

    fn step(&mut self, state: State, code: Code, next: &mut Vec<State>) -> Result<(), StepError> {
        match self.calls.cell(code) {
            Some(cell) => self.step_cell(state, cell, code, next),
            None => self.step_cells(state, code, next),
        }
        Ok(())
    }

    fn read_only(&self, code: Code) -> bool {
        self.calls.read_only[code as usize]
    }

    fn domain(&self, code: Code) -> u32 {
        self.calls.domain[self.calls.reach(code)]
    }

    fn cells(&self) -> &[ValueId] {
        &self.keys
    }

    fn hold(&self, state: State) -> Result<Vec<Held>, StepError> {
        let mut cells = Vec::with_capacity(self.keys.len());
        self.unpack(state, &mut cells);
        Ok(cells.into_iter().map(|cell| self.object.hold(cell)).collect())
    }

    fn adopt(&mut self, held: &[Option<&Held>]) -> Result<State, StepError> {
        self.cells.clear();
        for (&key, held) in self.keys.iter().zip(held) {
            let cell = match held {
                Some(held) => self.object.adopt(held),
                None => self.object.initial(key),
            };
            self.cells.push(cell);
        }
        Ok(self.pack())
    }

    fn bytes(&self) -> usize {
        self.heap.bytes() + self.object.bytes()
    }

    fn show(&self, state: State) -> String {
        let mut cells = Vec::new();
        self.unpack(state, &mut cells);
        let shown = cells.iter().map(|&cell| self.object.show(cell, &self.values));
        if *self.keys == [ValueId::NULL] {
            return shown.collect();
        }
        let named = self.keys.iter().zip(shown).map(|(&key, cell)| format!("{}: {cell}", self.values.show(key)));
        format!("{{{}}}", named.collect::<Vec<_>>().join(", "))
    }

    fn fork(&self) -> Box<dyn Spec> {
        let (calls, keys, values) = (Arc::clone(&self.calls), Arc::clone(&self.keys), Arc::clone(&self.values));
        Box::new(Product::new(self.fresh.clone(), calls, keys, values))
    }
}
