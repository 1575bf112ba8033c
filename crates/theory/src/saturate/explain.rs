//! From the log of a saturation to a derivation: what was needed, in an order in which it can be read.
//!
//! The log has every conclusion that was new, not every pair of the closure. Why x comes before y is found again: the shortest path of
//! real time and of conclusions made *earlier*, so that nothing explains itself. What is needed is gathered from the end; O(n + log) per
//! fact that is needed.

use super::matching::SINGLE;
use super::{Engine, Entry};
use crate::derivation::{Because, Derivation, Step};
use crate::operation::NONE;
use crate::{Atom, Literal};
use linpoint_base::{Account, Cause};
use std::collections::{BTreeMap, BTreeSet};

/// Why a premise holds.
enum Premise {
    /// It was concluded: this entry of the log.
    Logged(usize),
    /// Along these operations, from one to the next by time or by an entry of the log.
    Path(Vec<(u32, u32, Option<usize>)>),
}

struct Search<'e> {
    engine: &'e Engine<'e>,
    /// Entries that conclude an order, by the operation that comes first.
    edges: Vec<Vec<(u32, usize)>>,
    matches: BTreeMap<(u32, u32), usize>,
    refused: BTreeMap<(u32, u32), usize>,
    /// The entry since which it is known that an operation took effect.
    used_by: Vec<Option<usize>>,
    /// By their calls.
    by_call: Vec<u32>,
}

/// The derivation of the contradiction that the log ends with.
pub(super) fn explain(engine: &Engine<'_>, account: &mut Account<'_>) -> Result<Derivation, Cause> {
    let mut search = Search::new(engine);
    let mut needed = BTreeSet::from([engine.log.len() - 1]);
    let mut premises: BTreeMap<usize, Vec<Premise>> = BTreeMap::new();
    while let Some(entry) = needed.pop_last() {
        if let Some(cause) = account.poll(engine.bytes() + 64 * premises.len(), 0) {
            return Err(cause);
        }
        let found = search.premises(entry);
        for premise in &found {
            match premise {
                Premise::Logged(earlier) => drop(needed.insert(*earlier)),
                Premise::Path(path) => needed.extend(path.iter().filter_map(|&(_, _, earlier)| earlier)),
            }
        }
        premises.insert(entry, found);
    }
    let mut told = Told { engine, derivation: Derivation::default(), facts: BTreeMap::new(), entries: BTreeMap::new() };
    premises.iter().for_each(|(&entry, premises)| told.tell(entry, premises));
    Ok(told.derivation)
}

impl<'e> Search<'e> {
    fn new(engine: &'e Engine<'e>) -> Search<'e> {
        let mut edges = vec![Vec::new(); engine.operations.len()];
        let mut used_by = vec![None; engine.operations.len()];
        let (mut matches, mut refused) = (BTreeMap::new(), BTreeMap::new());
        for (place, entry) in engine.log.iter().enumerate() {
            match entry.fact {
                Some(Literal { atom: Atom::Before(x, y), .. }) => edges[x as usize].push((y, place)),
                Some(Literal { atom: Atom::Match(x, y), positive: true }) => {
                    matches.insert((x, y), place);
                    [x, y].iter().for_each(|&op| _ = used_by[op as usize].get_or_insert(place));
                }
                Some(Literal { atom: Atom::Match(x, y), positive: false }) => drop(refused.insert((x, y), place)),
                _ => {}
            }
        }
        let mut by_call: Vec<u32> = (0..engine.operations.len() as u32).collect();
        by_call.sort_unstable_by_key(|&op| engine.operations.get(op).call);
        Search { engine, edges, matches, refused, used_by, by_call }
    }

    /// What an entry follows from.
    fn premises(&mut self, place: usize) -> Vec<Premise> {
        let Entry { fact, clause, binding } = &self.engine.log[place];
        let clause = &self.engine.clauses.list[*clause as usize];
        let of = |&(giver, taker): &(usize, usize)| (binding[giver], binding[taker]);
        let is_concluded = |giver, taker| *fact == Some(Literal::no(Atom::Match(giver, taker)));
        let mut found = Vec::new();
        for (giver, taker) in clause.matches.iter().map(of).filter(|&(giver, taker)| !is_concluded(giver, taker)) {
            found.push(Premise::Logged(self.matches[&(giver, taker)]));
        }
        for edge in &clause.edges {
            let (first, second) = (binding[edge.from], binding[edge.to]);
            if first != second && *fact != Some(Literal::yes(Atom::Before(first, second))) {
                found.push(Premise::Path(self.path(second, first, place).expect("what was known has a path")));
            }
        }
        if clause.rule.somebody.is_some() {
            let concluded = match fact {
                Some(Literal { atom: Atom::Match(giver, taker), .. }) => Some((*giver, *taker)),
                _ => None,
            };
            for way in self.engine.ways(self.engine.log[place].clause as usize, binding) {
                if concluded != Some((way.giver, way.taker)) {
                    found.push(self.elimination(&way, place).expect("what was refused was refused for a reason"));
                }
            }
        }
        let along = found.iter().flat_map(|premise| match premise {
            Premise::Path(path) => path.iter().map(|edge| edge.1).collect(),
            Premise::Logged(_) => Vec::new(),
        });
        let pending = binding.iter().copied().chain(along).filter(|&op| !self.engine.operations.get(op).is_required());
        let why_used: BTreeSet<usize> =
            pending.filter_map(|op| self.used_by[op as usize]).filter(|&by| by < place).collect();
        found.extend(why_used.into_iter().map(Premise::Logged));
        found
    }

    /// Why a candidate was out.
    fn elimination(&mut self, way: &super::matching::Way, limit: usize) -> Option<Premise> {
        let &super::matching::Way { giver, taker, .. } = way;
        let is_single = |op: u32| self.engine.operations.is(op, SINGLE);
        let earlier = |place: Option<&usize>| place.copied().filter(|&place| place < limit);
        let known = self.engine.giver[taker as usize];
        if known != NONE
            && known != giver
            && let Some(place) = earlier(self.matches.get(&(known, taker)))
        {
            return Some(Premise::Logged(place));
        }
        if is_single(taker) {
            let others = self.engine.takers[giver as usize].iter().filter(|&&other| other != taker && is_single(other));
            if let Some(place) = others.filter_map(|&other| earlier(self.matches.get(&(giver, other)))).next() {
                return Some(Premise::Logged(place));
            }
        }
        if let Some(place) = earlier(self.refused.get(&(giver, taker))) {
            return Some(Premise::Logged(place));
        }
        way.edges.iter().find_map(|&(first, second)| self.path(second, first, limit)).map(Premise::Path)
    }

    /// The shortest path from one operation to another, by time and by entries before `limit`.
    fn path(&mut self, from: u32, to: u32, limit: usize) -> Option<Vec<(u32, u32, Option<usize>)>> {
        let operations = self.engine.operations;
        let mut reached: Vec<Option<(u32, Option<usize>)>> = vec![None; operations.len()];
        let mut later = self.by_call.len(); // all from here on are reached by time
        let (mut line, mut next) = (vec![from], 0);
        while next < line.len() && reached[to as usize].is_none() {
            let at = line[next];
            next += 1;
            let mut reach = |op: u32, by: Option<usize>| {
                if op != from && reached[op as usize].is_none() {
                    reached[op as usize] = Some((at, by));
                    line.push(op);
                }
            };
            if operations.precedes(at, to) {
                reach(to, None);
                break;
            }
            self.edges[at as usize].iter().filter(|edge| edge.1 < limit).for_each(|&(op, by)| reach(op, Some(by)));
            while later > 0 && operations.precedes(at, self.by_call[later - 1]) {
                later -= 1;
                reach(self.by_call[later], None);
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while at != from {
            let (before, by) = reached[at as usize]?;
            path.push((before, at, by));
            at = before;
        }
        path.reverse();
        Some(path)
    }
}

/// The derivation as far as it is told.
struct Told<'e> {
    engine: &'e Engine<'e>,
    derivation: Derivation,
    facts: BTreeMap<(u32, u32), u32>,
    entries: BTreeMap<usize, u32>,
}

impl Told<'_> {
    fn step(&mut self, fact: Option<Literal>, because: Because, from: Vec<u32>) -> u32 {
        self.derivation.steps.push(Step { fact, because, from });
        self.derivation.steps.len() as u32 - 1
    }

    fn tell(&mut self, place: usize, premises: &[Premise]) {
        let mut from: Vec<u32> = Vec::new();
        for premise in premises {
            let step = match premise {
                Premise::Logged(earlier) => self.entries[earlier],
                Premise::Path(path) => self.along(path),
            };
            if !from.contains(&step) {
                from.push(step);
            }
        }
        let Entry { fact, clause, binding } = &self.engine.log[place];
        let clause = &self.engine.clauses.list[*clause as usize];
        let formula = clause.rule.formula;
        let binding = binding[..formula.sentence().universal].to_vec();
        let step = self.step(*fact, Because::Law { formula, binding }, from);
        self.entries.insert(place, step);
        if let Some(Literal { atom: Atom::Before(x, y), .. }) = *fact {
            self.facts.insert((x, y), step);
        }
    }

    /// That the end of a path comes after its beginning.
    fn along(&mut self, path: &[(u32, u32, Option<usize>)]) -> u32 {
        let ends = (path[0].0, path[path.len() - 1].1);
        if let Some(&known) = self.facts.get(&ends) {
            return known;
        }
        let mut from = Vec::new();
        for &(x, y, by) in path {
            from.push(match by {
                Some(entry) => self.entries[&entry],
                None => match self.facts.get(&(x, y)) {
                    Some(&known) => known,
                    None => self.note((x, y), Because::Time, Vec::new()),
                },
            });
        }
        if let [only] = from[..] { only } else { self.note(ends, Because::Chain, from) }
    }

    fn note(&mut self, (x, y): (u32, u32), because: Because, from: Vec<u32>) -> u32 {
        let step = self.step(Some(Literal::yes(Atom::Before(x, y))), because, from);
        self.facts.insert((x, y), step);
        step
    }
}
