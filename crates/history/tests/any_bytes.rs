//! No input makes a reader panic: arbitrary bytes, and sound files with a few bytes changed.

mod samples;

use linpoint_history::read::{self, Format, Options};
use linpoint_history::write;
use proptest::prelude::*;

/// Reads with every format, sniffed and named; what can be read can be written and read again.
fn survive(data: &[u8]) {
    let _ = read::sniff(data);
    for format in [None].into_iter().chain(Format::ALL.map(Some)) {
        for flag in [false, true] {
            let options = Options {
                format,
                independent: flag,
                failed_cas: flag,
                sort_by_time: flag,
                rename_crashed: flag,
                map: vec![],
            };
            match read::bytes(data, "file", &options) {
                Err(error) => assert!(!error.to_string().is_empty()),
                Ok(history) => {
                    let text = write::jsonl(&history);
                    let native = Options { format: Some(Format::Jsonl), ..Options::default() };
                    let again = read::bytes(text.as_bytes(), "written", &native).unwrap();
                    assert!(history.same_operations(&again, true), "{text}");
                    let _ = write::edn(&history);
                }
            }
        }
    }
}

/// Pieces that mean something to one of the readers.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            "#",
            "#_",
            "#{",
            ":",
            ",",
            "\"",
            "\\",
            "\t",
            "\n",
            "\r\n",
            ";",
            "//",
            " ",
            "-",
            "process",
            "type",
            ":invoke",
            ":ok",
            ":process",
            ":type",
            ":f",
            "\"process\":",
            "\"f\":\"r\"",
            "\"call\":",
            "\"return\":",
            "nil",
            "null",
            "true",
            "1e9",
            "1.5",
            "0x",
            "N",
            "0\t:invoke\t:r\t",
            "0\t:ok\t:r\t",
            "[1] call f",
            "[1] return",
            "# @object atomic-",
            "{\"events\":[",
            "\\u",
            "d83d",
            "##NaN",
            "é",
            "\u{0}",
            "\u{feff}",
            "\u{2028}",
        ])
        .prop_map(str::to_owned),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| format!("{number:?}")),
        "\\PC{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_bytes(data in proptest::collection::vec(any::<u8>(), 0..200)) {
        survive(&data);
    }

    #[test]
    fn arbitrary_pieces(pieces in proptest::collection::vec(piece(), 0..40)) {
        survive(pieces.concat().as_bytes());
    }

    #[test]
    fn sound_files_with_a_few_changes(
        sample in 0..samples::ALL.len(),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), 0..4u8, piece(), any::<u8>()), 1..5),
    ) {
        let mut data = samples::ALL[sample].1.as_bytes().to_vec();
        for (place, kind, piece, byte) in changes {
            let at = place.index(data.len() + 1);
            match kind {
                0 => data.truncate(at.max(1)),
                1 => drop(data.splice(at..at, piece.bytes())),
                2 => data.insert(at, byte),
                _ => drop(data.splice(at..(at + piece.len()).min(data.len()), [])),
            }
        }
        survive(&data);
    }
}
