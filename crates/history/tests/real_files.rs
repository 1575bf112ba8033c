//! Every real file of the shared folder is read with its format sniffed. Skipped, visibly, where the folder is not.

use linpoint_history::read::{self, Format, Options};
use linpoint_history::{Status, write};
use std::path::{Path, PathBuf};

fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("LINPOINT_DATA").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no real histories in {}", folder.display());
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let histories = path.extension().is_some_and(|end| end == "log" || end == "edn" || end == "txt");
            match path.is_dir() {
                true => open.push(path),
                false if histories => found.push(path),
                false => {}
            }
        }
    }
    found
}

/// (folder, format, files, operations that are ok, fail, info); counted with grep, not with our readers.
const EXPECTED: [(&str, Format, usize, [usize; 3]); 4] = [
    ("jepsen-etcd", Format::JepsenLog, 60, [3193, 1066, 764]),
    ("porcupine-kv", Format::PorcupineKv, 4, [838, 0, 0]),
    ("knossos", Format::JepsenEdn, 63, [6132, 5297, 384]),
    ("violin", Format::Violin, 416, [26_051, 0, 41]),
];

#[test]
fn every_file_is_read() {
    let Some(data) = folder() else { return };
    for (name, format, number, counts) in EXPECTED {
        let mut seen = [0; 3];
        let files = files(&data.join(name));
        for file in &files {
            let history = read::path(file, &Options::default()).unwrap();
            assert_eq!(read::sniff(&std::fs::read(file).unwrap()), Ok(format), "{}", file.display());
            for status in &history.status {
                seen[[Status::Ok, Status::Fail, Status::Info].iter().position(|s| s == status).unwrap()] += 1;
            }
            let text = write::jsonl(&history);
            let again = read::bytes(text.as_bytes(), "written", &Options::default()).unwrap();
            assert!(history.same_operations(&again, true), "{}", file.display());
            let events = write::edn(&history).unwrap();
            let again = read::bytes(events.as_bytes(), "written", &Options::default()).unwrap();
            assert!(history.same_operations(&again, true), "{}", file.display());
        }
        assert_eq!((name, files.len(), seen), (name, number, counts));
    }
}
