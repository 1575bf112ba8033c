//! No input makes reading cost more than linear memory traffic: allocations and bytes are counted, not time.
//!
//! A step that allocates per element what belongs to the whole (a list copied for each of its parts, a map sorted anew for each of
//! its keys, a table that grows by a constant) shows here as a ratio of sixteen instead of four. Comparisons of values that
//! collide are counted in `value.rs`, and values read in `budget.rs`.

use linpoint_history::read::{self, Format, Options};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// (allocations, bytes) of this thread.
    static COUNT: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

struct Counting;

// SAFETY: every call is handed on to the system's allocator as it is; counting touches no memory that is allocated.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set((count.get().0 + 1, count.get().1 + layout.size() as u64)));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What reading the text costs, however it ends.
fn cost(text: &str, format: Format) -> (u64, u64) {
    let before = COUNT.get();
    let _ = read::bytes(text.as_bytes(), "file", &Options { format: Some(format), ..Options::default() });
    let after = COUNT.get();
    (after.0 - before.0, after.1 - before.1)
}

/// Files that once made, or might make, some reader quadratic.
fn hostile(many: usize) -> Vec<String> {
    let numbered = |pattern: &str| (0..many).map(|i| pattern.replace('$', &i.to_string())).collect::<String>();
    vec![
        format!("[{}]", "{:process :nemesis :type :info} ".repeat(many)),
        format!("{{\"process\":0,\"f\":\"w\",\"value\":[{}1],\"call\":0}}", "1,".repeat(many)),
        format!("[{{:process 0 :type :invoke :f :w :value #{{{}}}}}]", numbered("$ ")),
        format!("{{\"value\":{{{}\"a\":0}},\"process\":0,\"f\":\"w\",\"call\":0}}", numbered("\"$\":0,")),
        "\t:".repeat(many) + "\n",
        "0\t:invoke\t:w\t".to_owned() + &"\t".repeat(many),
        "0 :invoke :w ".to_owned() + &"[".repeat(50) + &" 1".repeat(many),
        "#".repeat(many),
        "# x\n".repeat(many),
        format!("{}{{}}", "#_1 ".repeat(many)),
        numbered("[$] call f\n"),
        numbered("{\"process\":$,\"f\":\"w\",\"call\":$,\"return\":1e-$,\"end\":1}\n"),
        numbered("{\"process\":$,\"f\":\"w\",\"call\":$.5}\n"),
        numbered("{\"process\":$,\"type\":\"invoke\",\"f\":\"w\",\"time\":$}\n"),
        "\"".repeat(many),
        "\\".repeat(many),
    ]
}

#[test]
fn a_file_costs_memory_traffic_linear_in_its_size() {
    let (some, many) = (hostile(5_000), hostile(20_000));
    for (small, large) in some.iter().zip(&many) {
        for format in Format::ALL {
            let (one, four) = (cost(small, format), cost(large, format));
            let start: String = small.chars().take(60).collect();
            assert!(four.0 <= 5 * one.0 + 1000, "{format:?}, {start:?}: {} allocations, then {}", one.0, four.0);
            assert!(four.1 <= 7 * one.1 + 100_000, "{format:?}, {start:?}: {} bytes, then {}", one.1, four.1);
        }
    }
}
