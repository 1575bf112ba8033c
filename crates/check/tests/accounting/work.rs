//! How many configurations does a method visit? Users see the number, and a search that forgets what it knows visits more.

use crate::spaces::{at_once, by_turns, one_by_one, queue, twins};
use linpoint_check::{Control, Settings, Verdict};
use linpoint_spec::Part;

fn visited(part: &Part, method: &str) -> (Verdict, u64) {
    let settings = Settings { head_start: 0, ..Settings::of(method).expect("a method of this name") };
    let control = Control::new(None, usize::MAX);
    let answer = settings.method.run(part, &settings, &control).expect("the specification works");
    assert_eq!(control.progress().1, answer.configurations, "{method}: the control is told");
    (answer.verdict, answer.configurations)
}

#[test]
fn the_work_of_each_method_is_known() {
    // Of nine operations at once every subset is a configuration; depth-first search counts what it tries.
    let spaces = [
        ("all at once, the goal last", at_once(9, 0, true), [2297, 512, 512, 2367]),
        ("all at once, no goal", at_once(9, 0, false), [2816, 512, 511, 2816]),
        ("one by one", one_by_one(50), [50, 50, 100, 50]),
        ("by turns", by_turns(4, 10, false), [40, 150, 40, 40]),
        ("by turns, no end", by_turns(4, 10, true), [471, 151, 150, 471]),
        ("twins", twins(8, 0), [17, 9, 255, 17]),
        ("pending twins", twins(0, 8), [10, 2, 255, 10]),
        ("twins of both kinds", twins(4, 4), [14, 6, 255, 14]),
    ];
    for (name, part, expected) in spaces {
        let found = ["depth-first", "breadth-first", "wgl", "auto"].map(|method| visited(&part, method).1);
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(visited(&queue(6, 0, 0), "queue-search"), (Verdict::Violation, 257));
}
