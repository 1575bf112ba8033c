//! How does one get there? Shortest runs to a state, along a trace, and round a cycle. A run is the positions of its transitions.

use crate::client::Label;
use crate::graph::Graph;
use crate::walk::Walk;
use hashbrown::HashMap;
use linpoint_base::{Cause, Control, Hashing};
use std::collections::VecDeque;

/// Positions of transitions, one after the other.
pub type Run = Vec<usize>;

/// How each place was reached first: from where, by which transition.
type Ways<K> = HashMap<K, (K, usize), Hashing>;
/// Bytes of an entry, its place in a queue included.
const PER_WAY: usize = 40;

impl Graph {
    /// What a transition is, and where it leads.
    pub fn transition(&self, at: usize) -> (Label, u32) {
        (self.labels[at], self.targets[at])
    }

    /// A shortest run from a state to one that is wanted, over the transitions that are allowed. The empty run counts.
    pub fn shortest(
        &self,
        from: u32,
        allowed: impl Fn(u32, Label, u32) -> bool,
        wanted: impl Fn(u32) -> bool,
        control: &Control,
    ) -> Result<Option<Run>, Cause> {
        if wanted(from) {
            return Ok(Some(Run::new()));
        }
        let (mut way, mut walk): (Ways<u32>, _) = (HashMap::default(), Walk::new(control));
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            walk.step(|| way.capacity() * PER_WAY)?;
            for at in self.range(state) {
                let (label, target) = self.transition(at);
                if target == from || way.contains_key(&target) || !allowed(state, label, target) {
                    continue;
                }
                way.insert(target, (state, at));
                if wanted(target) {
                    return Ok(Some(trace_back(&way, from, target)));
                }
                queue.push_back(target);
            }
        }
        Ok(None)
    }

    /// A shortest run with these visible labels, in this order; it ends with the last of them.
    pub fn along(&self, trace: &[Label], control: &Control) -> Result<Option<Run>, Cause> {
        let goal = trace.len() as u32;
        let (mut way, mut walk): (Ways<(u32, u32)>, _) = (HashMap::default(), Walk::new(control));
        let start = (self.initial, 0);
        let mut queue = VecDeque::from([start]);
        while let Some((state, done)) = queue.pop_front() {
            walk.step(|| way.capacity() * PER_WAY)?;
            if done == goal {
                return Ok(Some(trace_back(&way, start, (state, done))));
            }
            for at in self.range(state) {
                let (label, target) = self.transition(at);
                let next = match label.internal() {
                    true => (target, done),
                    false if label == trace[done as usize] => (target, done + 1),
                    false => continue,
                };
                if next != start && !way.contains_key(&next) {
                    way.insert(next, ((state, done), at));
                    queue.push_back(next);
                }
            }
        }
        Ok(None)
    }
}

fn trace_back<K: Copy + Eq + std::hash::Hash>(way: &Ways<K>, from: K, to: K) -> Run {
    let (mut at, mut run) = (to, Run::new());
    while at != from {
        let (before, transition) = way[&at];
        run.push(transition);
        at = before;
    }
    run.reverse();
    run
}
