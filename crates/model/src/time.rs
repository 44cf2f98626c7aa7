//! A point in time: microseconds of UTC, written with milliseconds and `Z` as the contract asks.
//!
//! What this is not: a clock (`operations` has it) or a calendar with zones.
//! Invariant: a `Timestamp` lies within the years 0000 to 9999, so that its text always has the
//! contract's form; whatever would lead outside stops at the edge.
//!
//! The calendar arithmetic is done by hand because one answer may hold eighty timestamps: writing
//! one takes a few divisions and no allocation. A test compares it with `jiff`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// Length in bytes of a timestamp's text, `YYYY-MM-DDTHH:MM:SS.mmmZ`.
pub const TEXT_LENGTH: usize = 24;

/// The contract's pattern for a timestamp: a valid UTC date with hours and minutes at least.
pub const PATTERN: &str = concat!(
    r"^(?:(?:[0-9][0-9][2468][048]|[0-9][0-9][13579][26]|[0-9][0-9]0[48]|[02468][048]00|[13579][26]00)",
    r"-02-29|[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
    r"|(?:02)-(?:0[1-9]|1[0-9]|2[0-8])))T(?:(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?(?:Z))$",
);

/// Microseconds at 0000-01-01T00:00:00Z.
const FIRST: i64 = -62_167_219_200_000_000;
/// Microseconds at 9999-12-31T23:59:59.999999Z.
const LAST: i64 = 253_402_300_799_999_999;

const MICROS_PER_DAY: i64 = 86_400_000_000;
const DAYS_PER_ERA: u32 = 146_097;
/// Days from 1 March of the year −400, where our first era of 400 years begins, to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468 + DAYS_PER_ERA as i64;

/// A point in time, in microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The timestamp this many microseconds after 1970; outside the years 0000 to 9999 the nearest edge.
    pub const fn from_micros(micros: i64) -> Self {
        if micros < FIRST {
            Self(FIRST)
        } else if micros > LAST {
            Self(LAST)
        } else {
            Self(micros)
        }
    }

    /// Microseconds since 1970; negative before.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole milliseconds since 1970, rounded down.
    pub const fn as_millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// This time and that much later, to the microsecond.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self::from_micros(self.0.saturating_add(micros_of(duration)))
    }

    /// This time and that much earlier, to the microsecond.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self::from_micros(self.0.saturating_sub(micros_of(duration)))
    }

    /// The time that has passed since `earlier`; zero if that lies later.
    pub fn since(self, earlier: Self) -> Duration {
        // Both lie within 10,000 years, so the difference fits; a negative one fails the conversion.
        Duration::from_micros(u64::try_from(self.0 - earlier.0).unwrap_or(0))
    }

    /// Writes the text `YYYY-MM-DDTHH:MM:SS.mmmZ` into the buffer, truncated to the millisecond.
    pub fn write(self, buffer: &mut [u8; TEXT_LENGTH]) -> &str {
        let days = self.0.div_euclid(MICROS_PER_DAY);
        // The day's remainder is below 86,400,000 ms and the shifted day above zero: both fit.
        let millis = (self.0.rem_euclid(MICROS_PER_DAY) / 1_000) as u32;
        let (year, month, day) = civil((days + DAYS_TO_1970) as u32);
        let seconds = millis / 1_000;
        *buffer = *b"0000-00-00T00:00:00.000Z";
        two_digits(buffer, 0, year / 100);
        two_digits(buffer, 2, year % 100);
        two_digits(buffer, 5, month);
        two_digits(buffer, 8, day);
        two_digits(buffer, 11, seconds / 3_600);
        two_digits(buffer, 14, seconds / 60 % 60);
        two_digits(buffer, 17, seconds % 60);
        two_digits(buffer, 20, millis % 1_000 / 10);
        buffer[22] = b'0' + (millis % 10) as u8;
        std::str::from_utf8(buffer).unwrap_or_default()
    }
}

fn micros_of(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

fn two_digits(buffer: &mut [u8; TEXT_LENGTH], at: usize, number: u32) {
    buffer[at] = b'0' + (number / 10) as u8;
    buffer[at + 1] = b'0' + (number % 10) as u8;
}

/// Year, month and day of the day counted from 1 March −400. Years begin in March here, so that a
/// leap day is the last of its year and the months' lengths follow one straight line.
fn civil(days: u32) -> (u32, u32, u32) {
    let era = days / DAYS_PER_ERA;
    let day_of_era = days % DAYS_PER_ERA;
    // Taking out the leap days passed so far (one in 1,460 days, but not in 36,524, but in 146,096) leaves
    // years of 365 days.
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + u32::from(month <= 2) - 400, month, day)
}

/// Days from 1970-01-01 to the given valid date; the reverse of [`civil`].
fn days_from_1970(year: u32, month: u32, day: u32) -> i64 {
    let year = year + 400 - u32::from(month <= 2);
    let from_march = if month > 2 { month - 3 } else { month + 9 };
    let year_of_era = year % 400;
    let day_of_era =
        365 * year_of_era + year_of_era / 4 - year_of_era / 100 + (153 * from_march + 2) / 5 + day - 1;
    i64::from(year / 400 * DAYS_PER_ERA + day_of_era) - DAYS_TO_1970
}

fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(400) || year.is_multiple_of(4) && !year.is_multiple_of(100) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The text is not a timestamp of the contract's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTimestamp;

impl fmt::Display for InvalidTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be a valid date and time in UTC, for example 2026-01-31T09:30:00.000Z")
    }
}

impl std::error::Error for InvalidTimestamp {}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    /// Reads `YYYY-MM-DDTHH:MM[:SS[.fraction]]Z`; digits beyond the microsecond are dropped.
    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        parse(text.as_bytes()).ok_or(InvalidTimestamp)
    }
}

fn parse(text: &[u8]) -> Option<Timestamp> {
    let (date, rest) = text.strip_suffix(b"Z")?.split_at_checked(16)?;
    for (at, separator) in [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':')] {
        if date[at] != separator {
            return None;
        }
    }
    let year = number(&date[..4])?;
    let (month, day) = (number(&date[5..7])?, number(&date[8..10])?);
    let (hour, minute) = (number(&date[11..13])?, number(&date[14..16])?);
    let (second, micros) = match rest {
        [] => (0, 0),
        [b':', tens, ones] => (number(&[*tens, *ones])?, 0),
        [b':', tens, ones, b'.', fraction @ ..] => (number(&[*tens, *ones])?, micros_of_fraction(fraction)?),
        _ => return None,
    };
    let valid_date = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    if !valid_date || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = i64::from(hour * 3_600 + minute * 60 + second);
    Some(Timestamp(
        days_from_1970(year, month, day) * MICROS_PER_DAY + seconds * 1_000_000 + i64::from(micros),
    ))
}

/// The number written by up to nine ASCII digits; `None` if anything else is among them.
fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0')))
}

fn micros_of_fraction(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let kept = &digits[..digits.len().min(6)];
    Some(number(kept)? * 10_u32.pow(6 - kept.len() as u32))
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.write(&mut [0; TEXT_LENGTH]))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.write(&mut [0; TEXT_LENGTH]))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TimestampVisitor)
    }
}

struct TimestampVisitor;

impl Visitor<'_> for TimestampVisitor {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a date and time in UTC")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Timestamp, E> {
        text.parse().map_err(E::custom)
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Timestamp")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "date-time",
            "pattern": PATTERN,
            "description": "An instant in UTC: ISO 8601 with a trailing `Z`. Answers have milliseconds.",
            "examples": ["2026-03-20T09:30:00.000Z"],
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::string::string_regex;
    use serde_json::json;

    use super::*;

    fn any_timestamp() -> impl Strategy<Value = Timestamp> {
        (FIRST..=LAST).prop_map(Timestamp::from_micros)
    }

    fn matching_text() -> impl Strategy<Value = String> {
        string_regex(PATTERN.trim_start_matches('^').trim_end_matches('$')).unwrap()
    }

    fn pattern() -> jsonschema::Validator {
        jsonschema::validator_for(&json!({ "type": "string", "pattern": PATTERN })).unwrap()
    }

    #[test]
    fn writes_the_contracts_form() {
        assert_eq!(Timestamp::from_micros(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_micros(-1).to_string(), "1969-12-31T23:59:59.999Z");
        assert_eq!(Timestamp::from_micros(1_709_210_096_789_999).to_string(), "2024-02-29T12:34:56.789Z");
        assert_eq!(Timestamp::from_micros(i64::MIN).to_string(), "0000-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_micros(i64::MAX).to_string(), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn reads_every_length_the_contract_allows() {
        let micros = |text: &str| text.parse().map(Timestamp::as_micros);
        assert_eq!(micros("1970-01-01T00:01Z"), Ok(60_000_000));
        assert_eq!(micros("1970-01-01T00:00:02Z"), Ok(2_000_000));
        assert_eq!(micros("1970-01-01T00:00:00.5Z"), Ok(500_000));
        assert_eq!(micros("1970-01-01T00:00:00.1234569Z"), Ok(123_456));
        for wrong in
            ["", "Z", "1970-01-01T00:00", "1970-01-01T00:00:00.Z", "1970-01-01T00:00+00:00", "1970-01-01"]
        {
            assert_eq!(micros(wrong), Err(InvalidTimestamp), "{wrong}");
        }
    }

    #[test]
    fn every_day_of_the_calendars_cycle_has_its_date() {
        let mut date = jiff::civil::date(1999, 12, 31);
        while date.year() < 2401 {
            let text = format!("{date}T00:00:00.000Z");
            assert_eq!(text.parse().map(|time: Timestamp| time.to_string()), Ok(text));
            date = date.tomorrow().unwrap();
        }
    }

    #[test]
    fn sums_stop_at_the_edges() {
        let now = Timestamp::from_micros(5);
        assert_eq!(now.plus(Duration::MAX), Timestamp(LAST));
        assert_eq!(now.minus(Duration::MAX), Timestamp(FIRST));
        assert_eq!(now.plus(Duration::from_secs(1)).since(now), Duration::from_secs(1));
        assert_eq!(now.since(now.plus(Duration::from_secs(1))), Duration::ZERO);
    }

    #[test]
    fn its_schema_is_the_contracts() {
        let contract: serde_json::Value =
            serde_json::from_str(include_str!("../../../api/contract.json")).unwrap();
        let mut schema = Timestamp::json_schema(&mut SchemaGenerator::default());
        for text in ["description", "examples"] {
            assert!(schema.remove(text).is_some());
        }
        assert_eq!(schema.to_value(), contract["components"]["schemas"]["Timestamp"]);
    }

    proptest! {
        #[test]
        fn reading_gives_back_what_was_written(time in any_timestamp()) {
            let truncated = Timestamp(time.as_millis() * 1_000);
            prop_assert_eq!(time.to_string().parse(), Ok(truncated));
            let json = serde_json::to_string(&time).unwrap();
            prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), truncated);
        }

        #[test]
        fn writes_what_jiff_writes(time in any_timestamp()) {
            let theirs = jiff::Timestamp::from_microsecond(time.0 - time.0.rem_euclid(1_000)).unwrap();
            prop_assert_eq!(time.to_string(), format!("{theirs:.3}"));
        }

        #[test]
        fn reads_all_that_the_contract_allows(text in matching_text()) {
            let read: Timestamp = text.parse().unwrap();
            prop_assert_eq!(&read.to_string()[..16], &text[..16]);
        }

        #[test]
        fn agrees_with_the_pattern(text in matching_text(), at in 0..40_usize, other in "[0-9:.TZ-]|.") {
            let (validator, mut chars) = (pattern(), text.chars().collect::<Vec<_>>());
            let at = at % chars.len();
            chars.splice(at..=at, other.chars());
            let text: String = chars.into_iter().collect();
            prop_assert_eq!(text.parse::<Timestamp>().is_ok(), validator.is_valid(&json!(text)), "{}", text);
        }

        #[test]
        fn dates_agree_with_the_pattern(year in 0..10_000, month in 0..14, day in 0..33) {
            let text = format!("{year:04}-{month:02}-{day:02}T00:00Z");
            prop_assert_eq!(text.parse::<Timestamp>().is_ok(), pattern().is_valid(&json!(text)), "{}", text);
        }
    }
}
