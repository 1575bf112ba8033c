//! What can a cell be asked that holds one value: a register, a map's entry, a set's element, a lock?
//!
//! Ten operations with their recorded results come down to three calls: *check* what is held, *put*
//! a value where a test holds, or (pending, so both may have happened) put it *if* the test holds.
//! `cas(1, 2) → true`, `swap(2) → 1` and `put(2)` that answered 1 are all `Put(Is(1), 2)`: equal calls, which the
//! search exploits. The constructors keep to one form for each meaning, so a call leaves all
//! states as they are exactly when it is a check. A step is one or two comparisons of integers.

use crate::{Role, State};
use linpoint_history::ValueId;

/// What must be held; a value is named by 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Whatever it is.
    Any,
    /// Exactly this.
    Is(u32),
    /// Anything else.
    IsNot(u32),
}

/// What a cell can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// The test holds; nothing changes.
    Check(Test),
    /// The test holds; from now on this is held.
    Put(Test, u32),
    /// If the test holds, this is held from now on; if not, nothing changes.
    PutIf(Test, u32),
}

impl Test {
    /// Exactly this value is held; anything may be while it is not known.
    pub fn known(result: Option<ValueId>) -> Test {
        result.map_or(Test::Any, |value| Test::Is(value.0))
    }

    /// Does a cell that holds `held` pass?
    pub fn holds(self, held: u32) -> bool {
        match self {
            Test::Any => true,
            Test::Is(value) => held == value,
            Test::IsNot(value) => held != value,
        }
    }

    fn negated(self) -> Option<Test> {
        match self {
            Test::Any => None,
            Test::Is(value) => Some(Test::IsNot(value)),
            Test::IsNot(value) => Some(Test::Is(value)),
        }
    }
}

impl Call {
    /// The value held was `result`.
    pub fn read(result: Option<ValueId>) -> Call {
        Call::Check(Test::known(result))
    }

    /// `test` holds, then `value` is held.
    pub fn put(test: Test, value: u32) -> Call {
        if test == Test::Is(value) { Call::Check(test) } else { Call::Put(test, value) }
    }

    /// If `test` holds then `value` is held; the answer says whether it did.
    pub fn put_if(test: Test, value: u32, answer: Option<bool>) -> Call {
        match (answer, test.negated()) {
            (Some(true), _) | (_, None) => Call::put(test, value),
            (Some(false), Some(failed)) => Call::Check(failed),
            (None, Some(_)) if test == Test::Is(value) => Call::Check(Test::Any),
            (None, Some(_)) if test == Test::IsNot(value) => Call::Put(Test::Any, value),
            (None, Some(_)) => Call::PutIf(test, value),
        }
    }

    /// Compare-and-set.
    pub fn cas(old: ValueId, new: ValueId, answer: Option<bool>) -> Call {
        Call::put_if(Test::Is(old.0), new.0, answer)
    }

    /// Appends the state after the call, if it is legal.
    pub fn step(self, mut state: State, next: &mut Vec<State>) {
        if self.change(&mut state) {
            next.push(state);
        }
    }

    /// Makes the call: is it legal?
    pub fn change(self, state: &mut State) -> bool {
        let (Call::Check(test) | Call::Put(test, _) | Call::PutIf(test, _)) = self;
        let holds = test.holds(*state as u32);
        match self {
            Call::Check(_) => holds,
            Call::Put(_, value) => {
                *state = u64::from(value);
                holds
            }
            Call::PutIf(_, value) => {
                *state = if holds { u64::from(value) } else { *state };
                true
            }
        }
    }

    /// Does it leave every state in which it is legal as it is?
    pub fn read_only(self) -> bool {
        matches!(self, Call::Check(_))
    }

    /// What it does, for the monitors.
    pub fn role(self) -> Role {
        match self {
            Call::Check(Test::Any) => Role::Nothing,
            Call::Check(Test::Is(value)) => Role::Read(value),
            Call::Put(Test::Any, value) => Role::Write(value),
            Call::Put(Test::Is(from), to) => Role::Change(from, to),
            Call::Put(Test::IsNot(not), to) => Role::ChangeNot(not, to),
            Call::PutIf(Test::Is(from), to) => Role::ChangeIf(from, to),
            Call::Check(Test::IsNot(value)) => Role::ReadNot(value),
            Call::PutIf(..) => Role::Other,
        }
    }

    /// The largest value it may leave behind: bounds the width of a state.
    pub fn largest(self) -> u32 {
        match self {
            Call::Check(_) => 0,
            Call::Put(_, value) | Call::PutIf(_, value) => value,
        }
    }
}

/// How many bits a state needs that is at most `largest`.
pub fn width(largest: u32) -> u32 {
    (u32::BITS - largest.leading_zeros()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All calls over values below 3, however they come about.
    fn calls() -> Vec<(Call, Test, u32, Option<bool>)> {
        let tests = [Test::Any, Test::Is(0), Test::Is(1), Test::IsNot(0), Test::IsNot(1)];
        let answers = [None, Some(true), Some(false)];
        let all = tests.into_iter().flat_map(|test| (0..3).map(move |value| (test, value)));
        all.flat_map(|(test, value)| answers.map(|answer| (Call::put_if(test, value, answer), test, value, answer)))
            .filter(|(_, test, _, answer)| *test != Test::Any || answer.is_none())
            .collect()
    }

    fn after(call: Call, held: u64) -> Vec<u64> {
        let mut next = Vec::new();
        call.step(held, &mut next);
        next
    }

    #[test]
    fn the_short_forms_mean_what_the_long_one_says() {
        for (call, test, value, answer) in calls() {
            for held in 0..4 {
                let holds = test.holds(held);
                let legal = answer.is_none_or(|answer| answer == holds);
                let then = if holds { value } else { held };
                let expected = if legal { vec![u64::from(then)] } else { vec![] };
                assert_eq!(
                    after(call, u64::from(held)),
                    expected,
                    "{call:?} for {test:?} {value} {answer:?} on {held}"
                );
            }
        }
    }

    #[test]
    fn equal_meanings_are_equal_calls_and_only_checks_are_read_only() {
        let calls = calls();
        let effect = |call: Call| (0..5).map(|held| after(call, held)).collect::<Vec<_>>();
        for (a, ..) in &calls {
            for (b, ..) in &calls {
                assert_eq!(a == b, effect(*a) == effect(*b), "{a:?} {b:?}");
            }
            let unchanged = (0..5).all(|held| after(*a, held).iter().all(|&next| next == held));
            assert_eq!(a.read_only(), unchanged, "{a:?}");
        }
    }
}
