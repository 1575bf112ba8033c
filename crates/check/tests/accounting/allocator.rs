//! An allocator that counts, and compares what an engine reports with what it holds.
//!
//! Between two calls of the allocator the memory in use does not change. So when the report has changed since the last call, the
//! poll was made with exactly the memory that is in use now: the two are noted as a pair. Only reports higher than all before are
//! noted, for an engine that ends closes its account before it gives its memory back. Everything is counted per thread.

use linpoint_check::Control;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what the system's allocator gives.
pub struct Counting;

/// How many pairs are noted at most.
const MOST: usize = 1024;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    static WATCHED: Cell<*const Control> = const { Cell::new(std::ptr::null()) };
    static HIGHEST: Cell<i64> = const { Cell::new(0) };
    static PAIRS: [Cell<(i64, i64)>; MOST] = const { [const { Cell::new((0, 0)) }; MOST] };
    static NOTED: Cell<usize> = const { Cell::new(0) };
}

fn count(change: i64) {
    let live = LIVE.get();
    LIVE.set(live + change);
    PEAK.set(PEAK.get().max(live + change));
    if WATCHED.get().is_null() {
        return;
    }
    // SAFETY: it points to a control that lives until `measured` has cleared the pointer.
    let held = unsafe { &*WATCHED.get() }.held() as i64;
    if held > HIGHEST.replace(held.max(HIGHEST.get())) {
        let place = NOTED.replace(NOTED.get() + 1);
        PAIRS.with(|pairs| pairs[place % MOST].set((live, held)));
    }
}

// SAFETY: memory comes from the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// What was seen while an engine ran.
pub struct Measured<T> {
    /// What it gave.
    pub given: T,
    /// The most that was in use at once, beside what was in use before.
    pub peak: i64,
    /// The most that was reported.
    pub reported: i64,
    /// (in use, reported) at each poll that reported more than all before: the last ones, if there are many.
    pub pairs: Vec<(i64, i64)>,
}

/// Runs `engine`, which reports to `control`.
pub fn measured<T>(control: &Control, engine: impl FnOnce() -> T) -> Measured<T> {
    let before = LIVE.get();
    PEAK.set(before);
    HIGHEST.set(0);
    NOTED.set(0);
    WATCHED.set(control);
    let given = engine();
    WATCHED.set(std::ptr::null());
    let peak = PEAK.get() - before;
    let pair = |pair: &Cell<(i64, i64)>| (pair.get().0 - before, pair.get().1);
    let pairs = PAIRS.with(|pairs| pairs.iter().take(NOTED.get()).map(pair).collect());
    Measured { given, peak, reported: HIGHEST.get(), pairs }
}
