//! Are explanations true? Every field is tried by brute force on random specifications, the claim with every subset of what was left out.
//!
//! Histories of automata are small and nasty: pending operations, twins, long overlaps, two domains. With `short: 0` every
//! explanation begins at a cut or from all states at once. A failure prints its seed.

use crate::automata::{Automata, random_part};
use crate::broken::broken;
use crate::definition::{ends, in_time};
use hashbrown::HashSet;
use linpoint_check::{Claim, Control, Effort, Explanation, Settings, Verdict, explain, judge};
use linpoint_spec::{Part, State};
use linpoint_testkit::{Dice, before, brute_force, is_witness, only, rank, returned, rounds, states_after};

/// How many continuations are given at most, and how many configurations a cut has.
const MOST: usize = 8;

/// An explanation and what it is about.
struct Trial<'a> {
    part: &'a Part,
    /// The part up to the accused return.
    past: Part,
    found: &'a Explanation,
    /// Was it found with everything before the accused return in view?
    all_in_view: bool,
    /// For messages.
    seed: u64,
}

/// What automata show is the number of the state.
fn state(shown: &str) -> State {
    shown.parse().expect("automata show numbers")
}

fn without(ops: &[u32], left_out: u32) -> Vec<u32> {
    ops.iter().copied().filter(|&op| op != left_out).collect()
}

/// Has every union of `kept` with a subset of `free` no order?
fn whatever_else(part: &Part, kept: &[u32], free: &[u32]) -> bool {
    (0..1u32 << free.len()).all(|subset| {
        let in_subset = |op| free.iter().position(|&other| other == op).is_some_and(|bit| subset >> bit & 1 == 1);
        !brute_force(&only(part, |op| kept.contains(&op) || in_subset(op)))
    })
}

impl Trial<'_> {
    fn check(&self) {
        let Trial { part, past, found, seed, .. } = self;
        let kept = &found.operations;
        assert!(kept.contains(&found.accused), "seed {seed}: {found:?}");
        assert!(kept.iter().all(|op| past.ops.contains(op)), "seed {seed}: {found:?}");
        let end = rank(part, found.accused);
        assert!(!brute_force(past), "seed {seed}: the accused return can be explained: {found:?}");
        assert!(brute_force(&before(part, end)), "seed {seed}: an earlier return cannot be explained: {found:?}");
        assert_eq!(found.claim == Claim::AfterCut, found.cut.is_some(), "seed {seed}: {found:?}");
        let (mut kept_or_past, mut free) = (kept.clone(), part.ops.clone());
        match &found.cut {
            Some(cut) => kept_or_past.extend(&before(part, rank(part, cut.after)).ops),
            None => self.check_alone(),
        }
        free.retain(|op| !kept_or_past.contains(op));
        let holds = match free.len() {
            0..=7 => whatever_else(part, &kept_or_past, &free),
            _ => self.has_no_order(&kept_or_past),
        };
        assert!(holds, "seed {seed}: {found:?}");
        self.check_cut();
        self.check_continuations();
        self.check_size();
    }

    /// The same for more operations: no order of these, with any of all others.
    fn has_no_order(&self, kept: &[u32]) -> bool {
        let required: Vec<u32> = returned(self.part).into_iter().filter(|op| kept.contains(op)).collect();
        ends(self.part, &[(vec![], self.initial())], &required, &self.part.ops, true).is_empty()
    }

    /// Without a cut the operations go wrong by themselves, at the accused return and not before.
    fn check_alone(&self) {
        let Trial { found, seed, .. } = self;
        assert!(self.goes_wrong_alone(&found.operations), "seed {seed}: {found:?}");
        assert!(!found.continuations.is_empty(), "seed {seed}: {found:?}");
    }

    fn goes_wrong_alone(&self, ops: &[u32]) -> bool {
        let alone = only(&self.past, |op| ops.contains(&op));
        let last = alone.events.len() - 1;
        !brute_force(&alone) && brute_force(&before(&alone, last))
    }

    /// Each configuration of the cut can be reached, as it is said, and there are no others.
    fn check_cut(&self) {
        let Trial { part, found, seed, .. } = self;
        let Some(cut) = &found.cut else { return };
        let cut_rank = rank(part, cut.after);
        let story = before(part, cut_rank + 1);
        let done = returned(&story);
        assert_eq!(done.len(), cut.returned, "seed {seed}: {found:?}");
        assert!((1..=MOST).contains(&cut.reachable.len()), "seed {seed}: {found:?}");
        let mut spec = part.spec.fork();
        let changes = |op: &u32| !part.spec.read_only(self.code(*op));
        let mut starts = Vec::new();
        for reachable in &cut.reachable {
            assert!(is_witness(&story, &reachable.order), "seed {seed}: {found:?}");
            let states = states_after(part, &mut *spec, &reachable.order);
            assert!(states.contains(&state(&reachable.state)), "seed {seed}: {found:?}");
            let early = reachable.order.iter().copied().filter(|op| !done.contains(op) && changes(op));
            assert_eq!(reachable.early, early.collect::<Vec<_>>(), "seed {seed}: {found:?}");
            starts.push((reachable.order.clone(), state(&reachable.state)));
        }
        let (no_more, nothing_done) = (ends(&story, &starts, &done, &story.ops, true), [(vec![], self.initial())]);
        assert_eq!(no_more, ends(&story, &nothing_done, &done, &story.ops, true), "seed {seed}: {found:?}");
    }

    /// Continuations are orders of all but the accused operation, and there are no others; none of them lets it return.
    fn check_continuations(&self) {
        let Trial { part, past, found, seed, .. } = self;
        let others = without(&found.operations, found.accused);
        let returned: Vec<u32> = returned(past).into_iter().filter(|op| others.contains(op)).collect();
        let mut states = HashSet::new();
        let starts = self.starts();
        for continuation in &found.continuations {
            let (done, _) = &starts[continuation.start];
            let whole: Vec<u32> = done.iter().chain(&continuation.order).copied().collect();
            let is_new = |at: usize| !whole[..at].contains(&whole[at]);
            assert!((done.len()..whole.len()).all(is_new), "seed {seed}: {found:?}");
            assert!(continuation.order.iter().all(|op| others.contains(op)), "seed {seed}: {found:?}");
            assert!(returned.iter().all(|op| whole.contains(op)), "seed {seed}: {found:?}");
            assert!(in_time(part, &continuation.order), "seed {seed}: {found:?}");
            let state = state(&continuation.state);
            assert!(states_after(part, &mut *part.spec.fork(), &whole).contains(&state), "seed {seed}: {found:?}");
            let mut next = Vec::new();
            part.spec.fork().step(state, self.code(found.accused), &mut next).expect("automata do not fail");
            assert!(next.is_empty(), "seed {seed}: the accused operation may follow: {found:?}");
            assert!(states.insert(state), "seed {seed}: {found:?}");
        }
        let all = ends(past, &starts, &returned, &others, true);
        assert!(states.is_subset(&all) && states.len() == all.len().min(MOST), "seed {seed}: {all:?}, {found:?}");
    }

    /// What is said to be dispensable is, and where it is said that nothing can be left out nothing can.
    fn check_size(&self) {
        let Trial { past, found, all_in_view, seed, .. } = self;
        let starts = self.starts();
        for &op in found.operations.iter().filter(|&&op| op != found.accused) {
            let fewer = without(&found.operations, op);
            let required: Vec<u32> = returned(past).into_iter().filter(|op| fewer.contains(op)).collect();
            let is_needed = !ends(past, &starts, &required, &past.ops, true).is_empty();
            let is_support = found.support.contains(&op);
            let right = if *all_in_view { is_support != is_needed } else { !is_support || !is_needed };
            assert!(right, "seed {seed}: {op} of {found:?}");
            let stands = found.cut.is_none() && self.goes_wrong_alone(&fewer);
            let possible = stands && !ends(past, &starts, &required, &fewer, false).is_empty();
            let may_go = if found.cut.is_some() { !is_needed } else { !is_needed && possible };
            assert!(!found.minimal || !may_go, "seed {seed}: {op} of {found:?}");
            let is_claimed = found.minimal && !is_support;
            assert!(!is_claimed || !self.whatever_without(&fewer), "seed {seed}: it can do without {op}: {found:?}");
        }
    }

    /// Have some of the operations no order either, with any subset of all others?
    fn whatever_without(&self, fewer: &[u32]) -> bool {
        let Trial { part, found, .. } = self;
        let cut = found.cut.as_ref().map_or(0, |cut| rank(part, cut.after) + 1);
        let needed: Vec<u32> = fewer.iter().copied().chain(returned(&before(part, cut))).collect();
        let free: Vec<u32> = part.ops.iter().copied().filter(|op| !needed.contains(op)).collect();
        if free.len() < 8 { whatever_else(part, &needed, &free) } else { self.has_no_order(&needed) }
    }

    fn initial(&self) -> State {
        self.part.spec.fork().initial().expect("automata do not fail")
    }

    /// Where continuations begin: what has happened, and the state.
    fn starts(&self) -> Vec<(Vec<u32>, State)> {
        match &self.found.cut {
            None => vec![(vec![], self.initial())],
            Some(cut) => cut.reachable.iter().map(|at| (at.order.clone(), state(&at.state))).collect(),
        }
    }

    fn code(&self, op: u32) -> u32 {
        self.part.codes[self.part.ops.iter().position(|&other| other == op).expect("an operation of the part")]
    }
}

const ENOUGH: u64 = 1_000_000;

#[test]
fn every_field_holds_with_every_subset_of_what_was_left_out() {
    let rounds = rounds(6_000);
    let (mut whole, mut cuts, mut small) = (0, 0, 0);
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let spec = Automata::random(&mut dice);
        let (history, part) = random_part(&mut dice, &spec);
        let control = Control::new(None, 1 << 30);
        let settings = Settings::of("auto").expect("a method of this name");
        let outcome = judge(&history, &[only(&part, |_| true)], settings, &control);
        if outcome.verdict != Verdict::Violation {
            continue;
        }
        let stuck = outcome.evidence.accused().expect("a violation is stuck somewhere");
        let mut checked: Vec<Explanation> = Vec::new();
        // With little work not much is left out; what is said must be true all the same.
        for (short, work) in [(2_000, ENOUGH), (0, ENOUGH), (2_000, 0), (2_000, 20), (2_000, 200)] {
            let (effort, control) = (Effort { short, work }, Control::new(None, 1 << 30));
            let found =
                explain(&part, stuck, &[], effort, &control).expect("automata do not fail").expect("it returned");
            let past = before(&part, rank(&part, found.accused) + 1);
            // Minimal is claimed where everything was tried: not where an operation of the contradiction was still open at its end.
            let all_returned = found.operations.iter().all(|op| returned(&past).contains(op));
            assert!(found.minimal || short == 0 || work != ENOUGH || !all_returned, "seed {seed}: {found:?}");
            if !checked.contains(&found) {
                Trial { part: &part, past, found: &found, all_in_view: short > 0 && work == ENOUGH, seed }.check();
            }
            match found.claim {
                Claim::WhateverElse => whole += 1,
                Claim::AfterCut => cuts += 1,
            }
            small += usize::from(found.operations.len() < part.ops.len());
            checked.push(found);
        }
    }
    assert!(whole > rounds / 10 && cuts > rounds / 100 && small as u64 > rounds / 10, "{whole} {cuts} {small}");
}

/// Where enough returned before the accused operation was called nothing need be known of what came before: a claim from all states
/// that the object could be in holds from the initial one.
#[test]
fn longer_histories_are_explained_from_all_states() {
    let rounds = rounds(700);
    let (mut whole, mut cuts) = (0, 0);
    for seed in 0..rounds {
        let Some(part) = broken(seed, 9 + seed as usize % 5) else { continue };
        let settings = Settings::of("breadth-first").expect("a method of this name");
        let control = Control::new(None, 1 << 30);
        let answer = settings.method.run(&part, &settings, &control).expect("automata do not fail");
        let Some(stuck) = answer.evidence.accused().filter(|_| answer.verdict == Verdict::Violation) else { continue };
        let (effort, control) = (Effort { short: 0, work: ENOUGH }, Control::new(None, 1 << 30));
        let found = explain(&part, stuck, &[], effort, &control).expect("automata do not fail").expect("it returned");
        let past = before(&part, rank(&part, found.accused) + 1);
        Trial { part: &part, past, found: &found, all_in_view: false, seed }.check();
        match found.claim {
            Claim::WhateverElse => whole += 1,
            Claim::AfterCut => cuts += 1,
        }
    }
    assert!(whole > rounds / 20 && cuts > rounds / 20, "{whole} {cuts} {rounds}");
}
