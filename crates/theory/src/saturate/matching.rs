//! Who can have given what a taker found? Candidates by value, fewer and fewer, until one is left, or none.
//!
//! "Somebody matches" (ADDREM, the first half of FIFO, LIFO, EMPTY …) is a clause with a literal for each candidate. A candidate is out if
//! it is matched otherwise, if it would have to come before what precedes it, or if a rule would contradict the match. One is
//! left: that is it. None: a contradiction. Cost per look: candidates × rules × live operations; values that do not repeat
//! have one candidate, and are looked at once.

use super::{Engine, Open, Stop};
use crate::notation::Ground;
use crate::operation::{ANY, NEVER, NONE, Operations, RELEASE, REMOVE, UNLOCK};
use crate::{Atom, Literal};
use linpoint_base::Account;

/// What can be matched once only.
pub(crate) const SINGLE: u32 = REMOVE | UNLOCK | RELEASE;

/// Givers and takers by their values.
pub(super) struct Candidates {
    givers: Vec<(u32, u32)>,
    takers: Vec<(u32, u32)>,
    /// (giver, taker) that cannot match, found so far.
    refused: std::collections::BTreeSet<(u32, u32)>,
}

impl Candidates {
    pub fn of(operations: &Operations) -> Candidates {
        let by_value = |value: &dyn Fn(u32) -> u32| {
            let valued = (0..operations.len() as u32).map(|op| (value(op), op)).filter(|&(value, _)| value != NONE);
            let mut sorted: Vec<(u32, u32)> = valued.collect();
            sorted.sort_unstable();
            sorted
        };
        let givers = by_value(&|op| operations.get(op).gives);
        let takers = by_value(&|op| operations.get(op).takes);
        Candidates { givers, takers, refused: std::collections::BTreeSet::new() }
    }

    /// All operations that can match this one by value and time.
    pub fn of_op(&self, op: u32, wants_giver: bool, operations: &Operations) -> Vec<u32> {
        let operation = operations.get(op);
        let range = |list: &'_ [(u32, u32)], value: u32| {
            list.partition_point(|&(other, _)| other < value)..list.partition_point(|&(other, _)| other <= value)
        };
        if !wants_giver {
            let exact = &self.takers[range(&self.takers, operation.gives)];
            let unknown = &self.takers[range(&self.takers, ANY)];
            return exact
                .iter()
                .chain(unknown)
                .map(|&(_, taker)| taker)
                .filter(|&t| operations.can_match(op, t))
                .collect();
        }
        let all = 0..self.givers.len();
        let fitting = if operation.takes == ANY { all } else { range(&self.givers, operation.takes) };
        self.givers[fitting].iter().map(|&(_, giver)| giver).filter(|&giver| operations.can_match(giver, op)).collect()
    }

    pub fn bytes_each(&self) -> usize {
        2 * size_of::<(u32, u32)>()
    }
}

/// The match that a candidate stands for, and what else must hold of it.
pub(super) struct Way {
    pub giver: u32,
    pub taker: u32,
    /// By the same formula: this comes before that.
    pub edges: Vec<(u32, u32)>,
}

impl Engine<'_> {
    /// Looks at whoever is still looked for, where something became known. Was anything concluded?
    pub(super) fn settle(&mut self, done: usize, account: &mut Account<'_>) -> Result<bool, Stop> {
        let mut place = 0;
        while place < self.open.len() {
            let is_touched = self.open[place].binding.iter().any(|&op| self.touched[op as usize]);
            if !is_touched {
                place += 1;
                continue;
            }
            if let Some(cause) = account.poll(self.bytes(), done) {
                return Err(Stop::Cause(cause));
            }
            let Open { clause, binding } = &self.open[place];
            let (clause, binding) = (*clause, binding.clone());
            if self.is_settled(clause as usize, &binding) {
                self.open.swap_remove(place);
                continue;
            }
            let ways = self.ways(clause as usize, &binding);
            let mut left = Vec::new();
            for way in ways {
                account.configurations += 1;
                if !self.is_out(&way) {
                    left.push(way);
                }
            }
            match &left[..] {
                [] => return Err(self.contradiction(clause as usize, &binding)),
                [Way { giver, taker, .. }] if self.is_ready(*giver, *taker) => {
                    let (giver, taker) = (*giver, *taker);
                    self.open.swap_remove(place);
                    self.matched(giver, taker, clause, &binding)?;
                    return Ok(true);
                }
                _ => place += 1,
            }
        }
        self.touched.fill(false);
        Ok(!self.pairs.is_empty())
    }

    /// The candidates of an open clause, in and out.
    pub(super) fn ways(&self, clause: usize, binding: &[u32]) -> Vec<Way> {
        let rule = &self.clauses.list[clause].rule;
        let Some((sorts, term)) = rule.somebody else { return Vec::new() };
        let wanted = binding.len();
        let (known, wants_giver) = if term.of[0] == wanted { (term.of[1], true) } else { (term.of[0], false) };
        let heads = &self.clauses.list[clause].heads;
        let mut all = self.candidates.of_op(binding[known], wants_giver, self.operations);
        all.retain(|&op| self.operations.is(op, sorts));
        let mut extended = binding.to_vec();
        extended.push(NONE);
        let way = |op: u32| {
            extended[wanted] = op;
            let ground = heads.iter().map(|head| head.ground(&extended, self.operations));
            let before = |ground| match ground {
                Ground::Open(Literal { atom: Atom::Before(first, second), .. }) => Some((first, second)),
                _ => None,
            };
            let edges = ground.filter_map(before).collect();
            let (giver, taker) = if wants_giver { (op, binding[known]) } else { (binding[known], op) };
            Way { giver, taker, edges }
        };
        all.into_iter().map(way).collect()
    }

    /// Is it known who it is?
    pub(super) fn is_settled(&self, clause: usize, binding: &[u32]) -> bool {
        let Some((sorts, term)) = self.clauses.list[clause].rule.somebody else { return true };
        match term.of[0] == binding.len() {
            true => self.giver[binding[term.of[1]] as usize] != NONE,
            false => self.takers[binding[term.of[0]] as usize].iter().any(|&taker| self.operations.is(taker, sorts)),
        }
    }

    /// Is the match impossible? Notes it in the log if a rule says so.
    fn is_out(&mut self, way: &Way) -> bool {
        let &Way { giver, taker, .. } = way;
        if self.is_taken(giver, taker) || self.candidates.refused.contains(&(giver, taker)) {
            return true;
        }
        if way.edges.iter().any(|&(first, second)| self.knows(second, first)) {
            return true;
        }
        let Some((clause, binding)) = self.refusal(giver, taker) else { return false };
        let fact = Some(Literal::no(Atom::Match(giver, taker)));
        self.log.push(super::Entry { fact, clause: clause as u32, binding: binding.into() });
        self.candidates.refused.insert((giver, taker));
        true
    }

    /// Is one of them matched otherwise?
    fn is_taken(&self, giver: u32, taker: u32) -> bool {
        let known = self.giver[taker as usize];
        let is_single = |op: u32| self.operations.is(op, SINGLE);
        known != NONE && known != giver
            || is_single(taker) && self.takers[giver as usize].iter().any(|&other| other != taker && is_single(other))
    }

    /// Is everything known by now that such a match needs? What is still to return waits for that.
    fn is_ready(&self, giver: u32, taker: u32) -> bool {
        let (from, to) = (self.operations.get(giver), self.operations.get(taker));
        from.call < self.now && (self.order.is_live(taker) || to.ret == NEVER && to.call < self.now)
    }

    /// A clause that would be contradicted if these matched: its place, and operations for its variables.
    fn refusal(&self, giver: u32, taker: u32) -> Option<(usize, Vec<u32>)> {
        for (place, clause) in self.clauses.list.iter().enumerate() {
            if clause.rule.somebody.is_some() {
                continue;
            }
            for &(from, to) in &clause.matches {
                let mut binding = vec![NONE; clause.rule.sorts.len()];
                (binding[from], binding[to]) = (giver, taker);
                let fits =
                    |(variable, &op): (usize, &u32)| op == NONE || self.operations.is(op, clause.rule.sorts[variable]);
                if !binding.iter().enumerate().all(fits) {
                    continue;
                }
                let free: Vec<usize> = (0..binding.len()).filter(|&variable| binding[variable] == NONE).collect();
                if let Some(binding) = self.contradicted(place, binding, &free, (giver, taker)) {
                    return Some((place, binding));
                }
            }
        }
        None
    }

    /// Operations for the free variables such that the clause is contradicted; along matches where there are, otherwise any.
    fn contradicted(&self, clause: usize, binding: Vec<u32>, free: &[usize], supposed: (u32, u32)) -> Option<Vec<u32>> {
        let Some(&variable) = free.first() else {
            let applies = self.left(clause, &binding, Some(supposed))?;
            return matches!(applies, super::Left::Nothing).then_some(binding);
        };
        let rule = &self.clauses.list[clause];
        let linked = rule.matches.iter().find_map(|&(giver, taker)| match () {
            () if giver == variable && binding[taker] != NONE => Some(vec![self.giver[binding[taker] as usize]]),
            () if taker == variable && binding[giver] != NONE => Some(self.takers[binding[giver] as usize].clone()),
            () => None,
        });
        let later = self.overwritten_by[supposed.0 as usize];
        let among = linked.unwrap_or_else(|| self.order.live().chain([later]).collect());
        let is_there = |op: u32| op != NONE && (self.order.is_live(op) || op == later);
        let fits = |&op: &u32| is_there(op) && self.operations.is(op, rule.rule.sorts[variable]);
        among.into_iter().filter(fits).find_map(|op| {
            let mut longer = binding.clone();
            longer[variable] = op;
            self.contradicted(clause, longer, &free[1..], supposed) // as deep as a rule has variables
        })
    }
}
