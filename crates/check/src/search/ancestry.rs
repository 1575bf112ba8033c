//! How was a configuration reached? A log of who was fired from whom, kept small.
//!
//! Breadth-first search makes many configurations and lets most of them die. Each remembers only
//! its parent, so lines of descent that died can be forgotten: when the log has doubled, what no
//! living configuration descends from is swept out (mark and compact, amortised O(1) per node).
//! Lines coalesce quickly going back, so what stays is about one trunk of n nodes.
//!
//! The log holds operations that change the state; reads were absorbed on the way, and
//! [`replay`] finds their places again by walking the history as the search did.

use crate::search::mask::growth;
use crate::search::problem::Problem;
use linpoint_base::room;
use linpoint_spec::{Spec, State, StepError};

/// A place in the log. [`ROOT`] is the initial configuration.
pub(crate) type Node = u32;
pub(crate) const ROOT: Node = u32::MAX;

#[derive(Clone, Copy)]
struct Birth {
    parent: Node,
    /// The operation fired.
    op: u32,
    /// Which of its outcomes was taken.
    outcome: u32,
}

/// An operation that took effect, and which of its outcomes.
pub(crate) type Fired = (u32, u32);

/// The log.
pub(crate) struct Ancestry {
    births: Vec<Birth>,
    /// Sweep when the log is this long.
    sweep_at: usize,
}

const SMALL: usize = room(1 << 15);

impl Ancestry {
    pub fn new() -> Self {
        Ancestry { births: Vec::new(), sweep_at: SMALL }
    }

    /// Notes that firing `op` from `parent` gave a configuration.
    #[inline]
    pub fn born(&mut self, parent: Node, op: u32, outcome: u32) -> Node {
        self.births.push(Birth { parent, op, outcome });
        self.births.len() as Node - 1
    }

    pub fn bytes(&self) -> usize {
        self.births.capacity() * size_of::<Birth>()
    }

    /// What it takes more when it grows, if `more` births may make it grow, or when it is swept.
    pub fn growth(&self, more: usize) -> usize {
        growth(&self.births, more).max(self.births.len() * size_of::<Node>())
    }

    /// Is it time to sweep?
    pub fn is_full(&self) -> bool {
        self.births.len() >= self.sweep_at
    }

    /// Forgets every node that none of `living` descends from; renames the living.
    pub fn sweep<'a>(&mut self, living: impl Iterator<Item = &'a mut Node>) {
        let mut living: Vec<&mut Node> = living.collect();
        let mut name = vec![ROOT; self.births.len()]; // ROOT: not marked
        for node in &living {
            let mut at = **node;
            while at != ROOT && name[at as usize] == ROOT {
                name[at as usize] = 0;
                at = self.births[at as usize].parent;
            }
        }
        // Parents are born before their children, so one pass renames and moves.
        let mut kept = 0;
        for old in 0..self.births.len() {
            if name[old] == ROOT {
                continue;
            }
            let birth = self.births[old];
            let parent = if birth.parent == ROOT { ROOT } else { name[birth.parent as usize] };
            self.births[kept] = Birth { parent, ..birth };
            name[old] = kept as Node;
            kept += 1;
        }
        self.births.truncate(kept);
        for node in &mut living {
            if **node != ROOT {
                **node = name[**node as usize];
            }
        }
        self.sweep_at = (2 * kept).max(SMALL);
    }

    /// The operations fired on the way to `node`, first one first.
    pub fn path(&self, mut node: Node) -> Vec<Fired> {
        let mut path = Vec::new();
        while node != ROOT {
            let birth = self.births[node as usize];
            path.push((birth.op, birth.outcome));
            node = birth.parent;
        }
        path.reverse();
        path
    }
}

/// The full order, reads included, that a search took when it fired `path`, and the state it ends in.
///
/// It explains the returns before `rho`. The search fires operations only while the operation
/// returning next is not linearized, and absorbs every open read as soon as it is legal; doing the
/// same again puts each read back into its place.
pub(crate) fn replay(
    problem: &Problem,
    spec: &mut dyn Spec,
    path: &[Fired],
    rho: usize,
) -> Result<(Vec<u32>, State), StepError> {
    let mut walk = Walk {
        problem,
        spec,
        order: Vec::with_capacity(problem.code.len()),
        done: vec![false; problem.code.len()],
        waiting: Vec::new(),
        outcomes: Vec::new(),
        state: 0,
    };
    walk.state = walk.spec.initial()?;
    let mut path = path.iter();
    let mut called = 0;
    for at in 0..=rho.min(problem.returns.len().saturating_sub(1)) {
        let Some(&until) = problem.called.get(at) else {
            break;
        };
        walk.waiting.extend((called..until).filter(|&op| problem.read_only[op as usize]));
        called = until;
        walk.absorb()?;
        while at == rho || !walk.done[problem.returns[at] as usize] {
            let Some(&(op, outcome)) = path.next() else {
                break;
            };
            walk.fire(op, outcome)?;
            walk.absorb()?;
        }
    }
    Ok((walk.order, walk.state))
}

struct Walk<'a> {
    problem: &'a Problem,
    spec: &'a mut dyn Spec,
    order: Vec<u32>,
    done: Vec<bool>,
    /// Open reads that were not legal yet.
    waiting: Vec<u32>,
    outcomes: Vec<State>,
    state: State,
}

impl Walk<'_> {
    fn fire(&mut self, op: u32, outcome: u32) -> Result<(), StepError> {
        self.outcomes.clear();
        self.spec.step(self.state, self.problem.code[op as usize], &mut self.outcomes)?;
        self.state = self.outcomes[outcome as usize];
        self.done[op as usize] = true;
        self.order.push(op);
        Ok(())
    }

    fn absorb(&mut self) -> Result<(), StepError> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut still = Vec::new();
        for op in waiting.drain(..) {
            self.outcomes.clear();
            self.spec.step(self.state, self.problem.code[op as usize], &mut self.outcomes)?;
            if self.outcomes.is_empty() {
                still.push(op);
            } else {
                self.done[op as usize] = true;
                self.order.push(op);
            }
        }
        self.waiting = still;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_keeps_the_lines_of_the_living() {
        let mut log = Ancestry::new();
        let a = log.born(ROOT, 1, 0);
        let dead = log.born(a, 2, 0);
        log.born(dead, 3, 0);
        let mut b = log.born(a, 4, 1);
        let mut root = ROOT;
        log.sweep([&mut b, &mut root].into_iter());
        assert_eq!(log.path(b), vec![(1, 0), (4, 1)]);
        assert_eq!((log.births.len(), root), (2, ROOT));
    }
}
