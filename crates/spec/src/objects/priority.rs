//! Which of two elements has the higher priority? A total order of all values, exact for all numbers.
//!
//! null < false < true < numbers by value < texts by code point < lists item by item (a list before
//! its continuations) < maps (all equal). NaN and infinities are no values. Costs what the two values have
//! in common; lists are walked with a stack of our own, not by recursion.

use linpoint_history::{Value, ValueId, Values};
use std::cmp::Ordering;

/// The priority of an element: the element itself, or its first item if it is a list that has one.
pub fn priority(values: &Values, element: ValueId) -> ValueId {
    values.as_list(element).and_then(|items| items.first().copied()).unwrap_or(element)
}

/// Compares two values.
pub fn compare(values: &Values, a: ValueId, b: ValueId) -> Ordering {
    let (Some(a), Some(b)) = (values.as_list(a), values.as_list(b)) else {
        return compare_flat(values, a, b);
    };
    let mut open = vec![(a, b)]; // lists under way: what is left of each; the innermost on top
    while let Some((a, b)) = open.pop() {
        let ((a, rest_a), (b, rest_b)) = match (a.split_first(), b.split_first()) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => continue,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
        };
        open.push((rest_a, rest_b));
        match (values.as_list(*a), values.as_list(*b)) {
            _ if a == b => {}
            (Some(a), Some(b)) => open.push((a, b)),
            _ => match compare_flat(values, *a, *b) {
                Ordering::Equal => {}
                decided => return decided,
            },
        }
    }
    Ordering::Equal
}

/// Compares two values that are not both lists.
fn compare_flat(values: &Values, a: ValueId, b: ValueId) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Int(_) | Value::Big(_) | Value::Float(_) => 3,
        Value::Text(_) => 4,
        Value::List(_) => 5,
        Value::Map(_) => 6,
    };
    match (values.get(a), values.get(b)) {
        (Value::Text(a), Value::Text(b)) => a.cmp(b), // UTF-8 keeps the order of code points
        (a, b) if rank(a) == 3 && rank(b) == 3 => compare_numbers(a, b),
        (a, b) => rank(a).cmp(&rank(b)),
    }
}

fn compare_numbers(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => f64::from_bits(*a).total_cmp(&f64::from_bits(*b)),
        (Value::Int(a), Value::Float(b)) => compare_int_float(*a, f64::from_bits(*b)),
        (Value::Float(a), Value::Int(b)) => compare_int_float(*b, f64::from_bits(*a)).reverse(),
        _ => compare_digits(&digits(a), &digits(b)),
    }
}

/// What is stored as a float has a fraction (`Values::float`): it is finite, no integer, and its whole part fits 64 bits.
fn compare_int_float(int: i64, float: f64) -> Ordering {
    int.cmp(&(float.trunc() as i64)).then_with(|| 0.0_f64.total_cmp(&float.fract()))
}

/// The digits of a number, without its fraction: next to a number beyond 64 bits no fraction matters.
fn digits(number: &Value) -> String {
    match number {
        Value::Int(int) => int.to_string(),
        Value::Big(digits) => digits.to_string(),
        Value::Float(bits) => format!("{:.0}", f64::from_bits(*bits).trunc()),
        _ => unreachable!("only numbers have digits"),
    }
}

/// Compares two whole numbers by their digits, without leading zeros.
fn compare_digits(a: &str, b: &str) -> Ordering {
    let size = |digits: &str| digits.trim_start_matches('-').len();
    match (a.starts_with('-'), b.starts_with('-')) {
        (false, false) => size(a).cmp(&size(b)).then_with(|| a.cmp(b)),
        (true, true) => size(b).cmp(&size(a)).then_with(|| b.cmp(a)),
        (negative_a, negative_b) => negative_b.cmp(&negative_a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind and around each border, in ascending order.
    fn ladder(values: &mut Values) -> Vec<ValueId> {
        let mut rungs = vec![ValueId::NULL, ValueId::FALSE, ValueId::TRUE];
        rungs.push(values.float(-1e300));
        for digits in ["-100000000000000000001", "-100000000000000000000", "-9223372036854775809"] {
            rungs.push(values.integer(digits));
        }
        rungs.push(values.int(i64::MIN));
        rungs.extend([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5].map(|number| values.float(number)));
        rungs.push(values.int(i64::MAX));
        for digits in ["9223372036854775809", "100000000000000000000", "100000000000000000001"] {
            rungs.push(values.integer(digits));
        }
        rungs.push(values.float(1e300));
        rungs.extend(["", "Z", "a", "aa", "b", "é", "\u{ffff}", "\u{10000}"].map(|text| values.text(text)));
        let (one, two) = (values.int(1), values.int(2));
        let nothing = values.list(&[]);
        let nested = values.list(&[one, two]);
        rungs.extend([nothing, values.list(&[one]), nested, values.list(&[one, two, one]), values.list(&[two])]);
        rungs.extend([values.list(&[nested]), values.list(&[nested, one])]);
        rungs.push(values.intern(Value::Map(Box::default())));
        rungs
    }

    #[test]
    fn the_order_is_the_documented_one() {
        let mut values = Values::new();
        let rungs = ladder(&mut values);
        for (i, &a) in rungs.iter().enumerate() {
            for (j, &b) in rungs.iter().enumerate() {
                assert_eq!(compare(&values, a, b), i.cmp(&j), "{} and {}", values.show(a), values.show(b));
            }
        }
    }

    #[test]
    fn equal_numbers_and_all_maps_are_equal() {
        let mut values = Values::new();
        let (int, float) = (values.int(100_000_000_000_000_000), values.float(1e17));
        let (big, large) = (values.integer("100000000000000000000"), values.float(1e20));
        let (one, map) = (values.int(1), values.intern(Value::Map(Box::default())));
        let other = values.intern(Value::Map(Box::new([(one, one)])));
        for (a, b) in [(int, float), (big, large), (map, other)] {
            assert_eq!(compare(&values, a, b), Ordering::Equal);
            assert_eq!(compare(&values, b, a), Ordering::Equal);
        }
    }

    #[test]
    fn the_first_item_of_a_list_is_its_priority() {
        let mut values = Values::new();
        let (one, nothing) = (values.int(1), values.list(&[]));
        let (pair, text) = (values.list(&[one, nothing]), values.text("x"));
        assert_eq!([pair, one, nothing, text].map(|id| priority(&values, id)), [one, one, nothing, text]);
    }
}
