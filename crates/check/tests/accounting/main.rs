//! Is the memory that an engine reports what the allocator gave it, and is the limit kept?
//!
//! | file | question |
//! |---|---|
//! | `allocator` | how much is in use, and how much was reported then? |
//! | `monitors` | monitors account for what they are about to need: their peaks are compared |
//! | `searches` | general searches, the queue search: reports are exact, limits are kept |
//! | `spaces` | histories whose configurations can be counted by hand |
//! | `work` | how many configurations does each method visit? |

#![cfg(not(feature = "collide"))]

mod allocator;
#[path = "../monitors/histories.rs"]
#[allow(dead_code, reason = "its random histories are for other tests")]
mod histories;
mod monitors;
mod searches;
mod spaces;
mod work;

#[global_allocator]
static COUNTING: allocator::Counting = allocator::Counting;
