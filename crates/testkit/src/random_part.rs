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
        events.push((call, false, op)); // on a tie calls come first
        events.extend(ret.map(|ret| (ret, true, op)));
    }
    events.sort();
    part.events
        .extend(events.into_iter().map(|(_, is_return, op)| if is_return { Event::ret(op) } else { Event::call(op) }));
    part
}
