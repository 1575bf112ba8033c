//! Do whole columns make the history that the rows make, number by number?

use super::columnwise::Columnwise;
use super::pages::{Cells, Column, Words};
use super::{Group, Why};
use crate::read::meter::Meter;
use crate::read::table::Table;
use crate::read::{Options, Unread};
use crate::{History, ValueId};
use linpoint_base::Control;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// A column of these words, each written before the cells that name it, some of them more than once.
fn texts(words: &[&str], cells: Vec<u32>) -> Cells {
    let mut bytes = Vec::new();
    for word in words {
        bytes.extend((word.len() as u32).to_le_bytes());
        bytes.extend(word.as_bytes());
    }
    let mut all = Words::default();
    assert_eq!(all.push_all(&bytes, words.len()), Some(&[][..]));
    Cells::Texts(cells, all)
}

/// The cells of a field in rows that begin with the `first` of the table, some of them pending. `odd` times in a hundred something is not as
/// it should be.
fn column(name: &str, first: usize, pending: &[bool], odd: usize, dice: &mut Dice) -> Column {
    let rows = pending.len();
    let range = first..first + rows;
    let is_odd = dice.roll(100) < odd;
    let cells = match name {
        "process" if dice.roll(2) == 0 => Cells::Ints(range.map(|row| row as i64 - 3).collect()),
        "process" => texts(&["p", "q"], range.map(|row| (row % 2) as u32).collect()),
        "f" => texts(&["push", "pop", "push", "1"], range.map(|_| dice.roll(4) as u32).collect()),
        "call" => Cells::Ints(range.map(|row| 10 * row as i64 - 500).collect()),
        "return" => {
            let least = if is_odd { -20 } else { 0 };
            Cells::Ints(range.map(|row| 10 * row as i64 - 500 + least + dice.roll(30) as i64).collect())
        }
        "type" if is_odd => texts(&["ok", "fail", "info", "perhaps"], range.map(|_| dice.roll(4) as u32).collect()),
        "type" => {
            let kind = |&pending: &bool| if pending { 2 } else { dice.roll(2) as u32 };
            texts(&["ok", "okay", "info"], pending.iter().map(kind).collect())
        }
        "value_json" | "result_json" => {
            let words = ["null", "[1,[2,\"x\"]]", "7", "{\"a\":1}", if is_odd { "[" } else { "\"7\"" }];
            texts(&words, range.map(|_| dice.roll(5) as u32).collect())
        }
        _ => match dice.roll(4) {
            0 => Cells::Bools(range.map(|_| dice.roll(2) == 0).collect()),
            1 => texts(&["", "1", "ü", "push"], range.map(|_| dice.roll(4) as u32).collect()),
            2 => Cells::Ints(range.map(|_| [0, 1, -1, i64::MIN, i64::MAX, 1 << 40][dice.roll(6)]).collect()),
            _ => Cells::Ints(range.map(|_| dice.roll(2_000) as i64).collect()),
        },
    };
    let some = dice.roll(2) == 0;
    let present = match name {
        "process" | "f" | "call" if !is_odd => None,
        "result" | "result_json" => Some(pending.iter().map(|pending| !pending && dice.roll(3) > 0).collect()),
        "return" if !is_odd => pending.contains(&true).then(|| pending.iter().map(|pending| !pending).collect()),
        "type" if !is_odd => some.then(|| vec![false; rows]),
        _ => some.then(|| (0..rows).map(|_| dice.roll(3) > 0).collect()),
    };
    Column { cells, present }
}

/// Everything that a history says, numbers of values included.
fn told(history: Result<History, Unread>) -> Result<String, Unread> {
    let history = history?;
    let values: Vec<String> = (0..history.values.len() as u32).map(|id| history.values.show(ValueId(id))).collect();
    let History { process, f, key, value, result, status, has_return, .. } = &history;
    let History { call_time, return_time, call, ret, events, extra, line, .. } = &history;
    Ok(format!(
        "{values:?} {process:?} {f:?} {key:?} {value:?} {result:?} {status:?} {has_return:?}
        {call_time:?} {return_time:?} {call:?} {ret:?} {events:?} {extra:?} {line:?}"
    ))
}

/// A table of some fields in some order, in groups of rows; the same for the same seed.
fn table(seed: u64, odd: usize) -> (Vec<&'static str>, Vec<(usize, Vec<Column>)>) {
    let mut dice = Dice(seed);
    let mut names = vec!["process", "f", "call"];
    let (value, result) = (["value", "value_json"][dice.roll(2)], ["result", "result_json"][dice.roll(2)]);
    for name in [value, result, "return", "key", "type"] {
        if dice.roll(5) > 0 {
            names.insert(dice.roll(names.len() + 1), name);
        }
    }
    let (mut first, mut groups) = (0, Vec::new());
    for _ in 0..1 + dice.roll(3) {
        let (rows, crashes) = (dice.roll(40), dice.roll(2) == 0);
        let pending: Vec<bool> = (0..rows).map(|_| crashes && dice.roll(8) == 0).collect();
        groups.push((rows, names.iter().map(|name| column(name, first, &pending, odd, &mut dice)).collect()));
        first += rows;
    }
    (names, groups)
}

fn by_rows(seed: u64, odd: usize, options: &Options, control: &Control) -> Result<History, Unread> {
    let (names, groups) = table(seed, odd);
    let (mut table, meter, mut first) = (Table::new(&names, options).expect("names"), Meter::new(control), 0);
    for (rows, columns) in groups {
        let group = Group { names: &names, columns, rows, options, piece: 8 };
        group.append(&mut table, 0..rows, first, &meter)?;
        first += rows;
    }
    table.history(control)
}

fn by_columns(seed: u64, odd: usize, options: &Options, control: &Control) -> Result<History, Why> {
    let (names, mut groups) = table(seed, odd);
    let mut history = Columnwise::new(Table::new(&names, options).expect("names"), names.len())?;
    let (meter, mut last) = (Meter::new(control), groups.pop().expect("a group"));
    for (rows, mut columns) in groups {
        history.add_moments(&mut columns, rows)?;
        history.add_values(&columns, rows, &meter)?;
    }
    history.add_moments(&mut last.1, last.0)?;
    history.finish((&last.1, last.0), &meter, 1 + seed as usize % 2, control)
}

#[test]
fn columns_make_the_history_that_rows_make() {
    let control = Control::new(None, usize::MAX);
    let (mut alike, mut left) = (0, 0);
    for seed in 0..3_000 {
        let odd = [0, 0, 10][seed as usize % 3];
        let options = Options {
            rename_crashed: seed % 5 == 0,
            map: vec![("okay".to_owned(), "ok".to_owned())],
            ..Options::default()
        };
        let expected = told(by_rows(seed, odd, &options, &control));
        match by_columns(seed, odd, &options, &control) {
            Ok(history) => {
                assert_eq!(told(Ok(history)), expected, "seed {seed}");
                alike += 1;
            }
            Err(Why::Unread(unread)) => assert_eq!(Err(unread), expected, "seed {seed}"),
            Err(Why::Odd) => left += 1,
            Err(Why::NotOurs) => panic!("seed {seed}: these are our columns"),
        }
    }
    assert!(alike > 500 && left > 500, "{alike} histories, {left} tables were left to the rows");
}

#[test]
fn the_budget_is_heeded() {
    let (options, enough) = (Options::default(), Control::new(None, usize::MAX));
    let sound = (0..).find(|&seed| by_columns(seed, 0, &options, &enough).is_ok()).expect("one of them");
    let memory = Control::new(None, 100);
    let stopped = by_columns(sound, 0, &options, &memory);
    assert!(matches!(stopped, Err(Why::Unread(Unread::Stopped(linpoint_base::Cause::Memory)))));
    assert_eq!(memory.held(), 0, "everything is given back");
    let interrupted = Control::new(None, usize::MAX);
    interrupted.interrupt();
    let stopped = by_columns(sound, 0, &options, &interrupted);
    assert!(matches!(stopped, Err(Why::Unread(Unread::Stopped(linpoint_base::Cause::Interrupted)))));
}
