//! Is there a linearization? Return by return, all configurations at once.
//!
//! Just-in-time linearization (Lowe 2017, after Wing & Gong 1993; the shape of Knossos' `linear`):
//! a configuration says which open operations have taken effect and in which state that left the
//! object. At the return of t only those configurations survive in which t has taken effect;
//! the others fire open operations, one after the other, until t is among them.
//!
//! ```text
//!   p0  |--- write 1 ---|            at ρ = "write 1 returns": fire it, perhaps after write 2
//!   p1     |------ write 2 ------|   {w1} in state 1, {w2, w1} in state 1
//!   p2        |--- read → 2 ---|     at ρ = "read returns": {w1} fires w2: {w1, w2} in state 2, read absorbed
//! ```
//!
//! What we add: masks over open operations only; a read-only operation is
//! absorbed the moment it is legal; of open operations that do the same thing only the one that
//! returns first may be fired; dominated uses of pending operations are dropped; and for each
//! state at hand the legal firings are worked out once per return (a *row*), so the
//! inner loop runs no specification. At a quiescent point all masks are empty and what is
//! carried across is the bare set of reachable states.
//!
//! Cost: memory for two layers of configurations and about one node per operation
//! (`ancestry`); time exponential in the number of open operations at worst. Best where the answer is
//! "no"; for a quick "yes" see `depth_first`.

mod answers;

pub(crate) use answers::Reached;

use crate::outcome::Progress;
use crate::search::ancestry::{Ancestry, ROOT};
use crate::search::layer::{Configuration, Layer};
use crate::search::mask::{Mask, between_looks, growth, table_growth};
use crate::search::problem::{AWAITED, Problem};
use hashbrown::HashMap;
use linpoint_base::{Account, Cause, Hashing};
use linpoint_spec::{Code, Spec, State, StepError};

/// An open operation that changes the state.
struct Mutator {
    op: u32,
    slot: u32,
    code: Code,
    /// Slots of open operations that do the same and go first.
    after: Twins,
}

/// The slots of the twins that an operation waits for: the last one of its own kind (required or not), and for one that is
/// not required also the last required one that returns before it.
type Twins = [Option<u32>; 2];

/// What can happen in one state at one return.
struct Row<M> {
    /// Open reads that are legal here.
    reads: M,
    /// What may be fired here, once they are asked for.
    firings: Option<Vec<Firing>>,
}

struct Firing {
    op: u32,
    slot: u32,
    after: Twins,
    outcome: u32,
    next: State,
    /// The row of `next`, once it is needed.
    row: u32,
}

const UNKNOWN: u32 = u32::MAX;

/// A configuration to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// What the object is in, as the specification names it.
    pub state: State,
    /// Open operations that have taken effect, as numbers of the history.
    pub done: Vec<u32>,
}

/// How many configurations are touched between two looks at the budget.
const GLANCE: usize = 4096;

/// How many rows' memory is kept for the next return.
const SPARE: usize = 256;

/// The search.
pub(crate) struct Breadth<'a, M> {
    problem: &'a Problem,
    spec: Box<dyn Spec>,
    account: Account<'a>,
    /// The return to be explained next.
    rho: usize,
    /// Are the calls before ρ taken in?
    is_open: bool,
    /// Where to stop and wait.
    pause: usize,
    /// Are ancestors without living descendants swept out?
    forgets: bool,
    /// How many operations were called.
    called: u32,
    mutators: Vec<Mutator>,
    reads: Vec<u32>,
    /// Slots of open operations that need not take effect: pending and optional ones.
    pending: M,
    /// The configurations at ρ, and those behind it.
    layer: Layer<M>,
    next: Layer<M>,
    /// Configurations at ρ without t, those yet to be expanded from `head` on.
    seekers: Layer<M>,
    head: usize,
    rows: Vec<Row<M>>,
    row_of: HashMap<State, u32, Hashing>,
    ancestry: Ancestry,
    outcomes: Vec<State>,
    spare: Vec<Vec<Firing>>,
    /// For how many firings the rows and the spare ones have room.
    room: usize,
    /// Configurations touched since the last look at the budget, and what that look said.
    touched: usize,
    halted: Option<Cause>,
}

impl<'a, M: Mask> Breadth<'a, M> {
    pub fn new(problem: &'a Problem, mut spec: Box<dyn Spec>, account: Account<'a>) -> Result<Self, StepError> {
        let start = Start { state: spec.initial()?, done: Vec::new() };
        Breadth::from(problem, spec, account, &[start])
    }

    /// The same from other configurations than the initial one. What they name as done must be called before the first return.
    pub fn from(
        problem: &'a Problem,
        spec: Box<dyn Spec>,
        account: Account<'a>,
        starts: &[Start],
    ) -> Result<Self, StepError> {
        let pending = M::empty(problem.slots);
        let mut layer = Layer::new();
        let first = problem.called.first().map_or(0, |&called| called as usize);
        for start in starts {
            let mut mask = M::empty(problem.slots);
            for op in (0..first).filter(|&op| start.done.contains(&problem.origin[op])) {
                mask.insert(problem.slot[op]);
            }
            layer.insert(mask, start.state, ROOT, &pending);
        }
        Ok(Breadth {
            problem,
            spec,
            account,
            rho: 0,
            is_open: false,
            pause: usize::MAX,
            forgets: true,
            called: 0,
            mutators: Vec::new(),
            reads: Vec::new(),
            pending,
            layer,
            next: Layer::new(),
            seekers: Layer::new(),
            head: 0,
            rows: Vec::new(),
            row_of: HashMap::default(),
            ancestry: Ancestry::new(),
            outcomes: Vec::new(),
            spare: Vec::new(),
            room: 0,
            touched: GLANCE,
            halted: None,
        })
    }

    pub fn configurations(&self) -> u64 {
        self.account.configurations
    }

    /// Expands about `work` configurations, but does not explain return `rho`.
    pub fn run_up_to(&mut self, rho: usize, work: u64) -> Progress {
        self.pause = rho;
        let progress = self.run(work);
        self.pause = usize::MAX;
        progress
    }

    pub fn rho(&self) -> usize {
        self.rho
    }

    pub fn into_spec(self) -> Box<dyn Spec> {
        self.spec
    }

    /// Expands about `work` configurations.
    pub fn run(&mut self, work: u64) -> Progress {
        match self.advance(work) {
            Ok(progress) => progress,
            Err(StepError(message)) => Progress::GaveUp(Cause::Broken(message)),
        }
    }

    fn advance(&mut self, work: u64) -> Result<Progress, StepError> {
        let until = self.account.configurations.saturating_add(work);
        while self.rho < self.problem.returns.len() {
            if let Some(cause) = self.glance() {
                return Ok(Progress::GaveUp(cause));
            }
            if self.account.configurations >= until || self.rho >= self.pause {
                return Ok(Progress::Running);
            }
            if !self.is_open {
                self.open_return()?;
                continue;
            }
            if self.head < self.seekers.configurations.len() {
                self.expand(self.head)?;
                self.head += 1;
                continue;
            }
            if self.next.living() == 0 {
                return Ok(Progress::No);
            }
            self.close_return();
        }
        self.account.poll(self.bytes(), self.rho);
        Ok(Progress::Yes)
    }

    /// Looks at the budget every few thousand configurations touched, however they were touched.
    fn glance(&mut self) -> Option<Cause> {
        let most = between_looks(GLANCE, self.problem.slots);
        if self.touched >= most {
            self.touched = 0;
            self.halted = self.account.poll(self.bytes(), self.rho);
            if self.halted.is_none() && self.growth(most) > self.account.spare() {
                self.halted = Some(Cause::Memory);
            }
        }
        self.halted.clone()
    }

    /// Fires every operation that may be fired from seeker `index`.
    fn expand(&mut self, index: usize) -> Result<(), StepError> {
        self.account.configurations += 1;
        let seeker = &self.seekers.configurations[index];
        if seeker.dropped {
            return Ok(());
        }
        let (mask, parent) = (seeker.mask.clone(), seeker.node);
        let state = seeker.state;
        let row = self.row(state)?;
        let count = self.fill(row, state)?;
        self.touched += 1 + count;
        let target = self.problem.slot[self.problem.returns[self.rho] as usize];
        for i in 0..count {
            let firing = self.firing(row, i);
            let waits = |twin: Option<u32>| twin.is_some_and(|twin| !mask.has(twin));
            if mask.has(firing.slot) || waits(firing.after[0]) || waits(firing.after[1]) {
                continue;
            }
            let (op, outcome, state) = (firing.op, firing.outcome, firing.next);
            let mut reached = mask.clone();
            reached.insert(firing.slot);
            if firing.row == UNKNOWN {
                let next = self.row(state)?;
                self.firing(row, i).row = next;
            }
            let next = self.firing(row, i).row;
            reached.unite(&self.rows[next as usize].reads);
            let (layer, arrived) =
                if reached.has(target) { (&mut self.next, true) } else { (&mut self.seekers, false) };
            if arrived {
                reached.remove(target);
            }
            // The node is noted only if the configuration is new.
            if layer.insert(reached, state, ROOT, &self.pending) {
                let node = self.ancestry.born(parent, op, outcome);
                layer.configurations.last_mut().expect("just inserted").node = node;
            }
        }
        Ok(())
    }

    fn firing(&mut self, row: u32, i: usize) -> &mut Firing {
        &mut self.rows[row as usize].firings.as_mut().expect("a row is filled before its firings are asked for")[i]
    }

    /// Takes in the calls before ρ, lets configurations absorb new reads, and sorts out who already has t.
    fn open_return(&mut self) -> Result<(), StepError> {
        self.is_open = true;
        let target = self.problem.returns[self.rho];
        for op in self.called..self.problem.called[self.rho] {
            self.take_in(op);
        }
        self.called = self.problem.called[self.rho];
        self.row_of.clear();
        while let Some(row) = self.rows.pop() {
            self.spare.extend(row.firings);
        }
        self.spare.truncate(SPARE);
        self.room = self.spare.iter().map(Vec::capacity).sum();
        self.seekers.clear();
        self.head = 0;
        self.next.clear();
        let (slot, required) = (self.problem.slot[target as usize], self.problem.required[target as usize]);
        for index in 0..self.layer.configurations.len() {
            let Configuration { mask, state, node, dropped } = &self.layer.configurations[index];
            if *dropped {
                continue;
            }
            let (mut mask, state, node) = (mask.clone(), *state, *node);
            self.touched += 1;
            if self.glance().is_some() {
                break; // `advance` gives up before it looks at the unfinished layers
            }
            if !self.reads.is_empty() {
                let row = self.row(state)?;
                mask.unite(&self.rows[row as usize].reads);
            }
            if mask.has(slot) {
                mask.remove(slot);
                self.next.insert(mask, state, node, &self.pending);
                continue;
            }
            if !required {
                // It never happened, or it did: both ways are followed.
                self.next.insert(mask.clone(), state, node, &self.pending);
            }
            self.seekers.insert(mask, state, node, &self.pending);
        }
        Ok(())
    }

    /// t has returned: what lies behind its return becomes the layer at hand.
    fn close_return(&mut self) {
        let target = self.problem.returns[self.rho];
        if self.problem.read_only[target as usize] {
            self.reads.retain(|&op| op != target);
        } else {
            self.mutators.retain(|mutator| mutator.op != target);
            self.link_twins(self.problem.code[target as usize]);
        }
        self.pending.remove(self.problem.slot[target as usize]);
        std::mem::swap(&mut self.layer, &mut self.next);
        self.rho += 1;
        self.is_open = false;
        if self.forgets && self.ancestry.is_full() {
            self.ancestry.sweep(self.layer.configurations.iter_mut().map(|c| &mut c.node));
        }
    }

    fn take_in(&mut self, op: u32) {
        let at = op as usize;
        if self.problem.read_only[at] {
            self.reads.push(op);
            return;
        }
        let (slot, code) = (self.problem.slot[at], self.problem.code[at]);
        if !self.problem.required[at] {
            self.pending.insert(slot);
        }
        self.mutators.push(Mutator { op, slot, code, after: [None; 2] });
        self.link_twins(code);
    }

    /// Chains the open operations with this code by their returns: each waits for those before it.
    ///
    /// Sound by exchange: a and b do the same and are both open, a returns first. An order with b before a stays valid when
    /// they swap places, for a moves earlier within its interval and b ends before a's return. If only one of them takes
    /// effect it may be a, unless b is required and a is not: b does not wait for such an a.
    fn link_twins(&mut self, code: Code) {
        let (deadline, required) = (&self.problem.deadline, &self.problem.required);
        let mut twins: Vec<usize> = (0..self.mutators.len()).filter(|&i| self.mutators[i].code == code).collect();
        twins.retain(|&i| deadline[self.mutators[i].op as usize] != AWAITED); // of those it is not known which returns first
        twins.sort_by_key(|&i| (deadline[self.mutators[i].op as usize], self.mutators[i].op));
        let (mut needed, mut free) = (None, None);
        for i in twins {
            let slot = Some(self.mutators[i].slot);
            if required[self.mutators[i].op as usize] {
                self.mutators[i].after = [needed, None];
                needed = slot;
            } else {
                self.mutators[i].after = [free, needed];
                free = slot;
            }
        }
    }

    /// The row of a state at this return, worked out on first use.
    fn row(&mut self, state: State) -> Result<u32, StepError> {
        if let Some(&row) = self.row_of.get(&state) {
            return Ok(row);
        }
        let mut reads = M::empty(self.problem.slots);
        for &op in &self.reads {
            self.outcomes.clear();
            self.spec.step(state, self.problem.code[op as usize], &mut self.outcomes)?;
            if !self.outcomes.is_empty() {
                reads.insert(self.problem.slot[op as usize]);
            }
        }
        self.rows.push(Row { reads, firings: None });
        let row = self.rows.len() as u32 - 1;
        self.row_of.insert(state, row);
        Ok(row)
    }

    /// Works out what may be fired in the state of a row, unless that was done before. Most states only pass by and need no more than their reads.
    fn fill(&mut self, row: u32, state: State) -> Result<usize, StepError> {
        if let Some(firings) = &self.rows[row as usize].firings {
            return Ok(firings.len());
        }
        let mut firings = self.spare.pop().unwrap_or_default();
        self.room -= firings.capacity();
        firings.clear();
        // Operations of other domains commute with t and whatever t waits for: their turn comes at their own returns.
        let domain = self.problem.domain[self.problem.returns[self.rho] as usize];
        for mutator in self.mutators.iter().filter(|m| self.problem.domain[m.op as usize] == domain) {
            self.outcomes.clear();
            self.spec.step(state, mutator.code, &mut self.outcomes)?;
            firings.extend(self.outcomes.iter().enumerate().map(|(outcome, &next)| Firing {
                op: mutator.op,
                slot: mutator.slot,
                after: mutator.after,
                outcome: outcome as u32,
                next,
                row: UNKNOWN,
            }));
        }
        let count = firings.len();
        self.room += firings.capacity();
        self.rows[row as usize].firings = Some(firings);
        Ok(count)
    }

    fn bytes(&self) -> usize {
        let spilled = self.rows.first().map_or(0, |row| row.reads.spilled());
        let rows =
            self.rows.capacity() * size_of::<Row<M>>() + self.rows.len() * spilled + self.row_of.allocation_size();
        let firings = self.room * size_of::<Firing>() + self.spare.capacity() * size_of::<Vec<Firing>>();
        let open = self.mutators.capacity() * size_of::<Mutator>() + self.reads.capacity() * 4;
        self.layer.bytes()
            + self.next.bytes()
            + self.seekers.bytes()
            + self.ancestry.bytes()
            + rows
            + firings
            + open
            + self.spec.bytes()
    }

    /// What it takes more when the tables grow that may grow before the next look at the budget.
    fn growth(&self, more: usize) -> usize {
        let table = table_growth(self.row_of.len(), self.row_of.capacity(), self.row_of.allocation_size(), more);
        let rows = growth(&self.rows, more) + table;
        self.next.growth(more) + self.seekers.growth(more) + self.ancestry.growth(more) + rows
    }
}
