//! Are explanations true, small, and within their budget?
//!
//! | file | question |
//! |---|---|
//! | `broken` | histories that break at their end |
//! | `claims` | does every field of an explanation hold by brute force? |
//! | `definition` | which orders are there of some operations, perhaps with others, from a configuration? |
//! | `effort` | how small are they, for how much work? |
//! | `values` | are long histories explained by the few operations about the values in conflict? |

#[path = "../automata/mod.rs"]
mod automata;
mod broken;
mod claims;
mod definition;
#[cfg(not(feature = "collide"))] // quadratic where every hash collides
mod effort;
mod values;
