//! A history whose operations stand in the order of their calls is taken over whole, any other is dealt: the same part comes out.

use linpoint_base::Control;
use linpoint_history::{Builder, History, Record, Status, ValueId};
use linpoint_spec::{Model, Options, Part};
use linpoint_testkit::Dice;
use std::sync::Arc;

/// Process, value, what a dequeue found, call, return.
type Operation = (i64, i64, Option<i64>, i64, Option<i64>);

/// Operations of a process each, some pending.
fn operations(dice: &mut Dice) -> Vec<Operation> {
    (0..1 + dice.roll(30) as i64)
        .map(|i| {
            (
                i,
                dice.roll(5) as i64,
                (dice.roll(2) == 0).then_some(i),
                10 * i,
                (dice.roll(6) > 0).then_some(10 * i + 25),
            )
        })
        .collect()
}

fn history(operations: impl Iterator<Item = Operation>) -> History {
    let mut builder = Builder::new();
    for (process, value, removes, call, ret) in operations {
        let values = &mut builder.values;
        let (f, value, found) = match removes {
            None => ("enqueue", values.int(value), ValueId::NULL),
            Some(found) => ("dequeue", ValueId::NULL, values.int(found)),
        };
        let (process, f) = (values.int(process), values.text(f));
        let status = if ret.is_some() { Status::Ok } else { Status::Info };
        let result = if ret.is_some() { found } else { ValueId::NULL };
        builder.push(Record { process, f, key: ValueId::ABSENT, value, result, status, call, ret, line: 0 });
    }
    builder.finish().expect("a history")
}

/// What a part says, in words that do not depend on how operations, values and codes are numbered.
fn told(history: &History) -> (Vec<String>, String) {
    let model = Model { name: "queue".to_owned(), options: Options::new(Vec::new()) };
    let control = Control::new(None, usize::MAX);
    let parts = model.compile_within(history, &Arc::clone(&history.values), true, &control).expect("a queue");
    let [Part { ops, codes, processes, events, .. }] = &parts[..] else { panic!("a queue is one part") };
    assert_eq!((ops.len(), codes.len(), processes.len()), (history.len(), history.len(), history.len()));
    let told = |place: usize| {
        let op = ops[place] as usize;
        let alike = codes.iter().position(|code| *code == codes[place]);
        let shown = [history.f[op], history.value[op], history.result[op], ValueId(processes[place])];
        format!("{:?} {} {alike:?}", shown.map(|id| history.values.show(id)), history.call[op])
    };
    ((0..ops.len()).map(told).collect(), format!("{events:?}"))
}

#[test]
fn rows_in_the_order_of_calls_or_not() {
    let mut dice = Dice(7);
    for _ in 0..300 {
        let operations = operations(&mut dice);
        assert_eq!(told(&history(operations.iter().copied())), told(&history(operations.iter().rev().copied())));
    }
}
