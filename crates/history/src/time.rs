//! When was it? A time exactly as the source wrote it, and comparisons that round nothing.
//!
//! Clocks give integers (nanoseconds), decimals (seconds) or ISO 8601 (`2026-11-15T17:43:16.123456789Z`), and one history may mix them. A time is
//! a [`Time`]: mantissa · 10^exponent, so `1700000000.123456791` keeps all its digits where an f64 keeps sixteen. ISO 8601 is read
//! as seconds since 1970-01-01T00:00:00Z. At most [`DIGITS`] digits and an exponent of [`EXPONENT`] either way: a comparison is a few
//! operations on 128-bit integers, however hostile the file.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The most digits that count: 10^36 times ten still fits an i128.
const DIGITS: usize = 36;

/// The largest exponent, and the negative of the smallest; every f64 is within.
const EXPONENT: i64 = 400;

/// A time: mantissa · 10^exponent. The exponent of a whole number that was written without a point is 0.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    mantissa: i128,
    exponent: i16,
}

impl From<i64> for Time {
    fn from(time: i64) -> Self {
        Time { mantissa: time.into(), exponent: 0 }
    }
}

impl Time {
    /// The number that the text names: an optional sign, digits, a fraction, an exponent. An error says what was expected.
    pub fn number(text: &str) -> Result<Time, String> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (number, power) = match rest.split_once(['e', 'E']) {
            Some((number, power)) => (number, exponent(power).ok_or_else(|| no_time(text))?),
            None => (rest, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) || number.ends_with('.') {
            return Err(no_time(text));
        }
        let whole = whole.trim_start_matches('0');
        let long = whole.len() + fraction.len() > DIGITS;
        let fraction = if long { fraction.trim_end_matches('0') } else { fraction };
        let count = (whole.len() + fraction.len()) - leading_zeros(whole, fraction);
        if count > DIGITS {
            return Err(format!("a time of {count} digits: expected at most {DIGITS}"));
        }
        let mantissa = whole.bytes().chain(fraction.bytes()).fold(0i128, |sum, b| sum * 10 + i128::from(b - b'0'));
        let exponent = power.saturating_sub(fraction.len() as i64);
        let exponent = if mantissa == 0 { exponent.clamp(-1, 0) } else { exponent };
        if exponent.abs() > EXPONENT {
            return Err(format!("time out of range: expected an exponent of at most {EXPONENT}"));
        }
        Ok(Time { mantissa: if negative { -mantissa } else { mantissa }, exponent: exponent as i16 })
    }

    /// The time of an ISO 8601 text, in seconds since 1970, and whether it names its zone; None if it is no such text. (Without a
    /// zone it is read as UTC; a history must not mix the two.)
    pub fn iso(text: &str) -> Option<(Time, bool)> {
        let (date, clock) = text.split_once(['T', 't', ' '])?;
        let [year, month, day] = fields::<3>(date, '-', [4, 2, 2])?;
        let zone = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
        let (clock, zone) = clock.split_at(zone);
        let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
        let [hour, minute, second] = fields::<3>(clock, ':', [2, 2, 2])?;
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let longest = [31, 28 + i64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let sound = (1..=12).contains(&month)
            && (1..=longest[month as usize - 1]).contains(&day)
            && hour < 24
            && minute < 60
            && second <= 60; // 60: a leap second
        if !sound || fraction.len() > 18 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset(zone)?;
        let scale = 10i128.pow(fraction.len() as u32);
        let part = if fraction.is_empty() { 0 } else { fraction.parse::<i128>().ok()? };
        let mantissa = i128::from(seconds) * scale + part;
        Some((Time { mantissa, exponent: -(fraction.len() as i16) }, !zone.is_empty()))
    }

    /// So many units of 10^`exponent` seconds.
    pub fn units(count: i64, exponent: i16) -> Time {
        Time { mantissa: count.into(), exponent }
    }

    /// Seconds since 1970 as ISO 8601, which names its zone (UTC) or does not: what [`Time::iso`] reads.
    pub fn to_iso(self, zoned: bool) -> String {
        let scale = 10i128.pow(u32::try_from(-self.exponent).unwrap_or(0).min(DIGITS as u32));
        let (seconds, part) = (self.mantissa.div_euclid(scale), self.mantissa.rem_euclid(scale));
        let (day, second) = (seconds.div_euclid(86_400) as i64, seconds.rem_euclid(86_400));
        let (year, month, day) = date(day);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let fraction = match part {
            0 => String::new(),
            part => format!(".{part:0>width$}", width = usize::try_from(-self.exponent).unwrap_or(0)),
        };
        let (fraction, zone) = (fraction.trim_end_matches('0'), if zoned { "Z" } else { "" });
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{zone}")
    }

    /// The sum, or this time where that would have too many digits.
    pub fn plus(self, span: Time) -> Time {
        self.sum(span).unwrap_or(self)
    }

    /// The sum; None where that would have too many digits.
    pub fn sum(self, span: Time) -> Option<Time> {
        let exponent = self.exponent.min(span.exponent);
        let sum = self.in_units(exponent)?.checked_add(span.in_units(exponent)?)?;
        (sum.unsigned_abs() < 10u128.pow(DIGITS as u32)).then_some(Time { mantissa: sum, exponent })
    }

    /// Is it written as a whole number?
    pub fn is_integer(self) -> bool {
        self.exponent == 0
    }

    /// Does the nearest f64, printed as short as possible, name the very same time?
    pub fn fits_float(self) -> bool {
        if self.mantissa.unsigned_abs() < 10u128.pow(15) && self.exponent.abs() < 280 {
            return true; // fifteen digits survive an f64
        }
        let number: f64 = self.as_float();
        number.is_finite() && Time::number(&format!("{number:e}")).is_ok_and(|time| time == self)
    }

    /// The nearest f64.
    pub fn as_float(self) -> f64 {
        format!("{}e{}", self.mantissa, self.exponent).parse().unwrap_or(f64::NAN)
    }

    /// The time in units of 10^`exponent`, which is not larger than its own; None if that overflows.
    pub(crate) fn in_units(self, exponent: i16) -> Option<i128> {
        let power = u32::try_from(self.exponent - exponent).ok()?;
        if self.mantissa == 0 { Some(0) } else { self.mantissa.checked_mul(10i128.checked_pow(power)?) }
    }

    pub(crate) fn exponent(self) -> i16 {
        self.exponent
    }

    /// A pair that is ordered as the time is, and cheaper to compare: the place of the first digit, and all digits moved up to it.
    pub(crate) fn key(self) -> (i32, i128) {
        if self.mantissa == 0 {
            return (0, 0);
        }
        let shift = DIGITS as u32 - self.mantissa.unsigned_abs().ilog10(); // ten to the DIGITS and one more digit still fit
        let place = i32::from(self.exponent) - shift as i32 + 2 * (EXPONENT as i32 + DIGITS as i32); // above zero
        (if self.mantissa < 0 { -place } else { place }, self.mantissa * 10i128.pow(shift))
    }

    /// The same time with the shortest mantissa.
    fn shortest(self) -> (i128, i16) {
        let (mut mantissa, mut exponent) = (self.mantissa, self.exponent);
        if mantissa == 0 {
            return (0, 0);
        }
        while mantissa % 10 == 0 {
            (mantissa, exponent) = (mantissa / 10, exponent + 1);
        }
        (mantissa, exponent)
    }
}

/// Reads times that are texts.
#[derive(Default)]
pub(crate) struct Clock {
    /// Do ISO 8601 texts name their zone? Known from the first.
    zoned: Option<bool>,
}

impl Clock {
    /// The time of a text: ISO 8601, or a number. An error says what was expected.
    pub fn read(&mut self, text: &str) -> Result<Time, String> {
        let Some((time, zoned)) = Time::iso(text) else { return Time::number(text) };
        if *self.zoned.get_or_insert(zoned) != zoned {
            let expected = "expected all times with a zone (Z, +01:00) or all without";
            return Err(format!("{expected}, found '{text}'"));
        }
        Ok(time)
    }

    /// Was there an ISO 8601 text?
    pub fn is_dated(&self) -> bool {
        self.zoned.is_some()
    }

    /// Goes on where another one ended that read a later piece of the file; false if the two disagree on zones.
    pub fn join(&mut self, later: &Clock) -> bool {
        later.zoned.is_none_or(|zoned| *self.zoned.get_or_insert(zoned) == zoned)
    }
}

/// How many digits of the mantissa are zeros in front.
fn leading_zeros(whole: &str, fraction: &str) -> usize {
    if whole.is_empty() { fraction.len() - fraction.trim_start_matches('0').len() } else { 0 }
}

fn no_time(text: &str) -> String {
    let start: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    format!("expected a time: a number, or ISO 8601 such as 2026-11-15T17:43:16.5Z, found '{start}'")
}

/// An exponent; one that is far too large is cut off, and refused later.
fn exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().unwrap_or(i64::MAX / 2).min(i64::MAX / 2);
    Some(if text.starts_with('-') { -size } else { size })
}

/// Numbers of so many digits each between separators.
fn fields<const N: usize>(text: &str, separator: char, lengths: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut found = [0; N];
    for (slot, length) in found.iter_mut().zip(lengths) {
        let part = parts.next()?;
        if part.len() != length || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *slot = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

/// The seconds by which a zone (``, `Z`, `+01:00`, `-0530`, `+02`) is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "" | "Z" | "z") {
        return Some(0);
    }
    let digits: String = zone[1..].chars().filter(|&c| c != ':').collect();
    let whole = zone.len() - 1 == digits.len() || zone.len() == 6 && zone.as_bytes()[3] == b':';
    if !whole || !matches!(digits.len(), 2 | 4) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = (digits[..2].parse::<i64>().ok()?, digits[2..].parse::<i64>().unwrap_or(0));
    let seconds = hours * 3600 + minutes * 60;
    (hours < 24 && minutes < 60).then_some(if zone.starts_with('-') { -seconds } else { seconds })
}

/// Days from 1970-01-01 to a date of the Gregorian calendar: whole 400-year cycles, then years that start in March, so that a
/// leap day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (cycle, of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    cycle * 146_097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + day_of_year - 719_468
}

/// The date of the Gregorian calendar so many days after 1970-01-01: the other way round.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (cycle, of_cycle) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, march) = (of_year - (153 * month + 2) / 5 + 1, month < 10);
    let month = if march { month + 3 } else { month - 9 };
    (cycle * 400 + year + i64::from(!march), month, day)
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.mantissa.cmp(&other.mantissa);
        }
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Time {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Time {}

impl Hash for Time {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.shortest().hash(state);
    }
}

impl fmt::Display for Time {
    /// The number as JSON has it, with all its digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.mantissa.unsigned_abs().to_string();
        let sign = if self.mantissa < 0 { "-" } else { "" };
        match usize::try_from(-self.exponent) {
            Ok(0) => write!(f, "{sign}{digits}"),
            Ok(places) if places <= DIGITS => {
                let digits = format!("{digits:0>width$}", width = places + 1);
                let (whole, fraction) = digits.split_at(digits.len() - places);
                write!(f, "{sign}{whole}.{fraction}")
            }
            _ => write!(f, "{sign}{digits}e{}", self.exponent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Time {
        Time::number(text).unwrap()
    }

    #[test]
    fn finding_5_times_are_compared_digit_by_digit() {
        let sorted = [
            "-1e400",
            "-1e308",
            "-2",
            "-1.5",
            "-1",
            "-1e-400",
            "0",
            "1e-400",
            "0.1",
            "0.10000000000000000001",
            "1",
            "1.5",
            "1700000000.123456790",
            "1700000000.123456791",
            "1700000000000000010",
            "1700000000000009000",
            "1700000000000009000.5",
            "18446744073709551616",
            "1e308",
            "1e400",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(time(a).cmp(&time(b)), i.cmp(&j), "{a} and {b}");
            }
        }
        assert_eq!(time("1.50"), time("15e-1"));
        assert_eq!(time("-0.0"), time("0"));
        assert_eq!(time("1e3"), Time::from(1000));
    }

    #[test]
    fn what_was_written_is_written_again() {
        for text in
            ["0", "-3", "1.0", "1.50", "-0.005", "1700000000.123456791", "18446744073709551616", "5e-324", "1e300"]
        {
            assert_eq!(time(text).to_string(), text);
        }
        assert_eq!(time("123e2").to_string(), "123e2");
    }

    #[test]
    fn hostile_numbers_are_refused_at_once() {
        for (text, words) in [
            ("1e401", "expected an exponent of at most 400"),
            ("1e-999999999999999999999", "expected an exponent of at most 400"),
            ("1234567890123456789012345678901234567", "a time of 37 digits: expected at most 36"),
            ("1.", "expected a time"),
            ("", "expected a time"),
            ("1e", "expected a time"),
            ("0x10", "expected a time"),
        ] {
            assert!(Time::number(text).unwrap_err().contains(words), "{text}");
        }
        assert_eq!(time(&format!("1.{}", "0".repeat(3000))), time("1"));
        assert_eq!(time(&format!("{}1", "0".repeat(3000))), time("1"));
        assert_eq!(time("0e999999"), time("0"));
    }

    #[test]
    fn iso_8601_is_seconds_since_1970() {
        for (text, seconds, zoned) in [
            ("1970-01-01T00:00:00Z", "0", true),
            ("1969-12-31T23:59:59.5Z", "-0.5", true),
            ("2026-11-15T17:43:16.123456789Z", "1794764596.123456789", true),
            ("2026-11-15T18:43:16+01:00", "1794764596", true),
            ("2026-11-15 12:13:16-0530", "1794764596", true),
            ("2000-02-29T12:00:00", "951825600", false),
        ] {
            assert_eq!(Time::iso(text), Some((time(seconds), zoned)), "{text}");
            assert_eq!(Time::iso(&time(seconds).to_iso(zoned)), Some((time(seconds), zoned)), "{text}");
        }
        assert_eq!(Time::units(951_825_600_250, -3).to_iso(true), "2000-02-29T12:00:00.25Z");
        for day in (-800_000..800_000).step_by(13) {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month, of_month), day);
        }
        for text in [
            "",
            "now",
            "2026-11-15",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00+1",
        ] {
            assert_eq!(Time::iso(text), None, "{text}");
        }
    }

    #[test]
    fn floats_that_say_the_same_are_known() {
        for text in ["0.5", "1700000000.1234567", "0.1", "1e300", "5e-324", "0.30000000000000004"] {
            assert!(time(text).fits_float(), "{text}");
        }
        for text in ["1700000000.123456791", "0.10000000000000000001", "1e-330", "1e400"] {
            assert!(!time(text).fits_float(), "{text}");
        }
    }
}
