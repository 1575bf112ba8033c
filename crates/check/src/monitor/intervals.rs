//! When is each value certainly inside? What the monitors of containers share.
//!
//! Preprocessing after Lee & Mathur, *Efficient Decrease-and-Conquer Linearizability Monitoring*
//! (2025), and Abdulla et al., *Efficient Linearizability Monitoring* (2025). The interval of a value is its add, its peeks and its
//! remove. With `present_from` the first return and `present_until` the last call of them all, the value is inside from
//! `present_from` to `present_until` whatever the order, if `present_from < present_until`: its *presence*.
//!
//! ```text
//!   rank       0  1  2  3  4  5
//!   add 7      |--------|             add_call 0
//!   peek → 7      |--|                present_from 2: the add has taken effect before its own return
//!   remove → 7             |--|       present_until 4: it is inside in the slots 2 and 3
//! ```
//!
//! Slot s lies between the ranks s and s + 1. A value that is never removed is removed in slot `end`, behind all events; a
//! pending add whose value no operation saw is added there too, where it harms no other value. Elements from the start are added before
//! rank 0. Pending peeks and pending removes of unknown result are left out: with them in, nothing that is
//! linearizable without them becomes a violation. (What pending removes may have taken is asked in `hidden`.) O(n).

mod excerpt;

use super::{Decided, Decision, Meter, NEVER, NONE, Numbering, declined, ranks};
use linpoint_spec::{Part, Role};

/// The interval of one value. Half a cache line, for monitors take values in orders of their own.
#[derive(Clone, Copy)]
pub(super) struct Interval {
    /// Its add, [`NONE`] if it is there from the start.
    pub add: u32,
    /// Its remove, [`NONE`] if there is none.
    pub remove: u32,
    /// The call of the add; [`NONE`] if it was never added.
    pub add_call: u32,
    /// The first return of its operations: it is in by then.
    pub present_from: u32,
    /// The last call of its operations: it is not out before.
    pub present_until: u32,
    /// The first return of its peeks and its remove: it was in front by then.
    pub front_by: u32,
    /// The return of its remove.
    pub remove_return: u32,
    /// What the specification calls it.
    pub name: u32,
}

impl Interval {
    /// The interval of a value that nothing happened to yet, in a history that ends at `end`.
    fn new(name: u32, end: u32) -> Interval {
        let last = end + 1;
        Interval {
            add: NONE,
            remove: NONE,
            add_call: NONE,
            present_from: last,
            present_until: 0,
            front_by: last,
            remove_return: last,
            name,
        }
    }

    /// It is there from the start, the `place`-th of those.
    fn set_initial(&mut self, place: usize) {
        (self.add_call, self.present_from, self.present_until) =
            (2 * place as u32, 2 * place as u32 + 1, 2 * place as u32);
    }

    /// An operation happened to it.
    fn note(&mut self, kind: u8, op: u32, call: u32, ret: u32) {
        self.present_from = self.present_from.min(ret);
        self.present_until = self.present_until.max(call);
        if kind == ADD {
            (self.add, self.add_call) = (op, call);
            return;
        }
        self.front_by = self.front_by.min(ret);
        if kind == REMOVE {
            (self.remove, self.remove_return) = (op, self.remove_return.min(ret)); // at most the end
        }
    }

    /// Was it never added, or seen before it was in or when it was out?
    fn is_impossible(&self) -> bool {
        self.add_call == NONE || self.add_call > self.present_from || self.remove_return < self.present_until
    }

    /// Everything was noted: what was not removed leaves behind all events.
    fn finish(&mut self, end: u32) {
        if self.remove == NONE {
            self.present_until = end;
        }
    }
}

/// The intervals of all values. Operations are places in the part, values are numbered as they are met.
#[derive(Clone)]
pub(super) struct ValueIntervals {
    /// The slot behind all events.
    pub end: u32,
    /// The call and the return of each operation.
    pub call: Vec<u32>,
    pub ret: Vec<u32>,
    /// By the number of the value.
    pub values: Vec<Interval>,
    /// The peeks of value v, by their calls: `peeks[peeks_from[v]..peeks_from[v + 1]]`.
    pub peeks: Vec<u32>,
    peeks_from: Vec<u32>,
    /// Operations that found nothing.
    pub empties: Vec<u32>,
    /// Pending removes of unknown result, by their calls. They are in no interval, unless [taken](Self::take).
    pub hidden: Vec<u32>,
    /// How many values are there from the start: the first ones.
    initial: usize,
}

pub(super) const ADD: u8 = 0;
pub(super) const REMOVE: u8 = 1;
pub(super) const PEEK: u8 = 2;
const LEFT_OUT: u8 = 3;

/// What each operation of a container does. Operations are places in the part.
#[derive(Clone)]
pub(super) struct Operations {
    /// The slot behind all events.
    pub end: u32,
    /// The call and the return of each operation.
    pub call: Vec<u32>,
    pub ret: Vec<u32>,
    /// Whether it adds, removes or sees a value; or is left out.
    pub kind: Vec<u8>,
    /// What the specification calls that value.
    pub name: Vec<u32>,
    /// Those that found nothing, and pending removes of unknown result.
    pub empties: Vec<u32>,
    pub hidden: Vec<u32>,
    /// The names of what is there from the start.
    pub contents: Vec<u32>,
}

impl Operations {
    pub fn of(part: &Part, meter: &mut Meter<'_>) -> Decided<Operations> {
        let contents = part.spec.contents();
        let n = part.ops.len();
        meter.hold(n * 13)?; // two ranks, a kind and a value of each operation
        let before = 2 * contents.len() as u32; // the ranks of what happened before the first event
        let (call, ret) = ranks(part, before);
        let (mut empties, mut hidden) = (Vec::new(), Vec::new());
        let (mut kind, mut names) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for (op, &code) in part.codes.iter().enumerate() {
            meter.tick()?;
            let (what, name) = match (part.spec.role(code), ret[op] == NEVER) {
                (Role::Add(name), _) => (ADD, name),
                (Role::Remove(name), false) => (REMOVE, name),
                (Role::Peek(name), false) => (PEEK, name),
                (role, pending) => {
                    match (role, pending) {
                        (Role::Empty, false) => empties.push(op as u32),
                        (Role::RemoveUnknown, true) => hidden.push(op as u32),
                        (Role::Empty | Role::Peek(_) | Role::Nothing, true) => {}
                        _ => return Err(declined("it has an operation that is neither add, remove nor peek")),
                    }
                    (LEFT_OUT, 0)
                }
            };
            kind.push(what);
            names.push(name);
        }
        let end = part.events.len() as u32 + before;
        Ok(Operations { end, call, ret, kind, name: names, empties, hidden, contents })
    }
}

impl ValueIntervals {
    /// Gathers the intervals of a part, or decides it.
    pub fn gather(part: &Part, meter: &mut Meter<'_>) -> Decided<ValueIntervals> {
        let intervals = meter.releasing(|meter| {
            let mut operations = Operations::of(part, meter)?;
            let values = number(&mut operations, meter)?;
            Self::of(operations, values, meter)
        })?;
        meter.hold(intervals.bytes())?;
        match intervals.values.iter().position(Interval::is_impossible) {
            Some(v) => Err(intervals.violation(intervals.bounds_of(v))),
            None => Ok(intervals),
        }
    }

    /// The intervals of copies that are told apart: `copy` says which one each operation is about. What is there from the start has the
    /// first numbers.
    pub fn of_copies(operations: Operations, copy: Vec<u32>, meter: &mut Meter<'_>) -> Decided<ValueIntervals> {
        let count = operations.contents.len() + operations.kind.iter().filter(|&&kind| kind == ADD).count();
        let mut values = vec![Interval::new(0, operations.end); count];
        operations.contents.iter().zip(&mut values).for_each(|(&name, value)| value.name = name);
        for (op, &name) in operations.name.iter().enumerate().filter(|(op, _)| operations.kind[*op] != LEFT_OUT) {
            values[copy[op] as usize].name = name;
        }
        let intervals = meter.releasing(|meter| Self::of(Operations { name: copy, ..operations }, values, meter))?;
        meter.hold(intervals.bytes())?;
        match intervals.values.iter().any(Interval::is_impossible) {
            true => Err(declined("values repeat, and a peek was matched with a copy that it cannot have seen")),
            false => Ok(intervals),
        }
    }

    pub fn bytes(&self) -> usize {
        let columns = [&self.call, &self.ret, &self.peeks, &self.peeks_from, &self.empties, &self.hidden];
        columns.iter().map(|column| column.capacity() * 4).sum::<usize>()
            + self.values.capacity() * size_of::<Interval>()
    }

    /// The intervals, which need not be possible: `operations` have numbers of values for names.
    fn of(operations: Operations, values: Vec<Interval>, meter: &mut Meter<'_>) -> Decided<ValueIntervals> {
        let Operations { end, call, ret, kind, name, empties, hidden, contents } = operations;
        let (peeks, peeks_from, initial) = (Vec::new(), Vec::new(), contents.len());
        let mut intervals = ValueIntervals { end, call, ret, values, peeks, peeks_from, empties, hidden, initial };
        intervals.fill(&kind, &name, meter)?;
        Ok(intervals)
    }

    /// What each operation does to which value.
    fn fill(&mut self, kind: &[u8], value: &[u32], meter: &mut Meter<'_>) -> Decided<()> {
        (0..self.initial).for_each(|v| self.values[v].set_initial(v));
        let mut removed_twice = None;
        let mut counts = vec![0u32; if kind.contains(&PEEK) { self.len() + 1 } else { 0 }];
        for (op, &kind) in kind.iter().enumerate().filter(|(_, kind)| **kind != LEFT_OUT) {
            meter.tick()?;
            let v = value[op] as usize;
            let interval = &mut self.values[v];
            match kind {
                ADD if interval.add_call != NONE => return Err(declined("a value is added more than once")),
                REMOVE if interval.remove != NONE => _ = removed_twice.get_or_insert((interval.remove, op as u32, v)),
                PEEK => counts[v + 1] += 1,
                _ => {}
            }
            interval.note(kind, op as u32, self.call[op], self.ret[op]);
        }
        self.values.iter_mut().for_each(|interval| interval.finish(self.end));
        if let Some((first, second, v)) = removed_twice {
            let add = Some(self.values[v].add).filter(|&add| add != NONE);
            return Err(self.violation([first, second].into_iter().chain(add).collect()));
        }
        for v in 1..counts.len() {
            counts[v] += counts[v - 1];
        }
        self.peeks_from = counts.clone();
        self.peeks = vec![0; counts.last().map_or(0, |&count| count as usize)];
        meter.hold(self.peeks.len() * 4 + counts.len() * 8)?;
        if !self.peeks.is_empty() {
            for op in (0..kind.len()).filter(|&op| kind[op] == PEEK) {
                let place = &mut counts[value[op] as usize];
                self.peeks[*place as usize] = op as u32;
                *place += 1;
            }
        }
        Ok(())
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// How many values are there from the start: the first ones.
    pub fn initial(&self) -> usize {
        self.initial
    }

    /// Where the peeks of v stand in `peeks`.
    pub fn places_of_peeks(&self, v: usize) -> std::ops::Range<usize> {
        if self.peeks.is_empty() {
            return 0..0;
        }
        self.peeks_from[v] as usize..self.peeks_from[v + 1] as usize
    }

    pub fn peeks_of(&self, v: usize) -> &[u32] {
        &self.peeks[self.places_of_peeks(v)]
    }

    /// The slots of a peek of value v, both ends included: not before the add's call, not behind the remove's return.
    pub fn slots_of_peek(&self, v: usize, peek: u32) -> (u32, u32) {
        let (call, ret) = (self.call[peek as usize], self.ret[peek as usize]);
        (call.max(self.values[v].add_call), ret.min(self.values[v].remove_return) - 1)
    }

    /// Is the value inside for certain somewhere? (Otherwise all of its operations share a slot.)
    pub fn has_presence(&self, v: usize) -> bool {
        self.values[v].present_from < self.values[v].present_until
    }

    /// Is it a pending add whose value no operation saw?
    pub fn is_unseen(&self, v: usize) -> bool {
        self.values[v].present_from > self.end
    }

    /// The operations that tell when v was certainly inside: its add, its remove, and of the peeks at most two.
    pub fn bounds_of(&self, v: usize) -> Vec<u32> {
        let interval = self.values[v];
        let tells = |&peek: &u32| {
            self.ret[peek as usize] == interval.present_from || self.call[peek as usize] == interval.present_until
        };
        let peeks = self.peeks_of(v).iter().copied().filter(tells);
        [interval.add, interval.remove].into_iter().filter(|&op| op != NONE).chain(peeks).collect()
    }

    /// The same, and what tells when v was in front.
    pub fn front_bounds_of(&self, v: usize) -> Vec<u32> {
        let mut story = self.bounds_of(v);
        let in_front = |&&peek: &&u32| self.ret[peek as usize] == self.values[v].front_by;
        story.extend(self.peeks_of(v).iter().find(in_front));
        story
    }

    /// A violation of these operations, whatever pending removes did.
    pub fn violation(&self, mut conflict: Vec<u32>) -> Decision {
        // What is there from the start is there in the conflict too, so the conflict has to say when it went.
        conflict.extend((0..self.initial).flat_map(|v| self.bounds_of(v)));
        Decision::Violation(conflict)
    }

    /// The values that no operation is known to have removed, though one saw them or knows them to be in.
    pub fn left_inside(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&v| self.values[v].remove == NONE && !self.is_unseen(v))
    }

    /// Value v, which is not removed, is taken by a hidden remove: some time after its call, or never if that is soon enough.
    pub fn take(&mut self, v: usize, hidden: u32) {
        let seen = self.peeks_of(v).iter().map(|&peek| self.call[peek as usize]).max().unwrap_or(0);
        let interval = &mut self.values[v];
        interval.present_until = interval.add_call.max(seen);
        interval.note(REMOVE, hidden, self.call[hidden as usize], NEVER);
    }
}

/// Numbers the values: names become numbers. Gives an interval to each.
fn number(operations: &mut Operations, meter: &mut Meter<'_>) -> Decided<Vec<Interval>> {
    let Operations { end, kind, name, contents, .. } = operations;
    let largest = name.iter().chain(&*contents).copied().max().unwrap_or(0);
    let mut numbering = Numbering::new(name.len(), largest);
    meter.hold(numbering.bytes() + name.len() / 2 * size_of::<Interval>())?;
    let mut values: Vec<Interval> = Vec::with_capacity(name.len() / 2);
    for &name in &*contents {
        numbering.of(name);
        values.push(Interval::new(name, *end));
    }
    if numbering.len() < contents.len() {
        return Err(declined("it begins with a value twice"));
    }
    for (value, _) in name.iter_mut().zip(kind).filter(|(_, kind)| **kind != LEFT_OUT) {
        meter.tick()?;
        let name = std::mem::replace(value, numbering.of(*value));
        if *value as usize == values.len() {
            values.push(Interval::new(name, *end));
        }
    }
    Ok(values)
}
