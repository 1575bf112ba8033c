//! Which operations may be forgotten, and when? Match removal (§5 of Emmi, Enea and Hamza).
//!
//! A *match* is a giver with all its takers. Deleting one keeps a linearizable history linearizable (Theorem 4), so a violation among what is
//! left is one of the whole. A match is *obsolete* when no operation to come can be part of it:
//!
//! - collections and locks, where each value is taken out once (Lemma 5.1): when all its operations have returned. We wait until all
//!   that were open at that moment have returned too: what follows from the match for them is then concluded;
//! - registers, sets, maps (Lemma 5.2): when it is *overwritten*, that is, a write that was called after it returned has returned too,
//!   and so has every operation that overlaps that one. The paper wants a match there; a write that nobody read does as well.
//!
//! A match must be unique: each of its takers has no other giver, by value or since that one was overwritten before the taker's call. The paper
//! tags values for that. A CAS is part of two matches, and both stay.
//!
//! Removal loses violations: see `docs/explanation/theories.md`. Cost: O(n log n), and one look at each giver of a value for each taker of it
//! where values repeat.

use crate::operation::{ANY, NEVER, NONE, Operations, RELEASE, REMOVE, UNLOCK, WRITE};
use linpoint_base::{Account, Cause};

/// A giver with its takers, all of which may be forgotten some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Who put the value there.
    pub giver: u32,
    /// Who found it.
    pub takers: Vec<u32>,
    /// The write that overwrote it; [`NONE`] where it was taken out.
    pub by: u32,
    /// The rank of the event after which it is obsolete.
    pub obsolete: u32,
}

/// The matches that become obsolete, by when they do.
pub fn matches(operations: &Operations, account: &mut Account<'_>) -> Result<Vec<Match>, Cause> {
    let count = operations.len() as u32;
    let mut givers: Vec<(u32, u32)> =
        (0..count).map(|op| (operations.get(op).gives, op)).filter(|it| it.0 != NONE).collect();
    givers.sort_unstable();
    let times = Times::of(operations);
    let mut takers: Vec<Vec<u32>> = vec![Vec::new(); operations.len()];
    let mut is_unique = vec![true; operations.len()];
    for taker in (0..count).filter(|&op| operations.get(op).takes != NONE) {
        if let Some(cause) = account.poll(operations.len() * 64, 0) {
            return Err(cause);
        }
        let value = operations.get(taker).takes;
        let first = if value == ANY { 0 } else { givers.partition_point(|&(other, _)| other < value) };
        let of_value = givers[first..].iter().take_while(|&&(other, _)| value == ANY || other == value);
        let is_possible = |&giver: &u32| {
            operations.can_match(giver, taker)
                && !times.lies_between(operations.get(giver).ret, operations.get(taker).call)
        };
        let possible: Vec<u32> = of_value.map(|&(_, giver)| giver).filter(is_possible).collect();
        possible.iter().for_each(|&giver| takers[giver as usize].push(taker));
        if possible.len() > 1 || value == ANY {
            possible.iter().for_each(|&giver| is_unique[giver as usize] = false);
        }
    }
    let mut found = Vec::new();
    for giver in (0..count).filter(|&op| is_unique[op as usize]) {
        found.extend(obsolete(giver, std::mem::take(&mut takers[giver as usize]), operations, &times));
    }
    found.sort_unstable_by_key(|it| it.obsolete);
    Ok(found)
}

fn obsolete(giver: u32, takers: Vec<u32>, operations: &Operations, times: &Times) -> Option<Match> {
    let does_two = |op: u32| operations.get(op).gives != NONE && operations.get(op).takes != NONE;
    let is_single = |&op: &u32| operations.is(op, REMOVE | UNLOCK | RELEASE);
    if does_two(giver) || takers.iter().any(|&taker| does_two(taker)) {
        return None;
    }
    let over = takers.iter().map(|&taker| operations.get(taker).ret).max()?.max(operations.get(giver).ret);
    let (by, obsolete) = match operations.is(giver, WRITE) {
        true => times.after(operations.get(giver).ret).map(|(by, settled)| (by, settled.max(over)))?,
        false if takers.iter().filter(|taker| is_single(taker)).count() == 1 => (NONE, times.settled(over)),
        false => return None,
    };
    (obsolete != NEVER).then_some(Match { giver, takers, by, obsolete })
}

/// How far all that was called by a rank has returned, and the writes.
struct Times {
    /// (call, the latest return among what was called by then), by calls.
    latest_return: Vec<(u32, u32)>,
    /// (return, the latest call among the writes that returned by then), by returns.
    latest_call: Vec<(u32, u32)>,
    /// (call, operation, the rank by which all that overlaps it has returned), by calls; the one that is settled first of those from there on.
    later: Vec<(u32, u32, u32)>,
}

impl Times {
    fn of(operations: &Operations) -> Times {
        let mut by_call: Vec<u32> = (0..operations.len() as u32).collect();
        by_call.sort_unstable_by_key(|&op| operations.get(op).call);
        let mut latest_return: Vec<(u32, u32)> = Vec::new();
        for &op in &by_call {
            let operation = operations.get(op);
            let latest = latest_return.last().map_or(0, |&(_, latest)| latest).max(operation.ret);
            latest_return.push((operation.call, latest));
        }
        let mut times = Times { latest_return, latest_call: Vec::new(), later: Vec::new() };
        let is_write = |&op: &u32| operations.is(op, WRITE) && operations.get(op).is_required();
        let timed = |op: u32| (operations.get(op).call, op, times.settled(operations.get(op).ret));
        let mut later: Vec<(u32, u32, u32)> = by_call.iter().copied().filter(is_write).map(timed).collect();
        for place in (1..later.len()).rev() {
            if later[place].2 < later[place - 1].2 {
                (later[place - 1].1, later[place - 1].2) = (later[place].1, later[place].2);
            }
        }
        let mut by_return: Vec<u32> = by_call.iter().copied().filter(is_write).collect();
        by_return.sort_unstable_by_key(|&op| operations.get(op).ret);
        let mut latest = 0;
        let latest_call = by_return.into_iter().map(|op| {
            latest = latest.max(operations.get(op).call);
            (operations.get(op).ret, latest)
        });
        (times.latest_call, times.later) = (latest_call.collect(), later);
        times
    }

    /// The rank by which all that was called before this one has returned; NEVER if something is pending.
    fn settled(&self, rank: u32) -> u32 {
        match self.latest_return.partition_point(|&(call, _)| call < rank) {
            0 => rank,
            called => self.latest_return[called - 1].1.max(rank),
        }
    }

    /// Was one called after the first rank, and did it return before the second?
    fn lies_between(&self, ret: u32, call: u32) -> bool {
        let returned = self.latest_call.partition_point(|&(other, _)| other < call);
        returned > 0 && self.latest_call[returned - 1].1 > ret
    }

    /// Of those called after a rank, the one that is settled first, and when.
    fn after(&self, ret: u32) -> Option<(u32, u32)> {
        let place = self.later.partition_point(|&(call, _, _)| call < ret);
        self.later.get(place).map(|&(_, by, settled)| (by, settled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_base::Control;
    use linpoint_testkit::{history, parts};

    /// (giver, takers, rank from which it is obsolete), for operations one after the other: operation i has the ranks 2i and 2i + 1,
    /// behind those of what is held at first.
    fn found(model: &str, text: &str) -> Vec<(u32, Vec<u32>, u32)> {
        let part = parts(model, &history(text), false).expect("the model fits").remove(0);
        let (operations, _) = Operations::of(&part).expect("a theory");
        let control = Control::new(None, usize::MAX);
        let found = matches(&operations, &mut Account::alone(&control)).expect("no budget ends it");
        found.into_iter().map(|it| (it.giver, it.takers, it.obsolete)).collect()
    }

    #[test]
    fn a_value_that_was_taken_out_is_obsolete() {
        assert_eq!(found("queue", "enq 1; enq 2; peek -> 1; deq -> 1"), [(0, vec![2, 3], 7)]);
        assert_eq!(found("queue", "enq 1; enq 1; deq -> 1"), [], "it may be the one or the other");
        assert_eq!(found("queue", "enq 1; deq -> ?; deq -> 1"), [], "so may it here");
        assert_eq!(found("stack", "push 1; push 2 -> ?; pop -> 1"), [], "what is open for ever may need it for ever");
    }

    #[test]
    fn a_write_is_obsolete_when_it_is_overwritten() {
        assert_eq!(found("register", "write 1; read -> 1; read -> 1"), []);
        let ranks = [(0, vec![1], 2 + 5)];
        assert_eq!(found("register", "write 1; read -> 1; write 2"), ranks, "the initial value takes two ranks");
        assert_eq!(found("register", "write 1; read -> 1; write 1; read -> 1; write 2").len(), 2, "told apart by time");
        assert_eq!(found("cas-register", "write 1; cas [1,2] -> true; write 3"), [], "a CAS is part of two matches");
        assert_eq!(found("set", "add 1; contains 1 -> true; remove 1; contains 1 -> false; add 1").len(), 2);
    }
}
