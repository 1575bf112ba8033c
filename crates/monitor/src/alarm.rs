//! At which event was the violation there, and which few operations does it come down to?
//!
//! The verdict of a prefix only ever changes from explained to refuted, so bisection over the events finds the first that is. If intervals told, they
//! told of a few values, and which of the operations about these are needed is found out (`linpoint_check::needed`). Else the
//! counterexample is looked for near the end: the window is cut again a few returns before the accused one, where all configurations
//! are known, and of the operations behind that cut as many as possible are declared optional. What is left required contradicts
//! every configuration at the cut, whatever the optional ones did, and none of it can be left out: a set that has no order has none with more in it.
//!
//! Cost: O(log n) searches of the window for the event, and one of a short window, or of a few values, for each operation near the end.

use crate::group::Group;
use crate::matched::{self, without};
use crate::monitor::Fault;
use crate::source::Source;
use crate::window::{Judged, Op, Outcome, Slice, compiled, judge};
use linpoint_base::Control;
use linpoint_check::{Needed, Window, needed, resume};
use linpoint_history::Values;
use linpoint_spec::{Part, Role};
use std::sync::Arc;

/// The window of a counterexample begins so many returns before the accused one.
const BACK: usize = 12;
/// So many states at its beginning are told in words.
const FEW_STATES: usize = 8;

/// What it may cost to find out which operations about a few values are needed: a stream may have many violations.
const EFFORT: u64 = 100_000;

/// An operation of an alarm.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What is remembered of it.
    pub op: Op,
    /// Is it one of those that contradict each other? The others are shown because they happened at that time.
    pub needed: bool,
    /// Does it show where what those saw comes from?
    pub support: bool,
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
    /// Operations about the same that returned before, the last few.
    pub before: Vec<Op>,
    /// In which states the object may have been before them; none if they begin with the stream.
    pub states: Vec<String>,
    /// How many states there may have been.
    pub state_count: usize,
    /// Do they contradict each other whatever else happened? If not, something that is forgotten by now belongs to it.
    pub whole: bool,
    /// Is anything of the group forgotten? Then that is said of what is remembered: an operation that is forgotten may have had the same values.
    pub forgot: bool,
    /// Is this the first event at which it was there, and are these its operations? If not, looking for them was stopped.
    pub exact: bool,
    /// Without each of the operations that are needed, have the others an order, with some of the rest? If not, that was not tried out.
    pub minimal: bool,
    /// Events of the group that were not judged before: it began again behind them.
    pub unjudged: Option<(u64, u64)>,
    /// Was another operation of the group accused before? It is left out here.
    pub earlier: bool,
    /// The table of the values that the operations name.
    pub values: Arc<Values>,
    /// The operation whose return no order explains, by its place among those remembered.
    pub(crate) accused: u32,
}

impl Alarm {
    /// Tells events by other numbers than those under which they came.
    pub(crate) fn renumber(&mut self, told: impl Fn(u64) -> u64) {
        self.came = told(self.came);
        let shown = self.shown.iter_mut().map(|shown| &mut shown.op);
        for op in shown.chain(&mut self.ended).chain(&mut self.before) {
            let back = |came: u64| i32::try_from(came - told(came)).unwrap_or_default();
            op.shift -= back(op.came());
            if let Some(end) = &mut op.end {
                end.shift -= back(end.came());
            }
        }
    }
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

    /// A counterexample from intervals: a few values that contradict each other by themselves, and which of their operations do.
    fn matched_at(&mut self, event: u64, line: u32) -> Result<Option<Alarm>, Fault> {
        let Some((slice, part)) = self.events_to(event)? else { return Ok(None) };
        if !self.matched || !matched::covers(&part, self.group) {
            return Ok(None);
        }
        let matched::Verdict { window, conflict: mut operations, .. } = matched::judge(&part, self.control)?;
        let Window::Refuted { mut operation, .. } = window else { return Ok(None) };
        if operations.is_empty() {
            return Ok(None); // a search told
        }
        let mut known = needed(&part, operation, &operations, EFFORT, self.control)?;
        if let Needed::NotTheAccused(other) = known {
            operation = other; // it returns earlier
            known = needed(&part, operation, &operations, EFFORT, self.control)?;
        }
        let (contradict, minimal) = match known {
            Needed::These(contradict, minimal) => (contradict, minimal),
            Needed::NotTheAccused(_) => (operations.clone(), false),
        };
        operations.push(operation);
        operations.sort_unstable();
        operations.dedup();
        let remembered = |number: u32| slice.ops[number as usize];
        let is_exact = |&number: &u32| self.all[remembered(number) as usize].by.is_none();
        let stands = || is_whole(&part, &operations) && operations.iter().all(is_exact) && !self.group.forgot_crashed;
        let whole = !self.group.forgot || stands();
        let shown = operations.iter().map(|&number| {
            let needed = number == operation || contradict.contains(&number);
            let op = self.all[remembered(number) as usize].known_at(event);
            Shown { op, needed, support: !needed, accused: number == operation }
        });
        let (shown, accused) = (shown.collect(), remembered(operation));
        Ok(Some(Alarm { shown, whole, minimal, ..self.at(event, line, accused) }))
    }

    /// An alarm at this event that shows nothing yet.
    fn at(&self, event: u64, line: u32, accused: u32) -> Alarm {
        let (ended, came) = self.ended_at(event);
        Alarm {
            event,
            came,
            line,
            ended,
            shown: Vec::new(),
            before: Vec::new(),
            states: Vec::new(),
            state_count: 0,
            whole: false,
            forgot: self.group.forgot,
            exact: true,
            minimal: false,
            unjudged: self.unjudged(),
            earlier: self.group.told > 0,
            values: Arc::clone(self.values),
            accused,
        }
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
            let op = self.all[operation as usize].clone();
            let shown = vec![Shown { op, needed: true, support: false, accused: true }];
            Alarm { shown, exact: false, ..self.at(event, line, operation) }
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
        let known = |op: usize| !slice.op(&tail, op, self.all).maybe;
        let returned = tail.events.iter().filter(|event| event.is_return()).map(|event| event.op());
        let mut places: Vec<usize> = returned.filter(|&op| known(op)).collect();
        let mut needed = vec![false; tail.ops.len()];
        places.iter().for_each(|&op| needed[op] = true);
        places.sort_unstable(); // by their calls, and the accused one last
        places.sort_by_key(|&op| tail.ops[op] == operation);
        let (mut accused, mut minimal) = (operation, true);
        for op in places {
            needed[op] = false;
            let resumed = resume(&tail, spec, &there, 0, |op| !needed[op], self.control)?;
            spec = resumed.spec;
            match resumed.window {
                Window::Refuted { operation, .. } => accused = operation,
                Window::Explained => needed[op] = true,
                Window::Stopped(_) => (needed[op], minimal) = (true, false),
            }
        }
        let remembered = |number: u32| slice.ops[number as usize];
        let shown = |(place, &number): (usize, &u32)| Shown {
            op: self.all[remembered(number) as usize].known_at(event),
            needed: needed[place],
            support: false,
            accused: number == accused,
        };
        let shown: Vec<Shown> = tail.ops.iter().enumerate().map(shown).collect();
        let (state_count, whole) = (there.len(), !self.group.forgot);
        Ok(Alarm { shown, states, state_count, whole, minimal, ..self.at(event, line, remembered(accused)) })
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
