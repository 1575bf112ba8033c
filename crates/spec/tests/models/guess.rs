//! Which model is guessed, and when is none?

use crate::legality::of_object;
use linpoint_spec::catalog::{all, guess};
use linpoint_testkit::history;

#[test]
fn the_operations_tell_the_model() {
    for (operations, model) in [
        ("write 1; read -> 1", "register"),
        ("get -> 1; set 1", "register"),
        ("write @k 1; read @k -> 1", "register"),
        ("write 1; read -> 1; cas [1,2] -> true", "cas-register"),
        ("cas [1,2] -> ?", "cas-register"),
        ("txn [[w,x,1]]", "multi-register"),
        ("get k -> a; put [k,a]; append [k,b]", "kv"),
        ("read k -> [1]; append [k,1]", "append-list"),
        ("txn [[append,k,1]]; txn [[r,k,null]] -> [[r,k,[1]]]", "append-list"),
        ("get @k -> a; put @k a", "kv"),
        ("get @k -> 1; put @k 1", "map"),
        ("put_if_absent [k,1]; get k -> 1; replace [k,2] -> 1; contains k -> true", "map"),
        ("get k -> 1; put [k,1]; remove k -> 1; size -> 0", "map"),
        ("add 1 -> true; remove 1 -> true; contains 1 -> false", "set"),
        ("add 1; remove 1", "set"),
        ("add 1; read -> [1]", "set"),
        ("insert 1; delete 1; member 1 -> true", "set"),
        ("read 0 -> null; write [0,1]", "array"),
        ("read 0 -> 1; write [0,1]; cas [0,1,2] -> true", "array"),
        ("add 1; read -> 1", "counter"),
        ("inc; get -> 1", "counter"),
        ("increment", "counter"),
        ("acquire; release", "mutex"),
        ("lock; unlock", "mutex"),
        ("acquire 2; release 2", "semaphore"),
        ("p; v", "semaphore"),
        ("enq 1; deq -> 1", "queue"),
        ("enqueue 1; dequeue -> empty; peek", "queue"),
        ("add 1; remove -> 1", "queue"),
        ("add 1; remove -> empty", "queue"),
        ("offer 1; poll -> 1", "queue"),
        ("put 1; take -> 1", "queue"),
        ("push 1; pop -> 1", "stack"),
        ("push 1 -> 0; pop -> [1,1]", "height-stack"),
        ("add 1 -> 0; remove -> [1,1]", "height-stack"),
        ("push_back 1; pop_front -> 1", "deque"),
        ("append 1; pop -> 1", "deque"),
        ("insert 1; poll -> 1", "priority-queue"),
        ("add 1; delete_min -> 1", "priority-queue"),
        ("add 1; take -> 1; remove_value 1", "bag"),
        ("write 1; read -> 1; cas [1,2] -> fail", "register"), // what failed says nothing
        ("write; read", "register"),
    ] {
        assert_eq!(guess(&history(operations)).map(|guess| guess.model), Ok(model), "{operations}");
    }
}

#[test]
fn finding_24_rivals_are_the_models_that_share_the_words() {
    for (operations, model, rivals) in [
        ("add 5; add 6; remove -> 6", "queue", vec!["bag", "stack", "priority-queue"]),
        ("put 1; get -> 1", "register", vec!["queue", "stack", "bag"]),
        ("offer 1; poll -> 1", "queue", vec!["priority-queue", "bag"]),
        ("insert 1; poll -> 1", "priority-queue", vec!["queue", "stack", "bag"]),
        ("acquire; release", "mutex", vec!["semaphore"]),
        // A name that tells, a height that was recorded, an argument that only one takes.
        ("enq 1; deq -> 1", "queue", vec![]),
        ("enqueue 1; remove -> 1", "queue", vec![]),
        ("push 1; pop -> 1", "stack", vec![]),
        ("append [k,a]; get k -> a", "kv", vec![]),
        ("push 1 -> 0; pop -> [1,1]", "height-stack", vec![]),
        ("lock; unlock", "mutex", vec![]),
        ("add 1; delete_min -> 1", "priority-queue", vec![]),
        ("add 1; remove 1", "set", vec![]),
        // These mean the same.
        ("write 1; read -> 1", "register", vec![]),
        ("write @k 1; read @k -> 1", "register", vec![]),
        ("get @k -> 1; put @k 1", "map", vec!["queue", "stack", "bag"]), // but not register or array
        ("txn []", "multi-register", vec![]),
    ] {
        let guess = guess(&history(operations)).unwrap();
        assert_eq!((guess.model, guess.rivals), (model, rivals), "{operations}");
    }
}

#[test]
fn the_guess_says_why() {
    assert_eq!(guess(&history("enq 1; deq -> 1")).unwrap().why, "a queue has enq and deq in this form");
    assert_eq!(guess(&history("txn []")).unwrap().why, "only a multi-register has txn in this form");
}

#[test]
fn the_name_of_the_object_settles_it() {
    for (object, model) in [
        ("atomic-queue", "queue"),
        ("atomic-stack", "stack"),
        ("priorityqueue", "priority-queue"),
        ("java.util.concurrent.PriorityBlockingQueue", "priority-queue"),
        ("java.util.concurrent.ConcurrentLinkedQueue", "queue"),
        ("bag", "bag"),
    ] {
        let guess = guess(&of_object(object, "add 1; remove -> 1")).unwrap();
        assert_eq!((guess.model, guess.why), (model, format!("the history calls its object {object:?}")));
    }
    assert_eq!(guess(&of_object("java.util.concurrent.ConcurrentSkipListSet", "add 1 -> true")).unwrap().model, "set");
    assert_eq!(guess(&of_object("LinkedBlockingDeque", "addFirst 1")).unwrap().model, "deque");
    assert_eq!(guess(&of_object("ReentrantLock", "lock")).unwrap().model, "mutex");
    assert_eq!(guess(&of_object("ScalObject", "enq 1")).unwrap().model, "queue");
    assert_eq!(
        guess(&of_object("atomic-queue", "enq 1; top -> 1")),
        Err("the history calls its object \"atomic-queue\", but not all its operations are those of a queue: \
             operation 1: \"top\": a queue has enqueue, dequeue and peek; top belongs to stack and priority-queue"
            .to_owned())
    );
}

#[test]
fn no_guess_is_better_than_a_blind_one() {
    for (operations, message) in [
        ("", "no operation took place, so nothing tells the model: name one"),
        (
            "frob 1; read -> 1",
            "no model has frob. If it is another name for an operation that a model has, say so: --map frob=OPERATION \
             (`linpoint models` lists them)",
        ),
        (
            "setValue 1; getValue -> 1",
            "no model has setValue or getValue. If they are other names for operations that a model has, say so: \
             --map setValue=write,getValue=read (`linpoint models` lists them)",
        ),
        (
            "fetch_and_frob 1",
            "no model has fetch_and_frob. If it is another name for an operation that a model has, say so: \
             --map fetch_and_frob=OPERATION (`linpoint models` lists them)",
        ),
        ("enq 1; unlock", "no model has all of enq and unlock: name the model"),
        (
            "txn 3",
            "no model has txn in this form; not a multi-register: operation 0: \"txn\": txn needs a list of \
             [read, register, null] and [write, register, value] as value, but has 3; not an append-list: operation 0: \
             \"txn\": txn needs a list of one step, [append, key, element] or [r, key, null], as value (several are \
             serializability, not linearizability), but has 3",
        ),
    ] {
        assert_eq!(guess(&history(operations)).map(|guess| guess.model), Err(message.to_owned()), "{operations}");
    }
}

#[test]
fn messages_stay_short_whatever_the_history() {
    let names: Vec<String> = (0..1000).map(|i| format!("f{i}")).collect();
    let message = guess(&history(&names.join(";"))).unwrap_err();
    assert!(message.starts_with("no model has f0, f1,") && message.contains(", f19 or 980 more. If they"), "{message}");
    let long = format!("txn {}", "x".repeat(10_000));
    assert!(guess(&history(&long)).unwrap_err().len() < 700);
}

#[test]
fn case_and_hyphens_make_no_difference_in_a_name() {
    assert_eq!(guess(&history("ENQUEUE 1; Dequeue -> 1")).unwrap().model, "queue");
    assert_eq!(guess(&history("PUSH 1; POP -> 1")).unwrap().model, "stack");
    let exact = guess(&history("add_first 1; pollLast -> 1")).unwrap();
    assert_eq!(guess(&history("Add-First 1; PollLast -> 1")).map(|guess| guess.rivals), Ok(exact.rivals));
    for model in all() {
        for name in model.operations.iter().flat_map(|own| own.synonyms.iter().chain([&own.name])) {
            let own = model.operation(name).unwrap().name;
            assert_eq!(
                model.operation(&name.to_uppercase()).map(|found| found.name),
                Some(own),
                "{} {name}",
                model.name
            );
            assert_eq!(model.operation(&name.replace('_', "-")).map(|found| found.name), Some(own));
            assert!(model.operation_called(&format!("{name}-")).is_none());
        }
    }
}
