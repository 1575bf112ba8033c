//! Which states can a bounded client bring the object into? All of them, layer by layer, on all cores, numbered the same way on any number of them.
//!
//! The states are dealt to a fixed number of parts by their hash. Each layer goes through three phases, each of them parallel over the parts: every part
//! expands its new states and sorts what it finds by destination; every part then looks up what was sent to it, in the order of the senders; then the
//! senders learn the numbers (Stern & Dill, "Parallelizing the Murphi verifier", CAV 1997, made deterministic). A part's table is a sixteenth of the whole, so
//! more of it is in the cache. O(1) per transition: one step of the machine, one canonical form, one look-up.

use crate::client::{Label, Scratch, System, Trouble};
use crate::fault::Fault;
use crate::heap::canonical;
use crate::machine::Nobody;
use crate::table::{Handle, PARTS, Part, handle, hash, part_of};
use linpoint_base::{Account, Cause, Control};
use rayon::prelude::*;

/// States that a part expands before the next phase: what is on its way stays small.
const CHUNK: usize = 1024;

/// Something that went wrong on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The state it happened in; None is the initial method.
    pub state: Option<Handle>,
    /// The transition that failed.
    pub label: Label,
    /// What went wrong.
    pub fault: Fault,
    /// The instruction.
    pub position: u16,
}

/// All states that were met, and their transitions.
pub struct Space {
    /// The object and its client.
    pub system: System,
    /// The parts.
    pub parts: Vec<Part>,
    /// The initial state.
    pub initial: Handle,
    /// A failure that is as near to the beginning as any, if there is one; then the space ends there.
    pub failure: Option<Failure>,
}

/// What a part sends to the others.
#[derive(Default)]
struct Outbox {
    /// By destination: hashes, states, and afterwards their numbers there.
    hashes: [Vec<u64>; PARTS],
    states: [Vec<u8>; PARTS],
    /// The destination of each transition.
    destinations: Vec<u8>,
    labels: Vec<Label>,
    /// Transitions of each expanded state.
    counts: Vec<u32>,
    room: usize,
    failure: Option<Failure>,
}

impl Outbox {
    fn clear(&mut self) {
        self.hashes.iter_mut().for_each(Vec::clear);
        self.states.iter_mut().for_each(Vec::clear);
        self.destinations.clear();
        self.labels.clear();
        self.counts.clear();
        (self.room, self.failure) = (0, None);
    }

    fn memory(&self) -> usize {
        let states: usize = self.states.iter().map(Vec::capacity).sum();
        states + self.hashes.iter().map(|list| list.capacity() * 12).sum::<usize>() + self.labels.capacity() * 5
    }

    fn expand(&mut self, system: &System, part: usize, states: &[u8], first: usize, scratch: &mut Scratch) {
        self.clear();
        for (at, state) in states.chunks_exact(system.machine.layout.bytes()).enumerate() {
            let before = self.labels.len();
            let expanded = system.successors(state, scratch, |label, next| {
                let hash = hash(next);
                let destination = part_of(hash);
                self.hashes[destination].push(hash);
                self.states[destination].extend_from_slice(next);
                self.destinations.push(destination as u8);
                self.labels.push(label);
            });
            match expanded {
                Ok(()) => {}
                Err(Trouble::Room(nodes)) => self.room = self.room.max(nodes),
                Err(Trouble::Failed(label, fault, position)) => {
                    let state = Some(handle(part, (first + at) as u32));
                    self.failure = self.failure.or(Some(Failure { state, label, fault, position }));
                }
            }
            self.counts.push((self.labels.len() - before) as u32);
        }
    }
}

impl Space {
    /// Explores everything, on so many threads.
    pub fn explore(system: System, threads: usize, control: &Control) -> Result<Space, Cause> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.clamp(1, PARTS)).build();
        let pool = pool.map_err(|error| Cause::Broken(format!("no threads could be started: {error}")))?;
        pool.install(|| Space::explore_here(system, control))
    }

    fn explore_here(mut system: System, control: &Control) -> Result<Space, Cause> {
        let mut parts: Vec<Part> = (0..PARTS).map(|_| Part::default()).collect();
        let start = match system.start(&mut Nobody) {
            Ok(work) => work,
            Err((fault, position)) => {
                let label = Label::new(0, crate::client::Event::Step);
                let failure = Some(Failure { state: None, label, fault, position });
                return Ok(Space { system, parts, initial: 0, failure });
            }
        };
        let mut packed = vec![0; system.machine.layout.bytes()];
        while let Err(nodes) = canonical(&system.machine.layout, &start.bytes, start.nodes, &mut packed) {
            system.machine.layout.grow(nodes);
            packed.resize(system.machine.layout.bytes(), 0);
        }
        let home = part_of(hash(&packed));
        let initial = handle(home, parts[home].insert(hash(&packed), &packed));
        let mut space = Space { system, parts, initial, failure: None };
        space.run(control)?;
        Ok(space)
    }

    fn run(&mut self, control: &Control) -> Result<(), Cause> {
        let mut account = Account::alone(control);
        let mut outboxes: Vec<Outbox> = (0..PARTS).map(|_| Outbox::default()).collect();
        loop {
            // What is new when a layer begins is the layer.
            let bytes = self.system.machine.layout.bytes();
            let ends: Vec<usize> = self.parts.iter().map(|part| part.len(bytes)).collect();
            if self.parts.iter().zip(&ends).all(|(part, &end)| part.ends.len() == end) {
                return Ok(());
            }
            while self.parts.iter().zip(&ends).any(|(part, &end)| part.ends.len() < end) {
                self.advance(&ends, &mut outboxes);
                let held = self.parts.iter().map(Part::memory).chain(outboxes.iter().map(Outbox::memory)).sum();
                account.configurations = self.expanded() as u64;
                if let Some(cause) = account.poll(held, 0) {
                    return Err(cause);
                }
                // Numbers of states and of transitions have 32 bits.
                if self.states() > u32::MAX as usize / 2 || self.transitions() > u32::MAX as usize / 2 {
                    return Err(Cause::Memory);
                }
            }
            if self.failure.is_some() {
                return Ok(());
            }
        }
    }

    /// Expands the next states of the layer, a chunk of each part; `ends` is where the layer ends.
    fn advance(&mut self, ends: &[usize], outboxes: &mut [Outbox]) {
        let (system, bytes) = (&self.system, self.system.machine.layout.bytes());
        let jobs = self.parts.par_iter().zip(outboxes.par_iter_mut()).zip(ends).enumerate();
        jobs.for_each_init(
            || system.scratch(),
            |scratch, (number, ((part, outbox), &end))| {
                let first = part.ends.len();
                let last = end.min(first + CHUNK);
                outbox.expand(system, number, &part.states[first * bytes..last * bytes], first, scratch);
            },
        );
        let room = outboxes.iter().map(|outbox| outbox.room).max().unwrap_or(0);
        if room > 0 {
            self.widen(room);
            return;
        }
        let found: Vec<Vec<Vec<u32>>> = {
            let sent = &*outboxes;
            let jobs = self.parts.par_iter_mut().enumerate();
            jobs.map(|(number, part)| {
                let receive = |outbox: &Outbox| {
                    let mut numbers = Vec::with_capacity(outbox.hashes[number].len());
                    part.insert_all(&outbox.hashes[number], &outbox.states[number], bytes, &mut numbers);
                    numbers
                };
                sent.iter().map(receive).collect()
            })
            .collect()
        };
        let jobs = self.parts.par_iter_mut().zip(outboxes.par_iter()).enumerate();
        jobs.for_each(|(sender, (part, outbox))| {
            let mut taken = [0usize; PARTS];
            part.steps.extend(outbox.labels.iter().zip(&outbox.destinations).map(|(&label, &destination)| {
                let destination = usize::from(destination);
                taken[destination] += 1;
                (label, handle(destination, found[destination][sender][taken[destination] - 1]))
            }));
            let mut end = part.ends.last().copied().unwrap_or(0);
            part.ends.extend(outbox.counts.iter().map(|&count| {
                end += count;
                end
            }));
        });
        let failures = outboxes.iter().filter_map(|outbox| outbox.failure);
        self.failure = self.failure.or(failures.min_by_key(|failure| (failure.state, failure.label)));
    }

    /// Gives all states room for so many nodes.
    fn widen(&mut self, nodes: usize) {
        let from = self.system.machine.layout.bytes();
        self.system.machine.layout.grow(nodes);
        let to = self.system.machine.layout.bytes();
        self.parts.par_iter_mut().for_each(|part| part.widen(from, to));
    }

    /// States that were expanded.
    pub fn expanded(&self) -> usize {
        self.parts.iter().map(|part| part.ends.len()).sum()
    }

    /// States that were met.
    pub fn states(&self) -> usize {
        let bytes = self.system.machine.layout.bytes();
        self.parts.iter().map(|part| part.len(bytes)).sum()
    }

    /// Transitions that were met.
    pub fn transitions(&self) -> usize {
        self.parts.iter().map(|part| part.steps.len()).sum()
    }
}
