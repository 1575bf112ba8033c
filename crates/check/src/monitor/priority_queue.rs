//! Is this history of a priority queue linearizable? Ties, bags and repeated values included.
//!
//! After Lee & Mathur, *Efficient Decrease-and-Conquer Linearizability Monitoring* (2025). A poll or peek needs a
//! slot in which no value of a *strictly* higher class is certainly inside: values of equal class do not stand in its way. Inserts need no
//! check. There the values are taken class by class and a union-find skips covered slots; we take them in the order
//! of time and ask for the highest class present in each slot (`highest_present`), since values of one class lie all over a long history.
//!
//! ```text
//!   rank      0  1  2  3  4  5  6  7
//!   insert 9  |--|                        9 is inside in the slots 1 to 5
//!   insert 1        |--|
//!   poll → 1              |--|            slot 4, but 9 is inside: no slot left, a violation
//!   poll → 9                    |--|
//! ```
//!
//! What we add: the order. A poll takes the first free slot behind its last call, an insert the last one before its first
//! return, a peek one between; if there is none, the nearest outside, for then higher values cover all that lies between, and
//! being inside longer harms no other value. Within a slot: values that leave, the highest first; then values that pass; then values that
//! enter, the lowest first.
//!
//! Copies of a repeated value are told apart first (`counting`).
//!
//! Cost: O(n log n); about 90 bytes per operation. Declines repeated values for which counting finds no order, and rarely pending removes.

use super::counting::copies;
use super::cover::{covering, next_free, place_empties};
use super::hidden::{self, Rules};
use super::highest_present::HighestPresent;
use super::intervals::{Interval, ValueIntervals};
use super::schedule::{LAST, Phase, Schedule, has_turn};
use super::{Decided, Decision, Meter, Monitor, NONE, declined};
use linpoint_spec::{Part, Shape};

/// The method.
pub(crate) const MONITOR: Monitor = Monitor {
    name: "priority-queue-monitor",
    help: "a priority queue or a bag in which every value is inserted once, or an order is found by counting, in O(n log n), without a search; declines what it does not cover",
    shape: Shape::PriorityQueue,
    decide,
};

/// Decides a part that is a priority queue or a bag.
fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    match meter.releasing(|meter| ValueIntervals::gather(part, meter)) {
        Err(Decision::Declined(_)) => {
            let intervals = copies(part, meter)?;
            order(part, intervals, meter).map_err(|decision| match decision {
                Decision::Violation(_) => {
                    declined("values repeat, and peeks or pending removes may belong to any copy")
                }
                other => other,
            })
        }
        intervals => {
            let intervals = intervals?;
            meter.hold(intervals.bytes())?;
            order(part, intervals, meter)
        }
    }
}

fn order(part: &Part, intervals: ValueIntervals, meter: &mut Meter<'_>) -> Decided<Decision> {
    let check = |intervals: &ValueIntervals, meter: &mut Meter<'_>| {
        meter.releasing(|meter| place_all(intervals, |name| part.spec.class(name), meter))
    };
    // What is of a lower class cannot be found while a value of a higher one is inside.
    let class = |interval: &Interval| part.spec.class(interval.name);
    let limit = |interval: &Interval| (class(interval), interval.present_from);
    let (_, schedule) = hidden::judge(intervals, meter, &Rules { check: &check, key: &class, limit: &limit })?;
    if !meter.wants_order() {
        return Ok(Decision::Linearizable(Vec::new()));
    }
    meter.hold(schedule.bytes() + 8 * part.ops.len())?; // and once more while it is put in order
    Ok(Decision::Linearizable(schedule.order()))
}

/// A slot for every operation.
fn place_all(intervals: &ValueIntervals, class_of: impl Fn(u32) -> u32, meter: &mut Meter<'_>) -> Decided<Schedule> {
    let mut schedule = Schedule::new(intervals.call.len(), intervals.end);
    meter.hold(schedule.bytes() + intervals.len() * 4)?;
    if !intervals.empties.is_empty() {
        let slots = place_empties(intervals, &next_free(intervals), meter)?;
        slots.iter().zip(&intervals.empties).for_each(|(&slot, &op)| schedule.put(op, slot, Phase::Within, 0, 0));
    }
    let mut class: Vec<u32> = intervals.values.iter().map(|interval| class_of(interval.name)).collect();
    let highest = |class: &[u32]| class.iter().copied().max().unwrap_or(0);
    if highest(&class) as usize > 8 * intervals.len() + 64 {
        number_anew(&mut class); // one object of many: classes are numbered over all
    }
    if !has_turn(highest(&class)) {
        return Err(declined("it has too many priorities"));
    }
    let highest_present = HighestPresent::of(intervals, &class, meter)?;
    for v in 0..intervals.len() {
        meter.tick()?;
        let placed = place(intervals, v, class[v] + 1, &highest_present, &mut schedule);
        placed.map_err(|op| conflict(intervals, v, op, &class))?;
    }
    Ok(schedule)
}

/// The same order with smaller numbers.
fn number_anew(class: &mut [u32]) {
    let mut known = class.to_vec();
    known.sort_unstable();
    known.dedup();
    class.iter_mut().for_each(|class| *class = known.partition_point(|&other| other < *class) as u32);
}

/// Places the operations of v, or names one that has no slot.
fn place(
    intervals: &ValueIntervals,
    v: usize,
    turn: u32,
    highest_present: &HighestPresent,
    schedule: &mut Schedule,
) -> Result<(), u32> {
    let next = |slot: u32| highest_present.next(slot, turn);
    let leave = next(intervals.values[v].present_until);
    if leave >= intervals.values[v].remove_return {
        return Err(intervals.values[v].remove);
    }
    if !intervals.has_presence(v) && leave < intervals.values[v].present_from {
        // All its operations share this slot: it comes and goes.
        for &peek in intervals.peeks_of(v) {
            schedule.put(peek, leave, Phase::Within, turn, 1);
        }
        put_ends(intervals, v, (leave, Phase::Within, turn), (leave, Phase::Within, turn), schedule);
        return Ok(());
    }
    let mut enter = intervals.values[v].present_from - 1;
    let early = |slot: u32, (_, to): (u32, u32)| slot > to;
    for &peek in intervals.peeks_of(v) {
        let slots = intervals.slots_of_peek(v, peek);
        if early(next(slots.0.max(intervals.values[v].present_from - 1)), slots) {
            // No free slot from its insert on: only one before.
            let before =
                highest_present.previous(intervals.values[v].present_from - 1, turn).filter(|&slot| slot >= slots.0);
            enter = before.ok_or(peek)?;
        }
    }
    for &peek in intervals.peeks_of(v) {
        let slots = intervals.slots_of_peek(v, peek);
        let after = next(slots.0.max(intervals.values[v].present_from - 1));
        let slot = if early(after, slots) { enter } else { after };
        let (phase, turn) = match slot {
            slot if slot == enter => (Phase::Beginning, turn),
            slot if slot == leave => (Phase::Ending, LAST - turn),
            _ => (Phase::Within, turn),
        };
        schedule.put(peek, slot, phase, turn, 1);
    }
    put_ends(intervals, v, (enter, Phase::Beginning, turn), (leave, Phase::Ending, LAST - turn), schedule);
    Ok(())
}

type Place = (u32, Phase, u32);

fn put_ends(intervals: &ValueIntervals, v: usize, enter: Place, leave: Place, schedule: &mut Schedule) {
    if intervals.values[v].add != NONE && !intervals.is_unseen(v) {
        schedule.put(intervals.values[v].add, enter.0, enter.1, enter.2, 0);
    }
    if intervals.values[v].remove != NONE {
        schedule.put(intervals.values[v].remove, leave.0, leave.1, leave.2, 2);
    }
}

/// Operation `op` of v has no slot: who covers them all?
fn conflict(intervals: &ValueIntervals, v: usize, op: u32, class: &[u32]) -> Decision {
    let (from, to) = match op == intervals.values[v].remove {
        true => (intervals.values[v].present_until, intervals.values[v].remove_return),
        false => {
            let (first, last) = intervals.slots_of_peek(v, op);
            (first, last + 1)
        }
    };
    let mut conflict = covering(intervals, from, to, |other| class[other] > class[v]);
    conflict.extend(intervals.bounds_of(v));
    conflict.push(op);
    intervals.violation(conflict)
}
