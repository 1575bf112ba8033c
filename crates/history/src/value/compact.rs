//! Which values are still needed? A stream that never ends names new values for ever; most of them are never named again.
//!
//! The table is rebuilt with the values that somebody still refers to, and their parts. The parts of a value have smaller ids than it,
//! so two passes over the ids, one down to mark and one up to copy, need no recursion. O(table).

use super::{Value, ValueId, Values};

/// The new names of the values that were kept.
pub struct Renamed(Vec<ValueId>);

impl Renamed {
    /// The new id of a value that was kept; ABSENT stays what it is.
    pub fn rename(&self, id: &mut ValueId) {
        if *id != ValueId::ABSENT {
            *id = self.0[id.index()];
        }
    }
}

impl Values {
    /// Forgets all values but these, their parts, and null, false and true.
    pub fn keep_only(&mut self, kept: impl Iterator<Item = ValueId>) -> Renamed {
        let mut marked = vec![false; self.items.len()];
        for id in kept.filter(|&id| id != ValueId::ABSENT) {
            marked[id.index()] = true;
        }
        marked[..3].fill(true);
        for id in (0..self.items.len()).rev() {
            if !marked[id] {
                continue;
            }
            match &self.items[id] {
                Value::List(parts) => parts.iter().for_each(|part| marked[part.index()] = true),
                Value::Map(entries) => entries.iter().for_each(|(key, value)| {
                    marked[key.index()] = true;
                    marked[value.index()] = true;
                }),
                _ => {}
            }
        }
        let old = std::mem::take(self);
        let mut names = vec![ValueId::ABSENT; old.items.len()];
        for (id, value) in old.items.into_iter().enumerate().filter(|(id, _)| marked[*id]) {
            names[id] = match value {
                Value::Int(number) => self.int(number),
                Value::List(parts) => {
                    let parts: Vec<ValueId> = parts.iter().map(|part| names[part.index()]).collect();
                    self.list(&parts)
                }
                Value::Map(entries) => {
                    let renamed = entries.iter().map(|(key, value)| (names[key.index()], names[value.index()]));
                    self.intern(Value::Map(renamed.collect()))
                }
                other => self.intern(other),
            };
        }
        Renamed(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_stays_equal_and_the_rest_is_gone() {
        let mut values = Values::new();
        let gone = values.text("gone");
        let (one, two) = (values.int(1), values.text("two"));
        let mut list = values.list(&[two, one]);
        let mut map = values.map(&[(two, list)]).expect("one key");
        let shown = (values.show(list), values.show(map));
        let before = values.len();
        let renamed = values.keep_only([list, map, ValueId::ABSENT].into_iter());
        renamed.rename(&mut list);
        renamed.rename(&mut map);
        assert_eq!((values.show(list), values.show(map)), shown);
        assert_eq!(values.len(), before - 1);
        assert_eq!(values.find(&Value::Text("gone".into())), None);
        let (mut absent, mut null) = (ValueId::ABSENT, ValueId::NULL);
        renamed.rename(&mut absent);
        renamed.rename(&mut null);
        assert_eq!((absent, null), (ValueId::ABSENT, ValueId::NULL));
        let (one, two) = (values.int(1), values.text("two"));
        assert_eq!(values.list(&[two, one]), list, "equal values have one id");
        assert!(gone.index() < before);
    }
}
