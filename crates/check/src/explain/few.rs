//! In which orders may a few operations take effect? All of them, tried one step at a time.
//!
//! For what is shown at last: at most 64 operations, so a set of them is a word. Each (operations done, state) is visited once;
//! O(2^k) at worst, and a handful in practice. It shares no code with the searches that found the operations.

use super::workbench::Workbench;
use hashbrown::HashSet;
use linpoint_base::Hashing;
use linpoint_spec::{Code, Part, State, StepError};

/// More operations than a word has bits are not tried.
pub(super) const MOST: usize = 64;
/// How many (operations done, state) are visited.
const MOST_NODES: usize = 20_000;

/// A few operations: what each does, and which must come before it.
pub(super) struct Few {
    codes: Vec<Code>,
    before: Vec<u64>,
    /// Those that returned; the others need not take effect.
    required: u64,
}

/// An order of all of them and the state it ends in; `start` is the place of the state it begins in.
pub(super) struct Order {
    pub places: Vec<usize>,
    pub start: usize,
    pub state: State,
}

impl Few {
    /// All operations of a part, which has at most [`MOST`]. With `time`, whatever returned comes before what was called later.
    pub fn new(part: &Part, time: bool) -> Few {
        let mut before = vec![0; part.ops.len()];
        let mut returned = 0u64;
        for event in &part.events {
            match event.is_return() {
                true => returned |= 1 << event.op(),
                false if time => before[event.op()] = returned,
                false => {}
            }
        }
        Few { codes: part.codes.clone(), before, required: returned }
    }

    /// Orders of all that returned but `without`, one for each state they may end in, up to `most`. A start is a state, and the
    /// operations that have taken effect by then. None if there are too many ways to try. What is visited counts as work.
    pub fn orders(
        &self,
        bench: &mut Workbench<'_>,
        starts: &[(u64, State)],
        without: Option<usize>,
        most: usize,
    ) -> Result<Option<Vec<Order>>, StepError> {
        let all = (0..self.codes.len()).filter(|&op| Some(op) != without).fold(0u64, |set, op| set | 1 << op);
        let mut seen = HashSet::<(u64, State), Hashing>::default();
        let mut stack = Vec::new();
        for (start, &(done, state)) in starts.iter().enumerate().rev() {
            if seen.insert((done, state)) {
                stack.push((done, Order { places: Vec::new(), start, state }));
            }
        }
        let (spec, mut complete) = (bench.specification(), true);
        let (mut found, mut outcomes, mut ends) = (Vec::new(), Vec::new(), HashSet::<State, Hashing>::default());
        while let Some((done, order)) = stack.pop() {
            if all & self.required & !done == 0 && ends.insert(order.state) {
                found.push(Order { places: order.places.clone(), ..order });
                if found.len() == most {
                    break;
                }
            }
            if seen.len() > MOST_NODES {
                complete = false;
                break;
            }
            for op in (0..self.codes.len()).rev() {
                let bit = 1u64 << op;
                if all & bit == 0 || done & bit != 0 || self.before[op] & all & !done != 0 {
                    continue;
                }
                outcomes.clear();
                spec.step(order.state, self.codes[op], &mut outcomes)?;
                for &state in &outcomes {
                    if seen.insert((done | bit, state)) {
                        let mut places = order.places.clone();
                        places.push(op);
                        stack.push((done | bit, Order { places, start: order.start, state }));
                    }
                }
            }
        }
        bench.spend(seen.len() as u64);
        Ok(complete.then_some(found))
    }
}

#[cfg(all(test, not(feature = "collide")))] // quadratic where every hash collides
mod tests {
    use super::*;
    use linpoint_base::Control;

    /// So many configurations and not one more: a start is one as well.
    #[test]
    fn the_bound_is_exact() {
        let history = linpoint_testkit::history("read -> 7");
        let part = linpoint_testkit::parts("register", &history, false).expect("the model fits").remove(0);
        let starts: Vec<(u64, State)> = (0..=MOST_NODES as State).map(|place| (2 + 4 * place, 0)).collect();
        let control = Control::new(None, usize::MAX);
        let mut bench = Workbench::new(part.spec.fork(), 100_000, &control);
        let mut orders =
            |starts| Few::new(&part, true).orders(&mut bench, starts, None, 1).expect("registers do not fail");
        assert!(orders(&starts[1..]).is_some_and(|orders| orders.is_empty()), "all were tried");
        assert!(orders(&starts).is_none(), "one too many");
        assert_eq!(bench.left, 100_000 - 2 * MOST_NODES as u64 - 1);
    }
}
