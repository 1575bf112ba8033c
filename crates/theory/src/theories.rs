//! Which formulas make an object? The kernels of the paper's §3, and ours.
//!
//! A theory is a list of formulas. Cells (registers, the entries of maps, CAS registers, the elements of sets, locks that are also
//! tried in vain) share one: a CAS that succeeded is a read and a write at one point. The paper's own formulas for sets are
//! [`SET_AS_PRINTED`]: they refuse `add, add, remove, contains → false`, since EXCLUDE wants a remove of its own for each add
//! (`tests/kernels.rs`), so no method uses them.

use crate::figures::*;
use crate::notation::{Formula, Sentence};
use crate::operation::{self, ACQUIRE, ADD, EXCHANGE, LOCK, READ, RELEASE, REMOVE, UNLOCK, WHOLE, WRITE};
use crate::rule::Rule;
use crate::saturate::Clauses;
use linpoint_spec::{Role, Shape};
use std::sync::OnceLock;

/// The formulas of an object.
#[derive(Debug)]
pub struct Theory {
    /// What it is a theory of.
    pub name: &'static str,
    /// What must hold of an order and a matching.
    pub formulas: &'static [Formula],
    /// The sorts of what gives and of what takes.
    pub(crate) sorts: (u32, u32),
    /// Made when they are first needed.
    clauses: OnceLock<Clauses>,
}

macro_rules! theories {
    ($($(#[$doc:meta])* $id:ident, $name:literal, $sorts:expr, [$($formula:expr),*];)*) => {
        $($(#[$doc])* pub static $id: Theory = Theory { name: $name, formulas: &[$($formula),*], sorts: $sorts, clauses: OnceLock::new() };)*
        /// All of them.
        pub static ALL_THEORIES: &[&Theory] = &[$(&$id),*];
    };
}

theories! {
    /// Figure 4: ATOMIC ∧ ADDREM ∧ FIFO ∧ EMPTY.
    QUEUE, "queue", (ADD, REMOVE), [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, FUNCTION, INJECTIVE, ADD_REM, FIFO, EMPTY, PEEK];
    /// Figure 4: ATOMIC ∧ ADDREM ∧ LIFO ∧ EMPTY.
    STACK, "stack", (ADD, REMOVE), [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, FUNCTION, INJECTIVE, ADD_REM, LIFO, EMPTY, PEEK];
    /// Ours: a stack at either end, and a queue through both.
    DEQUE, "deque", (ADD, REMOVE),
        [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, FUNCTION, INJECTIVE, ADD_REM, LIFO_FIRST, LIFO_LAST, FIFO_FIRST, FIFO_LAST, EMPTY, PEEK];
    /// Figure 4: ATOMIC ∧ ADDREM ∧ MAX ∧ EMPTY; a bag, where all priorities are equal.
    PRIORITY_QUEUE, "priority queue", (ADD, REMOVE),
        [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, FUNCTION, INJECTIVE, ADD_REM, MAX, EMPTY, WITHOUT, PEEK];
    /// Figure 6: ATOMIC ∧ READWRITE ∧ READFROM. Ours for every cell that holds one value.
    CELL, "cell of one value", (WRITE, READ), [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, FUNCTION, READ_WRITE, READ_FROM];
    /// Figure 7: ATOMIC ∧ TOTAL(unlock) ∧ MUTEX.
    LOCKS, "lock", (LOCK, UNLOCK),
        [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, FUNCTION, INJECTIVE_UNLOCK, TOTAL_UNLOCK, MUTEX];
    /// Figure 7: ATOMIC ∧ TOTAL(release) ∧ LIMIT: a semaphore of two permits.
    PERMITS, "set of permits", (ACQUIRE, RELEASE),
        [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, FUNCTION, INJECTIVE_RELEASE, TOTAL_RELEASE, LIMIT];
    /// Ours: every read shows exactly what came before it.
    GROW_ONLY_SET, "grow-only set", (ADD, WHOLE), [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, SHOWN, HIDDEN, THIN_AIR];
    /// Ours: likewise, and in its order.
    APPEND_LIST, "append list", (ADD, WHOLE),
        [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, SHOWN, HIDDEN, LISTED, BEGINNING, THIN_AIR];
    /// Figure 7: COMPLETED ∧ EXCHANGE. The order is partial: partners are not ordered.
    EXCHANGER, "exchanger", (EXCHANGE, EXCHANGE),
        [IRREFLEXIVE, TRANSITIVE, FUNCTION, INJECTIVE_EXCHANGE, SYMMETRIC, EXCHANGED, MATCH_OVERLAP];
    /// Figure 5, as the paper has it.
    SET_AS_PRINTED, "set", (ADD, REMOVE),
        [IRREFLEXIVE, TRANSITIVE, ASYMMETRIC, TOTAL_ORDER, FUNCTION, INJECTIVE, INCLUDE, INCLUDE_UNTIL, EXCLUDE, SET_ADD_REM, MATCHING_ADD, MATCHING_REM];
}

/// The theory of an object of this shape with these operations.
pub fn theory_of(shape: Shape, roles: &[Role]) -> Option<&'static Theory> {
    match shape {
        Shape::Queue => Some(&QUEUE),
        Shape::Stack => Some(&STACK),
        Shape::PriorityQueue => Some(&PRIORITY_QUEUE),
        Shape::Mutex if operation::is_lock(shape, roles) => Some(&LOCKS),
        Shape::Register | Shape::Set | Shape::Mutex => Some(&CELL),
        Shape::Deque => Some(&DEQUE),
        Shape::Permits => Some(&PERMITS),
        Shape::Other => None,
    }
}

impl Theory {
    /// Does it know nothing but taking and giving back?
    pub(crate) fn is_lock(&self) -> bool {
        self.sorts.0 == LOCK
    }

    /// Has it a front and a back, each of which can be put in at?
    pub(crate) fn has_two_ends(&self) -> bool {
        self.formulas.contains(&FIFO_LAST)
    }

    /// Its formulas, taken apart.
    pub fn sentences(&self) -> impl Iterator<Item = (&'static Formula, &'static Sentence)> {
        self.formulas.iter().map(|formula| (formula, formula.sentence()))
    }

    /// Its formulas as clauses; those that are none (TOTAL_ORDER, LIMIT) are left out.
    pub fn rules(&self) -> Vec<Rule> {
        self.formulas.iter().flat_map(Rule::of).collect()
    }

    /// The same, ready for saturation.
    pub(crate) fn clauses(&self) -> &Clauses {
        self.clauses.get_or_init(|| Clauses::of(self))
    }
}
