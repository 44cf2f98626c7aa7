//! Durations as operators write them: one whole number and one unit, such as `90d`, `24h`, `15m`, `60s`, `250ms`.
//!
//! What this is not: a parser of ISO 8601 or of sums like `1h30m`.
//! Invariant: reading what [`format_duration`] wrote gives the same duration, to the millisecond.

use std::time::Duration;

/// The units and their milliseconds, the greatest first.
const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Reads a whole number and its unit; the error is a sentence for the operator.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, unit) = text.split_at(end);
    let wrong =
        |what: &str| format!("`{text}` {what}; write a number and a unit (ms, s, m, h, d), such as 60s");
    if digits.is_empty() {
        return Err(wrong("does not begin with a whole number"));
    }
    if unit.is_empty() {
        return Err(wrong("has no unit"));
    }
    let Some((_, millis)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err(wrong("has an unknown unit"));
    };
    let count: Option<u64> = digits.parse().ok();
    count
        .and_then(|count| count.checked_mul(*millis))
        .map(Duration::from_millis)
        .ok_or_else(|| wrong("is too long"))
}

/// Writes the duration in the greatest unit that holds it without a rest; parts of a millisecond are dropped.
pub fn format_duration(duration: Duration) -> String {
    let millis = duration.as_millis();
    if millis == 0 {
        return "0s".to_owned();
    }
    let fitting = UNITS.iter().find(|(_, unit)| millis.is_multiple_of(u128::from(*unit)));
    let (name, unit) = fitting.unwrap_or(&("ms", 1));
    format!("{}{name}", millis / u128::from(*unit))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_each_unit() {
        assert_eq!(parse_duration("90d"), Ok(Duration::from_secs(90 * 86_400)));
        assert_eq!(parse_duration("24h"), Ok(Duration::from_secs(86_400)));
        assert_eq!(parse_duration("15m"), Ok(Duration::from_secs(900)));
        assert_eq!(parse_duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("0s"), Ok(Duration::ZERO));
    }

    #[test]
    fn says_what_is_wrong() {
        let message = |text| parse_duration(text).unwrap_err();
        assert!(message("").contains("does not begin with a whole number"));
        assert!(message("-5s").contains("does not begin with a whole number"));
        assert!(message("+5s").contains("does not begin with a whole number"));
        assert!(message("90").contains("has no unit"));
        assert!(message("5 s").contains("unknown unit"));
        assert!(message("1h30m").contains("unknown unit"));
        assert!(message("1.5h").contains("unknown unit"));
        assert!(message("5é").contains("unknown unit"));
        assert!(message("18446744073709551615d").contains("too long"));
        assert!(message("99999999999999999999s").contains("too long"));
    }

    #[test]
    fn writes_the_greatest_whole_unit() {
        assert_eq!(format_duration(Duration::ZERO), "0s");
        assert_eq!(format_duration(Duration::from_secs(86_400)), "1d");
        assert_eq!(format_duration(Duration::from_secs(90)), "90s");
        assert_eq!(format_duration(Duration::from_micros(1_500_999)), "1500ms");
    }

    proptest! {
        #[test]
        fn reading_gives_back_what_was_written(millis in any::<u64>()) {
            let duration = Duration::from_millis(millis);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
        }

        #[test]
        fn nothing_panics(text in ".*") {
            let _ = parse_duration(&text);
        }
    }
}
