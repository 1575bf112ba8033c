//! Do the models allow what the documentation says, and nothing else?
//!
//! | file | question |
//! |---|---|
//! | `registers`, `keyed`, `numbers`, `containers` | which sequences are legal, which operations refused, model by model |
//! | `read_only` | does `read_only` mean what it says, for every call on every state within reach? |
//! | `roles` | does a role say what `step` does? which operations share a code? |
//! | `product` | are many cells the same whether split, packed or interned? |
//! | `catalog` | names, aliases, options; is the documentation the same table? |
//! | `guess` | which model is guessed, and when is none |
//! | `legality` | how the tests ask what a model allows |

mod catalog;
mod containers;
mod guess;
mod keyed;
mod legality;
mod numbers;
mod product;
mod read_only;
mod registers;
mod roles;
