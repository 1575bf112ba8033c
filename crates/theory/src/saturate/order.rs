//! Which operation is known to come before which? A relation that is closed under transitivity at all times.
//!
//! Two bit matrices over the operations that are *live*, one by rows of what comes after, one of what comes before. Adding an edge
//! costs a row operation for each operation that learns something: O(n³ / 64) over all edges there can be. An operation that is
//! forgotten gives its row to the next one, so with match removal the size is that of the object's contents. 2 × n² bits.

use crate::operation::NONE;

/// A strict partial order of the live operations.
pub(crate) struct Order {
    /// Words of a row.
    stride: usize,
    after: Vec<u64>,
    prior: Vec<u64>,
    slot_of: Vec<u32>,
    op_at: Vec<u32>,
    free: Vec<u32>,
}

impl Order {
    pub fn new(operations: usize) -> Order {
        let slot_of = vec![NONE; operations];
        Order { stride: 1, after: Vec::new(), prior: Vec::new(), slot_of, op_at: Vec::new(), free: Vec::new() }
    }

    pub fn is_live(&self, op: u32) -> bool {
        self.slot_of[op as usize] != NONE
    }

    /// The live operations.
    pub fn live(&self) -> impl Iterator<Item = u32> {
        self.op_at.iter().copied().filter(|&op| op != NONE)
    }

    pub fn bytes(&self) -> usize {
        8 * (self.after.capacity() + self.prior.capacity()) + 4 * (self.slot_of.len() + 2 * self.op_at.capacity())
    }

    /// Bytes that the next few operations may need beyond what is held: wider matrices, made before the old ones go.
    pub fn growth(&self) -> usize {
        const FEW: usize = 4; // one returns, and pending ones may join with it
        let wider = 2 * self.stride;
        if self.op_at.len() + FEW > 64 * self.stride + self.free.len() { 2 * 8 * 64 * wider * wider } else { 0 }
    }

    /// Is the first known to come before the second? Both are live.
    pub fn knows(&self, first: u32, second: u32) -> bool {
        let (row, column) = (self.slot_of[first as usize], self.slot_of[second as usize]);
        row != NONE
            && column != NONE
            && self.after[row as usize * self.stride + column as usize / 64] >> (column % 64) & 1 == 1
    }

    /// A new operation that comes after `earlier` and all that is before them; appends the pairs that are new.
    pub fn insert(&mut self, op: u32, earlier: impl Iterator<Item = u32>, pairs: &mut Vec<(u32, u32)>) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.op_at.push(NONE);
            self.op_at.len() as u32 - 1
        });
        self.grow(self.op_at.len());
        self.op_at[slot as usize] = op;
        self.slot_of[op as usize] = slot;
        let mut row = vec![0; self.stride];
        for other in earlier {
            let other = self.slot_of[other as usize] as usize;
            set(&mut row, other);
            let known = &self.prior[other * self.stride..(other + 1) * self.stride];
            row.iter_mut().zip(known).for_each(|(word, more)| *word |= more);
        }
        for other in bits(&row) {
            set(&mut self.after[other * self.stride..], slot as usize);
            pairs.push((self.op_at[other], op));
        }
        self.prior[slot as usize * self.stride..][..row.len()].copy_from_slice(&row);
    }

    /// The first comes before the second, which was not known, nor the contrary; appends the pairs that are new.
    pub fn add(&mut self, first: u32, second: u32, pairs: &mut Vec<(u32, u32)>) {
        let (from, to) = (self.slot_of[first as usize] as usize, self.slot_of[second as usize] as usize);
        let mut behind = self.after[to * self.stride..(to + 1) * self.stride].to_vec();
        set(&mut behind, to);
        let mut ahead = self.prior[from * self.stride..(from + 1) * self.stride].to_vec();
        set(&mut ahead, from);
        for slot in bits(&ahead) {
            let row = &mut self.after[slot * self.stride..(slot + 1) * self.stride];
            for (word, more) in behind.iter().enumerate() {
                let mut new = more & !row[word];
                row[word] |= more;
                while new != 0 {
                    let other = 64 * word + new.trailing_zeros() as usize;
                    new &= new - 1;
                    set(&mut self.prior[other * self.stride..], slot);
                    pairs.push((self.op_at[slot], self.op_at[other]));
                }
            }
        }
    }

    /// All pairs that the operation is in.
    pub fn pairs_of(&self, op: u32, pairs: &mut Vec<(u32, u32)>) {
        let slot = self.slot_of[op as usize] as usize;
        let row = slot * self.stride..(slot + 1) * self.stride;
        pairs.extend(bits(&self.after[row.clone()]).map(|other| (op, self.op_at[other])));
        pairs.extend(bits(&self.prior[row]).map(|other| (self.op_at[other], op)));
    }

    /// Forgets an operation; what is known of the others through it stays known.
    pub fn remove(&mut self, op: u32) {
        let slot = std::mem::replace(&mut self.slot_of[op as usize], NONE) as usize;
        self.op_at[slot] = NONE;
        self.free.push(slot as u32);
        for matrix in [&mut self.after, &mut self.prior] {
            matrix[slot * self.stride..(slot + 1) * self.stride].fill(0);
            for row in matrix.chunks_exact_mut(self.stride) {
                row[slot / 64] &= !(1 << (slot % 64));
            }
        }
    }

    /// Room for so many rows.
    fn grow(&mut self, rows: usize) {
        if rows > 64 * self.stride {
            let stride = 2 * self.stride;
            for matrix in [&mut self.after, &mut self.prior] {
                let mut wider = Vec::with_capacity(64 * stride * stride);
                for row in matrix.chunks_exact(self.stride) {
                    wider.extend_from_slice(row);
                    wider.resize(wider.len() + stride - self.stride, 0);
                }
                *matrix = wider;
            }
            self.stride = stride;
        }
        self.after.resize(rows * self.stride, 0);
        self.prior.resize(rows * self.stride, 0);
    }
}

fn set(row: &mut [u64], bit: usize) {
    row[bit / 64] |= 1 << (bit % 64);
}

/// The places of the bits that are set.
fn bits(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(word, &bits)| {
        let mut left = bits;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| 64 * word + left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_testkit::{Dice, rounds};

    /// Random edges, insertions and removals, against a plain closure.
    #[test]
    fn it_is_closed_at_all_times() {
        for seed in 0..rounds(300) {
            let mut dice = Dice(seed);
            let count = 1 + dice.roll(150) as u32;
            let (mut order, mut plain) =
                (Order::new(count as usize), vec![vec![false; count as usize]; count as usize]);
            let mut live: Vec<u32> = Vec::new();
            for op in 0..count {
                let earlier: Vec<u32> = live.iter().copied().filter(|_| dice.chance(3)).collect();
                let mut pairs = Vec::new();
                order.insert(op, earlier.iter().copied(), &mut pairs);
                live.push(op);
                let mut edges: Vec<(u32, u32)> = earlier.iter().map(|&other| (other, op)).collect();
                let (x, y) = (live[dice.roll(live.len() as u64) as usize], live[dice.roll(live.len() as u64) as usize]);
                if x != y && !order.knows(x, y) && !order.knows(y, x) {
                    order.add(x, y, &mut pairs);
                    edges.push((x, y));
                }
                let mut new = 0;
                for (x, y) in edges {
                    for &p in live.iter().filter(|&&p| p == x || plain[p as usize][x as usize]).collect::<Vec<_>>() {
                        for &s in live.iter().filter(|&&s| s == y || plain[y as usize][s as usize]).collect::<Vec<_>>()
                        {
                            new += usize::from(!std::mem::replace(&mut plain[p as usize][s as usize], true));
                        }
                    }
                }
                assert_eq!(pairs.len(), new, "seed {seed}: each pair is told once");
                if dice.chance(30) {
                    order.remove(live.swap_remove(dice.roll(live.len() as u64) as usize));
                }
                let known = |&x: &u32, y: &u32| order.knows(x, *y) == plain[x as usize][*y as usize];
                assert!(live.iter().all(|x| live.iter().all(|y| known(x, y))), "seed {seed}");
            }
        }
    }
}
