//! Do comparisons and inclusions agree with the textbook on random pairs of small systems?

mod naive;

use linpoint_base::Control;
use linpoint_equiv::{Comparison, Equivalence, Lts, compare, missing_trace};
use linpoint_testkit::{Dice, rounds};
use naive::{classes, first_seed, random, shortest_difference};

fn unlimited() -> Control {
    Control::new(None, usize::MAX)
}

/// Half of the pairs are alike but for one transition, so that both answers are common.
fn pair(seed: u64) -> (Lts, Lts) {
    let mut dice = Dice(seed);
    let one = random(&mut dice);
    if dice.roll(2) == 0 || one.transitions() == 0 {
        return (one, random(&mut dice));
    }
    let mut transitions: Vec<_> = one.all().collect();
    let gone = dice.roll(transitions.len() as u64) as usize;
    transitions.swap_remove(gone);
    let other = Lts::from_transitions(one.labels.clone(), one.initial, one.states, &transitions);
    if dice.roll(2) == 0 { (one, other) } else { (other, one) }
}

/// `compare` checks its explanation itself, on the systems as given; it panics if it does not hold.
#[test]
fn equivalence_is_that_of_the_definition_and_differences_are_explained() {
    let mut outcomes = [0; 2];
    for seed in first_seed()..first_seed() + rounds(700) {
        let (one, other) = pair(seed);
        let (both, shift) = one.beside(&other);
        for equivalence in Equivalence::ALL {
            let class = classes(&both, equivalence);
            let expected = class[one.initial as usize] == class[(shift + other.initial) as usize];
            let found = match compare(&one, &other, equivalence, &unlimited()).unwrap() {
                Comparison::Equivalent => true,
                Comparison::Different(why) => {
                    let why = why.unwrap();
                    let truth =
                        |lts: &Lts, state| why.formula.holds(lts, equivalence, &[state], &unlimited()).unwrap()[0];
                    assert_eq!(truth(&both, one.initial), why.in_first, "{equivalence:?} seed {seed}");
                    assert_eq!(truth(&both, shift + other.initial), !why.in_first, "{equivalence:?} seed {seed}");
                    false
                }
            };
            assert_eq!(found, expected, "{equivalence:?}: LINPOINT_SEED={seed} LINPOINT_FUZZ=1");
            outcomes[usize::from(found)] += 1;
        }
    }
    assert!(outcomes.iter().all(|&count| count > 0), "both answers occur: {outcomes:?}");
}

#[test]
fn a_missing_trace_is_a_shortest_one() {
    let mut outcomes = [0; 2];
    for seed in first_seed()..first_seed() + rounds(700) {
        let (one, other) = pair(seed);
        let found = missing_trace(&one, &other, &unlimited()).unwrap();
        let expected = shortest_difference(&one, &other);
        assert_eq!(found.as_ref().map(Vec::len), expected, "LINPOINT_SEED={seed} LINPOINT_FUZZ=1");
        outcomes[usize::from(found.is_some())] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 0), "both answers occur: {outcomes:?}");
}

/// A formula of one system must not hold by accident in an equivalent one.
#[test]
fn equivalent_systems_satisfy_the_same_formulas() {
    for seed in first_seed()..first_seed() + rounds(300) {
        let (one, other) = pair(seed);
        for equivalence in Equivalence::ALL {
            let Comparison::Different(Ok(why)) = compare(&one, &other, equivalence, &unlimited()).unwrap() else {
                continue;
            };
            let (both, shift) = one.beside(&other);
            let class = classes(&both, equivalence);
            let states: Vec<u32> = (0..both.rows() as u32).collect();
            let truth = why.formula.holds(&both, equivalence, &states, &unlimited()).unwrap();
            for state in states {
                for root in [one.initial, shift + other.initial] {
                    if class[state as usize] == class[root as usize] {
                        assert_eq!(truth[state as usize], truth[root as usize], "{equivalence:?} seed {seed}");
                    }
                }
            }
        }
    }
}
