//! Can clusters of operations, each to take effect without interruption, be put in a row?
//!
//! Gibbons & Korach, *Testing Shared Memories* (SIAM J. Comput. 1997). A cluster first returns at `first` and last calls
//! at `last`. If `first < last` it is in force all the while: a forward zone. Otherwise any one moment from
//! `last` to `first` is enough: a backward zone. Two clusters are in conflict when each returned before the other's last call:
//! two forward zones that overlap, or a backward one strictly inside a forward one. No conflict, and they can be put in a row.
//!
//! ```text
//!   rank  0   1   2   3   4   5
//!   a     |-w-|           |-r-|      a in force from rank 1 to 4
//!   b             |-w-|              b strictly inside: it was written in between, yet a is read afterwards
//! ```
//! O(n) with ranks as indices.

use super::NONE;

/// Clusters without conflict.
pub(super) struct Zones {
    /// For each rank the forward zone that began last, up to that rank.
    begun: Vec<u32>,
}

impl Zones {
    /// The zones of `count` clusters, given their first returns and last calls, all below `ranks`; or two in conflict.
    pub fn new(count: usize, ranks: usize, zone: impl Fn(usize) -> (u32, u32)) -> Result<Zones, (usize, usize)> {
        let mut begun = vec![NONE; ranks];
        for (place, (first, last)) in (0..count).map(|place| (place, zone(place))) {
            if first < last {
                begun[first as usize] = place as u32;
            }
        }
        let (mut current, mut until) = (NONE, 0);
        for begins in &mut begun {
            if *begins != NONE {
                let (first, last) = zone(*begins as usize);
                if first < until {
                    return Err((current as usize, *begins as usize));
                }
                (current, until) = (*begins, last);
            }
            *begins = current;
        }
        let zones = Zones { begun };
        for (place, (first, last)) in (0..count).map(|place| (place, zone(place))) {
            match zones.around(last) {
                Some(around) if first >= last && first < zone(around).1 => return Err((around, place)),
                _ => {}
            }
        }
        Ok(zones)
    }

    /// The last forward zone that began before `rank`: the only one that may be in force then.
    pub fn around(&self, rank: u32) -> Option<usize> {
        let begun = *self.begun.get((rank as usize).checked_sub(1)?)?;
        (begun != NONE).then_some(begun as usize)
    }
}
