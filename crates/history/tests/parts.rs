//! Parts of histories, and when two histories are the same.

mod samples;

use linpoint_history::{Event, PENDING, Status, write};
use samples::read;

#[test]
fn a_part_ranks_its_events_anew() {
    let history = read(samples::EDN).unwrap();
    let part = history.subhistory(&[2, 0]);
    assert_eq!(part.events, vec![Event::call(1), Event::ret(1), Event::call(0)]);
    assert_eq!((part.call.clone(), part.ret.clone()), (vec![2, 0], vec![PENDING, 1]));
    assert_eq!(part.status, vec![Status::Info, Status::Ok]);
    assert_eq!(part.line, vec![8, 2]);
    let names: Vec<&str> = part.extra_of(1).iter().map(|e| part.values.as_text(e.1).unwrap()).collect();
    assert_eq!(names, ["time", "index", "return-time", "return-index"]);
    assert_eq!(part.annotations[0].after_events, 1);
    let whole: Vec<usize> = (0..history.len()).collect();
    assert!(history.subhistory(&whole).same_operations(&history, true));
    assert!(history.subhistory(&[2, 1, 0]).same_operations(&history, true));
    assert!(history.subhistory(&[]).is_empty());
}

#[test]
fn a_part_is_what_is_read_from_its_lines() {
    let history = read(samples::JSONL).unwrap();
    let part = history.subhistory(&[1, 3]);
    assert!(read(&write::jsonl(&part)).unwrap().same_operations(&part, true));
}

#[test]
fn histories_differ_by_any_column() {
    let line = r#"{"process":0,"f":"w","key":"k","value":[1,{"a":2}],"result":null,"call":0,"return":1,"node":3}"#;
    let history = read(line).unwrap();
    assert!(history.same_operations(&read(line).unwrap(), true));
    for (from, to) in [
        ("\"process\":0", "\"process\":1"),
        ("\"f\":\"w\"", "\"f\":\"v\""),
        ("\"key\":\"k\",", ""),
        ("\"key\":\"k\"", "\"key\":\"l\""),
        ("{\"a\":2}", "{\"a\":3}"),
        ("\"result\":null", "\"result\":false"),
        ("\"return\":1", "\"return\":1,\"type\":\"fail\""),
        ("\"return\":1", "\"return\":null"),
        ("\"node\":3", "\"node\":4"),
        ("\"node\":3", "\"name\":3"),
        (",\"node\":3", ""),
    ] {
        let other = read(&line.replace(from, to)).unwrap();
        assert!(!history.same_operations(&other, false), "{from} {to}");
        assert!(!other.same_operations(&history, false), "{from} {to}");
    }
    let later = read(&line.replace("\"return\":1", "\"return\":7")).unwrap();
    assert!(history.same_operations(&later, false) && !history.same_operations(&later, true));
    let decimals = read(&line.replace("\"return\":1", "\"return\":1.0")).unwrap();
    assert!(history.same_operations(&decimals, true), "times are compared by value");
    let little = read(&line.replace("\"return\":1", "\"return\":1.00000000000000000001")).unwrap();
    assert!(history.same_operations(&little, false) && !history.same_operations(&little, true));
}
