//! Where states that do not fit 64 bits live: each distinct one gets one number.
//!
//! Exact: a hash only finds the candidates, which are then compared in full. Each heap is made for
//! the steps its objects take, so that a step costs what it changes rather than what it leaves:
//!
//! | heap | states | cheap steps |
//! |---|---|---|
//! | [`Sequences`] | queues, deques, many cells | push and pop at both ends, one item replaced |
//! | [`Lists`] | stacks | push and pop at one end: one cell of twelve bytes |
//! | [`Counts`] | multisets | one element in or out: O(log m), m distinct ones |
//! | [`Texts`] | texts | append |
//! | [`Numbers`] | numbers beyond 63 bits | – |

use linpoint_base::hashed;

mod counts;
mod lists;
mod numbers;
mod sequences;
mod texts;

pub use counts::Counts;
pub use lists::Lists;
pub use numbers::{Numbers, SUMMAND, nearest, whole};
pub use sequences::{End, Sequences};
pub use texts::Texts;

/// Scrambles a sum of products so that both its high and its low bits may index a table.
fn scramble(sum: u64, length: usize) -> u64 {
    let mixed = (sum ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hashed(mixed ^ mixed >> 32)
}
