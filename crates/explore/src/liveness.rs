//! Which registers does a thread still need where it waits? Only those are part of a state.
//!
//! The usual backward analysis over the instructions of each method, to a fixed point: O(instructions × loops). A register that is
//! written before it is read again is dead; two states that differ in dead registers alone are one state.

use crate::program::{Access, Action, Operand, Place, Program};

/// Where a thread may wait, and what it keeps there.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// May a thread wait before this instruction?
    pub possible: bool,
    /// The registers it keeps, in order.
    pub live: Vec<u8>,
}

/// The stops of a program, one per instruction, and the most registers that any of them keeps.
pub fn stops(program: &Program) -> (Vec<Stop>, usize) {
    let mut live = vec![0u64; program.code.len()];
    for method in &program.methods {
        let range = usize::from(method.start)..usize::from(method.end);
        let mut changed = true;
        while changed {
            changed = false;
            for at in range.clone().rev() {
                let action = &program.code[at].action;
                let after = followers(action, at).into_iter().flatten();
                let out = after.filter(|next| range.contains(next)).fold(0, |all, next| all | live[next]);
                let (reads, writes) = registers(action);
                let before = (out & !writes) | reads;
                changed |= before != live[at];
                live[at] = before;
            }
        }
    }
    let stops = program.code.iter().zip(&live).enumerate().map(|(at, (instruction, &live))| {
        let back = followers(&instruction.action, at)[1].is_some_and(|target| target <= at);
        let possible = back || (instruction.access != Access::Private && !instruction.glued);
        Stop { possible, live: (0..64).filter(|register| live >> register & 1 == 1).collect() }
    });
    let stops: Vec<Stop> = stops.collect();
    let most = stops.iter().filter(|stop| stop.possible).map(|stop| stop.live.len()).max().unwrap_or(0);
    (stops, most.max(1))
}

/// Where an instruction goes on: to the next one, to its target.
fn followers(action: &Action, at: usize) -> [Option<usize>; 2] {
    match action {
        Action::Jump { target } => [None, Some(usize::from(*target))],
        Action::Branch { target, .. } => [Some(at + 1), Some(usize::from(*target))],
        Action::Return { .. } => [None, None],
        _ => [Some(at + 1), None],
    }
}

/// The registers that an instruction reads and those that it writes.
fn registers(action: &Action) -> (u64, u64) {
    let mut reads = 0;
    let mut read = |operand: &Operand| {
        if let Operand::Register(register) = operand {
            reads |= 1u64 << register;
        }
    };
    let locate = |place: &Place, read: &mut dyn FnMut(&Operand)| {
        place.node.iter().for_each(&mut *read);
        read(&place.index);
    };
    let to = match action {
        Action::Move { to, from } | Action::Not { to, from } | Action::Is { to, from, .. } => {
            read(from);
            Some(to)
        }
        Action::Binary { to, one, two, .. } => {
            read(one);
            read(two);
            Some(to)
        }
        Action::Me { to } | Action::Choose { to, .. } => Some(to),
        Action::Branch { on: from, .. }
        | Action::Return { value: from }
        | Action::Assert { holds: from }
        | Action::Await { holds: from }
        | Action::Free { node: from } => {
            read(from);
            None
        }
        Action::Load { to, place } => {
            locate(place, &mut read);
            Some(to)
        }
        Action::Store { place, value } => {
            locate(place, &mut read);
            read(value);
            None
        }
        Action::Swap { to, place, value } | Action::FetchAdd { to, place, value } => {
            locate(place, &mut read);
            read(value);
            Some(to)
        }
        Action::CompareSwap { to, exchanges } => {
            for exchange in exchanges {
                locate(&exchange.place, &mut read);
                read(&exchange.old);
                read(&exchange.new);
            }
            Some(to)
        }
        Action::ExchangeIf { to, exchange } => {
            locate(&exchange.place, &mut read);
            read(&exchange.old);
            read(&exchange.new);
            Some(to)
        }
        Action::Lock { place } | Action::Unlock { place } => {
            locate(place, &mut read);
            None
        }
        Action::New { to, fields, .. } => {
            fields.iter().for_each(&mut read);
            Some(to)
        }
        Action::Jump { .. } | Action::Begin => None,
    };
    (reads, to.map_or(0, |register| 1u64 << register))
}
