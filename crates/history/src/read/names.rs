//! Which field is it? Mostly the one that stood at this place in the line before.
//!
//! Lines of a file have the same fields in the same order, so the bytes of a name, up to
//! its value, are compared with those of the last line first: one comparison instead of
//! parsing a name and looking it up.

use super::cursor::Cursor;

/// The names of the last line in their order, each with its meaning.
pub(super) struct Names<'a, F> {
    known: Vec<(&'a str, F)>,
}

impl<'a, F: Copy> Names<'a, F> {
    /// No line yet.
    pub fn new() -> Self {
        Names { known: Vec::new() }
    }

    /// Steps over the name if it is the one that stood at `place` before; gives its meaning.
    #[inline]
    pub fn step(&self, place: usize, cursor: &mut Cursor<'a>) -> Option<F> {
        let &(name, field) = self.known.get(place)?;
        cursor.eat_word(name).then_some(field)
    }

    /// The bytes of the name that stood at `place` before, up to its value, and its meaning.
    #[inline]
    pub fn at(&self, place: usize) -> Option<(&'a [u8], F)> {
        self.known.get(place).map(|&(name, field)| (name.as_bytes(), field))
    }

    /// Remembers the name from byte `start` to where the cursor stands. It must not be the start of a longer name.
    pub fn learn(&mut self, place: usize, start: usize, cursor: &Cursor<'a>, field: F) {
        self.known.truncate(place);
        if self.known.len() == place {
            self.known.push((&cursor.text[start..cursor.at], field));
        }
    }
}
