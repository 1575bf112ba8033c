//! Is there an order? The order solver (`crates/solve`) as a method.
//!
//! It knows the object by its shape and the roles of its operations, as monitors do, and declines where a role does not tell enough. A model is an order; a refutation
//! names the operations of its lemmas, which are a violation by themselves. Work is counted in decisions of the solver.

use crate::methods::Method;
use crate::outcome::{Answer, Evidence, Stuck, Verdict};
use crate::settings::Settings;
use linpoint_base::{Account, Cause, Control};
use linpoint_solve::container::{self, Container};
use linpoint_solve::register::{Operations, Register};
use linpoint_solve::{InOrder, Intervals, Proof, Solution, Written, solve_within};
use linpoint_spec::{Part, Shape, StepError};

/// The solver as a method.
pub struct Solver;

impl Method for Solver {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "a SAT solver chooses which write each read found, or which add each remove took, with clauses made where a choice \
         goes wrong: registers, maps, stacks, queues and deques with many open operations; declines what it does not cover"
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        match part.spec.shape() {
            Shape::Register | Shape::Stack | Shape::Queue | Shape::Deque => Ok(()),
            _ => Err("it covers registers, entries of maps, stacks, queues and deques; not this object, or not what is asked about several of its keys".to_owned()),
        }
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        Ok(within(part, u64::MAX, settings, control))
    }
}

const NAME: &str = "solve";

/// What the solver finds with so much work: decisions, and operations for every look at a model.
pub(crate) fn within(part: &Part, work: u64, settings: &Settings, control: &Control) -> Answer {
    let mut account = Account::alone(control);
    let solved = solution(part, work, settings.proof, &mut account, control);
    let configurations = account.configurations;
    let bare = |verdict| Answer { configurations, ..Answer::bare(verdict, NAME) };
    let numbered = |places: Vec<u32>| places.into_iter().map(|op| part.ops[op as usize]).collect();
    match solved {
        Ok((Solution::Order(order), _)) => {
            account.poll(0, part.events.len() - part.ops.len().min(part.events.len()));
            Answer { configurations, ..Answer::yes(numbered(order), NAME) }
        }
        Ok((Solution::Refuted(refutation), proof)) => {
            let operations = numbered(refutation.operations);
            let evidence = Evidence::Conflict { operations, stuck: Stuck::default() };
            Answer { evidence, proof, ..bare(Verdict::Violation) }
        }
        Ok((Solution::GaveUp(cause), _)) | Err(cause) => bare(Verdict::Unknown(cause)),
    }
}

/// What the theory of the object's shape gives, with a proof if one is wanted; why there is none, if it does not cover some operation.
fn solution(
    part: &Part,
    work: u64,
    wants_proof: bool,
    account: &mut Account<'_>,
    control: &Control,
) -> Result<(Solution, Option<Written>), Cause> {
    if part.spec.shape() != Shape::Register {
        return of_container(part, work, wants_proof, account, control);
    }
    let intervals = Intervals::of(part);
    let mut tables = Account::alone(control);
    if let Some(cause) = tables.poll(intervals.bytes(), 0) {
        return Err(cause);
    }
    let most = (tables.spare() / PER_SOURCE).min(usize::try_from(work).unwrap_or(usize::MAX).saturating_mul(SOURCES));
    let operations = Operations::of(part, &intervals, most, &mut tables)?;
    tables.poll(intervals.bytes() + operations.bytes(), 0);
    let mut client = Register::new(&intervals, &operations);
    let solution = solve_within(&intervals, &mut client, work, account);
    let proof = match &solution {
        Solution::Refuted(refutation) if wants_proof => client.proof(refutation, account),
        _ => None,
    };
    let name = |op: u32| part.ops.get(op as usize).map_or("initial".to_owned(), u32::to_string);
    Ok((solution, proof.map(|proof| proof.written(&name))))
}

/// Bytes for a possible source in the tables while they are made.
const PER_SOURCE: usize = 16;

/// How many possible sources are noted in the time of one step of work.
const SOURCES: usize = 64;

/// What a remove and an add that it may have taken need, as a variable of the solver and in the tables.
const PER_PAIR: usize = 256;

/// How far off the adds may be that a remove is matched with at first, where it may have taken many.
const NEAR: u32 = 6;

/// A stack, a queue or a deque: first with likely matches only, which may give an order, then with all.
fn of_container(
    part: &Part,
    work: u64,
    wants_proof: bool,
    account: &mut Account<'_>,
    control: &Control,
) -> Result<(Solution, Option<Written>), Cause> {
    let mut tables = Account::alone(control);
    let most = (tables.spare() / PER_PAIR).min(usize::try_from(work).unwrap_or(usize::MAX));
    let operations = container::Operations::of(part, most).map_err(Cause::Declined)?;
    if let Some(cause) = tables.poll(operations.bytes(), 0) {
        return Err(cause);
    }
    let real_time = operations.real_time();
    let near = operations.within(NEAR);
    if near.pairs() < operations.pairs() {
        tables.poll(operations.bytes() + near.bytes(), 0);
        match solve_within(real_time, &mut InOrder::new(Container::new(&near), real_time), work, account) {
            Solution::Refuted(_) => {}
            found => return Ok((operations.named(found), None)),
        }
    }
    let mut client = InOrder::new(Container::new(&operations), real_time);
    let solution = solve_within(real_time, &mut client, work, account);
    let proof = match &solution {
        Solution::Refuted(refutation) if wants_proof => Proof::of(refutation, &client, real_time),
        _ => None,
    };
    let proof = proof.map(|proof| proof.written(&|op| operations.name(op, part)));
    Ok((operations.named(solution), proof))
}
