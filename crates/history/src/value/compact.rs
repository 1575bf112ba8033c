//! Which values are still needed? A stream that never ends names new values for ever; most of them are never named again.
//!
//! The table is rebuilt with the values that somebody still refers to, and their parts. The parts of a value have smaller ids than it,
//! so two passes over the ids, one down to mark and one up to copy, need no recursion. O(table). In the same way one table takes over the
//! values of another, whose pieces of the file were read by another thread.

use super::{Value, ValueId, Values, spread};

/// A table that was rebuilt has room for as many values as before, or else it would double soon; but for a crowd only so many, and twice what is kept.
const MOST_AGAIN: usize = 1 << 15;

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
        let most = MOST_AGAIN + 2 * marked.iter().filter(|&&marked| marked).count();
        self.items.reserve_exact((old.items.len() + old.items.len() / 8).min(most));
        let mut names = vec![ValueId::ABSENT; old.items.len()];
        for (id, value) in old.items.into_iter().enumerate().filter(|(id, _)| marked[*id]) {
            names[id] = match value {
                Value::Text(_) => self.intern(value), // not copied
                other => self.adopt(&other, &names),
            };
        }
        Renamed(names)
    }

    /// Takes over all values of another table, in its order; `names` is filled with the ids they have here.
    pub(crate) fn adopt_all(&mut self, others: &Values, names: &mut Vec<ValueId>) {
        names.clear();
        for value in &others.items {
            let name = self.adopt(value, names);
            names.push(name);
        }
    }

    /// The id of a value of another table; `names` has the ids that its parts have here.
    fn adopt(&mut self, value: &Value, names: &[ValueId]) -> ValueId {
        match value {
            Value::Int(number) => self.int(*number),
            Value::Text(text) => self.text(text),
            Value::List(parts) => {
                let parts: Vec<ValueId> = parts.iter().map(|part| names[part.index()]).collect();
                self.list(&parts)
            }
            Value::Map(entries) => {
                let renamed = entries.iter().map(|(key, value)| (names[key.index()], names[value.index()]));
                self.intern(Value::Map(renamed.collect()))
            }
            other => self.intern(other.clone()),
        }
    }

    /// Forgets all values but null, false and true, and keeps the room that they took.
    pub(crate) fn clear(&mut self) {
        self.items.truncate(3);
        self.heap = 0;
        self.dense.clear();
        self.index.clear();
        for id in 0..3 {
            let hash = self.hash_of(&self.items[id]);
            self.index.insert_unique(spread(hash), (hash, id as u32), |entry| spread(entry.0));
        }
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

    #[test]
    fn a_table_that_is_rebuilt_does_not_double_to_hold_as_much_as_before_unless_that_was_a_crowd() {
        let mut values = Values::new();
        (0..40_000).for_each(|number| _ = values.float(f64::from(number) + 0.5));
        let kept =
            |values: &Values| (0..20_000).map(ValueId).filter(|id| id.index() < values.len()).collect::<Vec<_>>();
        values.keep_only(kept(&values).into_iter());
        let room = values.items.capacity();
        (0..22_000).for_each(|number| _ = values.float(f64::from(number) - 30_000.5));
        assert_eq!((values.len(), values.items.capacity()), (42_000, room));
        (0..300_000).for_each(|number| _ = values.float(f64::from(number) + 0.25));
        values.keep_only(kept(&values).into_iter());
        assert!(values.items.capacity() < 80_000, "{}", values.items.capacity());
    }

    #[test]
    fn a_table_takes_over_another_and_the_other_begins_anew() {
        let (mut all, mut piece, mut names) = (Values::new(), Values::new(), Vec::new());
        let written =
            [r#"[1,{"b":2.5,"a":[true,"x"]}]"#, r##"{"#map":[[1,2],[[],"x"]]}"##, "123456789012345678901", "7"];
        for text in written.iter().chain(&written[2..]) {
            piece.clear();
            assert_eq!(piece.len(), 3);
            piece.text("only here"); // so the ids differ
            let id = crate::read::value(text, &mut piece).unwrap();
            all.adopt_all(&piece, &mut names);
            assert_eq!(all.show(names[id.index()]), piece.show(id));
            assert_eq!(crate::read::value(text, &mut all).unwrap(), names[id.index()]);
            for (small, other) in [ValueId::NULL, ValueId::FALSE, ValueId::TRUE].into_iter().zip(&names) {
                assert_eq!(small, *other);
            }
        }
        piece.clear();
        for number in 0..1_000 {
            piece.int(number);
        }
        let room = piece.bytes();
        piece.clear();
        assert_eq!((piece.find(&Value::Int(7)), piece.find(&Value::Bool(true))), (None, Some(ValueId::TRUE)));
        assert_eq!((piece.int(7), piece.bytes()), (ValueId(3), room));
    }
}
