//! Does the solver agree with the definition on stacks, queues and deques? Random small histories of every model that is one.
//!
//! Half are noise, half happened: operations that are legal one after the other, with intervals around those moments, and then perhaps one is moved. Values repeat,
//! some are there from the start, adds and removes are pending. A violation's operations are a violation by themselves.
//! `LINPOINT_FUZZ=1000000 cargo test --release -p linpoint-solve --test containers` is the long run; a failure prints its seed.

use linpoint_base::{Account, Control};
use linpoint_history::Event;
use linpoint_solve::container::{Container, Operations};
use linpoint_solve::{InOrder, Solution, solve};
use linpoint_spec::{Part, Role};
use linpoint_testkit::{Dice, brute_force, excerpt, history, is_witness, parts, random_part, rounds, vocabulary};

const MODELS: [(&str, &str); 6] = [
    ("stack", "push {1|2} -> {null|?}; {pop|peek} -> {null|1|2|?}"),
    ("stack:initial=[1,2,1]", "push {1|2} -> {null|?}; {pop|peek} -> {null|1|2|?}"),
    ("queue", "enq {1|2} -> {null|?}; {deq|peek} -> {null|1|2|?}"),
    ("queue:initial=[1,2,1]", "enq {1|2} -> {null|?}; {deq|peek} -> {null|1|2|?}"),
    ("deque", "{push_front|push_back} {1|2|3}; {pop_front|pop_back|peek_front|peek_back} -> {null|1|2|3|?}"),
    ("deque:initial=[1,2]", "{push_front|push_back} {1|2}; {pop_front|pop_back|peek_front|peek_back} -> {null|1|2|?}"),
];

/// Operations that are legal one after the other, with intervals around those moments.
fn happened(dice: &mut Dice, whole: &Part, most: u64) -> Part {
    let mut part = random_part(dice, whole, 1);
    let mut spec = whole.spec.fork();
    let mut state = spec.initial().expect("a state");
    let (mut times, pending, reach) = (Vec::new(), dice.roll(3) * 10, 1 + dice.roll(8));
    for place in 0..2 + dice.roll(most - 1) {
        let (code, next) = loop {
            let code = whole.codes[dice.roll(whole.codes.len() as u64) as usize];
            let mut next = Vec::new();
            spec.step(state, code, &mut next).expect("shipped models never break");
            if let Some(&next) = next.first() {
                break (code, next);
            }
        };
        state = next;
        let role = whole.spec.role(code);
        let is_pending =
            matches!(role, Role::RemoveUnknown | Role::Nothing) || matches!(role, Role::Add(_)) && dice.chance(pending);
        let call = (2 * place + 8).saturating_sub(dice.roll(reach));
        times.push((call, (!is_pending).then(|| 2 * place + 8 + dice.roll(reach)), code));
    }
    if dice.chance(60) {
        let moved = dice.roll(times.len() as u64) as usize;
        let by = dice.roll(5);
        times[moved] = (times[moved].0 + by, times[moved].1.map(|ret| ret + by), times[moved].2);
    }
    times.sort();
    let mut events: Vec<(u64, bool, usize)> = Vec::new();
    for (op, &(call, ret, _)) in times.iter().enumerate() {
        events.push((call, false, op));
        events.extend(ret.map(|ret| (ret, true, op)));
    }
    events.sort();
    part.ops = (0..times.len() as u32).collect();
    part.processes = part.ops.clone();
    part.codes = times.iter().map(|&(.., code)| code).collect();
    let event = |&(_, is_return, op): &(u64, bool, usize)| if is_return { Event::ret(op) } else { Event::call(op) };
    part.events = events.iter().map(event).collect();
    part
}

#[test]
fn small_histories_are_judged_as_the_definition_says() {
    let control = Control::new(None, 1 << 30);
    for (model, operations) in MODELS {
        let mut verdicts = [0, 0];
        let whole = parts(model, &history(&vocabulary(model, operations)), true).expect("the model fits").remove(0);
        let count = rounds(3000);
        for seed in 0..count {
            let mut dice = Dice(seed);
            let part =
                if dice.chance(30) { random_part(&mut dice, &whole, 9) } else { happened(&mut dice, &whole, 12) };
            let Ok(operations) = Operations::of(&part, usize::MAX) else { continue };
            let expected = brute_force(&part);
            verdicts[usize::from(expected)] += 1;
            let real_time = operations.real_time();
            let named = |places: Vec<u32>| -> Vec<u32> { places.into_iter().map(|op| part.ops[op as usize]).collect() };
            let mut client = InOrder::new(Container::new(&operations), real_time);
            match operations.named(solve(real_time, &mut client, &mut Account::alone(&control))) {
                Solution::Order(order) => {
                    let order = named(order);
                    assert!(expected && is_witness(&part, &order), "{model}, seed {seed}: {order:?}");
                }
                Solution::Refuted(refutation) => {
                    assert!(!expected, "{model}, seed {seed}");
                    let core = named(refutation.operations);
                    assert!(!brute_force(&excerpt(&part, &core)), "{model}, seed {seed}: {core:?}");
                    let more: Vec<u32> =
                        part.ops.iter().copied().filter(|op| core.contains(op) || dice.chance(50)).collect();
                    assert!(!brute_force(&excerpt(&part, &more)), "{model}, seed {seed}: {core:?} in {more:?}");
                }
                Solution::GaveUp(cause) => panic!("{model}, seed {seed}: {cause:?}"),
            }
        }
        println!("{model}: {verdicts:?} violations, linearizable");
        assert!(verdicts.iter().all(|&each| each > count / 20), "{model}: both verdicts are common: {verdicts:?}");
    }
}
