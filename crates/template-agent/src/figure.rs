//! Figures in a sentence: numbers with a unit or with what they count, and what they are compared with.
//!
//! What this is not: a reader of all numbers. Dates, times, prices, telephone and house numbers are no figures.

use pagesmith_model::content::part::Stat;
use regex::Regex;

use crate::clause;
use crate::count;
use crate::lexicon::Lexicon;
use crate::tidy;
use crate::words::Tokens;

mod address;
mod patterns;

use patterns::{CURRENCY, HOURS, JOINED_UNIT, LED, NUMBER, SUFFIX, THOUSANDS, UNSPACED_UNIT};

/// The longest value, in code points, which is what the schema allows.
const LONGEST_VALUE: usize = 40;
/// The fewest words of a clause behind a comma and a joint.
const LEAST_CLAUSE: usize = 5;
/// The most words of what a figure means.
const MOST_WORDS: usize = 44;

/// A number where it is in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Where its value begins, in bytes.
    pub start: usize,
    /// Where its value ends.
    pub end: usize,
    /// Whether it is an amount of money.
    pub is_money: bool,
    /// Whether a unit belongs to it.
    pub has_unit: bool,
}

/// The figures of a sentence in their order.
pub fn figures(text: &str, lexicon: &Lexicon) -> Vec<Figure> {
    figures_of(text, &Tokens::of(text), lexicon)
}

/// The same for a sentence whose words are known.
pub fn figures_of(text: &str, tokens: &Tokens, lexicon: &Lexicon) -> Vec<Figure> {
    let mut found: Vec<Figure> = Vec::new();
    let (Some(number), Some(suffix)) = (NUMBER.as_ref(), SUFFIX.as_ref()) else { return found };
    // To see that there is no digit is cheaper than to look for a number.
    let has_digit = text.contains(char::is_numeric);
    let numbers = has_digit.then(|| number.find_iter(text));
    let hours: Vec<std::ops::Range<usize>> = has_digit
        .then(|| HOURS.as_ref().map(|hours| hours.find_iter(text).map(|hit| hit.range()).collect()))
        .flatten()
        .unwrap_or_default();
    for hit in numbers.into_iter().flatten() {
        if hours.iter().any(|hours| hours.start <= hit.start() && hit.end() <= hours.end) {
            continue;
        }
        if let Some(figure) = figure_at(text, hit.start(), hit.end(), suffix, lexicon) {
            found.push(figure);
        }
    }
    found.extend(figures_in_words(text, tokens, lexicon, &found));
    found.sort_by_key(|figure| figure.start);
    // A number that another one is a share of or a range to belongs to that one.
    for at in (1..found.len()).rev() {
        if found[at].start < found[at - 1].end {
            found[at].start = found[at].start.min(found[at - 1].start);
            found.remove(at - 1);
        }
    }
    found
}

/// How many bytes before a number say what it is a share of, or where its range begins.
fn led(before: &str, number: &str, lexicon: &Lexicon) -> usize {
    let tail_start = before.len() - last_words(before, 5).len();
    let Some(found) = LED.as_ref().and_then(|led| led.captures(&before[tail_start..])) else { return 0 };
    let whole = found.get(0).map_or("", |whole| whole.as_str());
    let value = |digits: &str| digits.replace(['.', ',', ' '], "").parse::<u64>().unwrap_or(0);
    let is_led = match (found.name("share"), found.name("least")) {
        (Some(share), _) if share.as_str().starts_with(|char: char| char.is_ascii_digit()) => {
            value(share.as_str()) < value(number)
        }
        (Some(share), _) => {
            let word = tidy::folded(share.as_str());
            ONE.contains(&word.as_str()) || lexicon.numbers.words.is_in(&Tokens::of(&word))
        }
        // `from 40 to 3 minutes` ends at what was reached.
        (None, Some(least)) => value(least.as_str()) < value(number),
        (None, None) => true,
    };
    if is_led { whole.len() - (whole.len() - whole.trim_start_matches([' ', '(']).len()) } else { 0 }
}

/// The number that is one in each language of business.
const ONE: [&str; 13] =
    ["one", "ein", "eine", "einer", "einem", "un", "une", "una", "uno", "um", "uma", "een", "één"];

/// Words between two numbers that are the ends of a range.
const OR: [&str; 17] = [
    "or", "to", "oder", "bis", "ou", "à", "o", "a", "u", "of", "tot", "eller", "till", "lub", "albo", "veya",
    "или",
];

/// Words that turn `more than` into its opposite.
const NOT: [&str; 22] = [
    "no", "not", "never", "nicht", "kein", "keine", "keinen", "nie", "pas", "jamais", "nunca", "não", "non",
    "mai", "niet", "geen", "nooit", "ne", "inte", "aldrig", "не", "nic",
];

/// How many bytes behind a number are a thousand in words.
fn thousands(behind: &str) -> usize {
    let found = THOUSANDS.as_ref().and_then(|thousands| thousands.find(behind));
    found.map_or(0, |found| found.as_str().trim_end_matches([' ', '\u{a0}', ',', ';']).len())
}

/// Signs and codes of currencies, before or behind an amount.
const MONEY: [&str; 17] =
    ["€", "$", "£", "¥", "CHF", "EUR", "USD", "zł", "kr", "Kč", "R$", "US$", "A$", "C$", "Rs", "Rs.", "₹"];

/// How many bytes behind a number are signs, a currency or a unit without a space, and whether they make it money.
fn sticks(behind: &str, suffix: &Regex) -> (usize, bool) {
    let (mut end, mut is_money) = (0, false);
    while let Some(hit) = suffix.find(&behind[end..]) {
        // `49 €/m²`
        let sign = hit.as_str().split('/').next().unwrap_or_default().trim();
        is_money |= MONEY.contains(&sign);
        end += hit.end();
    }
    if let Some(hit) = CURRENCY.as_ref().and_then(|currency| currency.find(&behind[end..])) {
        is_money = true;
        end += hit.end();
    }
    let joined = JOINED_UNIT.as_ref().and_then(|unit| unit.find(&behind[end..]));
    if let Some(hit) = joined.filter(|hit| behind[end + hit.end()..].starts_with(crate::words::is_unspaced)) {
        end += hit.end();
    }
    if let Some(hit) = UNSPACED_UNIT.as_ref().and_then(|unit| unit.find(&behind[end..])) {
        end += hit.end();
    }
    (end, is_money)
}

/// Whether a number behind this text is part of a word, a time, a date, a longer number, an address or a version.
fn is_part(before: &str) -> bool {
    let is_joint = |char: char| {
        char.is_alphanumeric() && !crate::words::is_unspaced(char)
            || matches!(char, '.' | ':' | '/' | '#' | '@' | '_' | ',' | '-' | '+')
    };
    before.ends_with(is_joint) && !before.ends_with(" -")
}

fn figure_at(text: &str, start: usize, end: usize, suffix: &Regex, lexicon: &Lexicon) -> Option<Figure> {
    let number = text[start..end].trim_start_matches(['-', '–']);
    let start = end - number.len();
    let before = &text[..start];
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    // `20-25 %`, but not the end of a date or of a telephone number.
    let is_range =
        before.strip_suffix('-').is_some_and(|rest| rest.ends_with(|char: char| char.is_ascii_digit()))
            && led(before, number, lexicon) > 0;
    if !is_range && is_part(before) {
        return None;
    }
    let mut end = end;
    let mut has_unit = number == "24/7";
    let mut is_money = MONEY.iter().any(|sign| number.starts_with(sign));
    let thousands = thousands(&text[end..]);
    end += thousands;
    let (sticks, stuck_money) = sticks(&text[end..], suffix);
    end += sticks;
    has_unit |= sticks > 0;
    is_money |= stuck_money;
    if text[end..].starts_with('+') {
        end += 1;
        has_unit = true;
    }
    let rest = &text[end..];
    let next = rest.chars().next();
    if next.is_some_and(|char| matches!(char, ':' | '/' | '_' | '@') || char.is_alphanumeric())
        && !next.is_some_and(crate::words::is_unspaced)
    {
        return None;
    }
    // `3-5 days`, `10-year warranty`, `32–40 teeth`: the second number ends the range, a word after a hyphen is a compound.
    if next == Some('-') && !rest[1..].starts_with(|char: char| char.is_ascii_digit()) {
        return None;
    }
    let is_long =
        digits.len() >= 9 || (digits.starts_with('0') && digits.len() > 2 && !number.contains(['.', ',']));
    if is_long || (!has_unit && is_of_telephone(before, number, rest, lexicon)) {
        return None;
    }
    let follows = rest.trim_start();
    // An ordinal: `3. Mai`, `1st`.
    if !has_unit
        && rest.starts_with('.')
        && rest[1..].starts_with(' ')
        && rest[2..].starts_with(char::is_alphabetic)
        && digits.len() <= 2
    {
        return None;
    }
    let after = Tokens::of(tidy::head(follows, 80));
    let unit = lexicon.numbers.units.begins(&after).filter(|_| starts_with_word(follows));
    if let Some(words) = unit {
        end = text.len() - follows.len() + after.end(words - 1);
        has_unit = true;
    }
    let head = Tokens::of(last_words(before, 3));
    let is_named = (0..head.len())
        .any(|at| lexicon.numbers.not_figures.at(&head, at).is_some_and(|found| found.end == head.len()));
    let is_year = digits.len() == 4
        && number.len() == 4
        && digits.parse::<u16>().is_ok_and(|year| (1500..=2100).contains(&year));
    let is_house = !has_unit && !is_money && thousands == 0 && address::is_house(before, rest);
    if unit.is_none() && !is_money && (is_year || is_named) || is_house {
        return None;
    }
    // Without a unit it counts what follows, if that is a word and worth counting.
    if !has_unit && !is_money {
        let counts = starts_with_word(follows)
            && (thousands > 0 || digits.parse::<u64>().is_ok_and(|count| count >= 10));
        if !counts || is_range || number.contains('/') {
            return None;
        }
    }
    let led = led(before, number, lexicon);
    let about = about(&before[..before.len() - led], lexicon);
    // `-40 °C`, but not the dash of `20 -40`.
    let is_minus = before.strip_suffix('-').is_some_and(|rest| {
        rest.ends_with([' ', '(']) && !rest.trim_end().ends_with(|char: char| char.is_ascii_digit())
    });
    let minus = usize::from(is_minus && led + about == 0);
    Some(Figure { start: start - led - about - minus, end, is_money, has_unit })
}

/// Whether another number is before or behind one: two in a row are a telephone number.
fn is_of_telephone(before: &str, number: &str, rest: &str, lexicon: &Lexicon) -> bool {
    let is_digit = |char: char| char.is_ascii_digit();
    let is_behind = before.strip_suffix(' ').is_some_and(|before| before.ends_with(is_digit));
    let follows = rest.trim_start();
    (rest.len() != follows.len() && follows.starts_with(is_digit))
        || (is_behind && led(before, number, lexicon) == 0)
}

/// Numbers in words, with a unit: `three days`.
fn figures_in_words(text: &str, tokens: &Tokens, lexicon: &Lexicon, known: &[Figure]) -> Vec<Figure> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let Some(number) = lexicon.numbers.words.at(tokens, at) else { continue };
        let Some(unit) = lexicon.numbers.units.at(tokens, number.end) else { continue };
        // `dos o tres días`
        let is_choice = at >= 2
            && OR.contains(&tokens.word(at - 1))
            && (ONE.contains(&tokens.word(at - 2)) || lexicon.numbers.words.at(tokens, at - 2).is_some());
        let first = if is_choice { at - 2 } else { at };
        let (start, end) = (tokens.start(first), tokens.end(unit.end - 1));
        // `a ten-year-old`, `one of the days`
        let is_free = !known.iter().any(|figure| figure.start < end && start < figure.end);
        if is_free && found.last().is_none_or(|figure: &Figure| figure.end <= start) {
            let about = about(&text[..start], lexicon);
            found.push(Figure { start: start - about, end, is_money: false, has_unit: true });
        }
    }
    found
}

/// How many bytes before a number are words that belong to it: `more than `.
fn about(before: &str, lexicon: &Lexicon) -> usize {
    if !before.ends_with(' ') {
        return 0;
    }
    let tail = last_words(before, 4);
    let tokens = Tokens::of(tail);
    let at = (0..tokens.len())
        .find(|at| lexicon.numbers.about.at(&tokens, *at).is_some_and(|found| found.end == tokens.len()));
    at.map_or(0, |at| {
        // `no more than nine` is not `more than nine`.
        let at = if at > 0 && NOT.contains(&tokens.word(at - 1)) { at - 1 } else { at };
        tail.len() - tokens.start(at)
    })
}

fn starts_with_word(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
}

fn last_words(text: &str, count: usize) -> &str {
    let mut starts = text.trim_end().char_indices().rev().filter(|(_, char)| char.is_whitespace());
    let start = starts.nth(count - 1).map_or(0, |(at, char)| at + char.len_utf8());
    &text[start..]
}

/// A sentence as figures with what they mean, if it is about figures and short enough. All its words stay.
pub fn stats(sentence: &str, lexicon: &Lexicon) -> Vec<Stat> {
    let text = tidy::one_line(sentence.trim().trim_end_matches(['.', '。', ';', ',', '!']));
    let all = figures(&text, lexicon);
    if all.len() > 1
        && let Some(parts) = parts(&text, &all, lexicon)
    {
        let stats: Vec<Stat> =
            parts.iter().filter_map(|part| stat(part, &figures(part, lexicon), lexicon)).collect();
        if stats.len() == parts.len() {
            return stats;
        }
    }
    stat(&text, &all, lexicon).into_iter().collect()
}

/// The clauses of a sentence, if each of them has one figure of its own.
fn parts<'a>(text: &'a str, all: &[Figure], lexicon: &Lexicon) -> Option<Vec<&'a str>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for pair in all.windows(2) {
        let between = &text[pair[0].end..pair[1].start];
        let (at, mark) = [", and ", ", ", "; ", " · ", " | ", " and ", " und ", " et ", " y ", " e ", " en "]
            .iter()
            .find_map(|mark| between.rfind(mark).map(|at| (at, *mark)))?;
        // What is left on either side must say something.
        let is_told = |part: &str| {
            part.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count() >= 1
        };
        let end = pair[0].end + at;
        if !is_told(&text[pair[0].end..end]) && start == 0 && !is_told(&text[..pair[0].start]) {
            return None;
        }
        parts.push((start, text[start..end].trim()));
        start = end + mark.len();
    }
    parts.push((start, text[start..].trim()));
    // The second clause must go on by itself: it begins with its figure, or it has a subject.
    let mut later = all.iter().skip(1).zip(parts.iter().skip(1));
    let is_one_comma = text.matches(", ").count() == parts.len() - 1;
    let stands = |(figure, (start, part)): (&Figure, &(usize, &str))| {
        let is_clause =
            text[..*start].ends_with(", and ") && is_one_comma && count::words(part) >= LEAST_CLAUSE;
        part.starts_with(&text[figure.start..figure.end])
            || is_clause
            || count::words(part) >= LEAST_CLAUSE && clause::stands_alone(part, lexicon)
    };
    later.all(stands).then(|| parts.into_iter().map(|(_, part)| part).collect())
}

/// A clause as a figure and what it means.
fn stat(clause: &str, figures: &[Figure], lexicon: &Lexicon) -> Option<Stat> {
    let figure = best(clause, figures, lexicon)?;
    let mut value = value(clause, figures, figure);
    let rest = clause[figure.end..].trim_start_matches([' ', ',', ':', '–', '—', '-']);
    // `1回の定員は6名です`: in Japanese this only says more of what follows.
    if rest.starts_with('の') {
        return None;
    }
    let lead = clause[..figure.start].trim().trim_end_matches([':', '–', '—', '-']).trim();
    let is_label = clause[..figure.start].trim_end().ends_with([':', '–', '—']);
    let label = if lead.is_empty() {
        rest
    } else if is_label && rest.is_empty() {
        lead
    } else if let Some(subject) = measured(lead, lexicon).filter(|_| rest.is_empty()) {
        subject
    } else {
        clause
    };
    // Within its sentence a count is shown with what it counts.
    if label.len() == clause.len() && !figure.has_unit && !figure.is_money {
        value.push_str(counted(&clause[figure.end..], lexicon));
    }
    let words = label.split_whitespace().count();
    // `365 days` `a year` says nothing.
    let says = Tokens::of(label).iter().any(|word| {
        !lexicon.kinds.empty.has(word) && !lexicon.grammar.articles.has(word) && tidy::length(word) > 1
    });
    let fits = (1..=MOST_WORDS).contains(&words)
        && (says || count::words(label) > 2)
        && tidy::length(label) >= 2
        && tidy::length(label) <= 300
        && tidy::length(&value) <= LONGEST_VALUE
        && tidy::says_something(label);
    fits.then(|| Stat { value: tidy::capital(&value), label: tidy::capital(label) })
}

/// Between what is measured and its figure.
const MEASURES: [&str; 34] = [
    "is", "are", "takes", "take", "lasts", "last", "needs", "weighs", "measures", "ist", "sind", "dauert",
    "dauern", "beträgt", "braucht", "wiegt", "hält", "est", "sont", "dure", "prend", "pèse", "es", "son",
    "dura", "lleva", "pesa", "é", "são", "leva", "è", "sono", "duurt", "weegt",
];

/// What is measured, where a sentence says no more than that and its figure: `Each game takes` of `Each game takes 60 minutes`.
fn measured<'a>(lead: &'a str, lexicon: &Lexicon) -> Option<&'a str> {
    let (subject, verb) = lead.rsplit_once(' ')?;
    let tokens = Tokens::of(subject);
    let grammar = &lexicon.grammar;
    let names = MEASURES.contains(&tidy::folded(verb).as_str())
        && (1..=6).contains(&tokens.len())
        && !subject.contains([',', ';', ':', '(', '"'])
        && !tokens.iter().any(|word| grammar.third.has(word) || grammar.we.has(word))
        && grammar.leans.begins(&tokens).is_none()
        && tokens.iter().any(|word| !grammar.articles.has(word) && tidy::length(word) > 2);
    names.then_some(subject)
}

/// The figure that a clause is about: the second of `from 40 minutes to 3`, else the first with a unit that is no price.
fn best<'a>(clause: &str, figures: &'a [Figure], lexicon: &Lexicon) -> Option<&'a Figure> {
    if let [first, second, ..] = figures {
        let between = &clause[first.end..second.start];
        let is_fall = between.split_whitespace().count() <= 2
            && between
                .split_whitespace()
                .any(|word| matches!(word, "to" | "auf" | "à" | "a" | "para" | "naar" | "do"));
        if is_fall {
            return Some(second);
        }
        // `who needed 40 minutes needs 3 minutes afterwards`: of two with the same unit the smaller end is what is reached.
        let compared = lexicon.numbers.compared.is_in(&Tokens::of(between));
        if !compared
            && second.has_unit
            && unit_of(clause, first) == unit_of(clause, second)
            && between.split_whitespace().count() >= 3
        {
            return Some(second);
        }
    }
    figures.iter().find(|figure| figure.has_unit || figure.is_money).or_else(|| figures.first())
}

/// What a number counts, with the space before it: one or two words up to where they certainly end.
fn counted<'a>(behind: &'a str, lexicon: &Lexicon) -> &'a str {
    const JOINTS: [&str; 13] =
        ["and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "of", "i", "och"];
    let head = tidy::head(behind, 60);
    let tokens = Tokens::of(head);
    let is_word = |at: usize| !tokens.word(at).is_empty() && tokens.word(at).chars().all(char::is_alphabetic);
    let ends_at = |at: usize| {
        let gap = &head[tokens.end(at)..tokens.start(at + 1)];
        let next = tokens.word(at + 1);
        gap.trim() != "" || next.is_empty() || JOINTS.contains(&next) || lexicon.grammar.boundaries.has(next)
    };
    let is_apart = head.starts_with(' ') && tokens.start(0) == 1;
    let count = (1..=2).find(|count| (0..*count).all(is_word) && ends_at(count - 1));
    count.filter(|_| is_apart).map_or("", |count| &behind[..tokens.end(count - 1)])
}

fn unit_of<'a>(clause: &'a str, figure: &Figure) -> &'a str {
    clause[figure.start..figure.end].rsplit(' ').next().unwrap_or_default()
}

/// The value as it is shown.
fn value(clause: &str, figures: &[Figure], figure: &Figure) -> String {
    let own = &clause[figure.start..figure.end];
    let before = figures.iter().take_while(|other| other.start < figure.start).last();
    // `from 40 minutes to 3`: the unit is with the first.
    if !figure.has_unit
        && let Some(first) = before.filter(|first| first.has_unit && !first.is_money)
        && let Some((_, unit)) = clause[first.start..first.end].rsplit_once(' ')
    {
        return format!("{own} {unit}");
    }
    own.to_owned()
}

#[cfg(test)]
mod tests;
