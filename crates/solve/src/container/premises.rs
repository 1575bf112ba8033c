//! Which formula is a lemma of a container an instance of? For proof files.
//!
//! Each lemma is an instance by itself, so its clause is the premise, with a name from Figures 3 and 4 of Emmi, Enea & Hamza (`crates/theory`). Three are
//! ours: `GONE` defines "it was taken out before", `USED` is about pending adds, `HEIGHT` counts pushes and pops of a stack. The checker
//! of proofs does not look at the names: it runs the model (`python/linpoint/check/lines.py`). O(length of the clause).

use super::rules;
use crate::clause::{Lemma, Literal};
use crate::proof::Premise;
use linpoint_theory::figures::{ADD_REM, EMPTY, FIFO, FUNCTION, INJECTIVE, LIFO, PEEK};

/// The premise of a lemma that says `clause`; none of a rule without a name.
pub(super) fn of(lemma: Lemma<'_>, clause: &[Literal]) -> Vec<Premise> {
    let formula = match lemma.rule {
        rules::SOURCES | rules::FOUND => ADD_REM.name,
        rules::ONE => FUNCTION.name,
        rules::ONCE => INJECTIVE.name,
        rules::SEEN => PEEK.name,
        rules::ABOVE => LIFO.name,
        rules::AHEAD => FIFO.name,
        rules::EMPTY => EMPTY.name,
        rules::OUT => "HEIGHT",
        rules::GONE | rules::BEFORE => "GONE",
        rules::USED => "USED",
        _ => return Vec::new(),
    };
    let about = if lemma.rule == rules::OUT { &lemma.binding[..2] } else { lemma.binding };
    vec![Premise { formula, binding: about.to_vec(), literals: clause.to_vec() }]
}
