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
    #[inline]
    pub fn size(&self) -> u32 {
        self.end - self.first
    }
}

/// On which side of a split a state is, while two searches look for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Open,
    With,
    Without,
}

const SIDE: u32 = 3 << 30;

/// What is known about a state, in one place: a search that meets it wants all of this at once.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub block: u32,
    /// The number of its inert transitions.
    pub inert: u32,
    place: u32,
    /// For a search: its side, and its inert steps that do not yet lead into *without* (0: it was not met). Zero between splits.
    pub scratch: u32,
}

impl State {
    #[inline]
    pub fn side(&self) -> Side {
        match self.scratch >> 30 {
            0 => Side::Open,
            1 => Side::With,
            _ => Side::Without,
        }
    }

    #[inline]
    pub fn take_side(&mut self, side: Side) {
        self.scratch = self.scratch & !SIDE | (side as u32) << 30;
    }

    /// One inert step less to wait for; says whether it was the first and whether it was the last.
    #[inline]
    pub fn count_down(&mut self) -> (bool, bool) {
        let first = self.scratch & !SIDE == 0;
        if first {
            self.scratch |= self.inert;
        }
        self.scratch -= 1;
        (first, self.scratch & !SIDE == 0)
    }
}

pub(super) struct Blocks {
    pub all: Vec<Block>,
    /// First and end of each constellation, in `order`.
    pub constellations: Vec<(u32, u32)>,
    /// States, those of one block together, blocks of one constellation together.
    pub order: Vec<u32>,
    pub states: Vec<State>,
}

impl Blocks {
    /// These blocks, one constellation. `inert` counts the inert transitions of a state.
    pub fn new(block: &[u32], count: usize, inert: impl Fn(u32) -> u32) -> Self {
        let known = |(state, &block): (usize, &u32)| State { block, inert: inert(state as u32), place: 0, scratch: 0 };
        let mut states: Vec<State> = block.iter().enumerate().map(known).collect();
        let empty = Block { first: 0, bottom: 0, end: 0, constellation: 0, done: NONE, todo: NONE, fresh: NONE };
        let mut all = vec![empty; count];
        for state in &states {
            let block = &mut all[state.block as usize];
            block.end += 1;
            block.bottom += u32::from(state.inert == 0);
        }
        let mut first = 0;
        for block in &mut all {
            (block.first, block.bottom, block.end) = (first, first + block.bottom, first + block.end);
            first = block.end;
        }
        let mut next: Vec<(u32, u32)> = all.iter().map(|block| (block.first, block.bottom)).collect();
        let mut order = vec![0; states.len()];
        for (name, state) in states.iter_mut().enumerate() {
            let (bottom, other) = &mut next[state.block as usize];
            let place = if state.inert == 0 { bottom } else { other };
            order[*place as usize] = name as u32;
            state.place = *place;
            *place += 1;
        }
        Blocks { all, constellations: vec![(0, states.len() as u32)], order, states }
    }

    /// The block of a state.
    #[inline]
    pub fn of(&self, state: u32) -> u32 {
        self.states[state as usize].block
    }

    #[inline]
    pub fn is_bottom(&self, state: u32) -> bool {
        self.states[state as usize].inert == 0
    }

    /// Does the constellation consist of one block?
    pub fn is_trivial(&self, constellation: u32) -> bool {
        let (first, end) = self.constellations[constellation as usize];
        self.block_at(first).end == end
    }

    pub fn block_at(&self, place: u32) -> &Block {
        &self.all[self.of(self.order[place as usize]) as usize]
    }

    #[inline]
    fn swap(&mut self, a: u32, b: u32) {
        if a != b {
            self.order.swap(a as usize, b as usize);
            self.states[self.order[a as usize] as usize].place = a;
            self.states[self.order[b as usize] as usize].place = b;
        }
    }

    /// Makes `members` of a block a block of their own, behind what is left, in the same constellation.
    pub fn carve(&mut self, block: u32, members: &[u32]) -> u32 {
        let old = block as usize;
        let (end, mut bottoms) = (self.all[old].end, 0);
        for &state in members {
            let mut at = self.states[state as usize].place;
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
            self.states[state as usize].place = *next;
            self.states[state as usize].block = new;
            *next += 1;
        }
        let constellation = self.all[old].constellation;
        self.all.push(Block { first, bottom, end, constellation, done: NONE, todo: NONE, fresh: NONE });
        new
    }

    /// Counts one inert transition less; says whether the state is a bottom state now.
    pub fn lose_inert(&mut self, state: u32) -> bool {
        let known = &mut self.states[state as usize];
        known.inert -= 1;
        if known.inert > 0 {
            return false;
        }
        let (block, place) = (known.block as usize, known.place);
        let to = self.all[block].bottom;
        self.all[block].bottom += 1;
        self.swap(place, to);
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
        let block = self.of(self.order[chosen.first as usize]);
        self.all[block as usize].constellation = new;
        block
    }
}
