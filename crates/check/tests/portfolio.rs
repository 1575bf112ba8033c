//! Do parts, budgets and evidence work together?

use linpoint_check::{Cause, Control, Evidence, Outcome, Settings, Stuck, Verdict, judge};
use linpoint_history::read::{Format, Options as ReadOptions};
use linpoint_history::{History, read};
use linpoint_spec::{Model, Options};
use std::time::{Duration, Instant};

fn history(lines: &str) -> History {
    let options = ReadOptions { format: Some(Format::Jsonl), ..ReadOptions::default() };
    read::bytes(lines.as_bytes(), "test", &options).expect("a history")
}

fn check(history: &History, model: &str, method: &str, control: &Control) -> Outcome {
    let model = Model { name: model.into(), options: Options::default() };
    let parts = model.compile(history, &history.values, true).expect("the model fits");
    judge(history, &parts, Settings { threads: 2, ..Settings::of(method).expect("a method of this name") }, control)
}

fn stuck(outcome: &Outcome) -> &Stuck {
    outcome.evidence.stuck().expect("no order was found")
}

fn conflict(outcome: &Outcome) -> &[u32] {
    let Evidence::Conflict { operations, .. } = &outcome.evidence else { panic!("a monitor found it: {outcome:?}") };
    operations
}

fn unlimited() -> Control {
    Control::new(None, usize::MAX)
}

/// Two keys, each written and read by a client of its own, `rounds` times; the very last read may be stale.
fn two_keys(rounds: i64, stale: bool) -> History {
    let mut lines = String::new();
    for i in 0..rounds {
        for key in 0..2 {
            let at = 10 * i;
            let read = if stale && key == 1 && i == rounds - 1 { i - 1 } else { i };
            lines += &format!(
                "{{\"process\":{key},\"f\":\"write\",\"key\":{key},\"value\":{i},\"call\":{at},\"return\":{}}}\n",
                at + 3
            );
            lines += &format!(
                "{{\"process\":{key},\"f\":\"read\",\"key\":{key},\"result\":{read},\"call\":{},\"return\":{}}}\n",
                at + 5,
                at + 7
            );
        }
    }
    history(&lines)
}

#[test]
fn orders_of_parts_merge_into_one() {
    let history = two_keys(3000, false); // more than a small history: parts run in a pool
    let outcome = check(&history, "register", "auto", &unlimited());
    assert_eq!((outcome.verdict, outcome.parts), (Verdict::Linearizable, 2));
    let order = outcome.evidence.witness().expect("a yes comes with an order");
    assert_eq!(order.len(), history.len());
    let mut latest_call = 0;
    for op in order {
        assert!(latest_call < history.ret[*op as usize], "real time is respected");
        latest_call = latest_call.max(history.call[*op as usize]);
    }
}

#[test]
fn a_violation_names_its_part_and_the_stuck_operation() {
    for rounds in [5, 3000] {
        let history = two_keys(rounds, true);
        let outcome = check(&history, "register", "breadth-first", &unlimited());
        assert_eq!(outcome.verdict, Verdict::Violation);
        assert_eq!(outcome.part.as_deref(), Some("1"));
        assert_eq!(outcome.evidence.accused(), Some(history.len() as u32 - 1));
        assert_eq!(stuck(&outcome).candidates[0].state, format!("{{1: {}}}", rounds - 1));
        assert_eq!(stuck(&outcome).candidates[0].order.len() as i64, 2 * rounds - 1);
    }
}

/// The last two writes of the key and the stale read: what the monitor blames, confirmed by a search of these three.
#[test]
fn a_monitor_gives_a_conflict_and_its_evidence() {
    let history = two_keys(3000, true);
    let outcome = check(&history, "register", "auto", &unlimited());
    assert_eq!((&outcome.verdict, outcome.method), (&Verdict::Violation, "register-monitor"));
    assert_eq!(outcome.why_method, "it covers this history, in O(n log n)");
    assert_eq!(outcome.part.as_deref(), Some("1"));
    let last = history.len() as u32 - 1;
    assert_eq!(conflict(&outcome), [last - 5, last - 1, last]);
    assert_eq!(outcome.evidence.accused(), Some(last));
    assert_eq!(stuck(&outcome).candidates[0].order.len(), 2 * 3000 - 1, "shown where the history breaks");
}

#[test]
fn a_monitor_refuses_what_it_does_not_cover() {
    let history = two_keys(5, false);
    let outcome = check(&history, "register", "stack-monitor", &unlimited());
    let why = "stack-monitor: this is another kind of object";
    assert_eq!(outcome.verdict, Verdict::Unknown(Cause::Declined(why.into())));
    let outcome = check(&hard_queue(4), "queue", "auto", &unlimited());
    assert_eq!(outcome.verdict, Verdict::Violation);
    assert_eq!(outcome.why_method, "a value is added more than once");
}

/// `n` concurrent enqueues, two of each value, and as many dequeues; then two elements leave in the wrong order: every order of what
/// came before has to be excluded.
fn hard_queue(n: i64) -> History {
    let mut lines = String::new();
    for i in 0..n {
        lines += &format!("{{\"process\":{i},\"f\":\"enqueue\",\"value\":{},\"call\":0,\"return\":100}}\n", i / 2);
        let (process, value) = (n + i, i / 2);
        lines += &format!("{{\"process\":{process},\"f\":\"dequeue\",\"result\":{value},\"call\":0,\"return\":100}}\n");
    }
    for (i, (f, field, value)) in
        [("enqueue", "value", -1), ("enqueue", "value", -2), ("dequeue", "result", -2), ("dequeue", "result", -1)]
            .into_iter()
            .enumerate()
    {
        let (call, ret) = (200 + 2 * i, 201 + 2 * i);
        lines += &format!("{{\"process\":0,\"f\":\"{f}\",\"{field}\":{value},\"call\":{call},\"return\":{ret}}}\n");
    }
    history(&lines)
}

/// `n` concurrent pops and one push more, of two values, again and again; then the stack is found empty: every order of what came before has to be
/// excluded.
fn hard_stack(n: i64) -> History {
    let mut lines = String::new();
    for i in 0..=n {
        lines += &format!("{{\"process\":{i},\"f\":\"push\",\"value\":{},\"call\":0,\"return\":100}}\n", i % 2);
    }
    for i in 0..n {
        let (process, value) = (n + 1 + i, i % 2);
        lines += &format!("{{\"process\":{process},\"f\":\"pop\",\"result\":{value},\"call\":0,\"return\":100}}\n");
    }
    lines += "{\"process\":0,\"f\":\"pop\",\"result\":null,\"call\":200,\"return\":201}\n";
    history(&lines)
}

#[test]
#[cfg_attr(feature = "collide", ignore = "quadratic where every hash collides")]
fn time_memory_and_interruption_give_unknown_with_its_cause() {
    let history = hard_stack(24);
    for method in ["auto", "depth-first", "breadth-first", "wgl"] {
        let soon = Control::new(Some(Instant::now() + Duration::from_millis(50)), usize::MAX);
        assert_eq!(check(&history, "stack", method, &soon).verdict, Verdict::Unknown(Cause::Time), "{method:?}");
        let narrow = Control::new(None, 1 << 14);
        let outcome = check(&history, "stack", method, &narrow);
        assert_eq!(outcome.verdict, Verdict::Unknown(Cause::Memory), "{method:?}");
        assert!(outcome.evidence.accused().is_some(), "{method:?} says where it stands");
        let stopped = unlimited();
        stopped.interrupt();
        assert_eq!(
            check(&history, "stack", method, &stopped).verdict,
            Verdict::Unknown(Cause::Interrupted),
            "{method:?}"
        );
    }
}

#[test]
fn a_history_without_operations_is_linearizable() {
    let nothing = two_keys(1, false).subhistory(&[]);
    let outcome = check(&nothing, "register", "auto", &unlimited());
    assert_eq!((outcome.verdict, outcome.evidence), (Verdict::Linearizable, Evidence::Witness(vec![])));
}

/// A monitor's verdict stands, however many operations are open where the search would look for evidence.
#[test]
fn a_known_violation_is_not_lost_among_pending_operations() {
    let n = 3000;
    let mut lines = String::new();
    for i in 0..n {
        lines += &format!("{{\"process\":{i},\"f\":\"enqueue\",\"value\":{i},\"call\":{i}}}\n");
    }
    for i in 0..=n {
        let (value, at) = (i % n, n + 2 * i);
        let times = format!("\"call\":{at},\"return\":{}", at + 1);
        lines += &format!("{{\"process\":\"d\",\"f\":\"dequeue\",\"result\":{value},{times}}}\n");
    }
    let outcome = check(&history(&lines), "queue", "auto", &unlimited());
    assert_eq!((&outcome.verdict, outcome.method), (&Verdict::Violation, "queue-monitor"));
    assert_eq!(conflict(&outcome).len(), 3);
}
