//! How does a monitor go on from what was saved? Reads a line of `checkpoint.rs`; whatever does not fit is an error, never a panic.
//!
//! Cost: O(what was saved).

use crate::checkpoint::VERSION;
use crate::clients::Client;
use crate::clock::Clock;
use crate::feed::Feed;
use crate::group::{Carry, Event, Group};
use crate::monitor::{Monitor, Token};
use crate::window::{End, Op, Outcome};
use linpoint_base::Cause;
use linpoint_history::read::stream::{StreamEvent, Told};
use linpoint_history::read::{self, Format};
use linpoint_history::{Status, Time, Value, ValueId, Values};
use linpoint_spec::Held;

type Read<T> = Result<T, String>;

impl Feed {
    /// Goes on from what was saved by a monitor of the same model. Nothing must have happened yet.
    pub fn restore(&mut self, text: &str) -> Read<()> {
        let state = read::value(text, self.monitor.table())?;
        let values = self.monitor.values.clone();
        let reader = Reader { values: &values };
        if reader.number(reader.field(state, "version")?)? != VERSION {
            return Err("it is of another version".to_owned());
        }
        if let (Some(model), Some(title)) =
            (reader.optional(state, "model"), self.monitor.source.title(&self.monitor.values))
            && reader.text(model)? != title
        {
            return Err(format!("it is about a {}, not a {title}", reader.text(model)?));
        }
        let ops = reader.all(reader.field(state, "operations kept")?, |op| reader.op(op))?;
        let groups = reader.all(reader.field(state, "groups")?, |group| reader.group(group, ops.len()))?;
        let recent = match reader.optional(state, "recent") {
            None => Vec::new(),
            Some(recent) => reader.all(recent, |op| reader.op(op))?,
        };
        let clients = reader.all(reader.field(state, "processes")?, |client| reader.client(client, ops.len()))?;
        let clock = reader.clock(state, ops.len())?;
        if clock.spans != self.monitor.clock.spans {
            return Err("it was made with another --reorder or --clock-skew".to_owned());
        }
        let whole = reader.some_number(state, "all cells")?;
        let monitor = &mut self.monitor;
        monitor.clock = clock;
        monitor.events = reader.number(reader.field(state, "events")?)?;
        monitor.operations = reader.number(reader.field(state, "operations")?)?;
        monitor.open = reader.number(reader.field(state, "open")?)?;
        monitor.judged = reader.number(reader.field(state, "judged")?)?;
        monitor.restarted = reader.number(reader.field(state, "restarts")?)?;
        monitor.violation = reader.some_number(state, "violation")?;
        monitor.unsaid = reader.some_number(state, "unsaid")?.unwrap_or(0);
        if monitor.unsaid > monitor.events {
            return Err("it has more events that nothing tells than events".to_owned());
        }
        monitor.recent = recent.into_iter().collect();
        monitor.clients = clients.into_iter().collect();
        monitor.put(ops, groups, whole.map(|place| place as u32))?;
        let format = match reader.optional(state, "format") {
            None => None,
            Some(name) => Some(Format::from_name(reader.text(name)?).ok_or("it names no format")?),
        };
        self.overlong = reader.is(state, "long line")?;
        self.skipped = reader.number(reader.field(state, "skipped")?)?;
        self.event_line = reader.line(reader.field(state, "event line")?)?;
        self.recent = reader.all(reader.field(state, "skipped since")?, |skipped| match *reader.list(skipped)? {
            [line, count] => Ok((reader.line(line)?, reader.number(count)?)),
            _ => Err("lines that were skipped have two parts".to_owned()),
        })?;
        if self.recent.iter().try_fold(0u64, |sum, (_, count)| sum.checked_add(*count)) > Some(self.skipped) {
            return Err("it has more lines that were skipped than it says".to_owned());
        }
        self.stream.go_on(reader.line(reader.field(state, "line")?)?, format);
        Ok(())
    }
}

/// Reads values.
struct Reader<'a> {
    values: &'a Values,
}

impl Reader<'_> {
    fn optional(&self, map: ValueId, name: &str) -> Option<ValueId> {
        let Value::Map(entries) = self.values.get(map) else { return None };
        let found = entries.iter().find(|entry| self.values.as_text(entry.0) == Some(name));
        found.map(|entry| entry.1)
    }

    fn field(&self, map: ValueId, name: &str) -> Read<ValueId> {
        self.optional(map, name).ok_or_else(|| format!("it has no field {name:?}"))
    }

    fn all<T>(&self, list: ValueId, item: impl Fn(ValueId) -> Read<T>) -> Read<Vec<T>> {
        self.list(list)?.iter().map(|&id| item(id)).collect()
    }

    fn number(&self, id: ValueId) -> Read<u64> {
        let number = self.values.as_int(id).and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| "a number is missing".to_owned())
    }

    fn some_number(&self, map: ValueId, name: &str) -> Read<Option<u64>> {
        self.optional(map, name).map(|id| self.number(id)).transpose()
    }

    fn text(&self, id: ValueId) -> Read<&str> {
        self.values.as_text(id).ok_or_else(|| "a text is missing".to_owned())
    }

    fn list(&self, id: ValueId) -> Read<&[ValueId]> {
        self.values.as_list(id).ok_or_else(|| "a list is missing".to_owned())
    }

    fn truth(&self, id: ValueId) -> Read<bool> {
        match id {
            ValueId::TRUE => Ok(true),
            ValueId::FALSE => Ok(false),
            _ => Err("true or false is missing".to_owned()),
        }
    }

    /// Is this said? What is not is false.
    fn is(&self, map: ValueId, name: &str) -> Read<bool> {
        self.optional(map, name).map_or(Ok(false), |id| self.truth(id))
    }

    fn perhaps(&self, id: ValueId) -> Read<ValueId> {
        match self.list(id)? {
            [] => Ok(ValueId::ABSENT),
            &[value] => Ok(value),
            _ => Err("a list of at most one value has more".to_owned()),
        }
    }

    fn line(&self, id: ValueId) -> Read<u32> {
        u32::try_from(self.number(id)?).map_err(|_| "a line has too large a number".to_owned())
    }

    /// How far a number is from the one in the log; not at all if that is not said.
    fn shift(&self, id: Option<ValueId>) -> Read<i32> {
        let Some(id) = id else { return Ok(0) };
        let number = self.values.as_int(id).and_then(|number| i32::try_from(number).ok());
        number.ok_or_else(|| "a small number is missing".to_owned())
    }

    fn op_number(&self, id: ValueId, ops: usize) -> Read<u32> {
        let number = self.number(id)?;
        if number < ops as u64 {
            Ok(number as u32)
        } else {
            Err("it names an operation that it does not have".to_owned())
        }
    }

    fn outcome(&self, how: ValueId, result: ValueId) -> Read<Outcome> {
        Ok(match self.text(how)? {
            "ok" => Outcome::Ok(self.perhaps(result)?),
            "fail" => Outcome::Fail,
            "info" => Outcome::Info,
            _ => return Err("an end is ok, fail or info".to_owned()),
        })
    }

    fn op(&self, op: ValueId) -> Read<Op> {
        let field = |name: &str| self.field(op, name);
        let end = match self.optional(op, "end") {
            None => None,
            Some(end) => {
                let &[how, result, number, line, ref shift @ ..] = self.list(end)? else {
                    return Err("an end has at least four parts".to_owned());
                };
                let (outcome, shift) = (self.outcome(how, result)?, self.shift(shift.first().copied())?);
                Some(End { number: self.number(number)?, line: self.line(line)?, outcome, shift })
            }
        };
        let key = self.optional(op, "key").map_or(Ok(ValueId::ABSENT), |key| self.perhaps(key))?;
        let cell = match self.optional(op, "cell") {
            None => Some(key),
            Some(ValueId::NULL) => None,
            Some(cell) => Some(self.perhaps(cell)?),
        };
        Ok(Op {
            process: self.perhaps(field("process")?)?,
            f: self.perhaps(field("f")?)?,
            key,
            value: self.perhaps(field("value")?)?,
            cell,
            call: self.number(field("call")?)?,
            line: self.line(field("line")?)?,
            end,
            by: self.some_number(op, "effect by")?,
            maybe: self.is(op, "perhaps before")?,
            gone: false,
            shift: self.shift(self.optional(op, "shift"))?,
        })
    }

    fn group(&self, group: ValueId, ops: usize) -> Read<Group> {
        let field = |name: &str| self.field(group, name);
        let event = |event: ValueId| {
            let &[number, op, is_return] = self.list(event)? else { return Err("an event has three parts".to_owned()) };
            let (number, op) = (self.number(number)?, self.op_number(op, ops)?);
            Ok(Event { number, op, is_return: self.truth(is_return)? })
        };
        let lost = match self.optional(group, "unknown") {
            None => None,
            Some(lost) => {
                let &[since, kind, why] = self.list(lost)? else { return Err("a cause has three parts".to_owned()) };
                Some((self.number(since)?, self.cause(kind, why)?))
            }
        };
        let keys = self.all(field("keys")?, |key| self.perhaps(key))?;
        Ok(Group {
            carries: self.all(field("configurations")?, |carry| self.carry(carry, keys.len(), ops))?,
            keys,
            events: self.all(field("events")?, event)?,
            lost,
            blind: self.some_number(group, "unknown now")?,
            again: self.some_number(group, "known again")?,
            told: self.some_number(group, "told")?.unwrap_or(0),
            dirty: self.is(group, "changed")?,
            cut: self.is(group, "cut")?,
            forgot: self.is(group, "forgot")?,
            forgot_crashed: self.is(group, "forgot crashed")?,
            matched: self.is(group, "by intervals")?,
        })
    }

    fn cause(&self, kind: ValueId, why: ValueId) -> Read<Cause> {
        let why = self.text(why)?.to_owned();
        Ok(match self.text(kind)? {
            "time" => Cause::Time,
            "memory" => Cause::Memory,
            "work" => Cause::Work,
            "interrupted" => Cause::Interrupted,
            "gave up" => Cause::Broken(why),
            "declined" => Cause::Declined(why),
            "depth" => Cause::Depth(why),
            "incomplete" => Cause::Incomplete(why),
            _ => return Err("it names no cause".to_owned()),
        })
    }

    fn carry(&self, carry: ValueId, keys: usize, ops: usize) -> Read<Carry> {
        let &[held, done] = self.list(carry)? else { return Err("a configuration has two parts".to_owned()) };
        let held = self.all(held, |held| if held == ValueId::NULL { Ok(None) } else { self.held(held).map(Some) })?;
        if held.len() != keys {
            return Err("a configuration has a state for each key".to_owned());
        }
        Ok(Carry { held, done: self.all(done, |op| self.op_number(op, ops))? })
    }

    fn held(&self, held: ValueId) -> Read<Held> {
        let &[kind, what] = self.list(held)? else { return Err("a state has two parts".to_owned()) };
        Ok(match self.text(kind)? {
            "bit" => Held::Bit(self.truth(what)?),
            "values" => Held::Values(self.all(what, |id| self.perhaps(id))?),
            "text" => Held::Text(self.text(what)?.to_owned()),
            "number" => Held::Number(self.text(what)?.parse().map_err(|_| "a number is missing")?),
            _ => return Err("it has a state of no kind".to_owned()),
        })
    }

    fn client(&self, client: ValueId, ops: usize) -> Read<(ValueId, Client)> {
        Ok(match *self.list(client)? {
            [process, line] => (self.perhaps(process)?, Client::Crashed(self.line(line)?)),
            [process, line, op] => {
                let token = Token::first(self.op_number(op, ops)?);
                (self.perhaps(process)?, Client::Open(token, self.line(line)?))
            }
            _ => return Err("a process has two parts or three".to_owned()),
        })
    }

    fn time(&self, id: ValueId) -> Read<Time> {
        Time::number(self.text(id)?)
    }

    fn some_time(&self, map: ValueId, name: &str) -> Read<Option<Time>> {
        self.optional(map, name).map(|id| self.time(id)).transpose()
    }

    fn clock(&self, state: ValueId, ops: usize) -> Read<Clock> {
        let Some(clock) = self.optional(state, "clock") else { return Ok(Clock::default()) };
        let number = |name: &str| self.number(self.field(clock, name)?);
        let span = |name: &str| number(name)?.try_into().map_err(|_| "a span of time is too long".to_owned());
        let held = self.all(self.field(clock, "held")?, |held| {
            let &[time, count, line, told, process, f, key, value, returned] = self.list(held)? else {
                return Err("an event that waits has nine parts".to_owned());
            };
            let told = match self.text(told)? {
                "call" => Told::Call,
                "remark" => Told::Remark,
                "ok" => Told::End(Status::Ok),
                "fail" => Told::End(Status::Fail),
                "info" => Told::End(Status::Info),
                _ => return Err("an event that waits is of no kind".to_owned()),
            };
            let time = self.time(time)?;
            let [process, f, key] = [self.perhaps(process)?, self.perhaps(f)?, self.perhaps(key)?];
            let [value, returned] = [self.perhaps(value)?, self.perhaps(returned)?];
            let event = StreamEvent { told, process, f, key, value, returned, time: Some(time) };
            Ok(((time, told != Told::Call, self.number(count)?), (self.line(line)?, event)))
        })?;
        let ends = self.all(self.field(clock, "ends")?, |end| {
            let &[time, count, line, op, how, result] = self.list(end)? else {
                return Err("an end that waits has six parts".to_owned());
            };
            let end = (Token::first(self.op_number(op, ops)?), self.outcome(how, result)?, self.line(line)?);
            Ok(((self.time(time)?, self.number(count)?), end))
        })?;
        Ok(Clock {
            spans: Some((span("window")?, span("skew")?)),
            held: held.into_iter().collect(),
            newest: self.some_time(clock, "newest")?,
            taken: self.some_time(clock, "taken")?,
            ends: ends.into_iter().collect(),
            count: number("count")?,
            refused: self.all(self.field(clock, "refused")?, |count| self.number(count))?,
            refused_before: number("refused before")?,
        })
    }
}

impl Monitor {
    /// Takes over operations and groups that were saved.
    fn put(&mut self, ops: Vec<Op>, groups: Vec<Group>, whole: Option<u32>) -> Result<(), String> {
        if whole.is_some_and(|whole| whole as usize >= groups.len()) {
            return Err("it names a group that it does not have".to_owned());
        }
        self.kept_events = groups.iter().map(|group| group.events.len() as u64).sum();
        self.turns = vec![0; ops.len()];
        self.all = ops;
        self.groups.put(groups, whole);
        Ok(())
    }
}
