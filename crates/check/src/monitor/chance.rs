//! Where does chance come from? A generator with a fixed seed: the same history takes the same steps on every machine.

/// The generator of Marsaglia, *Xorshift RNGs* (2003), with a multiplication.
pub(super) struct Chance(u64);

impl Chance {
    /// The numbers of the `round`-th attempt.
    pub fn new(round: u64) -> Chance {
        Chance(0x2545_f491_4f6c_dd1d ^ round.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        (self.next() >> 33) as usize % sides
    }
}
