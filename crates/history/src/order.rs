//! In which order did the events happen? Sorts calls and returns into one total order.
//!
//! Intervals are closed, so on a tie calls come before returns; equal events keep the order
//! of the source. Times are compared exactly. O(n log n), O(n) where times are dense integers (ranks, line numbers).
//! A look at the budget comes between two pieces of the work: ten million operations take seconds.

use crate::{Event, PENDING, Time, Times};

/// So many keys are sorted between two looks at the budget.
const PIECE: usize = 1 << 18;

/// Ranks of calls and returns, and the events by rank.
pub struct Order {
    pub call: Vec<u32>,
    pub ret: Vec<u32>,
    pub events: Vec<Event>,
}

/// Orders the calls of all operations and the returns of those with `returns[i]`.
pub fn order(call: &Times, ret: &Times, returns: &[bool]) -> Order {
    order_unless(call, ret, returns, &|| false).expect("nothing stops it")
}

/// The same; None if it had to stop.
pub fn order_unless(call: &Times, ret: &Times, returns: &[bool], stops: &dyn Fn() -> bool) -> Option<Order> {
    let events = match (call, ret) {
        (Times::Int(call), Times::Int(ret)) => sorted(call, ret, returns, |&t| t as u64 ^ 1 << 63, stops)?,
        _ => {
            let (call, ret) = comparable(call, ret, returns.len(), stops)?;
            sorted(&call, &ret, returns, |&key| key, stops)?
        }
    };
    let (mut call, mut ret) = (vec![0; returns.len()], vec![PENDING; returns.len()]);
    for (rank, event) in events.iter().enumerate() {
        let column = if event.is_return() { &mut ret } else { &mut call };
        column[event.op()] = rank as u32;
    }
    Some(Order { call, ret, events })
}

/// Integers that are ordered as the times are: the times in units small enough for all of them, or if that overflows their
/// places among all times.
fn comparable(call: &Times, ret: &Times, count: usize, stops: &dyn Fn() -> bool) -> Option<(Vec<u64>, Vec<u64>)> {
    let times: Vec<Time> = (0..2 * count).map(|i| if i < count { call.at(i) } else { ret.at(i - count) }).collect();
    let mut keys = match in_units(&times) {
        Some(keys) => keys,
        None => places(&times, stops)?,
    };
    let later = keys.split_off(count);
    Some((keys, later))
}

fn in_units(times: &[Time]) -> Option<Vec<u64>> {
    let unit = times.iter().map(|time| time.exponent()).min()?;
    let units: Vec<i128> = times.iter().map(|time| time.in_units(unit)).collect::<Option<_>>()?;
    let first = *units.iter().min()?;
    units.iter().map(|time| u64::try_from(time.checked_sub(first)?).ok()).collect()
}

fn places(times: &[Time], stops: &dyn Fn() -> bool) -> Option<Vec<u64>> {
    let mut sorted: Vec<((i32, i128), u32)> = times.iter().zip(0..).map(|(time, i)| (time.key(), i)).collect();
    sort(&mut sorted, stops)?;
    let mut keys = vec![0; times.len()];
    for pair in sorted.windows(2) {
        keys[pair[1].1 as usize] = keys[pair[0].1 as usize] + u64::from(pair[0].0 != pair[1].0);
    }
    Some(keys)
}

/// Sorts in place, with a look at the budget before every piece; None if it had to stop.
fn sort<T: Ord>(keys: &mut [T], stops: &dyn Fn() -> bool) -> Option<()> {
    let mut waiting = vec![keys];
    while let Some(part) = waiting.pop() {
        if stops() {
            return None;
        }
        if part.len() <= PIECE {
            part.sort_unstable();
        } else {
            let (low, _, high) = part.select_nth_unstable(part.len() / 2);
            waiting.extend([high, low]);
        }
    }
    Some(())
}

/// The events in order: by time, calls before returns, then by operation.
fn sorted<T>(
    call: &[T],
    ret: &[T],
    returns: &[bool],
    key: impl Fn(&T) -> u64,
    stops: &dyn Fn() -> bool,
) -> Option<Vec<Event>> {
    let calls = || call.iter().enumerate().map(|(op, time)| (key(time), Event::call(op)));
    let returned = |&(op, _): &(usize, &T)| returns[op];
    let rets = || ret.iter().enumerate().filter(returned).map(|(op, time)| (key(time), Event::ret(op)));
    let times = || calls().chain(rets()).map(|(time, _)| time);
    let (low, high, count) = times().fold((u64::MAX, 0, 0), |(low, high, n), t| (low.min(t), high.max(t), n + 1));
    let span = high.saturating_sub(low);
    if span < 4 * count as u64 + 16 {
        by_time(calls().chain(rets()), low, span, count)
            .or_else(|| Some(by_counting(|| calls().chain(rets()), low, span, count)))
    } else {
        by_sorting(calls().chain(rets()), count, stops)
    }
}

/// With a time of 64 bits a kind needs a 65th, so it goes with the operation, which has 30. No two keys are equal: an unstable sort,
/// which needs no room beside the keys, gives the same order as a stable one.
fn by_sorting(
    events: impl Iterator<Item = (u64, Event)>,
    count: usize,
    stops: &dyn Fn() -> bool,
) -> Option<Vec<Event>> {
    let mut keys: Vec<(u64, u32)> = Vec::with_capacity(count);
    keys.extend(events.map(|(time, event)| (time, (event.is_return() as u32) << 31 | event.op() as u32)));
    sort(&mut keys, stops)?;
    let event = |(_, key): (u64, u32)| {
        let op = (key & !(1 << 31)) as usize;
        if key >> 31 == 1 { Event::ret(op) } else { Event::call(op) }
    };
    Some(keys.into_iter().map(event).collect())
}

/// Where no two events share a time, its time is the place of an event; None if two do.
fn by_time(events: impl Iterator<Item = (u64, Event)>, low: u64, span: u64, count: usize) -> Option<Vec<Event>> {
    let mut places = vec![Event::NONE; span as usize + 1];
    for (time, event) in events {
        let before = std::mem::replace(&mut places[(time - low) as usize], event);
        if before != Event::NONE {
            return None;
        }
    }
    if places.len() > count {
        places.retain(|&event| event != Event::NONE);
    }
    Some(places)
}

fn by_counting<E: Iterator<Item = (u64, Event)>>(
    events: impl Fn() -> E,
    low: u64,
    span: u64,
    count: usize,
) -> Vec<Event> {
    let place = |(time, event): (u64, Event)| ((time - low) * 2 + event.is_return() as u64) as usize;
    let mut start = vec![0u32; 2 * span as usize + 3];
    for event in events() {
        start[place(event) + 1] += 1;
    }
    for i in 1..start.len() {
        start[i] += start[i - 1];
    }
    let mut sorted = vec![Event::call(0); count];
    for event in events() {
        let to = &mut start[place(event)];
        sorted[*to as usize] = event.1;
        *to += 1;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_come_before_returns_on_a_tie() {
        // a [0, 5], b [5, 9]: closed intervals touch, so a and b overlap.
        let ranks = order(&Times::Int(vec![0, 5]), &Times::Int(vec![5, 9]), &[true, true]);
        assert_eq!((ranks.call, ranks.ret), (vec![0, 1], vec![2, 3]));
    }

    #[test]
    fn counting_and_sorting_agree() {
        let call = Times::Int(vec![3, -4, 3, 0]);
        let ret = Times::Int(vec![3, 7, 4, 0]);
        let dense = order(&call, &ret, &[true, true, false, true]);
        let far = |t: &Times| match t {
            Times::Int(t) => Times::Int(t.iter().map(|x| x * 1_000_000_007).collect()),
            Times::Exact(_) => unreachable!(),
        };
        let sparse = order(&far(&call), &far(&ret), &[true, true, false, true]);
        assert_eq!(dense.events, sparse.events);
        assert_eq!(dense.ret[2], PENDING);
    }

    #[test]
    fn long_histories_are_sorted_in_pieces_and_may_be_stopped() {
        use std::cell::Cell;
        let count = 3 * PIECE as i64;
        let call: Vec<i64> = (0..count).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64) >> 2).collect();
        let ret: Vec<i64> = call.iter().map(|t| t + 1).collect();
        let (call, ret, returns) = (Times::Int(call), Times::Int(ret), vec![true; count as usize]);
        let looks = Cell::new(0);
        let all = order_unless(&call, &ret, &returns, &|| looks.replace(looks.get() + 1) > 1_000_000).unwrap();
        let Times::Int(times) = &call else { unreachable!() };
        let when = |event: &Event| times[event.op()] + i64::from(event.is_return());
        assert!(all.events.is_sorted_by_key(when));
        assert!(looks.get() >= 2 * 3, "{} looks", looks.get());
        for least in [0, looks.get() - 1] {
            looks.set(0);
            assert!(order_unless(&call, &ret, &returns, &|| looks.replace(looks.get() + 1) == least).is_none());
        }
    }

    #[test]
    fn finding_5_exact_times_sort_by_value() {
        let exact = |times: &[&str]| Times::Exact(times.iter().map(|text| Time::number(text).unwrap()).collect());
        for far in ["2", "1e300"] {
            let ranks = order(&exact(&["0.5", "-1.0", "0.0"]), &exact(&["0.75", "-0.5", far]), &[true, true, true]);
            assert_eq!((ranks.call, ranks.ret), (vec![3, 0, 2], vec![4, 1, 5]));
        }
        // Equal times are a tie, however they are written.
        let ranks = order(&exact(&["0", "1.50"]), &exact(&["15e-1", "1e300"]), &[true, true]);
        assert_eq!((ranks.call, ranks.ret), (vec![0, 1], vec![2, 3]));
    }
}
