//! Where does a thing stand in a table? Every hash goes through here, so that a test can make them all collide.
//!
//! No verdict rests on a hash: keys are compared in full. A mistake in such a comparison shows only where two keys collide, which 64 bits
//! never do in a test. With the feature `collide`, which only tests turn on, every hash is the same and every table starts with room
//! for next to nothing: each look-up then meets every key, and each table grows.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// Makes the hashers of the tables.
#[cfg(not(feature = "collide"))]
pub type Hashing = rustc_hash::FxBuildHasher;

/// Makes the hashers of the tables: all hash to the same.
#[cfg(feature = "collide")]
pub type Hashing = std::hash::BuildHasherDefault<Same>;

/// Makes the hashers of tables whose keys the writer of a file chooses: seeded at random, so that no file can be prepared whose keys
/// collide.
#[cfg(not(feature = "collide"))]
pub type Seeded = hashbrown::DefaultHashBuilder;

/// Makes the hashers of tables whose keys the writer of a file chooses: all hash to the same.
#[cfg(feature = "collide")]
pub type Seeded = Hashing;

/// A number of 61 bits that is another in every process, for hashes that are worked out by hand.
pub fn secret() -> u64 {
    static SECRET: OnceLock<u64> = OnceLock::new();
    *SECRET.get_or_init(|| RandomState::new().hash_one(0) >> 3)
}

/// A hasher that hears nothing.
#[cfg(feature = "collide")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Same;

#[cfg(feature = "collide")]
impl std::hash::Hasher for Same {
    fn finish(&self) -> u64 {
        0
    }
    fn write(&mut self, _: &[u8]) {}
}

/// What a table sees of a hash that was worked out without [`Hashing`].
#[inline]
pub const fn hashed(hash: u64) -> u64 {
    if cfg!(feature = "collide") { 0 } else { hash }
}

/// The room that a table, or a log that is swept when it is full, starts with; `usual` is a power of two.
pub const fn room(usual: usize) -> usize {
    if cfg!(feature = "collide") { 2 } else { usual }
}
