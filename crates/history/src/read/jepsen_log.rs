//! Jepsen's logs, old and new, and its `history.txt`: one event per line, its columns between tabs or runs of spaces.
//!
//! ```text
//! INFO  jepsen.util - 0⇥:invoke⇥:read⇥nil
//! INFO [2017-03-31 19:34:47,351] jepsen worker 4 - jepsen.util 4⇥:info⇥:cas⇥[4 4]⇥:timeout
//! INFO  jepsen.util - 1   :invoke :write  3
//! 0⇥:ok⇥:read⇥3
//! ```
//!
//! An event is a process (a number or a keyword), a type and a name; whatever the logger put before it does not matter.
//! Other lines of a log are chatter and are skipped, but nothing that looks like an event is ([`Sight::Damaged`]): one lost
//! event turns a violation into a history that looks sound. A file that begins with a bare event is a `history.txt`, and
//! there every line must be one. An error may stand in the value of an `:info` or a `:fail` (`:timed-out`), or
//! in a column of its own; one that is not EDN is kept as text.

use super::Options;
use super::cursor::{Cursor, Fault, LOOK, Quoted, Read, STOPPED, fault};
use super::edn::Edn;
use super::entry::Entry;
use super::events::Pairing;
use super::lookalike::one_slip;
use super::meter::Watch;
use crate::{Builder, ValueId, Values};

/// The types of events.
const TYPES: [&str; 4] = [":invoke", ":ok", ":fail", ":info"];

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// An event: where its process and its type stand.
    Event { process: (usize, usize), kind: (usize, usize) },
    /// It looks like an event, from this byte on, but has no process before its type.
    Damaged(usize),
    /// Something else that was logged.
    Chatter,
}

/// Reads all events.
pub(super) fn read(text: &str, options: &Options, watch: &dyn Watch) -> Read<Builder> {
    let mut pairing = Pairing::new(options);
    let mut entry = Entry::new();
    let mut start = 0;
    let mut bare = None; // is it a `history.txt`? Known from its first line that is not blank
    for (number, line) in text.split('\n').enumerate() {
        let length = line.len() + 1;
        let line = line.trim_end_matches('\r');
        let sight = sight(line);
        if bare.is_none() && !line.trim().is_empty() {
            bare.get_or_insert(matches!(sight, Sight::Event { process: (0, _), .. }));
        }
        match sight {
            Sight::Event { process, kind } => {
                entry.start(start, u32::try_from(number + 1).unwrap_or(u32::MAX));
                let shift = |(from, to): (usize, usize)| (start + from, start + to);
                event(text, shift(process), shift(kind), start + line.len(), pairing.values(), &mut entry)?;
                pairing.take(&mut entry)?;
            }
            Sight::Damaged(at) => return Err(damaged(line, at, start)),
            Sight::Chatter if bare == Some(true) && !line.trim().is_empty() => {
                let at = line.len() - line.trim_start().len();
                return Err(Cursor::within(text, start + at, start + line.len()).expected("process⇥:type⇥:f⇥value"));
            }
            Sight::Chatter => {}
        }
        if number as u32 % LOOK == LOOK - 1 {
            watch.hold(pairing.builder());
            if watch.stops(pairing.values().bytes()) {
                return Err(fault(start, STOPPED));
            }
        }
        start += length;
    }
    let builder = pairing.finish()?;
    if builder.is_empty() && builder.annotations.is_empty() {
        return Err(fault(0, "no line is an event: expected process⇥:type⇥:f⇥value"));
    }
    Ok(builder)
}

/// What the line is.
pub(super) fn sight(line: &str) -> Sight {
    tabbed(line).unwrap_or_else(|| words(line))
}

/// The event of a line whose process and type have a tab between them, as nearly all have.
fn tabbed(line: &str) -> Option<Sight> {
    let tab = line.find("\t:")?;
    let start = line[..tab].rfind([' ', '\t']).map_or(0, |space| space + 1);
    if !is_number(&line[start..tab]) {
        return None;
    }
    let end = line[tab + 1..].find([' ', '\t']).map_or(line.len(), |length| tab + 1 + length);
    Some(Sight::Event { process: (start, tab), kind: (tab + 1, end) })
}

/// What any other line is. One pass over its words.
fn words(line: &str) -> Sight {
    let mut damage = None;
    let mut before: Option<(usize, usize)> = None;
    let mut depth = 0usize; // of brackets that are open: in a map that was printed, `:ok` is no event
    let mut at = 0;
    while let Some((start, end)) = next_word(line, at) {
        let word = &line[start..end];
        let after = before.map_or("", |(from, to)| &line[from..to]);
        if word.starts_with(':') {
            let tabbed = line[at..start].contains('\t');
            let named = TYPES.contains(&word);
            let follows = || next_word(line, end).is_some_and(|(next, to)| is_column(&line[next..to]));
            let expected = || follows() || is_logged(&line[..before.map_or(0, |(from, _)| from)]);
            if is_process(after)
                && after != ":type"
                && (tabbed || depth == 0 && (named || is_number(after) && expected()))
            {
                return Sight::Event { process: before.unwrap_or_default(), kind: (start, end) };
            }
            let glued = || TYPES.iter().any(|kind| word.strip_prefix(kind).is_some_and(|rest| rest.contains(':')));
            let open = after.ends_with(['[', '(', '{']); // Clojure prints no space there
            let looks = tabbed || (named || glued()) && (depth == 0 || open || line[end..].starts_with('\t'));
            if looks && after != ":type" {
                damage = damage.or(Some(start)); // no process before it, or a name that is glued to it: `:invoke:read`
            }
        } else if let Some(kind) = TYPES.iter().find_map(|kind| word.strip_suffix(kind).map(str::len))
            && (depth == 0 || line[end..].starts_with('\t'))
        {
            damage = damage.or(Some(start + kind)); // a type that is glued to something: `0:invoke`
        } else if depth == 0
            && next_word(line, end).is_some_and(|(next, _)| line[next..].starts_with(':'))
            && (type_without_colon(word).is_some_and(|from| from > 0 || is_process(after) || after == ":")
                || is_number(after) && is_logged(&line[..before.map_or(0, |(from, _)| from)]))
        {
            damage = damage.or(Some(start)); // `3 invoke :read nil`, `3invoke :read nil`, `3 #invoke :read nil`
        }
        for byte in word.bytes() {
            match byte {
                b'[' | b'(' | b'{' => depth += 1,
                b']' | b')' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        (before, at) = (Some((start, end)), end);
    }
    if let Some((start, end)) = before
        && is_number(&line[start..end])
        && line[..start].contains("jepsen.util")
        && is_logged(&line[..start])
    {
        damage = damage.or(Some(start)); // nothing is left of the event but its process
    }
    damage.map_or(Sight::Chatter, Sight::Damaged)
}

/// Where in a word without colon the name of a type begins: at its start, or behind what is no letter. It may be one slip away
/// from a name, except from `ok`, which half of all short words are.
fn type_without_colon(word: &str) -> Option<usize> {
    let name = word.trim_start_matches(|c: char| !c.is_alphabetic());
    let meant = |kind: &&str| name == &kind[1..] || kind.len() > 3 && one_slip(name, &kind[1..]);
    TYPES.iter().any(meant).then(|| word.len() - name.len())
}

/// Is this what Jepsen's logger puts before an event, or nothing at all?
fn is_logged(head: &str) -> bool {
    let head = head.trim_end().trim_end_matches(['-', ':']).trim_end();
    head.is_empty() || head.ends_with("jepsen.util")
}

/// May it be what follows the type, or the name, of an event: a keyword, or the start of a value?
fn is_column(word: &str) -> bool {
    word.starts_with([':', '[', '"']) || is_number(word) || matches!(word, "nil" | "true" | "false")
}

/// Where the next word from byte `at` on starts and ends.
fn next_word(line: &str, at: usize) -> Option<(usize, usize)> {
    let rest = &line[at..];
    let start = at + rest.find(|c| c != ' ' && c != '\t')?;
    Some((start, line[start..].find([' ', '\t']).map_or(line.len(), |length| start + length)))
}

/// May it be the process of an event? (A keyword is a bystander such as `:nemesis`.)
fn is_process(word: &str) -> bool {
    let keyword = word.strip_prefix(':').is_some_and(|name| !name.is_empty() && !is_number(name));
    is_number(word) || keyword && !TYPES.contains(&word)
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// A complaint about a line that looks like an event from byte `at` on; the line starts at byte `start`.
pub(super) fn damaged(line: &str, at: usize, start: usize) -> Box<Fault> {
    let found = Quoted(line[at..].trim()).to_string();
    fault(start + at, format!("this looks like an event: expected process⇥:type⇥:f⇥value, found {found}"))
}

/// Reads the event of a line that ends before byte `end` into `entry`.
pub(super) fn event(
    text: &str,
    process: (usize, usize),
    kind: (usize, usize),
    end: usize,
    values: &mut Values,
    entry: &mut Entry,
) -> Read<()> {
    entry.bystander = text[process.0..].starts_with(':');
    entry.process = only_value(text, process.0, process.1, values)?;
    let tabbed = text[kind.1..end].starts_with('\t');
    let mut columns = Columns { text, from: kind.0, end, tabbed };
    let (kind, f) = (columns.next(values), columns.next(values));
    entry.kind = only_value(text, kind.0, kind.1, values)?;
    if f.0 == end {
        return Err(Cursor::within(text, end, end).expected("the name of the operation"));
    }
    entry.f = only_value(text, f.0, f.1, values)?;
    let strict = !entry.bystander && !matches!(values.as_text(entry.kind), Some("info" | "fail"));
    let value = columns.next(values);
    if value.0 < value.1 {
        entry.value = match only_value(text, value.0, value.1, values) {
            Err(fault) if strict => return Err(fault),
            Err(_) => values.text(&text[value.0..value.1]),
            Ok(id) => id,
        };
    } else if strict {
        return Err(Cursor::within(text, end, end).expected("a value (nil if there is none)"));
    }
    let error = text[columns.from..end].trim();
    if error.is_empty() {
        return Ok(());
    }
    let from = end - text[columns.from..end].trim_start().len();
    if strict && !tabbed {
        return Err(Cursor::within(text, from, end).expected("the end of the line after the value"));
    }
    let id = only_value(text, from, end, values).unwrap_or_else(|_| values.text(error));
    entry.extra.push((values.text("error"), id));
    Ok(())
}

/// The columns of a line from byte `from` on: what stands between tabs, or one EDN value after another.
struct Columns<'a> {
    text: &'a str,
    from: usize,
    end: usize,
    tabbed: bool,
}

impl Columns<'_> {
    /// Where the next column starts and ends; both are the end of the line if there is none.
    fn next(&mut self, values: &mut Values) -> (usize, usize) {
        let (text, end) = (self.text, self.end);
        if self.tabbed {
            let from = self.from;
            let to = text[from..end].find('\t').map_or(end, |length| from + length);
            self.from = (to + 1).min(end);
            return (from, to);
        }
        let from = end - text[self.from..end].trim_start().len();
        let mut edn = Edn::new(Cursor::within(text, from, end));
        let sound = from < end && edn.value(values).is_ok();
        // What is not EDN, such as the words of an exception, is one column to its end.
        let to = if sound { edn.cursor.at } else { end };
        self.from = to;
        (from, to)
    }
}

/// The one EDN value of `from..to`.
fn only_value(text: &str, from: usize, to: usize, values: &mut Values) -> Read<ValueId> {
    let mut edn = Edn::new(Cursor::within(text, from, to));
    let id = edn.value(values)?;
    edn.blank(values)?;
    match edn.cursor.peek() {
        None => Ok(id),
        Some(_) => Err(edn.cursor.expected("a tab or the end of the line")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_event(line: &str) -> bool {
        matches!(sight(line), Sight::Event { .. })
    }

    #[test]
    fn finding_27_columns_may_be_separated_by_runs_of_spaces() {
        assert!(is_event("INFO  jepsen.util - 1   :invoke :write  3"));
        assert!(is_event("2021-01-01 10:00:00,000{GMT}\tINFO\t[worker 0] jepsen.util: 0\t:invoke\t:read\tnil"));
        assert!(is_event(":nemesis :info :start nil"));
        assert_eq!(sight("  0  :ok"), Sight::Event { process: (2, 3), kind: (5, 8) });
        assert!(is_event("INFO jepsen.util - 7 :inwoke :read nil"), "read, and then refused for its type");
    }

    #[test]
    fn finding_23_what_looks_like_an_event_is_not_chatter() {
        assert_eq!(sight("0X:invoke\t:read\tnil"), Sight::Damaged(2));
        assert_eq!(sight("INFO - 0:ok"), Sight::Damaged(8));
        assert_eq!(sight("{0\t:invoke\t:read\tnil"), Sight::Damaged(3));
        assert_eq!(sight("x :fail :read nil"), Sight::Damaged(2));
        assert_eq!(sight(":invoke\t:read\tnil"), Sight::Damaged(0));
        assert_eq!(sight(":0\t:invoke\t:read\tnil"), Sight::Damaged(3));
        assert_eq!(sight("0\tinvoke\t:read\tnil"), Sight::Damaged(2));
        assert_eq!(sight("INFO jepsen.util - 3 invoke :read nil"), Sight::Damaged(21));
        assert_eq!(sight("3invoke :read nil"), Sight::Damaged(0));
        assert_eq!(sight("3 #ok :read 4"), Sight::Damaged(2));
        assert_eq!(sight("INFO jepsen.util - 3 Xok :read 4"), Sight::Damaged(21));
        assert_eq!(sight("INFO jepsen.util - 3 "), Sight::Damaged(19));
        assert_eq!(sight("INFO x 3 : nvoke :read nil"), Sight::Damaged(11));
        assert_eq!(sight(":nemesis info :start nil"), Sight::Damaged(9));
        assert_eq!(sight("INFO x 3 :invoke:read now"), Sight::Damaged(9));
        assert_eq!(sight("INFO jepsen.util - { :invoke :read nil"), Sight::Damaged(21));
        assert!(is_event("INFO jepsen.util - 3 :read nil"), "read, and then refused for its type");
        assert!(is_event("INFO jepsen.util - 3 :inv"), "the same");
    }

    #[test]
    fn chatter_is_told_from_events() {
        for line in [
            "",
            "INFO  jepsen.core - starting",
            "\tat jepsen.core$worker.invoke(core.clj:12)",
            "INFO jepsen.core - {:process 4 :type :invoke :f :read, :value nil}",
            "INFO jepsen.core - {:types [:invoke :ok], :counts {:ok 3 :fail 0}}",
            ":type :ok is what we want",
            "took 5 :seconds",
            "5 reads ok, 3 fail",
            "we invoke :read now and then",
            "{:counts {3 ok :f}}",
        ] {
            assert_eq!(sight(line), Sight::Chatter, "{line}");
        }
    }
}
