//! Do the methods end when their budget does? That they are right is in `agreement.rs`.

mod common;

use common::{random, theories};
use linpoint_base::{Account, Cause, Control};
use linpoint_testkit::{history, parts};
use linpoint_theory::Operations;
use linpoint_theory::enumerate::{Enumerated, enumerate};
use linpoint_theory::saturate::{Saturated, saturate};
use linpoint_theory::symbolic::{Symbolic, solve, solve_with_removal};

/// Whatever the budget is, the answer is that it ended, and not a verdict.
#[test]
fn a_budget_ends_them() {
    let (_, whole) = theories().into_iter().find(|(model, _)| *model == "queue").expect("a queue");
    let (_, operations, theory) =
        (0..).filter_map(|seed| random(seed, &whole, 9)).find(|(_, ops, _)| ops.len() == 9).expect("nine");
    let control = Control::new(Some(std::time::Instant::now()), usize::MAX);
    let mut account = Account::alone(&control);
    assert!(matches!(enumerate(theory, &operations, &mut account), Enumerated::Stopped(_)));
    assert!(matches!(solve(theory, &operations, &mut account), Symbolic::Stopped(..)));
    assert!(matches!(solve_with_removal(theory, &operations, &mut account), Symbolic::Stopped(..)));
}

/// The matrices are not made wider than the memory allows: the answer is that it ended, before it is taken.
#[test]
fn memory_ends_it_before_it_is_taken() {
    let text: String = (0..300).map(|value| format!("enq {value};")).collect();
    let part = parts("queue", &history(&text), false).expect("the model fits").remove(0);
    let (operations, theory) = Operations::of(&part).expect("a theory");
    let control = Control::new(None, 100_000);
    let answer = saturate(theory, &operations, false, &mut Account::alone(&control));
    assert!(matches!(answer, Saturated::Stopped(Cause::Memory, done) if done > 60), "{answer:?}");
}
