//! What is a violation made of? From a violation and the return that no order explains to the few operations to look at.
//!
//! The accused operation is the one whose return no order explains, the first such. Evidence is a set K of operations that
//! were called by then, the accused one among them, and one of two claims:
//!
//! * *Whatever else happened*: K together with any subset of all other operations has no order. Decided by one search in
//!   which K is required and everything else optional ([`Need`]), from the initial state; or from a cut, and *every* state that
//!   the operations before it could lead to in any order (`anywhere`).
//! * *After a cut*: from each of the configurations that can be reached at a cut, K has no order, whatever else happened since
//!   (`cut`). It holds for any model and any length.
//!
//! ```text
//!   write 1 |--|                       K = write 2, read → 1: with write 1 optional there is still no order, for it ends
//!   write 2       |--|                 before write 2 begins. Write 1 is shown all the same: without the order of time
//!   read → 1            |--|           the three would be possible, and that is what the reader wants to see.
//! ```
//!
//! K is made small by delta debugging (Zeller & Hildebrandt 2002): a set that violates still does with more in it, so what is left is locally
//! minimal. Then operations are added, if need be, until K by itself goes wrong at the accused return and not before. Restrict a container or a
//! register to some of its values: if the whole was linearizable, so is what is left (`relevant`): a conflict is explained among these.
//!
//! Cost: bounded by [`Effort::work`], in configurations, fewer where one has many cells. When it ends, the best so far is given.

mod anywhere;
mod cut;
mod explanation;
mod few;
mod needed;
mod states;
#[cfg(all(test, not(feature = "collide")))] // quadratic where every hash collides
mod tests;
mod values;
mod workbench;

use crate::search::breadth_first::Start;
use crate::search::problem::{Need, Problem};
use crate::sub::{Ops, Window, only, past, window};
use explanation::SIMPLE;
pub use explanation::{Claim, Continuation, Cut, Effort, Explanation, Reachable};
use few::Few;
use hashbrown::HashSet;
use linpoint_base::{Control, Hashing};
use linpoint_spec::{Code, Part, State, StepError};
pub use needed::{Needed, needed};
pub use states::states_after;
use workbench::{Found, Workbench};

/// How many continuations are given.
const CONTINUATIONS: usize = 8;
/// So few operations need no better explanation.
const TELLING: usize = 12;
/// How many returns before the accused operation's call are in view where nothing is known of what came before.
const VIEWS: [usize; 3] = [8, 64, 512];
/// More operations than these are no explanation.
const MOST_SHOWN: usize = 300;
/// Of so few operations none is left out that the others need.
const FEW: usize = 200;
/// How many operations, each of another kind, are tried as additions.
const POOL: usize = 200;
/// With how many others it is tried whether an operation can be left out: the last of each kind, and simply the last.
const FEW_MORE: usize = 8;
const MANY_MORE: usize = 64;
/// Where more operations are open at once, a conflict is explained among the operations about its values first: to ask about all of
/// them takes seconds.
const WIDE: usize = 16;
/// How many operations are added at most so that the others stand on their own.
const ADDED: usize = 6;

/// Explains why `accused` of `part` cannot return; None if nothing small is found. `conflict` are operations of which a monitor
/// found that they contradict each other, if one did.
pub fn explain(
    part: &Part,
    accused: u32,
    conflict: &[u32],
    effort: Effort,
    control: &Control,
) -> Result<Option<Explanation>, StepError> {
    // A configuration of many cells costs as much as many.
    let work = effort.work / (1 + part.spec.cells().len() as u64 / 8);
    let mut bench = Workbench::new(part.spec.fork(), work, control);
    let Some(base) = past(part, accused) else { return Ok(None) };
    let simple = |found: &Explanation| found.minimal && found.operations.len() <= TELLING;
    let is_short = base.ops.len() <= effort.short;
    let by_values_first = !is_short || (!conflict.is_empty() && Problem::new(&base).slots > WIDE);
    if by_values_first && let Some(found) = about_the_same_values(&mut bench, part, &base, accused, conflict)? {
        return Ok(Some(found));
    }
    let mut first = None;
    if is_short {
        first = Explainer::new(&mut bench, &base, accused).half_way()?;
        if first.as_ref().is_some_and(simple) {
            return Ok(first);
        }
        bench.exhausted = false;
    }
    if !by_values_first && let Some(found) = about_the_same_values(&mut bench, part, &base, accused, conflict)? {
        return Ok(Some(found));
    }
    let mut explainer = Explainer::new(&mut bench, &base, accused);
    let behind = explainer.behind_cuts()?;
    match first.into_iter().chain(behind).min_by_key(Explanation::size) {
        None if base.ops.len() <= MOST_SHOWN => explainer.everything().map(Some),
        found => Ok(found),
    }
}

/// An explanation among the operations about the values of the conflict, if it is a small one.
fn about_the_same_values(
    bench: &mut Workbench<'_>,
    part: &Part,
    base: &Part,
    accused: u32,
    conflict: &[u32],
) -> Result<Option<Explanation>, StepError> {
    let Some(ops) = values::about_the_same(bench, part, base, accused, conflict)? else { return Ok(None) };
    let Some(base) = past(&only(part, &ops), accused) else { return Ok(None) };
    let found = Explainer::new(bench, &base, accused).with_all_in_view()?;
    Ok(found.filter(|found| found.operations.len() <= TELLING))
}

struct Explainer<'b, 'a> {
    bench: &'b mut Workbench<'a>,
    /// The past of the accused return.
    base: &'b Part,
    accused: u32,
}

impl<'b, 'a> Explainer<'b, 'a> {
    fn new(bench: &'b mut Workbench<'a>, base: &'b Part, accused: u32) -> Self {
        Explainer { bench, base, accused }
    }

    fn initial(&mut self) -> Result<Vec<Start>, StepError> {
        Ok(vec![Start { state: self.bench.specification().initial()?, done: Vec::new() }])
    }

    /// The same with half of the work, so that something is left for cuts.
    fn half_way(&mut self) -> Result<Option<Explanation>, StepError> {
        let rest = self.bench.left / 2;
        self.bench.left -= rest;
        let found = self.with_all_in_view();
        self.bench.left += rest;
        found
    }

    /// "Whatever else happened", with everything before the accused return in view.
    fn with_all_in_view(&mut self) -> Result<Option<Explanation>, StepError> {
        let (starts, base) = (self.initial()?, self.base);
        // Of few operations: never leave out what the others need to stand on their own. Of many: leave out all that can
        // be, then look for what they need, which is cheaper.
        let few = returned(base).count() <= FEW;
        for at_every_step in [few, !few] {
            let Some(kept) = self.minimize(base, &starts, |_| true, at_every_step)? else { continue };
            if let Some((kept, _)) = self.standing(kept)? {
                let support = self.dispensable(&starts, &kept)?;
                return self.whatever_else(&kept, support).map(Some);
            }
        }
        Ok(None)
    }

    /// Those without each of which the others contradict each other all the same.
    fn dispensable(&mut self, starts: &[Start], kept: &Ops) -> Result<Vec<u32>, StepError> {
        let (base, accused, mut found) = (self.base, self.accused, Vec::new());
        for &op in base.ops.iter().filter(|op| kept.contains(*op) && **op != accused) {
            let others: Vec<usize> =
                (0..base.ops.len()).filter(|&place| kept.contains(&base.ops[place]) && base.ops[place] != op).collect();
            if self.violates(base, starts, &others, false)? {
                found.push(op);
            }
        }
        Ok(found)
    }

    /// The best explanation that begins at a cut.
    fn behind_cuts(&mut self) -> Result<Option<Explanation>, StepError> {
        let problem = Problem::new(self.base);
        let mut called = 0;
        for event in &self.base.events {
            match event.is_return() {
                true => called += 1,
                false if self.base.ops[event.op()] == self.accused => break,
                false => {}
            }
        }
        for back in VIEWS.into_iter().filter(|&back| back <= called) {
            if let Some(found) = self.wherever_it_was(&window(self.base, called - back))?
                && found.operations.len() <= SIMPLE
            {
                return Ok(Some(found));
            }
        }
        let mut best: Option<Explanation> = None;
        for cut in cut::cuts(self.bench, &problem, called)? {
            let found = self.after_cut(&problem, &cut, &window(self.base, cut.returns))?;
            best = best.into_iter().chain(found).min_by_key(Explanation::size);
        }
        Ok(best)
    }

    /// "Whatever else happened", from every state that the object could be in before the window.
    fn wherever_it_was(&mut self, view: &Window) -> Result<Option<Explanation>, StepError> {
        if view.was_open(self.accused) {
            return Ok(None);
        }
        let called_before = self.base.ops.len() - (view.part.ops.len() - view.open);
        let before = &self.base.codes[..called_before];
        let Some(states) = anywhere::anywhere(self.bench, before, &view.part)? else { return Ok(None) };
        let starts: Vec<Start> = states.into_iter().map(|state| Start { state, done: Vec::new() }).collect();
        let Some(kept) = self.minimize(&view.part, &starts, |op| !view.was_open(op), false)? else { return Ok(None) };
        let Some((kept, support)) = self.standing(kept)? else { return Ok(None) };
        let mut found = self.whatever_else(&kept, support)?;
        // Minimal from states more than there are: that proves nothing of what the object can really be in.
        found.minimal = found.minimal && self.each_is_needed(&found)?;
        Ok(Some(found))
    }

    /// Without each operation but the accused one and those shown in support: is there an order of the others, by themselves or
    /// with some that were called last?
    fn each_is_needed(&mut self, found: &Explanation) -> Result<bool, StepError> {
        let kept: Ops = found.operations.iter().copied().collect();
        let pool: Vec<u32> = self.pool(&kept).into_iter().take(FEW_MORE).collect();
        let latest: Vec<u32> = self.base.ops.iter().rev().copied().take(MANY_MORE).collect();
        for &op in found.operations.iter().filter(|op| **op != found.accused && !found.support.contains(op)) {
            let mut needed = false;
            for more in [&[], &pool[..], &latest] {
                let some = kept.iter().chain(more).copied().filter(|&other| other != op);
                let small = only(self.base, &some.collect());
                let need = |place: usize| match kept.contains(&small.ops[place]) {
                    true => Need::Recorded,
                    false => Need::Optional,
                };
                let starts = self.initial()?;
                needed = needed || self.bench.explain(&small, &starts, need)? == Found::Explained;
            }
            if !needed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// "After the cut".
    fn after_cut(
        &mut self,
        problem: &Problem,
        cut: &cut::Cut,
        view: &Window,
    ) -> Result<Option<Explanation>, StepError> {
        let is_early =
            |op: u32| !problem.read_only[op as usize] && problem.deadline[op as usize] as usize >= cut.returns;
        let number = |&op: &u32| problem.origin[op as usize];
        let orders: Vec<Vec<u32>> = cut.reached.iter().map(|found| found.order.iter().map(number).collect()).collect();
        let starts: Vec<Start> = cut
            .reached
            .iter()
            .zip(&orders)
            .map(|(found, order)| Start {
                state: found.state,
                done: order.iter().copied().filter(|&op| view.was_open(op)).collect(),
            })
            .collect();
        let Some(mut kept) = self.minimize(&view.part, &starts, |_| true, false)? else { return Ok(None) };
        let twins = view.returned_twins(&kept);
        kept.extend(&twins);
        let small = only(&view.part, &kept);
        let Some(continuations) = self.continuations(&small, &starts)? else { return Ok(None) };
        let reachable = orders
            .into_iter()
            .zip(&cut.reached)
            .map(|(order, found)| Reachable {
                order,
                early: found.order.iter().filter(|&&op| is_early(op)).map(number).collect(),
                state: self.bench.specification().show(found.state),
            })
            .collect();
        let after = problem.origin[problem.returns[cut.returns - 1] as usize];
        let cut = Cut { after, returned: cut.returns, reachable };
        Ok(Some(Explanation {
            accused: self.accused,
            operations: small.ops,
            support: Vec::new(),
            claim: Claim::AfterCut,
            cut: Some(cut),
            continuations,
            minimal: twins.is_empty() && !self.bench.exhausted,
        }))
    }

    /// All that was called by then: true, and of little help. What was still open belongs to it: a pending enqueue may be what
    /// explains an earlier dequeue.
    fn everything(&mut self) -> Result<Explanation, StepError> {
        let all: Ops = self.base.ops.iter().copied().collect();
        self.bench.exhausted = true;
        self.whatever_else(&all, Vec::new())
    }

    fn whatever_else(&mut self, kept: &Ops, support: Vec<u32>) -> Result<Explanation, StepError> {
        let small = only(self.base, kept);
        // What returned after the accused one may contradict the others by its own result: that was not tried.
        let all_returned = open_at_the_end(&small).next().is_none();
        let starts = self.initial()?;
        let continuations = self.continuations(&small, &starts)?.unwrap_or_default();
        Ok(Explanation {
            accused: self.accused,
            operations: small.ops,
            support,
            claim: Claim::WhateverElse,
            cut: None,
            continuations,
            minimal: all_returned && !self.bench.exhausted,
        })
    }

    /// A locally minimal set of operations of `view` that has no order from `starts`, all others being optional; None if
    /// not even all of those that `may` be required have none, or if that is not known. With `standing` it also goes wrong by
    /// itself, from the initial state, at the accused return and not before.
    fn minimize(
        &mut self,
        view: &Part,
        starts: &[Start],
        may: impl Fn(u32) -> bool,
        standing: bool,
    ) -> Result<Option<Ops>, StepError> {
        // What was still open at the accused return is not required, but others may need it to stand.
        let open = open_at_the_end(view).filter(|_| standing);
        let places: Vec<usize> = open.chain(returned(view)).filter(|&op| may(view.ops[op])).collect();
        let Some(mut kept) = self.suffix(view, starts, &places, standing)? else { return Ok(None) };
        let mut chunk = (kept.len() / 2).max(1);
        loop {
            let (mut at, before) = (0, kept.len());
            while at + 1 < kept.len() {
                let end = (at + chunk).min(kept.len() - 1); // the accused one, the last, stays
                let fewer: Vec<usize> = kept[..at].iter().chain(&kept[end..]).copied().collect();
                match self.violates(view, starts, &fewer, standing)? {
                    true => kept = fewer,
                    false => at = end,
                }
            }
            if chunk == 1 && kept.len() == before {
                return Ok(Some(kept.iter().map(|&op| view.ops[op]).collect()));
            }
            chunk = (chunk / 2).max(1);
        }
    }

    /// The shortest of the last 1, 2, 4, 8 … operations that have no order.
    fn suffix(
        &mut self,
        view: &Part,
        starts: &[Start],
        places: &[usize],
        standing: bool,
    ) -> Result<Option<Vec<usize>>, StepError> {
        let mut size = 1;
        loop {
            let last = &places[places.len().saturating_sub(size)..];
            if self.violates(view, starts, last, standing)? {
                return Ok(Some(last.to_vec()));
            }
            if size >= places.len() || self.bench.left == 0 {
                return Ok(None);
            }
            size *= 2;
        }
    }

    /// Have these operations no order, whatever the others of the view did? And, `standing`, do they go wrong where they should?
    fn violates(
        &mut self,
        view: &Part,
        starts: &[Start],
        required: &[usize],
        standing: bool,
    ) -> Result<bool, StepError> {
        if standing {
            let kept: Ops = required.iter().map(|&op| view.ops[op]).collect();
            if self.goes_wrong_at(view, &kept)? != Some(self.accused) {
                return Ok(false);
            }
        }
        let mut need = vec![Need::Optional; view.ops.len()];
        required.iter().for_each(|&op| need[op] = Need::Recorded);
        Ok(matches!(self.bench.explain(view, starts, |op| need[op])?, Found::Stuck(_)))
    }

    /// With as few additions as possible: operations that by themselves go wrong at the accused return and not before, and
    /// would not without the order of time; and which were added. None if that takes too many.
    fn standing(&mut self, mut kept: Ops) -> Result<Option<(Ops, Vec<u32>)>, StepError> {
        let pool = self.pool(&kept);
        let view = only(self.base, &pool.iter().copied().chain(kept.iter().copied()).collect());
        let (mut reach, mut added) = (self.goes_wrong_at(&view, &kept)?, Vec::new());
        for _ in 0..ADDED {
            let Some(wrong) = reach.filter(|&op| op != self.accused) else { break };
            let mut best = (place_of_return(&view, wrong), None);
            for &op in &pool {
                let Some(more) = self.goes_wrong_with(&view, &kept, op)? else { continue };
                let place = place_of_return(&view, more);
                if place > best.0 {
                    best = (place, Some((op, more)));
                }
            }
            let Some((op, more)) = best.1 else { return Ok(None) };
            kept.insert(op);
            added.push(op);
            reach = Some(more);
        }
        if reach != Some(self.accused) {
            return Ok(None);
        }
        if kept.len() < few::MOST && !self.possible_in_another_time(&view, &kept)? {
            for &op in pool.iter().filter(|op| !kept.contains(*op)) {
                let more: Ops = kept.iter().copied().chain([op]).collect();
                // In this order: a search ends when the budget does.
                if self.goes_wrong_at(&view, &more)? == Some(self.accused)
                    && self.possible_in_another_time(&view, &more)?
                {
                    added.push(op);
                    return Ok(Some((more, added)));
                }
            }
        }
        Ok(Some((kept, added)))
    }

    /// Operations to add: of each kind the one called last, the latest first.
    fn pool(&self, kept: &Ops) -> Vec<u32> {
        let mut seen = HashSet::<Code, Hashing>::default();
        let latest = (0..self.base.ops.len()).rev().filter(|&op| !kept.contains(&self.base.ops[op]));
        latest.filter(|&op| seen.insert(self.base.codes[op])).map(|op| self.base.ops[op]).take(POOL).collect()
    }

    fn goes_wrong_with(&mut self, view: &Part, kept: &Ops, op: u32) -> Result<Option<u32>, StepError> {
        let more: Ops = kept.iter().copied().chain([op]).collect();
        self.goes_wrong_at(view, &more)
    }

    /// The operation at whose return these operations alone have no order; None if they have one, or it is not known.
    fn goes_wrong_at(&mut self, view: &Part, kept: &Ops) -> Result<Option<u32>, StepError> {
        let small = only(view, kept);
        let starts = self.initial()?;
        Ok(match self.bench.explain(&small, &starts, |_| Need::Recorded)? {
            Found::Stuck(rho) => returned(&small).nth(rho).map(|op| small.ops[op]),
            Found::Explained | Found::Unknown => None,
        })
    }

    /// Have they an order if time does not matter?
    fn possible_in_another_time(&mut self, view: &Part, kept: &Ops) -> Result<bool, StepError> {
        let small = only(view, kept);
        if small.ops.len() > few::MOST {
            return Ok(false);
        }
        let start = (0, self.bench.specification().initial()?);
        let orders = Few::new(&small, false).orders(self.bench, &[start], None, 1)?;
        Ok(orders.is_some_and(|orders| !orders.is_empty()))
    }

    /// The orders of all operations of `small` but the accused one; None if there is none from any start: then something
    /// else goes wrong first.
    fn continuations(&mut self, small: &Part, starts: &[Start]) -> Result<Option<Vec<Continuation>>, StepError> {
        if small.ops.len() > few::MOST {
            return Ok(Some(Vec::new()));
        }
        let done = |start: &Start| {
            let places = (0..small.ops.len()).filter(|&op| start.done.contains(&small.ops[op]));
            places.fold(0u64, |set, op| set | 1 << op)
        };
        let begin: Vec<(u64, State)> = starts.iter().map(|start| (done(start), start.state)).collect();
        let without = small.ops.iter().position(|&op| op == self.accused);
        let found = Few::new(small, true).orders(self.bench, &begin, without, CONTINUATIONS)?;
        let Some(found) = found else { return Ok(Some(Vec::new())) };
        if found.is_empty() {
            return Ok(None);
        }
        let continuation = |order: few::Order| Continuation {
            order: order.places.iter().map(|&op| small.ops[op]).collect(),
            start: order.start,
            state: self.bench.specification().show(order.state),
        };
        Ok(Some(found.into_iter().map(continuation).collect()))
    }
}

/// The operations of a part that returned, in the order of their returns, by their places.
fn returned(part: &Part) -> impl Iterator<Item = usize> {
    part.events.iter().filter(|event| event.is_return()).map(|event| event.op())
}

/// The operations of a part that did not return.
fn open_at_the_end(part: &Part) -> impl Iterator<Item = usize> {
    let mut open = vec![true; part.ops.len()];
    returned(part).for_each(|op| open[op] = false);
    (0..part.ops.len()).filter(move |&op| open[op])
}

fn place_of_return(part: &Part, op: u32) -> usize {
    returned(part).position(|place| part.ops[place] == op).unwrap_or(usize::MAX)
}
