//! Which insert does each poll belong to, where values of a priority queue or a bag repeat? Found by one sweep per value.
//!
//! After a remark of Lee & Mathur, *Efficient Decrease-and-Conquer Linearizability Monitoring* (2025), that the state of a priority queue
//! follows from which operations were done. We use more: copies of a value are alike, so only their number counts, and all that values want of
//! each other is to be absent. A poll of w, or one that finds nothing, needs a slot in which no copy of a higher value is inside. So the
//! values are taken by class, the highest first, and each is kept inside as little as can be:
//!
//! - An insert waits until its return, unless a poll of its value is there to take the copy at once.
//! - A poll comes as soon as a copy is inside and no higher value is, if the polls that are *due* before it still get theirs; at its
//!   last such slot, when it is due, an open insert comes just before it, if no copy is inside.
//! - Of several open polls, or inserts, the one that returns first goes first.
//!
//! ```text
//!   insert 9  |--|                         poll a may not take the copy at once: nothing else can supply poll b, which is due
//!   poll a → 9  |-------------------|      before the other insert is called. So a copy stays inside until b takes it, and
//!   poll b → 9        |--|                 poll → 1 has no slot.
//!   poll → 1       |---|
//!   insert 9                |---|
//! ```
//!
//! Whether others get theirs is a count: for each poll, due at slot u, what is there from the start and the inserts called by u, less the polls due
//! by u, less those due later that came before u. A poll comes early where all counts up to
//! its own slot stay.
//!
//! It is a good guess, not a proof: what a poll takes early another insert has to make up for, and one that could have waited behind an empty may not.
//! So what comes out is only ever used as a matching: copies are told apart, the monitor for unique values makes an order of that, and where there is
//! none, we decline.
//!
//! Peeks ask for a copy that stays, which this does not care for: they are matched with a copy that is inside at the time. (In a bag where nothing was ever found empty, copies may as well stay as long as they like: first come, first
//! taken is exact, with peeks.) Pending removes of unknown result may take any copy that no poll needs: first none of them does; then no
//! copy is in the way once one of them is called, and if that fits, `hidden` is asked which copies they took.
//!
//! Cost: O(n log n); about 100 bytes per operation, and what the monitor needs.

use super::cover::Free;
use super::intervals::{ADD, Operations, PEEK, REMOVE, ValueIntervals};
use super::trees::Coverage;
use super::{Decided, Decision, Meter, NEVER, NONE, Numbering, declined};
use linpoint_spec::Part;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The intervals of copies that are told apart, in a way that is possible if there is one; with peeks, or pending removes, perhaps possible.
pub(super) fn copies(part: &Part, meter: &mut Meter<'_>) -> Decided<ValueIntervals> {
    let operations = Operations::of(part, meter)?;
    meter.hold(100 * operations.call.len())?;
    let kin = kin(&operations);
    let mut classes: Vec<(u32, usize)> =
        kin.iter().enumerate().map(|(v, kin)| (part.spec.class(kin.name), v)).collect();
    classes.sort_unstable_by(|a, b| b.cmp(a));
    let sole = classes.iter().all(|&(class, _)| class == classes[0].0);
    let is_in = vec![false; operations.call.len()];
    let matching = Matching { copy: numbers(&operations), is_in, operations: &operations, kin: &kin };
    let copy = if sole && operations.empties.is_empty() {
        matching.first_come(meter)?
    } else {
        let generous = operations.hidden.first().map(|&op| operations.call[op as usize]);
        let matched = match matching.clone().by_class(&classes, NEVER, meter) {
            Err(Decision::Violation(_)) if generous.is_some() => {
                matching.by_class(&classes, generous.unwrap_or(NEVER), meter)
            }
            other => other,
        };
        matched.map_err(|decision| match decision {
            Decision::Violation(_) => declined("values repeat, and the likely matches of inserts and polls do not fit"),
            other => other,
        })?
    };
    ValueIntervals::of_copies(operations, copy, meter)
}

/// The operations about one value, by their calls.
struct Kin {
    name: u32,
    adds: Vec<u32>,
    removes: Vec<u32>,
    peeks: Vec<u32>,
    /// Copies that are there from the start.
    founders: Vec<u32>,
}

fn kin(operations: &Operations) -> Vec<Kin> {
    let Operations { name, contents, .. } = operations;
    let mut numbering = Numbering::new(name.len(), name.iter().chain(contents).copied().max().unwrap_or(0));
    let mut all: Vec<Kin> = Vec::new();
    let mut place = |name: u32, all: &mut Vec<Kin>| {
        let v = numbering.of(name) as usize;
        if v == all.len() {
            let none = Vec::new;
            all.push(Kin { name, adds: none(), removes: none(), peeks: none(), founders: none() });
        }
        v
    };
    for (copy, &name) in (0..).zip(contents) {
        let v = place(name, &mut all);
        all[v].founders.push(copy);
    }
    for (op, &kind) in (0..).zip(&operations.kind).filter(|(_, kind)| [ADD, REMOVE, PEEK].contains(kind)) {
        let v = place(name[op as usize], &mut all);
        match kind {
            ADD => all[v].adds.push(op),
            REMOVE => all[v].removes.push(op),
            _ => all[v].peeks.push(op),
        }
    }
    all
}

/// The copy that each insert adds; none yet for the others.
fn numbers(operations: &Operations) -> Vec<u32> {
    let mut next = operations.contents.len() as u32;
    let number = |&kind: &u8| {
        next += u32::from(kind == ADD);
        if kind == ADD { next - 1 } else { NONE }
    };
    operations.kind.iter().map(number).collect()
}

/// What may happen in a slot, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    /// This insert, this poll is open from here on.
    AddOpens,
    PollOpens,
    /// A poll may take what is inside.
    Taking,
    /// The last slot in which this insert can meet a poll.
    AddMeets,
    /// The last slot in which this poll can be.
    PollDue,
    /// The last slot of this insert.
    AddDue,
}

/// Inserts, polls and peeks on their way to each other.
#[derive(Clone)]
struct Matching<'a> {
    /// By operation: which copy it is about.
    copy: Vec<u32>,
    /// Has this insert taken effect?
    is_in: Vec<bool>,
    operations: &'a Operations,
    kin: &'a [Kin],
}

impl Matching<'_> {
    fn call(&self, op: u32) -> u32 {
        self.operations.call[op as usize]
    }

    fn ret(&self, op: u32) -> u32 {
        self.operations.ret[op as usize]
    }

    /// Values of one class, never found absent: the first copy goes first, and all stay as long as they may.
    fn first_come(mut self, meter: &mut Meter<'_>) -> Decided<Vec<u32>> {
        for (v, kin) in self.kin.iter().enumerate() {
            let mut events: Vec<(u32, u8, u32)> = Vec::new(); // (rank, what, operation)
            events.extend(kin.adds.iter().map(|&op| (self.call(op), ADD, op)));
            events.extend(kin.removes.iter().map(|&op| (self.ret(op), REMOVE, op)));
            events.extend(kin.peeks.iter().flat_map(|&op| [self.call(op), self.ret(op)].map(|rank| (rank, PEEK, op))));
            events.sort_unstable();
            let mut inside: VecDeque<u32> = kin.founders.iter().copied().collect();
            let mut waiting: Vec<u32> = Vec::new(); // peeks
            for (rank, what, op) in events {
                meter.tick()?;
                match what {
                    ADD => inside.push_back(self.copy[op as usize]),
                    REMOVE => match inside.pop_front() {
                        Some(copy) => self.copy[op as usize] = copy,
                        None => return Err(self.conflict(op, [v].into_iter())),
                    },
                    _ if rank == self.call(op) => waiting.push(op),
                    _ if self.copy[op as usize] == NONE => return Err(self.conflict(op, [v].into_iter())),
                    _ => {}
                }
                if let Some(&first) = inside.front() {
                    waiting.drain(..).for_each(|peek| self.copy[peek as usize] = first);
                }
            }
        }
        Ok(self.copy)
    }

    /// Values by class, the highest first, each inside as little as can be. From the slot `generous` on, no
    /// copy is in the way, for a hidden remove may have taken it; and polls may have it all the same: more than can be true.
    fn by_class(mut self, classes: &[(u32, usize)], generous: u32, meter: &mut Meter<'_>) -> Decided<Vec<u32>> {
        let end = self.operations.end;
        let mut free = Free::new(end);
        for peers in classes.chunk_by(|a, b| a.0 == b.0) {
            let mut covers = Vec::new();
            for &(_, v) in peers {
                let kin = &self.kin[v];
                if let Err(op) = self.sweep(kin, generous, &mut free, &mut covers, meter)? {
                    let higher = classes.iter().take_while(|other| other.0 > peers[0].0).map(|&(_, v)| v);
                    return Err(self.conflict(op, higher.chain([v])));
                }
            }
            covers.into_iter().for_each(|(from, to)| free.cover(from, to));
        }
        for &op in &self.operations.empties {
            if free.next(self.call(op)) >= self.ret(op) {
                return Err(self.conflict(op, 0..self.kin.len()));
            }
        }
        Ok(self.copy)
    }

    /// Matches the operations of one value and says in which slots a copy of it is inside. Err: this operation has no slot.
    fn sweep(
        &mut self,
        kin: &Kin,
        generous: u32,
        free: &mut Free,
        covers: &mut Vec<(u32, u32)>,
        meter: &mut Meter<'_>,
    ) -> Decided<Result<(), u32>> {
        let mut polls = match Polls::of(self.operations, kin, free) {
            Ok(polls) => polls,
            Err(op) => return Ok(Err(op)),
        };
        let mut inside: VecDeque<(u32, u32)> = kin.founders.iter().map(|&copy| (copy, 0)).collect(); // (copy, since)
        let mut covered = (!inside.is_empty()).then_some(0); // from this slot on
        let mut unseen: VecDeque<u32> = VecDeque::new(); // copies that hidden removes may have taken
        let mut adds = BinaryHeap::new();
        let mut stays: Vec<(u32, u32, u32)> = Vec::new(); // (enters, leaves, copy)
        for (slot, what, by, op) in self.moments(kin, &polls, generous, free) {
            meter.tick()?;
            polls.pass(slot);
            match what {
                Moment::AddOpens => adds.push(Reverse((by, op))),
                Moment::PollOpens => polls.open.push(Reverse(by)),
                Moment::Taking => {
                    while let Some(&(copy, since)) = inside.front() {
                        match polls.early() {
                            Some(poll) => self.copy[poll as usize] = copy,
                            None if slot >= generous => unseen.push_back(copy),
                            None => break,
                        }
                        stays.push((since, slot, copy));
                        inside.pop_front();
                    }
                }
                Moment::AddMeets | Moment::AddDue if self.is_in[op as usize] => {}
                Moment::AddMeets => {
                    let poll = polls.early();
                    if poll.is_some() || slot >= generous {
                        unseen.extend(poll.is_none().then_some(self.copy[op as usize]));
                        stays.push(self.meet(op, poll, slot));
                    }
                }
                Moment::AddDue => {
                    self.is_in[op as usize] = true;
                    inside.push_back((self.copy[op as usize], slot));
                    covered.get_or_insert(slot + 1);
                }
                Moment::PollDue if self.copy[op as usize] != NONE => {}
                Moment::PollDue => {
                    polls.open.pop(); // of those open it is the first
                    if let Some((copy, since)) = inside.pop_front() {
                        self.copy[op as usize] = copy;
                        stays.push((since, slot, copy));
                    } else if let Some(copy) = unseen.pop_front() {
                        self.copy[op as usize] = copy;
                    } else {
                        let mut open = std::iter::from_fn(|| adds.pop().map(|Reverse((_, add))| add));
                        let Some(add) = open.find(|&add| !self.is_in[add as usize]) else { return Ok(Err(op)) };
                        stays.push(self.meet(add, Some(op), slot));
                    }
                }
            }
            if inside.is_empty() {
                covers.extend(covered.take().map(|from| (from, slot)));
            }
        }
        let end = self.operations.end;
        covers.extend(covered.map(|from| (from, end)));
        stays.extend(inside.into_iter().map(|(copy, since)| (since, end, copy)));
        Ok(self.show(kin, stays))
    }

    /// An insert and a poll, or a hidden remove, take effect one right after the other.
    fn meet(&mut self, add: u32, poll: Option<u32>, slot: u32) -> (u32, u32, u32) {
        self.is_in[add as usize] = true;
        let copy = self.copy[add as usize];
        poll.into_iter().for_each(|poll| self.copy[poll as usize] = copy);
        (slot, slot, copy)
    }

    /// Every peek sees the copy that stays longest of those that came in time. Err: there is none.
    fn show(&mut self, kin: &Kin, mut stays: Vec<(u32, u32, u32)>) -> Result<(), u32> {
        stays.sort_unstable();
        let (mut longest, mut stays) = (None, stays.into_iter().peekable());
        let mut peeks = kin.peeks.clone();
        peeks.sort_unstable_by_key(|&peek| self.ret(peek));
        for peek in peeks {
            while let Some((_, leaves, copy)) = stays.next_if(|&(enters, ..)| enters < self.ret(peek)) {
                longest = longest.max(Some((leaves, copy)));
            }
            let pending = || kin.adds.first().filter(|&&add| self.call(add) < self.ret(peek));
            let seen = longest.map(|(_, copy)| copy).or_else(|| pending().map(|&add| self.copy[add as usize]));
            self.copy[peek as usize] = seen.ok_or(peek)?;
        }
        Ok(())
    }

    /// What may happen, in order: (slot, what, the return of an insert or the place of a poll, operation).
    fn moments(&self, kin: &Kin, polls: &Polls, generous: u32, free: &mut Free) -> Vec<(u32, Moment, u32, u32)> {
        let mut moments = Vec::with_capacity(4 * kin.adds.len() + 3 * kin.removes.len() + 1);
        for &op in &kin.adds {
            let (call, ret) = (self.call(op), self.ret(op));
            moments.push((call, Moment::AddOpens, ret, op));
            if ret != NEVER {
                let meets = free.previous(ret - 1).filter(|&slot| slot >= call);
                moments.extend(meets.map(|slot| (slot, Moment::AddMeets, ret, op)));
                moments.push((ret - 1, Moment::AddDue, ret, op));
                moments.push((free.next(ret), Moment::Taking, ret, op));
            }
        }
        for (place, &(first, last, op)) in (0..).zip(&polls.due) {
            let all = [(first, Moment::PollOpens), (first, Moment::Taking), (last, Moment::PollDue)];
            moments.extend(all.map(|(slot, what)| (slot, what, place, op)));
        }
        if generous != NEVER {
            moments.push((free.next(generous), Moment::Taking, NEVER, NONE));
        }
        moments.sort_unstable();
        moments
    }

    /// A violation: this operation with all that are about these values. Later polls belong to it: a copy may stay because of them.
    fn conflict(&self, accused: u32, values: impl Iterator<Item = usize>) -> Decision {
        let about = |v: usize| [&self.kin[v].adds, &self.kin[v].removes, &self.kin[v].peeks].into_iter().flatten();
        Decision::Violation(values.flat_map(about).copied().chain([accused]).collect())
    }
}

/// The polls of one value, and how many copies may be taken before they are due.
struct Polls {
    /// By their returns: the first and the last slot in which each can be, and the operation.
    due: Vec<(u32, u32, u32)>,
    /// For each: how many copies more than needed there can be when it is due.
    surplus: Coverage,
    /// So many were due in earlier slots.
    passed: usize,
    /// Those that may come, by their places.
    open: BinaryHeap<Reverse<u32>>,
}

impl Polls {
    /// Err: this one has no slot, or no copy.
    fn of(operations: &Operations, kin: &Kin, free: &mut Free) -> Result<Polls, u32> {
        let mut due = Vec::with_capacity(kin.removes.len());
        for &op in &kin.removes {
            let first = free.next(operations.call[op as usize]);
            let last = free.previous(operations.ret[op as usize] - 1).filter(|&last| last >= first);
            due.push((first, last.ok_or(op)?, op));
        }
        due.sort_unstable_by_key(|&(_, _, op)| operations.ret[op as usize]);
        let mut surplus = Vec::with_capacity(due.len());
        for (place, &(_, last, op)) in due.iter().enumerate() {
            let called = kin.adds.partition_point(|&add| operations.call[add as usize] <= last);
            match (kin.founders.len() + called).checked_sub(place + 1) {
                Some(count) => surplus.push(count as i32),
                None => return Err(op),
            }
        }
        let surplus = Coverage::new(surplus, Vec::new());
        Ok(Polls { due, surplus, passed: 0, open: BinaryHeap::new() })
    }

    /// What was due before this slot is no concern any more.
    fn pass(&mut self, slot: u32) {
        while self.due.get(self.passed).is_some_and(|&(_, last, _)| last < slot) {
            self.surplus.kill(self.passed);
            self.passed += 1;
        }
    }

    /// The open poll that is due first comes, unless one that is due before it needs the copy.
    fn early(&mut self) -> Option<u32> {
        let &Reverse(place) = self.open.peek()?;
        let (least, first, _) = self.surplus.least();
        if least == 0 && first < place as usize {
            return None;
        }
        self.open.pop();
        self.take_before(place as usize);
        Some(self.due[place as usize].2)
    }

    /// There is a copy less for those that are due from now on, up to this place.
    fn take_before(&mut self, place: usize) {
        if self.passed < place {
            self.surplus.uncover(self.passed, place, 0);
        }
    }
}
