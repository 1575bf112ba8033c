//! What do the headers of a Parquet file say? The compact protocol of Thrift, as far as headers use it.
//!
//! Every answer is an `Option`: whatever is cut off, nested deeper than [`DEEPEST`] or of an unexpected type is None, and somebody else reads
//! the file. Linear in the bytes; a list is never longer than the bytes it stands in.

/// Structs may be nested this deep and no deeper.
const DEEPEST: u32 = 16;

/// What follows in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    True,
    False,
    Byte,
    /// A whole number of 16, 32 or 64 bits.
    Whole,
    Double,
    Binary,
    List,
    Map,
    Struct,
}

impl Kind {
    fn of(code: u8) -> Option<Kind> {
        Some(match code {
            1 => Kind::True,
            2 => Kind::False,
            3 => Kind::Byte,
            4..=6 => Kind::Whole,
            7 => Kind::Double,
            8 => Kind::Binary,
            9 | 10 => Kind::List,
            11 => Kind::Map,
            12 => Kind::Struct,
            _ => return None,
        })
    }
}

/// A place in the bytes.
#[derive(Clone)]
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
}

impl<'a> Thrift<'a> {
    /// At the start of these.
    pub fn new(bytes: &'a [u8]) -> Self {
        Thrift { bytes }
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    /// So many bytes.
    pub fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(usize::try_from(length).ok()?)?;
        self.bytes = rest;
        Some(taken)
    }

    /// A number without a sign: seven bits a byte, the lowest first.
    pub fn varint(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A whole number.
    pub fn whole(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A whole number that is a size or a place.
    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.whole()?).ok()
    }

    /// Bytes.
    pub fn binary(&mut self) -> Option<&'a [u8]> {
        let length = self.varint()?;
        self.take(length)
    }

    /// The header of a list: how many, and of what.
    fn list(&mut self) -> Option<(u64, Kind)> {
        let header = self.byte()?;
        let count = if header >> 4 == 15 { self.varint()? } else { u64::from(header >> 4) };
        Some((count, Kind::of(header & 15)?))
    }

    /// Reads the fields of a struct: `field` is asked for each, by its number, and says whether it has read it; what it has not is skipped.
    pub fn fields(&mut self, mut field: impl FnMut(&mut Self, i64, Kind) -> Option<bool>) -> Option<()> {
        let mut number = 0i64;
        loop {
            let header = self.byte()?;
            if header == 0 {
                return Some(());
            }
            number = if header >> 4 == 0 { self.whole()? } else { number + i64::from(header >> 4) };
            let kind = Kind::of(header & 15)?;
            if !field(self, number, kind)? {
                self.skip(kind, 0)?;
            }
        }
    }

    /// Reads a list of structs, or of binaries: `item` reads each.
    pub fn items<T>(&mut self, of: Kind, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let (count, kind) = self.list()?;
        if kind != of && count > 0 {
            return None;
        }
        (0..count).map(|_| item(self)).collect()
    }

    /// Steps over a value.
    fn skip(&mut self, kind: Kind, depth: u32) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match kind {
            Kind::True | Kind::False => {}
            Kind::Byte => _ = self.byte()?,
            Kind::Whole => _ = self.varint()?,
            Kind::Double => _ = self.take(8)?,
            Kind::Binary => _ = self.binary()?,
            Kind::List => {
                let (count, kind) = self.list()?;
                for _ in 0..count {
                    self.skip_item(kind, depth)?;
                }
            }
            Kind::Map => {
                let count = self.varint()?;
                let kinds = if count > 0 { self.byte()? } else { 0 };
                for _ in 0..count {
                    self.skip_item(Kind::of(kinds >> 4)?, depth)?;
                    self.skip_item(Kind::of(kinds & 15)?, depth)?;
                }
            }
            Kind::Struct => loop {
                let header = self.byte()?;
                if header == 0 {
                    break;
                }
                if header >> 4 == 0 {
                    self.whole()?;
                }
                self.skip(Kind::of(header & 15)?, depth + 1)?;
            },
        }
        Some(())
    }

    /// Steps over an item of a list or a map, where truth values take a byte.
    fn skip_item(&mut self, kind: Kind, depth: u32) -> Option<()> {
        match kind {
            Kind::True | Kind::False => self.byte().map(|_| ()),
            _ => self.skip(kind, depth + 1),
        }
    }
}
