//! Reading heeds its budget in every format, and costs what the size of the file says.

use linpoint_base::{Cause, Control};
use linpoint_history::read::{self, Format, Options, Unread};
use std::fmt::Write as _;

/// A sound file of `count` operations.
fn file(format: Format, count: usize) -> String {
    let mut text = match format {
        Format::Violat => "{\"events\":[".to_owned(),
        Format::Csv => "process,f,value,call,return\n".to_owned(),
        _ => String::new(),
    };
    for i in 0..count {
        let (process, call, ret) = (i % 7, 2 * i, 2 * i + 1);
        match format {
            Format::Jsonl => {
                writeln!(text, r#"{{"process":{process},"f":"write","value":"v{i}","call":{call},"return":{ret}}}"#)
            }
            Format::JepsenEdn => writeln!(
                text,
                "{{:process {process}, :type :invoke, :f :write, :value \"v{i}\"}}\n\
                 {{:process {process}, :type :ok, :f :write, :value \"v{i}\"}}"
            ),
            Format::JepsenLog => writeln!(
                text,
                "INFO jepsen.util - {process}\t:invoke\t:write\t\"v{i}\"\n{process}\t:ok\t:write\t\"v{i}\""
            ),
            Format::JepsenJson => writeln!(
                text,
                r#"{{"process":{process},"type":"invoke","f":"write","value":"v{i}"}}
{{"process":{process},"type":"ok","f":"write","value":"v{i}"}}"#
            ),
            Format::PorcupineKv => writeln!(
                text,
                "{{:process {process}, :type :invoke, :f :put, :key \"k\", :value \"v{i}\"}}\n\
                 {{:process {process}, :type :ok, :f :put, :key \"k\", :value \"v{i}\"}}"
            ),
            Format::Csv => writeln!(text, "{process},write,v{i},{call},{ret}"),
            Format::Violin => writeln!(text, "[{i}] call add(v{i})\n[{i}] return"),
            Format::Violat => {
                let comma = if i > 0 { "," } else { "" };
                let invocation = format!(r#""invocation":{{"id":{i},"method":{{"name":"add"}},"arguments":["v{i}"]}}"#);
                writeln!(
                    text,
                    r#"{comma}{{"kind":"call","sid":{process},{invocation}}},{{"kind":"return","sid":{process},{invocation}}}"#
                )
            }
        }
        .unwrap();
    }
    if format == Format::Violat {
        text.push_str("]}");
    }
    text
}

fn read(text: &str, control: &Control) -> Result<usize, Unread> {
    read::bytes_within(text.as_bytes(), "file", &Options::default(), control).map(|history| history.len())
}

#[test]
fn finding_18_every_reader_heeds_ctrl_c_and_the_clock() {
    for format in Format::ALL {
        let text = file(format, 10_000);
        assert_eq!(read(&text, &Control::new(None, usize::MAX)), Ok(10_000), "{format:?}");
        let control = Control::new(None, usize::MAX);
        control.interrupt();
        assert_eq!(read(&text, &control), Err(Unread::Stopped(Cause::Interrupted)), "{format:?}");
        assert!(control.progress().1 < 10_000, "{format:?} went on for {} values", control.progress().1);
        let control = Control::new(Some(std::time::Instant::now()), usize::MAX);
        assert_eq!(read(&text, &control), Err(Unread::Stopped(Cause::Time)), "{format:?}");
    }
}

#[test]
fn finding_21_every_reader_heeds_the_memory_limit() {
    for format in Format::ALL {
        let text = file(format, 10_000);
        let control = Control::new(None, 1 << 20);
        assert_eq!(read(&text, &control), Err(Unread::Stopped(Cause::Memory)), "{format:?}");
        assert_eq!(control.held(), 0, "what was held is given back");
        assert_eq!(read(&text, &Control::new(None, 16 << 20)), Ok(10_000), "{format:?}");
    }
}

/// Values read, as the reader counts them.
fn work(text: &str) -> u64 {
    let control = Control::new(None, usize::MAX);
    read(text, &control).unwrap();
    control.progress().1
}

#[test]
fn twice_the_operations_are_twice_the_work() {
    for format in Format::ALL {
        let (one, two) = (work(&file(format, 20_000)), work(&file(format, 40_000)));
        assert!(one >= 20_000 && two <= 2 * one + 8192, "{format:?}: {one} values, then {two}");
    }
}
