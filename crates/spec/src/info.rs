//! What a model is called and what it has: the one definition behind decoding, listing and guessing.
//!
//! Each file in `objects/` has an `INFO` per model. Synonyms are settled by [`ModelInfo::resolve`]
//! and nowhere else, so a listing never promises a name that decoding refuses. A look-up compares
//! with at most a few dozen short names; it is done once for each distinct operation.

use crate::{OpView, Refusal, catalog};
use linpoint_history::ValueId;

/// A shipped model.
#[derive(Debug)]
pub struct ModelInfo {
    /// The name to ask for it by.
    pub name: &'static str,
    /// Other names; upper case, `-` and `_` make no difference in any of them.
    pub aliases: &'static [&'static str],
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Its operations, for a table.
    pub operations: &'static [Operation],
    /// Its options.
    pub options: &'static [OptionInfo],
}

/// An operation of a model.
#[derive(Debug)]
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// Other names for the same.
    pub synonyms: &'static [&'static str],
    /// The argument; `–` when there is none.
    pub value: &'static str,
    /// The result; `–` when it is not compared.
    pub result: &'static str,
}

/// An option of a model.
#[derive(Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What holds without it, in JSON (a bare word is text).
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// An operation of a model, written on one line.
pub(crate) const fn operation(
    name: &'static str,
    synonyms: &'static [&'static str],
    value: &'static str,
    result: &'static str,
) -> Operation {
    Operation { name, synonyms, value, result }
}

/// An option of a model, written on one line.
pub(crate) const fn option(name: &'static str, default: &'static str, meaning: &'static str) -> OptionInfo {
    OptionInfo { name, default, meaning }
}

impl ModelInfo {
    /// The operation that `f` names, by its name or a synonym.
    pub fn operation(&self, f: &str) -> Option<&'static Operation> {
        // Every operation of a long history comes here, and the first letters tell most names apart.
        let is_f = |name: &str| name.as_bytes().first() == f.as_bytes().first() && name == f;
        self.operations
            .iter()
            .find(|operation| is_f(operation.name) || operation.synonyms.iter().any(|name| is_f(name)))
    }

    /// The name of the operation that `op` is; or a refusal that says what the model has and who else has such an operation, or that
    /// it is not known whether it took effect.
    pub fn resolve(&self, op: &OpView<'_>) -> Result<&'static str, Refusal> {
        let f = op.f;
        if let Some(operation) = self.operation(f) {
            return if operation.result == "–" && said_no(op) { Err(unclear()) } else { Ok(operation.name) };
        }
        let names: Vec<_> = self.operations.iter().map(|operation| operation.name).collect();
        let others: Vec<_> =
            catalog::all().iter().filter(|other| other.operation(f).is_some()).map(|other| other.name).collect();
        let hint = if others.is_empty() { String::new() } else { format!("; {f} belongs to {}", join(&others, "and")) };
        Err(Refusal(format!("{} has {}{hint}", self.indefinite(), join(&names, "and"))))
    }

    /// "a queue", "an array".
    pub fn indefinite(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
        format!("{article} {}", self.name)
    }
}

/// Did it answer false where no answer is expected? Not if it only repeats its argument, as some recorders do.
fn said_no(op: &OpView<'_>) -> bool {
    let repeats = || op.values.as_list(op.value).unwrap_or(&[op.value]).contains(&ValueId::FALSE);
    op.result == Some(ValueId::FALSE) && !repeats()
}

fn unclear() -> Refusal {
    Refusal("it answered false: if it did not take effect, its type is \"fail\"; if it did, its result is null".into())
}

/// "x", "x and y", "x, y and z"; of very many only the first.
pub(crate) fn join(names: &[&str], last: &str) -> String {
    const MANY: usize = 20;
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., _, _] if names.len() > MANY + 1 => {
            format!("{} {last} {} more", first[..MANY].join(", "), names.len() - MANY)
        }
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}
