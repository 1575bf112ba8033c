//! Which writes can a read have seen? The versions of a register, and for each operation that sees one its candidates.
//!
//! Every operation that leaves a value behind makes a *version*; version 0 is held at first. An operation that saw the
//! value v may have seen each version of v that began by its return and was not surely overwritten before its call:
//!
//! ```text
//!   write 1   |--|                        overwritten for sure when write 2 has returned
//!   write 2          |--|                 (called after write 1 returned)
//!   write 1                  |------|
//!   read → 1              |------|        one candidate: the second write of 1
//! ```
//!
//! A write is surely overwritten at the first return among the writes called after its own return: the later it returned, the later that is.
//! So the candidates of a read are found from one place in the list of a value's versions, sorted by their returns.
//! O(n log n + candidates).

use crate::monitor::{Decided, Meter, NEVER, NONE, Numbering, declined, ranks};
use linpoint_spec::{Part, Role};

/// The writer of version 0.
pub(super) const HELD_FIRST: u32 = NONE;

/// What an operation avoids that may see every value: none has this number.
const ANY: u32 = NONE - 1;

/// More candidates than this for each operation, on average, are not looked through.
const MANY: usize = 64;

/// What the operations of a register saw and made, as versions.
pub(super) struct Sources {
    /// Ranks of calls and returns; 0 is before all of them.
    pub call: Vec<u32>,
    pub ret: Vec<u32>,
    /// The value that each operation saw, if it tells, and has to be explained if it takes effect.
    pub sees: Vec<u32>,
    /// The value that each failed CAS did not see.
    pub avoids: Vec<u32>,
    /// The version that each operation makes.
    pub makes: Vec<u32>,
    /// The operation that makes each version, and the value it has.
    pub writer: Vec<u32>,
    pub value: Vec<u32>,
    /// The candidates of operation i: `candidates[from[i]..from[i + 1]]`.
    candidates: Vec<u32>,
    from: Vec<u32>,
    /// The versions of each value, by returns; the values of `spans` are where each begins.
    by_value: Vec<u32>,
    spans: Vec<u32>,
    /// From each rank on: the first return of a write called there or later.
    overwritten: Vec<u32>,
}

impl Sources {
    pub fn of(part: &Part, meter: &mut Meter<'_>) -> Decided<Sources> {
        let &[held_first] = &part.spec.contents()[..] else { return Err(declined("it does not hold one value")) };
        let n = part.ops.len();
        meter.hold(n * 40)?;
        let (call, ret) = ranks(part, 1);
        let roles: Vec<Role> = part.codes.iter().map(|&code| part.spec.role(code)).collect();
        let largest = roles.iter().fold(held_first, |largest, role| match *role {
            Role::Read(value) | Role::ReadNot(value) | Role::Write(value) => largest.max(value),
            Role::Change(from, to) | Role::ChangeIf(from, to) => largest.max(from).max(to),
            _ => largest,
        });
        let mut number = Numbering::new(n, largest);
        meter.hold(number.bytes())?;
        let mut sources = Sources {
            sees: vec![NONE; n],
            avoids: vec![NONE; n],
            makes: vec![NONE; n],
            writer: vec![HELD_FIRST],
            value: vec![number.of(held_first)],
            candidates: Vec::new(),
            from: vec![0],
            by_value: Vec::new(),
            spans: Vec::new(),
            overwritten: vec![NEVER; part.events.len() + 3],
            call,
            ret,
        };
        for (op, &role) in roles.iter().enumerate() {
            meter.tick()?;
            let pending = sources.ret[op] == NEVER;
            let made = match role {
                Role::Read(value) if !pending => {
                    sources.sees[op] = number.of(value);
                    continue;
                }
                Role::ReadNot(value) if !pending => {
                    sources.avoids[op] = number.of(value);
                    continue;
                }
                Role::Nothing if !pending => {
                    sources.avoids[op] = ANY;
                    continue;
                }
                Role::Read(_) | Role::ReadNot(_) | Role::Nothing => continue,
                Role::Write(value) => value,
                Role::Change(from, to) => {
                    sources.sees[op] = number.of(from);
                    to
                }
                Role::ChangeIf(from, to) if pending => {
                    sources.sees[op] = number.of(from);
                    to
                }
                _ => return Err(declined("it has an operation that does not tell what it saw or left")),
            };
            sources.makes[op] = sources.writer.len() as u32;
            sources.writer.push(op as u32);
            sources.value.push(number.of(made));
        }
        sources.sort_versions(number.len());
        meter.hold(sources.bytes())?;
        sources.find_candidates(meter)?;
        Ok(sources)
    }

    /// The call of the operation that makes a version; 0 for what is held at first.
    pub fn began(&self, version: u32) -> u32 {
        self.writer_of(version).map_or(0, |op| self.call[op as usize])
    }

    /// Its return; 0 for what is held at first.
    pub fn done(&self, version: u32) -> u32 {
        self.writer_of(version).map_or(0, |op| self.ret[op as usize])
    }

    pub fn writer_of(&self, version: u32) -> Option<u32> {
        Some(self.writer[version as usize]).filter(|&op| op != HELD_FIRST)
    }

    pub fn candidates(&self, op: u32) -> &[u32] {
        &self.candidates[self.from[op as usize] as usize..self.from[op as usize + 1] as usize]
    }

    /// How many candidates there are before those of this operation.
    pub fn first_candidate(&self, op: u32) -> usize {
        self.from[op as usize] as usize
    }

    /// How many values there are.
    pub fn values(&self) -> usize {
        self.spans.len() - 1
    }

    /// Versions of a value, by their returns.
    pub fn versions(&self, value: u32) -> &[u32] {
        let spans = &self.spans[value as usize..];
        &self.by_value[spans[0] as usize..spans[1] as usize]
    }

    /// Was this version surely overwritten before this rank?
    pub fn is_over(&self, version: u32, rank: u32) -> bool {
        let done = self.done(version);
        done != NEVER && self.overwritten[done as usize + 1] < rank
    }

    /// The versions other than those of `value` that an operation may have seen: see [`Sources::candidates`].
    pub fn others(&self, value: u32, op: u32) -> Vec<u32> {
        let (call, ret) = (self.call[op as usize], self.ret[op as usize]);
        let fits = |&version: &u32| {
            self.value[version as usize] != value && self.began(version) < ret && !self.is_over(version, call)
        };
        (0..self.writer.len() as u32).filter(fits).collect()
    }

    fn bytes(&self) -> usize {
        4 * (self.writer.len() * 4 + self.overwritten.len() + self.candidates.len())
    }

    fn sort_versions(&mut self, values: usize) {
        for version in 1..self.writer.len() as u32 {
            let (began, done) = (self.began(version) as usize, self.done(version));
            self.overwritten[began] = self.overwritten[began].min(done);
        }
        for rank in (1..self.overwritten.len()).rev() {
            self.overwritten[rank - 1] = self.overwritten[rank - 1].min(self.overwritten[rank]);
        }
        let mut by_value: Vec<u32> = (0..self.writer.len() as u32).collect();
        by_value.sort_by_key(|&version| (self.value[version as usize], self.done(version)));
        self.spans = vec![0; values + 1];
        by_value.iter().for_each(|&version| self.spans[self.value[version as usize] as usize + 1] += 1);
        for value in 0..values {
            self.spans[value + 1] += self.spans[value];
        }
        self.by_value = by_value;
    }

    fn find_candidates(&mut self, meter: &mut Meter<'_>) -> Decided<()> {
        // By place in `by_value`: the first call among this version and those of the same value that returned later.
        let mut first_call = vec![NEVER; self.by_value.len() + 1];
        for value in 0..self.spans.len() - 1 {
            let mut first = NEVER;
            for place in (self.spans[value] as usize..self.spans[value + 1] as usize).rev() {
                first = first.min(self.began(self.by_value[place]));
                first_call[place] = first;
            }
        }
        let n = self.sees.len();
        for op in 0..n as u32 {
            meter.tick()?;
            let value = self.sees[op as usize];
            if value != NONE {
                let (call, ret) = (self.call[op as usize], self.ret[op as usize]);
                let start = self.spans[value as usize] as usize;
                let versions = self.versions(value);
                let over = versions.partition_point(|&version| self.is_over(version, call));
                let mut found = Vec::new();
                for (place, &version) in versions.iter().enumerate().skip(over) {
                    if first_call[start + place] >= ret {
                        break;
                    }
                    if self.began(version) < ret && self.makes[op as usize] != version {
                        found.push(version);
                    }
                }
                self.candidates.extend(found);
            }
            self.from.push(self.candidates.len() as u32);
            if self.candidates.len() > MANY * n + 1000 {
                return Err(declined("too many writes may have left the values that were seen"));
            }
        }
        Ok(())
    }
}
