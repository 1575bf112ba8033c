//! How does a monitor survive its own end? Everything it keeps, as one line of JSON.
//!
//! The line is plain: names of fields, lists, and values as a log has them; what is usual is left out. Operations are numbered by their places in the list, groups name
//! them by these numbers, `[]` is no value at all and `[x]` the value x. What is saved is a function of the lines read, so a monitor that reads
//! on behind them is the one that was never interrupted. docs/reference/checkpoints.md describes every field; `restore.rs` reads them.
//!
//! Cost: O(what is kept), written in one pass. Not for a user's own model, whose states live in Python.

use crate::clients::Client;
use crate::clock::Clock;
use crate::feed::Feed;
use crate::group::{Carry, Event, Group};
use crate::monitor::Token;
use crate::window::{End, Op, Outcome};
use linpoint_base::Cause;
use linpoint_history::read::stream::Told;
use linpoint_history::{Status, Time, ValueId, Values, write};
use linpoint_spec::Held;
use std::fmt::{Display, Write as _};

/// The version of the form.
pub(crate) const VERSION: u64 = 5;
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
        let groups = monitor.groups.used();
        let whole = groups.iter().position(|&place| Some(place) == monitor.groups.whole);
        let mut clients: Vec<(ValueId, Client)> = monitor.clients.iter().collect();
        clients.sort_unstable_by_key(|(_, client)| client.line());
        let mut writer = Writer { values: &monitor.values, numbers, text: String::from("{") };
        writer.field("version", VERSION);
        if let Some(title) = monitor.source.title(&monitor.values) {
            writer.name("model");
            writer.any(&title);
        }
        writer.field("events", monitor.events);
        writer.field("operations", monitor.operations);
        writer.field("open", monitor.open);
        writer.field("judged", monitor.judged);
        writer.known("violation", monitor.violation);
        if monitor.unsaid > 0 {
            writer.field("unsaid", monitor.unsaid);
        }
        writer.field("restarts", monitor.restarted);
        if let Some(format) = self.stream.format() {
            writer.name("format");
            writer.word(format.name());
        }
        writer.field("line", self.line());
        writer.field("skipped", self.skipped);
        writer.field("event line", self.event_line);
        writer.name("skipped since");
        writer.list(&self.recent, |writer, (line, count)| _ = write!(writer.text, "[{line},{count}]"));
        if self.overlong {
            writer.field("long line", true);
        }
        writer.name("operations kept");
        writer.list(&used, |writer, &place| writer.op(&monitor.all[place]));
        writer.name("recent");
        writer.list(&monitor.recent.iter().collect::<Vec<_>>(), |writer, op| writer.op(op));
        writer.name("groups");
        let mut held = Ok(());
        writer.list(&groups, |writer, &place| {
            if let Err(error) = writer.group(&monitor.groups.list[place as usize], monitor.groups.every_event(place)) {
                held = Err(error);
            }
        });
        held?;
        writer.known("all cells", whole);
        writer.name("processes");
        writer.list(&clients, |writer, (process, client)| writer.client(*process, client));
        writer.clock(&monitor.clock);
        writer.text.push('}');
        Ok(writer.text)
    }
}

/// Writes what is kept.
struct Writer<'a> {
    values: &'a Values,
    /// The number of each operation, by its place.
    numbers: Vec<u32>,
    text: String,
}

impl Writer<'_> {
    /// What comes next is another item, or the first.
    fn next(&mut self) {
        if !self.text.ends_with(['{', '[']) {
            self.text.push(',');
        }
    }

    fn name(&mut self, name: &str) {
        self.next();
        _ = write!(self.text, "\"{name}\":");
    }

    /// A number, or true or false.
    fn plain(&mut self, plain: impl Display) {
        self.next();
        _ = write!(self.text, "{plain}");
    }

    fn field(&mut self, name: &str, plain: impl Display) {
        self.name(name);
        _ = write!(self.text, "{plain}");
    }

    fn known(&mut self, name: &str, plain: Option<impl Display>) {
        plain.into_iter().for_each(|plain| self.field(name, plain));
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.text.push('[');
        for item in items {
            self.next();
            write(self, item);
        }
        self.text.push(']');
    }

    /// A word of ours, which needs no escapes.
    fn word(&mut self, word: &str) {
        _ = write!(self.text, "\"{word}\"");
    }

    /// Any text.
    fn any(&mut self, text: &str) {
        let mut values = Values::new();
        let id = values.text(text);
        write::value_to(&values, id, &mut self.text);
    }

    /// `[]`, or `[x]`.
    fn perhaps(&mut self, value: ValueId) {
        self.text.push('[');
        if value != ValueId::ABSENT {
            write::value_to(self.values, value, &mut self.text);
        }
        self.text.push(']');
    }

    fn op(&mut self, op: &Op) {
        self.text.push('{');
        self.name("process");
        self.perhaps(op.process);
        self.name("f");
        self.perhaps(op.f);
        if op.key != ValueId::ABSENT {
            self.name("key");
            self.perhaps(op.key);
        }
        self.name("value");
        self.perhaps(op.value);
        match op.cell {
            None => self.field("cell", "null"),
            Some(cell) if cell != op.key => {
                self.name("cell");
                self.perhaps(cell);
            }
            Some(_) => {}
        }
        self.field("call", op.call);
        self.field("line", op.line);
        if let Some(End { number, line, outcome, shift }) = op.end {
            self.name("end");
            self.text.push('[');
            self.outcome(outcome);
            self.plain(number);
            self.plain(line);
            if shift != 0 {
                self.plain(shift);
            }
            self.text.push(']');
        }
        if op.shift != 0 {
            self.field("shift", op.shift);
        }
        self.known("effect by", op.by);
        if op.maybe {
            self.field("perhaps before", true);
        }
        self.text.push('}');
    }

    /// How an operation ended, and what it returned: two items.
    fn outcome(&mut self, outcome: Outcome) {
        let (how, result) = match outcome {
            Outcome::Ok(result) => ("ok", result),
            Outcome::Fail => ("fail", ValueId::ABSENT),
            Outcome::Info => ("info", ValueId::ABSENT),
        };
        self.next();
        self.word(how);
        self.next();
        self.perhaps(result);
    }

    fn number_of(&self, place: u32) -> u32 {
        self.numbers[place as usize]
    }

    fn group(&mut self, group: &Group, events: Vec<Event>) -> Result<(), String> {
        self.text.push('{');
        self.name("keys");
        self.list(&group.keys, |writer, &key| writer.perhaps(key));
        self.name("configurations");
        let mut held = Ok(());
        self.list(&group.carries, |writer, carry| {
            if let Err(error) = writer.carry(carry) {
                held = Err(error);
            }
        });
        held?;
        self.name("events");
        self.list(events, |writer, event| {
            let (number, op, is_return) = (event.number, writer.number_of(event.op), event.is_return);
            _ = write!(writer.text, "[{number},{op},{is_return}]");
        });
        if let Some((since, cause)) = &group.lost {
            let (kind, why) = cause_words(cause);
            self.name("unknown");
            self.text.push('[');
            self.plain(since);
            self.next();
            self.word(kind);
            self.next();
            self.any(why);
            self.text.push(']');
        }
        self.known("unknown now", group.blind);
        self.known("known again", group.again);
        self.known("told", Some(group.told).filter(|&told| told > 0));
        let flags = [
            ("changed", group.dirty),
            ("cut", group.cut),
            ("forgot", group.forgot),
            ("forgot crashed", group.forgot_crashed),
            ("by intervals", group.matched),
        ];
        flags.iter().filter(|flag| flag.1).for_each(|flag| self.field(flag.0, true));
        self.text.push('}');
        Ok(())
    }

    fn carry(&mut self, carry: &Carry) -> Result<(), String> {
        let mut held = Ok(());
        self.text.push('[');
        self.list(&carry.held, |writer, cell| {
            if let Err(error) = writer.held(cell.as_ref()) {
                held = Err(error);
            }
        });
        self.next();
        self.list(&carry.done, |writer, &op| writer.plain_here(writer.number_of(op)));
        self.text.push(']');
        held
    }

    /// A number where the comma is written already.
    fn plain_here(&mut self, number: u32) {
        _ = write!(self.text, "{number}");
    }

    fn held(&mut self, held: Option<&Held>) -> Result<(), String> {
        match held {
            None => self.text.push_str("null"),
            Some(Held::Bit(bit)) => _ = write!(self.text, "[\"bit\",{bit}]"),
            Some(Held::Values(ids)) => {
                self.text.push_str("[\"values\",");
                self.list(ids, |writer, &id| writer.perhaps(id));
                self.text.push(']');
            }
            Some(Held::Text(text)) => {
                self.text.push_str("[\"text\",");
                self.any(text);
                self.text.push(']');
            }
            Some(Held::Number(number)) => _ = write!(self.text, "[\"number\",\"{number}\"]"),
            Some(Held::Foreign(_)) => return Err("the states of a model of your own cannot be saved".to_owned()),
        }
        Ok(())
    }

    fn client(&mut self, process: ValueId, client: &Client) {
        self.text.push('[');
        self.perhaps(process);
        self.plain(client.line());
        if let Client::Open(token, _) = client {
            self.token(*token);
        }
        self.text.push(']');
    }

    fn token(&mut self, token: Token) {
        self.plain(self.number_of(token.place()));
    }

    /// What waits for its time, if events are taken in the order of theirs.
    fn clock(&mut self, clock: &Clock) {
        let Some((window, skew)) = clock.spans else { return };
        self.name("clock");
        self.text.push('{');
        self.field("window", window);
        self.field("skew", skew);
        self.time("newest", clock.newest);
        self.time("taken", clock.taken);
        self.field("count", clock.count);
        self.field("refused before", clock.refused_before);
        self.name("refused");
        self.list(&clock.refused, |writer, count| _ = write!(writer.text, "{count}"));
        self.name("held");
        self.list(&clock.held, |writer, ((time, _, count), (line, event))| {
            _ = write!(writer.text, "[\"{time}\",{count},{line}");
            writer.next();
            writer.word(match event.told {
                Told::Call => "call",
                Told::Remark => "remark",
                Told::End(Status::Ok) => "ok",
                Told::End(Status::Fail) => "fail",
                Told::End(Status::Info) => "info",
            });
            for id in [event.process, event.f, event.key, event.value, event.returned] {
                writer.next();
                writer.perhaps(id);
            }
            writer.text.push(']');
        });
        self.name("ends");
        self.list(&clock.ends, |writer, ((time, count), (token, outcome, line))| {
            _ = write!(writer.text, "[\"{time}\",{count},{line}");
            writer.token(*token);
            writer.outcome(*outcome);
            writer.text.push(']');
        });
        self.text.push('}');
    }

    fn time(&mut self, name: &str, time: Option<Time>) {
        if let Some(time) = time {
            self.field(name, format_args!("\"{time}\""));
        }
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
