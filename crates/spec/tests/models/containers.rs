//! queue, stack, height-stack, deque, priority-queue, bag.

use crate::legality::{check, refuses, same_calls};
use linpoint_testkit::{history, parts, run};

#[test]
fn queue() {
    let table = [
        ("deq; enq 1; enq 2; deq -> 1; deq -> 2; deq -> empty; deq -> null", true),
        ("enq 1; enq 2; deq -> 2", false),
        ("enq 1; deq -> null", false),
        ("deq -> 1", false),
        ("enqueue 1; add 2; offer 3; push 4; put 5; send 6; insert 7; dequeue -> 1; remove -> 2; poll -> 3", true),
        ("enq 4; enq 5; enq 6; enq 7; enq 8; pop -> 4; take -> 5; get -> 6; receive -> 7; recv -> 8", true),
        ("enq 1; enq 2; peek -> 1; front -> 1; head -> 1; first -> 1; deq -> 1; peek -> 2", true),
        ("enq 1; peek -> 2", false),
        ("peek -> empty; enq 1; peek -> ?", true),
        ("enq 1; enq 2; deq -> ?; deq -> 2", true),
        ("deq -> ?; enq 1; deq -> 1", true),
        ("enq 1 -> ok; deq -> 1; enq false -> false; deq -> false", true),
        ("enq 1; enq 1; deq -> 1; deq -> 1; deq", true),
        ("enq @a 1; enq @b 2; deq @b -> 2; deq @a -> 1", true),
    ];
    check("queue", &table);
    check("queue:initial=[1,2]", &[("deq -> 1; enq 3; deq -> 2; deq -> 3", true), ("deq -> 2", false)]);
    same_calls(
        "queue",
        &["enq 1; push 1 -> ?", "deq; peek; deq -> empty", "deq -> 1; poll -> 1", "deq -> ?", "peek -> ?"],
    );
    refuses(
        "queue",
        &[
            ("push_front 1", r#""push_front": a queue has enqueue, dequeue and peek; push_front belongs to deque"#),
            (
                "offer 1 -> false",
                r#""offer": it answered false: if it did not take effect, its type is "fail"; if it did, its result is null"#,
            ),
        ],
    );
}

#[test]
fn stack() {
    let table = [
        ("pop; push 1; push 2; pop -> 2; pop -> 1; pop -> empty", true),
        ("push 1; push 2; pop -> 1", false),
        ("push 1; pop -> null", false),
        ("add 1; put 2; insert 3; remove -> 3; poll -> 2; take -> 1; get -> empty", true),
        ("push 1; peek -> 1; top -> 1; push 2; peek -> 2; peek -> ?", true),
        ("push 1; top -> 2", false),
        ("push 1; push 2; pop -> ?; pop -> 1", true),
    ];
    check("stack", &table);
    check("stack:initial=[1,2]", &[("pop -> 2; pop -> 1; pop", true), ("pop -> 1", false)]);
    same_calls("stack", &["push 1; add 1 -> 7", "pop; peek; top -> empty", "pop -> 1", "pop -> ?", "peek -> ?"]);
    refuses("lifo", &[("enq 1", r#""enq": a stack has push, pop and peek; enq belongs to queue and priority-queue"#)]);
}

#[test]
fn height_stack() {
    let table = [
        ("push a -> 0; push b -> 1; pop -> [2,b]; pop -> [1,a]; pop -> 0; pop -> [0,null]; pop; pop -> empty", true),
        ("push a -> 1", false),
        ("push a -> 0; pop -> [0,null]", false),
        ("push a -> 0; pop -> [2,a]", false),
        ("push a -> 0; pop -> [1,b]", false),
        ("add a -> 0; remove -> [1,a]", true),
        ("push a -> ?; push b -> 1; pop -> ?; push c -> 1", true),
        ("pop -> [0,a]", false),
        // Not to be split by height: level by level each push is the first, but nothing is below b.
        ("push b -> 1; push a -> 0", false),
        ("push a -> 0; push b -> 1", true),
    ];
    check("height-stack", &table);
    same_calls("height-stack", &["pop -> 0; pop -> [0,null]; pop", "pop -> [1,a]", "push a -> 1", "push a -> ?"]);
    refuses(
        "height_stack",
        &[
            ("push a", r#""push": a completed push needs a whole number as result, but has null"#),
            (
                "pop -> a",
                r#""pop": a completed pop needs the result [height, element], or 0 if it was empty, but has "a""#,
            ),
            (
                "pop -> [a,1]",
                r#""pop": a completed pop needs the result [height, element], or 0 if it was empty, but has ["a",1]"#,
            ),
            ("peek", r#""peek": a height-stack has push and pop; peek belongs to queue, stack and priority-queue"#),
        ],
    );
    assert_eq!(parts("height-stack", &history("push b -> 1; push a -> 0"), true).unwrap().len(), 1);
}

#[test]
fn deque() {
    let table = [
        ("push_back 1; push_back 2; push_front 0; pop_front -> 0; pop_back -> 2; pop_back -> 1; pop_back", true),
        ("push_back 1; push_back 2; pop_front -> 2", false),
        ("push_front 1; push_front 2; pop_back -> 2", false),
        ("add_first 1; addFirst 2; appendleft 3; push_left 4; pop_front -> 4; popleft -> 3; pop_left -> 2", true),
        ("add_last 1; addLast 2; append 3; push_right 4; pop_back -> 4; pop -> 3; pop_right -> 2", true),
        ("append 1; append 2; append 3; poll_first -> 1; pollFirst -> 2; remove_first -> 3; poll_first -> empty", true),
        ("append 1; append 2; append 3; poll_last -> 3; pollLast -> 2; remove_last -> 1; pop -> empty", true),
        ("append 1; append 2; peek_front -> 1; peek_first -> 1; peekFirst -> 1; peek_left -> 1", true),
        ("append 1; append 2; peek_back -> 2; peek_last -> 2; peekLast -> 2; peek_right -> 2", true),
        ("append 1; append 2; peek_back -> 1", false),
        ("append 1; append 2; pop_front -> ?; pop_back -> 2", true),
    ];
    check("deque", &table);
    check("deque:initial=[1,2]", &[("pop_front -> 1; pop_back -> 2", true), ("pop_back -> 1", false)]);
    same_calls(
        "deque",
        &["pop_front; pop_back; peek_back", "peek_back -> ?; peek_front -> ?", "pop -> ?", "popleft -> ?"],
    );
    refuses(
        "deque",
        &[(
            "push 1",
            r#""push": a deque has push_front, push_back, pop_front, pop_back, peek_front and peek_back; push belongs to queue, stack, height-stack, priority-queue and bag"#,
        )],
    );
}

#[test]
fn priority_queue() {
    let table = [
        ("poll; insert 1; insert 3; insert 2; poll -> 3; poll -> 2; poll -> 1; poll -> empty", true),
        ("insert 1; insert 3; poll -> 1", false),
        ("insert 1; poll -> null", false),
        ("poll -> 1", false),
        ("add 1; offer 2; push 3; put 4; enqueue 5; enq 6; insert 7; peek -> 7; top -> 7; max -> 7; min -> 7", true),
        ("add 1; find_max -> 1; find_min -> 1; first -> 1; peek -> ?", true),
        ("add 1; add 2; peek -> 1", false),
        ("add 1; add 2; add 3; remove -> 3; pop -> 2; take -> 1", true),
        ("add 1; add 2; add 3; delete_max -> 3; delete_min -> 2; extract -> 1; dequeue; deq", true),
        ("add 2; add 2; poll -> 2; poll -> 2; poll", true),
        // equal priorities, in any order
        ("add [1,a]; add [1,b]; add [0,c]; poll -> [1,a]; poll -> [1,b]; poll -> [0,c]", true),
        ("add [1,a]; add [1,b]; add [0,c]; poll -> [1,b]; poll -> [1,a]; poll -> [0,c]", true),
        ("add [1,a]; add [1,b]; add [0,c]; poll -> [0,c]", false),
        ("add [1,a]; add 1; poll -> 1; poll -> [1,a]", true),
        ("add [1,a]; add [1,b]; poll -> ?; poll -> [1,a]", true),
        ("add [1,a]; add [1,b]; poll -> ?; poll -> ?; poll -> empty", true),
        ("poll -> ?; poll -> empty", true),
        // the order of values
        (
            "add null; add false; add true; add -1; add 0.5; add x; add [[9]]; peek -> [[9]]; poll -> [[9]]; poll -> x",
            true,
        ),
        ("add null; add false; add true; add -1; poll -> -1; poll -> true; poll -> false", true),
        ("add 9223372036854775807; add 9223372036854775808; poll -> 9223372036854775808", true),
    ];
    check("priority-queue", &table);
    check("pq:order=min", &[("add 2; add 1; add 3; poll -> 1; poll -> 2", true), ("add 2; add 1; poll -> 2", false)]);
    check("pq:initial=[2,3,1,3]", &[("poll -> 3; poll -> 3; add 5; poll -> 5; poll -> 2; poll -> 1; poll", true)]);
    same_calls("pq", &["insert 1; add 1 -> ?", "poll; peek", "poll -> 1; deq -> 1", "poll -> ?", "top -> ?"]);
}

#[test]
fn a_pending_poll_has_one_outcome_for_each_choice() {
    let outcomes = |model: &str, operations: &str| {
        let part = &mut parts(model, &history(operations), true).unwrap()[0];
        let states = run(&mut *part.spec, &part.codes);
        let mut shown: Vec<String> = states.into_iter().map(|state| part.spec.show(state)).collect();
        shown.sort();
        shown
    };
    assert_eq!(outcomes("pq", "add [1,a]; add [1,b]; add [1,b]; add 0; poll -> ?").len(), 2);
    assert_eq!(outcomes("bag", "add 1; add 2; add 2; add 3; take -> ?"), ["[1,2,2]", "[1,2,3]", "[2,2,3]"]);
    assert_eq!(outcomes("bag", "take -> ?"), ["[]"]);
    // more than are kept in one piece
    let many: String = (0..90).map(|i| format!("add [{}, {}]; ", i % 2, i % 30)).collect();
    assert_eq!(outcomes("pq", &format!("{many}poll -> ?")).len(), 15);
    assert_eq!(outcomes("bag", &format!("{many}take -> ?")).len(), 30);
}

#[test]
fn bag() {
    let table = [
        ("take; add 1; add 2; take -> 1; take -> 2; take -> empty", true),
        ("add 1; add 2; take -> 2; take -> 1", true),
        ("add 1; take -> 2", false),
        ("add 1; take -> null", false),
        ("insert 1; put 1; push 2; offer 3; remove -> 1; poll -> 1; pop -> 3; get -> 2", true),
        ("add 1; add 1; remove_value 1 -> true; contains 1 -> true; discard 1 -> true; delete 1 -> false", true),
        ("remove_value 1 -> true", false),
        ("add 1; remove_value 1; remove_value 1; contains 1 -> false", true), // null results were not recorded
        ("add 1; has 1 -> true; member 2 -> false; contains 3 -> ?", true),
        ("add 1; add 2; take -> ?; contains 1 -> true; contains 2 -> false", true),
        ("add 1; add 2; take -> ?; contains 1 -> true; contains 2 -> true", false),
    ];
    check("bag", &table);
    check("multiset:initial=[1,1]", &[("take -> 1; take -> 1; take", true), ("take -> 2", false)]);
    same_calls(
        "bag",
        &[
            "add 1; put 1 -> ?",
            "remove_value 1 -> false; contains 1 -> false",
            "delete 1; delete 1 -> ?",
            "take; get -> empty",
        ],
    );
    refuses(
        "bag",
        &[
            (
                "remove 1 -> true",
                r#""remove": take needs the value null (remove_value takes a chosen element), but has 1"#,
            ),
            ("contains 1", r#""contains": a completed contains needs the result true or false, but has null"#),
            ("delete 1 -> 1", r#""delete": a completed remove_value needs the result true or false, but has 1"#),
        ],
    );
}
