//! Does the order core agree with trying all orders? Random clauses about the order of a few operations with random intervals.

use linpoint_base::{Account, Cause, Control};
use linpoint_history::Event;
use linpoint_solve::{Atom, Clauses, InOrder, Intervals, Lemma, Literal, Solution, Theory, solve};
use linpoint_spec::Part;
use linpoint_testkit::{Dice, history, parts, random_part, rounds};

/// Clauses that are told one at a time, when an order breaks them.
struct Told(Vec<Vec<Literal>>);

impl Theory for Told {
    fn begin(&mut self, _: &mut Clauses<'_, '_>) -> Result<(), Cause> {
        Ok(())
    }

    fn check(&mut self, order: &[u32], clauses: &mut Clauses<'_, '_>) -> Result<Option<Vec<u32>>, Cause> {
        match self.0.iter().position(|clause| !holds(clause, order)) {
            Some(broken) => {
                clauses.add(Lemma { rule: 0, binding: &[broken as u32] }, &self.0[broken]);
                Ok(None)
            }
            None => Ok(Some(order.to_vec())),
        }
    }

    fn operations(&self, lemma: Lemma<'_>) -> Vec<u32> {
        let about = |literal: &Literal| match literal.atom {
            Atom::Before(a, b) => [a, b],
            _ => unreachable!("clauses are about order"),
        };
        self.0[lemma.binding[0] as usize].iter().flat_map(about).collect()
    }
}

fn holds(clause: &[Literal], order: &[u32]) -> bool {
    let place = |op: u32| order.iter().position(|&other| other == op);
    clause.iter().any(|literal| match literal.atom {
        Atom::Before(a, b) => (place(a) < place(b)) == literal.positive,
        _ => unreachable!("clauses are about order"),
    })
}

/// Is there an order of the rest that keeps real time and all clauses?
fn exists(intervals: &Intervals, clauses: &[Vec<Literal>], order: &mut Vec<u32>) -> bool {
    let count = intervals.first();
    if order.len() == count as usize {
        return clauses.iter().all(|clause| holds(clause, order));
    }
    for op in (0..count).filter(|op| !order.contains(op)).collect::<Vec<_>>() {
        let late = |other| other != op && !order.contains(&other) && intervals.precedes(other, op);
        if !(0..count).any(late) {
            order.push(op);
            if exists(intervals, clauses, order) {
                return true;
            }
            order.pop();
        }
    }
    false
}

fn random_clause(dice: &mut Dice, count: u64) -> Vec<Literal> {
    let literals = 1 + dice.roll(3);
    let mut clause = Vec::new();
    while (clause.len() as u64) < literals {
        let (a, b) = (dice.roll(count) as u32, dice.roll(count) as u32);
        if a != b {
            clause.push(Literal { atom: Atom::Before(a, b), positive: dice.chance(50) });
        }
    }
    clause
}

#[test]
fn clauses_about_order_have_a_model_exactly_if_an_order_keeps_them() {
    let whole = parts("register", &history("write 1; write 2"), false).expect("a register").remove(0);
    let control = Control::new(None, 1 << 30);
    let mut verdicts = [0, 0];
    for seed in 0..rounds(4000) {
        let mut dice = Dice(seed);
        let part: Part = random_part(&mut dice, &whole, 7);
        let count = part.ops.len() as u64;
        if count < 2 {
            continue;
        }
        let intervals = Intervals::of(&part);
        let clauses: Vec<_> = (0..dice.roll(14)).map(|_| random_clause(&mut dice, count)).collect();
        let expected = exists(&intervals, &clauses, &mut Vec::new());
        verdicts[usize::from(expected)] += 1;
        let mut client = InOrder::new(Told(clauses.clone()), &intervals);
        match solve(&intervals, &mut client, &mut Account::alone(&control)) {
            Solution::Order(order) => {
                assert!(clauses.iter().all(|clause| holds(clause, &order)), "seed {seed}: {order:?}");
                let late = |(place, &op): (usize, &u32)| order[place..].iter().any(|&b| intervals.precedes(b, op));
                assert!(expected && !order.iter().enumerate().any(late), "seed {seed}: {order:?}");
            }
            Solution::Refuted(refutation) => {
                assert!(!expected, "seed {seed}");
                let told = refutation.steps.iter().filter_map(|step| step.lemma.as_ref()).filter(|lemma| lemma.0 == 0);
                let core: Vec<_> = told.map(|(_, binding)| clauses[binding[0] as usize].clone()).collect();
                assert!(!exists(&intervals, &core, &mut Vec::new()), "seed {seed}: the core is enough");
            }
            Solution::GaveUp(cause) => panic!("seed {seed}: {cause:?}"),
        }
    }
    assert!(verdicts.iter().all(|&count| count > 500), "both verdicts are common: {verdicts:?}");
}

/// Many operations at once, each before the next, the last before the first: one long cycle.
#[test]
fn a_long_cycle_is_found() {
    let whole = parts("register", &history("write 1"), false).expect("a register").remove(0);
    let mut part = random_part(&mut Dice(0), &whole, 1);
    let count = 50;
    part.ops = (0..count).collect();
    part.codes = vec![part.codes[0]; count as usize];
    part.processes = part.ops.clone();
    let (calls, returns) = ((0..count as usize).map(Event::call), (0..count as usize).map(Event::ret));
    part.events = calls.chain(returns).collect();
    let intervals = Intervals::of(&part);
    let before = |a: u32| vec![Literal { atom: Atom::Before(a, (a + 1) % count), positive: true }];
    let control = Control::new(None, 1 << 30);
    let mut client = InOrder::new(Told((0..count).map(before).collect()), &intervals);
    let Solution::Refuted(refutation) = solve(&intervals, &mut client, &mut Account::alone(&control)) else {
        panic!("nothing can be before itself")
    };
    assert_eq!(refutation.operations, part.ops);
}
