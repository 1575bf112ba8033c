//! How the tests ask what a model allows, refuses, and takes for the same call.

use linpoint_history::History;
use linpoint_testkit::{history, parts, run};

/// May the operations happen one after the other? Asked of the parts and of the whole, which must agree.
pub fn legal(model: &str, operations: &str) -> Result<bool, String> {
    let history = history(operations);
    let verdict = |partition| -> Result<bool, String> {
        let parts = parts(model, &history, partition).map_err(|error| error.to_string())?;
        Ok(parts.into_iter().all(|mut part| {
            let states = run(&mut *part.spec, &part.codes);
            let again = run(&mut *part.spec.fork(), &part.codes);
            assert_eq!(states.len(), again.len(), "a fork of {model} differs on {operations}");
            !states.is_empty()
        }))
    };
    let (split, whole) = (verdict(true), verdict(false));
    assert_eq!(split, whole, "{model} split or not: {operations}");
    split
}

/// Checks a table of (operations, are they legal?).
pub fn check(model: &str, table: &[(&str, bool)]) {
    for &(operations, expected) in table {
        assert_eq!(legal(model, operations), Ok(expected), "{model}: {operations}");
    }
}

/// Checks a table of (operation, why it is refused).
pub fn refuses(model: &str, table: &[(&str, &str)]) {
    for &(operation, message) in table {
        let expected = format!("operation 0: {message}");
        assert_eq!(legal(model, operation), Err(expected), "{model}: {operation}");
    }
}

/// Checks that the operations are all the same call, and different from all of the other groups.
pub fn same_calls(model: &str, groups: &[&str]) {
    let all = history(&groups.join(";"));
    let codes = &parts(model, &all, false).unwrap()[0].codes;
    let mut seen = Vec::new();
    let mut from = 0;
    for group in groups {
        let size = group.split(';').count();
        let codes = &codes[from..from + size];
        assert!(codes.iter().all(|code| *code == codes[0]), "{model}: not all the same: {group}");
        assert!(!seen.contains(&codes[0]), "{model}: the same as another group: {group}");
        seen.push(codes[0]);
        from += size;
    }
}

/// The history with a name for its object.
pub fn of_object(object: &str, operations: &str) -> History {
    History { object: Some(object.to_owned()), ..history(operations) }
}
