//! Which configurations were seen lately? The cache of `wgl`: exact keys, bounded if asked.
//!
//! Horn & Kroening (2015, §5.1): evicting the least recently used entry bounds the memory and costs only
//! repeated work, never precision. Unbounded it is Lowe's memo. Keys are an n-bit set and a state, compared in full.

use crate::search::mask::{growth, table_growth};
use hashbrown::HashTable;
use linpoint_spec::State;

struct Entry {
    hash: u64,
    linearized: Box<[u64]>,
    state: State,
    newer: u32,
    older: u32,
}

const NONE: u32 = u32::MAX;

/// A set of (linearized operations, state).
pub(crate) struct Cache {
    entries: Vec<Entry>,
    index: HashTable<u32>,
    newest: u32,
    oldest: u32,
    most: usize,
    words: usize,
}

impl Cache {
    /// A cache for sets of `words` words that keeps at most `most` entries.
    pub fn new(words: usize, most: Option<usize>) -> Cache {
        let most = most.map_or(NONE as usize, |most| most.max(1));
        Cache { entries: Vec::new(), index: HashTable::new(), newest: NONE, oldest: NONE, most, words }
    }

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.entries.len() * self.words * 8
            + self.index.allocation_size()
    }

    /// What it takes more when it grows, if `more` configurations may make it grow.
    pub fn growth(&self, more: usize) -> usize {
        let table = table_growth(self.index.len(), self.index.capacity(), self.index.allocation_size(), more);
        growth(&self.entries, more) + table
    }

    /// Notes a configuration; says whether it is new, as far as the cache remembers.
    pub fn insert(&mut self, hash: u64, linearized: &[u64], state: State) -> bool {
        let entries = &self.entries;
        let same = |&id: &u32| {
            let entry = &entries[id as usize];
            entry.hash == hash && entry.state == state && *entry.linearized == *linearized
        };
        if let Some(&id) = self.index.find(hash, same) {
            self.unlink(id);
            self.link_newest(id);
            return false;
        }
        let id = if self.entries.len() < self.most {
            let linearized = linearized.into();
            self.entries.push(Entry { hash, linearized, state, newer: NONE, older: NONE });
            self.entries.len() as u32 - 1
        } else {
            let id = self.oldest;
            self.unlink(id);
            let evicted = self.entries[id as usize].hash;
            self.index.find_entry(evicted, |&other| other == id).expect("every entry is indexed").remove();
            let entry = &mut self.entries[id as usize];
            entry.linearized.copy_from_slice(linearized);
            (entry.hash, entry.state) = (hash, state);
            id
        };
        self.link_newest(id);
        let entries = &self.entries;
        self.index.insert_unique(hash, id, |&id| entries[id as usize].hash);
        true
    }

    fn link_newest(&mut self, id: u32) {
        let newest = self.newest;
        self.entries[id as usize].older = newest;
        self.entries[id as usize].newer = NONE;
        if newest == NONE {
            self.oldest = id;
        } else {
            self.entries[newest as usize].newer = id;
        }
        self.newest = id;
    }

    fn unlink(&mut self, id: u32) {
        let (newer, older) = (self.entries[id as usize].newer, self.entries[id as usize].older);
        match newer {
            NONE => self.newest = older,
            newer => self.entries[newer as usize].older = older,
        }
        match older {
            NONE => self.oldest = newer,
            older => self.entries[older as usize].newer = newer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_goes_first() {
        let mut cache = Cache::new(1, Some(2));
        assert!(cache.insert(1, &[1], 0));
        assert!(cache.insert(1, &[2], 0), "same hash, other key");
        assert!(!cache.insert(1, &[1], 0), "now the newest");
        assert!(cache.insert(3, &[3], 0), "evicts [2]");
        assert!(!cache.insert(1, &[1], 0));
        assert!(cache.insert(1, &[2], 0), "was evicted; evicts [3]");
        assert!(cache.insert(3, &[3], 0));
    }
}
