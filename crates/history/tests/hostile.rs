//! Broken and hostile files: every complaint says where it is, what was expected and what was found.

mod samples;

use linpoint_history::read::{self, Format, Options};
use samples::{ALL, complaint};

/// A good line of linpoint's own format.
const LINE: &str = r#"{"process":0,"f":"read","value":null,"result":1,"call":0,"return":1}"#;

fn check(table: &[(&str, &str)], options: &Options) {
    for (text, message) in table {
        let start: String = text.chars().take(200).collect();
        assert_eq!(complaint(text, options), *message, "the text starts with {start:?}");
    }
}

#[test]
fn files_without_operations() {
    let empty = "file: the file is empty: expected operations";
    for text in ["", " \n\t\r\n", "# a\n; b\n  // c\n", "\u{feff}", "\u{feff}\n"] {
        assert_eq!(complaint(text, &Options::default()), empty, "{text:?}");
        for format in Format::ALL {
            let options = Options { format: Some(format), ..Options::default() };
            assert_eq!(complaint(text, &options), empty, "{text:?}");
        }
    }
    let none = "file: no operation in the file: expected operations";
    for text in
        ["[]", "()", "[\n]", "[#_{:a 1}]", "{\"object\":\"queue\"}", "{\"events\":[]}", ":nemesis\t:info\t:start\tnil"]
    {
        assert_eq!(complaint(text, &Options::default()), none, "{text:?}");
    }
}

#[test]
fn native_lines() {
    let long = format!("{{\"process\":0,\"f\":\"w\",\"value\":{},\"call\":0}}", "7".repeat(5000));
    let deep = format!("{{\"process\":0,\"f\":\"w\",\"value\":{},\"call\":0}}", "[".repeat(100_000));
    let fields: String = (0..1100).map(|i| format!("\"x{i}\":0,")).collect();
    let many = format!("{{{fields}\"call\":0}}");
    let cut = format!("{LINE}\n{{\"process\":0,\"f\":\"re\n{LINE}");
    let second = format!("{LINE}\n  {{\"process\":0,\"f\":\"read\",\"call\":2 \"return\":3}}");
    let joined = format!("{LINE} {LINE}");
    check(
        &[
            (
                r#"{"process":0,"value":1,"call":0}"#,
                "file:1:1: an operation without f: expected the fields process, f and call",
            ),
            (
                r#"{"f":"read","call":0}"#,
                "file:1:1: an operation without process: expected the fields process, f and call",
            ),
            (
                r#"{"process":0,"f":"read"}"#,
                "file:1:1: an operation without call: expected the fields process, f and call",
            ),
            (r#"{}"#, "file:1:1: an event without process: expected the fields process, type and f"),
            (
                r#"{"process":null,"f":"read","call":0}"#,
                "file:1:12: expected a process: an integer or a text, found 'null'",
            ),
            (
                r#"{"process":0,"f":3,"call":0}"#,
                "file:1:18: expected the name of an operation in double quotes, found '3'",
            ),
            (
                r#"{"process":0,"f":"r","call":"noon"}"#,
                "file:1:29: expected a time: a number, or ISO 8601 such as 2026-11-15T17:43:16.5Z, found 'noon'",
            ),
            (
                r#"{"process":0,"f":"r","call":NaN}"#,
                "file:1:29: expected a time: a number or ISO 8601 in double quotes, found 'NaN'",
            ),
            (
                r#"{"process":0,"f":"r","call":9999999999999999999999999999999999999}"#,
                "file:1:29: a time of 37 digits: expected at most 36",
            ),
            (
                r#"{"process":0,"f":"r","call":"1e401"}"#,
                "file:1:29: time out of range: expected an exponent of at most 400",
            ),
            (
                r#"{"process":0,"f":"r","call":1e999999}"#,
                "file:1:29: time out of range: expected an exponent of at most 400",
            ),
            (
                r#"{"process":0,"f":"r","value":-1e400,"call":1}"#,
                "file:1:30: number out of range: expected at most 1.8e308, found '-1e400'",
            ),
            (&long, "file:1:30: a number of 5000 characters: expected at most 4096"),
            (&deep, "file:1:130: nested too deep: expected at most 100 levels"),
            (&many, "file:1:8892: too many fields: expected at most 1000"),
            (r#"{"call":0,"process":0,"call":1}"#, "file:1:23: the field 'call' stands twice: expected each name once"),
            (r#"{"call":0,"node":0,"node":1}"#, "file:1:20: the field 'node' stands twice: expected each name once"),
            (r#"{"call":0,"value":{"a":0,"a":1}}"#, "file:1:26: the field 'a' stands twice: expected each name once"),
            (
                r#"{"process":0,"f":"r","call":0,"type":"ok"}"#,
                "file:1:1: type ok without return: expected the time of its return",
            ),
            (
                r#"{"process":0,"f":"r","call":0,"return":null,"type":"fail"}"#,
                "file:1:1: type fail without return: expected the time of its return",
            ),
            (
                r#"{"process":0,"f":"r","call":0,"type":"done"}"#,
                "file:1:38: unknown type 'done': expected ok, fail or info",
            ),
            (
                r#"{"process":0,"f":"r","call":0,"type":"invoke"}"#,
                "file:1:38: type invoke in a line of an operation: expected ok, fail or info (events are format jepsen-json)",
            ),
            (
                r#"{"process":0,"f":"r","call":5,"return":4}"#,
                "file:1: it returns before it is called: it returns at 4 but it is called at 5",
            ),
            (
                r#"{"process":0,"f":"r","call":5.5,"return":4}"#,
                "file:1: it returns before it is called: it returns at 4 but it is called at 5.5",
            ),
            (&cut, "file:2:21: expected the closing '\"' of a text, found the end of the line"),
            (&second, "file:2:36: expected ',' or '}', found '\"return\":3'"),
            (&joined, "file:1:70: expected the end of the line after the object, found '{\"process\":0'"),
            (&LINE[..40], "file:1:41: expected the closing '\"' of a text, found the end of the file"),
            (
                "{\"process\":0,\"f\":\"a\u{0}\",\"call\":0}",
                "file:1:20: expected an escape for a control character (such as \\u0000), found '\\0\"'",
            ),
            ("{\"process\":0,\u{0}}", "file:1:14: expected the name of a field in double quotes, found '\\0'"),
            (r#"{"annotation":{},"after":-1}"#, "file:1:1: expected a number of events in the field after, found '-1'"),
            (r#"{"object":7}"#, "file:1:1: expected the name of an object, found '7'"),
        ],
        &Options::default(),
    );
}

#[test]
fn native_processes_are_sequential() {
    let twice = format!("{LINE}\n{}", LINE.replace("\"return\":1", "\"return\":2"));
    let crashed = r#"{"process":0,"f":"w","call":0,"return":1,"type":"info"}
{"process":0,"f":"w","call":2,"return":3}"#;
    let pending = r#"{"process":"a","f":"w","call":0}
{"process":"a","f":"w","call":2,"return":3}"#;
    check(
        &[
            (&twice, "file:2: process 0 calls again, but it has not returned from it yet: operation 0 (line 1)"),
            (
                crashed,
                "file:2: process 0 calls again, but it crashed there (type info); its successor needs a new id: operation 0 (line 1) (--rename-crashed gives it a new id)",
            ),
            (
                pending,
                "file:2: process \"a\" calls again, but it never returned from it; a process that calls again after a crash needs a new id: operation 0 (line 1) (--rename-crashed gives it a new id)",
            ),
        ],
        &Options::default(),
    );
}

#[test]
fn completions_without_a_name() {
    let refused = |text: &str| complaint(text, &Options::default());
    let open = "{:process 0, :type :invoke, :f :read}\n";
    assert_eq!(
        refused("{:process 0, :type :ok}"),
        "file:1:1: process 0 completes an operation (ok), but it has invoked nothing"
    );
    assert_eq!(
        refused(&format!("{open}{{:process 0, :type :info}}\n{{:process 0, :type :ok}}")),
        "file:3:1: process 0 completes an operation (ok), but it crashed (info) at line 2"
    );
    assert_eq!(refused(&format!("{open}{{:process 0, :type :ok, :f 7}}")), "file:2:1: expected a name as f, found '7'");
    assert_eq!(
        refused("{:process 0, :type :invoke}"),
        "file:1:1: an event without f: expected the fields process, type and f"
    );
}

#[test]
fn events_that_do_not_pair() {
    let table = [
        ("0 ok read", "1:1: process 0 completes read (ok), but it has invoked nothing"),
        (
            "0 invoke read\n0 ok read\n0 ok read",
            "3:1: process 0 completes read (ok), but its last operation completed at line 2",
        ),
        (
            "0 invoke read\n1 invoke read\n0 invoke write",
            "3:1: process 0 invokes write, but its read of line 1 has not completed (did it crash? --rename-crashed gives it a new id)",
        ),
        (
            "0 invoke read\n0 info read\n0 invoke read",
            "3:1: process 0 invokes read, but it crashed (info) at line 2: its successor needs a new id (--rename-crashed gives it a new id)",
        ),
        (
            "0 invoke read\n0 info read\n0 ok read",
            "3:1: process 0 completes read (ok), but it crashed (info) at line 2",
        ),
        ("0 invoke read\n0 fail write", "2:1: process 0 completes write (fail), but it invoked read at line 1"),
        ("0 wait read", "1:1: unknown type 'wait': expected invoke, ok, fail or info"),
    ];
    for (events, message) in table {
        let line = |event: &str, pattern: &str| {
            let word: Vec<&str> = event.split(' ').collect();
            pattern.replace("$p", word[0]).replace("$t", word[1]).replace("$f", word[2]) + "\n"
        };
        for (format, pattern) in [
            (Format::JepsenEdn, "{:process $p, :type :$t, :f :$f, :value nil}"),
            (Format::JepsenLog, "$p\t:$t\t:$f\tnil"),
            (Format::JepsenJson, r#"{"process":$p,"type":"$t","f":"$f","value":null}"#),
        ] {
            let text: String = events.lines().map(|event| line(event, pattern)).collect();
            let options = Options { format: Some(format), ..Options::default() };
            assert_eq!(complaint(&text, &options), format!("file:{message}"), "{text}");
        }
    }
}

#[test]
fn jepsen_events() {
    let deep = format!("[{{:process 0 :value {}", "[".repeat(100_000));
    let tagged = format!("[{}", "#a ".repeat(100_000));
    check(
        &[
            (
                "[{:type :invoke :f :read}]",
                "file:1:2: an event without process: expected the fields process, type and f",
            ),
            ("[{:process 0 :f :read}]", "file:1:2: an event without type: expected the fields process, type and f"),
            ("[{:process 0 :type :invoke}]", "file:1:2: an event without f: expected the fields process, type and f"),
            (
                "[{:process [0] :type :invoke :f :read}]",
                "file:1:2: expected a process (a number or a name), found '[0]'",
            ),
            ("[{:process 0 :type :invoke :f 3}]", "file:1:2: expected a name as f, found '3'"),
            ("[{:process 0 :type 1 :f :read}]", "file:1:2: unknown type '1': expected invoke, ok, fail or info"),
            ("[{:process 0 :process 1}]", "file:1:14: the field 'process' stands twice: expected each name once"),
            ("[{:process 0 :time 1 :time 1}]", "file:1:22: the field 'time' stands twice: expected each name once"),
            ("[{:process 0 :value {:a 1 :a 2}}]", "file:1:27: the key '\"a\"' stands twice: expected each key once"),
            ("[{:process 0 1 2}]", "file:1:14: expected a keyword that names a field, or '}', found '1'"),
            ("[{:process}]", "file:1:11: expected a value for the last key, found '}'"),
            ("[{:process 0\n", "file:2:1: expected a keyword that names a field, or '}', found the end of the file"),
            ("[\n", "file:2:1: expected an event {…} or ']', found the end of the file"),
            ("({:process :nemesis}", "file:1:21: expected an event {…} or ')', found the end of the file"),
            ("[{:process :nemesis}] []", "file:1:23: expected the end of the file after the events, found '['"),
            ("[{:process :nemesis})", "file:1:21: expected a map {…} of an event, found ')'"),
            ("[{:process 0 :value \u{0}}]", "file:1:21: expected a value, found '\\0'"),
            (&deep, "file:1:121: nested too deep: expected at most 100 levels"),
            (&tagged, "file:1:302: nested too deep: expected at most 100 levels"),
            ("0\t:invoke", "file:1:10: expected the name of the operation, found the end of the line"),
            ("0\t:invoke\t:read\t[1", "file:1:19: expected a value or ']', found the end of the line"),
            ("0\t:invoke\t:read\t1 2", "file:1:19: expected a tab or the end of the line, found '2'"),
            (
                r#"[{"process":0,"type":"invoke","f":"read"}"#,
                "file:1:42: expected ',' or ']', found the end of the file",
            ),
            (
                r#"[{"process":0,"type":"invoke","f":"read"}] x"#,
                "file:1:44: expected the end of the file after the array, found 'x'",
            ),
            (
                "{:process 0 :type :invoke :f :get :key 0}\n{:process 0 :type :ok :f :get}",
                "file:2:1: an event without :key: expected a key-value log of Porcupine",
            ),
            (
                "{:process 0 :type :invoke :f :get :key 0}\n{:process 0 :type :ok :f :cas :key 0}",
                "file:2:1: expected :f to be :get, :put or :append, found '\"cas\"'",
            ),
            (
                "{:process 0 :type :invoke :f :get :key 0}\n{:process 0 :type :ok :f :get :key 1}",
                "file:2:1: process 0 completes get (ok) on key 1, but it invoked it on 0 at line 1",
            ),
        ],
        &Options::default(),
    );
    let log = Options { format: Some(Format::JepsenLog), ..Options::default() };
    check(&[("hello\nworld", "file:1:1: no line is an event: expected process⇥:type⇥:f⇥value")], &log);
    let independent = Options { independent: true, ..Options::default() };
    check(
        &[
            ("0\t:invoke\t:read\t3", "file:1:1: expected a value [key value] (independent), found '3'"),
            ("0\t:invoke\t:read\t[1 2 3]", "file:1:1: expected a value [key value] (independent), found '[1,2,3]'"),
            (
                "0\t:invoke\t:read\t[1 nil]\n0\t:ok\t:read\tnil",
                "file:2:1: expected a value [key value] (independent), found 'null'",
            ),
            (
                "0\t:invoke\t:read\t[1 nil]\n0\t:ok\t:read\t[2 7]",
                "file:2:1: process 0 completes read (ok) on key 2, but it invoked it on 1 at line 1",
            ),
        ],
        &independent,
    );
}

#[test]
fn violin_and_violat() {
    let event = r#"{"kind":"call","sid":0,"invocation":{"id":1,"method":{"name":"poll"}}}"#;
    let returns = event.replace("call", "return");
    let trace = |events: &[&str]| format!("{{\"events\":[\n{}]}}", events.join(",\n"));
    check(
        &[
            ("[1] call add(1)\n[1] call add(2)", "file:2:1: [1] is called again: it was called at line 1"),
            ("[1] return", "file:1:1: [1] returns: expected its call before"),
            ("[1] call f\n [1] return\n [1] return", "file:3:2: [1] returns again: it returned at line 2"),
            ("[1] call add(1\n", "file:1:13: expected arguments in '(…)', found '(1'"),
            ("[1] call add 1\n", "file:1:13: expected '(' or the end of the line, found '1'"),
            ("[1] call\n", "file:1:9: expected the name of an operation, found the end of the line"),
            ("[1] call f\n[1] stop", "file:2:5: expected call or return, found 'stop'"),
            ("[1] call f\nreturn", "file:2:1: expected [ID] call … or [ID] return …, found 'return'"),
            (
                "[1] call f\n[1 return\n",
                "file:2:10: expected ']' after the id of an operation, found the end of the line",
            ),
            ("[1] call f\n[] return\n", "file:2:2: expected the id of an operation, found ']'"),
            (&trace(&[&returns]), "file:2:1: the invocation 1 returns: expected its call before"),
            (&trace(&[event, event]), "file:3:1: the invocation 1 is called again: it was called at line 2"),
            (&trace(&[event, &returns, &returns]), "file:4:1: the invocation 1 returns again: it was called at line 2"),
            (&trace(&["{\"kind\":\"x\"}"]), "file:2:1: unknown kind '\"x\"': expected call or return"),
            (&trace(&["{\"kind\":\"call\"}"]), "file:2:1: an event without sid: expected kind, sid and invocation"),
            (&trace(&["7"]), "file:2:1: expected an event {…}, found '7'"),
            (&event_with_sid("[]"), "file:2:1: expected a number as sid, found '[]'"),
            ("{\"schema\":{}}", "file:1:1: a trace without events: expected the field events"),
            ("{\"events\":{}}", "file:1:11: expected a list of events, found '{'"),
            ("{\"events\":[],\"events\":[]}", "file:1:14: the field 'events' stands twice: expected each name once"),
            ("{\"events\":[]} x", "file:1:15: expected the end of the file after the trace, found 'x'"),
        ],
        &Options::default(),
    );
}

fn event_with_sid(sid: &str) -> String {
    format!(
        "{{\"events\":[\n{{\"kind\":\"call\",\"sid\":{sid},\"invocation\":{{\"id\":1,\"method\":{{\"name\":\"f\"}}}}}}]}}"
    )
}

#[test]
fn bytes_that_are_no_text() {
    let complaint = |data: &[u8]| read::bytes(data, "file", &Options::default()).unwrap_err().to_string();
    assert_eq!(
        complaint(b"{\"process\":0,\n\"f\":\"\xff\""),
        "file:2:6: invalid text: expected UTF-8, found the byte 0xff"
    );
    assert_eq!(complaint(b"\xff\xfe{\0"), "file:1:1: invalid text: expected UTF-8, found the byte 0xff");
    assert_eq!(complaint(b"\xc3"), "file:1:1: invalid text: expected UTF-8, found the byte 0xc3");
    assert_eq!(complaint(b"\x1f\x8bnonsense"), "file: broken gzip data after 0 unpacked bytes: invalid gzip header");
    assert!(complaint(&[0; 100]).starts_with("file: cannot tell the format: it starts with '\\0"));
}

#[test]
fn a_file_may_break_off_anywhere() {
    for (format, text) in ALL {
        for end in 0..text.len() {
            for named in [None, Some(format)] {
                let options = Options { format: named, ..Options::default() };
                // Sound or not: what counts is that it says so, and where.
                if let Err(error) = read::bytes(&text.as_bytes()[..end], "file", &options) {
                    let lines = 1 + text[..end].matches('\n').count();
                    assert!(error.line <= lines, "{format:?} cut at {end}: {error}");
                }
            }
        }
    }
}

#[test]
fn every_reader_survives_every_sample() {
    for (_, text) in ALL {
        for format in Format::ALL {
            let options = Options { format: Some(format), independent: true, failed_cas: true, ..Options::default() };
            let _ = read::bytes(text.as_bytes(), "file", &options);
        }
    }
}
