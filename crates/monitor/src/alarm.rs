//! At which event was the violation there, and which few operations does it come down to?
//!
//! The verdict of a prefix only ever changes from explained to refuted, so bisection over the events finds the first that is. From there the
//! counterexample is looked for near the end: the window is cut again a few returns before the accused one, where all configurations
//! are known, and of the operations behind that cut as many as possible are declared optional. What is left required contradicts
//! every configuration at the cut, whatever the optional ones did.
//!
//! Cost: O(log n) searches of the window for the event, and one of a short window for each operation near the end.

use crate::group::Group;
use crate::matched::{self, without};
use crate::monitor::Fault;
use crate::source::Source;
use crate::window::{Judged, Op, Outcome, Slice, compiled, judge};
use linpoint_base::Control;
use linpoint_check::{Start, Window, resume};
use linpoint_history::Values;
use linpoint_spec::{Part, Role, Spec};
use std::sync::Arc;

/// The window of a counterexample begins so many returns before the accused one.
const BACK: usize = 12;
/// So many states at its beginning are told in words.
const FEW_STATES: usize = 8;

/// An operation of an alarm.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What is remembered of it.
    pub op: Op,
    /// Is it one of those that contradict each other? The others are shown because they happened at that time.
    pub needed: bool,
    /// Is it the one whose return no order explains?
    pub accused: bool,
}

/// A violation.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// The number of the event from which on it was there, in the order in which events were taken.
    pub event: u64,
    /// The same in the log.
    pub came: u64,
    /// The line of that event.
    pub line: u32,
    /// The operation that ended there; often the accused one.
    pub ended: Option<Op>,
    /// The operations near the end, in the order of their calls, each as it was known at that event.
    pub shown: Vec<Shown>,
    /// In which states the object may have been before them; none if they begin with the stream.
    pub states: Vec<String>,
    /// How many states there may have been.
    pub state_count: usize,
    /// Do they contradict each other whatever else happened? If not, something that is forgotten by now belongs to it.
    pub whole: bool,
    /// Is this the first event at which it was there, and are these its operations? If not, looking for them was stopped.
    pub exact: bool,
    /// Events of the group that were not judged before: it began again behind them.
    pub unjudged: Option<(u64, u64)>,
    /// The table of the values that the operations name.
    pub values: Arc<Values>,
    /// The operation whose return no order explains, by its place among those remembered.
    pub(crate) accused: u32,
}

/// One group's part of the stream, up to any of its events.
pub(crate) struct Bench<'a> {
    pub group: &'a Group,
    pub all: &'a [Op],
    pub values: &'a Arc<Values>,
    pub source: &'a mut dyn Source,
    pub control: &'a Control,
    /// Was it refuted from intervals?
    pub matched: bool,
    /// Everything before this event is explained.
    pub since: u64,
}

impl Bench<'_> {
    /// The group's events up to number `upto`.
    fn events_to(&mut self, upto: u64) -> Result<Option<(Slice, Part)>, Fault> {
        let group = [(self.group, u64::MAX)];
        let (slice, parts) = compiled(self.all, &group, upto, self.values, self.source, self.control)?;
        Ok(parts.into_iter().find(|part| !part.events.is_empty()).map(|part| (slice, part)))
    }

    /// The same, searched; `returns` says where to tell the configurations.
    fn up_to(&mut self, upto: u64, returns: usize) -> Result<Option<(Slice, Part, Judged)>, Fault> {
        let Some((slice, part)) = self.events_to(upto)? else { return Ok(None) };
        let judged = judge(&part, self.group, &slice, self.all, returns, self.control)?;
        Ok(Some((slice, part, judged)))
    }

    /// Is the group refuted at event `upto`?
    fn is_refuted(&mut self, upto: u64) -> Result<bool, Fault> {
        let Some((slice, part)) = self.events_to(upto)? else { return Ok(false) };
        let window = match self.matched && matched::covers(&part, self.group) {
            true => matched::judge(&part, self.control)?.window,
            false => judge(&part, self.group, &slice, self.all, 0, self.control)?.window,
        };
        match window {
            Window::Refuted { .. } => Ok(true),
            Window::Stopped(cause) => Err(Fault::Stopped(cause)),
            Window::Explained => Ok(false),
        }
    }

    /// A counterexample from intervals: a few values that contradict each other by themselves.
    fn matched_at(&mut self, event: u64, line: u32) -> Result<Option<Alarm>, Fault> {
        let Some((slice, part)) = self.events_to(event)? else { return Ok(None) };
        if !self.matched || !matched::covers(&part, self.group) {
            return Ok(None);
        }
        let matched::Verdict { window, mut conflict, .. } = matched::judge(&part, self.control)?;
        let Window::Refuted { operation, .. } = window else { return Ok(None) };
        if conflict.is_empty() {
            return Ok(None); // a search told
        }
        let (values, state_count) = (Arc::clone(self.values), 0);
        let remembered = |number: u32| slice.ops[number as usize];
        conflict.push(operation);
        conflict.sort_unstable();
        conflict.dedup();
        let is_exact = |&number: &u32| self.all[remembered(number) as usize].by.is_none();
        let whole = !self.group.forgot || is_whole(&part, &conflict) && conflict.iter().all(is_exact);
        let shown = conflict.iter().map(|&number| Shown {
            op: self.all[remembered(number) as usize].known_at(event),
            needed: true,
            accused: number == operation,
        });
        let (shown, accused) = (shown.collect(), remembered(operation));
        let (ended, came) = self.ended_at(event);
        Ok(Some(Alarm {
            event,
            came,
            line,
            ended,
            shown,
            states: Vec::new(),
            state_count,
            whole,
            exact: true,
            unjudged: None,
            values,
            accused,
        }))
    }

    /// The alarm of a group whose events are refuted at the return of `operation`, one of those remembered. If that is stopped
    /// before its first event and its counterexample are found, the last event and that operation have to do, and it says so.
    pub fn alarm(&mut self, operation: u32) -> Alarm {
        let mut found = self.first(operation);
        while self.source.begins_anew() {
            found = self.first(operation);
        }
        found.unwrap_or_else(|_| {
            let ends = self.group.events.iter().filter_map(|event| self.all[event.op as usize].end);
            let (event, line) = ends.map(|end| (end.number, end.line)).max().unwrap_or_default();
            let shown = vec![Shown { op: self.all[operation as usize].clone(), needed: true, accused: true }];
            let (ended, came) = self.ended_at(event);
            Alarm {
                event,
                came,
                line,
                ended,
                shown,
                states: Vec::new(),
                state_count: 0,
                whole: false,
                exact: false,
                unjudged: self.unjudged(),
                values: Arc::clone(self.values),
                accused: operation,
            }
        })
    }

    fn first(&mut self, operation: u32) -> Result<Alarm, Fault> {
        // A search accuses the first return that is wrong; intervals tell of any.
        let returned = self.all[operation as usize].end.filter(|_| !self.matched).map_or(self.since, |end| end.number);
        let ends = self.group.events.iter().filter(|event| !event.is_return);
        let ends = ends.filter_map(|event| self.all[event.op as usize].end).filter(|end| end.outcome != Outcome::Info);
        let mut numbers: Vec<(u64, u32)> =
            ends.map(|end| (end.number, end.line)).filter(|end| end.0 >= returned).collect();
        numbers.sort_unstable();
        let (mut low, mut high) = (0, numbers.len().saturating_sub(1)); // the last is refuted
        while low < high {
            let middle = (low + high) / 2;
            match self.is_refuted(numbers[middle].0)? {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        let Some(&(event, line)) = numbers.get(low) else {
            return Err(Fault::Broken("nothing has returned since the last look".to_owned()));
        };
        match self.matched_at(event, line)? {
            Some(alarm) => Ok(alarm),
            None => self.shown_at(event, line),
        }
    }

    /// The counterexample at the event from which on the group is refuted.
    fn shown_at(&mut self, event: u64, line: u32) -> Result<Alarm, Fault> {
        let found = |found: Option<(Slice, Part, Judged)>| found.expect("a group that is refuted has events");
        let (.., judged) = found(self.up_to(event, 0)?);
        let Window::Refuted { returns, .. } = judged.window else {
            return Err(Fault::Broken("a violation was gone when it was looked at again".to_owned()));
        };
        let cut = returns.saturating_sub(BACK);
        let (slice, part, judged) = found(self.up_to(event, cut)?);
        let Window::Refuted { operation, .. } = judged.window else {
            return Err(Fault::Broken("a violation was gone when it was looked at again".to_owned()));
        };
        let tail = tail(&part, cut);
        let Judged { mut spec, there, .. } = judged;
        let states = match cut == 0 && !self.group.cut {
            true => Vec::new(),
            false => there.iter().take(FEW_STATES).map(|start| spec.show(start.state)).collect(),
        };
        let mut needed: Vec<bool> = vec![false; tail.ops.len()];
        let known = |op: usize| !slice.op(&tail, op, self.all).maybe;
        tail.events.iter().filter(|event| event.is_return()).for_each(|event| needed[event.op()] = known(event.op()));
        for op in 0..tail.ops.len() {
            if tail.ops[op] == operation || !needed[op] {
                continue;
            }
            needed[op] = false;
            let refuted;
            (refuted, spec) = self.refutes(&tail, spec, &there, &needed)?;
            needed[op] = !refuted;
        }
        let remembered = |number: u32| slice.ops[number as usize];
        let shown = |(place, &number): (usize, &u32)| Shown {
            op: self.all[remembered(number) as usize].known_at(event),
            needed: needed[place],
            accused: number == operation,
        };
        let shown: Vec<Shown> = tail.ops.iter().enumerate().map(shown).collect();
        let (state_count, values) = (there.len(), Arc::clone(self.values));
        let whole = !self.group.forgot;
        let (ended, came) = self.ended_at(event);
        Ok(Alarm {
            event,
            came,
            line,
            ended,
            shown,
            states,
            state_count,
            whole,
            exact: true,
            unjudged: self.unjudged(),
            values,
            accused: remembered(operation),
        })
    }

    /// The operation that ended at this event, and the number that the event has in the log.
    fn ended_at(&self, event: u64) -> (Option<Op>, u64) {
        let mut ops = self.group.events.iter().map(|event| &self.all[event.op as usize]);
        let ended = ops.find(|op| op.end.is_some_and(|end| end.number == event));
        (ended.cloned(), ended.and_then(|op| op.end).map_or(event, |end| end.came()))
    }

    /// The events that were not judged, from which on and until when.
    fn unjudged(&self) -> Option<(u64, u64)> {
        self.group.lost.as_ref().zip(self.group.again).map(|(lost, again)| (lost.0, again))
    }

    /// Have the needed operations no order, whatever the others did?
    fn refutes(
        &self,
        tail: &Part,
        spec: Box<dyn Spec>,
        starts: &[Start],
        needed: &[bool],
    ) -> Result<(bool, Box<dyn Spec>), Fault> {
        let resumed = resume(tail, spec, starts, 0, |op| !needed[op], self.control)?;
        match resumed.window {
            Window::Stopped(cause) => Err(Fault::Stopped(cause)),
            window => Ok((window != Window::Explained, resumed.spec)),
        }
    }
}

/// Do these operations tell where every value came from that they see?
fn is_whole(part: &Part, conflict: &[u32]) -> bool {
    let numbers = part.ops.iter().zip(&part.codes).filter(|(number, _)| conflict.contains(number));
    let roles: Vec<Role> = numbers.map(|(_, &code)| part.spec.role(code)).collect();
    let came = |value: u32| roles.contains(&Role::Add(value)) || roles.contains(&Role::Write(value));
    roles.iter().all(|role| match *role {
        Role::Remove(value) | Role::Peek(value) | Role::Read(value) => came(value),
        _ => true,
    })
}

/// What is left of a part behind its first `returns` returns: the operations open there, and everything since.
fn tail(part: &Part, returns: usize) -> Part {
    let mut kept = vec![true; part.ops.len()];
    let gone = part.events.iter().filter(|event| event.is_return()).take(returns);
    gone.for_each(|event| kept[event.op()] = false);
    without(part, &kept)
}
