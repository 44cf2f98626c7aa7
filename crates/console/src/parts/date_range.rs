//! The days that figures are about: a few usual ranges as links, and two fields for any other.

use jiff::ToSpan as _;
use jiff::civil::Date;
use maud::{Markup, html};
use pagesmith_model::Timestamp;

use crate::words::Words;

/// The most days in one range.
const LONGEST: i32 = 731;

/// Days from the first to the last, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    /// The first day.
    pub from: Date,
    /// The last day, not before the first.
    pub to: Date,
}

/// The usual ranges: their length in days, and what they are called.
const USUAL: [(i32, &str); 4] = [(7, "range-7"), (30, "range-30"), (90, "range-90"), (365, "range-365")];

/// The day of an instant, in UTC.
pub fn day_of(now: Timestamp) -> Date {
    now.to_string().get(..10).and_then(|day| day.parse().ok()).unwrap_or(Date::ZERO)
}

impl DateRange {
    /// The last so many days up to today.
    pub fn last(days: i32, today: Date) -> DateRange {
        let from = today.checked_sub((days.clamp(1, LONGEST) - 1).days()).unwrap_or(today);
        DateRange { from, to: today }
    }

    /// What an address says, made sensible: days that cannot be read are the last thirty, swapped ones are turned around, those to come
    /// are left out, and the end of what is too long is kept.
    pub fn read(from: Option<&str>, to: Option<&str>, today: Date) -> DateRange {
        let day = |text: Option<&str>| text.and_then(|text| text.trim().parse::<Date>().ok());
        let (Some(from), Some(to)) = (day(from), day(to)) else { return DateRange::last(30, today) };
        let (from, to) = (from.min(to).min(today), from.max(to).min(today));
        let earliest = to.checked_sub((LONGEST - 1).days()).unwrap_or(from);
        DateRange { from: from.max(earliest), to }
    }

    /// From which instant on its days reach, and before which one they end, as the API is asked. Whole days are summed already.
    pub fn bounds(self) -> (String, String) {
        let midnight = |day: Date| format!("{day}T00:00:00.000Z");
        (midnight(self.from), midnight(self.to.checked_add(1.day()).unwrap_or(self.to)))
    }

    /// As many days just before.
    pub fn before(self) -> DateRange {
        let to = self.from.checked_sub(1.day()).unwrap_or(self.from);
        DateRange { from: to.checked_sub((self.days() - 1).days()).unwrap_or(to), to }
    }

    /// Its days, the first first.
    pub fn each_day(self) -> impl Iterator<Item = Date> {
        self.from.series(1.day()).take_while(move |day| *day <= self.to)
    }

    /// How many days it has.
    pub fn days(self) -> i32 {
        self.from.until(self.to).map_or(1, |span| span.get_days() + 1)
    }

    /// What an address says of it.
    pub fn query(self) -> String {
        format!("from={}&to={}", self.from, self.to)
    }
}

/// Draws the choice of days for the screen at `path`. What else its address says is kept: `kept` are names and values.
pub fn date_range(words: Words, path: &str, range: DateRange, today: Date, kept: &[(&str, &str)]) -> Markup {
    let url = |range: DateRange| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query
            .append_pair("from", &range.from.to_string())
            .append_pair("to", &range.to.to_string())
            .extend_pairs(kept);
        format!("{path}?{}", query.finish())
    };
    html! {
        div.range {
            ul.segments aria-label=(words.text("range")) {
                @for (days, key) in USUAL {
                    @let usual = DateRange::last(days, today);
                    li { a href=(url(usual)) aria-current=[(usual == range).then_some("true")] { (words.text(key)) } }
                }
            }
            details.menu {
                summary { (words.date(range.from)) " – " (words.date(range.to)) }
                form.menu-panel.form method="get" action=(path) {
                    @for (name, value) in kept { input type="hidden" name=(name) value=(value); }
                    div.field {
                        label for="range-from" { (words.text("range-from")) }
                        input #range-from type="date" name="from" value=(range.from) max=(today) required;
                    }
                    div.field {
                        label for="range-to" { (words.text("range-to")) }
                        input #range-to type="date" name="to" value=(range.to) max=(today) required;
                    }
                    button.button.primary type="submit" { (words.text("apply")) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use proptest::prelude::*;

    use super::{DateRange, LONGEST};

    const TODAY: Date = date(2026, 3, 20);

    #[test]
    fn days_are_made_sensible() {
        let read = |from, to| {
            let range = DateRange::read(Some(from), Some(to), TODAY);
            (range.query(), range.days())
        };
        assert_eq!(read("2026-03-01", "2026-03-07"), ("from=2026-03-01&to=2026-03-07".to_owned(), 7));
        assert_eq!(read("2026-03-07", "2026-03-01"), ("from=2026-03-01&to=2026-03-07".to_owned(), 7));
        assert_eq!(read("2026-03-19", "2030-01-01"), ("from=2026-03-19&to=2026-03-20".to_owned(), 2));
        assert_eq!(read("1970-01-01", "2026-03-20"), ("from=2024-03-20&to=2026-03-20".to_owned(), 731));
        assert_eq!(read("tomorrow", ""), ("from=2026-02-19&to=2026-03-20".to_owned(), 30));
    }

    proptest! {
        #[test]
        fn a_range_is_never_empty_nor_long_nor_to_come(from in "\\PC{0,12}|-?[0-9]{4,6}-[01][0-9]-[0-3][0-9]", to in "[0-9]{4}-[01][0-9]-[0-3][0-9]") {
            let range = DateRange::read(Some(&from), Some(&to), TODAY);
            prop_assert!(range.from <= range.to && range.to <= TODAY);
            prop_assert!((1..=LONGEST).contains(&range.days()));
            prop_assert_eq!(range.each_day().count(), usize::try_from(range.days()).unwrap());
        }

        #[test]
        fn as_many_days_come_just_before(days in 1..=LONGEST) {
            let (range, before) = (DateRange::last(days, TODAY), DateRange::last(days, TODAY).before());
            prop_assert_eq!(before.days(), days);
            prop_assert_eq!(before.to.tomorrow().unwrap(), range.from);
        }
    }
}
