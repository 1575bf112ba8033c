//! Is there an order? The definition, run as it stands: some pending operations, every order that respects real time, every outcome.

use crate::notation::run;
use hashbrown::HashSet;
use linpoint_history::Event;
use linpoint_spec::{Code, Part, Spec, State};

/// The ranks of calls and returns; MAX for a return that never came.
pub fn ranks(part: &Part) -> (Vec<usize>, Vec<usize>) {
    let (mut call, mut ret) = (vec![0; part.ops.len()], vec![usize::MAX; part.ops.len()]);
    for (rank, event) in part.events.iter().enumerate() {
        if event.is_return() { ret[event.op()] = rank } else { call[event.op()] = rank }
    }
    (call, ret)
}

fn after(spec: &mut dyn Spec, state: State, part: &Part, op: usize) -> Vec<State> {
    let mut next = Vec::new();
    spec.step(state, part.codes[op], &mut next).expect("shipped models never break");
    next
}

/// Is there an order? For up to 32 operations.
pub fn brute_force(part: &Part) -> bool {
    let (call, ret) = ranks(part);
    let n = part.ops.len();
    let mut spec = part.spec.fork();
    let first = spec.initial().expect("a state");
    let required = (0..n).filter(|&op| ret[op] != usize::MAX).fold(0u32, |mask, op| mask | 1 << op);
    let mut seen: HashSet<(u32, State)> = HashSet::new();
    let mut open = vec![(0u32, first)];
    while let Some((done, state)) = open.pop() {
        if done & required == required {
            return true;
        }
        let deadline = (0..n).filter(|&op| done >> op & 1 == 0).map(|op| ret[op]).min().unwrap_or(usize::MAX);
        for op in (0..n).filter(|&op| done >> op & 1 == 0 && call[op] < deadline) {
            for next in after(&mut *spec, state, part, op) {
                if seen.insert((done | 1 << op, next)) {
                    open.push((done | 1 << op, next));
                }
            }
        }
    }
    false
}

/// Is `order` what it claims to be? All required operations, each once, real time respected, legal.
pub fn is_witness(part: &Part, order: &[u32]) -> bool {
    let (call, ret) = ranks(part);
    let mut place = vec![usize::MAX; part.ops.iter().map(|&op| op as usize + 1).max().unwrap_or(0)];
    part.ops.iter().enumerate().for_each(|(local, &op)| place[op as usize] = local);
    let mut done = vec![false; part.ops.len()];
    let mut latest_call = 0;
    for &op in order {
        let op = place[op as usize];
        if std::mem::replace(&mut done[op], true) || latest_call > ret[op] {
            return false;
        }
        latest_call = latest_call.max(call[op]);
    }
    let codes: Vec<Code> = order.iter().map(|&op| part.codes[place[op as usize]]).collect();
    let legal = part.spec.runner().run(&codes).expect("shipped models never break");
    legal == order.len() && (0..part.ops.len()).all(|op| done[op] || ret[op] == usize::MAX)
}

/// Some operations of a part, alone.
pub fn excerpt(part: &Part, ops: &[u32]) -> Part {
    only(part, |op| ops.contains(&op))
}

/// The part of these operations only.
pub fn only(part: &Part, keep: impl Fn(u32) -> bool) -> Part {
    let mut small =
        Part { label: None, ops: vec![], codes: vec![], processes: vec![], events: vec![], spec: part.spec.fork() };
    let mut place = vec![0; part.ops.len()];
    for event in part.events.iter().filter(|event| keep(part.ops[event.op()])) {
        let op = event.op();
        if event.is_return() {
            small.events.push(Event::ret(place[op]));
            continue;
        }
        place[op] = small.ops.len();
        small.events.push(Event::call(place[op]));
        small.ops.push(part.ops[op]);
        small.codes.push(part.codes[op]);
        small.processes.push(part.processes[op]);
    }
    small
}

/// The place of an operation's return among all events.
pub fn rank(part: &Part, op: u32) -> usize {
    part.events.iter().position(|event| event.is_return() && part.ops[event.op()] == op).expect("it returned")
}

/// The part before an event: what has not returned by then is pending.
pub fn before(part: &Part, rank: usize) -> Part {
    let mut small = only(part, |op| part.events[..rank].iter().any(|event| part.ops[event.op()] == op));
    small.events.truncate(rank);
    small
}

/// The operations of a part that returned.
pub fn returned(part: &Part) -> Vec<u32> {
    part.events.iter().filter(|event| event.is_return()).map(|event| part.ops[event.op()]).collect()
}

/// After these operations, in this order: all states they may lead to.
pub fn states_after(part: &Part, spec: &mut dyn Spec, order: &[u32]) -> Vec<State> {
    let place = |op: u32| part.ops.iter().position(|&other| other == op).expect("an operation of the part");
    let codes: Vec<u32> = order.iter().map(|&op| part.codes[place(op)]).collect();
    run(spec, &codes)
}
