//! What was asked, and what was answered? An operation as the reference of the models reads it.

use crate::sequential::Fit;
use linpoint_history::{Value, ValueId, Values};

/// One operation of a witness.
#[derive(Clone, Copy)]
pub(crate) struct Op<'v> {
    /// The name in the reference, whichever synonym was recorded.
    pub name: &'static str,
    /// The key, if there is one.
    pub key: Option<ValueId>,
    /// The argument.
    pub value: ValueId,
    /// What it returned; None for a pending operation, for which every result is fine.
    pub result: Option<ValueId>,
    /// Every value.
    pub values: &'v Values,
}

/// What an operation on a container says that it found.
pub(crate) enum Found {
    /// Nobody knows: it is pending.
    Anything,
    /// `null` or `"empty"`.
    Nothing,
    /// An element.
    This(ValueId),
}

impl Op<'_> {
    /// The result is compared with the answer.
    pub fn answered(&self, answer: ValueId) -> Fit {
        self.result.map_or(Fit::Yes, |recorded| Fit::of(recorded == answer))
    }

    /// The result is true or false.
    pub fn answered_bool(&self, answer: bool) -> Fit {
        match self.result {
            None => Fit::Yes,
            Some(ValueId::TRUE) => Fit::of(answer),
            Some(ValueId::FALSE) => Fit::of(!answer),
            Some(_) => Fit::NotUnderstood,
        }
    }

    /// The result is true or false; null was not recorded.
    pub fn perhaps_answered_bool(&self, answer: bool) -> Fit {
        if self.result == Some(ValueId::NULL) { Fit::Yes } else { self.answered_bool(answer) }
    }

    /// The result is a whole number.
    pub fn answered_number(&self, answer: i128) -> Fit {
        match self.result.map(|recorded| whole(self.values, recorded)) {
            None => Fit::Yes,
            Some(Some(recorded)) => Fit::of(recorded == answer),
            Some(None) => Fit::NotUnderstood,
        }
    }

    /// The result is not compared, but `false` means that it did nothing, unless it repeats the argument.
    pub fn not_compared(&self) -> Fit {
        let repeated = || match self.values.get(self.value) {
            Value::List(items) => items.contains(&ValueId::FALSE),
            _ => self.value == ValueId::FALSE,
        };
        if self.result == Some(ValueId::FALSE) && !repeated() { Fit::NotUnderstood } else { Fit::Yes }
    }

    /// What it found in a container.
    pub fn found(&self) -> Found {
        match self.result {
            None => Found::Anything,
            Some(ValueId::NULL) => Found::Nothing,
            Some(this) if matches!(self.values.get(this), Value::Text(text) if **text == *"empty") => Found::Nothing,
            Some(this) => Found::This(this),
        }
    }

    /// The items of an argument that is a list of so many.
    pub fn items<const N: usize>(&self) -> Option<[ValueId; N]> {
        self.values.as_list(self.value)?.try_into().ok()
    }

    /// The key of an operation that needs nothing else: its field `key`, or its argument.
    pub fn key_alone(&self) -> ValueId {
        self.key.unwrap_or(self.value)
    }

    /// (key, the one thing it needs beside it): the argument, or both in the argument.
    pub fn key_and_one(&self) -> Option<(ValueId, ValueId)> {
        match self.key {
            Some(key) => Some((key, self.value)),
            None => self.items::<2>().map(|[key, item]| (key, item)),
        }
    }

    /// (key, the two things it needs beside it).
    pub fn key_and_two(&self) -> Option<(ValueId, ValueId, ValueId)> {
        match self.key {
            Some(key) => self.items::<2>().map(|[one, two]| (key, one, two)),
            None => self.items::<3>().map(|[key, one, two]| (key, one, two)),
        }
    }

    /// How many: a whole number, 1 if none is given.
    pub fn amount(&self) -> Option<i128> {
        if self.value == ValueId::NULL { Some(1) } else { whole(self.values, self.value) }
    }
}

/// A whole number that fits 128 bits.
pub(crate) fn whole(values: &Values, id: ValueId) -> Option<i128> {
    match values.get(id) {
        Value::Int(number) => Some(i128::from(*number)),
        Value::Big(digits) => digits.parse().ok(),
        _ => None,
    }
}
