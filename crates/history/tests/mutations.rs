//! Damaged files: each is read or refused with its line, and nothing that was in it is dropped on the way.
//!
//! A file that is read accounts for every line: an operation or an event, an annotation, the kind of object, a comment or a blank line. A failure
//! prints the seed of its file; `SEED=n cargo test --test mutations` starts there.

use linpoint_history::read::{self, Format, Options};
use linpoint_history::{History, ReadError};

const FILES: [(Format, &str); 5] = [
    (
        Format::Jsonl,
        r#"{"object":"register"}
{"process":0,"f":"write","value":1,"call":10,"return":17}
{"process":1,"f":"read","result":1,"call":11.5,"return":18,"extra":{"node":"n1"}}
{"process":2,"f":"cas","value":[1,2],"result":true,"call":"12","return":19,"type":"ok"}
{"process":3,"f":"write","value":{"a":[null]},"call":13,"return":null,"node":"n2"}
{"annotation":{"f":"start"},"after":3}
"#,
    ),
    (
        Format::JepsenLog,
        "0\t:invoke\t:write\t1\n1\t:invoke\t:read\tnil\n0\t:ok\t:write\t1\n:nemesis\t:info\t:start\tnil\n1\t:ok\t:read\t1\n\
         2\t:invoke\t:cas\t[1 2]\n2\t:info\t:cas\t[1 2]\t:timeout\n",
    ),
    (
        Format::JepsenEdn,
        "{:process 0, :type :invoke, :f :write, :value 1, :time 5, :index 0}\n\
         {:process 1, :type :invoke, :f :read, :value nil, :time 6, :index 1}\n\
         {:process 0, :type :ok, :f :write, :value 1, :time 7, :index 2}\n\
         {:process :nemesis, :type :info, :f :start, :value nil}\n\
         {:process 1, :type :ok, :f :read, :value 1, :time 9, :index 3}\n",
    ),
    (
        Format::JepsenJson,
        r#"{"process":0,"type":"invoke","f":"write","value":1,"time":5}
{"process":1,"type":"invoke","f":"read","value":null,"time":6}
{"process":0,"type":"ok","f":"write","value":1,"time":7}
{"process":"nemesis","type":"info","f":"start","value":null}
{"process":1,"type":"ok","f":"read","value":1,"time":9}
"#,
    ),
    (Format::Violin, "[1] call add(1)\n  [2] call remove\n[1] return\n  [2] return 1\n[3] call remove\n"),
];

/// Random numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

/// The text with one to three small damages.
fn damaged(text: &str, dice: &mut Dice) -> Vec<u8> {
    const BYTES: &[u8] = b" \n\t:{}[](),\"'0123456789.eE+-/\\axNnoki\x00\xff";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.below(3) {
        let (at, with) = (dice.below(bytes.len()), BYTES[dice.below(BYTES.len())]);
        match dice.below(5) {
            0 => bytes[at] = with,
            1 => bytes.insert(at, with),
            2 => _ = bytes.remove(at),
            3 => {
                let other = dice.below(bytes.len());
                bytes.swap(at, other);
            }
            _ => bytes[at] ^= 1 << dice.below(8),
        }
        if bytes.is_empty() {
            bytes.push(b'x');
        }
    }
    bytes
}

/// How many lines of the file the history accounts for.
fn accounted(format: Format, history: &History) -> usize {
    let returns =
        if format == Format::Jsonl { 0 } else { history.has_return.iter().filter(|&&returned| returned).count() };
    history.len()
        + returns
        + history.annotations.len()
        + usize::from(format == Format::Jsonl && history.object.is_some())
}

/// Lines that say something, as the format has them.
fn lines(format: Format, text: &str) -> usize {
    let comment = |line: &str| match format {
        Format::Jsonl | Format::JepsenJson => line.starts_with('#') || line.starts_with("//"),
        Format::JepsenEdn => line.starts_with(';'),
        Format::Violin => line.starts_with('#'),
        _ => false,
    };
    // An event of EDN or JSON may span lines: then only its first counts.
    let starts = |line: &str| !matches!(format, Format::JepsenEdn | Format::JepsenJson) || line.starts_with('{');
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !comment(line) && starts(line)).count()
}

fn has_place(error: &ReadError) -> bool {
    let whole = ["cannot tell the format", "no operation in the file", "the file is empty", "broken gzip data"];
    error.line > 0 || whole.iter().any(|start| error.message.starts_with(start))
}

#[test]
fn a_damaged_file_is_read_whole_or_refused_with_its_line() {
    let first: u64 = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let (mut read_whole, mut refused) = (0, 0);
    for (format, text) in FILES {
        for seed in first..first + 4000 {
            let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            let bytes = damaged(text, &mut dice);
            let shown = String::from_utf8_lossy(&bytes);
            match read::bytes(&bytes, "file", &Options { format: Some(format), ..Options::default() }) {
                Err(error) => {
                    refused += 1;
                    assert!(has_place(&error), "SEED={seed} {format:?}: {error}\n{shown}");
                }
                Ok(history) => {
                    read_whole += 1;
                    let (told, held) = (lines(format, &shown), accounted(format, &history));
                    assert!(held >= told, "SEED={seed} {format:?}: {held} of {told} lines\n{shown}");
                }
            }
        }
    }
    assert!(read_whole > 500 && refused > 5000, "{read_whole} files were read and {refused} refused");
}
