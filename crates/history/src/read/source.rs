//! From a path to a text: loaded or mapped, unpacked, and certainly UTF-8.
//!
//! Small files are loaded; from [`MAP_FROM`] on a file is mapped, which saves its copy. A
//! mapped file that another program cuts off meanwhile ends the process, so logs of ordinary size,
//! which may still be growing, are loaded. What a packed file unpacks to is limited: a few kilobytes
//! can pretend to be terabytes.

use super::cursor::newlines;
use crate::ReadError;
use flate2::read::MultiGzDecoder;
use linpoint_base::Cause;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

/// From this size on a file is mapped, not loaded.
const MAP_FROM: u64 = 64 << 20;

/// The most bytes a packed file may unpack to.
pub(super) const LARGEST: u64 = 8 << 30;

/// The content of a file.
pub(super) enum Content {
    Loaded(Vec<u8>),
    Mapped(Mmap),
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Content::Loaded(bytes) => bytes,
            Content::Mapped(map) => map,
        }
    }
}

/// The content of the file at `path`, which may also be a pipe.
pub(super) fn load(path: &Path) -> io::Result<Content> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() && metadata.len() >= MAP_FROM {
        // SAFETY: the map is only read, and only as long as it lives. As with every mapped file, nobody may
        // change it meanwhile; readers slice with checks, so what a writer could cause is a wrong or refused text.
        return Ok(Content::Mapped(unsafe { Mmap::map(&file)? }));
    }
    let mut bytes = Vec::with_capacity(metadata.len().min(MAP_FROM) as usize + 1);
    file.read_to_end(&mut bytes)?;
    Ok(Content::Loaded(bytes))
}

/// What gzip and zstd files start with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Does it start like a gzip or a zstd file?
pub fn is_packed(data: &[u8]) -> bool {
    data.starts_with(&GZIP) || data.starts_with(&ZSTD)
}

/// What the packed data is, and how it is unpacked.
fn decoder(data: &[u8]) -> (&'static str, io::Result<Box<dyn Read + '_>>) {
    if data.starts_with(&GZIP) {
        return ("gzip", Ok(Box::new(MultiGzDecoder::new(data))));
    }
    ("zstd", zstd::Decoder::with_buffer(data).map(|frames| Box::new(frames) as Box<dyn Read>))
}

/// Why packed data was not unpacked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Packed {
    /// It is broken, or too large: in words.
    Broken(String),
    /// The budget was used up.
    Stopped(Cause),
}

/// Unpacks at most `largest` bytes, a piece at a time; `load` is told how many bytes are held and may stop it.
pub(super) fn unpack(data: &[u8], largest: u64, load: impl Fn(usize) -> Result<(), Cause>) -> Result<Vec<u8>, Packed> {
    const PIECE: usize = 1 << 20;
    let mut bytes = Vec::new();
    let (kind, decoder) = decoder(data);
    let broken =
        |held: usize, error| Packed::Broken(format!("broken {kind} data after {held} unpacked bytes: {error}"));
    let mut decoder = decoder.map_err(|error| broken(0, error))?;
    loop {
        if bytes.capacity() - bytes.len() < PIECE {
            let more = PIECE.max(bytes.len() / 2);
            load(bytes.len() + more).map_err(Packed::Stopped)?; // before it is allocated: a few kilobytes can unpack to terabytes
            bytes.reserve_exact(more);
        } else {
            load(bytes.capacity()).map_err(Packed::Stopped)?;
        }
        let got = (&mut decoder).take(PIECE as u64).read_to_end(&mut bytes);
        if got.map_err(|error| broken(bytes.len(), error))? == 0 {
            return Ok(bytes);
        }
        if bytes.len() as u64 > largest {
            let message = format!("{kind} data that unpacks to more than {largest} bytes: expected a smaller file");
            return Err(Packed::Broken(message));
        }
    }
}

/// The beginning of what packed data unpacks to, as far as it is sound.
pub(super) fn unpack_start(data: &[u8], length: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = decoder(data).1.map(|decoder| decoder.take(length).read_to_end(&mut bytes));
    bytes
}

/// The text of the data, without a byte order mark.
pub(super) fn text<'a>(data: &'a [u8], name: &str) -> Result<&'a str, ReadError> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    std::str::from_utf8(data).map_err(|error| {
        let sound = &data[..error.valid_up_to()];
        let found = data.get(sound.len()).map_or_else(String::new, |byte| format!(", found the byte 0x{byte:02x}"));
        let line = 1 + newlines(sound);
        let column = 1 + sound.iter().rev().take_while(|&&b| b != b'\n').count();
        ReadError { file: name.to_owned(), line, column, message: format!("invalid text: expected UTF-8{found}") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::cell::Cell;
    use std::io::Write;

    fn pack(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn packed_data_is_limited() {
        let packed = pack(&[b' '; 1 << 20]);
        assert_eq!(unpack(&packed, 1 << 20, |_| Ok(())).unwrap().len(), 1 << 20);
        let error = unpack(&packed, (1 << 20) - 1, |_| Ok(())).unwrap_err();
        let message = "gzip data that unpacks to more than 1048575 bytes: expected a smaller file";
        assert_eq!(error, Packed::Broken(message.to_owned()));
    }

    #[test]
    fn finding_21_packed_data_stops_before_it_is_held() {
        let packed = pack(&vec![b' '; 64 << 20]);
        let most = Cell::new(0);
        let load = |bytes| {
            most.set(bytes);
            if bytes > 8 << 20 { Err(Cause::Memory) } else { Ok(()) }
        };
        assert_eq!(unpack(&packed, u64::MAX - 1, load), Err(Packed::Stopped(Cause::Memory)));
        assert!(most.get() < 13 << 20, "it would have held {} bytes", most.get());
    }

    #[test]
    fn members_are_joined_and_broken_ones_reported() {
        let mut packed = pack(b"ab");
        packed.extend(pack(b"cd"));
        assert_eq!(unpack(&packed, 99, |_| Ok(())).unwrap(), b"abcd");
        packed.truncate(packed.len() - 9);
        let Err(Packed::Broken(message)) = unpack(&packed, 99, |_| Ok(())) else { panic!("it is broken") };
        assert!(message.starts_with("broken gzip data after "), "{message}");
    }

    #[test]
    fn frames_of_zstd_are_joined_and_broken_ones_reported() {
        let mut packed = crate::write::zst(b"ab");
        packed.extend(crate::write::zst(b"cd"));
        assert_eq!(unpack(&packed, 99, |_| Ok(())).unwrap(), b"abcd");
        packed.truncate(packed.len() - 2);
        let Err(Packed::Broken(message)) = unpack(&packed, 99, |_| Ok(())) else { panic!("it is broken") };
        assert!(message.starts_with("broken zstd data after "), "{message}");
    }

    #[test]
    fn text_is_utf8_without_its_mark() {
        assert_eq!(text(b"\xef\xbb\xbfab", "x"), Ok("ab"));
        let error = text(b"a\nbc\xff", "x").unwrap_err();
        assert_eq!(error.to_string(), "x:2:3: invalid text: expected UTF-8, found the byte 0xff");
    }
}
