//! What the monitors say, and how long a search may take to say the same.

use linpoint_check::Control;
use linpoint_check::monitor::{Decision, decide};
use linpoint_spec::Part;

/// A budget for a search to compare with. It counts configurations, not time: how much is compared depends on no clock.
pub fn patience() -> Control {
    Control::new(None, 1 << 28).with_work(20_000)
}

/// What the monitor says.
pub fn monitor(part: &Part) -> Decision {
    decide(part, &Control::new(None, usize::MAX))
}

/// How many histories of a kind; fewer where every hash collides, for each look-up then meets every key.
pub fn rounds(usual: u64) -> u64 {
    linpoint_testkit::rounds(if cfg!(feature = "collide") { usual / 10 } else { usual })
}
