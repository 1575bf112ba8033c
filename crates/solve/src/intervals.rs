//! When was each operation called, and when did it return? Real time, which no variable needs to decide.
//!
//! O(n): the events of a part are in order already.

use crate::clause::{Atom, Literal};
use linpoint_spec::Part;

/// The rank of a return that never comes.
pub const NEVER: u32 = u32::MAX;

/// The ranks of calls and returns; rank 0 is before all events.
pub struct Intervals {
    /// Of each operation; one more, for what was held at first, is called and returns at rank 0.
    pub call: Vec<u32>,
    /// [`NEVER`] for one that is pending.
    pub ret: Vec<u32>,
}

impl Intervals {
    /// Those of a part.
    pub fn of(part: &Part) -> Intervals {
        let mut call = vec![0; part.ops.len() + 1];
        let mut ret = vec![NEVER; part.ops.len() + 1];
        for (rank, event) in part.events.iter().enumerate() {
            let column = if event.is_return() { &mut ret } else { &mut call };
            column[event.op()] = rank as u32 + 1;
        }
        ret[part.ops.len()] = 0;
        Intervals { call, ret }
    }

    /// The place that stands for what was held at first.
    pub fn first(&self) -> u32 {
        self.call.len() as u32 - 1
    }

    /// Did `a` return before `b` was called?
    pub fn precedes(&self, a: u32, b: u32) -> bool {
        self.ret[a as usize] < self.call[b as usize]
    }

    /// It never returned.
    pub fn is_pending(&self, op: u32) -> bool {
        self.ret[op as usize] == NEVER
    }

    /// What real time says of a literal; if nothing, its canonical form: of two operations the smaller first, perhaps negated.
    pub fn decide(&self, literal: Literal) -> Result<bool, Literal> {
        match literal.atom {
            Atom::Before(a, b) if self.precedes(a, b) => Ok(literal.positive),
            Atom::Before(a, b) if self.precedes(b, a) => Ok(!literal.positive),
            Atom::Before(a, b) if a > b => Err(Literal { atom: Atom::Before(b, a), positive: !literal.positive }),
            Atom::Used(op) if !self.is_pending(op) => Ok(literal.positive),
            _ => Err(literal),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        8 * self.call.len()
    }
}
