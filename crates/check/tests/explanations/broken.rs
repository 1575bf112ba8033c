//! Histories that break at their end: what happened, and one operation that cannot have.

use crate::automata::Automata;
use linpoint_history::Event;
use linpoint_spec::{Code, Part, Spec, State};
use linpoint_testkit::Dice;

/// `count` operations that happened one after the other, with intervals around these moments, some open for ever; then one that is
/// legal in no state that any order of them leads to, if there is such a one.
pub fn broken(seed: u64, count: usize) -> Option<Part> {
    let mut dice = Dice(seed);
    let mut automata = Automata::random(&mut dice);
    let all: Vec<Code> = (0..automata.codes() as Code).collect();
    let (mut state, mut codes) = (automata.initial().expect("automata do not fail"), Vec::new());
    let mut after = |state: State, code: Code| {
        let mut next = Vec::new();
        automata.step(state, code, &mut next).expect("automata do not fail");
        next
    };
    let mut happened = vec![state];
    for _ in 0..count {
        let legal: Vec<Code> = all.iter().copied().filter(|&code| !after(state, code).is_empty()).collect();
        let code = *legal.get(dice.roll(legal.len() as u64) as usize)?;
        let next = after(state, code);
        state = next[dice.roll(next.len() as u64) as usize];
        codes.push(code);
        happened.push(state);
    }
    let mut was_legal = |code: Code| happened.iter().any(|&state| !after(state, code).is_empty());
    let once: Vec<Code> = all.into_iter().filter(|&code| was_legal(code)).collect();
    codes.push(once.into_iter().find(|&code| after(state, code).is_empty())?);
    let mut times: Vec<(u64, bool, usize)> = Vec::new();
    for place in 0..count {
        let moment = 10 * place as u64 + 40;
        times.push((moment - dice.roll(40), false, place));
        if dice.chance(95) {
            times.push((moment + dice.roll(40), true, place));
        }
    }
    let end = 10 * count as u64 + 100;
    times.extend([(end, false, count), (end + 1, true, count)]);
    times.sort();
    let mut number = vec![0; codes.len()];
    let mut part =
        Part { label: None, ops: vec![], codes: vec![], processes: vec![], events: vec![], spec: automata.fork() };
    for (_, is_return, place) in times {
        if is_return {
            part.events.push(Event::ret(number[place]));
            continue;
        }
        number[place] = part.ops.len();
        part.events.push(Event::call(part.ops.len()));
        part.ops.push(part.ops.len() as u32);
        part.processes.push(place as u32);
        part.codes.push(codes[place]);
    }
    Some(part)
}
