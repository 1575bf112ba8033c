//! Does the family of depth d hit every d-tuple, with as few schedules as the definition says?

use crate::by_definition::{all_schedules, all_tuples, random_poset, strongly_hits};
use linpoint_check::hitting::family::{Family, Novelty, Schedules};
use linpoint_check::hitting::poset::Poset;
use linpoint_testkit::{Dice, rounds};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The distinct schedules of depth `d`, in the order in which they come.
fn distinct(poset: &Poset, d: usize) -> Vec<Vec<u32>> {
    let mut family = Family::new(&Arc::new(poset.clone()), d);
    let (mut seen, mut schedules) = (Schedules::new(poset.len()), Vec::new());
    while let Some(schedule) = family.next() {
        match seen.insert(schedule, d as u32) {
            Novelty::New => schedules.push(schedule.to_vec()),
            Novelty::Known => assert!(schedules.iter().any(|known| known == schedule)),
            Novelty::NewAtThisDepth => panic!("there is one depth only"),
        }
    }
    assert_eq!(seen.len(), schedules.len());
    schedules
}

/// `count` operations for each process: (call, return) in ranks.
fn poset(intervals: &[(u32, u32, u32)]) -> Poset {
    let mut intervals = intervals.to_vec();
    intervals.sort_unstable();
    Poset::new(intervals.into_iter())
}

/// `n` operations at once, each of a process of its own.
fn antichain(n: u32) -> Poset {
    poset(&(0..n).map(|op| (op, 100 + op, op)).collect::<Vec<_>>())
}

/// Operations one after the other, by turns of two processes.
fn sequence(n: u32) -> Poset {
    poset(&(0..n).map(|op| (2 * op, 2 * op + 1, op % 2)).collect::<Vec<_>>())
}

/// Two processes with two operations each: a before b, c before d, and a d and c b overlap crosswise.
fn two_by_two() -> Poset {
    poset(&[(0, 4, 0), (6, 10, 0), (1, 5, 1), (7, 11, 1)])
}

#[test]
fn every_tuple_is_hit_by_a_schedule_of_the_family() {
    let mut tuples_hit = 0u64;
    for seed in 0..rounds(400) {
        let mut dice = Dice(seed);
        let poset = random_poset(&mut dice, 8);
        let d = 1 + dice.roll(4) as usize;
        let family = distinct(&poset, d);
        for schedule in &family {
            let respects = |at: usize| schedule[at..].iter().all(|&later| !poset.precedes(later, schedule[at]));
            assert!((0..schedule.len()).all(respects), "seed {seed}: {schedule:?} contradicts real time");
            assert_eq!(schedule.iter().collect::<BTreeSet<_>>().len(), poset.len(), "seed {seed}: {schedule:?}");
        }
        for tuple in all_tuples(poset.len() as u32, d) {
            assert!(
                family.iter().any(|schedule| strongly_hits(&poset, schedule, &tuple)),
                "seed {seed}: nothing hits {tuple:?} of {poset:?}"
            );
            tuples_hit += 1;
        }
    }
    assert!(tuples_hit > 10_000, "{tuples_hit}");
}

/// A schedule that hits ⟨x, y⟩ is no accident: delaying y alone would do for ⟨y⟩ only.
#[test]
fn hitting_is_stricter_than_ordering() {
    let poset = antichain(3);
    assert!(strongly_hits(&poset, &[2, 0, 1], &[0, 1]));
    assert!(strongly_hits(&poset, &[2, 0, 1], &[1]));
    assert!(!strongly_hits(&poset, &[0, 2, 1], &[0, 1]), "0 comes before 1, but 2 stands behind 0 for no reason");
    assert!(!strongly_hits(&poset, &[2, 1, 0], &[0, 1]));
}

#[test]
fn the_three_cases_of_algorithm_1() {
    // a and c at once, b overlaps both; index ⟨process of a, ⟨c⟩⟩: b early, a late but before c, c late.
    let poset = poset(&[(0, 10, 0), (1, 11, 1), (2, 12, 2)]);
    let mut family = Family::new(&Arc::new(poset), 2);
    let mut schedules = Vec::new();
    while let Some(schedule) = family.next() {
        schedules.push(schedule.to_vec());
    }
    // Named 0, then 1, then 2; for each the chains 0, 1, 2.
    let expected = [[2, 1, 0], [2, 1, 0], [1, 2, 0], [2, 0, 1], [2, 0, 1], [0, 2, 1], [1, 0, 2], [0, 1, 2], [1, 0, 2]];
    assert_eq!(schedules, expected);
}

#[test]
fn sizes_by_hand() {
    for n in 1..=5 {
        assert_eq!(distinct(&antichain(n), 1).len() as u32, n, "one delays each operation");
        assert_eq!(distinct(&antichain(n), 2).len() as u32, (n * (n - 1)).max(1), "one for each ordered pair");
        for d in 1..=3 {
            assert_eq!(distinct(&sequence(n), d).len(), 1, "there is one order");
        }
    }
    assert_eq!([1, 2, 3].map(|d| distinct(&two_by_two(), d).len()), [2, 4, 4]);
    let nothing = poset(&[]);
    assert_eq!(distinct(&nothing, 1), [vec![]]);
}

/// At d = n, and already at d = n − 1, the family is all schedules; and never anything else.
#[test]
fn the_deepest_family_is_all_schedules() {
    for seed in 0..rounds(200) {
        let poset = random_poset(&mut Dice(seed), 6);
        let all: BTreeSet<Vec<u32>> = all_schedules(&poset).into_iter().collect();
        assert_eq!(poset.schedules(), Some(all.len() as u128), "seed {seed}: {poset:?}");
        for d in [poset.len(), poset.len().saturating_sub(1).max(1), poset.len() + 3] {
            assert_eq!(distinct(&poset, d).into_iter().collect::<BTreeSet<_>>(), all, "seed {seed}, depth {d}");
        }
    }
}

/// Thousands of operations: cuts keep the count of schedules quick, and no number of schedules overflows.
#[cfg(not(feature = "collide"))] // quadratic where every hash collides
#[test]
fn long_histories_are_counted_by_their_cuts() {
    let pairs: Vec<(u32, u32, u32)> = (0..2000).map(|op| (10 * (op / 2) + op % 2, 10 * (op / 2) + 5, op % 2)).collect();
    assert_eq!(poset(&pairs).schedules(), None, "2^1000 does not fit");
    assert_eq!(poset(&pairs[..200]).schedules(), Some(1 << 100));
    assert_eq!(sequence(5000).schedules(), Some(1));
    assert_eq!(antichain(40).schedules(), None, "2^40 sets are too many to look at");
}
