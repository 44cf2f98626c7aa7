//! Hours, days and weeks by the clocks of a time zone, as ranges of instants.
//!
//! A day begins at the first instant at which a clock there shows its date or a later one, a week with its Monday, and both end where
//! the next begins. So days may have 23 or 25 hours, and a day that a zone skips is none. An hour begins where a clock shows a full hour,
//! and where it is set: a repeated hour is two, and one in which a clock is set by half an hour is shorter. The rules of the
//! zones are part of the program. Invariant: every instant is in one span, and spans have no instant in common.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};

use crate::Timestamp;

static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

const HOUR: i64 = 3_600_000_000;

/// A time zone of the IANA database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    name: String,
    rules: TimeZone,
}

impl Zone {
    /// UTC.
    pub fn utc() -> Zone {
        Zone { name: "UTC".to_owned(), rules: TimeZone::UTC }
    }

    /// The zone of that name, in any case.
    pub fn find(name: &str) -> Option<Zone> {
        let rules = ZONES.get(name).ok().filter(|rules| !rules.is_unknown())?;
        let name = rules.iana_name()?.to_owned();
        Some(Zone { name, rules })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is UTC.
    pub fn is_utc(&self) -> bool {
        self.rules == TimeZone::UTC
    }

    /// The instant at which a clock shows that. A time that clocks skip is read with the offset before the change, one that they show twice
    /// is the first.
    pub fn at(&self, shown: DateTime) -> Option<Timestamp> {
        let at = self.rules.to_ambiguous_timestamp(shown).compatible().ok()?;
        Some(Timestamp::from_micros(at.as_microsecond()))
    }

    /// How far a clock is ahead of UTC, in microseconds.
    fn ahead(&self, instant: Timestamp) -> i64 {
        i64::from(self.rules.to_offset(moment(instant)).seconds()) * 1_000_000
    }

    /// The first instant at which a clock shows that date or a later one.
    fn start_of(&self, date: Date) -> Timestamp {
        let midnight = date.at(0, 0, 0, 0);
        let at = |offset: Offset| offset.to_timestamp(midnight).unwrap_or(jiff::Timestamp::MAX);
        match self.rules.to_ambiguous_timestamp(midnight).offset() {
            AmbiguousOffset::Unambiguous { offset } => instant(at(offset)),
            // Of two midnights the earlier one.
            AmbiguousOffset::Fold { before, .. } => instant(at(before)),
            // No clock shows that midnight: they are set from before it to behind it.
            AmbiguousOffset::Gap { before, .. } => {
                let behind = instant(at(before));
                self.clock_set(behind).unwrap_or(behind)
            }
        }
    }

    /// The last time at or before an instant at which clocks were set.
    fn clock_set(&self, at: Timestamp) -> Option<Timestamp> {
        let behind = moment(Timestamp::from_micros(at.as_micros() + 1));
        let rules = self.rules.preceding(behind).map(|rule| instant(rule.timestamp()));
        rules.into_iter().find(|set| self.is_set(*set))
    }

    /// Whether clocks are set at an instant. Other changes of rules change only names.
    fn is_set(&self, at: Timestamp) -> bool {
        self.ahead(at) != self.ahead(Timestamp::from_micros(at.as_micros() - 1))
    }
}

fn moment(instant: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(instant.as_micros()).unwrap_or(jiff::Timestamp::MAX)
}

fn instant(moment: jiff::Timestamp) -> Timestamp {
    Timestamp::from_micros(moment.as_microsecond())
}

/// How long the spans of a calendar are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Interval {
    /// Hours.
    Hour,
    /// Days.
    #[default]
    Day,
    /// Weeks, from Monday on.
    Week,
}

/// Spans of a length by the clocks of a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    /// The zone.
    pub zone: Zone,
    /// The length.
    pub interval: Interval,
}

impl Calendar {
    /// The span of an instant.
    pub fn span_of(&self, instant: Timestamp) -> Range<Timestamp> {
        match self.interval {
            Interval::Hour => self.hour_of(instant),
            Interval::Day => self.days_of(instant, 1),
            Interval::Week => self.days_of(instant, 7),
        }
    }

    /// The parts of a range that lie in different spans, in order, each with the beginning of its span.
    pub fn parts(&self, range: &Range<Timestamp>) -> Vec<(Timestamp, Range<Timestamp>)> {
        let (mut parts, mut from) = (Vec::new(), range.start);
        while from < range.end {
            let span = self.span_of(from);
            let to = span.end.min(range.end);
            parts.push((span.start, from..to));
            from = to;
        }
        parts
    }

    /// The day of an instant, or its seven days from Monday on.
    fn days_of(&self, instant: Timestamp, days: i64) -> Range<Timestamp> {
        let date = self.zone.rules.to_datetime(moment(instant)).date();
        let since = if days == 1 { 0 } else { date.weekday().to_monday_zero_offset() };
        let mut first = date.saturating_sub(i64::from(since).days());
        let mut start = self.zone.start_of(first);
        // More than once where clocks were set back to the day before, or from the end of one day to that of another.
        loop {
            let Ok(next) = first.checked_add(days.days()) else {
                return start..Timestamp::from_micros(i64::MAX);
            };
            let end = self.zone.start_of(next);
            if instant < end {
                return start..end;
            }
            (first, start) = (next, end);
        }
    }

    fn hour_of(&self, instant: Timestamp) -> Range<Timestamp> {
        let ahead = self.zone.ahead(instant);
        let start = (instant.as_micros() + ahead).div_euclid(HOUR) * HOUR - ahead;
        let (start, end) = (Timestamp::from_micros(start), Timestamp::from_micros(start + HOUR));
        let set = self.zone.clock_set(instant).filter(|set| *set > start);
        let rules = self.zone.rules.following(moment(instant)).map(|rule| self::instant(rule.timestamp()));
        let next = rules.take_while(|set| *set < end).find(|set| self.zone.is_set(*set));
        set.unwrap_or(start)..next.unwrap_or(end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn calendar(zone: &str, interval: Interval) -> Calendar {
        Calendar { zone: Zone::find(zone).unwrap(), interval }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn span(zone: &str, interval: Interval, instant: &str) -> (String, String) {
        let span = calendar(zone, interval).span_of(at(instant));
        (span.start.to_string().replace(":00.000", ""), span.end.to_string().replace(":00.000", ""))
    }

    #[track_caller]
    fn is(zone: &str, interval: Interval, instant: &str, start: &str, end: &str) {
        assert_eq!(span(zone, interval, instant), (start.to_owned(), end.to_owned()));
    }

    #[test]
    fn zones_are_found_by_name_and_nothing_else_is() {
        assert_eq!(Zone::find("europe/berlin").unwrap().name(), "Europe/Berlin");
        assert_eq!(Zone::find("UTC"), Some(Zone::utc()));
        assert!(Zone::find("utc").unwrap().is_utc());
        for none in
            ["", "Mars/Olympus", "+01:00", "CET-1CEST", "Etc/Unknown", "../etc/passwd", "Berlin", "Local"]
        {
            assert_eq!(Zone::find(none), None, "{none}");
        }
    }

    #[test]
    fn days_are_as_long_as_clocks_make_them() {
        use Interval::Day;
        is("Europe/Berlin", Day, "2026-03-29T12:00:00Z", "2026-03-28T23:00Z", "2026-03-29T22:00Z");
        is("Europe/Berlin", Day, "2026-10-25T12:00:00Z", "2026-10-24T22:00Z", "2026-10-25T23:00Z");
        is("Asia/Kathmandu", Day, "2026-03-01T18:14:59Z", "2026-02-28T18:15Z", "2026-03-01T18:15Z");
        is("Australia/Lord_Howe", Day, "2026-04-04T20:00:00Z", "2026-04-04T13:00Z", "2026-04-05T13:30Z");
        // At midnight clocks went from 00:00 to 01:00.
        is("America/Havana", Day, "2026-03-08T05:00:00Z", "2026-03-08T05:00Z", "2026-03-09T04:00Z");
        // From 23:30 to 00:30.
        is("America/Toronto", Day, "1919-03-31T05:00:00Z", "1919-03-31T04:30Z", "1919-04-01T04:00Z");
        // The 30th of December was none.
        is("Pacific/Apia", Day, "2011-12-30T09:59:59Z", "2011-12-29T10:00Z", "2011-12-30T10:00Z");
        is("Pacific/Apia", Day, "2011-12-30T10:00:00Z", "2011-12-30T10:00Z", "2011-12-31T10:00Z");
        // From one minute past midnight back to the evening before.
        is("America/St_Johns", Day, "2010-11-07T02:40:00Z", "2010-11-07T02:30Z", "2010-11-08T03:30Z");
    }

    #[test]
    fn weeks_begin_on_monday() {
        use Interval::Week;
        is("UTC", Week, "2026-03-01T23:59:59Z", "2026-02-23T00:00Z", "2026-03-02T00:00Z");
        is("Europe/Berlin", Week, "2026-03-29T12:00:00Z", "2026-03-22T23:00Z", "2026-03-29T22:00Z");
        is("Pacific/Kiritimati", Week, "2026-03-01T10:00:00Z", "2026-03-01T10:00Z", "2026-03-08T10:00Z");
    }

    #[test]
    fn hours_begin_where_clocks_show_a_full_one_or_are_set() {
        use Interval::Hour;
        is("Europe/Berlin", Hour, "2026-10-25T00:10:00Z", "2026-10-25T00:00Z", "2026-10-25T01:00Z");
        is("Europe/Berlin", Hour, "2026-10-25T01:10:00Z", "2026-10-25T01:00Z", "2026-10-25T02:00Z");
        is("Asia/Kolkata", Hour, "2026-03-01T12:29:59Z", "2026-03-01T11:30Z", "2026-03-01T12:30Z");
        is("Asia/Kathmandu", Hour, "2026-03-01T12:15:00Z", "2026-03-01T12:15Z", "2026-03-01T13:15Z");
        // From 02:00 to 01:30, and half a year later from 02:00 to 02:30.
        is("Australia/Lord_Howe", Hour, "2026-04-04T14:59:59Z", "2026-04-04T14:00Z", "2026-04-04T15:00Z");
        is("Australia/Lord_Howe", Hour, "2026-04-04T15:10:00Z", "2026-04-04T15:00Z", "2026-04-04T15:30Z");
        is("Australia/Lord_Howe", Hour, "2026-10-03T15:30:00Z", "2026-10-03T15:30Z", "2026-10-03T16:00Z");
    }

    #[test]
    fn the_ends_of_time_have_spans() {
        for interval in [Interval::Hour, Interval::Day, Interval::Week] {
            for zone in ["UTC", "Asia/Tokyo", "America/Los_Angeles"] {
                for micros in [i64::MIN, -1, 0, i64::MAX] {
                    let span = calendar(zone, interval).span_of(Timestamp::from_micros(micros));
                    assert!(span.start <= span.end, "{zone} {micros}");
                }
            }
        }
    }

    /// The beginnings of spans within some days, found by looking at the clock of every minute.
    fn looked_up(calendar: &Calendar, from: i64, minutes: i64) -> Vec<i64> {
        let clock =
            |minute: i64| calendar.zone.rules.to_datetime(jiff::Timestamp::from_second(minute * 60).unwrap());
        let monday =
            |date: Date| date.saturating_sub(i64::from(date.weekday().to_monday_zero_offset()).days());
        let (mut found, mut latest) = (Vec::new(), clock(from).date());
        for minute in from + 1..from + minutes {
            let (before, now) = (clock(minute - 1), clock(minute));
            let begins = match calendar.interval {
                Interval::Hour => now.minute() == 0 || now != before.saturating_add(1.minute()),
                Interval::Day => now.date() > latest,
                Interval::Week => monday(now.date()) > monday(latest),
            };
            if begins {
                found.push(minute);
            }
            latest = latest.max(now.date());
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn spans_begin_where_looking_at_a_clock_every_minute_finds_it(
            zone in any::<prop::sample::Index>(), from in 5 * 365 * 1_440_i64..70 * 365 * 1_440, is_set in any::<bool>(),
            interval in prop::sample::select(vec![Interval::Hour, Interval::Day, Interval::Week]),
        ) {
            let names: Vec<String> = ZONES.available().map(|name| name.to_string()).collect();
            let Some(zone) = Zone::find(zone.get::<String>(&names)) else { return Ok(()) };
            let days = if interval == Interval::Week { 16 } else { 4 };
            // Often about a time at which clocks are set.
            let set = zone.rules.following(jiff::Timestamp::from_second(from * 60).unwrap()).next();
            let from = match set.map(|set| set.timestamp().as_second() / 60) {
                Some(set) if is_set => set - days * 720,
                _ => from,
            };
            let calendar = Calendar { zone, interval };
            // The first two days only tell which dates were shown before.
            let found = looked_up(&calendar, from - 2 * 1_440, (days + 2) * 1_440);
            let expected: Vec<i64> = found.into_iter().filter(|minute| *minute > from).collect();
            let micros = |minute: i64| Timestamp::from_micros(minute * 60_000_000);
            let parts = calendar.parts(&(micros(from)..micros(from + days * 1_440)));
            prop_assert_eq!(parts[0].1.start, micros(from));
            prop_assert!(parts.windows(2).all(|two| two[0].1.end == two[1].1.start));
            prop_assert!(parts.iter().all(|(start, part)| calendar.span_of(part.start).start == *start));
            let begun: Vec<i64> = parts[1..].iter().map(|(start, _)| start.as_micros() / 60_000_000).collect();
            prop_assert_eq!(begun, expected, "{}", calendar.zone.name());
        }
    }
}
