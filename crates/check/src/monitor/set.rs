//! Is this history of an element of a set, or of a mutex, linearizable? Both are a single bit, which may be reused at will.
//!
//! Our own rule, compared with brute force: lazily, and the earliest deadline first. `add → true` and `remove → true` flip the bit, the other answers
//! read it. Nothing happens before the return of an operation that is not explained yet:
//!
//! - a flip into t while the bit is t: first fire the open flip back that returns first, then this one;
//! - a read of b: fine if the bit was b at any moment since its call; if not, fire the open flip into b that returns first.
//!
//! ```text
//!   add → true          |-----------|      at the return of contains → true: fire the add, the open flip into 1
//!   contains → true        |----|
//!   remove → true        |-----------|     at the return of the add it has been fired; at its own the remove fires
//! ```
//!
//! A flip fired later than it could be loses only moments that no operation needs; of two that do the same the one that returns
//! first is the one to use up. Pending flips return last of all and are never forced.
//!
//! Cost: O(n log k) for k open flips, about 40 bytes per operation. Declines a completed flip whose answer was not recorded. The same
//! laziness is wrong for counters and multisets.

use super::{Decided, Decision, Meter, Monitor, NEVER, declined, ranks};
use linpoint_spec::{Part, Role, Shape};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Makes the bit this one.
    Flip(usize),
    /// Sees this bit.
    Read(usize),
    /// Pending, changes nothing.
    LeftOut,
}

/// The method for an element of a set.
pub(crate) const SET: Monitor = Monitor {
    name: "set-monitor",
    help: "an element of a set, added and removed at will, in O(n log n), without a search; declines answers that are not recorded",
    shape: Shape::Set,
    decide,
};

/// The method for a mutex.
pub(crate) const MUTEX: Monitor = Monitor {
    name: "mutex-monitor",
    help: "a mutex, in O(n log n), without a search; declines answers that are not recorded",
    shape: Shape::Mutex,
    decide,
};

/// Decides a part that is an element of a set, or a mutex.
fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    let &[first @ (0 | 1)] = &part.spec.contents()[..] else { return Err(declined("it does not begin with a bit")) };
    let n = part.ops.len();
    meter.hold(n * 41)?; // two ranks, a kind of 16 bytes, fired or not, a flip or a read, the order
    let (call, ret) = ranks(part, 0);
    let kinds = kinds(part, &ret, meter)?;
    let mut bit = Bit {
        ret: &ret,
        state: first as usize,
        open: [BinaryHeap::new(), BinaryHeap::new()],
        fired: vec![false; n],
        flips: Vec::with_capacity(n),
        left_at: [None, None],
    };
    let mut reads: Vec<(u32, u32)> = Vec::new(); // (flips before it, operation)
    let mut cuts = Cuts::default();
    for (rank, event) in part.events.iter().enumerate() {
        meter.tick()?;
        let op = event.op();
        let explained = match (kinds[op], event.is_return()) {
            (Kind::LeftOut, _) => continue,
            (Kind::Flip(target), false) => {
                bit.open[target].push(Reverse((ret[op], op as u32)));
                true
            }
            (Kind::Flip(target), true) => bit.fired[op] || bit.flip_into(target, op, rank),
            (Kind::Read(_), false) => true,
            (Kind::Read(seen), true) => {
                bit.see(seen, call[op], rank).map(|place| reads.push((place, op as u32))).is_some()
            }
        };
        if !explained {
            return Err(Decision::Violation(cuts.conflict(op, &call, rank)));
        }
        cuts.note(event.is_return(), op, bit.state != first as usize);
    }
    Ok(Decision::Linearizable(bit.order(reads)))
}

fn kinds(part: &Part, ret: &[u32], meter: &mut Meter<'_>) -> Decided<Vec<Kind>> {
    let mut kinds = Vec::with_capacity(ret.len());
    for (op, &code) in part.codes.iter().enumerate() {
        meter.tick()?;
        let pending = ret[op] == NEVER;
        kinds.push(match part.spec.role(code) {
            Role::Change(from, to @ (0 | 1)) if from == 1 - to => Kind::Flip(to as usize),
            Role::ChangeIf(from, to @ (0 | 1)) if from == 1 - to && pending => Kind::Flip(to as usize),
            Role::Write(to @ (0 | 1)) if pending => Kind::Flip(to as usize),
            Role::Read(bit @ (0 | 1)) if !pending => Kind::Read(bit as usize),
            Role::Read(_) | Role::Nothing if pending => Kind::LeftOut,
            _ => return Err(declined("it has an operation that does not tell whether it changed the bit")),
        });
    }
    Ok(kinds)
}

struct Bit<'a> {
    ret: &'a [u32],
    state: usize,
    /// The flips called so far into 0 and into 1, by their returns; some were fired since.
    open: [BinaryHeap<Reverse<(u32, u32)>>; 2],
    fired: Vec<bool>,
    /// The flips in the order in which they were fired.
    flips: Vec<u32>,
    /// When was the bit last 0, and 1, before now? The rank, and how many flips came before it ended.
    left_at: [Option<(u32, u32)>; 2],
}

impl Bit<'_> {
    /// Fires flip `op`, right before `rank`.
    fn fire(&mut self, op: u32, rank: usize) {
        self.left_at[self.state] = Some((rank as u32, self.flips.len() as u32));
        self.state = 1 - self.state;
        self.fired[op as usize] = true;
        self.flips.push(op);
    }

    /// Fires the open flip into `target` that returns first, if there is one.
    fn fire_any(&mut self, target: usize, rank: usize) -> bool {
        while let Some(Reverse((_, op))) = self.open[target].pop() {
            if !self.fired[op as usize] {
                self.fire(op, rank);
                return true;
            }
        }
        false
    }

    /// Explains the return of a flip that was not fired.
    fn flip_into(&mut self, target: usize, op: usize, rank: usize) -> bool {
        debug_assert_eq!(self.ret[op], rank as u32);
        if self.state == target && !self.fire_any(1 - target, rank) {
            return false;
        }
        self.fire(op as u32, rank);
        true
    }

    /// Explains the return of a read: how many flips come before it.
    fn see(&mut self, seen: usize, call: u32, rank: usize) -> Option<u32> {
        if self.state != seen {
            if let Some((left, flips)) = self.left_at[seen]
                && left > call
            {
                return Some(flips);
            }
            if !self.fire_any(seen, rank) {
                return None;
            }
        }
        Some(self.flips.len() as u32)
    }

    /// Flips as they were fired, each read before the flip that ended what it saw.
    fn order(self, mut reads: Vec<(u32, u32)>) -> Vec<u32> {
        reads.sort_by_key(|&(flips, _)| flips); // stable: of reads in one place the one that returned first goes first
        let mut order = Vec::with_capacity(self.flips.len() + reads.len());
        let mut reads = reads.into_iter().peekable();
        for place in 0..=self.flips.len() {
            while let Some((_, read)) = reads.next_if(|&(flips, _)| flips as usize == place) {
                order.push(read);
            }
            order.extend(self.flips.get(place));
        }
        order
    }
}

/// What can be left out of a violation. When nothing is open the bit is known: all before is needed only to bring it there.
#[derive(Default)]
struct Cuts {
    open: usize,
    /// How many operations were called.
    called: u32,
    /// The operations before this one are over, and the bit is `flipped`.
    from: u32,
    flipped: bool,
    /// Operations that flip the bit between two moments when nothing is open.
    flip: Option<(u32, u32)>,
    /// The last moment when nothing was open and the bit was as at first.
    back: u32,
}

impl Cuts {
    fn note(&mut self, is_return: bool, op: usize, flipped: bool) {
        if !is_return {
            self.open += 1;
            self.called = op as u32 + 1;
            return;
        }
        self.open -= 1;
        if self.open == 0 {
            (self.from, self.flipped) = (self.called, flipped);
            if !flipped {
                self.back = self.called;
            } else if self.flip.is_none() {
                self.flip = Some((self.back, self.called));
            }
        }
    }

    /// Operations that leave `stuck` without explanation.
    fn conflict(&self, stuck: usize, call: &[u32], rank: usize) -> Vec<u32> {
        let recent = (self.from..call.len() as u32).take_while(|&op| call[op as usize] < rank as u32);
        let flip = self.flip.filter(|_| self.flipped).map_or(0..0, |(from, to)| from..to);
        flip.chain(recent).chain([stuck as u32]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linpoint_base::Control;
    use linpoint_history::Event;
    use linpoint_spec::{Code, Spec, State, StepError, Structure};

    /// An object of which only the role of its operation is known.
    #[derive(Clone)]
    struct Told(Role);

    impl Structure for Told {
        fn shape(&self) -> Shape {
            Shape::Set
        }
        fn role(&self, _: Code) -> Role {
            self.0
        }
        fn contents(&self) -> Vec<u32> {
            vec![0]
        }
    }

    impl Spec for Told {
        fn initial(&mut self) -> Result<State, StepError> {
            Ok(0)
        }
        fn step(&mut self, _: State, _: Code, _: &mut Vec<State>) -> Result<(), StepError> {
            Ok(())
        }
        fn read_only(&self, _: Code) -> bool {
            false
        }
        fn bytes(&self) -> usize {
            0
        }
        fn show(&self, _: State) -> String {
            String::new()
        }
        fn fork(&self) -> Box<dyn Spec> {
            Box::new(self.clone())
        }
    }

    /// A completed operation must tell whether it changed the bit; a pending one may have.
    #[test]
    fn what_does_not_tell_is_declined() {
        let cases = [
            (Role::Change(0, 1), true, true),
            (Role::Change(1, 1), false, false),
            (Role::Change(0, 2), false, false),
            (Role::ChangeIf(0, 1), false, true),
            (Role::ChangeIf(0, 0), false, false),
            (Role::Write(1), false, true),
            (Role::Write(2), false, false),
            (Role::Read(0), true, true),
            (Role::Read(2), false, true),
            (Role::Nothing, false, true),
            (Role::Other, false, false),
        ];
        for (role, completed, pending) in cases {
            for (events, expected) in
                [(vec![Event::call(0), Event::ret(0)], completed), (vec![Event::call(0)], pending)]
            {
                let spec = Box::new(Told(role));
                let part = Part { label: None, ops: vec![0], codes: vec![0], processes: vec![0], events, spec };
                let found = SET.decide(&part, &Control::new(None, usize::MAX));
                let declined = matches!(found, Decision::Declined(_));
                assert_eq!(!declined, expected, "{role:?}, {} events", part.events.len());
            }
        }
    }
}
