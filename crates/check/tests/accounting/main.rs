//! Is the memory that an engine reports what the allocator gave it, and is the limit kept?
//!
//! | file | question |
//! |---|---|
//! | `allocator` | how much is in use, and how much was reported then? |
//! | `searches` | general searches, the queue search: reports are exact, limits are kept |

#![cfg(not(feature = "collide"))]

mod allocator;
mod searches;

#[global_allocator]
static COUNTING: allocator::Counting = allocator::Counting;
