//! What can the search tell? The witness, the candidates before a stuck return, the configurations at a cut.

use super::{Breadth, Start};
use crate::outcome::{Candidate, Stuck};
use crate::search::ancestry::{Node, replay};
use crate::search::layer::Configuration;
use crate::search::mask::Mask;
use linpoint_spec::{State, StepError};

/// A configuration that was reached.
pub(crate) struct Reached {
    /// The operations that led there, as numbers of the problem.
    pub order: Vec<u32>,
    pub state: State,
}

impl<M: Mask> Breadth<'_, M> {
    /// The configurations that explain all returns before ρ, if they are at most `most`. Their ancestors are kept from now on.
    pub fn snapshot(&mut self, most: usize) -> Option<Vec<Node>> {
        self.forgets = false;
        let living = self.layer.configurations.iter().filter(|c| !c.dropped).map(|c| c.node);
        (self.layer.living() <= most).then(|| living.collect())
    }

    /// The configurations that explain all returns before ρ, in no given order.
    pub fn configurations_here(&self) -> Vec<Start> {
        let called = self.rho.checked_sub(1).map_or(0, |last| self.problem.called[last]);
        let mut open = self.problem.open_at(self.rho);
        open.retain(|&op| op < called);
        let living = self.layer.configurations.iter().filter(|c| !c.dropped);
        let start = |c: &Configuration<M>| {
            let done = open.iter().filter(|&&op| c.mask.has(self.problem.slot[op as usize]));
            Start { state: c.state, done: done.map(|&op| self.problem.origin[op as usize]).collect() }
        };
        living.map(start).collect()
    }

    /// How a configuration of the [snapshot](Breadth::snapshot) at `rho` was reached.
    pub fn reached(&mut self, node: Node, rho: usize) -> Result<Reached, StepError> {
        let path = self.ancestry.path(node);
        let (mut order, state) = replay(self.problem, &mut *self.spec, &path, rho)?;
        let called = rho.checked_sub(1).map_or(0, |last| self.problem.called[last]);
        order.retain(|&op| op < called); // reads called since are absorbed, but are not of the past
        Ok(Reached { order, state })
    }

    /// The order that explains everything; after `Yes`.
    pub fn witness(&mut self) -> Result<Vec<u32>, StepError> {
        let living = self.layer.configurations.iter().find(|c| !c.dropped);
        let node = living.expect("after yes there is a configuration").node;
        Ok(self.order(node, self.problem.returns.len())?.order)
    }

    fn order(&mut self, node: Node, rho: usize) -> Result<Candidate, StepError> {
        let path = self.ancestry.path(node);
        let (order, state) = replay(self.problem, &mut *self.spec, &path, rho)?;
        let order = order.iter().map(|&op| self.problem.origin[op as usize]).collect();
        Ok(Candidate { order, state: self.spec.show(state) })
    }

    /// How far it goes: up to `most` of the orders that explain all returns before the stuck one.
    pub fn evidence(&mut self, most: usize) -> Result<Stuck, StepError> {
        let rho = self.rho;
        let living = self.layer.configurations.iter().filter(|c| !c.dropped).take(most);
        let nodes: Vec<Node> = living.map(|c| c.node).collect();
        let candidates = nodes.into_iter().map(|node| self.order(node, rho)).collect::<Result<_, _>>()?;
        let open = self.problem.open_at(rho);
        Ok(Stuck {
            operation: self.problem.returns.get(rho).map(|&op| self.problem.origin[op as usize]),
            candidates,
            frontier: open.iter().map(|&op| self.problem.origin[op as usize]).collect(),
            explained: rho,
        })
    }
}
