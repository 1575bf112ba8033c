//! Which operations are open? Lists whose changes can be undone in the opposite order (dancing links).

use crate::ranks::NONE;

/// The open operations of one kind, in the order of their calls: a linked list whose removals can be undone.
pub(crate) struct Open {
    pub next: Vec<u32>,
    prev: Vec<u32>,
}

impl Open {
    /// The head of the list is the entry behind the last operation.
    pub fn new(operations: usize) -> Open {
        let head = operations as u32;
        let mut open = Open { next: vec![NONE; operations + 1], prev: vec![NONE; operations + 1] };
        open.next[operations] = head;
        open.prev[operations] = head;
        open
    }

    pub fn head(&self) -> u32 {
        self.next.len() as u32 - 1
    }

    pub fn bytes(&self) -> usize {
        (self.next.capacity() + self.prev.capacity()) * 4
    }

    pub fn append(&mut self, op: u32) {
        let (head, last) = (self.head(), self.prev[self.head() as usize]);
        self.next[op as usize] = head;
        self.prev[op as usize] = last;
        self.unlift(op);
    }

    pub fn lift(&mut self, op: u32) {
        let (next, prev) = (self.next[op as usize], self.prev[op as usize]);
        self.next[prev as usize] = next;
        self.prev[next as usize] = prev;
    }

    pub fn unlift(&mut self, op: u32) {
        let (next, prev) = (self.next[op as usize], self.prev[op as usize]);
        self.next[prev as usize] = op;
        self.prev[next as usize] = op;
    }

    pub fn after(&self, op: u32) -> Option<u32> {
        let next = self.next[op as usize];
        (next != self.head()).then_some(next)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let mut at = self.head();
        std::iter::from_fn(move || {
            let next = self.after(at)?;
            at = next;
            Some(next)
        })
    }
}
