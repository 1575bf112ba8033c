//! What is written can be read back, and says the same.

mod samples;

use linpoint_history::read::{self, Format, Options};
use linpoint_history::{Annotation, Builder, History, Record, Status, Time, Value, ValueId, Values, write};
use proptest::prelude::*;

/// A value before it has an id.
#[derive(Clone, Debug)]
enum Tree {
    Null,
    Bool(bool),
    Int(i64),
    Digits(String),
    Float(f64),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    fn intern(&self, values: &mut Values) -> ValueId {
        match self {
            Tree::Null => ValueId::NULL,
            Tree::Bool(truth) => values.bool(*truth),
            Tree::Int(number) => values.int(*number),
            Tree::Digits(digits) => values.integer(digits),
            Tree::Float(number) => values.float(*number),
            Tree::Text(text) => values.text(text),
            Tree::List(parts) => {
                let parts: Vec<ValueId> = parts.iter().map(|part| part.intern(values)).collect();
                values.list(&parts)
            }
            Tree::Map(entries) => {
                let pair = |e: &(Tree, Tree)| (e.0.intern(values), e.1.intern(values));
                let entries: Vec<(ValueId, ValueId)> = entries.iter().map(pair).collect();
                values.intern(Value::Map(entries.into()))
            }
        }
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec!["", "a", "#map", "#float", "NaN", "nil", "x y", "\"\\\n\u{0}\u{7f}", "é😀"])
            .prop_map(str::to_owned),
        any::<String>(),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        (-3i64..300).prop_map(Tree::Int),
        any::<i64>().prop_map(Tree::Int),
        "-?[1-9][0-9]{18,40}".prop_map(Tree::Digits),
        any::<f64>().prop_filter("NaN and infinities are no values", |x| x.is_finite()).prop_map(Tree::Float),
        text().prop_map(Tree::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Tree::List),
            proptest::collection::vec((inner.clone(), inner.clone()), 0..3).prop_map(Tree::Map),
            proptest::collection::vec((text().prop_map(Tree::Text), inner), 0..3).prop_map(Tree::Map),
        ]
    })
}

/// An operation of process `process` that starts `wait` after its last one ended.
#[derive(Clone, Debug)]
struct Op {
    process: usize,
    f: String,
    key: Option<Tree>,
    value: Tree,
    result: Tree,
    echo: bool,
    ending: u8,
    wait: i64,
    length: i64,
    extra: Vec<(String, Tree)>,
}

fn op() -> impl Strategy<Value = Op> {
    let names = vec!["read", "write", "cas", "get", "txn", "enq", "compare and set", "é", ""];
    let f = proptest::sample::select(names).prop_map(str::to_owned);
    let key = proptest::option::of(tree().prop_filter("null is no key", |key| !matches!(key, Tree::Null)));
    let fields = vec![
        "error",
        "time",
        "return-time",
        "return-error",
        "return-return-x",
        "return-value",
        "call",
        "return",
        "value",
        "process",
        "result",
        "key",
        "extra:call",
        "node 1",
        "linpoint/result",
        "annotation",
        "object",
        "after",
        "extra",
        "index",
        "line",
        "operation",
        "type",
        "#map",
        "end",
        "args",
        "é",
    ];
    let extra = proptest::collection::btree_map(proptest::sample::select(fields), tree(), 0..4);
    let extra = extra.prop_map(|map| map.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    let body = (0..4usize, f, key, tree(), tree(), any::<bool>());
    (body, 0..10u8, 1..4i64, 0..6i64, extra).prop_map(
        |((process, f, key, value, result, echo), ending, wait, length, extra)| Op {
            process,
            f,
            key,
            value,
            result,
            echo,
            ending,
            wait,
            length,
            extra,
        },
    )
}

/// The history of the operations; a process that crashed is succeeded by another. With `tail`, times are its digits after a whole number.
fn build(ops: &[Op], annotations: &[(Tree, u32)], tail: Option<&str>) -> History {
    let mut builder = Builder::new();
    let mut clients: [(i64, i64); 4] = [(0, 0), (1, 0), (2, 0), (3, 0)];
    for op in ops {
        let (id, last) = &mut clients[op.process];
        let (call, ret) = (*last + op.wait, *last + op.wait + op.length);
        let process =
            if op.process == 3 { builder.values.text(&format!("client-{id}")) } else { builder.values.int(*id) };
        let values = &mut builder.values;
        let (f, value) = (values.text(&op.f), op.value.intern(values));
        let key = op.key.as_ref().map_or(ValueId::ABSENT, |key| key.intern(values));
        let result = if op.echo { value } else { op.result.intern(values) };
        let (status, returned) = match op.ending {
            0 => (Status::Info, false),
            1 => (Status::Info, true),
            2 => (Status::Fail, true),
            _ => (Status::Ok, true),
        };
        *last = ret;
        *id += if status == Status::Info { 4 } else { 0 };
        let number = match tail {
            None => {
                let ret = returned.then_some(ret);
                builder.push(Record { process, f, key, value, result, status, call, ret, line: 0 })
            }
            Some(tail) => {
                let exact = |time: i64| Time::number(&format!("{time}{tail}")).unwrap();
                let (call, ret) = (exact(call), returned.then(|| exact(ret)));
                builder.push_exact(Record { process, f, key, value, result, status, call, ret, line: 0 })
            }
        };
        for (name, value) in &op.extra {
            let (name, value) = (builder.values.text(name), value.intern(&mut builder.values));
            builder.extra(number, name, value);
        }
    }
    for (fields, after_events) in annotations {
        let fields = fields.intern(&mut builder.values);
        builder.annotations.push(Annotation { line: 0, after_events: *after_events, fields });
    }
    builder.finish().unwrap()
}

/// The annotations by place, as text.
fn remarks(history: &History) -> Vec<(u32, String)> {
    let show = |a: &Annotation| (a.after_events, history.values.show(a.fields));
    let mut remarks: Vec<_> = history.annotations.iter().map(show).collect();
    remarks.sort_by_key(|r| r.0);
    remarks
}

fn nemesis() -> impl Strategy<Value = Tree> {
    let name = |text: &str| Tree::Text(text.to_owned());
    let line = move |process: &str, f: Tree| {
        Tree::Map(vec![(name("process"), name(process)), (name("type"), name("info")), (name("f"), f)])
    };
    prop_oneof![tree(), tree().prop_map(move |f| line("nemesis", f)), tree().prop_map(move |f| line("a b", f))]
}

proptest! {
    #[test]
    fn jsonl_is_lossless(
        ops in proptest::collection::vec(op(), 1..12),
        annotations in proptest::collection::vec((nemesis(), 0..30u32), 0..3),
        tail in proptest::option::of(proptest::sample::select(vec![".5", ".000000000000000000001", "e300", "e-300", "00000000000000000000"])),
    ) {
        let history = build(&ops, &annotations, tail);
        let text = write::jsonl(&history);
        let again = samples::read(&text).unwrap();
        prop_assert!(history.same_operations(&again, true), "{}", text);
        prop_assert_eq!(remarks(&history), remarks(&again));
        prop_assert_eq!(write::jsonl(&again), text.clone());
        let mut pieces = Vec::new();
        write::jsonl_to(&history, &mut pieces).unwrap();
        prop_assert_eq!(String::from_utf8(pieces).unwrap(), text);
    }

    #[test]
    fn a_table_keeps_every_operation(
        ops in proptest::collection::vec(op().prop_filter("a cell says no empty name", |op| !op.f.is_empty()), 1..12),
        tail in proptest::option::of(proptest::sample::select(vec![".5", ".000000000000000000001", "e300", "e-300"])),
    ) {
        let history = build(&ops, &[], tail);
        let text = write::csv(&history);
        let again = samples::read(&text).unwrap();
        prop_assert!(history.same_operations(&again, true), "{}", text);
        prop_assert_eq!(write::csv(&again), text);
    }

    #[test]
    fn edn_keeps_all_but_the_times(
        ops in proptest::collection::vec(op(), 1..12),
        annotations in proptest::collection::vec((nemesis(), 0..30u32), 0..3),
    ) {
        let history = build(&ops, &annotations, None);
        let text = write::edn(&history).unwrap();
        let again = samples::read(&text).unwrap();
        prop_assert!(history.same_operations(&again, false), "{}", text);
        prop_assert_eq!(remarks(&history), remarks(&again));
        prop_assert_eq!(write::edn(&again).unwrap(), text);
    }
}

#[test]
fn samples_survive_both_formats() {
    for (format, text) in samples::ALL {
        let history = samples::read(text).unwrap();
        let native = samples::read(&write::jsonl(&history)).unwrap();
        assert!(history.same_operations(&native, true), "{format:?}");
        assert_eq!((remarks(&history), &history.object), (remarks(&native), &native.object), "{format:?}");
        let events = samples::read(&write::edn(&history).unwrap()).unwrap();
        assert!(history.same_operations(&events, false), "{format:?}");
        assert_eq!(remarks(&history), remarks(&events), "{format:?}");
    }
}

#[test]
fn edn_looks_like_jepsens() {
    let text = write::edn(&samples::read(samples::EDN).unwrap()).unwrap();
    let expected = r#"[{:process 0, :type :invoke, :f :cas, :value [1 2], :extra {:index 0, :time 5}}
 {:process 1, :type :invoke, :f :read, :value nil}
 {:f :start, :process :nemesis, :type :info, :value ["n1" "n2"]}
 {:process 0, :type :ok, :f :cas, :value [1 2], :extra {:index 3, :time 9}}
 {:process 1, :type :ok, :f :read, :value 2}
 {:process 1, :type :invoke, :f :write, :value 7}
 {:process 1, :type :info, :f :write, :value 7, :error ["conn" "lost"]}]
"#;
    assert_eq!(text, expected);
}

#[test]
fn events_in_a_row_cannot_say_that_a_process_calls_when_it_returns() {
    let text =
        "{\"process\":0,\"f\":\"w\",\"call\":0,\"return\":1}\n{\"process\":0,\"f\":\"w\",\"call\":1,\"return\":2}";
    let history = samples::read(text).unwrap();
    let message =
        "operation 1: process 0 calls at the very time its operation 0 returns: events in a row cannot say that";
    assert_eq!(write::edn(&history).unwrap_err().to_string(), message);
    assert_eq!(Format::from_name("jsonl"), Some(Format::Jsonl));
    assert_eq!(read::bytes(text.as_bytes(), "x", &Options::default()).unwrap().len(), 2);
}
