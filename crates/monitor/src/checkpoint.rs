//! How does a monitor survive its own end? Everything it keeps, as one line of JSON, and back.
//!
//! The line is plain: names of fields, lists, and values as a log has them. Operations are numbered by their places in the list, groups name
//! them by these numbers, `[]` is no value at all and `[x]` the value x. What is saved is a function of the events taken, so a monitor that reads
//! on behind them is the one that was never interrupted. docs/reference/checkpoints.md describes every field.
//!
//! Cost: O(what is kept). Not for a user's own model, whose states live in Python.

use crate::feed::{Client, Feed};
use crate::group::{Carry, Event, Group};
use crate::monitor::{Monitor, Token};
use crate::window::{End, Op, Outcome};
use linpoint_base::Cause;
use linpoint_history::read::{self, Format};
use linpoint_history::{ValueId, Values, write};
use linpoint_spec::Held;

/// The version of the form.
const VERSION: u64 = 2;
/// Of an operation that has no number yet.
const FREE: u32 = u32::MAX;

impl Feed {
    /// Everything that is kept, or why that cannot be said.
    pub fn save(&self) -> Result<String, String> {
        let monitor = &self.monitor;
        let mut numbers = vec![FREE; monitor.all.len()];
        monitor.free.iter().for_each(|&place| numbers[place as usize] = 0);
        let mut used: Vec<usize> = (0..monitor.all.len()).collect();
        used.retain(|&place| numbers[place] == FREE);
        used.iter().enumerate().for_each(|(number, &place)| numbers[place] = number as u32);
        let mut writer = Writer { values: (*monitor.values).clone(), numbers };
        let ops = used.iter().map(|&place| writer.op(&monitor.all[place])).collect();
        let groups = monitor.groups.used();
        let whole = groups.iter().position(|&place| Some(place) == monitor.groups.whole);
        let groups = groups.iter().map(|&place| writer.group(&monitor.groups.list[place as usize]));
        let groups = groups.collect::<Result<_, _>>()?;
        let mut clients: Vec<(ValueId, Client)> = monitor.clients.iter().map(|(&id, &client)| (id, client)).collect();
        clients.sort_unstable_by_key(|(_, client)| client.line());
        let clients = clients.iter().map(|(process, client)| writer.client(*process, client)).collect();
        let format = self.stream.format().map_or(ValueId::NULL, |format| writer.values.text(format.name()));
        let fields = [
            ("version", writer.number(VERSION)),
            ("events", writer.number(monitor.events)),
            ("operations", writer.number(monitor.operations)),
            ("open", writer.number(monitor.open)),
            ("judged", writer.number(monitor.judged)),
            ("violation", writer.some_number(monitor.violation)),
            ("restarts", writer.number(monitor.restarted)),
            ("format", format),
            ("line", writer.number(u64::from(self.line()))),
            ("skipped", writer.number(self.skipped)),
            ("operations kept", writer.list(ops)),
            ("groups", writer.list(groups)),
            ("all cells", writer.some_number(whole.map(|place| place as u64))),
            ("processes", writer.list(clients)),
        ];
        let state = writer.map(&fields);
        Ok(write::value(&writer.values, state))
    }

    /// Goes on from what was saved by a monitor of the same model. Nothing must have happened yet.
    pub fn restore(&mut self, text: &str) -> Result<(), String> {
        let state = read::value(text, self.monitor.table())?;
        let values = self.monitor.values.clone();
        let reader = Reader { values: &values };
        if reader.number(reader.field(state, "version")?)? != VERSION {
            return Err("it is of another version".to_owned());
        }
        let ops = reader.list(reader.field(state, "operations kept")?)?;
        let ops = ops.iter().map(|&op| reader.op(op)).collect::<Result<Vec<Op>, _>>()?;
        let groups = reader.list(reader.field(state, "groups")?)?;
        let groups = groups.iter().map(|&group| reader.group(group, ops.len())).collect::<Result<Vec<Group>, _>>()?;
        let clients = reader.list(reader.field(state, "processes")?)?;
        let clients = clients.iter().map(|&client| reader.client(client, ops.len())).collect::<Result<_, _>>()?;
        let whole = reader.some_number(reader.field(state, "all cells")?)?;
        let monitor = &mut self.monitor;
        monitor.events = reader.number(reader.field(state, "events")?)?;
        monitor.operations = reader.number(reader.field(state, "operations")?)?;
        monitor.open = reader.number(reader.field(state, "open")?)?;
        monitor.judged = reader.number(reader.field(state, "judged")?)?;
        monitor.restarted = reader.number(reader.field(state, "restarts")?)?;
        monitor.violation = reader.some_number(reader.field(state, "violation")?)?;
        monitor.clients = clients;
        monitor.put(ops, groups, whole.map(|place| place as u32))?;
        let format = reader.field(state, "format")?;
        let format = match format {
            ValueId::NULL => None,
            name => Some(Format::from_name(reader.text(name)?).ok_or("it names no format")?),
        };
        self.skipped = reader.number(reader.field(state, "skipped")?)?;
        let line = reader.number(reader.field(state, "line")?)?;
        let line = line.try_into().map_err(|_| "a line has too large a number")?;
        self.stream.go_on(line, format);
        Ok(())
    }
}

/// Makes values of what is kept.
struct Writer {
    values: Values,
    /// The number of each operation, by its place.
    numbers: Vec<u32>,
}

impl Writer {
    fn number(&mut self, number: u64) -> ValueId {
        self.values.int(number as i64)
    }

    fn some_number(&mut self, number: Option<u64>) -> ValueId {
        number.map_or(ValueId::NULL, |number| self.number(number))
    }

    fn list(&mut self, parts: Vec<ValueId>) -> ValueId {
        self.values.list(&parts)
    }

    fn map(&mut self, fields: &[(&str, ValueId)]) -> ValueId {
        let fields: Vec<_> = fields.iter().map(|&(name, value)| (self.values.text(name), value)).collect();
        self.values.map(&fields).expect("the names of fields differ")
    }

    /// `[]`, or `[x]`.
    fn perhaps(&mut self, value: ValueId) -> ValueId {
        let parts: &[ValueId] = if value == ValueId::ABSENT { &[] } else { &[value] };
        self.values.list(parts)
    }

    fn op(&mut self, op: &Op) -> ValueId {
        let end = match op.end {
            None => ValueId::NULL,
            Some(End { number, line, outcome }) => {
                let (how, result) = match outcome {
                    Outcome::Ok(result) => ("ok", self.perhaps(result)),
                    Outcome::Fail => ("fail", ValueId::NULL),
                    Outcome::Info => ("info", ValueId::NULL),
                };
                let parts = vec![self.values.text(how), self.number(number), self.number(u64::from(line)), result];
                self.list(parts)
            }
        };
        let fields = [
            ("process", self.perhaps(op.process)),
            ("f", op.f),
            ("key", self.perhaps(op.key)),
            ("value", self.perhaps(op.value)),
            ("cell", op.cell.map_or(ValueId::NULL, |cell| self.perhaps(cell))),
            ("call", self.number(op.call)),
            ("line", self.number(u64::from(op.line))),
            ("end", end),
            ("effect by", self.some_number(op.by)),
            ("perhaps before", self.values.bool(op.maybe)),
        ];
        self.map(&fields)
    }

    fn op_number(&mut self, place: u32) -> ValueId {
        self.number(u64::from(self.numbers[place as usize]))
    }

    fn group(&mut self, group: &Group) -> Result<ValueId, String> {
        let keys = group.keys.iter().map(|&key| self.perhaps(key)).collect();
        let carries = group.carries.iter().map(|carry| self.carry(carry)).collect::<Result<_, _>>()?;
        let events = group.events.iter().map(|event| {
            let parts = vec![self.number(event.number), self.op_number(event.op), self.values.bool(event.is_return)];
            self.list(parts)
        });
        let events = events.collect();
        let lost = match &group.lost {
            None => ValueId::NULL,
            Some((since, cause)) => {
                let (kind, why) = cause_words(cause);
                let parts = vec![self.number(*since), self.values.text(kind), self.values.text(why)];
                self.list(parts)
            }
        };
        let fields = [
            ("keys", self.list(keys)),
            ("configurations", self.list(carries)),
            ("events", self.list(events)),
            ("unknown", lost),
            ("unknown now", self.some_number(group.blind)),
            ("known again", self.some_number(group.again)),
            ("changed", self.values.bool(group.dirty)),
            ("cut", self.values.bool(group.cut)),
            ("forgot", self.values.bool(group.forgot)),
            ("by intervals", self.values.bool(group.matched)),
        ];
        Ok(self.map(&fields))
    }

    fn carry(&mut self, carry: &Carry) -> Result<ValueId, String> {
        let held = carry.held.iter().map(|held| held.as_ref().map_or(Ok(ValueId::NULL), |held| self.held(held)));
        let held = held.collect::<Result<_, String>>()?;
        let done = carry.done.iter().map(|&op| self.op_number(op)).collect();
        let fields = [("cells", self.list(held)), ("done", self.list(done))];
        Ok(self.map(&fields))
    }

    fn held(&mut self, held: &Held) -> Result<ValueId, String> {
        let (kind, what) = match held {
            Held::Bit(bit) => ("bit", self.values.bool(*bit)),
            Held::Values(ids) => {
                let parts = ids.iter().map(|&id| self.perhaps(id)).collect();
                ("values", self.list(parts))
            }
            Held::Text(text) => ("text", self.values.text(text)),
            Held::Number(number) => ("number", self.values.text(&number.to_string())),
            Held::Foreign(_) => return Err("the states of a model of your own cannot be saved".to_owned()),
        };
        let parts = vec![self.values.text(kind), what];
        Ok(self.list(parts))
    }

    fn client(&mut self, process: ValueId, client: &Client) -> ValueId {
        let parts = match client {
            Client::Open(token, line) => {
                let (process, number) = (self.perhaps(process), self.op_number(token.place()));
                vec![process, self.number(u64::from(*line)), number]
            }
            Client::Crashed(line) => vec![self.perhaps(process), self.number(u64::from(*line)), ValueId::NULL],
        };
        self.list(parts)
    }
}

fn cause_words(cause: &Cause) -> (&'static str, &str) {
    match cause {
        Cause::Time => ("time", ""),
        Cause::Memory => ("memory", ""),
        Cause::Work => ("work", ""),
        Cause::Interrupted | Cause::Moot => ("interrupted", ""),
        Cause::Broken(why) => ("gave up", why),
        Cause::Declined(why) => ("declined", why),
        Cause::Depth(why) => ("depth", why),
        Cause::Incomplete(why) => ("incomplete", why),
    }
}

/// Reads what was saved; whatever does not fit is an error, never a panic.
struct Reader<'a> {
    values: &'a Values,
}

type Read<T> = Result<T, String>;

impl Reader<'_> {
    fn field(&self, map: ValueId, name: &str) -> Read<ValueId> {
        let missing = || format!("it has no field {name:?}");
        let linpoint_history::Value::Map(entries) = self.values.get(map) else { return Err(missing()) };
        let found = entries.iter().find(|entry| self.values.as_text(entry.0) == Some(name));
        found.map(|entry| entry.1).ok_or_else(missing)
    }

    fn number(&self, id: ValueId) -> Read<u64> {
        let number = self.values.as_int(id).and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| "a number is missing".to_owned())
    }

    fn some_number(&self, id: ValueId) -> Read<Option<u64>> {
        if id == ValueId::NULL { Ok(None) } else { self.number(id).map(Some) }
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

    fn op_number(&self, id: ValueId, ops: usize) -> Read<u32> {
        let number = self.number(id)?;
        if number < ops as u64 {
            Ok(number as u32)
        } else {
            Err("it names an operation that it does not have".to_owned())
        }
    }

    fn op(&self, op: ValueId) -> Read<Op> {
        let field = |name: &str| self.field(op, name);
        let end = match field("end")? {
            ValueId::NULL => None,
            end => {
                let &[how, number, line, result] = self.list(end)? else {
                    return Err("an end has four parts".to_owned());
                };
                let outcome = match self.text(how)? {
                    "ok" => Outcome::Ok(self.perhaps(result)?),
                    "fail" => Outcome::Fail,
                    "info" => Outcome::Info,
                    _ => return Err("an end is ok, fail or info".to_owned()),
                };
                Some(End { number: self.number(number)?, line: self.line(line)?, outcome })
            }
        };
        let cell = match field("cell")? {
            ValueId::NULL => None,
            cell => Some(self.perhaps(cell)?),
        };
        Ok(Op {
            process: self.perhaps(field("process")?)?,
            f: field("f")?,
            key: self.perhaps(field("key")?)?,
            value: self.perhaps(field("value")?)?,
            cell,
            call: self.number(field("call")?)?,
            line: self.line(field("line")?)?,
            end,
            by: self.some_number(field("effect by")?)?,
            maybe: self.truth(field("perhaps before")?)?,
        })
    }

    fn group(&self, group: ValueId, ops: usize) -> Read<Group> {
        let field = |name: &str| self.field(group, name);
        let event = |&event: &ValueId| {
            let &[number, op, is_return] = self.list(event)? else { return Err("an event has three parts".to_owned()) };
            let (number, op) = (self.number(number)?, self.op_number(op, ops)?);
            Ok(Event { number, op, is_return: self.truth(is_return)? })
        };
        let lost = match field("unknown")? {
            ValueId::NULL => None,
            lost => {
                let &[since, kind, why] = self.list(lost)? else { return Err("a cause has three parts".to_owned()) };
                Some((self.number(since)?, self.cause(kind, why)?))
            }
        };
        let keys = self.list(field("keys")?)?.iter().map(|&key| self.perhaps(key)).collect::<Read<Vec<_>>>()?;
        let carries = self.list(field("configurations")?)?.iter().map(|&carry| self.carry(carry, keys.len(), ops));
        Ok(Group {
            carries: carries.collect::<Read<_>>()?,
            keys,
            events: self.list(field("events")?)?.iter().map(event).collect::<Read<_>>()?,
            lost,
            blind: self.some_number(field("unknown now")?)?,
            again: self.some_number(field("known again")?)?,
            dirty: self.truth(field("changed")?)?,
            cut: self.truth(field("cut")?)?,
            forgot: self.truth(field("forgot")?)?,
            matched: self.truth(field("by intervals")?)?,
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
        let held = self.list(self.field(carry, "cells")?)?;
        if held.len() != keys {
            return Err("a configuration has a state for each key".to_owned());
        }
        let held = held.iter().map(|&held| if held == ValueId::NULL { Ok(None) } else { self.held(held).map(Some) });
        let done = self.list(self.field(carry, "done")?)?.iter().map(|&op| self.op_number(op, ops));
        Ok(Carry { held: held.collect::<Read<_>>()?, done: done.collect::<Read<_>>()? })
    }

    fn held(&self, held: ValueId) -> Read<Held> {
        let &[kind, what] = self.list(held)? else { return Err("a state has two parts".to_owned()) };
        Ok(match self.text(kind)? {
            "bit" => Held::Bit(self.truth(what)?),
            "values" => Held::Values(self.list(what)?.iter().map(|&id| self.perhaps(id)).collect::<Read<_>>()?),
            "text" => Held::Text(self.text(what)?.to_owned()),
            "number" => Held::Number(self.text(what)?.parse().map_err(|_| "a number is missing")?),
            _ => return Err("it has a state of no kind".to_owned()),
        })
    }

    fn client(&self, client: ValueId, ops: usize) -> Read<(ValueId, Client)> {
        let &[process, line, op] = self.list(client)? else { return Err("a process has three parts".to_owned()) };
        let (process, line) = (self.perhaps(process)?, self.line(line)?);
        Ok((
            process,
            match op {
                ValueId::NULL => Client::Crashed(line),
                op => Client::Open(Token::first(self.op_number(op, ops)?), line),
            },
        ))
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
