//! In which states may an object be at a cut, whatever subset of the operations before it happened, in whatever order?
//!
//! More than it can really be in, never less: what is impossible from all of these is impossible whatever happened before.
//! Two ways to know. An object with few states: follow every operation from every state. A register: it holds its initial
//! value or one that was written, and those that no operation behind the cut names are all alike, so one stands for them.

use super::workbench::Workbench;
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_spec::{Code, Part, Role, Shape, State, StepError};

type FastMap<K, V> = HashMap<K, V, Hashing>;

/// How many steps are taken to visit every state.
const MOST_STEPS: usize = 20_000;
/// How long a chain of CAS is followed back to a write.
const LONG: usize = 64;

/// All states after any of the `past` operations, as seen by the operations of `window`; None if they are too many.
pub(super) fn anywhere(
    bench: &mut Workbench<'_>,
    past: &[Code],
    window: &Part,
) -> Result<Option<Vec<State>>, StepError> {
    let mut codes = past.to_vec();
    codes.sort_unstable();
    codes.dedup();
    if window.spec.shape() == Shape::Register
        && let Some(states) = of_register(bench, &codes, window)?
    {
        return Ok(Some(states));
    }
    everywhere(bench, &codes)
}

fn everywhere(bench: &mut Workbench<'_>, codes: &[Code]) -> Result<Option<Vec<State>>, StepError> {
    let most = MOST_STEPS.min(bench.left as usize / 4);
    let spec = bench.specification();
    let mut states = vec![spec.initial()?];
    let mut seen: FastMap<State, ()> = states.iter().map(|&state| (state, ())).collect();
    let (mut at, mut outcomes, mut steps) = (0, Vec::new(), 0);
    while at < states.len() {
        if steps + codes.len() > most {
            bench.spend(steps as u64);
            return Ok(None);
        }
        steps += codes.len();
        for &code in codes {
            outcomes.clear();
            spec.step(states[at], code, &mut outcomes)?;
            states.extend(outcomes.iter().copied().filter(|&state| seen.insert(state, ()).is_none()));
        }
        at += 1;
    }
    bench.spend(steps as u64);
    Ok(Some(states))
}

/// None if an operation does something that is not known, or a value comes from a long chain of CAS.
fn of_register(bench: &mut Workbench<'_>, codes: &[Code], window: &Part) -> Result<Option<Vec<State>>, StepError> {
    let mut named = FastMap::<u32, ()>::default();
    for &code in &window.codes {
        match window.spec.role(code) {
            Role::Read(value) | Role::Change(value, _) | Role::ChangeIf(value, _) => _ = named.insert(value, ()),
            Role::Write(_) | Role::Nothing => {}
            _ => return Ok(None),
        }
    }
    // For each value an operation that leaves it, a write if there is one, and the value that this needs.
    let mut source = FastMap::<u32, (Code, Option<u32>)>::default();
    for &code in codes {
        let (from, to) = match window.spec.role(code) {
            Role::Write(value) => (None, value),
            Role::Change(from, to) | Role::ChangeIf(from, to) => (Some(from), to),
            Role::Read(_) | Role::Nothing => continue,
            _ => return Ok(None),
        };
        let known = source.entry(to).or_insert((code, from));
        if from.is_none() {
            *known = (code, None);
        }
    }
    let contents = window.spec.contents();
    let mut others = source.iter().filter(|(value, _)| !named.contains_key(*value));
    let other = others.clone().find(|(_, (_, from))| from.is_none()).or_else(|| others.next());
    let wanted = source.keys().filter(|value| named.contains_key(*value)).chain(other.map(|(value, _)| value));
    let mut states = vec![bench.specification().initial()?];
    for &value in wanted {
        let Some(chain) = chain_to(value, &source, &contents) else { return Ok(None) };
        let Some(state) = after(bench, &chain)? else { return Ok(None) };
        if !states.contains(&state) {
            states.push(state);
        }
    }
    Ok(Some(states))
}

/// Operations that lead from the initial state to this value.
fn chain_to(value: u32, source: &FastMap<u32, (Code, Option<u32>)>, contents: &[u32]) -> Option<Vec<Code>> {
    let (mut chain, mut at) = (Vec::new(), value);
    while !contents.contains(&at) {
        let &(code, from) = source.get(&at)?;
        chain.push(code);
        match from {
            None => break,
            Some(_) if chain.len() > LONG => return None,
            Some(from) => at = from,
        }
    }
    chain.reverse();
    Some(chain)
}

/// The state after these operations; a pending CAS, which may do nothing, does something.
fn after(bench: &mut Workbench<'_>, chain: &[Code]) -> Result<Option<State>, StepError> {
    let spec = bench.specification();
    let (mut state, mut outcomes) = (spec.initial()?, Vec::new());
    for &code in chain {
        outcomes.clear();
        spec.step(state, code, &mut outcomes)?;
        match outcomes.iter().find(|&&next| next != state).or(outcomes.first()) {
            Some(&next) => state = next,
            None => return Ok(None),
        }
    }
    Ok(Some(state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_base::Control;
    use linpoint_testkit::{Dice, rounds};
    use std::collections::BTreeSet;

    const OPERATIONS: &str = "write {0|1|2|3}; read -> {0|1|2|3|4}; cas [{0|1|2|4},{1|2|3|5}] -> {true|false|?}";

    /// Some of the vocabulary.
    fn some(dice: &mut Dice, codes: &[Code], most: u64) -> Vec<Code> {
        (0..dice.roll(most)).map(|_| codes[dice.roll(codes.len() as u64) as usize]).collect()
    }

    /// What is found by following operations from state to state and what is known of registers are the same, but for values
    /// that no operation behind the cut names: one of these stands for all.
    #[test]
    fn a_register_holds_what_it_can_hold() {
        let history = linpoint_testkit::history(&linpoint_testkit::vocabulary("cas-register", OPERATIONS));
        let whole = linpoint_testkit::parts("cas-register:initial=0", &history, false).expect("it fits").remove(0);
        let control = Control::new(None, usize::MAX);
        let mut known = 0;
        for seed in 0..rounds(2_000) {
            let mut dice = Dice(seed);
            let mut past = some(&mut dice, &whole.codes, 8);
            let codes = some(&mut dice, &whole.codes, 5);
            past.sort_unstable();
            past.dedup();
            let named: BTreeSet<u32> = codes
                .iter()
                .filter_map(|&code| match whole.spec.role(code) {
                    Role::Read(value) | Role::Change(value, _) | Role::ChangeIf(value, _) => Some(value),
                    _ => None,
                })
                .collect();
            let window =
                Part { label: None, ops: vec![], codes, processes: vec![], events: vec![], spec: whole.spec.fork() };
            let mut bench = Workbench::new(whole.spec.fork(), 1_000_000, &control);
            let all = everywhere(&mut bench, &past).expect("registers do not fail").expect("few states");
            let Some(states) = of_register(&mut bench, &past, &window).expect("registers do not fail") else {
                continue;
            };
            known += 1;
            // Of each state: which of the named values can be read there?
            let mut seen_in = |states: &[State]| -> BTreeSet<Vec<Code>> {
                let reads = whole
                    .codes
                    .iter()
                    .copied()
                    .filter(|&code| matches!(whole.spec.role(code), Role::Read(value) if named.contains(&value)));
                let reads: Vec<Code> = reads.collect();
                let mut legal = |state: State, code: Code| {
                    let mut next = Vec::new();
                    bench.specification().step(state, code, &mut next).expect("registers do not fail");
                    !next.is_empty()
                };
                let of = |&state| reads.iter().copied().filter(|&code| legal(state, code)).collect();
                states.iter().map(of).collect()
            };
            assert_eq!(seen_in(&states), seen_in(&all), "seed {seed}");
            assert!(states.len() <= all.len() && states.len() <= named.len() + 2, "seed {seed}: one stands for all");
        }
        assert!(known > rounds(2_000) / 10, "{known}");
    }

    /// So many steps and not one more: each operation in each state.
    #[test]
    fn steps_are_counted() {
        let history = linpoint_testkit::history("write 1; write 2; write 3");
        let part = linpoint_testkit::parts("register", &history, false).expect("it fits").remove(0);
        let control = Control::new(None, usize::MAX);
        for (work, fits) in [(48, true), (47, false)] {
            let mut bench = Workbench::new(part.spec.fork(), work, &control);
            let found = everywhere(&mut bench, &part.codes).expect("registers do not fail");
            assert_eq!(
                found.map(|states| states.len()),
                fits.then_some(4),
                "4 states, 3 operations, a quarter of {work}"
            );
            assert_eq!(bench.left, work - if fits { 12 } else { 9 });
        }
    }
}
