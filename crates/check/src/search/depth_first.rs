//! Is there a linearization? One configuration at a time, as deep as it goes.
//!
//! Wing & Gong's search (1993) with Lowe's memo (2017) as in Horn & Kroening (2015), but stepping from
//! return to return like `breadth_first`: at the return of t see first whether t alone explains it, then try every other
//! open operation before it, until t has taken effect; a dead end goes back to the last choice. A configuration met before is a dead end,
//! for the search that met it found no way on.
//!
//! ```text
//!   p0  |--- write 1 ---|          ρ: fire w1, the returning one; state 1
//!   p1     |------ write 2 ------|
//!   p2        |- read → 2 -|        ρ: not absorbed in state 1: fire w2; state 2, read absorbed
//! ```
//!
//! The memo's key is (ρ, mask over open operations, state), stored and compared in full. The lists of open
//! operations are lifted and unlifted as ρ moves (Knuth's dancing links), so going back costs
//! what going forward did.
//!
//! Cost: one memo entry per configuration, O(n) for the rest; time exponential at worst. Best where the answer is
//! "yes": it usually walks straight there.

use crate::outcome::{Candidate, Progress, Stuck};
use crate::search::ancestry::replay;
use crate::search::best_path::BestPath;
use crate::search::mask::{Mask, between_looks, growth, table_growth};
use crate::search::open::Open;
use crate::search::problem::Problem;
use hashbrown::HashSet;
use linpoint_base::{Account, Cause, Hashing};
use linpoint_spec::{Spec, State, StepError};

/// How many configurations are visited between two looks at the budget.
const GLANCE: usize = 512;

/// A choice to be made: a configuration at a return that it does not explain yet.
struct Frame<M> {
    rho: u32,
    mask: M,
    state: State,
    cursor: Cursor,
}

/// Which firing to try next.
#[derive(Clone, Copy)]
struct Cursor {
    stage: Stage,
    /// The operation at hand; within `Pending`, its place in the list.
    at: u32,
    outcome: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// The operation that returns.
    Target,
    /// Other open operations that will return.
    Required,
    /// Open operations that never return.
    Pending,
}

pub(crate) struct Depth<'a, M> {
    problem: &'a Problem,
    spec: Box<dyn Spec>,
    account: Account<'a>,
    /// The return at which the lists of open operations stand.
    rho: usize,
    deepest: usize,
    /// Open operations that change the state and will return; open reads.
    required: Open,
    reads: Open,
    /// All operations that never return, by their calls; the first `pending_open` are open.
    pending: Vec<u32>,
    pending_open: usize,
    frames: Vec<Frame<M>>,
    path: BestPath,
    memo: HashSet<(u32, M, State), Hashing>,
    outcomes: Vec<State>,
    started: bool,
}

impl<'a, M: Mask> Depth<'a, M> {
    pub fn new(problem: &'a Problem, spec: Box<dyn Spec>, account: Account<'a>) -> Self {
        Depth {
            problem,
            spec,
            account,
            rho: 0,
            deepest: 0,
            required: Open::new(problem.code.len()),
            reads: Open::new(problem.code.len()),
            pending: (0..problem.code.len() as u32).filter(|&op| !problem.returns(op)).collect(),
            pending_open: 0,
            frames: Vec::new(),
            path: BestPath::default(),
            memo: HashSet::default(),
            outcomes: Vec::new(),
            started: false,
        }
    }

    pub fn configurations(&self) -> u64 {
        self.account.configurations
    }

    /// Tries about `work` firings.
    pub fn run(&mut self, work: u64) -> Progress {
        match self.advance(work) {
            Ok(progress) => progress,
            Err(StepError(message)) => Progress::GaveUp(Cause::Broken(message)),
        }
    }

    fn advance(&mut self, work: u64) -> Result<Progress, StepError> {
        let until = self.account.configurations.saturating_add(work);
        let mut poll_at = self.account.configurations;
        if !self.started {
            self.started = true;
            if self.problem.returns.is_empty() {
                return Ok(Progress::Yes);
            }
            let initial = self.spec.initial()?;
            self.open(0, self.problem.called[0]);
            if self.arrive(M::empty(self.problem.slots), initial)? {
                return Ok(Progress::Yes);
            }
        }
        while let Some((op, outcome, next)) = self.choose()? {
            self.account.configurations += 1;
            let mut mask = self.frames.last().expect("chosen from a frame").mask.clone();
            mask.insert(self.problem.slot[op as usize]);
            self.path.push((op, outcome));
            if self.arrive(mask, next)? {
                self.account.poll(self.bytes(), self.rho);
                return Ok(Progress::Yes);
            }
            if self.account.configurations >= poll_at {
                let more = between_looks(GLANCE, self.problem.slots);
                poll_at = self.account.configurations + more as u64;
                if let Some(cause) = self.account.poll(self.bytes(), self.deepest) {
                    return Ok(Progress::GaveUp(cause));
                }
                if self.growth(more) > self.account.spare() {
                    return Ok(Progress::GaveUp(Cause::Memory));
                }
                if self.account.configurations >= until {
                    return Ok(Progress::Running);
                }
            }
        }
        Ok(Progress::No)
    }

    /// Absorbs reads and passes every return that is explained. True at the end of the history; otherwise a
    /// frame is pushed, or everything is undone because this configuration is known to be a dead end.
    fn arrive(&mut self, mut mask: M, state: State) -> Result<bool, StepError> {
        let before = self.rho;
        self.absorb(&mut mask, state)?;
        loop {
            let target = self.problem.returns[self.rho];
            let slot = self.problem.slot[target as usize];
            if !mask.has(slot) {
                break;
            }
            mask.remove(slot);
            self.forward();
            if self.rho == self.problem.returns.len() {
                return Ok(true);
            }
            self.absorb(&mut mask, state)?;
        }
        if self.rho > self.deepest {
            self.deepest = self.rho;
            self.path.mark();
        }
        if self.memo.insert((self.rho as u32, mask.clone(), state)) {
            let at = self.problem.returns[self.rho];
            let cursor = Cursor { stage: Stage::Target, at, outcome: 0 };
            self.frames.push(Frame { rho: self.rho as u32, mask, state, cursor });
        } else {
            self.path.pop();
            self.back_to(before);
        }
        Ok(false)
    }

    /// The next firing to try: from the deepest frame that has one left; frames without are dropped.
    fn choose(&mut self) -> Result<Option<(u32, u32, State)>, StepError> {
        while let Some(mut frame) = self.frames.pop() {
            self.back_to(frame.rho as usize);
            while let Some(op) = self.candidate(&mut frame) {
                self.outcomes.clear();
                self.spec.step(frame.state, self.problem.code[op as usize], &mut self.outcomes)?;
                let outcome = frame.cursor.outcome;
                if let Some(&next) = self.outcomes.get(outcome as usize) {
                    frame.cursor.outcome += 1;
                    self.frames.push(frame);
                    return Ok(Some((op, outcome, next)));
                }
                self.skip(&mut frame.cursor, op);
            }
            self.path.pop();
        }
        Ok(None)
    }

    /// The operation at the frame's cursor that may be fired, moving on past those that may not.
    fn candidate(&self, frame: &mut Frame<M>) -> Option<u32> {
        let target = self.problem.returns[self.rho];
        loop {
            let op = match frame.cursor.stage {
                Stage::Target | Stage::Required if frame.cursor.at == self.required.head() => {
                    frame.cursor = Cursor { stage: Stage::Pending, at: 0, outcome: 0 };
                    continue;
                }
                Stage::Target | Stage::Required => frame.cursor.at,
                Stage::Pending if frame.cursor.at as usize == self.pending_open => return None,
                Stage::Pending => self.pending[frame.cursor.at as usize],
            };
            if !(frame.cursor.stage == Stage::Required && op == target) && self.may_fire(op, target, &frame.mask) {
                return Some(op);
            }
            self.skip(&mut frame.cursor, op);
        }
    }

    /// May `op` be fired so that `target` can return? Operations of other domains commute with all that
    /// `target` waits for: their turn comes at their own returns.
    fn may_fire(&self, op: u32, target: u32, mask: &M) -> bool {
        let problem = self.problem;
        problem.domain[op as usize] == problem.domain[target as usize]
            && !problem.read_only[op as usize]
            && !mask.has(problem.slot[op as usize])
            && !self.has_earlier_twin(op, mask)
    }

    fn skip(&self, cursor: &mut Cursor, op: u32) {
        cursor.outcome = 0;
        match cursor.stage {
            Stage::Target => {
                cursor.stage = Stage::Required;
                cursor.at = self.required.next[self.required.head() as usize];
            }
            Stage::Required => cursor.at = self.required.next[op as usize],
            Stage::Pending => cursor.at += 1,
        }
    }

    /// Is an operation open that does the same as `op`, returns earlier and is not linearized? Then that one goes first.
    fn has_earlier_twin(&self, op: u32, mask: &M) -> bool {
        let problem = self.problem;
        let (code, deadline) = (problem.code[op as usize], problem.deadline[op as usize]);
        let waits = |twin: u32| !mask.has(problem.slot[twin as usize]);
        problem.older_twin[op as usize].is_some_and(waits)
            || self.required.iter().any(|twin| {
                problem.code[twin as usize] == code && problem.deadline[twin as usize] < deadline && waits(twin)
            })
    }

    /// Linearizes every open read that is legal in `state`.
    fn absorb(&mut self, mask: &mut M, state: State) -> Result<(), StepError> {
        let mut at = self.reads.head();
        while let Some(op) = self.reads.after(at) {
            at = op;
            let slot = self.problem.slot[op as usize];
            if mask.has(slot) {
                continue;
            }
            self.outcomes.clear();
            self.spec.step(state, self.problem.code[op as usize], &mut self.outcomes)?;
            if !self.outcomes.is_empty() {
                mask.insert(slot);
            }
        }
        Ok(())
    }

    fn list(&mut self, op: u32) -> &mut Open {
        if self.problem.read_only[op as usize] { &mut self.reads } else { &mut self.required }
    }

    /// Passes return ρ: its operation is open no longer, the next calls are.
    fn forward(&mut self) {
        let target = self.problem.returns[self.rho];
        self.list(target).lift(target);
        let from = self.problem.called[self.rho];
        self.rho += 1;
        let until = self.problem.called.get(self.rho).copied().unwrap_or(from);
        self.open(from, until);
    }

    fn open(&mut self, from: u32, until: u32) {
        for op in from..until {
            if self.problem.returns(op) {
                self.list(op).append(op);
            } else {
                self.pending_open += 1;
            }
        }
    }

    /// Undoes [`Depth::forward`] until ρ is `rho` again.
    fn back_to(&mut self, rho: usize) {
        while self.rho > rho {
            let until = self.problem.called.get(self.rho).copied();
            self.rho -= 1;
            let from = self.problem.called[self.rho];
            for op in (from..until.unwrap_or(from)).rev() {
                if self.problem.returns(op) {
                    self.list(op).lift(op);
                } else {
                    self.pending_open -= 1;
                }
            }
            let target = self.problem.returns[self.rho];
            self.list(target).unlift(target);
        }
    }

    fn bytes(&self) -> usize {
        let spilled = self.frames.first().map_or(0, |frame| frame.mask.spilled());
        self.memo.allocation_size()
            + self.frames.capacity() * size_of::<Frame<M>>()
            + (self.memo.len() + self.frames.len()) * spilled
            + self.pending.capacity() * 4
            + self.required.bytes()
            + self.reads.bytes()
            + self.path.bytes()
            + self.spec.bytes()
    }

    /// Extra bytes, if tables grow before the next look at the budget: the old and the new one exist together for a
    /// moment.
    fn growth(&self, more: usize) -> usize {
        let memo = table_growth(self.memo.len(), self.memo.capacity(), self.memo.allocation_size(), more);
        memo + growth(&self.frames, more) + growth(&self.path.fired, more)
    }

    /// The order that explains everything; after `Yes`.
    pub fn witness(&mut self) -> Result<Vec<u32>, StepError> {
        let (order, _) = replay(self.problem, &mut *self.spec, &self.path.fired, self.problem.returns.len())?;
        Ok(order.iter().map(|&op| self.problem.origin[op as usize]).collect())
    }

    /// How far the search got: the deepest return it reached, and the order that led there.
    pub fn evidence(&mut self) -> Result<Stuck, StepError> {
        let best = self.path.marked().to_vec();
        let (order, state) = replay(self.problem, &mut *self.spec, &best, self.deepest)?;
        let order = order.iter().map(|&op| self.problem.origin[op as usize]).collect();
        let open = self.problem.open_at(self.deepest);
        Ok(Stuck {
            operation: self.problem.returns.get(self.deepest).map(|&op| self.problem.origin[op as usize]),
            candidates: vec![Candidate { order, state: self.spec.show(state) }],
            frontier: open.iter().map(|&op| self.problem.origin[op as usize]).collect(),
            explained: self.deepest,
        })
    }
}
