//! Which states does an order lead to, in words? So that the words of a kept explanation can be compared with the model's.
//!
//! A replay: one step per operation from each state that it may be in (a pending operation may have several outcomes). It
//! shares nothing with the searches. O(n) for a deterministic object.

use hashbrown::HashMap;
use linpoint_base::Control;
use linpoint_spec::{Code, Part, State, StepError};

/// An order that may lead to more states than these is not followed.
const MOST_STATES: usize = 1_000;
/// How many steps are taken between two looks at the clock.
const BREATH: usize = 4_096;

/// For each order of operations of `part` (numbers of the history) the states it leads to from the initial one: none if the
/// model refuses an operation or the part has no such one; None if they are too many or `control` wants an end.
pub fn states_after(
    part: &Part,
    orders: &[Vec<u32>],
    control: &Control,
) -> Result<Vec<Option<Vec<String>>>, StepError> {
    let code: HashMap<u32, Code> = part.ops.iter().copied().zip(part.codes.iter().copied()).collect();
    let mut spec = part.spec.fork();
    let mut found = Vec::with_capacity(orders.len());
    for order in orders {
        let (mut states, mut next): (Vec<State>, Vec<State>) = (vec![spec.initial()?], Vec::new());
        for (place, op) in order.iter().enumerate() {
            next.clear();
            if let Some(&code) = code.get(op) {
                for &state in &states {
                    spec.step(state, code, &mut next)?;
                }
            }
            next.sort_unstable();
            next.dedup();
            std::mem::swap(&mut states, &mut next);
            let tired = place % BREATH == 0 && control.expired().is_some();
            if states.is_empty() || states.len() > MOST_STATES || tired {
                break;
            }
        }
        let told = states.len() <= MOST_STATES && control.expired().is_none();
        found.push(told.then(|| states.iter().map(|&state| spec.show(state)).collect()));
    }
    Ok(found)
}
