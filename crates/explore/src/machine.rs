//! What does one step of one thread do? It runs its first instruction, and then everything that no other thread can notice.
//!
//! A step that touches only registers, or nodes that nobody else can reach, commutes with every step of the others, so it is merged into the
//! step before: the state in between is branching bisimilar to the one after. Whether a node can be reached by others is looked up in the state itself
//! (is its reference anywhere outside of this thread's registers?), which is more exact than an analysis of the text and costs a
//! few nanoseconds. Nothing is allocated while a step runs.

use crate::choices::Choices;
use crate::fault::Fault;
use crate::heap::nodes_in;
use crate::layout::{FRAME_HEAD, Layout};
use crate::liveness::{Stop, stops};
use crate::program::{Access, Action, Binary, Exchange, Instruction, MOST_REGISTERS, Operand, Place, Program, written};
use crate::value::{FALSE, FIRST_NODE, MOST_NODES, NONE, TRUE, byte_of, is_truth, node, number, ordered, truth};

/// This bit of a kind says that the node was freed.
pub const FREED: u8 = 0x40;
/// Jumps backwards that one step may make: a thread that goes round in private is shown as one that goes round.
const MOST_ROUNDS: usize = 300;

/// Hears what an instruction at a position reads and writes; offsets are those of the state that is worked on.
pub trait Observer {
    /// A cell was read.
    fn read(&mut self, _position: u16, _offset: usize, _value: u8) {}
    /// A cell was written.
    fn wrote(&mut self, _position: u16, _offset: usize, _old: u8, _new: u8) {}
    /// A node was made.
    fn made(&mut self, _position: u16, _node: usize) {}
    /// A node was freed.
    fn freed(&mut self, _position: u16, _node: usize) {}
}

/// Nobody listens.
pub struct Nobody;
impl Observer for Nobody {}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The thread waits before this instruction.
    Stopped(u16),
    /// The call is about to return this.
    Returning(u8),
    /// The step is not possible now.
    Blocked,
    /// The instruction at this position failed.
    Failed(Fault, u16),
}

/// A state while a step works on it.
#[derive(Clone, Debug)]
pub struct Work {
    /// The state, with room for every node.
    pub bytes: Vec<u8>,
    /// Nodes in use, reachable or not.
    pub nodes: usize,
    /// The registers of the thread that takes the step.
    pub registers: [u8; MOST_REGISTERS],
}

/// Runs steps of a program.
#[derive(Clone, Debug)]
pub struct Machine {
    /// What is run.
    pub program: Program,
    /// Where threads wait.
    pub stops: Vec<Stop>,
    /// Where things stand.
    pub layout: Layout,
}

impl Machine {
    /// A machine for so many threads.
    pub fn new(program: Program, threads: usize) -> Self {
        let (stops, slots) = stops(&program);
        let fields = program.types.iter().map(|kind| kind.fields).max().unwrap_or(0);
        let mut layout = Layout::new(program.cells, threads, slots, fields);
        let pooled = program.types.iter().enumerate().filter(|(_, kind)| kind.pool > 0);
        layout.pooled = pooled.fold(0, |pooled, (kind, _)| pooled | 2 << kind);
        Machine { program, stops, layout }
    }

    /// Room to work in.
    pub fn work(&self) -> Work {
        Work { bytes: vec![0; self.layout.room()], nodes: 0, registers: [NONE; MOST_REGISTERS] }
    }

    /// Takes a packed state to work on.
    #[inline]
    pub fn take(&self, state: &[u8], work: &mut Work) {
        work.bytes[..state.len()].copy_from_slice(state);
        work.nodes = nodes_in(&self.layout, state);
    }

    /// Takes the registers of a waiting thread out of the state: what is left in the state is what others see.
    #[inline]
    pub fn unpack(&self, work: &mut Work, thread: usize, position: u16) {
        let live = &self.stops[usize::from(position)].live;
        let at = self.layout.frame(thread) + FRAME_HEAD;
        let slots = &mut work.bytes[at..at + self.layout.slots];
        for (&register, slot) in live.iter().zip(slots) {
            work.registers[usize::from(register)] = std::mem::replace(slot, NONE);
        }
    }

    /// Puts the registers that are still needed back into the state.
    #[inline]
    pub fn pack(&self, work: &mut Work, thread: usize, position: u16) {
        let at = self.layout.frame(thread) + FRAME_HEAD;
        for (slot, &register) in work.bytes[at..].iter_mut().zip(&self.stops[usize::from(position)].live) {
            *slot = work.registers[usize::from(register)];
        }
        self.layout.set_position(&mut work.bytes, thread, position);
    }

    /// Runs a thread from a position. `resumed`: it waited there, so its first instruction is what the step is about.
    #[inline]
    pub fn run(
        &self,
        work: &mut Work,
        thread: usize,
        position: u16,
        resumed: bool,
        choices: &mut Choices,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut step = Step { machine: self, work, thread, choices, observer, at: position };
        match step.run(resumed) {
            Ok(outcome) => outcome,
            Err(fault) => Outcome::Failed(fault, step.at),
        }
    }
}

struct Step<'a, O: Observer> {
    machine: &'a Machine,
    work: &'a mut Work,
    thread: usize,
    choices: &'a mut Choices,
    observer: &'a mut O,
    at: u16,
}

impl<O: Observer> Step<'_, O> {
    fn run(&mut self, resumed: bool) -> Result<Outcome, Fault> {
        let machine = self.machine;
        let (mut first, mut rounds) = (resumed, 0);
        loop {
            let instruction = &machine.program.code[usize::from(self.at)];
            let free = first || instruction.glued || instruction.access == Access::Private;
            if !free && self.noticed(instruction) {
                return Ok(Outcome::Stopped(self.at));
            }
            let mut next = self.at + 1;
            match &instruction.action {
                Action::Jump { target } => next = *target,
                Action::Branch { on, target } => {
                    if !self.holds(*on)? {
                        next = *target;
                    }
                }
                Action::Return { value } => {
                    let value = self.value(*value);
                    return if node(value).is_some() { Err(Fault::ReturnsNode) } else { Ok(Outcome::Returning(value)) };
                }
                Action::Lock { .. } | Action::Await { .. } | Action::New { .. } => {
                    if !self.waits(&instruction.action)? {
                        let merged = !first && !instruction.glued;
                        return Ok(if merged { Outcome::Stopped(self.at) } else { Outcome::Blocked });
                    }
                }
                action => self.act(action)?,
            }
            if next <= self.at {
                rounds += 1;
                if rounds > MOST_ROUNDS {
                    return if instruction.glued { Err(Fault::Endless) } else { Ok(Outcome::Stopped(self.at)) };
                }
            }
            first = false;
            self.at = next;
        }
    }

    /// Can another thread notice this instruction?
    #[inline]
    fn noticed(&self, instruction: &Instruction) -> bool {
        if instruction.access == Access::Shared {
            return true;
        }
        match &instruction.action {
            Action::Load { place, .. } => self.reached(place),
            action => written(action).any(|place| self.reached(place)),
        }
    }

    /// Can another thread reach the node of this place, now or by an allocation?
    #[inline]
    fn reached(&self, place: &Place) -> bool {
        let Some(operand) = place.node else { return true };
        let reference = self.value(operand);
        let Some(node) = node(reference) else { return false };
        let layout = &self.machine.layout;
        let end = layout.node(self.work.nodes);
        self.work.bytes[layout.node(node)] & FREED != 0 || self.work.bytes[..end].contains(&reference)
    }

    #[inline]
    fn value(&self, operand: Operand) -> u8 {
        match operand {
            Operand::Register(register) => self.work.registers[usize::from(register)],
            Operand::Constant(byte) => byte,
        }
    }

    #[inline]
    fn set(&mut self, register: u8, value: u8) {
        self.work.registers[usize::from(register)] = value;
    }

    #[inline]
    fn holds(&self, operand: Operand) -> Result<bool, Fault> {
        match self.value(operand) {
            TRUE => Ok(true),
            FALSE => Ok(false),
            _ => Err(Fault::NotATruth),
        }
    }

    /// Where a place is in the state.
    #[inline]
    fn locate(&self, place: &Place) -> Result<usize, Fault> {
        let mut index = usize::from(place.first);
        if place.length > 1 {
            let chosen = number(self.value(place.index)).ok_or(Fault::NotANumber)?;
            if !(0..i64::from(place.length)).contains(&chosen) {
                return Err(Fault::OutOfBounds);
            }
            index += chosen as usize;
        }
        let Some(operand) = place.node else { return Ok(index) };
        let node = node(self.value(operand)).ok_or(Fault::NotANode)?;
        let base = self.machine.layout.node(node);
        let kind = self.work.bytes[base] & !FREED;
        if index >= self.machine.program.types[usize::from(kind) - 1].fields {
            return Err(Fault::NoSuchField);
        }
        Ok(base + 1 + index)
    }

    #[inline]
    fn read(&mut self, place: &Place) -> Result<(usize, u8), Fault> {
        let offset = self.locate(place)?;
        let value = self.work.bytes[offset];
        self.observer.read(self.at, offset, value);
        Ok((offset, value))
    }

    #[inline]
    fn write(&mut self, offset: usize, value: u8) {
        let old = std::mem::replace(&mut self.work.bytes[offset], value);
        self.observer.wrote(self.at, offset, old, value);
    }

    /// Does an instruction that may have to wait; false if it has to.
    fn waits(&mut self, action: &Action) -> Result<bool, Fault> {
        match action {
            Action::Lock { place } => {
                let (offset, value) = self.read(place)?;
                if value != NONE {
                    return Ok(false);
                }
                self.write(offset, byte_of(self.thread as i64).ok_or(Fault::NumberRange)?);
                Ok(true)
            }
            Action::New { to, kind, fields } => self.make(*to, *kind, fields),
            Action::Await { holds } => self.holds(*holds),
            _ => Ok(true),
        }
    }

    fn act(&mut self, action: &Action) -> Result<(), Fault> {
        match action {
            Action::Move { to, from } => {
                let value = self.value(*from);
                self.set(*to, value);
            }
            Action::Binary { to, by, one, two } => {
                let value = combine(*by, self.value(*one), self.value(*two))?;
                self.set(*to, value);
            }
            Action::Not { to, from } => {
                let value = truth(!self.holds(*from)?);
                self.set(*to, value);
            }
            Action::Is { to, from, kind } => {
                let layout = &self.machine.layout;
                let is =
                    node(self.value(*from)).is_some_and(|node| self.work.bytes[layout.node(node)] & !FREED == kind + 1);
                self.set(*to, truth(is));
            }
            Action::Me { to } => self.set(*to, byte_of(self.thread as i64).ok_or(Fault::NumberRange)?),
            Action::Choose { to, among } => {
                let chosen = self.choices.choose(*among);
                self.set(*to, byte_of(i64::from(chosen)).ok_or(Fault::NumberRange)?);
            }
            Action::Assert { holds } => {
                if !self.holds(*holds)? {
                    return Err(Fault::Assertion);
                }
            }
            Action::Load { to, place } => {
                let value = self.read(place)?.1;
                self.set(*to, value);
            }
            Action::Store { place, value } => {
                let offset = self.locate(place)?;
                self.write(offset, self.value(*value));
            }
            Action::CompareSwap { to, exchanges } => {
                let swapped = self.compare_swap(exchanges)?;
                self.set(*to, truth(swapped));
            }
            Action::ExchangeIf { to, exchange } => {
                let (offset, value) = self.read(&exchange.place)?;
                if value == self.value(exchange.old) {
                    self.write(offset, self.value(exchange.new));
                }
                self.set(*to, value);
            }
            Action::Swap { to, place, value } => {
                let (offset, held) = self.read(place)?;
                self.write(offset, self.value(*value));
                self.set(*to, held);
            }
            Action::FetchAdd { to, place, value } => {
                let (offset, held) = self.read(place)?;
                self.write(offset, combine(Binary::Add, held, self.value(*value))?);
                self.set(*to, held);
            }
            Action::Unlock { place } => {
                let (offset, value) = self.read(place)?;
                if number(value) != Some(self.thread as i64) {
                    return Err(Fault::NotHeld);
                }
                self.write(offset, NONE);
            }
            Action::Free { node: freed } => {
                let node = node(self.value(*freed)).ok_or(Fault::NotANode)?;
                let kind = &mut self.work.bytes[self.machine.layout.node(node)];
                if *kind & FREED != 0 {
                    return Err(Fault::FreedTwice);
                }
                *kind |= FREED;
                self.observer.freed(self.at, node);
            }
            // Those that decide where to go on were dealt with by the caller.
            Action::Begin
            | Action::Jump { .. }
            | Action::Branch { .. }
            | Action::Return { .. }
            | Action::Lock { .. }
            | Action::New { .. }
            | Action::Await { .. } => {}
        }
        Ok(())
    }

    fn compare_swap(&mut self, exchanges: &[Exchange]) -> Result<bool, Fault> {
        let mut agree = true;
        for exchange in exchanges {
            agree &= self.read(&exchange.place)?.1 == self.value(exchange.old);
        }
        if agree {
            for exchange in exchanges {
                let offset = self.locate(&exchange.place)?;
                self.write(offset, self.value(exchange.new));
            }
        }
        Ok(agree)
    }

    /// Allocates: a new address, or that of any freed node of the kind that somebody still refers to (another freed node could not be told from a
    /// new one). False if the pool is used up.
    fn make(&mut self, to: u8, kind: u8, fields: &[Operand]) -> Result<bool, Fault> {
        let layout = &self.machine.layout;
        let kinds = (0..self.work.nodes).map(|node| self.work.bytes[layout.node(node)]);
        let pool = self.machine.program.types[usize::from(kind)].pool;
        if pool > 0 && kinds.clone().filter(|&found| found == kind + 1).count() >= pool {
            return Ok(false);
        }
        let freed = kinds.clone().filter(|&found| found == (kind + 1) | FREED).count();
        let chosen = self.choices.choose(freed as u8 + 1);
        let node = match chosen {
            0 => kinds.clone().position(|found| found == 0).unwrap_or(self.work.nodes),
            _ => kinds
                .enumerate()
                .filter(|&(_, found)| found == (kind + 1) | FREED)
                .nth(usize::from(chosen) - 1)
                .map_or(0, |(node, _)| node),
        };
        if node == MOST_NODES {
            return Err(Fault::TooManyNodes);
        }
        self.work.nodes = self.work.nodes.max(node + 1);
        let base = layout.node(node);
        self.work.bytes[base] = kind + 1;
        self.observer.made(self.at, node);
        for (field, &value) in fields.iter().enumerate() {
            self.write(base + 1 + field, self.value(value));
        }
        self.set(to, FIRST_NODE + node as u8);
        Ok(true)
    }
}

#[inline]
fn combine(by: Binary, one: u8, two: u8) -> Result<u8, Fault> {
    let numbers = || number(one).zip(number(two)).ok_or(Fault::NotANumber);
    let order = || if ordered(one) && ordered(two) { Ok(()) } else { Err(Fault::NotANumber) };
    Ok(match by {
        Binary::Equal | Binary::Unequal => {
            if is_truth(one) && number(two).is_some() || is_truth(two) && number(one).is_some() {
                return Err(Fault::Mixed);
            }
            truth((one == two) == (by == Binary::Equal))
        }
        Binary::Less => truth(order().map(|()| one < two)?),
        Binary::LessOrEqual => truth(order().map(|()| one <= two)?),
        Binary::Add => numbers().and_then(|(one, two)| byte_of(one + two).ok_or(Fault::NumberRange))?,
        Binary::Subtract => numbers().and_then(|(one, two)| byte_of(one - two).ok_or(Fault::NumberRange))?,
        Binary::Modulo => numbers().and_then(|(one, two)| {
            let rest = one.checked_rem_euclid(two).ok_or(Fault::DivisionByZero)?;
            // Python's remainder has the sign of the divisor.
            let rest = if two < 0 && rest != 0 { rest + two } else { rest };
            byte_of(rest).ok_or(Fault::NumberRange)
        })?,
    })
}
