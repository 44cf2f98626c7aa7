//! The numbers of a text, by their value: `1,200`, `1.200` and `1 200` are the same number, and so are `3.5` and `3,50`.
//!
//! What this is not: arithmetic. A number that was added up or rounded is another number.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::plain::Plain;
use crate::tidy;
use crate::words::Table;

/// A number in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// Its value: digits, perhaps with a full stop.
    pub value: String,
    /// Whether it is an amount of money.
    pub is_money: bool,
    /// Whether it is a percentage.
    pub is_share: bool,
    /// The other way to read it, if there is one: `7 100` can be two numbers, `9.30` can be a time.
    pub parts: Vec<String>,
}

/// The numbers of texts, for looking up.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    values: HashSet<String>,
    money: HashSet<String>,
    shares: HashSet<String>,
}

impl Numbers {
    /// Adds the numbers of a text with these words, those in words as well.
    pub fn add(&mut self, text: &str, words: &Plain) {
        for number in of(text) {
            if number.is_money {
                self.money.insert(number.value.clone());
            }
            if number.is_share {
                self.shares.insert(number.value.clone());
            }
            self.values.insert(number.value);
            self.values.extend(number.parts);
        }
        self.values.extend(in_words(words));
        self.values.extend(in_signs(text));
    }

    /// Whether the number is one of them.
    pub fn have(&self, number: &Number) -> bool {
        let has_parts = || {
            !number.parts.is_empty()
                && number.parts.iter().all(|part| part == "0" || self.values.contains(part))
        };
        self.values.contains(&number.value) || has_parts()
    }

    /// Whether it is one of them as an amount or a percentage, where it is one.
    pub fn have_unit(&self, number: &Number) -> bool {
        (number.is_money && self.money.contains(&number.value))
            || (number.is_share && self.shares.contains(&number.value))
    }
}

/// The numbers of a text that are written with digits.
pub fn of(text: &str) -> Vec<Number> {
    if !text.contains(|char| western(char).is_ascii_digit()) {
        return Vec::new();
    }
    let chars: Vec<char> = text.chars().map(western).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_ascii_digit() {
            let start = at;
            let (groups, end) = groups(&chars, at);
            at = end;
            if !is_ordinal(&chars, start, end) {
                add(&chars, start, end, &groups, &mut found);
            }
        } else {
            at += 1;
        }
    }
    found
}

/// The digit of any script as a western one.
fn western(char: char) -> char {
    if char.is_ascii() {
        return char;
    }
    const ZEROS: [u32; 6] = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
    let code = u32::from(char);
    let digit = ZEROS.iter().find_map(|zero| code.checked_sub(*zero).filter(|digit| *digit < 10));
    digit.and_then(|digit| char::from_digit(digit, 10)).unwrap_or(char)
}

/// The groups of digits of the number that begins here, each with the sign before it, and where it ends.
fn groups(chars: &[char], start: usize) -> (Vec<(char, String)>, usize) {
    let digits = |from: usize| -> String {
        chars.iter().skip(from).take_while(|char| char.is_ascii_digit()).collect()
    };
    let first = digits(start);
    let mut at = start + first.len();
    let mut groups = vec![('\0', first)];
    while let Some(&sign) = chars.get(at) {
        let next = digits(at + 1);
        let is_space = matches!(sign, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
        let is_mark = matches!(sign, '.' | ',' | '\'' | '’' | '٬' | '٫' | '，' | '．');
        let fits_space = is_space
            && next.len() == 3
            && groups.iter().enumerate().all(|(at, (_, group))| match at {
                0 => group.len() <= 3 && !group.starts_with('0'),
                _ => group.len() == 3,
            });
        if next.is_empty() || !(is_mark || fits_space) {
            break;
        }
        at += 1 + next.len();
        let sign = match sign {
            '٬' | '，' => ',',
            '٫' | '．' => '.',
            '’' => '\'',
            _ if is_space => ' ',
            sign => sign,
        };
        groups.push((sign, next));
    }
    (groups, at)
}

/// `1. Measure` and `Step 1`: a place in an order, which says nothing.
fn is_ordinal(chars: &[char], start: usize, end: usize) -> bool {
    const STEPS: [&str; 9] = ["step", "schritt", "étape", "paso", "passo", "etapa", "stap", "ステップ", "第"];
    let is_first = chars[..start].iter().all(|char| !char.is_alphanumeric());
    let is_marked = matches!(chars.get(end), Some('.' | ')'))
        && chars.get(end + 1).is_some_and(|char| char.is_whitespace());
    let before: String = chars[start.saturating_sub(10)..start].iter().collect();
    let before = tidy::folded(before.trim_end());
    end - start <= 2 && (is_first && is_marked || STEPS.iter().any(|step| before.ends_with(step)))
}

fn add(chars: &[char], start: usize, end: usize, groups: &[(char, String)], found: &mut Vec<Number>) {
    let before: String = chars[start.saturating_sub(8)..start].iter().collect();
    let behind: String = chars[end..chars.len().min(end + 12)].iter().collect();
    let (zeros, behind) = magnitude(&behind);
    let (before, behind) = (tidy::folded(&before), tidy::folded(behind));
    let (is_money, is_share) =
        (is_money(before.trim_end(), behind.trim_start()), is_share(behind.trim_start()));
    let number = |value: String, parts| Number { value, is_money, is_share, parts };
    match value(groups) {
        Some(value) => {
            let is_time = is_time(groups) && (is_clock(&behind) || is_clock(&before));
            let is_spaced = groups.get(1).is_some_and(|(sign, _)| *sign == ' ');
            let parts = if is_time || is_spaced {
                groups.iter().map(|(_, digits)| whole(digits)).collect()
            } else {
                Vec::new()
            };
            found.push(number(scaled(&value, zeros), parts));
        }
        // A date or the number of a version: each of its numbers counts.
        None => found.extend(groups.iter().map(|(_, digits)| number(whole(digits), Vec::new()))),
    }
    // `9:00` is nine.
    if start > 0 && chars[start - 1] == ':' && groups.len() == 1 && groups[0].1 == "00" {
        found.pop();
    }
}

/// The value of groups of digits; nothing if they are several numbers.
fn value(groups: &[(char, String)]) -> Option<String> {
    let [(_, first), rest @ ..] = groups else { return None };
    let Some(((last_sign, last), middle)) = rest.split_last() else { return Some(whole(first)) };
    let is_grouped = |groups: &[(char, String)], sign: char| {
        (1..=3).contains(&first.len())
            && first != "0"
            && groups.iter().all(|(of, digits)| *of == sign && (2..=3).contains(&digits.len()))
    };
    let all =
        |groups: &[(char, String)]| -> String { groups.iter().map(|(_, digits)| digits.as_str()).collect() };
    if last.len() == 3 && is_grouped(rest, *last_sign) {
        return Some(whole(&all(groups)));
    }
    let middle_sign = middle.first().map(|(sign, _)| *sign);
    let is_fraction = matches!(last_sign, '.' | ',')
        && middle_sign.is_none_or(|sign| sign != *last_sign && is_grouped(middle, sign));
    is_fraction.then(|| fraction(&whole(&all(&groups[..groups.len() - 1])), last))
}

/// Digits without zeros in front.
fn whole(digits: &str) -> String {
    let bare = digits.trim_start_matches('0');
    if bare.is_empty() { "0".to_owned() } else { bare.to_owned() }
}

fn fraction(whole: &str, digits: &str) -> String {
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() { whole.to_owned() } else { format!("{whole}.{digits}") }
}

/// `40k` is 40,000: for how many zeros the letter behind a number stands, and what follows it.
fn magnitude(behind: &str) -> (usize, &str) {
    let mut chars = behind.chars();
    let zeros = match chars.next() {
        Some('k' | 'K') => 3,
        Some('M') => 6,
        _ => return (0, behind),
    };
    if chars.as_str().starts_with(char::is_alphanumeric) { (0, behind) } else { (zeros, chars.as_str()) }
}

fn scaled(value: &str, zeros: usize) -> String {
    let (before, after) = value.split_once('.').unwrap_or((value, ""));
    let moved: String = after.chars().chain(std::iter::repeat('0')).take(zeros).collect();
    let rest: String = after.chars().skip(zeros).collect();
    fraction(&whole(&format!("{before}{moved}")), &rest)
}

fn is_money(before: &str, behind: &str) -> bool {
    const SIGNS: [char; 11] = ['€', '$', '£', '¥', '￥', '₹', '₽', '₩', '₺', '円', '元'];
    const WORDS: [&str; 14] = [
        "eur", "usd", "gbp", "chf", "pln", "sek", "jpy", "brl", "euro", "dollar", "pound", "franken", "zł",
        "원",
    ];
    before.ends_with(SIGNS)
        || behind.starts_with(SIGNS)
        || WORDS.iter().any(|word| behind.starts_with(word) || before.ends_with(word))
}

fn is_share(behind: &str) -> bool {
    behind.starts_with(['%', '％', '٪'])
        || ["percent", "per cent", "prozent", "pour cent", "por ciento", "por cento", "procent", "パーセント"]
            .iter()
            .any(|word| behind.starts_with(word))
}

/// Whether these can be hours and minutes.
fn is_time(groups: &[(char, String)]) -> bool {
    let number = |digits: &str| digits.parse::<u32>().unwrap_or(u32::MAX);
    matches!(groups, [(_, hours), ('.', minutes)]
        if minutes.len() == 2 && number(hours) <= 24 && number(minutes) < 60)
}

/// Whether a text beside a number says that it is a time.
fn is_clock(beside: &str) -> bool {
    let mut words = beside.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty());
    words.any(|word| {
        matches!(word, "am" | "pm" | "a" | "p" | "h" | "uhr" | "at" | "um" | "uur" | "ore" | "from" | "ab")
    })
}

/// Words for numbers. What stands for an article as well is among them: a fact with it allows more, and no number is found by it.
const WORDS: &[(&str, &str)] = &[
    ("1", "one single first once ein eine einen einem einer eins un une uno una um uma een één 一"),
    ("2", "two both twice second couple zwei beide deux dos dois duas due twee 二 两 兩"),
    ("3", "three third drei trois tres três tre drie 三"),
    ("4", "four vier quatre cuatro quatro quattro 四"),
    ("5", "five fünf cinq cinco cinque vijf 五"),
    ("6", "six sechs seis sei zes 六"),
    ("7", "seven sieben sept siete sete sette zeven 七"),
    ("8", "eight acht huit ocho oito otto 八"),
    ("9", "nine neun neuf nueve nove negen 九"),
    ("10", "ten zehn dix diez dez dieci tien 十"),
    ("11", "eleven elf onze once undici"),
    ("12", "twelve dozen zwölf dutzend douze douzaine doce docena doze dúzia dodici twaalf"),
    ("13", "thirteen dreizehn treize trece treze tredici dertien"),
    ("14", "fourteen fortnight vierzehn quatorze catorce catorze quattordici veertien"),
    ("15", "fifteen fünfzehn quinze quince quindici vijftien"),
    ("16", "sixteen sechzehn seize dieciséis dezasseis sedici zestien"),
    ("18", "eighteen achtzehn dieciocho dezoito diciotto achttien"),
    ("20", "twenty zwanzig vingt veinte vinte venti twintig"),
    ("24", "vierundzwanzig"),
    ("30", "thirty dreißig trente treinta trinta trenta dertig"),
    ("40", "forty vierzig quarante cuarenta quarenta quaranta veertig"),
    ("50", "fifty half fünfzig hälfte cinquante cincuenta cinquenta cinquanta vijftig"),
    ("60", "sixty sechzig soixante sesenta sessenta sessanta zestig"),
    ("70", "seventy siebzig setenta settanta zeventig"),
    ("80", "eighty achtzig ochenta oitenta ottanta tachtig"),
    ("90", "ninety neunzig noventa novanta negentig"),
    ("100", "hundred hundert cent cien ciento cem cento honderd 百"),
    ("1000", "thousand tausend mille mil duizend 千"),
    ("10000", "万 萬"),
];

/// The values of numbers in words.
fn in_words(words: &Plain) -> impl Iterator<Item = String> {
    static VALUES: LazyLock<Table<&str>> = LazyLock::new(|| {
        let mut values = Table::default();
        for (value, names) in WORDS {
            names.split(' ').for_each(|name| *values.entry(name) = *value);
        }
        values
    });
    words.words().filter_map(|word| VALUES.get(word.hash, word.text)).map(|value| (*value).to_owned())
}

/// The values of numbers in Chinese characters: `三十五` is 35.
fn in_signs(text: &str) -> Vec<String> {
    const DIGITS: &str = "〇一二三四五六七八九";
    let digit =
        |char: char| DIGITS.chars().position(|digit| digit == char || (char == '两' && digit == '二'));
    let unit = |char: char| match char {
        '十' => Some(10),
        '百' => Some(100),
        '千' => Some(1000),
        _ => None,
    };
    let is_sign = |char: char| {
        !char.is_ascii() && (digit(char).is_some() || unit(char).is_some() || matches!(char, '万' | '萬'))
    };
    let mut found = Vec::new();
    for run in
        text.split(|char: char| !is_sign(char)).filter(|run| !run.is_empty() && run.chars().count() <= 12)
    {
        let (mut sum, mut part, mut last) = (0usize, 0usize, None);
        for char in run.chars() {
            match (digit(char), unit(char)) {
                (Some(digit), _) => last = Some(last.unwrap_or(0) * 10 + digit),
                (_, Some(unit)) => part += last.take().unwrap_or(1) * unit,
                _ => {
                    sum = (sum + part + last.take().unwrap_or(0)).max(1) * 10_000;
                    part = 0;
                }
            }
        }
        found.push((sum + part + last.unwrap_or(0)).to_string());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        of(text).into_iter().map(|number| number.value).collect()
    }

    #[test]
    fn numbers_go_by_their_value() {
        for (text, wanted) in [
            ("1,200 or 1.200 or 1 200 or 1'200 or 1200", vec!["1200"; 5]),
            ("3.5 or 3,50 or 3.50", vec!["3.5"; 3]),
            ("1.234.567,80 and 1,234,567.8", vec!["1234567.8"; 2]),
            ("0.125 and 4.0", vec!["0.125", "4"]),
            ("40k and 1.5k and 2M", vec!["40000", "1500", "2000000"]),
            ("12.05.2026 and 2.1.0", vec!["12", "5", "2026", "2", "1", "0"]),
            ("9:00 to 17:30", vec!["9", "17", "30"]),
            ("１２００円と٣٫٥", vec!["1200", "3.5"]),
            ("99.3%", vec!["99.3"]),
            ("1. Measure. Step 2: learn 7 things", vec!["7"]),
            ("SOC 2, 5kg, 3D", vec!["2", "5", "3"]),
        ] {
            assert_eq!(values(text), wanted, "{text}");
        }
    }

    #[test]
    fn money_and_percentages_are_told() {
        let units =
            |text: &str| of(text).iter().map(|number| (number.is_money, number.is_share)).collect::<Vec<_>>();
        assert_eq!(units("900 €, $40k, EUR 5, 3 Euro, 70円"), [(true, false); 5]);
        assert_eq!(units("60 %, 60%, 7 Prozent, 5％"), [(false, true); 4]);
        assert_eq!(units("60 vans, 1987"), [(false, false); 2]);
    }

    #[test]
    fn a_number_in_words_is_known_by_its_digits() {
        let mut facts = Numbers::default();
        let text = "Three vans and a dozen bikes, zwölf Monate, 三十五年, 五万人, from 9.30 am, 30 000 parts";
        facts.add(text, &Plain::of(text));
        for known in ["3", "12", "35", "50000", "9:30", "9.30 Uhr", "30,000"] {
            assert!(of(known).iter().all(|number| facts.have(number)), "{known}");
        }
        for unknown in ["4", "36", "5000", "3.5"] {
            assert!(!of(unknown).iter().all(|number| facts.have(number)), "{unknown}");
        }
    }
}
