//! Was a value returned that no operation can have supplied by then? One scan, before any search.
//!
//! A search excludes a value that was never added only after it has tried every order of everything before it: 48 pushes
//! and pops of a stack that overlap can take all memory there is. Counting tells at once. Say that an operation *supplies*
//! v if it may leave v behind (add, write, a change to v), *uses v up* if it takes v away (remove, a change from v), and
//! *sees* v if it finds v there (peek, read). At the return of an operation that found v:
//!
//! ```text
//!   push 1   |-----|                  supplies 1: counted from its call on, for it may have taken effect
//!   push 2      |-----|
//!   pop → 1        |-----|            uses 1 up: counted at its return, for it has taken effect
//!   pop → 1            |-----|        two were used up, one was supplied: a violation
//! ```
//!
//! - used up by now, this one included > held at first + supplied by calls before now, or
//! - for one that only sees v: used up by returns before its call ≥ held at first + supplied by calls before its return
//!
//! is a violation, whatever else happened: every use ends one stay of v, and every stay begins with a supply. Pending
//! operations may supply and need not use up. The conflict is the operation and all that supplied or used up v by then; any
//! other operations may be added to it.
//!
//! Cost: O(n) time; 4 bytes per operation and some 50 per distinct operation. It only ever says "no"; declines where it finds nothing, and where an operation may do
//! what no role tells.

use crate::methods::Method;
use crate::numbering::Numbering;
use crate::outcome::{Answer, Evidence, Stuck, Verdict};
use crate::settings::Settings;
use linpoint_base::{Account, Cause, Control};
use linpoint_spec::{Code, Part, Role, StepError};

/// The scan as a method.
pub struct SupplyScan;

impl Method for SupplyScan {
    fn name(&self) -> &'static str {
        "supply-scan"
    }

    fn help(&self) -> &'static str {
        "a value that was returned before enough operations can have added or written it, in O(n), without a search; \
         declines if there is none"
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        match part.codes.iter().any(|&code| part.spec.role(code) != Role::Other) {
            true => Ok(()),
            false => Err("its operations do not tell what they do to which value".to_owned()),
        }
    }

    fn run(&self, part: &Part, _: &Settings, control: &Control) -> Result<Answer, StepError> {
        Ok(match conflict(part, &mut Account::alone(control)) {
            Ok(Some(operations)) => {
                let why = "a value was returned that no operation can have supplied by then".to_owned();
                let evidence = Evidence::Conflict { operations, stuck: Stuck::default() };
                Answer { evidence, why, ..Answer::bare(Verdict::Violation, self.name()) }
            }
            Ok(None) => Answer::bare(Verdict::Unknown(declined(SUPPLIED)), self.name()),
            Err(cause) => Answer::bare(Verdict::Unknown(cause), self.name()),
        })
    }
}

const SUPPLIED: &str = "every value that was returned can have been supplied";
const UNTOLD: &str = "an operation may do what no role tells";

fn declined(why: &str) -> Cause {
    Cause::Declined(why.to_owned())
}

/// What an operation does to values: which one it supplies, and which one it uses up or sees.
#[derive(Clone, Copy, Default)]
struct Effect {
    supplies: Option<u32>,
    finds: Option<u32>,
    uses_up: bool,
}

impl Effect {
    /// None where the role does not tell.
    fn of(part: &Part, code: Code) -> Option<Effect> {
        let finds = |value, uses_up, supplies| Effect { supplies, finds: Some(value), uses_up };
        Some(match part.spec.role(code) {
            Role::Add(value) | Role::Write(value) | Role::ChangeIf(_, value) => {
                Effect { supplies: Some(value), ..Effect::default() }
            }
            Role::Remove(value) => finds(value, true, None),
            Role::Change(from, to) => finds(from, true, Some(to)),
            Role::Peek(value) | Role::Read(value) => finds(value, false, None),
            Role::RemoveUnknown | Role::Empty | Role::Nothing => Effect::default(),
            Role::Other if part.spec.read_only(code) => Effect::default(),
            Role::Other => return None,
        })
    }
}

/// The effect of every operation: told once per distinct code, for a history has few of them or asks for each only once.
struct Effects {
    codes: Numbering,
    effects: Vec<Effect>,
}

impl Effects {
    /// Err if the role of an operation does not tell.
    fn new(part: &Part) -> Result<Effects, Cause> {
        let largest = part.codes.iter().copied().max().unwrap_or(0);
        let mut codes = Numbering::new(part.ops.len(), largest);
        let mut effects = Vec::new();
        for &code in &part.codes {
            if codes.of(code) as usize == effects.len() {
                effects.push(Effect::of(part, code).ok_or_else(|| declined(UNTOLD))?);
            }
        }
        Ok(Effects { codes, effects })
    }

    fn of(&mut self, code: Code) -> Effect {
        self.effects[self.codes.of(code) as usize]
    }

    fn bytes(&self) -> usize {
        self.codes.bytes() + self.effects.capacity() * size_of::<Effect>()
    }

    /// The largest value that is supplied or found.
    fn largest_value(&self) -> u32 {
        self.effects.iter().filter_map(|effect| effect.finds.max(effect.supplies)).max().unwrap_or(0)
    }
}

/// How often a value was supplied, and used up, so far.
#[derive(Clone, Copy, Default)]
struct Tally {
    supplied: u32,
    used_up: u32,
}

/// The tallies of all values.
struct Tallies {
    numbering: Numbering,
    tallies: Vec<Tally>,
}

impl Tallies {
    /// What is held at first is supplied once each.
    fn new(part: &Part, largest_value: u32) -> Tallies {
        let contents = part.spec.contents();
        let largest = contents.iter().copied().max().unwrap_or(0).max(largest_value);
        let mut tallies = Tallies { numbering: Numbering::new(part.ops.len(), largest), tallies: Vec::new() };
        for value in contents {
            tallies.of(value).supplied += 1;
        }
        tallies
    }

    /// With so many values.
    fn bytes(&self, values: usize) -> usize {
        self.numbering.bytes() + values * size_of::<Tally>()
    }

    fn of(&mut self, value: u32) -> &mut Tally {
        let number = self.numbering.of(value) as usize;
        if number == self.tallies.len() {
            self.tallies.push(Tally::default());
        }
        &mut self.tallies[number]
    }
}

/// Operations of the history that are a violation by themselves, if the scan finds some; or why it cannot tell.
fn conflict(part: &Part, account: &mut Account<'_>) -> Result<Option<Vec<u32>>, Cause> {
    let mut effects = Effects::new(part)?;
    let mut tallies = Tallies::new(part, effects.largest_value());
    let mut used_before = vec![0; part.ops.len()]; // by calls: how much of what it finds was used up before
    if let Some(cause) =
        account.poll(effects.bytes() + tallies.bytes(2 * effects.effects.len()) + 4 * part.ops.len(), 0)
    {
        return Err(cause);
    }
    for (place, event) in part.events.iter().enumerate() {
        let op = event.op();
        let effect = effects.of(part.codes[op]);
        if !event.is_return() {
            used_before[op] = effect.finds.map_or(0, |value| tallies.of(value).used_up);
            if let Some(value) = effect.supplies {
                tallies.of(value).supplied += 1;
            }
            continue;
        }
        let Some(value) = effect.finds else { continue };
        let tally = tallies.of(value);
        tally.used_up += u32::from(effect.uses_up);
        let is_short = if effect.uses_up { tally.used_up > tally.supplied } else { used_before[op] >= tally.supplied };
        if is_short {
            return Ok(Some(about(part, &mut effects, value, place)));
        }
    }
    Ok(None)
}

/// The operation that returns at `place`, and all that supplied or used up its value by then: by its return, if it uses the
/// value up itself, otherwise what was used up by its call.
fn about(part: &Part, effects: &mut Effects, value: u32, place: usize) -> Vec<u32> {
    let accused = part.events[place].op();
    let uses_up = effects.of(part.codes[accused]).uses_up;
    let call = part.events.iter().position(|event| event.op() == accused).unwrap_or(place);
    let mut ops = vec![accused];
    for (at, event) in part.events[..place].iter().enumerate() {
        let effect = effects.of(part.codes[event.op()]);
        let supplies = !event.is_return() && effect.supplies == Some(value);
        let used_up = event.is_return() && effect.uses_up && effect.finds == Some(value) && (uses_up || at < call);
        if supplies || used_up {
            ops.push(event.op());
        }
    }
    ops.sort_unstable();
    ops.dedup();
    ops.into_iter().map(|op| part.ops[op]).collect()
}
