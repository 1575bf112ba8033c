//! Names, aliases, options; and is the documentation the same table?

use crate::legality::legal;
use linpoint_spec::catalog::{all, find};
use std::collections::HashSet;

#[test]
fn models_are_found_by_name_and_alias() {
    let is = |name: &str, model: &str| assert_eq!(find(name).unwrap().name, model);
    is("cas_register", "cas-register");
    is("CasRegister", "cas-register");
    is("kvstore", "kv");
    is("pq", "priority-queue");
    is("PriorityQueue", "priority-queue");
    is("lock", "mutex");
    is("FIFO", "queue");
}

#[test]
fn no_name_means_two_models_and_no_synonym_two_operations() {
    let plain = |name: &str| name.replace('-', "");
    let mut names = HashSet::new();
    for model in all() {
        for name in [&model.name].into_iter().chain(model.aliases) {
            assert!(names.insert(plain(name)), "{name} means two models");
        }
        let mut operations = HashSet::new();
        for operation in model.operations {
            for name in [&operation.name].into_iter().chain(operation.synonyms) {
                assert!(operations.insert(name), "{name} means two operations of {}", model.name);
            }
        }
    }
}

#[test]
fn unknown_models_and_wrong_options_are_explained() {
    let models = "there are register, cas-register, multi-register, kv, append-list, map, set, array, counter, mutex, semaphore, queue, \
                  stack, height-stack, deque, priority-queue, bag";
    for (model, message) in [
        ("qeueu", "there is no model 'qeueu'; did you mean queue?".to_owned()),
        ("bank", format!("there is no model 'bank'; {models}")),
        (
            "register:initail=0",
            "register has no option \"initail\"; did you mean \"initial\"? options: initial".to_owned(),
        ),
        ("semaphore:size=0", "semaphore has no option \"size\"; options: permits, bounded".to_owned()),
        ("mutex:initial=0", "mutex has no option \"initial\"; it has no options".to_owned()),
        ("register:initial=0,initial=1", "option initial of register is given twice".to_owned()),
        ("semaphore:permits=-1", "option permits needs a whole number of at least 0, but is -1".to_owned()),
        ("semaphore:bounded=1", "option bounded needs true or false, but is 1".to_owned()),
        ("counter:initial=x", "option initial needs a whole number, but is \"x\"".to_owned()),
        (
            "counter:initial=10000000000000000000000000000",
            "option initial needs a whole number of at most 28 digits, but is 10000000000000000000000000000".to_owned(),
        ),
        ("queue:initial=3", "option initial needs a list, but is 3".to_owned()),
        ("kv:initial=3", "option initial needs a text, but is 3".to_owned()),
        ("pq:order=up", "option order needs max or min, but is \"up\"".to_owned()),
    ] {
        assert_eq!(legal(model, ""), Err(message));
    }
}

/// The rows of the documentation's table: model with its options, operation, synonyms, value, result.
fn documented() -> Vec<[String; 5]> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/models.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| {
        let cells: Vec<String> = row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        cells.try_into().unwrap_or_else(|_| panic!("five columns: {row}"))
    })
    .collect()
}

#[test]
fn the_documentation_has_the_same_table() {
    let mut rows = documented().into_iter();
    for model in all() {
        for (i, operation) in model.operations.iter().enumerate() {
            let [head, name, synonyms, value, result] = rows.next().expect("a row for every operation");
            let ours = if operation.synonyms.is_empty() { "–".to_owned() } else { operation.synonyms.join(", ") };
            assert_eq!([name, synonyms, value, result], [operation.name, &ours, operation.value, operation.result]);
            assert_eq!(head.split(' ').next(), Some(if i == 0 { model.name } else { "" }));
            for option in model.options.iter().filter(|_| i == 0) {
                assert!(head.contains(&format!("`{}={}`", option.name, option.default)), "{head}: {}", option.name);
            }
        }
    }
    assert_eq!(rows.next(), None);
}
