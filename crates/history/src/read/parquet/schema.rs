//! Which types did the writer of an Arrow table have? The flatbuffer that such a Parquet file keeps in its footer, in base 64.
//!
//! Read as far as needed to know that every column is the whole number, the text or the truth value that it seems to be, and not, say, a
//! duration that is only stored as a number. What cannot be read agrees with nothing.

use super::footer::{Field, Type};

/// Were the columns of these types for their writer, too?
pub(super) fn agrees(base64: &[u8], fields: &[Field]) -> bool {
    let same = |(kind, field): (&u8, &Field)| match field.kind {
        Type::Bool => *kind == 6,
        Type::Int32 | Type::Int64 => *kind == 2,
        Type::Text => matches!(kind, 5 | 20 | 24), // with short offsets, with long ones, as views
    };
    let types = decoded(base64).and_then(|bytes| types(&bytes));
    types.is_some_and(|types| types.len() == fields.len() && types.iter().zip(fields).all(same))
}

/// The bytes behind a text of base 64.
fn decoded(base64: &[u8]) -> Option<Vec<u8>> {
    let digits = &base64[..base64.iter().rposition(|&digit| digit != b'=').map_or(0, |last| last + 1)];
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(digits.len()), 0u32, 0);
    for &digit in digits {
        let six = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        (bits, count) = (bits << 6 | u32::from(six), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// The types of the columns: a message, its header (a schema), its fields.
fn types(bytes: &[u8]) -> Option<Vec<u8>> {
    let flat = Flat(bytes.strip_prefix(&[0xff; 4]).map_or(bytes, |rest| rest.get(4..).unwrap_or_default()));
    let message = flat.pointer(0)?;
    let schema = flat.pointer(flat.place(message, 2)?)?;
    let fields = flat.pointer(flat.place(schema, 1)?)?;
    let count = flat.u32(fields)? as usize;
    let field = |i: usize| {
        let field = flat.pointer(fields + 4 + 4 * i)?;
        flat.0.get(flat.place(field, 2)?).copied()
    };
    if count > bytes.len() { None } else { (0..count).map(field).collect() }
}

/// A flatbuffer: tables that begin with the distance to a list of where their fields stand.
struct Flat<'a>(&'a [u8]);

impl Flat<'_> {
    fn u32(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(*self.0.get(at..)?.first_chunk()?))
    }

    fn u16(&self, at: usize) -> Option<usize> {
        Some(usize::from(u16::from_le_bytes(*self.0.get(at..)?.first_chunk()?)))
    }

    /// Where the distance at this place leads.
    fn pointer(&self, at: usize) -> Option<usize> {
        at.checked_add(self.u32(at)? as usize)
    }

    /// Where a field of a table stands.
    fn place(&self, table: usize, field: usize) -> Option<usize> {
        let list = usize::try_from(i64::try_from(table).ok()? - i64::from(self.u32(table)? as i32)).ok()?;
        let entry = 4 + 2 * field;
        let offset = if entry < self.u16(list)? { self.u16(list + entry)? } else { 0 };
        (offset > 0).then_some(table + offset)
    }
}
