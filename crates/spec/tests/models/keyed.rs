//! kv, append-list, map, set.

use crate::legality::{check, refuses, same_calls};

#[test]
fn kv() {
    let table = [
        (r#"get k -> ""; get k -> null; put [k,"a"]; get k -> "a""#, true),
        (r#"put [k,"a"]; get k -> null"#, false),
        (r#"append [k,"x"]; append [k,"y"]; get k -> "xy"; get j -> """#, true),
        (r#"append [k,"x"]; append [k,"y"]; get k -> "yx""#, false),
        (r#"append [k,"x"]; append [k,"yz"]; put [j,"xy"]; append [j,"z"]; get k -> "xyz"; get j -> "xyz""#, true),
        (r#"append @k "x"; append @k "" -> ?; read @k -> "x"; set @k "y"; write [k,"z"]; get k -> "z""#, true),
        (r#"put [k,"a"] -> "whatever"; get k -> "a""#, true),
    ];
    check("kv", &table);
    check(
        "kvstore:initial=\"-\"",
        &[(r#"get k -> "-"; get k -> null; append [k,"x"]; get k -> "-x""#, true), (r#"get k -> """#, false)],
    );
    same_calls(
        "kv",
        &[r#"append [k,"x"]; append @k "x" -> ?"#, r#"append [k,""]; get k -> ?"#, r#"get k; get k -> """#],
    );
    refuses(
        "kv",
        &[
            ("put k", r#""put": put needs a value [key, text], but has "k""#),
            ("put [k,3]", r#""put": put needs a text (a map holds any value), but has 3"#),
            ("append @k [1]", r#""append": append needs a text (a map holds any value), but has [1]"#),
            ("get k -> 3", r#""get": the result of a get needs a text (a map holds any value), but has 3"#),
            (
                "remove k",
                r#""remove": a kv has get, put and append; remove belongs to map, set, queue, stack, height-stack, priority-queue and bag"#,
            ),
        ],
    );
}

#[test]
fn append_list() {
    let table = [
        ("read k -> null; read k -> []; append [k,1]; append @k 2; get @k -> [1,2]; r k -> ?; read j -> []", true),
        ("append [k,1]; append [k,2]; read k -> [2,1]", false),
        ("append [k,1]; read k -> null", false),
        ("append [k,1]; append [k,1] -> ?; read k -> [1,1]", true),
        ("append [k,1]; read j -> [1]", false),
        ("append [k,[1,2]]; append [k,true]; read k -> [[1,2],true]", true),
        ("append [k,1]; read k -> [true]", false),
        ("txn [[append,k,1]] -> [[append,k,1]]; append @k 2; txn [[r,k,null]] -> [[r,k,[1,2]]]", true),
        ("txn [[append,k,1]]; transaction [[read,k,null]] -> [[read,k,null]]", false),
        ("txn [[read,k,null]] -> [[read,k,null]]; txn [[r,k,null]] -> [[r,k,[]]]; txn [[r,k,null]] -> ?", true),
        ("txn [[r,k,null]]; txn [[append,k,1]]", true),
        ("txn [[append,k,1]]; txn [[r,k,null]]", false),
    ];
    check("append-list", &table);
    check("list_append", &table);
    same_calls(
        "append-list",
        &["append [k,1]; append @k 1 -> ?; txn [[append,k,1]]", "read k -> ?; txn [[r,k,null]] -> ?"],
    );
    let one_step = "txn needs a list of one step, [append, key, element] or [r, key, null], as value (several are serializability, not linearizability)";
    let repeated = "a completed txn needs the same list with its read filled in as result";
    refuses(
        "append-list",
        &[
            ("append k", r#""append": append needs a value [key, element], but has "k""#),
            ("read k -> 3", r#""read": a completed read needs a list as result, but has 3"#),
            ("txn [[r,k,null]] -> [[r,k,3]]", r#""txn": a completed read needs a list as result, but has 3"#),
            ("txn []", &format!(r#""txn": {one_step}, but has []"#)),
            (
                "txn [[append,k,1],[append,j,1]]",
                &format!(r#""txn": {one_step}, but has [["append","k",1],["append","j",1]]"#),
            ),
            ("txn [[w,k,1]]", &format!(r#""txn": {one_step}, but has [["w","k",1]]"#)),
            ("txn [[r,k,null]] -> [[r,j,[1]]]", &format!(r#""txn": {repeated}, but has [["r","j",[1]]]"#)),
            ("txn [[append,k,1]] -> [[append,k,2]]", &format!(r#""txn": {repeated}, but has [["append","k",2]]"#)),
            ("txn @k [[append,k,1]]", r#""txn": txn needs no key, as it names its list in its value, but has "k""#),
        ],
    );
}

#[test]
fn map() {
    let table = [
        ("get 1 -> null; put [1,a]; get 1 -> a; read 1 -> a; lookup @1 -> a", true),
        ("put [1,a]; get 1 -> null", false),
        ("put [1,a]; get 2 -> a", false),
        ("set [1,a]; write @1 b; store [1,c]; get 1 -> c", true),
        ("swap [1,a] -> null; swap [1,b] -> a; get_and_put [1,c] -> b; getAndPut [1,d] -> c; exchange @1 e -> d", true),
        ("swap [1,a] -> b", false),
        ("put [1,a]; remove 1 -> a; remove 1 -> null; remove 1 -> ?", true),
        ("put [1,a]; remove 1 -> null", false),
        ("delete 1 -> false; put [1,a]; delete 1 -> true; discard 1 -> false", true),
        ("delete 1 -> true", false),
        ("put [1,a]; delete 1; delete 1; get 1 -> null", true),
        ("put_if_absent [1,a] -> null; putIfAbsent [1,b] -> a; put-if-absent @1 c -> a; get 1 -> a", true),
        ("put_if_absent [1,a] -> ?; put_if_absent [1,b] -> ?; get 1 -> a", true),
        ("put_if_absent [1,a] -> a", false),
        ("replace [1,a] -> null; get 1 -> null; put [1,b]; replace [1,c] -> b; get 1 -> c", true),
        ("replace [1,a] -> ?; get 1 -> a", false),
        ("put [1,b]; replace [1,c] -> null", false),
        ("put [1,b]; replace [1,c] -> ?; get 1 -> c", true),
        ("replace_if [1,null,a] -> true; replace_if [1,a,b] -> true; cas [1,a,c] -> false; get 1 -> b", true),
        ("put [1,a]; compare_and_set @1 [a,null] -> true; contains 1 -> false", true),
        ("put [1,a]; replace_if [1,null,b] -> true", false),
        ("put [1,a]; remove_if [1,b] -> false; compare_and_remove @1 a -> true; get 1 -> null", true),
        ("remove_if [1,null] -> true; remove_if [1,null] -> false", false),
        ("contains 1 -> false; put [1,a]; containsKey 1 -> true; contains_key @1 -> true; has 1 -> true", true),
        ("put [1,a]; put [1,null]; contains 1 -> false; size -> 0", true), // null is no value
        ("size -> 0; put [1,a]; put [2,b]; put [2,c]; len -> 2; remove 1 -> a; count -> 1; size -> ?", true),
        ("put [1,a]; size -> 0", false),
        ("size -> 0; len -> 0", true),
        ("put @null [1,a]; get 1 -> a", true),
        ("size -> 1", false),
    ];
    check("map", &table);
    same_calls(
        "map",
        &[
            "put [1,a]; put [1,a] -> b; swap @1 a -> ?",
            "get 1 -> a; put_if_absent [1,b] -> a; cas [1,a,a] -> true",
            "get 1; contains 1 -> false; delete 1 -> false; remove 1; replace [1,a]; remove_if [1,null] -> true",
            "swap [1,b] -> a; replace [1,b] -> a; cas [1,a,b] -> true",
            "put_if_absent [1,a]; swap [1,a]",
            "put_if_absent [1,a] -> ?; cas [1,null,a] -> ?",
            "remove 1 -> ?; delete 1 -> ?; delete 1; put [1,null]",
        ],
    );
    refuses(
        "dict",
        &[
            ("put 1", r#""put": put needs a value [key, value], but has 1"#),
            ("put [1]", r#""put": put needs a value [key, value], but has [1]"#),
            (
                "replace_if @1 2 -> true",
                r#""replace_if": replace_if needs a value [old, new] beside its key, but has 2"#,
            ),
            ("cas [1,2] -> true", r#""cas": replace_if needs a value [key, old, new], but has [1,2]"#),
            ("contains 1", r#""contains": a completed contains needs the result true or false, but has null"#),
            ("delete 1 -> 7", r#""delete": a completed delete needs the result true or false, but has 7"#),
            ("size -> many", r#""size": a completed size needs a whole number as result, but has "many""#),
        ],
    );
}

#[test]
fn set() {
    let table = [
        (
            "contains 1 -> false; add 1 -> true; add 1 -> false; contains 1 -> true; member 1 -> true; has @1 -> true",
            true,
        ),
        ("add 1 -> false", false),
        ("remove 1 -> false; add 1; remove 1 -> true; remove 1 -> false", true),
        ("remove 1 -> true", false),
        ("insert 1; put 2; delete 1 -> true; discard 2 -> true; contains 2 -> false", true),
        ("add 1; add 1; remove 1 -> ?; contains 1 -> false", true), // null results were not recorded
        ("add 1; add 2; read -> [2,1]; read -> ?", true),
        ("add 1; add 2; read -> [1]", false),
        ("add 1; read -> [1,1]", false),
        ("add 1; read -> [1,3]", false),
        ("read -> []; size -> 0; len -> 0; count -> 0", true),
        ("add 1; add 2; add 1; size -> 2; remove 1; size -> 1; size -> ?", true),
        ("add 1; size -> 2", false),
        ("add @1; add @[1,2]; read -> [1,[1,2]]", true),
    ];
    check("set", &table);
    let more = [
        // elements that only the option names count as well
        ("size -> 2; add 3; read -> [3,1,2]; remove 1 -> true; size -> 2", true),
        ("read -> [1,2]", true),
        ("read -> []", false),
        ("add 1 -> false; contains 2 -> true", true),
    ];
    check("set:initial=[2,1,2]", &more);
    same_calls(
        "set",
        &["add 1; add 1 -> ?; insert 1", "add 1 -> false; contains 1 -> true", "remove 1; remove 1 -> ?"],
    );
    refuses(
        "set",
        &[
            ("add 1 -> 2", r#""add": a completed add needs the result true or false, but has 2"#),
            ("contains 1", r#""contains": a completed contains needs the result true or false, but has null"#),
            ("read", r#""read": a completed read needs a list as result, but has null"#),
            ("size -> 1.5", r#""size": a completed size needs a whole number as result, but has 1.5"#),
            (
                "pop",
                r#""pop": a set has add, remove, contains, read and size; pop belongs to queue, stack, height-stack, deque, priority-queue and bag"#,
            ),
        ],
    );
}

#[test]
fn a_set_of_many_elements_is_interned() {
    let adds: Vec<String> = (0..100).map(|i| format!("add {i}")).collect();
    let all: Vec<String> = (0..100).map(|i| i.to_string()).collect();
    let operations = format!("{}; size -> 100; read -> [{}]; remove 70 -> true", adds.join(";"), all.join(","));
    check("set", &[(&operations, true), (&format!("{operations}; size -> 100"), false)]);
}
