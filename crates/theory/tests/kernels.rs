//! Do the formulas say what the models do? Sequences of operations, by the theory and by the model.

use linpoint_spec::{Part, Role};
use linpoint_testkit::{Dice, history, parts, rounds, vocabularies};
use linpoint_theory::kernel::Kernel;
use linpoint_theory::operation::{ABSENT, ACQUIRE, ADD, Operation, Operations, PLAIN, PRESENT, RELEASE, REMOVE};
use linpoint_theory::theories::{ALL_THEORIES, PERMITS, SET_AS_PRINTED, Theory};
use linpoint_theory::{NONE, figures};
use std::collections::BTreeMap;

#[test]
fn every_formula_can_be_read_and_belongs_to_a_theory() {
    for formula in figures::ALL {
        formula.sentence();
        assert!(!formula.law.is_empty() && !formula.law.ends_with('.'), "{}", formula.name);
        assert!(
            ALL_THEORIES.iter().any(|theory| theory.formulas.contains(formula)),
            "{}: {}",
            formula.name,
            formula.text
        );
    }
}

/// Some operations of a part, one after the other.
fn sequence(dice: &mut Dice, whole: &Part, most: u64) -> Part {
    let codes: Vec<u32> =
        (0..dice.roll(most + 1)).map(|_| whole.codes[dice.roll(whole.codes.len() as u64) as usize]).collect();
    let count = codes.len() as u32;
    let events = (0..codes.len()).flat_map(|op| [linpoint_history::Event::call(op), linpoint_history::Event::ret(op)]);
    Part {
        label: None,
        ops: (0..count).collect(),
        processes: (0..count).collect(),
        events: events.collect(),
        codes,
        spec: whole.spec.fork(),
    }
}

/// Every model with a theory, sequences of up to seven operations: the theory holds exactly where the model can be run.
#[test]
fn a_theory_holds_of_the_sequences_that_its_model_allows() {
    let mut tried = BTreeMap::<&str, [u64; 2]>::new();
    for (model, operations) in vocabularies() {
        for whole in parts(model, &history(&operations), true).expect("the model fits") {
            for seed in 0..rounds(1000) {
                let part = sequence(&mut Dice(seed), &whole, 7);
                let Ok((operations, theory)) = Operations::of(&part) else { continue };
                let order: Vec<u32> =
                    (part.ops.len() as u32..operations.len() as u32).chain(part.ops.iter().copied()).collect();
                let legal =
                    part.spec.runner().run(&part.codes).expect("shipped models never break") == part.codes.len();
                let holds = Kernel::new(theory, &operations).holds(&order);
                assert_eq!(holds, legal, "{model} ({}), seed {seed}: {:?}", theory.name, operations.list);
                tried.entry(theory.name).or_default()[usize::from(legal)] += 1;
            }
        }
    }
    assert_eq!(
        tried.keys().copied().collect::<Vec<_>>(),
        [
            "append list",
            "cell of one value",
            "deque",
            "grow-only set",
            "lock",
            "priority queue",
            "queue",
            "set of permits",
            "stack"
        ]
    );
    assert!(tried.values().flatten().all(|&count| count > 20), "{tried:?}");
}

fn plain(sorts: u32, gives: u32, takes: u32, at: usize) -> Operation {
    let call = 2 * at as u32;
    Operation { sorts: PLAIN | sorts, gives, takes, call, ret: call + 1, ..Operation::NOTHING }
}

fn holds(theory: &Theory, list: Vec<Operation>) -> bool {
    let order: Vec<u32> = (0..list.len() as u32).collect();
    let recorded = list.len();
    Kernel::new(theory, &Operations { list, recorded, ..Operations::default() }).holds(&order)
}

/// One word of a set's operations: `+` adds, `-` removes, `1` and `0` are what contains answers.
fn set(word: &str) -> Vec<Operation> {
    let operation = |(at, letter)| match letter {
        '+' => plain(ADD, 1, NONE, at),
        '-' => plain(REMOVE, NONE, 1, at),
        '1' => plain(PRESENT, NONE, 1, at),
        _ => plain(ABSENT, NONE, NONE, at),
    };
    word.chars().enumerate().map(operation).collect()
}

/// Figure 5 tells sets right where every add finds the element absent and every remove finds it present …
#[test]
fn the_printed_theory_of_sets_holds_of_sequences_without_repetition() {
    let (mut allowed, mut refused) = (0, 0);
    for number in 0..4usize.pow(6) {
        let word: String = (0..6).map(|digit| ['+', '-', '0', '1'][number / 4usize.pow(digit) % 4]).collect();
        let (mut is_in, mut legal, mut repeats) = (false, true, false);
        for letter in word.chars() {
            match letter {
                '+' => repeats |= std::mem::replace(&mut is_in, true),
                '-' => repeats |= !std::mem::replace(&mut is_in, false),
                seen => legal &= is_in == (seen == '1'),
            }
        }
        if !repeats {
            assert_eq!(holds(&SET_AS_PRINTED, set(&word)), legal, "{word}");
            *(if legal { &mut allowed } else { &mut refused }) += 1;
        }
    }
    assert!(allowed > 50 && refused > 500, "{allowed} and {refused}");
}

/// … and refuses what every set allows otherwise: EXCLUDE wants a remove for each add, and the one there is matches one.
#[test]
fn the_printed_theory_of_sets_refuses_two_adds_and_a_remove() {
    assert!(!holds(&SET_AS_PRINTED, set("++-0")));
    assert!(holds(&SET_AS_PRINTED, set("+-0")));
}

/// Two permits: never three out, and none given back that was not taken.
#[test]
fn the_theory_of_semaphores_holds_where_at_most_two_permits_are_out() {
    for number in 0..2usize.pow(8) {
        let (mut out, mut legal) = (0, true);
        let mut list = Vec::new();
        for at in 0..8 {
            let acquires = number >> at & 1 == 0;
            out += if acquires { 1 } else { -1 };
            legal &= (0..=2).contains(&out);
            list.push(if acquires { plain(ACQUIRE, 0, NONE, at) } else { plain(RELEASE, NONE, 0, at) });
        }
        assert_eq!(holds(&PERMITS, list), legal, "{number:b}");
    }
}

#[test]
fn what_cannot_be_told_is_declined() {
    for (model, operations) in [
        ("counter", "add 1"),
        ("kv", "append @x a; put @x b"),
        ("append-list", "append @x 1; append @x 1; read @x -> [1]"),
        ("set", "add 1; add 1; read -> [1]"),
    ] {
        let part = parts(model, &history(operations), true).expect("the model fits").remove(0);
        assert!(Operations::of(&part).is_err(), "{model}");
    }
    let part = parts("mutex", &history("acquire; try_acquire -> false"), true).expect("the model fits").remove(0);
    assert_eq!(part.spec.role(part.codes[1]), Role::Read(1));
    assert_eq!(
        Operations::of(&part).expect("a cell").1.name,
        "cell of one value",
        "a lock that is tried in vain is a cell"
    );
}
