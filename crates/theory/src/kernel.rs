//! Does a sequence of operations satisfy a theory? "Is there a matching M with h', M ⊨ THEORY(H)" (§3), asked as it stands.
//!
//! Takers choose givers, one after the other, and every formula is tried for all operations. ATOMIC holds of a sequence anyhow. Cost: as
//! many matchings as repeated values allow, each formula n to the number of its variables: for the baseline, ENUMERATE, and for tests.

use crate::notation::{Ground, Sentence, Term};
use crate::operation::sorts;
use crate::theories::Theory;
use crate::{Atom, Literal, Operations};

/// A theory, ready to be asked about sequences of these operations.
pub struct Kernel<'o> {
    operations: &'o Operations,
    sentences: Vec<&'static Sentence>,
    taker: u32,
}

/// A sequence: the place of each operation, if it is there, and who gave what it found.
struct Candidate<'k> {
    kernel: &'k Kernel<'k>,
    place: Vec<Option<u32>>,
    giver: Vec<Option<u32>>,
}

impl<'o> Kernel<'o> {
    /// The formulas of a theory, ready to be asked.
    pub fn new(theory: &Theory, operations: &'o Operations) -> Kernel<'o> {
        let sentences = theory.sentences().filter(|(formula, _)| formula.name != "ATOMIC").map(|(_, it)| it).collect();
        Kernel { operations, sentences, taker: sorts("taker").expect("a sort of this name") }
    }

    /// Is there a matching with which the sequence satisfies the theory?
    pub fn holds(&self, sequence: &[u32]) -> bool {
        let mut place = vec![None; self.operations.len()];
        (0..).zip(sequence).for_each(|(at, &op)| place[op as usize] = Some(at));
        let mut candidate = Candidate { kernel: self, place, giver: vec![None; self.operations.len()] };
        let takers: Vec<u32> = sequence.iter().copied().filter(|&op| self.operations.is(op, self.taker)).collect();
        let choices: Vec<Vec<u32>> = takers.iter().map(|&op| candidate.givers(op)).collect();
        let mut chosen: Vec<usize> = Vec::new(); // of each taker so far, which of its choices
        loop {
            if chosen.len() == takers.len() && candidate.satisfies() {
                return true;
            }
            if chosen.len() < takers.len() && !choices[chosen.len()].is_empty() {
                chosen.push(0);
            } else {
                while chosen.last().is_some_and(|&last| last + 1 == choices[chosen.len() - 1].len()) {
                    chosen.pop();
                    candidate.giver[takers[chosen.len()] as usize] = None;
                }
                let Some(last) = chosen.last_mut() else { return false };
                *last += 1;
            }
            let latest = chosen.len() - 1;
            candidate.giver[takers[latest] as usize] = Some(choices[latest][chosen[latest]]);
        }
    }
}

impl Candidate<'_> {
    /// Who can have given what this one found: whoever can, and took effect before.
    fn givers(&self, taker: u32) -> Vec<u32> {
        let operations = self.kernel.operations;
        let fits = |&op: &u32| operations.can_match(op, taker) && self.place[op as usize] < self.place[taker as usize];
        (0..operations.len() as u32).filter(|op| self.place[*op as usize].is_some()).filter(fits).collect()
    }

    fn satisfies(&self) -> bool {
        self.kernel.sentences.iter().all(|sentence| self.obeys(sentence))
    }

    /// Every binding of the universal variables that meets the premises meets an alternative.
    fn obeys(&self, sentence: &Sentence) -> bool {
        let mut binding = vec![0; sentence.variables.len()];
        !self.exists(sentence, 0..sentence.universal, &mut binding, &|binding| {
            self.all(&sentence.premises, binding)
                && !sentence.alternatives.iter().any(|alternative| {
                    let mut inner = binding.to_vec();
                    self.exists(sentence, alternative.some.clone(), &mut inner, &|inner| {
                        self.all(&alternative.terms, inner)
                    })
                })
        })
    }

    /// Is there a binding of these variables, by operations of the sequence, that is such a one?
    fn exists(
        &self,
        sentence: &Sentence,
        variables: std::ops::Range<usize>,
        binding: &mut [u32],
        is_one: &dyn Fn(&[u32]) -> bool,
    ) -> bool {
        let Some(first) = variables.clone().next() else { return is_one(binding) };
        let fits = |&op: &u32| {
            self.place[op as usize].is_some() && self.kernel.operations.is(op, sentence.variables[first].sorts)
        };
        (0..self.place.len() as u32).filter(fits).any(|op| {
            binding[first] = op;
            self.exists(sentence, first + 1..variables.end, binding, is_one) // as deep as a formula has variables
        })
    }

    fn all(&self, terms: &[Term], binding: &[u32]) -> bool {
        terms.iter().all(|term| match term.ground(binding, self.kernel.operations) {
            Ground::Known(holds) => holds,
            Ground::Open(Literal { atom, positive }) => {
                positive
                    == match atom {
                        Atom::Before(x, y) => self.place[x as usize] < self.place[y as usize],
                        Atom::Match(giver, taker) => self.giver[taker as usize] == Some(giver),
                        Atom::Used(op) => self.place[op as usize].is_some(),
                        Atom::Gone(..) => unreachable!("no formula names what the solver defines"),
                    }
            }
        })
    }
}
