//! Which tuples of distinct numbers are there? One after the other, none kept.

/// All tuples of `length` distinct numbers below `count`, in the order of a dictionary. O(length · count) for each, mostly less.
pub(crate) struct Tuples {
    count: u32,
    tuple: Vec<u32>,
    is_first: bool,
}

impl Tuples {
    /// `length` is at most `count`.
    pub fn new(count: u32, length: usize) -> Tuples {
        Tuples { count, tuple: (0..length as u32).collect(), is_first: true }
    }

    pub fn next(&mut self) -> Option<&[u32]> {
        if std::mem::take(&mut self.is_first) {
            return Some(&self.tuple);
        }
        for at in (0..self.tuple.len()).rev() {
            let head = &self.tuple[..at];
            let Some(new) = (self.tuple[at] + 1..self.count).find(|other| !head.contains(other)) else { continue };
            self.tuple[at] = new;
            for rest in at + 1..self.tuple.len() {
                let free = (0..self.count).find(|other| !self.tuple[..rest].contains(other));
                self.tuple[rest] = free.expect("there are more numbers than places");
            }
            return Some(&self.tuple);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tuple_comes_once_in_order() {
        for (count, length, expected) in [(4, 0, 1), (4, 1, 4), (4, 3, 24), (4, 4, 24), (0, 0, 1)] {
            let (mut tuples, mut all) = (Tuples::new(count, length), Vec::new());
            while let Some(tuple) = tuples.next() {
                assert!((1..length).all(|at| !tuple[..at].contains(&tuple[at])), "{tuple:?}");
                all.push(tuple.to_vec());
            }
            assert_eq!(all.len(), expected);
            assert!(all.is_sorted() && all.iter().all(|tuple| tuple.len() == length));
        }
    }
}
