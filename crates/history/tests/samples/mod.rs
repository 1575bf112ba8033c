//! One small sound file of every format, shared by the tests.

use linpoint_history::read::{self, Format, Options};
use linpoint_history::{History, ReadError};

pub const JSONL: &str = r##"# a comment
{"object":"register"}
{"process":0,"f":"cas","value":[1,2],"result":true,"call":10,"return":17}

// another comment
{"process":"b","f":"write","key":"x","value":3,"call":11,"return":null}
{"type":"fail","f":"write","process":2,"value":{"a":[null]},"call":12,"return":13,"node":"n1"}
{"process":3,"f":"read","value":null,"call":12.5,"return":19,"type":"info","error":"timeout"}
{"annotation":{"process":"nemesis","f":"start"},"after":3}
"##;

pub const EDN: &str = r#"; a comment
[{:process 0, :type :invoke, :f :cas, :value [1 2], :time 5, :index 0}
 #jepsen.history.Op{:type :invoke :process 1 :f :read :value nil}
 {:process :nemesis :type :info :f :start, :value #{:n1 :n2}}
 #_{:process 9 :type :ok}
 {:process 0, :type :ok, :f :cas, :value [1 2], :time 9, :index 3}
 {:process 1 :type :ok :f :read :value 2}
 {:process 1 :type :invoke :f :write :value 7N}
 {:process 1 :type :info :f :write :value 7 :error [:conn "lost"]}]
"#;

pub const LOG: &str = "INFO  jepsen.core - starting
INFO  jepsen.util - 0\t:invoke\t:read\tnil
INFO [2017-03-31 19:34:47,351] jepsen worker 4 - jepsen.util 4\t:invoke\t:cas\t[4 4]
2021-01-01 10:00:00,000{GMT}\tINFO\t[worker 0] jepsen.util: 0\t:ok\t:read\t3
:nemesis\t:info\t:start\tCut off {:n1 #{:n2}}
4\t:info\t:cas\t[4 4]\t:timeout
\tat jepsen.core$worker.invoke(core.clj:12)
5\t:invoke\t:write\t1
5\t:info\t:write\t:timed-out
";

pub const JSON: &str = r#"[
  {"index": 0, "process": 0, "type": "invoke", "f": "txn", "value": [["r", "x", null]]},
  {"index": 1, "process": "nemesis", "type": "info", "f": "start", "value": null},
  {"index": 2, "process": 0, "type": "ok", "f": "txn", "value": [["r", "x", 1]]},
  {"index": 3, "process": 1, "type": "invoke", "f": "txn", "value": [["w", "x", 2]]},
  {"index": 4, "process": 1, "type": "ok", "f": "txn", "value": [["w", "x", 2]]}
]
"#;

pub const PORCUPINE: &str = r#"{:process 0, :type :invoke, :f :append, :key "0", :value "x 0 0 y"}
{:process 1, :type :invoke, :f :get, :key "0", :value nil}
{:process 0, :type :ok, :f :append, :key "0", :value "x 0 0 y"}
{:process 1, :type :ok, :f :get, :key "0", :value ""}
{:process 1, :type :invoke, :f :put, :key "1", :value "z"}
"#;

pub const VIOLIN: &str = "# a comment
# @object atomic-queue

[1] call add(1)
    [2] call remove
[1] return
    [2] return empty
[3] call put(a, -2)
[3] return true
[4] call remove()
";

pub const VIOLAT: &str = r#"{
  "schema": {"class": "java.util.concurrent.ConcurrentLinkedQueue", "sequences": []},
  "events": [
    {"kind": "call", "sid": 0, "invocation": {"id": 7, "method": {"name": "offer"}, "arguments": [1]}},
    {"kind": "call", "sid": 1, "invocation": {"id": 8, "method": {"name": "poll"}, "arguments": []}},
    {"kind": "return", "sid": 0, "invocation": {"id": 7, "method": {"name": "offer"}, "arguments": [1]}, "value": "true"},
    {"kind": "return", "sid": 1, "invocation": {"id": 8, "method": {"name": "poll"}, "arguments": []}, "value": "null"},
    {"kind": "call", "sid": 0, "invocation": {"id": 9, "method": {"name": "put"}, "arguments": [1, 2]}},
    {"kind": "return", "sid": 0, "invocation": {"id": 9, "method": {"name": "put"}, "arguments": [1, 2]}}
  ]
}
"#;

pub const CSV: &str = "\
process;f;key;value;result;call;return;type;node
0;cas;;[1,2];true;10;17;ok;n1
p1;write;x;\"\"\"3\"\"\";;11;;;n2
2;read;;;NaN;12.5;1970-01-01T00:00:19Z;ok;
";

/// Every format with its file.
#[allow(dead_code)]
pub const ALL: [(Format, &str); 8] = [
    (Format::Jsonl, JSONL),
    (Format::JepsenEdn, EDN),
    (Format::JepsenLog, LOG),
    (Format::JepsenJson, JSON),
    (Format::PorcupineKv, PORCUPINE),
    (Format::Violin, VIOLIN),
    (Format::Violat, VIOLAT),
    (Format::Csv, CSV),
];

/// Reads a text with its format sniffed.
#[allow(dead_code)]
pub fn read(text: &str) -> Result<History, ReadError> {
    read::bytes(text.as_bytes(), "file", &Options::default())
}

/// The message about a text that cannot be read.
#[allow(dead_code)]
pub fn complaint(text: &str, options: &Options) -> String {
    match read::bytes(text.as_bytes(), "file", options) {
        Ok(_) => "it can be read".to_owned(),
        Err(error) => error.to_string(),
    }
}
