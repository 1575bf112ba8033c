//! What does an operation do to an object that only grows and is read as a whole?
//!
//! A list that is appended to and a set that is added to never forget: what is read at one moment is all that came before. Monitors of
//! such objects (`check::monitor`) need neither steps nor roles, but what was put in and what was seen.

use hashbrown::{HashMap, HashSet};
use linpoint_base::Hashing;
use linpoint_history::ValueId;

/// What an operation of a growing object does, or what such an object holds at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Growth<'a> {
    /// Puts this behind all that is there.
    Append(Text<'a>),
    /// All that is there, one behind the other.
    Text(Text<'a>),
    /// Puts an element in: it is in from then on. True if it was not in before, by its answer.
    Add(u32, Option<bool>),
    /// All elements, in any order; [`NOWHERE`] stands for one that no operation puts in.
    Elements(Vec<u32>),
    /// Changes nothing and is legal everywhere.
    Nothing,
    /// Anything else; of an object: it does not only grow, as far as is known.
    Other,
}

/// An element that no operation puts in.
pub const NOWHERE: u32 = u32::MAX;

/// What stands one behind the other: the letters of a text or the elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text<'a> {
    /// The bytes of a text.
    Bytes(&'a [u8]),
    /// The elements of a list.
    Elements(&'a [ValueId]),
}

impl Text<'_> {
    /// How many letters it has.
    pub fn len(self) -> usize {
        match self {
            Text::Bytes(bytes) => bytes.len(),
            Text::Elements(elements) => elements.len(),
        }
    }

    /// Has it none?
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Does it begin like this one? Both are texts or both are lists.
    pub fn starts_with(self, beginning: Text<'_>) -> bool {
        match (self, beginning) {
            (Text::Bytes(all), Text::Bytes(beginning)) => all.starts_with(beginning),
            (Text::Elements(all), Text::Elements(beginning)) => all.starts_with(beginning),
            _ => false,
        }
    }

    fn letter(self, place: usize) -> u32 {
        match self {
            Text::Bytes(bytes) => bytes[place].into(),
            Text::Elements(elements) => elements[place].0,
        }
    }
}

/// The pieces that were appended: a tree of their letters.
#[derive(Debug, Default)]
pub struct Pieces {
    /// The node behind a letter; the root is 0.
    child: HashMap<(u32, u32), u32, Hashing>,
    /// The operations whose piece ends at a node, by node.
    ending: HashMap<u32, Vec<u32>, Hashing>,
    nodes: u32,
}

/// The operations that appended the pieces of a text, in their order, and where each piece ends, behind the end of what was held at first.
pub type Spelled = (Vec<u32>, Vec<usize>);

impl Pieces {
    /// This operation appends that piece.
    pub fn insert(&mut self, piece: Text<'_>, op: u32) {
        let mut at = 0;
        for place in 0..piece.len() {
            let next = *self.child.entry((at, piece.letter(place))).or_insert(self.nodes + 1);
            self.nodes = self.nodes.max(next);
            at = next;
        }
        self.ending.entry(at).or_default().push(op);
    }

    /// All that append.
    pub fn ops(&self) -> impl Iterator<Item = u32> {
        self.ending.values().flatten().copied()
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        self.child.allocation_size() + self.ending.allocation_size() + self.ending.len() * 16
    }

    /// The appends that make `text` of what is held at first, as far as there is one that fits; None where there are two. `tick` is called for
    /// every piece, and may end it.
    pub fn spell<E>(
        &self,
        text: Text<'_>,
        held_first: Text<'_>,
        mut tick: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Spelled>, E> {
        let (mut order, mut ends) = (Vec::new(), Vec::new());
        if !text.starts_with(held_first) {
            return Ok(Some((order, ends)));
        }
        let mut at = held_first.len();
        ends.push(at);
        let mut is_used: HashSet<u32, Hashing> = HashSet::default();
        while at < text.len() {
            tick()?;
            let (mut node, mut fit) = (0, None);
            for end in at..text.len() {
                let Some(&next) = self.child.get(&(node, text.letter(end))) else { break };
                node = next;
                for &op in self.ending.get(&node).into_iter().flatten().filter(|op| !is_used.contains(*op)) {
                    if fit.replace((op, end + 1)).is_some() {
                        return Ok(None);
                    }
                }
            }
            let Some((op, end)) = fit else { break };
            is_used.insert(op);
            order.push(op);
            ends.push(end);
            at = end;
        }
        Ok(Some((order, ends)))
    }
}
