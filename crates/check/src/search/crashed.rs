//! What if hundreds of operations never returned? Of those that do the same only their number counts.
//!
//! A pending operation may take effect at any time after its call, so it stays open to the end, and the other searches keep a bit for each.
//! But pending operations that do the same are interchangeable: the one called first can always go first. So a configuration
//! needs a *number* per kind of pending operation, how many were used, beside the bits of the operations that will return:
//!
//! ```text
//!   p0  |- write 1 ...                  used: one "write 1", whichever; state 1
//!   p1    |- write 1 ...
//!   p2          |-- read → 1 --|
//! ```
//!
//! Even these numbers make too many configurations: after a thousand crashes one state is reached in a hundred thousand ways, each with other
//! operations used up. Few of them matter, for there is plenty of each kind. So two searches, return by return as in
//! `breadth_first`, keep one configuration per (bits, state):
//!
//! 1. *Thrifty*: of two ways to the same (bits, state) the one that used fewer pending operations stays, as in Dijkstra's algorithm. What it keeps really
//!    can happen, so a "yes" is a witness. A "no" counts if nothing was dropped but what is dominated.
//! 2. *Lavish*: a pending operation may be used again and again, as long as all together are used no more often than there are. Every real order
//!    is one of these, so a "no" is a violation.
//!
//! Cost: time and memory as if nothing had crashed, times the number of kinds. Declines where neither knows, where there are too many
//! kinds, where more than 64 operations are open at once that will return, and after a counted amount of work.

use crate::methods::Method;
use crate::outcome::{Answer, Evidence, Stuck, Verdict};
use crate::ranks::NONE;
use crate::search::ancestry::{Ancestry, Node, ROOT, replay};
use crate::search::problem::Problem;
use crate::settings::Settings;
use hashbrown::HashMap;
use linpoint_base::{Account, Cause, Control, Hashing};
use linpoint_spec::{Code, Part, Spec, State, StepError};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The method.
pub struct CrashCounts;

/// More kinds of pending operations are not counted.
const KINDS: usize = 256;

/// How many operations are fired between two looks at the budget.
const GLANCE: usize = 512;

/// Configurations that may be expanded for each return, and for any history.
const EACH: u64 = 100;
const ANY: u64 = 100_000;

impl Method for CrashCounts {
    fn name(&self) -> &'static str {
        "crash-counts"
    }

    fn help(&self) -> &'static str {
        "many operations that never returned, of few kinds: a breadth-first search that only counts how many of each kind took effect; declines if that does not settle it"
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        let returns = part.events.len() - part.ops.len();
        if returns < part.ops.len() { Ok(()) } else { Err("every operation returned".to_owned()) }
    }

    fn run(&self, part: &Part, _: &Settings, control: &Control) -> Result<Answer, StepError> {
        let problem = Problem::new(part);
        let Some(kinds) = Kinds::of(&problem) else {
            return Ok(declined(
                "too many kinds of operations never returned, or too many operations are open at once",
            ));
        };
        let mut visited = 0;
        for lavish in [false, true] {
            let mut search = Counting::new(&problem, &kinds, part.spec.fork(), Account::alone(control), lavish)?;
            let progress = search.run();
            visited += search.account.configurations;
            let answer = |verdict, evidence| Answer {
                evidence,
                why: "of the operations that never returned it only counts how many of each kind took effect"
                    .to_owned(),
                configurations: visited,
                ..Answer::bare(verdict, self.name())
            };
            match progress? {
                Found::Order(node) if !lavish => {
                    let path = search.ancestry.path(node);
                    let (order, _) = replay(&problem, &mut *search.spec, &path, problem.returns.len())?;
                    let order = order.iter().map(|&op| problem.origin[op as usize]).collect();
                    return Ok(answer(Verdict::Linearizable, Evidence::Witness(order)));
                }
                Found::None(rho) if lavish || !search.is_lossy => {
                    let operations = problem.origin[..problem.called[rho] as usize].to_vec();
                    let evidence = Evidence::Conflict { operations, stuck: Stuck::default() };
                    return Ok(answer(Verdict::Violation, evidence));
                }
                Found::GaveUp(Cause::Work) => break,
                Found::GaveUp(cause) => return Ok(Answer::bare(Verdict::Unknown(cause), self.name())),
                Found::Order(_) | Found::None(_) => {}
            }
        }
        Ok(declined("counting the operations that never returned does not settle it"))
    }
}

fn declined(why: &str) -> Answer {
    Answer::bare(Verdict::Unknown(Cause::Declined(why.to_owned())), CrashCounts.name())
}

/// Which pending operations do the same, and a bit for each operation that returns, its own while it is open.
struct Kinds {
    /// The kind of each pending operation; [`NONE`] for others.
    of: Vec<u32>,
    /// By kind: its operations in the order of their calls.
    ops: Vec<Vec<u32>>,
    /// The bit of each operation that returns.
    bit: Vec<u64>,
}

impl Kinds {
    /// None if there are too many kinds, or too many operations are open at once.
    fn of(problem: &Problem) -> Option<Kinds> {
        let n = problem.code.len();
        let mut kinds = Kinds { of: vec![NONE; n], ops: Vec::new(), bit: vec![0; n] };
        let mut by_code: HashMap<Code, usize, Hashing> = HashMap::default();
        let (mut free, mut called) = (u64::MAX, 0);
        for (&returning, &until) in problem.returns.iter().zip(&problem.called) {
            for op in called..until {
                if problem.returns(op) {
                    let bit = free & free.wrapping_neg();
                    if bit == 0 {
                        return None;
                    }
                    free &= !bit;
                    kinds.bit[op as usize] = bit;
                } else {
                    let kind = *by_code.entry(problem.code[op as usize]).or_insert(kinds.ops.len());
                    if kind == kinds.ops.len() {
                        kinds.ops.push(Vec::new());
                    }
                    kinds.of[op as usize] = kind as u32;
                    kinds.ops[kind].push(op);
                }
            }
            called = until;
            free |= kinds.bit[returning as usize];
        }
        (kinds.ops.len() <= KINDS && n < usize::from(u16::MAX)).then_some(kinds)
    }
}

enum Found {
    /// All returns are explained, by the operations that led here.
    Order(Node),
    /// No configuration explains this return.
    None(usize),
    GaveUp(Cause),
}

#[derive(Clone, Copy)]
struct Configuration {
    mask: u64,
    state: State,
    node: Node,
    /// How many pending operations were used.
    total: u32,
}

/// Configurations, one per (mask, state), with the numbers of pending operations used.
#[derive(Default)]
struct Layer {
    configurations: Vec<Configuration>,
    /// So many numbers for each configuration as there are kinds.
    used: Vec<u16>,
    index: HashMap<(u64, State), u32, Hashing>,
}

impl Layer {
    fn clear(&mut self) {
        self.configurations.clear();
        self.used.clear();
        self.index.clear();
    }

    fn used(&self, at: usize, kinds: usize) -> &[u16] {
        &self.used[at * kinds..(at + 1) * kinds]
    }

    fn bytes(&self) -> usize {
        self.configurations.capacity() * size_of::<Configuration>()
            + self.used.capacity() * 2
            + self.index.allocation_size()
    }

    /// Inserts a configuration unless a cheaper one is there: its place if it is new or cheaper, and whether one was dropped that is not dominated.
    fn insert(&mut self, new: Configuration, used: &[u16]) -> (Option<u32>, bool) {
        let next = self.configurations.len() as u32;
        let at = *self.index.entry((new.mask, new.state)).or_insert(next);
        if at == next {
            self.configurations.push(new);
            self.used.extend_from_slice(used);
            return (Some(at), false);
        }
        let place = at as usize;
        let known = self.used(place, used.len());
        let within = |a: &[u16], b: &[u16]| a.iter().zip(b).all(|(a, b)| a <= b);
        if self.configurations[place].total <= new.total {
            return (None, !within(known, used));
        }
        let dropped = !within(used, known);
        self.configurations[place] = new;
        self.used[place * used.len()..(place + 1) * used.len()].copy_from_slice(used);
        (Some(at), dropped)
    }
}

/// What can happen in one state at one return.
struct Row {
    /// Open reads that are legal here.
    reads: u64,
    firings: Option<Vec<Firing>>,
}

#[derive(Clone, Copy)]
struct Firing {
    /// Who is fired: an operation that returns, or a kind.
    who: Who,
    outcome: u32,
    next: State,
}

#[derive(Clone, Copy)]
enum Who {
    /// The operation, and the bits of those that do the same and return earlier.
    Required(u32, u64),
    /// The kind, and the bits of open operations that do the same and will return.
    Pending(u32, u64),
}

struct Counting<'a> {
    problem: &'a Problem,
    kinds: &'a Kinds,
    spec: Box<dyn Spec>,
    account: Account<'a>,
    /// May a pending operation be used again and again?
    lavish: bool,
    /// Was a configuration dropped that no other dominates?
    is_lossy: bool,
    /// Open operations that change the state and will return; open reads; how many of each kind were called.
    required: Vec<u32>,
    reads: Vec<u32>,
    called: Vec<u16>,
    layer: Layer,
    next: Layer,
    /// Configurations at a return that they do not explain, the thriftiest first.
    seekers: Layer,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    rows: HashMap<State, Row, Hashing>,
    ancestry: Ancestry,
    outcomes: Vec<State>,
    /// Operations fired since the last look at the budget, and for how many firings the rows have room.
    touched: usize,
    room: usize,
}

impl<'a> Counting<'a> {
    fn new(
        problem: &'a Problem,
        kinds: &'a Kinds,
        mut spec: Box<dyn Spec>,
        account: Account<'a>,
        lavish: bool,
    ) -> Result<Self, StepError> {
        let mut layer = Layer::default();
        let numbers = if lavish { 0 } else { kinds.ops.len() };
        let first = Configuration { mask: 0, state: spec.initial()?, node: ROOT, total: 0 };
        layer.insert(first, &vec![0; numbers]);
        Ok(Counting {
            problem,
            kinds,
            spec,
            account,
            lavish,
            is_lossy: false,
            required: Vec::new(),
            reads: Vec::new(),
            called: vec![0; kinds.ops.len()],
            layer,
            next: Layer::default(),
            seekers: Layer::default(),
            queue: BinaryHeap::new(),
            rows: HashMap::default(),
            ancestry: Ancestry::new(),
            outcomes: Vec::new(),
            touched: 0,
            room: 0,
        })
    }

    fn run(&mut self) -> Result<Found, StepError> {
        let until = ANY + EACH * self.problem.returns.len() as u64;
        let mut called = 0;
        for rho in 0..self.problem.returns.len() {
            for op in called..self.problem.called[rho] {
                self.take_in(op);
            }
            called = self.problem.called[rho];
            self.sort_out(rho)?;
            while let Some(Reverse((total, at))) = self.queue.pop() {
                if self.seekers.configurations[at as usize].total == total {
                    self.account.configurations += 1;
                    self.expand(at as usize, rho)?;
                }
                if self.account.configurations > until {
                    return Ok(Found::GaveUp(Cause::Work));
                }
                if self.touched >= GLANCE
                    && let Some(cause) = self.glance(rho)
                {
                    return Ok(Found::GaveUp(cause));
                }
            }
            if self.next.configurations.is_empty() {
                return Ok(Found::None(rho));
            }
            self.close(rho);
        }
        let best = self.layer.configurations.iter().min_by_key(|c| c.total);
        Ok(Found::Order(best.expect("there is one after every return").node))
    }

    /// A look at the budget: any table may grow before the next one, and holds its old and its new self for a moment.
    fn glance(&mut self, rho: usize) -> Option<Cause> {
        self.touched = 0;
        let bytes = self.bytes();
        let cause = self.account.poll(bytes, rho);
        cause.or_else(|| (bytes > self.account.spare()).then_some(Cause::Memory))
    }

    fn take_in(&mut self, op: u32) {
        match self.kinds.of[op as usize] {
            NONE if self.problem.read_only[op as usize] => self.reads.push(op),
            NONE => self.required.push(op),
            kind => self.called[kind as usize] += 1,
        }
    }

    /// Lets configurations absorb new reads, and finds out who explains return ρ already.
    fn sort_out(&mut self, rho: usize) -> Result<(), StepError> {
        self.rows.clear();
        self.room = 0;
        self.next.clear();
        self.seekers.clear();
        let target = self.kinds.bit[self.problem.returns[rho] as usize];
        let layer = std::mem::take(&mut self.layer);
        let numbers = self.numbers();
        for (at, &configuration) in layer.configurations.iter().enumerate() {
            let mask = configuration.mask | self.row(configuration.state)?.reads;
            self.arrive(Configuration { mask, ..configuration }, layer.used(at, numbers), target, None);
        }
        self.layer = layer;
        Ok(())
    }

    /// How many numbers a configuration has.
    fn numbers(&self) -> usize {
        if self.lavish { 0 } else { self.kinds.ops.len() }
    }

    /// Files a configuration: behind the return if that is explained, among the seekers if not. The operation that was fired is noted if
    /// the configuration is new, or cheaper than before.
    fn arrive(&mut self, configuration: Configuration, used: &[u16], target: u64, fired: Option<(u32, u32)>) {
        let has_target = configuration.mask & target != 0;
        let layer = if has_target { &mut self.next } else { &mut self.seekers };
        let (place, dropped) =
            layer.insert(Configuration { mask: configuration.mask & !target, ..configuration }, used);
        self.is_lossy |= dropped;
        let Some(place) = place else { return };
        if let Some((op, outcome)) = fired {
            let parent = configuration.node;
            layer.configurations[place as usize].node = self.ancestry.born(parent, op, outcome);
        }
        if !has_target {
            self.queue.push(Reverse((configuration.total, place)));
        }
    }

    /// Fires all that may be fired from a seeker.
    fn expand(&mut self, at: usize, rho: usize) -> Result<(), StepError> {
        let Configuration { mask, state, node, total } = self.seekers.configurations[at];
        let mut used = self.seekers.used(at, self.numbers()).to_vec();
        let target = self.kinds.bit[self.problem.returns[rho] as usize];
        let firings = self.firings(state, rho)?;
        let is_used_up = self.lavish && u64::from(total) >= self.called.iter().map(|&number| u64::from(number)).sum();
        self.touched += 1 + firings.len();
        for &Firing { who, outcome, next } in &firings {
            let (op, bit, kind) = match who {
                Who::Required(op, before) if mask & before == before => (op, self.kinds.bit[op as usize], None),
                Who::Pending(kind, twins) if mask & twins == twins && !is_used_up => {
                    let number = if self.lavish { 0 } else { used[kind as usize] };
                    if number == self.called[kind as usize] {
                        continue;
                    }
                    (self.kinds.ops[kind as usize][usize::from(number)], 0, Some(kind as usize))
                }
                _ => continue,
            };
            if mask & bit != 0 {
                continue;
            }
            let counted = kind.filter(|_| !self.lavish);
            counted.into_iter().for_each(|kind| used[kind] += 1);
            let mask = mask | bit | self.row(next)?.reads;
            let reached = Configuration { mask, state: next, node, total: total + u32::from(kind.is_some()) };
            self.arrive(reached, &used, target, Some((op, outcome)));
            counted.into_iter().for_each(|kind| used[kind] -= 1);
        }
        self.rows.get_mut(&state).expect("just filled").firings = Some(firings);
        Ok(())
    }

    /// The row of a state at this return, worked out on first use.
    fn row(&mut self, state: State) -> Result<&Row, StepError> {
        if !self.rows.contains_key(&state) {
            let mut reads = 0;
            for &op in &self.reads {
                self.outcomes.clear();
                self.spec.step(state, self.problem.code[op as usize], &mut self.outcomes)?;
                reads |= if self.outcomes.is_empty() { 0 } else { self.kinds.bit[op as usize] };
            }
            self.rows.insert(state, Row { reads, firings: None });
        }
        Ok(&self.rows[&state])
    }

    /// What may be fired in a state; taken out of its row, to be put back. Operations of other domains wait for their own returns.
    fn firings(&mut self, state: State, rho: usize) -> Result<Vec<Firing>, StepError> {
        self.row(state)?;
        if let Some(firings) = self.rows.get_mut(&state).and_then(|row| row.firings.take()) {
            return Ok(firings);
        }
        let (problem, kinds) = (self.problem, self.kinds);
        let domain = problem.domain[problem.returns[rho] as usize];
        let mut who = Vec::new();
        for &op in &self.required {
            let code = problem.code[op as usize];
            let earlier = |&&twin: &&u32| {
                problem.code[twin as usize] == code && problem.deadline[twin as usize] < problem.deadline[op as usize]
            };
            let before = self.required.iter().filter(earlier).fold(0, |bits, &twin| bits | kinds.bit[twin as usize]);
            who.push((op, Who::Required(op, before)));
        }
        for kind in (0..kinds.ops.len()).filter(|&kind| self.called[kind] > 0) {
            let op = kinds.ops[kind][0];
            let same = |&&twin: &&u32| problem.code[twin as usize] == problem.code[op as usize];
            let twins = self.required.iter().filter(same).fold(0, |bits, &twin| bits | kinds.bit[twin as usize]);
            who.push((op, Who::Pending(kind as u32, twins)));
        }
        let mut firings = Vec::new();
        for (op, who) in who.into_iter().filter(|(op, _)| problem.domain[*op as usize] == domain) {
            self.outcomes.clear();
            self.spec.step(state, problem.code[op as usize], &mut self.outcomes)?;
            let outcomes = self.outcomes.iter().enumerate();
            firings.extend(outcomes.map(|(outcome, &next)| Firing { who, outcome: outcome as u32, next }));
        }
        self.room += firings.capacity();
        Ok(firings)
    }

    /// The return is explained: what lies behind it becomes the layer at hand.
    fn close(&mut self, rho: usize) {
        let target = self.problem.returns[rho];
        self.required.retain(|&op| op != target);
        self.reads.retain(|&op| op != target);
        std::mem::swap(&mut self.layer, &mut self.next);
        if self.ancestry.is_full() {
            self.ancestry.sweep(self.layer.configurations.iter_mut().map(|c| &mut c.node));
        }
    }

    fn bytes(&self) -> usize {
        self.layer.bytes()
            + self.next.bytes()
            + self.seekers.bytes()
            + self.ancestry.bytes()
            + self.rows.allocation_size()
            + self.room * size_of::<Firing>()
            + self.queue.capacity() * 8
            + self.spec.bytes()
    }
}
