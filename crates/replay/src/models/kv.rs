//! A key-value store of texts: the text of each key that was put.

use crate::op::Op;
use crate::sequential::{Fit, Names, Options, Sequential};
use hashbrown::HashMap;
use linpoint_base::Hashing;
use linpoint_history::ValueId;

/// Texts by key: get, put, append.
#[derive(Clone)]
pub(crate) struct Kv {
    initial: String,
    texts: HashMap<ValueId, String, Hashing>,
    /// Bytes of everything that was put or appended: no text is longer.
    length: usize,
}

impl Kv {
    pub fn new(options: &Options<'_>) -> Option<Self> {
        let initial = match options.get("initial") {
            Some(text) => options.values.as_text(text)?.to_owned(),
            None => String::new(),
        };
        Some(Kv { initial, texts: HashMap::default(), length: 0 })
    }
}

impl Sequential for Kv {
    const NAMES: &'static Names = &[("get", &["read"]), ("put", &["set", "write"]), ("append", &[])];
    const HAS_KEYS: bool = true;

    fn act(&mut self, op: &Op<'_>) -> Fit {
        if op.name == "get" {
            let held = self.texts.get(&op.key_alone()).unwrap_or(&self.initial);
            return match op.result {
                None => Fit::Yes,
                Some(ValueId::NULL) => Fit::of(*held == self.initial),
                Some(recorded) => Fit::of(op.values.as_text(recorded) == Some(held)),
            };
        }
        let Some((key, text)) = op.key_and_one() else { return Fit::NotUnderstood };
        let Some(text) = op.values.as_text(text) else { return Fit::NotUnderstood };
        let held = self.texts.entry(key).or_insert_with(|| self.initial.clone());
        match op.name {
            "put" => text.clone_into(held),
            "append" => held.push_str(text),
            _ => return Fit::NotUnderstood,
        }
        self.length += text.len();
        op.not_compared()
    }

    fn bytes(&self) -> usize {
        self.texts.allocation_size() + self.length
    }
}
