//! How a letter begins that hands a text over: `Hi Josie`, and `as promised, the text for the page below`.
//!
//! What this is not: a greeting of visitors, which [`greeting`](crate::stance::greeting) knows. Only the first paragraph is looked at, and what
//! it says in figures stays.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::stance::{greeting, lists};
use crate::words::{self, Matcher, Tokens};
use crate::{sentence, tidy};

/// The most words of a line that greets somebody.
const MOST_GREETING: usize = 6;
/// The most words of a paragraph that hands a text over, and of a sentence of it.
const MOST_PARAGRAPH: usize = 45;
const MOST_SENTENCE: usize = 25;
/// How many sentences of a paragraph may go before the text begins.
const MOST_SENTENCES: usize = 4;

fn matcher(name: &str) -> Matcher {
    lists::of(include_str!("letter.txt"), name).into_iter().collect()
}

/// What is handed over: a text, infos, a draft.
static THINGS: LazyLock<Matcher> = LazyLock::new(|| matcher("thing"));
/// How it is handed over: below, attached, I send you.
static HANDING: LazyLock<Matcher> = LazyLock::new(|| matcher("handing"));
/// What says by itself that somebody hands something over: as promised, here goes.
static ALONE: LazyLock<Matcher> = LazyLock::new(|| matcher("alone"));
/// Parts of texts in scripts without spaces that do.
static UNSPACED: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| lists::of(include_str!("letter.txt"), "unspaced"));
/// How somebody is addressed at the end of a line.
static HONORIFICS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| lists::of(include_str!("letter.txt"), "honorific"));

/// What becomes of the first lines: nothing of those that only hand over, or their rest. What is gone says something.
pub fn opening(lines: &[&str]) -> BTreeMap<usize, String> {
    let mut changed = BTreeMap::new();
    let is_blank = |at: &usize| lines[*at].trim().is_empty();
    let Some(mut first) = (0..lines.len()).find(|at| !is_blank(at)) else { return changed };
    let next_is_apart = lines.get(first + 1).is_none_or(|next| next.trim().is_empty());
    let is_letter = is_salutation(lines[first], next_is_apart);
    if is_letter {
        changed.insert(first, String::new());
        match (first + 1..lines.len()).find(|at| !is_blank(at)) {
            Some(at) => first = at,
            None => return changed,
        }
    }
    let end = (first..lines.len()).find(is_blank).unwrap_or(lines.len());
    let paragraph = || lines[first..end].iter();
    let has_digit = |text: &str| text.contains(|char: char| char.is_ascii_digit());
    let count: usize = paragraph().map(|line| line.split_whitespace().count()).sum();
    let is_small = count <= MOST_PARAGRAPH && !paragraph().any(|line| has_digit(line)) && end < lines.len();
    let begin = sentences(lines[first]).into_iter().next().unwrap_or_default();
    let greets = salutes(begin);
    // All of a short paragraph that hands over is said to whoever gets the letter.
    if is_small
        && sentences(lines[first]).iter().take(2).any(|sentence| hands_over(sentence, is_letter || greets))
    {
        changed.extend((first..end).map(|at| (at, String::new())));
        return changed;
    }
    // Else the sentences that do so, up to the first that says something else.
    let line = lines[first];
    let mut from = 0;
    for sentence in sentences(line).into_iter().take(MOST_SENTENCES) {
        let is_gone = !has_digit(sentence) && hands_over(sentence, is_letter || greets)
            || from == 0 && salutes_only(sentence);
        if !is_gone {
            break;
        }
        from = sentence.as_ptr() as usize - line.as_ptr() as usize + sentence.len();
    }
    if from > 0 {
        changed.insert(first, line[from..].trim_start().to_owned());
    }
    changed
}

/// The sentences of a line.
fn sentences(line: &str) -> Vec<&str> {
    let ends = sentence::ends(line);
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let ends = ends.iter().copied().chain([line.len()]);
    starts.zip(ends).map(|(from, to)| &line[from..to]).filter(|part| !part.trim().is_empty()).collect()
}

/// Whether a sentence hands a text over; in a letter it need not say how.
fn hands_over(sentence: &str, is_letter: bool) -> bool {
    if sentence.contains(words::is_unspaced) {
        return UNSPACED.iter().any(|part| sentence.contains(part));
    }
    if sentence.split_whitespace().nth(MOST_SENTENCE).is_some() || sentence.trim_end().ends_with('?') {
        return false;
    }
    let tokens = Tokens::of(sentence);
    ALONE.is_in(&tokens) || THINGS.is_in(&tokens) && (is_letter || HANDING.is_in(&tokens))
}

/// Whether a line only greets somebody by name: `Hi Josie,`, `Liebe Frau Sailer,`, `佐々木様`.
fn is_salutation(line: &str, is_apart: bool) -> bool {
    let line = line.trim();
    let is_short = line.split_whitespace().count() <= MOST_GREETING
        && tidy::length(line) <= 60
        && !line.contains(|char: char| char.is_ascii_digit());
    let ends = line.ends_with([',', '!', ':', '،', '、', '，']);
    is_short
        && (ends && salutes(line)
            || is_apart && line.ends_with([',', '،', '，'])
            || is_apart
                && HONORIFICS.iter().any(|title| line.trim_end_matches(['、', '，']).ends_with(title)))
}

/// Whether a sentence only greets: `hola!`
fn salutes_only(sentence: &str) -> bool {
    greeting::is_greeting(sentence) && sentence.trim_end().ends_with(['!', '.'])
}

/// Whether a sentence begins by greeting somebody by name: `Hej Trine, here is the text`, `Dag Wouter, salut Aline`.
fn salutes(sentence: &str) -> bool {
    let Some(rest) = greeting::behind_greeting(sentence) else { return false };
    let name = rest.split([',', '!', ':', '،', '、', '，', '.']).next().unwrap_or_default();
    let is_ended = name.len() < rest.len();
    let is_name = |word: &str| {
        !word.starts_with(char::is_lowercase)
            || ["e", "y", "und", "and", "et", "en", "ma'am", "sir"].contains(&word)
    };
    is_ended && name.split_whitespace().count() <= 4 && name.split_whitespace().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let changed = opening(&lines);
        let rest = lines.iter().enumerate().map(|(at, line)| changed.get(&at).map_or(*line, String::as_str));
        rest.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_hands_a_text_over_is_no_part_of_it() {
        for opening in [
            "Hi Anna,\n\nas promised, the copy for the bread page below. Tom has read it and only moans about the photo.",
            "Sehr geehrte Frau Demir,\n\nanbei der Text für die neue Seite, mit Herrn Holl abgesprochen.",
            "Bonjour Luc,\n\nJe t'envoie les infos pour la page, on en a parlé lundi.",
            "Buenas tardes, Marta:\n\nTe paso el texto del pan, ya visto por Juan.",
            "Bom dia Rita,\n\nSegue o texto para a página. O Nuno aprovou.",
            "Ciao Sara,\nti mando il testo per il sito, scritto di corsa.",
            "Hoi Kees,\n\nhierbij de tekst voor het brood. Schrap gerust wat.",
            "Dzień dobry Pani Olu,\n\nprzesyłam tekst na stronę, zgodnie z ustaleniami.",
            "Hej Lina!\n\nHär kommer texten till sidan. Stryk gärna.",
            "Hej Per, her er teksten, ret bare til",
            "山田様\n\nお世話になっております。原稿をお送りします。",
            "مرحبا أستاذة ليلى،\n\nهذا نص الصفحة كما اتفقنا.",
            "Here is the text for the page, a bit rough.",
            "Dear Priya ma'am,\n\nPlease find below content for the page, checked by accounts.",
        ] {
            assert_eq!(left(&format!("{opening}\n\nWe bake bread.")), "We bake bread.", "{opening}");
        }
        assert_eq!(
            left("hola! ahí te va todo junto. Hacemos pan en Vigo, 3 euros."),
            "Hacemos pan en Vigo, 3 euros."
        );
    }

    #[test]
    fn what_a_text_begins_with_stays() {
        for text in [
            "Hello Kitty Café\n\nWe bake bread.",
            "Texts for websites, written by hand.\n\nWe bake bread.",
            "Fresh bread,\nbaked every night.",
            "Here is what we bake: rye, spelt and wheat.\n\nOpen at 7.",
            "We write copy for bakers.\n\nAsk for a page.",
            "Welcome to Corner Dental!\n\nWe pull teeth.",
            "Wir drucken Texte auf Tassen.\n\nAb 9 €.",
            "",
        ] {
            assert_eq!(left(text), text.replace("\n\n", "\n"), "{text}");
        }
    }
}
