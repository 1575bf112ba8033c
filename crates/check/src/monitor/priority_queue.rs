//! Is this history of a priority queue linearizable? For values that are each inserted once; ties and bags included.
//!
//! After Lee & Mathur, *Efficient Decrease-and-Conquer Linearizability Monitoring* (2025), as in `ALGORITHMS.md` §3: take the values
//! class by class, the highest first. A poll or peek needs a slot in which no value of a *strictly* higher class is
//! certainly inside; a union-find skips the slots that are covered. Inserts need no check. A class is checked as
//! a whole before it covers anything, so that ties stand in nobody's way.
//!
//! ```text
//!   insert 9    |--|                        9 is inside in the slots 1 to 4
//!   insert 1       |--|
//!   poll → 1             |--|               slots 4 … but 9 is in: no slot left, a violation
//!   poll → 9                |--|
//! ```
//!
//! What we add: the order. A poll takes the first free slot behind its last call, an insert the last one before its first
//! return, a peek one between; if there is none, the nearest outside, for then higher values cover all that lies between, and
//! being inside longer harms nobody. Within a slot: those who leave, the highest first; then those who pass; then those who
//! enter, the lowest first.
//!
//! Cost: O(n α(n)) and a sort for the order; about 90 bytes an operation. Declines values inserted twice.

use super::cover::{Free, covering, next_free, place_empties};
use super::lives::Lives;
use super::schedule::{LAST, Phase, Schedule};
use super::{Decided, Decision, Meter, NONE, by_rank, declined};
use linpoint_spec::Part;

/// Decides a part that is a priority queue or a bag.
pub(super) fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    let lives = Lives::of(part, meter)?;
    let schedule = lives.judge(meter, |lives, meter| place_all(lives, |name| part.spec.class(name), meter))?;
    Ok(Decision::Linearizable(schedule.order()))
}

/// A slot for every operation.
fn place_all(lives: &Lives, class_of: impl Fn(u32) -> u32, meter: &mut Meter<'_>) -> Decided<Schedule> {
    meter.hold(lives.call.len() * 16 + lives.end as usize * 8 + lives.len() * 8)?;
    let mut schedule = Schedule::new(lives.call.len(), lives.end);
    if !lives.empties.is_empty() {
        let slots = place_empties(lives, &next_free(lives), meter)?;
        slots.iter().zip(&lives.empties).for_each(|(&slot, &op)| schedule.put(op, slot, Phase::Within, 0, 0));
    }
    let class: Vec<u32> = lives.life.iter().map(|life| class_of(life.name)).collect();
    let highest = class.iter().copied().max().unwrap_or(0);
    if highest >= LAST - 1 {
        return Err(declined("it has too many priorities"));
    }
    let falling = match (highest as usize) < 8 * lives.len() + 64 {
        true => by_rank(lives.len(), highest as usize + 1, |v| highest - class[v]),
        false => sorted_by_class(&class), // one object of many: classes are numbered over all
    };
    let mut free = Free::new(lives.end);
    let mut from = 0;
    while from < falling.len() {
        let this = class[falling[from] as usize];
        let to = from + falling[from..].iter().take_while(|&&v| class[v as usize] == this).count();
        for (round, &v) in falling[from..to].iter().enumerate() {
            meter.beat(from + round)?;
            let placed = place(lives, v as usize, this + 1, &mut free, &mut schedule);
            placed.map_err(|op| conflict(lives, v as usize, op, &class))?;
        }
        for &v in falling[from..to].iter().filter(|&&v| lives.has_presence(v as usize)) {
            free.cover(lives.life[v as usize].in_by, lives.life[v as usize].out_from);
        }
        from = to;
    }
    Ok(schedule)
}

/// All values, the highest class first.
fn sorted_by_class(class: &[u32]) -> Vec<u32> {
    let mut falling: Vec<u32> = (0..class.len() as u32).collect();
    falling.sort_by_key(|&v| std::cmp::Reverse(class[v as usize]));
    falling
}

/// Places the operations of v, or names one that has no slot.
fn place(lives: &Lives, v: usize, turn: u32, free: &mut Free, schedule: &mut Schedule) -> Result<(), u32> {
    let leave = free.next(lives.life[v].out_from);
    if leave >= lives.life[v].gone_by {
        return Err(lives.life[v].remove);
    }
    if !lives.has_presence(v) && leave < lives.life[v].in_by {
        // All its operations share this slot: it comes and goes.
        for &peek in lives.peeks_of(v) {
            schedule.put(peek, leave, Phase::Within, turn, 1);
        }
        put_ends(lives, v, (leave, Phase::Within, turn), (leave, Phase::Within, turn), schedule);
        return Ok(());
    }
    let mut enter = lives.life[v].in_by - 1;
    let early = |slot: u32, (_, to): (u32, u32)| slot > to;
    for &peek in lives.peeks_of(v) {
        let slots = lives.slots_of_peek(v, peek);
        if early(free.next(slots.0.max(lives.life[v].in_by - 1)), slots) {
            // No free slot from its insert on: only one before.
            let before = free.previous(lives.life[v].in_by - 1).filter(|&slot| slot >= slots.0);
            enter = before.ok_or(peek)?;
        }
    }
    for &peek in lives.peeks_of(v) {
        let slots = lives.slots_of_peek(v, peek);
        let after = free.next(slots.0.max(lives.life[v].in_by - 1));
        let slot = if early(after, slots) { enter } else { after };
        let (phase, turn) = match slot {
            slot if slot == enter => (Phase::Beginning, turn),
            slot if slot == leave => (Phase::Ending, LAST - turn),
            _ => (Phase::Within, turn),
        };
        schedule.put(peek, slot, phase, turn, 1);
    }
    put_ends(lives, v, (enter, Phase::Beginning, turn), (leave, Phase::Ending, LAST - turn), schedule);
    Ok(())
}

type Place = (u32, Phase, u32);

fn put_ends(lives: &Lives, v: usize, enter: Place, leave: Place, schedule: &mut Schedule) {
    if lives.life[v].add != NONE && !lives.is_unseen(v) {
        schedule.put(lives.life[v].add, enter.0, enter.1, enter.2, 0);
    }
    if lives.life[v].remove != NONE {
        schedule.put(lives.life[v].remove, leave.0, leave.1, leave.2, 2);
    }
}

/// Operation `op` of v has no slot: who covers them all?
fn conflict(lives: &Lives, v: usize, op: u32, class: &[u32]) -> Decision {
    let (from, to) = match op == lives.life[v].remove {
        true => (lives.life[v].out_from, lives.life[v].gone_by),
        false => {
            let (first, last) = lives.slots_of_peek(v, op);
            (first, last + 1)
        }
    };
    let mut core = covering(lives, from, to, |other| class[other] > class[v]);
    core.extend(lives.story(v));
    core.push(op);
    lives.violation(core)
}
