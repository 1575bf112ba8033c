//! Which ways are there to decide a part? The one list of methods: names, help, what each covers.
//!
//! A method implements [`Method`] and has one line in [`METHODS`]. Searches are files in `search/` (the two general ones are entered
//! through `race.rs`), monitors in `monitor/`, the scan that only ever says "no" is `supply.rs`, what runs schedules is in `hitting/`, what
//! argues by formulas in `theories.rs`. Everything that
//! names methods (Python's `METHODS`, `--method`, its help, the documentation) is made from this list. A special method that
//! the portfolio shall try by itself also gets a line in `portfolio.rs`; a monitor, in `monitor.rs`.

use crate::outcome::Answer;
use crate::settings::Settings;
use crate::{hitting, monitor, portfolio, search, solver, supply, theories};
use linpoint_base::Control;
use linpoint_spec::{Part, StepError};

/// A way to decide a part.
pub trait Method: Sync {
    /// What users call it.
    fn name(&self) -> &'static str;

    /// One line for users: what it does, what it is good for.
    fn help(&self) -> &'static str;

    /// Whether it is worth a try, or why not. Cheap; it may decline later, when it has seen the operations.
    fn covers(&self, part: &Part) -> Result<(), String> {
        let _ = part;
        Ok(())
    }

    /// Decides the part. [`Cause::Declined`](linpoint_base::Cause::Declined) if it turns out not to cover it.
    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError>;
}

impl std::fmt::Debug for dyn Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Every method, in the order in which users see them.
pub static METHODS: &[&dyn Method] = &[
    &portfolio::Auto,
    &search::race::DepthFirst,
    &search::race::BreadthFirst,
    &search::wgl::AsPublished,
    &monitor::queue::MONITOR,
    &monitor::stack::MONITOR,
    &monitor::priority_queue::MONITOR,
    &monitor::register::MONITOR,
    &monitor::reads_from::MONITOR,
    &monitor::TAKES_FROM,
    &monitor::append_list::MONITOR,
    &monitor::grow_only_set::MONITOR,
    &monitor::transactions::MONITOR,
    &monitor::set::SET,
    &monitor::set::MUTEX,
    &supply::SupplyScan,
    &search::queue::QueueSearch,
    &search::crashed::CrashCounts,
    &solver::Solver,
    &hitting::Hitting,
    &theories::ENUMERATE,
    &theories::SYMBOLIC,
    &theories::SYMBOLIC_REMOVAL,
    &theories::SATURATE,
    &theories::SATURATE_REMOVAL,
];

/// The method of a name.
pub fn method(name: &str) -> Option<&'static dyn Method> {
    METHODS.iter().copied().find(|method| method.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_name_of_its_own_and_a_line_of_help() {
        let mut names: Vec<_> = METHODS.iter().map(|method| method.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), METHODS.len());
        assert!(METHODS.iter().all(|method| !method.help().is_empty() && !method.help().contains('\n')));
        assert!(method("auto").is_some() && method("no such method").is_none());
    }
}
