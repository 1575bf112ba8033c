//! What the Rust tests share: random numbers, a notation for histories, small vocabularies of every model, and the definition of
//! linearizability that the methods are compared with. Only ever a dev-dependency.

mod definition;
mod dice;
mod notation;
mod random_part;
mod vocabulary;

pub use definition::{before, brute_force, excerpt, is_witness, only, rank, ranks, returned, states_after};
pub use dice::{Dice, rounds};
pub use notation::{history, named, parts, run};
pub use random_part::{lived_part, random_part};
pub use vocabulary::{expand, vocabularies, vocabulary};
