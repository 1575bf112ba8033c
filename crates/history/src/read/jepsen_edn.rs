//! Jepsen's `history.edn`: a vector, a list or a stream of maps, an event each.
//!
//! ```clojure
//! [{:process 0, :type :invoke, :f :cas, :value [1 2], :time 5, :index 0}
//!  {:process 0, :type :ok,     :f :cas, :value [1 2], :time 9, :index 1}
//!  {:process :nemesis, :type :info, :f :start}]
//! ```
//!
//! The order of the fields varies; tags such as `#jepsen.history.Op` are dropped. A process
//! that is a keyword, or the symbol nemesis, is no client: its lines become annotations. A field `:key`
//! is the key of the operation. Values are read by [`super::edn`], events paired by
//! [`super::events`].

use super::Options;
use super::cursor::{Cursor, Read};
use super::edn::Edn;
use super::entry::{Entry, Field};
use super::events::{Pairing, time_of};
use super::meter::Watch;
use super::names::Names;
use crate::time::Clock;
use crate::{Builder, Values};

/// Reads all events.
pub(super) fn read(text: &str, options: &Options, watch: &dyn Watch) -> Read<Builder> {
    read_with(text, options, watch, |_, _| Ok(()))
}

/// Reads all events; `check` may refuse one.
pub(super) fn read_with(
    text: &str,
    options: &Options,
    watch: &dyn Watch,
    check: impl Fn(&Entry, &mut Pairing) -> Read<()>,
) -> Read<Builder> {
    let mut pairing = Pairing::new(options);
    let mut edn = Edn::new(Cursor::new(text));
    edn.cursor.watch = Some(watch);
    let mut entry = Entry::new();
    let mut names = Names::new();
    edn.blank(pairing.values())?;
    let close = match edn.cursor.peek() {
        Some(b'[') => Some(b']'),
        Some(b'(') => Some(b')'),
        _ => None,
    };
    edn.cursor.at += usize::from(close.is_some());
    loop {
        edn.blank(pairing.values())?;
        match (edn.cursor.peek(), close) {
            (None, None) => break,
            (Some(byte), Some(close)) if byte == close => {
                edn.cursor.at += 1;
                edn.blank(pairing.values())?;
                if edn.cursor.peek().is_some() {
                    return Err(edn.cursor.expected("the end of the file after the events"));
                }
                break;
            }
            (None, Some(b']')) => return Err(edn.cursor.expected("an event {…} or ']'")),
            (None, Some(_)) => return Err(edn.cursor.expected("an event {…} or ')'")),
            (Some(_), _) => {}
        }
        entry.start(edn.cursor.at, edn.cursor.line());
        event(&mut edn, &mut names, pairing.values_and_clock(), &mut entry, options)?;
        check(&entry, &mut pairing)?;
        pairing.take(&mut entry)?;
        watch.hold(pairing.builder());
    }
    pairing.finish()
}

/// Reads one map into `entry`, which was started.
pub(super) fn event<'a>(
    edn: &mut Edn<'a>,
    names: &mut Names<'a, Field>,
    (values, clock): (&mut Values, &mut Clock),
    entry: &mut Entry,
    options: &Options,
) -> Read<()> {
    let namespace = edn.open_map(values)?;
    for place in 0.. {
        edn.blank(values)?;
        if edn.cursor.eat(b'}') {
            break;
        }
        let at = edn.cursor.at;
        let known = if namespace.is_empty() { names.step(place, &mut edn.cursor) } else { None };
        let field = match known {
            Some(field) => field,
            None => {
                let name = edn.field(values, namespace)?;
                let field = Field::of(values, options.renamed(&name));
                let ended = edn.cursor.text[at..edn.cursor.at].ends_with([' ', '\n']);
                if namespace.is_empty() && ended {
                    names.learn(place, at, &edn.cursor, field);
                }
                field
            }
        };
        let start = edn.cursor.at;
        let mut value = edn.value(values)?;
        if field == Field::Kind {
            value = options.kind_of(values, value);
        }
        if matches!(field, Field::Time(_)) {
            let written = &edn.cursor.text[start..edn.cursor.at];
            entry.time = time_of(values, value, written, at, clock)?;
        }
        if field == Field::Process {
            entry.bystander =
                matches!(&edn.cursor.text[start..edn.cursor.at], word if word.starts_with(':') || word == "nemesis");
        }
        entry.set(values, field, value, at)?;
    }
    Ok(())
}
