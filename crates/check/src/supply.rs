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
//! Cost: O(n) time; 8 bytes per operation and some 40 per distinct operation. It only ever says "no"; declines where it finds nothing, and where an operation may do
//! what no role tells.

use crate::methods::Method;
use crate::numbering::Numbering;
use crate::outcome::{Answer, Evidence, Stuck, Verdict};
use crate::ranks::NONE;
use crate::settings::Settings;
use hashbrown::HashSet;
use linpoint_base::{Account, Cause, Control, Hashing};
use linpoint_spec::{Code, Part, Role, Shape, StepError};

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
        let tells = |&code: &Code| part.spec.role(code) != Role::Other || part.spec.effects(code).is_some();
        match part.spec.shape() != Shape::Permits && part.codes.iter().any(tells) {
            true => Ok(()),
            false => Err("its operations do not tell what they do to which value".to_owned()),
        }
    }

    fn run(&self, part: &Part, _: &Settings, control: &Control) -> Result<Answer, StepError> {
        let find = if part.spec.shape() == Shape::Other && part.spec.cells().len() > 1 { in_cells } else { conflict };
        Ok(match find(part, &mut Account::alone(control)) {
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

/// How many events are looked at between two looks at the budget.
const BETWEEN_LOOKS: usize = 4096;

const SUPPLIED: &str = "every value that was returned can have been supplied";
const UNTOLD: &str = "an operation may do what no role tells";

fn declined(why: &str) -> Cause {
    Cause::Declined(why.to_owned())
}

/// What an operation does to values: which one it supplies, and which one it uses up or sees. Values are places in the
/// tallies, [`NONE`] is no value.
#[derive(Clone, Copy)]
struct Effect {
    supplies: u32,
    finds: u32,
    uses_up: bool,
}

impl Effect {
    /// None where the role does not tell.
    fn of(part: &Part, code: Code) -> Option<Effect> {
        match part.spec.role(code) {
            Role::Other if part.spec.read_only(code) => Some(Effect { supplies: NONE, finds: NONE, uses_up: false }),
            role => Effect::told(role),
        }
    }

    fn told(role: Role) -> Option<Effect> {
        let effect = |supplies, finds, uses_up| Effect { supplies, finds, uses_up };
        Some(match role {
            Role::Add(value) | Role::Write(value) => effect(value, NONE, false),
            Role::ChangeIf(_, value) | Role::ChangeNot(_, value) => effect(value, NONE, false),
            Role::Remove(value) => effect(NONE, value, true),
            Role::Change(from, to) => effect(to, from, true),
            Role::Peek(value) | Role::Read(value) => effect(NONE, value, false),
            Role::RemoveUnknown | Role::Empty | Role::Absent(_) | Role::ReadNot(_) | Role::Nothing => {
                effect(NONE, NONE, false)
            }
            Role::Other => return None,
        })
    }
}

/// How often a value was supplied, and used up, so far.
#[derive(Clone, Copy, Default)]
struct Tally {
    supplied: u32,
    used_up: u32,
}

/// The effects of a part: each is asked for once per distinct code, for a history has few of them or asks for each only once.
struct Effects {
    /// The place of each operation's effect.
    of: Vec<u32>,
    effects: Vec<Effect>,
    /// What is held at first is supplied once each.
    tallies: Vec<Tally>,
}

impl Effects {
    /// Err if the role of an operation does not tell, or there is no room.
    fn new(part: &Part, account: &mut Account<'_>) -> Result<Effects, Cause> {
        let count = part.ops.len();
        let mut codes = Numbering::new(count, part.codes.iter().copied().max().unwrap_or(0));
        let (mut of, mut effects) = (Vec::with_capacity(count), Vec::new());
        for &code in &part.codes {
            let place = codes.of(code);
            if place as usize == effects.len() {
                effects.push(Effect::of(part, code).ok_or_else(|| declined(UNTOLD))?);
            }
            of.push(place);
        }
        let contents = part.spec.contents();
        let told = effects.iter().flat_map(|effect| [effect.supplies, effect.finds]).filter(|&value| value != NONE);
        let largest = contents.iter().copied().chain(told).max().unwrap_or(0);
        let mut values = Numbering::new(count, largest);
        for value in effects.iter_mut().flat_map(|effect| [&mut effect.supplies, &mut effect.finds]) {
            if *value != NONE {
                *value = values.of(*value);
            }
        }
        let held: Vec<u32> = contents.into_iter().map(|value| values.of(value)).collect();
        let kept = 4 * count + effects.capacity() * size_of::<Effect>() + values.len() * size_of::<Tally>();
        let passing = (codes.bytes() + values.bytes()).max(4 * count); // tables of numbers, then `used_before`
        if let Some(cause) = account.poll(kept + passing, 0) {
            return Err(cause);
        }
        let mut tallies = vec![Tally::default(); values.len()];
        held.into_iter().for_each(|value| tallies[value as usize].supplied += 1);
        Ok(Effects { of, effects, tallies })
    }

    fn of(&self, op: usize) -> Effect {
        self.effects[self.of[op] as usize]
    }
}

/// Operations of the history that are a violation by themselves, if the scan finds some; or why it cannot tell.
fn conflict(part: &Part, account: &mut Account<'_>) -> Result<Option<Vec<u32>>, Cause> {
    let mut effects = Effects::new(part, account)?;
    let mut used_before = vec![0; part.ops.len()]; // by calls: how much of what it finds was used up before
    for (place, event) in part.events.iter().enumerate() {
        let op = event.op();
        let Effect { supplies, finds, uses_up } = effects.of(op);
        if !event.is_return() {
            if finds != NONE {
                used_before[op] = effects.tallies[finds as usize].used_up;
            }
            if supplies != NONE {
                effects.tallies[supplies as usize].supplied += 1;
            }
        } else if finds != NONE {
            let tally = &mut effects.tallies[finds as usize];
            tally.used_up += u32::from(uses_up);
            let is_short = if uses_up { tally.used_up > tally.supplied } else { used_before[op] >= tally.supplied };
            if is_short {
                return Ok(Some(about(part, &effects, finds, place)));
            }
        }
    }
    Ok(None)
}

/// The same where operations are about several cells at once: one that found a value in a cell in which nothing can have left it by then.
fn in_cells(part: &Part, account: &mut Account<'_>) -> Result<Option<Vec<u32>>, Cause> {
    let mut supplied: HashSet<(u32, u32), Hashing> = HashSet::default();
    for cell in 0..part.spec.cells().len() as u32 {
        supplied.extend(part.spec.contents_of(cell).into_iter().map(|value| (cell, value)));
    }
    for (place, event) in part.events.iter().enumerate() {
        if place % BETWEEN_LOOKS == 0
            && let Some(cause) = account.poll(supplied.allocation_size(), 0)
        {
            return Err(cause);
        }
        let code = part.codes[event.op()];
        let Some(effects) = part.spec.effects(code) else {
            match part.spec.read_only(code) {
                true => continue,
                false => return Err(declined(UNTOLD)),
            }
        };
        for (cell, role) in effects {
            let Effect { supplies, finds, .. } = Effect::told(role).ok_or_else(|| declined(UNTOLD))?;
            if event.is_return() && finds != NONE && !supplied.contains(&(cell, finds)) {
                return Ok(Some(vec![part.ops[event.op()]]));
            }
            if !event.is_return() && supplies != NONE {
                supplied.insert((cell, supplies));
            }
        }
    }
    Ok(None)
}

/// The operation that returns at `place`, and all that supplied or used up its value by then: by its return, if it uses the
/// value up itself, otherwise what was used up by its call.
fn about(part: &Part, effects: &Effects, value: u32, place: usize) -> Vec<u32> {
    let accused = part.events[place].op();
    let uses_up = effects.of(accused).uses_up;
    let call = part.events.iter().position(|event| event.op() == accused).unwrap_or(place);
    let mut ops = vec![accused];
    for (at, event) in part.events[..place].iter().enumerate() {
        let effect = effects.of(event.op());
        let supplies = !event.is_return() && effect.supplies == value;
        let used_up = event.is_return() && effect.uses_up && effect.finds == value && (uses_up || at < call);
        if supplies || used_up {
            ops.push(event.op());
        }
    }
    ops.sort_unstable();
    ops.dedup();
    ops.into_iter().map(|op| part.ops[op]).collect()
}
