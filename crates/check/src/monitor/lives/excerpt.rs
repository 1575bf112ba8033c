//! The lives of some values alone: to shrink a core, or to leave out what a pending remove may have taken.
//!
//! Whole lives left out of a linearizable history leave a linearizable one: so if what is left is a violation,
//! the whole was. O(k log k) for k operations that are left.

use super::{ADD, Life, Lives, PEEK, REMOVE};
use crate::monitor::{NEVER, NONE};

impl Lives {
    /// The lives of `values` (sorted), without gaps between the ranks; and the operation that each one was.
    pub fn only(&self, values: &[u32], with_empties: bool) -> (Lives, Vec<u32>) {
        let mut ops: Vec<u32> = if with_empties { self.empties.clone() } else { Vec::new() };
        for &v in values {
            let life = self.life[v as usize];
            ops.extend([life.add, life.remove].into_iter().filter(|&op| op != NONE));
            ops.extend_from_slice(self.peeks_of(v as usize));
        }
        ops.sort_unstable(); // the order of their calls
        let mut events: Vec<u32> = ops.iter().map(|&op| self.call[op as usize]).collect();
        events.extend(ops.iter().map(|&op| self.ret[op as usize]).filter(|&ret| ret != NEVER));
        events.sort_unstable();
        let founders = values.iter().filter(|&&v| (v as usize) < self.founders).count();
        let rank = |before: u32| events.binary_search(&before).map_or(NEVER, |rank| (rank + 2 * founders) as u32);
        let place = |op: u32| ops.binary_search(&op).map_or(NONE, |place| place as u32);
        let mut lives = Lives {
            end: (events.len() + 2 * founders) as u32,
            call: ops.iter().map(|&op| rank(self.call[op as usize])).collect(),
            ret: ops.iter().map(|&op| rank(self.ret[op as usize])).collect(),
            life: Vec::with_capacity(values.len()),
            peeks: Vec::new(),
            peeks_from: vec![0],
            empties: if with_empties { self.empties.iter().map(|&op| place(op)).collect() } else { Vec::new() },
            hidden: false,
            founders,
        };
        for &v in values {
            lives.transfer(self, v as usize, place);
        }
        (lives, ops)
    }

    /// Appends the life of value `v` of `whole`, whose operations now are at `place`.
    fn transfer(&mut self, whole: &Lives, v: usize, place: impl Fn(u32) -> u32) {
        let old = whole.life[v];
        let mut life = Life::new(old.name, self.end);
        if v < whole.founders {
            life.found(self.life.len());
        }
        let ends = [(ADD, old.add), (REMOVE, old.remove)].into_iter().filter(|&(_, op)| op != NONE);
        for (kind, op) in ends.chain(whole.peeks_of(v).iter().map(|&peek| (PEEK, peek))) {
            let op = place(op);
            life.note(kind, op, self.call[op as usize], self.ret[op as usize]);
        }
        life.finish(self.end);
        self.life.push(life);
        self.peeks.extend(whole.peeks_of(v).iter().map(|&peek| place(peek)));
        self.peeks_from.push(self.peeks.len() as u32);
    }
}
