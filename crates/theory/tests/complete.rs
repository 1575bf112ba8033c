//! Do ENUMERATE and SYMBOLIC say what brute force says? Random small histories of every model with a theory.
//!
//! `LINPOINT_FUZZ=1000000 cargo test --release -p linpoint-theory --test complete` tries a million of each part of each vocabulary.

mod common;

use common::{random, theories};
use linpoint_base::{Account, Control};
use linpoint_testkit::{brute_force, excerpt, is_witness, rounds};
use linpoint_theory::enumerate::{Enumerated, enumerate};
use linpoint_theory::symbolic::{Symbolic, solve, solve_with_removal};

fn recorded(order: &[u32], count: usize) -> Vec<u32> {
    order.iter().copied().filter(|&op| (op as usize) < count).collect()
}

/// Every order is a witness, every core a violation by itself, and where one method finds an order all do.
#[test]
fn enumerate_and_symbolic_decide() {
    for (model, whole) in theories() {
        for seed in 0..rounds(60) {
            let (part, operations, theory) = random(seed, &whole, 6);
            let expected = brute_force(&part);
            let control = Control::new(None, usize::MAX);
            let mut account = Account::alone(&control);
            match solve(theory, &operations, &mut account) {
                Symbolic::Order(order) => {
                    assert!(is_witness(&part, &recorded(&order, part.ops.len())), "{model}, seed {seed}: {order:?}");
                }
                Symbolic::Core(core) => {
                    assert!(!expected, "{model}, seed {seed}");
                    let core = recorded(&core, part.ops.len());
                    assert!(!brute_force(&excerpt(&part, &core)), "{model}, seed {seed}: {core:?}");
                }
                other => panic!("{model}, seed {seed}: {other:?}"),
            }
            match enumerate(theory, &operations, &mut account) {
                Enumerated::Order(order) => {
                    assert!(is_witness(&part, &recorded(&order, part.ops.len())), "{model}, seed {seed}: {order:?}");
                }
                Enumerated::Nothing => assert!(!expected, "{model}, seed {seed}"),
                other => panic!("{model}, seed {seed}: {other:?}"),
            }
            if let Symbolic::Core(core) = solve_with_removal(theory, &operations, &mut account) {
                assert!(!expected, "{model}, seed {seed}: removal only loses");
                let core = recorded(&core, part.ops.len());
                assert!(!brute_force(&excerpt(&part, &core)), "{model}, seed {seed}: {core:?}");
            }
        }
    }
}

/// Whatever the budget is, the answer is that it ended, and not a verdict.
#[test]
fn a_budget_ends_them() {
    let (_, whole) = theories().into_iter().find(|(model, _)| *model == "queue").expect("a queue");
    let (_, operations, theory) =
        (0..).map(|seed| random(seed, &whole, 9)).find(|(_, ops, _)| ops.len() == 9).expect("nine");
    let control = Control::new(Some(std::time::Instant::now()), usize::MAX);
    let mut account = Account::alone(&control);
    assert!(matches!(enumerate(theory, &operations, &mut account), Enumerated::Stopped(_)));
    assert!(matches!(solve(theory, &operations, &mut account), Symbolic::Stopped(..)));
    assert!(matches!(solve_with_removal(theory, &operations, &mut account), Symbolic::Stopped(..)));
}
