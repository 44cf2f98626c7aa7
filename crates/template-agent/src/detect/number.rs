//! A number with its meaning: `42 % fewer entries`, `Average close: 3 days`.
//!
//! What this is not: a reader of all numbers. Years, times, dates and telephone numbers are none to be proud of.

use pagesmith_model::content::part::Stat;

use crate::stance::{self, label};
use crate::tidy;

/// Words before a number that belong to it.
const ABOUT: &[&str] = &[
    "over ",
    "more than ",
    "up to ",
    "about ",
    "around ",
    "almost ",
    "nearly ",
    "less than ",
    "under ",
    "only ",
    "just ",
    "über ",
    "mehr als ",
    "bis zu ",
    "rund ",
    "nur ",
    "fast ",
    "unter ",
    "plus de ",
    "jusqu'à ",
    "moins de ",
    "más de ",
    "hasta ",
    "menos de ",
    "mais de ",
    "até ",
    "oltre ",
    "più di ",
    "meer dan ",
    "ruim ",
    "более ",
    "до ",
];

/// Words behind a number that belong to it.
const UNITS: &[&str] = &[
    "%",
    "x",
    "×",
    "percent",
    "prozent",
    "million",
    "millions",
    "billion",
    "mio",
    "mio.",
    "mrd",
    "mrd.",
    "minutes",
    "minute",
    "min",
    "hours",
    "hour",
    "h",
    "days",
    "day",
    "weeks",
    "week",
    "months",
    "month",
    "years",
    "year",
    "seconds",
    "second",
    "ms",
    "tage",
    "tag",
    "tagen",
    "stunden",
    "stunde",
    "minuten",
    "wochen",
    "woche",
    "monate",
    "jahre",
    "jahren",
    "sekunden",
    "jours",
    "jour",
    "heures",
    "semaines",
    "mois",
    "ans",
    "días",
    "día",
    "horas",
    "semanas",
    "meses",
    "años",
    "dias",
    "anos",
    "giorni",
    "ore",
    "settimane",
    "mesi",
    "anni",
    "dagen",
    "uur",
    "weken",
    "maanden",
    "jaar",
    "€",
    "$",
    "£",
    "eur",
    "usd",
    "chf",
    "km",
    "kg",
    "km²",
    "m²",
    "gb",
    "tb",
    "years'",
    "times",
    "дней",
    "часов",
    "лет",
];

/// Signs that count things in scripts without spaces.
const COUNTERS: &str = "社日時間件人名年か月ヶカ倍万億円分秒国店舗点個台回冊歳都市天个家小时分钟亿元次명개회년월일시간분초배만억원곳％%";

/// A number with its meaning, if the text is that: `42 % fewer entries`, `Average close: 3 days`.
pub fn stat(text: &str) -> Option<Stat> {
    let text = text.trim().trim_end_matches(['.', '。', ',']);
    if tidy::length(text) > 140 {
        return None;
    }
    if let Some((name, at)) = label::split(text)
        && let Some(found) = number(&text[at..])
        && found.1.is_empty()
    {
        return stat_of(found.0, name);
    }
    let (value, rest) = number(text)?;
    stat_of(value, rest)
}

fn stat_of(value: &str, label: &str) -> Option<Stat> {
    let label = label.trim().trim_start_matches([':', '–', '—', '-', '：', 'の', 'が', 'を', '的']).trim();
    let size = tidy::length(label);
    let fits = (2..=100).contains(&size)
        && tidy::length(value) <= 24
        && tidy::says_something(label)
        && stance::is_copy(label);
    fits.then(|| Stat { value: tidy::capital(value), label: tidy::capital(label) })
}

/// The number that a text begins with, unit included, and what follows it.
fn number(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let folded = tidy::folded(tidy::head(text, 40));
    let about = ABOUT.iter().find(|word| folded.starts_with(*word)).map_or(0, |word| word.len());
    let digits_at = text.get(about..)?.trim_start_matches(|char: char| "€$£¥~≈<>+-−–±≤≥ ".contains(char));
    if !digits_at.starts_with(|char: char| char.is_numeric()) {
        return None;
    }
    let start = text.len() - digits_at.len();
    let is_part = |char: char| char.is_numeric() || ".,/'’%×+€$£¥٪".contains(char) || COUNTERS.contains(char);
    let mut end = start + digits_at.find(|char| !is_part(char)).unwrap_or(digits_at.len());
    let bare = text[start..end].trim_end_matches(['.', ',', '/', '\'']);
    end = start + bare.len();
    // `10x`, `50k`, `3M`, `99.9%ig`: letters that stick to the number.
    let stuck = text[end..].chars().take_while(|char| char.is_alphabetic()).count();
    let letters: String = text[end..].chars().take(stuck).collect();
    if stuck > 0 {
        let known = matches!(
            letters.as_str(),
            "x" | "X"
                | "k"
                | "K"
                | "M"
                | "m"
                | "B"
                | "bn"
                | "h"
                | "s"
                | "d"
                | "min"
                | "ms"
                | "TB"
                | "GB"
                | "km"
                | "kg"
        );
        let is_wide = letters.chars().all(|char| char > '\u{2e80}');
        if !known && !is_wide {
            return None;
        }
        if known {
            end += letters.len();
            end += text[end..].len() - text[end..].trim_start_matches('+').len();
        }
    }
    if !is_count(bare) || text[end..].starts_with([':', '-', '–']) {
        return None;
    }
    let rest = text[end..].trim_start();
    let word = rest.split([' ', '-', ',']).next().unwrap_or_default();
    if UNITS.contains(&tidy::folded(word).as_str()) {
        end = text.len() - rest.len() + word.len();
        return Some((text[..end].trim(), text[end..].trim()));
    }
    // A year is no number to be proud of, and two numbers in a row are a telephone's.
    let is_year = bare.len() == 4
        && about == 0
        && start == 0
        && bare.parse::<u16>().is_ok_and(|year| (1900..=2100).contains(&year));
    let is_next = rest.starts_with(|char: char| char.is_ascii_digit());
    (!is_year && !is_next).then(|| (text[..end].trim(), text[end..].trim()))
}

fn is_count(bare: &str) -> bool {
    let points = bare.matches('.').count();
    let slashes = bare.matches('/').count();
    let groups = bare
        .split(['.', ','])
        .skip(1)
        .all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()));
    (points < 2 || groups) && slashes < 2 && bare.len() <= 24
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_meaning() {
        for (text, value, label) in [
            ("42 % fewer manual journal entries", "42 %", "Fewer manual journal entries"),
            ("Average close: 3 days", "3 days", "Average close"),
            ("600+ finance teams.", "600+", "Finance teams"),
            ("Over 1,200 shops in Europe", "Over 1,200", "Shops in Europe"),
            ("24/7 support by humans", "24/7", "Support by humans"),
            ("€2.3M saved in a year", "€2.3M", "Saved in a year"),
            ("10x faster than before", "10x", "Faster than before"),
            ("導入企業数：600社", "600社", "導入企業数"),
            ("98 % der Kunden bleiben", "98 %", "Der Kunden bleiben"),
        ] {
            let found = stat(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.value.as_str(), found.label.as_str()), (value, label));
        }
        for none in [
            "2024 was our best year",
            "10:30 Opening",
            "12.05.2024 Start",
            "+49 30 123456 phone",
            "42",
            "no number",
            "1st place",
        ] {
            assert_eq!(stat(none), None, "{none}");
        }
    }
}
