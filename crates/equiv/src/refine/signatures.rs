//! Which states still differ when only those are looked at whose successors moved? Most systems are done here, in a few passes.
//!
//! The *signature* of a state is what it can do: its steps as (label, block of the target), and for an inert step the signature that its target has. A
//! state that adds nothing to the signature of one of its inert successors has that one's. States of a block with different signatures part
//! (S. Blom, J. van de Pol, "Distributed branching bisimulation minimization by inductive signatures", PDMC 2009).
//!
//! ```text
//!   s ──τ──▶ t ──a──▶ …      s adds nothing to t: one signature, {a}
//!   u ──τ──▶ t               u adds b, which t cannot do: signature {b, after τ what t has}
//!   u ──b──▶ …
//! ```
//!
//! **Bisimilar states never part.** Among the bisimilar states of a block take one without an inert step to another of them: the others of that kind
//! match its steps one by one, so they have the same signature; whoever has an inert step to such a state adds nothing to it.
//! Signatures are compared as they are, not by a hash; so when nothing parts any more, the blocks are the classes.
//!
//! Only states are looked at again of which a successor, or they themselves, got another block; of the parts of a block one keeps its number. Chains can be
//! made on which that goes wrong, O(m) for every class; so the passes end when their work is [`PATIENCE`] times the size of the system, and the blocks
//! found so far are where the refinement of `mod.rs` begins. 8 bytes per state, 28 per block, 24 per signature; at most 24 per transition, for signatures that are not
//! used any more are thrown away.

use super::Classes;
use super::incoming::{Incoming, SILENT};
use super::rough::Rough;
use super::sets::NONE;
use crate::lts::TAU;
use crate::prepare::Prepared;
use hashbrown::HashTable;
use linpoint_base::{Account, Cause, hashed, secret};
use std::ops::Range;

/// Looks at a transition that are paid for, for each transition and each state. Where every hash collides there are few, so that the tests try what
/// the refinement makes of blocks that were not finished here.
const PATIENCE: u64 = if cfg!(feature = "collide") { 1 } else { 12 };
/// Looks between two looks at the budget.
const BETWEEN_POLLS: u64 = 1 << 14;
/// The label of an inert step in a signature: no system has so many.
const INERT: u64 = u32::MAX as u64;

/// Refines a rough partition by signatures. None: it takes too long, and the rough partition is finer now.
pub(super) fn by_signatures(
    system: &Prepared,
    silent: bool,
    incoming: &Incoming,
    rough: &mut Rough,
    account: &mut Account<'_>,
) -> Result<Option<Classes>, Cause> {
    let mut passes = Passes::new(system, silent, incoming, rough);
    while passes.dirty.any() {
        if !passes.look(account)? {
            return Ok(None); // a pass that is not complete tells nothing
        }
        passes.part();
    }
    Ok(Some(passes.classes()))
}

struct Passes<'a> {
    system: &'a Prepared,
    silent: bool,
    incoming: &'a Incoming,
    rough: &'a mut Rough,
    /// How many states each block has, and the signature of all of them when the pass began.
    sizes: Vec<u32>,
    common: Vec<u32>,
    /// While blocks part: the largest part of those of which nothing is left.
    heirs: Vec<u32>,
    /// Signatures that are new in this pass, by state.
    new: Vec<u32>,
    /// States with a new signature.
    changed: Vec<u32>,
    known: Signatures,
    dirty: Dirty,
    work: u64,
}

impl<'a> Passes<'a> {
    fn new(system: &'a Prepared, silent: bool, incoming: &'a Incoming, rough: &'a mut Rough) -> Self {
        let mut sizes = vec![0; rough.count];
        for &block in &rough.block {
            sizes[block as usize] += 1;
        }
        let (common, heirs) = (vec![NONE; rough.count], vec![NONE; rough.count]);
        let new = vec![NONE; system.states()];
        let dirty = Dirty::all(system.states());
        let known = Signatures::new(system.label.len());
        Passes {
            system,
            silent,
            incoming,
            rough,
            sizes,
            common,
            heirs,
            new,
            changed: Vec::new(),
            known,
            dirty,
            work: 0,
        }
    }

    /// Gives every dirty state its signature. False: this has taken too long.
    fn look(&mut self, account: &mut Account<'_>) -> Result<bool, Cause> {
        self.known.compact(&mut self.common);
        let patience = PATIENCE * (self.system.label.len() + self.system.states()) as u64;
        let mut looked = self.work;
        while let Some(state) = self.dirty.take(&mut self.work) {
            let signature = self.signature(state);
            if signature != self.common[self.rough.block[state as usize] as usize] {
                self.new[state as usize] = signature;
                self.changed.push(state);
                self.tell_inert(state);
            }
            if self.work > patience || self.known.full() {
                return Ok(false);
            }
            if self.work - looked > BETWEEN_POLLS {
                account.configurations += self.work - looked;
                looked = self.work;
                if let Some(cause) = account.poll(self.memory(), self.sizes.len()) {
                    return Err(cause);
                }
            }
        }
        account.configurations += self.work - looked;
        Ok(true)
    }

    /// Bytes that are held, those of the prepared system and its incoming transitions included.
    fn memory(&self) -> usize {
        let system = 12 * self.system.label.len() + 20 * self.system.states();
        system + 8 * self.new.len() + 28 * self.sizes.len() + self.known.memory()
    }

    /// The signature of a state.
    fn signature(&mut self, state: u32) -> u32 {
        let block = &self.rough.block;
        let here = block[state as usize];
        let range = self.system.range(state);
        self.work += 1 + range.len() as u64;
        let steps = self.system.label[range.clone()].iter().zip(&self.system.target[range]);
        self.known.open();
        for (&label, &target) in steps {
            let there = block[target as usize];
            if self.silent && label == TAU && there == here {
                let after = self.new[target as usize];
                let after = if after == NONE { self.common[here as usize] } else { after };
                self.known.add(INERT << 32 | u64::from(after));
            } else {
                self.known.add(u64::from(label) << 32 | u64::from(there));
            }
        }
        self.known.close(&mut self.work)
    }

    /// Whoever has an inert step to this state has to be looked at in this pass.
    fn tell_inert(&mut self, state: u32) {
        let here = self.rough.block[state as usize];
        for &entry in self.incoming.of(state).iter().take_while(|&&entry| entry & SILENT != 0) {
            self.work += 1;
            if self.rough.block[(entry & !SILENT) as usize] == here {
                self.dirty.mark(entry & !SILENT);
            }
        }
    }

    /// Makes blocks of the states with new signatures. The states that kept theirs keep the block; if there are none, the largest part does.
    fn part(&mut self) {
        let mut parts: Vec<Part> = Vec::new();
        let mut changed = std::mem::take(&mut self.changed);
        for &state in &changed {
            let block = self.rough.block[state as usize];
            let latest = self.known.latest(self.new[state as usize]);
            let mut group = *latest;
            while group != NONE && parts[group as usize].block != block {
                group = parts[group as usize].older;
            }
            if group == NONE {
                group = parts.len() as u32;
                let older = std::mem::replace(latest, group);
                parts.push(Part { block, signature: self.new[state as usize], size: 0, older });
            }
            parts[group as usize].size += 1;
            self.sizes[block as usize] -= 1;
            self.new[state as usize] = group; // from here on
        }
        // Blocks of which nothing is left go to their largest part.
        for (group, part) in parts.iter().enumerate() {
            *self.known.latest(part.signature) = NONE;
            let heir = &mut self.heirs[part.block as usize];
            if self.sizes[part.block as usize] == 0 && (*heir == NONE || parts[*heir as usize].size < part.size) {
                *heir = group as u32;
            }
        }
        for (group, part) in parts.iter_mut().enumerate() {
            let heir = &mut self.heirs[part.block as usize];
            if *heir == group as u32 {
                *heir = NONE;
                self.common[part.block as usize] = part.signature;
                self.sizes[part.block as usize] = part.size;
            } else {
                part.block = self.sizes.len() as u32;
                self.sizes.push(part.size);
                self.common.push(part.signature);
                self.heirs.push(NONE);
            }
        }
        self.rough.count = self.sizes.len();
        for state in changed.drain(..) {
            let group = std::mem::replace(&mut self.new[state as usize], NONE);
            let block = parts[group as usize].block;
            if std::mem::replace(&mut self.rough.block[state as usize], block) != block {
                self.dirty.mark(state);
                for &entry in self.incoming.of(state) {
                    self.dirty.mark(entry & !SILENT);
                }
                self.work += 1 + self.incoming.of(state).len() as u64;
            }
        }
        self.changed = changed;
    }

    /// The signatures are the transitions between the classes.
    fn classes(self) -> Classes {
        let Passes { rough, common, known, sizes, .. } = self;
        let mut transitions = Vec::with_capacity(known.lists.len());
        for (class, &signature) in common.iter().enumerate() {
            let steps = known.list(signature).iter();
            transitions.extend(steps.map(|step| (class as u32, (step >> 32) as u32, *step as u32)));
        }
        Classes { of: std::mem::take(&mut rough.block), count: sizes.len() as u32, transitions }
    }
}

/// States that leave a block together.
struct Part {
    block: u32,
    signature: u32,
    size: u32,
    /// Another part with this signature, of another block.
    older: u32,
}

/// States to be looked at, as bits. They are looked at in the order of their numbers: the target of a silent step before its source.
struct Dirty {
    bits: Vec<u64>,
    /// The words in which there may be any.
    words: Range<usize>,
}

impl Dirty {
    fn all(states: usize) -> Self {
        let mut bits = vec![u64::MAX; states.div_ceil(64)];
        if let Some(last) = bits.last_mut().filter(|_| !states.is_multiple_of(64)) {
            *last = (1 << (states % 64)) - 1;
        }
        Dirty { words: 0..bits.len(), bits }
    }

    fn any(&self) -> bool {
        !self.words.is_empty()
    }

    #[inline]
    fn mark(&mut self, state: u32) {
        let word = state as usize / 64;
        self.bits[word] |= 1 << (state % 64);
        self.words = self.words.start.min(word)..self.words.end.max(word + 1);
    }

    /// Takes the first one; those that are marked meanwhile come behind it.
    #[inline]
    fn take(&mut self, work: &mut u64) -> Option<u32> {
        while !self.words.is_empty() {
            let word = self.words.start;
            let bits = &mut self.bits[word];
            if *bits != 0 {
                let state = word as u32 * 64 + bits.trailing_zeros();
                *bits &= *bits - 1;
                return Some(state);
            }
            self.words.start += 1;
            *work += 1;
        }
        self.words = NOWHERE;
        None
    }
}

/// No words.
const NOWHERE: Range<usize> = Range { start: usize::MAX, end: 0 };

/// The signatures, each once: its number stands for it.
struct Signatures {
    lists: Vec<u64>,
    ends: Vec<usize>,
    /// By signature, while blocks part: the latest part that has it.
    latest: Vec<u32>,
    /// The number of the first one: numbers are not used twice.
    first: u32,
    index: HashTable<(u32, u32)>,
    /// Where the list begins that is being made.
    begun: usize,
    /// The number of list elements from which on old signatures are thrown away.
    room: usize,
}

impl Signatures {
    fn new(transitions: usize) -> Self {
        let (lists, ends, latest) = (Vec::new(), Vec::new(), Vec::new());
        Signatures { lists, ends, latest, first: 0, index: HashTable::new(), begun: 0, room: 2 * transitions }
    }

    fn list(&self, signature: u32) -> &[u64] {
        list(&self.lists, &self.ends, signature - self.first)
    }

    fn latest(&mut self, signature: u32) -> &mut u32 {
        &mut self.latest[(signature - self.first) as usize]
    }

    /// Begins a list.
    fn open(&mut self) {
        self.begun = self.lists.len();
    }

    #[inline]
    fn add(&mut self, step: u64) {
        self.lists.push(step);
    }

    /// Ends the list; the signature that it is, or adds nothing to.
    fn close(&mut self, work: &mut u64) -> u32 {
        self.lists[self.begun..].sort_unstable();
        let mut kept = self.begun;
        for at in self.begun..self.lists.len() {
            if at == self.begun || self.lists[at] != self.lists[kept - 1] {
                self.lists[kept] = self.lists[at];
                kept += 1;
            }
        }
        self.lists.truncate(kept);
        let (old, mine) = self.lists.split_at(self.begun);
        // Inert steps come last.
        for &inert in mine.iter().rev().take_while(|&&step| step >> 32 == INERT) {
            let theirs = list(old, &self.ends, inert as u32 - self.first);
            if mine.len() == 1 || mine.len() <= theirs.len() + 1 && within(mine, inert, theirs, work) {
                self.lists.truncate(self.begun);
                return inert as u32;
            }
        }
        let tag = tag_of(mine);
        let same = |&(other, known): &(u32, u32)| other == tag && list(old, &self.ends, known) == mine;
        if let Some(&(_, known)) = self.index.find(place(tag), same) {
            self.lists.truncate(self.begun);
            return self.first + known;
        }
        self.push(tag)
    }

    /// The list at the end is a new signature.
    fn push(&mut self, tag: u32) -> u32 {
        let new = self.ends.len() as u32;
        self.ends.push(self.lists.len());
        self.latest.push(NONE);
        self.index.insert_unique(place(tag), (tag, new), |&(tag, _)| place(tag));
        self.first + new
    }

    /// Throws away all but these signatures, if they are many, and renames those.
    fn compact(&mut self, used: &mut [u32]) {
        if self.lists.len() <= self.room {
            return;
        }
        let mut kept = Signatures::new(self.room / 2);
        kept.first = self.first + self.ends.len() as u32;
        for signature in used.iter_mut().filter(|signature| **signature != NONE) {
            kept.lists.extend_from_slice(self.list(*signature));
            *signature = kept.push(tag_of(self.list(*signature)));
        }
        *self = kept;
    }

    /// Are there hardly any numbers left?
    fn full(&self) -> bool {
        self.first as usize + self.ends.len() > (u32::MAX / 2) as usize
    }

    fn memory(&self) -> usize {
        8 * (self.lists.capacity() + self.ends.capacity()) + 4 * self.latest.capacity() + self.index.allocation_size()
    }
}

#[inline]
fn list<'a>(lists: &'a [u64], ends: &[usize], nth: u32) -> &'a [u64] {
    let begin = if nth == 0 { 0 } else { ends[nth as usize - 1] };
    &lists[begin..ends[nth as usize]]
}

/// Are all of these but the inert step among those? Both are sorted; those may be many more.
fn within(these: &[u64], inert: u64, mut those: &[u64], work: &mut u64) -> bool {
    for &step in these.iter().filter(|&&step| step != inert) {
        // In strides twice as long each time, then by halves.
        let mut stride = 1;
        while stride < those.len() && those[stride] < step {
            stride *= 2;
            *work += 1;
        }
        let end = those.len().min(stride + 1);
        let at = stride / 2 + those[stride / 2..end].partition_point(|&other| other < step);
        if those.get(at) != Some(&step) {
            return false;
        }
        those = &those[at + 1..];
    }
    true
}

/// What the index keeps of a list.
#[inline]
fn tag_of(list: &[u64]) -> u32 {
    let hash = list.iter().fold(secret(), |hash, &step| {
        let mixed = u128::from(hash ^ step) * 0x9e37_79b9_7f4a_7c15;
        mixed as u64 ^ (mixed >> 64) as u64
    });
    hashed(hash) as u32
}

/// Where it stands: made from what is kept, so that the index can grow without the lists.
#[inline]
fn place(tag: u32) -> u64 {
    hashed(u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
