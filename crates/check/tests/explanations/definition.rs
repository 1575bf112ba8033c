//! Which orders are there? The definition for a part of the story: from given configurations, some operations required, others at will.

use hashbrown::HashSet;
use linpoint_spec::{Part, State};
use linpoint_testkit::ranks;

/// Does the order keep to time? Nothing comes before what had returned when it was called.
pub fn in_time(part: &Part, order: &[u32]) -> bool {
    let (call, ret) = ranks(part);
    let place = |op: u32| part.ops.iter().position(|&other| other == op).expect("an operation of the part");
    (0..order.len()).all(|at| order[at + 1..].iter().all(|&later| ret[place(later)] > call[place(order[at])]))
}

/// The states at the end of all orders of the `required` operations and any of the `optional` ones, from configurations: what is
/// done, and the state. Without `time`, in any order.
pub fn ends(
    part: &Part,
    starts: &[(Vec<u32>, State)],
    required: &[u32],
    optional: &[u32],
    time: bool,
) -> HashSet<State> {
    let (call, ret) = ranks(part);
    let places = |ops: &[u32]| -> u32 {
        (0..part.ops.len()).filter(|&op| ops.contains(&part.ops[op])).fold(0, |set, op| set | 1 << op)
    };
    let (must, may) = (places(required), places(required) | places(optional));
    let mut spec = part.spec.fork();
    let mut open: Vec<(u32, State, usize)> = starts.iter().map(|(done, state)| (places(done), *state, 0)).collect();
    let mut seen: HashSet<_> = open.iter().copied().collect();
    let mut found = HashSet::new();
    while let Some((done, state, latest)) = open.pop() {
        if must & !done == 0 {
            found.insert(state);
        }
        for op in (0..part.ops.len()).filter(|&op| (may & !done) >> op & 1 == 1 && (!time || latest < ret[op])) {
            let mut next = Vec::new();
            spec.step(state, part.codes[op], &mut next).expect("automata do not fail");
            for state in next {
                let reached = (done | 1 << op, state, latest.max(call[op]));
                if seen.insert(reached) {
                    open.push(reached);
                }
            }
        }
    }
    found
}
