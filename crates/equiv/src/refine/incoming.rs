//! Who steps into a state? Transitions by target, silent ones first: 4 bytes each.

use crate::prepare::Prepared;

/// In the lists of incoming transitions: this one is silent.
pub(super) const SILENT: u32 = 1 << 31;

/// What an entry says of a transition that is not silent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tells {
    Source,
    Transition,
}

/// Incoming transitions by target: of silent ones the source, with [`SILENT`], and first; of others the source or the transition.
pub(super) struct Incoming {
    entries: Vec<u32>,
    offsets: Vec<u32>,
}

impl Incoming {
    pub fn new(system: &Prepared, tells: Tells, is_silent: impl Fn(usize) -> bool) -> Self {
        let states = system.states();
        let mut offsets = vec![0u32; states + 1];
        for &target in &system.target {
            offsets[target as usize + 1] += 1;
        }
        for state in 0..states {
            offsets[state + 1] += offsets[state];
        }
        let mut next = offsets.clone();
        let mut entries = vec![0; system.target.len()];
        for silent in [true, false] {
            for source in 0..states as u32 {
                for transition in system.range(source).filter(|&transition| is_silent(transition) == silent) {
                    let place = &mut next[system.target[transition] as usize];
                    entries[*place as usize] = match tells {
                        _ if silent => source | SILENT,
                        Tells::Source => source,
                        Tells::Transition => transition as u32,
                    };
                    *place += 1;
                }
            }
        }
        Incoming { entries, offsets }
    }

    /// All that lead into a state.
    #[inline]
    pub fn of(&self, state: u32) -> &[u32] {
        &self.entries[self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize]
    }

    /// The source of the `nth` silent transition into a state.
    #[inline]
    pub fn silent(&self, state: u32, nth: u32) -> Option<u32> {
        let entry = *self.of(state).get(nth as usize)?;
        (entry & SILENT != 0).then_some(entry & !SILENT)
    }
}
