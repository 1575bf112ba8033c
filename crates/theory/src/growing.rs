//! What does a theory see of an object that only grows and is read as a whole? Which adds each read shows.
//!
//! A read shows many elements at once, so there is no match to guess; what it shows is known (`shows`, decided by the operations). Two things
//! are settled here, where the data tell, and not by formulas:
//!
//! - An add that never returned, and that some read shows, took effect: it is taken to return behind all other events. (Whoever contradicts it by a
//!   time before which it must have come names a read that shows it, so the few operations of a counterexample need not know.)
//! - A list is taken apart into the pieces that were appended; their order is that of the longest read. A read that is no beginning of it, or ends within
//!   a piece, is *odd*.
//!
//! Cost: O(n) and what was read. Declines what monitors decline: an element that is added twice, a text that can have been appended in more than one way.

use crate::operation::{ADD, ASTRAY, LONGEST, NONE, ODD, Operation, Operations, PLAIN, WHOLE, set_times};
use crate::theories::{APPEND_LIST, GROW_ONLY_SET, Theory};
use linpoint_base::Hashing;
use linpoint_spec::{Growth, NOWHERE, Part, Pieces, Text};
use std::collections::HashSet;
use std::convert::Infallible;

/// Which of the values that were put in a read shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The first so many: the elements of a list are numbered in their order.
    First(u32),
    /// These, sorted.
    These(Vec<u32>),
}

impl Shown {
    /// Does it show this value?
    pub fn has(&self, value: u32) -> bool {
        match self {
            Shown::First(count) => value < *count,
            Shown::These(values) => values.binary_search(&value).is_ok(),
        }
    }
}

type Seen = Result<(Operations, &'static Theory), String>;

/// The operations of a part that only grows; None if it does anything else.
pub(crate) fn operations(part: &Part) -> Option<Seen> {
    let growth: Vec<Growth<'_>> = part.codes.iter().map(|&code| part.spec.growth(code)).collect();
    match part.spec.grown_at_first() {
        Growth::Text(held) => {
            let fits = |it: &Growth<'_>| matches!(it, Growth::Append(_) | Growth::Text(_) | Growth::Nothing);
            growth.iter().all(fits).then(|| list(part, &growth, held))
        }
        Growth::Elements(held) => {
            let fits = |it: &Growth<'_>| matches!(it, Growth::Add(..) | Growth::Elements(_) | Growth::Nothing);
            growth.iter().all(fits).then(|| set(part, &growth, held))
        }
        _ => None,
    }
}

/// Operations of which only the times are known, and what comes after all of them.
fn plain(part: &Part, held: usize) -> (Vec<Operation>, u32) {
    let mut list = vec![Operation::NOTHING; part.ops.len()];
    let end = set_times(&mut list, part, held);
    (list, end)
}

/// The operations with what reads show; adds that a read shows and that never returned do so at the end.
fn with_views(mut list: Vec<Operation>, views: Vec<Shown>, end: u32) -> Operations {
    for add in list.iter_mut().filter(|add| add.sorts & ADD != 0 && !add.is_required()) {
        if views.iter().any(|shown| shown.has(add.gives)) {
            add.ret = end;
        }
    }
    Operations { recorded: list.len(), list, views: views.into() }
}

fn set(part: &Part, growth: &[Growth<'_>], held: Vec<u32>) -> Seen {
    let (mut list, end) = plain(part, held.len());
    let mut supplied: HashSet<u32, Hashing> = held.iter().copied().collect();
    for (operation, growth) in list.iter_mut().zip(growth) {
        if let Growth::Add(element, _) = growth {
            (operation.sorts, operation.gives) = (PLAIN | ADD, *element);
            if !supplied.insert(*element) {
                return Err("an element is added more than once".to_owned());
            }
        }
    }
    let mut views = Vec::new();
    for (operation, growth) in list.iter_mut().zip(growth) {
        let (Growth::Elements(shown), true) = (growth, operation.is_required()) else { continue };
        let mut shown = shown.clone();
        shown.sort_unstable();
        let is_possible = |element: &u32| *element != NOWHERE && supplied.contains(element);
        if shown.windows(2).any(|pair| pair[0] == pair[1]) || !shown.iter().all(is_possible) {
            operation.sorts |= ASTRAY;
        } else {
            operation.sorts |= WHOLE;
            operation.shows = views.len() as u32;
            views.push(Shown::These(shown));
        }
    }
    let mut operations = with_views(list, views, end);
    for (place, gives) in (0..).zip(held) {
        let (call, ret) = (2 * place, 2 * place + 1);
        operations.list.push(Operation { sorts: PLAIN | ADD, gives, call, ret, ..Operation::NOTHING });
    }
    Ok((operations, &GROW_ONLY_SET))
}

fn list(part: &Part, growth: &[Growth<'_>], held: Text<'_>) -> Seen {
    let (mut list, end) = plain(part, 0);
    let (mut pieces, mut reads) = (Pieces::default(), Vec::<(usize, Text<'_>)>::new());
    for (place, growth) in growth.iter().enumerate() {
        match *growth {
            Growth::Append(piece) => pieces.insert(piece, place as u32),
            Growth::Text(text) if list[place].is_required() => reads.push((place, text)),
            _ => {}
        }
    }
    let longest = reads.iter().map(|&(_, text)| text).max_by_key(|text| text.len()).unwrap_or(held);
    let Ok(spelled) = pieces.spell(longest, held, || Ok::<(), Infallible>(()));
    let (order, ends) = spelled.ok_or("what was read can have been appended in more than one way")?;
    let is_spelled = ends.last() == Some(&longest.len());
    for (number, op) in (0..).zip(order.iter().copied().chain(pieces.ops())) {
        let operation = &mut list[op as usize];
        if operation.gives == NONE {
            (operation.sorts, operation.gives) = (PLAIN | ADD, number); // what no read shows comes behind
        }
    }
    let mut views = Vec::new();
    for (place, text) in reads {
        let operation = &mut list[place];
        operation.sorts |= match ends.binary_search(&text.len()) {
            _ if !is_spelled && text == longest => ASTRAY,
            _ if !is_spelled => 0, // there is no order anyhow
            Ok(count) if longest.starts_with(text) => {
                operation.shows = views.len() as u32;
                views.push(Shown::First(count as u32));
                if text == longest { WHOLE | LONGEST } else { WHOLE }
            }
            _ => ODD,
        };
    }
    Ok((with_views(list, views, end), &APPEND_LIST))
}
