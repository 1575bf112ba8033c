//! linpoint's own format: one JSON object a line, an operation each; or an array of them, laid out as one likes.
//!
//! ```json
//! {"process":0,"f":"cas","value":[1,2],"result":true,"call":10,"return":17}
//! {"process":1,"f":"write","value":3,"call":11,"return":null}
//! ```
//!
//! | field | value | if it is missing |
//! |---|---|---|
//! | `process` | who called: an integer or a text; a process calls again only after it returned | an error |
//! | `f` | the name of the operation, a text | an error |
//! | `value` | its argument, any JSON value | `null` |
//! | `result` | what it returned, any JSON value; only an `ok` has one | `null` |
//! | `call` | the time of its call: a number, or ISO 8601 in quotes | an error |
//! | `return` | the time of its return; `null` if it never returned | it never returned |
//! | `key` | the object or key it is about; `null` is no key | no key |
//! | `type` | `ok`: it took effect; `fail`: it did not; `info`: not known which | `ok` with a `return`, else `info` |
//!
//! Times are numbers of any size with at most 36 digits, compared exactly, or ISO 8601 texts, which count as seconds since
//! 1970; only their order counts, and on a tie calls come before returns. An operation that is `ok` or `fail` needs a `return`;
//! one that is `info` may have one (when the client gave up), but may take effect later all the same.
//!
//! Fields that mean nothing here are kept in `extra`, an object: `"extra":{"node":"n1"}`. An unknown field beside the known
//! ones is kept there too, unless it resembles a known one that is missing ([`super::lookalike`]). (Older files say
//! `extra:call` where such a field has the name of a known one. The `result` of an operation that is not `ok` is such a field.)
//!
//! Two other kinds of lines: `{"object":"queue"}` names the kind of object, and
//! `{"annotation":{…},"after":12}` is a remark that belongs after the first 12 events. Blank
//! lines and lines that start with `#` or `//` are skipped. JSON lacks maps with other keys than texts;
//! they are written `{"#map":[[key,value],…]}`. NaN and infinities are no values.
//!
//! Costs one pass over the bytes; a line allocates nothing unless it holds a new value, a map or an escape.

use super::Options;
use super::cursor::{Cursor, Quoted, Read, fault};
use super::entry::{EXTRAS, MOST_FIELDS, named_entries};
use super::json::{Json, twice};
use super::meter::{Meter, Watch};
use super::names::Names;
use super::number::{Written, written};
use super::pieces::{self, Cut};
use super::row::{FIELDS, Field, Line, Moment, found, operation, refuse_lookalikes};
use super::sniff;
use crate::time::Clock;
use crate::{Builder, Status, Time, Value, ValueId, Values};

/// The lines of a file, or of a piece of it.
pub(super) struct Lines<'a> {
    json: Json<'a>,
    /// Do the operations stand in an array, over any number of lines?
    array: bool,
    names: Names<'a, Field>,
    /// The extra fields of the line.
    extra: Vec<(ValueId, ValueId)>,
    /// Where the names of unknown fields stand.
    places: Vec<(ValueId, usize)>,
    pub clock: Clock,
    options: &'a Options,
}

/// Reads all lines: those of a long file in pieces, by several threads.
pub(super) fn read<'a>(text: &'a str, options: &'a Options, meter: &'a Meter<'_>) -> Read<Builder> {
    if !sniff::is_array(text) {
        return pieces::read(text, options, meter, &Cut::usual(text));
    }
    let mut builder = Builder::new();
    let json = Json::native_array(text).watched(meter);
    let mut lines = Lines { array: true, ..Lines::new(json, options) };
    if lines.json.next_line() {
        lines.json.cursor.at += 1;
        lines.json.spaces();
        if !lines.json.cursor.eat(b']') {
            lines.read(&mut builder, meter)?;
        }
    }
    if lines.json.next_line() {
        return Err(lines.json.cursor.expected("the end of the file after the array"));
    }
    Ok(builder)
}

impl<'a> Lines<'a> {
    fn new(json: Json<'a>, options: &'a Options) -> Self {
        let (names, extra, places, clock) = (Names::new(), Vec::new(), Vec::new(), Clock::default());
        Lines { json, array: false, names, extra, places, clock, options }
    }

    /// The lines that a cursor has before it.
    pub fn from(cursor: Cursor<'a>, options: &'a Options, watch: &'a dyn Watch) -> Self {
        Lines::new(Json::native_at(cursor).watched(watch), options)
    }

    /// Reads all lines.
    pub fn read_all(&mut self, builder: &mut Builder, watch: &dyn Watch) -> Read<()> {
        if self.json.next_line() { self.read(builder, watch) } else { Ok(()) }
    }

    /// Reads the operation that the cursor stands on, and all that follow.
    fn read(&mut self, builder: &mut Builder, watch: &dyn Watch) -> Read<()> {
        loop {
            let mut line = self.next(&mut builder.values)?;
            line.lasted(&builder.values, self.clock.is_dated()).map_err(|message| fault(line.at, message))?;
            if line.like & !line.seen != 0 {
                refuse_lookalikes(&line, &self.extra, &self.places, &builder.values)?;
            }
            operation(&line, &mut self.extra, self.options, builder)?;
            watch.hold(builder);
            let more = if self.array { self.json.another(b']')? } else { self.json.next_line() };
            if !more {
                return Ok(());
            }
        }
    }

    /// Reads the fields of one line.
    fn next(&mut self, values: &mut Values) -> Read<Line> {
        let mut line = Line::new(self.json.cursor.at, self.json.cursor.line());
        self.extra.clear();
        self.places.clear();
        let mut more = self.json.open_object()?;
        let mut place = 0;
        while more {
            let at = self.json.cursor.at;
            match self.field(values, place)? {
                Field::Known(field) if line.seen & 1 << field != 0 => return Err(twice(at, FIELDS[field as usize])),
                Field::Known(field) => {
                    line.seen |= 1 << field;
                    line.read(field, &mut self.json, &mut self.clock, values, self.options)?;
                }
                Field::Extras => self.keep_all(values, at)?,
                Field::Duration(name) => {
                    line.duration = self.json.value(values)?;
                    self.keep(values, name, line.duration, at)?;
                }
                Field::Extra(name, like) => {
                    let value = self.json.value(values)?;
                    self.keep(values, name, value, at)?;
                    self.places.push((name, at));
                    line.like |= like;
                }
            }
            place += 1;
            more = self.json.another(b'}')?;
        }
        self.json.spaces();
        match self.json.cursor.peek() {
            _ if self.array => Ok(line),
            None | Some(b'\n') => Ok(line),
            Some(_) => Err(self.json.cursor.expected("the end of the line after the object")),
        }
    }

    /// What the name of the `place`-th field means.
    #[inline]
    fn field(&mut self, values: &mut Values, place: usize) -> Read<Field> {
        let start = self.json.cursor.at;
        if let Some(field) = self.names.step(place, &mut self.json.cursor) {
            self.json.spaces();
            return Ok(field);
        }
        let name = self.json.field()?;
        let field = Field::named(values, self.options.renamed(&name));
        self.names.learn(place, start, &self.json.cursor, field);
        Ok(field)
    }

    /// Keeps the fields of `extra`; if it is no object, it is a field of that name itself.
    fn keep_all(&mut self, values: &mut Values, at: usize) -> Read<()> {
        let all = self.json.value(values)?;
        match named_entries(values, all) {
            Some(entries) => entries.into_iter().try_for_each(|(name, value)| self.keep(values, name, value, at)),
            None => {
                let name = values.text(EXTRAS);
                self.keep(values, name, all, at)
            }
        }
    }

    /// Keeps a field that means nothing here.
    fn keep(&mut self, values: &Values, name: ValueId, value: ValueId, at: usize) -> Read<()> {
        if self.extra.iter().any(|e| e.0 == name) {
            return Err(twice(at, values.as_text(name).unwrap_or_default()));
        }
        if self.extra.len() == MOST_FIELDS {
            return Err(fault(at, format!("too many fields: expected at most {MOST_FIELDS}")));
        }
        self.extra.push((name, value));
        Ok(())
    }
}

impl Line {
    /// Reads the value of the field `FIELDS[field]`.
    #[inline]
    fn read(
        &mut self,
        field: u8,
        json: &mut Json<'_>,
        clock: &mut Clock,
        values: &mut Values,
        options: &Options,
    ) -> Read<()> {
        match field {
            0 => self.process = process(json, values)?,
            1 => self.f = f(json, values)?,
            2 => self.value = json.value(values)?,
            3 => self.result = json.value(values)?,
            4 => self.call = time(json, clock)?,
            5 => self.ret = if json.cursor.eat_word("null") { Moment::None } else { time(json, clock)? },
            6 => {
                let key = json.value(values)?;
                self.key = if key == ValueId::NULL { ValueId::ABSENT } else { key };
            }
            _ => self.kind = kind(json, options)?,
        }
        Ok(())
    }
}

fn process(json: &mut Json<'_>, values: &mut Values) -> Read<ValueId> {
    let at = json.cursor.at;
    let id = json.value(values)?;
    match values.get(id) {
        Value::Int(_) | Value::Big(_) | Value::Text(_) => Ok(id),
        _ => Err(found(at, "a process: an integer or a text", values, id)),
    }
}

fn f(json: &mut Json<'_>, values: &mut Values) -> Read<ValueId> {
    match json.cursor.peek() {
        Some(b'"') => Ok(values.text(&json.text()?)),
        _ => Err(json.cursor.expected("the name of an operation in double quotes")),
    }
}

fn time(json: &mut Json<'_>, clock: &mut Clock) -> Read<Moment> {
    let at = json.cursor.at;
    match json.cursor.peek() {
        Some(b'-' | b'0'..=b'9') => match written(&mut json.cursor)? {
            Written::Small(time) => return Ok(Moment::Int(time)),
            Written::Whole(text) => match text.parse() {
                Ok(time) => return Ok(Moment::Int(time)),
                Err(_) => Time::number(text),
            },
            Written::Fraction(text) => Time::number(text),
        },
        Some(b'"') => clock.read(&json.text()?),
        _ => return Err(json.cursor.expected("a time: a number or ISO 8601 in double quotes")),
    }
    .map(Moment::Exact)
    .map_err(|message| fault(at, message))
}

fn kind(json: &mut Json<'_>, options: &Options) -> Read<Option<Status>> {
    let at = json.cursor.at;
    if json.cursor.eat_word("null") {
        return Ok(None);
    }
    if json.cursor.peek() != Some(b'"') {
        return Err(json.cursor.expected("a type in double quotes: ok, fail or info"));
    }
    match options.kind(&json.text()?) {
        "ok" => Ok(Some(Status::Ok)),
        "fail" => Ok(Some(Status::Fail)),
        "info" => Ok(Some(Status::Info)),
        "invoke" => Err(fault(
            at,
            "type invoke in a line of an operation: expected ok, fail or info (events are format jepsen-json)",
        )),
        other => Err(fault(at, format!("unknown type {}: expected ok, fail or info", Quoted(other)))),
    }
}
