//! Is this history of a set that only grows and is read as a whole linearizable? The reads are a chain.
//!
//! Nothing is removed, so of two reads one shows all that the other shows. Sorted by size they say between which of
//! them each element came in:
//!
//! ```text
//!   add 1   |------|                          read → {2}: add 2 before it, add 1 behind it
//!   add 2      |------|                       read → {1, 2}: behind both
//!   read → {2}   |------|
//!   read → {1, 2}         |------|
//! ```
//!
//! What no read shows was added behind the last one or, if it is pending, perhaps never. So the operations form groups in a given
//! order (`groups`).
//!
//! Cost: O(n log n) and the elements of all distinct reads. Declines an element that is added twice, an add that found its
//! element there, and anything else than add and read.

use super::groups::{OnlyGrows, in_a_row};
use super::{Decided, Decision, Meter, Monitor, NEVER, NONE, declined, ranks};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_spec::{Code, Growth, NOWHERE, Part, Shape};

/// The method.
pub(crate) const MONITOR: OnlyGrows = OnlyGrows {
    monitor: Monitor {
        name: "grow-only-set",
        help: "a set to which every element is added once, from which none is removed, and which is read as a whole: the reads are a chain, in O(n log n) and their elements, without a search; declines what it does not cover",
        shape: Shape::Other,
        decide,
    },
    holds: |growth| matches!(growth, Growth::Elements(_)),
};

fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    let Growth::Elements(held_first) = part.spec.grown_at_first() else {
        return Err(declined("it does not only grow"));
    };
    let (call, ret) = ranks(part, 1);
    let mut sets = Sets::of(part, &held_first, &ret, meter)?;
    let levels = sets.put_in_a_chain(&held_first, meter)?;
    // Reads of what is held at first; then what came in before the next larger read, and this; then what no read shows.
    let mut groups = vec![Vec::new(); 2 * levels + 2];
    for seen in &sets.seen {
        groups[2 * seen.level].extend_from_slice(&seen.reads);
    }
    let mut group_of = vec![NONE; part.ops.len()];
    for (&op, &entered) in sets.adder.iter().zip(&sets.entered).filter(|(op, _)| **op != NONE) {
        let group = if entered == NONE { 2 * levels + 1 } else { 2 * entered as usize - 1 };
        if entered != NONE || ret[op as usize] != NEVER {
            groups[group].push(op);
            group_of[op as usize] = group as u32;
        }
    }
    in_a_row(groups, (&call, &ret), meter, |before, early| {
        // Two adds are apart because a read shows the one and not the other.
        let between = sets.seen.iter().find(|seen| group_of[before as usize] < 2 * seen.level as u32);
        let reads = between.map(|seen| seen.reads[0]).into_iter().chain([before, early]);
        sets.with_adds(reads.collect())
    })
}

/// What equal reads show.
struct Seen {
    /// The reads, and their elements.
    reads: Vec<u32>,
    elements: Vec<u32>,
    /// The number of this set among all that were seen, the smallest first; 0 is what is held at first.
    level: usize,
}

/// Who added each element, and which sets were seen.
struct Sets {
    /// By element: the operation that adds it, and the first set that it is in.
    adder: Vec<u32>,
    entered: Vec<u32>,
    /// By size.
    seen: Vec<Seen>,
}

impl Sets {
    fn of(part: &Part, held_first: &[u32], ret: &[u32], meter: &mut Meter<'_>) -> Decided<Sets> {
        let mut sets = Sets { adder: Vec::new(), entered: Vec::new(), seen: Vec::new() };
        let mut place_of: HashMap<Code, usize, Hashing> = HashMap::default(); // equal reads are asked for once
        meter.hold(part.ops.len() * 80)?;
        for (op, &code) in part.codes.iter().enumerate() {
            meter.tick()?;
            if ret[op] != NEVER
                && let Some(&place) = place_of.get(&code)
            {
                sets.seen[place].reads.push(op as u32);
                continue;
            }
            match part.spec.growth(code) {
                Growth::Add(element, _) => {
                    sets.make_room(element);
                    if std::mem::replace(&mut sets.adder[element as usize], op as u32) != NONE {
                        return Err(declined("an element is added more than once"));
                    }
                }
                Growth::Elements(_) | Growth::Nothing if ret[op] == NEVER => {}
                Growth::Elements(elements) if elements.contains(&NOWHERE) => {
                    return Err(Decision::Violation(vec![op as u32])); // nobody adds this
                }
                Growth::Elements(elements) => {
                    meter.hold(4 * elements.len())?;
                    place_of.insert(code, sets.seen.len());
                    sets.seen.push(Seen { reads: vec![op as u32], elements, level: 0 });
                }
                _ => return Err(declined("it is not only added to and read")),
            }
        }
        for &element in held_first {
            sets.make_room(element);
            if sets.adder[element as usize] != NONE {
                return Err(declined("an element is added that is in from the start"));
            }
        }
        sets.seen.sort_by_key(|seen| seen.elements.len());
        Ok(sets)
    }

    fn make_room(&mut self, element: u32) {
        let room = self.adder.len().max(element as usize + 1);
        self.adder.resize(room, NONE);
        self.entered.resize(room, NONE);
    }

    /// Numbers the sets, and notes where each element came in: how many sets there are; a violation if they are no chain, or
    /// show what cannot be there.
    fn put_in_a_chain(&mut self, held_first: &[u32], meter: &mut Meter<'_>) -> Decided<usize> {
        held_first.iter().for_each(|&element| self.entered[element as usize] = 0);
        let (mut size, mut level, mut before) = (held_first.len(), 0, None);
        let mut met_in = vec![NONE; self.adder.len()]; // the last set in which each element was met
        for place in 0..self.seen.len() {
            meter.poll()?;
            let Seen { reads, elements, .. } = &self.seen[place];
            let read = reads[0];
            let mut known = 0;
            for &element in elements {
                let (added, entered) = (self.adder.get(element as usize), self.entered.get(element as usize));
                let is_known = entered.is_some_and(|&level| level != NONE);
                known += usize::from(is_known);
                let is_supplied = is_known || added.is_some_and(|&op| op != NONE);
                if !is_supplied || std::mem::replace(&mut met_in[element as usize], place as u32) == place as u32 {
                    return Err(Decision::Violation(vec![read]));
                }
            }
            if known < size {
                return Err(Decision::Violation(self.with_adds([read].into_iter().chain(before).collect())));
            }
            if elements.len() > size {
                (size, level) = (elements.len(), level + 1);
                for &element in elements {
                    let entered = &mut self.entered[element as usize];
                    *entered = (*entered).min(level as u32);
                }
            }
            before = Some(read);
            self.seen[place].level = level;
        }
        Ok(level)
    }

    /// These operations, and the adds of all that the reads among them show.
    fn with_adds(&self, mut ops: Vec<u32>) -> Vec<u32> {
        let shown = self.seen.iter().filter(|seen| seen.reads.iter().any(|read| ops.contains(read)));
        let elements = shown.flat_map(|seen| &seen.elements);
        let adds: Vec<u32> = elements.map(|&element| self.adder[element as usize]).filter(|&op| op != NONE).collect();
        ops.extend(adds);
        ops
    }
}
