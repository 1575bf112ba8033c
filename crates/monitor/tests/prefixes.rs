//! Is the verdict after every event that of all events up to it? Random streams of every model, against the definition.

use linpoint_base::Control;
use linpoint_history::read::Options;
use linpoint_history::{Builder, History, Record, Status, ValueId, Values};
use linpoint_monitor::{Feed, Monitor, Native, Outcome, Standing, Token};
use linpoint_testkit::{Dice, brute_force, history, named, parts, rounds, vocabularies, vocabulary};
use std::time::Instant;

/// Its place in the vocabulary, its call, its end.
type Op = (usize, i64, Option<(i64, Outcome)>);

/// What a stream did so far.
struct Stream {
    values: Values,
    ops: Vec<Op>,
    events: i64,
}

impl Stream {
    /// Is everything so far linearizable, by definition?
    fn holds(&self, model: &str, words: &History) -> bool {
        let mut builder = Builder::new();
        builder.values = self.values.clone();
        for (place, &(word, call, end)) in self.ops.iter().enumerate() {
            let (status, result, ret) = match end {
                Some((ret, Outcome::Ok(result))) => (Status::Ok, result, Some(ret)),
                Some((_, Outcome::Fail)) => continue,
                Some((_, Outcome::Info)) | None => (Status::Info, ValueId::NULL, None),
            };
            let (f, key, value, process) = (words.f[word], words.key[word], words.value[word], ValueId(place as u32));
            builder.push(Record { process, f, key, value, result, status, call, ret, line: 0 });
        }
        let history = builder.finish().expect("sound");
        parts(model, &history, true).expect("the vocabulary fits").iter().all(brute_force)
    }
}

/// The monitor of a model given as in `register:initial=0`.
fn monitor(model: &str, mut values: Values) -> Monitor {
    let (name, options) = named(model, &mut values);
    let source = Native::new(name, options, &values).expect("a shipped model");
    Monitor::new(Box::new(source), values, false)
}

/// Feeds one random stream, judged after every event or now and then, some of it without time (of so many looks in a hundred); the number of
/// events, and whether it is a violation, and told.
fn run(model: &str, words: &History, seed: u64, losses: u64) -> (i64, bool) {
    let mut dice = Dice(seed);
    let patience = [1, 1, 3, 100][dice.roll(4) as usize];
    let mut monitor = monitor(model, (*words.values).clone());
    let mut stream = Stream { values: (*words.values).clone(), ops: Vec::new(), events: 0 };
    let mut open: Vec<(usize, Token)> = Vec::new();
    let (mut lost, mut told) = (None, false);
    if losses > 0 {
        monitor.restart_when_lost();
    }
    let control = Control::new(None, usize::MAX);
    let too_late = Control::new(Some(Instant::now()), usize::MAX);
    let length = 4 + dice.roll(20);
    let mut first = None;
    while stream.events < length as i64 {
        stream.events += 1;
        if open.is_empty() || stream.ops.len() < 12 && open.len() < 4 && dice.chance(50) {
            let word = dice.roll(words.len() as u64) as usize;
            let token = monitor.call(ValueId::NULL, words.f[word], words.key[word], words.value[word], 0);
            open.push((stream.ops.len(), token.expect("the model has it")));
            stream.ops.push((word, stream.events, None));
        } else {
            let (op, token) = open.swap_remove(dice.roll(open.len() as u64) as usize);
            let outcome = end(&mut dice, &mut stream, op, model, words);
            monitor.end(token, outcome, 0).expect("it is open");
        }
        let holds = stream.holds(model, words);
        if !holds && first.is_none() {
            first = Some(stream.events as u64);
        }
        if dice.roll(patience) == 0 || stream.events == length as i64 {
            let late = dice.chance(losses) && monitor.waiting() > 0;
            let alarms = monitor.judge(if late { &too_late } else { &control });
            let standing = monitor.standing();
            if let (true, Standing::Unknown(since, _)) = (lost.is_none(), &standing) {
                assert!(late);
                lost = Some(*since);
            }
            told |= matches!(standing, Standing::Violation(_));
            if let Some(since) = lost {
                match standing {
                    Standing::Linearizable => panic!("{model}, seed {seed}: what was unknown is known"),
                    Standing::Unknown(again, _) => assert_eq!(again, since, "{model}, seed {seed}"),
                    Standing::Violation(event) => {
                        assert!(first.is_some_and(|first| first <= event), "{model}, seed {seed}: too strict");
                        break;
                    }
                }
                continue;
            }
            let expected = first.map_or(Standing::Linearizable, Standing::Violation);
            assert_eq!(standing, expected, "{model}, seed {seed}, event {}", stream.events);
            if let Some(alarm) = alarms.first() {
                assert_eq!(Some(alarm.event), first, "{model}, seed {seed}");
                assert!(alarm.shown.iter().filter(|shown| shown.accused && shown.needed).count() == 1);
            }
        }
        if first.is_some() && dice.chance(30) {
            break;
        }
    }
    (stream.events, told)
}

/// Ends an operation in some way, mostly one that can be explained.
fn end(dice: &mut Dice, stream: &mut Stream, op: usize, model: &str, words: &History) -> Outcome {
    let mut outcome = Outcome::Info;
    for _ in 0..6 {
        let called = stream.ops[op].0;
        let like = |word: usize| {
            (words.f[word], words.key[word], words.value[word])
                == (words.f[called], words.key[called], words.value[called])
        };
        let same: Vec<usize> =
            (0..words.len()).filter(|&word| like(word) && words.status[word] == Status::Ok).collect();
        outcome = match dice.roll(12) {
            0 => Outcome::Info,
            1 => Outcome::Fail,
            _ if same.is_empty() => Outcome::Info,
            _ => Outcome::Ok(words.result[same[dice.roll(same.len() as u64) as usize]]),
        };
        stream.ops[op].2 = Some((stream.events, outcome));
        if dice.chance(10) || stream.holds(model, words) {
            break;
        }
    }
    outcome
}

#[test]
fn the_verdict_after_every_event_is_that_of_the_prefix() {
    let rounds = rounds(if cfg!(feature = "collide") { 4 } else { 40 });
    let first: u64 = std::env::var("LINPOINT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let (mut events, mut violations) = (0, 0);
    for (model, operations) in vocabularies() {
        let words = history(&operations);
        for seed in first..first + rounds {
            let (count, violation) = run(model, &words, seed, 0);
            events += count as u64;
            violations += u64::from(violation);
        }
    }
    println!("{} streams, {events} events, {violations} violations", rounds * 22);
    assert!(violations > rounds && events > 100 * rounds, "{events} {violations}");
}

/// Several keys, each watched for itself until an operation is about some of them.
const JOINED: [(&str, &str); 2] = [
    (
        "multi-register",
        "txn [[w,{x|y|z|u},{1|2}]]; txn [[r,{x|y|z|u},null]] -> [[r,{x|y|z|u},{null|1|2}]]; txn [[w,{x|z},1],[w,{y|u},2]]; \
         txn [[r,{x|z},null],[r,{y|u},null]] -> ?; write [{x|y|z|u},{1|2}]; read {x|y|z|u} -> {null|1|2}",
    ),
    (
        "map",
        "get @{x|y|z|u} -> {null|1|2}; {put|put_if_absent} @{x|y|z|u} {1|2} -> {null|1}; \
         replace_if @{x|y|z|u} [{null|1},2] -> {true|false}; remove_if @{x|y|z|u} {null|1} -> {true|false}; size -> {0|1|2|3|?}",
    ),
];

#[test]
fn the_verdict_is_that_of_the_prefix_also_where_keys_are_joined() {
    let (rounds, mut violations) = (rounds(if cfg!(feature = "collide") { 200 } else { 4_000 }), 0);
    for (model, pattern) in JOINED {
        let words = history(&vocabulary(model, pattern));
        violations += (0..rounds).filter(|&seed| run(model, &words, seed, 0).1).count() as u64;
    }
    assert!(violations > rounds / 8, "{violations}");
}

/// A violation that is told behind a restart is one of the whole stream, whatever was not judged.
#[test]
fn what_is_told_after_a_restart_is_true() {
    let rounds = rounds(40);
    let mut told = 0;
    for (model, operations) in vocabularies() {
        let words = history(&operations);
        told += (0..rounds).filter(|&seed| run(model, &words, seed, 30).1).count() as u64;
    }
    println!("{told} violations");
    assert!(told > rounds, "{told}");
}

/// A monitor that is saved and restored at every moment says what one says that never was.
#[test]
fn a_monitor_that_is_restored_goes_on_as_if_nothing_had_been() {
    let rounds = rounds(if cfg!(feature = "collide") { 2 } else { 20 });
    for (model, operations) in vocabularies() {
        let words = history(&operations);
        for seed in 0..rounds {
            let mut dice = Dice(seed);
            let fed = |monitor| Feed::new(monitor, &Options::default(), false);
            let mut alone = fed(monitor(model, (*words.values).clone()));
            let mut saved = fed(monitor(model, (*words.values).clone()));
            let control = Control::new(None, usize::MAX);
            for number in 0..6 + dice.roll(20) {
                let word = dice.roll(words.len() as u64) as usize;
                let line = line(&words, word, number, dice.roll(4), &mut dice);
                for feed in [&mut alone, &mut saved] {
                    feed.push(line.as_bytes());
                }
                if dice.chance(40) {
                    assert_eq!(alone.monitor.judge(&control).len(), saved.monitor.judge(&control).len());
                }
                let text = saved.save().expect("a shipped model can be saved");
                let mut fresh = fed(monitor(model, (*words.values).clone()));
                fresh.restore(&text).expect("it was saved");
                assert_eq!(fresh.save().as_deref(), Ok(&text[..]), "{model}, seed {seed}");
                saved = fresh;
                let told =
                    |feed: &Feed| (feed.monitor.standing(), feed.skipped, feed.line(), feed.monitor.counts().events);
                assert_eq!(told(&alone), told(&saved), "{model}, seed {seed}");
            }
        }
    }
}

/// A line of a log: one of a few processes calls, or ends its operation.
fn line(words: &History, word: usize, number: u64, process: u64, dice: &mut Dice) -> String {
    let show = |id: ValueId| words.values.show(id);
    let (f, value, key) = (show(words.f[word]), show(words.value[word]), words.key[word]);
    let key = if key == ValueId::ABSENT { String::new() } else { format!(r#","key":{}"#, show(key)) };
    match dice.roll(8) {
        0..4 => format!("{{\"process\":{process},\"type\":\"invoke\",\"f\":{f},\"value\":{value}{key}}}\n"),
        4..7 => {
            format!("{{\"process\":{process},\"type\":\"ok\",\"f\":{f},\"value\":{}{key}}}\n", show(words.result[word]))
        }
        _ => format!("no event, number {number}\n"),
    }
}
