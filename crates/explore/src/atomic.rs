//! What does the specification allow? Θ_sp: the most general client over an object whose methods are one atomic step each.
//!
//! A call, one internal step that runs the sequential operation, a return (Yang, Katoen, Lin & Wu, §2.3). The operation comes as a table of the sequential
//! model, so a model in any language will do. An entry without outcomes is an operation that has to wait.

use crate::client::{Event, Label, MOST_CALLS, MOST_THREADS, Order};
use crate::graph::Graph;
use crate::table::{Part, hash};
use linpoint_base::{Account, Cause, Control};

/// A sequential model, run as far as the client can go.
#[derive(Clone, Debug)]
pub struct Atomic {
    /// The method of each entry of the menu.
    pub methods: Vec<u8>,
    /// By state and entry of the menu: (next state, result). State 0 is the initial one.
    pub outcomes: Vec<Vec<Vec<(u32, u8)>>>,
    /// Which of the runs that differ only in names are made: the same as of the object.
    pub order: Order,
}

const CALLED: u8 = 1;
const RETURNS: u8 = 2;
/// Bytes of a thread in a state: phase, entry or method, result, calls made.
const THREAD: usize = 4;
/// The state of the model.
const MODEL: usize = 4;
/// Bytes before the threads: the state of the model, how many values were used.
const HEAD: usize = MODEL + 1;

impl Atomic {
    /// All states and transitions under a client with so many threads and calls.
    pub fn graph(&self, threads: usize, calls: usize, control: &Control) -> Result<Graph, Cause> {
        let sound = self.outcomes.iter().all(|row| row.len() == self.methods.len())
            && self.outcomes.iter().flatten().flatten().all(|&(next, _)| (next as usize) < self.outcomes.len());
        if !sound || self.outcomes.is_empty() || threads > MOST_THREADS || calls > MOST_CALLS {
            return Err(Cause::Broken("the table of the specification is not complete".into()));
        }
        let bytes = (HEAD + threads * THREAD).next_multiple_of(8);
        let mut account = Account::alone(control);
        let (mut known, mut state, mut next) = (Part::default(), vec![0; bytes], vec![0; bytes]);
        known.insert(hash(&state), &state);
        let mut graph = Graph { initial: 0, threads, ends: Vec::new(), labels: Vec::new(), targets: Vec::new() };
        while graph.ends.len() < known.len(bytes) {
            let at = graph.ends.len() * bytes;
            state.copy_from_slice(&known.states[at..at + bytes]);
            for thread in 0..threads {
                self.moves(&state, thread, calls, &mut next, |event, next| {
                    graph.labels.push(Label::new(thread, event));
                    graph.targets.push(known.insert(hash(next), next));
                });
            }
            graph.ends.push(graph.labels.len() as u32);
            if graph.ends.len().is_multiple_of(1024) {
                account.configurations = graph.ends.len() as u64;
                if let Some(cause) = account.poll(known.memory() + graph.labels.len() * 8, 0) {
                    return Err(cause);
                }
            }
        }
        Ok(graph)
    }

    fn moves(&self, state: &[u8], thread: usize, calls: usize, next: &mut [u8], mut emit: impl FnMut(Event, &[u8])) {
        let at = HEAD + thread * THREAD;
        let &[phase, entry, result, made] = &state[at..at + THREAD] else { return };
        match phase {
            CALLED => {
                let model = u32::from_le_bytes([state[0], state[1], state[2], state[3]]);
                for &(after, result) in &self.outcomes[model as usize][usize::from(entry)] {
                    next.copy_from_slice(state);
                    next[..MODEL].copy_from_slice(&after.to_le_bytes());
                    next[at..at + THREAD].copy_from_slice(&[RETURNS, self.methods[usize::from(entry)], result, made]);
                    emit(Event::Step, next);
                }
            }
            RETURNS => {
                next.copy_from_slice(state);
                next[at..at + THREAD].copy_from_slice(&[0, 0, 0, made]);
                emit(Event::Return(entry, result), next);
            }
            _ if usize::from(made) < calls && self.order.turn(made, thread.checked_sub(1).map(|_| state[at - 1])) => {
                for entry in 0..self.methods.len() as u8 {
                    let Some(used) = self.order.after(entry, state[MODEL]) else { continue };
                    next.copy_from_slice(state);
                    next[MODEL] = used;
                    next[at..at + THREAD].copy_from_slice(&[CALLED, entry, 0, made + 1]);
                    emit(Event::Call(entry), next);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Names;
    use linpoint_equiv::{Equivalence, reduce};

    /// A stack of at most four elements: push(1), push(2), pop; sizes are those of the seed's first case study.
    #[test]
    fn the_specification_of_a_stack() {
        let mut states: Vec<Vec<u8>> = vec![vec![]];
        let mut outcomes = Vec::new();
        while outcomes.len() < states.len() {
            let state = states[outcomes.len()].clone();
            let mut number = |state: Vec<u8>| {
                let found = states.iter().position(|known| *known == state);
                found.unwrap_or_else(|| {
                    states.push(state);
                    states.len() - 1
                }) as u32
            };
            let push = |value: u8| [&state[..], &[value]].concat();
            let mut row = vec![vec![], vec![]];
            if state.len() < 4 {
                row = vec![vec![(number(push(37)), 0)], vec![(number(push(38)), 0)]];
            }
            row.push(vec![match state.split_last() {
                Some((&top, rest)) => (number(rest.to_vec()), top),
                None => (number(vec![]), 3),
            }]);
            outcomes.push(row);
        }
        let control = Control::new(None, usize::MAX);
        let graph = Atomic { methods: vec![1, 1, 2], outcomes, order: Order::default() }
            .graph(2, 2, &control)
            .expect("no limit");
        assert_eq!((graph.states(), graph.transitions()), (1149, 2404));
        let text = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        let names = Names {
            calls: text(&["push(1)", "push(2)", "pop()"]),
            methods: text(&["", "push", "pop"]),
            symbols: text(&["EMPTY"]),
        };
        let quotient = reduce(&graph.lts(&names, &control).expect("no limit"), Equivalence::Branching, &control)
            .expect("no limit");
        assert_eq!((quotient.states, quotient.transitions()), (388, 1090));
        assert_eq!(graph.deadlock(&graph.pending(&control).expect("no limit"), &control).expect("no limit"), None);
        assert_eq!(graph.divergence(None, &control).expect("no limit"), None);
    }

    #[test]
    fn an_operation_without_outcomes_waits() {
        let control = Control::new(None, usize::MAX);
        let graph = Atomic { methods: vec![1], outcomes: vec![vec![vec![]]], order: Order::default() }
            .graph(1, 1, &control)
            .expect("no limit");
        assert_eq!((graph.states(), graph.transitions()), (2, 1));
        let stuck = graph
            .deadlock(&graph.pending(&control).expect("no limit"), &control)
            .expect("no limit")
            .expect("the call waits for ever");
        assert_eq!((stuck.stem, stuck.cycle), (vec![0], vec![]));
        let broken = Atomic { methods: vec![1], outcomes: vec![vec![vec![(7, 0)]]], order: Order::default() };
        assert!(broken.graph(1, 1, &control).is_err());
    }
}
