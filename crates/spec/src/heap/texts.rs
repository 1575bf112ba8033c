//! Which texts are equal, if they grow by appending?
//!
//! Texts that the history names are stored flat, once, and shared by all searches. A text that a
//! search makes by appending is a *rope*: the text before, and the flat piece that was appended. Its
//! hash (Karp & Rabin 1987) follows from the hashes of both in O(1); equality is then
//! settled by comparing the bytes, from the end, up to where both ropes share a text. So appending
//! to a long text copies nothing, a `get` compares two integers, and a new text costs 32 bytes. The hashes of flat texts are worked out when the first
//! text is appended to: a history that a monitor settles, with megabytes of texts read, never needs them.
//!
//! The hash is a polynomial at a secret point, modulo the prime 2⁶¹ − 1: texts of length n collide for at most n of 2⁶¹ points.
//! Modulo 2⁶⁴, which costs less, the texts of Thue and Morse collide at every point, and a file could be prepared.

use super::scramble;
use hashbrown::HashTable;
use linpoint_base::{Hashing, hashed, secret};
use std::hash::BuildHasher;
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
    bytes: Vec<u8>,
    /// Where each text ends; it begins where the one before it ends.
    ends: Vec<usize>,
    /// Finds texts by their bytes, hashed as any bytes are.
    names: HashTable<u32>,
    hashed: OnceLock<Hashed>,
}

/// What appending needs to know of the flat texts.
#[derive(Clone, Debug)]
struct Hashed {
    texts: Vec<Text>,
    index: HashTable<u32>,
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

    /// The number of a text that the history names. Only before the first [`Texts::append`].
    pub fn intern(&mut self, text: &str) -> u32 {
        debug_assert!(self.ropes.is_empty(), "flat texts are numbered before all ropes");
        let bytes = text.as_bytes();
        let name = |bytes: &[u8]| Hashing::default().hash_one(bytes);
        let flat = Arc::make_mut(&mut self.flat);
        if let Some(&known) = flat.names.find(name(bytes), |&id| flat.get(id) == bytes) {
            return known;
        }
        let id = u32::try_from(flat.ends.len()).expect("fewer than 2^32 texts");
        flat.bytes.extend_from_slice(bytes);
        flat.ends.push(flat.bytes.len());
        flat.hashed = OnceLock::new();
        let Flat { bytes: all, ends, names, .. } = flat;
        names.insert_unique(name(bytes), id, |&id| name(&all[span(ends, id)]));
        id
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
        let known = self.flat.hashed().index.find(rope.slot(), same).or_else(|| self.index.find(rope.slot(), same));
        if let Some(&known) = known {
            return known;
        }
        let new = u32::try_from(self.named() + self.ropes.len()).expect("fewer than 2^32 states");
        self.ropes.push(rope);
        let (ropes, first) = (&self.ropes, self.flat.ends.len());
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
        self.flat.ends.len()
    }

    /// Bytes held by what was appended, and by the hashes that this takes.
    pub fn bytes(&self) -> usize {
        let hashed = self.flat.hashed.get().map_or(0, Hashed::bytes);
        hashed + self.ropes.capacity() * size_of::<Text>() + self.index.allocation_size()
    }

    fn text(&self, id: u32) -> Text {
        let (first, id) = (self.named(), id as usize);
        if id < first { self.flat.hashed().texts[id] } else { self.ropes[id - first] }
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
        &self.bytes[span(&self.ends, id)]
    }

    fn hashed(&self) -> &Hashed {
        self.hashed.get_or_init(|| {
            let point = point();
            let text = |id: u32| {
                let bytes = self.get(id);
                let hash = bytes.iter().rev().fold(0u64, |hash, &byte| plus(times(hash, point), symbol(byte)));
                Text { hash, power: power(bytes.len()), len: bytes.len(), body: Body::Flat }
            };
            let texts: Vec<Text> = (0..self.ends.len() as u32).map(text).collect();
            let mut index = HashTable::with_capacity(texts.len());
            for (id, text) in texts.iter().enumerate() {
                index.insert_unique(text.slot(), id as u32, |&id: &u32| texts[id as usize].slot());
            }
            Hashed { texts, index }
        })
    }
}

/// Where the bytes of a flat text are.
fn span(ends: &[usize], id: u32) -> std::ops::Range<usize> {
    let id = id as usize;
    id.checked_sub(1).map_or(0, |before| ends[before])..ends[id]
}

impl Hashed {
    fn bytes(&self) -> usize {
        self.texts.capacity() * size_of::<Text>() + self.index.allocation_size()
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

    proptest! {
        #[test]
        fn appending_agrees_with_strings(
            named in prop::collection::vec("[ab]{0,4}", 1..6),
            steps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..40),
        ) {
            let mut texts = Texts::default();
            let pieces: Vec<u32> = named.iter().map(|text| texts.intern(text)).collect();
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
