//! Is there an order? The order solver (`crates/solve`) as a method.
//!
//! It knows the object by its shape and the roles of its operations, as monitors do, and declines where a role does not tell enough. A model is an order; a refutation
//! names the operations of its lemmas, which are a violation by themselves. Work is counted in decisions of the solver.

use crate::methods::Method;
use crate::outcome::{Answer, Evidence, Stuck, Verdict};
use crate::settings::Settings;
use linpoint_base::{Account, Cause, Control};
use linpoint_solve::register::{Operations, Register};
use linpoint_solve::{Intervals, Solution, solve};
use linpoint_spec::{Part, Shape, StepError};

/// The solver as a method.
pub struct Solver;

impl Method for Solver {
    fn name(&self) -> &'static str {
        "solve"
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

    fn run(&self, part: &Part, _: &Settings, control: &Control) -> Result<Answer, StepError> {
        let mut account = Account::alone(control);
        let solution = solution(part, &mut account);
        let configurations = account.configurations;
        let bare = |verdict| Answer { configurations, ..Answer::bare(verdict, self.name()) };
        let numbered = |places: Vec<u32>| places.into_iter().map(|op| part.ops[op as usize]).collect();
        Ok(match solution {
            Ok(Solution::Order(order)) => {
                let returns = part.events.len() - part.ops.len().min(part.events.len());
                account.poll(0, returns);
                Answer { configurations, ..Answer::yes(numbered(order), self.name()) }
            }
            Ok(Solution::Refuted(refutation)) => {
                let operations = numbered(refutation.operations);
                let evidence = Evidence::Conflict { operations, stuck: Stuck::default() };
                Answer { evidence, ..bare(Verdict::Violation) }
            }
            Ok(Solution::GaveUp(cause)) => bare(Verdict::Unknown(cause)),
            Err(why) => bare(Verdict::Unknown(Cause::Declined(why))),
        })
    }
}

/// What the theory of the object's shape gives; Err, in words, if it does not cover some operation.
fn solution(part: &Part, account: &mut Account<'_>) -> Result<Solution, String> {
    let intervals = Intervals::of(part);
    if let Some(cause) = account.poll(intervals.bytes(), 0) {
        return Ok(Solution::GaveUp(cause));
    }
    let operations = Operations::of(part, &intervals)?;
    Ok(solve(&intervals, &mut Register::new(&intervals, &operations), account))
}
