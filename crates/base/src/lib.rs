//! How far may an engine go? The budget that everything long-running shares: time, memory, work, Ctrl-C, progress.
//!
//! A [`Control`] belongs to one check and is shared by all of its threads; an [`Account`] belongs to one engine (a reader, a
//! search, a monitor) and reports to the control. An engine polls its account every few hundred or thousand steps; between
//! two polls it touches nothing shared. A poll answers with the [`Cause`] to stop, if there is one.
//!
//! ```text
//!   Ctrl-C ──▶ Control ◀── poll(bytes held, returns explained) ── Account ── one engine
//!   deadline ─▶   │    ◀── poll(…) ────────────────────────────── Account ── another
//!                 └──▶ progress: share of the returns explained, configurations visited
//! ```
//!
//! Time and memory are for the user, who cannot wait for ever. Whatever an engine decides for itself (how long a head start
//! is, whether a confirmation is worth its cost) is a limit on *work*: the same history then gives the same result on a
//! busy machine and on an idle one.
//!
//! Beside the budget: how tables hash ([`Hashing`]), in one place, so that tests can make every hash collide; and where large blocks of memory come
//! from ([`Blocks`]).

mod account;
mod blocks;
mod cause;
mod control;
mod hashing;
mod union_find;

pub use account::{Account, Rivals};
pub use blocks::{Blocks, give_kept_blocks_back, keep_large_blocks};
pub use cause::Cause;
pub use control::Control;
pub use hashing::{Hashing, Seeded, hashed, room, secret};
pub use union_find::root;
