//! From operations to a history: gather the columns, order the events, complain precisely.
//!
//! A history is refused when an operation returns before it is called, when a process calls
//! again while its last operation is open, or when a process that had an `info` operation
//! calls again: such a process crashed, and its successor needs a new id.

use crate::order::{Order, order_unless};
use crate::read::{KINDS, MEANINGS, SUCCESSOR};
use crate::{Annotation, Complaint, Event, History, Status, Time, Times, Value, ValueId, Values};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use std::sync::Arc;

/// One operation as a source gives it. `T` is the kind of time: i64 or [`Time`].
#[derive(Clone, Debug)]
pub struct Record<T> {
    /// Who called.
    pub process: ValueId,
    /// The operation's name, a text.
    pub f: ValueId,
    /// The object or key, or [`ValueId::ABSENT`].
    pub key: ValueId,
    /// The argument.
    pub value: ValueId,
    /// What it returned; null unless `status` is Ok.
    pub result: ValueId,
    /// How it ended; an Ok has a return time.
    pub status: Status,
    /// The time of the call.
    pub call: T,
    /// The time of the return, if the source names one.
    pub ret: Option<T>,
    /// The line it came from, 0 if none.
    pub line: u32,
}

/// Why there is no history.
pub(crate) enum Unfinished {
    Refused(Complaint),
    /// The budget was used up.
    Stopped,
}

impl From<Complaint> for Unfinished {
    fn from(complaint: Complaint) -> Self {
        Unfinished::Refused(complaint)
    }
}

/// The most operations of a history: an event is an operation and one bit, and ranks of events need room for a few more.
pub(crate) const MOST: usize = 1 << 30;

/// Gathers operations; [`Builder::finish`] makes the history.
#[derive(Default)]
pub struct Builder {
    /// The values of the history being built.
    pub values: Values,
    /// Lines that are not operations.
    pub annotations: Vec<Annotation>,
    /// The kind of object the source names.
    pub object: Option<String>,
    /// Do times only number the events?
    pub numbered: bool,
    /// Shall a process that calls again after it crashed be another process from then on?
    pub rename_crashed: bool,
    /// What the source calls operations, each with the name it has here: `("SET", "write")`.
    pub operations: Vec<(String, String)>,
    // The columns are of one length. A reader that has whole columns fills them itself.
    pub(crate) process: Vec<ValueId>,
    pub(crate) f: Vec<ValueId>,
    pub(crate) key: Vec<ValueId>,
    pub(crate) value: Vec<ValueId>,
    pub(crate) result: Vec<ValueId>,
    pub(crate) status: Vec<Status>,
    pub(crate) has_return: Vec<bool>,
    pub(crate) line: Vec<u32>,
    pub(crate) call: Vec<i64>,
    /// Of an operation without a return, the time of its call.
    pub(crate) ret: Vec<i64>,
    extra: Vec<(u32, ValueId, ValueId)>,
    /// Exact times, from the first on that is no 64-bit integer; the integers before it were converted.
    exact: Option<(Vec<Time>, Vec<Time>)>,
}

impl Builder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many operations were pushed.
    pub fn len(&self) -> usize {
        self.f.len()
    }

    /// Bytes that the columns hold, values not counted.
    pub fn bytes(&self) -> usize {
        const IDS: usize = 5 * size_of::<ValueId>() + size_of::<u32>() + 2;
        let times = if self.exact.is_some() { 2 * size_of::<Time>() } else { 2 * size_of::<i64>() };
        self.f.capacity() * (IDS + times) + self.extra.capacity() * size_of::<(u32, ValueId, ValueId)>()
    }

    /// Was none pushed?
    pub fn is_empty(&self) -> bool {
        self.f.is_empty()
    }

    /// Adds an operation with integer times; gives its number.
    pub fn push(&mut self, record: Record<i64>) -> usize {
        if self.exact.is_some() {
            return self.push_exact(widen(&record));
        }
        self.call.push(record.call);
        self.ret.push(record.ret.unwrap_or(record.call));
        self.push_rest(&record)
    }

    /// Adds an operation with times of any kind; gives its number.
    pub fn push_exact(&mut self, record: Record<Time>) -> usize {
        let (call, ret) = self.exact_times();
        call.push(record.call);
        ret.push(record.ret.unwrap_or(record.call));
        self.push_rest(&record)
    }

    /// The times as exact ones, from now on.
    fn exact_times(&mut self) -> &mut (Vec<Time>, Vec<Time>) {
        self.exact.get_or_insert_with(|| {
            let wide = |column: &mut Vec<i64>| std::mem::take(column).into_iter().map(Time::from).collect();
            (wide(&mut self.call), wide(&mut self.ret))
        })
    }

    fn push_rest<T>(&mut self, record: &Record<T>) -> usize {
        self.process.push(record.process);
        self.f.push(record.f);
        self.key.push(record.key);
        self.value.push(record.value);
        self.result.push(if record.status == Status::Ok { record.result } else { ValueId::NULL });
        self.status.push(record.status);
        self.has_return.push(record.ret.is_some());
        self.line.push(record.line);
        self.f.len() - 1
    }

    /// Adds the operations of another builder, and the kind of object that it names. Its values are called `names` here, its lines follow
    /// `lines` others. (Annotations stay behind: where they belong depends on what came before.)
    pub(crate) fn append(&mut self, other: &Builder, names: &[ValueId], lines: u32) {
        let first = self.len() as u32;
        let renamed = |ids: &[ValueId], to: &mut Vec<ValueId>| to.extend(ids.iter().map(|id| names[id.index()]));
        renamed(&other.process, &mut self.process);
        renamed(&other.f, &mut self.f);
        renamed(&other.value, &mut self.value);
        renamed(&other.result, &mut self.result);
        self.key.extend(other.key.iter().map(|id| names.get(id.index()).copied().unwrap_or(ValueId::ABSENT)));
        self.status.extend_from_slice(&other.status);
        self.has_return.extend_from_slice(&other.has_return);
        self.line.extend(other.line.iter().map(|line| line.saturating_add(lines)));
        let extra =
            |&(op, name, value): &(u32, ValueId, ValueId)| (first + op, names[name.index()], names[value.index()]);
        self.extra.extend(other.extra.iter().map(extra));
        if self.exact.is_none() && other.exact.is_none() {
            self.call.extend_from_slice(&other.call);
            self.ret.extend_from_slice(&other.ret);
        } else {
            let (call, ret) = self.exact_times();
            call.extend((0..other.len()).map(|op| other.time(op, false)));
            ret.extend((0..other.len()).map(|op| other.time(op, true)));
        }
        if other.object.is_some() {
            self.object.clone_from(&other.object);
        }
    }

    /// The time of a call or a return.
    fn time(&self, op: usize, returns: bool) -> Time {
        match &self.exact {
            Some((call, ret)) => {
                if returns {
                    ret[op]
                } else {
                    call[op]
                }
            }
            None => if returns { self.ret[op] } else { self.call[op] }.into(),
        }
    }

    /// Forgets everything, and keeps the room.
    pub(crate) fn clear(&mut self) {
        let Builder { values, annotations, object, rename_crashed, operations, process, f, key, value, result, .. } =
            self;
        [process, f, key, value, result].into_iter().for_each(Vec::clear);
        values.clear();
        annotations.clear();
        operations.clear();
        (*object, *rename_crashed) = (None, false);
        let Builder { status, has_return, line, extra, call, ret, exact, numbered, .. } = self;
        *numbered = false;
        status.clear();
        has_return.clear();
        line.clear();
        extra.clear();
        [call, ret].into_iter().for_each(Vec::clear);
        *exact = None;
    }

    /// Keeps a field of operation `op` that means nothing to the checkers.
    pub fn extra(&mut self, op: usize, name: ValueId, value: ValueId) {
        self.extra.push((op as u32, name, value));
    }

    /// Completes operation `op`, pushed before as an `Info` without return: event streams return later.
    pub fn complete(&mut self, op: usize, status: Status, result: ValueId, ret: i64) {
        assert!(self.exact.is_none(), "event streams have integer times");
        self.status[op] = status;
        self.result[op] = if status == Status::Ok { result } else { ValueId::NULL };
        self.ret[op] = ret;
        self.has_return[op] = true;
    }

    /// The argument of operation `op`.
    pub fn value_of(&self, op: usize) -> ValueId {
        self.value[op]
    }

    /// The name of operation `op`.
    pub fn f_of(&self, op: usize) -> ValueId {
        self.f[op]
    }

    /// The key of operation `op`, or [`ValueId::ABSENT`].
    pub fn key_of(&self, op: usize) -> ValueId {
        self.key[op]
    }

    /// Orders and validates. Operations keep their numbers.
    pub fn finish(self) -> Result<History, Complaint> {
        self.finish_unless(&|| false).map_err(|unfinished| match unfinished {
            Unfinished::Refused(complaint) => complaint,
            Unfinished::Stopped => unreachable!("nothing stops it"),
        })
    }

    /// Orders and validates unless `stops` says so meanwhile: it is asked between two pieces of the work.
    pub(crate) fn finish_unless(mut self, stops: &dyn Fn() -> bool) -> Result<History, Unfinished> {
        if self.len() > MOST {
            let message = format!("too many operations: expected at most {MOST}");
            return Err(Complaint { operation: MOST, line: self.line[MOST] as usize, message }.into());
        }
        let (call, ret) = self.take_times();
        self.refuse_backward(&call, &ret)?;
        let order = order_unless(&call, &ret, &self.returns(), stops).ok_or(Unfinished::Stopped)?;
        self.finish_ordered((call, ret), order, stops)
    }

    /// Takes out the times of calls and returns.
    pub(crate) fn take_times(&mut self) -> (Times, Times) {
        match self.exact.take() {
            Some((call, ret)) => (Times::Exact(call), Times::Exact(ret)),
            None => (Times::Int(std::mem::take(&mut self.call)), Times::Int(std::mem::take(&mut self.ret))),
        }
    }

    /// Which operations return, as far as is known.
    pub(crate) fn returns(&self) -> Vec<bool> {
        self.status.iter().map(|&status| status != Status::Info).collect()
    }

    /// The history, given its times, none of which run backward, and the order of its events.
    pub(crate) fn finish_ordered(
        mut self,
        (call_time, return_time): (Times, Times),
        order: Order,
        stops: &dyn Fn() -> bool,
    ) -> Result<History, Unfinished> {
        if self.rename_crashed {
            self.rename(&order.events);
        }
        self.rename_operations()?;
        sort_by_operation(&mut self.extra, self.f.len());
        for annotation in &mut self.annotations {
            annotation.after_events = annotation.after_events.min(order.events.len() as u32);
        }
        let history = History {
            values: Arc::new(self.values),
            process: self.process,
            f: self.f,
            key: self.key,
            value: self.value,
            result: self.result,
            status: self.status,
            call_time,
            return_time,
            has_return: self.has_return,
            call: order.call,
            ret: order.ret,
            events: order.events,
            extra: self.extra,
            line: self.line,
            annotations: self.annotations,
            object: self.object,
            numbered: self.numbered,
        };
        if stops() {
            return Err(Unfinished::Stopped);
        }
        refuse_overlap(&history)?;
        Ok(history)
    }

    /// Gives every process that calls after an operation of unknown outcome a new name: `3`, `3#2`, `3#3`.
    fn rename(&mut self, events: &[Event]) {
        let mut lives: HashMap<ValueId, (ValueId, u32, usize)> = HashMap::new(); // its name now, which life, its last operation
        for op in events.iter().filter(|event| !event.is_return()).map(|event| event.op()) {
            let (first, values) = (self.process[op], &mut self.values);
            let (name, life, last) = lives.entry(first).or_insert((first, 1, op));
            if *last != op && self.status[*last] == Status::Info {
                let shown = values.as_text(first).map_or_else(|| values.show(first), str::to_owned);
                loop {
                    *life += 1;
                    let next = Value::Text(format!("{shown}#{life}").into());
                    if values.find(&next).is_none() {
                        *name = values.intern(next);
                        break;
                    }
                }
            }
            (self.process[op], *last) = (*name, op);
        }
    }

    /// Calls the operations what they are called here. Refuses a name that is in the source but never that of an operation: it was
    /// meant for a field. (One that is nowhere does no harm: not every file has every operation.)
    fn rename_operations(&mut self) -> Result<(), Complaint> {
        let mut renamed: Vec<(ValueId, ValueId)> = Vec::new();
        for (foreign, own) in std::mem::take(&mut self.operations) {
            let id = self.values.find_text(&foreign);
            if let Some(id) = id.filter(|id| self.f.contains(id)) {
                renamed.push((id, self.values.text(&own)));
            } else if id.is_some() || MEANINGS.contains(&foreign.as_str()) {
                let message = format!(
                    "no operation is called {foreign:?}, and {own:?} is no field or type to map it to: fields are {}, types {}",
                    MEANINGS.join(", "),
                    KINDS.join(", ")
                );
                return Err(Complaint { operation: 0, line: 0, message });
            }
        }
        if !renamed.is_empty() {
            for f in &mut self.f {
                *f = renamed.iter().find(|(foreign, _)| foreign == f).map_or(*f, |(_, own)| *own);
            }
        }
        Ok(())
    }

    pub(crate) fn refuse_backward(&self, call: &Times, ret: &Times) -> Result<(), Complaint> {
        for i in 0..self.len() {
            if later(call, i, ret, i) {
                let (call, ret) = (call.at(i), ret.at(i));
                let message = format!("it returns before it is called: it returns at {ret} but it is called at {call}");
                return Err(Complaint { operation: i, line: self.line[i] as usize, message });
            }
            if self.status[i] != Status::Info && !self.has_return[i] {
                let message = "it ended, so it needs a return time".to_owned();
                return Err(Complaint { operation: i, line: self.line[i] as usize, message });
            }
        }
        Ok(())
    }
}

/// Sorts extra fields by their operation, stably; O(n), because event streams have them out of order.
fn sort_by_operation(extra: &mut Vec<(u32, ValueId, ValueId)>, operations: usize) {
    if extra.is_sorted_by_key(|e| e.0) {
        return;
    }
    let mut start = vec![0u32; operations + 1];
    for e in &*extra {
        start[e.0 as usize + 1] += 1;
    }
    for i in 1..start.len() {
        start[i] += start[i - 1];
    }
    let mut sorted = extra.clone();
    for e in &*extra {
        let to = &mut start[e.0 as usize];
        sorted[*to as usize] = *e;
        *to += 1;
    }
    *extra = sorted;
}

/// The record with times of any kind.
fn widen(record: &Record<i64>) -> Record<Time> {
    Record {
        process: record.process,
        f: record.f,
        key: record.key,
        value: record.value,
        result: record.result,
        status: record.status,
        call: record.call.into(),
        ret: record.ret.map(Time::from),
        line: record.line,
    }
}

/// A process is sequential: it calls again only after its last operation returned.
/// Equal times are let pass: with a coarse clock a return and the next call often share one.
fn refuse_overlap(history: &History) -> Result<(), Complaint> {
    let mut last: HashMap<ValueId, usize, Hashing> = HashMap::default();
    for event in history.events.iter().filter(|e| !e.is_return()) {
        let (op, process) = (event.op(), history.process[event.op()]);
        let Some(before) = last.insert(process, op) else { continue };
        let fault = if history.status[before] == Status::Info {
            if history.has_return[before] {
                "crashed there (type info); its successor needs a new id"
            } else {
                "never returned from it; a process that calls again after a crash needs a new id"
            }
        } else if later(&history.return_time, before, &history.call_time, op) {
            "has not returned from it yet"
        } else {
            continue;
        };
        let process = history.values.show(process);
        let place = match history.line[before] {
            0 => format!("operation {before}"),
            line => format!("operation {before} (line {line})"),
        };
        let advice = if fault.ends_with("a new id") { format!(" ({SUCCESSOR})") } else { String::new() };
        let message = format!("process {process} calls again, but it {fault}: {place}{advice}");
        return Err(Complaint { operation: op, line: history.line[op] as usize, message });
    }
    Ok(())
}

/// Is `a[i]` later than `b[j]`?
fn later(a: &Times, i: usize, b: &Times, j: usize) -> bool {
    match (a, b) {
        (Times::Int(a), Times::Int(b)) => a[i] > b[j],
        _ => a.at(i) > b.at(j),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(builder: &mut Builder, process: i64, call: i64, ret: Option<i64>) -> Record<i64> {
        let process = builder.values.int(process);
        let f = builder.values.text("write");
        let status = if ret.is_some() { Status::Ok } else { Status::Info };
        let null = ValueId::NULL;
        Record { process, f, key: ValueId::ABSENT, value: null, result: null, status, call, ret, line: 0 }
    }

    fn build(operations: &[(i64, i64, Option<i64>)]) -> Result<History, Complaint> {
        let mut builder = Builder::new();
        for &(process, call, ret) in operations {
            let record = record(&mut builder, process, call, ret);
            builder.push(record);
        }
        builder.finish()
    }

    #[test]
    fn a_process_calls_once_at_a_time() {
        assert!(build(&[(0, 0, Some(2)), (0, 2, Some(3)), (1, 1, None)]).is_ok());
        let twice = build(&[(0, 0, Some(2)), (0, 1, Some(3))]).unwrap_err();
        assert_eq!((twice.operation, twice.message.contains("has not returned")), (1, true));
        let crashed = build(&[(0, 0, None), (0, 1, Some(3))]).unwrap_err();
        assert!(crashed.message.contains("needs a new id"), "{crashed}");
    }

    #[test]
    fn nothing_returns_before_its_call() {
        let error = build(&[(0, 5, Some(4))]).unwrap_err();
        assert!(error.message.contains("before it is called"), "{error}");
    }

    #[test]
    fn mixed_times_stay_what_they_are() {
        let mut builder = Builder::new();
        let first = record(&mut builder, 0, 1, Some(2));
        builder.push(first.clone());
        let (call, ret) = (Time::number("1.5").unwrap(), Time::number("1.75").ok());
        let second = Record { process: builder.values.int(1), call, ret, ..widen(&first) };
        builder.push_exact(second);
        let third = record(&mut builder, 2, 3, Some(4));
        builder.push(third);
        let history = builder.finish().unwrap();
        assert_eq!(history.call, vec![0, 1, 4]);
        let times: Vec<String> = (0..3).map(|i| history.call_time.at(i).to_string()).collect();
        assert_eq!(times, ["1", "1.5", "3"]);
    }
}
