//! Is this history of a queue linearizable, though values repeat or pending dequeues hide what they took?
//!
//! After the fixed-parameter algorithm of Lee & Mathur, *Efficient Decrease-and-Conquer Linearizability Monitoring* (2025), which
//! decides ambiguous queues. A general search holds the whole queue in its state, and there are as many states as orders of what is
//! inside. Here enqueues and front operations (dequeues, peeks) advance on their own: an element is enqueued only when it
//! is about to come to the front, however long ago that was, so at most one element is ever inside.
//!
//! ```text
//!   enqueue 1  |-----|                           A = {1, 3}      what is enqueued
//!   enqueue 2     |-----|                        B = {→ 1}       what left the front
//!   enqueue 3  |-------|                         front = 3
//!   dequeue → 1             |--|                 lo(A), lo(B): the last call of those done
//!   dequeue → 3                  |--|            hi(A), hi(B): the first return of those not done
//! ```
//!
//! Enqueue x can be earlier than the front operation that comes next iff lo(A ∪ x) < hi(B); the queue is empty at some moment
//! iff lo(A), lo(B) < hi(A), hi(B). The memo's key is (A, B, front), both sides as frontiers.
//!
//! Cost: exponential only in the number k of open operations, O(k 4^k n²) in the paper; in practice few more keys than
//! operations. Declines what is neither enqueue, dequeue nor peek.

mod side;
mod witness;

use crate::methods::Method;
use crate::outcome::{Answer, Candidate, Evidence, Progress, Stuck, Verdict};
use crate::ranks::{NEVER, NONE, ranks};
use crate::search::ancestry::Fired;
use crate::search::best_path::BestPath;
use crate::search::mask::{Bits, Many, Mask, between_looks, growth, table_growth};
use crate::search::race::{Aside, Turn};
use crate::settings::Settings;
use hashbrown::HashSet;
use linpoint_base::{Account, Cause, Control, Hashing};
use linpoint_spec::{Part, Role, Shape, StepError};
use side::{Frontier, Side, What};

/// What this method is called.
const NAME: &str = "queue-search";

/// The search as a method.
pub struct QueueSearch;

impl Method for QueueSearch {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "a queue whose values repeat, or whose pending dequeues hide what they took: a search that holds one element at a time"
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        if part.spec.shape() == Shape::Queue { Ok(()) } else { Err("this is another kind of object".to_owned()) }
    }

    fn run(&self, part: &Part, _: &Settings, control: &Control) -> Result<Answer, StepError> {
        search_unless(part, u64::MAX, control, &|_| Ok(None))
    }
}

/// Runs the search. Where it does not know after `slice` configurations, `aside` is asked, and again each time it has visited twice as many.
pub(crate) fn search_unless(part: &Part, slice: u64, control: &Control, aside: Aside<'_>) -> Result<Answer, StepError> {
    let sides = match Sides::of(part) {
        Ok(sides) => sides,
        Err(why) => return Ok(Answer::bare(Verdict::Unknown(Cause::Declined(why)), NAME)),
    };
    match sides.enqueues.slots.max(sides.fronts.slots) {
        0..=64 => decide_with::<u64>(part, sides, slice, control, aside),
        65..=512 => decide_with::<Bits<8>>(part, sides, slice, control, aside),
        _ => decide_with::<Many>(part, sides, slice, control, aside),
    }
}

fn decide_with<M: Mask>(
    part: &Part,
    sides: Sides,
    mut slice: u64,
    control: &Control,
    aside: Aside<'_>,
) -> Result<Answer, StepError> {
    let mut search = Search::<M>::new(sides, Account::alone(control));
    let mut progress = search.run(slice);
    while let Progress::Running = progress {
        let (explained, returns) = (search.deepest as u64, search.sides.fronts.ops.len() as u64);
        if let Some(answer) = aside(Turn { slice, explained, returns })? {
            let configurations = answer.configurations + search.account.configurations;
            return Ok(Answer { configurations, ..answer });
        }
        slice = slice.saturating_mul(2);
        progress = search.run(slice);
    }
    let configurations = search.account.configurations;
    let numbered = |order: Vec<u32>| order.into_iter().map(|op| part.ops[op as usize]).collect();
    let answer = match progress {
        Progress::Yes => {
            let witness = numbered(witness::order(&search.sides, &search.path.fired, NEVER));
            Answer::yes(witness, NAME)
        }
        Progress::No => {
            Answer { evidence: Evidence::Stuck(search.stuck(part)?), ..Answer::bare(Verdict::Violation, NAME) }
        }
        Progress::GaveUp(cause) => {
            Answer { evidence: Evidence::Stuck(search.stuck(part)?), ..Answer::bare(Verdict::Unknown(cause), NAME) }
        }
        Progress::Running => unreachable!("it ran to its end"),
    };
    Ok(Answer { configurations, ..answer })
}

/// The operations of a queue, dealt to its two sides.
struct Sides {
    enqueues: Side,
    fronts: Side,
    /// Pending dequeues of unknown result, by their calls: (operation, call). They take what no other operation takes, the oldest first.
    hidden: Vec<(u32, u32)>,
    /// Did an operation find nothing?
    has_empties: bool,
}

impl Sides {
    fn of(part: &Part) -> Result<Sides, String> {
        let contents = part.spec.contents();
        let before = 2 * contents.len() as u32; // what is there from the start came before the first event
        let (call, ret) = ranks(part, before);
        let (mut fronts, mut hidden, mut has_empties) = (Vec::new(), Vec::new(), false);
        let mut enqueues: Vec<_> =
            (0..).zip(&contents).map(|(i, &value)| (NONE, 2 * i, 2 * i + 1, What::Enqueue(value))).collect();
        for (op, &code) in (0..).zip(&part.codes) {
            let interval = (call[op as usize], ret[op as usize]);
            let mut front = |what| fronts.push((op, interval.0, interval.1, what));
            match (part.spec.role(code), interval.1 == NEVER) {
                (Role::Add(value), _) => enqueues.push((op, interval.0, interval.1, What::Enqueue(value))),
                (Role::Remove(value), false) => front(What::Dequeue(value)),
                (Role::Peek(value), false) => front(What::Peek(value)),
                (Role::Empty, false) => {
                    has_empties = true;
                    front(What::Empty);
                }
                (Role::RemoveUnknown, true) => hidden.push((op, interval.0)),
                (Role::Peek(_) | Role::Empty | Role::Nothing, true) => {}
                _ => return Err("it has an operation that is neither enqueue, dequeue nor peek".to_owned()),
            }
        }
        // A pending enqueue whose value no operation saw may as well not have happened, nor need the pending dequeue that took it.
        let seen: HashSet<What, Hashing> = fronts.iter().map(|&(.., what)| what).collect();
        let is_seen = |value| seen.contains(&What::Dequeue(value)) || seen.contains(&What::Peek(value));
        enqueues.retain(|&(_, _, ret, what)| ret != NEVER || matches!(what, What::Enqueue(value) if is_seen(value)));
        let ranks = part.events.len() + before as usize;
        let (enqueues, fronts) = (Side::new(enqueues.into_iter(), ranks), Side::new(fronts.into_iter(), ranks));
        Ok(Sides { enqueues, fronts, hidden, has_empties })
    }
}

impl Sides {
    /// A front operation that can be done at once without a choice being lost: it changes nothing, and it is not later
    /// than the next enqueue need be, so no operation that finds nothing later on is kept from doing so.
    fn harmless<M: Mask>(&self, at: &Configuration<M>) -> Option<u32> {
        let hi = self.enqueues.hi(&at.enqueued);
        self.fronts.undone(&at.fronts).find(|&op| {
            let op = self.fronts.ops[op as usize];
            match op.what {
                What::Empty => at.front == NONE && at.fronts.lo.max(op.call) < hi,
                What::Peek(value) => at.front == value && (!self.has_empties || op.call < hi),
                _ => false,
            }
        })
    }

    /// The next step to try from here, and where it leads.
    fn successor<M: Mask>(&mut self, at: &Configuration<M>, tried: &mut Tried) -> Option<(Configuration<M>, Fired)> {
        let is_empty = at.front == NONE;
        let (side, frontier) = if is_empty { (&self.enqueues, &at.enqueued) } else { (&self.fronts, &at.fronts) };
        let from = match *tried {
            Tried::Nothing => None,
            Tried::One(op) => Some(op),
            Tried::Everything => return None,
        };
        let behind = std::iter::successors(side.next(from, frontier), |&op| side.next(Some(op), frontier));
        let mut able = behind.filter(|&op| if is_empty { self.may_enqueue(op, at) } else { self.may_look(op, at) });
        let Some(op) = able.find(|&op| !side.has_earlier_twin(op, frontier)) else {
            *tried = Tried::Everything;
            return self.take_unseen(at);
        };
        *tried = Tried::One(op);
        let next = match side.ops[op as usize].what {
            What::Enqueue(value) => {
                Configuration { enqueued: self.enqueues.fire(op, &at.enqueued), front: value, ..at.clone() }
            }
            What::Dequeue(_) => Configuration { fronts: self.fronts.fire(op, &at.fronts), front: NONE, ..at.clone() },
            What::Peek(_) | What::Empty => Configuration { fronts: self.fronts.fire(op, &at.fronts), ..at.clone() },
        };
        Some((next, (op, if is_empty { ENQUEUE } else { FRONT })))
    }

    /// May it be enqueued before the front operation that comes next, one of which sees it?
    fn may_enqueue<M: Mask>(&self, op: u32, at: &Configuration<M>) -> bool {
        let enqueue = self.enqueues.ops[op as usize];
        let What::Enqueue(value) = enqueue.what else { unreachable!("only enqueues are on this side") };
        let is_seen = |op: u32| [What::Dequeue(value), What::Peek(value)].contains(&self.fronts.ops[op as usize].what);
        at.enqueued.lo.max(enqueue.call) < self.fronts.hi(&at.fronts)
            && (self.next_hidden(at).is_some() || self.fronts.undone(&at.fronts).any(is_seen))
    }

    /// Does it see what is in front?
    fn may_look<M: Mask>(&self, op: u32, at: &Configuration<M>) -> bool {
        [What::Dequeue(at.front), What::Peek(at.front)].contains(&self.fronts.ops[op as usize].what)
    }

    /// The oldest hidden dequeue that did not take effect, if it may.
    fn next_hidden<M: Mask>(&self, at: &Configuration<M>) -> Option<u32> {
        let &(_, call) = self.hidden.get(at.hidden as usize)?;
        (call < self.fronts.hi(&at.fronts)).then_some(call)
    }

    /// A hidden dequeue takes what is in front.
    fn take_unseen<M: Mask>(&self, at: &Configuration<M>) -> Option<(Configuration<M>, Fired)> {
        let call = self.next_hidden(at).filter(|_| at.front != NONE)?;
        let fronts = Frontier { lo: at.fronts.lo.max(call), ..at.fronts.clone() };
        Some((Configuration { fronts, front: NONE, hidden: at.hidden + 1, ..at.clone() }, (at.hidden, HIDDEN)))
    }
}

/// How many choices are looked at between two looks at the budget.
const GLANCE: usize = 256;

/// Where the search stands.
#[derive(Clone)]
struct Configuration<M> {
    enqueued: Frontier<M>,
    fronts: Frontier<M>,
    /// The element inside, [`NONE`] if there is none.
    front: u32,
    /// How many hidden dequeues took effect.
    hidden: u32,
}

/// A choice to be made.
struct Frame<M> {
    at: Configuration<M>,
    /// The operation tried last.
    tried: Tried,
    /// How long the path was.
    steps: usize,
}

#[derive(Clone, Copy)]
enum Tried {
    Nothing,
    One(u32),
    Everything,
}

/// Steps on the path: (number on its side, which side).
const ENQUEUE: u32 = 0;
const FRONT: u32 = 1;
const HIDDEN: u32 = 2;

type Key<M> = (u32, M, u32, M, u32, u32);

struct Search<'a, M> {
    sides: Sides,
    account: Account<'a>,
    /// Where it goes next.
    next: Option<Configuration<M>>,
    frames: Vec<Frame<M>>,
    path: BestPath,
    memo: HashSet<Key<M>, Hashing>,
    /// The furthest return of a front operation that was reached.
    deepest: usize,
    /// How often a choice was looked at, here or on the way back: the budget is asked every now and then.
    looks: u64,
    between_looks: usize,
}

impl<'a, M: Mask> Search<'a, M> {
    fn new(sides: Sides, account: Account<'a>) -> Self {
        let (frames, path, memo) = (Vec::new(), BestPath::default(), HashSet::default());
        let slots = sides.enqueues.slots.max(sides.fronts.slots);
        let nothing = || Frontier { rho: 0, mask: M::empty(slots), lo: 0 };
        let next = Some(Configuration { enqueued: nothing(), fronts: nothing(), front: NONE, hidden: 0 });
        let between_looks = between_looks(GLANCE, slots);
        Search { sides, account, next, frames, path, memo, deepest: 0, looks: 0, between_looks }
    }

    /// Walks until there is an order, none, no budget, or so many more configurations were visited.
    fn run(&mut self, slice: u64) -> Progress {
        let until = self.account.configurations.saturating_add(slice);
        while let Some(at) = self.next.take() {
            if self.arrive(at) {
                return Progress::Yes;
            }
            self.account.configurations += 1;
            self.next = match self.choose() {
                Ok(next) => next,
                Err(cause) => return Progress::GaveUp(cause),
            };
            if self.account.configurations >= until && self.next.is_some() {
                return Progress::Running;
            }
        }
        Progress::No
    }

    /// Does what never harms. True if every front operation is explained; otherwise there is a choice to be made, unless it
    /// was made before.
    fn arrive(&mut self, mut at: Configuration<M>) -> bool {
        while let Some(op) = self.sides.harmless(&at) {
            at.fronts = self.sides.fronts.fire(op, &at.fronts);
            self.path.push((op, FRONT));
        }
        if self.sides.fronts.is_done(&at.fronts) {
            return true;
        }
        if at.fronts.rho as usize > self.deepest {
            self.deepest = at.fronts.rho as usize;
            self.path.mark();
        }
        let Configuration { enqueued, fronts, front, hidden } = &at;
        if self.memo.insert((enqueued.rho, enqueued.mask.clone(), fronts.rho, fronts.mask.clone(), *front, *hidden)) {
            self.frames.push(Frame { at, tried: Tried::Nothing, steps: self.path.fired.len() });
        }
        false
    }

    /// The next configuration to try: from the deepest choice that is not exhausted.
    fn choose(&mut self) -> Result<Option<Configuration<M>>, Cause> {
        while !self.frames.is_empty() {
            if self.looks.is_multiple_of(self.between_looks as u64) {
                if let Some(cause) = self.account.poll(self.bytes(), self.deepest) {
                    return Err(cause);
                }
                if self.growth(self.between_looks) > self.account.spare() {
                    return Err(Cause::Memory);
                }
            }
            self.looks += 1;
            let Some(frame) = self.frames.last_mut() else { break };
            self.sides.enqueues.back_to(frame.at.enqueued.rho);
            self.sides.fronts.back_to(frame.at.fronts.rho);
            while self.path.fired.len() > frame.steps {
                self.path.pop();
            }
            if let Some((next, step)) = self.sides.successor(&frame.at, &mut frame.tried) {
                self.path.push(step);
                return Ok(Some(next));
            }
            self.frames.pop();
        }
        Ok(None)
    }

    fn bytes(&self) -> usize {
        let spilled = self.frames.first().map_or(0, |frame| 2 * frame.at.fronts.mask.spilled());
        self.memo.allocation_size()
            + self.frames.capacity() * size_of::<Frame<M>>()
            + (self.memo.len() + self.frames.len()) * spilled
            + self.path.bytes()
            + self.sides.hidden.capacity() * size_of::<(u32, u32)>()
            + self.sides.enqueues.bytes()
            + self.sides.fronts.bytes()
    }

    /// What it takes more when the tables grow that may grow before the next look at the budget: the old memo goes when the
    /// new one is filled.
    fn growth(&self, more: usize) -> usize {
        let memo = table_growth(self.memo.len(), self.memo.capacity(), self.memo.allocation_size(), more);
        memo + growth(&self.frames, more) + growth(&self.path.fired, more)
    }

    /// How far it goes. Enqueues alone are never wrong, so the first return that cannot be explained is that of a front
    /// operation: the deepest one reached.
    fn stuck(&mut self, part: &Part) -> Result<Stuck, StepError> {
        let Some(stuck) = self.sides.fronts.target(self.deepest) else { return Ok(Stuck::default()) };
        let order = witness::order(&self.sides, self.path.marked(), stuck.ret);
        let mut spec = part.spec.fork();
        let (mut state, mut outcomes) = (spec.initial()?, Vec::new());
        for &op in &order {
            outcomes.clear();
            spec.step(state, part.codes[op as usize], &mut outcomes)?;
            state = outcomes.first().copied().expect("the order is legal");
        }
        let (mut open, mut explained) = (vec![false; part.ops.len()], 0);
        for event in part.events.iter().take_while(|event| !(event.is_return() && event.op() as u32 == stuck.op)) {
            open[event.op()] = !event.is_return();
            explained += usize::from(event.is_return());
        }
        let frontier = (0..part.ops.len()).filter(|&op| open[op]).map(|op| part.ops[op]).collect();
        let order = order.into_iter().map(|op| part.ops[op as usize]).collect();
        let candidates = vec![Candidate { order, state: spec.show(state) }];
        Ok(Stuck { operation: Some(part.ops[stuck.op as usize]), candidates, frontier, explained })
    }
}
