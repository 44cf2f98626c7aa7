//! What the label of a `Label: value` line, or a heading, says about what follows it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::confidential;
use super::lists::{self, Beginnings};
use crate::tidy;

/// What a label announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Something for the writer.
    Writer,
    /// The page's title.
    Headline,
    /// A sentence about the whole.
    Tagline,
    /// The name of the company or product that speaks.
    Brand,
    /// What the reader wants to reach.
    Goal,
    /// What troubles the reader.
    Challenge,
    /// What the reader would use it for.
    UseCase,
    /// The reader's role.
    Role,
    /// The reader's industry.
    Industry,
    /// Where the reader is.
    Place,
    /// What was talked about.
    Talked,
    /// What happens next.
    Next,
    /// Questions and answers.
    Questions,
    /// What customers say.
    Voices,
    /// A heading that only orders the context.
    Neutral,
    /// Anything else.
    Fact,
}

/// The names of the lists in `labels.txt` with what they mean; the first list that has a label counts.
const LISTS: &[(&str, Label)] = &[
    ("writer", Label::Writer),
    ("headline", Label::Headline),
    ("tagline", Label::Tagline),
    ("brand", Label::Brand),
    ("goal", Label::Goal),
    ("challenge", Label::Challenge),
    ("usecase", Label::UseCase),
    ("role", Label::Role),
    ("industry", Label::Industry),
    ("place", Label::Place),
    ("talked", Label::Talked),
    ("next", Label::Next),
    ("questions", Label::Questions),
    ("voices", Label::Voices),
    ("site", Label::Neutral),
    ("neutral", Label::Neutral),
];

static MEANINGS: LazyLock<HashMap<&'static str, Label>> = LazyLock::new(|| {
    let mut meanings = HashMap::new();
    for (list, meaning) in LISTS {
        for label in lists::of(include_str!("labels.txt"), list) {
            meanings.entry(label).or_insert(*meaning);
        }
    }
    meanings
});

/// What is before a text that is for visitors.
static SITE: LazyLock<Beginnings> = LazyLock::new(|| lists::of(include_str!("labels.txt"), "site").into());
/// What begins a bracket that says for whom something is not meant.
static NEGATIONS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| lists::of(include_str!("labels.txt"), "negation"));
/// What is written for, and who reads it.
static MEDIA: LazyLock<Vec<&'static str>> = LazyLock::new(|| lists::of(include_str!("labels.txt"), "medium"));

/// Where on a page something is to stand.
static TOP: LazyLock<Vec<&'static str>> = LazyLock::new(|| lists::of(include_str!("labels.txt"), "top"));
/// The most words of a label that says so.
const MOST_PLACE: usize = 4;

/// What a label announces.
pub fn of(label: &str) -> Label {
    let folded = tidy::folded(label);
    // `Context (not on screen)`
    if let Some((lead, bracket)) = folded.split_once(" (") {
        let first = bracket.split(|char: char| !char.is_alphabetic()).next().unwrap_or_default();
        return if NEGATIONS.contains(&first) { Label::Writer } else { of(lead) };
    }
    let bare = folded.trim_matches(|char: char| !char.is_alphanumeric() && char != '\'');
    if let Some(meaning) = MEANINGS.get(bare) {
        return *meaning;
    }
    if is_withheld(bare) || confidential::is_label(bare) {
        return Label::Writer;
    }
    // `Darum ganz vorne: …`
    if bare.split(' ').count() <= MOST_PLACE && TOP.iter().any(|top| bare.ends_with(top)) {
        return Label::Neutral;
    }
    let signs = [
        "tone of voice",
        "target audience",
        "instruction",
        "guideline",
        "for the agent",
        "for the writer",
        "internal",
        "prompt",
        "do not",
        "to avoid",
        "not to ",
    ];
    if signs.iter().any(|sign| bare.contains(sign)) && bare.len() < 60 { Label::Writer } else { Label::Fact }
}

/// `Not for the page`, `Pas pour le site`: a label of what visitors must not read.
fn is_withheld(bare: &str) -> bool {
    let mut words = bare.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    // In Turkish the negation is at the end: `Site için değil`.
    let last = words.clone().next_back().unwrap_or_default();
    let is_negated = NEGATIONS.contains(&first) || NEGATIONS.contains(&last);
    is_negated && (MEDIA.contains(&first) || words.any(|word| MEDIA.contains(&word)))
}

/// Whether a sentence begins with what keeps visitors from all that is behind it: `Not for the page: …`, `FYI (not to be published): …`,
/// `Surtout, motus sur le four : …`.
pub fn withholds(sentence: &str) -> bool {
    const MOST_LEAD: usize = 12;
    let begun = sentence.trim_start_matches(|char: char| !char.is_alphanumeric());
    let is_label = split(begun).is_some_and(|(name, _)| {
        let folded = tidy::folded(name);
        let bracket = folded.split_once(" (").map(|(_, bracket)| bracket);
        let mut all = [Some(folded.as_str()), bracket].into_iter().flatten();
        all.any(|text| is_withheld(text) || confidential::is_label(text))
    });
    is_label
        || begun.split_once([':', '：']).is_some_and(|(lead, _)| {
            lead.split_whitespace().count() <= MOST_LEAD && confidential::is_asked(lead)
        })
}

/// Whether a line is nothing but such a label, which then holds for all that is below it.
pub fn is_withholding(line: &str) -> bool {
    line.split_whitespace().count() <= 6 && is_withheld(&tidy::folded(line))
}

/// What is behind the words that say that it is for visitors: `for the site: we fix boilers`.
pub fn behind_site(text: &str) -> Option<&str> {
    const LONGEST: usize = 40;
    let folded = tidy::folded(tidy::head(text, LONGEST));
    // Folding keeps lengths for these words.
    let taken = folded.len() - SITE.strip(&folded)?.len();
    let rest = text.get(taken..)?.trim_start().strip_prefix([':', ','])?;
    rest.starts_with(' ').then(|| rest.trim_start())
}

/// Splits a line into its label and where its value begins, in bytes; none if it has no label.
pub fn split(line: &str) -> Option<(&str, usize)> {
    let (at, colon) = line.char_indices().take(48).find(|(_, char)| *char == ':' || *char == '：')?;
    let label = line[..at].trim();
    let rest = &line[at + colon.len_utf8()..];
    let ends_in_digit = label.chars().next_back().is_some_and(|char| char.is_ascii_digit());
    let is_label = !label.is_empty()
        && tidy::length(label) <= 40
        && label.split_whitespace().count() <= 5
        && label.starts_with(char::is_alphanumeric)
        && !label.contains(['.', '?', '!', '。', '"', '“'])
        && !(ends_in_digit && rest.starts_with(|char: char| char.is_ascii_digit()))
        && !rest.starts_with("//")
        && (rest.is_empty() || rest.starts_with(char::is_whitespace) || colon == '：' || !rest.is_ascii());
    is_label.then(|| (label, line.len() - rest.trim_start().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_from_sentences() {
        assert_eq!(split("Tone: friendly"), Some(("Tone", 6)));
        assert_eq!(split("価格：100円"), Some(("価格", "価格：".len())));
        for none in [
            "At 10:30 we open",
            "https://example.com",
            "no label",
            "One two three four five six: x",
            ": x",
            "a:b",
        ] {
            assert_eq!(split(none), None, "{none}");
        }
    }

    #[test]
    fn labels_have_meanings() {
        for (label, meaning) in [
            ("Target Audience", Label::Writer),
            ("**CTA**", Label::Writer),
            ("Contexte (pas à l'écran)", Label::Writer),
            ("Goals (2025)", Label::Goal),
            ("Zielgruppe", Label::Writer),
            ("Internal notes (sales only)", Label::Writer),
            ("Headline", Label::Headline),
            ("Nächste Schritte", Label::Next),
            ("よくある質問", Label::Questions),
            ("Opening hours", Label::Fact),
            ("Not for the page", Label::Writer),
            ("NOT TO BE PUBLISHED", Label::Writer),
            ("Nicht für die Seite", Label::Writer),
            ("Pas pour le site", Label::Writer),
            ("No para la página", Label::Writer),
            ("Non per il sito", Label::Writer),
            ("Niet voor de website", Label::Writer),
            ("Não é para o site", Label::Writer),
            ("Nie na stronę", Label::Writer),
            ("Inte för sidan", Label::Writer),
            ("Не для сайта", Label::Writer),
            ("Site için değil", Label::Writer),
            ("sayfa icin degil", Label::Writer),
            ("darum ganz vorne", Label::Neutral),
            ("Der wunde Punkt", Label::Challenge),
            ("Not for children", Label::Fact),
            ("Not for resale", Label::Fact),
            ("Nicht für Kinder unter drei", Label::Fact),
        ] {
            assert_eq!(of(label), meaning, "{label}");
        }
    }
}
