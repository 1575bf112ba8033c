//! Does one of these schedules give the recorded results? Runs them all, each common prefix once.
//!
//! Sorted, the schedules are a trie of prefixes, walked depth-first with one object in hand:
//!
//! ```text
//!   a b c d        a ─ b ─ c ─ d         run a b c d; back behind "a b": a copy taken there, or a new object on which a and b
//!   a b d c              └ d ─ c         are run again; then d c
//!   b a c d        b ─ a ─ c ─ d         where "a b" does not give the recorded results, both schedules that begin so are done with
//! ```
//!
//! A copy is taken where schedules part, if it saves more calls than it costs ([`Run::copy_cost`]); an object that cannot be copied is
//! run again from the beginning. A pending operation may take effect where it stands or never: the walk parts there, too. Operations that
//! the model cannot tell apart are one to the trie.
//!
//! What an object answered once it must answer again: when it is run again, and on a copy (the first few copies are compared with a
//! run). One that does not cannot be a specification.
//!
//! Cost: one call per node of the trie, plus what is run again. No recursion.

use linpoint_base::{Account, Cause};
use linpoint_spec::{Code, Run, StepError};

/// So many copies are compared with an object that is run from the beginning.
const COPIES_COMPARED: u32 = 8;

/// The account is looked at after so many calls.
const CALLS_BETWEEN_POLLS: u64 = 512;

/// What came of running schedules.
pub(crate) enum Rehearsed {
    /// These operations take effect, in this order.
    Explained(Vec<u32>),
    /// None of the schedules gives the recorded results.
    Unexplained,
    /// It was told to stop.
    Stopped(Cause),
}

/// What an operation is to the trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub code: Code,
    /// It need not take effect.
    pub is_pending: bool,
}

/// Where the walk goes on.
struct Branch {
    /// The schedules that begin like this, a range of the sorted ones.
    rows: std::ops::Range<usize>,
    /// The place in them to go on from.
    place: usize,
    /// So many operations of the path are common with the branch before.
    shared: usize,
    next: Next,
    from: From,
}

/// What becomes of the operation at the place of a branch.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// It was not looked at yet.
    Open,
    /// It takes effect.
    Taken,
    /// It is pending, and never does.
    Skipped,
}

/// How the object in hand gets behind the common prefix.
#[derive(Clone, Copy, PartialEq)]
enum From {
    /// It is there.
    Here,
    /// A copy lies on the stack; `stays`: others will need it after this one.
    Copy { stays: bool },
    /// By running the prefix from the beginning.
    Beginning,
}

/// Runs schedules of one part.
pub(crate) struct Rehearsal<'c> {
    run: Box<dyn Run>,
    /// By operation.
    kinds: Vec<Kind>,
    /// How many operations must take effect.
    required: usize,
    /// What was done on the way to where the walk stands: places in the schedule, and codes.
    path: Vec<(u32, Code)>,
    /// Codes to be done next, in one go.
    batch: Vec<Code>,
    copies_compared: u32,
    /// The longest order so far that gave the recorded results.
    furthest: Vec<u32>,
    pub account: Account<'c>,
    /// Bytes that others hold on this account.
    pub bytes: usize,
    polled_at: u64,
}

impl<'c> Rehearsal<'c> {
    pub fn new(run: Box<dyn Run>, kinds: Vec<Kind>, account: Account<'c>) -> Self {
        let required = kinds.iter().filter(|kind| !kind.is_pending).count();
        let (path, batch, furthest) = (Vec::new(), Vec::new(), Vec::new());
        Rehearsal { run, kinds, required, path, batch, copies_compared: 0, furthest, account, bytes: 0, polled_at: 0 }
    }

    /// The longest order that gave the recorded results.
    pub fn furthest(&self) -> &[u32] {
        &self.furthest
    }

    /// Calls made so far.
    pub fn calls(&self) -> u64 {
        self.account.configurations
    }

    /// Runs schedules, all of the same operations, until one gives the recorded results.
    pub fn rehearse(&mut self, schedules: &[&[u32]]) -> Result<Rehearsed, StepError> {
        let key = |op: &u32| self.kinds[*op as usize];
        let mut rows = schedules.to_vec();
        rows.sort_unstable_by(|a, b| a.iter().map(key).cmp(b.iter().map(key)));
        let whole = Branch { rows: 0..rows.len(), place: 0, shared: 0, next: Next::Open, from: From::Beginning };
        let mut branches = vec![whole];
        self.run.clear();
        while let Some(branch) = branches.pop() {
            if branch.rows.is_empty() {
                continue;
            }
            if self.calls() - self.polled_at >= CALLS_BETWEEN_POLLS {
                self.polled_at = self.calls();
                let held = self.bytes + self.run.bytes() + rows.capacity() * size_of::<&[u32]>();
                if let Some(cause) = self.account.poll(held, 0) {
                    return Ok(Rehearsed::Stopped(cause));
                }
            }
            if let Some(row) = self.follow(&rows, branch, &mut branches)? {
                let witness = self.path.iter().map(|&(place, _)| rows[row][place as usize]);
                return Ok(Rehearsed::Explained(witness.collect()));
            }
        }
        Ok(Rehearsed::Unexplained)
    }

    /// Goes on to where the schedules of a branch part, and adds the branches there; a schedule, if it is a witness.
    fn follow(
        &mut self,
        rows: &[&[u32]],
        branch: Branch,
        branches: &mut Vec<Branch>,
    ) -> Result<Option<usize>, StepError> {
        let Branch { rows: among, mut place, shared, next, from } = branch;
        self.path.truncate(shared);
        self.batch.clear();
        if next == Next::Taken {
            self.take(rows[among.start], place);
        }
        place += usize::from(next != Next::Open);
        let mut left =
            self.required - self.path.iter().filter(|&&(at, _)| !self.kind(rows[among.start], at).is_pending).count();
        loop {
            if left == 0 {
                return Ok(self.does_batch(rows[among.start], shared, from)?.then_some(among.start));
            }
            let (first, last) =
                (self.kind(rows[among.start], place as u32), self.kind(rows[among.end - 1], place as u32));
            if first != last || first.is_pending {
                break;
            }
            self.take(rows[among.start], place);
            left -= 1;
            place += 1;
        }
        if self.does_batch(rows[among.start], shared, from)? {
            self.part(rows, among, place, branches)?;
        }
        Ok(None)
    }

    fn kind(&self, row: &[u32], place: u32) -> Kind {
        self.kinds[row[place as usize] as usize]
    }

    fn take(&mut self, row: &[u32], place: usize) {
        let code = self.kind(row, place as u32).code;
        self.path.push((place as u32, code));
        self.batch.push(code);
    }

    /// Adds a branch for each operation that a schedule goes on with, so that the first is followed next.
    fn part(
        &mut self,
        rows: &[&[u32]],
        among: std::ops::Range<usize>,
        place: usize,
        branches: &mut Vec<Branch>,
    ) -> Result<(), StepError> {
        let (shared, first) = (self.path.len(), branches.len());
        let mut start = among.start;
        while start < among.end {
            let kind = self.kind(rows[start], place as u32);
            let same = |row: &&[u32]| self.kind(row, place as u32) == kind;
            let end = start + rows[start..among.end].partition_point(same);
            let ways: &[Next] = if kind.is_pending { &[Next::Skipped, Next::Taken] } else { &[Next::Taken] };
            for &next in ways {
                branches.push(Branch { rows: start..end, place, shared, next, from: From::Beginning });
            }
            start = end;
        }
        branches[first..].reverse();
        let (here, others) = branches[first..].split_last_mut().expect("schedules go on");
        here.from = From::Here;
        let pays = self.run.copy_cost().is_some_and(|cost| shared > cost);
        if !others.is_empty() && pays && self.run.save()? {
            for (after, branch) in others.iter_mut().enumerate() {
                branch.from = From::Copy { stays: after > 0 };
            }
        }
        Ok(())
    }

    /// Does what is in the batch behind the first `shared` operations of the path: did all give their recorded results?
    fn does_batch(&mut self, row: &[u32], shared: usize, from: From) -> Result<bool, StepError> {
        let done = self.do_batch(shared, from)?;
        if shared + done > self.furthest.len() {
            self.furthest.clear();
            self.furthest.extend(self.path[..shared + done].iter().map(|&(place, _)| row[place as usize]));
        }
        Ok(done == self.batch.len())
    }

    /// The same; how many of the batch gave their recorded results.
    fn do_batch(&mut self, shared: usize, from: From) -> Result<usize, StepError> {
        let ready = match from {
            From::Here => true,
            From::Copy { stays } => self.run.restore(stays)?,
            From::Beginning => false,
        };
        if !ready {
            return self.run_again(shared);
        }
        let done = self.run.go_on(&self.batch)?;
        self.account.configurations += self.batch.len().min(done + 1) as u64;
        if from != From::Here && self.copies_compared < COPIES_COMPARED {
            self.copies_compared += 1;
            let again = self.run_again(shared)?;
            if again != done {
                let is_the_copy = self.run_again(shared)? == again; // or the object itself answers at random
                return Err(self.run.unreliable(Some(self.batch[again.min(done)]), is_the_copy));
            }
        }
        Ok(done)
    }

    /// Runs the first `shared` operations of the path on a new object, then the batch; how many of the batch gave their recorded results.
    fn run_again(&mut self, shared: usize) -> Result<usize, StepError> {
        self.run.begin()?;
        let codes: Vec<Code> = self.path.iter().map(|&(_, code)| code).collect();
        debug_assert_eq!(codes[shared..], self.batch, "the batch is the rest of the path");
        let done = self.run.go_on(&codes)?;
        self.account.configurations += codes.len().min(done + 1) as u64;
        match done.checked_sub(shared) {
            Some(done) => Ok(done),
            None => Err(self.run.unreliable(Some(codes[done]), false)),
        }
    }
}
