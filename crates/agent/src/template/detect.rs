//! What a piece of text is: a number with its meaning, a quotation with its author, a titled point, rows of a table.
//!
//! What this is not: sure. Each test answers only for the clear cases; the rest stays text, which is never wrong.

use pagesmith_model::content::part::{Stat, Testimonial};

use super::outline::Grid;
use super::rich::Rich;
use super::stance::{self, label};
use super::tidy;

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

/// What somebody said and who, by the lines of a paragraph; `marked` if it stands as a quotation.
pub fn voice(lines: &[Rich], marked: bool) -> Option<Testimonial> {
    let last = lines.last()?.plain().trim();
    if lines.len() > 1 && last.starts_with(['—', '–', '-', '―', '~']) {
        let said = Rich::joined(&lines[..lines.len() - 1]);
        let quote = unquoted(said.plain()).map_or(said.plain(), |(quote, _)| quote);
        let is_said = marked || quote.len() != said.plain().len();
        return if is_said { testimonial(quote, last) } else { None };
    }
    let all = Rich::joined(lines);
    if let Some((quote, rest)) = unquoted(all.plain()) {
        return testimonial(quote, rest);
    }
    let dash = [" — ", " – ", " ― ", "――"]
        .iter()
        .filter_map(|dash| all.plain().rfind(dash))
        .max()
        .filter(|_| marked)?;
    testimonial(&all.plain()[..dash], &all.plain()[dash..])
}

/// What stands between quotation marks at the text's start, and what follows.
fn unquoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let open = text.chars().next()?;
    let closing: &[char] = match open {
        '“' | '"' | '„' | '‟' => &['”', '"', '“'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        '‘' => &['’'],
        _ => return None,
    };
    let inner = &text[open.len_utf8()..];
    let end = inner.rfind(|char| closing.contains(&char))?;
    let behind = inner[end..].chars().next().map_or(0, char::len_utf8);
    Some((inner[..end].trim(), inner[end + behind..].trim()))
}

fn testimonial(quote: &str, attribution: &str) -> Option<Testimonial> {
    let is_mark = |char: char| char.is_whitespace() || "—–-―~,:(（・".contains(char);
    let who = attribution.trim_start_matches(is_mark).trim_end_matches([')', '）', '.', ' ']);
    let who = who.strip_prefix("said ").or_else(|| who.strip_prefix("says ")).unwrap_or(who);
    let (author, role) = who.split_once([',', '，', '、', '|', '（', '(', '،']).unwrap_or((who, ""));
    let (author, role) = (author.trim(), role.trim().trim_end_matches([')', '）']));
    let quote = tidy::one_line(quote.trim().trim_matches(['"', '“', '”', '„']));
    let fits = (2..=80).contains(&tidy::length(author))
        && author.split_whitespace().count() <= 6
        && author.chars().any(char::is_alphabetic)
        && !author.contains(['.', '?', '!']) | author.contains(". ") | author.ends_with('.')
        && tidy::says_something(&quote)
        && tidy::length(role) <= 200
        && stance::is_copy(&quote)
        && stance::is_copy(author);
    fits.then(|| Testimonial {
        quote: tidy::fit(&quote, 700),
        author: author.to_owned(),
        role: (!role.is_empty()).then(|| role.to_owned()),
        picture: None,
    })
}

/// A point with a title of its own: `**Fast** – it is`, `Fast: it is`.
pub fn titled(line: &Rich) -> Option<(String, Rich)> {
    let plain = line.plain();
    let end = match line.markdown().strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some((strong, _)) if !strong.contains('\\') && !strong.contains('[') && plain.starts_with(strong) => {
            strong.len()
        }
        _ => match label::split(plain) {
            Some((name, _)) => name.len(),
            None => [" – ", " — ", " - "].iter().filter_map(|dash| plain.find(dash)).min()?,
        },
    };
    let title = plain[..end].trim().trim_end_matches([':', '.', '：', ',']);
    let rest = plain[end..].trim_start_matches(|char: char| char.is_whitespace() || ":：–—-.".contains(char));
    let size = tidy::length(title);
    let is_title =
        (2..=70).contains(&size) && title.split_whitespace().count() <= 9 && tidy::says_something(title);
    is_title.then(|| (tidy::capital(title), line.after(plain.len() - rest.len())))
}

/// A table out of lines with the same separators, the first of them its head.
pub fn grid(lines: &[Rich]) -> Option<Grid> {
    if lines.len() < 3 || lines.len() > 200 {
        return None;
    }
    let separator = ['\t', ';', '|', ','].into_iter().find(|mark| {
        let count = |line: &Rich| line.plain().matches(*mark).count();
        let first = count(&lines[0]);
        let least = if *mark == ',' { 2 } else { 1 };
        first >= least && first < 12 && lines.iter().all(|line| count(line) == first)
    })?;
    let row = |line: &Rich| {
        line.plain().split(separator).map(|cell| cell.trim().trim_matches('"').to_owned()).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = lines.iter().map(row).collect();
    let is_cells =
        rows.iter().flatten().all(|cell| tidy::length(cell) <= 60 && !cell.ends_with(['.', '!', '?']));
    let mut rows = rows.into_iter();
    let columns = rows.next()?;
    (is_cells && columns.iter().all(|name| !name.is_empty())).then(|| Grid { columns, rows: rows.collect() })
}

/// Whether a text is a question.
pub fn is_question(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['*', '"', '”', '」']);
    text.ends_with(['?', '？', '؟']) && (6..=300).contains(&tidy::length(text))
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

    #[test]
    fn quotations_have_an_author() {
        let of = |lines: &[&str], marked| {
            let lines: Vec<Rich> = lines.iter().map(|line| Rich::of(line)).collect();
            voice(&lines, marked).map(|found| (found.quote, found.author, found.role))
        };
        let dana = Some((
            "I went home at five.".to_owned(),
            "Dana Reyes".to_owned(),
            Some("CFO at Holloway".to_owned()),
        ));
        assert_eq!(of(&["“I went home at five.” — Dana Reyes, CFO at Holloway"], false), dana);
        assert_eq!(of(&["I went home at five.", "— Dana Reyes, CFO at Holloway"], true), dana);
        assert_eq!(of(&["\"I went home at five.\" (Dana Reyes, CFO at Holloway)"], false), dana);
        assert_eq!(
            of(&["「早く帰れました。」――田中太郎、経理部長"], false),
            Some(("早く帰れました。".to_owned(), "田中太郎".to_owned(), Some("経理部長".to_owned())))
        );
        assert_eq!(of(&["“Nobody said it.”"], true), None);
        assert_eq!(of(&["Plain text — with a dash"], false), None);
    }

    #[test]
    fn points_have_titles() {
        let mut line = Rich::default();
        line.push_mark("**");
        line.push_text("One audit trail");
        line.push_mark("**");
        line.push_text(": every change has a name.");
        assert_eq!(titled(&line), Some(("One audit trail".to_owned(), Rich::of("every change has a name."))));
        assert_eq!(titled(&Rich::of("Fast – it is")), Some(("Fast".to_owned(), Rich::of("it is"))));
        assert_eq!(titled(&Rich::of("No title in here")), None);
    }

    #[test]
    fn rows_with_the_same_separators_are_a_table() {
        let lines: Vec<Rich> = ["Plan;Price", "Small;9 €", "Large;29 €"].map(Rich::of).to_vec();
        let found = grid(&lines).unwrap();
        assert_eq!((found.columns, found.rows.len()), (vec!["Plan".to_owned(), "Price".to_owned()], 2));
        let prose: Vec<Rich> = ["We, the bakers, bake.", "You, the guests, eat.", "They, the birds, wait."]
            .map(Rich::of)
            .to_vec();
        assert_eq!(grid(&prose), None);
    }
}
