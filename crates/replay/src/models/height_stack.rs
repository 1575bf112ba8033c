//! A stack whose answers tell its height (Horn & Kroening, FORTE 2015, example 9): its elements, bottom first.

use crate::op::{Found, Op, whole};
use crate::sequential::{Fit, Names, Sequential};
use linpoint_history::ValueId;

/// Push answers the height before, pop the height before and the element.
#[derive(Clone, Default)]
pub(crate) struct HeightStack {
    items: Vec<ValueId>,
}

impl Sequential for HeightStack {
    const NAMES: &'static Names = &[("push", &["add"]), ("pop", &["remove"])];

    fn act(&mut self, op: &Op<'_>) -> Fit {
        let height = self.items.len() as i128;
        match op.name {
            "push" => {
                self.items.push(op.value);
                op.answered_number(height)
            }
            "pop" => {
                let top = self.items.pop();
                match op.found() {
                    Found::Anything => Fit::Yes,
                    Found::Nothing => Fit::of(top.is_none()),
                    Found::This(result) => Fit::of(told(op, result) == Some((height, top))),
                }
            }
            _ => Fit::NotUnderstood,
        }
    }

    fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<ValueId>()
    }
}

/// The height and the element that a result tells: `[3, "x"]`, or 0 or `[0, null]` for an empty stack.
fn told(op: &Op<'_>, result: ValueId) -> Option<(i128, Option<ValueId>)> {
    if whole(op.values, result) == Some(0) {
        return Some((0, None));
    }
    let &[height, element] = op.values.as_list(result)? else { return None };
    match whole(op.values, height)? {
        0 => (element == ValueId::NULL).then_some((0, None)),
        height => Some((height, Some(element))),
    }
}
