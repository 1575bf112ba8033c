//! ENUMERATE: is one of all linearizations of all completions in the kernel? The baseline of Emmi, Enea and Hamza (§6).
//!
//! After Wing and Gong (1993) and Line-up (2010): every choice of pending operations, every order that real time allows, and each is asked of
//! the theory as a whole. Nothing is cut off and nothing remembered: that is the point of a baseline. Cost: up to n! orders.

use crate::kernel::Kernel;
use crate::operation::Operations;
use crate::theories::Theory;
use linpoint_base::{Account, Cause};

/// What enumeration came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Enumerated {
    /// This order of operations is in the kernel.
    Order(Vec<u32>),
    /// None is.
    Nothing,
    /// The budget ended.
    Stopped(Cause),
}

/// Tries all orders.
pub fn enumerate(theory: &Theory, operations: &Operations, account: &mut Account<'_>) -> Enumerated {
    let kernel = Kernel::new(theory, operations);
    let (required, pending): (Vec<u32>, Vec<u32>) =
        (0..operations.len() as u32).partition(|&op| operations.get(op).is_required());
    let mut chosen = vec![false; pending.len()];
    loop {
        let taken = pending.iter().zip(&chosen).filter(|(_, taken)| **taken).map(|(&op, _)| op);
        let all: Vec<u32> = required.iter().copied().chain(taken).collect();
        match orders(&kernel, &all, operations, account) {
            Enumerated::Nothing => {}
            answer => return answer,
        }
        let Some(next) = chosen.iter().position(|taken| !taken) else { return Enumerated::Nothing };
        chosen[..next].fill(false); // as in counting
        chosen[next] = true;
    }
}

/// Tries all orders of these operations.
fn orders(kernel: &Kernel<'_>, all: &[u32], operations: &Operations, account: &mut Account<'_>) -> Enumerated {
    let mut order: Vec<u32> = Vec::new();
    let mut is_done = vec![false; operations.len()];
    let minimal = |is_done: &[bool]| -> Vec<u32> {
        let left = || all.iter().copied().filter(|&op| !is_done[op as usize]);
        left().filter(|&op| !left().any(|other| operations.precedes(other, op))).collect()
    };
    let mut choices = vec![minimal(&is_done)];
    while let Some(last) = choices.last_mut() {
        let Some(op) = last.pop() else {
            choices.pop();
            order.pop().into_iter().for_each(|op| is_done[op as usize] = false);
            continue;
        };
        order.push(op);
        is_done[op as usize] = true;
        account.configurations += 1;
        if let Some(cause) = account.poll(8 * choices.len() * (1 + all.len()), 0) {
            return Enumerated::Stopped(cause);
        }
        if order.len() == all.len() && kernel.holds(&order) {
            return Enumerated::Order(order);
        }
        choices.push(minimal(&is_done));
    }
    match all.is_empty() && kernel.holds(&[]) {
        true => Enumerated::Order(Vec::new()),
        false => Enumerated::Nothing,
    }
}
