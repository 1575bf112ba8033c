//! What do the events of some groups say, as a history? And where may it be cut?
//!
//! A window is a small history: the operations that were open at the last cut, then everything since. Times are the numbers of the events, and
//! every operation is a process of its own (who calls when is the business of whoever reads the stream). Cost: one pass over
//! the events, then that of the search.

use crate::group::{Carry, Event, Group};
use crate::source::{Events, Source};
use hashbrown::HashMap;
use linpoint_base::{Control, Hashing};
use linpoint_check::{Resumed, Start, Window, resume};
use linpoint_history::{self as history, History, PENDING, Status, Times, ValueId, Values};
use linpoint_spec::{Carried, Held, ModelError, Part, Spec, StepError};
use std::sync::Arc;

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned this.
    Ok(ValueId),
    /// It took no effect.
    Fail,
    /// It is not known whether it took effect or will.
    Info,
}

/// The end of an operation.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The number of the event.
    pub number: u64,
    /// The line that told it.
    pub line: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// What is to be added to its number to get the number of the event in the log.
    pub shift: i32,
}

impl End {
    /// The number of the event in the log.
    pub fn came(&self) -> u64 {
        self.number.saturating_add_signed(self.shift.into())
    }
}

/// An operation that is remembered.
#[derive(Clone, Debug)]
pub struct Op {
    /// Who called.
    pub process: ValueId,
    /// Its name.
    pub f: ValueId,
    /// The key or object, or [`ValueId::ABSENT`].
    pub key: ValueId,
    /// Its argument.
    pub value: ValueId,
    /// A cell of its group; None if it is about all cells.
    pub cell: Option<ValueId>,
    /// The number of its call in the stream.
    pub call: u64,
    /// The line that told it.
    pub line: u32,
    /// Its end, if it has ended.
    pub end: Option<End>,
    /// An event before its return by which it had taken effect for certain: other operations that told are forgotten.
    pub by: Option<u64>,
    /// May it have taken effect before everything that is kept, whatever it returned? It was open at a restart.
    pub maybe: bool,
    /// Is it forgotten? Its place waits for another one then.
    pub gone: bool,
    /// What is to be added to the number of its call to get the number of the event in the log.
    pub shift: i32,
}

impl Op {
    /// The number of its call in the log.
    pub fn came(&self) -> u64 {
        self.call.saturating_add_signed(self.shift.into())
    }

    /// What was known of it at event `upto`.
    pub fn known_at(&self, upto: u64) -> Op {
        let end = self.ended(upto);
        Op { end, by: self.by.filter(|_| end.is_some()), ..self.clone() }
    }

    /// How it ended, if it had ended at event `upto`.
    fn ended(&self, upto: u64) -> Option<End> {
        self.end.filter(|end| end.number <= upto)
    }

    /// The number of its return, if it has returned.
    pub fn returned(&self) -> Option<u64> {
        self.end.filter(|end| matches!(end.outcome, Outcome::Ok(_))).map(|end| end.number)
    }

    /// The event by which it has taken effect for certain.
    pub fn effect_by(&self) -> Option<u64> {
        self.returned().map(|number| self.by.unwrap_or(number))
    }

    /// Is its outcome not known, for good?
    pub fn crashed(&self) -> bool {
        self.end.is_some_and(|end| end.outcome == Outcome::Info)
    }

    /// All values it names.
    pub fn ids(&mut self) -> impl Iterator<Item = &mut ValueId> {
        let result = match &mut self.end {
            Some(End { outcome: Outcome::Ok(result), .. }) => Some(result),
            _ => None,
        };
        [&mut self.process, &mut self.f, &mut self.key, &mut self.value].into_iter().chain(&mut self.cell).chain(result)
    }
}

/// The events of some groups up to one of them, as a history.
pub struct Slice {
    pub history: History,
    /// The place of each operation among those remembered, in the order of the calls, but for the first ones.
    pub ops: Vec<u32>,
    /// So many had taken effect before, in some configuration: the history begins with them, in the order of their calls.
    first: usize,
}

impl Slice {
    /// The operation at a place of a part.
    pub fn op<'a>(&self, part: &Part, place: usize, all: &'a [Op]) -> &'a Op {
        &all[self.ops[part.ops[place] as usize] as usize]
    }

    /// The number in the history of an operation that is remembered at `op`.
    fn number(&self, op: u32, all: &[Op]) -> Option<u32> {
        let call = all[op as usize].call;
        let (first, rest) = self.ops.split_at(self.first);
        let find = |ops: &[u32]| ops.binary_search_by_key(&call, |&op| all[op as usize].call).ok();
        find(rest).map(|number| number + self.first).or_else(|| find(first)).map(|number| number as u32)
    }
}

/// What happened in `groups` up to number `upto`, in order, to operations that were called before the number given with each group. An operation that had taken
/// effect before its return returns by then. First come the calls, so many, of operations that have taken effect in a configuration to go on from.
///
/// ```text
///   of key x          write 1 ──┤                 kept, for x was not cut
///   of key y               │      write 2 ────    cut here: in some configuration write 2 is done
///   then both are one group, and a search begins with write 2 done: before write 1 returns. No operation was about both keys until then, so
///   it makes no difference which of them was first.
/// ```
fn happened<'g>(all: &[Op], groups: impl Iterator<Item = (&'g Group, u64)>, upto: u64) -> (Vec<Event>, usize) {
    let (mut first, mut events, mut earlier): (Vec<Event>, Vec<Event>, Vec<Event>) = Default::default();
    for (group, before) in groups {
        events.reserve(group.events.len());
        let mut done: Vec<u32> = group.carries.iter().flat_map(|carry| carry.done.iter().copied()).collect();
        done.sort_unstable();
        for event in group.events.iter().take_while(|event| event.number <= upto) {
            let op = &all[event.op as usize];
            let failed = || op.ended(upto).is_some_and(|end| end.outcome == Outcome::Fail);
            match op.by.filter(|_| event.is_return) {
                _ if op.call >= before || failed() => {}
                _ if !event.is_return && done.binary_search(&event.op).is_ok() => first.push(*event),
                Some(number) => earlier.push(Event { number, ..*event }),
                None => events.push(*event),
            }
        }
    }
    earlier.sort_unstable_by_key(|event| (event.number, all[event.op as usize].call));
    events.extend(earlier);
    first.sort_unstable_by_key(|event| event.number);
    let count = first.len();
    first.append(&mut in_order(events));
    (first, count)
}

/// Sorts events by their numbers; those of one group are in order, and those of many are dense.
fn in_order(mut events: Vec<Event>) -> Vec<Event> {
    if events.is_sorted_by_key(|event| event.number) {
        return events;
    }
    let numbers = || events.iter().map(|event| event.number);
    let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
    let mut places = vec![None; if last - first < 4 * events.len() as u64 { (last - first) as usize + 1 } else { 0 }];
    let alone = |event: &Event| match places.get_mut((event.number - first) as usize) {
        Some(place @ None) => {
            *place = Some(*event);
            true
        }
        _ => false, // it has company, or they are not dense
    };
    if events.iter().all(alone) {
        return places.into_iter().flatten().collect();
    }
    events.sort_by_key(|event| event.number);
    events
}

/// Makes a history of what [`happened`].
fn slice<'g>(all: &[Op], groups: impl Iterator<Item = (&'g Group, u64)>, upto: u64, values: &Arc<Values>) -> Slice {
    let (events, first) = happened(all, groups, upto);
    let count = events.iter().filter(|event| !event.is_return).count();
    let column = || Vec::with_capacity(count);
    let (mut f, mut key, mut value) = (column(), column(), column());
    let (mut ops, mut call, mut line) =
        (Vec::with_capacity(count), Vec::with_capacity(count), Vec::with_capacity(count));
    let mut call_time = Vec::with_capacity(count);
    let (mut ret, mut result, mut status) =
        (vec![PENDING; count], vec![ValueId::NULL; count], vec![Status::Info; count]);
    let (mut return_time, mut has_return) = (vec![0; count], vec![false; count]);
    let mut open: HashMap<u32, usize, Hashing> = HashMap::default();
    let mut ordered = Vec::with_capacity(events.len());
    for (rank, event) in events.iter().enumerate() {
        let op = &all[event.op as usize];
        if event.is_return {
            let place = open.remove(&event.op).expect("it was called");
            if let Some(End { outcome: Outcome::Ok(returned), .. }) = op.end {
                (status[place], result[place]) = (Status::Ok, returned);
            }
            (ret[place], return_time[place], has_return[place]) = (rank as u32, event.number as i64, true);
            ordered.push(history::Event::ret(place));
            continue;
        }
        open.insert(event.op, ops.len());
        ordered.push(history::Event::call(ops.len()));
        return_time[ops.len()] = op.call as i64;
        ops.push(event.op);
        f.push(op.f);
        key.push(op.key);
        value.push(op.value);
        call.push(rank as u32);
        call_time.push(op.call as i64);
        line.push(op.line);
    }
    let history = History {
        values: Arc::clone(values),
        process: (0..count as u32).map(ValueId).collect(),
        f,
        key,
        value,
        result,
        status,
        call_time: Times::Int(call_time),
        return_time: Times::Int(return_time),
        has_return,
        call,
        ret,
        events: ordered,
        extra: Vec::new(),
        line,
        annotations: Vec::new(),
        object: None,
        numbered: false,
    };
    Slice { history, ops, first }
}

/// The same, and its parts by the model.
pub fn compiled(
    all: &[Op],
    groups: &[(&Group, u64)],
    upto: u64,
    values: &Arc<Values>,
    source: &mut dyn Source,
    control: &Control,
) -> Result<(Slice, Vec<Part>), ModelError> {
    let mut slice = slice(all, groups.iter().copied(), upto, values);
    if source.asks_who() {
        slice.history.process = slice.ops.iter().map(|&op| all[op as usize].process).collect();
    }
    let cells: Vec<Option<ValueId>> = slice.ops.iter().map(|&op| all[op as usize].cell).collect();
    let carried = carried(groups.iter().map(|&(group, _)| group));
    let events = Events { history: &slice.history, values, cells: &cells, carried: &carried };
    let parts = source.compile(&events, control)?;
    Ok((slice, parts))
}

/// What the cells of these groups may hold, for the compiler of a window.
fn carried<'g>(groups: impl Iterator<Item = &'g Group>) -> Vec<Carried<'g>> {
    let of = |group: &'g Group| Carried {
        keys: &group.keys,
        held: group.carries.iter().flat_map(|carry| carry.held.iter().flatten()).collect(),
    };
    groups.map(of).collect()
}

/// What became of the window of a group.
pub struct Judged {
    pub window: Window,
    /// The cells, and what they may hold behind the cut that was asked for.
    pub keys: Vec<ValueId>,
    pub carries: Vec<Carry>,
    /// The specification, and the same configurations as it names them.
    pub spec: Box<dyn Spec>,
    pub there: Vec<Start>,
}

/// The configurations that a group goes on from, as this specification names them.
pub fn starts(group: &Group, slice: &Slice, all: &[Op], spec: &mut dyn Spec) -> Result<Vec<Start>, StepError> {
    let cells = spec.cells().to_vec();
    let mut place: Vec<(ValueId, usize)> = group.keys.iter().enumerate().map(|(place, &key)| (key, place)).collect();
    place.sort_unstable();
    let places: Vec<Option<usize>> = cells
        .iter()
        .map(|key| place.binary_search_by_key(key, |entry| entry.0).ok().map(|found| place[found].1))
        .collect();
    let start = |carry: &Carry| {
        let held: Vec<Option<&Held>> =
            places.iter().map(|place| place.and_then(|place| carry.held[place].as_ref())).collect();
        let done = carry.done.iter().filter_map(|&op| slice.number(op, all)).collect();
        Ok(Start { state: spec.adopt(&held)?, done })
    };
    group.carries.iter().map(start).collect()
}

/// Searches the window of a group, and tells the configurations behind its first `returns` returns.
pub fn judge(
    part: &Part,
    group: &Group,
    slice: &Slice,
    all: &[Op],
    returns: usize,
    control: &Control,
) -> Result<Judged, StepError> {
    let mut spec = part.spec.fork();
    let starts = starts(group, slice, all, &mut *spec)?;
    let optional = |op: usize| slice.op(part, op, all).maybe;
    // What need not take effect and changes nothing is left out of a search, and so are its returns.
    let left_out = |op: usize| optional(op) && spec.read_only(part.codes[op]);
    let first = part.events.iter().filter(|event| event.is_return()).take(returns);
    let returns = first.filter(|event| !left_out(event.op())).count();
    let Resumed { window, there, spec, .. } = resume(part, spec, &starts, returns, optional, control)?;
    let there = there.unwrap_or_default();
    let mut carries = Vec::with_capacity(there.len());
    for start in &there {
        let held = spec.hold(start.state)?.into_iter().map(Some).collect();
        let done = start.done.iter().map(|&number| slice.ops[number as usize]).collect();
        carries.push(Carry { held, done });
    }
    Ok(Judged { window, keys: spec.cells().to_vec(), carries, spec, there })
}

/// Where a group may be cut: behind so many of its events, after so many returns. Everything called before is known there.
pub fn cut(group: &Group, all: &[Op]) -> (usize, usize) {
    let (mut at, mut returns) = ((0, 0), 0);
    for (place, event) in group.events.iter().enumerate() {
        if event.is_return {
            returns += 1;
            at = (place + 1, returns);
        } else if all[event.op as usize].end.is_none() {
            break;
        }
    }
    at
}

/// Leaves the events that are behind a cut: the calls of what is open there, then everything since. Which operations are remembered no longer?
pub fn leave_behind(group: &mut Group, all: &[Op], cut: usize, harmless: &[u32]) -> Vec<u32> {
    let at = cut.checked_sub(1).map_or(0, |last| group.events[last].number);
    let stays = |event: &Event| match all[event.op as usize].end {
        None => true,
        Some(End { outcome: Outcome::Ok(_), number, .. }) => number > at,
        Some(End { outcome: Outcome::Info, .. }) => !harmless.contains(&event.op),
        Some(End { outcome: Outcome::Fail, .. }) => false,
    };
    let gone = group.events.iter().filter(|event| !event.is_return && !stays(event)).map(|event| event.op).collect();
    group.events.retain(|event| stays(event) && (!event.is_return || event.number > at));
    gone
}
