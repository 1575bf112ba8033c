//! Which crashed operations need not be looked at, and what wakes them?
//!
//! They become ever more, of ever more groups, so those of all groups are in one list, in order, and take no memory but that: a list for each group would be
//! strewn about between what is freed soon, and keep a page of memory from being given back. To find one costs O(log n); to add or to wake one moves those behind it,
//! which a thousand operations for each crash pay for.

use crate::group::Event;
use crate::places::make_room;
use linpoint_history::ValueId;
use std::ops::Range;

/// The calls of those that sleep, each with its group.
#[derive(Default)]
pub struct Asleep {
    /// Adds and writes that crashed and whose values nothing saw, in the order of groups and values: they need not have taken effect, until
    /// an operation names the value.
    unseen: Vec<(u32, ValueId, Event)>,
    /// Removes that crashed long ago, in the order of groups and events: the first of all that crashed. They are not needed as long as everything is explained without them.
    removes: Vec<(u32, Event)>,
}

impl Asleep {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.unseen.len() + self.removes.len()
    }

    /// An operation that adds or writes this value falls asleep.
    pub fn put(&mut self, group: u32, value: ValueId, call: Event) {
        let place = self.unseen.partition_point(|sleeper| (sleeper.0, sleeper.1) < (group, value));
        make_room(&mut self.unseen, 1);
        self.unseen.insert(place, (group, value, call));
    }

    /// Removes of a group fall asleep: in order, and later than those that sleep already.
    pub fn put_removes(&mut self, group: u32, calls: impl Iterator<Item = Event>) {
        let end = self.removes_of(group).end;
        self.removes.splice(end..end, calls.map(|call| (group, call)));
    }

    /// Wakes the one of a value.
    pub fn wake(&mut self, group: u32, value: ValueId) -> Option<Event> {
        let place = self.unseen.binary_search_by_key(&(group, value), |sleeper| (sleeper.0, sleeper.1)).ok()?;
        Some(self.unseen.remove(place).2)
    }

    /// Wakes all of a group.
    pub fn wake_all(&mut self, group: u32) -> Vec<Event> {
        let (unseen, removes) = (self.unseen_of(group), self.removes_of(group));
        let unseen = self.unseen.drain(unseen).map(|sleeper| sleeper.2);
        unseen.chain(self.removes.drain(removes).map(|sleeper| sleeper.1)).collect()
    }

    /// Those of a group.
    pub fn of(&self, group: u32) -> impl Iterator<Item = &Event> {
        let unseen = self.unseen[self.unseen_of(group)].iter().map(|sleeper| &sleeper.2);
        unseen.chain(self.removes[self.removes_of(group)].iter().map(|sleeper| &sleeper.1))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Event> {
        self.unseen.iter().map(|sleeper| &sleeper.2).chain(self.removes.iter().map(|sleeper| &sleeper.1))
    }

    /// All of them, to say where their operations are kept.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Event> {
        self.unseen
            .iter_mut()
            .map(|sleeper| &mut sleeper.2)
            .chain(self.removes.iter_mut().map(|sleeper| &mut sleeper.1))
    }

    /// Names the values anew.
    pub fn rename(&mut self, rename: impl Fn(&mut ValueId)) {
        self.unseen.iter_mut().for_each(|sleeper| rename(&mut sleeper.1));
        self.unseen.sort_unstable_by_key(|sleeper| (sleeper.0, sleeper.1));
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.unseen.capacity() * size_of::<(u32, ValueId, Event)>()
            + self.removes.capacity() * size_of::<(u32, Event)>()
    }

    fn unseen_of(&self, group: u32) -> Range<usize> {
        let from = self.unseen.partition_point(|sleeper| sleeper.0 < group);
        from..from + self.unseen[from..].partition_point(|sleeper| sleeper.0 == group)
    }

    fn removes_of(&self, group: u32) -> Range<usize> {
        let from = self.removes.partition_point(|sleeper| sleeper.0 < group);
        from..from + self.removes[from..].partition_point(|sleeper| sleeper.0 == group)
    }
}
