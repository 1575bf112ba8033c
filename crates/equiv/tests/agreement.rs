//! Do the classes agree with the textbook on random small systems? `LINPOINT_FUZZ=20000` for more, `LINPOINT_SEED=7` for others.

mod naive;

use linpoint_base::Control;
use linpoint_equiv::{Equivalence, Lts, Partition, partition, reduce};
use linpoint_testkit::{Dice, rounds};
use naive::{classes, first_seed, random, reachable};
use std::collections::{BTreeMap, BTreeSet};

fn unlimited() -> Control {
    Control::new(None, usize::MAX)
}

fn agree(lts: &Lts, equivalence: Equivalence, replay: &str) {
    let expected = classes(lts, equivalence);
    let found = partition(lts, &[lts.initial], equivalence, &unlimited()).unwrap();
    let inside = reachable(lts, lts.initial);
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    for (state, (&ours, &theirs)) in found.of.iter().zip(&expected).enumerate() {
        assert_eq!(ours == Partition::UNREACHABLE, !inside.contains(&(state as u32)), "state {state}: {replay}");
        if ours != Partition::UNREACHABLE {
            assert_eq!(
                *there.entry(ours).or_insert(theirs),
                theirs,
                "{equivalence:?} joins {state}: {replay}\n{lts:?}"
            );
            assert_eq!(*back.entry(theirs).or_insert(ours), ours, "{equivalence:?} parts {state}: {replay}\n{lts:?}");
        }
    }
    assert_eq!(found.classes as usize, there.len(), "{replay}");
}

#[test]
fn classes_are_those_of_the_definition() {
    for seed in first_seed()..first_seed() + rounds(3000) {
        let lts = random(&mut Dice(seed));
        for equivalence in Equivalence::ALL {
            agree(&lts, equivalence, &format!("LINPOINT_SEED={seed} LINPOINT_FUZZ=1"));
        }
    }
}

/// The quotient is equivalent to the system, no two of its states are equivalent, and it has each transition once.
#[test]
fn quotients_are_minimal_and_equivalent() {
    for seed in first_seed()..first_seed() + rounds(3000) {
        let lts = random(&mut Dice(seed));
        for equivalence in Equivalence::ALL {
            let quotient = reduce(&lts, equivalence, &unlimited()).unwrap();
            let (both, shift) = lts.beside(&quotient);
            let class = classes(&both, equivalence);
            assert_eq!(
                class[lts.initial as usize],
                class[(shift + quotient.initial) as usize],
                "{equivalence:?} seed {seed}"
            );
            let apart: BTreeSet<_> = class[shift as usize..].iter().collect();
            assert_eq!(apart.len() as u64, quotient.states, "{equivalence:?} seed {seed}");
            let once: BTreeSet<_> = quotient.all().collect();
            assert_eq!(once.len(), quotient.transitions(), "{equivalence:?} seed {seed}");
            let again = reduce(&quotient, equivalence, &unlimited()).unwrap();
            assert_eq!((again.states, again.transitions()), (quotient.states, quotient.transitions()), "seed {seed}");
        }
    }
}
