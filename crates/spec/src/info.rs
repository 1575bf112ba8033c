//! What a model is called and what it has: the one definition behind decoding, listing and guessing.
//!
//! Each file in `objects/` has an `INFO` per model. Synonyms are settled by [`ModelInfo::resolve`]
//! and nowhere else, so a listing never promises a name that decoding refuses. A look-up compares
//! with at most a few dozen short names; it is done once for each distinct operation.

use crate::{OpView, Refusal, catalog};
use linpoint_history::ValueId;
use linpoint_history::read::is_alike;

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
    /// The operation that `f` names, by its name or a synonym; upper case, `-` and `_` make no difference where no name is the same.
    pub fn operation(&self, f: &str) -> Option<&'static Operation> {
        self.operation_called(f).or_else(|| self.find(|name| is_alike(name, f)))
    }

    /// The operation whose name or synonym is `f`, letter by letter.
    pub fn operation_called(&self, f: &str) -> Option<&'static Operation> {
        // Every operation of a long history comes here, and the first letters tell most names apart.
        self.find(|name| name.as_bytes().first() == f.as_bytes().first() && name == f)
    }

    fn find(&self, is_f: impl Fn(&str) -> bool) -> Option<&'static Operation> {
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
        let hint = match others[..] {
            [] => format!(". If it is another name for one of these, say so: {}", example(&[f], &[self])),
            _ => format!("; {f} belongs to {}", join(&others, "and")),
        };
        Err(Refusal(format!("{} has {}{hint}", self.indefinite(), join(&names, "and"))))
    }

    /// "a queue", "an array".
    pub fn indefinite(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
        format!("{article} {}", self.name)
    }
}

/// How `--map` could name operations that nobody knows, by a model that has them all but for filling words: `--map setValue=write`.
pub(crate) fn example(unknown: &[&str], models: &[&ModelInfo]) -> String {
    const FEW: usize = 5;
    let few = &unknown[..unknown.len().min(FEW)];
    let by =
        |model: &&ModelInfo| few.iter().map(|f| model.operation(&gist(f)).map(|operation| operation.name)).collect();
    let names: Vec<&str> = models.iter().find_map(by).unwrap_or_else(|| vec!["OPERATION"; few.len()]);
    let pairs: Vec<String> = few.iter().zip(names).map(|(f, name)| format!("{f}={name}")).collect();
    format!("--map {}{}", pairs.join(","), if unknown.len() > FEW { ",…" } else { "" })
}

/// A name without words that say nothing: `set` of `setValue` and of `do_set`. All others stay: `fetch_and_add` is no `add`.
fn gist(f: &str) -> String {
    const FILLING: [&str; 8] = ["value", "item", "element", "entry", "key", "op", "do", "data"];
    let mut words: Vec<String> = vec![String::new()];
    for letter in f.chars() {
        if !letter.is_lowercase() {
            words.push(String::new());
        }
        let word = words.last_mut().expect("there is one from the start");
        word.extend(letter.to_lowercase().filter(|letter| letter.is_alphanumeric()));
    }
    words.retain(|word| !FILLING.contains(&word.as_str()));
    words.concat()
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
