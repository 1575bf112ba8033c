//! A system as a file: Aldebaran (`.aut`) and Graphviz (`dot`).
//!
//! Labels are always quoted, with `\"` and `\\` as escapes; the internal step is `tau`. What is written is read back the same.

use crate::lts::{Lts, TAU};
use std::fmt::Write;

/// The system as an Aldebaran file.
pub fn aut(lts: &Lts) -> String {
    let labels: Vec<String> = (0..lts.labels.len() as u32).map(|label| quoted(lts.labels.name(label))).collect();
    let mut text = format!("des ({},{},{})\n", lts.initial, lts.transitions(), lts.states);
    text.reserve(24 * lts.transitions());
    for (source, label, target) in lts.all() {
        let _ = writeln!(text, "({source},{},{target})", labels[label as usize]);
    }
    text
}

/// The system as a graph for Graphviz: the initial state has a double border, internal steps are dashed.
pub fn dot(lts: &Lts) -> String {
    let labels: Vec<String> = (0..lts.labels.len() as u32).map(|label| quoted(lts.labels.name(label))).collect();
    let mut text = String::from("digraph lts {\n  rankdir=LR;\n  node [shape=circle];\n");
    let _ = writeln!(text, "  {} [shape=doublecircle];", lts.initial);
    for (source, label, target) in lts.all() {
        let name = if label == TAU { "\"τ\" style=dashed" } else { &labels[label as usize] };
        let _ = writeln!(text, "  {source} -> {target} [label={name}];");
    }
    text.push_str("}\n");
    text
}

fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for character in name.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
    text
}
