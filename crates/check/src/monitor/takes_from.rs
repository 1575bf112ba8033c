//! Is this history of a stack or a queue linearizable though values repeat? By the add that each remove can have taken.
//!
//! Where every value is added once, intervals tell (`stack`, `queue`). Where values repeat, it depends on which copy each remove took, and
//! there may be very many ways; but where there are many, most of them will do. So we choose one, and repair it:
//!
//! 1. `guess`: every remove takes an add of its value; in a stack, one that overlaps it wherever possible.
//! 2. `choice`: two copies that are in each other's way, or a copy that is inside where an operation found nothing: one of them exchanges its taker with another copy of
//!    its value, so that fewer are.
//! 3. When nobody is in anybody's way, copies are told apart, and the monitor for values that are added once makes an order of it. Where it does not (three stays can be in
//!    each other's way though no two are), some of those that it names exchange their takers, and so on.
//!
//! Pending removes of unknown result take nothing in one attempt, and whatever is left in the next; then `hidden` is asked what they took.
//!
//! Cost: a counted number of stays compared; O(n log n) for the guess and for each run of the monitor. About 250 bytes for each operation. It
//! only ever says "linearizable": where it finds no order it declines.

mod choice;
mod copies;
mod guess;

use super::chance::Chance;
use super::intervals::{Operations, ValueIntervals};
use super::{Decided, Decision, Meter, answer, declined, metered};
use crate::methods::Method;
use crate::outcome::{Answer, Verdict};
use crate::settings::Settings;
use choice::{Choice, Discipline};
use copies::Copies;
use linpoint_base::{Cause, Control};
use linpoint_spec::{Part, Shape, StepError};

/// What makes an order of copies that are told apart, or names some that do not go together.
pub(super) type Judge = fn(ValueIntervals, &mut Meter<'_>) -> Decided<Decision>;

/// The method, with the monitors that judge a choice.
pub struct TakesFrom {
    pub(super) stack: Judge,
    pub(super) queue: Judge,
}

const NAME: &str = "takes-from";

/// So often it begins anew, each time with twice the work; and how many comparisons it has for each operation at first.
const ROUNDS: u64 = 5;
const EACH: u64 = 500;

/// How many comparisons a run of the monitor counts for each operation.
const RUN: usize = 16;

/// So many of the copies that the monitor names exchange their takers.
const SHAKEN: usize = 2;

impl Method for TakesFrom {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "a stack or a queue whose values repeat, by the add that each remove can have taken: a choice that fits is a witness; declines if it finds none"
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        match part.spec.shape() {
            Shape::Stack | Shape::Queue => Ok(()),
            _ => Err("this is another kind of object".to_owned()),
        }
    }

    fn run(&self, part: &Part, _: &Settings, control: &Control) -> Result<Answer, StepError> {
        let work = EACH * part.ops.len() as u64;
        let mut attempts = (0..ROUNDS).map(|round| self.within(part, round, work << round, control));
        let is_decided = |answer: &Answer| !matches!(answer.verdict, Verdict::Unknown(Cause::Declined(_)));
        let first = attempts.next().expect("there are several rounds");
        Ok(if is_decided(&first) { first } else { attempts.find(is_decided).unwrap_or(first) })
    }
}

impl TakesFrom {
    /// What the `round`-th attempt finds with so much work.
    pub fn within(&self, part: &Part, round: u64, work: u64, control: &Control) -> Answer {
        let judge = if part.spec.shape() == Shape::Queue { self.queue } else { self.stack };
        let (decision, _) = metered(part, true, control, |meter| look(part, judge, (round, work), meter));
        answer(decision, NAME, "by choosing what each remove took")
    }
}

/// Looks for a choice that fits.
fn look(part: &Part, judge: Judge, (round, work): (u64, u64), meter: &mut Meter<'_>) -> Decided<Decision> {
    let operations = Operations::of(part, meter)?;
    let copies = Copies::of(&operations, meter)?;
    let (discipline, taker) = match part.spec.shape() {
        Shape::Queue => (Discipline::FirstInFirstOut, guess::first_in_first_out(&copies)),
        _ => (Discipline::LastInFirstOut, guess::last_in_first_out(&copies)),
    };
    let end = operations.end;
    let hidden = operations.hidden.first().filter(|_| round % 2 == 1);
    let left = hidden.map_or(end, |&op| operations.call[op as usize]);
    let empties = operations.empties.iter().map(|&op| (operations.call[op as usize], operations.ret[op as usize]));
    let mut choice =
        Choice::new(&copies, discipline, (taker, (left, end + 1)), empties.collect(), Chance::new(round), meter)?;
    loop {
        while !choice.is_settled() {
            if choice.work() > work {
                return Err(declined("no choice of what was taken was found that fits"));
            }
            choice.step(meter)?;
        }
        choice.spend(RUN * operations.call.len());
        let numbers = copies.numbers(&operations.kind, operations.contents.len(), &choice.taker);
        let judged = meter
            .releasing(|meter| judge(ValueIntervals::of_copies(operations.clone(), numbers.clone(), meter)?, meter));
        let named = match judged {
            Err(Decision::Violation(named)) | Ok(Decision::Violation(named)) => copies.of_numbers(&named, &numbers),
            other => return other,
        };
        if named.is_empty() || choice.work() > work {
            return Err(declined("the choices of what was taken that were tried do not fit"));
        }
        for _ in 0..SHAKEN {
            choice.exchange_one_of(&named, meter)?;
        }
    }
}
