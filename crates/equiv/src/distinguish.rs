//! Why are two systems not equivalent? A formula that holds at the beginning of the one and not of the other.
//!
//! After R. Cleaveland, "On automatically explaining bisimulation inequivalence" (CAV 1990), and H. Korver, "Computing distinguishing
//! formulas for branching bisimulation" (CAV 1991), on the quotient of both systems together. States are refined level by level: two
//! states differ at level k + 1 if, seen with the classes of level k, one can do a step that the other cannot. The formula for a pair names
//! such a step, and tells what it leads to apart from everything that the same step of the other state leads to, by formulas of
//! lower levels. Levels make the formula as shallow as possible; it is then thinned out part by part.
//!
//! What is reported was evaluated on both systems as they were given (`formula.rs`). Cost: levels × transitions of the quotient, then the size
//! of the formula × transitions of the systems. Levels use signatures, which is slow in theory and no matter on quotients.

use crate::equivalence::{Equivalence, Partition, partition};
use crate::formula::{Formula, Node, TRUE};
use crate::lts::{Lts, TAU};
use crate::weak::{saturate, targets_first};
use hashbrown::HashMap;
use linpoint_base::{Account, Cause, Control, Hashing};

type FastMap<K, V> = HashMap<K, V, Hashing>;

/// Transitions that thinning out may look at.
const THINNING: usize = 50_000_000;

/// Why two systems differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Does the formula hold in the first system (and not in the second), or the other way round?
    pub in_first: bool,
    /// The formula. Its labels are those of `labels`.
    pub formula: Formula,
    /// The text of each label.
    pub labels: Vec<String>,
}

/// The outcome of a comparison.
pub enum Comparison {
    /// The systems are equivalent.
    Equivalent,
    /// They are not; why, or what stopped the search for an explanation.
    Different(Result<Difference, Cause>),
}

/// Are two systems equivalent?
pub fn compare(one: &Lts, other: &Lts, equivalence: Equivalence, control: &Control) -> Result<Comparison, Cause> {
    let (both, shift) = one.beside(other);
    let roots = [one.initial, other.initial + shift];
    let classes = partition(&both, &roots, equivalence, control)?;
    let pair = roots.map(|root| classes.of[root as usize]);
    if pair[0] == pair[1] {
        return Ok(Comparison::Equivalent);
    }
    Ok(Comparison::Different(explain(&both, roots, &classes, pair, equivalence, control)))
}

fn explain(
    both: &Lts,
    roots: [u32; 2],
    classes: &Partition,
    pair: [u32; 2],
    equivalence: Equivalence,
    control: &Control,
) -> Result<Difference, Cause> {
    let quotient = classes.rows(&both.labels);
    let view = View::of(&quotient, equivalence, control)?;
    let levels = view.levels(pair, control)?;
    let separates = |formula: &Formula, lts: &Lts, states: [u32; 2]| {
        formula.holds(lts, equivalence, &states, control).map(|truth| truth[0] != truth[1])
    };
    let mut formula = Builder::new(&view, &levels, true).build(pair, control)?;
    if !separates(&formula, &quotient, pair)? {
        formula = Builder::new(&view, &levels, false).build(pair, control)?;
    }
    thin_out(&mut formula, quotient.transitions() + quotient.rows(), |formula| separates(formula, &quotient, pair))?;
    let truth = formula.holds(both, equivalence, &roots, control)?;
    assert_ne!(truth[0], truth[1], "a formula that explains a difference tells the systems apart");
    let labels = (0..both.labels.len() as u32).map(|label| both.labels.name(label).to_owned()).collect();
    Ok(Difference { in_first: truth[0], formula, labels })
}

/// The quotient as the refinement sees it: which steps are silent, and a visible loop for divergence.
struct View {
    lts: Lts,
    silent: bool,
    /// The label of the loops that stand for divergence.
    divergence: u32,
    order: Vec<u32>,
}

/// Steps as (label, class of the target), or as (label, target).
type Steps = [(u32, u32)];

/// The classes of each level, from level 0, where all states are alike.
type Levels = Vec<Vec<u32>>;

impl View {
    fn of(quotient: &Lts, equivalence: Equivalence, control: &Control) -> Result<Self, Cause> {
        let divergence = quotient.labels.len() as u32;
        let mut lts = if equivalence == Equivalence::Weak { saturate(quotient, control)? } else { quotient.clone() };
        let silent = matches!(equivalence, Equivalence::Branching | Equivalence::Divergence);
        if equivalence == Equivalence::Divergence {
            for state in 0..lts.rows() as u32 {
                for at in lts.range(state).filter(|&at| quotient.label[at] == TAU && quotient.target[at] == state) {
                    lts.label[at] = divergence;
                }
            }
        }
        let order = if silent { targets_first(&lts) } else { (0..lts.rows() as u32).collect() };
        Ok(View { lts, silent, divergence, order })
    }

    /// Refines level by level until the pair is apart.
    fn levels(&self, pair: [u32; 2], control: &Control) -> Result<Levels, Cause> {
        let mut account = Account::alone(control);
        let rows = self.lts.rows();
        let mut levels = vec![vec![0; rows]];
        let mut signatures: Vec<Vec<(u32, u32)>> = vec![Vec::new(); rows];
        while levels.last().is_some_and(|class| class[pair[0] as usize] == class[pair[1] as usize]) {
            let class = levels.last().expect("level 0 is there");
            let mut known: FastMap<(u32, &Steps), u32> = FastMap::default();
            let mut next = vec![0; rows];
            let mut held = 0;
            for &state in &self.order {
                let signature = self.signature(state, class, &signatures);
                held += 8 * signature.len();
                account.configurations += 1 + signature.len() as u64;
                signatures[state as usize] = signature;
            }
            for (state, signature) in signatures.iter().enumerate() {
                let fresh = known.len() as u32;
                next[state] = *known.entry((class[state], signature.as_slice())).or_insert(fresh);
            }
            if let Some(cause) = account.poll(held + 4 * rows * (levels.len() + 20), 0) {
                return Err(cause);
            }
            levels.push(next);
        }
        Ok(levels)
    }

    fn is_inert(&self, label: u32, from: u32, to: u32, class: &[u32]) -> bool {
        self.silent && label == TAU && class[from as usize] == class[to as usize]
    }

    fn signature(&self, state: u32, class: &[u32], signatures: &[Vec<(u32, u32)>]) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        for (label, target) in self.lts.row(state) {
            if self.is_inert(label, state, target, class) {
                found.extend_from_slice(&signatures[target as usize]);
            } else {
                found.push((label, class[target as usize]));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The states that inert steps lead to, the state itself included.
    fn inertly(&self, state: u32, class: &[u32]) -> Vec<u32> {
        let mut found = vec![state];
        let mut seen: FastMap<u32, ()> = FastMap::default();
        seen.insert(state, ());
        let mut at = 0;
        while let Some(&from) = found.get(at) {
            at += 1;
            for (label, target) in self.lts.row(from) {
                if self.is_inert(label, from, target, class) && seen.insert(target, ()).is_none() {
                    found.push(target);
                }
            }
        }
        found
    }

    /// Steps that are not inert, after inert ones: one target for each label and class.
    fn steps(&self, state: u32, class: &[u32]) -> Vec<(u32, u32)> {
        let mut found: Vec<(u32, u32)> = Vec::new();
        for from in self.inertly(state, class) {
            found.extend(self.lts.row(from).filter(|&(label, to)| !self.is_inert(label, from, to, class)));
        }
        found.sort_unstable_by_key(|&(label, target)| (label, class[target as usize], target));
        found.dedup_by_key(|&mut (label, target)| (label, class[target as usize]));
        found
    }

    /// The states in which a step with this label can come after any internal steps.
    fn may(&self, label: u32) -> Vec<bool> {
        let mut able = vec![false; self.lts.rows()];
        for &state in &self.order {
            let mut row = self.lts.row(state);
            able[state as usize] = row.any(|(step, target)| step == label || step == TAU && able[target as usize]);
        }
        able
    }
}

/// How to tell a state from another: by which step, and what has to be told apart from what.
#[derive(Clone)]
struct Plan {
    /// The state that can; the other cannot.
    able: u32,
    label: u32,
    target: u32,
    /// States that the same step of the other leads to.
    then: Vec<u32>,
    /// States through which the other must not get there.
    through: Vec<u32>,
}

struct Builder<'a> {
    view: &'a View,
    levels: &'a Levels,
    /// Leave out what does not look necessary; the result has to be checked.
    thrifty: bool,
    /// For each label the states that may do it after internal steps.
    able: FastMap<u32, Vec<bool>>,
    nodes: Vec<Node>,
    names: FastMap<Node, u32>,
    /// The formula that holds in the first state of the pair and not in the second.
    known: FastMap<(u32, u32), u32>,
}

impl<'a> Builder<'a> {
    fn new(view: &'a View, levels: &'a Levels, thrifty: bool) -> Self {
        let mut builder = Builder {
            view,
            levels,
            thrifty,
            nodes: Vec::new(),
            able: FastMap::default(),
            names: FastMap::default(),
            known: FastMap::default(),
        };
        builder.node(Node::All(Vec::new()));
        builder
    }

    fn build(mut self, pair: [u32; 2], control: &Control) -> Result<Formula, Cause> {
        let mut account = Account::alone(control);
        let mut stack = vec![(pair[0], pair[1], None::<Plan>)];
        while let Some((one, other, plan)) = stack.pop() {
            account.configurations += 1;
            if let Some(cause) = account.poll(64 * self.nodes.len() + 64 * stack.len(), 0) {
                return Err(cause);
            }
            if self.known.contains_key(&(one, other)) {
                continue;
            }
            if let Some(plan) = plan {
                self.carry_out(one, other, &plan);
                continue;
            }
            let plan = self.plan(one, other);
            let parts = plan.then.iter().map(|&other| (plan.target, other, None));
            let ways = plan.through.iter().map(|&other| (plan.able, other, None));
            let needed: Vec<_> = parts.chain(ways).collect();
            stack.push((one, other, Some(plan)));
            stack.extend(needed);
        }
        let mut root = self.known[&(pair[0], pair[1])];
        if let Node::Not(part) = self.nodes[root as usize] {
            root = part;
        }
        Ok(compact(&self.nodes, root))
    }

    fn node(&mut self, node: Node) -> u32 {
        let fresh = self.nodes.len() as u32;
        let name = *self.names.entry(node.clone()).or_insert(fresh);
        if name == fresh {
            self.nodes.push(node);
        }
        name
    }

    fn all(&mut self, state: u32, others: &[u32]) -> u32 {
        let mut parts: Vec<u32> = others.iter().map(|&other| self.known[&(state, other)]).collect();
        parts.sort_unstable();
        parts.dedup();
        if let [part] = parts[..] { part } else { self.node(Node::All(parts)) }
    }

    fn carry_out(&mut self, one: u32, other: u32, plan: &Plan) {
        let through = self.all(plan.able, &plan.through);
        let node = if plan.label == self.view.divergence {
            self.node(Node::Diverges { through })
        } else {
            let then = self.all(plan.target, &plan.then);
            self.node(Node::Step { through, label: plan.label, then })
        };
        let not = self.node(Node::Not(node));
        let (able, unable) = if plan.able == one { (node, not) } else { (not, node) };
        self.known.insert((one, other), able);
        self.known.insert((other, one), unable);
    }

    /// The step that needs least to be told.
    fn plan(&mut self, one: u32, other: u32) -> Plan {
        let apart = |class: &Vec<u32>| class[one as usize] != class[other as usize];
        let level = self.levels.partition_point(|class| !apart(class));
        let class = &self.levels[level - 1];
        let steps = [self.view.steps(one, class), self.view.steps(other, class)];
        let mut best: Option<Plan> = None;
        for (able, unable, mine, theirs) in [(one, other, &steps[0], &steps[1]), (other, one, &steps[1], &steps[0])] {
            for &(label, target) in mine {
                let matched = |&(step, to): &(u32, u32)| step == label && class[to as usize] == class[target as usize];
                if theirs.iter().any(matched) {
                    continue;
                }
                let plan = self.plan_for(able, unable, label, target, theirs);
                let cost = |plan: &Plan| plan.then.len() + 2 * plan.through.len();
                if best.as_ref().is_none_or(|best| cost(&plan) < cost(best)) {
                    best = Some(plan);
                }
            }
        }
        best.expect("states that differ at a level differ in a step")
    }

    fn plan_for(&mut self, able: u32, unable: u32, label: u32, target: u32, theirs: &[(u32, u32)]) -> Plan {
        let silent = self.view.silent;
        let mut then: Vec<u32> = theirs.iter().filter(|&&(step, _)| step == label).map(|&(_, to)| to).collect();
        if silent && label == TAU {
            then.push(unable); // inert steps of the other are internal steps too
        }
        if label == self.view.divergence {
            then.clear();
        }
        let mut through: Vec<u32> = Vec::new();
        if silent {
            through.extend(theirs.iter().filter(|&&(step, _)| step == TAU).map(|&(_, to)| to));
        }
        if self.thrifty && !through.is_empty() {
            let able = self.able.entry(label).or_insert_with(|| self.view.may(label));
            through.retain(|&exit| able[exit as usize]);
        }
        Plan { able, label, target, then, through }
    }
}

/// The nodes that the root is made of, in order, the root last.
fn compact(nodes: &[Node], root: u32) -> Formula {
    let mut needed = vec![false; root as usize + 1];
    needed[root as usize] = true;
    needed[TRUE as usize] = true;
    for at in (0..=root as usize).rev().filter(|&at| at > 0) {
        if needed[at] {
            parts_of(&nodes[at]).for_each(|part| needed[part as usize] = true);
        }
    }
    let mut name = vec![0; nodes.len()];
    let mut kept = Vec::new();
    for at in (0..=root as usize).filter(|&at| needed[at]) {
        name[at] = kept.len() as u32;
        kept.push(renamed(&nodes[at], &name));
    }
    Formula { nodes: kept }
}

fn parts_of(node: &Node) -> impl Iterator<Item = u32> {
    let (few, many): ([Option<u32>; 2], &[u32]) = match node {
        Node::All(parts) => ([None, None], parts),
        Node::Not(part) => ([Some(*part), None], &[]),
        Node::Step { through, then, .. } => ([Some(*through), Some(*then)], &[]),
        Node::Diverges { through } => ([Some(*through), None], &[]),
    };
    few.into_iter().flatten().chain(many.to_vec())
}

fn renamed(node: &Node, name: &[u32]) -> Node {
    let of = |part: &u32| name[*part as usize];
    match node {
        Node::All(parts) => Node::All(parts.iter().map(of).collect()),
        Node::Not(part) => Node::Not(of(part)),
        Node::Step { through, label, then } => Node::Step { through: of(through), label: *label, then: of(then) },
        Node::Diverges { through } => Node::Diverges { through: of(through) },
    }
}

/// Leaves out parts of conjunctions as long as the formula still tells the pair apart.
fn thin_out(
    formula: &mut Formula,
    size: usize,
    separates: impl Fn(&Formula) -> Result<bool, Cause>,
) -> Result<(), Cause> {
    let mut allowed = THINNING;
    let mut at = formula.nodes.len();
    while at > 1 {
        at -= 1;
        for smaller in weaker(&formula.nodes, at) {
            let cost = size.saturating_mul(formula.nodes.len());
            if cost > allowed {
                return Ok(());
            }
            allowed -= cost;
            let root = smaller.len() as u32 - 1;
            let candidate = compact(&smaller, root);
            if separates(&candidate)? {
                *formula = candidate;
                at = formula.nodes.len();
                break;
            }
        }
    }
    Ok(())
}

/// The same nodes with one thing less in node `at`: a part of a conjunction, a condition on the way, what holds afterwards.
fn weaker(nodes: &[Node], at: usize) -> Vec<Vec<Node>> {
    let with = |node: Node| {
        let mut changed = nodes.to_vec();
        changed[at] = node;
        changed
    };
    match &nodes[at] {
        Node::All(parts) => (0..parts.len())
            .map(|gone| {
                let mut parts = parts.clone();
                parts.remove(gone);
                with(Node::All(parts))
            })
            .collect(),
        Node::Step { through, label, then } => {
            let mut found = Vec::new();
            if *through != TRUE {
                found.push(with(Node::Step { through: TRUE, label: *label, then: *then }));
            }
            if *then != TRUE {
                found.push(with(Node::Step { through: *through, label: *label, then: TRUE }));
            }
            found
        }
        Node::Diverges { through } if *through != TRUE => vec![with(Node::Diverges { through: TRUE })],
        _ => Vec::new(),
    }
}
