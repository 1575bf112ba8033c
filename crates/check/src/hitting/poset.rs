//! Which operation precedes which, who called them, and in how many orders can they be taken?
//!
//! The poset of Ozkan, Majumdar & Niksic (PPoPP 2019, §3): an operation precedes another if it returned before the other was called. A
//! pending operation precedes nothing. Two numbers tell for any pair, so no table of pairs is kept.
//!
//! Chains are the threads, cut where operations of one thread overlap: on a tie of times (intervals are closed), or after a
//! pending operation. Without that a "chain" would not be totally ordered, and the family would miss tuples.

use crate::ranks::NEVER;
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::{History, Status};

/// Operations, numbered in the order of their calls, which is a topological order.
#[derive(Clone, Debug)]
pub struct Poset {
    call: Vec<u32>,
    /// [`NEVER`] if it is pending.
    ret: Vec<u32>,
    /// The number of the chain of each operation.
    pub(crate) chain: Vec<u32>,
    /// How many chains there are; one if there is no operation.
    pub(crate) chains: u32,
}

/// So many sets of operations done may be looked at to count the orders.
const MOST_IDEALS: usize = 100_000;

impl Poset {
    /// The poset of these (rank of the call, rank of the return, process), in the order of their calls.
    pub fn new(operations: impl Iterator<Item = (u32, u32, u32)>) -> Poset {
        let mut poset = Poset { call: Vec::new(), ret: Vec::new(), chain: Vec::new(), chains: 0 };
        let mut ends: HashMap<u32, Vec<(u32, u32)>, Hashing> = HashMap::default(); // of the chains of a process: (chain, last return)
        for (call, ret, process) in operations {
            let ends = ends.entry(process).or_default();
            let chain = match ends.iter_mut().find(|(_, last)| *last < call) {
                Some((chain, last)) => {
                    *last = ret;
                    *chain
                }
                None => {
                    ends.push((poset.chains, ret));
                    poset.chains += 1;
                    poset.chains - 1
                }
            };
            poset.call.push(call);
            poset.ret.push(ret);
            poset.chain.push(chain);
        }
        poset.chains = poset.chains.max(1);
        poset
    }

    /// The poset of a history, and its operations by number. Those that failed are left out; pending ones are in it.
    pub fn of_history(history: &History) -> (Poset, Vec<u32>) {
        let happened = |op: &usize| history.status[*op] != Status::Fail;
        let calls = history.events.iter().filter(|event| !event.is_return()).map(|event| event.op());
        let ops: Vec<usize> = calls.filter(happened).collect();
        let ranks = |&op: &usize| (history.call[op], history.ret[op], history.process[op].0);
        (Poset::new(ops.iter().map(ranks)), ops.iter().map(|&op| op as u32).collect())
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.call.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.call.is_empty()
    }

    /// Did `a` return before `b` was called?
    pub fn precedes(&self, a: u32, b: u32) -> bool {
        self.ret[a as usize] < self.call[b as usize]
    }

    /// Need it not take effect?
    pub fn is_pending(&self, op: u32) -> bool {
        self.ret[op as usize] == NEVER
    }

    pub(crate) fn bytes(&self) -> usize {
        12 * self.call.capacity()
    }

    /// How many schedules there are (linear extensions), if that can be told quickly. O(n) per set of operations that may have been done.
    ///
    /// Between two moments at which nothing is open the counts multiply.
    pub fn schedules(&self) -> Option<u128> {
        let (mut total, mut begin, mut latest) = (1u128, 0, 0);
        let mut budget = MOST_IDEALS;
        for op in 0..=self.len() {
            if op == self.len() || (op > begin && latest < self.call[op]) {
                total = total.checked_mul(self.schedules_of(begin..op, &mut budget)?)?;
                begin = op;
            }
            latest = latest.max(self.ret.get(op).copied().unwrap_or(0));
        }
        Some(total)
    }

    fn schedules_of(&self, ops: std::ops::Range<usize>, budget: &mut usize) -> Option<u128> {
        let (first, count) = (ops.start as u32, ops.len());
        if count > 128 {
            return None;
        }
        let before =
            |op: u32| (0..op).filter(|&b| self.precedes(first + b, first + op)).fold(0u128, |mask, b| mask | 1 << b);
        let needs: Vec<u128> = (0..count as u32).map(before).collect();
        let mut ways: HashMap<u128, u128, Hashing> = HashMap::from_iter([(0, 1)]);
        for _ in 0..count {
            let mut next: HashMap<u128, u128, Hashing> = HashMap::default();
            for (done, ways) in ways {
                for (op, &needs) in needs.iter().enumerate() {
                    if done >> op & 1 == 0 && needs & !done == 0 {
                        let sum = next.entry(done | 1 << op).or_default();
                        *sum = sum.checked_add(ways)?;
                    }
                }
            }
            *budget = budget.checked_sub(next.len())?;
            ways = next;
        }
        ways.into_values().next()
    }
}
