//! Can operations be done group by group? Where an object only grows, what was read says which group comes first.
//!
//! Between groups the order is given, within a group it is free. So there is an order exactly if no operation returned before one
//! of an earlier group was called; then the calls give the order within each group. O(n log n).

use super::{Decided, Decision, Meter, Monitor};
use crate::methods::Method;
use crate::outcome::Answer;
use crate::settings::Settings;
use linpoint_base::Control;
use linpoint_spec::{Growth, Part, StepError};

/// A monitor of objects that only grow.
pub struct OnlyGrows {
    pub(super) monitor: Monitor,
    /// Does it know objects that hold such a thing at first?
    pub(super) holds: fn(&Growth<'_>) -> bool,
}

impl Method for OnlyGrows {
    fn name(&self) -> &'static str {
        self.monitor.name
    }

    fn help(&self) -> &'static str {
        self.monitor.help
    }

    fn covers(&self, part: &Part) -> Result<(), String> {
        match (self.holds)(&part.spec.grown_at_first()) {
            true => Ok(()),
            false => Err("this is not an object that only grows".to_owned()),
        }
    }

    fn run(&self, part: &Part, settings: &Settings, control: &Control) -> Result<Answer, StepError> {
        self.monitor.run(part, settings, control)
    }
}

/// The order of these operations; or one that returned before another, of an earlier group, was called: the earlier group's last.
pub(super) fn in_a_row(
    groups: Vec<Vec<u32>>,
    (call, ret): (&[u32], &[u32]),
    meter: &mut Meter<'_>,
    conflict: impl Fn(u32, u32) -> Vec<u32>,
) -> Decided<Decision> {
    let (mut order, mut last) = (Vec::with_capacity(call.len()), None::<u32>);
    for mut group in groups {
        meter.tick()?;
        group.sort_unstable_by_key(|&op| call[op as usize]);
        if let Some(before) = last
            && let Some(&early) = group.iter().find(|&&op| ret[op as usize] < call[before as usize])
        {
            return Ok(Decision::Violation(conflict(before, early)));
        }
        let latest = group.last().copied();
        last = last.into_iter().chain(latest).max_by_key(|&op| call[op as usize]);
        order.extend(group);
    }
    Ok(Decision::Linearizable(order))
}
