//! How is a long file of lines, or a long table, read by several threads, and read as by one?
//!
//! The text is cut at ends of lines, a table between two rows. Each piece is read into a builder with a table of values of its own; the calling thread appends
//! them in the order of the file and reads pieces itself while there is nothing to append. A line says nothing about another but
//! what the file as a whole is asked for: how values, lines and operations are numbered (so they are renumbered), whether all times
//! have a zone, and how many operations came before an annotation. So whatever is not plain is read *in place*, by the reader that
//! knows all before it: from the first piece on that a thread could not read, or that has an annotation, one thread reads the
//! rest. It finds the same mistake at the same line and column, or that a piece had only been stopped by the budget. What is read therefore does
//! not depend on the number of threads, nor on their luck, nor on where the text was cut.
//!
//! ```text
//!   pieces          0     1     2     3     4        appended: 0 1
//!   this thread     [##]          [######]           then 2, which the other has read meanwhile
//!   another         [########]  [####]   [##
//! ```
//!
//! Costs one pass, and one more over the distinct values of each piece. At most [`AHEAD`] pieces per thread wait to be appended.

use super::Options;
use super::cursor::{Cursor, Read, STOPPED, fault, newlines};
use super::jsonl::Lines;
use super::meter::{Meter, Watch as _};
use crate::Builder;
use crate::time::Clock;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of a piece: small enough that what is made of it stays in the cache.
const PIECE: usize = 1 << 18;
/// A shorter text is read before a thread would be running.
const LONG: usize = 8 * PIECE;
/// More threads would wait for the one that appends.
const MOST_THREADS: usize = 8;
/// So many pieces per thread may be read before they are appended.
const AHEAD: usize = 3;

/// How a text is cut, and among how many threads it is dealt.
pub(super) struct Cut {
    pub piece: usize,
    pub threads: usize,
}

impl Cut {
    /// As many threads as there are processors, for a long text.
    pub fn usual(text: &str) -> Cut {
        Cut { piece: PIECE, threads: if text.len() < LONG { 1 } else { processors() } }
    }
}

/// As many threads as are of use here.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS)
}

/// What is read in pieces.
pub(super) trait Pieces: Sync {
    /// Where the last piece ends.
    fn length(&self) -> usize;

    /// Where a piece that begins here ends: behind its beginning.
    fn end(&self, from: usize) -> usize;

    /// Reads a piece; false if it has to be read in place.
    fn read(&self, from: usize, to: usize, rows: &mut Rows<'_>) -> bool;
}

/// A file of lines.
struct Text<'t> {
    text: &'t str,
    options: &'t Options,
    piece: usize,
}

impl Pieces for Text<'_> {
    fn length(&self) -> usize {
        self.text.len()
    }

    fn end(&self, from: usize) -> usize {
        let rest = &self.text.as_bytes()[from..];
        let least = self.piece.clamp(1, rest.len());
        from + rest[least - 1..].iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| least + end)
    }

    fn read(&self, from: usize, to: usize, rows: &mut Rows<'_>) -> bool {
        rows.builder.clear();
        let mut lines = Lines::from(Cursor::piece(self.text, from, to, 1), self.options, &rows.meter);
        if lines.read_all(&mut rows.builder, &rows.meter).is_err() {
            return false;
        }
        rows.clock = std::mem::take(&mut lines.clock);
        rows.lines = newlines(&self.text.as_bytes()[from..to]) as u32;
        true
    }
}

/// Reads all lines.
pub(super) fn read(text: &str, options: &Options, meter: &Meter<'_>, cut: &Cut) -> Read<Builder> {
    let mut whole = Whole::default();
    let mut from = 0;
    if cut.threads > 1 {
        from = together(&Text { text, options, piece: cut.piece }, meter, cut.threads, &mut whole)?;
    }
    let Whole { mut builder, clock, lines } = whole;
    let cursor = Cursor::piece(text, from, text.len(), lines.saturating_add(1));
    let mut rest = Lines::from(cursor, options, meter);
    rest.clock = clock;
    rest.read_all(&mut builder, meter)?;
    Ok(builder)
}

/// What has been read up to some line.
#[derive(Default)]
pub(super) struct Whole {
    pub builder: Builder,
    pub clock: Clock,
    pub lines: u32,
}

/// What a piece says.
pub(super) struct Rows<'c> {
    pub builder: Builder,
    pub clock: Clock,
    pub lines: u32,
    /// What it holds is accounted for as long as it is there.
    pub meter: Meter<'c>,
}

/// The desk that all threads stand at.
struct Desk<'p, 'c, P> {
    pieces: &'p P,
    threads: usize,
    state: Mutex<State<'c>>,
    changed: Condvar,
}

#[derive(Default)]
struct State<'c> {
    /// Where the next piece begins that nobody reads yet.
    from: usize,
    /// The pieces that were begun, in order.
    begun: VecDeque<Begun<'c>>,
    /// How many pieces were taken away from the front of `begun`.
    gone: usize,
    /// To be used again.
    spare: Vec<Rows<'c>>,
    /// Nothing more shall be read.
    over: bool,
}

/// A piece that somebody reads, or has read.
struct Begun<'c> {
    from: usize,
    is_read: bool,
    /// What it says; None if it has to be read in place.
    rows: Option<Rows<'c>>,
}

/// What the thread that appends can do next.
enum Next<'c> {
    Append(Begun<'c>),
    Read(Task<'c>),
    Finished,
}

/// A piece to be read: its number, its ends, and what to read it into.
struct Task<'c> {
    number: usize,
    from: usize,
    to: usize,
    spare: Option<Rows<'c>>,
}

/// Reads with several threads as far as that goes; gives the place where the rest begins.
pub(super) fn together(pieces: &impl Pieces, meter: &Meter<'_>, threads: usize, whole: &mut Whole) -> Read<usize> {
    let desk = Desk { pieces, threads, state: Mutex::default(), changed: Condvar::new() };
    std::thread::scope(|scope| {
        let _closing = Closing(&desk); // also if this thread panics: the others would wait for it
        for _ in 1..threads {
            let (desk, accounts) = (&desk, meter.beside());
            let work = move || {
                while let Some(task) = desk.task() {
                    desk.work(task, &accounts);
                }
            };
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break; // fewer threads will do
            }
        }
        let mut names = Vec::new();
        loop {
            match desk.next() {
                Next::Finished => return Ok(pieces.length()),
                Next::Read(task) => desk.work(task, meter),
                Next::Append(Begun { from, rows: None, .. }) => return Ok(from),
                Next::Append(Begun { from, rows: Some(rows), .. }) => {
                    if !whole.clock.join(&rows.clock) {
                        return Ok(from);
                    }
                    whole.builder.values.adopt_all(&rows.builder.values, &mut names);
                    whole.builder.append(&rows.builder, &names, whole.lines);
                    whole.lines = whole.lines.saturating_add(rows.lines);
                    desk.lock().spare.push(rows);
                    meter.hold(&whole.builder);
                    if meter.expires(whole.builder.values.bytes()) {
                        return Err(fault(from, STOPPED));
                    }
                }
            }
        }
    })
}

/// Tells all threads to leave when it is dropped.
struct Closing<'d, 'p, 'c, P>(&'d Desk<'p, 'c, P>);

impl<P> Drop for Closing<'_, '_, '_, P> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).over = true;
        self.0.changed.notify_all();
    }
}

impl<'c, P: Pieces> Desk<'_, 'c, P> {
    fn lock(&self) -> MutexGuard<'_, State<'c>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next piece for a thread that only reads; None at the end.
    fn task(&self) -> Option<Task<'c>> {
        let mut state = self.lock();
        loop {
            if state.over || state.from == self.pieces.length() {
                return None;
            }
            if let Some(task) = self.begin(&mut state) {
                return Some(task);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What the thread that appends does next.
    fn next(&self) -> Next<'c> {
        let mut state = self.lock();
        loop {
            if state.begun.front().is_some_and(|first| first.is_read)
                && let Some(first) = state.begun.pop_front()
            {
                state.gone += 1;
                self.changed.notify_all(); // there is room for one more
                return Next::Append(first);
            }
            if state.begun.is_empty() && state.from == self.pieces.length() {
                return Next::Finished;
            }
            if let Some(task) = self.begin(&mut state) {
                return Next::Read(task);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Begins a piece, if there is one left and not too many wait. Whoever asks holds the lock, so each byte is looked at once for
    /// the end of a line, however long the lines are.
    fn begin(&self, state: &mut State<'c>) -> Option<Task<'c>> {
        let from = state.from;
        if from == self.pieces.length() || state.begun.len() >= AHEAD * self.threads {
            return None;
        }
        let to = self.pieces.end(from);
        state.from = to;
        state.begun.push_back(Begun { from, is_read: false, rows: None });
        let number = state.gone + state.begun.len() - 1;
        Some(Task { number, from, to, spare: state.spare.pop() })
    }

    /// Reads a piece and puts what it says on the desk. A reader that panics has it read in place, where it panics again.
    fn work(&self, task: Task<'c>, accounts: &Meter<'c>) {
        let Task { number, from, to, spare } = task;
        let rows = catch_unwind(AssertUnwindSafe(|| {
            let mut rows = spare.unwrap_or_else(|| {
                let (builder, clock, meter) = (Builder::new(), Clock::default(), accounts.beside());
                Rows { builder, clock, lines: 0, meter }
            });
            let is_plain = self.pieces.read(from, to, &mut rows) && rows.builder.annotations.is_empty();
            (is_plain && !rows.meter.expires(rows.builder.values.bytes())).then_some(rows)
        }));
        let mut state = self.lock();
        let place = number - state.gone;
        let begun = &mut state.begun[place];
        (begun.is_read, begun.rows) = (true, rows.ok().flatten());
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_base::{Cause, Control};

    /// What was read, ids and lines included; or the mistake with its place.
    fn told(text: &str, piece: usize, threads: usize) -> Result<String, String> {
        let control = Control::new(None, usize::MAX);
        let (options, meter) = (Options::default(), Meter::new(&control));
        let read = read(text, &options, &meter, &Cut { piece, threads });
        let builder = read.map_err(|fault| format!("{}: {}", fault.at, fault.message))?;
        let values: Vec<String> =
            (0..builder.values.len()).map(|id| builder.values.show(crate::ValueId(id as u32))).collect();
        let history = builder.finish().map_err(|complaint| format!("{complaint:?}"))?;
        let crate::History { process, f, key, value, result, status, call_time, return_time, .. } = &history;
        let ids = format!("{process:?} {f:?} {key:?} {value:?} {result:?} {status:?} {call_time:?} {return_time:?}");
        let crate::History { has_return, call, ret, extra, line, annotations, object, .. } = &history;
        Ok(format!("{values:?} {ids} {has_return:?} {call:?} {ret:?} {extra:?} {line:?} {annotations:?} {object:?}"))
    }

    /// The same from one thread and from several, whatever the size of a piece.
    fn agree(text: &str) -> Result<String, String> {
        let alone = told(text, usize::MAX, 1);
        for (piece, threads) in [(1, 2), (1, 3), (40, 2), (97, 3), (300, 4), (1 << 20, 2)] {
            assert_eq!(told(text, piece, threads), alone, "pieces of {piece} bytes, {threads} threads:\n{text}");
        }
        alone
    }

    /// The lines of a good history, of every kind that the format has; `seed` says which.
    fn lines(count: usize, mut seed: u64) -> Vec<String> {
        let mut roll = |sides: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % sides
        };
        let values = [
            "null",
            "1",
            "\"ü\\n\"",
            "[1,[2,\"x\"]]",
            "{\"a\":1,\"b\":{\"c\":null}}",
            "1.5",
            "true",
            "-7",
            "123456789012345678901",
        ];
        let line = |i: usize| {
            let (value, result, key) = (values[roll(9) as usize], values[roll(9) as usize], roll(3));
            let number = roll(2_000);
            match roll(12) {
                0 => String::new(),
                1 => "  # a remark".to_owned(),
                2 => format!("{{\"process\":{i},\"f\":\"w\",\"value\":{value},\"call\":{i}}}"),
                3 => format!(
                    "{{\"process\":\"p{i}\",\"f\":\"w\",\"value\":{number},\"call\":{i},\"return\":{i},\"type\":\"fail\",\"result\":{result}}}"
                ),
                4 => format!(
                    "{{ \"call\" : {i} , \"f\":\"r\",\"process\":{i},\"node\":{value},\"return\":{},\"result\":{result}}}  ",
                    i + 1
                ),
                5 => format!(
                    "{{\"process\":{i},\"f\":\"r\",\"key\":{key},\"call\":{i},\"return\":{},\"extra\":{{\"x{key}\":{value}}}}}",
                    i + 2
                ),
                _ => format!(
                    "{{\"process\":{i},\"f\":\"w\",\"value\":{number},\"result\":{result},\"call\":{i},\"return\":{}}}",
                    i + 3
                ),
            }
        };
        (0..count).map(line).collect()
    }

    #[test]
    fn good_files_are_read_alike() {
        for seed in 0..20 {
            let lines = lines(60, seed);
            let text = lines.join("\n");
            assert!(agree(&text).is_ok());
            assert!(agree(&(lines.join("\r\n") + "\r\n")).is_ok());
            assert!(agree(&format!("\n\n{text}\n \n")).is_ok());
        }
        assert!(agree("").unwrap().ends_with("[] [] None")); // no operation: complained about elsewhere
    }

    #[test]
    fn lines_that_lean_on_earlier_ones_are_read_alike() {
        let good = lines(40, 7);
        let odd = [
            r#"{"annotation":{"nemesis":"start"}}"#,
            r#"{"annotation":{"nemesis":"start"},"after":3}"#,
            r#"{"object":"queue"}"#,
            r#"{"process":"q","f":"w","call":0.5,"return":1e300}"#,
            r#"{"process":"q","f":"w","call":"2026-11-15T17:43:16Z","return":"2026-11-15T17:43:17Z"}"#,
            r#"{"process":"q","f":"w","call":"2026-11-15T17:43:16","return":null}"#,
        ];
        for (i, first) in odd.iter().enumerate() {
            for second in odd {
                let mut lines = good.clone();
                lines.insert(5 + i, (*first).to_owned());
                lines.insert(30 - i, second.replace("\"q\"", "\"z\""));
                let zones = [*first, second].map(|line| line.contains("T17").then(|| line.contains('Z')));
                let mixed = zones[0].is_some() && zones[1].is_some() && zones[0] != zones[1];
                assert_eq!(agree(&lines.join("\n")).is_err(), mixed, "{first} {second}");
            }
        }
    }

    #[test]
    fn the_first_mistake_of_the_file_is_found() {
        let good = lines(40, 3);
        let bad = [
            r#"{"process":1,"f":"w","value":{"b":1,"a":2,"a":3,"b":4},"call":1,"return":2}"#, // which of the two?
            r#"{"process":1,"f":"w","call":1,"return":2"#,
            r#"{"process":1,"f":"w","call":1,"ret":2}"#,
            r#"{"process":1,"f":"w","call":01}"#,
            r#"{"process":1,"f":"w","call":1,"return":2} {}"#,
            r#"{"process":1,"f":"never closed"#,
            "nonsense",
            r#"{"f":"w","call":1}"#,
        ];
        for (i, first) in bad.iter().enumerate() {
            for place in [0, 13, 39] {
                let mut lines = good.clone();
                lines.insert(place, (*first).to_owned());
                lines.push(bad[(i + 1) % bad.len()].to_owned());
                let (text, at) = (lines.join("\n"), lines[..place].iter().map(|line| line.len() + 1).sum::<usize>());
                let message = agree(&text).expect_err(first);
                let found: usize = message.split(':').next().and_then(|at| at.parse().ok()).expect("a place");
                assert!((at..=at + first.len()).contains(&found), "{message}");
            }
        }
    }

    #[test]
    fn long_lines_are_looked_through_once() {
        let long = format!(r#"{{"process":1,"f":"w","value":"{}","call":1,"return":2}}"#, "x".repeat(100_000));
        assert!(agree(&format!("{long}\n{}", long.replace("\"process\":1", "\"process\":2"))).is_ok());
        assert!(agree(&long[..long.len() - 9]).is_err());
    }

    #[test]
    fn the_budget_counts_for_all_threads() {
        let line = |i: usize| {
            format!(
                "{{\"process\":0,\"f\":\"w\",\"value\":\"text {i}\",\"call\":{},\"return\":{}}}\n",
                2 * i,
                2 * i + 1
            )
        };
        let text: String = (0..30_000).map(line).collect();
        let cut = Cut { piece: 10_000, threads: 3 };
        let stopped = |control: &Control| {
            let (options, meter) = (Options::default(), Meter::new(control));
            let read = read(&text, &options, &meter, &cut);
            (read.map(|builder| builder.len()).map_err(|fault| fault.message), meter.stopped())
        };
        assert_eq!(stopped(&Control::new(None, usize::MAX)), (Ok(30_000), None));
        let memory = Control::new(None, 1_000_000);
        assert_eq!(stopped(&memory), (Err(STOPPED.to_owned()), Some(Cause::Memory)));
        assert_eq!(memory.held(), 0, "everything is given back");
        let interrupted = Control::new(None, usize::MAX);
        interrupted.interrupt();
        assert_eq!(stopped(&interrupted), (Err(STOPPED.to_owned()), Some(Cause::Interrupted)));
    }
}
