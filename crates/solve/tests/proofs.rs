//! Does every refutation come with a proof? Each step follows from the premises and the steps before it, by unit propagation as it is in the books.
//!
//! Whether the premises are true of the history is checked from outside (`tests/check/test_proof.py`, by code that shares nothing with the solver).

use linpoint_base::{Account, Control};
use linpoint_solve::container::{self, Container};
use linpoint_solve::register::{Operations, Register};
use linpoint_solve::{InOrder, Intervals, Literal, Proof, Solution, solve};
use linpoint_testkit::{Dice, history, parts, random_part, rounds, vocabularies};

/// Does a clause become empty once the literals are denied and all that follows is concluded?
fn refutes(clauses: &[Vec<Literal>], denied: &[Literal]) -> bool {
    let mut known: Vec<Literal> = denied.iter().map(|&literal| !literal).collect();
    loop {
        let mut concluded = None;
        for clause in clauses {
            let mut open = clause.iter().filter(|&&literal| !known.contains(&!literal));
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(&unit), None) if !known.contains(&unit) => concluded = Some(unit),
                _ => {}
            }
        }
        match concluded {
            Some(unit) => known.push(unit),
            None => return false,
        }
    }
}

/// The steps follow, and the files say as much as the proof.
fn holds(proof: &Proof, about: &str) {
    let mut clauses: Vec<_> = proof.premises.iter().map(|premise| premise.literals.clone()).collect();
    for step in &proof.steps {
        assert!(refutes(&clauses, step), "{about}: {step:?}");
        clauses.push(step.clone());
    }
    assert!(proof.steps.last().is_some_and(Vec::is_empty), "{about}");
    let written = proof.written(&|op| op.to_string());
    assert_eq!(written.drat.lines().count(), proof.steps.len());
    let head = format!(" {}\n", proof.premises.len());
    assert!(written.cnf.contains("p cnf ") && written.cnf.contains(&head), "{}", written.cnf);
}

#[test]
fn every_step_follows_by_unit_propagation_and_the_last_is_empty() {
    let control = Control::new(None, 1 << 30);
    let mut learnt = 0;
    for (model, vocabulary) in vocabularies().filter(|(model, _)| model.contains("register") || *model == "map") {
        for cell in parts(model, &history(&vocabulary), true).expect("the vocabulary fits") {
            for seed in 0..rounds(4000) {
                let part = random_part(&mut Dice(seed), &cell, 12);
                let intervals = Intervals::of(&part);
                let Ok(operations) = Operations::of(&part, &intervals, usize::MAX, &mut Account::alone(&control))
                else {
                    continue;
                };
                let mut client = Register::new(&intervals, &operations).in_portions_of(1 + seed as usize % 4);
                let solution = solve(&intervals, &mut client, &mut Account::alone(&control));
                let Solution::Refuted(refutation) = solution else { continue };
                let proof = client.proof(&refutation, &mut Account::alone(&control)).expect("lemmas have premises");
                holds(&proof, &format!("{model}, seed {seed}"));
                learnt += usize::from(proof.steps.len() > 2);
            }
        }
    }
    assert!(learnt > 30, "not all of them are trivial: {learnt}");
}

#[test]
fn every_refutation_of_a_container_has_one() {
    let control = Control::new(None, 1 << 30);
    let mut proofs = 0;
    let containers = ["stack", "queue", "deque"];
    for (model, vocabulary) in vocabularies().filter(|(model, _)| containers.iter().any(|it| model.starts_with(it))) {
        let whole = parts(model, &history(&vocabulary), true).expect("the vocabulary fits").remove(0);
        for seed in 0..rounds(2000) {
            let part = random_part(&mut Dice(seed), &whole, 10);
            let Ok(operations) = container::Operations::of(&part, usize::MAX) else { continue };
            let real_time = operations.real_time();
            let mut client = InOrder::new(Container::new(&operations), real_time);
            let solution = solve(real_time, &mut client, &mut Account::alone(&control));
            let Solution::Refuted(refutation) = solution else { continue };
            holds(&Proof::of(&refutation, &client, real_time).expect("premises"), &format!("{model}, seed {seed}"));
            proofs += 1;
        }
    }
    assert!(proofs > 1000, "violations are common: {proofs}");
}
