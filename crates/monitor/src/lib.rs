//! Is a stream of calls and returns linearizable so far? Judged while it runs, in memory that does not grow with it.
//!
//! | where | what |
//! |---|---|
//! | [`monitor`](mod@monitor) | takes calls and returns |
//! | [`look`] | judges what has gathered, tells violations, forgets what is settled |
//! | [`group`] | the cells that are judged together: what they may hold, and the events since |
//! | [`asleep`] | crashed operations that are not looked at, of all groups |
//! | [`recent`] | the last operations that were forgotten, for whoever reads an alarm |
//! | [`places`] | where operations are kept, and what becomes of their places |
//! | [`window`] | the events of some groups as a history, searched from what was carried |
//! | [`matched`] | containers and registers of unique values: decided from intervals |
//! | [`through`], [`nested`], [`overwritten`] | what of them can be forgotten: of queues, priority queues and bags; of stacks; of registers |
//! | [`restart`] | how it begins again where nothing was known any more |
//! | [`alarm`] | at which event the violation was there, and the few operations it comes down to |
//! | [`feed`], [`clients`] | the lines of a log as calls and ends; what its processes are doing |
//! | [`clock`] | events in the order of their times, and clocks that differ |
//! | [`checkpoint`], [`restore`] | everything that is kept, as a line of JSON, and back |
//! | [`source`] | which model: a shipped one, or a user's |
//!
//! **What is exact.** The verdict after an event is the verdict of all events up to it, operations that are open being pending. It is
//! found in windows: what has gathered since the last look is searched at once, breadth-first, from the configurations
//! that the events before can have led to (`linpoint_check::resume`). Linearizability is closed under prefixes: if the
//! window is explained, so was every moment within it; if not, bisection finds the event from which on it is not.
//!
//! **What is forgotten.** Of what an open operation will answer nothing is known, so a window is *settled* only up to the last return before
//! the call of the oldest open operation: there the configurations are kept, and everything before is dropped. So memory is
//! bounded by what the object holds, by the events since the call of the oldest open operation, and by the operations that crashed.
//!
//! ```text
//!   events      call a │ call b │ return a → 1 │ call c │ return c → 2       b is open
//!   settled             nothing: b may have taken effect before a returned, with an answer that is not known yet
//!   … return b → 3      everything up to it
//! ```

mod alarm;
mod asleep;
mod checkpoint;
mod clients;
mod clock;
mod feed;
mod group;
mod look;
mod matched;
mod monitor;
mod nested;
mod overwritten;
mod places;
mod recent;
mod restart;
mod restore;
mod source;
mod through;
mod window;

pub use alarm::{Alarm, Shown};
pub use feed::{Complaint, Feed};
pub use monitor::{Counts, Monitor, Outcome, Standing, Token};
pub use source::{Asked, Events, Native, Source};
pub use window::{End, Op};
