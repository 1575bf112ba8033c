//! The states, grouped: a *block* is a slice of `order`, bottom states first; a *constellation* is a slice of whole blocks.
//!
//! A bottom state has no inert transition, that is, no internal step within its block.

use super::sets::NONE;

#[derive(Clone, Copy)]
pub(super) struct Block {
    pub first: u32,
    /// `first..bottom` are the bottom states.
    pub bottom: u32,
    pub end: u32,
    pub constellation: u32,
    /// The list of sets against which all fresh bottom states were checked.
    pub done: u32,
    /// The list of sets for which that is not known.
    pub todo: u32,
    /// The list of fresh bottom states, the newest first.
    pub fresh: u32,
}

impl Block {
    pub fn size(&self) -> u32 {
        self.end - self.first
    }
}

pub(super) struct Blocks {
    pub all: Vec<Block>,
    /// First and end of each constellation, in `order`.
    pub constellations: Vec<(u32, u32)>,
    /// States, those of one block together, blocks of one constellation together.
    pub order: Vec<u32>,
    place: Vec<u32>,
    /// The block of each state.
    pub of: Vec<u32>,
    /// The number of inert transitions of each state.
    pub inert: Vec<u32>,
}

impl Blocks {
    /// One block, one constellation.
    pub fn one(inert: Vec<u32>) -> Self {
        let states = inert.len() as u32;
        let (bottoms, others): (Vec<u32>, Vec<u32>) = (0..states).partition(|&state| inert[state as usize] == 0);
        let bottom = bottoms.len() as u32;
        let mut order = bottoms;
        order.extend(others);
        let mut place = vec![0; states as usize];
        for (at, &state) in order.iter().enumerate() {
            place[state as usize] = at as u32;
        }
        let block = Block { first: 0, bottom, end: states, constellation: 0, done: NONE, todo: NONE, fresh: NONE };
        let of = vec![0; states as usize];
        Blocks { all: vec![block], constellations: vec![(0, states)], order, place, of, inert }
    }

    pub fn is_bottom(&self, state: u32) -> bool {
        self.inert[state as usize] == 0
    }

    /// Does the constellation consist of one block?
    pub fn is_trivial(&self, constellation: u32) -> bool {
        let (first, end) = self.constellations[constellation as usize];
        self.block_at(first).end == end
    }

    pub fn block_at(&self, place: u32) -> &Block {
        &self.all[self.of[self.order[place as usize] as usize] as usize]
    }

    fn swap(&mut self, a: u32, b: u32) {
        self.order.swap(a as usize, b as usize);
        self.place[self.order[a as usize] as usize] = a;
        self.place[self.order[b as usize] as usize] = b;
    }

    /// Makes `members` of a block a block of their own, behind what is left, in the same constellation.
    pub fn carve(&mut self, block: u32, members: &[u32]) -> u32 {
        let old = block as usize;
        let (end, mut bottoms) = (self.all[old].end, 0);
        for &state in members {
            let mut at = self.place[state as usize];
            if at < self.all[old].bottom {
                bottoms += 1;
                self.all[old].bottom -= 1;
                self.swap(at, self.all[old].bottom);
                at = self.all[old].bottom;
            }
            self.all[old].end -= 1;
            self.swap(at, self.all[old].end);
        }
        let first = self.all[old].end;
        let new = self.all.len() as u32;
        let (mut bottom, mut other) = (first, first + bottoms);
        for &state in members {
            let next = if self.is_bottom(state) { &mut bottom } else { &mut other };
            self.order[*next as usize] = state;
            self.place[state as usize] = *next;
            *next += 1;
            self.of[state as usize] = new;
        }
        let constellation = self.all[old].constellation;
        self.all.push(Block { first, bottom, end, constellation, done: NONE, todo: NONE, fresh: NONE });
        new
    }

    /// Counts one inert transition less; says whether the state is a bottom state now.
    pub fn lose_inert(&mut self, state: u32) -> bool {
        self.inert[state as usize] -= 1;
        if self.inert[state as usize] > 0 {
            return false;
        }
        let block = self.of[state as usize] as usize;
        let to = self.all[block].bottom;
        self.all[block].bottom += 1;
        self.swap(self.place[state as usize], to);
        true
    }

    /// Takes the first or the last block out of a constellation, whichever is smaller: at most half of its states.
    pub fn detach_smaller(&mut self, constellation: u32) -> u32 {
        let (first, end) = self.constellations[constellation as usize];
        let (head, tail) = (*self.block_at(first), *self.block_at(end - 1));
        let new = self.constellations.len() as u32;
        let (chosen, rest) =
            if head.size() <= tail.size() { (head, (head.end, end)) } else { (tail, (first, tail.first)) };
        self.constellations[constellation as usize] = rest;
        self.constellations.push((chosen.first, chosen.end));
        let block = self.of[self.order[chosen.first as usize] as usize];
        self.all[block as usize].constellation = new;
        block
    }
}
