//! Does the role of a call say what `step` does? And which operations share a code?
//!
//! Monitors believe roles and never step, so a wrong role is a wrong verdict. An object that knows nothing but roles is run beside each
//! model: on every state within reach, every call must be legal for both or for neither.

use linpoint_history::{Builder, Record, Status, ValueId};
use linpoint_spec::{Model, Options, Role, Shape, Spec};
use linpoint_testkit::vocabularies;
use linpoint_testkit::{history, parts};
use std::collections::HashSet;
use std::sync::Arc;

/// What an object of this shape, which holds `held`, may hold after an operation of this role; None: the role says nothing.
fn act(spec: &dyn Spec, held: &[u32], code: u32) -> Option<Vec<Vec<u32>>> {
    let comes_first = |place: usize| match spec.shape() {
        Shape::Deque => place == if spec.at_back(code) { held.len() - 1 } else { 0 },
        Shape::Queue => place == 0,
        Shape::Stack => place + 1 == held.len(),
        _ => held.iter().all(|&other| spec.class(other) <= spec.class(held[place])),
    };
    let first = |value: u32| (0..held.len()).find(|&place| held[place] == value && comes_first(place));
    let without = |place: usize| [&held[..place], &held[place + 1..]].concat();
    let same = || held.to_vec();
    let only_if = |legal: bool, after: Vec<u32>| if legal { vec![after] } else { Vec::new() };
    Some(match spec.role(code) {
        Role::Add(value) if spec.shape() == Shape::Deque && !spec.at_back(code) => vec![[&[value], held].concat()],
        Role::Add(_) if spec.shape() == Shape::Permits && held.len() == 2 => Vec::new(),
        Role::Add(value) => vec![[held, &[value]].concat()],
        Role::Remove(value) => first(value).map(without).into_iter().collect(),
        Role::RemoveUnknown if held.is_empty() => vec![same()],
        Role::RemoveUnknown => (0..held.len()).filter(|&place| comes_first(place)).map(without).collect(),
        Role::Peek(value) => only_if(first(value).is_some(), same()),
        Role::Empty => only_if(held.is_empty(), same()),
        Role::Absent(value) => only_if(!held.contains(&value), same()),
        Role::Read(value) => only_if(held == [value], same()),
        Role::ReadNot(value) => only_if(held != [value], same()),
        Role::Write(value) => vec![vec![value]],
        Role::Change(from, to) => only_if(held == [from], vec![to]),
        Role::ChangeNot(not, to) => only_if(held != [not], vec![to]),
        Role::ChangeIf(from, to) => vec![if held == [from] { vec![to] } else { same() }],
        Role::Nothing => vec![same()],
        Role::Other => return None,
    })
}

#[test]
fn a_role_says_what_step_does() {
    let mut shapes = HashSet::new();
    for (model, operations) in vocabularies() {
        // What is about all cells would tie them together.
        let of_one: Vec<&str> = operations.split("; ").filter(|operation| !operation.starts_with("size")).collect();
        for mut part in parts(model, &history(&of_one.join("; ")), true).unwrap() {
            let spec = &mut *part.spec;
            if spec.shape() == Shape::Other {
                continue;
            }
            shapes.insert(spec.shape());
            let codes: HashSet<u32> = part.codes.iter().copied().collect();
            let mut order = vec![(spec.initial().unwrap(), spec.contents())];
            let mut seen: HashSet<_> = order.iter().cloned().collect();
            for place in 0..300 {
                let Some((state, held)) = order.get(place).cloned() else { break };
                for &code in &codes {
                    let Some(expected) = act(spec, &held, code) else { continue };
                    let mut next = Vec::new();
                    spec.step(state, code, &mut next).unwrap();
                    let sorted = |mut held: Vec<u32>| {
                        if spec.shape() == Shape::PriorityQueue {
                            held.sort();
                        }
                        held
                    };
                    let expected: HashSet<Vec<u32>> = expected.into_iter().map(sorted).collect();
                    let (found, role) = (next.iter().collect::<HashSet<_>>().len(), spec.role(code));
                    assert_eq!(found, expected.len(), "{model}: {role:?} on {} = {held:?}", spec.show(state));
                    if let ([state], Some(held)) = (&next[..], expected.into_iter().next())
                        && seen.insert((*state, held.clone()))
                    {
                        order.push((*state, held));
                    }
                }
            }
            let states: HashSet<_> = order.iter().map(|(state, _)| state).collect();
            let helds: HashSet<_> = order.iter().map(|(_, held)| held).collect();
            assert_eq!((states.len(), helds.len()), (order.len(), order.len()), "{model}: one state, one content");
        }
    }
    assert_eq!(shapes.len(), 8, "every shape is some model's: {shapes:?}");
}

/// A long history in which nearly every operation is another one: pending operations still share a code, and so do recent ones.
#[test]
fn operations_that_may_stand_for_each_other_share_a_code() {
    let mut builder = Builder::new();
    let (enqueue, dequeue) = (builder.values.text("enqueue"), builder.values.text("dequeue"));
    for i in 0..20_000 {
        let (process, value, seen) = (builder.values.int(i), builder.values.int(i), builder.values.int(i / 1000));
        let (key, result, call) = (ValueId::ABSENT, ValueId::NULL, 2 * i);
        let record =
            Record { process, f: enqueue, key, value, result, status: Status::Ok, call, ret: Some(call + 1), line: 0 };
        match i % 1000 {
            0 => builder.push(Record { f: dequeue, value: result, status: Status::Info, ret: None, ..record }),
            1 | 2 => builder.push(Record { f: dequeue, value: result, result: seen, ..record }),
            _ => builder.push(record),
        };
    }
    let history = builder.finish().unwrap();
    let model = Model { name: "queue".into(), options: Options::default() };
    let part = model.compile(&history, &Arc::clone(&history.values), true).unwrap().pop().unwrap();
    for i in (1000..20_000).step_by(1000) {
        assert_eq!(part.codes[i], part.codes[0], "pending dequeues");
        assert_eq!(part.codes[i + 1], part.codes[i + 2], "the same dequeue twice, one after the other");
        assert_ne!(part.codes[i + 1], part.codes[i + 3], "other operations");
    }
}
