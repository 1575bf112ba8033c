//! Which columns does a Parquet file have, and where do they stand? Its footer, if the table is plain.
//!
//! Plain is: columns side by side, nothing nested, whole numbers with a sign, texts and truth values, in codecs that we know. A file of Arrow also
//! tells which types its writer had; only those that mean the same as the column itself are plain (a duration is stored as a number).

use super::thrift::{Kind, Thrift};

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Int32,
    Int64,
    Text,
}

/// How pages are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    None,
    Snappy,
    Gzip,
    Zstd,
}

/// A column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub name: String,
    pub kind: Type,
    /// May cells be missing?
    pub optional: bool,
}

/// The cells of a column in one group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub codec: Codec,
    pub cells: usize,
    /// Where its pages stand.
    pub from: usize,
    pub length: usize,
}

/// A plain table.
#[derive(Debug)]
pub(super) struct Footer {
    pub fields: Vec<Field>,
    /// Groups of rows: how many rows, and a chunk for each field.
    pub groups: Vec<(usize, Vec<Chunk>)>,
}

const MAGIC: &[u8; 4] = b"PAR1";

/// The footer of a file; None if it is none, or no plain one.
pub(super) fn footer(data: &[u8]) -> Option<Footer> {
    let rest = data.strip_prefix(MAGIC)?.strip_suffix(MAGIC)?;
    let (rest, length) = rest.split_last_chunk::<4>()?;
    let start = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
    let (mut elements, mut groups, mut arrow) = (Vec::new(), Vec::new(), None);
    Thrift::new(&rest[start..]).fields(|thrift, number, kind| {
        match (number, kind) {
            (2, Kind::List) => elements = thrift.items(Kind::Struct, element)?,
            (4, Kind::List) => groups = thrift.items(Kind::Struct, group)?,
            (5, Kind::List) => {
                let entries = thrift.items(Kind::Struct, entry)?;
                arrow = entries.into_iter().find(|entry| entry.0 == b"ARROW:schema").map(|entry| entry.1);
            }
            _ => return Some(false),
        }
        Some(true)
    })?;
    let (root, fields) = elements.split_first()?;
    if root.children != fields.len() {
        return None;
    }
    let fields: Vec<Field> = fields.iter().map(Element::field).collect::<Option<_>>()?;
    let fits = |(rows, chunks): &Group| {
        let same = |(chunk, field): (&Named, &Field)| {
            chunk.1 == field.kind && chunk.2 == field.name.as_bytes() && chunk.0.cells == *rows
        };
        chunks.len() == fields.len() && chunks.iter().zip(&fields).all(same)
    };
    if !groups.iter().all(fits) || arrow.is_some_and(|schema| !super::schema::agrees(schema, &fields)) {
        return None;
    }
    let bare = |(rows, chunks): Group| (rows, chunks.into_iter().map(|(chunk, ..)| chunk).collect());
    Some(Footer { fields, groups: groups.into_iter().map(bare).collect() })
}

/// An element of the schema.
#[derive(Default)]
struct Element<'a> {
    kind: Option<i64>,
    repetition: i64,
    name: &'a [u8],
    children: usize,
    converted: Option<i64>,
    /// The newer way of telling the same.
    logical: Option<i64>,
}

impl Element<'_> {
    /// A plain column.
    fn field(&self) -> Option<Field> {
        let kind = match (self.kind?, self.converted, self.logical) {
            (0, None, None) => Type::Bool,
            (1, None, None) => Type::Int32,
            (2, None, None) => Type::Int64,
            (6, Some(0), None | Some(1)) => Type::Text,
            _ => return None,
        };
        let optional = match self.repetition {
            0 => false,
            1 => true,
            _ => return None,
        };
        let name = std::str::from_utf8(self.name).ok()?.to_owned();
        (self.children == 0).then_some(Field { name, kind, optional })
    }
}

fn element<'a>(thrift: &mut Thrift<'a>) -> Option<Element<'a>> {
    let mut element = Element::default();
    thrift.fields(|thrift, number, kind| {
        match (number, kind) {
            (1, Kind::Whole) => element.kind = Some(thrift.whole()?),
            (3, Kind::Whole) => element.repetition = thrift.whole()?,
            (4, Kind::Binary) => element.name = thrift.binary()?,
            (5, Kind::Whole) => element.children = thrift.size()?,
            (6, Kind::Whole) => element.converted = Some(thrift.whole()?),
            (10, Kind::Struct) => thrift.fields(|_, number, _| {
                element.logical = Some(number);
                Some(false)
            })?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    Some(element)
}

/// An entry of the file's own notes: a name and what it says.
fn entry<'a>(thrift: &mut Thrift<'a>) -> Option<(&'a [u8], &'a [u8])> {
    let (mut key, mut value): (&[u8], &[u8]) = (&[], &[]);
    thrift.fields(|thrift, number, kind| {
        match (number, kind) {
            (1, Kind::Binary) => key = thrift.binary()?,
            (2, Kind::Binary) => value = thrift.binary()?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    Some((key, value))
}

/// A chunk with the type and the name of its column.
type Named = (Chunk, Type, Vec<u8>);
/// How many rows, and the chunks.
type Group = (usize, Vec<Named>);

fn group(thrift: &mut Thrift<'_>) -> Option<Group> {
    let (mut rows, mut chunks) = (0, Vec::new());
    thrift.fields(|thrift, number, kind| {
        match (number, kind) {
            (1, Kind::List) => chunks = thrift.items(Kind::Struct, chunk)?,
            (3, Kind::Whole) => rows = thrift.size()?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    Some((rows, chunks))
}

/// A chunk with the type and the name of its column. One in another file, or encrypted, is none.
fn chunk(thrift: &mut Thrift<'_>) -> Option<Named> {
    let mut found = None;
    thrift.fields(|thrift, number, kind| {
        match (number, kind) {
            (1 | 8 | 9, _) => return None,
            (3, Kind::Struct) => found = Some(metadata(thrift)?),
            _ => return Some(false),
        }
        Some(true)
    })?;
    found
}

fn metadata(thrift: &mut Thrift<'_>) -> Option<Named> {
    let (mut kind_of, mut codec, mut path) = (-1, -1, Vec::new());
    let (mut cells, mut length, mut pages, mut dictionary) = (0, 0, 0, None);
    thrift.fields(|thrift, number, kind| {
        match (number, kind) {
            (1, Kind::Whole) => kind_of = thrift.whole()?,
            (3, Kind::List) => path = thrift.items(Kind::Binary, |thrift| thrift.binary().map(<[u8]>::to_vec))?,
            (4, Kind::Whole) => codec = thrift.whole()?,
            (5, Kind::Whole) => cells = thrift.size()?,
            (7, Kind::Whole) => length = thrift.size()?,
            (9, Kind::Whole) => pages = thrift.size()?,
            (11, Kind::Whole) => dictionary = Some(thrift.size()?).filter(|&place| place > 0),
            _ => return Some(false),
        }
        Some(true)
    })?;
    let kind = match kind_of {
        0 => Type::Bool,
        1 => Type::Int32,
        2 => Type::Int64,
        6 => Type::Text,
        _ => return None,
    };
    let codec = match codec {
        0 => Codec::None,
        1 => Codec::Snappy,
        2 => Codec::Gzip,
        6 => Codec::Zstd,
        _ => return None,
    };
    let from = dictionary.map_or(pages, |dictionary| dictionary.min(pages));
    let [name] = <[Vec<u8>; 1]>::try_from(path).ok()?;
    Some((Chunk { codec, cells, from, length }, kind, name))
}
