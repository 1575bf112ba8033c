//! When are two states the same but for the addresses? Nodes that nobody can reach are dropped, the others are numbered as they are met.
//!
//! An algorithm compares addresses for equality only, so renaming them is a symmetry of everything it can do. The roots are met in the
//! order of the layout (shared cells, threads), then the fields of the nodes, breadth first (Iosif, "Symmetry reductions for model
//! checking of concurrent dynamic software", STTT 6, 2004). One pass over the bytes of a state.

use crate::layout::Layout;
use crate::value::{FIRST_NODE, MOST_NODES};

const HIGH: u64 = 0x8080_8080_8080_8080;

/// Writes the canonical form of a state with so many nodes to `out`, which is as long as the layout says. The error is how many nodes it
/// needs.
pub fn canonical(layout: &Layout, state: &[u8], used: usize, out: &mut [u8]) -> Result<(), usize> {
    let mut meet = Meeting { renamed: [0; 256], order: [0; MOST_NODES], met: 0 };
    let (roots, _) = state[..layout.heap].as_chunks::<8>();
    let (kept, nodes) = out.split_at_mut(layout.heap);
    for (word, kept) in roots.iter().zip(kept.as_chunks_mut::<8>().0) {
        *kept = *word;
        if u64::from_le_bytes(*word) & HIGH != 0 {
            kept.iter_mut().for_each(|byte| *byte = meet.rename(*byte));
        }
    }
    let mut at = 0;
    while at < meet.met {
        if at == layout.nodes {
            return Err(meet.met.max(at + 1));
        }
        let from = layout.node(usize::from(meet.order[at]));
        let to = at * layout.stride;
        for (byte, kept) in state[from..from + layout.stride].iter().zip(&mut nodes[to..to + layout.stride]) {
            *kept = meet.rename(*byte);
        }
        at += 1;
    }
    nodes[at * layout.stride..].fill(0);
    if layout.pooled != 0 {
        return keep_lost(layout, state, used, &meet, nodes);
    }
    Ok(())
}

/// A node of a pool that nobody can reach, and that was not freed, is lost, but counts: its kind is kept, what it holds does not matter.
#[cold]
fn keep_lost(layout: &Layout, state: &[u8], used: usize, meet: &Meeting, nodes: &mut [u8]) -> Result<(), usize> {
    let kinds = (0..used)
        .filter(|&node| meet.renamed[usize::from(FIRST_NODE) + node] == 0)
        .map(|node| state[layout.node(node)]);
    let mut lost: Vec<u8> = kinds.filter(|&kind| kind < 64 && kind > 0 && layout.pooled >> kind & 1 == 1).collect();
    lost.sort_unstable();
    if meet.met + lost.len() > layout.nodes {
        return Err(meet.met + lost.len());
    }
    for (place, kind) in lost.into_iter().enumerate() {
        nodes[(meet.met + place) * layout.stride] = kind;
    }
    Ok(())
}

struct Meeting {
    /// The new reference by the old one; 0 is not met yet.
    renamed: [u8; 256],
    order: [u8; MOST_NODES],
    met: usize,
}

impl Meeting {
    #[inline]
    fn rename(&mut self, byte: u8) -> u8 {
        if byte < FIRST_NODE {
            return byte;
        }
        let renamed = &mut self.renamed[usize::from(byte)];
        if *renamed == 0 {
            *renamed = FIRST_NODE + self.met as u8;
            self.order[self.met] = byte - FIRST_NODE;
            self.met += 1;
        }
        *renamed
    }
}

/// The nodes in use: states are canonical, so they stand without gaps.
#[inline]
pub fn nodes_in(layout: &Layout, state: &[u8]) -> usize {
    (0..layout.nodes).take_while(|&node| state[layout.node(node)] != 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One shared cell, no thread, nodes with one field.
    fn layout() -> Layout {
        let mut layout = Layout::new(1, 0, 1, 1);
        layout.grow(4);
        layout
    }

    fn state(layout: &Layout, cell: u8, fields: &[u8]) -> Vec<u8> {
        let mut state = vec![0; layout.room()];
        state[0] = cell;
        for (node, &field) in fields.iter().enumerate() {
            state[layout.node(node)] = 1;
            state[layout.node(node) + 1] = field;
        }
        state
    }

    #[test]
    fn order_and_garbage_make_no_difference() {
        let layout = layout();
        let straight = state(&layout, FIRST_NODE, &[FIRST_NODE + 1, 40]);
        let other = state(&layout, FIRST_NODE + 2, &[41, 40, FIRST_NODE + 1]);
        let (mut one, mut two) = (vec![9; layout.bytes()], vec![7; layout.bytes()]);
        canonical(&layout, &straight, 2, &mut one).expect("room");
        canonical(&layout, &other, 3, &mut two).expect("room");
        assert_eq!(one, two);
        assert_eq!(nodes_in(&layout, &one), 2);
        assert_eq!(one[..layout.bytes()], straight[..layout.bytes()], "a canonical state is its own form");
    }

    #[test]
    fn a_lost_node_of_a_pool_counts() {
        let mut layout = layout();
        layout.pooled = 1 << 1;
        let mut lost = state(&layout, FIRST_NODE + 2, &[41, 40, 42]);
        lost[layout.node(1)] |= 0x40; // this one was freed
        let mut out = vec![0; layout.bytes()];
        canonical(&layout, &lost, 3, &mut out).expect("room");
        assert_eq!((out[0], nodes_in(&layout, &out)), (FIRST_NODE, 2));
        assert_eq!(out[layout.node(1)..layout.node(2)], [1, 0]);
    }

    #[test]
    fn a_cycle_is_met_once_and_room_is_asked_for() {
        let mut layout = layout();
        let ring = state(
            &layout,
            FIRST_NODE + 4,
            &[FIRST_NODE + 4, FIRST_NODE, FIRST_NODE + 1, FIRST_NODE + 2, FIRST_NODE + 3],
        );
        let mut out = vec![0; layout.bytes()];
        let needed = canonical(&layout, &ring, 5, &mut out).expect_err("four fit");
        assert_eq!(needed, 5);
        layout.grow(needed);
        out.resize(layout.bytes(), 0);
        canonical(&layout, &ring, 5, &mut out).expect("room");
        assert_eq!(nodes_in(&layout, &out), 5);
    }
}
