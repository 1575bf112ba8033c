//! Which values of a stack can be forgotten? Groups of values that came and went above everything that is still there.
//!
//! A value that is through may be the reason why one value lies below another, so it cannot just be left out:
//!
//! ```text
//!   push 1   |------|                      7 is inside from slot 2 to slot 8, so 1 was pushed before and 2 behind:
//!   push 7    |--|                         1 lies below 2. Without 7 their pushes overlap, and either may be on top.
//!   push 2        |--------------|
//!   pop → 7               |--|
//! ```
//!
//! The test of recorded histories (Lee & Mathur 2025; `linpoint_check::monitor`) splits the values at slots in which none is present, takes from each group values that were
//! called before the group's first presence and popped behind its last, and splits again. Let X be a group of values that are through, connected by their
//! presences. As long as a value that touches X is in its group, no value of X can be taken, for all were popped before that one is; and once
//! none is, X is alone, and explained by itself. So all that X ever does is to let its group begin at its first presence, `lo`. If every value that touches X is said to be
//! present from `lo` on, the group begins there without X: the same values can be taken at every step. This is
//! no guess, for a value that touches X and outlives it lies below X, and was pushed before X was there.
//!
//! A peek is served in a slot in which no value covers it but its own. X stays while a peek of another value reaches into it. A peek of a value b that is
//! still inside is forgotten itself if in some slot of it only b was present, and values whose pushes returned before that of b was called:
//! those lie below b and are taken before it, so the slot will do whatever comes.
//!
//! **Crashed pops.** A crashed pop may take, at any time behind its call, a value that no other operation pops. If everything that pops something is explained
//! so, it may as well wait: until just before the first pop of something below that value. And a value that is taken so may have been pushed earlier, for
//! then less lies below it. So a value y that touches X and is taken while X is there, being above some of it, may be said to be below X and taken later: what is said above of X still holds.
//!
//! Let T be the values that *must* have been taken (`through`), each by the last crashed pop that can have done it: everything is explained by these. A value v of T was
//! taken before the last of the operations that tell so returned, for to be taken later is no better for them than to stay. So v is a value that was popped between the call of
//! that crashed pop and then, and is forgotten with it if it is settled; leaving the latest out makes up no violation, as for queues. But v may have been taken by an earlier pop, so
//! what touches X is said to be there from `lo` on only where X without T is connected from `lo` up to it; else X stays. Values of T that stay are inside, and
//! what their deadlines come from stays with them.
//!
//! Cost: O(n log n) for n operations. All times are numbers of events.

use crate::matched::{ByValue, Forgotten, View, by_value};
use crate::window::Op;
use hashbrown::HashSet;
use linpoint_base::Hashing;
use linpoint_check::monitor::Taken;
use linpoint_spec::Role;

/// The operations of a value.
#[derive(Default)]
struct Story {
    /// The place, the call, and the event by which it took effect.
    push: Option<(u32, u64, Option<u64>)>,
    /// The place, the call, the return.
    pop: Option<(u32, u64, u64)>,
    peeks: Vec<(u32, u64, u64)>,
    /// The first return: it is in by then; and the last call: it is not out before.
    from: u64,
    until: u64,
    /// Is something of it not behind the horizon?
    waits: bool,
    /// Was it taken by a crashed pop?
    taken: bool,
}

impl Story {
    fn is_finished(&self) -> bool {
        self.pop.is_some() && !self.waits
    }

    fn is_present(&self) -> bool {
        self.from < self.until
    }

    fn places(&self) -> impl Iterator<Item = u32> {
        let ends = self.push.iter().map(|push| push.0).chain(self.pop.iter().map(|pop| pop.0));
        ends.chain(self.peeks.iter().map(|peek| peek.0))
    }
}

/// What can be forgotten of a stack.
pub fn forget(view: &View<'_>) -> Forgotten {
    let (mut settled, mut open): (Vec<&Taken>, Vec<&Taken>) =
        view.taken.iter().partition(|taken| view.is_settled(taken));
    loop {
        let telling = view.telling(&open);
        let (mut stories, mut forgotten) = stories(view, &settled, &telling);
        forget_peeks(view, &mut stories, &telling, &mut forgotten);
        let stay = forget_groups(&mut stories, view.horizon.fixed, &mut forgotten);
        if stay.is_empty() {
            return forgotten;
        }
        let (staying, going): (Vec<&Taken>, Vec<&Taken>) =
            settled.iter().partition(|taken| stay.contains(&view.place(taken.by)));
        open.extend(staying);
        settled = going;
    }
}

/// The values, and the operations that are about none and can go, unless they are telling.
fn stories(view: &View<'_>, settled: &[&Taken], telling: &HashSet<u32, Hashing>) -> (Vec<Story>, Forgotten) {
    let (mut places, mut stories): (ByValue<usize>, Vec<Story>) = (by_value(view.part.ops.len()), Vec::new());
    let mut forgotten = Forgotten::default();
    for (place, op, role) in view.ops() {
        let (Role::Add(value) | Role::Remove(value) | Role::Peek(value)) = role else {
            let decided = match role {
                Role::Empty => view.horizon.is_behind(op) && !telling.contains(&place),
                Role::Nothing => op.end.is_some(),
                _ => false,
            };
            forgotten.gone.extend(decided.then_some(place));
            continue;
        };
        let place_of = *places.entry(value).or_insert_with(|| {
            stories.push(Story { from: u64::MAX, ..Story::default() });
            stories.len() - 1
        });
        let story = &mut stories[place_of];
        story.waits |= !op.crashed() && !view.horizon.is_behind(op) || telling.contains(&place);
        story.from = story.from.min(op.effect_by().unwrap_or(u64::MAX));
        story.until = story.until.max(op.call);
        match (role, op.returned()) {
            (Role::Add(_), _) => story.push = Some((place, op.call, op.effect_by())),
            (Role::Remove(_), Some(number)) => story.pop = Some((place, op.call, number)),
            (Role::Peek(_), Some(number)) => story.peeks.push((place, op.call, number)),
            _ => {}
        }
    }
    for taken in settled {
        let (by, because) = (view.numbered(taken.by), taken.because.iter().map(|&op| view.numbered(op)));
        let (Some(&place), Some(last)) = (places.get(&taken.value), because.filter_map(Op::returned).max()) else {
            continue;
        };
        let story = &mut stories[place];
        (story.pop, story.until, story.taken) =
            (Some((view.place(taken.by), by.call, last)), story.until.max(by.call), true);
    }
    stories.iter_mut().filter(|story| story.pop.is_none()).for_each(|story| story.until = u64::MAX);
    (stories, forgotten)
}

/// Forgets peeks of values that are inside, if they will fit whatever comes.
fn forget_peeks(view: &View<'_>, stories: &mut [Story], telling: &HashSet<u32, Hashing>, forgotten: &mut Forgotten) {
    if stories.iter().all(|story| story.peeks.is_empty()) {
        return;
    }
    let sorted = |time: &dyn Fn(&Story) -> Option<u64>| {
        let mut times: Vec<u64> = stories.iter().filter(|story| story.is_present()).filter_map(time).collect();
        times.sort_unstable();
        times
    };
    let begins = sorted(&|story| Some(story.from));
    let ends = sorted(&|story| story.pop.map(|_| story.until));
    let inside = sorted(&|story| if story.pop.is_none() { Some(story.from) } else { None });
    let upto = |times: &[u64], time: u64| times.partition_point(|&other| other <= time);
    for story in stories.iter_mut().filter(|story| story.pop.is_none() && story.is_present()) {
        let Some((push, call, Some(mut by))) = story.push else { continue };
        let below = upto(&inside, call);
        let from = story.from;
        let fits = |time: u64| upto(&begins, time) - upto(&ends, time) - usize::from(from <= time) == below;
        story.peeks.retain(|&(peek, peek_call, ret)| {
            let first = peek_call.max(call);
            let later = &ends[upto(&ends, first)..];
            let later = later.iter().copied().take_while(|&time| time < ret);
            let stays = ret >= view.horizon.reached || telling.contains(&peek);
            if stays || !std::iter::once(first).chain(later).any(fits) {
                return true;
            }
            forgotten.gone.push(peek);
            by = by.min(ret);
            false
        });
        if Some(by) < story.push.and_then(|push| push.2) {
            story.push = Some((push, call, Some(by)));
            forgotten.earlier.push((push, by));
        }
    }
}

/// Forgets groups of values that are through. Gives the crashed pops of those that have to stay.
fn forget_groups(stories: &mut [Story], fixed: u64, forgotten: &mut Forgotten) -> Vec<u32> {
    let mut stay: Vec<u32> = Vec::new();
    let mut finished: Vec<usize> = Vec::new();
    let (mut inside, mut leaving, mut peeks) = (Vec::new(), Vec::new(), Vec::new());
    for (place, story) in stories.iter().enumerate() {
        match (story.is_finished(), story.is_present()) {
            (true, true) => finished.push(place),
            (true, false) => forgotten.gone.extend(story.places()), // it came and went in one slot
            (false, _) => {
                peeks.extend(story.peeks.iter().map(|&(_, call, ret)| (call, ret)));
                if story.is_present() {
                    leaving.extend(story.pop.map(|_| place));
                    // What a pop took is known when it returns: until then the value is inside.
                    inside.extend(story.pop.is_none_or(|pop| pop.2 >= fixed).then_some(place));
                }
            }
        }
    }
    finished.sort_unstable_by_key(|&place| stories[place].from);
    inside.sort_unstable_by_key(|&place| stories[place].from);
    peeks.sort_unstable();
    let latest: Vec<u64> = peeks
        .iter()
        .scan(0, |latest: &mut u64, &(_, ret)| {
            *latest = ret.max(*latest);
            Some(*latest)
        })
        .collect();
    let mut rest = &finished[..];
    while let [first, ..] = rest {
        let (lo, mut hi, mut last, mut size) = (stories[*first].from, 0, 0, 0);
        let mut sure = lo; // until then it is there whatever crashed pops took
        for &place in rest {
            if size > 0 && stories[place].from > hi {
                break;
            }
            if !stories[place].taken && stories[place].from <= sure {
                sure = sure.max(stories[place].until);
            }
            hi = hi.max(stories[place].until);
            last = last.max(stories[place].pop.map_or(0, |pop| pop.2));
            size += 1;
        }
        let (group, others) = rest.split_at(size);
        rest = others;
        let reaching = peeks.partition_point(|&(call, _)| call < hi);
        let seen = reaching > 0 && latest[reaching - 1] > lo;
        let left = |&place: &usize| {
            let story = &stories[place];
            story.from < hi && story.until > lo && story.pop.is_some_and(|pop| pop.1 < last)
        };
        let from = inside.partition_point(|&place| stories[place].from <= lo);
        let to = inside.partition_point(|&place| stories[place].from < hi);
        let below = |&place: &usize| {
            let story = &stories[place];
            story.from < sure && story.push.is_some_and(|(_, call, by)| call < lo && by.is_some())
        };
        if seen || leaving.iter().any(left) || !inside[from..to].iter().all(below) {
            let taken = group.iter().map(|&place| &stories[place]).filter(|story| story.taken);
            stay.extend(taken.filter_map(|story| story.pop).map(|pop| pop.0));
            continue;
        }
        for &place in &inside[from..to] {
            let (push, ..) = stories[place].push.expect("those below X were pushed");
            stories[place].from = lo;
            forgotten.earlier.push((push, lo));
        }
        // Those in `from..to` now begin at the same event: still in order.
        group.iter().for_each(|&place| forgotten.gone.extend(stories[place].places()));
    }
    stay
}
