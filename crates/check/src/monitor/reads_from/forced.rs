//! What follows without a choice? Candidates that cannot be, one after the other, until each reader has one or none.
//!
//! A reader with one candidate sees that. The zones of the blocks that are decided so far are in force whatever the others see, so a candidate
//! whose block, with this reader, is in conflict with another block cannot be; perhaps that leaves another reader with one.
//!
//! A violation comes with the operations that show it: the reader, every write that could have left its value, and for each of these what
//! excludes it, down to the real-time order. These operations are a violation by themselves, because the same steps lead to it.

use super::blocks::Blocks;
use super::sources::Sources;
use crate::monitor::{Decided, Decision, Meter, NEVER, NONE};
use hashbrown::{HashMap, HashSet};
use linpoint_base::Hashing;

/// After so many rounds over all readers the rest is left to `repair`.
const ROUNDS: usize = 12;

/// Candidates that cannot be, and why.
#[derive(Default)]
pub(super) struct Excluded {
    /// By the place of a candidate: the operations whose zones it would be in conflict with.
    why: HashMap<u32, Box<[u32]>, Hashing>,
}

impl Excluded {
    /// The candidates of `op` that are left.
    pub fn left(&self, sources: &Sources, op: u32) -> Vec<u32> {
        let first = sources.first_candidate(op);
        let is_left = |(place, _): &(usize, &u32)| !self.why.contains_key(&((first + place) as u32));
        sources.candidates(op).iter().enumerate().filter(is_left).map(|(_, &version)| version).collect()
    }

    pub fn bytes(&self) -> usize {
        self.why.allocation_size() + self.why.len() * 24
    }

    /// The operations, and all that says why each of them saw what it saw.
    pub fn explained(&self, sources: &Sources, conflict: Vec<u32>) -> Decision {
        let mut known: HashSet<u32, Hashing> = conflict.iter().copied().collect();
        let mut rest = conflict;
        let mut all = rest.clone();
        while let Some(op) = rest.pop() {
            let value = sources.sees[op as usize];
            if value == NONE {
                continue;
            }
            let (call, ret) = (sources.call[op as usize], sources.ret[op as usize]);
            let mut more: Vec<u32> = Vec::new();
            let reached = |&&version: &&u32| sources.began(version) < ret;
            for &version in sources.versions(value).iter().filter(reached) {
                more.extend(sources.writer_of(version));
                if sources.is_over(version, call) {
                    more.extend(overwriter(sources, call));
                }
            }
            let first = sources.first_candidate(op);
            for place in first..first + sources.candidates(op).len() {
                more.extend(self.why.get(&(place as u32)).into_iter().flatten());
            }
            for op in more {
                if known.insert(op) {
                    rest.push(op);
                    all.push(op);
                }
            }
        }
        Decision::Violation(all)
    }
}

/// The write called last among those that returned before `rank`: it overwrote all that was surely overwritten by then.
pub(super) fn overwriter(sources: &Sources, rank: u32) -> Option<u32> {
    let writers = sources.writer[1..].iter().copied();
    let done = writers.filter(|&op| sources.ret[op as usize] < rank);
    done.max_by_key(|&op| sources.call[op as usize])
}

/// Lets every reader that has no choice see what it must; a violation if there is nothing that it can see.
pub(super) fn settle(blocks: &mut Blocks<'_>, meter: &mut Meter<'_>) -> Decided<Excluded> {
    let sources = blocks.sources;
    let mut excluded = Excluded::default();
    let must = |op: &u32| sources.sees[*op as usize] != NONE && sources.ret[*op as usize] != NEVER;
    let mut open: Vec<u32> = Vec::new();
    for op in (0..sources.sees.len() as u32).filter(must) {
        match sources.candidates(op) {
            [] => return Err(excluded.explained(sources, vec![op])),
            &[one] => attach(blocks, &excluded, op, one)?,
            _ => open.push(op),
        }
    }
    for _ in 0..ROUNDS {
        let before = open.len();
        let mut rest = Vec::new();
        for op in open {
            meter.tick()?;
            match &reduce(blocks, &mut excluded, op)[..] {
                [] => return Err(excluded.explained(sources, vec![op])),
                &[one] => attach(blocks, &excluded, op, one)?,
                _ => rest.push(op),
            }
        }
        open = rest;
        if open.is_empty() || open.len() == before {
            break;
        }
    }
    conflict_free(blocks, &excluded)?;
    Ok(excluded)
}

fn attach(blocks: &mut Blocks<'_>, excluded: &Excluded, op: u32, version: u32) -> Decided<()> {
    if blocks.comes_from(version, op) {
        let circle = blocks.members(blocks.root(version));
        return Err(excluded.explained(blocks.sources, [circle, vec![op]].concat()));
    }
    blocks.attach(op, version);
    Ok(())
}

/// Tries the candidates of a reader that are left, and notes those that cannot be.
fn reduce(blocks: &mut Blocks<'_>, excluded: &mut Excluded, op: u32) -> Vec<u32> {
    let sources = blocks.sources;
    let mut left = excluded.left(sources, op);
    left.retain(|&version| {
        let Some(against) = objection(blocks, op, version) else { return true };
        let place = sources.candidates(op).iter().position(|&other| other == version).expect("a candidate");
        excluded.why.insert((sources.first_candidate(op) + place) as u32, against.into());
        false
    });
    left
}

/// The operations that do not let `op` see `version`.
fn objection(blocks: &mut Blocks<'_>, op: u32, version: u32) -> Option<Vec<u32>> {
    if blocks.comes_from(version, op) {
        return Some(blocks.members(blocks.root(version)));
    }
    blocks.attach(op, version);
    let root = blocks.root(version);
    let mut rival = None;
    let found = if blocks.zone(root).faults > 0 {
        Some(blocks.bounds(root))
    } else {
        blocks.rivals(root, |other| rival = Some(other));
        rival.map(|other| [blocks.bounds(root), blocks.bounds(other)].concat())
    };
    blocks.detach(op, &mut Vec::new());
    found.map(|mut ops| {
        ops.retain(|&other| other != op);
        ops
    })
}

/// Blocks that are decided and in conflict, or at fault, are a violation.
fn conflict_free(blocks: &mut Blocks<'_>, excluded: &Excluded) -> Decided<()> {
    for root in 0..blocks.reads.len() as u32 {
        if blocks.root(root) != root {
            continue;
        }
        let mut rival = None;
        if blocks.zone(root).faults > 0 {
            return Err(excluded.explained(blocks.sources, blocks.bounds(root)));
        }
        blocks.rivals(root, |other| rival = Some(other));
        if let Some(other) = rival {
            let conflict = [blocks.bounds(root), blocks.bounds(other)].concat();
            return Err(excluded.explained(blocks.sources, conflict));
        }
    }
    Ok(())
}
