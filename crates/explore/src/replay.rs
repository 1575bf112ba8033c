//! What exactly happened on a run? Takes it again, step by step, with everything that was read and written, and the memory after each step.
//!
//! Exploring renumbers nodes after every step; people want a node to keep its name. So two states go along: the canonical one, which finds the
//! next step among the transitions, and one that is never renumbered. A node that was freed and given out again keeps its name, since it
//! is the same address; one that was collected does not.

use crate::choices::Choices;
use crate::client::{Label, System};
use crate::fault::Fault;
use crate::graph::Graph;
use crate::heap::canonical;
use crate::layout::{FRAME_HEAD, IDLE, RETURNING};
use crate::machine::{FREED, Observer, Work};
use crate::value::{FIRST_NODE, MOST_NODES, node};

/// A value, or the name of a node: names count from [`NAMED`].
pub type Shown = u32;
/// The name of node 0.
pub const NAMED: Shown = 1000;

/// A cell: (name of the node, field), or (0, shared cell).
pub type Cell = (Shown, usize);

/// What one instruction did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It read a cell.
    Read(u16, Cell, Shown),
    /// It wrote a cell: what it held, what it holds.
    Wrote(u16, Cell, Shown, Shown),
    /// It made a node.
    Made(u16, Shown),
    /// It freed a node.
    Freed(u16, Shown),
}

/// A node: its name, its kind, whether it was freed, its fields.
pub type ShownNode = (Shown, u8, bool, Vec<Shown>);

/// A thread: where it is (None: it has no call), whether its call is about to return, and (register, value) or the result.
pub type ShownThread = (Option<u16>, bool, Vec<(u8, Shown)>);

/// The memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The shared cells.
    pub cells: Vec<Shown>,
    /// The nodes.
    pub nodes: Vec<ShownNode>,
    /// The threads.
    pub threads: Vec<ShownThread>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Who did what.
    pub label: Label,
    /// What its instructions did.
    pub seen: Vec<Seen>,
    /// What failed, and where.
    pub failed: Option<(Fault, u16)>,
    /// The memory afterwards.
    pub memory: Memory,
}

struct Recorder<'a> {
    system: &'a System,
    names: [Shown; MOST_NODES],
    fresh: Shown,
    seen: Vec<Seen>,
}

impl Recorder<'_> {
    fn shown(&self, byte: u8) -> Shown {
        node(byte).map_or(Shown::from(byte), |node| self.names[node])
    }

    fn cell(&self, offset: usize) -> Cell {
        let layout = &self.system.machine.layout;
        match offset.checked_sub(layout.heap) {
            None => (0, offset),
            Some(beyond) => (self.names[beyond / layout.stride], beyond % layout.stride - 1),
        }
    }
}

impl Observer for Recorder<'_> {
    fn read(&mut self, position: u16, offset: usize, value: u8) {
        self.seen.push(Seen::Read(position, self.cell(offset), self.shown(value)));
    }

    fn wrote(&mut self, position: u16, offset: usize, old: u8, new: u8) {
        self.seen.push(Seen::Wrote(position, self.cell(offset), self.shown(old), self.shown(new)));
    }

    fn made(&mut self, position: u16, node: usize) {
        if self.names[node] == 0 {
            self.names[node] = self.fresh;
            self.fresh += 1;
        }
        self.seen.push(Seen::Made(position, self.names[node]));
    }

    fn freed(&mut self, position: u16, node: usize) {
        self.seen.push(Seen::Freed(position, self.names[node]));
    }
}

/// Takes a run again, and the failing transition after it, if there is one. The first element is the memory before the first step.
pub fn replay(system: &System, graph: &Graph, run: &[usize], failing: Option<Label>) -> Option<(Memory, Vec<Taken>)> {
    let mut recorder = Recorder { system, names: [0; MOST_NODES], fresh: NAMED, seen: Vec::new() };
    let mut work = system.start(&mut recorder).ok()?;
    collect(system, &mut work, &mut recorder);
    let before = memory(system, &work, &recorder);
    let (mut state, mut current) = (graph.initial, packed(system, &work)?);
    let (mut taken, mut scratch) = (Vec::new(), system.scratch());
    for &at in run {
        let place = at - graph.range(state).start;
        let (label, target) = graph.transition(at);
        let mut next = Vec::new();
        let mut met = 0;
        system
            .successors(&current, &mut scratch, |_, successor| {
                if met == place {
                    next = successor.to_vec();
                }
                met += 1;
            })
            .ok();
        let mut choices = Choices::default();
        loop {
            let (mut attempt, names, fresh) = (work.clone(), recorder.names, recorder.fresh);
            recorder.seen.clear();
            let moved = system.advance(&mut attempt, label.thread(), label.event(), &mut choices, &mut recorder);
            if moved == Ok(Some(label)) && packed(system, &attempt)? == next {
                work = attempt;
                break;
            }
            (recorder.names, recorder.fresh) = (names, fresh);
            if !choices.next_run() {
                return None;
            }
        }
        let seen = std::mem::take(&mut recorder.seen);
        collect(system, &mut work, &mut recorder);
        taken.push(Taken { label, seen, failed: None, memory: memory(system, &work, &recorder) });
        (state, current) = (target, next);
    }
    if let Some(label) = failing {
        taken.push(fail(system, &work, label, &mut recorder)?);
    }
    Some((before, taken))
}

fn fail(system: &System, work: &Work, label: Label, recorder: &mut Recorder<'_>) -> Option<Taken> {
    let mut choices = Choices::default();
    loop {
        let mut attempt = work.clone();
        recorder.seen.clear();
        let moved = system.advance(&mut attempt, label.thread(), label.event(), &mut choices, recorder);
        if let Err((_, fault, at)) = moved {
            let seen = std::mem::take(&mut recorder.seen);
            return Some(Taken { label, seen, failed: Some((fault, at)), memory: memory(system, work, recorder) });
        }
        if !choices.next_run() {
            return None;
        }
    }
}

fn packed(system: &System, work: &Work) -> Option<Vec<u8>> {
    let mut packed = vec![0; system.machine.layout.bytes()];
    canonical(&system.machine.layout, &work.bytes, work.nodes, &mut packed).ok().map(|()| packed)
}

/// Clears the nodes that nobody can reach; they lose their names.
fn collect(system: &System, work: &mut Work, recorder: &mut Recorder<'_>) {
    let layout = &system.machine.layout;
    let mut reached = [false; MOST_NODES];
    let mut open: Vec<usize> = work.bytes[..layout.heap].iter().filter_map(|&byte| node(byte)).collect();
    while let Some(found) = open.pop() {
        if !std::mem::replace(&mut reached[found], true) {
            let at = layout.node(found);
            open.extend(work.bytes[at..at + layout.stride].iter().filter_map(|&byte| node(byte)));
        }
    }
    for found in (0..work.nodes).filter(|&found| !reached[found]) {
        let at = layout.node(found);
        if work.bytes[at] < FREED && layout.pooled >> work.bytes[at] & 1 == 1 {
            continue; // lost, but it counts
        }
        work.bytes[at..at + layout.stride].fill(0);
        recorder.names[found] = 0;
    }
}

fn memory(system: &System, work: &Work, recorder: &Recorder<'_>) -> Memory {
    let (machine, layout) = (&system.machine, &system.machine.layout);
    let shown = |bytes: &[u8]| bytes.iter().map(|&byte| recorder.shown(byte)).collect::<Vec<_>>();
    let nodes = (0..work.nodes).filter(|&found| work.bytes[layout.node(found)] != 0).map(|found| {
        let at = layout.node(found);
        let kind = (work.bytes[at] & !FREED) - 1;
        let fields = machine.program.types[usize::from(kind)].fields;
        let freed = work.bytes[at] & FREED != 0;
        (recorder.shown(FIRST_NODE + found as u8), kind, freed, shown(&work.bytes[at + 1..at + 1 + fields]))
    });
    let threads = (0..layout.threads).map(|thread| {
        let slots = &work.bytes[layout.frame(thread) + FRAME_HEAD..];
        match layout.position(&work.bytes, thread) {
            IDLE => (None, false, Vec::new()),
            position @ RETURNING.. => (Some(position - RETURNING), true, vec![(0, recorder.shown(slots[0]))]),
            position => {
                let live = &machine.stops[usize::from(position)].live;
                (
                    Some(position),
                    false,
                    live.iter().zip(slots).map(|(&register, &byte)| (register, recorder.shown(byte))).collect(),
                )
            }
        }
    });
    Memory { cells: shown(&work.bytes[..machine.program.cells]), nodes: nodes.collect(), threads: threads.collect() }
}
