//! Random specifications and random histories of them: partial, sometimes nondeterministic automata, pending operations, twins.

use linpoint_history::{Builder, History, Record, Status, ValueId};
use linpoint_spec::{Code, Part, Spec, State, StepError, Structure};
use linpoint_testkit::Dice;

/// Two automata side by side, each a domain of its own: state = 8 × the second's + the first's.
/// `next[domain][code][state]`: the states `code` may lead to; codes of the second follow those of the first.
#[derive(Clone)]
pub struct Automata {
    next: [Vec<Vec<Vec<State>>>; 2],
}

impl Automata {
    pub fn random(dice: &mut Dice) -> Automata {
        let second = if dice.roll(2) == 0 { Vec::new() } else { random_automaton(dice) };
        Automata { next: [random_automaton(dice), second] }
    }

    pub fn codes(&self) -> u64 {
        (self.next[0].len() + self.next[1].len()) as u64
    }

    /// The domain of a code and its column there.
    fn column(&self, code: Code) -> (usize, &Vec<Vec<State>>) {
        match (code as usize).checked_sub(self.next[0].len()) {
            None => (0, &self.next[0][code as usize]),
            Some(code) => (1, &self.next[1][code]),
        }
    }

    fn after(&self, state: State, code: Code) -> Vec<State> {
        let (domain, column) = self.column(code);
        let shift = 3 * domain;
        let cell = state >> shift & 7;
        column[cell as usize].iter().map(|next| state & !(7 << shift) | next << shift).collect()
    }
}

fn random_automaton(dice: &mut Dice) -> Vec<Vec<Vec<State>>> {
    let states = 1 + dice.roll(4);
    let codes = 1 + dice.roll(5);
    let mut code = || {
        let reads = dice.roll(3) == 0;
        let nondeterministic = dice.roll(5) == 0;
        let mut column = Vec::new();
        for state in 0..states {
            column.push(match dice.roll(10) {
                0..4 => vec![],
                _ if reads => vec![state],
                _ if nondeterministic => vec![dice.roll(states), dice.roll(states)],
                _ => vec![dice.roll(states)],
            });
        }
        column
    };
    (0..codes).map(|_| code()).collect()
}

impl Structure for Automata {}

impl Spec for Automata {
    fn initial(&mut self) -> Result<State, StepError> {
        Ok(0)
    }
    fn step(&mut self, state: State, code: Code, next: &mut Vec<State>) -> Result<(), StepError> {
        next.extend(self.after(state, code));
        Ok(())
    }
    fn read_only(&self, code: Code) -> bool {
        let column = self.column(code).1.iter().enumerate();
        column.into_iter().all(|(state, next)| next.iter().all(|&n| n == state as State))
    }
    fn domain(&self, code: Code) -> u32 {
        self.column(code).0 as u32
    }
    fn bytes(&self) -> usize {
        0
    }
    fn show(&self, state: State) -> String {
        state.to_string()
    }
    fn fork(&self) -> Box<dyn Spec> {
        Box::new(self.clone())
    }
}

/// A history of one object and its part. Operation i is of process i: overlaps are up to the dice.
pub fn random_part(dice: &mut Dice, spec: &Automata) -> (History, Part) {
    let n = 1 + dice.roll(7);
    let spread = 2 + dice.roll(12) as i64;
    let mut builder = Builder::new();
    let mut codes = Vec::new();
    for process in 0..n {
        let (process, f) = (builder.values.int(process as i64), builder.values.text("op"));
        let call = dice.roll(12) as i64;
        let ret = (dice.roll(4) > 0).then(|| call + dice.roll(spread as u64) as i64);
        let status = if ret.is_some() { Status::Ok } else { Status::Info };
        let null = ValueId::NULL;
        builder.push(Record {
            process,
            f,
            key: ValueId::ABSENT,
            value: null,
            result: null,
            status,
            call,
            ret,
            line: 0,
        });
        codes.push(dice.roll(spec.codes()) as Code);
    }
    let history = builder.finish().expect("processes are sequential");
    let mut parts =
        [Part { label: None, ops: vec![], codes: vec![], processes: vec![], events: vec![], spec: spec.fork() }];
    linpoint_spec::compile::deal(&history, &codes, |_| 0, &mut parts);
    let [part] = parts;
    (history, part)
}
