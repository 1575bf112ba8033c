//! Is this history of a stack, a queue or a deque linearizable, though its values repeat, or pending removes hide what they took?
//!
//! The solver chooses for every remove and every peek which add it found (`Match`), and the order of operations that overlap (`Before`), after the theories of
//! Emmi, Enea & Hamza (PLDI 2015, Figures 3 and 4; [`linpoint_theory`] has the formulas). A model gives an order, and the order is played on a real line of
//! elements with two ends. Where a remove finds another element than the one it is matched with, the formula that forbids that is added, for these operations:
//!
//! ```text
//!   push 1 a   |--|
//!   push 2 b      |--|                  played in this order, the pop finds 2: Match(a, r) ∧ a < b ∧ b < r → Gone(b, r)
//!   pop → 1 r           |--|
//!   pop → 2                  |--|
//! ```
//!
//! | rule | clause | holds because |
//! |---|---|---|
//! | `SOURCES` r | r found one of the adds of its value | |
//! | `FOUND` a r | Match(a, r) → a < r | |
//! | `OUT` a r | not Match(a, r) | the stack was surely lower, or higher (`candidates`) |
//! | `ONE` r a b, `ONCE` a r s | not both | a remove takes one element, an element is taken once |
//! | `SEEN` a p s | Match(a, p) ∧ Match(a, s) → p < s | a peek sees what is not taken yet |
//! | `ABOVE` a r b | Match(a, r) ∧ a < b ∧ b < r → Gone(b, r) | b was added at the end at which r looks, after a |
//! | `AHEAD` a r b | Match(a, r) ∧ b < a → Gone(b, r) | a was added at the other end, after b |
//! | `EMPTY` b e | b < e → Gone(b, e) | e found nothing |
//! | `GONE` b x | Gone(b, x) → one of its takers that can be before x took b | |
//! | `BEFORE` b s x | Gone(b, x) ∧ Match(b, s) → s < x | |
//! | `USED` a r | Match(a, r) → a took effect | a pending add counts only if it is matched |
//!
//! A stack adds and removes at the front, a queue adds at the back. Cost: a model is played in O(n), and O(what is inside) for each remove that goes wrong; how many models it takes is up
//! to the history.

mod candidates;
mod premises;

use crate::clause::{Atom, Lemma, Literal, no, yes};
use crate::clauses::Clauses;
use crate::intervals::Intervals;
use crate::order::Theory;
use crate::proof::Premise;
use crate::solve::{Refutation, Solution};
pub use candidates::Operations;
use candidates::{NONE, What};
use hashbrown::HashSet;
use linpoint_base::{Cause, Hashing};
use linpoint_spec::Part;
use std::collections::VecDeque;

/// The rules, as lemmas name them.
pub mod rules {
    #![allow(missing_docs, reason = "the table above says what they are")]
    pub const SOURCES: u32 = 0;
    pub const FOUND: u32 = 1;
    pub const OUT: u32 = 2;
    pub const ONE: u32 = 3;
    pub const ONCE: u32 = 4;
    pub const ABOVE: u32 = 5;
    pub const AHEAD: u32 = 6;
    pub const EMPTY: u32 = 7;
    pub const GONE: u32 = 8;
    pub const BEFORE: u32 = 9;
    pub const USED: u32 = 10;
    pub const SEEN: u32 = 11;
}

/// Of the elements that stand in the way of one operation, so many are told at once.
const TOLD: usize = 8;

/// More clauses than these are made where a model breaks them, not at once.
const MANY: usize = 500_000;

/// The theory of a container.
pub struct Container<'a> {
    operations: &'a Operations,
    /// The pairs for which `Gone` is defined.
    gone: HashSet<(u32, u32), Hashing>,
}

impl<'a> Container<'a> {
    /// For these operations.
    pub fn new(operations: &'a Operations) -> Container<'a> {
        Container { operations, gone: HashSet::default() }
    }

    fn is_pending(&self, op: u32) -> bool {
        self.operations.intervals.is_pending(op)
    }

    /// Plays the operations in the middle of their intervals, and matches each remove with the nearest element that will do.
    fn guess(&self) -> Vec<u32> {
        let Intervals { call, ret } = &self.operations.intervals;
        let mut order: Vec<u32> = (0..self.operations.len() as u32).filter(|&op| !self.is_pending(op)).collect();
        order.sort_by_key(|&op| u64::from(call[op as usize]) + u64::from(ret[op as usize]));
        let mut inside = VecDeque::new();
        let mut guess = vec![NONE; self.operations.len()];
        for op in order {
            let is_back = self.operations.is_back[op as usize];
            match self.operations.what[op as usize] {
                What::Add(_) if is_back => inside.push_back(op),
                What::Add(_) => inside.push_front(op),
                What::Remove(_) | What::Peek(_) => {
                    let sources = &self.operations.sources[op as usize];
                    let fits = |add: &u32| sources.binary_search(add).is_ok();
                    let place = if is_back { inside.iter().rposition(fits) } else { inside.iter().position(fits) };
                    guess[op as usize] = place.map_or_else(|| sources.last().copied().unwrap_or(NONE), |at| inside[at]);
                    if let (Some(place), What::Remove(_)) = (place, self.operations.what[op as usize]) {
                        inside.remove(place);
                    }
                }
                What::Empty | What::Hidden | What::Nothing => {}
            }
        }
        guess
    }

    /// Every remove took one element, and every element was taken once: told at once, if that is not too much.
    fn one_each(&self, clauses: &mut Clauses<'_, '_>) -> Result<(), Cause> {
        let Operations { sources, takers, .. } = self.operations;
        let pairs = |list: &Vec<u32>| list.len() * list.len() / 2;
        if sources.iter().chain(takers).map(pairs).sum::<usize>() > MANY {
            return Ok(());
        }
        for op in 0..self.operations.len() as u32 {
            let taken = takers[op as usize].iter().copied().filter(|&taker| self.operations.may_match(op, taker));
            let (found, taken) = (sources[op as usize].as_slice(), taken.collect::<Vec<_>>());
            for (list, rule) in [(found, rules::ONE), (&taken, rules::ONCE)] {
                let pair =
                    |other: u32| if rule == rules::ONE { Atom::Match(other, op) } else { Atom::Match(op, other) };
                for (at, &one) in list.iter().enumerate() {
                    for &other in &list[..at] {
                        let binding = [op, other, one];
                        clauses.add(Lemma { rule, binding: &binding }, &[no(pair(other)), no(pair(one))]);
                    }
                }
            }
            if op.is_multiple_of(256) {
                clauses.look()?;
            }
        }
        Ok(())
    }

    /// What each operation found in the model; [`NONE`] for the others. Tells where that is more than one, or one twice.
    fn found(&self, clauses: &mut Clauses<'_, '_>) -> Vec<u32> {
        let mut found = vec![NONE; self.operations.len()];
        let mut taker = vec![NONE; self.operations.len()];
        for op in 0..self.operations.len() as u32 {
            for &add in &self.operations.sources[op as usize] {
                if clauses.says(Atom::Match(add, op)) != Some(true) {
                    continue;
                }
                let other = std::mem::replace(&mut found[op as usize], add);
                if other != NONE {
                    let clause = [no(Atom::Match(other, op)), no(Atom::Match(add, op))];
                    clauses.add(Lemma { rule: rules::ONE, binding: &[op, other, add] }, &clause);
                }
                if matches!(self.operations.what[op as usize], What::Peek(_)) {
                    continue;
                }
                let other = std::mem::replace(&mut taker[add as usize], op);
                if other != NONE {
                    let clause = [no(Atom::Match(add, other)), no(Atom::Match(add, op))];
                    clauses.add(Lemma { rule: rules::ONCE, binding: &[add, other, op] }, &clause);
                }
            }
        }
        found
    }

    /// Adds a clause; pairs that are new to the solver shall be tried as they are here.
    fn tell(&self, rule: u32, binding: &[u32], clause: &[Literal], clauses: &mut Clauses<'_, '_>) {
        for literal in clause {
            if let Literal { atom: Atom::Before(..), positive: false } = literal {
                clauses.prefer(!*literal);
            }
        }
        clauses.add(Lemma { rule, binding }, clause);
    }

    /// The literal that b is out before x; defined when it is first needed.
    fn gone(&mut self, b: u32, x: u32, clauses: &mut Clauses<'_, '_>) -> Literal {
        let gone = Atom::Gone(b, x);
        if self.gone.insert((b, x)) {
            let operations = self.operations;
            let real = &operations.intervals;
            let mut clause = vec![no(gone)];
            for &s in operations.takers[b as usize].iter().filter(|&&s| s != x && !real.precedes(x, s)) {
                clause.push(yes(Atom::Match(b, s)));
                if !operations.may_match(b, s) {
                    continue; // it is told that it does not, and why
                }
                let before = [no(gone), no(Atom::Match(b, s)), yes(Atom::Before(s, x))];
                clauses.add(Lemma { rule: rules::BEFORE, binding: &[b, s, x] }, &before);
            }
            clauses.add(Lemma { rule: rules::GONE, binding: &[b, x] }, &clause);
        }
        yes(gone)
    }

    /// Operation r found a, but b is nearer to its end.
    fn in_the_way(&mut self, a: u32, r: u32, b: u32, is_above: bool, clauses: &mut Clauses<'_, '_>) {
        let mut clause = vec![no(Atom::Match(a, r))];
        let rule = match is_above {
            true => {
                clause.extend([no(Atom::Before(a, b)), no(Atom::Before(b, r))]);
                rules::ABOVE
            }
            false => {
                clause.push(no(Atom::Before(b, a)));
                rules::AHEAD
            }
        };
        clause.extend(self.is_pending(b).then_some(no(Atom::Used(b))));
        clause.push(self.gone(b, r, clauses));
        self.tell(rule, &[a, r, b], &clause, clauses);
    }

    /// Plays the order. True if everything is as it was found.
    fn play(&mut self, order: &[u32], found: &[u32], clauses: &mut Clauses<'_, '_>) -> Result<bool, Cause> {
        let operations = self.operations;
        let mut used: Vec<bool> = (0..operations.len() as u32).map(|op| !self.is_pending(op)).collect();
        found.iter().filter(|&&add| add != NONE).for_each(|&add| used[add as usize] = true);
        let mut place_of = vec![0u32; operations.len()];
        (0..).zip(order).for_each(|(place, &op)| place_of[op as usize] = place);
        let (mut inside, mut right) = (VecDeque::<u32>::new(), true);
        let mut taker = vec![NONE; operations.len()];
        for (round, &op) in order.iter().enumerate() {
            if round.is_multiple_of(1024) {
                clauses.look()?;
            }
            let is_back = operations.is_back[op as usize];
            match operations.what[op as usize] {
                What::Add(_) if !used[op as usize] => {}
                What::Add(_) if is_back => inside.push_back(op),
                What::Add(_) => inside.push_front(op),
                What::Empty => {
                    right &= inside.is_empty();
                    let in_the_way: Vec<u32> = inside.iter().copied().take(TOLD).collect();
                    for b in in_the_way {
                        let mut clause = vec![no(Atom::Before(b, op)), self.gone(b, op, clauses)];
                        clause.extend(self.is_pending(b).then_some(no(Atom::Used(b))));
                        self.tell(rules::EMPTY, &[b, op], &clause, clauses);
                    }
                }
                _ if found[op as usize] == NONE => {}
                _ => {
                    let a = found[op as usize];
                    let is_peek = matches!(operations.what[op as usize], What::Peek(_));
                    let Some(place) = inside.iter().position(|&add| add == a) else {
                        right = false; // it was taken before; of two removes it is told already
                        if is_peek {
                            let taken = taker[a as usize];
                            let seen =
                                [no(Atom::Match(a, op)), no(Atom::Match(a, taken)), yes(Atom::Before(op, taken))];
                            clauses.add(Lemma { rule: rules::SEEN, binding: &[a, op, taken] }, &seen);
                        }
                        continue;
                    };
                    let nearer = if is_back { place + 1..inside.len() } else { 0..place };
                    right &= nearer.is_empty();
                    let in_the_way: Vec<u32> = inside.range(nearer).copied().take(TOLD).collect();
                    for b in in_the_way {
                        // Nearer to the front than a is what was added in front after it, and what was there when a was added at the back.
                        let is_above = place_of[a as usize] < place_of[b as usize];
                        self.in_the_way(a, op, b, is_above, clauses);
                    }
                    if !is_peek {
                        inside.remove(place);
                        taker[a as usize] = op;
                    }
                }
            }
        }
        Ok(right)
    }
}

impl Theory for Container<'_> {
    fn begin(&mut self, clauses: &mut Clauses<'_, '_>) -> Result<(), Cause> {
        let guess = self.guess();
        let mut excluded = self.operations.excluded.as_slice(); // in the order of the operations
        for op in 0..self.operations.len() as u32 {
            let sources = &self.operations.sources[op as usize];
            if guess[op as usize] != NONE {
                clauses.prefer(yes(Atom::Match(guess[op as usize], op)));
            }
            let out = excluded.iter().take_while(|&&(_, other, _)| other == op).count();
            let (out, rest) = excluded.split_at(out);
            excluded = rest;
            if matches!(self.operations.what[op as usize], What::Remove(_) | What::Peek(_)) {
                let all = sources.iter().copied().chain(out.iter().map(|&(add, ..)| add));
                let all: Vec<Literal> = all.map(|add| yes(Atom::Match(add, op))).collect();
                clauses.add(Lemma { rule: rules::SOURCES, binding: &[op] }, &all);
            }
            for &add in sources {
                let found = [no(Atom::Match(add, op)), yes(Atom::Before(add, op))];
                clauses.prefer(found[1]);
                clauses.add(Lemma { rule: rules::FOUND, binding: &[add, op] }, &found);
                if self.is_pending(add) {
                    let used = [no(Atom::Match(add, op)), yes(Atom::Used(add))];
                    clauses.add(Lemma { rule: rules::USED, binding: &[add, op] }, &used);
                }
            }
            if op.is_multiple_of(1024) {
                clauses.look()?;
            }
        }
        self.one_each(clauses)?;
        for &(add, op, is_late) in &self.operations.excluded {
            let binding = [add, op, u32::from(is_late)];
            clauses.add(Lemma { rule: rules::OUT, binding: &binding }, &[no(Atom::Match(add, op))]);
        }
        Ok(())
    }

    fn check(&mut self, order: &[u32], clauses: &mut Clauses<'_, '_>) -> Result<Option<Vec<u32>>, Cause> {
        let found = self.found(clauses);
        if !self.play(order, &found, clauses)? {
            return Ok(None);
        }
        let mut is_found = vec![false; self.operations.len()];
        found.iter().filter(|&&add| add != NONE).for_each(|&add| is_found[add as usize] = true);
        let counts = |&op: &u32| !self.is_pending(op) || is_found[op as usize] || found[op as usize] != NONE;
        Ok(Some(order.iter().copied().filter(counts).collect()))
    }

    fn operations(&self, lemma: Lemma<'_>) -> Vec<u32> {
        match (lemma.rule, lemma.binding) {
            (rules::OUT, &[add, op, is_late]) => self.operations.excluders(add, op, is_late == 1),
            (_, binding) => binding.to_vec(),
        }
    }

    fn premises(&self, lemma: Lemma<'_>, clause: &[Literal]) -> Vec<Premise> {
        premises::of(lemma, clause)
    }
}

impl Operations {
    /// A solution in places of the part: what is there from the start has none. The steps of a refutation stay as they are.
    pub fn named(&self, solution: Solution) -> Solution {
        let named = |ops: Vec<u32>| ops.into_iter().filter_map(|op| op.checked_sub(self.founders as u32)).collect();
        match solution {
            Solution::Order(order) => Solution::Order(named(order)),
            Solution::Refuted(Refutation { operations, steps }) => {
                Solution::Refuted(Refutation { operations: named(operations), steps })
            }
            Solution::GaveUp(cause) => Solution::GaveUp(cause),
        }
    }

    /// May this remove have taken what this add put in?
    fn may_match(&self, add: u32, remove: u32) -> bool {
        self.sources[remove as usize].binary_search(&add).is_ok()
    }

    /// What an operation is called in a proof, by its number in the history; what is there from the start is counted.
    pub fn name(&self, op: u32, part: &Part) -> String {
        let number = op.checked_sub(self.founders as u32).and_then(|place| part.ops.get(place as usize));
        number.map_or_else(|| format!("initial{op}"), u32::to_string)
    }

    /// Real time, for the solver.
    pub fn real_time(&self) -> &Intervals {
        &self.intervals
    }
}
