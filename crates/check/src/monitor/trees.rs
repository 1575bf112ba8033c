//! Which block is covered least, and which operation reaches it? Two complete binary trees in an array, walked without recursion.
//!
//! [`Coverage`] knows for each block of slots how many presences cover it and, if it is one, whose. [`Stabbing`] finds
//! operations that reach a block.

/// How often each block is covered: range changes, and where the least covered living block is. O(log n) each.
pub(super) struct Coverage {
    size: usize,
    /// The least count below a node, without what its ancestors add.
    least: Vec<i32>,
    /// What a node adds to all below it, itself included in `least`.
    extra: Vec<i32>,
    /// The exclusive or of the values that cover all below a node.
    who: Vec<u32>,
}

/// The count of a block that is out of the game, whatever is taken from it.
const DEAD: i32 = i32::MAX / 2;

impl Coverage {
    /// `counts[b]` presences cover block b, and `who[b]` is the exclusive or of their values.
    pub fn new(counts: &[i32], who_covers: &[u32]) -> Coverage {
        let size = counts.len().next_power_of_two();
        let (mut least, mut who) = (vec![DEAD; 2 * size], vec![0; 2 * size]);
        least[size..size + counts.len()].copy_from_slice(counts);
        who[size..size + counts.len()].copy_from_slice(who_covers);
        for node in (1..size).rev() {
            least[node] = least[2 * node].min(least[2 * node + 1]);
        }
        Coverage { size, least, extra: vec![0; size], who }
    }

    /// The first of the least covered living blocks: (count, block, the exclusive or of the values that cover it).
    pub fn least(&self) -> (i32, usize, u32) {
        let (mut node, mut who) = (1, self.who[1]);
        while node < self.size {
            node = 2 * node + usize::from(self.least[2 * node] > self.least[2 * node + 1]);
            who ^= self.who[node];
        }
        (self.least[1], node - self.size, who)
    }

    /// Takes a block out of the game.
    pub fn kill(&mut self, block: usize) {
        self.least[self.size + block] = DEAD;
        self.refresh(self.size + block);
    }

    /// Value `v` no longer covers the blocks `from..to`.
    pub fn uncover(&mut self, from: usize, to: usize, v: u32) {
        let (mut left, mut right) = (from + self.size, to + self.size);
        while left < right {
            if left & 1 == 1 {
                self.lower(left, v);
                left += 1;
            }
            if right & 1 == 1 {
                right -= 1;
                self.lower(right, v);
            }
            left >>= 1;
            right >>= 1;
        }
        self.refresh(from + self.size);
        self.refresh(to - 1 + self.size);
    }

    fn lower(&mut self, node: usize, v: u32) {
        self.least[node] -= 1;
        self.who[node] ^= v;
        if node < self.size {
            self.extra[node] -= 1;
        }
    }

    /// Works out the nodes above `node` again.
    fn refresh(&mut self, mut node: usize) {
        while node > 1 {
            node >>= 1;
            self.least[node] = self.least[2 * node].min(self.least[2 * node + 1]) + self.extra[node];
        }
    }
}

/// Operations sorted by the first block they reach: finds one that reaches a given block, in O(log n).
pub(super) struct Stabbing {
    size: usize,
    /// The largest last block below a node, plus one; 0 when all are gone.
    until: Vec<u32>,
}

impl Stabbing {
    /// Operations by their last blocks.
    pub fn new(last: impl ExactSizeIterator<Item = u32>) -> Stabbing {
        let size = last.len().max(1).next_power_of_two();
        let mut until = vec![0; 2 * size];
        for (place, last) in last.enumerate() {
            until[size + place] = last + 1;
        }
        for node in (1..size).rev() {
            until[node] = until[2 * node].max(until[2 * node + 1]);
        }
        Stabbing { size, until }
    }

    /// The first operation in the places `from..to` that reaches `block` or beyond; it is gone then.
    pub fn take(&mut self, from: usize, to: usize, block: u32) -> Option<usize> {
        if from >= to {
            return None;
        }
        let mut node = from + self.size;
        while self.until[node] <= block {
            while node & 1 == 1 {
                node >>= 1; // the right end of what was searched
            }
            if node == 0 {
                return None;
            }
            node += 1;
        }
        while node < self.size {
            node = 2 * node + usize::from(self.until[2 * node] <= block);
        }
        let place = node - self.size;
        if place >= to {
            return None;
        }
        self.remove(place);
        Some(place)
    }

    /// Takes the operation at `place` out.
    pub fn remove(&mut self, place: usize) {
        let mut node = place + self.size;
        self.until[node] = 0;
        while node > 1 {
            node >>= 1;
            self.until[node] = self.until[2 * node].max(self.until[2 * node + 1]);
        }
    }
}
