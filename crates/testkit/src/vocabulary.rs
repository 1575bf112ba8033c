//! Which operations has each model? A few arguments, and all results that tell cases apart.

use crate::notation::{history, parts};

/// (model, the operations with `?`, `{a}` … standing for what is to be filled in)
const VOCABULARIES: [(&str, &str); 25] = [
    ("register", "read -> {null|0|1|?}; write {null|0|1}"),
    ("register:initial=0", "read @{x|y} -> {0|1|?}; write @{x|y} {0|1|2}"),
    (
        "cas-register",
        "read -> {null|0|1|?}; write {0|1}; cas [{null|0|1},{null|0|1}] -> {true|false|?}; swap {0|1} -> {null|0|1|?}",
    ),
    (
        "multi-register",
        "txn [[r,{x|y},null],[w,{x|y},{0|1}]] -> ?; txn [[w,x,{0|1}],[w,y,{0|1}]]; read x -> {0|1}; \
         txn [[r,x,null],[w,x,{0|1}]] -> [[r,x,{0|1}],[w,x,{0|1}]]; \
         txn [[r,x,null],[r,y,null],[w,y,{0|1}]] -> [[r,x,{0|1}],[r,y,{0|1}],[w,y,{0|1}]]; txn []",
    ),
    ("kv", "get @{x|y} -> {\"\"|a|ab|aba|?}; put @x {\"\"|a|ab}; append @{x|y} {\"\"|a|b}"),
    ("kv:initial=a", "get @x -> {a|ab|acd|abcd|acdb|ac|?}; append @x {b|cd|\"\"}"),
    (
        "append-list",
        "append @{x|y} {1|2|3} -> {null|?}; read @{x|y} -> {null|[]|[1]|[2]|[1,2]|[2,1]|[2,1,3]|?}; \
         txn [[append,x,{1|3}]]; txn [[r,x,null]] -> {[[r,x,[]]]|[[r,x,[3]]]|[[r,x,[3,1]]]|?}",
    ),
    (
        "map",
        "get @x -> {null|0|1|?}; put @{x|y} {null|0|1}; {swap|replace|put_if_absent} @x {null|0|1} -> {null|0|1|?}; \
         remove @{x|y} -> {null|0|1|?}; delete @x -> {null|true|false|?}; contains @x -> {true|false|?}; \
         replace_if @x [{null|0|1},{null|0|1}] -> {true|false|?}; remove_if @x {null|0|1} -> {true|false|?}; \
         size -> {0|1|2|3|?}",
    ),
    ("set", "{add|remove} {1|2|3} -> {null|true|false|?}; contains {1|2} -> {true|false|?}"),
    (
        "set:initial=[4]",
        "{add|remove} {1|2} -> {null|true|false|?}; read -> {[]|[4]|[1,4]|[4,2,1]|?}; size -> {0|1|2|3|?}",
    ),
    ("set:initial=[3]", "add {1|2|4} -> {null|true|?}; read -> {[]|[3]|[1,3]|[2,3]|[3,2,1]|[4,3]|[1]|?}"),
    ("array", "read {0|1} -> {null|0|1|?}; write [{0|1},{0|1}]; cas [0,{null|0},{null|0|1}] -> {true|false|?}"),
    ("counter", "{add|sub} {null|0|2} -> {null|?}; {fetch_add|add_and_get} {0|1|-1} -> {-1|0|1|?}; read -> {-2|0|1|?}"),
    ("counter:initial=4611686018427387903", "{add|sub} {1|0|9223372036854775807}; read -> {4611686018427387904|?}"),
    ("mutex", "{acquire|release} -> {null|?}; try_acquire -> {true|false|?}"),
    ("semaphore", "{acquire|release} {null|0|2} -> {null|?}; try_acquire {0|1|2} -> {true|false|?}"),
    (
        "semaphore:permits=2,bounded=true",
        "{acquire|release} {0|1|2} -> {null|?}; try_acquire {0|1|2} -> {true|false|?}",
    ),
    ("queue", "enq {1|2} -> {null|?}; {deq|peek} -> {null|empty|1|2|?}"),
    ("stack", "push {1|2} -> {null|?}; {pop|peek} -> {null|empty|1|2|?}"),
    ("height-stack", "push {1|2} -> {0|1|2|?}; pop -> {null|0|[0,null]|[1,1]|[2,1]|[2,2]|?}"),
    ("deque", "{push_front|push_back} {1|2}; {pop_front|pop_back|peek_front|peek_back} -> {null|1|2|?}"),
    ("pq", "add {1|2|[2,0]} -> {null|?}; {poll|peek} -> {null|empty|1|2|[2,0]|3|?}"),
    ("pq:order=min", "add {1|2|[2,0]} -> {null|?}; {poll|peek} -> {null|empty|1|2|[2,0]|3|?}"),
    (
        "bag",
        "add {1|2} -> {null|?}; take -> {null|empty|1|2|?}; remove_value {1|2} -> {null|true|false|?}; \
         contains {1|2} -> {true|false|?}",
    ),
    ("bag:initial=[1,1]", "add 1; take -> {null|1|?}; remove_value 1 -> {null|true|false|?}"),
];

/// All ways to fill in the choices `{a|b}` of an operation; those of a transaction's result repeat its writes.
pub fn expand(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else { return vec![pattern.to_owned()] };
    let close = open + pattern[open..].find('}').expect("a closing brace");
    let choices = pattern[open + 1..close].split('|');
    choices.flat_map(|choice| expand(&format!("{}{choice}{}", &pattern[..open], &pattern[close + 1..]))).collect()
}

/// The operations of a vocabulary, one of each; without those that the model refuses.
pub fn vocabulary(model: &str, pattern: &str) -> String {
    let all = pattern.split(';').flat_map(|operation| expand(operation.trim()));
    all.filter(|operation| parts(model, &history(operation), true).is_ok()).collect::<Vec<_>>().join("; ")
}

/// Every model with its vocabulary.
pub fn vocabularies() -> impl Iterator<Item = (&'static str, String)> {
    VOCABULARIES.iter().map(|&(model, pattern)| (model, vocabulary(model, pattern)))
}
