//! Histories that published tools judged wrong, and interleavings that a careless monitor gets wrong.

use crate::histories::{Datum, Op, op, part};
use crate::judge::monitor;
use linpoint_check::monitor::Decision;

/// `enq1[0,1] deq1[2,8] peek2[5,6] deq?[3,] empty[1,4]`: operations of a container, one word each.
fn parse(words: &str, names: [&'static str; 3]) -> Vec<Op> {
    words.split_whitespace().map(|word| parse_one(word, names)).collect()
}

fn parse_one(word: &str, [add, remove, peek]: [&'static str; 3]) -> Op {
    let (what, interval) = word.trim_end_matches(']').split_once('[').expect("an interval");
    let (call, ret) = interval.split_once(',').expect("a call and a return");
    let digits = what.find(|c: char| c.is_ascii_digit()).unwrap_or(what.len());
    let value = what[digits..].parse().map_or(Datum::Null, Datum::Int);
    let mut parsed = match &what[..digits] {
        "enq" | "push" | "ins" => op(add, value, Datum::Null),
        "deq" | "pop" | "poll" | "empty" | "deq?" | "pop?" | "poll?" => op(remove, Datum::Null, value),
        "peek" => op(peek, Datum::Null, value),
        other => panic!("what is {other}?"),
    };
    (parsed.call, parsed.ret) = (call.parse().expect("a rank"), ret.parse().ok());
    parsed
}

enum Expected {
    Linearizable,
    /// A core of so many operations.
    Violation(usize),
    Declined,
}

use Expected::{Declined, Linearizable, Violation};
use linpoint_testkit::{brute_force, is_witness};

fn check(model: &str, words: &str, expected: Expected) {
    let names = match model {
        "queue" => ["enqueue", "dequeue", "peek"],
        "stack" => ["push", "pop", "peek"],
        _ => ["insert", "poll", "peek"],
    };
    let (_, part) = part(model, None, &parse(words, names));
    match (monitor(&part), &expected) {
        (Decision::Linearizable(order), Linearizable) => assert!(is_witness(&part, &order), "{words}"),
        (Decision::Violation(core), Violation(size)) => assert_eq!(core.len(), *size, "{words}"),
        (Decision::Declined(_), Declined) => return,
        (decision, _) => panic!("{words}: {decision:?}"),
    }
    assert_eq!(brute_force(&part), matches!(expected, Linearizable), "{words}");
}

/// Each was judged wrong by a published tool; `corpus/SOURCES.md` names them.
#[test]
fn mistakes_of_published_tools() {
    check("queue", "enq1[0,1] deq1[2,8] enq2[3,7] enq3[4,11] peek2[5,6] deq2[9,13] deq3[10,12]", Linearizable);
    check("stack", "peek1[0,2] push1[1,10] pop1[3,7] push2[4,5] peek1[6,9] pop2[8,11]", Violation(6));
    check("queue", "enq1[0,1] enq2[2,3] deq2[4,5]", Violation(3));
    let last = "enq2[0,11] enq1[1,2] deq1[3,4] deq2[5,6] enq4[7,8] enq3[9,10] deq3[12,13] deq4[14,15]";
    check("queue", last, Violation(4));
}

/// 3 lies where both others are, so it is stuck with them; that they contradict each other it has no part in.
#[test]
fn a_value_between_two_in_conflict_is_left_out() {
    let two = "peek1[0,20] push1[10,100] pop1[30,70] push2[40,50] peek1[60,90] pop2[80,110]";
    check("stack", &format!("{two} push3[15,52] pop3[58,59]"), Violation(6));
}

/// A peek counts only while its value may be inside.
#[test]
fn peeks_are_clipped() {
    let words = "ins2[0,2] peek1[1,5] peek2[3,6] ins1[4,8] poll2[7,10] poll1[9,11]";
    check("priority-queue", words, Violation(5));
}

/// `deq2` overtakes 1, unless the pending dequeue took it; two values that were both dequeued it cannot excuse.
#[test]
fn pending_removes_may_excuse() {
    check("queue", "enq1[0,1] enq2[2,3] deq?[4,] deq2[5,6]", Linearizable);
    check("queue", "enq1[0,1] enq2[2,3] deq?[4,] deq2[5,6] deq1[7,8]", Violation(4));
    check("stack", "push1[0,1] push2[2,3] pop?[4,] pop1[5,6]", Linearizable);
    check("stack", "push1[0,1] pop?[2,] empty[3,4]", Linearizable);
    check("priority-queue", "ins2[0,1] ins1[2,3] poll?[4,] poll1[5,6]", Linearizable);
}

/// Called too late, or once for two values: a pending remove takes one value, behind its call.
#[test]
fn pending_removes_excuse_one_value_each() {
    check("stack", "push1[0,1] push2[2,3] pop1[4,5] pop?[6,]", Violation(3));
    check("stack", "push1[0,1] push2[2,3] push3[4,5] pop?[6,] pop1[7,8]", Violation(4));
    check("stack", "push1[0,1] push2[2,3] push3[4,5] pop?[6,] pop?[7,] pop1[8,9]", Linearizable);
    check("queue", "enq1[0,1] enq2[2,3] enq3[4,5] deq?[6,] deq3[7,8]", Violation(4));
    check("priority-queue", "ins3[0,1] ins2[2,3] ins1[4,5] poll?[6,] poll1[7,8]", Violation(4));
    check("priority-queue", "ins3[0,1] ins2[2,3] ins1[4,5] poll?[6,] poll?[7,] poll1[8,9]", Linearizable);
}

/// Which of 2 and 3 was taken: either will do for the first empty or the pop of 1, but not the same for both.
#[test]
fn what_was_taken_is_found_out() {
    check("stack", "push1[0,1] push2[2,9] push3[3,10] pop?[4,] pop1[11,12] pop?[13,] empty[14,15]", Violation(4));
    check("stack", "push1[0,1] push2[2,9] push3[3,10] pop?[4,] pop?[5,] pop1[11,12] empty[14,15]", Linearizable);
    check("stack", "push1[0,9] push2[2,9] push3[3,10] pop?[4,] pop1[11,12] pop?[13,] empty[16,17]", Linearizable);
}

/// No value needs to be inside at slot 4, but only if 2 goes before 1: the order of the line matters to the empties.
#[test]
fn the_line_leaves_room_for_empties() {
    check("queue", "enq1[0,10] enq2[1,2] deq1[8,12] deq2[3,14] empty[4,5]", Linearizable);
    check("queue", "enq1[0,10] enq2[1,2] deq1[8,12] deq2[7,14] empty[4,5]", Violation(3));
}

/// A set's element may be passed through; a pending add is used only when it must be.
#[test]
fn bits() {
    let bit = |f, answer, call, ret| Op { call, ret, ..op(f, Datum::Int(7), Datum::Bool(answer)) };
    let cases: [(&[Op], bool); 4] = [
        (&[bit("add", true, 0, Some(5)), bit("remove", true, 1, Some(6)), bit("contains", true, 2, Some(3))], true),
        (&[bit("add", true, 0, None), bit("contains", true, 2, Some(3)), bit("contains", false, 4, Some(5))], false),
        (&[bit("add", true, 0, None), bit("contains", false, 2, Some(3)), bit("contains", true, 4, Some(5))], true),
        (&[bit("add", true, 0, Some(1)), bit("add", true, 2, Some(5)), bit("remove", true, 3, Some(4))], true),
    ];
    for (ops, expected) in cases {
        let (_, part) = part("set", None, ops);
        assert_eq!(brute_force(&part), expected);
        assert_eq!(matches!(monitor(&part), Decision::Linearizable(_)), expected, "{ops:?}");
    }
}

/// Two pending CAS that only feed each other (1 → 2, 2 → 1) explain no result, and what they need was never held.
#[test]
fn pending_changes_that_feed_each_other_need_not_happen() {
    let cas = |from, to, call| Op { call, ret: None, ..op("cas", Datum::Pair(from, to), Datum::Null) };
    let read = |value, call, ret| Op { call, ret: Some(ret), ..op("read", Datum::Null, Datum::Int(value)) };
    for (value, expected) in [(0, true), (1, false), (2, false)] {
        let ops = [cas(1, 2, 0), cas(2, 1, 1), read(value, 2, 3), read(0, 4, 5)];
        let (_, part) = part("cas-register", Some(Datum::Int(0)), &ops);
        assert_eq!(brute_force(&part), expected);
        assert_eq!(matches!(monitor(&part), Decision::Linearizable(_)), expected, "{ops:?}");
    }
}

/// What a monitor does not cover it declines, in words.
#[test]
fn what_is_not_covered_is_declined() {
    check("queue", "enq1[0,1] deq1[2,3] enq1[4,5]", Declined);
    let twice = [op("write", Datum::Int(1), Datum::Null), op("write", Datum::Int(1), Datum::Null)];
    let failed = [op("cas", Datum::Pair(1, 2), Datum::Bool(false))];
    for ops in [&twice[..], &failed[..]] {
        let (_, part) = part("cas-register", None, ops);
        assert!(matches!(monitor(&part), Decision::Declined(_)), "{ops:?}");
    }
}

/// One pending poll took the 3 that was in the way of 1, and the other pending insert of 3 supplied the last poll. If it had taken the first 3, which
/// was in nobody's way, there would be one too few: a monitor that lets pending polls take whatever they can calls this a violation.
#[test]
fn a_pending_poll_takes_what_is_in_the_way() {
    let words = "ins3[12,13] ins0[19,19] poll3[19,20] poll?[10,] ins3[0,] ins3[1,2] poll?[13,] poll3[10,10] ins1[4,] poll1[14,14]";
    let names = ["insert", "poll", "peek"];
    let (_, part) = part("priority-queue", None, &parse(words, names));
    assert!(brute_force(&part));
    assert!(!matches!(monitor(&part), Decision::Violation(_)), "{words}");
}

/// The first take must not have the first copy: then the second one needs the pending add, and the last copy is still there when none is found.
#[test]
fn an_early_take_may_cost_a_later_empty() {
    for pending in ["ins1[4,]", "ins1[4,99]"] {
        let words = format!("ins1[1,2] {pending} poll1[5,6] poll1[5,5] ins1[6,7] empty[9,10]");
        let (_, part) = part("priority-queue", None, &parse(&words, ["insert", "poll", "peek"]));
        assert!(brute_force(&part));
        assert!(!matches!(monitor(&part), Decision::Violation(_)), "{words}");
    }
}
