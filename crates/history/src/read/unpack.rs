//! How is a stream unpacked that zstd has packed, while it comes? Piece by piece, frame behind frame.
//!
//! What unpacks to terabytes is never held: each step fills one piece, and says how much it read. Cost: that of zstd, which keeps a window
//! of up to 128 MiB.

use std::io;
use zstd::stream::raw::{Decoder, Operation as _};

/// A stream that is being unpacked.
pub struct Unpack {
    decoder: Decoder<'static>,
    /// Has no frame begun that has not ended?
    between: bool,
}

impl Unpack {
    /// Nothing has come yet.
    pub fn new() -> io::Result<Unpack> {
        Ok(Unpack { decoder: Decoder::new()?, between: true })
    }

    /// Unpacks into `room` what has room there: how many bytes of `packed` were read, and how many written. To be called again, with what is left, until it
    /// reads all and does not fill the room.
    pub fn step(&mut self, packed: &[u8], room: &mut [u8]) -> io::Result<(usize, usize)> {
        let (mut read, mut written) = (0, 0);
        while written < room.len() && (read < packed.len() || !self.between) {
            let done = self.decoder.run_on_buffers(&packed[read..], &mut room[written..])?;
            (read, written) = (read + done.bytes_read, written + done.bytes_written);
            if done.remaining == 0 {
                self.decoder.reinit()?;
                self.between = true;
            } else {
                self.between = self.between && done.bytes_read == 0;
                if done.bytes_read == 0 && done.bytes_written == 0 {
                    break;
                }
            }
        }
        Ok((read, written))
    }

    /// Would it be complete if nothing more came?
    pub fn is_complete(&self) -> bool {
        self.between
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::zst;

    fn unpacked(packed: &[u8], piece: usize, room: usize) -> (Vec<u8>, bool) {
        let (mut unpack, mut all) = (Unpack::new().expect("there is memory"), Vec::new());
        for mut rest in packed.chunks(piece) {
            loop {
                let mut out = vec![0; room];
                let (read, written) = unpack.step(rest, &mut out).expect("it is sound");
                all.extend_from_slice(&out[..written]);
                rest = &rest[read..];
                if rest.is_empty() && written < room {
                    break;
                }
            }
        }
        (all, unpack.is_complete())
    }

    #[test]
    fn frames_are_joined_however_they_are_cut() {
        let plain: Vec<u8> = (0..200_000u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
        let packed = [zst(&plain), zst(b"")].concat();
        let twice = [&packed[..], &packed[..]].concat();
        for (piece, room) in [(1, 1 << 20), (7, 1000), (1 << 20, 13), (1 << 20, 1 << 20)] {
            let (all, complete) = unpacked(&twice, piece, room);
            assert!(complete && all == [&plain[..], &plain[..]].concat(), "pieces of {piece}, room for {room}");
        }
        assert_eq!(unpacked(b"", 1, 10), (Vec::new(), true));
    }

    #[test]
    fn what_is_cut_or_broken_is_noticed() {
        let packed = zst(&b"one line\n".repeat(1000));
        for length in 1..packed.len() {
            assert!(!unpacked(&packed[..length], 5, 100).1, "{length} bytes");
        }
        let mut unpack = Unpack::new().expect("there is memory");
        let broken = [&packed[..], b"no frame"].concat();
        let mut room = vec![0; 1 << 16];
        let (read, written) = unpack.step(&packed, &mut room).expect("it is sound");
        assert_eq!((read, written), (packed.len(), 9000));
        assert!(unpack.step(&broken[read..], &mut room).is_err());
    }
}
