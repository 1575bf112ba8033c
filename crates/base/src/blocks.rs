//! Where does the next column get its memory from? From the last one that was freed.
//!
//! A check of a million operations fills and frees columns of many megabytes, one step after the other. Fresh memory has to be asked for page by
//! page, at the first touch of each: two microseconds for four kilobytes, which was a quarter of the time of such a check. So large
//! blocks that are freed are kept, and given to whoever asks next: the smallest that is large enough, cut to size.
//!
//! Before fresh memory is asked for, as much of what is kept goes back to the system: what is kept adds little to the most that the process has
//! ever held. A library that somebody imports keeps a few blocks only; a program may keep all ([`keep_large_blocks`]).
//!
//! Only for Linux on the usual processors; elsewhere everything is left to the system's own allocator. O(kept blocks) per large block, of
//! which there are a few dozen per check.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Blocks from this size on are large.
const LARGE: usize = 1 << 20;
/// Sizes of large blocks are multiples of this, which every system's pages divide.
const GRAIN: usize = 1 << 16;
/// So many blocks are kept.
const MOST: usize = 64;
/// So many bytes of them, unless a program asks for more.
const FEW: usize = 64 << 20;

/// The allocator.
pub struct Blocks;

static KEPT: Mutex<Kept> = Mutex::new(Kept::new(FEW));

/// From now on all large blocks that are freed are kept for the next who asks.
pub fn keep_large_blocks() {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).limit = usize::MAX;
}

/// Gives back to the system what is kept now, unless somebody is at it.
pub fn give_kept_blocks_back() {
    if let Some(mut kept) = Kept::free_to_use() {
        kept.give_back(usize::MAX);
    }
}

/// Blocks that nobody uses: where each begins, and its length.
struct Kept {
    blocks: [(usize, usize); MOST],
    count: usize,
    /// Their bytes, and how many there may be.
    bytes: usize,
    limit: usize,
}

impl Kept {
    const fn new(limit: usize) -> Kept {
        Kept { blocks: [(0, 0); MOST], count: 0, bytes: 0, limit }
    }

    /// What is kept, unless somebody else is at it. Nobody waits: a process that was forked meanwhile would wait for ever.
    fn free_to_use() -> Option<MutexGuard<'static, Kept>> {
        match KEPT.try_lock() {
            Ok(kept) => Some(kept),
            Err(TryLockError::Poisoned(kept)) => Some(kept.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// A block of this length, if one is large enough; otherwise as much goes back to the system as will be asked from it.
    fn take(&mut self, length: usize) -> Option<usize> {
        let fits = (0..self.count).filter(|&place| self.blocks[place].1 >= length);
        if let Some(place) = fits.min_by_key(|&place| self.blocks[place].1) {
            let (from, room) = self.blocks[place];
            self.bytes -= length;
            if room > length {
                self.blocks[place] = (from + length, room - length);
            } else {
                self.remove(place);
            }
            return Some(from);
        }
        self.give_back(length);
        None
    }

    /// Gives blocks of so many bytes back to the system, as far as there are any.
    fn give_back(&mut self, mut length: usize) {
        while length > 0 && self.count > 0 {
            let (from, room) = self.blocks[self.count - 1];
            let part = room.min(length);
            system::unmap(from + room - part, part);
            self.bytes -= part;
            length -= part;
            if part < room {
                self.blocks[self.count - 1] = (from, room - part);
            } else {
                self.count -= 1;
            }
        }
    }

    fn remove(&mut self, place: usize) {
        self.count -= 1;
        self.blocks[place] = self.blocks[self.count];
    }

    /// Keeps a block, together with those that it touches; false if there are too many.
    fn keep(&mut self, mut from: usize, mut length: usize) -> bool {
        if self.count == MOST || length > self.limit - self.bytes {
            return false;
        }
        self.bytes += length;
        let mut place = 0;
        while place < self.count {
            let (other, room) = self.blocks[place];
            if other + room == from || from + length == other {
                (from, length) = (from.min(other), length + room);
                self.remove(place);
            } else {
                place += 1;
            }
        }
        self.blocks[self.count] = (from, length);
        self.count += 1;
        true
    }
}

fn is_large(layout: Layout) -> bool {
    system::IS_KNOWN && layout.size() >= LARGE && layout.align() <= 4096 && layout.size() <= isize::MAX as usize - GRAIN
}

fn grains(size: usize) -> usize {
    size.next_multiple_of(GRAIN)
}

/// A large block, and whether it is fresh: all zero.
fn large(size: usize) -> (*mut u8, bool) {
    let length = grains(size);
    let kept = Kept::free_to_use().and_then(|mut kept| kept.take(length));
    match kept {
        Some(from) => (from as *mut u8, false),
        None => (system::map(length).map_or(null_mut(), |from| from as *mut u8), true),
    }
}

/// Frees a large block, or a part of one.
fn free(from: usize, length: usize) {
    let is_kept = length == 0 || Kept::free_to_use().is_some_and(|mut kept| kept.keep(from, length));
    if !is_kept {
        system::unmap(from, length);
    }
}

// SAFETY: what is not large is the system's allocator. A large block is a range of whole pages that was mapped to be read and written, and
// belongs to nobody else: ranges are cut from what was freed under a lock, and what is kept or unmapped was given up by its owner. Which of the two a
// block is depends on its layout alone, which the caller gives again.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            return large(layout.size()).0;
        }
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_large(layout) {
            // SAFETY: as the caller promises.
            return unsafe { System.alloc_zeroed(layout) };
        }
        let (block, is_fresh) = large(layout.size());
        if !is_fresh {
            // SAFETY: the block is ours, and has this size.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_large(layout) {
            free(block as usize, grains(layout.size()));
        } else {
            // SAFETY: as the caller promises.
            unsafe { System.dealloc(block, layout) };
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size, rounded up to the alignment, is no more than isize::MAX.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_large(layout), is_large(wanted)) {
            // SAFETY: as the caller promises.
            (false, false) => return unsafe { System.realloc(block, layout, size) },
            (true, true) => {
                let (before, after) = (grains(layout.size()), grains(size));
                if after <= before {
                    free(block as usize + after, before - after);
                    return block;
                }
                if let Some(mut kept) = Kept::free_to_use() {
                    kept.give_back(after - before);
                }
                if let Some(moved) = system::remap(block as usize, before, after) {
                    return moved as *mut u8;
                }
            }
            _ => {}
        }
        // SAFETY: both blocks are as large as is copied, and the old one is given up.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system {
    use std::ffi::{c_int, c_void};
    use std::ptr::null_mut;

    pub const IS_KNOWN: bool = true;
    const READ_WRITE: c_int = 1 | 2;
    const PRIVATE_ANONYMOUS: c_int = 0x02 | 0x20;
    const MAY_MOVE: c_int = 1;

    unsafe extern "C" {
        fn mmap(at: *mut c_void, length: usize, access: c_int, kind: c_int, file: c_int, offset: i64) -> *mut c_void;
        fn munmap(from: *mut c_void, length: usize) -> c_int;
        fn mremap(from: *mut c_void, before: usize, after: usize, how: c_int, ...) -> *mut c_void;
    }

    fn found(block: *mut c_void) -> Option<usize> {
        Some(block as usize).filter(|&block| block != usize::MAX)
    }

    /// Fresh pages, all zero.
    pub fn map(length: usize) -> Option<usize> {
        // SAFETY: a private mapping at a place that the system chooses touches nobody's memory.
        found(unsafe { mmap(null_mut(), length, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0) })
    }

    /// Gives pages back that nobody uses.
    pub fn unmap(from: usize, length: usize) {
        // SAFETY: the caller owns the pages, and gives them up. Should the system refuse, they stay mapped and unused.
        unsafe { munmap(from as *mut c_void, length) };
    }

    /// Makes a block longer, at another place if need be; None if it stays as it was.
    pub fn remap(from: usize, before: usize, after: usize) -> Option<usize> {
        // SAFETY: the caller owns the pages; where they move, nobody else is.
        found(unsafe { mremap(from as *mut c_void, before, after, MAY_MOVE) })
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod system {
    pub const IS_KNOWN: bool = false;

    pub fn map(_: usize) -> Option<usize> {
        None
    }

    pub fn unmap(_: usize, _: usize) {}

    pub fn remap(_: usize, _: usize, _: usize) -> Option<usize> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block whose bytes are known.
    struct Known {
        block: *mut u8,
        layout: Layout,
        byte: u8,
    }

    impl Known {
        fn new(size: usize, byte: u8, zeroed: bool) -> Known {
            let layout = Layout::from_size_align(size, 8).expect("a layout");
            // SAFETY: the size is not zero, and the bytes are within the block.
            unsafe {
                let block = if zeroed { Blocks.alloc_zeroed(layout) } else { Blocks.alloc(layout) };
                assert!(!block.is_null());
                if zeroed {
                    assert!((0..size).step_by(997).all(|at| block.add(at).read() == 0), "zeroed");
                }
                block.write_bytes(byte, size);
                Known { block, layout, byte }
            }
        }

        fn check(&self, length: usize) {
            // SAFETY: within the block.
            let is_known = |at: usize| unsafe { self.block.add(at).read() } == self.byte;
            assert!((0..length).step_by(509).chain(length.checked_sub(1)).all(is_known), "somebody else wrote here");
        }

        fn resize(&mut self, size: usize) {
            // SAFETY: the layout is that of the block, the new size is not zero, and the bytes are within the block.
            unsafe {
                self.block = Blocks.realloc(self.block, self.layout, size);
                assert!(!self.block.is_null());
                self.check(self.layout.size().min(size));
                self.block.write_bytes(self.byte, size);
            }
            self.layout = Layout::from_size_align(size, 8).expect("a layout");
        }

        fn free(self) {
            self.check(self.layout.size());
            // SAFETY: the layout is that of the block.
            unsafe { Blocks.dealloc(self.block, self.layout) };
        }
    }

    fn kept() -> Vec<(usize, usize)> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.blocks[..kept.count].to_vec()
    }

    /// Several threads, sizes on both sides of what is large: nobody's bytes change, and zeroed blocks are zero.
    #[test]
    fn blocks_belong_to_one_at_a_time() {
        keep_large_blocks();
        let work = |seed: u64| {
            let mut state = seed;
            let mut roll = |sides: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % sides
            };
            let mut held: Vec<Known> = Vec::new();
            for round in 0..400 {
                let size = [LARGE - 1, LARGE, LARGE + 1, 2 * LARGE, 1 + roll(4 * LARGE)][roll(5)];
                if roll(50) == 0 {
                    give_kept_blocks_back();
                }
                match roll(4) {
                    0 | 1 if held.len() < 6 => held.push(Known::new(size, (seed * 31 + round) as u8 | 1, roll(2) == 0)),
                    2 if !held.is_empty() => {
                        let place = roll(held.len());
                        held[place].resize(size);
                    }
                    _ if !held.is_empty() => held.swap_remove(roll(held.len())).free(),
                    _ => {}
                }
                for known in &held {
                    known.check(known.layout.size());
                }
            }
            held.into_iter().for_each(Known::free);
        };
        std::thread::scope(|scope| (1..4).for_each(|seed| _ = scope.spawn(move || work(seed))));
        let mut blocks = kept();
        blocks.sort_unstable();
        assert!(blocks.iter().all(|&(from, length)| from % 4096 == 0 && length % GRAIN == 0 && length > 0));
        assert!(blocks.windows(2).all(|pair| pair[0].0 + pair[0].1 < pair[1].0), "apart, and those that touch are one");
    }

    /// As after a fork in the middle of an allocation of another thread: there are blocks to be had and to be freed nevertheless.
    #[test]
    fn nobody_waits_for_the_kept_ones() {
        let _held = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = Known::new(LARGE, 7, true);
        known.resize(3 * LARGE);
        known.resize(2 * LARGE);
        known.free();
    }

    #[test]
    fn the_smallest_block_that_fits_is_cut() {
        let mut kept = Kept::new(100_000);
        assert_eq!(kept.take(10), None);
        for block in [(1_000, 50), (2_000, 20), (3_000, 30)] {
            assert!(kept.keep(block.0, block.1));
        }
        assert_eq!(kept.take(20), Some(2_000));
        assert_eq!(kept.take(25), Some(3_000));
        assert_eq!(kept.take(5), Some(3_025));
        assert!(kept.keep(1_050, 50)); // touches the first one
        assert_eq!((kept.count, kept.blocks[0]), (1, (1_000, 100)));
        assert!(kept.keep(900, 50));
        assert!(kept.keep(950, 50)); // touches both
        assert_eq!((kept.count, kept.blocks[0]), (1, (900, 200)));
        for place in 1..MOST {
            assert!(kept.keep(10_000 * place, 1));
        }
        assert!(!kept.keep(9_000_000, 1), "there is no room for more");
        assert_eq!((kept.count, kept.bytes), (MOST, 200 + MOST - 1));
        assert_eq!(kept.take(200), Some(900));
        assert!(!kept.keep(20, 100_000), "these would be too many bytes");
        assert!(kept.keep(20, 100_000 - MOST + 1));
    }
}
