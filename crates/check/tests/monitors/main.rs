//! Do the monitors and the queue search agree with brute force, and is their evidence what it claims to be?
//!
//! | file | question |
//! |---|---|
//! | `small` | every verdict, witness and core on random small histories, against the definition |
//! | `ambiguous` | what the monitors decline: values that repeat, pending removes; the queue search against the definition |
//! | `medium` | verdicts on histories of 20 to 60 operations, against the search |
//! | `special` | the methods for what the plain monitors decline, against the definition and the search |
//! | `conflicts` | how small are the conflicts that they name? |
//! | `known` | the mistakes of published tools, and interleavings that broke ours |
//! | `real_files` | queues and stacks recorded by violin, against the search |
//! | `histories` | how random histories are made: nasty on purpose |
//! | `judge` | the definition: brute force, what a witness is, what a core is |
//!
//! `LINPOINT_FUZZ=n` makes n histories of each kind instead of a few thousand. A failure prints its seed.

mod ambiguous;
mod conflicts;
mod histories;
mod judge;
mod known;
mod medium;
mod real_files;
mod small;
mod special;
