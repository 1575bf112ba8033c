//! Is the depth the depth of Definition 4.2?

use crate::automata::{Automata, random_part};
use crate::by_definition;
use linpoint_base::{Cause, Control};
use linpoint_check::hitting::depth::{Depth, depth};
use linpoint_testkit::{Dice, history, parts, rounds};
use std::collections::BTreeMap;

fn unlimited() -> Control {
    Control::new(None, usize::MAX)
}

#[test]
fn depth_agrees_with_the_definition() {
    let mut found: BTreeMap<Option<usize>, u32> = BTreeMap::new();
    let (mut seed, rounds) = (0, rounds(800));
    while u64::from(found.values().sum::<u32>()) < rounds {
        seed += 1;
        let mut dice = Dice(seed);
        let spec = Automata::random(&mut dice);
        let (_, mut part) = random_part(&mut dice, &spec);
        if part.ops.len() > 6 {
            continue; // tuples and schedules together are too many for the definition
        }
        part.processes.iter_mut().for_each(|process| *process = dice.roll(3) as u32);
        let expected = by_definition::depth(&part);
        let answer = match depth(&part, &unlimited()).expect("automata never break") {
            Depth::Is(d) => Some(d),
            Depth::NotLinearizable => None,
            Depth::Unknown(cause) => panic!("seed {seed}: {cause:?}"),
        };
        assert_eq!(answer, expected, "seed {seed}");
        *found.entry(answer).or_default() += 1;
    }
    assert!([None, Some(1), Some(2)].iter().all(|depth| found.contains_key(depth)), "{found:?}");
}

#[test]
fn a_budget_ends_the_search_for_the_depth() {
    let many = "write 1; ".repeat(24) + "read -> 2";
    let whole = parts("register", &history(&many), false).expect("the model fits").remove(0);
    let control = Control::new(None, usize::MAX);
    control.interrupt();
    let mut part = whole;
    // All at once: the search for a witness alone looks at more sets of operations than fit between two looks at the budget.
    part.events.sort_by_key(|event| event.is_return());
    assert_eq!(depth(&part, &control), Ok(Depth::Unknown(Cause::Interrupted)));
}

#[test]
fn nothing_has_depth_0() {
    let part = parts("register", &history("read -> fail"), false).expect("the model fits").remove(0);
    assert_eq!(depth(&part, &unlimited()), Ok(Depth::Is(0)));
}
