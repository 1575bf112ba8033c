//! How is a page unpacked? Zstd and gzip by the crates that unpack whole files, snappy by hand: it is a page of code.

use super::footer::Codec;
use flate2::read::MultiGzDecoder;
use std::io::Read;
use zstd::bulk::Decompressor;

/// Unpacks pages, one after the other, into the same room.
pub(super) struct Unpacker {
    codec: Codec,
    room: Vec<u8>,
    zstd: Option<Decompressor<'static>>,
}

impl Unpacker {
    pub fn new(codec: Codec) -> Self {
        Unpacker { codec, room: Vec::new(), zstd: None }
    }

    /// The page, which has so many bytes; None if it has not.
    pub fn unpack<'a>(&'a mut self, packed: &'a [u8], length: usize) -> Option<&'a [u8]> {
        let room = &mut self.room;
        room.clear();
        match self.codec {
            Codec::None => return (packed.len() == length).then_some(packed),
            Codec::Snappy => snappy(packed, length, room)?,
            Codec::Gzip => _ = MultiGzDecoder::new(packed).take(length as u64 + 1).read_to_end(room).ok()?,
            Codec::Zstd => {
                room.reserve_exact(length);
                if self.zstd.is_none() {
                    self.zstd = Decompressor::new().ok();
                }
                self.zstd.as_mut()?.decompress_to_buffer(packed, room).ok()?;
            }
        }
        (room.len() == length).then_some(room.as_slice())
    }
}

/// Snappy: a length, then pieces, each written out or copied from what came before. https://github.com/google/snappy/blob/main/format_description.txt
fn snappy(packed: &[u8], length: usize, out: &mut Vec<u8>) -> Option<()> {
    let mut thrift = super::thrift::Thrift::new(packed); // its numbers are written alike
    if thrift.varint()? != length as u64 {
        return None;
    }
    out.reserve_exact(length);
    let mut rest = thrift.rest();
    while let Some((&tag, after)) = rest.split_first() {
        let little = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte));
        let (kind, upper) = (tag & 3, usize::from(tag >> 2));
        if kind == 0 {
            let more = upper.saturating_sub(59); // from 60 on the length stands in so many bytes
            let (bytes, after) = after.split_at_checked(more)?;
            let (piece, after) = after.split_at_checked(1 + if more == 0 { upper } else { little(bytes) })?;
            out.extend_from_slice(piece);
            rest = after;
        } else {
            let (bytes, after) = after.split_at_checked([1, 2, 4][usize::from(kind) - 1])?;
            let (count, back) = match kind {
                1 => (4 + (upper & 7), upper >> 3 << 8 | little(bytes)),
                _ => (1 + upper, little(bytes)),
            };
            let from = out.len().checked_sub(back).filter(|_| back > 0)?;
            for place in from..from + count {
                out.push(out[place]); // it may copy what it has just written
            }
            rest = after;
        }
        if out.len() > length {
            return None;
        }
    }
    Some(())
}
