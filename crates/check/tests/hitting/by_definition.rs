//! The definitions of the paper, run as they stand, for a few operations.

use linpoint_check::hitting::poset::Poset;
use linpoint_spec::Part;
use linpoint_testkit::{Dice, ranks};

/// A poset of random intervals of a few processes; what overlaps within a process is up to the dice, and so are ties.
pub fn random_poset(dice: &mut Dice, most: u64) -> Poset {
    let (count, reach) = (1 + dice.roll(most), 1 + dice.roll(12));
    let mut times: Vec<(u64, u64, u32)> = Vec::new();
    for _ in 0..count {
        let call = dice.roll(16);
        let ret = if dice.chance(85) { call + dice.roll(reach) } else { u64::MAX };
        times.push((call, ret, dice.roll(4) as u32));
    }
    times.sort_unstable();
    // Ranks: on a tie calls come before returns.
    let rank = |time: u64, is_return: bool| (2 * time + u64::from(is_return)) as u32;
    Poset::new(times.iter().map(|&(call, ret, process)| {
        (rank(call, false), if ret == u64::MAX { u32::MAX } else { rank(ret, true) }, process)
    }))
}

/// Definition 4.1: whatever stands at or behind xᵢ in the schedule is, or follows in real time, some xⱼ with j ≥ i.
pub fn strongly_hits(poset: &Poset, schedule: &[u32], tuple: &[u32]) -> bool {
    let at = |op: u32| schedule.iter().position(|&other| other == op).expect("a schedule has all operations");
    tuple.iter().enumerate().all(|(i, &x)| {
        schedule[at(x)..].iter().all(|&y| tuple[i..].iter().any(|&later| y == later || poset.precedes(later, y)))
    })
}

/// All schedules: orders of all operations that respect real time.
pub fn all_schedules(poset: &Poset) -> Vec<Vec<u32>> {
    let count = poset.len() as u32;
    let mut schedules = vec![Vec::new()];
    for _ in 0..count {
        let mut longer = Vec::new();
        for schedule in schedules {
            let free = |op: &u32| {
                !schedule.contains(op)
                    && (0..count).all(|other| !poset.precedes(other, *op) || schedule.contains(&other))
            };
            longer.extend((0..count).filter(free).map(|op| [schedule.as_slice(), &[op]].concat()));
        }
        schedules = longer;
    }
    schedules
}

/// All tuples of `length` operations out of `count`, repetitions included.
pub fn all_tuples(count: u32, length: usize) -> Vec<Vec<u32>> {
    let longer = |tuples: Vec<Vec<u32>>| {
        tuples.iter().flat_map(|tuple| (0..count).map(move |op| [tuple.as_slice(), &[op]].concat())).collect()
    };
    (0..length).fold(vec![Vec::new()], |tuples, _| longer(tuples))
}

/// The poset of a part, pending operations included.
pub fn poset_of(part: &Part) -> Poset {
    let (call, ret) = ranks(part);
    let end = |op: usize| u32::try_from(ret[op]).unwrap_or(u32::MAX);
    Poset::new((0..part.ops.len()).map(|op| (call[op] as u32, end(op), part.processes[op])))
}

/// Does a schedule explain the part, some of its pending operations left out?
pub fn explains(part: &Part, poset: &Poset, schedule: &[u32]) -> bool {
    let pending: Vec<u32> = schedule.iter().copied().filter(|&op| poset.is_pending(op)).collect();
    (0..1u32 << pending.len()).any(|left_out| {
        let dropped = |op: &u32| pending.iter().position(|p| p == op).is_some_and(|bit| left_out >> bit & 1 == 1);
        let codes: Vec<u32> = schedule.iter().filter(|op| !dropped(op)).map(|&op| part.codes[op as usize]).collect();
        part.spec.runner().run(&codes).expect("automata never break") == codes.len()
    })
}

/// Definition 4.2: the smallest d for which some d-tuple is hit by witnesses only; None if no schedule explains the part.
pub fn depth(part: &Part) -> Option<usize> {
    let poset = poset_of(part);
    let schedules: Vec<(Vec<u32>, bool)> = all_schedules(&poset)
        .into_iter()
        .map(|schedule| {
            let is_witness = explains(part, &poset, &schedule);
            (schedule, is_witness)
        })
        .collect();
    schedules.iter().find(|(_, is_witness)| *is_witness)?;
    (1..=poset.len()).find(|&d| {
        all_tuples(poset.len() as u32, d).iter().any(|tuple| {
            schedules.iter().all(|(schedule, is_witness)| *is_witness || !strongly_hits(&poset, schedule, tuple))
        })
    })
}
