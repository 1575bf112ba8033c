//! (a) Is the witness complete? (b) Does it respect real time? One pass each, O(n), whatever the model.

use crate::Judgement;
use linpoint_base::{Account, Control};
use linpoint_history::{History, Status};

/// How many operations pass between two looks at the budget.
pub(crate) const GLANCE: usize = 1 << 14;

/// (a) Every operation that returned, exactly once; a pending one at most once; none that failed.
pub(crate) fn complete(history: &History, witness: &[u32], control: &Control) -> Judgement {
    let mut account = Account::alone(control);
    if let Some(cause) = account.poll(history.len(), 0) {
        return Judgement::Stopped(cause);
    }
    let mut seen = vec![false; history.len()];
    for chunk in witness.chunks(GLANCE) {
        for &op in chunk {
            let Some(here) = seen.get_mut(op as usize) else {
                return wrong(op, format!("the witness names an operation {op} that does not exist"));
            };
            if std::mem::replace(here, true) {
                return wrong(op, format!("the witness has operation {op} twice"));
            }
            if history.status[op as usize] == Status::Fail {
                return wrong(op, format!("the witness has operation {op}, which failed"));
            }
        }
        if let Some(cause) = account.poll(history.len(), 0) {
            return Judgement::Stopped(cause);
        }
    }
    match (0..history.len()).find(|&op| !seen[op] && history.status[op] == Status::Ok) {
        Some(op) => wrong(op as u32, format!("the witness lacks operation {op}")),
        None => Judgement::Right,
    }
}

/// (b) No operation comes after one that was called only after it had returned.
pub(crate) fn in_real_time(history: &History, witness: &[u32], control: &Control) -> Judgement {
    let (mut latest, mut caller) = (None, 0);
    for chunk in witness.chunks(GLANCE) {
        for &op in chunk {
            // The rank of a pending return is larger than every other.
            if latest.is_some_and(|called| history.ret[op as usize] < called) {
                let why = "which had returned when";
                return wrong(op, format!("the witness has operation {caller} before {op}, {why} {caller} was called"));
            }
            let called = history.call[op as usize];
            if latest.is_none_or(|before| called > before) {
                (latest, caller) = (Some(called), op);
            }
        }
        if let Some(cause) = control.halted() {
            return Judgement::Stopped(cause);
        }
    }
    Judgement::Right
}

fn wrong(operation: u32, why: String) -> Judgement {
    Judgement::Wrong { operation, why }
}
