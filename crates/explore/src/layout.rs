//! Where does each thing stand in a packed state? A fixed number of bytes, a multiple of eight.
//!
//! ```text
//!   shared cells │ values used │ thread 0: position (2 × 7 bits), calls made, live registers │ thread 1 … │ padding │ node 0: kind, fields │ node 1 … │ 0
//! ```
//!
//! Whatever is not a value stays below [`FIRST_NODE`](crate::value::FIRST_NODE), so every byte from there on is a reference. Nodes come last: room for
//! more of them is room at the end, and a state keeps its bytes when it gets more room.

use crate::value::MOST_NODES;

/// The position of a thread that has no call.
pub const IDLE: u16 = 0x3fff;
/// The position of a thread whose call of method m is about to return is RETURNING + m.
pub const RETURNING: u16 = 0x3f00;
/// Bytes of a frame before its registers.
pub const FRAME_HEAD: usize = 3;

/// The places of things in a state.
#[derive(Clone, Debug)]
pub struct Layout {
    /// How many threads.
    pub threads: usize,
    /// Registers that a waiting thread keeps at most.
    pub slots: usize,
    /// Where it says how many values were used: after the shared cells.
    pub used: usize,
    /// Where the frames begin.
    pub frames: usize,
    /// Where the nodes begin.
    pub heap: usize,
    /// Bytes of a node: its kind and its fields.
    pub stride: usize,
    /// Nodes that fit.
    pub nodes: usize,
    /// The kinds of nodes of which only so many may be in use, as bits: those nodes are not collected.
    pub pooled: u64,
}

impl Layout {
    /// The layout for a few nodes; [`Layout::grow`] makes room for more.
    pub fn new(cells: usize, threads: usize, slots: usize, fields: usize) -> Self {
        let heap = (cells + 1 + threads * (FRAME_HEAD + slots)).next_multiple_of(8);
        let mut layout =
            Layout { threads, slots, used: cells, frames: cells + 1, heap, stride: fields + 1, nodes: 0, pooled: 0 };
        layout.grow(1);
        layout
    }

    /// Makes room for this many nodes, and as many more as the last word has room for.
    pub fn grow(&mut self, nodes: usize) {
        let bytes = (nodes * self.stride).next_multiple_of(8);
        self.nodes = (bytes / self.stride).min(MOST_NODES);
    }

    /// The length of a state.
    pub fn bytes(&self) -> usize {
        (self.heap + self.nodes * self.stride).next_multiple_of(8)
    }

    /// Where the frame of a thread begins.
    #[inline]
    pub fn frame(&self, thread: usize) -> usize {
        self.frames + thread * (FRAME_HEAD + self.slots)
    }

    /// Where a node begins.
    #[inline]
    pub fn node(&self, node: usize) -> usize {
        self.heap + node * self.stride
    }

    /// The room that a state needs while it is worked on, with every possible node.
    pub fn room(&self) -> usize {
        (self.heap + MOST_NODES * self.stride).next_multiple_of(8)
    }

    /// Where a thread is.
    #[inline]
    pub fn position(&self, state: &[u8], thread: usize) -> u16 {
        let at = self.frame(thread);
        u16::from(state[at]) | u16::from(state[at + 1]) << 7
    }

    /// Says where a thread is.
    #[inline]
    pub fn set_position(&self, state: &mut [u8], thread: usize, position: u16) {
        let at = self.frame(thread);
        state[at] = (position & 0x7f) as u8;
        state[at + 1] = (position >> 7) as u8;
    }

    /// The calls that a thread has made.
    #[inline]
    pub fn calls(&self, state: &[u8], thread: usize) -> u8 {
        state[self.frame(thread) + 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_and_never_look_like_references() {
        let layout = Layout::new(3, 2, 4, 2);
        let mut state = vec![0; layout.bytes()];
        for position in [0, 1, 127, 128, 16_000, RETURNING + 63, IDLE] {
            layout.set_position(&mut state, 1, position);
            assert_eq!((layout.position(&state, 1), layout.position(&state, 0)), (position, 0));
            assert!(state.iter().all(|&byte| byte < crate::value::FIRST_NODE));
        }
    }

    #[test]
    fn room_for_more_nodes_is_room_at_the_end() {
        let mut layout = Layout::new(3, 2, 4, 2);
        let before = (layout.heap, layout.node(1), layout.bytes());
        layout.grow(9);
        assert_eq!((layout.heap, layout.node(1)), (before.0, before.1));
        assert!(layout.nodes >= 9 && layout.bytes() > before.2);
        layout.grow(1000);
        assert_eq!(layout.nodes, MOST_NODES);
        assert_eq!(layout.bytes(), layout.room());
    }
}
