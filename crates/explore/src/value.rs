//! What does one cell hold? One byte that says by itself what it is.
//!
//! A reference is told from a number by its byte alone, so the garbage collector needs no types, and whatever in a state is not a
//! value (positions, counts, kinds of nodes) stays below [`FIRST_NODE`].

/// No value.
pub const NONE: u8 = 0;
/// Not true.
pub const FALSE: u8 = 1;
/// True.
pub const TRUE: u8 = 2;
/// How many symbols a program may have.
pub const SYMBOLS: usize = 13;
/// Below every number.
pub const LEAST: u8 = 16;
/// Above every number.
pub const GREATEST: u8 = 155;
/// The number 0.
pub const ZERO: u8 = 36;
/// The reference to the first node.
pub const FIRST_NODE: u8 = 156;
/// How many nodes there may be.
pub const MOST_NODES: usize = 100;

/// The byte of a truth value.
#[inline]
pub const fn truth(holds: bool) -> u8 {
    if holds { TRUE } else { FALSE }
}

/// The number in a byte, if it is one.
#[inline]
pub const fn number(byte: u8) -> Option<i64> {
    if byte > LEAST && byte < GREATEST { Some(byte as i64 - ZERO as i64) } else { None }
}

/// The byte of a number, if it fits.
#[inline]
pub const fn byte_of(number: i64) -> Option<u8> {
    let byte = number.saturating_add(ZERO as i64);
    if byte > LEAST as i64 && byte < GREATEST as i64 { Some(byte as u8) } else { None }
}

/// Can it stand beside `<`?
#[inline]
pub const fn ordered(byte: u8) -> bool {
    byte >= LEAST && byte <= GREATEST
}

/// The node that a byte refers to, if it is a reference.
#[inline]
pub const fn node(byte: u8) -> Option<usize> {
    if byte >= FIRST_NODE { Some((byte - FIRST_NODE) as usize) } else { None }
}

/// Is it a truth value?
#[inline]
pub const fn is_truth(byte: u8) -> bool {
    byte == FALSE || byte == TRUE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_the_extremes_begin() {
        assert_eq!((byte_of(-19), byte_of(118)), (Some(17), Some(154)));
        assert_eq!((byte_of(-20), byte_of(119), byte_of(i64::MAX)), (None, None, None));
        for byte in 0..=u8::MAX {
            assert_eq!(number(byte).and_then(byte_of), number(byte).map(|_| byte));
            assert!(
                u8::from(node(byte).is_some()) + u8::from(ordered(byte)) + u8::from(byte < LEAST) == 1,
                "one kind each"
            );
        }
    }
}
