//! Is a line of a log plain, and what does it say? Most lines of a JSON log are, and a monitor reads millions of them.
//!
//! ```json
//! {"process":3,"type":"ok","f":"dequeue","value":17}
//! ```
//!
//! Plain is an event whose fields are those of the line before, in their order and with their spaces, and whose values are whole numbers, `null`,
//! `true`, `false`, texts without escapes, and short lists of such numbers. It is read in one pass without looking for its end first, and the few texts that
//! a log repeats are not looked up again. What is not plain is left to [`super::jepsen_json`], which also says what is wrong with
//! it: what is read here means the same there. One pass.

use super::entry::{Entry, Field};
use super::names::Names;
use crate::{ValueId, Values};

/// For so many texts the ids are remembered: the types of events, and the names of operations.
const SLOTS: usize = 32;
/// A longer list is not plain.
const LONGEST: usize = 4;
/// So many digits fit 64 bits.
const DIGITS: usize = 18;

/// Reads plain lines into one table, none of whose values may go away meanwhile.
pub(super) struct Plain<'a> {
    /// Texts that were met, each with its id, at the place that [`slot`] says.
    met: [(&'a str, ValueId); SLOTS],
}

/// The place of a text among those that were met. Of those that share one the last is remembered.
#[inline]
fn slot(text: &str) -> usize {
    let number = |byte: Option<&u8>| byte.map_or(0, |&byte| usize::from(byte));
    (number(text.as_bytes().first()) + 3 * number(text.as_bytes().last()) + 5 * text.len()) % SLOTS
}

impl<'a> Plain<'a> {
    /// No line yet.
    pub fn new() -> Self {
        Plain { met: [("", ValueId::ABSENT); SLOTS] }
    }

    /// Reads the line that begins at a place of the text into `entry`, which was started: where the next line begins. None if it is not plain; then
    /// what `entry` holds means nothing.
    pub fn event(
        &mut self,
        (text, start): (&'a str, usize),
        names: &Names<'a, Field>,
        values: &mut Values,
        entry: &mut Entry,
    ) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut at = start;
        let mut before = b'{';
        for place in 0.. {
            if bytes.get(at) != Some(&before) {
                break;
            }
            let (name, field) = names.at(place)?;
            at += 1;
            while bytes.get(at) == Some(&b' ') {
                at += 1;
            }
            if !bytes[at..].starts_with(name) {
                return None;
            }
            at += name.len();
            let value = self.value(text, &mut at, values)?;
            let slot = match field {
                Field::Process => {
                    if values.as_text(value) == Some("nemesis") {
                        return None; // a bystander
                    }
                    &mut entry.process
                }
                Field::Kind => &mut entry.kind,
                Field::F => &mut entry.f,
                Field::Value => &mut entry.value,
                Field::Key => &mut entry.key,
                _ => return None,
            };
            if *slot != ValueId::ABSENT {
                return None;
            }
            *slot = value;
            before = b',';
        }
        let is_whole = before == b',' && bytes.get(at) == Some(&b'}');
        at += 1 + usize::from(bytes.get(at + 1) == Some(&b'\r'));
        (is_whole && bytes.get(at) == Some(&b'\n')).then_some(at + 1)
    }

    /// The value at a place, which moves behind it.
    #[inline]
    fn value(&mut self, text: &'a str, at: &mut usize, values: &mut Values) -> Option<ValueId> {
        let bytes = text.as_bytes();
        match bytes.get(*at)? {
            b'0'..=b'9' => whole(bytes, at).map(|number| values.int(number)),
            b'"' => {
                let start = *at + 1;
                let length = bytes[start..].iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < b' ')?;
                let end = start + length;
                if bytes[end] != b'"' || bytes[start] == b':' {
                    return None; // a keyword of EDN
                }
                *at = end + 1;
                Some(self.interned(text.get(start..end)?, values))
            }
            b'[' => list(bytes, at, values),
            _ => {
                let words = [("null", ValueId::NULL), ("true", ValueId::TRUE), ("false", ValueId::FALSE)];
                let (word, id) = words.into_iter().find(|(word, _)| bytes[*at..].starts_with(word.as_bytes()))?;
                *at += word.len();
                Some(id)
            }
        }
    }

    /// The id of a text.
    #[inline]
    fn interned(&mut self, text: &'a str, values: &mut Values) -> ValueId {
        let known = &mut self.met[slot(text)];
        if known.1 == ValueId::ABSENT || known.0 != text {
            *known = (text, values.text(text));
        }
        known.1
    }
}

/// The digits at a place as a number, unless they are many or begin with 0.
#[inline]
fn whole(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let start = *at;
    let mut number: i64 = 0;
    while let Some(digit @ b'0'..=b'9') = bytes.get(*at) {
        number = number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
        *at += 1;
    }
    let digits = *at - start;
    let is_plain = (1..=DIGITS).contains(&digits) && (digits == 1 || bytes[start] != b'0');
    is_plain.then_some(number) // should it go on with a fraction or an exponent, no comma follows
}

/// A short list of numbers.
fn list(bytes: &[u8], at: &mut usize, values: &mut Values) -> Option<ValueId> {
    let (mut parts, mut count) = ([ValueId::NULL; LONGEST], 0);
    loop {
        *at += 1;
        *parts.get_mut(count)? = values.int(whole(bytes, at)?);
        count += 1;
        match bytes.get(*at)? {
            b',' => {}
            b']' => break,
            _ => return None,
        }
    }
    *at += 1;
    Some(values.list(&parts[..count]))
}
