//! How does a monitor begin again after nothing was known? At an operation that tells what is held.
//!
//! A group that the budget was too small for need not stay unknown: a read that returned 7, a write of 7, a queue that was found empty tell the
//! state at the instant at which they took effect, whatever was before. The group goes on from that instant.
//!
//! ```text
//!   read → 7       |-----|             at one instant of it 7 was held
//!   write 8     |-----|                took effect before that, and is of no concern, or behind it, and then by its return
//!   write 9          |------…          the same
//!   read → 8                |---|      called behind it: judged as ever
//! ```
//!
//! The telling operation was called after everything had ended that is not remembered. Operations that overlap it are `maybe`: they may be left out, or take effect with the result that they recorded. Crashed ones may
//! take effect at any later time, as ever. So of every order that explains the whole stream, what comes behind the instant is among the orders that are searched
//! from there: a violation behind a restart is one of the stream. The reverse does not hold, for what was not judged may have been a
//! violation: the verdict stays UNKNOWN.
//!
//! Only objects of one cell tell: registers, entries of maps, elements of sets, mutexes; queues, stacks and priority queues that
//! begin empty, when they are empty again. Cost: one pass over what has gathered.

use crate::group::Carry;
use crate::monitor::Monitor;
use crate::window::{Op, Outcome, compiled};
use hashbrown::HashSet;
use linpoint_base::{Control, Hashing};
use linpoint_history::ValueId;
use linpoint_spec::{Held, Part, Role, State};

/// An operation that tells what is held, by its place among those remembered; the cells, and what they hold.
struct Told {
    op: u32,
    keys: Vec<ValueId>,
    held: Vec<Held>,
}

impl Monitor {
    /// From now on begins again where nothing is known any more.
    pub fn restart_when_lost(&mut self) {
        self.restarts = true;
    }

    /// Looks at a group of which nothing is known: begins again if an operation tells what it holds, or forgets what has ended.
    pub(crate) fn try_again(&mut self, group: u32, control: &Control) {
        let told = if self.restarts { self.told(group, control) } else { None };
        let events = &self.groups.list[group as usize].events;
        let before = told.as_ref().map_or(u64::MAX, |told| self.all[told.op as usize].call);
        let is_over = |op: &Op| match op.end.map(|end| (end.outcome, end.number)) {
            None | Some((Outcome::Info, _)) => false,
            Some((Outcome::Ok(_), number)) => number < before,
            Some((Outcome::Fail, _)) => true,
        };
        let over = |op: u32| is_over(&self.all[op as usize]) || told.as_ref().is_some_and(|told| told.op == op);
        let gone: HashSet<u32, Hashing> = events.iter().map(|event| event.op).filter(|&op| over(op)).collect();
        let known = &mut self.groups.list[group as usize];
        self.kept_events -= known.events.len() as u64;
        known.events.retain(|event| !gone.contains(&event.op));
        self.kept_events += known.events.len() as u64;
        known.blind = Some(self.events);
        if let Some(Told { op, keys, held }) = told {
            let until = self.all[op as usize].returned().expect("what tells has returned");
            for event in known.events.iter().filter(|event| !event.is_return && event.number < until) {
                self.all[event.op as usize].maybe = true;
            }
            (known.blind, known.cut, known.again) = (None, true, Some(until));
            let carry = Carry { held: held.into_iter().map(Some).collect(), done: Vec::new() };
            self.groups.settle(group, &keys, &[carry]);
            self.restarted += 1;
            self.groups.touch(group);
        }
        gone.into_iter().for_each(|op| self.forget(op));
    }

    /// The first operation of a group that returned and tells what is held.
    fn told(&mut self, group: u32, control: &Control) -> Option<Told> {
        let known = [(&self.groups.list[group as usize], u64::MAX)];
        let compiled = compiled(&self.all, &known, u64::MAX, &self.values, &mut *self.source, control);
        let (slice, parts) = compiled.ok()?;
        let part = parts.into_iter().find(|part| !part.events.is_empty())?;
        let blind = self.groups.list[group as usize].blind.unwrap_or(0);
        first(&part, |op| slice.op(&part, op, &self.all).call > blind).map(|(op, keys, held)| Told {
            op: slice.ops[part.ops[op] as usize],
            keys,
            held,
        })
    }
}

/// Of the operations that count, the first that returned and tells: its place, the cells and what they hold.
fn first(part: &Part, counts: impl Fn(usize) -> bool) -> Option<(usize, Vec<ValueId>, Vec<Held>)> {
    let mut spec = part.spec.fork();
    let returned = part.events.iter().filter(|event| event.is_return()).map(|event| event.op());
    for op in returned.filter(|&op| counts(op)) {
        let code = part.codes[op];
        let (before, after): (State, State) = match spec.role(code) {
            Role::Read(value) => (value.into(), value.into()),
            Role::Write(value) => (spec.initial().ok()?, value.into()),
            Role::Change(old, new) => (old.into(), new.into()),
            Role::Empty if spec.contents().is_empty() => (spec.initial().ok()?, spec.initial().ok()?),
            _ => continue,
        };
        let mut next = Vec::new();
        spec.step(before, code, &mut next).ok()?;
        if next == [after] {
            return Some((op, spec.cells().to_vec(), spec.hold(after).ok()?));
        }
    }
    None
}
