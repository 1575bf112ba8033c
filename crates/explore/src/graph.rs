//! What is left when the states themselves are not needed any more? Numbered states and labelled transitions: 8 bytes per transition.

use crate::client::{Event, Label};
use crate::explore::{Failure, Space};
use crate::table::{Handle, PARTS};
use crate::value::{FALSE, GREATEST, LEAST, NONE, TRUE, ZERO};
use hashbrown::{HashMap, HashSet};
use linpoint_base::Hashing;
use linpoint_equiv::{Labels, Lts, TAU};
use std::collections::VecDeque;

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
    pub fn lts(&self, names: &Names) -> Lts {
        let mut labels = Labels::default();
        let mut known: HashMap<Label, u32, Hashing> = HashMap::default();
        let mut intern = |label: Label| {
            if label.internal() {
                return TAU;
            }
            *known.entry(label).or_insert_with(|| labels.intern_visible(&names.label(label).unwrap_or_default()))
        };
        let label = self.labels.iter().map(|&label| intern(label)).collect();
        Lts::from_rows(labels, self.initial, &self.ends, label, self.targets.clone())
    }

    /// The visible labels that occur, each once.
    pub fn visible(&self) -> impl Iterator<Item = Label> {
        let distinct: HashSet<Label, Hashing> = self.labels.iter().copied().filter(|label| !label.internal()).collect();
        distinct.into_iter()
    }

    /// Which threads have a call that did not return, as bits, for each state that can be reached.
    pub fn pending(&self) -> Vec<u8> {
        let mut pending = vec![0u8; self.states()];
        self.breadth_first(|state, label, target| {
            let bit = 1 << label.thread();
            pending[target as usize] = match label.event() {
                Event::Step => pending[state as usize],
                Event::Call(_) => pending[state as usize] | bit,
                Event::Return(..) => pending[state as usize] & !bit,
            };
        });
        pending
    }

    /// Tells of every first way into a state, nearest states first.
    pub fn breadth_first(&self, mut entered: impl FnMut(u32, Label, u32)) {
        let mut seen = vec![false; self.states()];
        let mut queue = VecDeque::from([self.initial]);
        seen[self.initial as usize] = true;
        while let Some(state) = queue.pop_front() {
            for (label, target) in self.row(state) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    entered(state, label, target);
                    queue.push_back(target);
                }
            }
        }
    }
}

impl Space {
    /// Numbers the states part by part and forgets them; the failure, if any, with the number of its state.
    pub fn into_graph(self) -> (crate::client::System, Graph, Option<(Option<u32>, Failure)>) {
        let bytes = self.system.machine.layout.bytes();
        let mut offsets = [0u32; PARTS];
        let mut total = 0u32;
        for (part, offset) in self.parts.iter().zip(&mut offsets) {
            *offset = total;
            total += part.len(bytes) as u32;
        }
        let number = |handle: Handle| offsets[handle as usize % PARTS] + handle / PARTS as u32;
        let mut graph = Graph {
            initial: number(self.initial),
            threads: self.system.client.threads,
            ends: Vec::with_capacity(total as usize),
            labels: Vec::with_capacity(self.transitions()),
            targets: Vec::with_capacity(self.transitions()),
        };
        let failure = self.failure.map(|failure| (failure.state.map(number), failure));
        for part in self.parts {
            let base = graph.labels.len() as u32;
            let states = part.len(bytes);
            graph.ends.extend(part.ends.iter().map(|&end| base + end as u32));
            graph.labels.extend(part.labels);
            graph.targets.extend(part.targets.into_iter().map(number));
            // States that were not expanded, since the exploration stopped, have no transitions.
            let last = graph.labels.len() as u32;
            let unexpanded = states - part.ends.len();
            graph.ends.extend(std::iter::repeat_n(last, unexpanded));
        }
        (self.system, graph, failure)
    }
}
