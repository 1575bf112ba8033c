//! How is a formula written? As in the paper, in ASCII: `all a1:add, a2:add, r2:front. match(a2,r2) & b(a1,a2) => some r1:remove.
//! match(a1,r1) & b(r1,r2)`.
//!
//! ```text
//!   formula     = "all" variables "." [literals "=>"] (alternative {"|" alternative} | "false")
//!   alternative = ["some" variables "."] literals          variables = name ":" sort {"," name ":" sort}
//!   literals    = literal {"&" literal}                    literal   = ["!"] predicate "(" name "," name ")"
//! ```
//!
//! That is the shape ∀*∃* that the paper's §4.2 asks for: every method may take it apart mechanically. Two predicates are decided by an order,
//! `b` (before) and `match`; the rest by the operations: `differ` (two operations, not one), `same` (they are about equal
//! values), `lower` (the value that the first gives
//! has the lower priority), `shows` (the first, a read of the whole, shows what the second put in), `ahead` (what the first put in stands ahead
//! of what the second put in, where both are shown).
//! Parsing is linear; a formula that is written wrongly panics, and a test parses all there are.

use crate::figures::ALL;
use crate::operation::{self, Operation, Operations};
use crate::{Atom, Literal};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A formula as it is written.
#[derive(Debug, PartialEq, Eq)]
pub struct Formula {
    /// What the paper calls it; ours are named likewise.
    pub name: &'static str,
    /// Where it stands in the paper, and what we changed.
    pub source: &'static str,
    /// The formula.
    pub text: &'static str,
    /// The same as a law, for explanations.
    pub law: &'static str,
}

/// What can be said of two operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// The first takes effect before the second.
    Before,
    /// The second found what the first gave.
    Match,
    /// They are two.
    Differ,
    /// They are about equal values.
    Same,
    /// What the first gives has the lower priority.
    Lower,
    /// The first shows what the second put in.
    Shows,
    /// What the first put in is shown ahead of what the second put in.
    Ahead,
}

/// A predicate of two variables, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it says.
    pub predicate: Predicate,
    /// Does it hold?
    pub positive: bool,
    /// Of which variables, by their places in the sentence.
    pub of: [usize; 2],
}

/// A variable, which stands for an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// How it is written.
    pub name: String,
    /// The sorts it ranges over.
    pub sorts: u32,
}

/// One way in which the conclusion of a formula may come true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The variables that are looked for: these places in the sentence.
    pub some: std::ops::Range<usize>,
    /// What must hold of them.
    pub terms: Vec<Term>,
}

/// A formula, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// All variables: the universal ones, then those of each alternative.
    pub variables: Vec<Variable>,
    /// How many are universal.
    pub universal: usize,
    /// If all of these hold …
    pub premises: Vec<Term>,
    /// … then one of these does.
    pub alternatives: Vec<Alternative>,
}

/// What a term comes to for given operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// It is known.
    Known(bool),
    /// It depends on the order.
    Open(Literal),
}

impl Formula {
    /// The formula, taken apart; of those in `figures.rs` once.
    ///
    /// # Panics
    ///
    /// If it is written wrongly, or stands elsewhere.
    pub fn sentence(&self) -> &'static Sentence {
        static READ: LazyLock<HashMap<&'static str, Sentence>> =
            LazyLock::new(|| ALL.iter().map(|formula| (formula.text, formula.read())).collect());
        &READ[self.text]
    }

    fn read(&self) -> Sentence {
        let text = self.text.strip_prefix("all ").unwrap_or_else(|| panic!("{}: it begins with \"all\"", self.name));
        let (variables, rest) = declared(text);
        let mut sentence =
            Sentence { universal: variables.len(), variables, premises: Vec::new(), alternatives: Vec::new() };
        let (premises, conclusion) = rest.split_once("=>").unwrap_or(("", rest));
        sentence.premises = sentence.terms(premises, 0..0);
        for text in conclusion.split('|').map(str::trim).filter(|text| *text != "false") {
            let start = sentence.variables.len();
            let terms = match text.strip_prefix("some ") {
                Some(text) => {
                    let (some, terms) = declared(text);
                    sentence.variables.extend(some);
                    terms
                }
                None => text,
            };
            let some = start..sentence.variables.len();
            let terms = sentence.terms(terms, some.clone());
            sentence.alternatives.push(Alternative { some, terms });
        }
        sentence
    }
}

/// The variables before the full stop, and what comes after it.
fn declared(text: &str) -> (Vec<Variable>, &str) {
    let (names, rest) = text.split_once('.').unwrap_or_else(|| panic!("{text}: a full stop ends the variables"));
    let variable = |text: &str| {
        let (name, sort) = text.trim().split_once(':').unwrap_or_else(|| panic!("{text}: name:sort"));
        let sorts = operation::sorts(sort).unwrap_or_else(|| panic!("{text}: there is no such sort"));
        Variable { name: name.to_owned(), sorts }
    };
    (names.split(',').map(variable).collect(), rest)
}

impl Sentence {
    /// The terms of a conjunction; `own` are the variables that it may name besides the universal ones.
    fn terms(&self, text: &str, own: std::ops::Range<usize>) -> Vec<Term> {
        text.split('&')
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(|text| self.term(text, own.clone()))
            .collect()
    }

    fn term(&self, text: &str, own: std::ops::Range<usize>) -> Term {
        let (positive, atom) = text.strip_prefix('!').map_or((true, text), |atom| (false, atom));
        let (predicate, names) = atom.split_once('(').unwrap_or_else(|| panic!("{text}: predicate(x,y)"));
        let predicate = match predicate {
            "b" => Predicate::Before,
            "match" => Predicate::Match,
            "differ" => Predicate::Differ,
            "same" => Predicate::Same,
            "lower" => Predicate::Lower,
            "shows" => Predicate::Shows,
            "ahead" => Predicate::Ahead,
            other => panic!("{text}: there is no predicate {other}"),
        };
        let place = |name: &str| {
            let named = |&place: &usize| self.variables[place].name == name;
            (0..self.universal).chain(own.clone()).find(named).unwrap_or_else(|| panic!("{text}: what is {name}?"))
        };
        let names = names.strip_suffix(')').and_then(|names| names.split_once(','));
        let (x, y) = names.unwrap_or_else(|| panic!("{text}: two variables in brackets"));
        Term { predicate, positive, of: [place(x.trim()), place(y.trim())] }
    }
}

impl Term {
    /// The term for these operations, as far as they tell: values and sorts do, time does not.
    pub fn ground(&self, binding: &[u32], operations: &Operations) -> Ground {
        let (x, y) = (binding[self.of[0]], binding[self.of[1]]);
        let about = |operation: &Operation| [operation.gives, operation.takes, operation.unlike];
        let (a, b) = (operations.get(x), operations.get(y));
        let holds = match self.predicate {
            Predicate::Before if x != y => return self.open(Atom::Before(x, y)),
            Predicate::Match if operations.can_match(x, y) => return self.open(Atom::Match(x, y)),
            Predicate::Before | Predicate::Match => false,
            Predicate::Differ => x != y,
            Predicate::Same => about(a).iter().any(|value| *value != operation::NONE && about(b).contains(value)),
            Predicate::Lower => a.class < b.class,
            Predicate::Shows => operations.shows(x, y),
            Predicate::Ahead => a.gives < b.gives,
        };
        Ground::Known(holds == self.positive)
    }

    fn open(&self, atom: Atom) -> Ground {
        Ground::Open(Literal { atom, positive: self.positive })
    }
}
