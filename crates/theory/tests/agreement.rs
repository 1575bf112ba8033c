//! Do all methods of theories say what the definition says? Random small histories of every model with a theory, against brute force.
//!
//! Half are noise, half happened and were then disturbed: pending operations, ties, repeated values, empties, things there from the start, several keys.
//! `LINPOINT_FUZZ=1000000 cargo test --release -p linpoint-theory --test agreement -- --nocapture` tries a million of each model (its variants and
//! its keys take turns) and says how many violations were found; `saturation` or `symbolic` behind it tries one of the two only, and
//! `LINPOINT_MODELS=stack,set` some models only.

mod common;

use common::{grows, random, theories};
use linpoint_base::{Account, Control};
use linpoint_spec::Part;
use linpoint_testkit::{brute_force, excerpt, is_witness, rounds};
use linpoint_theory::enumerate::{Enumerated, enumerate};
use linpoint_theory::saturate::{Saturated, saturate};
use linpoint_theory::symbolic::{Symbolic, solve, solve_with_removal};
use linpoint_theory::{Operations, Theory};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A history, its verdict, and where it comes from.
struct Judged<'a> {
    part: &'a Part,
    operations: &'a Operations,
    theory: &'static Theory,
    is_legal: bool,
    name: &'a dyn Debug,
}

impl Judged<'_> {
    fn recorded(&self, operations: &[u32]) -> Vec<u32> {
        operations.iter().copied().filter(|&op| (op as usize) < self.part.ops.len()).collect()
    }

    fn witness(&self, order: &[u32]) {
        assert!(is_witness(self.part, &self.recorded(order)), "{:?}: {order:?}", self.name);
    }

    /// There is no order, nor one of these operations alone.
    fn violation(&self, about: &[u32]) {
        assert!(!self.is_legal, "{:?}: {:#?}", self.name, self.operations.list);
        let about = self.recorded(about);
        assert!(!brute_force(&excerpt(self.part, &about)), "{:?}: {about:?}", self.name);
    }

    /// What ENUMERATE and SYMBOLIC say, which decide.
    fn complete(&self, account: &mut Account<'_>) {
        match enumerate(self.theory, self.operations, account) {
            Enumerated::Order(order) => self.witness(&order),
            Enumerated::Nothing => assert!(!self.is_legal, "{:?}: {:#?}", self.name, self.operations.list),
            other => panic!("{:?}: {other:?}", self.name),
        }
        match solve(self.theory, self.operations, account) {
            Symbolic::Order(order) => self.witness(&order),
            Symbolic::Core(core) => self.violation(&core),
            other => panic!("{:?}: {other:?}", self.name),
        }
    }

    /// Was the violation found? What is found is one; what is forgotten only loses.
    fn removal(&self, account: &mut Account<'_>) -> bool {
        match solve_with_removal(self.theory, self.operations, account) {
            Symbolic::Core(core) => self.violation(&core),
            Symbolic::Nothing => return false,
            other => panic!("{:?}: {other:?}", self.name),
        }
        true
    }

    /// Did saturation find the violation, and by a derivation that holds? An order that it finds need not be a witness where values repeat.
    fn saturation(&self, removal: bool, account: &mut Account<'_>) -> bool {
        match saturate(self.theory, self.operations, removal, account) {
            Saturated::Contradiction(derivation) => {
                self.violation(&derivation.operations());
                let checked = derivation.check(self.theory, self.operations);
                checked.unwrap_or_else(|wrong| panic!("{:?}: {wrong}\n{derivation:#?}", self.name));
                true
            }
            Saturated::Order(_) | Saturated::Nothing(_) => false,
            Saturated::Stopped(cause, _) => panic!("{:?}: {cause:?}", self.name),
        }
    }
}

/// Shows random histories of every model to `look`, which counts, and says how many there were of each.
fn every_model<const N: usize>(usual: u64, mut look: impl FnMut(u64, &Judged<'_>, &mut [u64; N])) -> Tallies<N> {
    let mut models = BTreeMap::<String, Vec<Part>>::new();
    for (model, part) in theories() {
        let kind = if grows(&part) { " that only grows" } else { "" };
        let name = model.split(':').next().expect("a name").to_owned() + kind;
        models.entry(name).or_default().push(part);
    }
    assert_eq!(models.len(), 17, "{:?}", models.keys());
    let wanted = std::env::var("LINPOINT_MODELS").unwrap_or_default();
    models.retain(|model, _| wanted.is_empty() || wanted.split(',').any(|wanted| wanted == model));
    let mut tallies = Tallies::new();
    for (model, variants) in &models {
        let (mut tried, mut violations, mut counts) = (0, 0, [0; N]);
        for seed in 0.. {
            if tried == rounds(usual) {
                break;
            }
            let whole = &variants[seed as usize % variants.len()];
            let Some((part, operations, theory)) = random(seed, whole, 6) else { continue };
            tried += 1;
            let is_legal = brute_force(&part);
            violations += u64::from(!is_legal);
            let name = &(model, seed);
            look(seed, &Judged { part: &part, operations: &operations, theory, is_legal, name }, &mut counts);
        }
        println!("{model}: {tried} histories, {violations} violations; {counts:?}");
        assert!(violations > usual / 20, "{model}: violations are common");
        tallies.insert(model.clone(), (violations, counts));
    }
    tallies
}

/// Of each model: how many violations there were, and what was counted.
type Tallies<const N: usize> = BTreeMap<String, (u64, [u64; N])>;

/// Counted are the violations found by SYMBOLIC with removal, of every eighth history: it solves every prefix.
#[test]
fn enumerate_and_symbolic_decide() {
    let control = Control::new(None, usize::MAX);
    every_model(100, |seed, judged, found: &mut [u64; 1]| {
        let account = &mut Account::alone(&control);
        judged.complete(account);
        found[0] += u64::from(seed % 8 == 0 && judged.removal(account));
    });
}

/// Counted are the violations found without removal, and with it.
#[test]
fn what_saturation_derives_is_a_violation() {
    let control = Control::new(None, usize::MAX);
    let tallies = every_model(200, |_, judged, found: &mut [u64; 2]| {
        let account = &mut Account::alone(&control);
        found[0] += u64::from(judged.saturation(false, account));
        found[1] += u64::from(judged.saturation(true, account));
    });
    for (model, (violations, [plain, removal])) in tallies {
        let enough = if model == "semaphore" { 0 } else { 2 * violations / 3 }; // LIMIT, a choice, is nothing for saturation
        assert!(plain > enough, "{model}: {plain} of {violations}");
        assert!(plain >= removal, "{model}: removal only loses");
        assert!(plain == violations || !model.ends_with("grows"), "{model}: what only grows leaves nothing to guess");
    }
}
