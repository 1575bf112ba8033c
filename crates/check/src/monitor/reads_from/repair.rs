//! Which candidates go together? Min-conflicts over the readers that have a choice.
//!
//! Minton, Johnston, Philips & Laird, *Minimizing conflicts* (Artificial Intelligence 1992): start from a good guess, then move
//! one variable at a time, of one that is in conflict, to where it is in the fewest. Here a variable is a reader, its values are the versions that
//! it may have seen, and conflicts are those of the blocks' zones (`blocks`). The guess takes readers by their calls and gives each
//! the version with which its block is in the fewest conflicts and in force for the shortest time.
//!
//! It finds a witness or gives up after a counted amount of work; that there is none it cannot tell. The same history takes the same
//! steps on every machine: chance comes from a generator with a fixed seed.

use super::blocks::Blocks;
use super::forced::Excluded;
use crate::monitor::chance::Chance;
use crate::monitor::{Decided, Meter, NEVER, NONE, declined};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use std::collections::VecDeque;

/// Zones that may be compared for each operation, and for any history.
const EACH: u64 = 500;
const ANY: u64 = 2_000_000;

/// Of a hundred moves that make it worse, so many are made.
const NOISE: u64 = 4;

/// The search for versions that go together.
pub(super) struct Repair<'b, 's> {
    blocks: &'b mut Blocks<'s>,
    /// What each reader with a choice may see.
    options: HashMap<u32, Vec<u32>, Hashing>,
    chance: Chance,
    /// Blocks that may be in trouble, each once.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
}

impl<'b, 's> Repair<'b, 's> {
    pub fn new(blocks: &'b mut Blocks<'s>, excluded: &Excluded) -> Self {
        let sources = blocks.sources;
        let options = |op: &u32| sources.sees[*op as usize] != NONE && blocks.source[*op as usize] == NONE;
        let options: Vec<u32> = (0..sources.sees.len() as u32).filter(options).collect();
        let options = options.into_iter().map(|op| (op, excluded.left(sources, op))).collect();
        let is_queued = vec![false; blocks.reads.len()];
        Repair { blocks, options, chance: Chance::new(0), queue: VecDeque::new(), is_queued }
    }

    pub fn blocks(&self) -> &Blocks<'s> {
        self.blocks
    }

    /// `op`, too, must see one of these.
    pub fn require(&mut self, op: u32, options: Vec<u32>) {
        self.options.insert(op, options);
        self.guess(op);
    }

    /// Gives every reader that returned and sees nothing its best candidate, in the order of calls.
    pub fn guess_all(&mut self, meter: &mut Meter<'_>) -> Decided<()> {
        let sources = self.blocks.sources;
        let mut readers: Vec<u32> = self.options.keys().copied().collect();
        readers.retain(|&op| sources.ret[op as usize] != NEVER);
        readers.sort_unstable_by_key(|&op| sources.call[op as usize]);
        for op in readers {
            meter.tick()?;
            self.guess(op);
        }
        (0..self.is_queued.len() as u32).for_each(|version| self.enqueue(version));
        Ok(())
    }

    fn guess(&mut self, op: u32) {
        if let Some((_, _, version)) = self.best(op) {
            self.blocks.attach(op, version);
            self.enqueue_block(version);
        }
    }

    /// Moves readers until no block is in trouble.
    pub fn run(&mut self, meter: &mut Meter<'_>) -> Decided<()> {
        let until = self.blocks.work + ANY + EACH * self.blocks.sources.call.len() as u64;
        while let Some(root) = self.queue.pop_front() {
            self.is_queued[root as usize] = false;
            meter.tick()?;
            if self.blocks.root(root) != root || self.blocks.trouble(root) == 0 {
                continue;
            }
            if self.blocks.work > until {
                return Err(declined(
                    "several writes may have left the values seen, and no choice was found that fits",
                ));
            }
            self.relieve(root);
            let root = self.blocks.root(root);
            self.enqueue(root);
        }
        Ok(())
    }

    /// Moves one reader of a block in trouble, or one of a block that is in conflict with it.
    fn relieve(&mut self, root: u32) {
        let mut pool = vec![root];
        self.blocks.rivals(root, |other| pool.push(other));
        let block = pool[self.chance.roll(pool.len())];
        let zone = self.blocks.zone(block);
        if zone.unsourced
            && self.chance.roll(4) > 0
            && let Some(writer) = self.blocks.sources.writer_of(block)
        {
            return self.guess(writer);
        }
        let sources = self.blocks.sources;
        let mut movable = self.blocks.members(block);
        movable.retain(|op| {
            self.blocks.source[*op as usize] != NONE && self.options.get(op).is_some_and(|options| options.len() > 1)
        });
        let bounds = |op: &u32| {
            zone.faults == 0 && (sources.ret[*op as usize] == zone.first || sources.call[*op as usize] == zone.last)
        };
        let telling: Vec<u32> = movable.iter().copied().filter(bounds).collect();
        let from = if telling.is_empty() { movable } else { telling };
        if from.is_empty() {
            pool.iter().for_each(|&other| self.enqueue(other));
            return;
        }
        let op = from[self.chance.roll(from.len())];
        self.try_to_move(op);
    }

    /// Moves a reader to its best other candidate, if that is no worse, or now and then.
    fn try_to_move(&mut self, op: u32) {
        let old = self.blocks.source[op as usize];
        let before = self.measure(old);
        let mut moved = Vec::new();
        self.blocks.detach(op, &mut moved);
        let without = self.measure(old);
        let Some((after, growth, version)) = self.best_but(op, old) else {
            return self.blocks.put_back(&moved);
        };
        let (with, without) = ((before.0, before.1), (without.0 + after, without.1 + growth));
        let is_better = without < with
            || (without.0 == with.0 && self.chance.roll(2) == 0)
            || self.chance.roll(100) < NOISE as usize;
        if is_better {
            self.blocks.attach(op, version);
            self.enqueue_block(version);
            self.enqueue_block(old);
        } else {
            self.blocks.put_back(&moved);
        }
    }

    /// The trouble and the length of the block of a version.
    fn measure(&mut self, version: u32) -> (u32, u64) {
        let root = self.blocks.root(version);
        (self.blocks.trouble(root), self.blocks.zone(root).length())
    }

    /// How much more trouble and length the best candidate of `op`, which sees nothing, would bring.
    fn best(&mut self, op: u32) -> Option<(u32, u64, u32)> {
        self.best_but(op, NONE)
    }

    fn best_but(&mut self, op: u32, except: u32) -> Option<(u32, u64, u32)> {
        let options = std::mem::take(self.options.get_mut(&op)?);
        let mut best: Option<(u32, u64, u64, u32)> = None;
        for &version in options.iter().filter(|&&version| version != except) {
            if self.blocks.comes_from(version, op) {
                continue;
            }
            let (trouble, length) = self.measure(version);
            self.blocks.attach(op, version);
            let (more, longer) = self.measure(version);
            self.blocks.detach(op, &mut Vec::new());
            let tie = self.chance.next();
            let found = (more.saturating_sub(trouble), longer.saturating_sub(length), tie, version);
            if best.is_none_or(|best| found < best) {
                best = Some(found);
            }
        }
        self.options.insert(op, options);
        best.map(|(trouble, length, _, version)| (trouble, length, version))
    }

    /// The block of a version, and all in conflict with it, may be in trouble.
    fn enqueue_block(&mut self, version: u32) {
        let root = self.blocks.root(version);
        let mut rivals = vec![root];
        self.blocks.rivals(root, |other| rivals.push(other));
        rivals.into_iter().for_each(|other| self.enqueue(other));
    }

    fn enqueue(&mut self, root: u32) {
        if !std::mem::replace(&mut self.is_queued[root as usize], true) {
            self.queue.push_back(root);
        }
    }
}
