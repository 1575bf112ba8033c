//! Which random choice next? SplitMix64: the same numbers for the same seed, on every machine.

/// Random numbers from a seed.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`; 0 if there are none.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) % sides.max(1)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }
}

/// How many random histories to try: `usual`, or what the environment variable `LINPOINT_FUZZ` says.
pub fn rounds(usual: u64) -> u64 {
    std::env::var("LINPOINT_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}
