//! Who sees which version, and can the versions be put in a row? Gibbons & Korach's zones, kept up to date while readers move.
//!
//! A *block* is a version that no CAS made, the chain of CAS that starts from it, and all readers of their versions (see `chains`).
//! Two blocks are in conflict when each returned before the other's last call. A block has a *fault* where a level comes too early,
//! or a version has two heirs: a CAS ends the version that it sees, so one version has one CAS at most.
//!
//! Conflicts are local: only blocks whose zones overlap can be in conflict. So every block stands in the list of each stretch of
//! ranks that its zone touches, and those are all that a moved reader has to look at.

use super::sources::Sources;
use crate::monitor::{NEVER, NONE};

/// So many ranks share a list.
const STRETCH: u32 = 32;

/// When a block is in force, and what is wrong within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    pub first: u32,
    pub last: u32,
    /// Operations that come too early, and heirs too many.
    pub faults: u32,
    /// Is it the version of a pending CAS that was seen, but not yet what this CAS saw?
    pub unsourced: bool,
}

impl Zone {
    const NOWHERE: Zone = Zone { first: NEVER, last: 0, faults: 0, unsourced: false };

    /// May it be in conflict with any other?
    fn is_anywhere(self) -> bool {
        self.first != NEVER
    }

    fn conflicts(self, other: Zone) -> bool {
        self.first < other.last && other.first < self.last
    }

    /// How long it is in force.
    pub fn length(self) -> u64 {
        u64::from(self.last.saturating_sub(self.first))
    }

    fn stretches(self) -> std::ops::RangeInclusive<u32> {
        self.first.min(self.last) / STRETCH..=self.first.max(self.last) / STRETCH
    }
}

/// A reader that moved, and the version that it saw before.
pub(super) type Moved = (u32, u32);

/// The readers of every version, and the zones of the blocks.
pub(super) struct Blocks<'s> {
    pub sources: &'s Sources,
    /// The version that each operation sees, if that is decided.
    pub source: Vec<u32>,
    /// The reads of each version, and the CAS that see it.
    pub reads: Vec<Vec<u32>>,
    pub heirs: Vec<Vec<u32>>,
    /// By the version that a block begins with.
    zones: Vec<Zone>,
    stretches: Vec<Vec<u32>>,
    /// Zones compared and operations looked at.
    pub work: u64,
    /// Versions yet to be visited; kept to save allocations.
    rest: Vec<u32>,
}

impl<'s> Blocks<'s> {
    /// Nobody sees anything yet; `ranks` is above all ranks.
    pub fn new(sources: &'s Sources, ranks: usize) -> Self {
        let (ops, versions) = (sources.call.len(), sources.writer.len());
        let mut blocks = Blocks {
            sources,
            source: vec![NONE; ops],
            reads: vec![Vec::new(); versions],
            heirs: vec![Vec::new(); versions],
            zones: vec![Zone::NOWHERE; versions],
            stretches: vec![Vec::new(); ranks / STRETCH as usize + 1],
            work: 0,
            rest: Vec::new(),
        };
        (0..versions as u32).for_each(|version| blocks.enter(version));
        blocks
    }

    pub fn bytes(&self) -> usize {
        self.source.len() * 4 + self.reads.len() * (2 * size_of::<Vec<u32>>() + size_of::<Zone>() + 40)
    }

    pub fn zone(&self, root: u32) -> Zone {
        self.zones[root as usize]
    }

    /// The version that the block of this version begins with.
    pub fn root(&self, mut version: u32) -> u32 {
        loop {
            match self.sources.writer_of(version).map(|op| self.source[op as usize]) {
                Some(source) if source != NONE => version = source,
                _ => return version,
            }
        }
    }

    /// Is this version seen by nobody, though its writer never returned? Then it need not have been.
    pub fn is_idle(&self, version: u32) -> bool {
        self.sources.done(version) == NEVER
            && self.reads[version as usize].is_empty()
            && self.heirs[version as usize].is_empty()
    }

    /// Would `op`, if it saw `version`, have made what this version comes from?
    pub fn comes_from(&self, version: u32, op: u32) -> bool {
        let made = self.sources.makes[op as usize];
        let mut at = version;
        loop {
            if at == made {
                return true;
            }
            match self.sources.writer_of(at).map(|op| self.source[op as usize]) {
                Some(source) if source != NONE => at = source,
                _ => return false,
            }
        }
    }

    /// From now on `op`, which saw nothing, sees `version`, which does not come from it.
    pub fn attach(&mut self, op: u32, version: u32) {
        let (root, made) = (self.root(version), self.sources.makes[op as usize]);
        self.leave(root);
        if made == NONE {
            self.reads[version as usize].push(op);
        } else {
            self.leave(made);
            self.heirs[version as usize].push(op);
        }
        self.source[op as usize] = version;
        self.enter(root);
    }

    /// From now on `op` sees nothing. Neither does a pending CAS whose version nobody else saw, and so on; all are noted.
    pub fn detach(&mut self, op: u32, moved: &mut Vec<Moved>) {
        let mut idle = Some(op);
        while let Some(op) = idle.take().filter(|&op| self.source[op as usize] != NONE) {
            let (version, made) = (self.source[op as usize], self.sources.makes[op as usize]);
            moved.push((op, version));
            let root = self.root(version);
            self.leave(root);
            self.source[op as usize] = NONE;
            if made == NONE {
                self.reads[version as usize].retain(|&other| other != op);
            } else {
                self.heirs[version as usize].retain(|&other| other != op);
                self.enter(made);
            }
            self.enter(root);
            idle = self.sources.writer_of(version).filter(|_| self.is_idle(version));
        }
    }

    /// Undoes [`Blocks::detach`], after which nobody moved.
    pub fn put_back(&mut self, moved: &[Moved]) {
        moved.iter().rev().for_each(|&(op, version)| self.attach(op, version));
    }

    /// Faults within a block, and blocks in conflict with it.
    pub fn trouble(&mut self, root: u32) -> u32 {
        let zone = self.zones[root as usize];
        zone.faults + u32::from(zone.unsourced) + self.rivals(root, |_| {})
    }

    /// How many blocks are in conflict with this one; each is shown to `meet`.
    pub fn rivals(&mut self, root: u32, mut meet: impl FnMut(u32)) -> u32 {
        let zone = self.zones[root as usize];
        let mut count = 0;
        if !zone.is_anywhere() {
            return 0;
        }
        for stretch in zone.stretches() {
            let near = &self.stretches[stretch as usize];
            self.work += near.len() as u64;
            for &other in near {
                let rival = self.zones[other as usize];
                if zone.conflicts(rival) && other != root {
                    let shared = *zone.stretches().start().max(rival.stretches().start());
                    if shared == stretch {
                        count += 1;
                        meet(other);
                    }
                }
            }
        }
        count
    }

    /// Every operation of a block.
    pub fn members(&self, root: u32) -> Vec<u32> {
        let (mut members, mut rest) = (Vec::new(), vec![root]);
        while let Some(version) = rest.pop() {
            members.extend(self.sources.writer_of(version));
            members.extend_from_slice(&self.reads[version as usize]);
            rest.extend(self.heirs[version as usize].iter().map(|&heir| self.sources.makes[heir as usize]));
        }
        members
    }

    /// The operations that show from when to when a block is in force, and the chain of CAS that joins them.
    pub fn bounds(&self, root: u32) -> Vec<u32> {
        let zone = self.zones[root as usize];
        let tells = |&op: &u32| {
            let (call, ret) = (self.sources.call[op as usize], self.sources.ret[op as usize]);
            zone.faults > 0 || ret == zone.first || call == zone.last || self.sources.makes[op as usize] != NONE
        };
        self.members(root).into_iter().filter(tells).collect()
    }

    fn enter(&mut self, root: u32) {
        let zone = self.survey(root);
        self.zones[root as usize] = zone;
        if zone.is_anywhere() {
            self.work += 4;
            zone.stretches().for_each(|stretch| self.stretches[stretch as usize].push(root));
        }
    }

    fn leave(&mut self, root: u32) {
        let zone = std::mem::replace(&mut self.zones[root as usize], Zone::NOWHERE);
        if zone.is_anywhere() {
            for stretch in zone.stretches() {
                let near = &mut self.stretches[stretch as usize];
                if let Some(place) = near.iter().position(|&other| other == root) {
                    near.swap_remove(place);
                }
            }
        }
    }

    /// The zone of a block, level by level: a writer, its reads, the CAS that sees it, the reads of that …
    fn survey(&mut self, root: u32) -> Zone {
        if self.is_idle(root) {
            return Zone::NOWHERE;
        }
        let (call, ret) = (&self.sources.call, &self.sources.ret);
        let mut zone = Zone::NOWHERE;
        if root == 0 {
            zone.first = 0;
        }
        let saw = |op: u32| self.sources.sees[op as usize] != NONE;
        zone.unsourced = self.sources.writer_of(root).is_some_and(saw);
        self.rest.clear();
        self.rest.push(root);
        while let Some(version) = self.rest.pop() {
            let (reads, heirs) = (&self.reads[version as usize], &self.heirs[version as usize]);
            let writer = self.sources.writer_of(version);
            self.work += 2 + reads.len() as u64;
            for level in [writer.as_slice(), reads] {
                let before = zone.last;
                for &op in level {
                    zone.faults += u32::from(ret[op as usize] < before);
                    zone.first = zone.first.min(ret[op as usize]);
                    zone.last = zone.last.max(call[op as usize]);
                }
            }
            zone.faults += heirs.len().saturating_sub(1) as u32;
            self.rest.extend(heirs.iter().map(|&heir| self.sources.makes[heir as usize]));
        }
        zone
    }
}
