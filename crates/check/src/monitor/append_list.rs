//! Is this history of a list that is appended to and read as a whole linearizable? Every read shows the order.
//!
//! After appends only, whatever is read is a prefix of whatever is read later. So the longest read tells in which order its
//! pieces were appended, if each stretch of it can be one append only, and every read stands behind the last piece that it shows:
//!
//! ```text
//!   append a   |------|                       the longest read is "ba": append b, then append a
//!   append b      |------|                    read → b: behind append b, before append a
//!   read → b        |------|
//!   read → ba                  |------|
//! ```
//!
//! What the longest read does not show was appended behind it or, if it is pending, perhaps never. So the operations form groups in a
//! given order (`groups`).
//!
//! Cost: O(n log n) and the bytes of the texts read, each compared once. Declines where a stretch of the longest read can be one of
//! two appends (pieces repeat, or one begins like another), and where anything else than append and read was done.

use super::groups::{OnlyGrows, in_a_row};
use super::{Decided, Decision, Meter, Monitor, NEVER, declined, ranks};
use linpoint_spec::{Growth, Part, Pieces, Shape, Text};

/// The method.
pub(crate) const MONITOR: OnlyGrows = OnlyGrows {
    monitor: Monitor {
        name: "append-list",
        help: "one key of a store of texts or lists that is only appended to and read: every read shows the order, in O(n log n), without a search; declines if one piece may be taken for another",
        shape: Shape::Other,
        decide,
    },
    holds: |growth| matches!(growth, Growth::Text(_)),
};

fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    let Growth::Text(held_first) = part.spec.grown_at_first() else { return Err(declined("it does not only grow")) };
    let n = part.ops.len();
    meter.hold(n * 60)?;
    let (call, ret) = ranks(part, 1);
    let mut appends = Pieces::default();
    let mut reads: Vec<(u32, Text<'_>)> = Vec::new();
    for (op, &code) in part.codes.iter().enumerate() {
        meter.tick()?;
        match part.spec.growth(code) {
            Growth::Append(piece) => appends.insert(piece, op as u32),
            Growth::Text(_) | Growth::Nothing if ret[op] == NEVER => {}
            Growth::Text(text) => reads.push((op as u32, text)),
            _ => return Err(declined("it is not only appended to and read")),
        }
    }
    meter.hold(appends.bytes())?;
    let last = reads.iter().max_by_key(|(_, text)| text.len());
    let (last, longest) = last.map_or((None, held_first), |&(op, text)| (Some(op), text));
    let spelled = appends.spell(longest, held_first, || meter.tick())?;
    let (order, ends) = spelled.ok_or_else(|| declined("what was read can have been appended in more than one way"))?;
    let about = |ops: &[u32]| ops.iter().chain(&last).chain(&order).copied().collect::<Vec<u32>>();
    if ends.last() != Some(&longest.len()) {
        return Ok(Decision::Violation(about(&[]))); // nothing was appended that goes on like this
    }
    // Reads of what is held at first; then each piece, and the reads that end with it; then what no read shows.
    let mut groups = vec![Vec::new(); 2 * order.len() + 2];
    let mut is_shown = vec![false; n];
    for (place, &op) in order.iter().enumerate() {
        groups[2 * place + 1].push(op);
        is_shown[op as usize] = true;
    }
    for (op, text) in &reads {
        match ends.binary_search(&text.len()) {
            Ok(place) => groups[2 * place].push(*op),
            Err(_) => return Ok(Decision::Violation(about(&[*op]))), // the longest has no piece that ends there
        }
    }
    for (op, text) in &reads {
        meter.tick()?;
        if !longest.starts_with(*text) {
            return Ok(Decision::Violation(about(&[*op])));
        }
    }
    let unseen = appends.ops().filter(|&op| !is_shown[op as usize] && ret[op as usize] != NEVER);
    groups.last_mut().expect("at least two").extend(unseen);
    in_a_row(groups, (&call, &ret), meter, |before, early| about(&[before, early]))
}
