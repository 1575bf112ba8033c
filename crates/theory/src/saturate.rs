//! SATURATE: what follows from a theory without a guess? Unit propagation over *before* and *match*, no branching.
//!
//! After §6 of Emmi, Enea and Hamza. Events are taken one by one. At its return an operation joins an order that is closed under
//! transitivity (`order.rs`), behind all that returned before its call; every pair that becomes known sets off the rules that it is a
//! premise of (`clauses.rs`), and what they conclude makes further pairs. A taker gets its giver as soon as only one is left. A rule
//! all of whose literals are false is a contradiction: the history is a violation, and the log of conclusions becomes its derivation
//! (`explain.rs`), which `derivation.rs` checks without knowing how it was found.
//!
//! ```text
//!   enq(1) |--|                     enq(1) before enq(2)          by time
//!   enq(2)      |--|                deq → 1 before deq → 2        FIFO
//!   deq → 2          |--|           but deq → 2 returned before deq → 1 was called
//!   deq → 1               |--|
//! ```
//!
//! What we changed: candidates are also refused by rules that a match would contradict, so values may repeat; the paper assumes
//! that they do not. Pending operations take part once something was found that only they can have given. A contradiction is a violation;
//! none is no proof of anything (the paper conjectures it for unique values). With removal (`../removal.rs`) matched operations
//! are forgotten after their consequences were drawn. Cost: O(n³ / 64) for the closure and a few tests per pair, 2 n² bits; n is
//! the number of operations, with removal of those that are not matched yet.

mod clauses;
mod explain;
mod matching;
mod order;

use crate::derivation::Derivation;
use crate::notation::{Ground, Term};
use crate::operation::{NONE, Operations};
use crate::removal::{Match, matches};
use crate::theories::Theory;
use crate::{Atom, Literal};
pub(crate) use clauses::Clauses;
use clauses::{Clause, Trigger};
use linpoint_base::{Account, Cause};
use matching::Candidates;
use order::Order;

/// What saturation came to.
#[derive(Debug)]
pub enum Saturated {
    /// An order of all that took effect, found without a contradiction.
    Order(Vec<u32>),
    /// No contradiction after so many returns, and no order. That is no proof.
    Nothing(usize),
    /// A contradiction, and how it follows.
    Contradiction(Derivation),
    /// The budget ended after so many returns.
    Stopped(Cause, usize),
}

/// A conclusion: by this clause, for these operations.
#[derive(Clone, Debug)]
struct Entry {
    fact: Option<Literal>,
    clause: u32,
    binding: Box<[u32]>,
}

/// That somebody matches, though it is not known who.
struct Open {
    clause: u32,
    binding: Box<[u32]>,
}

struct Engine<'a> {
    operations: &'a Operations,
    clauses: &'a Clauses,
    candidates: Candidates,
    order: Order,
    /// Who gave what each taker found, as far as it is known.
    giver: Vec<u32>,
    takers: Vec<Vec<u32>>,
    /// Of writes that were forgotten: a later one.
    overwritten_by: Vec<u32>,
    log: Vec<Entry>,
    /// Pairs that became known and were not looked at yet.
    pairs: Vec<(u32, u32)>,
    /// Room for operations of clauses.
    bindings: Vec<[u32; MOST_VARIABLES]>,
    open: Vec<Open>,
    /// Operations about which something became known since the open ones were looked at.
    touched: Vec<bool>,
    /// The rank of the event at hand.
    now: u32,
}

/// No rule has more variables.
const MOST_VARIABLES: usize = 4;
/// Of more operations than these an order is not looked for: it takes a closure for each pair that time leaves open.
const MOST_ORDERED: usize = 1000;
/// How many pairs are looked at between two polls.
const BETWEEN_POLLS: u64 = 1 << 12;

/// Saturates a theory with the operations, event by event.
pub fn saturate(
    theory: &'static Theory,
    operations: &Operations,
    removal: bool,
    account: &mut Account<'_>,
) -> Saturated {
    let count = operations.len();
    let mut engine = Engine {
        operations,
        clauses: theory.clauses(),
        candidates: Candidates::of(operations),
        order: Order::new(count),
        giver: vec![NONE; count],
        takers: vec![Vec::new(); count],
        overwritten_by: vec![NONE; count],
        log: Vec::new(),
        pairs: Vec::new(),
        bindings: Vec::new(),
        open: Vec::new(),
        touched: vec![false; count],
        now: 0,
    };
    let mut returns: Vec<u32> = (0..count as u32).filter(|&op| operations.get(op).is_required()).collect();
    returns.sort_unstable_by_key(|&op| operations.get(op).ret);
    let mut obsolete = match removal.then(|| matches(operations, account)) {
        Some(Err(cause)) => return Saturated::Stopped(cause, 0),
        Some(Ok(found)) => found.into_iter().peekable(),
        None => Vec::new().into_iter().peekable(),
    };
    for (done, &op) in returns.iter().enumerate() {
        engine.now = operations.get(op).ret;
        match engine.returned(op, done, account) {
            Ok(()) => {
                while let Some(old) = obsolete.next_if(|old| old.obsolete <= engine.now) {
                    engine.forget(&old);
                }
            }
            Err(Stop::Contradiction) => {
                return match explain::explain(&engine, account) {
                    Ok(derivation) => Saturated::Contradiction(derivation),
                    Err(cause) => Saturated::Stopped(cause, done),
                };
            }
            Err(Stop::Cause(cause)) => return Saturated::Stopped(cause, done),
        }
    }
    match engine.linearize(removal, returns.len(), account) {
        Ok(Some(order)) => Saturated::Order(order),
        Ok(None) | Err(Stop::Contradiction) => Saturated::Nothing(returns.len()), // a guess may be wrong
        Err(Stop::Cause(cause)) => Saturated::Stopped(cause, returns.len()),
    }
}

/// What is left of a clause: the literals that are not known to be false.
enum Left {
    Nothing,
    One(u32, u32),
    Several,
}

/// Why the engine stops: the last entry of its log has no fact, or the budget ended.
enum Stop {
    Contradiction,
    Cause(Cause),
}

impl Engine<'_> {
    /// The operation returned: it is in the order from now on, with all that follows.
    fn returned(&mut self, op: u32, done: usize, account: &mut Account<'_>) -> Result<(), Stop> {
        if self.order.growth() > account.spare() {
            return Err(Stop::Cause(Cause::Memory));
        }
        self.join(op);
        for place in 0..self.clauses.unconditional.len() {
            let clause = self.clauses.unconditional[place];
            if self.operations.is(op, self.clauses.list[clause].rule.sorts[0]) {
                self.open.push(Open { clause: clause as u32, binding: [op].into() });
            }
        }
        self.conclude_free(op, done, account)?;
        self.propagate(done, account)?;
        account.poll(self.bytes(), done).map_or(Ok(()), |cause| Err(Stop::Cause(cause)))
    }

    /// Draws what follows from all clauses that wait for nothing but their operations, this one and those that are in the order.
    fn conclude_free(&mut self, op: u32, done: usize, account: &mut Account<'_>) -> Result<(), Stop> {
        let clauses = self.clauses;
        if clauses.free.is_empty() {
            return Ok(());
        }
        let live: Vec<u32> = self.order.live().collect();
        for &clause in &clauses.free {
            for given in 0..clauses.list[clause].rule.sorts.len() {
                let mut binding = vec![NONE; clauses.list[clause].rule.sorts.len()];
                binding[given] = op;
                self.bind_free(clause, &mut binding, 0, &live, done, account)?;
            }
        }
        Ok(())
    }

    /// The same, where the variables before `next` have their operations.
    fn bind_free(
        &mut self,
        clause: usize,
        binding: &mut [u32],
        next: usize,
        live: &[u32],
        done: usize,
        account: &mut Account<'_>,
    ) -> Result<(), Stop> {
        let Some(&given) = binding.get(next) else { return self.conclude(clause, binding) };
        let Clause { rule, tests, .. } = &self.clauses.list[clause];
        let only = [given];
        for &op in if given == NONE { live } else { &only } {
            if !self.operations.is(op, rule.sorts[next]) {
                continue;
            }
            binding[next] = op;
            let decided =
                |test: &&Term| test.of.iter().max() == Some(&next) && test.of.iter().all(|&of| binding[of] != NONE);
            if tests.iter().filter(decided).all(|test| test.ground(binding, self.operations) == Ground::Known(true)) {
                account.configurations += 1;
                if account.configurations.is_multiple_of(BETWEEN_POLLS)
                    && let Some(cause) = account.poll(self.bytes(), done)
                {
                    return Err(Stop::Cause(cause));
                }
                self.bind_free(clause, binding, next + 1, live, done, account)?; // as deep as a rule has variables
            }
        }
        binding[next] = given;
        Ok(())
    }

    /// Everything that follows, until nothing does.
    fn propagate(&mut self, done: usize, account: &mut Account<'_>) -> Result<(), Stop> {
        loop {
            while let Some((first, second)) = self.pairs.pop() {
                (self.touched[first as usize], self.touched[second as usize]) = (true, true);
                account.configurations += 1;
                if account.configurations.is_multiple_of(BETWEEN_POLLS)
                    && let Some(cause) = account.poll(self.bytes(), done)
                {
                    return Err(Stop::Cause(cause));
                }
                self.set_off(first, second)?;
            }
            if !self.settle(done, account)? {
                return Ok(());
            }
        }
    }

    /// Puts an operation into the order, if it is not there, behind all that returned before its call.
    fn join(&mut self, op: u32) {
        if self.order.is_live(op) {
            return;
        }
        let earlier: Vec<u32> = self.order.live().filter(|&other| self.operations.precedes(other, op)).collect();
        self.order.insert(op, earlier.into_iter(), &mut self.pairs);
        self.touched[op as usize] = true;
    }

    /// All rules that this pair is a premise of.
    fn set_off(&mut self, first: u32, second: u32) -> Result<(), Stop> {
        if !self.order.is_live(first) || !self.order.is_live(second) {
            return Ok(()); // forgotten since
        }
        let clauses = self.clauses;
        for trigger in &clauses.by_pair {
            self.conclude_all(trigger, [first, second])?;
        }
        Ok(())
    }

    /// Draws what follows from a clause for all operations that are found from those given, along known matches.
    fn conclude_all(&mut self, trigger: &Trigger, given: [u32; 2]) -> Result<(), Stop> {
        let clauses = self.clauses;
        let sorts = &clauses.list[trigger.clause].rule.sorts;
        let fits = |variable: usize, op: u32| self.operations.is(op, sorts[variable]);
        if !(fits(trigger.given[0], given[0]) && fits(trigger.given[1], given[1])) {
            return Ok(());
        }
        let mut found = std::mem::take(&mut self.bindings);
        let mut start = [NONE; MOST_VARIABLES];
        start[trigger.given[0]] = given[0];
        start[trigger.given[1]] = given[1];
        found.push(start);
        for &(known, wanted, is_giver) in &trigger.plan {
            for place in 0..found.len() {
                let binding = found[place];
                let one = [self.giver[binding[known] as usize]];
                let others: &[u32] = if is_giver { &self.takers[binding[known] as usize] } else { &one };
                for &op in others.iter().filter(|&&op| op != NONE && fits(wanted, op) && self.order.is_live(op)) {
                    let mut next = binding;
                    next[wanted] = op;
                    found.push(next);
                }
            }
            found.retain(|binding| binding[wanted] != NONE); // those that were continued, and not what they continue
        }
        let concluded = found.iter().try_for_each(|binding| self.conclude(trigger.clause, &binding[..sorts.len()]));
        found.clear();
        self.bindings = found;
        concluded
    }

    /// Draws what follows from a clause for these operations, whose matches may not all be known.
    fn conclude(&mut self, clause: usize, binding: &[u32]) -> Result<(), Stop> {
        let Some(left) = self.left(clause, binding, None) else { return Ok(()) };
        match (left, self.clauses.list[clause].rule.somebody.is_some()) {
            (Left::Nothing, false) => Err(self.contradiction(clause, binding)),
            (Left::Nothing, true) if self.is_settled(clause, binding) => Ok(()),
            (Left::Nothing, true) => {
                self.open.push(Open { clause: clause as u32, binding: binding.into() });
                binding.iter().for_each(|&op| self.touched[op as usize] = true);
                Ok(())
            }
            (Left::One(first, second), false) => {
                let fact = Some(Literal::yes(Atom::Before(first, second)));
                self.log.push(Entry { fact, clause: clause as u32, binding: binding.into() });
                self.order.add(first, second, &mut self.pairs);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The literals of a clause that are not known to be false; None if one is true or the clause does not apply. `supposed` is a
    /// match that is taken for known.
    fn left(&self, clause: usize, binding: &[u32], supposed: Option<(u32, u32)>) -> Option<Left> {
        let clause = &self.clauses.list[clause];
        let matches = |giver: u32, taker: u32| self.giver[taker as usize] == giver || supposed == Some((giver, taker));
        if !clause.matches.iter().all(|&(giver, taker)| matches(binding[giver], binding[taker])) {
            return None;
        }
        for test in &clause.tests {
            let holds = match test.ground(binding, self.operations) {
                Ground::Known(holds) => holds,
                Ground::Open(Literal { atom: Atom::Match(giver, taker), positive }) => {
                    matches(giver, taker) == positive
                }
                Ground::Open(_) => false,
            };
            if !holds {
                return None;
            }
        }
        let mut left = Left::Nothing;
        for edge in &clause.edges {
            let (first, second) = (binding[edge.from], binding[edge.to]);
            if first == second && edge.is_premise || self.knows(first, second) {
                return None;
            }
            if first != second && !self.knows(second, first) {
                left = if matches!(left, Left::Nothing) { Left::One(first, second) } else { Left::Several };
            }
        }
        Some(left)
    }

    /// By time, or by what was concluded.
    fn knows(&self, first: u32, second: u32) -> bool {
        self.order.knows(first, second) || self.operations.precedes(first, second)
    }

    fn contradiction(&mut self, clause: usize, binding: &[u32]) -> Stop {
        self.log.push(Entry { fact: None, clause: clause as u32, binding: binding.into() });
        Stop::Contradiction
    }

    /// A match became known: the operations are in the order, and every pair they are in may set off more.
    fn matched(&mut self, giver: u32, taker: u32, clause: u32, binding: &[u32]) -> Result<(), Stop> {
        let fact = Some(Literal::yes(Atom::Match(giver, taker)));
        self.log.push(Entry { fact, clause, binding: binding.into() });
        self.giver[taker as usize] = giver;
        self.takers[giver as usize].push(taker);
        for op in [giver, taker] {
            self.join(op);
            self.touched[op as usize] = true;
            self.order.pairs_of(op, &mut self.pairs);
        }
        let clauses = self.clauses;
        for trigger in &clauses.by_match {
            self.conclude_all(trigger, [giver, taker])?;
        }
        Ok(())
    }

    /// Forgets a match whose consequences were drawn, unless it was not found to be one.
    fn forget(&mut self, old: &Match) {
        let is_found = |&taker: &u32| self.giver[taker as usize] == old.giver && self.order.is_live(taker);
        if self.order.is_live(old.giver) && old.takers.iter().all(is_found) {
            self.overwritten_by[old.giver as usize] = old.by;
            old.takers.iter().chain([&old.giver]).for_each(|&op| self.order.remove(op));
        }
    }

    /// Orders what is left, one pair after the other, each with its consequences; no guess is taken back. None if matches were forgotten, or
    /// there are too many operations for that.
    fn linearize(&mut self, removal: bool, done: usize, account: &mut Account<'_>) -> Result<Option<Vec<u32>>, Stop> {
        let mut left: Vec<u32> = self.order.live().collect();
        if removal || left.len() > MOST_ORDERED {
            return Ok(None);
        }
        left.sort_unstable_by_key(|&op| self.operations.get(op).ret);
        let mut order = Vec::with_capacity(left.len());
        while let Some(place) = left.iter().position(|&op| !left.iter().any(|&other| self.order.knows(other, op))) {
            let first = left[place];
            match left.iter().copied().find(|&op| op != first && !self.order.knows(first, op)) {
                Some(second) => {
                    self.order.add(first, second, &mut self.pairs);
                    self.propagate(done, account)?;
                }
                None => order.push(left.remove(place)),
            }
        }
        Ok(Some(order))
    }

    fn bytes(&self) -> usize {
        let logged = self.log.capacity() * (size_of::<Entry>() + 16) + self.pairs.capacity() * size_of::<(u32, u32)>();
        let per_operation = size_of::<Vec<u32>>() + 4 * size_of::<u32>() + self.candidates.bytes_each();
        self.order.bytes() + logged + self.open.len() * (size_of::<Open>() + 16) + per_operation * self.giver.len()
    }
}
