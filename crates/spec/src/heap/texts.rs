//! Which texts are equal, if they grow by appending?
//!
//! Texts that the history names stay where they are, in its table of values: equal ones have one id there, so none is copied or looked at to
//! number them. A text that a search makes by appending is a *rope*: the text before, and the flat piece that was appended. Its
//! hash (Karp & Rabin 1987) follows from the hashes of both in O(1); equality is then
//! settled by comparing the bytes, from the end, up to where both ropes share a text. So appending
//! to a long text copies nothing, a `get` compares two integers, and a new text costs 32 bytes. A flat text is hashed when a text as long as
//! it is made: of a history whose reads show megabytes, and which a monitor settles, only those that a search meets.
//!
//! The hash is a polynomial at a secret point, modulo the prime 2⁶¹ − 1: texts of length n collide for at most n of 2⁶¹ points.
//! Modulo 2⁶⁴, which costs less, the texts of Thue and Morse collide at every point, and a file could be prepared.

use super::scramble;
use hashbrown::{HashMap, HashTable};
use linpoint_base::{Hashing, hashed, secret};
use linpoint_history::{ValueId, Values};
use std::sync::{Arc, OnceLock};

/// Interned texts.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The texts that the history names; text 0 is the empty one.
    flat: Arc<Flat>,
    ropes: Vec<Text>,
    /// Finds ropes that no flat text equals.
    index: HashTable<u32>,
}

#[derive(Clone, Debug, Default)]
struct Flat {
    /// By number.
    texts: Vec<Named>,
    /// Where the texts with an id are, once all are known.
    values: Arc<Values>,
    numbers: HashMap<ValueId, u32, Hashing>,
    /// Texts that were given without an id, and the length of the longest.
    own: HashMap<Arc<str>, u32, Hashing>,
    longest: usize,
    /// Made by the first append.
    by_length: OnceLock<HashMap<usize, SameLength, Hashing>>,
}

/// A flat text.
#[derive(Clone, Debug)]
struct Named {
    place: Place,
    /// Its hash, and the point to the power of its length.
    hash: OnceLock<(u64, u64)>,
}

#[derive(Clone, Debug)]
enum Place {
    Table(ValueId),
    Own(Arc<str>),
}

/// Flat texts of one length, and a table that finds them by their hashes.
#[derive(Clone, Debug, Default)]
struct SameLength {
    numbers: Vec<u32>,
    index: OnceLock<HashTable<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Text {
    hash: u64,
    /// The point to the power of the length.
    power: u64,
    len: usize,
    body: Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// One that the history names.
    Flat,
    /// (the text before, the flat text appended to it)
    Rope(u32, u32),
}

/// A Mersenne prime: the remainder of a product costs two additions.
const PRIME: u64 = (1 << 61) - 1;

impl Default for Texts {
    fn default() -> Self {
        let mut texts = Texts { flat: Arc::default(), ropes: Vec::new(), index: HashTable::new() };
        texts.intern("");
        texts
    }
}

impl Texts {
    /// The number of the empty text.
    pub const EMPTY: u32 = 0;

    /// The number of a text of the history's table, if it is one. Only before the first [`Texts::append`].
    pub fn named_by(&mut self, id: ValueId, values: &Values) -> Option<u32> {
        if let Some(&known) = self.flat.numbers.get(&id) {
            return Some(known);
        }
        let text = values.as_text(id)?;
        let own = if text.len() <= self.flat.longest { self.flat.own.get(text).copied() } else { None };
        let number = own.unwrap_or_else(|| self.add(Place::Table(id)));
        Arc::make_mut(&mut self.flat).numbers.insert(id, number);
        Some(number)
    }

    /// The number of a text that may stand in no table. Only before the first [`Texts::append`].
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.flat.own.get(text) {
            return known;
        }
        let text: Arc<str> = text.into();
        let number = self.add(Place::Own(Arc::clone(&text)));
        let flat = Arc::make_mut(&mut self.flat);
        flat.longest = flat.longest.max(text.len());
        flat.own.insert(text, number);
        number
    }

    /// The number of a text, in this table or in none. Only before the first [`Texts::append`], unless it has one.
    pub fn number(&mut self, text: &str, values: &Values) -> u32 {
        let named = values.find_text(text).and_then(|id| self.named_by(id, values));
        named.unwrap_or_else(|| self.intern(text))
    }

    fn add(&mut self, place: Place) -> u32 {
        debug_assert!(self.ropes.is_empty(), "flat texts are numbered before all ropes");
        let flat = Arc::make_mut(&mut self.flat);
        flat.by_length = OnceLock::new();
        flat.texts.push(Named { place, hash: OnceLock::new() });
        u32::try_from(flat.texts.len() - 1).expect("fewer than 2^32 texts")
    }

    /// All were named: this is the table.
    pub fn settle(&mut self, values: &Arc<Values>) {
        Arc::make_mut(&mut self.flat).values = Arc::clone(values);
    }

    /// The table.
    pub fn values(&self) -> &Arc<Values> {
        &self.flat.values
    }

    /// The number of text `id` followed by the flat text `piece`.
    pub fn append(&mut self, id: u32, piece: u32) -> u32 {
        let (before, after) = (self.text(id), self.text(piece));
        if before.len == 0 || after.len == 0 {
            return if before.len == 0 { piece } else { id };
        }
        let rope = Text {
            hash: plus(before.hash, times(after.hash, before.power)),
            power: times(before.power, after.power),
            len: before.len + after.len,
            body: Body::Rope(id, piece),
        };
        let same = |&known: &u32| self.same(known, rope);
        let flat = self.flat.as_long_as(rope.len).and_then(|flat| flat.find(rope.slot(), same));
        let known = flat.or_else(|| self.index.find(rope.slot(), same));
        if let Some(&known) = known {
            return known;
        }
        let new = u32::try_from(self.named() + self.ropes.len()).expect("fewer than 2^32 states");
        self.ropes.push(rope);
        let (ropes, first) = (&self.ropes, self.named());
        self.index.insert_unique(rope.slot(), new, |&id| ropes[id as usize - first].slot());
        new
    }

    /// The text behind a number.
    pub fn get(&self, id: u32) -> String {
        let mut chunks: Vec<&[u8]> = Chunks { texts: self, next: Some(id) }.collect();
        chunks.reverse();
        String::from_utf8_lossy(&chunks.concat()).into_owned()
    }

    /// The bytes of a text that the history names.
    pub fn bytes_of(&self, id: u32) -> &[u8] {
        self.flat.get(id)
    }

    /// How many texts the history names.
    pub fn named(&self) -> usize {
        self.flat.texts.len()
    }

    /// Bytes held by what was appended, and by the tables that this takes.
    pub fn bytes(&self) -> usize {
        let by_length =
            self.flat.by_length.get().map_or(0, |lengths| {
                lengths.allocation_size() + lengths.values().map(SameLength::bytes).sum::<usize>()
            });
        by_length + self.ropes.capacity() * size_of::<Text>() + self.index.allocation_size()
    }

    fn text(&self, id: u32) -> Text {
        let (first, id) = (self.named(), id as usize);
        if id < first { self.flat.text(id as u32) } else { self.ropes[id - first] }
    }

    /// Is text `known` the text that `rope` would be?
    fn same(&self, known: u32, rope: Text) -> bool {
        let text = self.text(known);
        if (text.hash, text.len) != (rope.hash, rope.len) {
            return false;
        }
        let Body::Rope(before, piece) = rope.body else { return false };
        if text.body == rope.body {
            return true;
        }
        let mut ours = Chunks { texts: self, next: Some(known) };
        let mut theirs = Chunks { texts: self, next: Some(before) };
        let (mut a, mut b): (&[u8], &[u8]) = (&[], self.flat.get(piece));
        loop {
            if a.is_empty() && b.is_empty() && ours.next == theirs.next {
                return true;
            }
            if a.is_empty() {
                a = ours.next().unwrap_or_default();
            }
            if b.is_empty() {
                b = theirs.next().unwrap_or_default();
            }
            let n = a.len().min(b.len());
            let ((rest_a, end_a), (rest_b, end_b)) = (a.split_at(a.len() - n), b.split_at(b.len() - n));
            if end_a != end_b {
                return false;
            }
            (a, b) = (rest_a, rest_b);
        }
    }
}

impl Flat {
    fn get(&self, id: u32) -> &[u8] {
        match &self.texts[id as usize].place {
            Place::Table(id) => self.values.as_text(*id).expect("it was a text when it was named").as_bytes(),
            Place::Own(text) => text.as_bytes(),
        }
    }

    fn text(&self, id: u32) -> Text {
        let bytes = self.get(id);
        let (hash, power) = *self.texts[id as usize].hash.get_or_init(|| {
            let point = point();
            let hash = bytes.iter().rev().fold(0u64, |hash, &byte| plus(times(hash, point), symbol(byte)));
            (hash, power(bytes.len()))
        });
        Text { hash, power, len: bytes.len(), body: Body::Flat }
    }

    /// The texts of this length, by their hashes.
    fn as_long_as(&self, len: usize) -> Option<&HashTable<u32>> {
        let by_length = self.by_length.get_or_init(|| {
            let mut lengths: HashMap<usize, SameLength, Hashing> = HashMap::default();
            for number in 0..self.texts.len() as u32 {
                lengths.entry(self.get(number).len()).or_default().numbers.push(number);
            }
            lengths
        });
        let SameLength { numbers, index } = by_length.get(&len)?;
        Some(index.get_or_init(|| {
            let mut index = HashTable::with_capacity(numbers.len());
            for &number in numbers {
                index.insert_unique(self.text(number).slot(), number, |&number| self.text(number).slot());
            }
            index
        }))
    }
}

impl SameLength {
    fn bytes(&self) -> usize {
        let index = self.index.get().map_or(0, HashTable::allocation_size);
        self.numbers.capacity() * size_of::<u32>() + index
    }
}

impl Text {
    /// Its hash for the tables.
    fn slot(&self) -> u64 {
        scramble(self.hash, self.len)
    }
}

/// The pieces of a text, the last first; none of them is empty.
struct Chunks<'a> {
    texts: &'a Texts,
    next: Option<u32>,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let id = self.next?;
        match self.texts.text(id).body {
            Body::Flat => {
                self.next = None;
                (id != Texts::EMPTY).then(|| self.texts.flat.get(id))
            }
            Body::Rope(before, piece) => {
                self.next = Some(before);
                Some(self.texts.flat.get(piece))
            }
        }
    }
}

fn symbol(byte: u8) -> u64 {
    hashed(u64::from(byte) + 1)
}

/// The point at which the polynomials are taken.
fn point() -> u64 {
    secret() % PRIME
}

fn plus(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    plus(product as u64 & PRIME, (product >> 61) as u64)
}

/// The point to the power of `n`.
fn power(mut n: usize) -> u64 {
    let (mut result, mut square) = (1u64, point());
    while n > 0 {
        if n & 1 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        n >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_has_one_number_however_it_came_about() {
        let mut texts = Texts::default();
        let [a, b, ab, abab] = ["a", "b", "ab", "abab"].map(|text| texts.intern(text));
        assert_eq!(texts.append(a, b), ab);
        assert_eq!(texts.append(ab, ab), abab);
        let aba = texts.append(ab, a);
        assert_eq!((texts.append(aba, b), texts.get(aba)), (abab, "aba".into()));
        let [abaab, again] = [(aba, ab), (aba, a)].map(|(id, piece)| texts.append(id, piece));
        assert_eq!(texts.append(again, b), abaab);
        assert_eq!(texts.append(Texts::EMPTY, b), b);
        assert_eq!(texts.append(b, Texts::EMPTY), b);
    }

    #[test]
    fn a_text_has_one_number_in_the_table_and_out_of_it() {
        let (mut values, mut texts) = (Values::new(), Texts::default());
        let [short, long] = ["ab", "abab"].map(|text| values.text(text));
        let own = texts.intern("ab");
        assert_eq!(texts.named_by(short, &values), Some(own));
        let named = texts.named_by(long, &values).expect("a text");
        assert_eq!((texts.number("abab", &values), texts.named_by(ValueId::NULL, &values)), (named, None));
        texts.settle(&Arc::new(values));
        assert_eq!((texts.append(own, own), texts.get(named)), (named, "abab".into()));
    }

    proptest! {
        #[test]
        fn appending_agrees_with_strings(
            named in prop::collection::vec("[ab]{0,4}", 1..6),
            steps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..40),
        ) {
            let (mut values, mut texts) = (Values::new(), Texts::default());
            let mut number = |(place, text): (usize, &String)| {
                let id = (place % 2 == 0).then(|| values.text(text));
                id.and_then(|id| texts.named_by(id, &values)).unwrap_or_else(|| texts.number(text, &values))
            };
            let pieces: Vec<u32> = named.iter().enumerate().map(&mut number).collect();
            texts.settle(&Arc::new(values));
            let mut known: Vec<(u32, String)> = pieces.iter().copied().zip(named.clone()).collect();
            for (from, piece) in steps {
                let (id, text) = known[from.index(known.len())].clone();
                let piece = piece.index(pieces.len());
                let grown = format!("{text}{}", named[piece]);
                let new = texts.append(id, pieces[piece]);
                prop_assert_eq!(texts.get(new), grown.clone());
                for (other, text) in &known {
                    prop_assert_eq!(*other == new, *text == grown);
                }
                known.push((new, grown));
            }
        }
    }

    /// Texts of Thue and Morse: each is the one before, followed by its mirror image. Modulo 2⁶⁴ such a text and its mirror
    /// image collide from 2¹¹ letters on, whatever the point.
    #[test]
    #[cfg(not(feature = "collide"))]
    fn no_texts_are_known_to_collide() {
        let (mut text, mut mirror) = ("a".to_owned(), "b".to_owned());
        for _ in 0..12 {
            (text, mirror) = (format!("{text}{mirror}"), format!("{mirror}{text}"));
        }
        let mut texts = Texts::default();
        let (one, other) = (texts.intern(&text), texts.intern(&mirror));
        assert_ne!(texts.text(one).hash, texts.text(other).hash);
    }

    /// Bytes that are 0, too, however many.
    #[test]
    #[cfg(not(feature = "collide"))]
    fn every_byte_counts() {
        let mut texts = Texts::default();
        let named = ["", "\0", "\0\0", "\u{1}", "\u{1}\u{1}", "\0\u{1}"].map(|text| texts.intern(text));
        let hashes: std::collections::BTreeSet<u64> = named.iter().map(|&id| texts.text(id).hash).collect();
        assert_eq!(hashes.len(), named.len());
    }

    #[test]
    fn products_are_taken_modulo_the_prime() {
        assert_eq!(times(PRIME - 1, PRIME - 1), 1, "(-1)² = 1");
        assert_eq!((plus(PRIME - 1, 1), times(1 << 60, 2)), (0, 1));
    }
}
