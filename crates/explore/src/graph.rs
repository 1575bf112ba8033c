//! What is left when the states themselves are not needed any more? Numbered states and labelled transitions: 8 bytes per transition.

use crate::client::{Event, Label, System};
use crate::explore::{Failure, Space};
use crate::table::{Handle, PARTS, Part};
use crate::value::{FALSE, GREATEST, LEAST, NONE, TRUE, ZERO};
use crate::walk::Walk;
use hashbrown::{HashMap, HashSet};
use linpoint_base::{Cause, Control, Hashing};
use linpoint_equiv::{Labels, Lts, TAU};
use std::hint::black_box;

const UNSEEN: u32 = u32::MAX;
/// States whose rows are fetched together: a walk that looks at one after the other waits for the memory each time.
const TOGETHER: usize = 16;

/// States are numbers; row `s` ends at `ends[s]`.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The initial state.
    pub initial: u32,
    /// How many threads its labels speak of.
    pub threads: usize,
    pub(crate) ends: Vec<u32>,
    pub(crate) labels: Vec<Label>,
    pub(crate) targets: Vec<u32>,
}

/// How labels are written.
#[derive(Clone, Debug)]
pub struct Names {
    /// The entries of the menu: `push(1)`.
    pub calls: Vec<String>,
    /// The methods, by number.
    pub methods: Vec<String>,
    /// The symbols.
    pub symbols: Vec<String>,
}

impl Names {
    /// A value in the words of the source.
    pub fn value(&self, byte: u8) -> String {
        match byte {
            NONE => "None".into(),
            FALSE => "False".into(),
            TRUE => "True".into(),
            LEAST => "LEAST".into(),
            GREATEST => "GREATEST".into(),
            _ if byte < LEAST => self.symbols.get(usize::from(byte) - 3).cloned().unwrap_or_default(),
            _ => (i64::from(byte) - i64::from(ZERO)).to_string(),
        }
    }

    /// A visible label: `t1.call.push(1)`, `t2.ret.pop(EMPTY)`. None is an internal step.
    pub fn label(&self, label: Label) -> Option<String> {
        let thread = label.thread() + 1;
        match label.event() {
            Event::Step => None,
            Event::Call(entry) => Some(format!("t{thread}.call.{}", self.calls[usize::from(entry)])),
            Event::Return(method, value) => {
                Some(format!("t{thread}.ret.{}({})", self.methods[usize::from(method)], self.value(value)))
            }
        }
    }
}

impl Graph {
    /// How many states.
    pub fn states(&self) -> usize {
        self.ends.len()
    }

    /// How many transitions.
    pub fn transitions(&self) -> usize {
        self.labels.len()
    }

    /// The transitions of a state, by their position among all.
    #[inline]
    pub fn range(&self, state: u32) -> std::ops::Range<usize> {
        let start = if state == 0 { 0 } else { self.ends[state as usize - 1] as usize };
        start..self.ends[state as usize] as usize
    }

    /// The transitions of a state.
    #[inline]
    pub fn row(&self, state: u32) -> impl Iterator<Item = (Label, u32)> + '_ {
        self.range(state).map(|at| (self.labels[at], self.targets[at]))
    }

    /// The system with its calls and returns as labels, every other step internal.
    pub fn lts(&self, names: &Names, control: &Control) -> Result<Lts, Cause> {
        let mut labels = Labels::default();
        let mut known: HashMap<Label, u32, Hashing> = HashMap::default();
        let mut intern = |label: Label| {
            if label.internal() {
                return TAU;
            }
            *known.entry(label).or_insert_with(|| labels.intern_visible(&names.label(label).unwrap_or_default()))
        };
        let mut walk = Walk::new(control);
        let mut label = Vec::with_capacity(self.labels.len());
        for &known in &self.labels {
            walk.step(|| 8 * self.labels.len())?;
            label.push(intern(known));
        }
        Ok(Lts::from_rows(labels, self.initial, &self.ends, label, self.targets.clone()))
    }

    /// The visible labels that occur, each once.
    pub fn visible(&self) -> impl Iterator<Item = Label> {
        let distinct: HashSet<Label, Hashing> = self.labels.iter().copied().filter(|label| !label.internal()).collect();
        distinct.into_iter()
    }

    /// Which threads have a call that did not return, as bits, for each state. It is the same on every way into a state.
    pub fn pending(&self, control: &Control) -> Result<Vec<u8>, Cause> {
        let mut walk = Walk::new(control);
        let (mut pending, mut seen) = (vec![0u8; self.states()], vec![false; self.states()]);
        let mut open = vec![self.initial];
        seen[self.initial as usize] = true;
        while let Some(state) = open.pop() {
            walk.step(|| 6 * self.states())?;
            let here = pending[state as usize];
            for (label, target) in self.row(state) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    let bit = 1 << label.thread();
                    pending[target as usize] = match label.event() {
                        Event::Step => here,
                        Event::Call(_) => here | bit,
                        Event::Return(..) => here & !bit,
                    };
                    open.push(target);
                }
            }
        }
        Ok(pending)
    }
}

/// What was explored, its states numbered; and the failure, if any, with the number of its state.
pub type Numbered = (System, Graph, Option<(Option<u32>, Failure)>);

impl Space {
    /// Numbers the states and forgets them; the failure, if any, comes with the number of its state.
    ///
    /// States are numbered depth first, each after the one it was reached from: what happens one after the other then stands side by side
    /// in memory, and minimising takes a fifth of the time. Where a state is first met its row is copied out, so that it is looked for once.
    pub fn into_graph(mut self, control: &Control) -> Result<Numbered, Cause> {
        let bytes = self.system.machine.layout.bytes();
        let (states, transitions) = (self.states(), self.transitions());
        let mut places: Vec<Vec<Place>> = self.parts.iter_mut().map(|part| places_of(part, bytes)).collect();
        let held = 24 * states + 20 * transitions;
        let mut walk = Walk::new(control);
        let mut graph = Graph {
            initial: 0,
            threads: self.system.client.threads,
            ends: Vec::with_capacity(states),
            labels: Vec::with_capacity(transitions),
            targets: Vec::with_capacity(transitions),
        };
        let mut open: Vec<Handle> = if states > 0 { vec![self.initial] } else { Vec::new() };
        let mut some = Vec::with_capacity(TOGETHER);
        while !open.is_empty() {
            some.extend(open.drain(open.len().saturating_sub(TOGETHER)..).rev());
            let first = graph.targets.len();
            for state in some.drain(..) {
                walk.step(|| held)?;
                let (part, local) = (state as usize % PARTS, state as usize / PARTS);
                let Place { first, number } = places[part][local];
                if number == UNSEEN {
                    places[part][local].number = graph.ends.len() as u32;
                    let row = &self.parts[part].steps[first as usize..places[part][local + 1].first as usize];
                    graph.labels.extend(row.iter().map(|step| step.0));
                    graph.targets.extend(row.iter().map(|step| step.1));
                    graph.ends.push(graph.labels.len() as u32);
                }
            }
            let targets = graph.targets[first..].iter().rev().copied();
            black_box(targets.clone().fold(0, |seen, target| seen ^ place(&places, target).number));
            open.extend(targets.filter(|&target| place(&places, target).number == UNSEEN));
        }
        drop((open, std::mem::take(&mut self.parts)));
        let number = |state: Handle| place(&places, state).number;
        for target in &mut graph.targets {
            walk.step(|| held)?;
            *target = number(*target);
        }
        let failure = self.failure.map(|failure| (failure.state.map(number), failure));
        Ok((self.system, graph, failure))
    }
}

/// Where the transitions of a state begin, and its number.
#[derive(Clone, Copy)]
struct Place {
    first: u32,
    number: u32,
}

#[inline]
fn place(places: &[Vec<Place>], state: Handle) -> Place {
    places[state as usize % PARTS][state as usize / PARTS]
}

/// The places of the states of a part, and one more for the end. States that were not expanded, since the exploration stopped, have no transitions.
fn places_of(part: &mut Part, bytes: usize) -> Vec<Place> {
    let states = part.len(bytes);
    part.forget_states();
    let mut places = Vec::with_capacity(states + 1);
    places.push(Place { first: 0, number: UNSEEN });
    places.extend(part.ends.drain(..).map(|first| Place { first, number: UNSEEN }));
    places.resize(states + 1, Place { first: part.steps.len() as u32, number: UNSEEN });
    places
}
