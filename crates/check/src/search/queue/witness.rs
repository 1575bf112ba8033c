//! In which order did everything happen, if each side happened in this one?
//!
//! Enqueues take effect as early as those before them allow, front operations as late as those behind them do; at a moment when
//! the queue is empty both sides meet. An enqueue is then never later than the operation that sees its element, because the search
//! asked for lo(A) < hi(B). O(n log n).

use super::side::What;
use super::{ENQUEUE, FRONT, Sides};
use crate::ranks::{NEVER, NONE};
use crate::search::ancestry::Fired;

/// An operation and its place: between which moments of emptiness, in which slot, and who goes first there.
struct Placed {
    stretch: u32,
    slot: u32,
    turn: Turn,
    op: u32,
    ret: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Enqueue,
    Front,
    Empty,
}

/// The operations of the path, and the enqueues that returned before rank `until` but are not on it, in order; as places in the part.
pub(super) fn order(sides: &Sides, path: &[Fired], until: u32) -> Vec<u32> {
    let mut placed: Vec<Placed> = Vec::with_capacity(path.len());
    let mut enqueued = vec![false; sides.enqueues.ops.len()];
    let (mut stretch, mut enqueues_from, mut fronts_from) = (0, 0, 0); // nothing is earlier than these slots
    let mut put = |stretch, slot, turn, op, ret| placed.push(Placed { stretch, slot, turn, op, ret });
    for &(at, side) in path {
        if side == ENQUEUE {
            let enqueue = sides.enqueues.ops[at as usize];
            enqueued[at as usize] = true;
            enqueues_from = enqueue.call.max(enqueues_from);
            put(stretch, enqueues_from, Turn::Enqueue, enqueue.op, enqueue.ret);
            continue;
        }
        let hidden = |(op, call)| (op, call, NEVER, false);
        let front = |at: u32| sides.fronts.ops[at as usize];
        let (op, call, ret, is_empty) = match side {
            FRONT => (front(at).op, front(at).call, front(at).ret, front(at).what == What::Empty),
            _ => hidden(sides.hidden[at as usize]),
        };
        fronts_from = call.max(fronts_from);
        if is_empty {
            let both = enqueues_from.max(fronts_from);
            (enqueues_from, fronts_from) = (both, both);
        }
        let turn = if is_empty { Turn::Empty } else { Turn::Front };
        put(stretch, fronts_from, turn, op, ret);
        stretch += u32::from(is_empty);
    }
    for at in sides.enqueues.by_return().take_while(|&at| sides.enqueues.ops[at as usize].ret < until) {
        let enqueue = sides.enqueues.ops[at as usize];
        if !enqueued[at as usize] {
            enqueues_from = enqueue.call.max(enqueues_from);
            put(stretch, enqueues_from, Turn::Enqueue, enqueue.op, enqueue.ret);
        }
    }
    let mut fronts_until = u32::MAX;
    for front in placed.iter_mut().rev().filter(|placed| placed.turn != Turn::Enqueue) {
        fronts_until = match front.turn {
            Turn::Empty => front.slot,
            _ => fronts_until.min(front.ret), // the rank of a return, so of no enqueue
        };
        front.slot = fronts_until;
    }
    placed.sort_by_key(|placed| (placed.stretch, placed.slot, placed.turn));
    placed.into_iter().map(|placed| placed.op).filter(|&op| op != NONE).collect()
}
