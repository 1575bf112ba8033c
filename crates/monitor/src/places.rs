//! Where is each operation kept, and what becomes of its place? Memory is that of what is kept, not that of the largest crowd so far.
//!
//! ```text
//!     places   a · · b · · · · c · · · · · d        c and d crashed: both sleep, and may do so for ever
//!              a c d b                              they move to the front, and the rest is given back
//! ```
//!
//! Whoever feeds the stream holds the places of open operations, so only those move that have ended. Costs one pass over the places, after
//! as many events at least.

use crate::monitor::Monitor;
use linpoint_base::room;

/// A list of fewer items is not worth giving places back; nor are the lists of all groups if together they have fewer.
const MANY: usize = room(1 << 13);

/// Nor is this.
const FEW: usize = room(1 << 4);

/// Room for one more in a list that is kept for long. It grows by an eighth where it must, or by `least`: doubled, one crowd would take as much again for ever.
pub fn make_room<T>(list: &mut Vec<T>, least: usize) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 8).max(least));
    }
}

/// Adds an item to such a list.
pub fn grow<T>(list: &mut Vec<T>, item: T) {
    make_room(list, 4);
    list.push(item);
}

/// Gives back most of the room of a list that is nearly empty, if it is one of so many.
fn shrink<T>(list: &mut Vec<T>, lists: usize) {
    let few = (MANY / lists.max(1)).max(FEW);
    if list.capacity() > few.max(3 * list.len()) {
        list.shrink_to(few.max(2 * list.len()));
    }
}

impl Monitor {
    /// Gives back most of the room of a group's events if there are few.
    pub(crate) fn shrink_events(&mut self, group: u32) {
        let groups = self.groups.len();
        shrink(&mut self.groups.list[group as usize].events, groups);
    }

    /// Nothing leads to the operation any more.
    pub(crate) fn forget(&mut self, place: u32) {
        let op = &mut self.all[place as usize];
        op.gone = true;
        self.recent.push(op);
        self.turns[place as usize] = self.turns[place as usize].wrapping_add(1);
        grow(&mut self.free, place);
    }

    /// Gives places back if most are free, as after a crowd. The lowest are taken first from now on.
    pub(crate) fn forget_places(&mut self) {
        let used = self.all.len() - self.free.len();
        let since = self.events - self.swept;
        if self.all.len() < MANY.max(3 * used) || since < self.all.len() as u64 {
            return;
        }
        self.swept = self.events;
        let mut free = vec![false; self.all.len()];
        self.free.iter().for_each(|&place| free[place as usize] = true);
        self.move_to_the_front(used, &mut free);
        let len = free.iter().rposition(|free| !free).map_or(0, |last| last + 1);
        let last_turn = self.turns[len..].iter().copied().max();
        self.first_turn = self.first_turn.max(last_turn.unwrap_or(0));
        self.all.truncate(len);
        self.turns.truncate(len);
        self.free.clear();
        self.free.extend((0..len as u32).rev().filter(|&place| free[place as usize]));
        shrink(&mut self.all, 1);
        shrink(&mut self.turns, 1);
        shrink(&mut self.free, 1);
    }

    /// Moves operations that have ended from places behind `used` to free ones before it.
    fn move_to_the_front(&mut self, used: usize, free: &mut [bool]) {
        let mut moved: Vec<(u32, u32)> = Vec::new();
        let mut hole = 0;
        for place in used..free.len() {
            if free[place] || self.all[place].end.is_none() {
                continue;
            }
            while !free[hole] {
                hole += 1; // there is one before `used` for each operation behind it
            }
            self.all.swap(hole, place);
            self.turns[place] = self.turns[place].wrapping_add(1);
            (free[hole], free[place]) = (false, true);
            moved.push((place as u32, hole as u32));
        }
        if moved.is_empty() {
            return;
        }
        let rename = |op: &mut u32| {
            if let Ok(at) = moved.binary_search_by_key(op, |&(from, _)| from) {
                *op = moved[at].1;
            }
        };
        self.groups.places().for_each(rename);
    }
}
