//! The formats by name.

/// A format that histories are recorded in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// linpoint's own: one operation per line.
    Jsonl,
    /// Jepsen's `history.edn`.
    JepsenEdn,
    /// Jepsen's logs and its `history.txt`.
    JepsenLog,
    /// Jepsen's and Elle's events as JSON.
    JepsenJson,
    /// Porcupine's key-value logs.
    PorcupineKv,
    /// violin's logs of stacks and queues.
    Violin,
    /// Violat's traces.
    Violat,
    /// A table: one operation per row.
    Csv,
}

impl Format {
    /// Every format, the native one first.
    pub const ALL: [Format; 8] = [
        Format::Jsonl,
        Format::JepsenEdn,
        Format::JepsenLog,
        Format::JepsenJson,
        Format::PorcupineKv,
        Format::Violin,
        Format::Violat,
        Format::Csv,
    ];

    /// The name to ask for it by.
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::JepsenEdn => "jepsen",
            Format::JepsenLog => "jepsen-log",
            Format::JepsenJson => "jepsen-json",
            Format::PorcupineKv => "porcupine-kv",
            Format::Violin => "violin",
            Format::Violat => "violat",
            Format::Csv => "csv",
        }
    }

    /// What it is, in a line.
    pub fn description(self) -> &'static str {
        match self {
            Format::Jsonl => {
                "linpoint JSON lines, or a JSON array: one operation each, with the times of its call and return"
            }
            Format::JepsenEdn => "Jepsen EDN (history.edn): a vector or a stream of maps, one event each",
            Format::JepsenLog => "Jepsen log or history.txt: process, type, f and value between tabs or spaces",
            Format::JepsenJson => "Jepsen or Elle JSON: an array or a stream of objects, one event each",
            Format::PorcupineKv => "Porcupine key-value log: EDN maps with a key; get, put and append",
            Format::Violin => "violin log: [ID] call add(1), [ID] return",
            Format::Violat => "Violat trace: a JSON object with a schema and its events",
            Format::Csv => "CSV with a header: one operation per row; commas, semicolons or tabs",
        }
    }

    /// Does it tell events, one per line if need be? The others tell whole operations.
    pub fn has_events(self) -> bool {
        !matches!(self, Format::Jsonl | Format::Violat | Format::Csv)
    }

    /// The format of that name; `edn` and `jepsen-edn` are other names of `jepsen`.
    pub fn from_name(name: &str) -> Option<Format> {
        match name {
            "edn" | "jepsen-edn" => Some(Format::JepsenEdn),
            _ => Self::ALL.into_iter().find(|format| format.name() == name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_name() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
            assert!(!format.description().is_empty());
        }
        assert_eq!(Format::from_name("edn"), Some(Format::JepsenEdn));
        assert_eq!(Format::from_name("xml"), None);
    }
}
