//! A register, with and without compare-and-set: the value held.

use crate::op::Op;
use crate::sequential::{Fit, Names, Options, Sequential};
use linpoint_history::ValueId;

/// Holds one value: read, write.
#[derive(Clone)]
pub(crate) struct Register {
    held: ValueId,
}

impl Register {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        Some(Register { held: options.get("initial").unwrap_or(ValueId::NULL) })
    }
}

impl Sequential for Register {
    const NAMES: &'static Names = &[("read", &["get", "load"]), ("write", &["set", "put", "store"])];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        match op.name {
            "read" => op.answered(self.held),
            "write" => {
                self.held = op.value;
                op.not_compared()
            }
            _ => Fit::NotUnderstood,
        }
    }
}

/// The same with cas and swap.
#[derive(Clone)]
pub(crate) struct CasRegister {
    register: Register,
}

impl CasRegister {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        Some(CasRegister { register: Register::new(options)? })
    }
}

impl Sequential for CasRegister {
    const NAMES: &'static Names = &[
        ("read", &["get", "load"]),
        ("write", &["set", "put", "store"]),
        ("cas", &["compare_and_set", "compareAndSet", "compare-and-set", "compare_and_swap"]),
        ("swap", &["get_and_set", "getAndSet", "exchange"]),
    ];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        let held = &mut self.register.held;
        match op.name {
            "cas" => {
                let Some([old, new]) = op.items() else { return Fit::NotUnderstood };
                let was = *held == old;
                if was {
                    *held = new;
                }
                op.answered_bool(was)
            }
            "swap" => op.answered(std::mem::replace(held, op.value)),
            _ => self.register.act(op),
        }
    }
}
