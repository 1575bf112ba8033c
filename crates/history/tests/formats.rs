//! What does every format say? Each sample is read and shown as linpoint's own format.

mod samples;

use flate2::{Compression, write::GzEncoder};
use linpoint_history::read::{self, Format, Options};
use linpoint_history::{Status, write};
use samples::*;
use std::io::Write;
use std::path::Path;

fn shown(text: &str, options: &Options) -> String {
    write::jsonl(&read::bytes(text.as_bytes(), "file", options).unwrap())
}

#[test]
fn every_sample_is_sniffed() {
    for (format, text) in ALL {
        assert_eq!(read::sniff(text.as_bytes()), Ok(format));
        let named = Options { format: Some(format), ..Options::default() };
        assert_eq!(shown(text, &named), shown(text, &Options::default()));
    }
}

#[test]
fn jsonl() {
    let expected = r#"{"object":"register"}
{"process":0,"f":"cas","value":[1,2],"result":true,"call":10,"return":17}
{"process":"b","f":"write","key":"x","value":3,"call":11,"return":null,"type":"info"}
{"process":2,"f":"write","value":{"a":[null]},"call":12,"return":13,"type":"fail","extra":{"node":"n1"}}
{"process":3,"f":"read","value":null,"call":12.5,"return":19,"type":"info","extra":{"error":"timeout"}}
{"annotation":{"f":"start","process":"nemesis"},"after":3}
"#;
    assert_eq!(shown(JSONL, &Options::default()), expected);
    assert_eq!(read(JSONL).unwrap().line, vec![3, 6, 7, 8]);
}

#[test]
fn csv() {
    let expected = r#"{"process":0,"f":"cas","value":[1,2],"result":true,"call":10,"return":17,"extra":{"node":"n1"}}
{"process":"p1","f":"write","key":"x","value":"3","call":11,"return":null,"type":"info","extra":{"node":"n2"}}
{"process":2,"f":"read","value":null,"result":null,"call":12.5,"return":19}
"#;
    assert_eq!(shown(CSV, &Options::default()), expected);
    assert_eq!(read(CSV).unwrap().line, vec![2, 3, 4]);
}

#[test]
fn foreign_fields_are_named() {
    let map =
        [("client", "process"), ("op", "f"), ("begin", "call")].map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
    let options = Options { map, ..Options::default() };
    let expected = "{\"process\":1,\"f\":\"read\",\"value\":null,\"call\":2,\"return\":null,\"type\":\"info\"}\n";
    for text in [
        "client,op,begin\n1,read,2\n",
        "{\"client\":1,\"op\":\"read\",\"begin\":2}",
        "[{\"begin\":2,\"op\":\"read\",\"client\":1}]",
    ] {
        assert_eq!(shown(text, &options), expected);
    }
    let twice = complaint("{\"client\":1,\"process\":1,\"op\":\"read\",\"begin\":2}", &options);
    assert!(twice.contains("process"), "{twice}");
}

#[test]
fn jepsen_edn() {
    let expected = r#"{"process":0,"f":"cas","value":[1,2],"result":true,"call":0,"return":2,"extra":{"index":0,"return-index":3,"return-time":9,"time":5}}
{"process":1,"f":"read","value":null,"result":2,"call":1,"return":3}
{"process":1,"f":"write","value":7,"call":4,"return":5,"type":"info","extra":{"error":["conn","lost"]}}
{"annotation":{"f":"start","process":"nemesis","type":"info","value":["n1","n2"]},"after":2}
"#;
    assert_eq!(shown(EDN, &Options::default()), expected);
    assert_eq!(read(EDN).unwrap().line, vec![2, 3, 8]);
    let stream = EDN.replace("\n[{", "\n{").replace("}]\n", "}\n");
    assert_eq!(shown(&stream, &Options::default()), expected);
    let list = EDN.replace("\n[{", "\n({").replace("}]\n", "})\n");
    assert_eq!(shown(&list, &Options::default()), expected);
}

#[test]
fn jepsen_log() {
    let expected = r#"{"process":0,"f":"read","value":null,"result":3,"call":0,"return":2}
{"process":4,"f":"cas","value":[4,4],"call":1,"return":3,"type":"info","extra":{"error":"timeout"}}
{"process":5,"f":"write","value":1,"call":4,"return":5,"type":"info","extra":{"error":"timed-out"}}
{"annotation":{"f":"start","process":"nemesis","type":"info","value":"Cut off {:n1 #{:n2}}"},"after":3}
"#;
    assert_eq!(shown(LOG, &Options::default()), expected);
    assert_eq!(shown(&LOG.replace('\n', "\r\n"), &Options::default()), expected);
    assert_eq!(read(LOG).unwrap().line, vec![2, 3, 8]);
}

#[test]
fn jepsen_json() {
    let expected = r#"{"process":0,"f":"txn","value":[["r","x",null]],"result":[["r","x",1]],"call":0,"return":1,"extra":{"index":0,"return-index":2}}
{"process":1,"f":"txn","value":[["w","x",2]],"result":[["w","x",2]],"call":2,"return":3,"extra":{"index":3,"return-index":4}}
{"annotation":{"f":"start","index":1,"process":"nemesis","type":"info","value":null},"after":1}
"#;
    assert_eq!(shown(JSON, &Options::default()), expected);
    let lines = JSON.replace("[\n", "").replace("]\n", "").replace("},\n", "}\n");
    assert_eq!(shown(&lines, &Options::default()), expected);
    let colons = JSON.replace("\"invoke\"", "\":invoke\"").replace("\"nemesis\"", "\":nemesis\"");
    assert_eq!(read(&colons).unwrap().len(), 2);
}

#[test]
fn porcupine_kv() {
    let expected = r#"{"process":0,"f":"append","key":"0","value":"x 0 0 y","result":null,"call":0,"return":2}
{"process":1,"f":"get","key":"0","value":null,"result":"","call":1,"return":3}
{"process":1,"f":"put","key":"1","value":"z","call":4,"return":null,"type":"info"}
"#;
    assert_eq!(shown(PORCUPINE, &Options::default()), expected);
}

#[test]
fn violin() {
    let expected = r#"{"object":"queue"}
{"process":1,"f":"add","value":1,"result":null,"call":0,"return":2}
{"process":2,"f":"remove","value":null,"result":"empty","call":1,"return":3}
{"process":3,"f":"put","value":["a",-2],"result":true,"call":4,"return":5}
{"process":4,"f":"remove","value":null,"call":6,"return":null,"type":"info"}
"#;
    assert_eq!(shown(VIOLIN, &Options::default()), expected);
}

#[test]
fn violat() {
    let expected = r#"{"object":"queue"}
{"process":0,"f":"offer","value":1,"result":true,"call":0,"return":2}
{"process":1,"f":"poll","value":null,"result":null,"call":1,"return":3}
{"process":0,"f":"put","value":[1,2],"result":null,"call":4,"return":5}
"#;
    assert_eq!(shown(VIOLAT, &Options::default()), expected);
    // A sequence that calls before it returned cannot be a process: then each invocation is one.
    let overlapping = read(&VIOLAT.replace("\"sid\": 1", "\"sid\": 0")).unwrap();
    let processes: Vec<String> = overlapping.process.iter().map(|&id| overlapping.values.show(id)).collect();
    assert_eq!(processes, ["7", "8", "9"]);
}

#[test]
fn the_result_of_an_event() {
    let table = [
        ("read", "nil", "3", "3"),
        ("read", "3", "3", "3"),
        ("read", "nil", "nil", "null"),
        ("contains", "3", "3", "3"),
        ("write", "3", "3", "null"),
        ("write", "3", "nil", "null"),
        ("dequeue", "nil", "4", "4"),
        ("enqueue", "4", "true", "true"),
        ("cas", "[1 2]", "[1 2]", "true"),
        ("cas", "[1 2]", "nil", "true"),
        ("cas", "[1 2]", "false", "false"),
        ("txn", "[[:r :x nil]]", "[[:r :x 2]]", r#"[["r","x",2]]"#),
        ("txn", "[[:w :x 1]]", "[[:w :x 1]]", r#"[["w","x",1]]"#),
        ("txn", "[[:r :x nil]]", "[[:r :x nil]]", r#"[["r","x",null]]"#),
    ];
    for (f, value, completion, result) in table {
        let text = format!(
            "[{{:process 0 :type :invoke :f :{f} :value {value}}} {{:process 0 :type :ok :f :{f} :value {completion}}}]"
        );
        let history = read(&text).unwrap();
        assert_eq!(history.values.show(history.result[0]), result, "{text}");
    }
}

#[test]
fn a_failed_cas_may_be_one_whose_value_differed() {
    let edn = "{:process 0 :type :invoke :f :cas :value [1 2]}\n{:process 0 :type :fail :f :cas :value [1 2]}";
    let native = r#"{"process":0,"f":"cas","value":[1,2],"call":0,"return":1,"type":"fail"}"#;
    for text in [edn, native] {
        let dropped = read(text).unwrap();
        assert_eq!((dropped.status[0], dropped.result_of(0)), (Status::Fail, None));
        let options = Options { failed_cas: true, ..Options::default() };
        let differed = read::bytes(text.as_bytes(), "file", &options).unwrap();
        assert_eq!(differed.status[0], Status::Ok);
        assert_eq!(differed.values.show(differed.result[0]), "false");
    }
}

#[test]
fn independent_keys_need_the_flag() {
    let text = "0\t:invoke\t:cas\t[k [1 2]]\n1\t:invoke\t:read\t[k nil]\n1\t:ok\t:read\t#x.MapEntry[k 5]\n\
                0\t:info\t:cas\t:timed-out\n:nemesis\t:info\t:start\tnil\n";
    let options = Options { independent: true, ..Options::default() };
    let expected = r#"{"process":0,"f":"cas","key":"k","value":[1,2],"call":0,"return":3,"type":"info","extra":{"error":"timed-out"}}
{"process":1,"f":"read","key":"k","value":null,"result":5,"call":1,"return":2}
{"annotation":{"f":"start","process":"nemesis","type":"info","value":null},"after":3}
"#;
    assert_eq!(shown(text, &options), expected);
    assert!(shown(text, &Options::default()).contains(r#""value":["k",[1,2]]"#));
}

#[test]
fn a_name_that_is_a_text_is_a_client() {
    let text = r#"[{:process "nemesis" :type :invoke :f :read} {:process nemesis :type :info}]"#;
    let history = read(text).unwrap();
    assert_eq!((history.len(), history.annotations.len()), (1, 1));
}

#[test]
fn files_may_be_packed_and_may_have_a_mark() {
    let folder = std::env::temp_dir().join(format!("linpoint-formats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (format, text) in ALL {
        let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(marked.as_bytes()).unwrap();
        let packed = encoder.finish().unwrap();
        assert_eq!(read::sniff(&packed), Ok(format));
        let file = folder.join(format!("{}.gz", format.name()));
        std::fs::write(&file, packed).unwrap();
        let history = read::path(&file, &Options::default()).unwrap();
        assert!(history.same_operations(&read(text).unwrap(), true), "{format:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = read::path(Path::new("no/such/file.edn"), &Options::default()).unwrap_err();
    assert!(error.to_string().starts_with("no/such/file.edn: cannot be read: "), "{error}");
    let folder = read::path(Path::new("."), &Options::default()).unwrap_err();
    assert!(folder.to_string().starts_with(".: cannot be read: "), "{folder}");
}

#[test]
fn a_big_file_is_mapped() {
    let line = "{\"process\":0,\"f\":\"w\",\"call\":TIME,\"return\":TIME}\n";
    let padding = "#".repeat(1 << 20) + "\n";
    let file = std::env::temp_dir().join(format!("linpoint-big-{}.jsonl", std::process::id()));
    let mut out = std::fs::File::create(&file).unwrap();
    for time in 0..70 {
        out.write_all(padding.as_bytes()).unwrap();
        out.write_all(line.replace("TIME", &time.to_string()).as_bytes()).unwrap();
    }
    drop(out);
    let history = read::path(&file, &Options::default());
    std::fs::remove_file(&file).unwrap();
    assert_eq!(history.unwrap().len(), 70);
}

#[test]
fn formats_have_names() {
    assert_eq!(Format::ALL.map(Format::name)[1], "jepsen");
}
