//! Wrong answers that linpoint once gave: each test is named after the number of its finding.

mod samples;

use linpoint_history::read::{self, Format, Options};
use linpoint_history::{History, Status};
use samples::complaint;

fn read(text: &str) -> History {
    read::bytes(text.as_bytes(), "file", &Options::default()).unwrap()
}

fn refused(text: &str) -> String {
    complaint(text, &Options::default())
}

const LOG: &str = "INFO  jepsen.util - 0\t:invoke\t:write\t1
INFO  jepsen.util - 0\t:ok\t:write\t1
INFO  jepsen.util - 1\t:invoke\t:read\tnil
INFO  jepsen.util - 1\t:ok\t:read\t7
";

#[test]
fn finding_5_mixed_times_are_compared_exactly() {
    // One time with a fraction once rounded all others to 53 bits, and the read overlapped the write.
    let history = read(
        r#"{"process":0,"f":"write","value":1,"call":1700000000000000000,"return":1700000000000000010}
{"process":1,"f":"read","result":null,"call":1700000000000000020,"return":1700000000000000030}
{"process":2,"f":"read","result":1,"call":1700000000000009000,"return":1700000000000009000.5}"#,
    );
    assert_eq!((history.call, history.ret), (vec![0, 2, 4], vec![1, 3, 5]));
    let seconds = read(
        r#"{"process":0,"f":"write","value":1,"call":1700000000.123456789,"return":1700000000.123456790}
{"process":1,"f":"read","result":null,"call":1700000000.123456791,"return":1700000000.123456792}"#,
    );
    assert_eq!((seconds.call, seconds.ret), (vec![0, 2], vec![1, 3]));
}

#[test]
fn finding_5_times_of_every_notation_are_compared_with_each_other() {
    let history = read(
        r#"{"process":0,"f":"a","call":-1e-5,"return":0}
{"process":1,"f":"b","call":"1970-01-01T00:00:00.000000001Z","return":"1970-01-01T01:00:02+01:00"}
{"process":2,"f":"c","call":2.0000000001,"return":18446744073709551616}
{"process":3,"f":"d","call":1e300,"return":1.0e301}"#,
    );
    assert_eq!((history.call, history.ret), (vec![0, 2, 4, 6], vec![1, 3, 5, 7]));
    let zones = r#"{"process":0,"f":"a","call":"2026-01-01T00:00:00Z","return":"2026-01-01T00:00:01"}"#;
    assert_eq!(
        refused(zones),
        "file:1:61: expected all times with a zone (Z, +01:00) or all without, found '2026-01-01T00:00:01'"
    );
}

const DISORDER: &str = r#"{"process":0,"type":"invoke","f":"write","value":1,"time":0}
{"process":1,"type":"invoke","f":"read","value":null,"time":20}
{"process":1,"type":"ok","f":"read","value":null,"time":30}
{"process":0,"type":"ok","f":"write","value":1,"time":10}
"#;

#[test]
fn finding_6_lines_that_contradict_their_times_are_refused_or_sorted() {
    assert_eq!(
        refused(DISORDER),
        "file:4:48: time 10 comes after the call at 20 of line 2: expected lines in the order of time, or --sort-by-time \
         (sort_by_time=True)"
    );
    let sort = Options { sort_by_time: true, ..Options::default() };
    let history = read::bytes(DISORDER.as_bytes(), "file", &sort).unwrap();
    assert_eq!((history.call, history.ret), (vec![0, 2], vec![1, 3]));
    let edn = "{:process 0 :type :invoke :f :a :time 5}\n{:process 0 :type :ok :f :a :time 9}\n\
               {:process 1 :type :invoke :f :a :time 8.5}";
    assert!(refused(edn).starts_with("file:3:33: time 8.5 comes after the return at 9 of line 2"), "{}", refused(edn));
    let index = "{:process 0 :type :invoke :f :a :index 5}\n{:process 0 :type :ok :f :a :index 4}";
    assert!(refused(index).starts_with("file:2:29: index 4 comes after index 5 of line 1"), "{}", refused(index));
}

#[test]
fn finding_6_events_of_one_time_are_a_tie() {
    // Sorted, process 0 returns and calls again at time 10, when process 1 calls too: all three overlap.
    let text = r#"{"process":0,"type":"invoke","f":"a","time":0}
{"process":0,"type":"ok","f":"a","time":10}
{"process":0,"type":"invoke","f":"b","time":10}
{"process":0,"type":"ok","f":"b","time":12}
{"process":1,"type":"invoke","f":"c","time":10}
{"process":1,"type":"ok","f":"c","time":11}
{"process":"nemesis","type":"info","f":"start"}
"#;
    let sort = Options { sort_by_time: true, ..Options::default() };
    let history = read::bytes(text.as_bytes(), "file", &sort).unwrap();
    assert_eq!((history.call, history.ret), (vec![0, 1, 2], vec![3, 5, 4]));
    let timeless = text.replace(",\"time\":11", "");
    let error = read::bytes(timeless.as_bytes(), "file", &sort).unwrap_err();
    assert_eq!(error.to_string(), "file:6:1: an event without time: expected a time to sort by");
    let log = read::bytes(LOG.as_bytes(), "file", &sort).unwrap_err();
    assert_eq!(log.to_string(), "file: cannot be sorted by time: events of the format jepsen-log have none");
}

#[test]
fn finding_6_two_calls_or_two_returns_may_be_swapped() {
    // Jepsen's workers take the time before they write the line; who precedes whom stays the same.
    let text = "{:process 0 :type :invoke :f :a :time 7}\n{:process 1 :type :invoke :f :a :time 6}\n\
                {:process 0 :type :ok :f :a :time 9}\n{:process 1 :type :ok :f :a :time 8}";
    assert_eq!(read(text).ret, vec![2, 3]);
}

#[test]
fn finding_7_lookalikes_of_missing_fields_are_refused() {
    let advice = "did you mean it? (What is to be kept beside the known fields goes into extra.)";
    for (line, at, name, known) in [
        (r#"{"process":0,"f":"write","value":1,"call":0,"end":2}"#, 45, "end", "return"),
        (r#"{"process":0,"f":"write","value":1,"call":0,"ret":2}"#, 45, "ret", "return"),
        (r#"{"process":0,"f":"write","value":1,"call":0,"retrun":2,"type":"ok"}"#, 45, "retrun", "return"),
        (r#"{"process":0,"f":"write","value":1,"start":0,"return":2}"#, 36, "start", "call"),
        (r#"{"process":0,"op":"write","value":1,"call":0,"return":2}"#, 14, "op", "f"),
        (r#"{"process":0,"f":"write","args":[1],"call":0,"return":2}"#, 26, "args", "value"),
        (r#"{"thread":0,"f":"write","value":1,"call":0,"return":2}"#, 2, "thread", "process"),
        (r#"{"process":0,"f":"read","output":1,"call":0,"return":2}"#, 25, "output", "result"),
        (r#"{"process":0,"f":"write","value":1,"call":0,"return":2,"status":"fail"}"#, 56, "status", "type"),
        (r#"{"process":0,"f":"read","Key":1,"result":1,"call":0,"return":2}"#, 25, "Key", "key"),
    ] {
        let map = if known == "type" { String::new() } else { format!(" Try --map {name}={known}") };
        let expected = format!("file:1:{at}: the field '{name}' is unknown and {known} is missing: {advice}{map}");
        assert_eq!(refused(line), expected, "{line}");
    }
    for (event, at, name, known) in [
        ("{:process 0 :type :invoke :f :write :val 3}", 37, "val", "value"),
        ("{:process 0 :type :invoke :f :read :result 3}", 36, "result", "value"),
        ("{:client 0 :type :invoke :f :read}", 2, "client", "process"),
        ("{:process 0 :type :invoke :op :read}", 27, "op", "f"),
    ] {
        let expected = format!("file:1:{at}: the field '{name}' is unknown and {known} is missing: {advice}");
        assert_eq!(refused(event), expected, "{event}");
    }
}

#[test]
fn finding_7_other_fields_are_kept() {
    for line in [
        r#"{"process":0,"f":"write","value":1,"result":null,"call":0,"return":2,"end":2,"client":7,"output":1,"op":2,"args":3}"#,
        r#"{"process":0,"f":"write","value":1,"call":0,"type":"info","end":2}"#,
        r#"{"process":0,"f":"write","value":1,"call":0,"return":null,"end":2}"#,
        r#"{"process":0,"f":"write","value":1,"call":0,"return":2,"status":200,"extra":{"response":5}}"#,
        "{:process 0 :type :invoke :f :read :value nil :result 3}",
    ] {
        assert!(!read(line).extra.is_empty(), "{line}");
    }
}

#[test]
fn finding_8_an_extra_field_never_shadows_a_known_one() {
    let history = read(
        r#"{:process 0, :type :invoke, :f :read, :value nil, :result "x", :call 7, :extra {:value 5, "extra:f" 6}}
{:process 0, :type :ok, :f :read, :value 1}"#,
    );
    assert_eq!(history.values.show(history.result[0]), "1");
    let text = linpoint_history::write::jsonl(&history);
    let expected = r#"{"process":0,"f":"read","value":null,"result":1,"call":0,"return":1,"extra":{"call":7,"extra:f":6,"result":"x","value":5}}"#;
    assert_eq!(text.trim_end(), expected);
    assert_eq!(linpoint_history::write::jsonl(&read(&text)), text);
    // A file of an older linpoint, and a field that is only called extra.
    let old = read(r#"{"process":0,"f":"read","call":0,"return":1,"extra:call":7,"extra":5}"#);
    let text = linpoint_history::write::jsonl(&old);
    assert!(text.contains(r#""extra":{"call":7,"extra":5}"#), "{text}");
}

#[test]
fn finding_9_keys_of_maps_are_values_like_any_other() {
    let text = r##"{"process":0,"f":"write","value":{"#map":[[1,2]]},"call":0,"return":1}
{"process":1,"f":"read","result":{"1":2},"call":2,"return":3}
{"process":1,"f":"read","result":{"#map":[[true,2]]},"call":4,"return":5}
{"process":1,"f":"read","result":{"#map":[[1.0,2]]},"call":6,"return":7}
{"process":1,"f":"read","result":{"#map":[["#map",2]]},"call":8,"return":9}"##;
    let history = read(text);
    assert_ne!(history.value[0], history.result[1]);
    assert_ne!(history.value[0], history.result[2]);
    assert_eq!(history.value[0], history.result[3]);
    assert_eq!(history.values.show(history.value[0]), "{1:2}");
    assert_eq!(history.values.show(history.result[1]), r#"{"1":2}"#);
    let again = read(&linpoint_history::write::jsonl(&history));
    assert!(history.same_operations(&again, true));
    assert!(history.same_operations(&read(&linpoint_history::write::edn(&history).unwrap()), false));
    assert_eq!(
        refused(r##"{"process":0,"f":"w","value":{"#map":[1]},"call":0}"##),
        "file:1:30: expected a map as its pairs: {\"#map\": [[key, value], …]}, each key once"
    );
}

#[test]
fn finding_22_numbers_that_are_not_finite_are_refused() {
    for (text, place) in [
        (r#"{"process":0,"f":"w","value":NaN,"call":0}"#, "1:30"),
        (r#"{"process":0,"f":"w","value":[-Infinity],"call":0}"#, "1:31"),
        ("{:process 0 :type :invoke :f :w :value ##NaN}", "1:40"),
        ("0\t:invoke\t:w\t##Inf", "1:14"),
    ] {
        assert!(
            refused(text).starts_with(&format!("file:{place}: expected a finite number, found ")),
            "{}",
            refused(text)
        );
    }
}

#[test]
fn finding_23_a_log_line_damaged_at_its_tab_is_refused() {
    // Without its completion the read of 7, a violation, would be pending.
    let damaged = LOG.replace("1\t:ok\t:read", "1X:ok\t:read");
    let expected = "expected process⇥:type⇥:f⇥value";
    assert_eq!(refused(&damaged), format!("file:4:23: this looks like an event: {expected}, found ':ok\\t:read\\t7'"));
    let glued = LOG.replace("1\t:ok\t:read", "1:ok\t:read");
    assert_eq!(refused(&glued), format!("file:4:22: this looks like an event: {expected}, found ':ok\\t:read\\t7'"));
}

#[test]
fn finding_23_any_damaged_byte_of_an_event_is_read_or_refused() {
    for log in [LOG.to_owned(), LOG.replace('\t', " "), LOG.replace('\t', "  ")] {
        let lines = log.lines().count();
        let from = LOG.find("0\t").unwrap();
        for at in from..log.len() {
            if log[..at].rsplit('\n').next().unwrap().len() < from || log.as_bytes()[at] == b'\n' {
                continue; // the words of the logger, and ends of lines
            }
            for byte in ["X", " ", "", ":", "{", "\n", "\t", "\\", "\"", "0", "#", "\u{e9}"] {
                let text = format!("{}{byte}{}", &log[..at], &log[at + 1..]);
                let Ok(history) = read::bytes(text.as_bytes(), "file", &Options::default()) else { continue };
                let events: usize = (0..history.len()).map(|op| 1 + usize::from(history.has_return[op])).sum();
                assert_eq!(events + history.annotations.len(), lines, "{text}");
            }
        }
    }
}

#[test]
fn finding_23_a_history_txt_has_no_chatter() {
    let text = "0\t:invoke\t:read\tnil\n0\t:ok\t:read\t1\n2\n";
    assert_eq!(refused(text), "file:3:1: expected process⇥:type⇥:f⇥value, found '2'");
    assert_eq!(
        refused("0\t:invoke\t:read\tnil\n0\t:ok\t:read\n"),
        "file:2:12: expected a value (nil if there is none), found the end of the line"
    );
}

#[test]
fn finding_27_columns_separated_by_runs_of_spaces_are_read() {
    let spaced = "INFO  jepsen.util - 1   :invoke :write  3
INFO  jepsen.util - 1   :ok     :write  3
INFO  jepsen.util - 2   :invoke :cas    [3 4]
INFO  jepsen.util - :nemesis :info :start \"Cut off\"
INFO  jepsen.util - 2   :info   :cas    [3 4]   :timed-out
INFO  jepsen.util - 3   :invoke :write  5
INFO  jepsen.util - 3   :fail   :write  Connection refused: no route
";
    let history = read(spaced);
    assert_eq!((history.len(), history.annotations.len()), (3, 1));
    assert_eq!(history.status, vec![Status::Ok, Status::Info, Status::Fail]);
    assert_eq!(history.values.show(history.value[1]), "[3,4]");
    assert_eq!(history.values.show(history.extra_of(1)[0].2), "\"timed-out\"");
    assert_eq!(
        refused("INFO - 1   :invoke :write  3 4"),
        "file:1:30: expected the end of the line after the value, found '4'"
    );
}

#[test]
fn formats_can_be_named() {
    let options = Options { format: Some(Format::JepsenLog), ..Options::default() };
    assert_eq!(read::bytes(LOG.as_bytes(), "file", &options).unwrap().len(), 2);
}

#[test]
fn finding_7_one_slip_in_any_name_loses_nothing_in_silence() {
    let operation = r#"{"process":0,"f":"read","kty":"x","result":1,"call":0,"return":1}"#;
    assert!(refused(operation).contains(r#"the field 'kty' is unknown and key is missing"#), "{}", refused(operation));
    let trace = |call: &str, answer: &str| {
        format!(
            r#"{{"schema": {{}}, "events": [
{{"kind": "call", "sid": 0, "invocation": {{"id": 1, "method": {{"name": "offer"}}, "{call}": [7]}}}},
{{"kind": "return", "sid": 0, "invocation": {{"id": 1, "method": {{"name": "offer"}}, "arguments": [7]}}, "{answer}": "true"}}]}}"#
        )
    };
    assert_eq!(read(&trace("arguments", "value")).len(), 1);
    assert!(refused(&trace("argumens", "value")).contains("arguments is missing"));
    assert!(refused(&trace("arguments", "VALUE")).contains("value is missing"));
}

#[test]
fn finding_23_a_spoiled_process_or_name_is_no_annotation_and_no_operation() {
    for process in ["NaN", ">", "!1"] {
        let text =
            format!("{{:process 0, :type :invoke, :f :read}}\n{{:process {process}, :type :ok, :f :read, :value 7}}\n");
        assert!(refused(&text).contains("file:2:"), "{}", refused(&text));
    }
    for call in ["add83)", "add*2)", "add#5)"] {
        let text = format!("[1] call {call}\n[1] return\n");
        assert!(refused(&text).contains("the name of an operation is a word"), "{}", refused(&text));
    }
}
