//! Is this history of a register linearizable, however often its values repeat?
//!
//! NP-hard in general (Gibbons & Korach, *Testing Shared Memories*, SIAM J. Comput. 1997); with known sources it is not. So the solver chooses for every
//! read and every CAS which write it found (`Match`), and everything else follows: a *version* is a write with its reads, a *block* a plain write
//! with the chain of CAS that start from it, and blocks must not interleave (`blocks.rs`). Where the blocks of a model do, the clauses that forbid it are added:
//!
//! ```text
//!   write 1 by p    |--|
//!   write 1 by q      |--|
//!   write 2                 |--|
//!   read → 1                      |--|      two sources, both overwritten: no model is left
//! ```
//!
//! Order is needed between versions only (`Before`), and only between those that some clause names: for plain reads and writes it is always enough
//! that no two blocks are each before the other. The rules, for versions w, v, x and a CAS c that starts from w:
//!
//! | rule | clause | holds because |
//! |---|---|---|
//! | `SOURCES` r | r found one of the writes of its value, or one of the further ones | those left out were called too late, or surely overwritten |
//! | `TURNS` w a v b | a found w ∧ b found v → w < v | a returned before b was called |
//! | `ASIDE` w c x | c found w → x < w ∨ c < x | x would have overwritten w |
//! | `ALONG` w c x | c found w ∧ x < w → x < c | w < c |
//! | `FOUND` w c | c found w → w < c | |
//! | `ONCE` w c d | not both c and d found w | the one overwrote it |
//! | `LOOP` c … | a round of CAS that found each other | |
//! | `USED` w r | r found w → w took effect, and so did r | |
//!
//! Where many writes come into question, the solver hears of the likeliest first, and of more when these are not enough: most reads found what was
//! written at about the same time. Pending writes and CAS may have taken effect: one does if an operation that returned needs it. Cost: a model is looked at in O(n log n); how many it takes
//! is up to the history.

mod blocks;
mod candidates;
mod extras;
mod premises;

use crate::clause::{Atom, Lemma, Literal, no, yes};
use crate::clauses::Clauses;
use crate::intervals::Intervals;
use crate::proof::{Premise, Proof};
use crate::solve::{Client, Refutation, Solution, solve};
use blocks::{Blocks, Conflict};
pub use candidates::{Operations, Sees};
use linpoint_base::{Account, Cause};
use premises::Premises;

/// No operation, no value.
pub(crate) const NONE: u32 = u32::MAX;

/// The rules, as lemmas name them.
pub mod rules {
    #![allow(missing_docs, reason = "the table above says what they are")]
    pub const SOURCES: u32 = 0;
    pub const TURNS: u32 = 1;
    pub const ASIDE: u32 = 2;
    pub const ALONG: u32 = 3;
    pub const FOUND: u32 = 4;
    pub const ONCE: u32 = 5;
    pub const LOOP: u32 = 6;
    pub const USED: u32 = 7;
}

/// How many sources of an operation the solver hears of at first; each time that these are not enough, twice as many more.
const FEW: usize = 4;

/// The client for a register.
pub struct Register<'a> {
    intervals: &'a Intervals,
    operations: &'a Operations,
    /// Of each operation: how many of its sources the solver has heard of, and in how many portions. None: it was not asked for any.
    heard: Vec<Option<(usize, u32)>>,
    /// The size of the first portion.
    few: usize,
    /// The operations to ask for their sources, in order, if not all.
    only: Option<Vec<u32>>,
}

impl<'a> Register<'a> {
    /// For these operations.
    pub fn new(intervals: &'a Intervals, operations: &'a Operations) -> Register<'a> {
        Register { intervals, operations, heard: vec![None; operations.len()], few: FEW, only: None }
    }

    /// The same with another size of the first portion of sources: fewer are more often not enough.
    pub fn in_portions_of(self, few: usize) -> Register<'a> {
        Register { few, ..self }
    }

    /// A proof from a refutation. Its operations are solved again with all sources at once: then lemmas are about operations only.
    pub fn proof(&self, refutation: &Refutation, account: &mut Account<'_>) -> Option<Proof> {
        let only = Some(refutation.operations.clone());
        let mut again = Register { few: usize::MAX, only, ..Register::new(self.intervals, self.operations) };
        match solve(self.intervals, &mut again, account) {
            Solution::Refuted(refutation) => Proof::of(&refutation, &again, self.intervals),
            _ => None,
        }
    }

    /// "It found none of the first portions" is a match with no operation.
    fn further(&self, op: u32, portions: u32) -> Atom {
        Atom::Match(self.intervals.first() + portions, op)
    }

    /// Asks for the source of an operation, among a first or a further portion of those that come into question.
    fn ask(&mut self, op: u32, clauses: &mut Clauses<'_, '_>) {
        let (known, portions) = self.heard[op as usize].unwrap_or((0, 0));
        let sources = self.operations.sources(op);
        let size = self.few.saturating_mul(1 << portions.min(16));
        let until = sources.len().min(known.saturating_add(size));
        let portion = &sources[known..until];
        self.heard[op as usize] = Some((until, portions + 1));
        if let (0, Some(&likely)) = (known, portion.first()) {
            clauses.prefer(yes(Atom::Match(likely, op)));
        }
        let mut clause: Vec<Literal> = portion.iter().map(|&write| yes(Atom::Match(write, op))).collect();
        if portions > 0 {
            clauses.trust(self.further(op, portions));
            clause.push(no(self.further(op, portions)));
        } else if self.intervals.is_pending(op) {
            clause.push(no(Atom::Used(op)));
        }
        if until < sources.len() {
            let further = self.further(op, portions + 1);
            clauses.doubt(further);
            clause.push(yes(further));
        }
        clauses.add(Lemma { rule: rules::SOURCES, binding: &[op] }, &clause);
        for &write in portion {
            for pending in [write, op].into_iter().filter(|&either| self.intervals.is_pending(either)) {
                let clause = [no(Atom::Match(write, op)), yes(Atom::Used(pending))];
                clauses.add(Lemma { rule: rules::USED, binding: &[write, op] }, &clause);
            }
        }
    }

    /// The source of an operation in the model.
    fn source(&self, op: u32, clauses: &Clauses<'_, '_>) -> u32 {
        let (known, _) = self.heard[op as usize].expect("it was asked");
        let sources = self.operations.sources(op)[..known].iter().copied();
        let mut chosen = sources.filter(|&write| clauses.says(Atom::Match(write, op)) == Some(true));
        chosen.next().expect("a clause says that there is one")
    }

    /// What each operation that counts found; [`NONE`] for the others.
    fn sources(&self, clauses: &Clauses<'_, '_>) -> Vec<u32> {
        let mut found = vec![NONE; self.operations.len()];
        let is_asked = |&op: &u32| self.heard[op as usize].is_some() && !self.intervals.is_pending(op);
        let mut needed: Vec<u32> = (0..found.len() as u32).filter(is_asked).collect();
        while let Some(op) = needed.pop() {
            let source = self.source(op, clauses);
            found[op as usize] = source;
            let is_new =
                source != self.intervals.first() && self.intervals.is_pending(source) && found[source as usize] == NONE;
            if is_new && self.heard[source as usize].is_some() {
                needed.push(source);
            }
        }
        found
    }
}

impl Client for Register<'_> {
    fn begin(&mut self, clauses: &mut Clauses<'_, '_>) -> Result<(), Cause> {
        for op in 0..self.operations.len() as u32 {
            let is_asked = match self.operations.sees(op) {
                Sees::Nothing => false,
                Sees::Not(_) => self.operations.leaves(op) != NONE || self.only.is_some(),
                Sees::Is(_) => true,
            };
            if is_asked && self.only.as_ref().is_none_or(|only| only.binary_search(&op).is_ok()) {
                self.ask(op, clauses);
            }
            if op.is_multiple_of(1024) {
                clauses.look()?;
            }
        }
        Ok(())
    }

    fn check(&mut self, clauses: &mut Clauses<'_, '_>) -> Result<Option<Vec<u32>>, Cause> {
        let found = self.sources(clauses);
        let mut conflicts = Vec::new();
        let blocks = Blocks::of(self.intervals, self.operations, &found, &mut conflicts);
        let order = blocks.order(self.intervals, self.operations, &found, &mut conflicts);
        Told { clauses }.all(&blocks, &conflicts);
        let Some(order) = order else { return Ok(None) };
        let free: Vec<u32> = (0..self.operations.len() as u32)
            .filter(|&op| self.heard[op as usize].is_none() && self.operations.is_extra(self.intervals, op))
            .collect();
        match extras::insert(self.intervals, self.operations, &order, &free) {
            Ok(order) => Ok(Some(order)),
            Err(unplaced) => {
                unplaced.into_iter().for_each(|op| self.ask(op, clauses));
                Ok(None)
            }
        }
    }

    fn give_way(&mut self, atoms: &[Atom], clauses: &mut Clauses<'_, '_>) {
        for &atom in atoms {
            let Atom::Match(_, op) = atom else { unreachable!("only sources are doubted") };
            self.ask(op, clauses);
        }
    }

    fn operations(&self, lemma: Lemma<'_>) -> Vec<u32> {
        let mut operations = lemma.binding.to_vec();
        if lemma.rule == rules::SOURCES {
            operations.extend(self.operations.overwriter_for(self.intervals, lemma.binding[0]));
        }
        operations.retain(|&op| op != self.intervals.first());
        operations
    }

    fn premises(&self, lemma: Lemma<'_>, _: &[Literal]) -> Vec<Premise> {
        Premises::of(lemma, self.intervals, self.operations)
    }
}

/// Tells the solver what a model breaks.
struct Told<'t, 'a, 'c> {
    clauses: &'t mut Clauses<'a, 'c>,
}

impl Told<'_, '_, '_> {
    fn all(mut self, blocks: &Blocks, conflicts: &[Conflict]) {
        for conflict in conflicts {
            match *conflict {
                Conflict::Twice(write, one, other) => self.add(
                    rules::ONCE,
                    &[write, one, other],
                    &[no(Atom::Match(write, one)), no(Atom::Match(write, other))],
                ),
                Conflict::Loop(ref round) => {
                    let links = (0..round.len()).map(|i| (round[i], round[(i + 1) % round.len()]));
                    let clause: Vec<Literal> = links.map(|(write, cas)| no(Atom::Match(write, cas))).collect();
                    self.add(rules::LOOP, round, &clause);
                }
                Conflict::Within { block, early, late } => {
                    let (from, to) = (blocks.place(late.version), blocks.place(early.version));
                    self.turns(early, late);
                    let chain = blocks.chain(block);
                    let (x, next) = (chain[from], chain[from + 1]);
                    self.add(rules::FOUND, &[x, next], &[no(Atom::Match(x, next)), yes(Atom::Before(x, next))]);
                    self.carry(x, chain, from + 1, to, true);
                }
                Conflict::Between { one, other, a, b, c, d } => {
                    let [va, vb, vc, vd] = [a, b, c, d].map(|member| member.version);
                    self.turns(a, c);
                    self.carry(va, blocks.chain(other), blocks.place(vc), blocks.place(vd), true);
                    self.carry(vd, blocks.chain(one), blocks.place(va), blocks.place(vb), false);
                    self.turns(d, b);
                }
            }
        }
    }

    /// `a` returned before `b` was called, so the version of `a` comes first.
    fn turns(&mut self, a: Member, b: Member) {
        let mut clause = vec![yes(Atom::Before(a.version, b.version))];
        for member in [a, b].into_iter().filter(|member| member.op != member.version) {
            clause.push(no(Atom::Match(member.version, member.op)));
        }
        self.add(rules::TURNS, &[a.version, a.op, b.version, b.op], &clause);
    }

    /// `x` is on the same side of all versions of a chain from one place to another.
    fn carry(&mut self, x: u32, chain: &[u32], from: usize, to: usize, x_is_first: bool) {
        let is_forward = from < to;
        for place in from.min(to)..from.max(to) {
            let (write, cas) = (chain[place], chain[place + 1]);
            let found = no(Atom::Match(write, cas));
            if is_forward == x_is_first {
                let clause = [found, no(Atom::Before(x, write)), yes(Atom::Before(x, cas))];
                self.add(rules::ALONG, &[write, cas, x], &clause);
            } else {
                let clause = [found, no(Atom::Used(x)), yes(Atom::Before(x, write)), yes(Atom::Before(cas, x))];
                self.add(rules::ASIDE, &[write, cas, x], &clause);
            }
        }
    }

    /// Adds a clause unless the model keeps it: then the solver may have it already.
    fn add(&mut self, rule: u32, binding: &[u32], clause: &[Literal]) {
        let keeps = |literal: &Literal| self.clauses.says(literal.atom) == Some(literal.positive);
        if !clause.iter().any(keeps) {
            self.clauses.add(Lemma { rule, binding }, clause);
        }
    }
}

/// An operation, as part of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub version: u32,
    pub op: u32,
}
