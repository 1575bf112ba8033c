//! What is left when the states themselves are not needed any more? Numbered states and labelled transitions: 8 bytes per transition.

use crate::client::{Event, Label, System};
use crate::explore::{Failure, Space};
use crate::table::{Handle, PARTS, Part};
use crate::value::{FALSE, GREATEST, LEAST, NONE, TRUE, ZERO};
use crate::walk::Walk;
use hashbrown::{HashMap, HashSet};
use linpoint_base::{Cause, Control, Hashing};
use linpoint_equiv::{Labels, Lts, TAU};

const UNSEEN: u32 = u32::MAX;

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
    /// in memory, and minimising takes half the time.
    pub fn into_graph(mut self, control: &Control) -> Result<Numbered, Cause> {
        let bytes = self.system.machine.layout.bytes();
        let (states, transitions) = (self.states(), self.transitions());
        let mut numbers: Vec<Vec<u32>> = self.parts.iter().map(|part| vec![UNSEEN; part.len(bytes)]).collect();
        self.parts.iter_mut().for_each(Part::forget_states);
        let row = |state: Handle| {
            let (part, local) = (&self.parts[state as usize % PARTS], state as usize / PARTS);
            // States that were not expanded, since the exploration stopped, have no transitions.
            let end = |local: usize| part.ends.get(local).or(part.ends.last()).map_or(0, |&end| end as usize);
            let start = if local == 0 { 0 } else { end(local - 1) };
            (part, start..end(local))
        };
        let mut order: Vec<Handle> = Vec::with_capacity(states);
        let mut stack = Vec::new();
        if states > 0 {
            numbers[self.initial as usize % PARTS][self.initial as usize / PARTS] = 0;
            order.push(self.initial);
            stack.push((self.initial, 0));
        }
        let mut walk = Walk::new(control);
        while let Some((state, next)) = stack.last_mut() {
            walk.step(|| 16 * states)?;
            let (part, range) = row(*state);
            let Some(&target) = part.targets[range].get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            let number = &mut numbers[target as usize % PARTS][target as usize / PARTS];
            if *number == UNSEEN {
                *number = order.len() as u32;
                order.push(target);
                stack.push((target, 0));
            }
        }
        let number = |state: Handle| numbers[state as usize % PARTS][state as usize / PARTS];
        let mut graph = Graph {
            initial: 0,
            threads: self.system.client.threads,
            ends: Vec::with_capacity(states),
            labels: Vec::with_capacity(transitions),
            targets: Vec::with_capacity(transitions),
        };
        for &state in &order {
            walk.step(|| 16 * states + 8 * transitions)?;
            let (part, range) = row(state);
            graph.labels.extend_from_slice(&part.labels[range.clone()]);
            graph.targets.extend(part.targets[range].iter().map(|&target| number(target)));
            graph.ends.push(graph.labels.len() as u32);
        }
        let failure = self.failure.map(|failure| (failure.state.map(number), failure));
        Ok((self.system, graph, failure))
    }
}
