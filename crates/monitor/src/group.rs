//! Which cells are judged together, and what is known of them?
//!
//! Every key is a group of its own until an operation spans several (a transaction) or all of them (the size of a set): then their
//! groups become one, for good, and what they may hold is every combination.

use hashbrown::HashMap;
use linpoint_base::{Cause, Hashing};
use linpoint_history::ValueId;
use linpoint_spec::{Held, Reach};

/// A configuration to go on from.
#[derive(Clone, Debug)]
pub struct Carry {
    /// What each cell holds, in the order of the group's keys; None if nothing happened to it yet.
    pub held: Vec<Option<Held>>,
    /// Open operations that have taken effect.
    pub done: Vec<u32>,
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
    /// Calls of adds and writes that crashed and whose values nothing saw, by these values: they need not have taken effect, and are not looked at until
    /// an operation names the value.
    pub asleep: HashMap<ValueId, Event, Hashing>,
    /// Calls of removes that crashed long ago, in order: the first of all that crashed. They are not looked at as long as everything is explained without them.
    pub dormant: Vec<Event>,
    /// Why not everything of it was judged, and from which event on.
    pub lost: Option<(u64, Cause)>,
    /// If nothing is known of it at the moment: of operations that ended until this event not even that they were there.
    pub blind: Option<u64>,
    /// The event at which it was last known again (`restart`).
    pub again: Option<u64>,
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
            asleep: HashMap::default(),
            dormant: Vec::new(),
            lost: None,
            blind: None,
            again: None,
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

    /// All its events, those asleep among them.
    pub fn every_event(&self) -> Vec<Event> {
        let asleep = self.asleep.values().chain(&self.dormant);
        let mut events: Vec<Event> = self.events.iter().chain(asleep).copied().collect();
        events.sort_unstable_by_key(|event| event.number);
        events
    }

    /// How many events are asleep.
    pub fn sleepers(&self) -> usize {
        self.asleep.len() + self.dormant.len()
    }

    /// Wakes all that is asleep.
    fn wake_all(&mut self) {
        self.events = self.every_event();
        self.asleep.clear();
        self.dormant = Vec::new();
    }

    /// Bytes that it takes, roughly.
    pub fn bytes(&self) -> usize {
        let carry = |carry: &Carry| {
            carry.held.iter().flatten().map(Held::bytes).sum::<usize>() + 4 * carry.done.len() + size_of::<Carry>()
        };
        self.carries.iter().map(carry).sum::<usize>()
            + self.events.capacity() * size_of::<Event>()
            + self.asleep.allocation_size()
            + self.dormant.capacity() * size_of::<Event>()
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
    /// How many events are asleep.
    pub asleep: u64,
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
        let empty = Group { carries: Vec::new(), ..Group::new(None) };
        let other = std::mem::replace(&mut self.list[b as usize], empty);
        self.free.push(b);
        self.dirty.retain(|&group| group != b);
        other.keys.iter().for_each(|key| _ = self.of_key.insert(*key, a));
        if other.dirty {
            self.touch(a);
        }
        let group = &mut self.list[a as usize];
        self.asleep -= (group.sleepers() + other.sleepers()) as u64;
        group.events.extend(other.every_event());
        group.wake_all();
        group.keys.extend(other.keys);
        group.cut |= other.cut;
        group.forgot |= other.forgot;
        group.forgot_crashed |= other.forgot_crashed;
        if group.lost.as_ref().is_none_or(|lost| other.lost.as_ref().is_some_and(|also| also.0 < lost.0)) {
            group.lost = other.lost.or(group.lost.take());
        }
        group.blind = group.blind.max(other.blind);
        group.again = group.again.max(other.again);
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

    /// Puts the call of an operation asleep that adds or writes this value.
    pub fn put_to_sleep(&mut self, group: u32, value: ValueId, call: Event) {
        self.list[group as usize].asleep.insert(value, call);
        self.asleep += 1;
    }

    /// Wakes what is asleep of a value.
    pub fn wake(&mut self, group: u32, value: ValueId) {
        if self.asleep == 0 {
            return;
        }
        let group = &mut self.list[group as usize];
        if let Some(event) = group.asleep.remove(&value) {
            let place = group.events.partition_point(|other| other.number < event.number);
            group.events.insert(place, event);
            self.asleep -= 1;
        }
    }

    /// Wakes all that is asleep.
    pub fn wake_all(&mut self, group: u32) {
        let group = &mut self.list[group as usize];
        self.asleep -= group.sleepers() as u64;
        group.wake_all();
    }

    /// Puts these calls of removes asleep, which are in order, and later than those that are asleep already.
    pub fn put_removes_to_sleep(&mut self, group: u32, calls: &[u64]) {
        let group = &mut self.list[group as usize];
        let sleeps = |event: &Event| calls.binary_search(&event.number).is_ok();
        group.dormant.reserve_exact(calls.len());
        group.dormant.extend(group.events.iter().filter(|event| sleeps(event)));
        group.events.retain(|event| !sleeps(event));
        self.asleep += calls.len() as u64;
    }

    /// Notes that a group has changed.
    pub fn touch(&mut self, group: u32) {
        let changed = &mut self.list[group as usize];
        if !changed.dirty {
            changed.dirty = true;
            self.dirty.push(group);
        }
    }

    /// The cells of a group as its specification has them.
    pub fn settle(&mut self, group: u32, keys: &[ValueId], carries: Vec<Carry>) {
        keys.iter().for_each(|key| _ = self.of_key.insert(*key, group));
        let settled = &mut self.list[group as usize];
        settled.keys = keys.to_vec();
        settled.carries = carries;
    }

    /// Names the keys anew.
    pub fn rename(&mut self, rename: impl Fn(&mut ValueId)) {
        fn renamed<T>(rename: &impl Fn(&mut ValueId), (mut name, what): (ValueId, T)) -> (ValueId, T) {
            rename(&mut name);
            (name, what)
        }
        let old = std::mem::take(&mut self.of_key);
        self.of_key = old.into_iter().map(|entry| renamed(&rename, entry)).collect();
        for group in &mut self.list {
            group.keys.iter_mut().for_each(&rename);
            let asleep = std::mem::take(&mut group.asleep);
            group.asleep = asleep.into_iter().map(|entry| renamed(&rename, entry)).collect();
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
        (self.list, self.free, self.whole, self.asleep) = (groups, Vec::new(), whole, 0);
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.list.len() - self.free.len()
    }
}
