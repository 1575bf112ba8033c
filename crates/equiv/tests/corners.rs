//! Corners by hand: sizes that can be worked out on paper, and systems as deep as they are large.

use linpoint_base::{Cause, Control};
use linpoint_equiv::{
    Comparison, Equivalence, Labels, Lts, ReadFailure, TAU, compare, missing_trace, read, reduce, write,
};

fn unlimited() -> Control {
    Control::new(None, usize::MAX)
}

/// A system from (source, label, target); "" is an internal step.
fn system(transitions: &[(u32, &str, u32)]) -> Lts {
    let mut labels = Labels::default();
    let named = transitions
        .iter()
        .map(|&(source, name, target)| (source, if name.is_empty() { TAU } else { labels.intern(name) }, target));
    let named: Vec<_> = named.collect();
    Lts::from_transitions(labels, 0, 1, &named)
}

/// (states, transitions) of the quotients, from the finest equivalence: strong, divergence, branching, weak.
fn sizes(transitions: &[(u32, &str, u32)]) -> [(u64, usize); 4] {
    let lts = system(transitions);
    Equivalence::ALL.map(|equivalence| {
        let quotient = reduce(&lts, equivalence, &unlimited()).unwrap();
        (quotient.states, quotient.transitions())
    })
}

#[test]
fn one_state() {
    assert_eq!(sizes(&[]), [(1, 0); 4]);
    assert_eq!(sizes(&[(0, "", 0)]), [(1, 1), (1, 1), (1, 0), (1, 0)]);
    assert_eq!(sizes(&[(0, "a", 0), (0, "a", 0)]), [(1, 1); 4]);
}

#[test]
fn an_internal_cycle_is_one_state() {
    assert_eq!(sizes(&[(0, "", 1), (1, "", 2), (2, "", 0)]), [(1, 1), (1, 1), (1, 0), (1, 0)]);
    assert_eq!(sizes(&[(0, "", 1), (1, "", 0), (1, "a", 2)]), [(3, 3), (2, 2), (2, 1), (2, 1)]);
}

/// A deadlock and a state that only runs internally are alike unless divergence is noticed.
#[test]
fn deadlock_and_livelock() {
    assert_eq!(sizes(&[(0, "a", 1), (0, "a", 2), (2, "", 2)]), [(3, 3), (3, 3), (2, 1), (2, 1)]);
}

/// The law that weak has and branching has not: a(b + τc) + ac = a(b + τc).
#[test]
fn weak_and_branching_differ_where_an_internal_step_decides() {
    let law = [(0, "a", 1), (1, "b", 2), (1, "", 3), (3, "c", 2), (0, "a", 3)];
    let without = &law[..4];
    let differ = |equivalence| {
        let outcome = compare(&system(&law), &system(without), equivalence, &unlimited()).unwrap();
        matches!(outcome, Comparison::Different(Ok(_)))
    };
    assert_eq!(Equivalence::ALL.map(differ), [true, true, true, false]);
}

/// The search must not run along the stack: 300,000 internal steps in a row, then a cycle of as many.
#[test]
fn deep_systems_need_no_stack() {
    let states = 300_000;
    let chain: Vec<(u32, &str, u32)> = (0..states).map(|state| (state, "", state + 1)).collect();
    let mut cycle = chain.clone();
    cycle.push((states, "", 0));
    cycle.push((states, "a", 0));
    for equivalence in [Equivalence::Branching, Equivalence::Divergence] {
        let small = std::thread::Builder::new().stack_size(256 << 10);
        let (chain, cycle) = (system(&chain), system(&cycle));
        let reduced = small
            .spawn(move || [chain, cycle].map(|lts| reduce(&lts, equivalence, &unlimited()).unwrap().states))
            .unwrap();
        assert_eq!(reduced.join().unwrap(), [1, 1]);
    }
}

/// One state after another becomes a bottom state: `s` loses its only inert step when `s + 1` is told apart. The work must stay
/// near m log n; checking all bottom states again each time would make it quadratic.
#[test]
fn fresh_bottom_states_do_not_make_it_quadratic() {
    let work = |states: u32| {
        let mut transitions = Vec::new();
        for state in 0..states {
            transitions.push((state, "", state + 1));
            transitions.push((state, ["a", "b", "c"][state as usize % 3], state / 2));
            transitions.push((state, "d", states));
        }
        let control = unlimited();
        reduce(&system(&transitions), Equivalence::Branching, &control).unwrap();
        control.progress().1 as f64
    };
    let growth = work(16_000) / work(1_000);
    assert!(growth < 16.0 * 2.0, "16 times the system, {growth} times the work");
}

/// Many steps with one label into states that are told apart one by one: counters, not rows, say what is left.
#[test]
fn a_hub_does_not_make_it_quadratic() {
    let work = |states: u32| {
        let mut transitions: Vec<(u32, &str, u32)> = (1..states).map(|state| (0, "a", state)).collect();
        transitions.extend((1..states - 1).map(|state| (state, "b", state + 1)));
        let control = unlimited();
        assert_eq!(reduce(&system(&transitions), Equivalence::Branching, &control).unwrap().states, u64::from(states));
        control.progress().1 as f64
    };
    let growth = work(16_000) / work(1_000);
    assert!(growth < 16.0 * 2.0, "16 times the system, {growth} times the work");
}

/// State 3 is seen first after `a`, and then again without any visible step: the second time makes the shorter trace.
#[test]
fn a_shorter_way_that_is_seen_later_is_taken() {
    let one = system(&[(0, "a", 3), (0, "", 1), (1, "c", 2), (1, "", 3), (3, "b", 4)]);
    let other = system(&[(0, "a", 0), (0, "c", 0)]);
    let trace = missing_trace(&one, &other, &unlimited()).unwrap().unwrap();
    assert_eq!(trace.iter().map(|&label| one.labels.name(label)).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn budgets_end_everything() {
    let lts = system(&[(0, "a", 1), (1, "", 2)]);
    let nothing = Control::new(None, 1);
    assert_eq!(reduce(&lts, Equivalence::Branching, &nothing).err(), Some(Cause::Memory));
    assert_eq!(missing_trace(&lts, &lts, &nothing).err(), Some(Cause::Memory));
    let stopped = unlimited();
    stopped.interrupt();
    assert_eq!(compare(&lts, &lts, Equivalence::Weak, &stopped).err(), Some(Cause::Interrupted));
    let text = write::aut(&lts);
    assert!(matches!(read(text.as_bytes(), &["tau"], &stopped), Err(ReadFailure::Stopped(Cause::Interrupted))));
}

/// Chunks end anywhere: the same file, byte by byte.
#[test]
fn reading_does_not_depend_on_chunks() {
    struct Slowly<'a>(&'a [u8]);
    impl std::io::Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = self.0.len().min(1);
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }
    let text = "\u{feff}des (1, 4, 3) \r\n (0 , \"x,\\\"y\\\\z\" , 1) \r\n\n(1,i,2)\n(0,f(a,b),0)\n(2,\"tau\",1)";
    let whole = read(text.as_bytes(), &["tau", "i"], &unlimited()).unwrap();
    let slow = read(Slowly(text.as_bytes()), &["tau", "i"], &unlimited()).unwrap();
    let expected = "des (1,4,3)\n(0,\"x,\\\"y\\\\z\",1)\n(0,\"f(a,b)\",0)\n(1,\"tau\",2)\n(2,\"tau\",1)\n";
    assert_eq!(write::aut(&whole), expected);
    assert_eq!(write::aut(&slow), expected);
}
