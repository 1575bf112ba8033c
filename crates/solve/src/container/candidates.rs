//! Which add can a remove have taken? The operations of a container, and for each remove and peek the adds that it may belong to.
//!
//! Those of its value that were called before it returned. Most of these are out of the question in a stack, for its height tells: what was pushed
//! is popped before the stack is surely lower than it was, and not while it is surely higher.
//!
//! ```text
//!   push 1 a  |--|
//!   push 2         |--|
//!   pop → 2             |--|
//!   pop → 1                  |--|               two pops and one push since a: by now a is out,
//!   pop → 1                           |--|      and this pop took another 1
//! ```
//!
//! O(n × candidates), and a scan from each push to the height at which it is surely out.

use crate::intervals::{Intervals, NEVER};
use linpoint_spec::{Part, Role, Shape};

/// No operation, no value.
pub(crate) const NONE: u32 = u32::MAX;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Add(u32),
    Remove(u32),
    Peek(u32),
    Empty,
    /// A pending remove: it took whatever came first, or did not take effect.
    Hidden,
    /// Pending, and of no consequence.
    Nothing,
}

/// The operations of a stack, a queue or a deque. What is there from the start comes first, as adds before all events; then the operations of the part.
pub struct Operations {
    /// How many are there from the start.
    pub(crate) founders: usize,
    pub(crate) what: Vec<What>,
    /// Does it add or remove at the back? Otherwise at the front.
    pub(crate) is_back: Vec<bool>,
    /// Real time.
    pub(crate) intervals: Intervals,
    /// For each remove and peek the adds that it may have found; for each add the removes that may have taken it, excluded ones among them.
    pub(crate) sources: Vec<Vec<u32>>,
    pub(crate) takers: Vec<Vec<u32>>,
    /// Pairs of equal value that are out of the question, and why: too late or too early.
    pub(crate) excluded: Vec<(u32, u32, bool)>,
}

/// How many events are looked at for each pair that there may be, to see when what was pushed is out.
const STEPS: usize = 64;

/// Likely candidates only: see [`Operations::within`].
const AT_LEAST: usize = 3;

impl Operations {
    /// Those of a part; Err, in words, if it has others, or there are more than `most` pairs to choose from.
    pub fn of(part: &Part, most: usize) -> Result<Operations, String> {
        let contents = part.spec.contents();
        let founders = contents.len();
        let shape = part.spec.shape();
        let count = founders + part.ops.len();
        let shift = 2 * founders as u32 + 1;
        let mut intervals = Intervals { call: vec![0; count + 1], ret: vec![NEVER; count + 1] };
        for place in 0..founders {
            (intervals.call[place], intervals.ret[place]) = (2 * place as u32 + 1, 2 * place as u32 + 2);
        }
        for (rank, event) in part.events.iter().enumerate() {
            let column = if event.is_return() { &mut intervals.ret } else { &mut intervals.call };
            column[founders + event.op()] = rank as u32 + shift;
        }
        intervals.ret[count] = 0;
        let mut what: Vec<What> = contents.iter().map(|&value| What::Add(value)).collect();
        let mut is_back = vec![shape != Shape::Stack; founders];
        for (place, &code) in part.codes.iter().enumerate() {
            let pending = intervals.ret[founders + place] == NEVER;
            what.push(match (part.spec.role(code), pending) {
                (Role::Add(value), _) => What::Add(value),
                (Role::Remove(value), false) => What::Remove(value),
                (Role::Peek(value), false) => What::Peek(value),
                (Role::Empty, false) => What::Empty,
                (Role::RemoveUnknown, true) => What::Hidden,
                (Role::Peek(_) | Role::Empty | Role::Nothing, true) => What::Nothing,
                _ => return Err("it has an operation that is neither add, remove nor peek".to_owned()),
            });
            is_back.push(match (shape, what[founders + place]) {
                (Shape::Stack, _) => false,
                (Shape::Queue, what) => matches!(what, What::Add(_)),
                _ => part.spec.at_back(code),
            });
        }
        let (sources, takers, excluded) = (vec![Vec::new(); count], vec![Vec::new(); count], Vec::new());
        let mut operations = Operations { founders, what, is_back, intervals, sources, takers, excluded };
        operations.find(shape, most)?;
        Ok(operations)
    }

    /// How many operations, those from the start included.
    pub(crate) fn len(&self) -> usize {
        self.what.len()
    }

    /// Finds the candidates.
    fn find(&mut self, shape: Shape, most: usize) -> Result<(), String> {
        let heights = (shape == Shape::Stack).then(|| Heights::of(self));
        let mut by_value = hashbrown::HashMap::<u32, Vec<u32>, linpoint_base::Hashing>::default();
        let all = |what: fn(What) -> Option<u32>, operations: &Operations| -> Vec<(u32, u32)> {
            let known = |op: u32| what(operations.what[op as usize]).map(|value| (op, value));
            (0..operations.len() as u32).filter_map(known).collect()
        };
        let adds = all(|what| if let What::Add(value) = what { Some(value) } else { None }, self);
        for &(op, value) in &adds {
            by_value.entry(value).or_default().push(op);
        }
        let mut steps = most.saturating_mul(STEPS);
        let out = heights
            .as_ref()
            .map(|heights| adds.iter().map(|&(op, _)| heights.out(op, self, &mut steps)).collect::<Vec<_>>());
        let place = |add: u32| adds.partition_point(|&(op, _)| op < add);
        let mut pairs = 0;
        for op in 0..self.len() as u32 {
            let own: &[u32] = match self.what[op as usize] {
                What::Remove(value) | What::Peek(value) => by_value.get(&value).map_or(&[], Vec::as_slice),
                What::Hidden => &adds.iter().map(|&(add, _)| add).collect::<Vec<_>>(),
                _ => continue,
            };
            for &add in own.iter().filter(|&&add| self.intervals.call[add as usize] < self.intervals.ret[op as usize]) {
                pairs += 1;
                if matches!(self.what[op as usize], What::Remove(_) | What::Hidden) {
                    self.takers[add as usize].push(op);
                }
                let is_late = out.as_ref().is_some_and(|out| out[place(add)] <= self.intervals.call[op as usize]);
                if is_late || heights.as_ref().is_some_and(|heights| heights.is_buried(add, op, self)) {
                    self.excluded.push((add, op, is_late));
                } else {
                    self.sources[op as usize].push(add);
                }
            }
            if pairs > most {
                return Err("there are too many adds that each remove may have taken".to_owned());
            }
        }
        Ok(())
    }

    /// The same with likely candidates only: an order that is found with these is one, but that there is none proves nothing.
    ///
    /// If every operation took effect in the middle of its interval, an element of a stack would leave at the height at which it came, and the stack would not be lower in
    /// between; of a queue, the k-th to come would be the k-th to leave. Those that are off by at most `width` are kept; of each remove a few in any case.
    pub fn within(&self, width: u32) -> Operations {
        let middle = Middle::of(self);
        let (sources, takers) = (vec![Vec::new(); self.len()], vec![Vec::new(); self.len()]);
        let (what, is_back, excluded) = (self.what.clone(), self.is_back.clone(), Vec::new());
        let intervals = Intervals { call: self.intervals.call.clone(), ret: self.intervals.ret.clone() };
        let mut few = Operations { founders: self.founders, what, is_back, intervals, sources, takers, excluded };
        for op in 0..self.len() as u32 {
            let mut by_distance: Vec<(u32, u32)> =
                self.sources[op as usize].iter().map(|&add| (middle.distance(add, op), add)).collect();
            by_distance.sort_unstable();
            let near = by_distance.partition_point(|&(distance, _)| distance <= width).max(AT_LEAST);
            let sources = &mut few.sources[op as usize];
            sources.extend(by_distance.iter().take(near).map(|&(_, add)| add));
            sources.sort_unstable();
            if matches!(self.what[op as usize], What::Remove(_) | What::Hidden) {
                sources.iter().for_each(|&add| few.takers[add as usize].push(op));
            }
        }
        few
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let lists =
            |lists: &[Vec<u32>]| lists.iter().map(|list| size_of::<Vec<u32>>() + 4 * list.capacity()).sum::<usize>();
        self.intervals.bytes() + self.len() * 9 + lists(&self.sources) + lists(&self.takers) + 12 * self.excluded.len()
    }

    /// How many pairs there are to choose from.
    pub fn pairs(&self) -> usize {
        self.sources.iter().map(Vec::len).sum()
    }

    /// The operations that exclude a pair: pops surely between the two, or pushes.
    pub(crate) fn excluders(&self, add: u32, op: u32, is_late: bool) -> Vec<u32> {
        let (from, to) = (self.intervals.ret[add as usize], self.intervals.call[op as usize]);
        let between = |&other: &u32| {
            let is_kind = match self.what[other as usize] {
                What::Remove(_) => is_late,
                What::Add(_) => !is_late,
                _ => false,
            };
            is_kind && self.intervals.call[other as usize] > from && self.intervals.ret[other as usize] < to
        };
        [add, op].into_iter().chain((0..self.len() as u32).filter(between)).collect()
    }
}

/// How high can a stack be, at most and at least?
struct Heights {
    /// By rank: pushes called, pops called (hidden ones too), pops returned before it.
    pushes_called: Vec<u32>,
    pops_called: Vec<u32>,
    pops_returned: Vec<u32>,
    pushes_returned: Vec<u32>,
    /// The operation whose event has this rank.
    at: Vec<u32>,
}

impl Heights {
    fn of(operations: &Operations) -> Heights {
        let Intervals { call, ret } = &operations.intervals;
        let ranks = ret.iter().chain(call).copied().filter(|&rank| rank != NEVER).max().unwrap_or(0) as usize + 2;
        let mut counts = [(); 4].map(|()| vec![0u32; ranks + 1]);
        let mut at = vec![NONE; ranks];
        for (op, &what) in operations.what.iter().enumerate() {
            let (is_push, is_pop) = (matches!(what, What::Add(_)), matches!(what, What::Remove(_) | What::Hidden));
            at[call[op] as usize] = op as u32;
            counts[0][call[op] as usize + 1] += u32::from(is_push);
            counts[1][call[op] as usize + 1] += u32::from(is_pop);
            if ret[op] != NEVER {
                at[ret[op] as usize] = op as u32;
                counts[2][ret[op] as usize + 1] += u32::from(is_pop);
                counts[3][ret[op] as usize + 1] += u32::from(is_push);
            }
        }
        for column in &mut counts {
            for rank in 1..column.len() {
                column[rank] += column[rank - 1];
            }
        }
        let [pushes_called, pops_called, pops_returned, pushes_returned] = counts;
        Heights { pushes_called, pops_called, pops_returned, pushes_returned, at }
    }

    /// From this rank on, what `add` pushed is surely out: more pops that came after it have returned than pushes can have come after it.
    fn out(&self, add: u32, operations: &Operations, steps: &mut usize) -> u32 {
        let Intervals { call, ret } = &operations.intervals;
        let (from, to) = (call[add as usize], ret[add as usize]);
        if to == NEVER {
            return NEVER;
        }
        let early = self.pushes_returned[from as usize] + 1; // pushes that surely came before, and itself
        let mut pops = 0;
        for rank in to as usize + 1..self.at.len() {
            match steps.checked_sub(1) {
                Some(left) => *steps = left,
                None => return NEVER, // not looked for any more
            }
            let op = self.at[rank];
            if op == NONE
                || ret[op as usize] as usize != rank
                || !matches!(operations.what[op as usize], What::Remove(_))
            {
                continue;
            }
            pops += u32::from(call[op as usize] > to);
            if pops > self.pushes_called[rank] - early {
                return rank as u32;
            }
        }
        NEVER
    }

    /// Have surely more pushes than there can be pops come between the two?
    fn is_buried(&self, add: u32, op: u32, operations: &Operations) -> bool {
        let Intervals { call, ret } = &operations.intervals;
        let (from, to) = (ret[add as usize], call[op as usize]);
        if from >= to {
            return false;
        }
        let until = (ret[op as usize] as usize).min(self.at.len() - 1);
        let possible = self.pops_called[until] - self.pops_returned[call[add as usize] as usize];
        // Pushes called after `from` and returned before `to`: a bound by those returned before `to`, less those called by `from`.
        let sure = self.pushes_returned[to as usize].saturating_sub(self.pushes_called[from as usize]);
        sure > possible
    }
}

/// The levels of a stack, or the turns of a queue, if every operation takes effect in the middle of its interval.
struct Middle {
    is_stack: bool,
    /// By operation: its place in that order; the height below what it adds or removes, or how many came or left before.
    place: Vec<u32>,
    level: Vec<i32>,
    /// By place, in steps of powers of two: the lowest height.
    lowest: Vec<Vec<i32>>,
}

impl Middle {
    fn of(operations: &Operations) -> Middle {
        let Intervals { call, ret } = &operations.intervals;
        let end = call.iter().copied().max().unwrap_or(0);
        let middle = |op: u32| u64::from(call[op as usize]) + u64::from(ret[op as usize].min(end + 1));
        let mut order: Vec<u32> = (0..operations.len() as u32).collect();
        order.sort_by_key(|&op| middle(op));
        let is_stack = !operations.is_back.iter().any(|&is_back| is_back);
        let (mut place, mut level) = (vec![0; order.len()], vec![0; order.len()]);
        let (mut came, mut left, mut heights) = (0, 0, Vec::with_capacity(order.len()));
        for (at, &op) in order.iter().enumerate() {
            place[op as usize] = at as u32;
            let is_pending = operations.intervals.is_pending(op);
            let (add, remove) = match operations.what[op as usize] {
                What::Add(_) => (1, 0),
                What::Remove(_) => (0, 1),
                What::Peek(_) | What::Empty | What::Hidden | What::Nothing => (0, 0),
            };
            level[op as usize] = match (is_stack, add) {
                (true, _) => came - left - remove,
                (false, 1) => came,
                (false, _) => left,
            };
            came += if is_pending { 0 } else { add };
            left += remove;
            heights.push(came - left);
        }
        let mut lowest = vec![heights];
        while lowest[lowest.len() - 1].len() > 1 << (lowest.len() - 1) {
            let (row, step) = (&lowest[lowest.len() - 1], 1 << (lowest.len() - 1));
            lowest.push((0..row.len() - step).map(|at| row[at].min(row[at + step])).collect());
        }
        Middle { is_stack, place, level, lowest }
    }

    /// How far off the two are.
    fn distance(&self, add: u32, op: u32) -> u32 {
        let (a, b) = (self.place[add as usize], self.place[op as usize]);
        let off = self.level[add as usize].abs_diff(self.level[op as usize]);
        match self.is_stack && a < b {
            true => off.max((self.level[add as usize] - self.lowest_between(a, b)).max(0) as u32),
            false => off,
        }
    }

    /// The lowest height from one place up to another.
    fn lowest_between(&self, from: u32, to: u32) -> i32 {
        let step = (to - from).ilog2() as usize;
        let row = &self.lowest[step];
        row[from as usize].min(row[to as usize - (1 << step)])
    }
}
