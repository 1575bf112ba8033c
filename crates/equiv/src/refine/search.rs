//! Which states of a block can reach a set of transitions by inert steps, and which cannot? Two searches take turns.
//!
//! *With* starts at the sources of the set and goes back along inert steps. *Without* starts at bottom states that have no step in the set;
//! a state joins when all its inert steps lead to states that joined, and it has no step in the set itself. Each gives up when
//! it has more than half of the block. The first to be complete names its half, so no more work is done than a small factor of what
//! that half costs: its incoming transitions, its outgoing ones, and those of states that become bottom states by the split.

use super::Refiner;
use super::blocks::{Side, State};
use super::sets::{NONE, WAITS, WAITS_ALONE};
use crate::lts::TAU;

/// Transitions per turn.
const TURN: u32 = 32;

/// Where *without* finds its bottom states.
#[derive(Default)]
enum Start {
    /// Among the states at these places.
    Places(u32, u32),
    /// Among the fresh bottom states from this one on that were born after this clock.
    Fresh(u32, u32),
    /// They are in its list already.
    #[default]
    Listed,
}

/// One of the two searches: what it found, and where it stands.
#[derive(Default)]
struct Half {
    found: Vec<u32>,
    /// The first state found whose incoming steps are not all seen.
    at: usize,
    /// How many of them are seen.
    seen: u32,
}

/// The state of both searches. Between splits it is empty, its memory kept.
#[derive(Default)]
pub(super) struct Search {
    block: u32,
    set: u32,
    met: Vec<u32>,
    with: Half,
    without: Half,
    start: Start,
    /// Places in `sets.order` whose sources *with* has still to take.
    sources: (u32, u32),
}

impl Search {
    pub fn begin(&mut self, block: u32, set: u32) {
        (self.block, self.set, self.start, self.sources) = (block, set, Start::Listed, (0, 0));
    }

    /// A state with a step in the set. Says whether it is new.
    #[inline]
    pub fn seed(&mut self, states: &mut [State], state: u32) -> bool {
        let known = &mut states[state as usize];
        let new = known.side() == Side::Open;
        if new {
            known.take_side(Side::With);
            self.with.found.push(state);
        }
        new
    }

    /// A bottom state without a step in the set, unless it is a seed.
    #[inline]
    pub fn suspect(&mut self, states: &mut [State], state: u32) {
        let known = &mut states[state as usize];
        if known.side() == Side::Open {
            known.take_side(Side::Without);
            self.without.found.push(state);
        }
    }

    pub fn has_suspects(&self) -> bool {
        !self.without.found.is_empty()
    }

    /// The bottom states without a step are those at these places that are no seeds.
    pub fn scan_bottoms(&mut self, first: u32, end: u32) {
        self.start = Start::Places(first, end);
    }

    /// They are those among the fresh bottom states from this one on, born after `since`, that are no seeds.
    pub fn scan_fresh(&mut self, state: u32, since: u32) {
        self.start = Start::Fresh(state, since);
    }

    /// The sources of the transitions at these places have a step in the set.
    pub fn read_sources(&mut self, first: u32, end: u32) {
        self.sources = (first, end);
    }

    /// Forgets everything.
    pub fn reset(&mut self, states: &mut [State]) {
        for half in [&mut self.with, &mut self.without] {
            for state in half.found.drain(..) {
                states[state as usize].scratch = 0;
            }
            (half.at, half.seen) = (0, 0);
        }
        for state in self.met.drain(..) {
            states[state as usize].scratch = 0;
        }
    }
}

impl Refiner<'_> {
    /// Runs both searches until one is complete and moves its half into a block of its own.
    pub(super) fn split(&mut self) {
        let half = self.blocks.all[self.search.block as usize].size() as usize / 2;
        let block = self.search.block;
        let moved = loop {
            let with = self.search.with.found.len() <= half;
            if with && self.step_with() {
                break Side::With;
            }
            if self.search.without.found.len() <= half && self.step_without() {
                break Side::Without;
            }
        };
        let found = match moved {
            Side::With => &mut self.search.with.found,
            _ => &mut self.search.without.found,
        };
        let members = std::mem::take(found);
        for &state in &members {
            self.blocks.states[state as usize].scratch = 0;
        }
        self.search.reset(&mut self.blocks.states);
        self.separate(block, &members, moved == Side::Without);
        // The memory is used again.
        let found = if moved == Side::With { &mut self.search.with.found } else { &mut self.search.without.found };
        *found = members;
        found.clear();
    }

    /// A turn of *with*; says whether it is complete.
    fn step_with(&mut self) -> bool {
        let mut turn = TURN;
        while turn > 0 && self.search.sources.0 < self.search.sources.1 {
            let transition = self.sets.order[self.search.sources.0 as usize];
            self.search.sources.0 += 1;
            let source = self.sets.steps[transition as usize].source;
            self.search.seed(&mut self.blocks.states, source);
            turn -= 1;
        }
        while turn > 0 {
            let Some(&state) = self.search.with.found.get(self.search.with.at) else { return true };
            turn -= 1;
            match self.incoming.silent(state, self.search.with.seen) {
                Some(source) => {
                    self.search.with.seen += 1;
                    if self.blocks.of(source) == self.search.block {
                        self.search.seed(&mut self.blocks.states, source);
                    }
                }
                None => (self.search.with.at, self.search.with.seen) = (self.search.with.at + 1, 0),
            }
        }
        self.work += u64::from(TURN);
        false
    }

    /// A turn of *without*; says whether it is complete.
    fn step_without(&mut self) -> bool {
        let mut turn = TURN;
        while turn > 0 && self.take_start() {
            turn -= 1;
        }
        while turn > 0 {
            let Some(&state) = self.search.without.found.get(self.search.without.at) else { return true };
            turn -= 1;
            match self.incoming.silent(state, self.search.without.seen) {
                Some(source) => {
                    self.search.without.seen += 1;
                    turn = turn.saturating_sub(self.count_down(source));
                }
                None => (self.search.without.at, self.search.without.seen) = (self.search.without.at + 1, 0),
            }
        }
        self.work += u64::from(TURN);
        false
    }

    /// Takes the next bottom state that *without* starts from; false if there is none.
    fn take_start(&mut self) -> bool {
        let state = match &mut self.search.start {
            Start::Places(first, end) if *first < *end => {
                *first += 1;
                self.blocks.order[*first as usize - 1]
            }
            Start::Fresh(state, since) if *state != NONE && self.born[*state as usize] > *since => {
                std::mem::replace(state, self.kin[*state as usize].0)
            }
            _ => return false,
        };
        self.search.suspect(&mut self.blocks.states, state);
        true
    }

    /// One inert step of `state` leads into *without*. Returns what it cost.
    fn count_down(&mut self, state: u32) -> u32 {
        let known = &mut self.blocks.states[state as usize];
        if known.block != self.search.block || known.side() == Side::With {
            return 0;
        }
        let (first, last) = known.count_down();
        if first {
            self.search.met.push(state);
        }
        if !last {
            return 0;
        }
        let range = self.system.range(state);
        let cost = range.len() as u32;
        if self.sets.steps[range].iter().all(|step| step.set != self.search.set) {
            self.search.suspect(&mut self.blocks.states, state);
        }
        cost
    }

    /// Makes `members` a block of their own, with sets of their own. Inert steps between the halves lead from the other half into
    /// `members` if these are the states without the set, and out of `members` otherwise.
    fn separate(&mut self, old: u32, members: &[u32], without: bool) {
        let constellation = self.blocks.all[old as usize].constellation;
        if self.blocks.is_trivial(constellation) {
            self.nontrivial.push(constellation);
        }
        let new = self.blocks.carve(old, members);
        for &state in members {
            let fresh = self.born[state as usize] > self.phase;
            if fresh {
                self.unlink_fresh(old, state);
                self.link_fresh(new, state);
            }
            let range = self.system.range(state);
            self.work += range.len() as u64;
            for transition in range {
                self.sets.split_off(transition as u32, fresh);
            }
        }
        self.hand_over_sets(old, new);
        self.clock += 1;
        for &state in members {
            self.lose_inert_steps(state, old, without);
        }
        if self.blocks.all[new as usize].fresh != NONE {
            self.unstable.push(new);
        }
    }

    /// The sets that were split off belong to the new block, and wait if the old ones do.
    fn hand_over_sets(&mut self, old: u32, new: u32) {
        let mut touched = std::mem::take(&mut self.sets.touched);
        for &set in &touched {
            let mark = self.sets.all[set as usize].mark;
            if mark < WAITS {
                continue;
            }
            let part = self.sets.all[set as usize].split;
            let moved = if mark == WAITS_ALONE { NONE } else { self.sets.all[(mark & !WAITS) as usize].split };
            self.sets.all[part as usize].mark = if moved == NONE { WAITS_ALONE } else { WAITS | moved };
            self.waiting.push(part);
        }
        for set in touched.drain(..) {
            let part = std::mem::replace(&mut self.sets.all[set as usize].split, NONE);
            self.sets.link(&mut self.blocks.all[new as usize].todo, part);
            if self.sets.is_empty(set) {
                let block = &mut self.blocks.all[old as usize];
                self.sets.unlink([&mut block.done, &mut block.todo], set);
                self.sets.release(set);
            }
        }
        self.sets.touched = touched;
    }

    fn lose_inert_steps(&mut self, state: u32, old: u32, without: bool) {
        if !self.silent {
            return;
        }
        if without {
            let mut nth = 0;
            while let Some(source) = self.incoming.silent(state, nth) {
                nth += 1;
                if self.blocks.of(source) == old && self.blocks.lose_inert(source) {
                    self.welcome(source);
                }
            }
            self.work += u64::from(nth);
            return;
        }
        for transition in self.system.range(state) {
            if self.system.label[transition] != TAU {
                break;
            }
            let target = self.system.target[transition];
            if self.blocks.of(target) == old && self.blocks.lose_inert(state) {
                self.welcome(state);
            }
        }
    }

    /// A state has become a bottom state.
    fn welcome(&mut self, state: u32) {
        self.born[state as usize] = self.clock;
        self.link_fresh(self.blocks.of(state), state);
        self.arrivals.push(state);
    }

    /// Promotes the transitions of new arrivals, and has all sets of their blocks checked again.
    pub(super) fn admit(&mut self) {
        while let Some(state) = self.arrivals.pop() {
            let range = self.system.range(state);
            self.work += 1 + range.len() as u64;
            for transition in range {
                self.sets.promote(transition as u32);
            }
            let block = self.blocks.of(state);
            self.recall(block);
            if self.unstable.last() != Some(&block) {
                self.unstable.push(block);
            }
        }
    }

    /// All sets of a block have to be checked.
    fn recall(&mut self, block: u32) {
        let block = &mut self.blocks.all[block as usize];
        while block.done != NONE {
            let set = block.done;
            self.sets.unlink([&mut block.done, &mut block.todo], set);
            self.sets.link(&mut block.todo, set);
        }
    }

    pub(super) fn link_fresh(&mut self, block: u32, state: u32) {
        let older = std::mem::replace(&mut self.blocks.all[block as usize].fresh, state);
        self.kin[state as usize] = (older, NONE);
        if older != NONE {
            self.kin[older as usize].1 = state;
        }
    }

    fn unlink_fresh(&mut self, block: u32, state: u32) {
        let (older, newer) = self.kin[state as usize];
        if older != NONE {
            self.kin[older as usize].1 = newer;
        }
        if newer != NONE {
            self.kin[newer as usize].0 = older;
        } else {
            self.blocks.all[block as usize].fresh = older;
        }
    }
}
