//! Is the memory that an engine reports what the allocator gave it, and is the limit kept?
//!
//! | file | question |
//! |---|---|
//! | `allocator` | how much is in use, and how much was reported then? |
//! | `monitors` | monitors account for what they are about to need: their peaks are compared |
//! | `searches` | general searches, the queue search: reports are exact, limits are kept |

#![cfg(not(feature = "collide"))]

mod allocator;
#[path = "../monitors/histories.rs"]
#[allow(dead_code, reason = "its random histories are for other tests")]
mod histories;
mod monitors;
mod searches;

#[global_allocator]
static COUNTING: allocator::Counting = allocator::Counting;
