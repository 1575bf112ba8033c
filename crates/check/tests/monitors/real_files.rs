//! Verdicts on the queues and stacks recorded by violin, against the search and against `expected.tsv`.
//! Skipped, visibly, where the shared folder is not.

use crate::judge::{monitor, patience};
use linpoint_check::monitor::Decision;
use linpoint_check::{Settings, Verdict, judge};
use linpoint_history::read;
use linpoint_spec::{Model, Options};
use linpoint_testkit::{brute_force, excerpt, is_witness};
use std::path::{Path, PathBuf};

fn logs(folder: PathBuf) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|end| end == "log") => found.push(path),
                false => {}
            }
        }
    }
    found
}

#[test]
#[cfg_attr(feature = "collide", ignore = "quadratic where every hash collides")]
fn violin_agrees_with_the_search() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("LINPOINT_DATA").map_or_else(beside, PathBuf::from).join("violin");
    if !folder.is_dir() {
        return eprintln!("skipped: no real histories in {}", folder.display());
    }
    // linearizable, violation, declined; those only the monitor could decide; those that do not fit the model
    let mut tally = [0; 5];
    let expected = std::fs::read_to_string(folder.join("expected.tsv")).unwrap_or_default();
    let expects = |log: &Path, verdict: &str| {
        let name = log.strip_prefix(&folder).expect("inside").display().to_string();
        expected.lines().filter_map(|line| line.split_once('\t')).all(|(file, right)| file != name || right == verdict)
    };
    for log in logs(folder.clone()) {
        let history = read::path(&log, &read::Options::default()).expect("a history");
        let name = history.object.clone().unwrap_or_default();
        let model = if name.contains("queue") { "queue" } else { "stack" };
        let model = Model { name: model.into(), options: Options::default() };
        let Ok(parts) = model.compile(&history, &history.values, true) else {
            tally[4] += 1;
            continue;
        };
        for part in parts {
            let linearizable = match monitor(&part) {
                Decision::Linearizable(order) => {
                    assert!(is_witness(&part, &order), "{}", log.display());
                    true
                }
                Decision::Violation(core) => {
                    let alone = excerpt(&part, &core);
                    assert!(core.len() > 12 || !brute_force(&alone), "{}: {core:?}", log.display());
                    false
                }
                other => {
                    eprintln!("{}: {other:?}", log.display());
                    tally[2] += 1;
                    continue;
                }
            };
            tally[usize::from(!linearizable)] += 1;
            assert!(expects(&log, if linearizable { "linearizable" } else { "violation" }), "{}", log.display());
            let settings = Settings::of("breadth-first").expect("a method of this name");
            match judge(&history, &[part], settings, &patience()).verdict {
                Verdict::Unknown(_) => tally[3] += 1,
                verdict => assert_eq!(verdict == Verdict::Linearizable, linearizable, "{}", log.display()),
            }
        }
    }
    println!("violin: {tally:?} linearizable, violation, declined; too long for the search; of another model");
    assert!(tally[0] + tally[1] - tally[3] > 400, "most are compared: {tally:?}");
    assert!(tally[2..].iter().all(|&left_out| left_out <= 3), "few are left out: {tally:?}");
}
