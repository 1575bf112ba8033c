//! What a model is called and what it has: the one definition behind decoding, listing and guessing.
//!
//! Each file in `objects/` has an `INFO` per model. Synonyms are settled by [`ModelInfo::resolve`]
//! and nowhere else, so a listing never promises a name that decoding refuses. A look-up compares
//! with at most a few dozen short names; it is done once for each distinct operation.

use crate::{Refusal, catalog};

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
        self.operations.iter().find(|operation| operation.name == f || operation.synonyms.contains(&f))
    }

    /// The name of the operation that `f` names, or a refusal that says what the model has and who has `f`.
    pub fn resolve(&self, f: &str) -> Result<&'static str, Refusal> {
        if let Some(operation) = self.operation(f) {
            return Ok(operation.name);
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
