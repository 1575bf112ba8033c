//! When is each value certainly inside? What the monitors of containers share.
//!
//! Preprocessing after Lee & Mathur, *Efficient Decrease-and-Conquer Linearizability Monitoring*
//! (2025), and Abdulla et al., *Efficient Linearizability Monitoring* (2025). The life of a value is its add, its peeks and its
//! remove. With `in_by` the first return and `out_from` the last call of them all, the value is inside from
//! `in_by` to `out_from` whatever the order, if `in_by < out_from`: its *presence*.
//!
//! ```text
//!   rank       0  1  2  3  4  5
//!   add 7      |--------|             born 0
//!   peek → 7      |--|                in_by 2: the add has taken effect before its own return
//!   remove → 7             |--|       out_from 4: it is inside in the slots 2 and 3
//! ```
//!
//! Slot s lies between the ranks s and s + 1. A value that is never removed is removed in slot `end`, behind all events; so is a
//! pending add that nobody saw added there, where it harms nobody. Elements from the start are added before
//! rank 0. Pending peeks and pending removes of unknown result are left out: with them in, nothing that is
//! linearizable without them becomes a violation. O(n).

mod excerpt;

use super::{Decided, Decision, Meter, NEVER, NONE, Numbering, declined, ranks};
use linpoint_spec::{Part, Role};

/// The life of one value. Half a cache line, for monitors take values in orders of their own.
#[derive(Clone, Copy)]
pub(super) struct Life {
    /// Its add, [`NONE`] if it is there from the start.
    pub add: u32,
    /// Its remove, [`NONE`] if there is none.
    pub remove: u32,
    /// The call of the add; [`NONE`] if nobody added it.
    pub born: u32,
    /// The first return of its operations: it is in by then.
    pub in_by: u32,
    /// The last call of its operations: it is not out before.
    pub out_from: u32,
    /// The first return of its peeks and its remove: it was in front by then.
    pub front_by: u32,
    /// The return of its remove.
    pub gone_by: u32,
    /// What the specification calls it.
    pub name: u32,
}

impl Life {
    /// The life of a value that nothing happened to yet, in a history that ends at `end`.
    fn new(name: u32, end: u32) -> Life {
        let last = end + 1;
        Life { add: NONE, remove: NONE, born: NONE, in_by: last, out_from: 0, front_by: last, gone_by: last, name }
    }

    /// It is there from the start, the `place`-th of those.
    fn found(&mut self, place: usize) {
        (self.born, self.in_by, self.out_from) = (2 * place as u32, 2 * place as u32 + 1, 2 * place as u32);
    }

    /// An operation happened to it.
    fn note(&mut self, kind: u8, op: u32, call: u32, ret: u32) {
        self.in_by = self.in_by.min(ret);
        self.out_from = self.out_from.max(call);
        if kind == ADD {
            (self.add, self.born) = (op, call);
            return;
        }
        self.front_by = self.front_by.min(ret);
        if kind == REMOVE {
            (self.remove, self.gone_by) = (op, ret);
        }
    }

    /// Everything was noted: what was not removed leaves behind all events.
    fn finish(&mut self, end: u32) {
        if self.remove == NONE {
            self.out_from = end;
        }
    }
}

/// The lives of all values. Operations are places in the part, values are numbered as they are met.
pub(super) struct Lives {
    /// The slot behind all events.
    pub end: u32,
    /// The call and the return of each operation.
    pub call: Vec<u32>,
    pub ret: Vec<u32>,
    /// By the number of the value.
    pub life: Vec<Life>,
    /// The peeks of value v, by their calls: `peeks[peeks_from[v]..peeks_from[v + 1]]`.
    pub peeks: Vec<u32>,
    peeks_from: Vec<u32>,
    /// Operations that found nothing.
    pub empties: Vec<u32>,
    /// Are there pending removes of unknown result?
    hidden: bool,
    /// How many values are there from the start: the first ones.
    founders: usize,
}

const ADD: u8 = 0;
const REMOVE: u8 = 1;
const PEEK: u8 = 2;
const LEFT_OUT: u8 = 3;

impl Lives {
    /// Gathers the lives of a part, or decides it.
    pub fn of(part: &Part, meter: &mut Meter<'_>) -> Decided<Lives> {
        let contents = part.spec.contents();
        let n = part.ops.len();
        meter.hold(n * 50)?;
        let before = 2 * contents.len() as u32; // the ranks of what happened before the first event
        let (call, ret) = ranks(part, before);
        let (mut empties, mut hidden) = (Vec::new(), false);
        let (mut kind, mut value) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for (op, &code) in part.codes.iter().enumerate() {
            meter.beat()?;
            let (what, name) = match (part.spec.role(code), ret[op] == NEVER) {
                (Role::Add(name), _) => (ADD, name),
                (Role::Remove(name), false) => (REMOVE, name),
                (Role::Peek(name), false) => (PEEK, name),
                (role, pending) => {
                    match (role, pending) {
                        (Role::Empty, false) => empties.push(op as u32),
                        (Role::RemoveUnknown, true) => hidden = true,
                        (Role::Empty | Role::Peek(_) | Role::Nothing, true) => {}
                        _ => return Err(declined("it has an operation that is neither add, remove nor peek")),
                    }
                    (LEFT_OUT, 0)
                }
            };
            kind.push(what);
            value.push(name);
        }
        let end = part.events.len() as u32 + before;
        let (peeks, peeks_from, founders) = (Vec::new(), Vec::new(), contents.len());
        let life = number(&contents, &kind, &mut value, end, meter)?;
        let mut lives = Lives { end, call, ret, life, peeks, peeks_from, empties, hidden, founders };
        lives.fill(&kind, &value, meter)?;
        let impossible = |life: &Life| life.born == NONE || life.born > life.in_by || life.gone_by < life.out_from;
        match lives.life.iter().position(impossible) {
            Some(v) => Err(lives.violation(lives.story(v))),
            None => Ok(lives),
        }
    }

    /// What each operation does to which value.
    fn fill(&mut self, kind: &[u8], value: &[u32], meter: &mut Meter<'_>) -> Decided<()> {
        (0..self.founders).for_each(|v| self.life[v].found(v));
        let mut removed_twice = None;
        let mut counts = vec![0u32; if kind.contains(&PEEK) { self.len() + 1 } else { 0 }];
        for (op, &kind) in kind.iter().enumerate().filter(|(_, kind)| **kind != LEFT_OUT) {
            meter.beat()?;
            let v = value[op] as usize;
            let life = &mut self.life[v];
            match kind {
                ADD if life.born != NONE => return Err(declined("a value is added more than once")),
                REMOVE if life.remove != NONE => _ = removed_twice.get_or_insert((life.remove, op as u32, v)),
                PEEK => counts[v + 1] += 1,
                _ => {}
            }
            life.note(kind, op as u32, self.call[op], self.ret[op]);
        }
        self.life.iter_mut().for_each(|life| life.finish(self.end));
        if let Some((first, second, v)) = removed_twice {
            let add = Some(self.life[v].add).filter(|&add| add != NONE);
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
        self.life.len()
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
        (call.max(self.life[v].born), ret.min(self.life[v].gone_by) - 1)
    }

    /// Is the value inside for certain somewhere? (Otherwise all of its operations share a slot.)
    pub fn has_presence(&self, v: usize) -> bool {
        self.life[v].in_by < self.life[v].out_from
    }

    /// Is it a pending add that nobody saw?
    pub fn is_unseen(&self, v: usize) -> bool {
        self.life[v].in_by > self.end
    }

    /// The operations that tell when v was certainly inside: its add, its remove, and of the peeks at most two.
    pub fn story(&self, v: usize) -> Vec<u32> {
        let life = self.life[v];
        let tells = |&peek: &u32| self.ret[peek as usize] == life.in_by || self.call[peek as usize] == life.out_from;
        let peeks = self.peeks_of(v).iter().copied().filter(tells);
        [life.add, life.remove].into_iter().filter(|&op| op != NONE).chain(peeks).collect()
    }

    /// The same, and what tells when v was in front.
    pub fn front_story(&self, v: usize) -> Vec<u32> {
        let mut story = self.story(v);
        let in_front = |&&peek: &&u32| self.ret[peek as usize] == self.life[v].front_by;
        story.extend(self.peeks_of(v).iter().find(in_front));
        story
    }

    /// A violation of these operations, whatever pending removes did.
    pub fn violation(&self, mut core: Vec<u32>) -> Decision {
        // What is there from the start is there in the core too, so the core has to say when it went.
        core.extend((0..self.founders).flat_map(|v| self.story(v)));
        Decision::Violation(core)
    }

    /// What `check` answers, unless a pending remove may explain the violation it finds. A pending remove
    /// took nothing that another one did: a violation of the values that are removed stands.
    pub fn judge<T>(&self, meter: &mut Meter<'_>, check: impl Fn(&Lives, &mut Meter<'_>) -> Decided<T>) -> Decided<T> {
        match check(self, meter) {
            Err(Decision::Violation(_)) if self.hidden => {
                meter.hold(self.call.len() * 50)?;
                let removed: Vec<u32> =
                    (0..self.len() as u32).filter(|&v| self.life[v as usize].remove != NONE).collect();
                let (removed, origin) = self.only(&removed, true);
                match check(&removed, meter) {
                    Ok(_) => {
                        Err(declined("a pending remove of unknown result may explain what looks like a violation"))
                    }
                    Err(Decision::Violation(core)) => {
                        Err(self.violation(core.iter().map(|&op| origin[op as usize]).collect()))
                    }
                    Err(other) => Err(other),
                }
            }
            answer => answer,
        }
    }
}

/// Numbers the values: `value` holds names before, numbers after. Gives a life to each.
fn number(contents: &[u32], kind: &[u8], value: &mut [u32], end: u32, meter: &mut Meter<'_>) -> Decided<Vec<Life>> {
    let largest = value.iter().chain(contents).copied().max().unwrap_or(0);
    let mut numbering = Numbering::new(value.len(), largest);
    let mut life: Vec<Life> = Vec::with_capacity(value.len() / 2);
    for &name in contents {
        numbering.of(name);
        life.push(Life::new(name, end));
    }
    if numbering.len() < contents.len() {
        return Err(declined("it begins with a value twice"));
    }
    for (value, _) in value.iter_mut().zip(kind).filter(|(_, kind)| **kind != LEFT_OUT) {
        meter.beat()?;
        let name = std::mem::replace(value, numbering.of(*value));
        if *value as usize == life.len() {
            life.push(Life::new(name, end));
        }
    }
    meter.hold(life.len() * size_of::<Life>())?;
    Ok(life)
}
