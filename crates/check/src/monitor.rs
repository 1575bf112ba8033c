//! Can it be decided without a search? Log-linear monitors for objects whose shape is known.
//!
//! General search is exponential in the number of open operations. For a queue, a stack, a priority queue, a
//! register whose values are all different, and for a single bit however often it is reused, intervals
//! alone tell (the papers are named in each file). A monitor never calls `step`:
//! it knows the object's [`Shape`] and the [`Role`](linpoint_spec::Role) of each operation.
//!
//! | file | object | cost after the events are ordered |
//! |---|---|---|
//! | `queue` | first in, first out | O(n), and a sort of those that pass through |
//! | `stack` | last in, first out | O(n log n) |
//! | `priority_queue` | highest first, ties, bags | O(n log n) |
//! | `register` | reads, writes, CAS | O(n) |
//! | `reads_from` | the same, values repeat | O(n log n), and a counted search for writes that fit |
//! | `takes_from` | stacks and queues whose values repeat | O(n log n), and a counted search for adds that fit |
//! | `append_list`, `grow_only_set` | what only grows and is read as a whole | O(n log n), and what was read |
//! | `transactions` | several registers at once | O(n²/64) words a round |
//! | `set` | an element of a set, or a mutex: one bit | O(n log k), k open |
//! | `intervals` | what the containers share: when each value is certainly present | O(n) |
//! | `counting` | which insert belongs to which poll, where the values of a priority queue or a bag repeat | O(n log n) |
//! | `hidden` | which values pending removes of unknown result took | a few runs of the monitor |
//! | `cover`, `highest_present`, `schedule`, `trees`, `groups`, `chains`, `zones` | slots without a presence; the highest value present; operations given their turns; counts over ranges; operations group by group; the blocks of a register's values, and their intervals | |
//!
//! Exact or silent: whatever a monitor does not cover (a value added twice, a failed CAS that does not tell what it saw, too
//! many ways in which pending removes might explain a violation) it declines, in words, and the search decides.

pub(crate) mod append_list;
mod chains;
mod chance;
mod counting;
mod cover;
mod groups;
pub(crate) mod grow_only_set;
mod hidden;
mod highest_present;
mod intervals;
pub(crate) mod priority_queue;
pub(crate) mod queue;
pub(crate) mod reads_from;
pub(crate) mod register;
mod schedule;
pub(crate) mod set;
pub(crate) mod stack;
pub(crate) mod takes_from;
pub(crate) mod transactions;
mod trees;
mod zones;

use crate::methods::Method;
use crate::numbering::Numbering;
use crate::outcome::{Answer, Evidence, Stuck, Verdict};
use crate::ranks::{NEVER, NONE, by_rank, by_rank_in, ranks};
use crate::settings::Settings;
use linpoint_base::{Account, Cause, Control};
use linpoint_spec::{Part, Shape, StepError};

/// What a monitor answers. Operations are numbers of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// There is this order.
    Linearizable(Vec<u32>),
    /// There is none, not even for these operations alone.
    Violation(Vec<u32>),
    /// It cannot tell, for this reason.
    Declined(String),
    /// It had to stop.
    GaveUp(Cause),
}

/// A value of a linearizable part that a pending remove must have taken. Operations are numbers of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// What the specification calls the value.
    pub value: u32,
    /// A pending remove that can have done it, another one for each value. Of those that were called in time these are the last, one by one, so what is left of
    /// the pending removes is as early as can be.
    pub by: u32,
    /// Operations that would have been impossible otherwise.
    pub because: Vec<u32>,
}

/// A monitor: a method that decides without a search.
pub struct Monitor {
    name: &'static str,
    help: &'static str,
    shape: Shape,
    decide: fn(&Part, &mut Meter<'_>) -> Decided<Decision>,
}

impl Monitor {
    /// Decides a part of the monitor's shape.
    pub fn decide(&self, part: &Part, control: &Control) -> Decision {
        self.answer(part, true, control).0
    }

    /// The same, and what was taken for certain; without `order` a linearizable part is told with an empty one.
    fn answer(&self, part: &Part, order: bool, control: &Control) -> (Decision, Option<Vec<Taken>>) {
        metered(part, order, control, |meter| (self.decide)(part, meter))
    }
}

/// What is decided under a budget, and what was taken for certain, in numbers of the history.
fn metered(
    part: &Part,
    order: bool,
    control: &Control,
    decide: impl FnOnce(&mut Meter<'_>) -> Decided<Decision>,
) -> (Decision, Option<Vec<Taken>>) {
    let (account, taken) = (Account::alone(control), Some(Vec::new()));
    let mut meter = Meter { account, bytes: 0, rounds: 0, order, dealt: false, taken };
    let numbered = |local: Vec<u32>| local.into_iter().map(|op| part.ops[op as usize]).collect();
    let decision = match decide(&mut meter).unwrap_or_else(|decision| decision) {
        Decision::Linearizable(order) => {
            meter.account.poll(meter.bytes, part.events.len() - part.ops.len().min(part.events.len()));
            Decision::Linearizable(numbered(order))
        }
        Decision::Violation(mut conflict) => {
            conflict.sort_unstable();
            conflict.dedup();
            Decision::Violation(numbered(conflict))
        }
        other => other,
    };
    let mut taken = meter.taken;
    let named = taken.iter_mut().flatten().flat_map(|taken| taken.because.iter_mut().chain([&mut taken.by]));
    named.for_each(|op| *op = part.ops[*op as usize]);
    (decision, taken)
}

/// A decision as the answer of a method.
fn answer(decision: Decision, name: &'static str, why: &str) -> Answer {
    let answer = |verdict| Answer { why: why.to_owned(), ..Answer::bare(verdict, name) };
    match decision {
        Decision::Linearizable(order) => Answer { evidence: Evidence::Witness(order), ..answer(Verdict::Linearizable) },
        Decision::Violation(operations) => {
            let evidence = Evidence::Conflict { operations, stuck: Stuck::default() };
            Answer { evidence, ..answer(Verdict::Violation) }
        }
        Decision::Declined(why) => answer(Verdict::Unknown(Cause::Declined(why))),
        Decision::GaveUp(cause) => Answer::bare(Verdict::Unknown(cause), name),
    }
}

impl Method for Monitor {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        if part.spec.shape() == self.shape { Ok(()) } else { Err("this is another kind of object".to_owned()) }
    }

    fn run(&self, part: &Part, _: &Settings, control: &Control) -> Result<Answer, StepError> {
        Ok(answer(self.decide(part, control), self.name, "it covers this history, in O(n log n)"))
    }
}

/// Every monitor that settles what it covers faster than any search: tried first.
pub(crate) static MONITORS: &[&Monitor] =
    &[&queue::MONITOR, &stack::MONITOR, &priority_queue::MONITOR, &register::MONITOR, &set::SET, &set::MUTEX];

/// Stacks and queues whose values repeat.
pub(crate) static TAKES_FROM: takes_from::TakesFrom =
    takes_from::TakesFrom { stack: stack::judge, queue: queue::judge };

/// The monitors of objects that only grow.
pub(crate) static GROWING: &[&groups::OnlyGrows] = &[&append_list::MONITOR, &grow_only_set::MONITOR];

/// Decides a part if there is a monitor for it.
pub fn decide(part: &Part, control: &Control) -> Decision {
    by_monitor(part, true, control).0
}

/// The same without the order, which is empty for a linearizable part; but with the values that pending removes must have taken, unless
/// something else need have been taken beside them, or not everything is known of who may have taken what.
pub fn decide_only(part: &Part, control: &Control) -> (Decision, Option<Vec<Taken>>) {
    by_monitor(part, false, control)
}

fn by_monitor(part: &Part, order: bool, control: &Control) -> (Decision, Option<Vec<Taken>>) {
    match MONITORS.iter().find(|monitor| monitor.covers(part).is_ok()) {
        Some(monitor) => monitor.answer(part, order, control),
        None => (declined("there is no monitor for this object"), None),
    }
}

fn declined(why: &str) -> Decision {
    Decision::Declined(why.to_owned())
}

/// What most of a monitor answers: something, or an early decision. Operations are places in the part.
type Decided<T> = Result<T, Decision>;

/// The budget of a monitor: what it holds, and a poll every now and then.
struct Meter<'c> {
    account: Account<'c>,
    bytes: usize,
    rounds: u16,
    /// Is the order wanted?
    order: bool,
    /// Did pending removes take something in what was found? Then only the order is proof.
    dealt: bool,
    /// Values that pending removes must have taken, if that is all that they need have taken.
    taken: Option<Vec<Taken>>,
}

impl Meter<'_> {
    /// Must the order be found?
    fn wants_order(&self) -> bool {
        self.order || self.dealt
    }

    /// Accounts for `bytes` more.
    fn hold(&mut self, bytes: usize) -> Decided<()> {
        self.bytes += bytes;
        self.poll()
    }

    /// To be called in every round of a long loop.
    #[inline]
    fn tick(&mut self) -> Decided<()> {
        self.rounds = self.rounds.wrapping_add(1);
        if self.rounds == 0 { self.poll() } else { Ok(()) }
    }

    /// What `attempt` gives; what it held it holds no longer.
    fn releasing<T>(&mut self, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.bytes;
        let given = attempt(self);
        self.bytes = before;
        given
    }

    #[cold]
    fn poll(&mut self) -> Decided<()> {
        self.account.poll(self.bytes, 0).map_or(Ok(()), |cause| Err(Decision::GaveUp(cause)))
    }
}
