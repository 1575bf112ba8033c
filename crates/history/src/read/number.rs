//! Which number do these digits name? Shared by JSON and EDN.
//!
//! Integers of up to 18 digits are summed on the way; longer ones keep all their digits. A
//! number of more than [`LONGEST`] characters is refused, because printing and comparing
//! numbers should never be what a file costs.

use super::cursor::{Cursor, Read, fault};
use crate::{ValueId, Values};

/// The most characters a number may have.
const LONGEST: usize = 4096;

/// A number as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number<'a> {
    /// An integer that fits 64 bits.
    Int(i64),
    /// The digits of one that does not, with its sign.
    Big(&'a str),
    /// A number with a fraction or an exponent, finite.
    Float(f64),
}

impl Number<'_> {
    /// The id of the number.
    #[inline]
    pub fn intern(self, values: &mut Values) -> ValueId {
        match self {
            Number::Int(number) => values.int(number),
            Number::Big(digits) => values.integer(digits),
            Number::Float(number) => values.float(number),
        }
    }
}

/// A number as it stands in the text, not yet understood.
pub(super) enum Written<'a> {
    /// An integer of up to 18 digits.
    Small(i64),
    /// The characters of one that is longer.
    Whole(&'a str),
    /// The characters of a number with a fraction or an exponent.
    Fraction(&'a str),
}

/// Reads a number; the cursor stands on its sign or first digit. Leaves what follows it to the caller.
#[inline]
pub(super) fn number<'a>(cursor: &mut Cursor<'a>) -> Read<Number<'a>> {
    let start = cursor.at;
    match written(cursor)? {
        Written::Small(number) => Ok(Number::Int(number)),
        Written::Whole(text) => Ok(text.parse().map_or(Number::Big(text), Number::Int)),
        Written::Fraction(text) => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Number::Float(number)),
            _ => {
                let found = super::cursor::Quoted(text).to_string();
                Err(fault(start, format!("number out of range: expected at most 1.8e308, found {found}")))
            }
        },
    }
}

/// Reads the characters of a number.
#[inline]
pub(super) fn written<'a>(cursor: &mut Cursor<'a>) -> Read<Written<'a>> {
    let start = cursor.at;
    let negative = cursor.peek() == Some(b'-');
    if negative || cursor.peek() == Some(b'+') {
        cursor.at += 1;
    }
    let first = cursor.at;
    let mut sum: i64 = 0;
    while let Some(digit @ b'0'..=b'9') = cursor.peek() {
        sum = sum.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
        cursor.at += 1;
    }
    let digits = cursor.at - first;
    if digits == 0 {
        return Err(cursor.expected("a digit"));
    }
    if digits > 1 && cursor.text.as_bytes()[first] == b'0' {
        return Err(fault(start, "a number must not begin with 0"));
    }
    if matches!(cursor.peek(), Some(b'.' | b'e' | b'E')) {
        return fraction(cursor, start).map(Written::Fraction);
    }
    if digits <= 18 {
        return Ok(Written::Small(if negative { -sum } else { sum }));
    }
    refuse_long(start, cursor.at)?;
    Ok(Written::Whole(&cursor.text[start..cursor.at]))
}

/// The number that starts at `start`; the cursor stands behind its integer part.
fn fraction<'a>(cursor: &mut Cursor<'a>, start: usize) -> Read<&'a str> {
    if cursor.eat(b'.') && cursor.take_while(|b| b.is_ascii_digit()).is_empty() {
        return Err(cursor.expected("a digit after the point"));
    }
    if cursor.eat(b'e') || cursor.eat(b'E') {
        let _ = cursor.eat(b'+') || cursor.eat(b'-');
        if cursor.take_while(|b| b.is_ascii_digit()).is_empty() {
            return Err(cursor.expected("the digits of an exponent"));
        }
    }
    refuse_long(start, cursor.at)?;
    Ok(&cursor.text[start..cursor.at])
}

fn refuse_long(start: usize, end: usize) -> Read<()> {
    let length = end - start;
    if length <= LONGEST {
        return Ok(());
    }
    Err(fault(start, format!("a number of {length} characters: expected at most {LONGEST}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Number<'_>, String> {
        number(&mut Cursor::new(text)).map_err(|f| f.message)
    }

    #[test]
    fn numbers_of_every_size() {
        assert_eq!(read("0"), Ok(Number::Int(0)));
        assert_eq!(read("-17,"), Ok(Number::Int(-17)));
        assert_eq!(read("999999999999999999"), Ok(Number::Int(999_999_999_999_999_999)));
        assert_eq!(read("-9223372036854775808"), Ok(Number::Int(i64::MIN)));
        assert_eq!(read("9223372036854775808"), Ok(Number::Big("9223372036854775808")));
        assert_eq!(read("1.5e3"), Ok(Number::Float(1500.0)));
        assert_eq!(read("-2E-1"), Ok(Number::Float(-0.2)));
    }

    #[test]
    fn numbers_that_are_none() {
        assert_eq!(read("-x").unwrap_err(), "expected a digit, found 'x'");
        assert_eq!(read("1.").unwrap_err(), "expected a digit after the point, found the end of the file");
        assert_eq!(read("1e+").unwrap_err(), "expected the digits of an exponent, found the end of the file");
        assert_eq!(read("007").unwrap_err(), "a number must not begin with 0");
        let range = "number out of range: expected at most 1.8e308, found '1e999999'";
        assert_eq!(read("1e999999").unwrap_err(), range);
        let long = "9".repeat(1_000_000);
        assert_eq!(read(&long).unwrap_err(), "a number of 1000000 characters: expected at most 4096");
        assert!(matches!(read(&long[..4096]), Ok(Number::Big(_))));
    }
}
