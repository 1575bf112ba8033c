//! Which values did pending removes take? Two bounds that usually tell, and a search between them.
//!
//! A pending remove of unknown result, a *hidden* one, took a value that no other operation removed, at any moment behind its call, or nothing.
//!
//! ```text
//!   push 1   |--|                              1 lies under 2, yet it was popped: 2 must have been taken before.
//!   push 2        |--|                         Only the pending pop can have done it. Its call lies before the
//!   pop → ?            |-----------------…     return of pop → 1, the *deadline* of 2: linearizable.
//!   pop → 1                 |--|
//! ```
//!
//! 1. *No hidden remove takes effect.* If that is linearizable, so is the whole: pending operations need not take effect.
//! 2. *Every value that is left has the earliest hidden remove for itself.* If that is a violation, so is the whole: whatever takes a value is
//!    called no earlier, so the value is certainly inside at least as long, and intervals that grow never free a slot.
//! 3. Between the two, each value that is left has a deadline: it must be taken by a hidden remove that is called before, or it may stay. At
//!    first the deadlines are those of pairs: an operation f that finds another value cannot do so while v is inside, v is certainly in, and so
//!    the taker of v is called before f returns. The values are dealt out by deadline, the earliest gets the earliest hidden remove;
//!    if there are deadlines with too few calls before them, it is a violation. The monitor judges what is dealt. It names few
//!    values in conflict, and some value of these must be taken by an earlier call than it was dealt: by which one, bisection tells where
//!    only one value can help, and otherwise all of them are tried, one after the other.
//!
//! If what is dealt by deadlines that hold in any case is explained, it is told ([`Taken`](super::Taken)): these values *must* have been taken, and nothing else need have been. To be
//! inside for less long is never worse; so if it is explained that each was taken by the last remove before its deadline, then whatever took it before its deadline, and the deadlines are all there is to know.
//!
//! Cost: one run of the monitor each for 1 and 2; O(n log n) for the deadlines; a run for each round, which is exponential
//! in the worst case: declines after about forty.

use super::intervals::{Interval, ValueIntervals};
use super::{Decided, Decision, Meter, NEVER, NONE, Taken, declined};

/// What a monitor knows of its object. `T` is what it makes of intervals without a violation.
pub(super) struct Rules<'r, T> {
    /// Decides intervals, hidden removes left out.
    pub check: &'r dyn Fn(&ValueIntervals, &mut Meter<'_>) -> Decided<T>,
    /// See `limit`.
    pub key: &'r dyn Fn(&Interval) -> u32,
    /// (k, s): an operation that finds a value whose key is below k, and is called at s or later, cannot do so while this one is inside.
    pub limit: &'r dyn Fn(&Interval) -> (u32, u32),
}

/// What the rules make of the intervals, and the intervals with what hidden removes took; or why there is none.
pub(super) fn judge<T>(
    intervals: ValueIntervals,
    meter: &mut Meter<'_>,
    rules: &Rules<'_, T>,
) -> Decided<(ValueIntervals, T)> {
    match (rules.check)(&intervals, meter) {
        Ok(found) => return Ok((intervals, found)),
        Err(Decision::Violation(_)) if !intervals.hidden.is_empty() => {}
        Err(other) => return Err(other),
    }
    meter.hold(intervals.bytes() + 8 * intervals.call.len())?;
    let mut dealt = intervals.clone();
    intervals.left_inside().for_each(|v| dealt.take(v, intervals.hidden[0]));
    if let Err(decision) = (rules.check)(&dealt, meter) {
        return Err(match decision {
            Decision::Violation(conflict) => intervals.told(conflict),
            other => other,
        });
    }
    drop(dealt);
    Hunt::new(intervals, rules, meter)?.run(meter)
}

impl ValueIntervals {
    /// A violation whatever hidden removes took: they are not part of it.
    fn told(&self, mut conflict: Vec<u32>) -> Decision {
        conflict.retain(|op| self.hidden.binary_search(op).is_err());
        self.violation(conflict)
    }
}

/// So many values may be judged in all, for each value there is; and so many in any case.
const ROUNDS: usize = 40;
const ALWAYS: usize = 200_000;

/// The search for who took what.
struct Hunt<'r, T> {
    intervals: ValueIntervals,
    rules: &'r Rules<'r, T>,
    /// The value of each operation; [`NONE`] of those that are in no interval.
    owner: Vec<u32>,
    /// By value: its taker is called before this rank; [`NEVER`] if it may stay. What holds in any case, and here.
    known: Vec<u32>,
    deadline: Vec<u32>,
    /// By value: the operation that its first deadline comes from.
    reason: Vec<u32>,
    /// By value: the operations that its deadline comes from, if it is a later one.
    because: Vec<Vec<u32>>,
    /// All operations that later deadlines come from.
    learned: Vec<u32>,
    branches: Vec<Branch>,
    /// Deadlines as they were before.
    trail: Vec<(u32, u32)>,
    budget: usize,
}

/// One of these must be taken before the rank next to it.
struct Branch {
    untried: Vec<(u32, u32)>,
    trail: usize,
}

impl<'r, T> Hunt<'r, T> {
    fn new(intervals: ValueIntervals, rules: &'r Rules<'r, T>, meter: &mut Meter<'_>) -> Decided<Self> {
        let count = intervals.len();
        meter.hold(4 * intervals.call.len() + 8 * count)?;
        let mut owner = vec![NONE; intervals.call.len()];
        for v in 0..count {
            let ends = [intervals.values[v].add, intervals.values[v].remove].into_iter().filter(|&op| op != NONE);
            ends.chain(intervals.peeks_of(v).iter().copied()).for_each(|op| owner[op as usize] = v as u32);
        }
        let budget = ROUNDS * count + ALWAYS;
        let reason = meter.releasing(|meter| reasons(&intervals, rules, meter))?;
        let deadline = |&op: &u32| if op == NONE { NEVER } else { intervals.ret[op as usize] };
        let known: Vec<u32> = reason.iter().map(deadline).collect();
        let (deadline, learned, branches, trail) = (known.clone(), Vec::new(), Vec::new(), Vec::new());
        let because = vec![Vec::new(); count];
        Ok(Hunt { intervals, rules, owner, known, deadline, reason, because, learned, branches, trail, budget })
    }

    /// Deals, judges, and learns from what the judge says.
    fn run(mut self, meter: &mut Meter<'_>) -> Decided<(ValueIntervals, T)> {
        loop {
            let conflict = match self.deal() {
                Err(short) => short,
                Ok((dealt, due)) => {
                    self.spend(dealt.len(), meter)?;
                    match (self.rules.check)(&dealt, meter) {
                        Ok(found) => {
                            meter.dealt = true; // and, unless something was tried, by deadlines that hold in any case
                            meter.taken = if self.branches.is_empty() { self.taken(due, meter)? } else { None };
                            return Ok((dealt, found));
                        }
                        Err(Decision::Violation(conflict)) => match self.learn(&dealt, &due, conflict, meter)? {
                            None => continue,
                            Some(dead) => dead,
                        },
                        Err(other) => return Err(other),
                    }
                }
            };
            self.learned.extend(conflict);
            if !self.go_back() {
                return Err(self.intervals.told(self.learned));
            }
        }
    }

    /// What must have been taken, by whom and why; operations are places. None if it cannot be explained that each was taken by the last remove
    /// before its deadline, even if that took several: then more is to be known than the deadlines.
    fn taken(&mut self, mut due: Vec<u32>, meter: &mut Meter<'_>) -> Decided<Option<Vec<Taken>>> {
        loop {
            let mut latest = self.intervals.clone();
            for &v in &due {
                latest.take(v as usize, self.intervals.hidden[self.calls_before(self.due(v)) - 1]);
            }
            let conflict = match (self.rules.check)(&latest, meter) {
                Ok(_) => return Ok(self.takers(&due)),
                Err(Decision::Violation(conflict)) => conflict,
                Err(other) => return Err(other),
            };
            let took = |&v: &u32| conflict.contains(&latest.values[v as usize].remove);
            let values = self.values_of(&conflict, due.iter().copied().filter(took));
            match self.tighten(&latest, &values, &conflict, meter) {
                Ok(true) => {}
                Ok(false) | Err(Decision::Declined(_)) => return Ok(None),
                Err(other) => return Err(other),
            }
            let Ok((_, again)) = self.deal() else { return Ok(None) };
            due = again;
        }
    }

    /// For each value the last remove that can have taken it, if each takes one: those with the latest deadlines first.
    fn takers(&self, due: &[u32]) -> Option<Vec<Taken>> {
        let mut removes = self.intervals.hidden.clone();
        let taken = due.iter().rev().map(|&v| {
            removes.truncate(self.calls_before(self.due(v))); // those left over are called behind all further deadlines, too
            let because = match &self.because[v as usize][..] {
                [] => vec![self.reason[v as usize]],
                learned => learned.to_vec(),
            };
            Some(Taken { value: self.intervals.values[v as usize].name, by: removes.pop()?, because })
        });
        taken.collect()
    }

    /// How many hidden removes are called before a deadline.
    fn calls_before(&self, deadline: u32) -> usize {
        self.intervals.hidden.partition_point(|&op| self.intervals.call[op as usize] < deadline)
    }

    fn spend(&mut self, work: usize, meter: &mut Meter<'_>) -> Decided<()> {
        meter.account.configurations += 1;
        meter.poll()?;
        let left = self.budget.checked_sub(work);
        self.budget =
            left.ok_or_else(|| declined("a pending remove of unknown result may explain what looks like a violation"))?;
        Ok(())
    }

    /// Every value with a deadline is taken, the j-th deadline by the j-th call; and those values in this order. Or the operations of
    /// too many values for too few calls.
    fn deal(&self) -> Result<(ValueIntervals, Vec<u32>), Vec<u32>> {
        let mut due: Vec<u32> = (0..self.deadline.len() as u32).filter(|&v| self.due(v) != NEVER).collect();
        due.sort_by_key(|&v| self.due(v));
        let mut dealt = self.intervals.clone();
        for (place, &v) in due.iter().enumerate() {
            match self.intervals.hidden.get(place) {
                Some(&hidden) if self.intervals.call[hidden as usize] < self.due(v) => dealt.take(v as usize, hidden),
                _ => return Err(due[..=place].iter().flat_map(|&v| self.why(v)).collect()),
            }
        }
        Ok((dealt, due))
    }

    /// The operations that tell when v was certainly inside, and that it was not later.
    fn why(&self, v: u32) -> Vec<u32> {
        let mut ops = self.intervals.bounds_of(v as usize);
        if self.reason[v as usize] != NONE {
            let finder = self.reason[v as usize];
            ops.push(finder);
            let found = Some(self.owner[finder as usize]).filter(|&found| found != NONE);
            ops.extend(found.into_iter().flat_map(|found| self.intervals.bounds_of(found as usize)));
        }
        ops
    }

    fn due(&self, v: u32) -> u32 {
        self.deadline[v as usize]
    }

    fn set(&mut self, v: u32, deadline: u32) {
        self.trail.push((v, self.due(v)));
        self.deadline[v as usize] = deadline;
    }

    /// The values of the conflict cannot all be taken as late as they are dealt. Sets a deadline; or says that no call is early enough.
    fn learn(
        &mut self,
        dealt: &ValueIntervals,
        due: &[u32],
        conflict: Vec<u32>,
        meter: &mut Meter<'_>,
    ) -> Decided<Option<Vec<u32>>> {
        let took =
            conflict.iter().filter_map(|op| self.intervals.hidden.binary_search(op).ok()).map(|place| due[place]);
        let values = self.values_of(&conflict, took);
        let left = self.to_be_taken_before(dealt, &values);
        let learned = self.tighten(dealt, &values, &conflict, meter)?;
        if !learned {
            let mut untried: Vec<(u32, u32)> =
                left.iter().map(|&v| (v, taken_at(dealt, v).min(self.intervals.end + 1))).collect();
            untried.sort_by_key(|&(_, before)| before);
            let Some((v, before)) = untried.pop() else { return Ok(Some(conflict)) };
            self.branches.push(Branch { untried, trail: self.trail.len() });
            self.set(v, before);
        }
        self.learned.extend(conflict);
        Ok(None)
    }

    /// The values of a conflict, those that hidden removes took and what is there from the start among them.
    fn values_of(&self, conflict: &[u32], took: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut values: Vec<u32> = conflict.iter().map(|&op| self.owner[op as usize]).filter(|&v| v != NONE).collect();
        values.extend(took.chain(0..self.intervals.initial() as u32));
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Those of a conflict that may be taken earlier than they were dealt.
    fn to_be_taken_before(&self, dealt: &ValueIntervals, values: &[u32]) -> Vec<u32> {
        let is_left = |v: u32| self.intervals.values[v as usize].remove == NONE;
        let first = self.intervals.call[self.intervals.hidden[0] as usize];
        values.iter().copied().filter(|&v| is_left(v) && taken_at(dealt, v) > first).collect()
    }

    /// These values are in conflict as they are dealt. Sets the deadlines that hold in any case; says whether there is one.
    fn tighten(
        &mut self,
        dealt: &ValueIntervals,
        values: &[u32],
        conflict: &[u32],
        meter: &mut Meter<'_>,
    ) -> Decided<bool> {
        let calls: Vec<u32> = self.intervals.hidden.iter().map(|&op| self.intervals.call[op as usize]).collect();
        let mut learned = false;
        for v in self.to_be_taken_before(dealt, values) {
            // How late may v be taken if all others are taken as early as can be?
            let (mut good, mut bad) = (0, calls.partition_point(|&call| call < taken_at(dealt, v)));
            if self.is_free(values, v, bad, meter)? {
                continue;
            }
            while bad - good > 1 {
                let middle = good.midpoint(bad);
                if self.is_free(values, v, middle, meter)? { good = middle } else { bad = middle }
            }
            let deadline = calls.get(bad).copied().unwrap_or(self.intervals.end + 1);
            if deadline < self.due(v) {
                self.known[v as usize] = deadline;
                self.because[v as usize] = conflict.to_vec();
                self.set(v, deadline);
                learned = true;
            }
        }
        Ok(learned)
    }

    /// Are these values no conflict if v is taken by this hidden remove (by none, if there are not so many), all others that are left by the first?
    fn is_free(&mut self, values: &[u32], v: u32, hidden: usize, meter: &mut Meter<'_>) -> Decided<bool> {
        self.spend(values.len(), meter)?;
        let (first, taker) = (self.intervals.hidden[0], self.intervals.hidden.get(hidden).copied());
        let mut some = self.intervals.clone();
        for &other in values.iter().filter(|&&other| self.intervals.values[other as usize].remove == NONE) {
            if let Some(by) = if other == v { taker } else { Some(first) } {
                some.take(other as usize, by);
            }
        }
        let (few, _) = some.only(values, true);
        match (self.rules.check)(&few, meter) {
            Ok(_) => Ok(true),
            Err(Decision::Violation(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// To the last choice with something untried; false if there is none.
    fn go_back(&mut self) -> bool {
        while let Some(branch) = self.branches.last_mut() {
            let (next, trail) = (branch.untried.pop(), branch.trail);
            for (v, before) in self.trail.drain(trail..).rev() {
                self.deadline[v as usize] = before.min(self.known[v as usize]);
            }
            if let Some((v, before)) = next {
                if before < self.due(v) {
                    self.set(v, before);
                }
                return true;
            }
            self.branches.pop();
        }
        false
    }
}

/// When the remove that took v is called, if one did.
fn taken_at(dealt: &ValueIntervals, v: u32) -> u32 {
    match dealt.values[v as usize].remove {
        NONE => NEVER,
        hidden => dealt.call[hidden as usize],
    }
}

/// For each value that is left the operation that cannot have been while it was inside, and returned first; [`NONE`] if there is none.
fn reasons<T>(intervals: &ValueIntervals, rules: &Rules<'_, T>, meter: &mut Meter<'_>) -> Decided<Vec<u32>> {
    let mut finders: Vec<(u32, u32)> = Vec::new(); // (key of what it finds, operation)
    for v in 0..intervals.len() {
        let key = (rules.key)(&intervals.values[v]);
        let remove = Some(intervals.values[v].remove).filter(|&op| op != NONE);
        finders.extend(intervals.peeks_of(v).iter().copied().chain(remove).map(|op| (key, op)));
    }
    finders.sort_unstable();
    let limit = |v: usize| {
        let (below, from) = (rules.limit)(&intervals.values[v]);
        (below, from, v)
    };
    let mut left: Vec<(u32, u32, usize)> = intervals.left_inside().map(limit).collect();
    left.sort_unstable();
    meter.hold(8 * finders.len() + 16 * left.len() + 4 * (intervals.end as usize + intervals.len()))?;
    let mut reason = vec![NONE; intervals.len()];
    let mut earliest = Earliest::new(intervals);
    intervals.empties.iter().for_each(|&op| earliest.add(op));
    for &(_, _, v) in &left {
        reason[v] = earliest.from(intervals.values[v].present_from);
    }
    let mut earliest = Earliest::new(intervals);
    let mut finders = finders.into_iter().peekable();
    for (below, from, v) in left {
        meter.tick()?;
        while let Some((_, op)) = finders.next_if(|&(key, _)| key < below) {
            earliest.add(op);
        }
        reason[v] = earliest.first(reason[v], earliest.from(from));
    }
    Ok(reason)
}

/// Of the operations that were added and are called from some rank on, which one returns first? A Fenwick tree over the ranks of
/// calls, the last first: O(log n) each.
struct Earliest<'a> {
    intervals: &'a ValueIntervals,
    best: Vec<u32>,
}

impl<'a> Earliest<'a> {
    fn new(intervals: &'a ValueIntervals) -> Self {
        Earliest { intervals, best: vec![NONE; intervals.end as usize + 2] }
    }

    fn first(&self, a: u32, b: u32) -> u32 {
        let ret = |op: u32| if op == NONE { NEVER } else { self.intervals.ret[op as usize] };
        if ret(b) < ret(a) { b } else { a }
    }

    fn node(&self, rank: u32) -> usize {
        (self.intervals.end + 1 - rank.min(self.intervals.end)) as usize
    }

    fn add(&mut self, op: u32) {
        let mut node = self.node(self.intervals.call[op as usize]);
        while node < self.best.len() {
            self.best[node] = self.first(self.best[node], op);
            node += node & node.wrapping_neg();
        }
    }

    fn from(&self, rank: u32) -> u32 {
        let (mut node, mut best) = (self.node(rank), NONE);
        while node > 0 {
            best = self.first(best, self.best[node]);
            node &= node - 1;
        }
        best
    }
}
