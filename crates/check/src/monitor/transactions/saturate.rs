//! What must come before what? Edges of real time and of reads, and all that follows from them.
//!
//! The graph has a node per operation and two per event: a chain of moments, so that real time takes O(n) edges. From what each node can be reached is a
//! row of bits, worked out in topological order. Two rules, for a version w, one that saw it (r) and another write of the same register (o):
//! if w comes before o, so does r; if o comes before r, then also before w. A violation is told by the operations of a cycle and of all that led to its edges.

use super::{Deeds, HELD_FIRST};
use crate::monitor::{Decided, Decision, Meter, NEVER, declined};
use hashbrown::HashSet;
use linpoint_base::Hashing;

/// After so many rounds it is given up.
const ROUNDS: usize = 200;

/// Edges between nodes: operations first, then moments.
pub(super) struct Before {
    operations: u32,
    /// By node: those that come behind it, as numbers of edges.
    behind: Vec<Vec<u32>>,
    edges: Vec<Edge>,
    known: HashSet<(u32, u32), Hashing>,
    /// How many edges lead to each node.
    pub waits: Vec<u32>,
}

/// One node comes before another, and why, if that follows from others.
struct Edge {
    from: u32,
    to: u32,
    because: Option<Because>,
}

#[derive(Clone, Copy)]
struct Because {
    /// A path from one node to another, of edges that were there before.
    path: Option<(u32, u32)>,
    /// Operations that show that it follows: the version's writer, if it is one, and who saw it.
    shown: [u32; 2],
}

impl Before {
    fn new(deeds: &Deeds) -> Before {
        let n = deeds.call.len();
        let moments =
            deeds.call.iter().chain(&deeds.ret).filter(|&&rank| rank != NEVER).max().map_or(0, |&rank| rank + 1);
        let nodes = n + moments as usize;
        let mut before = Before {
            operations: n as u32,
            behind: vec![Vec::new(); nodes],
            edges: Vec::new(),
            known: HashSet::default(),
            waits: vec![0; nodes],
        };
        let moment = |rank: u32| n as u32 + rank;
        for rank in 1..moments {
            before.add(moment(rank - 1), moment(rank), None);
        }
        for op in (0..n as u32).filter(|&op| deeds.matters[op as usize]) {
            before.add(moment(deeds.call[op as usize]), op, None);
            if deeds.ret[op as usize] != NEVER {
                before.add(op, moment(deeds.ret[op as usize]), None);
            }
        }
        for version in deeds.versions.iter().filter(|version| version.writer != HELD_FIRST) {
            version.readers.iter().for_each(|&reader| _ = before.add(version.writer, reader, None));
        }
        before
    }

    /// The operation of a node, if it is one.
    pub fn operation(&self, node: u32) -> Option<u32> {
        (node < self.operations).then_some(node)
    }

    /// A node is done: who need not wait any longer.
    pub fn release(&self, node: u32, waits: &mut [u32], free: &mut Vec<u32>) {
        for &edge in &self.behind[node as usize] {
            let to = self.edges[edge as usize].to;
            waits[to as usize] -= 1;
            if waits[to as usize] == 0 {
                free.push(to);
            }
        }
    }

    /// Adds an edge: is it new?
    fn add(&mut self, from: u32, to: u32, because: Option<Because>) -> bool {
        if from == to || !self.known.insert((from, to)) {
            return false;
        }
        self.behind[from as usize].push(self.edges.len() as u32);
        self.waits[to as usize] += 1;
        self.edges.push(Edge { from, to, because });
        true
    }

    /// All nodes, each behind what comes before it; fewer if there is a cycle.
    fn in_order(&self) -> Vec<u32> {
        let mut waits = self.waits.clone();
        let mut order = Vec::with_capacity(waits.len());
        let mut free: Vec<u32> = (0..waits.len() as u32).filter(|&node| waits[node as usize] == 0).collect();
        while let Some(node) = free.pop() {
            order.push(node);
            self.release(node, &mut waits, &mut free);
        }
        order
    }

    fn bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>() + self.behind.len() * 40 + self.known.allocation_size()
    }

    /// The edges of a shortest path that were there before edge `until`.
    fn path(&self, (from, to): (u32, u32), until: u32) -> Vec<u32> {
        let mut by = vec![None; self.behind.len()];
        let mut row = std::collections::VecDeque::from([from]);
        while let Some(node) = row.pop_front() {
            for &edge in self.behind[node as usize].iter().filter(|&&edge| edge < until) {
                let next = self.edges[edge as usize].to;
                if by[next as usize].is_none() {
                    by[next as usize] = Some(edge);
                    row.push_back(next);
                }
            }
            if by[to as usize].is_some() {
                break;
            }
        }
        let (mut path, mut at) = (Vec::new(), to);
        while let Some(edge) = by[at as usize] {
            path.push(edge);
            at = self.edges[edge as usize].from;
            if at == from {
                break;
            }
        }
        path
    }

    /// The operations of a path, and of all that led to its edges.
    fn explained(&self, path: Vec<u32>) -> Vec<u32> {
        let (mut ops, mut rest) = (Vec::new(), path);
        let mut seen: HashSet<u32, Hashing> = rest.iter().copied().collect();
        while let Some(number) = rest.pop() {
            let edge = &self.edges[number as usize];
            ops.extend([edge.from, edge.to].into_iter().filter(|&node| node < self.operations));
            if let Some(because) = edge.because {
                ops.extend(because.shown.into_iter().filter(|&op| op < self.operations));
                let path = because.path.map_or_else(Vec::new, |path| self.path(path, number));
                rest.extend(path.into_iter().filter(|&edge| seen.insert(edge)));
            }
        }
        ops
    }
}

/// Rows of bits: which operations come before each node.
struct Reach {
    words: usize,
    bits: Vec<u64>,
}

impl Reach {
    fn of(before: &Before, order: &[u32], meter: &mut Meter<'_>) -> Decided<Reach> {
        let words = (before.operations as usize).div_ceil(64);
        let mut reach = Reach { words, bits: vec![0; words * before.behind.len()] };
        for &node in order {
            meter.tick()?;
            let own: Vec<u64> = reach.row(node).to_vec();
            for &edge in &before.behind[node as usize] {
                let to = before.edges[edge as usize].to as usize;
                let row = &mut reach.bits[to * words..(to + 1) * words];
                row.iter_mut().zip(&own).for_each(|(a, b)| *a |= b);
                if node < before.operations {
                    row[node as usize / 64] |= 1 << (node % 64);
                }
            }
        }
        Ok(reach)
    }

    fn row(&self, node: u32) -> &[u64] {
        &self.bits[node as usize * self.words..(node as usize + 1) * self.words]
    }

    /// Does `a` come before `b`?
    fn has(&self, a: u32, b: u32) -> bool {
        self.row(b)[a as usize / 64] >> (a % 64) & 1 == 1
    }
}

/// Adds edges until nothing follows any more; a violation if there is a cycle.
pub(super) fn saturate(deeds: &Deeds, meter: &mut Meter<'_>) -> Decided<Before> {
    let mut before = Before::new(deeds);
    meter.hold(before.bytes() + before.behind.len() * (deeds.call.len() / 8 + 8))?;
    for _ in 0..ROUNDS {
        let order = before.in_order();
        if order.len() < before.behind.len() {
            return Err(Decision::Violation(cycle(&before, &order)));
        }
        let reach = Reach::of(&before, &order, meter)?;
        let mut grown = false;
        for versions in &deeds.of_cell {
            for (place, &version) in versions.iter().enumerate() {
                meter.tick()?;
                let version = &deeds.versions[version as usize];
                for &other in versions.iter().skip(1).filter(|&&other| other != versions[place]) {
                    let other = deeds.versions[other as usize].writer;
                    if deeds.matters[other as usize] {
                        grown |= follow(&mut before, &reach, version.writer, &version.readers, other);
                    }
                }
            }
        }
        if !grown {
            return Ok(before);
        }
    }
    Err(declined("what precedes what keeps growing"))
}

/// What follows for a version, those that saw it, and another write of the same register. Is anything new?
fn follow(before: &mut Before, reach: &Reach, writer: u32, readers: &[u32], other: u32) -> bool {
    let mut grown = false;
    for &reader in readers.iter().filter(|&&reader| reader != other) {
        let shown = [writer, reader];
        if writer == HELD_FIRST {
            grown |= before.add(reader, other, Some(Because { path: None, shown }));
        } else if reach.has(writer, other) {
            grown |= before.add(reader, other, Some(Because { path: Some((writer, other)), shown }));
        } else if reach.has(other, reader) {
            grown |= before.add(other, writer, Some(Because { path: Some((other, reader)), shown }));
        }
    }
    grown
}

/// The operations of a cycle, which is among the nodes that are not in `order`.
fn cycle(before: &Before, order: &[u32]) -> Vec<u32> {
    let mut is_free = vec![false; before.behind.len()];
    order.iter().for_each(|&node| is_free[node as usize] = true);
    // Every node that is left has one before it that is left, too: going back long enough ends in a cycle.
    let mut entry = vec![None; before.behind.len()];
    for edge in before.edges.iter().filter(|edge| !is_free[edge.from as usize] && !is_free[edge.to as usize]) {
        entry[edge.to as usize] = Some(edge.from);
    }
    let Some(mut node) = (0..entry.len() as u32).find(|&node| entry[node as usize].is_some()) else {
        return Vec::new();
    };
    for _ in 0..entry.len() {
        node = entry[node as usize].unwrap_or(node);
    }
    before.explained(before.path((node, node), u32::MAX))
}
