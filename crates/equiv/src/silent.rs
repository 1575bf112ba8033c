//! Which states reach each other by internal steps alone? Those are branching bisimilar, so each such component becomes one state.
//!
//! Tarjan's algorithm (SIAM J. Comput. 1(2), 1972) with its own stack: a chain of 10^6 internal steps is 10^6 calls deep. What is
//! left has no cycle of internal steps, and the target of an internal step has a smaller number than its source: the refinement relies on both. O(m) time,
//! 16 bytes per state.

use crate::lts::{Lts, TAU};

/// The component of a row that was not asked for.
pub(crate) const DROPPED: u32 = u32::MAX;
const UNSEEN: u32 = u32::MAX;

/// The components of internal steps.
pub(crate) struct Components {
    /// The component of each row; DROPPED if the row is not among those that were asked for.
    pub of: Vec<u32>,
    /// Can a component run for ever by internal steps alone, without leaving? (A cycle or a self-loop of τ.)
    pub divergent: Vec<bool>,
}

/// Tarjan's algorithm on internal steps between the rows that are `wanted`, a set that no internal step leaves. Components are
/// numbered as they are completed: those that internal steps of a component lead to before itself.
pub(crate) fn components(lts: &Lts, wanted: &[bool]) -> Components {
    let rows = lts.rows();
    let mut walk = Walk {
        lts,
        index: vec![UNSEEN; rows],
        low: vec![0; rows],
        open: Vec::new(),
        calls: Vec::new(),
        next: 0,
        of: vec![DROPPED; rows],
        divergent: Vec::new(),
    };
    for state in 0..rows as u32 {
        if wanted[state as usize] && walk.index[state as usize] == UNSEEN {
            walk.run(state);
        }
    }
    Components { of: walk.of, divergent: walk.divergent }
}

struct Walk<'a> {
    lts: &'a Lts,
    index: Vec<u32>,
    low: Vec<u32>,
    /// States whose component is not complete.
    open: Vec<u32>,
    /// (state, next transition to look at).
    calls: Vec<(u32, u32)>,
    next: u32,
    /// The component of each state; DROPPED while it is not complete.
    of: Vec<u32>,
    /// By component: does it have an internal cycle?
    divergent: Vec<bool>,
}

impl Walk<'_> {
    fn run(&mut self, root: u32) {
        self.enter(root);
        while let Some(&(state, at)) = self.calls.last() {
            if at == self.lts.offsets[state as usize + 1] {
                self.calls.pop();
                self.leave(state);
                continue;
            }
            self.calls.last_mut().expect("it was just looked at").1 += 1;
            if self.lts.label[at as usize] != TAU {
                continue;
            }
            let target = self.lts.target[at as usize];
            if self.index[target as usize] == UNSEEN {
                self.enter(target);
            } else if self.of[target as usize] == DROPPED {
                let low = &mut self.low[state as usize];
                *low = (*low).min(self.index[target as usize]);
            }
        }
    }

    fn enter(&mut self, state: u32) {
        self.index[state as usize] = self.next;
        self.low[state as usize] = self.next;
        self.next += 1;
        self.open.push(state);
        self.calls.push((state, self.lts.offsets[state as usize]));
    }

    fn leave(&mut self, state: u32) {
        let low = self.low[state as usize];
        if let Some(&(caller, _)) = self.calls.last() {
            let above = &mut self.low[caller as usize];
            *above = (*above).min(low);
        }
        if low != self.index[state as usize] {
            return;
        }
        let component = self.divergent.len() as u32;
        let size = self.open.len();
        while let Some(member) = self.open.pop() {
            self.of[member as usize] = component;
            if member == state {
                break;
            }
        }
        self.divergent.push(size - self.open.len() > 1 || self.steps_to_itself(state));
    }

    fn steps_to_itself(&self, state: u32) -> bool {
        self.lts.row(state).any(|step| step == (TAU, state))
    }
}
