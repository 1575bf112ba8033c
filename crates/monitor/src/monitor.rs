//! What has happened so far? Takes calls and returns one by one, and keeps what is still to be judged (`look`) or may still matter.
//!
//! An event costs one look at its operation and one at its key.

use crate::clients::Clients;
use crate::clock::Clock;
use crate::group::{Event, Groups};
use crate::places::grow;
use crate::recent::Recent;
use crate::source::{Asked, Source};
use crate::window::{End, Op};
use linpoint_base::{Cause, room};
use linpoint_history::{ValueId, Values};
use linpoint_spec::{ModelError, Reach, StepError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

pub use crate::window::Outcome;

/// The name of an operation that was called: its place, and how often that was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    place: u32,
    turn: u32,
}

impl Token {
    /// The first operation at this place.
    pub(crate) fn first(place: u32) -> Token {
        Token { place, turn: 0 }
    }

    pub(crate) fn place(self) -> u32 {
        self.place
    }

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
    pub(crate) fn cause(self) -> Cause {
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
    /// Groups that began again after nothing was known of them.
    pub restarts: u64,
    /// Bytes held, roughly.
    pub bytes: u64,
}

/// The monitor.
pub struct Monitor {
    /// The table of all values that events name.
    pub values: Arc<Values>,
    pub(crate) source: Box<dyn Source>,
    pub(crate) all: Vec<Op>,
    pub(crate) turns: Vec<u32>,
    /// How often a place that is new may have been used before it was given back.
    pub(crate) first_turn: u32,
    /// At which event it was last tried to give places back.
    pub(crate) swept: u64,
    pub(crate) free: Vec<u32>,
    pub(crate) groups: Groups,
    /// Does it go on behind a violation, as if the accused operation had not been?
    pub(crate) goes_on: bool,
    /// Does it begin again where nothing is known any more?
    pub(crate) restarts: bool,
    /// How often it did.
    pub(crate) restarted: u64,
    pub(crate) events: u64,
    pub(crate) operations: u64,
    pub(crate) open: u64,
    pub(crate) judged: u64,
    /// The event of the first violation, by its number in the log.
    pub(crate) violation: Option<u64>,
    /// The number that the next event has in the log, if it is not taken in the order of the log.
    pub(crate) came: Option<u64>,
    /// How many events are not in the log.
    pub(crate) unsaid: u64,
    /// What the processes of a log are doing.
    pub(crate) clients: Clients,
    /// What of a log waits for its turn.
    pub(crate) clock: Clock,
    /// What was forgotten last.
    pub(crate) recent: Recent,
    /// How many events the groups keep.
    pub(crate) kept_events: u64,
    /// How many values there were after the table was last compacted.
    kept_values: usize,
}

/// How many monitors there were: the token of another one is not taken for one's own.
static MONITORS: AtomicU32 = AtomicU32::new(0);
/// So many events are waited for, for each group that has any.
const EVENTS_A_GROUP: u64 = 12;
/// The table of values is compacted when there are so many, or a quarter more than were kept if that is more.
const MANY_VALUES: usize = room(1 << 15);
impl Monitor {
    /// Nothing has happened yet.
    pub fn new(source: Box<dyn Source>, values: Values, goes_on: bool) -> Monitor {
        let kept_values = values.len();
        Monitor {
            values: Arc::new(values),
            source,
            all: Vec::new(),
            turns: Vec::new(),
            first_turn: MONITORS.fetch_add(1, Relaxed).wrapping_mul(0x9E37_79B1),
            swept: 0,
            free: Vec::new(),
            groups: Groups::default(),
            goes_on,
            restarts: false,
            restarted: 0,
            events: 0,
            operations: 0,
            open: 0,
            judged: 0,
            violation: None,
            came: None,
            unsaid: 0,
            clients: Clients::default(),
            clock: Clock::default(),
            recent: Recent::default(),
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
        let reach = self.route(Asked { process, f, key, value, result: None })?;
        self.events += 1;
        self.operations += 1;
        self.open += 1;
        let cell = match &reach {
            Reach::Cell(key) => Some(*key),
            Reach::Cells(keys) => Some(keys.first().copied().unwrap_or(ValueId::ABSENT)), // about nothing: not judged
            Reach::All => None,
        };
        let shift = self.shift();
        let (call, end, by, maybe, gone) = (self.events, None, None, false, false);
        let op = Op { process, f, key, value, cell, call, line, end, by, maybe, gone, shift };
        let place = match self.free.pop() {
            Some(place) => {
                self.all[place as usize] = op;
                place
            }
            None => {
                grow(&mut self.all, op);
                grow(&mut self.turns, self.first_turn);
                self.all.len() as u32 - 1
            }
        };
        if reach != Reach::Cells(Box::default()) {
            let group = self.groups.find(&reach, self.events);
            self.groups.wake(group, value); // it is not the only one of its value any more
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
        let (process, f, key, value, cell) = (op.process, op.f, op.key, op.value, op.cell);
        let mut refused = Ok(());
        let outcome = match outcome {
            Outcome::Ok(result) => match self.route(Asked { process, f, key, value, result: Some(result) }) {
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
        self.all[place as usize].end = Some(End { number: self.events, line, outcome, shift: self.shift() });
        let Some(group) = self.groups.of(cell) else {
            self.forget(place);
            return refused;
        };
        if let Outcome::Ok(result) = outcome {
            self.groups.wake(group, result);
        }
        match outcome {
            Outcome::Ok(_) => self.note(group, Event { number: self.events, op: place, is_return: true }),
            Outcome::Fail | Outcome::Info if self.is_given_up(group) => self.forget(place),
            Outcome::Fail | Outcome::Info => self.groups.touch(group),
        }
        refused
    }

    /// The process of an operation that is open is another one from now on: it is not known how the operation ended. No event of the log
    /// tells so, so the number of this one is not counted.
    pub(crate) fn give_up(&mut self, token: Token, line: u32) {
        if self.end(token, Outcome::Info, line).is_ok() {
            self.unsaid += 1;
        }
    }

    /// May events have other numbers than in the log?
    pub fn renumbers(&self) -> bool {
        self.clock.is_set() || self.unsaid > 0
    }

    /// How far the number of the last event is from the one it has in the log.
    fn shift(&self) -> i32 {
        let came = self.came.unwrap_or(self.counted());
        i32::try_from(came as i64 - self.events as i64).unwrap_or_default()
    }

    fn route(&mut self, op: Asked) -> Result<Reach, String> {
        let reach = self.source.route(&op, &mut self.values);
        reach.map_err(|refusal| format!("{:?}: {}", self.values.as_text(op.f).unwrap_or_default(), refusal.0))
    }

    /// Is nothing known of a group, for good?
    fn is_given_up(&self, group: u32) -> bool {
        self.groups.list[group as usize].blind.is_some() && !self.restarts
    }

    /// Adds an event to its group, unless nothing is known of the group any more.
    fn note(&mut self, group: u32, event: Event) {
        if self.is_given_up(group) {
            if event.is_return {
                self.forget(event.op);
            }
            return;
        }
        self.kept_events += 1;
        grow(&mut self.groups.list[group as usize].events, event);
        self.groups.touch(group);
    }

    /// How many events of the log were taken.
    pub(crate) fn counted(&self) -> u64 {
        self.events - self.unsaid
    }

    /// How many events wait to be judged.
    pub fn waiting(&self) -> u64 {
        self.events - self.judged
    }

    /// Have so many events gathered that judging them is worth while? Events that cannot be settled, for an operation called before
    /// them is open, are judged again each time; so there must be half as many new ones. And each group has its own cost.
    pub fn is_ripe(&self, least: u64) -> bool {
        let least = least.max(EVENTS_A_GROUP * self.groups.dirty.len() as u64);
        self.waiting() >= least && 2 * self.waiting() >= self.kept_events - self.groups.asleep.len() as u64
    }

    /// The name, the key and the argument of an operation that is open.
    pub(crate) fn called(&self, token: Token) -> (ValueId, ValueId, ValueId) {
        let op = &self.all[token.place as usize];
        (op.f, op.key, op.value)
    }

    /// The verdict of everything that was judged.
    pub fn standing(&self) -> Standing {
        if let Some(event) = self.violation {
            return Standing::Violation(event);
        }
        self.lost().map_or(Standing::Linearizable, |(event, cause)| Standing::Unknown(event, cause))
    }

    /// Since which event not everything was judged, and why; also behind a violation.
    pub fn lost(&self) -> Option<(u64, Cause)> {
        let lost = self.groups.list.iter().filter_map(|group| group.lost.clone());
        lost.min_by_key(|lost| lost.0)
    }

    /// How much there is. O(groups).
    pub fn counts(&self) -> Counts {
        let list = &self.groups.list;
        let crashed = |event: &Event| {
            let end = self.all[event.op as usize].end;
            !event.is_return && end.is_some_and(|end| end.outcome == Outcome::Info)
        };
        let ops = self.all.capacity() * (size_of::<Op>() + 4) + self.free.capacity() * 4;
        let bytes = ops
            + self.clients.bytes()
            + self.groups.asleep.bytes()
            + self.values.bytes()
            + list.iter().map(|group| group.bytes()).sum::<usize>();
        Counts {
            events: self.counted(),
            operations: self.operations,
            open: self.open,
            crashed: self.groups.asleep.len() as u64
                + list.iter().flat_map(|group| &group.events).filter(|event| crashed(event)).count() as u64,
            kept: self.kept_events,
            groups: self.groups.len() as u64,
            restarts: self.restarted,
            configurations: list.iter().map(|group| group.carries.len() as u64).sum(),
            bytes: bytes as u64,
        }
    }

    /// Compacts the table of values when it has grown.
    pub(crate) fn forget_values(&mut self) {
        if self.values.len() < MANY_VALUES.max(self.kept_values + self.kept_values / 4) {
            return;
        }
        let mut kept = self.source.roots();
        kept.extend(self.clients.iter().map(|(process, _)| process));
        kept.extend(self.clock.ids().map(|id| *id));
        let mut ops: Vec<&mut Op> = self.all.iter_mut().filter(|op| !op.gone).chain(self.recent.iter_mut()).collect();
        ops.iter_mut().for_each(|op| kept.extend(op.ids().map(|id| *id)));
        for group in &self.groups.list {
            kept.extend_from_slice(&group.keys);
            let held = group.carries.iter().flat_map(|carry| carry.held.iter().flatten());
            held.for_each(|held| kept.extend_from_slice(held.values()));
        }
        let renamed = Arc::make_mut(&mut self.values).keep_only(kept.into_iter());
        self.source.rename(&renamed, &self.values);
        ops.into_iter().for_each(|op| op.ids().for_each(|id| renamed.rename(id)));
        self.groups.rename(|id| renamed.rename(id));
        self.clock.ids().for_each(|id| renamed.rename(id));
        self.clients.rename(|id| renamed.rename(id));
        self.kept_values = self.values.len();
    }
}
