//! What is the verdict now? Takes calls and returns one by one, and judges all that have gathered when it is asked.
//!
//! An event costs one look at its operation and one at its key. Judging costs one search of what has gathered, so the fewer the looks,
//! the cheaper each event; how late an alarm may be is the caller's choice. Groups are judged in parallel.

use crate::alarm::{Alarm, Bench};
use crate::feed::Clients;
use crate::group::{Event, Groups};
use crate::matched;
use crate::source::Source;
use crate::window::{End, Judged, Op, carried, cut, judge, left_behind, slice};
use hashbrown::HashSet;
use linpoint_base::{Cause, Control, Hashing};
use linpoint_check::Window;
use linpoint_history::{ValueId, Values};
use linpoint_spec::{ModelError, OpView, Part, Reach, StepError};
use rayon::prelude::*;
use std::sync::Arc;

pub use crate::window::Outcome;

/// The name of an operation that was called: its place, and how often that was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    place: u32,
    turn: u32,
}

impl Token {
    /// As one number.
    pub fn as_u64(self) -> u64 {
        u64::from(self.turn) << 32 | u64::from(self.place)
    }

    /// The token of that number.
    pub fn from_u64(number: u64) -> Token {
        Token { place: number as u32, turn: (number >> 32) as u32 }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Stopped(Cause),
    Broken(String),
}

impl From<StepError> for Fault {
    fn from(StepError(message): StepError) -> Self {
        Fault::Broken(message)
    }
}

impl From<ModelError> for Fault {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Stopped(cause) => Fault::Stopped(cause),
            other => Fault::Broken(other.to_string()),
        }
    }
}

impl Fault {
    fn cause(self) -> Cause {
        match self {
            Fault::Stopped(cause) => cause,
            Fault::Broken(message) => Cause::Broken(message),
        }
    }
}

/// The verdict of everything up to the last event that was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There is an order.
    Linearizable,
    /// There is none since this event.
    Violation(u64),
    /// It is not known since this event, for this reason.
    Unknown(u64, Cause),
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events taken.
    pub events: u64,
    /// Operations called.
    pub operations: u64,
    /// Operations that have not ended.
    pub open: u64,
    /// Operations of unknown outcome that may still matter.
    pub crashed: u64,
    /// Events that are kept.
    pub kept: u64,
    /// Groups of keys.
    pub groups: u64,
    /// Configurations kept.
    pub configurations: u64,
    /// Bytes held, roughly.
    pub bytes: u64,
}

/// The monitor.
pub struct Monitor {
    /// The table of all values that events name.
    pub values: Arc<Values>,
    source: Box<dyn Source>,
    all: Vec<Op>,
    turns: Vec<u32>,
    free: Vec<u32>,
    groups: Groups,
    /// Does it go on behind a violation, as if the accused operation had not been?
    goes_on: bool,
    events: u64,
    operations: u64,
    open: u64,
    judged: u64,
    violation: Option<u64>,
    /// What the processes of a log are doing.
    pub(crate) clients: Clients,
    /// How many events the groups keep.
    kept_events: u64,
    /// How many values there were after the table was last compacted.
    kept_values: usize,
}

/// A group that is refuted: the operation whose return shows it, and whether intervals told.
struct Refuted {
    group: u32,
    operation: u32,
    matched: bool,
}

/// What became of a group: from intervals, and the operations that are through; or by search, with the cut.
enum Looked {
    Matched(Result<Window, StepError>, Vec<u32>),
    Searched((usize, usize), Result<Judged, StepError>, Vec<u32>),
}

/// A table of fewer values is not worth compacting.
const FEW_VALUES: usize = 1 << 14;

impl Monitor {
    /// Nothing has happened yet.
    pub fn new(source: Box<dyn Source>, values: Values, goes_on: bool) -> Monitor {
        let kept_values = values.len();
        Monitor {
            values: Arc::new(values),
            source,
            all: Vec::new(),
            turns: Vec::new(),
            free: Vec::new(),
            groups: Groups::default(),
            goes_on,
            events: 0,
            operations: 0,
            open: 0,
            judged: 0,
            violation: None,
            clients: Clients::default(),
            kept_events: 0,
            kept_values,
        }
    }

    /// The table of values, to add some.
    pub fn table(&mut self) -> &mut Values {
        Arc::make_mut(&mut self.values)
    }

    /// An operation is called. Refused, in words, if the model does not have it.
    pub fn call(
        &mut self,
        process: ValueId,
        f: ValueId,
        key: ValueId,
        value: ValueId,
        line: u32,
    ) -> Result<Token, String> {
        let reach = self.route(f, key, value, None)?;
        self.events += 1;
        self.operations += 1;
        self.open += 1;
        let cell = match &reach {
            Reach::Cell(key) => Some(*key),
            Reach::Cells(keys) => Some(keys.first().copied().unwrap_or(ValueId::ABSENT)), // about nothing: not judged
            Reach::All => None,
        };
        let op = Op { process, f, key, value, cell, call: self.events, line, end: None };
        let place = match self.free.pop() {
            Some(place) => {
                self.all[place as usize] = op;
                place
            }
            None => {
                self.all.push(op);
                self.turns.push(0);
                self.all.len() as u32 - 1
            }
        };
        if reach != Reach::Cells(Box::default()) {
            let group = self.groups.find(&reach, self.events);
            self.note(group, Event { number: self.events, op: place, is_return: false });
        }
        Ok(Token { place, turn: self.turns[place as usize] })
    }

    /// An operation ends. Refused, in words, if it is not open, or if the model cannot understand its result: then it
    /// ends all the same, with an unknown outcome.
    pub fn end(&mut self, token: Token, outcome: Outcome, line: u32) -> Result<(), String> {
        let Token { place, turn } = token;
        if self.turns.get(place as usize) != Some(&turn) || self.all[place as usize].end.is_some() {
            return Err("the operation is not open".to_owned());
        }
        let op = &self.all[place as usize];
        let (f, key, value, cell) = (op.f, op.key, op.value, op.cell);
        let mut refused = Ok(());
        let outcome = match outcome {
            Outcome::Ok(result) => match self.route(f, key, value, Some(result)) {
                Ok(_) => outcome,
                Err(why) => {
                    refused = Err(why);
                    Outcome::Info
                }
            },
            other => other,
        };
        self.events += 1;
        self.open -= 1;
        self.all[place as usize].end = Some(End { number: self.events, line, outcome });
        let Some(group) = self.groups.of(cell) else {
            self.forget(place);
            return refused;
        };
        match outcome {
            Outcome::Ok(_) => self.note(group, Event { number: self.events, op: place, is_return: true }),
            Outcome::Fail | Outcome::Info if self.groups.list[group as usize].lost.is_some() => self.forget(place),
            Outcome::Fail | Outcome::Info => self.groups.touch(group),
        }
        refused
    }

    fn route(&mut self, f: ValueId, key: ValueId, value: ValueId, result: Option<ValueId>) -> Result<Reach, String> {
        let values = &*self.values;
        let key = Some(key).filter(|&key| key != ValueId::ABSENT && key != ValueId::NULL);
        let op = OpView { f: values.as_text(f).unwrap_or_default(), key, value, result, values };
        self.source.route(&op).map_err(|refusal| format!("{:?}: {}", op.f, refusal.0))
    }

    /// Adds an event to its group, unless nothing is known of the group any more.
    fn note(&mut self, group: u32, event: Event) {
        if self.groups.list[group as usize].lost.is_some() {
            if event.is_return {
                self.forget(event.op);
            }
            return;
        }
        self.kept_events += 1;
        self.groups.list[group as usize].events.push(event);
        self.groups.touch(group);
    }

    fn forget(&mut self, place: u32) {
        self.turns[place as usize] = self.turns[place as usize].wrapping_add(1);
        self.free.push(place);
    }

    /// How many events wait to be judged.
    pub fn waiting(&self) -> u64 {
        self.events - self.judged
    }

    /// Have so many events gathered that judging them is worth while? Events that cannot be settled, for an operation called before
    /// them is open, are judged again each time; so there must be half as many new ones.
    pub fn is_ripe(&self, least: u64) -> bool {
        self.waiting() >= least && 2 * self.waiting() >= self.kept_events
    }

    /// The name, the key and the argument of an operation that is open.
    pub(crate) fn called(&self, token: Token) -> (ValueId, ValueId, ValueId) {
        let op = &self.all[token.place as usize];
        (op.f, op.key, op.value)
    }

    /// Judges everything that has gathered. The violations that were found, the earliest first; without `goes_on` only that.
    pub fn judge(&mut self, control: &Control) -> Vec<Alarm> {
        if self.violation.is_some() && !self.goes_on {
            return Vec::new();
        }
        self.forget_values();
        let mut alarms = Vec::new();
        let since = self.judged + 1;
        while !self.groups.dirty.is_empty() {
            let dirty = std::mem::take(&mut self.groups.dirty);
            dirty.iter().for_each(|&group| self.groups.list[group as usize].dirty = false);
            let refuted = self.judge_groups(&dirty, since, control);
            for refuted in &refuted {
                self.raise(refuted, control, &mut alarms);
            }
        }
        alarms.sort_by_key(|alarm| alarm.event);
        if !self.goes_on {
            alarms.truncate(1);
        }
        self.violation = self.violation.or(alarms.first().map(|alarm| alarm.event));
        self.judged = self.events;
        alarms
    }

    /// Judges these groups, and cuts those that are explained. Gives those that are refuted.
    fn judge_groups(&mut self, dirty: &[u32], since: u64, control: &Control) -> Vec<Refuted> {
        let groups = || dirty.iter().map(|&group| &self.groups.list[group as usize]);
        let slice = slice(&self.all, groups(), u64::MAX, &self.values);
        let parts = match self.source.compile(&slice.history, &self.values, &carried(groups()), control) {
            Ok(parts) => parts,
            Err(error) => {
                let cause = Fault::from(error).cause();
                dirty.iter().for_each(|&group| self.lose(group, since, cause.clone()));
                return Vec::new();
            }
        };
        let with_group = |part: Part| {
            let first = part.ops.first()?;
            let cell = self.all[slice.ops[*first as usize] as usize].cell;
            Some((self.groups.of(cell)?, part))
        };
        let parts: Vec<(u32, Part)> = parts.into_iter().filter_map(with_group).collect();
        let look = |(group, part): &(u32, Part)| {
            let known = &self.groups.list[*group as usize];
            if matched::covers(part, known, &slice, &self.all) {
                let judged = matched::judge(part, control).map(|(window, _)| window);
                let gone = match judged {
                    Ok(Window::Explained) => matched::through(part, &slice, &self.all),
                    _ => Vec::new(),
                };
                return (*group, Looked::Matched(judged, gone));
            }
            let at = cut(known, &self.all);
            let judged = judge(part, known, &slice, &self.all, at.1, control);
            let harmless = part.codes.iter().zip(&part.ops).filter(|(code, _)| part.spec.read_only(**code));
            let harmless: Vec<u32> = harmless.map(|(_, &op)| slice.ops[op as usize]).collect();
            (*group, Looked::Searched(at, judged, harmless))
        };
        let looked: Vec<_> = match parts.len() {
            0 | 1 => parts.iter().map(look).collect(),
            _ => parts.par_iter().map(look).collect(),
        };
        drop(parts);
        let mut refuted = Vec::new();
        for (group, looked) in looked {
            let (window, matched) = match looked {
                Looked::Matched(window, gone) => {
                    self.drop_ops(group, &gone);
                    (window, true)
                }
                Looked::Searched(at, judged, harmless) => {
                    (judged.map(|judged| self.settle(group, at.0, judged, &harmless)), false)
                }
            };
            match window.map_err(Fault::from) {
                Err(fault) => self.lose(group, since, fault.cause()),
                Ok(Window::Stopped(cause)) => self.lose(group, since, cause),
                Ok(Window::Refuted { operation, .. }) => {
                    refuted.push(Refuted { group, operation: slice.ops[operation as usize], matched });
                }
                Ok(Window::Explained) => {}
            }
        }
        refuted
    }

    /// Cuts a group whose window was searched and is explained.
    fn settle(&mut self, group: u32, cut: usize, judged: Judged, harmless: &[u32]) -> Window {
        if judged.window == Window::Explained {
            self.groups.settle(group, &judged.keys, judged.carries);
            let mut gone = Vec::new();
            let known = &mut self.groups.list[group as usize];
            known.cut |= cut > 0;
            self.kept_events -= known.events.len() as u64;
            known.events = left_behind(known, &self.all, cut, &mut gone, harmless);
            self.kept_events += known.events.len() as u64;
            gone.into_iter().for_each(|op| self.forget(op));
        }
        judged.window
    }

    /// Forgets operations of a group.
    fn drop_ops(&mut self, group: u32, gone: &[u32]) {
        let known = &mut self.groups.list[group as usize];
        let failed = |op: u32| self.all[op as usize].end.is_some_and(|end| end.outcome == Outcome::Fail);
        let failed = known.events.iter().map(|event| event.op).filter(|&op| failed(op));
        let gone: HashSet<u32, Hashing> = gone.iter().copied().chain(failed).collect();
        self.kept_events -= known.events.len() as u64;
        known.events.retain(|event| !gone.contains(&event.op));
        self.kept_events += known.events.len() as u64;
        gone.iter().for_each(|&op| self.forget(op));
    }

    /// Tells the violation of a group; what comes after is judged as if the accused operation had not been.
    fn raise(&mut self, refuted: &Refuted, control: &Control, alarms: &mut Vec<Alarm>) {
        let &Refuted { group, operation, matched } = refuted;
        let known = &self.groups.list[group as usize];
        let mut bench =
            Bench { group: known, all: &self.all, values: &self.values, source: &mut *self.source, control, matched };
        let alarm = bench.alarm(operation);
        let accused = alarm.accused;
        alarms.push(alarm);
        let known = &mut self.groups.list[group as usize];
        self.kept_events -= known.events.len() as u64;
        known.events.retain(|event| event.op != accused);
        self.kept_events += known.events.len() as u64;
        known.carries.iter_mut().for_each(|carry| carry.done.retain(|&op| op != accused));
        self.forget(accused);
        if self.goes_on {
            self.groups.touch(group);
        }
    }

    /// From event `since` on nothing is known of a group.
    fn lose(&mut self, group: u32, since: u64, cause: Cause) {
        let known = &mut self.groups.list[group as usize];
        known.lost = Some((since, cause));
        known.carries.clear();
        let events = std::mem::take(&mut known.events);
        self.kept_events -= events.len() as u64;
        let ended = events.iter().filter(|event| !event.is_return && self.all[event.op as usize].end.is_some());
        ended.map(|event| event.op).collect::<Vec<_>>().into_iter().for_each(|op| self.forget(op));
    }

    /// The verdict of everything that was judged.
    pub fn standing(&self) -> Standing {
        if let Some(event) = self.violation {
            return Standing::Violation(event);
        }
        let lost = self.groups.list.iter().filter_map(|group| group.lost.clone());
        lost.min_by_key(|lost| lost.0).map_or(Standing::Linearizable, |(event, cause)| Standing::Unknown(event, cause))
    }

    /// How much there is. O(groups).
    pub fn counts(&self) -> Counts {
        let list = &self.groups.list;
        let crashed = |event: &Event| {
            let end = self.all[event.op as usize].end;
            !event.is_return && end.is_some_and(|end| end.outcome == Outcome::Info)
        };
        let ops = self.all.capacity() * (size_of::<Op>() + 4) + self.free.capacity() * 4;
        let bytes = ops + self.values.bytes() + list.iter().map(|group| group.bytes()).sum::<usize>();
        Counts {
            events: self.events,
            operations: self.operations,
            open: self.open,
            crashed: list.iter().flat_map(|group| &group.events).filter(|event| crashed(event)).count() as u64,
            kept: self.kept_events,
            groups: self.groups.len() as u64,
            configurations: list.iter().map(|group| group.carries.len() as u64).sum(),
            bytes: bytes as u64,
        }
    }

    /// Compacts the table of values when it has doubled.
    fn forget_values(&mut self) {
        if self.values.len() < FEW_VALUES.max(2 * self.kept_values) {
            return;
        }
        let mut kept = self.source.roots();
        kept.extend(self.clients.keys());
        self.all.iter_mut().for_each(|op| kept.extend(op.ids().map(|id| *id)));
        for group in &self.groups.list {
            kept.extend_from_slice(&group.keys);
            let held = group.carries.iter().flat_map(|carry| carry.held.iter().flatten());
            held.for_each(|held| kept.extend_from_slice(held.values()));
        }
        let renamed = Arc::make_mut(&mut self.values).keep_only(kept.into_iter());
        self.source.rename(&renamed, &self.values);
        self.all.iter_mut().for_each(|op| op.ids().for_each(|id| renamed.rename(id)));
        self.groups.rename(|id| renamed.rename(id));
        let named = |(mut process, client)| {
            renamed.rename(&mut process);
            (process, client)
        };
        self.clients = std::mem::take(&mut self.clients).into_iter().map(named).collect();
        self.kept_values = self.values.len();
    }
}
