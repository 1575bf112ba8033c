//! Which values are equal? Each distinct value of a history gets one small integer.
//!
//! Values are what JSON and EDN have in common. Numbers compare by value: `1.0` is stored as
//! `1`, an integer beyond 64 bits keeps all its digits, so no two values are ever confused.
//! Maps compare by value too: their entries are kept sorted by key, whatever the source's order.
//! EDN keywords, symbols and characters become text, as in Jepsen's own JSON export.
//!
//! A value that is known already is found without an allocation: one hash, one comparison.
//! The parts of a value are interned before it, so their ids are smaller.
//!
//! Whoever writes the file chooses the values, so the hash has a random seed per table: no file can be prepared whose values collide.
//! Ids are given in the order of the source; nothing that is ever reported depends on the seed.

mod compact;
mod compare;
mod dense;

pub use compact::Renamed;

use dense::Dense;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};

/// The name of an interned value; equal ids mean equal values within one [`Values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

impl ValueId {
    /// `null`, always interned.
    pub const NULL: ValueId = ValueId(0);
    /// `false`, always interned.
    pub const FALSE: ValueId = ValueId(1);
    /// `true`, always interned.
    pub const TRUE: ValueId = ValueId(2);
    /// "No value at all", as opposed to null: an operation without a key.
    pub const ABSENT: ValueId = ValueId(u32::MAX);

    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One value, its parts interned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// JSON null, EDN nil.
    Null,
    /// true or false.
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer that does not: its decimal digits, without leading zeros.
    Big(Box<str>),
    /// A number with a fraction: the bits of the f64. (NaN and infinities are no values.)
    Float(u64),
    /// Text, also EDN keywords (without the colon), symbols and characters.
    Text(Box<str>),
    /// A list, vector or set.
    List(Box<[ValueId]>),
    /// A map; its entries sorted by key ([`Values::compare`]), so that equal maps are equal.
    Map(Box<[(ValueId, ValueId)]>),
}

impl Value {
    /// Bytes that it holds elsewhere.
    fn heap(&self) -> usize {
        const BOOKKEEPING: usize = 16; // the allocator's own
        match self {
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
            Value::Big(digits) => digits.len() + BOOKKEEPING,
            Value::Text(text) => text.len() + BOOKKEEPING,
            Value::List(parts) => size_of_val(&**parts) + BOOKKEEPING,
            Value::Map(entries) => size_of_val(&**entries) + BOOKKEEPING,
        }
    }
}

/// The table of all distinct values of a history.
#[derive(Clone, Debug)]
pub struct Values {
    items: Vec<Value>,
    /// Hash and id of every item but the numbers in `dense`. With the hash beside it, growing the table and passing over a stranger
    /// touch no item, which would be a cache miss each.
    index: HashTable<(u32, u32)>,
    /// The hash and its seed.
    seed: DefaultHashBuilder,
    /// Bytes that texts, lists and maps hold beside their items.
    heap: usize,
    /// The ids of small whole numbers, for histories are full of them.
    dense: Dense,
}

impl Default for Values {
    fn default() -> Self {
        let seed = DefaultHashBuilder::default();
        let (items, index, dense) = (Vec::new(), HashTable::new(), Dense::default());
        let mut values = Values { items, index, seed, heap: 0, dense };
        values.intern(Value::Null);
        values.intern(Value::Bool(false));
        values.intern(Value::Bool(true));
        values
    }
}

/// The hash as the table wants it: 64 bits wide, all of them used.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A value that is not built yet: an example of its kind and its content. Hashes as the value would.
struct Borrowed<'a, T: Hash + ?Sized>(Value, &'a T);

impl<T: Hash + ?Sized> Hash for Borrowed<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.0).hash(state);
        self.1.hash(state);
    }
}

impl Values {
    /// A table that holds null, false and true.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many distinct values there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Bytes that the table holds.
    pub fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<Value>() + self.index.allocation_size() + self.heap + self.dense.bytes()
    }

    /// Never true: null, false and true are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The value behind an id.
    pub fn get(&self, id: ValueId) -> &Value {
        &self.items[id.index()]
    }

    /// The id of a value, new or known. A map is sorted first, and of entries with one key the last counts.
    pub fn intern(&mut self, value: Value) -> ValueId {
        let value = match value {
            Value::Map(entries) => Value::Map(self.sorted(entries)),
            Value::Int(number) => return self.int(number),
            other => other,
        };
        self.hashed(value)
    }

    /// The id of a value that is looked up by its hash.
    fn hashed(&mut self, value: Value) -> ValueId {
        let hash = self.hash_of(&value);
        if let Some(id) = self.lookup(hash, |known| *known == value) {
            return id;
        }
        let id = self.push(value);
        self.index.insert_unique(spread(hash), (hash, id.0), |entry| spread(entry.0));
        id
    }

    /// A new id for a value that is not known.
    fn push(&mut self, value: Value) -> ValueId {
        let id = u32::try_from(self.items.len()).expect("fewer than 2^32 distinct values");
        self.heap += value.heap();
        self.items.push(value);
        ValueId(id)
    }

    /// The id of a value if it is known.
    pub fn find(&self, value: &Value) -> Option<ValueId> {
        if let Value::Int(number) = value
            && let Some(id) = self.dense.at(*number)
        {
            return (id != ValueId::ABSENT).then_some(id);
        }
        self.lookup(self.hash_of(value), |known| known == value)
    }

    fn hash_of(&self, value: &impl Hash) -> u32 {
        let hash = self.seed.hash_one(value);
        (hash ^ hash >> 32) as u32
    }

    fn lookup(&self, hash: u32, same: impl Fn(&Value) -> bool) -> Option<ValueId> {
        let found = self.index.find(spread(hash), |entry| entry.0 == hash && same(&self.items[entry.1 as usize]));
        found.map(|entry| ValueId(entry.1))
    }

    /// Interns a bool without a look-up.
    pub fn bool(&self, truth: bool) -> ValueId {
        if truth { ValueId::TRUE } else { ValueId::FALSE }
    }

    /// Interns an integer.
    #[inline]
    pub fn int(&mut self, number: i64) -> ValueId {
        match self.dense.at(number) {
            Some(ValueId::ABSENT) => self.new_dense(number),
            Some(known) => known,
            None if self.dense.wants(number) => {
                self.dense.grow(number, &self.items);
                self.int(number)
            }
            None => self.hashed(Value::Int(number)),
        }
    }

    /// A new id for a number within the table of small ones.
    fn new_dense(&mut self, number: i64) -> ValueId {
        let id = self.push(Value::Int(number));
        self.dense.set(number, id);
        id
    }

    /// Interns a text.
    pub fn text(&mut self, text: &str) -> ValueId {
        self.find_text(text).unwrap_or_else(|| self.intern(Value::Text(text.into())))
    }

    /// The id of a text if it is known.
    pub fn find_text(&self, text: &str) -> Option<ValueId> {
        let hash = self.hash_of(&Borrowed(Value::Text(Box::default()), text));
        self.lookup(hash, |known| matches!(known, Value::Text(known) if **known == *text))
    }

    /// Interns a finite number; an integral one is stored as the integer it equals.
    pub fn float(&mut self, number: f64) -> ValueId {
        const LIMIT: f64 = 9_223_372_036_854_775_808.0; // 2^63: below it every integral f64 is an i64
        assert!(number.is_finite(), "NaN and infinities are refused before they come here");
        if number.fract() != 0.0 {
            return self.intern(Value::Float(number.to_bits()));
        }
        if number.abs() < LIMIT { self.int(number as i64) } else { self.integer(&format!("{number:.0}")) }
    }

    /// Interns an integer given by its digits (with an optional sign); leading zeros do not count.
    pub fn integer(&mut self, digits: &str) -> ValueId {
        if let Ok(small) = digits.parse::<i64>() {
            return self.int(small);
        }
        let (sign, digits) = match digits.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", digits.strip_prefix('+').unwrap_or(digits)),
        };
        let digits = digits.trim_start_matches('0');
        match format!("{sign}{digits}").parse::<i64>() {
            Ok(small) => self.int(small),
            Err(_) if digits.is_empty() => self.int(0),
            Err(_) => self.intern(Value::Big(format!("{sign}{digits}").into())),
        }
    }

    /// Interns a list of interned parts.
    pub fn list(&mut self, parts: &[ValueId]) -> ValueId {
        let hash = self.hash_of(&Borrowed(Value::List(Box::default()), parts));
        let same = |known: &Value| matches!(known, Value::List(known) if **known == *parts);
        self.lookup(hash, same).unwrap_or_else(|| self.intern(Value::List(parts.into())))
    }

    /// Interns a map of interned parts; refuses, by name, a key that stands twice.
    pub fn map(&mut self, entries: &[(ValueId, ValueId)]) -> Result<ValueId, ValueId> {
        let sorted = self.sorted(entries.into());
        if sorted.len() < entries.len() {
            let mut keys: Vec<ValueId> = entries.iter().map(|e| e.0).collect();
            keys.sort_unstable();
            let twice = keys.windows(2).find(|pair| pair[0] == pair[1]).expect("an entry was dropped");
            return Err(twice[0]);
        }
        Ok(self.intern(Value::Map(sorted)))
    }

    /// The text of a text value.
    pub fn as_text(&self, id: ValueId) -> Option<&str> {
        match self.get(id) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The parts of a list value.
    pub fn as_list(&self, id: ValueId) -> Option<&[ValueId]> {
        match self.get(id) {
            Value::List(parts) => Some(parts),
            _ => None,
        }
    }

    /// The number of a 64-bit integer value.
    pub fn as_int(&self, id: ValueId) -> Option<i64> {
        match self.get(id) {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }
}

impl fmt::Display for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_equal_ids() {
        let mut values = Values::new();
        assert_eq!(values.int(7), values.float(7.0));
        assert_eq!(values.integer("007"), values.int(7));
        assert_eq!(values.float(-0.0), values.int(0));
        assert_eq!(values.text("a"), values.intern(Value::Text("a".into())));
        assert_ne!(values.bool(true), values.int(1));
        assert_ne!(values.text("1"), values.int(1));
        let parts = [values.int(1), values.int(2)];
        assert_eq!(values.list(&parts), values.intern(Value::List(parts.into())));
    }

    #[test]
    fn integral_floats_are_integers_of_any_size() {
        let mut values = Values::new();
        assert_eq!(values.float(9_007_199_254_740_994.0), values.int(9_007_199_254_740_994));
        assert_eq!(values.float(-9_223_372_036_854_775_808.0), values.int(i64::MIN));
        assert_eq!(values.float(1e22), values.integer("10000000000000000000000"));
    }

    #[test]
    fn the_order_of_a_maps_entries_does_not_count() {
        let mut values = Values::new();
        let (b, a) = (values.text("b"), values.text("a"));
        let one = values.map(&[(b, ValueId::NULL), (a, ValueId::TRUE)]).unwrap();
        assert_eq!(values.map(&[(a, ValueId::TRUE), (b, ValueId::NULL)]), Ok(one));
        assert_eq!(values.intern(Value::Map([(b, ValueId::NULL), (a, ValueId::TRUE)].into())), one);
        assert_eq!(values.map(&[(a, b), (b, b), (a, b)]), Err(a));
        assert_eq!(values.show(one), r#"{"a":true,"b":null}"#);
    }

    #[test]
    fn integers_beyond_64_bits_keep_their_digits() {
        let mut values = Values::new();
        let one = values.integer("123456789012345678901234567890");
        let two = values.integer("123456789012345678901234567891");
        assert_ne!(one, two);
        assert_eq!(values.show(one), "123456789012345678901234567890");
        assert_eq!(values.integer("-9223372036854775808"), values.int(i64::MIN));
    }

    #[test]
    fn finding_18_values_chosen_to_collide_have_hashes_of_their_own() {
        // Integers that all had one hash in the table of 7dff88d, where interning them took quadratic time.
        let (k, fold) = (0xF135_7AEA_2E62_A9C5u64, 0x1234_5678u64);
        let inverse = (0..6).fold(k, |x, _| x.wrapping_mul(2u64.wrapping_sub(k.wrapping_mul(x))));
        assert_eq!(k.wrapping_mul(inverse), 1);
        let mut values = Values::new();
        for i in 2..20_002u64 {
            let hash = i << 32 | (i ^ fold);
            let number = hash.rotate_right(26).wrapping_mul(inverse).wrapping_sub(k.wrapping_mul(2));
            values.int(number as i64);
        }
        let mut hashes: Vec<u32> = values.index.iter().map(|entry| entry.0).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert!(hashes.len() > 19_900, "{} hashes of 20,003 values", hashes.len());
    }

    #[test]
    fn every_table_has_a_seed_of_its_own() {
        let hash = |values: &Values| values.hash_of(&Value::Int(1 << 40));
        let hashes: Vec<u32> = (0..8).map(|_| hash(&Values::new())).collect();
        assert!(hashes.iter().any(|&other| other != hashes[0]), "{hashes:?}");
    }
}
