//! Who calls the object? The most general client: every thread calls whatever the menu offers, so many times, whenever it likes.
//!
//! Its transitions are calls, returns and internal steps; internal ones keep their thread, which the progress properties need.

use crate::choices::Choices;
use crate::fault::Fault;
use crate::heap::canonical;
use crate::layout::{FRAME_HEAD, IDLE, RETURNING};
use crate::machine::{Machine, Nobody, Observer, Outcome, Work};
use crate::program::Program;
use crate::value::{FIRST_NODE, NONE, number};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Threads that a client may have.
pub const MOST_THREADS: usize = 8;
/// Calls that a thread may make.
pub const MOST_CALLS: usize = 120;

/// How often the initial method may pause (it does where it goes round and round) before it is taken to run for ever.
const MOST_PAUSES: usize = 10_000;

/// What a transition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// An internal step.
    Step,
    /// The call of an entry of the menu.
    Call(u8),
    /// The return of a method with a value.
    Return(u8, u8),
}

/// What a transition is and who takes it, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

impl Label {
    /// The label of an event of a thread.
    #[inline]
    pub fn new(thread: usize, event: Event) -> Self {
        let what = match event {
            Event::Step => 0,
            Event::Call(entry) => 1 << 16 | u32::from(entry),
            Event::Return(method, value) => 2 << 16 | u32::from(method) << 8 | u32::from(value),
        };
        Label((thread as u32) << 24 | what)
    }

    /// Whose it is.
    #[inline]
    pub fn thread(self) -> usize {
        (self.0 >> 24) as usize
    }

    /// What it is.
    #[inline]
    pub fn event(self) -> Event {
        match self.0 >> 16 & 0xff {
            0 => Event::Step,
            1 => Event::Call(self.0 as u8),
            _ => Event::Return((self.0 >> 8) as u8, self.0 as u8),
        }
    }

    /// Is it internal?
    #[inline]
    pub fn internal(self) -> bool {
        self.event() == Event::Step
    }
}

/// One thing that a thread may call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method; 0 is the initial one, which nobody calls.
    pub method: usize,
    /// Its arguments.
    pub arguments: Vec<u8>,
}

/// Which of several runs that differ only in names is explored?
///
/// Threads: the first calls come in the order of the threads. Sound if threads run the same code, have the same menu, and no code asks for the number of
/// its thread: then a run with its threads renamed is a run, and one of the renamings has its first calls in order.
/// Values: they are used first in the order of their numbers. Sound if object and specification only pass values on and compare them for equality, and
/// the menu has a call with every other value where it has one with a value.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Are threads in order?
    pub threads: bool,
    /// By entry of the menu and number of values used so far: the number afterwards, None if the call would use them out of order.
    /// Empty: values are not in order.
    pub values: Vec<Vec<Option<u8>>>,
}

impl Order {
    /// The order for a menu whose values are the numbers 1 to `most`.
    pub fn new(threads: bool, values: bool, menu: &[Call], most: u8) -> Self {
        let most = most.min(100); // stays below what looks like a reference
        let after = |call: &Call, used: u8| {
            call.arguments.iter().try_fold(used, |used, &byte| match number(byte) {
                Some(value) if value >= 1 && value <= i64::from(most) => {
                    (value as u8 <= used + 1).then_some(used.max(value as u8))
                }
                _ => Some(used),
            })
        };
        let row = |call: &Call| (0..=most).map(|used| after(call, used)).collect();
        Order { threads, values: if values { menu.iter().map(row).collect() } else { Vec::new() } }
    }

    /// The number of values used after a call; None if it would be out of order.
    #[inline]
    pub fn after(&self, entry: u8, used: u8) -> Option<u8> {
        if self.values.is_empty() { Some(0) } else { self.values[usize::from(entry)][usize::from(used)] }
    }

    /// May a thread call, if so many calls were made by it and by the thread before it?
    #[inline]
    pub fn turn(&self, own: u8, before: Option<u8>) -> bool {
        !(self.threads && own == 0 && before == Some(0))
    }
}

/// The client.
#[derive(Clone, Debug)]
pub struct Client {
    /// How many threads.
    pub threads: usize,
    /// Calls per thread; None is for ever.
    pub calls: Option<usize>,
    /// What every thread may call.
    pub menu: Vec<Call>,
    /// A client that calls for ever waits with a call while there are more nodes than this.
    pub patience: usize,
    /// Which of the runs that differ only in names it makes; a client that calls for ever makes all.
    pub order: Order,
}

impl Client {
    /// Is it a client for this program? The error says why not.
    pub fn check(&self, program: &Program) -> Result<(), String> {
        if self.threads == 0 || self.threads > MOST_THREADS {
            return Err(format!("{} threads; 1 to {MOST_THREADS} are possible", self.threads));
        }
        if self.calls.is_some_and(|calls| calls > MOST_CALLS) {
            return Err(format!("at most {MOST_CALLS} operations per thread are possible"));
        }
        if self.menu.len() > usize::from(u8::MAX) {
            return Err("at most 255 different calls are possible".into());
        }
        if self.calls.is_none() && (self.order.threads || !self.order.values.is_empty()) {
            return Err("a client that calls for ever makes all runs".into());
        }
        for call in &self.menu {
            let method = program.methods.get(call.method).filter(|_| call.method > 0).ok_or("a call of no method")?;
            let values = call.arguments.iter().all(|&byte| byte < FIRST_NODE);
            if method.parameters != call.arguments.len() || !values {
                return Err("a call with the wrong arguments".into());
            }
        }
        Ok(())
    }
}

/// Why the transitions of a state cannot be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// States need room for so many nodes.
    Room(usize),
    /// This thread failed at this position, with this transition.
    Failed(Label, Fault, u16),
}

/// An object with its client.
#[derive(Clone, Debug)]
pub struct System {
    /// The object.
    pub machine: Machine,
    /// Who calls it.
    pub client: Client,
    /// Did a client that calls for ever wait with a call?
    pub held_back: Arc<AtomicBool>,
}

/// What expanding a state needs, so that nothing is allocated for each.
pub struct Scratch {
    work: Work,
    choices: Choices,
    packed: Vec<u8>,
}

impl System {
    /// An object with its client.
    pub fn new(machine: Machine, client: Client) -> Self {
        System { machine, client, held_back: Arc::default() }
    }

    /// Room for [`System::successors`].
    pub fn scratch(&self) -> Scratch {
        Scratch { work: self.machine.work(), choices: Choices::default(), packed: vec![0; self.machine.layout.bytes()] }
    }

    /// The state before the first call, after the initial method ran alone; the error is a fault and its position.
    pub fn start(&self, observer: &mut impl Observer) -> Result<Work, (Fault, u16)> {
        let machine = &self.machine;
        let mut work = machine.work();
        let (mut choices, mut at) = (Choices::default(), 0);
        for round in 0.. {
            if round == MOST_PAUSES {
                return Err((Fault::Endless, at));
            }
            match machine.run(&mut work, 0, at, true, &mut choices, observer) {
                Outcome::Stopped(next) => at = next,
                Outcome::Returning(_) => break,
                Outcome::Blocked => return Err((Fault::Endless, at)),
                Outcome::Failed(fault, at) => return Err((fault, at)),
            }
        }
        for thread in 0..self.client.threads {
            machine.layout.set_position(&mut work.bytes, thread, IDLE);
        }
        Ok(work)
    }

    /// Gives every transition of a packed state to `emit`, in the order of the threads.
    #[inline]
    pub fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        mut emit: impl FnMut(Label, &[u8]),
    ) -> Result<(), Trouble> {
        let layout = &self.machine.layout;
        for thread in 0..self.client.threads {
            for start in self.starts(state, thread) {
                scratch.choices.reset();
                loop {
                    self.machine.take(state, &mut scratch.work);
                    let moved = self.advance(&mut scratch.work, thread, start, &mut scratch.choices, &mut Nobody);
                    if let Some(label) = moved.map_err(|(label, fault, at)| Trouble::Failed(label, fault, at))? {
                        canonical(layout, &scratch.work.bytes, scratch.work.nodes, &mut scratch.packed)
                            .map_err(Trouble::Room)?;
                        emit(label, &scratch.packed);
                    }
                    if !scratch.choices.next_run() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// How a thread may go on: the calls it may make, its return, or its next step.
    #[inline]
    pub fn starts(&self, state: &[u8], thread: usize) -> impl Iterator<Item = Event> + use<> {
        let layout = &self.machine.layout;
        let position = layout.position(state, thread);
        let calls = match position {
            IDLE if self.may_call(state, thread) => self.client.menu.len() as u8,
            _ => 0,
        };
        let other = match position {
            IDLE => None,
            RETURNING.. => Some(Event::Return((position - RETURNING) as u8, state[layout.frame(thread) + FRAME_HEAD])),
            _ => Some(Event::Step),
        };
        (0..calls).map(Event::Call).chain(other)
    }

    fn may_call(&self, state: &[u8], thread: usize) -> bool {
        let layout = &self.machine.layout;
        match self.client.calls {
            Some(most) => {
                let own = layout.calls(state, thread);
                let before = thread.checked_sub(1).map(|before| layout.calls(state, before));
                usize::from(own) < most && self.client.order.turn(own, before)
            }
            None => {
                let patient = crate::heap::nodes_in(layout, state) <= self.client.patience;
                if !patient {
                    self.held_back.store(true, Relaxed);
                }
                patient
            }
        }
    }

    /// Lets a thread go on in a state that is worked on. None if it cannot.
    #[inline]
    pub fn advance(
        &self,
        work: &mut Work,
        thread: usize,
        start: Event,
        choices: &mut Choices,
        observer: &mut impl Observer,
    ) -> Result<Option<Label>, (Label, Fault, u16)> {
        let (machine, layout) = (&self.machine, &self.machine.layout);
        let label = Label::new(thread, start);
        let frame = layout.frame(thread);
        let (position, resumed, method) = match start {
            Event::Return(..) => {
                work.bytes[frame + FRAME_HEAD] = NONE;
                layout.set_position(&mut work.bytes, thread, IDLE);
                return Ok(Some(label));
            }
            Event::Call(entry) => {
                let call = &self.client.menu[usize::from(entry)];
                let Some(used) = self.client.order.after(entry, work.bytes[layout.used]) else { return Ok(None) };
                if !self.client.order.values.is_empty() {
                    work.bytes[layout.used] = used;
                }
                work.registers.fill(NONE);
                work.registers[..call.arguments.len()].copy_from_slice(&call.arguments);
                if self.client.calls.is_some() {
                    work.bytes[frame + 2] += 1;
                }
                (machine.program.methods[call.method].start, false, call.method)
            }
            Event::Step => {
                let position = layout.position(&work.bytes, thread);
                machine.unpack(work, thread, position);
                (position, true, usize::MAX)
            }
        };
        match machine.run(work, thread, position, resumed, choices, observer) {
            Outcome::Stopped(at) => machine.pack(work, thread, at),
            Outcome::Returning(value) => {
                let method = if method == usize::MAX { machine.program.method_at(position) } else { method };
                work.bytes[frame + FRAME_HEAD] = value;
                layout.set_position(&mut work.bytes, thread, RETURNING + method as u16);
            }
            Outcome::Blocked => return Ok(None),
            Outcome::Failed(fault, at) => return Err((label, fault, at)),
        }
        Ok(Some(label))
    }
}
