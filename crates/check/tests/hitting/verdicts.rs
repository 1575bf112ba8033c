//! Does the method `hitting` ever contradict the definition of linearizability, and does it say what it ran?

use crate::automata::{Automata, random_part};
use crate::by_definition::poset_of;
use linpoint_base::{Cause, Control};
use linpoint_check::hitting::depth::{Depth, depth};
use linpoint_check::{Outcome, Settings, Stuck, Verdict, judge};
use linpoint_spec::Part;
use linpoint_testkit::{Dice, brute_force, history, is_witness, parts, rounds};

fn hit(part: Part, history: &linpoint_history::History, depth: Option<usize>, control: &Control) -> (Part, Outcome) {
    let parts = [part];
    let settings = Settings { depth, ..Settings::of("hitting").expect("a method of this name") };
    let outcome = judge(history, &parts, settings, control);
    let [part] = parts;
    (part, outcome)
}

fn unlimited() -> Control {
    Control::new(None, usize::MAX)
}

/// As deep as it takes it is exact; at a given depth it never says "violation" of what is linearizable, and finds what is of that depth.
#[test]
fn hitting_and_brute_force_never_contradict_each_other() {
    let (rounds, mut unknown, mut verdicts) = (rounds(3000), 0, [0, 0]);
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let spec = Automata::random(&mut dice);
        let (history, mut part) = random_part(&mut dice, &spec);
        part.processes.iter_mut().for_each(|process| *process = dice.roll(4) as u32);
        let expected = brute_force(&part);
        verdicts[usize::from(expected)] += 1;
        let (part, outcome) = hit(part, &history, None, &unlimited());
        assert_eq!(outcome.verdict == Verdict::Linearizable, expected, "seed {seed}: {outcome:?}");
        assert!(!matches!(outcome.verdict, Verdict::Unknown(_)), "seed {seed}: {outcome:?}");
        if let Some(order) = outcome.evidence.witness() {
            assert!(is_witness(&part, order), "seed {seed}: {order:?}");
        }
        let most = 1 + dice.roll(3) as usize;
        let depth = depth(&part, &unlimited()).expect("automata never break");
        let (part, outcome) = hit(part, &history, Some(most), &unlimited());
        match &outcome.verdict {
            Verdict::Linearizable => {
                assert!(is_witness(&part, outcome.evidence.witness().expect("a witness")), "seed {seed}");
                assert!(outcome.hits.expect("schedules were run").depth.is_some_and(|depth| depth <= most));
            }
            Verdict::Violation => assert!(!expected, "seed {seed}"),
            Verdict::Unknown(cause) => {
                unknown += 1;
                assert!(matches!(cause, Cause::Depth(_)), "seed {seed}: {cause:?}");
                assert!(!matches!(depth, Depth::Is(depth) if depth <= most), "seed {seed}: it has depth {depth:?}");
                explains_what_it_says(&part, outcome.evidence.stuck().expect("how far it came"), seed);
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > rounds / 10), "both verdicts are common: {verdicts:?}");
    assert!(unknown > rounds / 100, "{unknown} were unknown");
}

/// Three writes at once, then a read: the one that was read must be the last.
/// The order of an unknown respects real time, gives the recorded results, and holds every return before the one that is named.
fn explains_what_it_says(part: &Part, stuck: &Stuck, seed: u64) {
    let [candidate] = &stuck.candidates[..] else { panic!("seed {seed}: one order, not {stuck:?}") };
    let places: Vec<usize> =
        candidate.order.iter().map(|op| part.ops.iter().position(|one| one == op).expect("of this part")).collect();
    let poset = poset_of(part);
    for (at, &op) in places.iter().enumerate() {
        let later = |&later: &usize| poset.precedes(later as u32, op as u32);
        assert!(!places[at..].iter().any(later), "seed {seed}: {places:?} contradicts real time");
    }
    let codes: Vec<_> = places.iter().map(|&op| part.codes[op]).collect();
    assert_eq!(part.spec.runner().run(&codes).expect("automata never break"), codes.len(), "seed {seed}: {places:?}");
    let returns = part.events.iter().filter(|event| event.is_return()).map(|event| event.op());
    let explained: Vec<usize> = returns.take_while(|op| places.contains(op)).collect();
    assert_eq!(explained.len(), stuck.explained, "seed {seed}");
    let named =
        part.events.iter().filter(|event| event.is_return()).nth(explained.len()).map(|event| part.ops[event.op()]);
    assert_eq!(named, stuck.operation, "seed {seed}");
}

fn three_writes(read: &str) -> (linpoint_history::History, Part) {
    let history = history(&format!("write 1; write 2; write 3; read -> {read}"));
    let mut part = parts("register", &history, true).expect("the model fits").remove(0);
    let (calls, returns): (Vec<_>, Vec<_>) = part.events.iter().partition(|event| !event.is_return());
    part.events = [&calls[..3], &returns[..3], &calls[3..], &returns[3..]].concat();
    (history, part)
}

#[test]
fn the_first_family_with_a_witness_ends_the_search() {
    let (history, part) = three_writes("2");
    let (_, outcome) = hit(part, &history, None, &unlimited());
    let hits = outcome.hits.expect("schedules were run");
    assert_eq!(
        (outcome.verdict, hits.depth, hits.schedules, hits.family),
        (Verdict::Linearizable, Some(1), 3, vec![3])
    );
    assert_eq!(outcome.method, "hitting");
}

/// 3! orders of the writes. At depth 2 all six were run, so nothing deeper is needed to know.
#[test]
fn all_schedules_are_a_violation_and_some_are_unknown() {
    let (history, part) = three_writes("4");
    let (part, outcome) = hit(part, &history, Some(1), &unlimited());
    assert!(
        matches!(&outcome.verdict, Verdict::Unknown(Cause::Depth(words)) if words.contains("3 schedules")),
        "{outcome:?}"
    );
    let (_, outcome) = hit(part, &history, None, &unlimited());
    let hits = outcome.hits.expect("schedules were run");
    assert_eq!((outcome.verdict, hits.depth, hits.schedules, hits.family), (Verdict::Violation, None, 6, vec![3, 6]));
    assert_eq!(outcome.evidence.accused(), Some(3), "a search shows where it breaks");
}

/// A pending write may take effect or not: the read needs it, and the other read needs it not to.
#[test]
fn pending_operations_take_effect_or_never() {
    for (read, expected) in [("1", Verdict::Linearizable), ("2", Verdict::Linearizable), ("3", Verdict::Violation)] {
        let history = history(&format!("write 1; write 2 -> ?; read -> {read}"));
        let part = parts("register", &history, true).expect("the model fits").remove(0);
        let (part, outcome) = hit(part, &history, None, &unlimited());
        assert_eq!(outcome.verdict, expected);
        if let Some(order) = outcome.evidence.witness() {
            assert!(is_witness(&part, order));
            assert_eq!(order.contains(&1), read == "2");
        }
    }
}

/// Seven writes at once, then a read of what nobody wrote: 7! schedules.
fn seven_writes() -> (linpoint_history::History, Part) {
    let many: String = (0..7).map(|value| format!("write {value}; ")).collect();
    let history = history(&format!("{many}read -> 9"));
    let mut part = parts("register", &history, true).expect("the model fits").remove(0);
    let (calls, returns): (Vec<_>, Vec<_>) = part.events.iter().partition(|event| !event.is_return());
    part.events = [&calls[..7], &returns[..7], &calls[7..], &returns[7..]].concat();
    (history, part)
}

/// Shared prefixes are run once: far fewer calls than schedules times operations.
#[test]
fn prefixes_are_shared() {
    let (history, part) = seven_writes();
    let (_, outcome) = hit(part, &history, None, &unlimited());
    let hits = outcome.hits.expect("schedules were run");
    assert_eq!((outcome.verdict, hits.schedules), (Verdict::Violation, 5040));
    // The trie has 7 + 7·6 + … + 7! nodes for the writes, and 7! for the reads; a few prefixes are run again between batches.
    let (nodes, whole) = (13_699 + 5_040, hits.schedules * 8);
    assert!(
        (nodes..nodes * 11 / 10).contains(&outcome.configurations),
        "{} calls, not {whole}",
        outcome.configurations
    );
}

#[test]
fn budgets_end_it() {
    let (history, part) = three_writes("4");
    let (part, outcome) = hit(part, &history, None, &Control::new(None, usize::MAX).with_work(0));
    assert_eq!(outcome.verdict, Verdict::Violation, "it is over before the first look at the budget");
    let control = unlimited();
    control.interrupt();
    let (_, outcome) = hit(part, &history, None, &control);
    assert_eq!(outcome.verdict, Verdict::Unknown(Cause::Interrupted));
    // 5,040 schedules of 8 operations take more than 160,000 bytes.
    let (history, part) = seven_writes();
    let (part, outcome) = hit(part, &history, None, &Control::new(None, 100_000));
    assert_eq!(outcome.verdict, Verdict::Unknown(Cause::Memory));
    let (_, outcome) = hit(part, &history, None, &Control::new(None, usize::MAX).with_work(3_000));
    assert_eq!(outcome.verdict, Verdict::Unknown(Cause::Work));
}
