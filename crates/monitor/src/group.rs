//! Which cells are judged together, and what is known of them?
//!
//! Every key is a group of its own until an operation spans several (a transaction) or all of them (the size of a set): then their
//! groups become one, for good, and what they may hold is every combination.

use crate::asleep::Asleep;
use hashbrown::HashMap;
use linpoint_base::{Cause, Hashing};
use linpoint_history::ValueId;
use linpoint_spec::{Held, Reach};

/// A configuration to go on from.
#[derive(Debug)]
pub struct Carry {
    /// What each cell holds, in the order of the group's keys; None if nothing happened to it yet.
    pub held: Vec<Option<Held>>,
    /// Open operations that have taken effect.
    pub done: Vec<u32>,
}

impl Clone for Carry {
    fn clone(&self) -> Carry {
        Carry { held: self.held.clone(), done: self.done.clone() }
    }

    fn clone_from(&mut self, other: &Carry) {
        self.held.clone_from(&other.held);
        self.done.clone_from(&other.done);
    }
}

/// A call or a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number in the stream.
    pub number: u64,
    /// The operation, by its place among those remembered.
    pub op: u32,
    /// Is it the return?
    pub is_return: bool,
}

/// Cells that are judged together.
#[derive(Debug)]
pub struct Group {
    pub keys: Vec<ValueId>,
    pub carries: Vec<Carry>,
    /// The calls of operations that were open at the cut, and everything since, in the order of the stream.
    pub events: Vec<Event>,
    /// Why not everything of it was judged, and from which event on.
    pub lost: Option<(u64, Cause)>,
    /// If nothing is known of it at the moment: of operations that ended until this event not even that they were there.
    pub blind: Option<u64>,
    /// The event at which it was last known again (`restart`).
    pub again: Option<u64>,
    /// The event of the last violation that was told of it; 0 if there was none.
    pub told: u64,
    /// Has it changed since it was judged?
    pub dirty: bool,
    /// Was anything of it forgotten but for the configurations?
    pub cut: bool,
    /// Were values of it forgotten that were through?
    pub forgot: bool,
    /// Were crashed ones among their operations? What those did is told by others that are forgotten.
    pub forgot_crashed: bool,
    /// Was it last judged from intervals?
    pub matched: bool,
}

impl Group {
    fn new(key: Option<ValueId>) -> Group {
        let carry = Carry { held: vec![None; usize::from(key.is_some())], done: Vec::new() };
        let keys = key.into_iter().collect();
        Group {
            keys,
            carries: vec![carry],
            events: Vec::new(),
            lost: None,
            blind: None,
            again: None,
            told: 0,
            dirty: false,
            cut: false,
            forgot: false,
            forgot_crashed: false,
            matched: false,
        }
    }

    fn add_key(&mut self, key: ValueId) {
        self.keys.push(key);
        self.carries.iter_mut().for_each(|carry| carry.held.push(None));
    }

    /// Where its operations are kept, as often as it says so.
    fn places(&mut self) -> impl Iterator<Item = &mut u32> {
        let events = self.events.iter_mut().map(|event| &mut event.op);
        events.chain(self.carries.iter_mut().flat_map(|carry| &mut carry.done))
    }

    /// Bytes that it takes, roughly.
    pub fn bytes(&self) -> usize {
        let carry = |carry: &Carry| {
            carry.held.iter().flatten().map(Held::bytes).sum::<usize>() + 4 * carry.done.len() + size_of::<Carry>()
        };
        self.carries.iter().map(carry).sum::<usize>()
            + self.events.capacity() * size_of::<Event>()
            + 4 * self.keys.len()
            + size_of::<Group>()
    }
}

/// How many combinations of what two groups may hold are followed.
const MOST_COMBINATIONS: usize = 1 << 18;

/// All groups.
#[derive(Default)]
pub struct Groups {
    pub list: Vec<Group>,
    free: Vec<u32>,
    of_key: HashMap<ValueId, u32, Hashing>,
    /// The group of all cells, once an operation has asked for all of them.
    pub whole: Option<u32>,
    /// Groups that have changed since they were judged.
    pub dirty: Vec<u32>,
    /// What is not looked at.
    pub asleep: Asleep,
}

impl Groups {
    /// The group of an operation about these cells.
    pub fn find(&mut self, reach: &Reach, number: u64) -> u32 {
        match reach {
            Reach::Cell(key) => self.of_cell(*key),
            Reach::Cells(keys) => {
                let mut group = self.of_cell(keys[0]);
                for key in &keys[1..] {
                    let other = self.of_cell(*key);
                    group = self.join(group, other, number);
                }
                group
            }
            Reach::All => self.all(number),
        }
    }

    /// The group of this cell, or of all cells; None if there is none yet.
    pub fn of(&self, cell: Option<ValueId>) -> Option<u32> {
        cell.map_or(self.whole, |key| self.of_key.get(&key).copied())
    }

    fn of_cell(&mut self, key: ValueId) -> u32 {
        if let Some(&group) = self.of_key.get(&key) {
            return group;
        }
        let group = match self.whole {
            Some(whole) => {
                self.list[whole as usize].add_key(key);
                whole
            }
            None => self.add(Group::new(Some(key))),
        };
        self.of_key.insert(key, group);
        group
    }

    fn add(&mut self, group: Group) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.list[place as usize] = group;
                place
            }
            None => {
                self.list.push(group);
                self.list.len() as u32 - 1
            }
        }
    }

    fn all(&mut self, number: u64) -> u32 {
        if let Some(whole) = self.whole {
            return whole;
        }
        let mut others: Vec<u32> = self.of_key.values().copied().collect();
        others.sort_unstable();
        others.dedup();
        let mut whole = self.add(Group::new(None));
        for group in others {
            whole = self.join(whole, group, number);
        }
        self.whole = Some(whole);
        whole
    }

    /// Makes one group of two.
    fn join(&mut self, a: u32, b: u32, number: u64) -> u32 {
        if a == b {
            return a;
        }
        self.wake_all(a);
        self.wake_all(b);
        let empty = Group { carries: Vec::new(), ..Group::new(None) };
        let other = std::mem::replace(&mut self.list[b as usize], empty);
        self.free.push(b);
        self.dirty.retain(|&group| group != b);
        other.keys.iter().for_each(|key| _ = self.of_key.insert(*key, a));
        if other.dirty {
            self.touch(a);
        }
        let group = &mut self.list[a as usize];
        group.events.extend(other.events);
        group.events.sort_unstable_by_key(|event| event.number);
        group.keys.extend(other.keys);
        group.cut |= other.cut;
        group.forgot |= other.forgot;
        group.forgot_crashed |= other.forgot_crashed;
        if group.lost.as_ref().is_none_or(|lost| other.lost.as_ref().is_some_and(|also| also.0 < lost.0)) {
            group.lost = other.lost.or(group.lost.take());
        }
        group.blind = group.blind.max(other.blind);
        group.again = group.again.max(other.again);
        group.told = group.told.max(other.told);
        if group.carries.len().saturating_mul(other.carries.len()) > MOST_COMBINATIONS {
            group.blind = Some(number);
            group.lost.get_or_insert((number, Cause::Memory));
        }
        if group.blind.is_some() {
            group.carries.clear();
            return a;
        }
        let join = |a: &Carry, b: &Carry| Carry {
            held: a.held.iter().chain(&b.held).cloned().collect(),
            done: a.done.iter().chain(&b.done).copied().collect(),
        };
        group.carries = group.carries.iter().flat_map(|a| other.carries.iter().map(move |b| join(a, b))).collect();
        a
    }

    /// Wakes what is asleep of a value.
    pub fn wake(&mut self, group: u32, value: ValueId) {
        if self.asleep.len() == 0 {
            return;
        }
        if let Some(event) = self.asleep.wake(group, value) {
            let events = &mut self.list[group as usize].events;
            let place = events.partition_point(|other| other.number < event.number);
            events.insert(place, event);
        }
    }

    /// Wakes all that is asleep.
    pub fn wake_all(&mut self, group: u32) {
        let events = &mut self.list[group as usize].events;
        events.extend(self.asleep.wake_all(group));
        events.sort_unstable_by_key(|event| event.number);
    }

    /// Puts these calls of removes asleep, which are in order, and later than those that are asleep already.
    pub fn put_removes_to_sleep(&mut self, group: u32, calls: &[u64]) {
        let events = &mut self.list[group as usize].events;
        let sleeps = |event: &Event| calls.binary_search(&event.number).is_ok();
        self.asleep.put_removes(group, events.iter().filter(|event| sleeps(event)).copied());
        events.retain(|event| !sleeps(event));
    }

    /// The events of a group, those asleep among them, in their order.
    pub fn every_event(&self, group: u32) -> Vec<Event> {
        let mut events: Vec<Event> =
            self.list[group as usize].events.iter().chain(self.asleep.of(group)).copied().collect();
        events.sort_unstable_by_key(|event| event.number);
        events
    }

    /// All events that are kept, in no order.
    pub fn kept(&self) -> impl Iterator<Item = &Event> {
        self.list.iter().flat_map(|group| &group.events).chain(self.asleep.iter())
    }

    /// Where operations are kept, as often as anything says so.
    pub fn places(&mut self) -> impl Iterator<Item = &mut u32> {
        let asleep = self.asleep.iter_mut().map(|event| &mut event.op);
        self.list.iter_mut().flat_map(Group::places).chain(asleep)
    }

    /// Notes that a group has changed.
    pub fn touch(&mut self, group: u32) {
        let changed = &mut self.list[group as usize];
        if !changed.dirty {
            changed.dirty = true;
            self.dirty.push(group);
        }
    }

    /// The cells of a group as its specification has them. What is kept stays where it is: strewn about between what is freed soon, a few bytes would
    /// keep a page each.
    pub fn settle(&mut self, group: u32, keys: &[ValueId], carries: &[Carry]) {
        keys.iter().for_each(|key| _ = self.of_key.insert(*key, group));
        let settled = &mut self.list[group as usize];
        keys.clone_into(&mut settled.keys);
        carries.clone_into(&mut settled.carries);
    }

    /// Names the keys anew.
    pub fn rename(&mut self, rename: impl Fn(&mut ValueId)) {
        let named = |(mut key, group)| (rename(&mut key), (key, group)).1;
        self.of_key = std::mem::take(&mut self.of_key).into_iter().map(named).collect();
        self.asleep.rename(&rename);
        for group in &mut self.list {
            group.keys.iter_mut().for_each(&rename);
            let held = group.carries.iter_mut().flat_map(|carry| carry.held.iter_mut().flatten());
            held.for_each(|held| held.values_mut().iter_mut().for_each(&rename));
        }
    }

    /// The places of the groups that there are.
    pub fn used(&self) -> Vec<u32> {
        let mut used = vec![true; self.list.len()];
        self.free.iter().for_each(|&place| used[place as usize] = false);
        (0..self.list.len() as u32).filter(|&place| used[place as usize]).collect()
    }

    /// These groups, and no others.
    pub fn put(&mut self, groups: Vec<Group>, whole: Option<u32>) {
        let keys = (0..).zip(&groups).flat_map(|(place, group)| group.keys.iter().map(move |&key| (key, place)));
        self.of_key = keys.collect();
        self.dirty = (0..).zip(&groups).filter(|(_, group)| group.dirty).map(|(place, _)| place).collect();
        (self.list, self.free, self.whole, self.asleep) = (groups, Vec::new(), whole, Asleep::default());
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.list.len() - self.free.len()
    }
}
