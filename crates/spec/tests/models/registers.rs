//! register, cas-register, multi-register, array.

use crate::legality::{check, legal, refuses, same_calls};
use linpoint_testkit::{history, parts};

#[test]
fn register() {
    let table = [
        ("", true),
        ("read -> null", true),
        ("read -> 0", false),
        ("write 3; read -> 3; read -> 3", true),
        ("write 3; read -> null", false),
        ("set 3; get -> 3; put 4; load -> 4; store 5; read -> 5", true),
        ("write 3 -> 4; read -> 3; write false -> false; read -> false", true), // the result of a write is not compared
        ("write 3 -> ?; read -> 3", true),
        ("read -> ?; read -> null", true),
        ("write 3; write 4 -> fail; read -> 3", true),
        ("write [1,2]; read -> [1,2]", true),
        ("write 1.0; read -> 1", true),
        ("write 1; read -> true", false),
        // no key, and every key, is an object of its own
        ("write @x 1; write @y 2; write 3; read @x -> 1; read @y -> 2; read -> 3", true),
        ("write @x 1; read @y -> 1", false),
        ("write @null 1; read -> 1", true),
    ];
    check("register", &table);
    check("register:initial=0", &[("read -> 0; write 1; read -> 1", true), ("read -> null", false)]);
    refuses(
        "register",
        &[
            (
                "cas [1,2] -> true",
                r#""cas": a register has read and write; cas belongs to cas-register, map and array"#,
            ),
            (
                "frobnicate",
                r#""frobnicate": a register has read and write. If it is another name for one of these, say so: --map frobnicate=OPERATION"#,
            ),
        ],
    );
}

#[test]
fn cas_register() {
    let table = [
        ("cas [null,1] -> true; read -> 1", true),
        ("cas [1,2] -> true", false),
        ("cas [1,2] -> false; read -> null", true),
        ("write 1; cas [1,2] -> false", false),
        ("write 1; cas [1,2] -> ?; read -> 2", true),
        ("write 1; cas [1,2] -> ?; read -> 1", false), // it took effect where it stands
        ("write 1; cas [3,2] -> ?; read -> 1", true),
        ("write 1; swap 2 -> 1; read -> 2", true),
        ("write 1; swap 2 -> 0", false),
        ("write 1; swap 2 -> ?; read -> 2", true),
        ("write 1; compare_and_set [1,2] -> true; compareAndSet [2,3] -> true; compare-and-set [3,4] -> true", true),
        ("compare_and_swap [null,4] -> true; get_and_set 5 -> 4; getAndSet 6 -> 5; exchange 7 -> 6; read -> 7", true),
    ];
    check("cas-register", &table);
    refuses(
        "cas_register",
        &[
            ("cas 3 -> true", r#""cas": cas needs a value [old, new], but has 3"#),
            ("cas [1,2,3] -> true", r#""cas": cas needs a value [old, new], but has [1,2,3]"#),
            ("cas [1,2]", r#""cas": a completed cas needs the result true or false, but has null"#),
            (
                "txn []",
                r#""txn": a cas-register has read, write, cas and swap; txn belongs to multi-register and append-list"#,
            ),
        ],
    );
}

#[test]
fn what_means_the_same_is_the_same_call() {
    same_calls(
        "cas-register",
        &[
            "write 3; write 3 -> ?; write 3 -> true; set 3; swap 3 -> ?",
            "read -> 3; cas [3,3] -> true; swap 3 -> 3",
            "read -> ?; cas [3,3] -> ?",
            "cas [3,4] -> true; swap 4 -> 3",
            "cas [3,4] -> false; cas [3,5] -> false",
            "cas [3,4] -> ?",
        ],
    );
}

#[test]
fn multi_register() {
    let table = [
        ("txn [[r,x,null]] -> [[r,x,null]]", true),
        ("txn [[w,x,1],[w,y,2]]; txn [[r,x,null],[r,y,null]] -> [[r,x,1],[r,y,2]]", true),
        ("txn [[w,x,1],[w,y,2]]; txn [[r,x,null],[r,y,null]] -> [[r,x,1],[r,y,null]]", false),
        ("txn [[w,x,1],[w,y,2]] -> [[w,x,1],[w,y,2]]; txn [[r,y,null]] -> [[r,y,2]]", true),
        ("transaction [[write,x,1],[read,x,null]] -> [[write,x,1],[read,x,1]]", true),
        // it sees its own writes, and what it read before
        ("txn [[w,x,1],[r,x,null]] -> [[w,x,1],[r,x,2]]", false),
        ("txn [[r,x,null],[w,x,1],[w,x,2],[r,x,null]] -> [[r,x,null],[w,x,1],[w,x,2],[r,x,2]]; read x -> 2", true),
        ("txn [[r,x,null],[r,x,null]] -> [[r,x,null],[r,x,1]]", false),
        ("txn [[w,x,1],[w,y,1],[r,x,null]] -> [[w,x,1],[w,y,1],[r,x,2]]", false),
        ("txn [[r,x,null],[w,y,1]] -> ?; read y -> 1", true),
        ("txn []; txn [] -> []; txn [] -> ?", true),
        ("write [x,1]; read x -> 1; read @x -> 1; write @x 2; get x -> 2; load y -> null", true),
        ("write [x,1]; read y -> 1", false),
        ("txn [[w,0,1],[w,1,2]]; txn [[r,1,null],[r,0,null]] -> [[r,1,2],[r,0,1]]", true),
    ];
    check("multi-register", &table);
    check("multi-register:initial=0", &[("txn [[r,x,null],[r,y,null]] -> [[r,x,0],[r,y,0]]", true)]);
    let named = "multi-register:initial={\"x\":1,\"y\":2}";
    check(named, &[("read x -> 1; read y -> 2; read z -> null", true), ("read x -> null", false)]);
    let form = "a list of [read, register, null] and [write, register, value] as value";
    let filled = "the same list with its reads filled in as result";
    let refusal = |what: &str, has: &str| format!("\"txn\": {what}, but has {has}");
    for (operation, message) in [
        ("txn 3", refusal(&format!("txn needs {form}"), "3")),
        ("txn [[r,x]]", refusal(&format!("txn needs {form}"), r#"[["r","x"]]"#)),
        ("txn [[x,x,1]]", refusal(&format!("txn needs {form}"), r#"[["x","x",1]]"#)),
        ("txn [[r,x,null]]", refusal(&format!("a completed txn needs {filled}"), "null")),
        ("txn [[r,x,null]] -> []", refusal(&format!("a completed txn needs {filled}"), "[]")),
        ("txn [[w,x,1]] -> [[w,x,2]]", refusal(&format!("a completed txn needs {filled}"), r#"[["w","x",2]]"#)),
        (
            "txn [[r,x,null]] -> [[read,x,1]]",
            refusal(&format!("a completed txn needs {filled}"), r#"[["read","x",1]]"#),
        ),
        ("txn [[r,x,null]] -> [[r,y,1]]", refusal(&format!("a completed txn needs {filled}"), r#"[["r","y",1]]"#)),
        ("txn @k []", refusal("txn needs no key, as it names its registers in its value", r#""k""#)),
        ("write 3", "\"write\": write needs a value [register, value], but has 3".to_owned()),
    ] {
        refuses("multi-register", &[(operation, &message)]);
    }
}

#[test]
fn a_transaction_on_one_register_is_a_plain_call() {
    same_calls(
        "multi-register",
        &[
            "write [x,3]; txn [[w,x,3]]; txn [[w,x,1],[w,x,3]] -> ?; txn [[w,x,3],[r,x,null]] -> [[w,x,3],[r,x,3]]",
            "read x -> 3; txn [[r,x,null]] -> [[r,x,3]]; txn [[r,x,null],[w,x,3]] -> [[r,x,3],[w,x,3]]",
            "txn [[w,x,3],[w,y,3]]; txn [[w,y,3],[w,x,3]]; txn [[w,y,3],[w,x,3]] -> [[w,y,3],[w,x,3]]",
        ],
    );
}

#[test]
fn registers_split_where_no_transaction_spans_them() {
    let labels = |operations: &str| -> Vec<Option<String>> {
        parts("multi-register", &history(operations), true).unwrap().into_iter().map(|part| part.label).collect()
    };
    let [ab, c] = [r#""a", "b""#, r#""c""#].map(|label| Some(label.to_owned()));
    assert_eq!(labels("txn [[w,a,1],[w,b,1]]; txn [[w,c,1]]; read b -> 1; txn []"), [ab, c]);
    assert_eq!(labels("txn [[w,a,1],[w,b,1]]; txn [[w,c,1],[w,b,1]]"), [None]);
    assert_eq!(legal("multi-register", "txn [[w,a,1],[w,b,1]]; txn [[w,c,1]]; read c -> 1; read b -> 1"), Ok(true));
    let nine: Vec<String> = (0..9).map(|i| format!("[w,{i},1]")).collect();
    let many = labels(&format!("txn [{}]; read x", nine.join(",")));
    assert_eq!(many[0].as_deref(), Some("0, 1, 2, 3, 4, 5, 6, 7, … 1 more"));
}

#[test]
fn array() {
    let table = [
        ("read 0 -> null; write [0,7]; read 0 -> 7; read 1 -> null", true),
        ("write [0,7]; read 1 -> 7", false),
        ("write @0 7; get @0 -> 7; load 0 -> 7; set [1,8]; put @1 9; store @2 1; read 1 -> 9", true),
        ("write [0,1]; cas [0,1,2] -> true; cas @0 [2,3] -> true; compareAndSet [0,1,5] -> false; read 0 -> 3", true),
        ("cas [0,1,2] -> true", false),
    ];
    check("array", &table);
    check("array:initial=0", &[("read 5 -> 0", true), ("read 5 -> null", false)]);
    refuses(
        "array",
        &[
            ("write 7", r#""write": write needs a value [index, value], but has 7"#),
            ("cas [1,2] -> true", r#""cas": cas needs a value [index, old, new], but has [1,2]"#),
            ("cas @0 7 -> true", r#""cas": cas needs a value [old, new] beside its key, but has 7"#),
            ("swap [0,1]", r#""swap": an array has read, write and cas; swap belongs to cas-register and map"#),
        ],
    );
}
