//! What might have happened? Random intervals around random operations of a vocabulary.

use crate::Dice;
use linpoint_history::Event;
use linpoint_spec::Part;

/// Up to `most` operations that are done in `whole`, with random intervals: ties, overlaps, pending ones.
pub fn random_part(dice: &mut Dice, whole: &Part, most: u64) -> Part {
    let count = 1 + dice.roll(most);
    let mut part =
        Part { label: None, ops: vec![], codes: vec![], processes: vec![], events: vec![], spec: whole.spec.fork() };
    let mut times = Vec::new();
    let reach = 1 + dice.roll(12);
    for _ in 0..count {
        let call = dice.roll(16);
        times.push((call, dice.chance(80).then(|| call + dice.roll(reach))));
    }
    times.sort();
    let mut events: Vec<(u64, bool, usize)> = Vec::new();
    for (op, &(call, ret)) in times.iter().enumerate() {
        let from = dice.roll(whole.ops.len() as u64) as usize;
        part.ops.push(op as u32);
        part.codes.push(whole.codes[from]);
        part.processes.push(op as u32);
        events.push((call, false, op));
        events.extend(ret.map(|ret| (ret, true, op)));
    }
    put_in_order(&mut part, events);
    part
}

/// Up to `most` operations of `whole` that really happened, one after the other, with random intervals around those moments; then, in half of the
/// cases, one in ten of them is moved, so that the verdict hangs by a thread. Pending operations may have happened or not.
pub fn lived_part(dice: &mut Dice, whole: &Part, most: u64) -> Part {
    let count = 1 + dice.roll(most);
    let mut part =
        Part { label: None, ops: vec![], codes: vec![], processes: vec![], events: vec![], spec: whole.spec.fork() };
    let mut state = part.spec.initial().expect("a state");
    let (gap, reach) = (1 + dice.roll(5) as i64, 1 + dice.roll(16));
    let mut times: Vec<(i64, Option<i64>, u32)> = Vec::new();
    for moment in 0..count as i64 {
        let mut next = Vec::new();
        let mut code = whole.codes[dice.roll(whole.codes.len() as u64) as usize];
        for _ in 0..20 {
            part.spec.step(state, code, &mut next).expect("shipped models never break");
            if !next.is_empty() {
                break;
            }
            code = whole.codes[dice.roll(whole.codes.len() as u64) as usize];
        }
        let is_pending = dice.chance(15);
        let happened = !is_pending || dice.chance(50);
        if happened && !next.is_empty() {
            state = next[dice.roll(next.len() as u64) as usize];
        }
        let (call, ret) = (moment * gap - dice.roll(reach) as i64, moment * gap + dice.roll(reach) as i64);
        times.push((call, (!is_pending).then_some(ret), code));
    }
    let moves = if dice.chance(50) { 1 + count / 10 } else { 0 };
    for _ in 0..moves {
        let place = dice.roll(count) as usize;
        let by = dice.roll(13) as i64 - 6;
        times[place] = (times[place].0 + by, times[place].1.map(|ret| ret + by), times[place].2);
    }
    times.sort_unstable();
    let mut events: Vec<(i64, bool, usize)> = Vec::new();
    for (op, &(call, ret, code)) in times.iter().enumerate() {
        part.ops.push(op as u32);
        part.codes.push(code);
        part.processes.push(op as u32);
        events.push((call, false, op));
        events.extend(ret.map(|ret| (ret, true, op)));
    }
    put_in_order(&mut part, events);
    part
}

/// The events by their times; on a tie calls come first.
fn put_in_order<T: Ord>(part: &mut Part, mut events: Vec<(T, bool, usize)>) {
    events.sort_unstable();
    let event = |(_, is_return, op)| if is_return { Event::ret(op) } else { Event::call(op) };
    part.events.extend(events.into_iter().map(event));
}
