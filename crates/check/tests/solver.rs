//! Does the solver answer as the other methods do, in its own name and in the portfolio, and does it keep to its budget?

use linpoint_check::{Cause, Control, Evidence, Outcome, Settings, Verdict, judge};
use linpoint_history::{Event, History};
use linpoint_spec::Part;
use linpoint_testkit::{Dice, brute_force, excerpt, history, is_witness, only, parts, random_part, rounds};

const CAS_REGISTER: &str = "read -> 0; read -> 1; read -> 2; write 0; write 1; write 2; write 1 -> ?; cas [0,1] -> true; \
                            cas [1,2] -> true; cas [2,0] -> ?; cas [1,0] -> false";

fn asked(of: &History, part: &Part, settings: Settings, control: &Control) -> Outcome {
    judge(of, &[only(part, |_| true)], settings, control)
}

#[test]
fn it_agrees_with_the_definition_and_its_conflicts_are_violations_alone() {
    let vocabulary = history(CAS_REGISTER);
    let whole = parts("cas-register:initial=0", &vocabulary, false).expect("the model fits").remove(0);
    let settings = Settings::of("solve").expect("a method of this name");
    for seed in 0..rounds(3000) {
        let part = random_part(&mut Dice(seed), &whole, 14);
        let expected = brute_force(&part);
        let outcome = asked(&vocabulary, &part, settings, &Control::new(None, 1 << 30));
        match (&outcome.verdict, &outcome.evidence) {
            (Verdict::Unknown(Cause::Declined(_)), _) => {} // a CAS returned, and it is not known what it did
            (_, Evidence::Witness(order)) => assert!(expected && is_witness(&part, order), "seed {seed}"),
            (_, Evidence::Conflict { operations, .. }) => {
                assert!(!expected && !brute_force(&excerpt(&part, operations)), "seed {seed}");
            }
            _ => panic!("seed {seed}: {outcome:?}"),
        }
    }
}

/// A register of `values` values; some thirty operations are open at any moment. One read may be of a value that was surely overwritten.
fn crowded(count: usize, values: usize, stale: bool) -> (History, Part) {
    let mut dice = Dice(7);
    let (mut operations, mut times, mut held) = (String::new(), Vec::new(), values);
    for op in 0..count {
        let at = 100 * op as i64;
        times.push((at - dice.roll(1500) as i64, false, op));
        times.push((at + dice.roll(1500) as i64, true, op));
        if dice.chance(50) {
            held = dice.roll(values as u64) as usize;
            operations += &format!("write {held};");
        } else {
            let seen = if stale && op > count - 5 { values } else { held };
            operations += &format!("read -> {seen};");
        }
    }
    let history = history(&operations);
    let mut part = parts(&format!("register:initial={values}"), &history, false).expect("the model fits").remove(0);
    times.sort_unstable();
    let mut place = vec![0; count]; // operations of a part are numbered by their calls
    let calls = times.iter().filter(|(_, is_return, _)| !is_return);
    let by_call: Vec<usize> = calls.map(|&(.., op)| op).collect();
    by_call.iter().enumerate().for_each(|(at, &op)| place[op] = at);
    part.codes = by_call.iter().map(|&op| part.codes[op]).collect();
    part.ops = by_call.iter().map(|&op| op as u32).collect();
    let event = |&(_, is_return, op): &(i64, bool, usize)| {
        if is_return { Event::ret(place[op]) } else { Event::call(place[op]) }
    };
    part.events = times.iter().map(event).collect();
    (history, part)
}

#[test]
fn the_portfolio_asks_it_where_depth_first_search_does_not_know() {
    for (stale, expected) in [(false, Verdict::Linearizable), (true, Verdict::Violation)] {
        let (history, part) = crowded(600, 40, stale);
        let settings = Settings { head_start: 0, ..Settings::of("auto").expect("a method of this name") };
        let outcome = asked(&history, &part, settings, &Control::new(None, 1 << 30));
        assert_eq!((outcome.verdict, outcome.method), (expected, "solve"));
        assert!(outcome.why_method.contains("a search did not know"), "{}", outcome.why_method);
        if let Evidence::Witness(order) = &outcome.evidence {
            assert!(is_witness(&part, order));
        }
    }
}

/// All writes overlap, and the reads after them see so many changes that each needs a write of its own.
fn alternating(writes: usize) -> (History, Part) {
    let operations: String = (0..writes).map(|i| format!("write {};", i % 2)).collect();
    let reads: String = (0..writes + 2).map(|i| format!("read -> {};", i % 2)).collect();
    let history = history(&(operations + &reads));
    let mut part = parts("register:initial=2", &history, false).expect("the model fits").remove(0);
    part.events[..2 * writes].sort_by_key(|event| event.is_return());
    (history, part)
}

/// There are two writes too few, but to see that takes counting, which is hard for clauses.
#[test]
fn it_stops_when_the_work_or_the_memory_is_used_up() {
    let (history, part) = alternating(40);
    let settings = Settings::of("solve").expect("a method of this name");
    let work = asked(&history, &part, settings, &Control::new(None, 1 << 30).with_work(20_000));
    assert_eq!(work.verdict, Verdict::Unknown(Cause::Work));
    let memory = asked(&history, &part, settings, &Control::new(None, 1 << 17));
    assert_eq!(memory.verdict, Verdict::Unknown(Cause::Memory));
    let interrupted = Control::new(None, 1 << 30);
    interrupted.interrupt();
    let stopped = asked(&history, &part, settings, &interrupted);
    assert_eq!(stopped.verdict, Verdict::Unknown(Cause::Interrupted));
}

#[test]
fn it_says_what_it_does_not_cover() {
    let history = history("add 1; read -> 1");
    let part = parts("counter", &history, false).expect("the model fits").remove(0);
    let settings = Settings::of("solve").expect("a method of this name");
    let outcome = asked(&history, &part, settings, &Control::new(None, 1 << 30));
    assert!(matches!(outcome.verdict, Verdict::Unknown(Cause::Declined(why)) if why.contains("not this object")));
}
