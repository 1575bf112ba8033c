//! Which states reach each other by internal steps alone? Those are branching bisimilar, so each such component becomes one state.
//!
//! Tarjan's algorithm (SIAM J. Comput. 1(2), 1972) with its own stack: a chain of 10^6 internal steps is 10^6 calls deep. What is
//! left has no cycle of internal steps, which the refinement relies on. O(m) time, 16 bytes per state.

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
/// numbered by their smallest state.
pub(crate) fn components(lts: &Lts, wanted: &[bool]) -> Components {
    let rows = lts.rows();
    let mut walk = Walk {
        lts,
        index: vec![UNSEEN; rows],
        low: vec![0; rows],
        open: Vec::new(),
        calls: Vec::new(),
        next: 0,
        head: vec![UNSEEN; rows],
        cyclic: vec![false; rows],
    };
    for state in 0..rows as u32 {
        if wanted[state as usize] && walk.index[state as usize] == UNSEEN {
            walk.run(state);
        }
    }
    number(&walk.head, &walk.cyclic)
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
    /// A state of the component, the same for all its states; UNSEEN while it is not complete.
    head: Vec<u32>,
    /// By head: does the component have an internal cycle?
    cyclic: Vec<bool>,
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
            } else if self.head[target as usize] == UNSEEN {
                let low = &mut self.low[state as usize];
                *low = (*low).min(self.index[target as usize]);
                self.cyclic[state as usize] |= target == state;
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
        loop {
            let member = self.open.pop().expect("the head of a component is open");
            self.head[member as usize] = state;
            if member == state {
                return;
            }
            self.cyclic[state as usize] = true;
        }
    }
}

fn number(head: &[u32], cyclic: &[bool]) -> Components {
    let mut names = vec![UNSEEN; head.len()];
    let mut divergent = Vec::new();
    let of = head.iter().map(|&head| {
        if head == UNSEEN {
            return DROPPED;
        }
        let name = &mut names[head as usize];
        if *name == UNSEEN {
            *name = divergent.len() as u32;
            divergent.push(cyclic[head as usize]);
        }
        *name
    });
    Components { of: of.collect(), divergent }
}
