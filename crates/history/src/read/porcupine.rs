//! Porcupine's key-value logs: Jepsen's maps, one a line, each with a key.
//!
//! ```clojure
//! {:process 0, :type :invoke, :f :append, :key "0", :value "x 0 0 y"}
//! ```
//!
//! Operations are `get`, `put` and `append` on strings; a `get` returns the value of its completion.

use super::Options;
use super::cursor::{Quoted, Read, fault};
use super::entry::Entry;
use super::events::Pairing;
use super::meter::Watch;
use crate::{Builder, ValueId};

/// Reads all events.
pub(super) fn read(text: &str, options: &Options, watch: &dyn Watch) -> Read<Builder> {
    super::jepsen_edn::read_with(text, options, watch, check)
}

fn check(entry: &Entry, pairing: &mut Pairing) -> Read<()> {
    if entry.bystander || entry.f == ValueId::ABSENT {
        return Ok(());
    }
    if entry.key == ValueId::ABSENT {
        return Err(fault(entry.at, "an event without :key: expected a key-value log of Porcupine"));
    }
    match pairing.values().as_text(entry.f) {
        Some("get" | "put" | "append") => Ok(()),
        _ => {
            let found = pairing.values().show(entry.f);
            Err(fault(entry.at, format!("expected :f to be :get, :put or :append, found {}", Quoted(&found))))
        }
    }
}
