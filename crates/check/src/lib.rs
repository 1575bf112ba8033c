//! Is it allowed? Decides whether the parts of a history have a linearization.
//!
//! | where | what |
//! |---|---|
//! | [`portfolio`] | which method for which part: the policy |
//! | [`methods`] | the one list of methods |
//! | [`search`] | general and special searches: `wgl`, `depth_first`, `breadth_first`, their `race`, `queue` |
//! | [`supply`] | one scan for values that no operation can have supplied |
//! | [`solver`] | a SAT solver chooses what each operation found (`crates/solve`) |
//! | [`theories`] | the methods of a paper that states objects as formulas: all orders, a SAT solver, saturation |
//! | [`hitting`] | schedules that order few operations, run one after the other: for what can only be run |
//! | [`monitor`] | log-linear deciders for queue, stack, priority queue, register, set and mutex |
//! | [`judge`](mod@judge) | the parts of a history, in parallel; `merge` makes one witness of theirs |
//! | [`locate`] | a general search shows where the violation is that a special method found |
//! | [`resume`](mod@resume) | a window of a longer history, from the configurations before it |
//! | [`explain`] | the few operations that a violation comes down to |
//! | [`outcome`] | what is answered: verdict and evidence |
//! | [`settings`] | what the user chose |
//! | [`sub`], [`relevant`] | some operations of a part as a part; those about the same values |
//! | [`ranks`], [`numbering`] | places of events as numbers; names numbered without gaps |
//!
//! All verdicts are exact, and methods know nothing of each other: a verdict of "yes" comes with an order, a verdict of "no" after every
//! order was excluded. They keep whole keys and compare them in full, so no hash collision can
//! flip a verdict: a hash only says where to look. The budget is [`linpoint_base::Control`].

mod explain;
pub mod hitting;
mod judge;
mod locate;
mod merge;
mod methods;
pub mod monitor;
mod numbering;
mod outcome;
mod portfolio;
mod ranks;
mod relevant;
mod resume;
mod search;
mod settings;
mod solver;
mod sub;
mod supply;
mod theories;

pub use explain::{Claim, Continuation, Cut, Effort, Explanation, Needed, Reachable, explain, needed, states_after};
pub use judge::judge;
pub use linpoint_base::{Cause, Control};
pub use linpoint_solve::Written;
pub use methods::{METHODS, Method, method};
pub use outcome::{Answer, Candidate, Deduction, Evidence, Hits, Outcome, Stuck, Verdict};
pub use relevant::relevant;
pub use resume::{Resumed, Window, resume};
pub use search::breadth_first::Start;
pub use settings::{HEAD_START, Settings};
