//! What do the pages of a column say? Headers, codecs, which cells are missing, and the cells themselves.
//!
//! Encodings that plain writers use: plain, and numbers of entries in a dictionary. Sizes in headers are checked before they are believed, and
//! what a page takes is accounted for before it is unpacked: a few bytes can claim to be billions of cells. Costs one pass over the
//! unpacked bytes.

use super::codec::Unpacker;
use super::footer::{Chunk, Field, Type};
use super::thrift::{Kind, Thrift};
use linpoint_base::Account;

/// The cells of a column. Where one is missing, something stands in its place.
pub(super) struct Column {
    pub cells: Cells,
    /// Which of them are there; None: all.
    pub present: Option<Vec<bool>>,
}

pub(super) enum Cells {
    Bools(Vec<bool>),
    Ints(Vec<i64>),
    /// Numbers of words.
    Texts(Vec<u32>, Words),
}

/// Texts, one behind the other.
#[derive(Default)]
pub(super) struct Words {
    all: String,
    ends: Vec<u32>,
}

impl Words {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, word: usize) -> &str {
        let from = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.all[from as usize..self.ends[word] as usize]
    }

    /// Adds so many texts, each behind its length; gives the bytes behind them.
    pub fn push_all<'a>(&mut self, mut bytes: &'a [u8], count: usize) -> Option<&'a [u8]> {
        for _ in 0..count {
            let (length, rest) = bytes.split_first_chunk::<4>()?;
            let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            self.all.push_str(std::str::from_utf8(text).ok()?);
            self.ends.push(u32::try_from(self.all.len()).ok()?);
            bytes = rest;
        }
        Some(bytes)
    }
}

impl Column {
    fn new(kind: Type) -> Column {
        let cells = match kind {
            Type::Bool => Cells::Bools(Vec::new()),
            Type::Int32 | Type::Int64 => Cells::Ints(Vec::new()),
            Type::Text => Cells::Texts(Vec::new(), Words::default()),
        };
        Column { cells, present: None }
    }

    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Bools(cells) => cells.len(),
            Cells::Ints(cells) => cells.len(),
            Cells::Texts(cells, _) => cells.len(),
        }
    }

    /// Takes out whole numbers.
    pub fn take_ints(&mut self) -> Option<Vec<i64>> {
        match &mut self.cells {
            Cells::Ints(cells) => Some(std::mem::take(cells)),
            _ => None,
        }
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        self.present.as_ref().map_or(0, Vec::capacity)
            + match &self.cells {
                Cells::Bools(cells) => cells.capacity(),
                Cells::Ints(cells) => 8 * cells.capacity(),
                Cells::Texts(cells, words) => 4 * (cells.capacity() + words.ends.capacity()) + words.all.capacity(),
            }
    }

    /// Notes which of the last `levels.len()` cells are there; those that are not get room between the others.
    fn spread(&mut self, levels: &[bool], missing: bool) {
        let from = self.len() - levels.iter().filter(|&&there| there).count();
        if missing {
            match &mut self.cells {
                Cells::Bools(cells) => spread(cells, from, levels),
                Cells::Ints(cells) => spread(cells, from, levels),
                Cells::Texts(cells, _) => spread(cells, from, levels),
            }
            self.present.get_or_insert_with(|| vec![true; from]);
        }
        if let Some(present) = &mut self.present {
            present.extend_from_slice(levels);
        }
    }
}

/// Moves the cells from `from` on to where the levels say that one is.
fn spread<T: Copy + Default>(cells: &mut Vec<T>, from: usize, levels: &[bool]) {
    let mut source = cells.len();
    cells.resize(from + levels.len(), T::default());
    for (place, &there) in levels.iter().enumerate().rev() {
        cells[from + place] = if there {
            source -= 1;
            cells[source]
        } else {
            T::default()
        };
    }
}

/// A header of a page.
#[derive(Default)]
struct Header {
    kind: i64,
    unpacked: usize,
    packed: usize,
    cells: usize,
    encoding: i64,
    /// Of the newer kind of pages: how long the levels are, and whether the cells are packed.
    levels: (usize, usize),
    plain: bool,
}

const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_V2: i64 = 3;

impl Header {
    fn read(thrift: &mut Thrift<'_>) -> Option<Header> {
        let mut header = Header::default();
        thrift.fields(|thrift, number, kind| {
            match (number, kind) {
                (1, Kind::Whole) => header.kind = thrift.whole()?,
                (2, Kind::Whole) => header.unpacked = thrift.size()?,
                (3, Kind::Whole) => header.packed = thrift.size()?,
                (5 | 7 | 8, Kind::Struct) => {
                    let newer = number == 8;
                    thrift.fields(|thrift, number, kind| {
                        match (number, kind) {
                            (1, Kind::Whole) => header.cells = thrift.size()?,
                            (2, Kind::Whole) if !newer => header.encoding = thrift.whole()?,
                            (4, Kind::Whole) if newer => header.encoding = thrift.whole()?,
                            (5, Kind::Whole) if newer => header.levels.0 = thrift.size()?,
                            (6, Kind::Whole) if newer => header.levels.1 = thrift.size()?,
                            (7, Kind::False) if newer => header.plain = true,
                            _ => return Some(false),
                        }
                        Some(true)
                    })?;
                }
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some(header)
    }
}

/// The cells of a chunk; None if it is broken, not plain, or takes more than the account allows.
pub(super) fn column(data: &[u8], field: &Field, chunk: &Chunk, account: &mut Account<'_>) -> Option<Column> {
    let mut thrift = Thrift::new(data.get(chunk.from..chunk.from.checked_add(chunk.length)?)?);
    let mut unpacker = Unpacker::new(chunk.codec);
    let (mut column, mut dictionary, mut levels) = (Column::new(field.kind), None, Vec::new());
    while column.len() < chunk.cells {
        let header = Header::read(&mut thrift)?;
        let page = thrift.take(header.packed as u64)?;
        if header.cells > chunk.cells || header.cells.max(header.unpacked) > i32::MAX as usize {
            return None;
        }
        let held = column.bytes() + 9 * header.cells + header.unpacked;
        if account.poll(held, 0).is_some() {
            return None;
        }
        match header.kind {
            DICTIONARY if dictionary.is_none() && column.len() == 0 => {
                let page = unpacker.unpack(page, header.unpacked)?;
                dictionary = Some(Dictionary::read(page, &header, field.kind, &mut column)?);
            }
            DATA => {
                let mut page = unpacker.unpack(page, header.unpacked)?;
                levels.clear();
                if field.optional {
                    let (length, rest) = page.split_first_chunk::<4>()?;
                    let (packed, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
                    hybrid(packed, 1, header.cells, |level, times| grow(&mut levels, level, times))?;
                    page = rest;
                }
                column.read(page, &header, field.kind, dictionary.as_ref(), &levels)?;
            }
            DATA_V2 if header.levels.1 == 0 => {
                let (packed, rest) = page.split_at_checked(header.levels.0)?;
                levels.clear();
                if field.optional {
                    hybrid(packed, 1, header.cells, |level, times| grow(&mut levels, level, times))?;
                }
                let unpacked = header.unpacked.checked_sub(header.levels.0)?;
                let page = if header.plain { rest } else { unpacker.unpack(rest, unpacked)? };
                column.read(page, &header, field.kind, dictionary.as_ref(), &levels)?;
            }
            _ => return None,
        }
    }
    (column.len() == chunk.cells).then_some(column)
}

/// Adds a bit so many times; a run may claim to be of something else.
fn grow(bits: &mut Vec<bool>, bit: u32, times: usize) -> Option<()> {
    bits.resize(bits.len() + times, bit == 1);
    (bit <= 1).then_some(())
}

/// The entries of a dictionary; texts are words of their column.
enum Dictionary {
    Ints(Vec<i64>),
    Texts(u32),
}

impl Dictionary {
    fn read(page: &[u8], header: &Header, kind: Type, column: &mut Column) -> Option<Dictionary> {
        if !matches!(header.encoding, PLAIN | PLAIN_DICTIONARY) {
            return None;
        }
        match (&mut column.cells, kind) {
            (Cells::Ints(_), kind) => {
                let mut ints = Vec::new();
                plain_ints(page, header.cells, kind, &mut ints)?;
                Some(Dictionary::Ints(ints))
            }
            (Cells::Texts(_, words), _) => {
                words.push_all(page, header.cells)?;
                Some(Dictionary::Texts(u32::try_from(header.cells).ok()?))
            }
            (Cells::Bools(_), _) => None,
        }
    }
}

const PLAIN: i64 = 0;
const PLAIN_DICTIONARY: i64 = 2;
const RLE: i64 = 3;
const RLE_DICTIONARY: i64 = 8;

impl Column {
    /// Adds the cells of a page.
    fn read(
        &mut self,
        page: &[u8],
        header: &Header,
        kind: Type,
        dictionary: Option<&Dictionary>,
        levels: &[bool],
    ) -> Option<()> {
        let there = if levels.is_empty() { header.cells } else { levels.iter().filter(|&&there| there).count() };
        match (&mut self.cells, header.encoding, dictionary) {
            (Cells::Ints(cells), PLAIN, _) => plain_ints(page, there, kind, cells)?,
            (Cells::Ints(cells), PLAIN_DICTIONARY | RLE_DICTIONARY, Some(Dictionary::Ints(entries))) => {
                numbers(page, there, |number, times| {
                    let entry = *entries.get(number as usize)?;
                    if times == 1 {
                        cells.push(entry)
                    } else {
                        cells.resize(cells.len() + times, entry)
                    }
                    Some(())
                })?;
            }
            (Cells::Texts(cells, words), PLAIN, _) => {
                let first = u32::try_from(words.len()).ok()?;
                words.push_all(page, there)?;
                cells.extend(first..first + there as u32);
            }
            (Cells::Texts(cells, _), PLAIN_DICTIONARY | RLE_DICTIONARY, Some(&Dictionary::Texts(count))) => {
                numbers(page, there, |number, times| {
                    cells.resize(cells.len() + times, number);
                    (number < count).then_some(())
                })?;
            }
            (Cells::Bools(cells), PLAIN, _) => {
                let bits = page.get(..there.div_ceil(8))?;
                cells.extend((0..there).map(|i| bits[i / 8] >> (i % 8) & 1 == 1));
            }
            (Cells::Bools(cells), RLE, _) => {
                let (length, rest) = page.split_first_chunk::<4>()?;
                let packed = rest.get(..u32::from_le_bytes(*length) as usize)?;
                hybrid(packed, 1, there, |bit, times| grow(cells, bit, times))?;
            }
            _ => return None,
        }
        if !levels.is_empty() {
            self.spread(levels, there < levels.len());
        }
        Some(())
    }
}

fn plain_ints(page: &[u8], count: usize, kind: Type, cells: &mut Vec<i64>) -> Option<()> {
    if kind == Type::Int32 {
        let (whole, _) = page.get(..count.checked_mul(4)?)?.as_chunks::<4>();
        cells.extend(whole.iter().map(|bytes| i64::from(i32::from_le_bytes(*bytes))));
    } else {
        let (whole, _) = page.get(..count.checked_mul(8)?)?.as_chunks::<8>();
        cells.extend(whole.iter().map(|bytes| i64::from_le_bytes(*bytes)));
    }
    Some(())
}

/// Numbers of entries in a dictionary: a byte says how many bits each has.
fn numbers(page: &[u8], count: usize, take: impl FnMut(u32, usize) -> Option<()>) -> Option<()> {
    if count == 0 {
        return Some(());
    }
    let (&width, packed) = page.split_first()?;
    hybrid(packed, u32::from(width), count, take)
}

/// Runs of one number and groups of eight that stand side by side in bits, `count` numbers of `width` bits in all.
fn hybrid(packed: &[u8], width: u32, mut count: usize, mut take: impl FnMut(u32, usize) -> Option<()>) -> Option<()> {
    if width > 32 {
        return None;
    }
    let mask = ((1u64 << width) - 1) as u32;
    let mut thrift = Thrift::new(packed);
    while count > 0 {
        let header = thrift.varint()?;
        if header & 1 == 0 {
            let times = usize::try_from(header >> 1).ok()?.min(count);
            let bytes = thrift.take(u64::from(width.div_ceil(8)))?;
            let number = bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
            take(u32::try_from(number).ok()?, times)?;
            count -= times;
            if times == 0 {
                return None; // it would never end
            }
            continue;
        }
        let groups = header >> 1;
        let bits = thrift.take(groups.checked_mul(u64::from(width))?.min(thrift.rest().len() as u64))?;
        let times = usize::try_from(groups.checked_mul(8)?).ok()?.min(count);
        if times == 0 || (bits.len() as u64) * 8 < times as u64 * u64::from(width) {
            return None;
        }
        for i in 0..times {
            let bit = i * width as usize;
            let word = match bits[bit / 8..].first_chunk::<8>() {
                Some(word) => u64::from_le_bytes(*word),
                None => bits[bit / 8..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
            };
            take((word >> (bit % 8)) as u32 & mask, 1)?;
        }
        count -= times;
    }
    Some(())
}
