//! In which order did the events happen? Sorts calls and returns into one total order.
//!
//! Intervals are closed, so on a tie calls come before returns; equal events keep the order
//! of the source. Times are compared exactly. O(n log n), O(n) where times are dense integers (ranks, line numbers).

use crate::{Event, PENDING, Time, Times};

/// Ranks of calls and returns, and the events by rank.
pub struct Order {
    pub call: Vec<u32>,
    pub ret: Vec<u32>,
    pub events: Vec<Event>,
}

/// Orders the calls of all operations and the returns of those with `returns[i]`.
pub fn order(call: &Times, ret: &Times, returns: &[bool]) -> Order {
    let keys = match (call, ret) {
        (Times::Int(call), Times::Int(ret)) => keyed(call, ret, returns, |&t| t as u64 ^ 1 << 63),
        _ => {
            let (call, ret) = comparable(call, ret, returns.len());
            keyed(&call, &ret, returns, |&key| key)
        }
    };
    let mut ranks = Order {
        call: vec![0; returns.len()],
        ret: vec![PENDING; returns.len()],
        events: Vec::with_capacity(keys.len()),
    };
    for (rank, (_, event)) in keys.iter().enumerate() {
        let column = if event.is_return() { &mut ranks.ret } else { &mut ranks.call };
        column[event.op()] = rank as u32;
        ranks.events.push(*event);
    }
    ranks
}

/// Integers that are ordered as the times are: the times in units small enough for all of them, or if that overflows their
/// places among all times.
fn comparable(call: &Times, ret: &Times, count: usize) -> (Vec<u64>, Vec<u64>) {
    let times: Vec<Time> = (0..2 * count).map(|i| if i < count { call.at(i) } else { ret.at(i - count) }).collect();
    let mut keys = in_units(&times).unwrap_or_else(|| places(&times));
    let later = keys.split_off(count);
    (keys, later)
}

fn in_units(times: &[Time]) -> Option<Vec<u64>> {
    let unit = times.iter().map(|time| time.exponent()).min()?;
    let units: Vec<i128> = times.iter().map(|time| time.in_units(unit)).collect::<Option<_>>()?;
    let first = *units.iter().min()?;
    units.iter().map(|time| u64::try_from(time.checked_sub(first)?).ok()).collect()
}

fn places(times: &[Time]) -> Vec<u64> {
    let mut sorted: Vec<usize> = (0..times.len()).collect();
    sorted.sort_by_key(|&i| times[i]);
    let mut keys = vec![0; times.len()];
    for pair in sorted.windows(2) {
        keys[pair[1]] = keys[pair[0]] + u64::from(times[pair[0]] != times[pair[1]]);
    }
    keys
}

/// (time and kind, event), sorted. A time is 64 bits wide, so its kind needs a 65th.
fn keyed<T>(call: &[T], ret: &[T], returns: &[bool], key: impl Fn(&T) -> u64) -> Vec<((u64, bool), Event)> {
    let mut keys: Vec<((u64, bool), Event)> = Vec::with_capacity(2 * call.len());
    for i in 0..call.len() {
        keys.push(((key(&call[i]), false), Event::call(i)));
        if returns[i] {
            keys.push(((key(&ret[i]), true), Event::ret(i)));
        }
    }
    let low = keys.iter().map(|k| k.0.0).min().unwrap_or(0);
    let span = keys.iter().map(|k| k.0.0 - low).max().unwrap_or(0);
    if span < 4 * keys.len() as u64 + 16 { by_counting(&keys, low, span) } else { by_sorting(keys) }
}

fn by_sorting(mut keys: Vec<((u64, bool), Event)>) -> Vec<((u64, bool), Event)> {
    keys.sort_by_key(|k| k.0); // stable, and linear on sorted input
    keys
}

fn by_counting(keys: &[((u64, bool), Event)], low: u64, span: u64) -> Vec<((u64, bool), Event)> {
    let place = |k: &((u64, bool), Event)| ((k.0.0 - low) * 2 + k.0.1 as u64) as usize;
    let mut start = vec![0u32; 2 * span as usize + 3];
    for k in keys {
        start[place(k) + 1] += 1;
    }
    for i in 1..start.len() {
        start[i] += start[i - 1];
    }
    let mut sorted = keys.to_vec();
    for k in keys {
        let to = &mut start[place(k)];
        sorted[*to as usize] = *k;
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
