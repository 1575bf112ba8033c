//! How arguments and results are read: keys, pairs, true and false, whole numbers, "empty".
//!
//! Each function gives what the model needs or a refusal: what was needed, and what stands there.

use crate::heap::{SUMMAND, nearest, whole};
use crate::{OpView, Refusal, Role};
use linpoint_history::ValueId;

/// What was found where a container was asked for an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Not known (pending).
    Unknown,
    /// There was none.
    Empty,
    /// This one.
    Element(ValueId),
}

impl Answer {
    /// The recorded result: null and "empty" mean that there was no element.
    pub fn of(op: &OpView<'_>) -> Answer {
        match op.result {
            None => Answer::Unknown,
            Some(ValueId::NULL) => Answer::Empty,
            Some(result) if op.values.as_text(result) == Some("empty") => Answer::Empty,
            Some(result) => Answer::Element(result),
        }
    }

    /// What an operation that takes the element out does, for the monitors.
    pub fn as_removal(self) -> Role {
        match self {
            Answer::Unknown => Role::RemoveUnknown,
            Answer::Empty => Role::Empty,
            Answer::Element(element) => Role::Remove(element.0),
        }
    }

    /// What an operation that only looks at the element does.
    pub fn as_look(self) -> Role {
        match self {
            Answer::Unknown => Role::Nothing,
            Answer::Empty => Role::Empty,
            Answer::Element(element) => Role::Peek(element.0),
        }
    }

    /// May it be the answer when this is what is there?
    pub fn allows(self, found: Option<u32>) -> bool {
        match self {
            Answer::Unknown => true,
            Answer::Empty => found.is_none(),
            Answer::Element(element) => found == Some(element.0),
        }
    }
}

/// A refusal: `name` needs `what`, but has something else, of which the beginning is shown.
pub fn needs(op: &OpView<'_>, name: &str, what: &str, has: ValueId) -> Refusal {
    const LONG: usize = 120;
    let mut has = op.values.show(has);
    if let Some((end, _)) = has.char_indices().nth(LONG) {
        has.truncate(end);
        has.push('…');
    }
    Refusal(format!("{name} needs {what}, but has {has}"))
}

/// The recorded result of an operation that answers true or false; None while it is pending.
pub fn truth(op: &OpView<'_>, name: &str) -> Result<Option<bool>, Refusal> {
    match op.result {
        None => Ok(None),
        Some(ValueId::TRUE) => Ok(Some(true)),
        Some(ValueId::FALSE) => Ok(Some(false)),
        Some(other) => Err(needs(op, &format!("a completed {name}"), "the result true or false", other)),
    }
}

/// The same for operations whose answer may not have been recorded: then it is null, and not compared.
pub fn truth_if_recorded(op: &OpView<'_>, name: &str) -> Result<Option<bool>, Refusal> {
    if op.result == Some(ValueId::NULL) { Ok(None) } else { truth(op, name) }
}

/// The recorded result of an operation that answers a whole number; None while it is pending. One beyond 128 bits, which no sum
/// can be, is the outermost number of these.
pub fn count(op: &OpView<'_>, name: &str) -> Result<Option<i128>, Refusal> {
    let Some(result) = op.result else { return Ok(None) };
    match nearest(op.values, result) {
        Some(number) => Ok(Some(number)),
        None => Err(needs(op, &format!("a completed {name}"), "a whole number as result", result)),
    }
}

/// The amount to change a number by: a whole number, 1 when the value is null.
pub fn amount(op: &OpView<'_>, name: &str) -> Result<i128, Refusal> {
    if op.value == ValueId::NULL {
        return Ok(1);
    }
    let what = "a whole number (of at most 28 digits, null for 1) as value";
    let number = whole(op.values, op.value).filter(|number| (1 - SUMMAND..SUMMAND).contains(number));
    number.ok_or_else(|| needs(op, name, what, op.value))
}

/// The object an operation is on, for models that are one cell: named by the key; no key is an object too.
pub fn object(op: &OpView<'_>) -> ValueId {
    op.key.unwrap_or(ValueId::NULL)
}

/// The key of an operation that has nothing else: the field `key`, or the value.
pub fn key_alone(op: &OpView<'_>) -> ValueId {
    op.key.unwrap_or(op.value)
}

/// The key and the `N` other parts of the argument: `[key, a, b]`, or `[a, b]` beside the field `key`
/// (and the bare value when there is only one). `parts` names them for a refusal: `["key", "old", "new"]`.
pub fn keyed<const N: usize>(op: &OpView<'_>, name: &str, parts: &[&str]) -> Result<(ValueId, [ValueId; N]), Refusal> {
    debug_assert_eq!(parts.len(), N + 1);
    let list = op.values.as_list(op.value);
    let read = match (op.key, list) {
        (Some(key), _) if N == 1 => Some((key, [op.value; N])),
        (Some(key), Some(rest)) => rest.try_into().ok().map(|rest| (key, rest)),
        (None, Some([key, rest @ ..])) => rest.try_into().ok().map(|rest| (*key, rest)),
        _ => None,
    };
    read.ok_or_else(|| {
        let what = match op.key {
            Some(_) => format!("a value [{}] beside its key", parts[1..].join(", ")),
            None => format!("a value [{}]", parts.join(", ")),
        };
        needs(op, name, &what, op.value)
    })
}
