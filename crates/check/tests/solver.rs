//! Does the solver answer as the other methods do, in its own name and in the portfolio, and does it keep to its budget?

use linpoint_check::{Cause, Control, Evidence, Outcome, Settings, Verdict, judge};
use linpoint_history::History;
use linpoint_spec::Part;
use linpoint_testkit::{Dice, brute_force, excerpt, history, is_witness, only, parts, random_part, rounds};

const CAS_REGISTER: &str = "read -> 0; read -> 1; read -> 2; write 0; write 1; write 2; write 1 -> ?; cas [0,1] -> true; \
                            cas [1,2] -> true; cas [2,0] -> ?; cas [1,0] -> false";

fn asked(of: &History, part: &Part, settings: Settings, control: &Control) -> Outcome {
    judge(of, &[only(part, |_| true)], settings, control)
}

/// Without a head start the solver has its turn before breadth-first search has one.
#[test]
fn the_portfolio_agrees_with_the_definition_whoever_is_first() {
    let vocabulary = history(CAS_REGISTER);
    let whole = parts("cas-register:initial=0", &vocabulary, false).expect("the model fits").remove(0);
    let mut solved = 0;
    for seed in 0..rounds(3000) {
        let part = random_part(&mut Dice(seed), &whole, 14);
        let expected = brute_force(&part);
        for method in ["auto", "solve"] {
            let settings = Settings { head_start: 0, ..Settings::of(method).expect("a method of this name") };
            let outcome = asked(&vocabulary, &part, settings, &Control::new(None, 1 << 30));
            if matches!(outcome.verdict, Verdict::Unknown(Cause::Declined(_))) {
                continue; // a CAS returned, and it is not known what it did
            }
            solved += u64::from(outcome.method == "solve");
            match &outcome.evidence {
                Evidence::Witness(order) => assert!(expected && is_witness(&part, order), "{method}, seed {seed}"),
                Evidence::Conflict { operations, .. } => {
                    let alone = brute_force(&excerpt(&part, operations));
                    assert!(!expected && !alone, "{method}, seed {seed}");
                }
                Evidence::Stuck(_) => assert!(!expected && method == "auto", "{method}, seed {seed}"),
            }
        }
    }
    assert!(solved > rounds(3000), "the portfolio asks the solver, too: {solved}");
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
    let history = history("push 1; pop -> 1");
    let part = parts("stack", &history, false).expect("the model fits").remove(0);
    let settings = Settings::of("solve").expect("a method of this name");
    let outcome = asked(&history, &part, settings, &Control::new(None, 1 << 30));
    assert!(matches!(outcome.verdict, Verdict::Unknown(Cause::Declined(why)) if why.contains("no theory")));
}
