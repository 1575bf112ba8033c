//! An object that is no sequence: does the theory of exchangers say who can have met whom? Against pairing everybody up.

use linpoint_base::{Account, Control};
use linpoint_testkit::{Dice, rounds};
use linpoint_theory::operation::{EXCHANGE, Operation, Operations, PLAIN, SERVED};
use linpoint_theory::symbolic::{Symbolic, solve};
use linpoint_theory::theories::EXCHANGER;
use linpoint_theory::{ANY, NEVER, NONE};

/// Exchanges of few values: some got one, some got nothing, some never returned.
fn random(dice: &mut Dice) -> Operations {
    let count = dice.roll(7);
    let mut times: Vec<(u64, bool, usize)> = Vec::new();
    for op in 0..count as usize {
        let call = dice.roll(12);
        times.extend([(call, false, op), (call + dice.roll(8), true, op)]);
    }
    times.sort_unstable();
    let mut list = Vec::new();
    for op in 0..count as usize {
        let rank =
            |is_return| times.iter().position(|&(_, it, other)| it == is_return && other == op).expect("both") as u32;
        let (sorts, takes, ret) = match dice.roll(8) {
            0 => (0, ANY, NEVER),
            1 => (0, NONE, rank(true)),
            value => (SERVED, value as u32 % 3, rank(true)),
        };
        let gives = dice.roll(3) as u32;
        let call = rank(false);
        list.push(Operation { sorts: PLAIN | EXCHANGE | sorts, gives, takes, call, ret, ..Operation::NOTHING });
    }
    Operations { recorded: list.len(), list, ..Operations::default() }
}

/// Can all that got a value be paired with somebody who gave it, got theirs, and was there at the same time?
fn pairs_up(operations: &Operations, met: &mut Vec<bool>) -> bool {
    let is_lonely = |&op: &usize| !met[op] && operations.list[op].sorts & SERVED != 0;
    let Some(one) = (0..operations.len()).find(is_lonely) else { return true };
    (0..operations.len()).any(|other| {
        let (a, b) = (&operations.list[one], &operations.list[other]);
        let fits = |giver: &Operation, taker: &Operation| taker.takes == ANY || taker.takes == giver.gives;
        let meet = one != other && !met[other] && !a.precedes(b) && !b.precedes(a) && fits(a, b) && fits(b, a);
        if !meet {
            return false;
        }
        (met[one], met[other]) = (true, true);
        let all = pairs_up(operations, met);
        (met[one], met[other]) = (false, false);
        all
    })
}

#[test]
fn partners_meet_or_there_is_none() {
    let mut seen = [0; 2];
    for seed in 0..rounds(1_500) {
        let operations = random(&mut Dice(seed));
        let expected = pairs_up(&operations, &mut vec![false; operations.len()]);
        let control = Control::new(None, usize::MAX);
        match solve(&EXCHANGER, &operations, &mut Account::alone(&control)) {
            Symbolic::Order(_) => assert!(expected, "seed {seed}: {:#?}", operations.list),
            Symbolic::Core(_) => assert!(!expected, "seed {seed}: {:#?}", operations.list),
            other => panic!("{other:?}"),
        }
        seen[usize::from(expected)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}
