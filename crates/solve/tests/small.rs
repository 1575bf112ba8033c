//! Does the solver agree with the definition? Random small histories of every model that is a register.
//!
//! Pending operations, ties, repeated values, initial values, several keys come from the vocabularies of the testkit. A violation's operations are a violation
//! by themselves. `LINPOINT_FUZZ=1000000 cargo test --release -p linpoint-solve` is the long run; a failure prints its seed.

use linpoint_base::{Account, Control};
use linpoint_solve::register::{Operations, Register};
use linpoint_solve::{Intervals, Solution, solve};
use linpoint_spec::{Part, Shape};
use linpoint_testkit::{Dice, brute_force, excerpt, history, is_witness, parts, random_part, rounds, vocabularies};

/// Every cell of every model that is a register, with all the operations of its vocabulary but those that tie cells together.
fn registers() -> Vec<(&'static str, Part)> {
    let cells = vocabularies().flat_map(|(model, operations)| {
        let of_one: Vec<&str> = operations.split("; ").filter(|operation| !operation.starts_with("size")).collect();
        let cells = parts(model, &history(&of_one.join("; ")), true).expect("the vocabulary fits");
        cells.into_iter().map(move |cell| (model, cell))
    });
    cells.filter(|(_, cell)| cell.spec.shape() == Shape::Register).collect()
}

#[test]
fn small_histories_are_judged_as_the_definition_says() {
    let control = Control::new(None, 1 << 30);
    let (mut covered, mut verdicts) = (0, [0, 0]);
    for (model, cell) in registers() {
        for seed in 0..rounds(6000) {
            let mut dice = Dice(seed);
            let part = random_part(&mut dice, &cell, 9);
            let intervals = Intervals::of(&part);
            let Ok(operations) = Operations::of(&part, &intervals, usize::MAX, &mut Account::alone(&control)) else {
                continue;
            };
            covered += 1;
            let expected = brute_force(&part);
            verdicts[usize::from(expected)] += 1;
            let named = |places: Vec<u32>| places.into_iter().map(|op| part.ops[op as usize]).collect::<Vec<_>>();
            let mut client = Register::new(&intervals, &operations).in_portions_of(1 + dice.roll(3) as usize);
            match solve(&intervals, &mut client, &mut Account::alone(&control)) {
                Solution::Order(order) => {
                    assert!(expected && is_witness(&part, &named(order)), "{model}, seed {seed}");
                }
                Solution::Refuted(refutation) => {
                    let alone = excerpt(&part, &named(refutation.operations));
                    assert!(!expected && !brute_force(&alone), "{model}, seed {seed}");
                }
                Solution::GaveUp(cause) => panic!("{model}, seed {seed}: {cause:?}"),
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > covered / 10), "both verdicts are common: {verdicts:?}");
}
