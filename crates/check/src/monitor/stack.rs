//! Is this history of a stack linearizable? For values that are each pushed once.
//!
//! Lee & Mathur, *Efficient Decrease-and-Conquer Linearizability Monitoring* (2025). Peel the values off
//! from the bottom of the stack: a value can be at the bottom if each of its operations reaches a slot in which no
//! other value is certainly inside. Leave it out and go on; if no value can be at the bottom, it is a violation.
//! (A *slot* is the gap between two events; a value is certainly inside, *present*, from the return of its push to the call of its pop.)
//!
//! Why stuck means violation: in any order the first of the remaining values to be pushed onto the empty stack lies at the bottom until it is
//! popped. Its push and its pop happen while no other of them is inside, so they reach such a slot, and so do its peeks. Why it does
//! not matter which value is taken: leaving one out only frees slots, so a value that could be peeled off still can.
//!
//! ```text
//!   push 1   |--|                           slots   1 2 3 4 5 6
//!   push 2        |--|                      1 is in   . . . . .      covers 2 at both ends: 1 is peeled off first,
//!   pop → 2            |--|                 2 is in       .          then 2
//!   pop → 1                 |--|
//! ```
//!
//! Slots between which no presence begins or ends are one *block*. A block that no value covers serves all operations that
//! reach it; one covered by a single value serves that value's peeks, and all operations once that value is gone.
//!
//! What we add: the order. A value is pushed in the last served block before its presence and popped in the first behind it. In such a
//! block no value peeled off later is inside, and those peeled off earlier do nothing in between. A value without a presence
//! comes and goes within one slot and is in no other's way.
//!
//! Cost: O(n log n), about 80 bytes per operation. Declines values pushed twice.

use super::cover::{Free, next_free, place_empties};
use super::hidden::{self, Rules};
use super::intervals::{Interval, ValueIntervals};
use super::schedule::{LAST, Phase, Schedule, has_turns};
use super::trees::{Coverage, Stabbing};
use super::{Decided, Decision, Meter, Monitor, NONE, by_rank, declined};
use linpoint_spec::{Part, Shape};

/// The method.
pub(crate) const MONITOR: Monitor = Monitor {
    name: "stack-monitor",
    help: "a stack in which every value is pushed once, in O(n log n), without a search; declines what it does not cover",
    shape: Shape::Stack,
    decide,
};

/// Decides a part that is a stack.
fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    judge(ValueIntervals::gather(part, meter)?, meter)
}

/// Decides what the intervals of values tell.
pub(super) fn judge(intervals: ValueIntervals, meter: &mut Meter<'_>) -> Decided<Decision> {
    // What was in before the push of a value lies under it, and cannot be found while that value is inside.
    let limit = |interval: &Interval| (interval.add_call, interval.present_from);
    let rules = Rules { check: &check, key: &|interval| interval.present_from, limit: &limit };
    let (intervals, peeled) = hidden::judge(intervals, meter, &rules)?;
    if !meter.wants_order() {
        return Ok(Decision::Linearizable(Vec::new()));
    }
    peeled.witness(&intervals, meter).map(Decision::Linearizable)
}

/// No empty without a free slot, no value that cannot be peeled off.
fn check(intervals: &ValueIntervals, meter: &mut Meter<'_>) -> Decided<Peeled> {
    if !intervals.empties.is_empty() {
        place_empties(intervals, &next_free(intervals), meter)?;
    }
    let peeled = meter.releasing(|meter| Peeling::new(intervals, meter)?.peel(meter))?;
    let peeled = peeled.map_err(|stuck| intervals.violation(shrink(intervals, stuck, meter)))?;
    meter.hold(peeled.bytes())?;
    Ok(peeled)
}

/// Slots, cut into blocks where presences begin and end.
struct Blocks {
    /// The block of each slot.
    of: Vec<u32>,
    /// The first slot of each block; and the slot behind the last one.
    start: Vec<u32>,
}

impl Blocks {
    fn new(intervals: &ValueIntervals) -> Blocks {
        let mut of = vec![0u32; intervals.end as usize + 1];
        for v in (0..intervals.len()).filter(|&v| intervals.has_presence(v)) {
            of[intervals.values[v].present_from as usize] = 1;
            of[intervals.values[v].present_until as usize] = 1;
        }
        let (mut start, mut block) = (vec![0], 0);
        for (slot, cut) in of.iter_mut().enumerate() {
            if *cut == 1 && slot > 0 {
                block += 1;
                start.push(slot as u32);
            }
            *cut = block;
        }
        start.push(intervals.end + 1);
        Blocks { of, start }
    }

    fn len(&self) -> usize {
        self.start.len() - 1
    }
}

/// Values being peeled off.
struct Peeling<'a> {
    intervals: &'a ValueIntervals,
    coverage: Coverage,
    /// Operations by the first block they reach. For each its value; if there are peeks, its place among them or [`NONE`].
    all: Stabbing,
    whose: Vec<u32>,
    peek_of: Vec<u32>,
    /// How many operations have their first block up to each one.
    reached: Vec<u32>,
    /// The peeks, value by value; the first block of each, and its place in `all`.
    peeks: Stabbing,
    first: Vec<u32>,
    in_all: Vec<u32>,
    /// How many operations of each value are left.
    left: Vec<u32>,
    /// Blocks that came free and are to be served.
    ready: Vec<u32>,
    peeled: Peeled,
}

/// In which order values were peeled off, and which blocks served them.
struct Peeled {
    blocks: Blocks,
    /// The values with a presence, from the bottom up.
    order: Vec<u32>,
    /// How many values were gone when the block came free; [`NONE`] if it never did.
    free_since: Vec<u32>,
    /// Blocks that only this value covered: the first one, and the next after each.
    waiting: Vec<u32>,
    next_waiting: Vec<u32>,
}

/// The first and the last block that each operation of v reaches, and its place among the peeks or [`NONE`].
fn reaches(intervals: &ValueIntervals, blocks: &Blocks, v: usize, mut tell: impl FnMut(u32, u32, u32)) {
    let mut slots = |from: u32, to: u32, peek: u32| tell(blocks.of[from as usize], blocks.of[to as usize], peek);
    let interval = intervals.values[v];
    slots(interval.add_call, interval.present_from - 1, NONE);
    if interval.remove != NONE {
        slots(interval.present_until, interval.remove_return - 1, NONE); // the others leave behind all events
    }
    for place in intervals.places_of_peeks(v) {
        let (from, to) = intervals.slots_of_peek(v, intervals.peeks[place]);
        slots(from, to, place as u32);
    }
}

impl<'a> Peeling<'a> {
    fn new(intervals: &'a ValueIntervals, meter: &mut Meter<'_>) -> Decided<Self> {
        meter.hold(4 * intervals.end as usize)?;
        let blocks = Blocks::new(intervals);
        meter.hold(Self::bytes(blocks.len(), intervals))?;
        let (mut counts, mut who) = (vec![0i32; blocks.len()], vec![0u32; blocks.len()]);
        let mut reached = vec![0u32; blocks.len()];
        let (mut left, mut operations) = (vec![0u32; intervals.len()], 0);
        for v in (0..intervals.len()).filter(|&v| intervals.has_presence(v)) {
            meter.tick()?;
            let edge = |slot: u32| blocks.of[slot as usize] as usize;
            let (from, until) = (edge(intervals.values[v].present_from), edge(intervals.values[v].present_until));
            (who[from], who[until]) = (who[from] ^ v as u32, who[until] ^ v as u32); // of one covering value the XOR is that value
            counts[from] += 1;
            counts[until] -= 1;
            reaches(intervals, &blocks, v, |first, _, _| {
                reached[first as usize] += 1;
                left[v] += 1;
                operations += 1;
            });
        }
        let mut before = 0; // for now where the operations of a block begin
        for block in 0..blocks.len() {
            (reached[block], before) = (before, before + reached[block]);
            if block > 0 {
                counts[block] += counts[block - 1];
                who[block] ^= who[block - 1];
            }
        }
        let peeks = intervals.peeks.len();
        let mut peek_of = vec![NONE; if peeks > 0 { operations } else { 0 }];
        let (mut first_of, mut in_all, mut peeks_until) = (vec![0; peeks], vec![0; peeks], vec![0; peeks]);
        let (mut whose, mut until) = (vec![0u32; operations], vec![0u32; operations]);
        for v in (0..intervals.len()).filter(|&v| intervals.has_presence(v)) {
            meter.tick()?;
            reaches(intervals, &blocks, v, |first, last, peek| {
                let place = reached[first as usize] as usize;
                reached[first as usize] += 1;
                (whose[place], until[place]) = (v as u32, last + 1);
                if peek != NONE {
                    peek_of[place] = peek;
                    let peek = peek as usize;
                    (first_of[peek], in_all[peek], peeks_until[peek]) = (first, place as u32, last + 1);
                }
            });
        }
        let free_since = counts.iter().map(|&count| if count == 0 { 0 } else { NONE }).collect();
        let (waiting, next_waiting) = (vec![NONE; intervals.len()], vec![NONE; blocks.len()]);
        Ok(Peeling {
            intervals,
            coverage: Coverage::new(counts, who),
            all: Stabbing::new(until),
            whose,
            peek_of,
            reached,
            peeks: Stabbing::new(peeks_until),
            first: first_of,
            in_all,
            left,
            ready: Vec::new(),
            peeled: Peeled { order: Vec::new(), free_since, waiting, next_waiting, blocks },
        })
    }

    /// For so many blocks: columns by block and the tree of coverage, columns by operation and the tree that is stabbed, and a
    /// tree and columns for the peeks.
    fn bytes(blocks: usize, intervals: &ValueIntervals) -> usize {
        let (operations, peeks) = (intervals.call.len(), intervals.peeks.len());
        let peek_of = if peeks > 0 { 4 * operations } else { 0 };
        let trees = Coverage::bytes(blocks) + Stabbing::bytes(operations) + Stabbing::bytes(peeks);
        trees + 16 * blocks + 4 * operations + peek_of + 8 * peeks + 12 * intervals.len() // half of it stays in `Peeled`
    }

    /// Peels off all values, or gives those that are stuck. Every block is served at most twice, every operation taken once.
    fn peel(mut self, meter: &mut Meter<'_>) -> Decided<Result<Peeled, Vec<u32>>> {
        let count = self.left.iter().filter(|&&left| left > 0).count();
        while self.peeled.order.len() < count {
            meter.tick()?;
            if let Some(block) = self.ready.pop() {
                self.serve_all(block);
                continue;
            }
            let (covered, block, only) = self.coverage.least();
            if covered > 1 {
                return Ok(Err((0..self.left.len() as u32).filter(|&v| self.left[v as usize] > 0).collect()));
            }
            self.coverage.kill(block);
            if covered == 1 {
                self.peeled.next_waiting[block] = self.peeled.waiting[only as usize];
                self.peeled.waiting[only as usize] = block as u32;
                self.serve_one(block as u32, only as usize);
            } else {
                let gone = self.peeled.order.len() as u32;
                self.peeled.free_since[block] = self.peeled.free_since[block].min(gone);
                self.serve_all(block as u32);
            }
        }
        Ok(Ok(self.peeled))
    }

    /// No value covers the block: takes all operations that reach it.
    fn serve_all(&mut self, block: u32) {
        while let Some(place) = self.all.take(0, self.reached[block as usize] as usize, block) {
            if let Some(&peek) = self.peek_of.get(place).filter(|&&peek| peek != NONE) {
                self.peeks.remove(peek as usize);
            }
            self.took(self.whose[place] as usize);
        }
    }

    /// Only v covers the block: takes its peeks that reach it. Its push and its pop lie outside its presence.
    fn serve_one(&mut self, block: u32, v: usize) {
        let places = self.intervals.places_of_peeks(v);
        let until = places.start + self.first[places.clone()].partition_point(|&first| first <= block);
        while let Some(peek) = self.peeks.take(places.start, until, block) {
            self.all.remove(self.in_all[peek] as usize);
            self.took(v);
        }
    }

    /// An operation of v was taken; with its last one v is peeled off.
    fn took(&mut self, v: usize) {
        self.left[v] -= 1;
        if self.left[v] > 0 {
            return;
        }
        let Peeled { blocks, order, free_since, waiting, next_waiting } = &mut self.peeled;
        let block = |slot: u32| blocks.of[slot as usize] as usize;
        self.coverage.uncover(
            block(self.intervals.values[v].present_from),
            block(self.intervals.values[v].present_until),
            v as u32,
        );
        order.push(v as u32);
        let mut came_free = waiting[v];
        while came_free != NONE {
            free_since[came_free as usize] = order.len() as u32;
            self.ready.push(came_free);
            came_free = next_waiting[came_free as usize];
        }
    }
}

impl Peeled {
    fn bytes(&self) -> usize {
        4 * self.blocks.of.capacity() + 12 * self.blocks.len() + 8 * self.waiting.len()
    }

    /// From the top of the stack to its bottom, each value around the blocks that were free when it was peeled off.
    fn witness(self, intervals: &ValueIntervals, meter: &mut Meter<'_>) -> Decided<Vec<u32>> {
        let held = self.bytes();
        let Peeled { blocks, order, free_since, waiting, next_waiting } = self;
        if !has_turns(intervals.len()) {
            return Err(declined("it has too many values"));
        }
        let mut schedule = Schedule::new(intervals.call.len(), intervals.end);
        let places = 12 * blocks.len(); // the blocks by age, and those that are free
        meter.hold(schedule.bytes() + places)?;
        let empties = place_empties(intervals, &next_free(intervals), meter)?;
        empties.iter().zip(&intervals.empties).for_each(|(&slot, &op)| schedule.put(op, slot, Phase::Within, 0, 0));
        let mut put = |op: u32, slot: u32, phase: Phase, turn: u32, step: u32| {
            if op != NONE {
                schedule.put(op, slot, phase, turn, step);
            }
        };
        for v in (0..intervals.len()).filter(|&v| !intervals.has_presence(v) && !intervals.is_unseen(v)) {
            let (slot, turn) = (intervals.values[v].present_until, (order.len() + 1 + v) as u32);
            put(intervals.values[v].add, slot, Phase::Within, turn, 0);
            intervals.peeks_of(v).iter().for_each(|&peek| put(peek, slot, Phase::Within, turn, 1));
            put(intervals.values[v].remove, slot, Phase::Within, turn, 2);
        }
        let since = |block: usize| free_since[block].min(order.len() as u32 + 1);
        let by_age = by_rank(blocks.len(), order.len() + 2, since);
        let mut free = Free::new(blocks.len() as u32 - 1);
        let mut youngest = by_age.len();
        let mut alone = Vec::new();
        for (turn, &v) in order.iter().enumerate().rev() {
            meter.tick()?;
            let (turn, v) = (turn as u32, v as usize);
            while since(by_age[youngest - 1] as usize) > turn {
                youngest -= 1;
                free.cover(by_age[youngest], by_age[youngest] + 1);
            }
            let Some(enter) = free.previous(blocks.of[intervals.values[v].present_from as usize - 1]) else {
                return Err(declined("a value was peeled off without a place for its push"));
            };
            let leave = free.next(blocks.of[intervals.values[v].present_until as usize]);
            let (enter, leave) = (blocks.start[enter as usize + 1] - 1, blocks.start[leave as usize]);
            put(intervals.values[v].add, enter, Phase::Beginning, turn, 0);
            put(intervals.values[v].remove, leave, Phase::Ending, LAST - turn, 2);
            alone.clear();
            alone.extend(std::iter::successors(Some(waiting[v]).filter(|&b| b != NONE), |&block| {
                Some(next_waiting[block as usize]).filter(|&b| b != NONE)
            }));
            alone.sort_unstable();
            for &peek in intervals.peeks_of(v) {
                let (from, to) = intervals.slots_of_peek(v, peek);
                if from <= enter {
                    put(peek, enter, Phase::Beginning, turn, 1);
                } else if to >= leave {
                    put(peek, leave, Phase::Ending, LAST - turn, 1);
                } else {
                    let place = alone.partition_point(|&block| blocks.start[block as usize + 1] <= from);
                    let Some(&block) = alone.get(place) else {
                        return Err(declined("a value was peeled off without a place for a peek"));
                    };
                    put(peek, blocks.start[block as usize].max(from), Phase::Within, turn + 1, 1);
                }
            }
        }
        drop((blocks, order, free_since, waiting, next_waiting, by_age, free));
        meter.hold((8 * intervals.call.len()).saturating_sub(held + places))?; // once more while it is put in order
        Ok(schedule.order())
    }
}

/// The operations of as few of the stuck values as can be found in about the time it took to find them stuck:
/// leave out half of them, a quarter, an eighth … as long as the rest is stuck.
fn shrink(intervals: &ValueIntervals, mut stuck: Vec<u32>, meter: &mut Meter<'_>) -> Vec<u32> {
    let mut budget = 4 * stuck.len() + 20_000;
    let mut chunk = stuck.len().div_ceil(2);
    'smaller: while chunk > 0 {
        let mut from = 0;
        while from < stuck.len() && stuck.len() > 1 {
            let to = (from + chunk).min(stuck.len());
            let rest = [&stuck[..from], &stuck[to..]].concat();
            if budget < rest.len() {
                break 'smaller; // enough
            }
            budget -= rest.len();
            let (some, _) = intervals.only(&rest, false);
            match meter.releasing(|meter| Peeling::new(&some, meter)?.peel(meter)) {
                Ok(Err(_)) => stuck = rest,
                Ok(Ok(_)) => from = to,
                Err(_) => break 'smaller,
            }
        }
        chunk /= 2;
    }
    let whole = |&v: &u32| {
        let v = v as usize;
        [intervals.values[v].add, intervals.values[v].remove]
            .into_iter()
            .filter(|&op| op != NONE)
            .chain(intervals.peeks_of(v).iter().copied())
    };
    stuck.iter().flat_map(whole).collect()
}
