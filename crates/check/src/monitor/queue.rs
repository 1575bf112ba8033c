//! Is this history of a queue linearizable? For values that are each enqueued once.
//!
//! After Lee & Mathur, *Efficient Decrease-and-Conquer Linearizability Monitoring* (2025), and the bad patterns of Henzinger,
//! Sezgin & Vafeiadis, *Aspect-Oriented Linearizability Proofs* (CONCUR 2013). Value a goes
//! before b when its enqueue returned before b's was called, or when it was seen in front before b was last seen there. Without peeks a violation
//! is a pair that goes both ways:
//!
//! ```text
//!   enqueue 1  |--|                         1 before 2: enqueued earlier
//!   enqueue 2       |--|
//!   dequeue → 2          |--|               2 before 1: in front by rank 5, 1 is not out before rank 6
//!   dequeue → 1               |--|
//! ```
//!
//! A peek that returned before the dequeue of its value is called keeps a value in front for a while, and then three values may go round in a circle
//! though no pair does. So where there are peeks the values are lined up, too:
//!
//! ```text
//!   rank         0  1  2  3  4  5  6  7  8  9 10 11 12 13
//!   enqueue 3    |--------------|                             2 before 1: enqueued earlier
//!   enqueue 2       |--|                                      1 before 3: in front by rank 10, 3 is not out before rank 11
//!   enqueue 1             |--|                                3 before 2: in front by rank 8, 2 is not out before rank 9
//!   dequeue → 1                    |-----------|
//!   peek → 3                          |--|
//!   dequeue → 2                             |--------|
//!   dequeue → 3                                   |-----|
//! ```
//!
//! What we add: the order. Where all intervals fit into a free slot or around it, they do; within what lies between
//! two free slots any order that respects both relations will do, found by two pointers over sorted columns. Where that gets stuck, every value
//! that is left has one that must go before it: a circle.
//!
//! Cost: O(n log n) for a few sorts, otherwise O(n) once events are ordered; about 60 bytes per operation. Declines values that are enqueued twice.

use super::cover::{next_free, place_empties};
use super::hidden::{self, Rules};
use super::intervals::{Interval, ValueIntervals};
use super::zones::Zones;
use super::{Decided, Decision, Meter, Monitor, NONE, by_rank, by_rank_in};
use linpoint_spec::{Part, Shape};

/// The method.
pub(crate) const MONITOR: Monitor = Monitor {
    name: "queue-monitor",
    help: "a queue in which every value is enqueued once, in O(n log n), without a search; declines what it does not cover",
    shape: Shape::Queue,
    decide,
};

/// Decides a part that is a queue.
fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    judge(ValueIntervals::gather(part, meter)?, meter)
}

/// Decides what the intervals of values tell.
pub(super) fn judge(intervals: ValueIntervals, meter: &mut Meter<'_>) -> Decided<Decision> {
    // What is added later lies behind, and cannot be found while this one is inside.
    let limit = |interval: &Interval| (NONE - interval.present_from, 0);
    let rules = Rules { check: &check, key: &|interval| NONE - interval.add_call, limit: &limit };
    let (intervals, line) = hidden::judge(intervals, meter, &rules)?;
    if !meter.wants_order() {
        return Ok(Decision::Linearizable(Vec::new()));
    }
    witness(&intervals, line, meter).map(Decision::Linearizable)
}

/// No empty without a free slot, no pair that goes both ways, no circle. Where there are peeks, the values that do not
/// [pass](passes) in line.
fn check(intervals: &ValueIntervals, meter: &mut Meter<'_>) -> Decided<Option<Vec<u32>>> {
    if !intervals.empties.is_empty() {
        place_empties(intervals, &next_free(intervals), meter)?;
    }
    let pair = match meter.releasing(|meter| overlapping_fronts(intervals, meter))? {
        Some(pair) => Some(pair),
        None => meter.releasing(|meter| overtaking(intervals, meter))?,
    };
    if let Some((a, b)) = pair {
        return Err(intervals.violation([intervals.front_bounds_of(a), intervals.front_bounds_of(b)].concat()));
    }
    if intervals.peeks.is_empty() {
        return Ok(None);
    }
    let line = meter.releasing(|meter| {
        let free = next_free(intervals);
        let others: Vec<u32> =
            (0..intervals.len()).filter(|&v| !passes(intervals, &free, v)).map(|v| v as u32).collect();
        meter.hold(4 * (free.capacity() + others.capacity()))?;
        line_up(intervals, &others, meter)
    })?;
    meter.hold(4 * line.capacity())?;
    Ok(Some(line))
}

/// May all of it happen within a free slot?
fn passes(intervals: &ValueIntervals, free: &[u32], v: usize) -> bool {
    !intervals.has_presence(v) && free[intervals.values[v].present_until as usize] < intervals.values[v].present_from
}

/// a was enqueued before b was, but b was in front before a was out.
fn overtaking(intervals: &ValueIntervals, meter: &mut Meter<'_>) -> Decided<Option<(usize, usize)>> {
    let ranks = intervals.end as usize + 2;
    meter.hold(4 * ranks)?;
    // Who is in by this rank, or add_call at it? A rank is a call or a return, so one value at most.
    let mut who = vec![NONE; ranks];
    for v in 0..intervals.len() {
        who[intervals.values[v].add_call as usize] = v as u32;
        if !intervals.is_unseen(v) {
            who[intervals.values[v].present_from as usize] = v as u32;
        }
    }
    let (mut latest, mut holder) = (0, NONE); // of those in by now, the one that is out last
    for (rank, &v) in who.iter().enumerate().filter(|(_, v)| **v != NONE) {
        meter.tick()?;
        let v = v as usize;
        if intervals.values[v].add_call as usize != rank {
            if intervals.values[v].present_until > latest {
                (latest, holder) = (intervals.values[v].present_until, v as u32);
            }
        } else if intervals.values[v].front_by < latest {
            return Ok(Some((holder as usize, v)));
        }
    }
    Ok(None)
}

/// a was in front before b was last seen there, and b before a was. Only peeks can tell.
fn overlapping_fronts(intervals: &ValueIntervals, meter: &mut Meter<'_>) -> Decided<Option<(usize, usize)>> {
    if intervals.peeks.is_empty() {
        return Ok(None);
    }
    let ranks = intervals.end as usize + 2;
    meter.hold(4 * ranks)?;
    Ok(Zones::new(intervals.len(), ranks, |v| (intervals.values[v].front_by, intervals.values[v].present_until)).err())
}

/// Where everything takes effect.
///
/// A value that may pass within a free slot does: then no other value is inside. The others line up; enqueues come as late, front
/// operations as early as the line allows, so a free slot finds the queue empty and the empties fit there.
fn witness(intervals: &ValueIntervals, line: Option<Vec<u32>>, meter: &mut Meter<'_>) -> Decided<Vec<u32>> {
    let free = next_free(intervals);
    let (mut gaps, mut others) = (Vec::new(), Vec::new());
    for v in 0..intervals.len() {
        match passes(intervals, &free, v) {
            true => gaps.push((free[intervals.values[v].present_until as usize], v as u32, true)),
            false => others.push(v as u32),
        }
    }
    let empties = place_empties(intervals, &free, meter)?;
    gaps.extend(empties.into_iter().zip(&intervals.empties).map(|(slot, &op)| (slot, op, false)));
    gaps.sort_unstable_by_key(|&(slot, ..)| slot);
    meter.hold(free.capacity() * 4 + gaps.capacity() * size_of::<(u32, u32, bool)>())?;
    let line = line.map_or_else(|| meter.releasing(|meter| line_up(intervals, &others, meter)), Ok)?;
    drop(others);
    meter.hold(20 * line.len() + 12 * intervals.peeks.len() + 4 * intervals.call.len())?; // two columns, the fronts, the order
    // Stretches of presence one after the other; the line is right within each.
    let stretch = |v: u32| {
        free[intervals.values[v as usize].present_from.min(intervals.values[v as usize].present_until) as usize]
    };
    let places = by_rank(line.len(), intervals.end as usize + 1, |place| stretch(line[place]));
    let line: Vec<u32> = places.into_iter().map(|place| line[place as usize]).collect();
    let entry = entries(intervals, &line);
    let fronts = fronts(intervals, &line, &entry);
    let mut order = Vec::with_capacity(intervals.call.len());
    let (mut entering, mut front, mut gaps) = (0, 0, gaps.into_iter().peekable());
    loop {
        meter.tick()?;
        let next = line.get(entering);
        let Some(&(slot, op, inside)) = fronts.get(front).filter(|&&(_, _, v)| (v as usize) < entering) else {
            // The queue is empty: what passes does so before the next value enters.
            let until = entry.get(entering).copied().unwrap_or(intervals.end);
            if let Some((_, who, is_value)) = gaps.next_if(|&(slot, ..)| slot <= until) {
                if is_value { pass(intervals, who as usize, &mut order) } else { order.push(who) }
            } else if let Some(&v) = next {
                emit(intervals.values[v as usize].add, &mut order);
                entering += 1;
            } else {
                return Ok(order);
            }
            continue;
        };
        match next {
            Some(&v) if entry[entering] <= slot && stretch(v) == stretch(line[inside as usize]) => {
                emit(intervals.values[v as usize].add, &mut order);
                entering += 1;
            }
            _ => {
                emit(op, &mut order);
                front += 1;
            }
        }
    }
}

fn emit(op: u32, order: &mut Vec<u32>) {
    if op != NONE {
        order.push(op);
    }
}

/// The whole interval of a value, with nothing in between.
fn pass(intervals: &ValueIntervals, v: usize, order: &mut Vec<u32>) {
    if !intervals.is_unseen(v) {
        emit(intervals.values[v].add, order);
        order.extend_from_slice(intervals.peeks_of(v));
        emit(intervals.values[v].remove, order);
    }
}

/// The slots in which those in line enter: as late as those behind them let them, but no later than they leave.
fn entries(intervals: &ValueIntervals, line: &[u32]) -> Vec<u32> {
    let mut entry = vec![0; line.len()];
    let mut until = u32::MAX;
    for (place, &v) in line.iter().enumerate().rev() {
        until = until.min(intervals.values[v as usize].present_from - 1);
        entry[place] = until;
    }
    let mut leave = 0;
    for (place, &v) in line.iter().enumerate() {
        leave = leave.max(intervals.values[v as usize].present_until);
        entry[place] = entry[place].min(leave);
    }
    entry
}

/// The front operations in order: (slot, operation, place in line); each as early as those before it let it.
fn fronts(intervals: &ValueIntervals, line: &[u32], entry: &[u32]) -> Vec<(u32, u32, u32)> {
    let mut fronts = Vec::with_capacity(line.len() + intervals.peeks.len());
    let mut left = 0; // the slot in which the one before left
    for (place, &v) in line.iter().enumerate() {
        let peek_at =
            |&peek: &u32| (intervals.slots_of_peek(v as usize, peek).0.max(left).max(entry[place]), peek, place as u32);
        fronts.extend(intervals.peeks_of(v as usize).iter().map(peek_at));
        left = left.max(intervals.values[v as usize].present_until);
        fronts.push((left, intervals.values[v as usize].remove, place as u32));
    }
    fronts
}

/// Values each of which goes before another of them, found from any value.
fn circle(start: u32, before: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut path = vec![start];
    loop {
        let next = before(path[path.len() - 1]);
        if let Some(begins) = path.iter().position(|&v| v == next) {
            return path.split_off(begins);
        }
        path.push(next);
    }
}

/// Some values in an order in which none goes before one that must go before it; or a violation, if they go round in a circle.
///
/// Value v may come next when no value that is left was present before the add of v was called, and no other one that is left was in front
/// before v is out.
/// Both bounds only grow as values leave, so each value passes each of them once.
fn line_up(intervals: &ValueIntervals, values: &[u32], meter: &mut Meter<'_>) -> Decided<Vec<u32>> {
    let ranks = intervals.end as usize + 2;
    let mut counts = Vec::new();
    let mut sorted = |column: fn(&Interval) -> u32| -> Vec<u32> {
        let column = |place: usize| column(&intervals.values[values[place] as usize]);
        let places = by_rank_in(&mut counts, values.len(), ranks, column);
        places.into_iter().map(|place| values[place as usize]).collect()
    };
    meter.hold(4 * ranks + 28 * values.len() + intervals.len())?; // one counting sort, seven columns, the marks
    let (by_birth, by_entry) = (sorted(|interval| interval.add_call), sorted(|interval| interval.present_from));
    let (by_exit, by_front) = (sorted(|interval| interval.present_until), sorted(|interval| interval.front_by));
    drop(counts);
    const BORN: u8 = 1;
    const OUT: u8 = 2;
    const DONE: u8 = 4;
    let mut marks = vec![0u8; intervals.len()];
    let (mut entry, mut birth, mut exit, mut first, mut second) = (0, 0, 0, 0, 1);
    let mut line = Vec::with_capacity(values.len());
    let mut ready: Vec<u32> = Vec::new();
    while line.len() < values.len() {
        meter.tick()?;
        let done = |marks: &[u8], column: &[u32], place: usize| {
            column.get(place).is_some_and(|&v| marks[v as usize] & DONE != 0)
        };
        while done(&marks, &by_entry, entry) {
            entry += 1;
        }
        while done(&marks, &by_front, first) {
            first += 1;
        }
        second = second.max(first + 1);
        while done(&marks, &by_front, second) {
            second += 1;
        }
        let mut mark = |v: u32, bit: u8| {
            let marks = &mut marks[v as usize];
            if *marks & bit == 0 {
                *marks |= bit;
                if *marks == BORN | OUT {
                    ready.push(v);
                }
            }
        };
        let front = by_front[first];
        while birth < by_birth.len()
            && intervals.values[by_birth[birth] as usize].add_call
                <= intervals.values[by_entry[entry] as usize].present_from
        {
            mark(by_birth[birth], BORN);
            birth += 1;
        }
        while exit < by_exit.len()
            && intervals.values[by_exit[exit] as usize].present_until <= intervals.values[front as usize].front_by
        {
            mark(by_exit[exit], OUT);
            exit += 1;
        }
        if by_front.get(second).is_none_or(|&other| {
            intervals.values[front as usize].present_until <= intervals.values[other as usize].front_by
        }) {
            mark(front, OUT); // it may stay in front of itself
        }
        let Some(v) = ready.pop() else {
            let (earliest, second) = (by_entry[entry], by_front.get(second).copied());
            let before = |v: u32| match marks[v as usize] & BORN {
                0 => earliest,
                _ if front == v => second.expect("something else was in front before it is out"),
                _ => front,
            };
            let circle = circle(earliest, before).into_iter().flat_map(|v| intervals.front_bounds_of(v as usize));
            return Err(intervals.violation(circle.collect()));
        };
        marks[v as usize] |= DONE;
        line.push(v);
    }
    Ok(line)
}
