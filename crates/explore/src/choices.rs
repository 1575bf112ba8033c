//! Which way does a step go that has several? All of them, one after the other.
//!
//! A step is run again from its beginning with the next choice, as in stateless model checking (Godefroid, POPL 1997): the few
//! instructions of a step are cheaper to repeat than to suspend.

/// The choices of one run of a step, and how to get to the next run.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// (chosen, among how many).
    made: Vec<(u8, u8)>,
    at: usize,
}

impl Choices {
    /// Begins with the first choice everywhere.
    pub fn reset(&mut self) {
        self.made.clear();
        self.at = 0;
    }

    /// Chooses one of `among`.
    #[inline]
    pub fn choose(&mut self, among: u8) -> u8 {
        if among <= 1 {
            return 0;
        }
        if self.at == self.made.len() {
            self.made.push((0, among));
        }
        self.at += 1;
        self.made[self.at - 1].0
    }

    /// Turns to the next run; false if all were made.
    #[inline]
    pub fn next_run(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, among)) = self.made.last_mut() {
            *chosen += 1;
            if *chosen < *among {
                return true;
            }
            self.made.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_comes_once() {
        let mut choices = Choices::default();
        let mut runs = Vec::new();
        loop {
            let first = choices.choose(2);
            let second = if first == 0 { choices.choose(3) } else { choices.choose(1) };
            runs.push((first, second));
            if !choices.next_run() {
                break;
            }
        }
        assert_eq!(runs, [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }
}
