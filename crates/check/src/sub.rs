//! Parts of a part: its past up to a return, its window behind a cut, a few of its operations.

use hashbrown::HashSet;
use linpoint_base::Hashing;
use linpoint_history::Event;
use linpoint_spec::Part;

pub(crate) type Ops = HashSet<u32, Hashing>;

/// The part up to the return of `op`, a number of the history: what was open then is pending, with its recorded result.
pub(crate) fn past(part: &Part, op: u32) -> Option<Part> {
    let end = part.events.iter().position(|event| event.is_return() && part.ops[event.op()] == op)?;
    Some(chosen(part, &part.events[..=end], |_| true, &[]))
}

/// The part of these operations only.
pub(crate) fn only(part: &Part, ops: &Ops) -> Part {
    chosen(part, &part.events, |op| ops.contains(&op), &[])
}

/// What lies behind the first `returns` returns.
pub(crate) struct Window {
    pub part: Part,
    /// So many operations, the first of the part, were open there; they are called at its beginning.
    pub open: usize,
}

impl Window {
    pub fn was_open(&self, op: u32) -> bool {
        self.part.ops[..self.open].contains(&op)
    }

    /// Operations that returned, were open at the beginning and are equal to one of `kept` that was, too.
    ///
    /// Of equal open operations a search fires one for all: which of them took effect before the cut is told up to their names.
    /// So none of them may be left out while another stays:
    ///
    /// ```text
    /// a  |--inc------------|      "a took effect before the cut" stands for "b did", too. Without a it would not.
    /// b    |--inc------------|
    ///           cut
    /// ```
    pub fn returned_twins(&self, kept: &Ops) -> Vec<u32> {
        let returned = |place: usize| self.part.events.iter().any(|event| event.is_return() && event.op() == place);
        let (ops, codes) = (&self.part.ops[..self.open], &self.part.codes[..self.open]);
        let equal = |code| (0..self.open).any(|place| codes[place] == code && kept.contains(&ops[place]));
        let is_twin = |&place: &usize| !kept.contains(&ops[place]) && equal(codes[place]) && returned(place);
        (0..self.open).filter(is_twin).map(|place| ops[place]).collect()
    }
}

pub(crate) fn window(part: &Part, returns: usize) -> Window {
    let ends = part.events.iter().enumerate().filter(|(_, event)| event.is_return());
    let cut = returns.checked_sub(1).and_then(|last| ends.map(|(place, _)| place + 1).nth(last)).unwrap_or(0);
    let mut open: Vec<u32> = Vec::new();
    let mut returned = vec![false; part.ops.len()];
    for event in part.events[..cut].iter().filter(|event| event.is_return()) {
        returned[event.op()] = true;
    }
    open.extend(
        part.events[..cut]
            .iter()
            .filter(|event| !event.is_return() && !returned[event.op()])
            .map(|event| event.op() as u32),
    );
    Window { part: chosen(part, &part.events[cut..], |_| true, &open), open: open.len() }
}

fn chosen(part: &Part, events: &[Event], keep: impl Fn(u32) -> bool, open: &[u32]) -> Part {
    let mut small =
        Part { label: None, ops: vec![], codes: vec![], processes: vec![], events: vec![], spec: part.spec.fork() };
    let mut place = vec![u32::MAX; part.ops.len()];
    let calls = open.iter().map(|&op| Event::call(op as usize));
    for event in calls.chain(events.iter().copied()) {
        let op = event.op();
        if !keep(part.ops[op]) {
            continue;
        }
        if event.is_return() {
            small.events.push(Event::ret(place[op] as usize));
        } else {
            place[op] = small.ops.len() as u32;
            small.events.push(Event::call(small.ops.len()));
            small.ops.push(part.ops[op]);
            small.codes.push(part.codes[op]);
            small.processes.push(part.processes[op]);
        }
    }
    small
}
