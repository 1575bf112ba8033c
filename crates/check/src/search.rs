//! Which order explains the history? The searches, and what they share.
//!
//! | file | what |
//! |---|---|
//! | `wgl` | Wing & Gong, Lowe, as published by Horn & Kroening; with its `cache` |
//! | `depth_first` | one configuration at a time: quick to say yes; with its `best_path` |
//! | `breadth_first` | all configurations, return by return: quick to say no; with its `layer` and `ancestry` |
//! | `race` | depth-first and breadth-first until one knows |
//! | `queue` | a queue, one element at a time |
//! | `crashed` | many operations that never returned: only counts of them |
//! | `problem` | a part, prepared: who is open when |
//! | `mask` | which open operations are linearized, as bits |
//! | `open` | lists of open operations whose changes can be undone |

pub(crate) mod ancestry;
pub(crate) mod best_path;
pub(crate) mod breadth_first;
pub(crate) mod cache;
pub(crate) mod crashed;
pub(crate) mod depth_first;
pub(crate) mod layer;
pub(crate) mod mask;
pub(crate) mod open;
pub(crate) mod problem;
pub(crate) mod queue;
pub(crate) mod race;
pub(crate) mod wgl;
