//! A bag (multiset, pool): how many copies of each element are in it.
//!
//! A pending take took nobody knows what. It is passed over, as if it had never taken effect, which a pending operation may; a result that
//! does not fit afterwards proves nothing.

use crate::op::{Found, Op};
use crate::sequential::{Fit, Names, Options, Sequential};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use linpoint_base::Hashing;
use linpoint_history::ValueId;

/// Elements in no order: add, take (any of them), remove_value, contains.
#[derive(Clone)]
pub(crate) struct Bag {
    /// Never 0.
    copies: HashMap<ValueId, usize, Hashing>,
    guessed: bool,
}

impl Bag {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        let mut bag = Bag { copies: HashMap::default(), guessed: false };
        for element in options.elements()? {
            bag.add(element);
        }
        Some(bag)
    }

    fn add(&mut self, element: ValueId) {
        *self.copies.entry(element).or_insert(0) += 1;
    }

    /// Takes a copy out; was there one?
    fn remove(&mut self, element: ValueId) -> bool {
        let Entry::Occupied(mut copies) = self.copies.entry(element) else { return false };
        *copies.get_mut() -= 1;
        if *copies.get() == 0 {
            copies.remove();
        }
        true
    }
}

impl Sequential for Bag {
    const NAMES: &'static Names = &[
        ("add", &["insert", "put", "push", "offer"]),
        ("take", &["remove", "poll", "pop", "get"]),
        ("remove_value", &["discard", "delete"]),
        ("contains", &["has", "member"]),
    ];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        match op.name {
            "add" => {
                self.add(op.value);
                op.not_compared()
            }
            "take" if op.value != ValueId::NULL => Fit::NotUnderstood, // it names an element: that is a remove_value
            "take" => match op.found() {
                Found::Anything => {
                    self.guessed |= !self.copies.is_empty();
                    Fit::Yes
                }
                Found::Nothing => Fit::of(self.copies.is_empty()),
                Found::This(element) => Fit::of(self.remove(element)),
            },
            "remove_value" => op.perhaps_answered_bool(self.remove(op.value)),
            "contains" => op.answered_bool(self.copies.contains_key(&op.value)),
            _ => Fit::NotUnderstood,
        }
    }

    fn guessed(&self) -> bool {
        self.guessed
    }

    fn bytes(&self) -> usize {
        self.copies.allocation_size()
    }
}
