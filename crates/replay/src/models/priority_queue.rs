//! A priority queue: a heap with an entry for each copy inside, the next to come out on top.
//!
//! Elements of equal priority come out in any order, so the one that was recorded need not be on top. Then its entry stays in the
//! heap and is noted as gone; it is dropped when it comes to the top. O(log n) per operation.
//!
//! A pending poll took one of the next elements, nobody knows which. The one on top is guessed.

use crate::op::{Found, Op};
use crate::sequential::{Fit, Names, Options, Sequential};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::{Value, ValueId, Values};
use std::cmp::Ordering;

type Counts = HashMap<ValueId, usize, Hashing>;

/// Highest priority first, or lowest: insert, poll, peek.
#[derive(Clone)]
pub(crate) struct PriorityQueue {
    lowest_first: bool,
    /// The children of entry i are 2i + 1 and 2i + 2, and do not come out before it.
    heap: Vec<Entry>,
    /// Copies inside; counted from the first poll or peek on that finds another element than the one on top.
    copies: Option<Counts>,
    /// Entries of the heap whose copy came out already.
    gone: Counts,
    guessed: bool,
}

impl PriorityQueue {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        let lowest_first = match options.get("order").map(|order| options.values.as_text(order)) {
            None | Some(Some("max")) => false,
            Some(Some("min")) => true,
            Some(_) => return None,
        };
        let (heap, gone) = (Vec::new(), Counts::default());
        let mut queue = PriorityQueue { lowest_first, heap, copies: None, gone, guessed: false };
        for element in options.elements()? {
            queue.insert(element, options.values);
        }
        Some(queue)
    }

    fn insert(&mut self, element: ValueId, values: &Values) {
        if let Some(copies) = &mut self.copies {
            *copies.entry(element).or_insert(0) += 1;
        }
        self.heap.push(Entry::of(element, values));
        let mut at = self.heap.len() - 1;
        while at > 0 && self.before(at, (at - 1) / 2, values) {
            self.heap.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    /// The next to come out, after dropping what is gone.
    fn top(&mut self, values: &Values) -> Option<Entry> {
        while let Some(&top) = self.heap.first() {
            if self.gone.is_empty() || !one_less(&mut self.gone, top.element) {
                return Some(top);
            }
            self.drop_top(values);
        }
        None
    }

    fn drop_top(&mut self, values: &Values) {
        self.heap.swap_remove(0);
        let mut at = 0;
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            if left >= self.heap.len() {
                return;
            }
            let next = if right < self.heap.len() && self.before(right, left, values) { right } else { left };
            if !self.before(next, at, values) {
                return;
            }
            self.heap.swap(at, next);
            at = next;
        }
    }

    /// Must the entry at one place come out before that at another?
    fn before(&self, one: usize, other: usize, values: &Values) -> bool {
        let wanted = if self.lowest_first { Ordering::Less } else { Ordering::Greater };
        self.heap[one].compare(&self.heap[other], values) == wanted
    }

    /// Is this element inside, and none that must come out before it? `top` is the next to come out.
    fn is_next(&mut self, element: ValueId, top: Entry, values: &Values) -> bool {
        let as_early = Entry::of(element, values).compare(&top, values).is_eq();
        element == top.element || as_early && self.copies().contains_key(&element)
    }

    /// Copies inside. Before they are asked for, nothing came out but from the top: what is in the heap is inside.
    fn copies(&mut self) -> &mut Counts {
        self.copies.get_or_insert_with(|| {
            let mut copies = Counts::default();
            self.heap.iter().for_each(|entry| *copies.entry(entry.element).or_insert(0) += 1);
            copies
        })
    }

    fn remove(&mut self, element: ValueId, top: Entry, values: &Values) {
        if let Some(copies) = &mut self.copies {
            one_less(copies, element);
        }
        if element == top.element {
            self.drop_top(values);
        } else {
            *self.gone.entry(element).or_insert(0) += 1;
        }
    }
}

impl Sequential for PriorityQueue {
    const NAMES: &'static Names = &[
        ("insert", &["add", "offer", "push", "put", "enqueue", "enq"]),
        ("poll", &["remove", "pop", "take", "delete_max", "delete_min", "extract", "dequeue", "deq"]),
        ("peek", &["top", "max", "min", "find_max", "find_min", "first"]),
    ];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        let values = op.values;
        if op.name == "insert" {
            self.insert(op.value, values);
            return op.not_compared();
        }
        let Some(top) = self.top(values) else { return Fit::of(!matches!(op.found(), Found::This(_))) };
        let element = match op.found() {
            Found::Anything => top.element,
            Found::Nothing => return Fit::No,
            Found::This(element) if self.is_next(element, top, values) => element,
            Found::This(_) => return Fit::No,
        };
        if op.name == "poll" {
            self.remove(element, top, values);
            if op.result.is_none() {
                let rival = self.top(values);
                self.guessed |= rival.is_some_and(|rival| rival.compare(&top, values).is_eq());
            }
        }
        Fit::Yes
    }

    fn guessed(&self) -> bool {
        self.guessed
    }

    fn bytes(&self) -> usize {
        let copies = self.copies.as_ref().map_or(0, Counts::allocation_size);
        self.heap.capacity() * size_of::<Entry>() + copies + self.gone.allocation_size()
    }
}

/// Takes one off a count that is never 0; was there one?
fn one_less(counts: &mut Counts, element: ValueId) -> bool {
    let Some(count) = counts.get_mut(&element) else { return false };
    *count -= 1;
    if *count == 0 {
        counts.remove(&element);
    }
    true
}

/// An element in the heap, with its priority.
#[derive(Clone, Copy)]
struct Entry {
    element: ValueId,
    /// The element itself, or its first item if it is a list.
    priority: ValueId,
    /// The priority, if it is a number of 64 bits: they are so common that looking it up is worth saving.
    number: Option<i64>,
}

impl Entry {
    fn of(element: ValueId, values: &Values) -> Entry {
        let priority = match values.get(element) {
            Value::List(items) => items.first().copied().unwrap_or(element),
            _ => element,
        };
        Entry { element, priority, number: values.as_int(priority) }
    }

    fn compare(&self, other: &Entry, values: &Values) -> Ordering {
        match (self.number, other.number) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => compare(values, self.priority, other.priority),
        }
    }
}

/// null < false < true < numbers by value < texts by code point < lists item by item < maps (all equal). The depth of the recursion is
/// the nesting of the values, which readers limit to 100.
fn compare(values: &Values, one: ValueId, other: ValueId) -> Ordering {
    match (values.get(one), values.get(other)) {
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (Value::Text(one), Value::Text(other)) => one.cmp(other), // UTF-8 is ordered as its code points are
        (Value::List(one), Value::List(other)) => {
            let items = one.iter().zip(other).map(|(&one, &other)| compare(values, one, other));
            let first_difference = items.into_iter().find(|order| order.is_ne());
            first_difference.unwrap_or(one.len().cmp(&other.len()))
        }
        (one, other) if kind(one) == kind(other) => numbers(one, other),
        (one, other) => kind(one).cmp(&kind(other)),
    }
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

/// The order of two numbers (or of two nulls, or two maps). A number with a fraction is smaller than 2^53 either way: next to a whole
/// number it may be compared as an f64.
fn numbers(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => one.cmp(other),
        (Value::Float(one), Value::Float(other)) => f64::from_bits(*one).total_cmp(&f64::from_bits(*other)),
        (Value::Int(one), Value::Float(other)) => (*one as f64).total_cmp(&f64::from_bits(*other)),
        (Value::Float(one), Value::Int(other)) => f64::from_bits(*one).total_cmp(&(*other as f64)),
        (Value::Big(one), Value::Big(other)) => digits(one).cmp(&digits(other)),
        (Value::Big(one), _) => {
            if one.starts_with('-') {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (_, Value::Big(other)) => {
            if other.starts_with('-') {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        _ => Ordering::Equal,
    }
}

/// Something that is ordered as whole numbers without leading zeros are: sign, length and digits, turned round below zero.
fn digits(number: &str) -> (bool, isize, Vec<i8>) {
    let (positive, sign, digits) = match number.strip_prefix('-') {
        Some(digits) => (false, -1, digits),
        None => (true, 1, number),
    };
    (positive, sign as isize * digits.len() as isize, digits.bytes().map(|digit| sign * (digit - b'0') as i8).collect())
}
