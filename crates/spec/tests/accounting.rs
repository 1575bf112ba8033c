//! Do specifications report the memory that their states take? To the byte, compared with the allocator.

#![cfg(not(feature = "collide"))]

use linpoint_history::read::{self, Format};
use linpoint_spec::heap::{Counts, End, Lists, Numbers, Sequences, Texts};
use linpoint_spec::{Code, Model, Options, Part};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what the system's allocator gives to this thread.
struct Counting;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: memory comes from the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.set(LIVE.get().wrapping_add(layout.size()));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get().wrapping_sub(layout.size()));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.set(LIVE.get().wrapping_sub(layout.size()).wrapping_add(size));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Grows a heap step by step; what it reports must be what the allocator gave, again and again.
fn is_exact<H>(name: &str, make: impl Fn() -> H, grow: impl Fn(&mut H, u32), bytes: impl Fn(&H) -> usize) {
    let empty = LIVE.get();
    let mut heap = make();
    for step in 0..3000 {
        grow(&mut heap, step);
        assert_eq!(bytes(&heap), LIVE.get().wrapping_sub(empty), "{name}, after {step} steps");
    }
    assert!(bytes(&heap) > 20_000, "{name}: {} bytes", bytes(&heap));
}

#[test]
fn heaps_report_what_they_hold() {
    let push = |heap: &mut Lists, step: u32| _ = heap.push(u64::from(step / 2), step % 7);
    is_exact("lists", Lists::default, push, Lists::bytes);
    let sequences = || {
        let mut heap = Sequences::default();
        heap.intern(&[]);
        heap
    };
    let both_ends = |heap: &mut Sequences, step: u32| {
        let end = if step.is_multiple_of(3) { End::Front } else { End::Back };
        heap.push(u64::from(step / 3), end, step % 5);
    };
    is_exact("sequences", sequences, both_ends, Sequences::bytes);
    let longer = |heap: &mut Sequences, step: u32| _ = heap.push(u64::from(step), End::Back, step % 5);
    is_exact("longer and longer sequences", sequences, longer, Sequences::bytes);
    let large = |heap: &mut Numbers, step: u32| _ = heap.intern((1i128 << 80) + i128::from(step / 2));
    is_exact("numbers", Numbers::default, large, Numbers::bytes);
    let crowd = |heap: &mut Counts, step: u32| {
        let full = heap.intern(&(0..60).map(|seat| seat * 60 + step / 50).collect::<Vec<u32>>());
        heap.insert(full, step);
    };
    is_exact("counts", || Counts::new(4096), crowd, Counts::bytes);
}

#[test]
fn appended_texts_are_reported_named_ones_are_not() {
    let mut texts = Texts::default();
    let pieces = ["a", "b", "ba"].map(|piece| texts.intern(piece));
    let named = LIVE.get();
    let mut last = pieces[0];
    for step in 0..2000 {
        last = texts.append(last, pieces[step % 3]);
        assert_eq!(texts.bytes(), LIVE.get().wrapping_sub(named), "after {step} appends");
    }
    assert!(texts.bytes() > 20_000);
}

/// The only part of a history of operations that are pending: their results are not asked for.
fn part(model: &str, operations: impl Iterator<Item = String>) -> Part {
    let line = |(process, operation): (usize, String)| {
        format!("{{\"process\":{process},{operation},\"call\":{process},\"type\":\"info\"}}\n")
    };
    let text: String = operations.enumerate().map(line).collect();
    let options = read::Options { format: Some(Format::Jsonl), ..read::Options::default() };
    let history = read::bytes(text.as_bytes(), "test", &options).expect("a history");
    let model = Model { name: model.into(), options: Options::default() };
    let mut parts = model.compile(&history, &history.values, false).expect("the model fits");
    parts.pop().expect("one part")
}

/// Fires operations from states reached before. What is reported grows as what is in use does.
fn walks_exactly(model: &str, part: &Part) {
    let mut spec = part.spec.fork();
    let mut states = Vec::with_capacity(1 << 16);
    states.push(spec.initial().expect("a state"));
    let mut next = Vec::with_capacity(1 << 12);
    let operations: Vec<Code> = part.codes.clone();
    let (reported, used) = (spec.bytes(), LIVE.get());
    for step in 0..20_000 {
        next.clear();
        let state = states[step / 8 % states.len()];
        spec.step(state, operations[step * 7 % operations.len()], &mut next).expect("it works");
        states.extend(next.iter().take((1 << 16) - states.len()));
    }
    let (reported, used) = (spec.bytes() - reported, LIVE.get().wrapping_sub(used));
    println!("{model}: {reported} reported, {used} used");
    assert!(used > 20_000, "{model}: only {used} used");
    assert!(reported.abs_diff(used) <= 1024, "{model}: {reported} reported, {used} used");
}

#[test]
fn models_report_what_their_states_take() {
    let values = |f: &'static str| (0..40).map(move |value| format!("\"f\":\"{f}\",\"value\":{value}"));
    walks_exactly("queue", &part("queue", values("enqueue")));
    walks_exactly("stack", &part("stack", values("push")));
    walks_exactly("bag", &part("bag", values("add")));
    let cells = (0..100).map(|key| format!("\"f\":\"write\",\"key\":{key},\"value\":{}", key % 9));
    walks_exactly("register", &part("register", cells));
    let appends = (0..40).map(|i| format!("\"f\":\"append\",\"key\":\"k\",\"value\":\"{i}-\""));
    walks_exactly("kv", &part("kv", appends));
    let adds = (0..40).map(|i| format!("\"f\":\"add\",\"value\":{}", (1i64 << 62) - i));
    walks_exactly("counter", &part("counter", adds));
}
