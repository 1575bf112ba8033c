//! Which block is covered least, and which operation reaches it? Two complete trees in arrays, walked without recursion.
//!
//! [`Coverage`] knows for each block of slots how many presences cover it and, if it is one, whose. [`Stabbing`] finds
//! operations that reach a block. A node has [`WIDE`] children, a cache line of them, so a million blocks are five levels and not twenty, and
//! the nodes above take a fifteenth of the room of the blocks. Whoever changes a node goes up only as far as something changes.

/// How many nodes have one above them.
const WIDE: usize = 16;

/// How often each block is covered: range changes, and where the least covered living block is. O(log n) each.
pub(super) struct Coverage {
    /// From the blocks to the few nodes on top.
    levels: Vec<Level>,
}

/// The nodes of one height; in full groups, the last of which may end with dead ones.
struct Level {
    /// The least count below a node, without what the nodes above it add.
    least: Vec<i32>,
    /// What a node adds to all below it, itself included in `least`. Blocks have none.
    extra: Vec<i32>,
    /// The exclusive or of the values that cover all below a node.
    who: Vec<u32>,
}

/// The count of a block that is out of the game, whatever is taken from it.
const DEAD: i32 = i32::MAX / 2;

/// A length in full groups.
fn padded(length: usize) -> usize {
    length.max(1).next_multiple_of(WIDE)
}

/// The nodes below the one at `above`.
fn group<T>(row: &[T], above: usize) -> &[T] {
    &row[above * WIDE..(above + 1) * WIDE]
}

fn least(group: &[i32]) -> i32 {
    group.iter().copied().fold(i32::MAX, i32::min)
}

fn most(group: &[u32]) -> u32 {
    group.iter().copied().fold(0, u32::max)
}

impl Coverage {
    /// `counts[b]` presences cover block b, and `who[b]` is the exclusive or of their values.
    pub fn new(mut counts: Vec<i32>, mut who: Vec<u32>) -> Coverage {
        counts.resize(padded(counts.len()), DEAD);
        who.resize(counts.len(), 0);
        let mut levels = vec![Level { least: counts, extra: Vec::new(), who }];
        loop {
            let below = &levels[levels.len() - 1].least;
            if below.len() == WIDE {
                return Coverage { levels };
            }
            let mut above: Vec<i32> = below.chunks_exact(WIDE).map(least).collect();
            above.resize(padded(above.len()), DEAD);
            let length = above.len();
            levels.push(Level { least: above, extra: vec![0; length], who: vec![0; length] });
        }
    }

    /// Bytes for so many blocks.
    pub fn bytes(blocks: usize) -> usize {
        8 * padded(blocks) + 12 * padded(blocks / (WIDE - 1))
    }

    /// The first of the least covered living blocks: (count, block, the exclusive or of the values that cover it).
    pub fn least(&self) -> (i32, usize, u32) {
        let (mut node, mut who, mut count) = (0, 0, None);
        for level in self.levels.iter().rev() {
            let nodes = group(&level.least, node);
            let lowest = least(nodes);
            node = node * WIDE + nodes.iter().position(|&count| count == lowest).unwrap_or(0);
            who ^= level.who[node];
            count.get_or_insert(lowest);
        }
        (count.unwrap_or(DEAD), node, who)
    }

    /// Takes a block out of the game.
    pub fn kill(&mut self, block: usize) {
        self.levels[0].least[block] = DEAD;
        let mut node = block;
        for height in 1..self.levels.len() {
            node /= WIDE;
            if !self.refresh(height, node) {
                return;
            }
        }
    }

    /// Value `v` no longer covers the blocks `from..to`.
    pub fn uncover(&mut self, mut from: usize, mut to: usize, v: u32) {
        let (mut left, mut right) = (from, to - 1); // the outermost nodes that are touched
        for height in 0..self.levels.len() {
            // Nodes that fill the one above them are left to that one.
            let (inner_from, inner_to) = (from.div_ceil(WIDE), to / WIDE);
            let is_top = height + 1 == self.levels.len();
            if is_top || inner_from >= inner_to {
                self.levels[height].lower(from, to, v);
                (from, to) = (0, 0);
            } else {
                self.levels[height].lower(from, inner_from * WIDE, v);
                self.levels[height].lower(inner_to * WIDE, to, v);
                (from, to) = (inner_from, inner_to);
            }
            if is_top {
                return;
            }
            (left, right) = (left / WIDE, right / WIDE);
            let changed = self.refresh(height + 1, left) | (left != right && self.refresh(height + 1, right));
            if !changed && from == to {
                return;
            }
        }
    }

    /// Works out the least count of a node again; did it change?
    fn refresh(&mut self, height: usize, node: usize) -> bool {
        let below = least(group(&self.levels[height - 1].least, node));
        let level = &mut self.levels[height];
        let now = below + level.extra[node];
        std::mem::replace(&mut level.least[node], now) != now
    }
}

impl Level {
    /// Value `v` no longer covers what is below the nodes `from..to`.
    fn lower(&mut self, from: usize, to: usize, v: u32) {
        self.least[from..to].iter_mut().for_each(|count| *count -= 1);
        self.who[from..to].iter_mut().for_each(|who| *who ^= v);
        if !self.extra.is_empty() {
            self.extra[from..to].iter_mut().for_each(|extra| *extra -= 1);
        }
    }
}

/// Operations sorted by the first block they reach: finds one that reaches a given block, in O(log n).
pub(super) struct Stabbing {
    /// The largest last block below a node, plus one; 0 when all are gone. From the operations to the few nodes on top.
    levels: Vec<Vec<u32>>,
}

impl Stabbing {
    /// Operations by their last blocks plus one.
    pub fn new(mut until: Vec<u32>) -> Stabbing {
        until.resize(padded(until.len()), 0);
        let mut levels = vec![until];
        while levels[levels.len() - 1].len() > WIDE {
            let mut above: Vec<u32> = levels[levels.len() - 1].chunks_exact(WIDE).map(most).collect();
            above.resize(padded(above.len()), 0);
            levels.push(above);
        }
        Stabbing { levels }
    }

    /// Bytes for so many operations.
    pub fn bytes(operations: usize) -> usize {
        4 * padded(operations) + 4 * padded(operations / (WIDE - 1))
    }

    /// The first operation in the places `from..to` that reaches `block` or beyond; it is gone then.
    pub fn take(&mut self, from: usize, to: usize, block: u32) -> Option<usize> {
        if from >= to {
            return None;
        }
        let top = self.levels.len() - 1;
        let (mut at, mut height) = if from == 0 { (0, top) } else { (from, 0) };
        let reaches = |row: &[u32]| row.iter().position(|&until| until > block);
        loop {
            let end = (at / WIDE + 1) * WIDE;
            if let Some(found) = reaches(&self.levels[height][at..end]) {
                at += found;
                break;
            }
            (at, height) = (end / WIDE, height + 1);
            if height > top || at >= self.levels[height].len() {
                return None;
            }
        }
        for row in self.levels[..height].iter().rev() {
            at = at * WIDE + reaches(group(row, at)).expect("one below it does");
        }
        if at >= to {
            return None;
        }
        self.remove(at);
        Some(at)
    }

    /// Takes the operation at `place` out.
    pub fn remove(&mut self, place: usize) {
        self.levels[0][place] = 0;
        let mut node = place;
        for height in 1..self.levels.len() {
            node /= WIDE;
            let now = most(group(&self.levels[height - 1], node));
            if std::mem::replace(&mut self.levels[height][node], now) == now {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_testkit::Dice;

    /// Trees of several levels beside plain rows.
    #[test]
    fn ranges_are_uncovered_and_the_least_covered_block_is_found() {
        let mut dice = Dice(0);
        for blocks in [1, 2, 15, 16, 17, 255, 256, 257, 700, 5000] {
            let mut covers: Vec<(usize, usize)> = Vec::new();
            let (mut counts, mut who) = (vec![0i32; blocks], vec![0u32; blocks]);
            for v in 0..300 {
                let from = dice.roll(blocks as u64) as usize;
                let most = if v % 3 == 0 { blocks - from } else { 20.min(blocks - from) };
                let to = from + 1 + dice.roll(most as u64) as usize;
                covers.push((from, to));
                counts[from..to].iter_mut().for_each(|count| *count += 1);
                who[from..to].iter_mut().for_each(|who| *who ^= v);
            }
            let mut coverage = Coverage::new(counts.clone(), who.clone());
            for v in 0..300 {
                let (from, to) = covers[v as usize];
                coverage.uncover(from, to, v);
                counts[from..to].iter_mut().for_each(|count| *count -= 1);
                who[from..to].iter_mut().for_each(|who| *who ^= v);
                if v % 2 == 0 {
                    let dead = dice.roll(blocks as u64) as usize;
                    coverage.kill(dead);
                    counts[dead] = DEAD;
                }
                let least = counts.iter().copied().min().unwrap_or(0);
                if least < 1000 {
                    let first = counts.iter().position(|&count| count == least).unwrap_or(0);
                    assert_eq!(coverage.least(), (least, first, who[first]), "{blocks} blocks, {v} uncovered");
                } else {
                    assert!(coverage.least().0 > 1000);
                }
            }
        }
    }

    #[test]
    fn the_first_operation_that_reaches_a_block_is_taken() {
        let mut dice = Dice(1);
        for operations in [1, 16, 17, 256, 257, 5000] {
            let mut until: Vec<u32> = (0..operations).map(|_| 1 + dice.roll(100) as u32).collect();
            let mut stabbing = Stabbing::new(until.clone());
            for round in 0..2 * operations.min(1000) {
                let from = if round % 2 == 0 { 0 } else { dice.roll(operations as u64) as usize };
                let to = dice.roll(operations as u64 + 1) as usize;
                let block = dice.roll(100) as u32;
                let first = (from..to).find(|&place| until[place] > block);
                assert_eq!(stabbing.take(from, to, block), first, "{from}..{to} of {operations}, {block}");
                if let Some(place) = first {
                    until[place] = 0;
                }
                let gone = dice.roll(operations as u64) as usize;
                stabbing.remove(gone);
                until[gone] = 0;
            }
        }
    }
}
