//! Is this history of a register linearizable though values repeat? By the writes that each read can have seen.
//!
//! With values written once the register test is polynomial (`register`); with repeated values it is NP-hard (Gibbons & Korach, *Testing
//! Shared Memories*, SIAM J. Comput. 1997). But most histories leave little choice: a read can only have seen a write of its value that began by its
//! return and was not overwritten by its call.
//!
//! 1. `sources`: the candidates of every read and CAS. One of them has none: a violation.
//! 2. `forced`: candidates that are in conflict with what is forced are dropped. One has none left: a violation.
//! 3. If each has one: give every write a value of its own and ask the monitor for such registers, which is exact.
//! 4. `repair`: otherwise min-conflicts looks for a choice without conflicts, which is a witness.
//! 5. `unequal`: CAS that failed and do not tell what they saw are put where they fit.
//!
//! ```text
//!   write 1   |-----|                         each read of 1 may have seen either write of 1,
//!   write 1        |-----|                    if the zones of both go together with that of write 2
//!   write 2           |-------|
//!   read → 1     |-----|   |-----| read → 1
//! ```
//!
//! Cost: steps 1 to 3 and 5 O(n log n) and the candidates; step 4 a counted number of zones compared. About 200 bytes per operation.
//! Declines where no choice is found: then there may be none.

mod blocks;
mod forced;
mod repair;
mod sources;
mod unequal;

use super::chains::{self, Writes};
use super::{Decided, Decision, Meter, Monitor, NONE, declined};
use blocks::Blocks;
use forced::Excluded;
use linpoint_spec::{Part, Shape};
use repair::Repair;
use sources::Sources;

/// The method.
pub(crate) const MONITOR: Monitor = Monitor {
    name: "reads-from",
    help: "a register, or one key of a map, whose values may repeat, by the writes that each read can have seen: a read without any is a violation, and a choice that fits is a witness; declines if it finds neither",
    shape: Shape::Register,
    decide,
};

/// How often failed CAS that do not fit are given versions to see.
const ROUNDS: usize = 16;

fn decide(part: &Part, meter: &mut Meter<'_>) -> Decided<Decision> {
    let sources = Sources::of(part, meter)?;
    let ranks = part.events.len() + 2;
    let mut blocks = Blocks::new(&sources, ranks);
    meter.hold(blocks.bytes())?;
    let excluded = forced::settle(&mut blocks, meter)?;
    meter.hold(excluded.bytes())?;
    refuse_constant(&blocks, &excluded)?;
    let mut repair = Repair::new(&mut blocks, &excluded);
    repair.guess_all(meter)?;
    let mut placed = Vec::new();
    for _ in 0..ROUNDS {
        repair.run(meter)?;
        let order = meter.releasing(|meter| in_a_row(repair.blocks(), ranks, meter))?;
        match unequal::insert(&sources, &order, &placed) {
            Ok(order) => return Ok(Decision::Linearizable(order)),
            Err(left_over) => {
                for &op in &left_over {
                    let others = sources.others(sources.avoids[op as usize], op);
                    if others.is_empty() {
                        let last = forced::overwriter(&sources, sources.call[op as usize]); // of the value that it did not see
                        return Err(Decision::Violation(last.into_iter().chain([op]).collect()));
                    }
                    repair.require(op, others);
                }
                placed.extend(left_over);
            }
        }
    }
    Err(declined("a failed CAS fits into none of the orders that were found"))
}

/// Every version a value of its own, for the monitor of such registers.
fn in_a_row(blocks: &Blocks<'_>, ranks: usize, meter: &mut Meter<'_>) -> Decided<Vec<u32>> {
    let sources = blocks.sources;
    let mut found = vec![NONE; sources.writer.len()];
    let mut writer = vec![NONE; sources.writer.len()];
    writer[0] = chains::HELD_FIRST;
    let mut reads = Vec::new();
    for version in 0..sources.writer.len() as u32 {
        if let Some(op) = sources.writer_of(version).filter(|_| !blocks.is_idle(version)) {
            writer[version as usize] = op;
            found[version as usize] = blocks.source[op as usize];
        }
        reads.extend(blocks.reads[version as usize].iter().map(|&op| (version, op)));
    }
    reads.sort_unstable_by_key(|&(version, op)| (version, sources.call[op as usize]));
    let ranks_of = (sources.call.clone(), sources.ret.clone());
    let decision = Writes::linked(ranks_of, writer, found, reads).and_then(|writes| {
        meter.hold(writes.bytes())?;
        chains::in_a_row(&writes, ranks, meter)
    });
    match decision {
        Ok(Decision::Linearizable(order)) => Ok(order),
        Err(Decision::GaveUp(cause)) => Err(Decision::GaveUp(cause)),
        _ => Err(declined("the choice of writes does not fit")), // it is the choice that fails, not the history
    }
}

/// A failed CAS between two moments that show the same version of the value it did not see is a violation.
fn refuse_constant(blocks: &Blocks<'_>, excluded: &Excluded) -> Decided<()> {
    let sources = blocks.sources;
    if sources.avoids.iter().all(|&value| value == NONE) {
        return Ok(());
    }
    // By value, the versions in force from one operation to another, by their beginnings: those of one value are never in force together.
    let mut in_force: Vec<Vec<(u32, u32, u32, u32)>> = vec![Vec::new(); sources.values()];
    for version in 0..sources.writer.len() as u32 {
        let seen = [&blocks.reads[version as usize], &blocks.heirs[version as usize]].into_iter().flatten().copied();
        let about: Vec<u32> = sources.writer_of(version).into_iter().chain(seen).collect();
        let first = about.iter().map(|&op| (sources.ret[op as usize], op)).min();
        let first = if version == 0 { Some((0, NONE)) } else { first };
        let last = about.iter().map(|&op| (sources.call[op as usize], op)).max();
        if let (Some((first, shows)), Some((last, also))) = (first, last)
            && first < last
        {
            in_force[sources.value[version as usize] as usize].push((first, last, shows, also));
        }
    }
    in_force.iter_mut().for_each(|versions| versions.sort_unstable());
    for (op, &value) in sources.avoids.iter().enumerate() {
        let Some(versions) = in_force.get(value as usize) else { continue };
        let (call, ret) = (sources.call[op], sources.ret[op]);
        let around = versions[..versions.partition_point(|&(first, ..)| first < call)].last();
        if let Some(&(_, last, shows, also)) = around
            && ret < last
        {
            let conflict = [op as u32, shows, also].into_iter().filter(|&op| op != NONE).collect();
            return Err(excluded.explained(sources, conflict));
        }
    }
    Ok(())
}
