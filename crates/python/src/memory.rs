//! How much memory does the process keep that nothing uses?
//!
//! A check frees columns of many megabytes as it goes. Those of the core are kept for its next step, which never holds more for that
//! ([`Blocks`]). Python's own come from glibc, which takes the size of each freed block for what is usual here, and
//! serves blocks up to 32 MiB from its heap from then on, where holes stay with the process. With a fixed threshold they go back to
//! the system at once. Both hold for the whole process, so the program asks for it, and `import linpoint` does not.

use linpoint_base::{Blocks, give_kept_blocks_back, keep_large_blocks};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[global_allocator]
static BLOCKS: Blocks = Blocks;

/// Blocks from this size on are given back.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 1 << 20;
/// Of smaller ones so many bytes are kept in each heap: a monitor needs them again at its next look, and has to ask for each page of fresh memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const SPARE: i32 = 1 << 20;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe extern "C" {
    /// Sets a parameter of glibc's malloc; 1 if it could be set.
    fn mallopt(parameter: i32, value: i32) -> i32;
    /// Gives free pages back to the system but for so many bytes; 1 if there were any.
    fn malloc_trim(keep: usize) -> i32;
}

/// Did the program ask for it?
static GIVES_BACK: AtomicBool = AtomicBool::new(false);

/// Gives back what is free now, if the program asked for that and the system knows how. For what runs for ever: holes between what it keeps come and go, and
/// stay with the process; but whatever is given back has to be asked for again, page by page.
pub fn trim() {
    if !GIVES_BACK.load(Relaxed) {
        return;
    }
    give_kept_blocks_back();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: malloc_trim takes a number, looks at free memory only, and may be called at any time.
    unsafe {
        malloc_trim(0);
    }
}

/// Sees to it that large blocks are used again by the core, or else are given back when they are freed; says whether the system knows how.
#[pyfunction]
pub fn give_memory_back() -> bool {
    keep_large_blocks();
    GIVES_BACK.store(true, Relaxed);
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const M_TRIM_THRESHOLD: i32 = -1;
        const M_MMAP_THRESHOLD: i32 = -3;
        // SAFETY: mallopt takes two numbers and may be called at any time.
        unsafe { mallopt(M_MMAP_THRESHOLD, LARGE) == 1 && mallopt(M_TRIM_THRESHOLD, SPARE) == 1 }
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    false
}
