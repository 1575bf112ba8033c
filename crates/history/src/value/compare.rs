//! Which value is smaller? One total order over all values, the same in every table.
//!
//! null < booleans < numbers < texts < lists < maps; numbers by value, texts by code
//! points, lists and maps element by element. It makes maps and sets canonical: entries that are
//! sorted by it are in the same order whatever the source wrote first. O(size of the smaller
//! value); the call depth is the nesting of the values, which readers limit to 100.

use super::{Value, ValueId, Values};
use std::cmp::Ordering;

impl Values {
    /// The order of two values; Equal exactly when the ids are equal.
    pub fn compare(&self, a: ValueId, b: ValueId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        match (self.get(a), self.get(b)) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::List(a), Value::List(b)) => {
                let parts = a.iter().zip(b).map(|(&a, &b)| self.compare(a, b));
                first_difference(parts).then(a.len().cmp(&b.len()))
            }
            (Value::Map(a), Value::Map(b)) => {
                let parts = a.iter().zip(b).map(|(a, b)| self.compare(a.0, b.0).then_with(|| self.compare(a.1, b.1)));
                first_difference(parts).then(a.len().cmp(&b.len()))
            }
            (a, b) => kind(a).cmp(&kind(b)).then_with(|| numbers(a, b)),
        }
    }

    /// Entries sorted by key; of entries with one key only the last is left.
    pub(super) fn sorted(&self, mut entries: Box<[(ValueId, ValueId)]>) -> Box<[(ValueId, ValueId)]> {
        let ordered = |pair: &[(ValueId, ValueId)]| self.compare(pair[0].0, pair[1].0) == Ordering::Less;
        if entries.windows(2).all(ordered) {
            return entries;
        }
        entries.sort_by(|a, b| self.compare(a.0, b.0)); // stable: the last of equal keys stays last
        let mut unique: Vec<(ValueId, ValueId)> = Vec::with_capacity(entries.len());
        for entry in entries {
            match unique.last_mut() {
                Some(last) if last.0 == entry.0 => *last = entry,
                _ => unique.push(entry),
            }
        }
        unique.into()
    }

    /// Sorts the parts of a set and drops those that stand twice.
    pub(crate) fn sort_set(&self, parts: &mut Vec<ValueId>) {
        parts.sort_unstable_by(|&a, &b| self.compare(a, b));
        parts.dedup();
    }
}

fn first_difference(mut parts: impl Iterator<Item = Ordering>) -> Ordering {
    parts.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Int(_) | Value::Big(_) | Value::Float(_) => 2,
        Value::Text(_) => 3,
        Value::List(_) => 4,
        Value::Map(_) => 5,
    }
}

/// The order of two different numbers. Floats have a fraction (see [`Values::float`]),
/// so they are far from any integer that an f64 cannot hold.
fn numbers(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Big(a), Value::Big(b)) => match (a.strip_prefix('-'), b.strip_prefix('-')) {
            (None, None) => digits(a, b),
            (Some(a), Some(b)) => digits(b, a),
            (a, b) => b.is_some().cmp(&a.is_some()),
        },
        (a, b) => nearest(a).total_cmp(&nearest(b)),
    }
}

/// The order of two numbers without leading zeros.
fn digits(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn nearest(value: &Value) -> f64 {
    match value {
        Value::Int(number) => *number as f64,
        Value::Float(bits) => f64::from_bits(*bits),
        Value::Big(digits) if digits.starts_with('-') => f64::MIN,
        _ => f64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds_are_ordered() {
        let mut values = Values::new();
        let one = values.int(1);
        let sorted = vec![
            ValueId::NULL,
            ValueId::FALSE,
            ValueId::TRUE,
            values.integer("-20000000000000000000"),
            values.integer("-10000000000000000000"),
            values.int(-3),
            one,
            values.float(1.5),
            values.int(2),
            values.integer("9999999999999999999"),
            values.integer("10000000000000000000"),
            values.text(""),
            values.text("a"),
            values.list(&[]),
            values.list(&[one]),
            values.list(&[one, one]),
            values.map(&[]).unwrap(),
            values.map(&[(one, one)]).unwrap(),
        ];
        for (i, &a) in sorted.iter().enumerate() {
            for (j, &b) in sorted.iter().enumerate() {
                assert_eq!(values.compare(a, b), i.cmp(&j), "{} and {}", values.show(a), values.show(b));
            }
        }
    }
}
