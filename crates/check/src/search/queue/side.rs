//! How far is one side of the queue: those that enqueue, or those that look at the front?
//!
//! What is done on a side is always {what returned before return ρ} plus some of those open at ρ, so (ρ, mask) names it:
//! the frontier of `mask.rs`, once for each side. The list of open operations moves with ρ and back.

use crate::ranks::{NEVER, by_rank};
use crate::search::mask::Mask;
use crate::search::open::Open;

/// The operations of one side, numbered by their calls.
pub(super) struct Side {
    pub ops: Vec<Member>,
    /// How many slots masks need.
    pub slots: usize,
    /// The operation of each return.
    returns: Vec<u32>,
    /// How many operations are called before each return; all of them behind the last.
    called: Vec<u32>,
    /// The return at which the list stands.
    rho: usize,
    open: Open,
}

/// One operation.
#[derive(Clone, Copy)]
pub(super) struct Member {
    /// Its place in the part; [`NONE`](crate::ranks::NONE) for an element that is there from the start.
    pub op: u32,
    pub call: u32,
    /// [`NEVER`] if it need not take effect.
    pub ret: u32,
    pub what: What,
    slot: u32,
}

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum What {
    Enqueue(u32),
    Dequeue(u32),
    Peek(u32),
    Empty,
}

/// What is done on a side.
#[derive(Clone)]
pub(super) struct Frontier<M> {
    /// The next return that is not explained.
    pub rho: u32,
    /// Which of those open at ρ are done.
    pub mask: M,
    /// The last call of those done: none of what follows on this side is earlier.
    pub lo: u32,
}

impl Side {
    /// The side of these operations, given by their calls; ranks are below `ranks`.
    pub fn new(given: impl Iterator<Item = (u32, u32, u32, What)>, ranks: usize) -> Side {
        let slot = 0;
        let mut ops: Vec<Member> = given.map(|(op, call, ret, what)| Member { op, call, ret, what, slot }).collect();
        let returning: Vec<u32> = (0..ops.len() as u32).filter(|&op| ops[op as usize].ret != NEVER).collect();
        let places = by_rank(returning.len(), ranks, |place| ops[returning[place] as usize].ret);
        let returns: Vec<u32> = places.into_iter().map(|place| returning[place as usize]).collect();
        let (mut called, mut next, mut slots, mut free) = (Vec::new(), 0, 0, Vec::new());
        for &returned in &returns {
            while ops.get(next).is_some_and(|op| op.call < ops[returned as usize].ret) {
                ops[next].slot = free.pop().unwrap_or_else(|| {
                    slots += 1;
                    slots - 1
                });
                next += 1;
            }
            called.push(next as u32);
            free.push(ops[returned as usize].slot);
        }
        called.push(ops.len() as u32);
        for op in &mut ops[next..] {
            op.slot = slots;
            slots += 1;
        }
        let mut side = Side { open: Open::new(ops.len()), ops, slots: slots as usize, returns, called, rho: 0 };
        (0..side.called[0]).for_each(|op| side.open.append(op));
        side
    }

    /// The first return of those not done: the next one takes effect before it.
    pub fn hi<M>(&self, at: &Frontier<M>) -> u32 {
        self.returns.get(at.rho as usize).map_or(NEVER, |&op| self.ops[op as usize].ret)
    }

    /// Is all done that must be?
    pub fn is_done<M>(&self, at: &Frontier<M>) -> bool {
        at.rho as usize == self.returns.len()
    }

    /// The operation whose return is not explained.
    pub fn target(&self, rho: usize) -> Option<Member> {
        self.returns.get(rho).map(|&op| self.ops[op as usize])
    }

    /// All operations that return, in that order.
    pub fn by_return(&self) -> impl Iterator<Item = u32> {
        self.returns.iter().copied()
    }

    /// The first open operation behind `op` (None: behind the head) that is not done.
    pub fn next<M: Mask>(&self, op: Option<u32>, at: &Frontier<M>) -> Option<u32> {
        let mut op = self.open.after(op.unwrap_or_else(|| self.open.head()))?;
        while at.mask.has(self.ops[op as usize].slot) {
            op = self.open.after(op)?;
        }
        Some(op)
    }

    /// All open operations that are not done.
    pub fn undone<M: Mask>(&self, at: &Frontier<M>) -> impl Iterator<Item = u32> {
        std::iter::successors(self.next(None, at), |&op| self.next(Some(op), at))
    }

    /// Does an open one that is not done do the same as `op`, called no later and returning no later? Then that one goes
    /// first: in any order the two may swap places.
    pub fn has_earlier_twin<M: Mask>(&self, op: u32, at: &Frontier<M>) -> bool {
        let later = self.ops[op as usize];
        let is_twin =
            |twin: u32| self.ops[twin as usize].what == later.what && self.ops[twin as usize].ret <= later.ret;
        self.undone(at).take_while(|&twin| twin < op).any(is_twin)
    }

    /// What is done once `op` is, too. Moves the list.
    pub fn fire<M: Mask>(&mut self, op: u32, at: &Frontier<M>) -> Frontier<M> {
        let mut after = at.clone();
        after.lo = after.lo.max(self.ops[op as usize].call);
        after.mask.insert(self.ops[op as usize].slot);
        while let Some(&returned) = self.returns.get(self.rho) {
            let slot = self.ops[returned as usize].slot;
            if !after.mask.has(slot) {
                break;
            }
            after.mask.remove(slot);
            self.open.lift(returned);
            (self.called[self.rho]..self.called[self.rho + 1]).for_each(|op| self.open.append(op));
            self.rho += 1;
        }
        after.rho = self.rho as u32;
        after
    }

    /// Moves the list back to return `rho`.
    pub fn back_to(&mut self, rho: u32) {
        while self.rho > rho as usize {
            self.rho -= 1;
            (self.called[self.rho]..self.called[self.rho + 1]).rev().for_each(|op| self.open.lift(op));
            self.open.unlift(self.returns[self.rho]);
        }
    }

    pub fn bytes(&self) -> usize {
        self.ops.capacity() * size_of::<Member>()
            + (self.returns.capacity() + self.called.capacity()) * 4
            + self.open.bytes()
    }
}
