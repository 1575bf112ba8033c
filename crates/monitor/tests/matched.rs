//! Are values that went through a container, or were overwritten, forgotten without changing a verdict? Long random streams of unique values, against the check of
//! every prefix.

use linpoint_base::Control;
use linpoint_check::{Settings, Verdict, judge};
use linpoint_history::{Builder, History, Record, Status, ValueId, Values};
use linpoint_monitor::{Monitor, Native, Outcome, Standing, Token};
use linpoint_spec::{Model, Options};
use linpoint_testkit::{Dice, rounds};
use std::sync::Arc;

/// An operation: its name, its argument, its call, its end.
struct Op {
    f: &'static str,
    value: Option<i64>,
    call: i64,
    end: Option<(i64, Outcome)>,
}

/// A container that answers, mostly rightly.
struct Run {
    dice: Dice,
    model: &'static str,
    inside: Vec<i64>,
    ops: Vec<Op>,
    values: Values,
    /// So many of a hundred answers are wrong.
    wrong: u64,
}

impl Run {
    /// What comes first.
    fn first(&self) -> Option<usize> {
        let best = |&place: &usize| self.inside[place];
        match self.model {
            "queue" | "bag" => (!self.inside.is_empty()).then_some(0),
            "stack" | "register" => self.inside.len().checked_sub(1),
            _ => (0..self.inside.len()).max_by_key(best),
        }
    }

    fn act(&mut self, op: usize) -> ValueId {
        let (f, value) = (self.ops[op].f, self.ops[op].value);
        if let Some(value) = value {
            self.inside.push(value);
            return ValueId::NULL;
        }
        let mut place = self.first();
        if self.dice.chance(self.wrong) {
            place = match self.dice.roll(4) {
                0 => None,
                1 if self.model == "stack" => self.inside.len().checked_sub(2),
                1 => (self.inside.len() > 1).then_some(1),
                _ => (!self.inside.is_empty()).then(|| self.dice.roll(self.inside.len() as u64) as usize),
            };
        }
        match place {
            None if self.model == "register" => ValueId::NULL,
            None => self.values.text("empty"),
            Some(place) => {
                let stale = self.model == "bag" && self.dice.chance(self.wrong); // given out twice
                let found = self.inside[place];
                if !matches!(f, "peek" | "read") && !stale {
                    self.inside.remove(place);
                }
                self.values.int(found)
            }
        }
    }

    /// The history so far.
    fn history(&mut self) -> History {
        let mut builder = Builder::new();
        for (place, op) in self.ops.iter().enumerate() {
            let (status, result, ret) = match op.end {
                Some((ret, Outcome::Ok(result))) => (Status::Ok, result, Some(ret)),
                Some((_, Outcome::Fail)) => continue,
                _ => (Status::Info, ValueId::NULL, None),
            };
            let (f, value) = (self.values.text(op.f), op.value.map_or(ValueId::NULL, |value| self.values.int(value)));
            let (process, key, call) = (ValueId(place as u32), ValueId::ABSENT, op.call);
            builder.push(Record { process, f, key, value, result, status, call, ret, line: 0 });
        }
        let mut history = builder.finish().expect("sound");
        history.values = Arc::new(self.values.clone());
        history
    }

    /// What the check says; None if that would take too long.
    fn holds(&mut self) -> Option<bool> {
        let history = self.history();
        let model = Model { name: self.model.to_owned(), options: Options::default() };
        let parts = model.compile(&history, &history.values, true).expect("it fits");
        let control = Control::new(None, usize::MAX).with_work(20_000);
        match judge(&history, &parts, Settings::of("auto").expect("a method"), &control).verdict {
            Verdict::Unknown(_) => None,
            verdict => Some(verdict == Verdict::Linearizable),
        }
    }
}

const MODELS: [&str; 5] = ["queue", "priority-queue", "bag", "stack", "register"];

/// One stream; how many events it kept at most, and whether it is a violation.
fn run(model: &'static str, seed: u64, length: i64) -> (usize, bool) {
    let (adds, removes) = match model {
        "queue" => ("enqueue", "dequeue"),
        "bag" => ("add", "take"),
        "stack" => ("push", "pop"),
        "register" => ("write", "read"),
        _ => ("insert", "poll"),
    };
    let mut run = Run {
        dice: Dice(seed),
        model,
        inside: vec![],
        ops: vec![],
        values: Values::new(),
        wrong: [0, 4, 15][seed as usize % 3],
    };
    let (clients, crashes, patience) = (2 + run.dice.roll(4) as usize, run.dice.roll(3) * 5, 1 + run.dice.roll(9));
    let peeks = [10, 20, 50][run.dice.roll(3) as usize];
    let source = Native::new(model, Vec::new(), &run.values).expect("a model");
    let mut monitor = Monitor::new(Box::new(source), run.values.clone(), false);
    let control = Control::new(None, usize::MAX);
    let mut open: Vec<(usize, Token, Option<ValueId>)> = Vec::new();
    let (mut events, mut most) = (0, 0);
    while events < length {
        if open.is_empty() || open.len() < clients && run.dice.chance(50) {
            let value = run.dice.chance(50).then(|| 1000 * run.dice.roll(9) as i64 + run.ops.len() as i64 * 9001);
            let f = if value.is_some() {
                adds
            } else if !matches!(model, "bag" | "register") && run.dice.chance(peeks) {
                "peek"
            } else {
                removes
            };
            events += 1;
            let named = |values: &mut Values| (values.text(f), value.map_or(ValueId::NULL, |value| values.int(value)));
            let (f_id, value_id) = named(monitor.table());
            let token = monitor.call(ValueId::NULL, f_id, ValueId::ABSENT, value_id, 0).expect("the model has it");
            open.push((run.ops.len(), token, None));
            run.ops.push(Op { f, value, call: events, end: None });
            continue;
        }
        let at = run.dice.roll(open.len() as u64) as usize;
        let (op, token, done) = open[at];
        let may_crash = run.dice.chance(crashes);
        let Some(result) = done else {
            if may_crash && run.dice.chance(50) {
                open.swap_remove(at); // it never takes effect
                events += 1;
                run.ops[op].end = Some((events, Outcome::Info));
                monitor.end(token, Outcome::Info, 0).expect("it is open");
            } else {
                open[at].2 = Some(run.act(op)); // it takes effect now, and returns later
            }
            continue;
        };
        open.swap_remove(at);
        events += 1;
        let crashed = may_crash;
        run.ops[op].end = Some((events, if crashed { Outcome::Info } else { Outcome::Ok(result) }));
        let told = match run.values.get(result).clone() {
            _ if crashed => Outcome::Info,
            value => Outcome::Ok(monitor.table().intern(value)),
        };
        monitor.end(token, told, 0).expect("it is open");
        if run.dice.roll(patience) == 0 {
            let holds = run.holds();
            match run.dice.roll(3) {
                0 => drop(monitor.look(&control)),
                _ => drop(monitor.judge(&control)),
            }
            most = most.max(monitor.counts().kept as usize);
            match monitor.standing() {
                Standing::Linearizable => {
                    assert!(
                        holds != Some(false) || monitor.waiting() > 0,
                        "{model}, seed {seed}, event {events}: too kind"
                    );
                }
                Standing::Violation(event) => {
                    assert!(holds != Some(true), "{model}, seed {seed}, event {events}: too strict");
                    let later = |op: &Op| op.end.is_some_and(|(number, _)| number > event as i64);
                    run.ops.retain(|op| op.call <= event as i64);
                    run.ops.iter_mut().filter(|op| later(op)).for_each(|op| op.end = None);
                    assert!(run.holds() != Some(true), "{model}, seed {seed}: no violation at event {event}");
                    run.ops.retain(|op| op.call < event as i64);
                    let last = |op: &Op| op.end.is_some_and(|(number, _)| number == event as i64);
                    run.ops.iter_mut().filter(|op| last(op)).for_each(|op| op.end = None);
                    assert!(run.holds() != Some(false), "{model}, seed {seed}: a violation before event {event}");
                    return (most, true);
                }
                Standing::Unknown(_, cause) => panic!("{model}, seed {seed}: {cause:?}"),
            }
        }
    }
    (most, false)
}

#[test]
fn forgetting_what_is_through_changes_no_verdict() {
    let (rounds, mut violations) = (rounds(if cfg!(feature = "collide") { 4 } else { 12 }), 0);
    let first: u64 = std::env::var("LINPOINT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let only = std::env::var("LINPOINT_MODEL").ok();
    for model in MODELS.iter().filter(|model| only.as_deref().is_none_or(|only| only == **model)) {
        for seed in first..first + rounds {
            violations += u64::from(run(model, seed, 60).1);
        }
    }
    assert!(violations > rounds / 8, "{violations}");
    println!("{rounds} streams of each model, {violations} violations");
}

#[test]
fn what_is_through_is_forgotten() {
    for (model, seed) in [("queue", 3), ("priority-queue", 6), ("bag", 9), ("stack", 3), ("register", 3)] {
        let (most, violation) = run(model, seed, 500);
        assert!(!violation && most < 200, "{model}: {most} events are kept of 500");
    }
}

/// A value that is gone is why 1 lies below 2: 7 was inside from event 3 to event 6, so 1 was pushed before, and 2 behind.
#[test]
fn what_a_forgotten_value_tells_of_others_is_kept() {
    for looks in [1, 20] {
        let mut values = Values::new();
        let [push, pop] = ["push", "pop"].map(|name| values.text(name));
        let [one, two, seven, nine] = [1, 2, 7, 9].map(|number| values.int(number));
        let source = Native::new("stack", Vec::new(), &values).expect("a model");
        let mut monitor = Monitor::new(Box::new(source), values, false);
        let control = Control::new(None, usize::MAX);
        let call = |monitor: &mut Monitor, f, value| {
            monitor.call(ValueId::NULL, f, ValueId::ABSENT, value, 0).expect("a stack has it")
        };
        let first = call(&mut monitor, push, one);
        let gone = call(&mut monitor, push, seven);
        monitor.end(gone, Outcome::Ok(ValueId::NULL), 0).expect("it is open");
        let second = call(&mut monitor, push, two);
        monitor.end(first, Outcome::Ok(ValueId::NULL), 0).expect("it is open");
        let popped = call(&mut monitor, pop, ValueId::NULL);
        monitor.end(popped, Outcome::Ok(seven), 0).expect("it is open");
        monitor.end(second, Outcome::Ok(ValueId::NULL), 0).expect("it is open");
        for _ in 0..looks {
            for (f, value, result) in [(push, nine, ValueId::NULL), (pop, ValueId::NULL, nine)] {
                let token = call(&mut monitor, f, value);
                monitor.end(token, Outcome::Ok(result), 0).expect("it is open");
                monitor.judge(&control);
            }
        }
        assert!(monitor.counts().kept < 8, "7 and the 9s are forgotten: {:?}", monitor.counts());
        let wrong = call(&mut monitor, pop, ValueId::NULL);
        monitor.end(wrong, Outcome::Ok(one), 0).expect("it is open");
        monitor.judge(&control);
        assert_eq!(monitor.standing(), Standing::Violation(8 + 4 * looks + 2));
    }
}

/// Of a crowd of enqueues some crash. What they leave moves to the front when the crowd has gone, and means what it did.
#[test]
fn a_crowd_gives_its_places_back_and_crashed_operations_that_moved_are_found() {
    let (crowd, each) = if cfg!(feature = "collide") { (120, 10) } else { (24_000, 1_000) };
    let values = Values::new();
    let source = Native::new("queue", Vec::new(), &values).expect("a model");
    let mut monitor = Monitor::new(Box::new(source), values, false);
    let control = Control::new(None, usize::MAX);
    let call = |monitor: &mut Monitor, f: &str, number: Option<i64>| {
        let f = monitor.table().text(f); // judging names values anew
        let value = number.map_or(ValueId::NULL, |number| monitor.table().int(number));
        monitor.call(ValueId::NULL, f, ValueId::ABSENT, value, 0).expect("a queue has it")
    };
    let take = |monitor: &mut Monitor, number| {
        let token = call(monitor, "dequeue", None);
        let taken = monitor.table().int(number);
        monitor.end(token, Outcome::Ok(taken), 0).expect("it is open");
    };
    let tokens: Vec<Token> = (0..crowd).map(|number| call(&mut monitor, "enqueue", Some(number))).collect();
    let crashes = |number: &i64| number % each == each - 1;
    for (number, &token) in (0..).zip(&tokens) {
        let outcome = if crashes(&number) { Outcome::Info } else { Outcome::Ok(ValueId::NULL) };
        monitor.end(token, outcome, 0).expect("it is open");
    }
    monitor.judge(&control);
    let most = monitor.counts().bytes;
    (0..crowd).filter(|number| !crashes(number)).for_each(|number| take(&mut monitor, number));
    monitor.judge(&control);
    for number in crowd..2 * crowd {
        let token = call(&mut monitor, "enqueue", Some(number));
        monitor.end(token, Outcome::Ok(ValueId::NULL), 0).expect("it is open");
        take(&mut monitor, number);
        if monitor.waiting() > 1_000 {
            monitor.judge(&control);
        }
    }
    monitor.judge(&control);
    let left = monitor.counts();
    assert_eq!((left.crashed, left.open), ((crowd / each) as u64, 0));
    assert!(cfg!(feature = "collide") || left.bytes < most / 2, "{} bytes, of {most}", left.bytes);
    for number in (0..crowd).filter(crashes) {
        let again = monitor.end(tokens[number as usize], Outcome::Ok(ValueId::NULL), 0);
        assert!(again.is_err(), "it has ended");
        take(&mut monitor, number);
    }
    monitor.judge(&control);
    assert_eq!((monitor.standing(), monitor.counts().crashed), (Standing::Linearizable, 0));
    take(&mut monitor, each - 1);
    monitor.judge(&control);
    assert_eq!(monitor.standing(), Standing::Violation(monitor.counts().events));
}
