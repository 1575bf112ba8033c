//! Is there an order? The order solver (`crates/solve`) as a method.
//!
//! It knows the object by its shape and the roles of its operations, as monitors do, and declines where a role does not tell enough. A model is an order; a refutation
//! names the operations of its lemmas, which are a violation by themselves. Work is counted in decisions of the solver.

use crate::methods::Method;
use crate::outcome::{Answer, Evidence, Stuck, Verdict};
use crate::settings::Settings;
use linpoint_base::{Account, Cause, Control};
use linpoint_solve::register::{Operations, Register};
use linpoint_solve::{Intervals, Solution, Written, solve_within};
use linpoint_spec::{Part, Shape, StepError};

/// The solver as a method.
pub struct Solver;

impl Method for Solver {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "a SAT solver chooses which write each read found, with clauses made where a choice goes wrong: registers and \
         maps with repeated values and many open operations; declines what it does not cover"
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        match part.spec.shape() {
            Shape::Register => Ok(()),
            _ => Err("there is no theory for this kind of object".to_owned()),
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
