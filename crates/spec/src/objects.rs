//! The shipped models, one file for each kind of state.
//!
//! | file | models |
//! |---|---|
//! | `register` | register, cas-register |
//! | `multi_register` | multi-register |
//! | `kv` | kv |
//! | `append_list` | append-list |
//! | `map` | map |
//! | `set` | set |
//! | `array` | array |
//! | `counter` | counter |
//! | `mutex` | mutex |
//! | `semaphore` | semaphore |
//! | `line` | queue, deque |
//! | `stack` | stack, height-stack |
//! | `multiset` | priority-queue, bag |
//!
//! Four files serve the others: `one_value` is what registers and arrays share, `cell` is what a cell that holds one value can be asked (registers,
//! map entries, set elements, locks), `understand` is how arguments and results are read, `priority` how elements are ordered.

pub mod append_list;
pub mod array;
pub mod cell;
pub mod counter;
pub mod kv;
pub mod line;
pub mod map;
pub mod multi_register;
pub mod multiset;
pub mod mutex;
pub mod one_value;
mod priority;
pub mod register;
pub mod semaphore;
pub mod set;
pub mod stack;
mod understand;

pub use understand::Answer;
