//! When do two states behave alike, and what is left when states that do are made one?
//!
//! | equivalence | internal steps | cost |
//! |---|---|---|
//! | strong | count like any other | O(m log n) |
//! | branching | are silent where they decide nothing (van Glabbeek & Weijland, J. ACM 43(3), 1996) | O(m log n) |
//! | divergence | the same, and a state that can take them for ever differs from one that cannot | O(m log n) |
//! | weak | are silent, also where they decide something (Milner) | O(m log n), then the square of the branching quotient at worst |
//!
//! The quotient has the classes that can be reached as states. It has a transition wherever members of the classes have one, except
//! internal steps within a class; under divergence a class that can run for ever has an internal loop.

use crate::lts::{Labels, Lts, Parts, TAU};
use crate::prepare::{Prepared, Silence, prepare};
use crate::refine::refine;
use crate::silent::DROPPED;
use crate::weak::saturate;
use linpoint_base::{Cause, Control};

/// The equivalences, from the finest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Equivalence {
    /// Strong bisimilarity.
    Strong,
    /// Divergence-sensitive branching bisimilarity.
    Divergence,
    /// Branching bisimilarity.
    Branching,
    /// Weak bisimilarity.
    Weak,
}

impl Equivalence {
    /// All of them, from the finest.
    pub const ALL: [Equivalence; 4] =
        [Equivalence::Strong, Equivalence::Divergence, Equivalence::Branching, Equivalence::Weak];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Equivalence::Strong => "strong",
            Equivalence::Divergence => "divergence",
            Equivalence::Branching => "branching",
            Equivalence::Weak => "weak",
        }
    }

    /// The equivalence of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|equivalence| equivalence.name() == name)
    }
}

/// States grouped into classes.
pub struct Partition {
    /// The class of each row, [`Partition::UNREACHABLE`] if the row cannot be reached.
    pub of: Vec<u32>,
    /// The number of classes.
    pub classes: u32,
    /// (class, label, class), each once.
    pub(crate) transitions: Vec<(u32, u32, u32)>,
}

impl Partition {
    /// The class of a state that cannot be reached.
    pub const UNREACHABLE: u32 = DROPPED;

    /// The system of classes under their own numbers, a row for each. It begins in class 0, whichever that is.
    pub(crate) fn rows(&self, labels: &Labels) -> Lts {
        let mut rows = Lts::from_transitions(labels.clone(), 0, u64::from(self.classes), &self.transitions);
        let end = rows.label.len() as u32;
        rows.offsets.resize(self.classes as usize + 1, end); // classes that no transition mentions
        rows
    }

    /// The system of classes: the initial one is 0, the others follow in the order in which a search meets them.
    fn quotient(self, initial: u32, labels: Labels) -> Lts {
        let Partition { of, classes, mut transitions } = self;
        transitions.sort_unstable();
        let first = of[initial as usize];
        let mut parts = Parts { labels, states: u64::from(classes), ..Parts::default() };
        let mut start = vec![0u32; classes as usize + 1];
        for &(from, ..) in &transitions {
            start[from as usize + 1] += 1;
        }
        for class in 0..classes as usize {
            start[class + 1] += start[class];
        }
        let row = |class: u32| start[class as usize] as usize..start[class as usize + 1] as usize;
        let (mut name, mut queue) = (vec![DROPPED; classes as usize], vec![first]);
        name[first as usize] = 0;
        let mut at = 0;
        while let Some(&class) = queue.get(at) {
            for &(_, label, to) in &transitions[row(class)] {
                if name[to as usize] == DROPPED {
                    name[to as usize] = queue.len() as u32;
                    queue.push(to);
                }
                parts.push(at as u32, label, name[to as usize]);
            }
            at += 1;
        }
        parts.finish()
    }
}

/// The classes of everything that can be reached from `roots`.
pub fn partition(lts: &Lts, roots: &[u32], equivalence: Equivalence, control: &Control) -> Result<Partition, Cause> {
    let (silence, silent) = silence_of(equivalence);
    partition_prepared(prepare(lts, roots, silence, control)?, &lts.labels, silent, equivalence, control)
}

fn silence_of(equivalence: Equivalence) -> (Silence, bool) {
    match equivalence {
        Equivalence::Strong => (Silence::Visible, false),
        Equivalence::Divergence => (Silence::Divergence, true),
        Equivalence::Branching | Equivalence::Weak => (Silence::Blind, true),
    }
}

fn partition_prepared(
    mut system: Prepared,
    labels: &Labels,
    silent: bool,
    equivalence: Equivalence,
    control: &Control,
) -> Result<Partition, Cause> {
    let found = refine(&system, silent, control)?;
    let divergence = system.divergence;
    let mut of = std::mem::take(&mut system.of);
    drop(system);
    for state in of.iter_mut().filter(|state| **state != DROPPED) {
        *state = found.of[*state as usize];
    }
    let mut transitions = found.transitions;
    for transition in transitions.iter_mut().filter(|transition| transition.1 == divergence) {
        transition.1 = TAU;
    }
    let branching = Partition { of, classes: found.count, transitions };
    if equivalence == Equivalence::Weak { weaken(branching, labels, control) } else { Ok(branching) }
}

/// The quotient of what can be reached from the initial state.
pub fn reduce(lts: &Lts, equivalence: Equivalence, control: &Control) -> Result<Lts, Cause> {
    let classes = partition(lts, &[lts.initial], equivalence, control)?;
    Ok(classes.quotient(lts.initial, lts.labels.clone()))
}

/// The same for a system that is not needed any more: its transitions are given back before the refinement needs the room.
pub fn reduce_owned(lts: Lts, equivalence: Equivalence, control: &Control) -> Result<Lts, Cause> {
    let (silence, silent) = silence_of(equivalence);
    let system = prepare(&lts, &[lts.initial], silence, control)?;
    let Lts { labels, initial, offsets, label, target, .. } = lts;
    drop((offsets, label, target));
    let classes = partition_prepared(system, &labels, silent, equivalence, control)?;
    Ok(classes.quotient(initial, labels))
}

/// From branching to weak: every class gets the steps it has after and before any internal ones; what is strongly bisimilar then
/// is weakly bisimilar.
fn weaken(branching: Partition, labels: &Labels, control: &Control) -> Result<Partition, Cause> {
    let saturated = saturate(&branching.rows(labels), control)?;
    let roots: Vec<u32> = (0..branching.classes).collect();
    let system = prepare(&saturated, &roots, Silence::Visible, control)?;
    let found = refine(&system, false, control)?;
    let of = branching.of.iter().map(|&class| if class == DROPPED { DROPPED } else { found.of[class as usize] });
    let renamed =
        branching.transitions.iter().map(|&(from, label, to)| (found.of[from as usize], label, found.of[to as usize]));
    let mut transitions: Vec<_> = renamed.filter(|&(from, label, to)| label != TAU || from != to).collect();
    transitions.sort_unstable();
    transitions.dedup();
    Ok(Partition { of: of.collect(), classes: found.count, transitions })
}
