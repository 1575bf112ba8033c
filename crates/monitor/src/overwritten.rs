//! Which values of a register can be forgotten? Those that are overwritten for certain.
//!
//! With unique values the register is decided from *zones* (Gibbons & Korach, SIAM J. Comput. 1997): of each value `f`, the first return of its
//! operations, and `s`, the last call. Two values v and w contradict each other if `f(v) < s(w)` and `f(w) < s(v)`. What is open was called
//! at `fixed` or later; so v is *dead*, any further read of it being a violation, if some w has `f(v) < s(w)` and `f(w) < fixed`, and `s(w)` was known by `fixed`.
//!
//! ```text
//!   write 1  |--|                        f(1) = 2
//!   write 2       |--|   read → 2 |--|   s(2) = 5: 1 is dead
//! ```
//!
//! A value that is dead, whose operations are behind everything open, and whose last call precedes the first return of every value that is kept, is forgotten: it
//! contradicts none of those, nor any value to come, and a read of it is a read of a value that was never written.
//! Of a value that is kept only `f` and `s` count: of the reads behind the horizon two are enough.
//!
//! Cost: O(n log n) for n operations. All times are numbers of events.

use crate::matched::{ByValue, Forgotten, View, by_value};
use linpoint_spec::Role;

/// The operations of a value.
struct Zone {
    /// The first return and the last call.
    f: u64,
    s: u64,
    /// The last call of which it was known, before anything is open, that it is about this value.
    known: u64,
    ops: Vec<u32>,
    /// Its reads behind the horizon, each with its call and its return.
    reads: Vec<(u32, u64, u64)>,
    /// Is something of it not behind the horizon?
    waits: bool,
}

/// What can be forgotten of a register.
pub fn forget(view: &View<'_>) -> Forgotten {
    let (mut zones, mut forgotten) = zones(view);
    // By falling last calls: of those that may be forgotten, the first ones may have to stay.
    zones.sort_unstable_by_key(|zone| std::cmp::Reverse(zone.s));
    let fixed = view.horizon.fixed;
    let (mut latest, mut second) = (0, 0);
    for known in zones.iter().filter(|zone| zone.f < fixed).map(|zone| zone.known) {
        (latest, second) = if known > latest { (known, latest) } else { (latest, second.max(known)) };
    }
    let dead = |zone: &Zone| {
        let other = if zone.f < fixed && zone.known == latest { second } else { latest };
        !zone.waits && zone.f < other
    };
    let mut kept_from = zones.iter().filter(|zone| !dead(zone)).map(|zone| zone.f).min().unwrap_or(u64::MAX);
    for zone in &zones {
        if dead(zone) && zone.s < kept_from {
            forgotten.gone.extend(&zone.ops);
            continue;
        }
        kept_from = kept_from.min(zone.f);
        let first = zone.reads.iter().find(|read| read.2 == zone.f).map(|read| read.0);
        let last = zone.reads.iter().max_by_key(|read| read.1).map(|read| read.0);
        let spare = zone.reads.iter().map(|read| read.0).filter(|&read| Some(read) != first && Some(read) != last);
        forgotten.gone.extend(spare);
    }
    forgotten
}

/// The values, what is held at first among them; and reads of unknown result, which can go.
fn zones(view: &View<'_>) -> (Vec<Zone>, Forgotten) {
    let new = |f| Zone { f, s: 0, known: 0, ops: Vec::new(), reads: Vec::new(), waits: false };
    let mut places: ByValue<usize> = by_value(view.part.ops.len());
    let mut zones: Vec<Zone> = Vec::new();
    for value in view.part.spec.contents() {
        places.insert(value, zones.len());
        zones.push(new(0));
    }
    let mut forgotten = Forgotten::default();
    for (place, op, role) in view.ops() {
        let (Role::Write(value) | Role::Read(value)) = role else {
            forgotten.gone.extend(op.end.is_some().then_some(place));
            continue;
        };
        let place_of = *places.entry(value).or_insert_with(|| {
            zones.push(new(u64::MAX));
            zones.len() - 1
        });
        let zone = &mut zones[place_of];
        let behind = view.horizon.is_behind(op);
        zone.ops.push(place);
        zone.f = zone.f.min(op.returned().unwrap_or(u64::MAX));
        zone.s = zone.s.max(op.call);
        // What a read found is known when it returns: at a moment before that, the value may not have been overwritten yet.
        if matches!(role, Role::Write(_)) || op.returned().is_some_and(|number| number < view.horizon.fixed) {
            zone.known = zone.known.max(op.call);
        }
        zone.waits |= !op.crashed() && !behind;
        if let (Role::Read(_), true, Some(number)) = (role, behind, op.returned()) {
            zone.reads.push((place, op.call, number));
        }
    }
    (zones, forgotten)
}
