//! counter, mutex, semaphore.

use crate::legality::{check, refuses, same_calls};

#[test]
fn counter() {
    let table = [
        ("read -> 0; add 5; add; read -> 6; sub 2; sub; read -> 3", true),
        ("add 5; read -> 4", false),
        ("increment; inc; incr 3; decrement; dec; decr; subtract 1; get -> 1; load -> 1; value -> 1", true),
        ("fetch_add 3 -> 0; get_and_add 2 -> 3; getAndAdd -> 5; fetch-and-add -1 -> 6; read -> 5", true),
        ("fetch_add 3 -> 1", false),
        ("add_and_get 3 -> 3; addAndGet 2 -> 5; add-and-get -> 6; read -> 6", true),
        ("add_and_get 3 -> 0", false),
        ("fetch_add 3 -> ?; read -> 3; read -> ?", true),
        ("add -3 -> 99; read -> -3", true), // the result of an add is not compared
        ("add @x 1; read @x -> 1; read @y -> 0", true),
        // beyond 64 bits
        ("add 9223372036854775807; add 9223372036854775807; read -> 18446744073709551614", true),
        ("add 9223372036854775807; add 1; sub 1; read -> 9223372036854775807", true),
        ("sub 9999999999999999999999999999; sub 1; read -> -10000000000000000000000000000", true),
        ("add 9223372036854775807; add 9223372036854775807; read -> -2", false),
    ];
    check("counter", &table);
    check("counter:initial=-7", &[("read -> -7; inc; read -> -6", true), ("read -> 0", false)]);
    let table = [
        ("read -> 9999999999999999999999999999; inc; read -> 10000000000000000000000000000", true),
        ("read -> 9223372036854775807", false),
        ("read -> 99999999999999999999999999999999999999999999", false), // beyond 128 bits
    ];
    check("counter:initial=9999999999999999999999999999", &table);
    same_calls(
        "counter",
        &[
            "add 2; add 2 -> 7; fetch_add 2 -> ?; add_and_get 2 -> ?; sub -2",
            "fetch_add 2 -> 3; add_and_get 2 -> 5",
            "read -> 3; fetch_add 0 -> 3; add_and_get 0 -> 3",
            "read -> ?; add 0; sub 0",
        ],
    );
    let amount = "a whole number (of at most 28 digits, null for 1) as value";
    for (operation, message) in [
        ("add 1.5", format!("\"add\": add needs {amount}, but has 1.5")),
        ("sub x", format!("\"sub\": sub needs {amount}, but has \"x\"")),
        (
            "add 10000000000000000000000000000",
            format!("\"add\": add needs {amount}, but has 10000000000000000000000000000"),
        ),
        ("read", "\"read\": a completed read needs a whole number as result, but has null".to_owned()),
        (
            "fetch_add -> x",
            "\"fetch_add\": a completed fetch_add needs a whole number as result, but has \"x\"".to_owned(),
        ),
    ] {
        refuses("counter", &[(operation, &message)]);
    }
}

#[test]
fn mutex() {
    let table = [
        ("acquire; release; lock; unlock", true),
        ("acquire; acquire", false),
        ("release", false),
        ("acquire; release; release", false),
        ("try_acquire -> true; try_lock -> false; tryLock -> false; release; tryAcquire -> true", true),
        ("try_acquire -> false", false),
        ("acquire; try_acquire -> true", false),
        ("try_acquire -> ?; release", true),
        ("acquire; try_acquire -> ?; release; release", false),
        ("acquire @a; acquire @b; release @a; acquire; release @b", true),
        ("acquire @a; acquire @a", false),
    ];
    check("mutex", &table);
    same_calls("mutex", &["acquire; lock -> ?; try_lock -> true", "release; unlock -> false", "tryLock -> false"]);
    refuses(
        "lock",
        &[
            ("try_lock", r#""try_lock": a completed try_acquire needs the result true or false, but has null"#),
            ("wait", r#""wait": a mutex has acquire, release and try_acquire; wait belongs to semaphore"#),
        ],
    );
}

#[test]
fn semaphore() {
    let table = [
        ("acquire; release; wait; signal; p; v; down; up; acquire; post", true),
        ("acquire; acquire", false),
        ("release; acquire; acquire", true),
        ("release 3; acquire 4; acquire", false),
        ("acquire 2", false),
        ("try_acquire 2 -> false; try_wait -> true; tryAcquire -> false; acquire 0", true),
        ("try_acquire -> false", false),
        ("try_acquire 0 -> false", false),
        ("try_acquire -> ?; acquire", false),
        ("try_acquire 2 -> ?; acquire", true),
    ];
    check("semaphore", &table);
    check("semaphore:permits=2", &[("acquire; p; release 2; acquire 2", true), ("acquire 3", false)]);
    check("semaphore:permits=0", &[("acquire", false), ("release; acquire", true)]);
    let bounded = "semaphore:permits=2,bounded=true";
    check(bounded, &[("release", false), ("acquire; release; release 0", true), ("acquire 2; release 3", false)]);
    same_calls(
        "semaphore",
        &[
            "acquire; p; acquire 1 -> ?; try_acquire -> true",
            "acquire 0; release 0; try_acquire 0 -> ?",
            "release; v 1",
        ],
    );
    refuses(
        "semaphore",
        &[
            ("acquire -1", r#""acquire": acquire needs a number of permits of at least 0, but has -1"#),
            (
                "release x",
                r#""release": release needs a whole number (of at most 28 digits, null for 1) as value, but has "x""#,
            ),
            ("lock", r#""lock": a semaphore has acquire, release and try_acquire; lock belongs to mutex"#),
        ],
    );
}
