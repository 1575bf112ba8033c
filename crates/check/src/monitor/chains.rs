//! Can the values of a register, each written once, be put in a row? Blocks that nothing can interrupt.
//!
//! After Gibbons & Korach, *Testing Shared Memories* (SIAM J. Comput. 1997), with CAS. A *block* is a plain write (or
//! what is held at first), the chain of CAS that starts from it, and all reads of their values.
//! Within a block levels follow each other: write, its reads, the CAS, its reads …
//!
//! ```text
//!   write 1    |--|                     level 0
//!   read → 1             |--|           level 1: called at rank 4
//!   cas 1 → 2     |---|                 level 2: returned at rank 3, before a read of what it overwrote was called
//! ```
//!
//! A violation is an operation that returned before one of an earlier level was called, or two blocks in conflict
//! (`zones`). Otherwise blocks in a row are the order. O(n), about 60 bytes per operation.

use super::zones::Zones;
use super::{Decided, Decision, Meter, NEVER, NONE, by_rank};

/// Decides by the blocks of these writes; all ranks are below `ranks`.
pub(super) fn in_a_row(writes: &Writes, ranks: usize, meter: &mut Meter<'_>) -> Decided<Decision> {
    let blocks = Blocks::of(writes, meter)?;
    meter.hold(8 * ranks)?;
    let zones = Zones::new(blocks.root.len(), ranks, |block| (blocks.first[block], blocks.last[block]));
    let zones = zones
        .map_err(|(a, b)| Decision::Violation([blocks.bounds_of(writes, a), blocks.bounds_of(writes, b)].concat()))?;
    // A forward zone stands where it begins; a backward one at its last call, or behind the forward zone it would interrupt.
    let anchor = |block: usize| {
        let (first, last) = (blocks.first[block], blocks.last[block]);
        let around = zones.around(last).map_or(0, |around| blocks.last[around]);
        if first < last { first } else { last.max(around) }
    };
    let row = by_rank(blocks.root.len(), ranks, anchor);
    let mut order = Vec::with_capacity(writes.call.len());
    for block in row {
        for value in writes.chain(blocks.root[block as usize]) {
            meter.tick()?;
            order.extend(Some(writes.writer[value]).filter(|&op| op < HELD_FIRST));
            order.extend_from_slice(writes.reads_of(value));
        }
    }
    Ok(Decision::Linearizable(order))
}

/// The writer of what is held at first.
pub(super) const HELD_FIRST: u32 = u32::MAX - 1;

/// Who wrote, read and overwrote each value. Values are numbered as they are met; 0 is held at first.
pub(super) struct Writes {
    /// The call and the return of each operation; rank 0 is before all of them.
    call: Vec<u32>,
    ret: Vec<u32>,
    /// The operation that wrote each value, [`HELD_FIRST`], or [`NONE`].
    writer: Vec<u32>,
    /// The value that the writer found; [`NONE`] for a plain write.
    found: Vec<u32>,
    /// The value that a CAS made of this one, or [`NONE`].
    made: Vec<u32>,
    /// The reads of value v, by their calls: `reads[reads_from[v]..reads_from[v + 1]]`.
    reads: Vec<u32>,
    reads_from: Vec<u32>,
}

impl Writes {
    /// Of each value the operation that wrote it, and the value that this one found; the reads, each behind the value that it saw.
    pub fn linked(
        (call, ret): (Vec<u32>, Vec<u32>),
        writer: Vec<u32>,
        found: Vec<u32>,
        reads: Vec<(u32, u32)>,
    ) -> Decided<Writes> {
        let values = writer.len();
        let mut reads_from = vec![0u32; values + 1];
        reads.iter().for_each(|&(value, _)| reads_from[value as usize + 1] += 1);
        for value in 0..values {
            reads_from[value + 1] += reads_from[value];
        }
        let mut place = reads_from.clone();
        let mut by_value = vec![0; reads.len()];
        for (value, op) in reads {
            by_value[place[value as usize] as usize] = op;
            place[value as usize] += 1;
        }
        let mut writes = Writes { call, ret, writer, found, made: vec![NONE; values], reads: by_value, reads_from };
        writes.forget_unseen();
        writes.link()?;
        Ok(writes)
    }

    pub fn bytes(&self) -> usize {
        let by_value = [&self.writer, &self.found, &self.made, &self.reads_from];
        let columns = by_value.into_iter().chain([&self.call, &self.ret, &self.reads]);
        columns.map(|column| column.capacity() * 4).sum()
    }

    fn reads_of(&self, value: usize) -> &[u32] {
        &self.reads[self.reads_from[value] as usize..self.reads_from[value + 1] as usize]
    }

    /// Pending writes may as well not have happened, unless an operation that returned saw their value, or saw what a
    /// pending CAS made of it, and so on. Two pending CAS that only feed each other explain no result:
    ///
    /// ```text
    ///   p0  |- cas 1 → 2 ...      neither took effect: 1 and 2 were never held
    ///   p1     |- cas 2 → 1 ...
    /// ```
    fn forget_unseen(&mut self) {
        let values = self.writer.len();
        let pending = |value: usize| {
            let writer = self.writer[value];
            writer < HELD_FIRST && self.ret[writer as usize] == NEVER
        };
        let read = (0..values).filter(|&value| !self.reads_of(value).is_empty());
        let changed = (0..values).filter(|&value| !pending(value)).map(|value| self.found[value] as usize);
        let mut seen: Vec<usize> = read.chain(changed.filter(|&from| from != NONE as usize)).collect();
        let mut needed = vec![false; values];
        while let Some(value) = seen.pop() {
            let known = std::mem::replace(&mut needed[value], true);
            if !known && pending(value) && self.found[value] != NONE {
                seen.push(self.found[value] as usize);
            }
        }
        let idle: Vec<usize> = (0..values).filter(|&value| pending(value) && !needed[value]).collect();
        for value in idle {
            self.writer[value] = NONE;
            self.found[value] = NONE;
        }
    }

    /// Notes what became of each value: at most one thing, and nothing of a value that was never written.
    fn link(&mut self) -> Decided<()> {
        for value in 0..self.writer.len() {
            if self.writer[value] == NONE {
                if let Some(&read) = self.reads_of(value).first() {
                    return Err(Decision::Violation(vec![read]));
                }
                continue;
            }
            let from = self.found[value];
            if from == NONE {
                continue;
            }
            let from = from as usize;
            if self.writer[from] == NONE {
                return Err(Decision::Violation(self.seen(value)));
            }
            if self.made[from] != NONE {
                let other = self.made[from] as usize;
                return Err(Decision::Violation([self.history_of(from), self.seen(value), self.seen(other)].concat()));
            }
            self.made[from] = value as u32;
        }
        Ok(())
    }

    /// The writer of a value and, if that is pending, what shows that it took effect.
    fn seen(&self, mut value: usize) -> Vec<u32> {
        let mut chain = Vec::new();
        let mut finder = vec![NONE; self.writer.len()]; // who found each value; `made` may not be linked yet
        for (made, &from) in self.found.iter().enumerate().filter(|(_, from)| **from != NONE) {
            finder[from as usize] = made as u32;
        }
        while chain.len() <= self.writer.len() {
            let writer = self.writer[value];
            chain.push(writer);
            if self.ret[writer as usize] != NEVER {
                break;
            }
            if let Some(&read) = self.reads_of(value).first() {
                chain.push(read);
                break;
            }
            if finder[value] == NONE {
                break;
            }
            value = finder[value] as usize;
        }
        chain
    }

    /// The writers that led to a value, its own included.
    fn history_of(&self, value: usize) -> Vec<u32> {
        let (mut chain, mut value) = (Vec::new(), value as u32);
        while value != NONE && self.writer[value as usize] < HELD_FIRST && chain.len() <= self.writer.len() {
            chain.push(self.writer[value as usize]);
            value = self.found[value as usize];
        }
        chain
    }

    /// A value and what CAS after CAS made of it.
    fn chain(&self, root: u32) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(root as usize), |&value| {
            Some(self.made[value] as usize).filter(|&v| v != NONE as usize)
        })
    }
}

/// The blocks, each a zone.
struct Blocks {
    /// The value that each block begins with.
    root: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Blocks {
    fn of(writes: &Writes, meter: &mut Meter<'_>) -> Decided<Blocks> {
        let values = writes.writer.len();
        meter.hold(values * 12)?;
        let is_root = |&value: &usize| writes.writer[value] != NONE && writes.found[value] == NONE;
        let mut blocks = Blocks { root: Vec::new(), first: Vec::new(), last: Vec::new() };
        let mut covered = 0;
        for root in (0..values).filter(is_root) {
            let (first, last, length) = levels(writes, root as u32)?;
            meter.tick()?;
            blocks.root.push(root as u32);
            blocks.first.push(first);
            blocks.last.push(last);
            covered += length;
        }
        if covered < writes.writer.iter().filter(|&&writer| writer != NONE).count() {
            return Err(Decision::Violation(cycle(writes, &blocks)));
        }
        Ok(blocks)
    }

    /// The operations that show when a block began and ended to be in force, and the writes that lead to them.
    fn bounds_of(&self, writes: &Writes, block: usize) -> Vec<u32> {
        let (first, last) = (self.first[block], self.last[block]);
        let mut chain = Vec::new();
        let mut missing = usize::from(first != 0) + usize::from(last != 0);
        let mut latest = self.root[block] as usize;
        for value in writes.chain(self.root[block]) {
            if missing == 0 {
                break;
            }
            latest = value;
            let writer = Some(writes.writer[value]).filter(|&op| op < HELD_FIRST);
            chain.extend(writer);
            for &op in writer.iter().chain(writes.reads_of(value)) {
                let tells = [writes.ret[op as usize] == first, writes.call[op as usize] == last];
                missing -= tells.iter().filter(|&&tells| tells).count();
                if tells[0] || tells[1] {
                    chain.push(op);
                }
            }
        }
        if writes.writer[latest] < HELD_FIRST {
            chain.extend(writes.seen(latest));
        }
        chain
    }
}

/// First return, last call and length of the block that begins with `root`; or an operation that came too early.
fn levels(writes: &Writes, root: u32) -> Decided<(u32, u32, usize)> {
    let (mut first, mut last, mut last_op, mut length) = (NEVER, 0, NONE, 0);
    for value in writes.chain(root) {
        length += 1;
        let writer = writes.writer[value];
        if writer == HELD_FIRST {
            first = 0;
        }
        let writer = Some(writer).filter(|&op| op < HELD_FIRST);
        for level in [writer.as_slice(), writes.reads_of(value)] {
            let before = last;
            for &op in level {
                let ret = writes.ret[op as usize];
                if ret < before {
                    let mut chain = writes.history_of(value);
                    chain.extend([op, last_op]);
                    return Err(Decision::Violation(chain));
                }
                first = first.min(ret);
            }
            if let Some(&op) = level.iter().max_by_key(|&&op| writes.call[op as usize])
                && writes.call[op as usize] > last
            {
                (last, last_op) = (writes.call[op as usize], op);
            }
        }
    }
    Ok((first, last, length))
}

/// Values that were made of each other and of nothing else.
fn cycle(writes: &Writes, blocks: &Blocks) -> Vec<u32> {
    let mut rooted = vec![false; writes.writer.len()];
    for &root in &blocks.root {
        writes.chain(root).for_each(|value| rooted[value] = true);
    }
    let Some(start) = (0..rooted.len()).find(|&value| !rooted[value] && writes.writer[value] != NONE) else {
        return Vec::new();
    };
    let (mut conflict, mut value) = (Vec::new(), start);
    loop {
        conflict.push(writes.writer[value]);
        conflict.extend(writes.reads_of(value).first());
        value = writes.found[value] as usize;
        if value == start {
            return conflict;
        }
    }
}
