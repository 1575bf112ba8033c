//! Is there a linearization? The algorithm of Horn & Kroening as published, kept to reproduce its table.
//!
//! Horn & Kroening (FORTE 2015), Algorithm 1: events in a doubly linked list; walk from its head; at a call try
//! the operation; if it is legal and (linearized set, state) is new, lift it out and start over; at a return go back to the last
//! choice. The cache holds n-bit sets, which is where its gigabytes go; `--cache lru:SIZE` bounds it (§5.1).
//! Sets are hashed by XOR of one random word per operation (constant time) but compared in full.
//!
//! Departures: pending operations have no return in the list and the search ends when only they are left;
//! an operation may have several outcomes.
//!
//! Cost: O(n) bits per configuration, exponential time at worst. Use `auto` unless you want the table.

use crate::methods::Method;
use crate::outcome::{Answer, Evidence, Progress, Stuck, Verdict};
use crate::search::cache::Cache;
use crate::search::mask::between_looks;
use crate::settings::Settings;
use linpoint_base::{Account, Cause, Control, hashed};
use linpoint_history::Event;
use linpoint_spec::{Part, Spec, State, StepError};

/// The search as a method.
pub struct AsPublished;

impl Method for AsPublished {
    fn name(&self) -> &'static str {
        "wgl"
    }

    fn help(&self) -> &'static str {
        "the search of Wing & Gong and Lowe as published by Horn & Kroening 2015, for comparison"
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        let mut search = Wgl::new(part, Account::alone(control), settings.cache)?;
        let (verdict, evidence) = match search.run(u64::MAX) {
            Progress::Yes => (Verdict::Linearizable, Evidence::Witness(search.witness())),
            Progress::No => (Verdict::Violation, Evidence::Stuck(search.stuck())),
            Progress::GaveUp(cause) => (Verdict::Unknown(cause), Evidence::Stuck(search.stuck())),
            Progress::Running => unreachable!("it runs to its end"),
        };
        let configurations = search.configurations();
        Ok(Answer { evidence, configurations, is_general: true, ..Answer::bare(verdict, self.name()) })
    }
}

/// How many entries are visited between two looks at the budget.
const GLANCE: usize = 256;

/// A provisionally linearized operation: its call's entry, the state before it, which outcome was taken.
struct Choice {
    entry: usize,
    before: State,
    outcome: usize,
}

pub(crate) struct Wgl<'a> {
    part: &'a Part,
    spec: Box<dyn Spec>,
    account: Account<'a>,
    /// Entry e is event e - 1; entry 0 is the head.
    next: Vec<u32>,
    prev: Vec<u32>,
    /// The entry of the return for the entry of a call; 0 if it never returns.
    matching: Vec<u32>,
    /// Returns in the list.
    required: usize,
    returned: usize,
    calls: Vec<Choice>,
    linearized: Vec<u64>,
    hash: u64,
    cache: Cache,
    /// Where the walk stands.
    entry: usize,
    state: State,
    outcome: usize,
    most_linearized: usize,
    /// The furthest return that could not be passed, and its operation: nothing explains more than what is before it.
    furthest: usize,
    stuck: Option<u32>,
    outcomes: Vec<State>,
}

impl<'a> Wgl<'a> {
    pub fn new(part: &'a Part, account: Account<'a>, cache: Option<usize>) -> Result<Self, StepError> {
        let entries = part.events.len() + 1;
        let mut call = vec![0u32; part.ops.len()];
        let mut matching = vec![0u32; entries];
        for (place, event) in part.events.iter().enumerate() {
            if event.is_return() {
                matching[call[event.op()] as usize] = place as u32 + 1;
            } else {
                call[event.op()] = place as u32 + 1;
            }
        }
        let words = part.ops.len().div_ceil(64);
        let mut spec = part.spec.fork();
        let state = spec.initial()?;
        Ok(Wgl {
            part,
            spec,
            account,
            next: (0..entries as u32).map(|e| if e as usize + 1 == entries { 0 } else { e + 1 }).collect(),
            prev: (0..entries as u32).map(|e| e.saturating_sub(1)).collect(),
            matching,
            required: part.events.iter().filter(|event| event.is_return()).count(),
            returned: 0,
            calls: Vec::new(),
            linearized: vec![0; words],
            hash: 0,
            cache: Cache::new(words, cache),
            entry: if entries > 1 { 1 } else { 0 },
            state,
            outcome: 0,
            most_linearized: 0,
            furthest: 0,
            stuck: None,
            outcomes: Vec::new(),
        })
    }

    pub fn configurations(&self) -> u64 {
        self.account.configurations
    }

    /// Visits about `work` entries.
    pub fn run(&mut self, work: u64) -> Progress {
        match self.advance(work) {
            Ok(progress) => progress,
            Err(StepError(message)) => Progress::GaveUp(Cause::Broken(message)),
        }
    }

    fn event(&self, entry: usize) -> Event {
        self.part.events[entry - 1]
    }

    fn advance(&mut self, work: u64) -> Result<Progress, StepError> {
        let more = between_looks(GLANCE, self.part.ops.len());
        for visited in 0..work {
            if self.returned == self.required {
                return Ok(Progress::Yes);
            }
            if visited % more as u64 == 0 {
                if let Some(cause) = self.account.poll(self.bytes(), self.most_linearized) {
                    return Ok(Progress::GaveUp(cause));
                }
                if self.cache.growth(more) > self.account.spare() {
                    return Ok(Progress::GaveUp(Cause::Memory));
                }
            }
            if self.entry != 0 && !self.event(self.entry).is_return() {
                if !self.linearize()? {
                    self.entry = self.next[self.entry] as usize;
                    self.outcome = 0;
                }
                continue;
            }
            // A return: the operation cannot wait any longer, so the last choice was wrong.
            self.most_linearized = self.most_linearized.max(self.returned);
            if self.entry > self.furthest {
                self.furthest = self.entry;
                self.stuck = Some(self.part.ops[self.event(self.entry).op()]);
            }
            let Some(choice) = self.calls.pop() else {
                return Ok(Progress::No);
            };
            self.unlift(choice.entry);
            self.state = choice.before;
            (self.entry, self.outcome) = (choice.entry, choice.outcome + 1);
        }
        Ok(Progress::Running)
    }

    /// Linearizes the call at hand by its next outcome that leads to a new configuration; false if there is none.
    fn linearize(&mut self) -> Result<bool, StepError> {
        let op = self.event(self.entry).op();
        let (word, bit) = (op / 64, 1u64 << (op % 64));
        self.outcomes.clear();
        self.spec.step(self.state, self.part.codes[op], &mut self.outcomes)?;
        let hash = self.hash ^ random_word(op);
        for outcome in self.outcome..self.outcomes.len() {
            let state = self.outcomes[outcome];
            self.linearized[word] |= bit;
            let key = (hash ^ state.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            if self.cache.insert(hashed(key), &self.linearized, state) {
                self.account.configurations += 1;
                self.calls.push(Choice { entry: self.entry, before: self.state, outcome });
                self.lift(self.entry);
                self.state = state;
                self.outcome = 0;
                self.entry = self.next[0] as usize;
                return Ok(true);
            }
            self.linearized[word] &= !bit;
        }
        Ok(false)
    }

    fn lift(&mut self, call: usize) {
        self.unlink(call);
        if self.matching[call] != 0 {
            self.unlink(self.matching[call] as usize);
            self.returned += 1;
        }
        self.hash ^= random_word(self.event(call).op());
    }

    fn unlift(&mut self, call: usize) {
        let op = self.event(call).op();
        self.hash ^= random_word(op);
        self.linearized[op / 64] &= !(1 << (op % 64));
        if self.matching[call] != 0 {
            self.relink(self.matching[call] as usize);
            self.returned -= 1;
        }
        self.relink(call);
    }

    fn unlink(&mut self, entry: usize) {
        let (next, prev) = (self.next[entry], self.prev[entry]);
        self.next[prev as usize] = next;
        self.prev[next as usize] = prev; // the list is a ring through the head
    }

    fn relink(&mut self, entry: usize) {
        let (next, prev) = (self.next[entry], self.prev[entry]);
        self.next[prev as usize] = entry as u32;
        self.prev[next as usize] = entry as u32;
    }

    fn bytes(&self) -> usize {
        let lists = self.next.capacity() + self.prev.capacity() + self.matching.capacity();
        self.cache.bytes()
            + lists * 4
            + self.linearized.capacity() * 8
            + self.calls.capacity() * size_of::<Choice>()
            + self.spec.bytes()
    }

    fn order(&self) -> Vec<u32> {
        self.calls.iter().map(|choice| self.part.ops[self.event(choice.entry).op()]).collect()
    }

    /// The order that explains everything; after `Yes`.
    pub fn witness(&self) -> Vec<u32> {
        self.order()
    }

    /// The furthest return it could not pass. The order that led there is not kept: it would cost O(n) per step.
    pub fn stuck(&self) -> Stuck {
        let before = &self.part.events[..self.furthest.saturating_sub(1)];
        let explained = before.iter().filter(|event| event.is_return()).count();
        Stuck { operation: self.stuck, explained, ..Stuck::default() }
    }
}

/// A word for operation `op` that looks random: a multiplication mixes upwards, the shift downwards.
fn random_word(op: usize) -> u64 {
    let word = (op as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (word ^ word >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What depends on it is how often two sets of operations collide: the words of two pairs differ, and no bit says more than another.
    #[test]
    fn words_look_random() {
        let words: Vec<u64> = (0..400).map(random_word).collect();
        let pairs = (0..400).flat_map(|a| (0..a).map(move |b| (a, b)));
        let distinct: BTreeSet<u64> = pairs.map(|(a, b)| words[a] ^ words[b]).collect();
        assert_eq!(distinct.len(), 400 * 399 / 2);
        for bit in 0..64 {
            let set = words.iter().filter(|&&word| word >> bit & 1 == 1).count();
            assert!((150..250).contains(&set), "bit {bit}: {set}");
        }
    }
}
