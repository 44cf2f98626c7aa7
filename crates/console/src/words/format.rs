//! Numbers, sizes, dates and distances in time as a language writes them.
//!
//! What differs between languages stands in the catalogues; here is the arithmetic. Points in time are told in UTC and say so:
//! the script of the console replaces them with the time of the browser's zone.

use fluent_bundle::FluentValue;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use pagesmith_model::text::turns_writing;
use pagesmith_model::time::Timestamp;

use super::Words;

/// What stands between groups of digits and before fractions.
#[derive(Debug, Clone)]
pub(super) struct Marks {
    pub group: String,
    pub decimal: String,
}

impl Marks {
    /// Writes a plain decimal number in the language's way: `-1234567.5` as `-1,234,567.5`.
    pub fn apply(&self, plain: &str) -> String {
        let (sign, plain) = plain.strip_prefix('-').map_or(("", plain), |rest| ("\u{2212}", rest));
        let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let mut text = sign.to_owned();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) && digit.is_ascii_digit() {
                text.push_str(&self.group);
            }
            text.push(digit);
        }
        if !fraction.is_empty() {
            text.push_str(&self.decimal);
            text.push_str(fraction);
        }
        text
    }
}

const MONTHS: [&str; 12] = [
    "month-1", "month-2", "month-3", "month-4", "month-5", "month-6", "month-7", "month-8", "month-9",
    "month-10", "month-11", "month-12",
];

/// Units of bytes, each a thousand times the one before.
const SIZES: [&str; 5] =
    ["size-bytes", "size-kilobytes", "size-megabytes", "size-gigabytes", "size-terabytes"];

/// Units of distances: their length in seconds, and their keys for what was and what will be.
const DISTANCES: [(u64, &str, &str); 5] = [
    (365 * 86_400, "ago-years", "in-years"),
    (30 * 86_400, "ago-months", "in-months"),
    (86_400, "ago-days", "in-days"),
    (3_600, "ago-hours", "in-hours"),
    (60, "ago-minutes", "in-minutes"),
];

impl Words {
    /// A count of things with its digits in groups.
    pub fn count(self, count: u64) -> String {
        self.number(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// A whole number with its digits in groups.
    pub fn number(self, number: i64) -> String {
        self.decimal(&number.to_string())
    }

    /// A number that is written plainly, such as `1234.5`, in the language's way.
    pub fn decimal(self, plain: &str) -> String {
        self.marks().map_or_else(|| plain.to_owned(), |marks| marks.apply(plain))
    }

    /// A part of a whole as a percentage with at most one digit of fraction; nothing of nothing is none.
    pub fn percent(self, part: u64, whole: u64) -> String {
        let tenths = if whole == 0 {
            0
        } else {
            (u128::from(part) * 1000 + u128::from(whole) / 2) / u128::from(whole)
        };
        let plain = if tenths.is_multiple_of(10) {
            (tenths / 10).to_string()
        } else {
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        self.with("percent", &[("number", self.decimal(&plain).into())])
    }

    /// A number of bytes in the unit that keeps it short.
    pub fn bytes(self, bytes: u64) -> String {
        let mut unit = 0;
        let mut scale = 1_u64;
        while unit + 1 < SIZES.len() && bytes / scale >= 1000 {
            scale *= 1000;
            unit += 1;
        }
        let tenths = u128::from(bytes) * 10 / u128::from(scale);
        let plain = if tenths >= 100 || tenths.is_multiple_of(10) {
            (tenths / 10).to_string()
        } else {
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        let key = SIZES.get(unit).copied().unwrap_or("size-bytes");
        self.with(key, &[("number", self.decimal(&plain).into())])
    }

    /// A date, its month by name.
    pub fn date(self, date: Date) -> String {
        let month = self.month(date);
        let parts = [
            ("day", date.day().to_string().into()),
            ("month", month.into()),
            ("year", date.year().to_string().into()),
        ];
        self.with("format-date", &parts)
    }

    fn month(self, date: Date) -> String {
        let month = usize::try_from(date.month()).ok().and_then(|month| MONTHS.get(month.checked_sub(1)?));
        month.map(|key| self.text(key)).unwrap_or_default()
    }

    /// A date without its year, for where that is clear.
    pub fn day(self, date: Date) -> String {
        let month = self.month(date);
        self.with("format-day", &[("day", date.day().to_string().into()), ("month", month.into())])
    }

    /// A point in time to the minute, in UTC.
    pub fn date_time(self, time: Timestamp) -> String {
        let Ok(time) = jiff::Timestamp::from_microsecond(time.as_micros()) else { return time.to_string() };
        let time = time.to_zoned(TimeZone::UTC).datetime();
        let clock = format!("{:02}:{:02}", time.hour(), time.minute());
        self.with("format-date-time", &[("date", self.date(time.date()).into()), ("time", clock.into())])
    }

    /// How far a point in time lies from now, in one unit: `3 hours ago`, `in 2 days`.
    pub fn distance(self, time: Timestamp, now: Timestamp) -> String {
        let is_past = time <= now;
        let seconds = if is_past { now.since(time) } else { time.since(now) }.as_secs();
        let unit = DISTANCES.iter().find(|(length, ..)| seconds >= *length);
        let Some((length, past, future)) = unit else { return self.text("just-now") };
        let count = i64::try_from(seconds / length).unwrap_or(i64::MAX);
        self.with(if is_past { past } else { future }, &[("count", count.into())])
    }
}

/// The languages of an `Accept-Language` header, the most wanted first; what cannot be read counts as not wanted.
pub(super) fn by_preference(header: &str) -> impl Iterator<Item = &str> {
    let mut wanted: Vec<(u16, &str)> = header
        .split(',')
        .take(32)
        .filter_map(|item| {
            let mut parts = item.split(';').map(str::trim);
            let tag = parts.next()?;
            let quality = parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1000), thousandths)?;
            (quality > 0 && !tag.is_empty()).then_some((quality, tag))
        })
        .collect();
    wanted.sort_by_key(|(quality, _)| std::cmp::Reverse(*quality));
    wanted.into_iter().map(|(_, tag)| tag)
}

/// `0.8` as 800; nothing above 1 and no more than three digits.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction = format!("{fraction:0<3}").parse::<u16>().ok()?;
    let value = whole.parse::<u16>().ok()?.checked_mul(1000)?.checked_add(fraction)?;
    (value <= 1000).then_some(value)
}

/// A text that holds letters written from right to left, between marks that keep it from reordering what stands around it. Signs within
/// it that turn the writing around are left out: they would end that, or reach beyond the text.
pub(super) fn isolated<'a>(value: &FluentValue<'a>) -> FluentValue<'a> {
    match value {
        FluentValue::String(text)
            if text.chars().any(|char| is_right_to_left(char) || turns_writing(char)) =>
        {
            let kept: String = text.chars().filter(|char| !turns_writing(*char)).collect();
            FluentValue::from(format!("\u{2068}{kept}\u{2069}"))
        }
        other => other.clone(),
    }
}

fn is_right_to_left(char: char) -> bool {
    matches!(u32::from(char), 0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
}
