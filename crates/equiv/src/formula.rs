//! What can one state do that another cannot? Formulas of Hennessy–Milner logic, with "until" for branching bisimilarity (De Nicola &
//! Vaandrager, "Three logics for branching bisimulation", J. ACM 42(2), 1995), and their truth, by the definition.
//!
//! A formula is a list of nodes, each after its parts. Truth is computed for all states at once, node after node. It knows
//! nothing of blocks and classes, so that a formula that holds on one side and not on the other is a proof.

use crate::equivalence::Equivalence;
use crate::lts::{Lts, TAU};
use linpoint_base::{Account, Cause, Control};

/// A node of a formula. Numbers name earlier nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// All of these hold; without any: true.
    All(Vec<u32>),
    /// This does not hold.
    Not(u32),
    /// A step with this label leads to a state where `then` holds. Strong: from here. Branching and divergence: after internal steps, all in states
    /// where `through` holds, the first and the last included; an internal step may also be none at all. Weak: before and after any
    /// internal steps, and again an internal step may be none.
    Step {
        /// What holds on the way.
        through: u32,
        /// The label.
        label: u32,
        /// What holds afterwards.
        then: u32,
    },
    /// Internal steps through such states lead to a state that can come back to itself by internal steps, for ever.
    Diverges {
        /// What holds on the way.
        through: u32,
    },
}

/// The node that is true.
pub const TRUE: u32 = 0;

/// A formula: the last node, made from the others. Node 0 is true.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The nodes, each after its parts.
    pub nodes: Vec<Node>,
}

impl Formula {
    /// Does the formula hold in a state? In the sense of the equivalence.
    pub fn holds(
        &self,
        lts: &Lts,
        equivalence: Equivalence,
        states: &[u32],
        control: &Control,
    ) -> Result<Vec<bool>, Cause> {
        let mut truth = Truth::new(lts, equivalence);
        let mut account = Account::alone(control);
        let mut values: Vec<Bits> = Vec::new();
        for node in &self.nodes {
            account.configurations += lts.transitions() as u64;
            if let Some(cause) = account.poll(values.len() * lts.rows() / 8 + 8 * lts.transitions(), 0) {
                return Err(cause);
            }
            values.push(truth.of(node, &values));
        }
        let last = values.last().expect("a formula has a node");
        Ok(states.iter().map(|&state| last.get(state)).collect())
    }
}

/// A set of states.
#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(states: usize) -> Self {
        Bits(vec![0; states.div_ceil(64)])
    }

    fn get(&self, state: u32) -> bool {
        self.0[state as usize / 64] >> (state % 64) & 1 == 1
    }

    /// Adds a state; says whether it is new.
    fn add(&mut self, state: u32) -> bool {
        let new = !self.get(state);
        self.0[state as usize / 64] |= 1 << (state % 64);
        new
    }
}

struct Truth<'a> {
    lts: &'a Lts,
    equivalence: Equivalence,
    /// Sources of internal steps by target.
    back: Vec<u32>,
    back_offsets: Vec<u32>,
    /// States that can come back to themselves by internal steps.
    cyclic: Option<Bits>,
}

impl<'a> Truth<'a> {
    fn new(lts: &'a Lts, equivalence: Equivalence) -> Self {
        let mut offsets = vec![0u32; lts.rows() + 1];
        for (_, _, target) in lts.all().filter(|&(_, label, _)| label == TAU) {
            offsets[target as usize + 1] += 1;
        }
        for row in 0..lts.rows() {
            offsets[row + 1] += offsets[row];
        }
        let mut next = offsets.clone();
        let mut back = vec![0; offsets[lts.rows()] as usize];
        for (source, _, target) in lts.all().filter(|&(_, label, _)| label == TAU) {
            back[next[target as usize] as usize] = source;
            next[target as usize] += 1;
        }
        Truth { lts, equivalence, back, back_offsets: offsets, cyclic: None }
    }

    fn of(&mut self, node: &Node, values: &[Bits]) -> Bits {
        match node {
            Node::All(parts) => {
                let mut all = Bits(vec![u64::MAX; self.lts.rows().div_ceil(64)]);
                for &part in parts {
                    all.0.iter_mut().zip(&values[part as usize].0).for_each(|(word, part)| *word &= part);
                }
                all
            }
            Node::Not(part) => Bits(values[*part as usize].0.iter().map(|word| !word).collect()),
            Node::Step { through, label, then } => {
                let then = &values[*then as usize];
                match self.equivalence {
                    Equivalence::Strong => self.before(*label, then),
                    Equivalence::Weak => {
                        let after = self.silently(then.clone(), None);
                        if *label == TAU { after } else { self.silently(self.before(*label, &after), None) }
                    }
                    Equivalence::Branching | Equivalence::Divergence => {
                        let through = &values[*through as usize];
                        let mut last = self.before(*label, then);
                        last.0.iter_mut().zip(&through.0).for_each(|(word, through)| *word &= through);
                        let mut found = self.silently(last, Some(through));
                        if *label == TAU {
                            found.0.iter_mut().zip(&then.0).for_each(|(word, then)| *word |= then);
                        }
                        found
                    }
                }
            }
            Node::Diverges { through } => {
                let through = &values[*through as usize];
                let mut last = self.cyclic();
                last.0.iter_mut().zip(&through.0).for_each(|(word, through)| *word &= through);
                self.silently(last, Some(through))
            }
        }
    }

    /// States with such a step to a state of the set.
    fn before(&self, label: u32, then: &Bits) -> Bits {
        let mut found = Bits::none(self.lts.rows());
        for (source, _, _) in self.lts.all().filter(|&(_, step, target)| step == label && then.get(target)) {
            found.add(source);
        }
        found
    }

    /// States from which internal steps lead into the set, through states of `through`.
    fn silently(&self, mut found: Bits, through: Option<&Bits>) -> Bits {
        let mut stack: Vec<u32> = (0..self.lts.rows() as u32).filter(|&state| found.get(state)).collect();
        while let Some(state) = stack.pop() {
            let range = self.back_offsets[state as usize] as usize..self.back_offsets[state as usize + 1] as usize;
            for &source in &self.back[range] {
                if through.is_none_or(|through| through.get(source)) && found.add(source) {
                    stack.push(source);
                }
            }
        }
        found
    }

    /// States on an internal cycle.
    fn cyclic(&mut self) -> Bits {
        let lts = self.lts;
        self.cyclic
            .get_or_insert_with(|| {
                let wanted = vec![true; lts.rows()];
                let found = crate::silent::components(lts, &wanted);
                let mut cyclic = Bits::none(lts.rows());
                for state in (0..lts.rows() as u32).filter(|&s| found.divergent[found.of[s as usize] as usize]) {
                    cyclic.add(state);
                }
                cyclic
            })
            .clone()
    }
}
