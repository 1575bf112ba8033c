//! General searches and the queue search: each report is what is in use at that moment, and no limit is passed.

use crate::allocator::{Measured, measured};
use crate::spaces::{at_once, by_turns, one_by_one, queue};
use linpoint_check::{Cause, Control, Settings, Verdict};
use linpoint_spec::Part;

/// What may stand beside an account: the box of the specification, a few outcomes.
const SLACK: i64 = 1024;

/// What may be taken between two looks at the budget, and for the evidence behind the last one.
const BETWEEN: i64 = 256 << 10;

fn run(part: &Part, method: &str, control: &Control) -> Measured<Verdict> {
    let settings = Settings::of(method).expect("a method of this name");
    measured(control, || settings.method.run(part, &settings, control).expect("the specification works").verdict)
}

/// Every report is right, within the slack; there are several, and the highest is of some size.
fn is_exact(name: &str, part: &Part, method: &str, expected: &Verdict) {
    let control = Control::new(None, usize::MAX);
    let found = run(part, method, &control);
    println!("{name}, {method}: {} polls, {} reported, peak {}", found.pairs.len(), found.reported, found.peak);
    assert_eq!(found.given, *expected, "{name}, {method}");
    assert!(found.pairs.len() > 2, "{name}, {method}: {:?}", found.pairs);
    for (in_use, reported) in &found.pairs {
        let off = (in_use - reported).abs();
        assert!(off <= SLACK, "{name}, {method}: {in_use} in use, {reported} reported");
    }
    assert!(found.reported > 20 * SLACK, "{name}, {method}: only {} reported", found.reported);
    assert_eq!(control.held(), 0, "{name}, {method}: all is given back");
}

#[test]
fn reports_of_general_searches_are_exact() {
    for (method, expected) in
        [("depth-first", Verdict::Linearizable), ("breadth-first", Verdict::Violation), ("wgl", Verdict::Violation)]
    {
        let yes = expected == Verdict::Linearizable;
        is_exact("at once", &at_once(13, 0, yes), method, &expected);
        is_exact("at once, 100 open", &at_once(11, 100, yes), method, &expected);
        is_exact("at once, 500 open", &at_once(10, 490, yes), method, &expected);
        is_exact("at once, 1000 open", &at_once(10, 1000, yes), method, &expected);
        is_exact("one by one", &one_by_one(2000), method, &Verdict::Linearizable);
        is_exact("by turns", &by_turns(5, 200, !yes), method, &expected);
    }
}

/// WGL keeps a set of all operations, one bit each: that counts where there are thousands.
#[test]
fn reports_of_wgl_are_exact_for_long_histories() {
    is_exact("one by one, long", &one_by_one(6000), "wgl", &Verdict::Linearizable);
}

#[test]
fn reports_of_the_queue_search_are_exact() {
    is_exact("few", &queue(10, 0, 0), "queue-search", &Verdict::Violation);
    is_exact("100 open", &queue(9, 100, 0), "queue-search", &Verdict::Violation);
    is_exact("600 open", &queue(8, 600, 0), "queue-search", &Verdict::Violation);
    is_exact("300 hidden", &queue(6, 0, 300), "queue-search", &Verdict::Violation);
}

#[test]
fn the_limit_is_kept() {
    let spaces =
        [("narrow", at_once(30, 0, false)), ("wide", at_once(30, 300, false)), ("very wide", at_once(30, 700, false))];
    let queues = [("narrow", queue(40, 0, 0)), ("wide", queue(40, 100, 0)), ("very wide", queue(40, 600, 0))];
    let general = ["depth-first", "breadth-first", "wgl", "auto"];
    let spaces = spaces.iter().map(|space| (space, &general[..]));
    for ((name, part), methods) in spaces.chain(queues.iter().map(|space| (space, &["queue-search"][..]))) {
        for method in methods {
            let limits: &[usize] = if *name == "narrow" { &[2 << 19, 3 << 19, 5 << 19] } else { &[3 << 19] };
            for &limit in limits {
                let found = run(part, method, &Control::new(None, limit));
                println!("{name}, {method}: limit {limit}, peak {}", found.peak);
                assert_eq!(found.given, Verdict::Unknown(Cause::Memory), "{name}, {method}");
                let limit = limit as i64;
                assert!(found.peak <= limit + BETWEEN, "{name}, {method}: limit {limit}, peak {}", found.peak);
                assert!(found.peak >= limit / 4, "{name}, {method}: limit {limit}, only {} used", found.peak);
            }
        }
    }
}

/// Depth-first search, which remembers every configuration, has half of the memory. When that is used up breadth-first search has all of
/// it, whether it runs already or not.
#[test]
fn one_search_goes_on_when_the_other_has_no_memory_left() {
    let part = by_turns(5, 1000, true);
    for head_start in [0, u64::MAX / 2] {
        let settings = Settings { head_start, ..Settings::of("auto").expect("a method of this name") };
        let control = Control::new(None, 2 << 20);
        let answer = settings.method.run(&part, &settings, &control).expect("the specification works");
        assert_eq!((answer.verdict, answer.method), (Verdict::Violation, "breadth-first"), "{head_start}");
    }
}
