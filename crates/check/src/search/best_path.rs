//! Which way did the search come? The operations fired, and those that led furthest.

use crate::search::ancestry::Fired;

/// The operations fired so far, and those fired on the way to the deepest point, for the evidence. Keeping the latter
/// costs no more than the search itself: only what changed since the last mark is copied, and only when it is about to go.
#[derive(Default)]
pub(crate) struct BestPath {
    pub fired: Vec<Fired>,
    best: Vec<Fired>,
    /// How much of `best` is also the beginning of `fired`.
    common: usize,
    /// Is `fired` itself the best?
    fresh: bool,
}

impl BestPath {
    pub fn bytes(&self) -> usize {
        (self.fired.capacity() + self.best.capacity()) * size_of::<Fired>()
    }

    pub fn push(&mut self, fired: Fired) {
        self.save();
        self.fired.push(fired);
    }

    pub fn pop(&mut self) {
        self.save();
        self.fired.pop();
        self.common = self.common.min(self.fired.len());
    }

    /// Notes that this is the deepest point so far.
    pub fn mark(&mut self) {
        self.fresh = true;
    }

    pub fn save(&mut self) {
        if std::mem::take(&mut self.fresh) {
            self.best.truncate(self.common);
            self.best.extend_from_slice(&self.fired[self.common..]);
            self.common = self.fired.len();
        }
    }

    pub fn marked(&mut self) -> &[Fired] {
        self.save();
        &self.best
    }
}
