//! Which states are branching bisimilar? Partition refinement in O(m log n) time and O(m) space.
//!
//! After J. F. Groote, D. N. Jansen, J. J. A. Keiren, A. Wijs, "An O(m log n) algorithm for computing stuttering equivalence and
//! branching bisimulation" (ACM TOCL 18(2), 2017) and D. N. Jansen, J. F. Groote, J. J. A. Keiren, A. Wijs, "An O(m log n) algorithm
//! for branching bisimilarity on labelled transition systems" (TACAS 2020).
//!
//! *Blocks* are the classes so far. *Constellations* are unions of blocks that have been used as splitters. **Invariant** between
//! rounds: if a state of a block has an `a`-step into a constellation, every bottom state of the block has one (an internal step into
//! the block's own constellation does not count). A round takes a block of at most half the states out of a constellation
//! and restores the invariant:
//!
//! 1. Each block with steps into the small part is split into the states that can reach such a step by inert transitions and
//!    those that cannot. The former are then split again for steps into the large part; whether a state has any left is a counter.
//! 2. A state whose last inert transition led into the other half is a *fresh* bottom state. Nothing is known about it, so each
//!    fresh bottom state is checked against all sets of transitions of its block, and more splits may follow.
//!
//! A split is two searches in turn, one for each half, and the one that is complete first ends both (`search.rs`). Each state is then in
//! the moved half at most log n times, and the work is in proportion to the transitions of the moved half.
//!
//! ```text
//!   s ──τ──▶ t      s and t in one block, only t has `a`. Split by `a`: both can reach it, so they stay together.
//!   s ──τ──▶ u      Only u lacks `a` and cannot reach it: {u} leaves, s ──τ──▶ u is no longer inert;
//!   t ──a──▶ …      s keeps its inert step to t, so s is no bottom state and stays.
//! ```
//!
//! **What we changed.** Constellations are slices of one array, so that a small block is at one of their ends. Inert transitions are in the sets
//! like all others; the set of a block's internal steps into its own constellation is never a splitter. Instead of marking the states to be
//! checked again, each set remembers the clock of its last check and each fresh bottom state the clock of its birth; so a
//! fresh bottom state meets each set once even if others are born meanwhile. Strong bisimilarity is the same algorithm with no label silent.
//!
//! **What comes first.** Most systems never get here: a rough partition (`rough.rs`), then passes by signatures (`signatures.rs`), find the classes in half of
//! the time or less, and with less memory. What those passes do not finish within a fixed number of looks at each transition begins
//! here with the blocks that they found: many blocks in one constellation, all bottom states fresh. So the bound above holds whatever comes.

mod blocks;
mod incoming;
mod rough;
mod search;
mod sets;
mod signatures;

use crate::lts::TAU;
use crate::prepare::Prepared;
use blocks::{Block, Blocks, Side};
use incoming::{Incoming, SILENT, Tells};
use linpoint_base::{Account, Cause, Control};
use rough::{Rough, rough};
use search::Search;
use sets::{NONE, Set, Sets, Step, WAITS, WAITS_ALONE};
use signatures::by_signatures;

/// Transitions between two looks at the budget.
const BETWEEN_POLLS: u64 = 1 << 14;
/// Bytes that the tables take, the prepared system included.
const PER_TRANSITION: usize = 32;
const PER_STATE: usize = 44;
/// Rows up to this length are searched from the beginning to the end.
const SHORT_ROW: usize = 16;
/// In a counter: the state has steps with this label into the small part only.
const ONLY_SMALL: u32 = 1 << 31;
/// The most transitions that fit beside the two flags above.
pub(crate) const MOST_TRANSITIONS: usize = (1 << 30) - 2;

/// The classes of a prepared system and the transitions between them.
pub(crate) struct Classes {
    /// The class of each prepared state.
    pub of: Vec<u32>,
    pub count: u32,
    /// (class, label, class), each once; no internal step within a class if internal steps are silent.
    pub transitions: Vec<(u32, u32, u32)>,
}

/// Refines until nothing splits. `silent`: label 0 is internal.
pub(crate) fn refine(system: &Prepared, silent: bool, control: &Control) -> Result<Classes, Cause> {
    if system.states() == 0 {
        return Ok(Classes { of: Vec::new(), count: 0, transitions: Vec::new() });
    }
    let mut account = Account::alone(control);
    // Before anything is allocated.
    if let Some(cause) = account.poll(PER_TRANSITION * system.label.len() + PER_STATE * system.states(), 0) {
        return Err(cause);
    }
    control.expect(system.states());
    let is_silent = |transition: usize| silent && system.label[transition] == TAU;
    let mut rough = rough(system, silent, control)?;
    let sources = Incoming::new(system, Tells::Source, is_silent);
    if let Some(classes) = by_signatures(system, silent, &sources, &mut rough, &mut account)? {
        return Ok(classes);
    }
    drop(sources);
    let mut refiner = Refiner::new(system, silent, rough);
    refiner.stabilise(&mut account)?;
    while let Some(constellation) = refiner.nontrivial.pop() {
        if !refiner.blocks.is_trivial(constellation) {
            refiner.round(constellation, &mut account)?;
        }
    }
    account.configurations += refiner.work;
    Ok(refiner.classes())
}

struct Refiner<'a> {
    system: &'a Prepared,
    silent: bool,
    incoming: Incoming,
    blocks: Blocks,
    sets: Sets,
    /// How many transitions have the same source, label and target constellation (see [`sets::Step`]).
    counters: Vec<u32>,
    /// Constellations of more than one block, perhaps some of one.
    nontrivial: Vec<u32>,
    /// The constellation that this round took a block from.
    large: u32,
    /// Sets that wait to be used as splitters in this round.
    waiting: Vec<u32>,
    /// A fresh bottom state was born after `phase`, the clock when this round began.
    clock: u32,
    phase: u32,
    born: Vec<u32>,
    /// Neighbours in the list of fresh bottom states of a block: (older, newer).
    kin: Vec<(u32, u32)>,
    /// Fresh bottom states whose transitions are not promoted yet.
    arrivals: Vec<u32>,
    /// Blocks with fresh bottom states, perhaps some without.
    unstable: Vec<u32>,
    search: Search,
    /// Transitions looked at since the last poll.
    work: u64,
}

impl<'a> Refiner<'a> {
    fn new(system: &'a Prepared, silent: bool, Rough { block, count }: Rough) -> Self {
        let states = system.states();
        let is_silent = |transition: usize| silent && system.label[transition] == TAU;
        let incoming = Incoming::new(system, Tells::Transition, is_silent);
        let inert = |state: u32| {
            let silent_steps = system.range(state).take_while(|&at| is_silent(at));
            silent_steps.filter(|&at| block[system.target[at] as usize] == block[state as usize]).count() as u32
        };
        let mut blocks = Blocks::new(&block, count, inert);
        let (sets, counters) = Sets::new(system, &mut blocks);
        let mut refiner = Refiner {
            system,
            silent,
            incoming,
            blocks,
            sets,
            counters,
            nontrivial: vec![0],
            large: 0,
            waiting: Vec::new(),
            clock: 1,
            phase: 0,
            born: vec![0; states],
            kin: vec![(NONE, NONE); states],
            arrivals: Vec::new(),
            unstable: Vec::new(),
            search: Search::default(),
            work: 0,
        };
        for block in (0..count as u32).rev() {
            refiner.unstable.push(block);
            let Block { first, bottom, .. } = refiner.blocks.all[block as usize];
            for at in first..bottom {
                let state = refiner.blocks.order[at as usize];
                refiner.born[state as usize] = refiner.clock;
                refiner.link_fresh(block, state);
            }
        }
        refiner
    }

    fn is_silent(&self, transition: usize) -> bool {
        self.silent && self.system.label[transition] == TAU
    }

    fn constellation_of(&self, state: u32) -> u32 {
        self.blocks.all[self.blocks.of(state) as usize].constellation
    }

    /// Is this the set of internal steps of a block into its own constellation?
    fn is_own(&self, set: u32) -> bool {
        let transition = self.sets.some(set);
        self.is_silent(transition)
            && self.constellation_of(self.source(transition)) == self.constellation_of(self.system.target[transition])
    }

    fn source(&self, transition: usize) -> u32 {
        self.sets.steps[transition].source
    }

    fn poll(&mut self, account: &mut Account<'_>) -> Result<(), Cause> {
        if self.work < BETWEEN_POLLS {
            return Ok(());
        }
        account.configurations += self.work;
        self.work = 0;
        let transitions = self.sets.steps.len();
        let held = PER_TRANSITION * transitions + PER_STATE * self.born.len();
        let held = held + 28 * (self.sets.all.len() + self.blocks.all.len());
        account.poll(held + 4 * self.counters.len(), self.blocks.all.len()).map_or(Ok(()), Err)
    }

    /// One round: a small block leaves its constellation, and everything is made stable again.
    fn round(&mut self, large: u32, account: &mut Account<'_>) -> Result<(), Cause> {
        let small = self.blocks.detach_smaller(large);
        self.phase = self.clock;
        self.large = large;
        if !self.blocks.is_trivial(large) {
            self.nontrivial.push(large);
        }
        self.divide_sets(small, large);
        self.wait_for_steps_out_of(small, large);
        while let Some(set) = self.waiting.pop() {
            let mark = self.sets.all[set as usize].mark;
            if mark >= WAITS {
                self.use_as_splitter(set, mark);
            }
            self.poll(account)?;
        }
        self.stabilise(account)
    }

    /// Steps into the small block get sets of their own, and wait to be used.
    fn divide_sets(&mut self, small: u32, large: u32) {
        let block = self.blocks.all[small as usize];
        for at in block.first..block.end {
            let state = self.blocks.order[at as usize];
            let entries = self.incoming.of(state).len();
            self.work += 1 + entries as u64;
            for nth in 0..entries {
                let entry = self.incoming.of(state)[nth];
                let silent = entry & SILENT != 0;
                let transition = if silent { self.silent_step(entry & !SILENT, state) } else { entry };
                let Step { set, source, .. } = self.sets.steps[transition as usize];
                if self.sets.is_one_step(set) {
                    self.wait(set, WAITS_ALONE, self.blocks.of(source), small); // it only leads elsewhere now
                } else {
                    self.sets.split_off(transition, false);
                }
            }
        }
        let mut touched = std::mem::take(&mut self.sets.touched);
        for old in touched.drain(..) {
            let new = std::mem::replace(&mut self.sets.all[old as usize].split, NONE);
            let transition = self.sets.some(new);
            let owner = self.blocks.of(self.source(transition));
            self.divide_counters(new);
            let Block { done, todo, constellation, .. } = &mut self.blocks.all[owner as usize];
            self.sets.link(todo, new);
            let mut mark = WAITS | old;
            if self.sets.is_empty(old) {
                self.sets.unlink([done, todo], old);
                self.sets.release(old);
                mark = WAITS_ALONE;
            }
            let into_own = *constellation == large;
            if self.silent && self.system.label[transition] == TAU && into_own {
                mark = WAITS_ALONE;
            }
            self.wait(new, mark, owner, small);
        }
        self.sets.touched = touched;
    }

    /// A set with steps into the small block waits to be used, unless it cannot split its block.
    fn wait(&mut self, set: u32, mark: u32, owner: u32, small: u32) {
        let inert = owner == small && self.is_silent(self.sets.some(set));
        if self.blocks.all[owner as usize].size() > 1 && !inert {
            self.sets.all[set as usize].mark = mark;
            self.waiting.push(set);
        }
    }

    /// The internal step from one state to another. Rows are sorted by label and target, and internal steps come first.
    fn silent_step(&self, source: u32, target: u32) -> u32 {
        let range = self.system.range(source);
        if range.len() <= SHORT_ROW {
            let found = self.system.target[range.clone()].iter().position(|&other| other == target);
            return (range.start + found.expect("the step is in its row")) as u32;
        }
        let silent = self.system.label[range.clone()].partition_point(|&label| label == TAU);
        let targets = &self.system.target[range.start..range.start + silent];
        (range.start + targets.partition_point(|&other| other < target)) as u32
    }

    /// The counters of states with steps in a new set are divided, and remember whether anything is left for the old one.
    fn divide_counters(&mut self, set: u32) {
        let Set { first, end, .. } = self.sets.all[set as usize];
        let Sets { order, steps, .. } = &mut self.sets;
        let members = &order[first as usize..end as usize];
        let states = &mut self.blocks.states;
        for &transition in members {
            states[steps[transition as usize].source as usize].scratch += 1;
        }
        for &transition in members {
            let step = &mut steps[transition as usize];
            let count = &mut states[step.source as usize].scratch;
            if *count & ONLY_SMALL == 0 {
                let total = self.counters[step.counter as usize] & !ONLY_SMALL;
                let name = if total == *count {
                    self.counters[step.counter as usize] = total | ONLY_SMALL;
                    step.counter
                } else {
                    self.counters[step.counter as usize] = total - *count;
                    self.counters.push(*count);
                    self.counters.len() as u32 - 1
                };
                *count = name | ONLY_SMALL; // from here on the name of the counter
            }
            step.counter = *count & !ONLY_SMALL;
        }
        for &transition in members {
            states[steps[transition as usize].source as usize].scratch = 0;
        }
        self.work += 2 * u64::from(end - first);
    }

    /// Internal steps from the small block into the rest of its old constellation were not looked at before: they are now.
    fn wait_for_steps_out_of(&mut self, small: u32, large: u32) {
        if !self.silent {
            return;
        }
        let block = self.blocks.all[small as usize];
        for at in block.first..block.end {
            let state = self.blocks.order[at as usize];
            for transition in self.system.range(state) {
                if self.system.label[transition] != TAU {
                    break;
                }
                if self.constellation_of(self.system.target[transition]) == large {
                    let set = self.sets.steps[transition].set;
                    self.sets.all[set as usize].mark = WAITS_ALONE;
                    self.waiting.push(set);
                    return;
                }
            }
        }
    }

    /// Splits the block of a waiting set by it, or else, where states must also have steps into the large part, by those.
    fn use_as_splitter(&mut self, set: u32, mark: u32) {
        let block = self.blocks.of(self.source(self.sets.some(set)));
        self.search.begin(block, set);
        let mut bottoms = 0;
        let members = self.sets.members(set);
        for &transition in members {
            let state = self.sets.steps[transition as usize].source;
            if self.search.seed(&mut self.blocks.states, state) {
                bottoms += u32::from(self.blocks.is_bottom(state));
            }
        }
        self.work += members.len() as u64;
        let Block { first, bottom, .. } = self.blocks.all[block as usize];
        if bottoms < bottom - first {
            self.search.scan_bottoms(first, bottom);
            self.split(); // the half with the set waits again, under its new name if it moved
            self.waiting.push(set);
            return;
        }
        self.search.reset(&mut self.blocks.states);
        self.sets.all[set as usize].mark = 0;
        let Some(large) = self.partner(set, mark) else { return };
        self.search.begin(block, large);
        for &transition in self.sets.members(set) {
            let Step { source, counter, .. } = self.sets.steps[transition as usize];
            let only_small = self.counters[counter as usize] & ONLY_SMALL != 0;
            if only_small && self.blocks.is_bottom(source) {
                self.search.suspect(&mut self.blocks.states, source);
            }
        }
        if self.search.has_suspects() {
            self.search.read_sources(self.sets.all[large as usize].first, self.sets.all[large as usize].end);
            self.split();
        } else {
            self.search.reset(&mut self.blocks.states);
        }
    }

    /// The set of the same block and label with the steps into the large part, if it still has any. Its number may have been given
    /// back and used again since the mark was made, so it is looked at.
    fn partner(&self, set: u32, mark: u32) -> Option<u32> {
        let partner = mark & !WAITS;
        if mark == WAITS_ALONE || self.sets.is_empty(partner) {
            return None;
        }
        let (here, there) = (self.sets.some(set), self.sets.some(partner));
        let same_block = self.blocks.of(self.source(here)) == self.blocks.of(self.source(there));
        let same_label = self.system.label[here] == self.system.label[there];
        let into_large = self.constellation_of(self.system.target[there]) == self.large;
        (same_block && same_label && into_large).then_some(partner)
    }

    /// Checks all fresh bottom states against all sets of their blocks.
    fn stabilise(&mut self, account: &mut Account<'_>) -> Result<(), Cause> {
        self.admit();
        while let Some(&block) = self.unstable.last() {
            let Block { todo, fresh, .. } = self.blocks.all[block as usize];
            if fresh == NONE || todo == NONE {
                self.unstable.pop();
                self.blocks.all[block as usize].fresh = NONE;
            } else if self.is_own(todo) {
                self.sets.all[todo as usize].fresh = self.sets.all[todo as usize].first;
                self.set_done(block, todo);
            } else {
                self.check_fresh(block, todo);
            }
            self.work += 1;
            self.poll(account)?;
        }
        Ok(())
    }

    /// Do all bottom states that were born since the last check have a step in the set? If not, the block is split.
    fn check_fresh(&mut self, block: u32, set: u32) {
        let Set { first, fresh, end, mark, .. } = self.sets.all[set as usize];
        self.work += u64::from(fresh - first);
        self.search.begin(block, set);
        for at in first..fresh {
            let state = self.source(self.sets.order[at as usize] as usize);
            self.search.seed(&mut self.blocks.states, state);
        }
        let since = mark.max(self.phase);
        let mut state = self.blocks.all[block as usize].fresh;
        while state != NONE && self.born[state as usize] > since {
            if self.blocks.states[state as usize].side() == Side::Open {
                self.search.scan_fresh(state, since);
                self.search.read_sources(fresh, end);
                self.split();
                self.admit();
                return;
            }
            state = self.kin[state as usize].0;
        }
        self.search.reset(&mut self.blocks.states);
        self.sets.all[set as usize].fresh = first;
        self.sets.all[set as usize].mark = self.clock;
        self.set_done(block, set);
    }

    fn set_done(&mut self, block: u32, set: u32) {
        let Block { done, todo, .. } = &mut self.blocks.all[block as usize];
        self.sets.unlink([todo, done], set);
        self.sets.link(done, set);
    }

    /// What was found. Everything else is given back first: the transitions of the quotient need room, too.
    fn classes(self) -> Classes {
        let Refiner { system, silent, blocks, mut sets, incoming, counters, born, kin, search, .. } = self;
        drop((incoming, counters, born, kin, search));
        sets.all.retain(|set| set.first < set.end);
        let of: Vec<u32> = blocks.states.iter().map(|state| state.block).collect();
        let count = blocks.all.len() as u32;
        drop(blocks);
        let transitions = sets.all.iter().filter_map(|set| {
            let transition = sets.order[set.first as usize] as usize;
            let label = system.label[transition];
            let from = of[sets.steps[transition].source as usize];
            let to = of[system.target[transition] as usize];
            (from != to || !silent || label != TAU).then_some((from, label, to))
        });
        let transitions = transitions.collect();
        Classes { of, count, transitions }
    }
}
