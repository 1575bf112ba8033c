//! Which copies are in each other's way? Their takers are exchanged until none is.
//!
//! Min-conflicts (Minton, Johnston, Philips & Laird, Artificial Intelligence 1992), with a short memory of what was just undone (Glover, *Tabu Search*,
//! 1989). A variable is a copy, and its value is the remove that takes it, or none; a move exchanges the takers of two copies of one value. An empty is a variable
//! as well: the slot in which it found nothing.
//!
//! ```text
//!   stack  push 1   |--|                            queue  enqueue 1  |--|
//!          push 2        |--|                              enqueue 2       |--|
//!          pop → 1            |--|                         dequeue → 2          |--|
//!          pop → 2                 |--|                    dequeue → 1               |--|
//!
//!   the stays of 1 and 2 cross: a conflict                 the stay of 1 is around that of 2: a conflict
//! ```
//!
//! Only what is certain counts: a copy is *certainly inside* from the return of its add to the call of its taker. A copy whose add and taker
//! overlap is never certainly inside, so in a stack it is in nobody's way.
//!
//! Cost: copies that are certainly inside at some rank are found by *stretches* of ranks, so a copy is compared with about as many as are inside when it comes and when it
//! goes (in a queue, with those that come and go during its stay). About 100 bytes for each operation.

use super::super::chance::Chance;
use super::super::{Decided, Meter, NONE};
use super::copies::Copies;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Which elements leave first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Discipline {
    LastInFirstOut,
    FirstInFirstOut,
}

/// When a copy comes and goes.
#[derive(Clone, Copy)]
struct Stay {
    /// The call of its add.
    called: u32,
    /// The return of its add, the call of its taker: between them it is certainly inside.
    inside_from: u32,
    inside_until: u32,
    /// The return of its taker.
    gone: u32,
}

impl Stay {
    fn is_certain(&self) -> bool {
        self.inside_from < self.inside_until
    }

    /// This one was pushed before `later`, which was in before this one was popped, and was popped after it.
    fn crosses(&self, later: &Stay) -> bool {
        self.inside_from < later.called && later.inside_from < self.inside_until && self.gone < later.inside_until
    }

    /// This one was in before the other one came, and stayed until after it was gone.
    fn is_around(&self, other: &Stay) -> bool {
        self.inside_from < other.called && other.called.max(other.gone) < self.inside_until
    }
}

/// A remove that takes what was not added yet counts as so many conflicts.
const IMPOSSIBLE: u32 = 8;

/// So many copies on each side are tried as partners, by the middles of their adds.
const REACH: usize = 128;

/// A copy does not get back the taker it lost less than so many moves ago, and up to twice as many.
const MEMORY: usize = 10;

/// Ranks per stretch at least, and stretches per copy at most, on average.
const WIDTH: u64 = 64;
const STRETCHES: u64 = 16;

/// Who takes which copy, and in which slots the empties are.
pub(super) struct Choice<'c> {
    copies: &'c Copies,
    discipline: Discipline,
    /// By copy: a place among the removes, [`NONE`] if nobody takes it.
    pub taker: Vec<u32>,
    stays: Vec<Stay>,
    /// Until when a copy that nobody takes is inside; and when it is gone, behind all events.
    left: (u32, u32),
    /// The copies by the calls of their adds: (call, copy).
    by_call: Vec<(u32, u32)>,
    /// By stretch of ranks: the copies that are certainly inside somewhere in it.
    stretches: Vec<Vec<u32>>,
    width: u32,
    /// The call and the return of each empty, and its slot; all slots, with their empties.
    empties: Vec<(u32, u32)>,
    slots: Vec<u32>,
    taken_slots: BTreeSet<(u32, u32)>,
    /// By variable, copies first: in how many conflicts it is. Those that are in any, and where each stands there.
    trouble: Vec<u32>,
    troubled: Vec<u32>,
    place: Vec<u32>,
    /// By copy: the taker that it lost, and until which move it does not get it back.
    lost: Vec<(u32, u64)>,
    moves: u64,
    /// How many stays were compared.
    work: Cell<u64>,
    chance: Chance,
}

impl<'c> Choice<'c> {
    /// With these takers; a copy that nobody takes is certainly inside until `left.0`.
    pub fn new(
        copies: &'c Copies,
        discipline: Discipline,
        (taker, left): (Vec<u32>, (u32, u32)),
        empties: Vec<(u32, u32)>,
        chance: Chance,
        meter: &mut Meter<'_>,
    ) -> Decided<Self> {
        let (count, variables) = (copies.len(), copies.len() + empties.len());
        let mut by_call: Vec<(u32, u32)> = copies.adds.iter().zip(0..).map(|(add, copy)| (add.call, copy)).collect();
        by_call.sort_unstable();
        let mut choice = Choice {
            copies,
            discipline,
            taker,
            stays: Vec::new(),
            left,
            by_call,
            stretches: Vec::new(),
            width: 0,
            slots: empties.iter().map(|&(call, _)| call).collect(),
            empties,
            taken_slots: BTreeSet::new(),
            trouble: vec![0; variables],
            troubled: Vec::new(),
            place: vec![NONE; variables],
            lost: vec![(NONE, 0); count],
            moves: 0,
            work: Cell::new(0),
            chance,
        };
        choice.stays = (0..count).map(|copy| choice.stay(copy, choice.taker[copy])).collect();
        let certain = |stay: &Stay| u64::from(stay.inside_until.saturating_sub(stay.inside_from));
        let inside: u64 = choice.stays.iter().map(certain).sum();
        choice.width = (inside / (STRETCHES * count.max(1) as u64)).max(WIDTH) as u32;
        choice.stretches = vec![Vec::new(); (left.1 / choice.width) as usize + 1];
        meter.hold(100 * variables + 24 * choice.stretches.len() + 8 * STRETCHES as usize * count)?;
        for copy in 0..count {
            choice.enter(copy as u32);
        }
        for empty in 0..choice.empties.len() {
            meter.tick()?;
            choice.slots[empty] = choice.best_slot(empty);
            choice.taken_slots.insert((choice.slots[empty], empty as u32));
        }
        for copy in 0..count {
            meter.tick()?;
            let trouble = choice.cost(&choice.stays[copy], [NONE; 2]);
            choice.adjust(copy, trouble as i32);
        }
        for empty in 0..choice.empties.len() {
            let covered = choice.around(choice.slots[empty]);
            choice.adjust(count + empty, covered as i32);
        }
        Ok(choice)
    }

    /// How many stays were compared so far, and whatever else was paid for.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// Counts work.
    pub fn spend(&self, work: usize) {
        self.work.set(self.work.get() + work as u64);
    }

    /// Is nobody in anybody's way?
    pub fn is_settled(&self) -> bool {
        self.troubled.is_empty()
    }

    /// Moves a variable that is in a conflict to where it is in the fewest.
    pub fn step(&mut self, meter: &mut Meter<'_>) -> Decided<()> {
        let variable = self.troubled[self.chance.roll(self.troubled.len())] as usize;
        match variable.checked_sub(self.copies.len()) {
            None => self.exchange(variable, meter),
            Some(empty) => {
                self.move_empty(empty);
                // Another slot may be no better: then one of those that are inside has to go.
                let in_the_way = match self.trouble[variable] {
                    0 => None,
                    _ => self.one_around(self.slots[empty]),
                };
                in_the_way.map_or(Ok(()), |copy| self.exchange(copy as usize, meter))
            }
        }
    }

    /// Gives one of these copies another taker.
    pub fn exchange_one_of(&mut self, some: &[usize], meter: &mut Meter<'_>) -> Decided<()> {
        let copy = some[self.chance.roll(some.len())];
        self.exchange(copy, meter)
    }

    /// Gives a copy another taker, the best one: that of another copy of its value, which gets this one's.
    fn exchange(&mut self, x: usize, meter: &mut Meter<'_>) -> Decided<()> {
        self.moves += 1;
        let group = &self.copies.groups[self.copies.group_of[x] as usize].copies;
        let partners = group.start.max(x.saturating_sub(REACH))..group.end.min(x + REACH + 1);
        let (mut best, mut ties) = (None, 0);
        for y in partners {
            let (of_x, of_y) = (self.taker[x], self.taker[y]);
            let is_back = |copy: usize, taker: u32| self.lost[copy].0 == taker && self.lost[copy].1 > self.moves;
            if of_x == of_y || is_back(x, of_y) || is_back(y, of_x) {
                continue;
            }
            meter.tick()?;
            let except = [x as u32, y as u32];
            let (new_x, new_y) = (self.stay(x, of_y), self.stay(y, of_x));
            let before = self.trouble[x] + self.trouble[y] - u32::from(self.clash(&self.stays[x], &self.stays[y]));
            let after = self.cost(&new_x, except) + self.cost(&new_y, except) + u32::from(self.clash(&new_x, &new_y));
            let change = i64::from(after) - i64::from(before);
            ties = if best.is_none_or(|(least, _)| change < least) { 0 } else { ties };
            if best.is_none_or(|(least, _)| change <= least) {
                ties += 1;
                if self.chance.roll(ties) == 0 {
                    best = Some((change, y));
                }
            }
        }
        self.spend(1);
        let Some((_, y)) = best else { return Ok(()) };
        let (of_x, of_y) = (self.taker[x], self.taker[y]);
        for (copy, old, new) in [(x, of_x, of_y), (y, of_y, of_x)] {
            self.lost[copy] = (old, self.moves + (MEMORY + self.chance.roll(MEMORY + self.troubled.len())) as u64);
            self.take(copy, new);
        }
        Ok(())
    }

    /// The stay of a copy if this one takes it.
    fn stay(&self, copy: usize, taker: u32) -> Stay {
        let add = self.copies.adds[copy];
        let (inside_until, gone) = match self.copies.removes.get(taker as usize) {
            Some(remove) => (remove.call, remove.ret),
            None => self.left,
        };
        Stay { called: add.call, inside_from: add.ret, inside_until, gone }
    }

    fn clash(&self, one: &Stay, other: &Stay) -> bool {
        match self.discipline {
            Discipline::LastInFirstOut => one.crosses(other) || other.crosses(one),
            Discipline::FirstInFirstOut => one.is_around(other) || other.is_around(one),
        }
    }

    /// In how many conflicts a copy with such a stay would be, those with `except` not counted.
    fn cost(&self, stay: &Stay, except: [u32; 2]) -> u32 {
        let mut cost = if stay.gone < stay.called { IMPOSSIBLE } else { 0 };
        self.rivals(stay, |copy| cost += u32::from(!except.contains(&copy)));
        self.empties_within(stay, |_| cost += 1);
        cost
    }

    /// The copies whose stays are in conflict with this one.
    fn rivals(&self, stay: &Stay, mut tell: impl FnMut(u32)) {
        let inside = |rank: u32| {
            let copies = &self.stretches[self.stretch(rank)];
            self.spend(copies.len());
            copies.iter().map(|&copy| (copy, &self.stays[copy as usize]))
        };
        match self.discipline {
            Discipline::LastInFirstOut if stay.is_certain() => {
                inside(stay.inside_from).filter(|(_, other)| other.crosses(stay)).for_each(|(copy, _)| tell(copy));
                inside(stay.inside_until).filter(|(_, other)| stay.crosses(other)).for_each(|(copy, _)| tell(copy));
            }
            Discipline::LastInFirstOut => {}
            Discipline::FirstInFirstOut => {
                inside(stay.called).filter(|(_, other)| other.is_around(stay)).for_each(|(copy, _)| tell(copy));
                let from = self.by_call.partition_point(|&(call, _)| call < stay.inside_from);
                let until = self.by_call.partition_point(|&(call, _)| call < stay.inside_until).max(from);
                self.spend(until - from);
                let during = self.by_call[from..until].iter().map(|&(_, copy)| copy);
                during.filter(|&copy| stay.is_around(&self.stays[copy as usize])).for_each(tell);
            }
        }
    }

    /// The empties whose slots lie where a copy with such a stay is certainly inside.
    fn empties_within(&self, stay: &Stay, mut tell: impl FnMut(u32)) {
        if stay.is_certain() {
            self.taken_slots.range((stay.inside_from, 0)..(stay.inside_until, 0)).for_each(|&(_, empty)| tell(empty));
        }
    }

    fn stretch(&self, rank: u32) -> usize {
        (rank / self.width) as usize
    }

    /// This one takes the copy from now on.
    fn take(&mut self, copy: usize, taker: u32) {
        self.count(copy, -1);
        self.leave(copy as u32);
        (self.taker[copy], self.stays[copy]) = (taker, self.stay(copy, taker));
        self.enter(copy as u32);
        self.count(copy, 1);
    }

    /// The conflicts of a copy are there, or they are not any more.
    fn count(&mut self, copy: usize, by: i32) {
        let (stay, count) = (self.stays[copy], self.copies.len());
        let mut others = Vec::new();
        self.rivals(&stay, |other| others.push(other as usize));
        self.empties_within(&stay, |empty| others.push(count + empty as usize));
        let own = others.len() as u32 + if stay.gone < stay.called { IMPOSSIBLE } else { 0 };
        self.adjust(copy, by * own as i32);
        others.into_iter().for_each(|other| self.adjust(other, by));
    }

    fn adjust(&mut self, variable: usize, by: i32) {
        let trouble = &mut self.trouble[variable];
        *trouble = trouble.checked_add_signed(by).expect("a conflict ends once");
        match (*trouble > 0, self.place[variable] != NONE) {
            (true, false) => {
                self.place[variable] = self.troubled.len() as u32;
                self.troubled.push(variable as u32);
            }
            (false, true) => {
                let place = std::mem::replace(&mut self.place[variable], NONE);
                self.troubled.swap_remove(place as usize);
                if let Some(&moved) = self.troubled.get(place as usize) {
                    self.place[moved as usize] = place;
                }
            }
            _ => {}
        }
    }

    /// The stretches in which a copy is certainly inside.
    fn stretches_of(&self, copy: u32) -> std::ops::Range<usize> {
        let stay = &self.stays[copy as usize];
        if stay.is_certain() { self.stretch(stay.inside_from)..self.stretch(stay.inside_until) + 1 } else { 0..0 }
    }

    fn enter(&mut self, copy: u32) {
        for stretch in self.stretches_of(copy) {
            self.stretches[stretch].push(copy);
        }
    }

    fn leave(&mut self, copy: u32) {
        for stretch in self.stretches_of(copy) {
            let inside = &mut self.stretches[stretch];
            let place = inside.iter().position(|&other| other == copy).expect("it entered");
            inside.swap_remove(place);
        }
    }

    /// How many copies are certainly inside in this slot.
    fn around(&self, slot: u32) -> usize {
        self.stretches[self.stretch(slot)].iter().filter(|&&copy| self.is_inside(copy, slot)).count()
    }

    fn one_around(&mut self, slot: u32) -> Option<u32> {
        let inside = self.stretches[self.stretch(slot)].iter().copied().filter(|&copy| self.is_inside(copy, slot));
        let inside: Vec<u32> = inside.collect();
        (!inside.is_empty()).then(|| inside[self.chance.roll(inside.len())])
    }

    fn is_inside(&self, copy: u32, slot: u32) -> bool {
        let stay = self.stays[copy as usize];
        stay.inside_from <= slot && slot < stay.inside_until
    }

    fn move_empty(&mut self, empty: usize) {
        let variable = self.copies.len() + empty;
        let old = self.slots[empty];
        let new = self.best_slot(empty);
        self.taken_slots.remove(&(old, empty as u32));
        self.taken_slots.insert((new, empty as u32));
        self.slots[empty] = new;
        for (slot, by) in [(old, -1), (new, 1)] {
            let inside: Vec<u32> =
                self.stretches[self.stretch(slot)].iter().copied().filter(|&copy| self.is_inside(copy, slot)).collect();
            self.adjust(variable, by * inside.len() as i32);
            inside.into_iter().for_each(|copy| self.adjust(copy as usize, by));
        }
    }

    /// Of the slots that an empty reaches, one in which the fewest copies are certainly inside.
    fn best_slot(&mut self, empty: usize) -> u32 {
        let (call, ret) = self.empties[empty];
        let mut change = vec![0i32; (ret - call) as usize + 1];
        let (first, last) = (self.stretch(call), self.stretch(ret));
        for stretch in first..=last {
            for &copy in &self.stretches[stretch] {
                let stay = self.stays[copy as usize];
                if self.stretch(stay.inside_from).max(first) == stretch {
                    let place = |rank: u32| (rank.clamp(call, ret) - call) as usize;
                    change[place(stay.inside_from)] += 1;
                    change[place(stay.inside_until)] -= 1;
                }
            }
            self.spend(self.stretches[stretch].len());
        }
        let (mut covered, mut best, mut ties) = (0, (i32::MAX, call), 0);
        for slot in call..ret {
            covered += change[(slot - call) as usize];
            ties = if covered < best.0 { 0 } else { ties };
            if covered <= best.0 {
                ties += 1;
                if self.chance.roll(ties) == 0 {
                    best = (covered, slot);
                }
            }
        }
        self.spend((ret - call) as usize);
        best.1
    }
}
