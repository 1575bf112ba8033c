//! Is this history of a register linearizable? For values that are each written once.
//!
//! Gibbons & Korach, *Testing Shared Memories* (SIAM J. Comput. 1997): with unique writes the register test is polynomial;
//! without, NP-hard. Extended to successful CAS and read-modify-write. Here the operations are understood; `chains` puts them in a row.
//!
//! Cost: O(n), about 60 bytes per operation. Declines a value written twice and a failed CAS that does not tell what it saw.

use super::chains::{HELD_FIRST, Writes, in_a_row};
use super::{Decided, Decision, Meter, Monitor, NEVER, NONE, Numbering, declined, ranks};
use linpoint_spec::{Part, Role, Shape};

/// The method.
pub(crate) const MONITOR: Monitor = Monitor {
    name: "register-monitor",
    help: "a register, or one key of a map, in which every value is written once, in O(n log n), without a search; declines what it does not cover",
    shape: Shape::Register,
    decide,
};

/// Decides a part that is a register.
fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    let writes = meter.releasing(|meter| writes_of(part, meter))?;
    meter.hold(writes.bytes())?;
    in_a_row(&writes, part.events.len() + 2, meter)
}

/// Who wrote and read what.
fn writes_of(part: &Part, meter: &mut Meter<'_>) -> Decided<Writes> {
    let &[held_first] = &part.spec.contents()[..] else { return Err(declined("it does not hold one value")) };
    let n = part.ops.len();
    meter.hold(n * 8)?; // two ranks of each operation
    let (call, ret) = ranks(part, 1);
    let mut largest = held_first;
    for (op, &code) in part.codes.iter().enumerate() {
        meter.tick()?;
        match part.spec.role(code) {
            Role::Read(value) | Role::Write(value) => largest = largest.max(value),
            Role::Change(from, to) => largest = largest.max(from).max(to),
            Role::ChangeIf(from, to) if ret[op] == NEVER => largest = largest.max(from).max(to),
            Role::Nothing if ret[op] == NEVER => {}
            _ => return Err(declined("it has an operation that does not tell what it saw or left")),
        }
    }
    let mut number = Numbering::new(n, largest);
    meter.hold(number.bytes())?;
    number.of(held_first);
    let (mut writer, mut found, mut reads) = (vec![HELD_FIRST], vec![NONE], Vec::new());
    for (op, &code) in part.codes.iter().enumerate() {
        meter.tick()?;
        let (from, to) = match part.spec.role(code) {
            Role::Read(value) if ret[op] != NEVER => {
                reads.push((number.of(value), op as u32));
                continue;
            }
            Role::Write(value) => (NONE, number.of(value)),
            Role::Change(from, to) | Role::ChangeIf(from, to) => (number.of(from), number.of(to)),
            _ => continue,
        };
        writer.resize(number.len(), NONE);
        found.resize(number.len(), NONE);
        if writer[to as usize] != NONE {
            return Err(declined("a value is written more than once, or written though held at first"));
        }
        (writer[to as usize], found[to as usize]) = (op as u32, from);
    }
    let values = number.len();
    meter.hold(28 * values + 12 * reads.len())?; // seven columns by value; the reads, as met and by value
    writer.resize(values, NONE);
    found.resize(values, NONE);
    Writes::linked((call, ret), writer, found, reads)
}
