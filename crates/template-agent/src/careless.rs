//! Texts that were typed in a hurry: sentences that begin with a small letter, words that only fill, and questions that ask nothing.
//!
//! What this is not: a corrector of spelling. Of what is told only the first letter of a sentence changes: in texts where most sentences
//! begin small, behind what cannot be an abbreviation, and where a sentence for the writer begins. Elsewhere a small letter behind a
//! full stop belongs to an abbreviation.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::lexicon::Lexicon;
use crate::sentence;
use crate::stance::{greeting, label};
use crate::tidy;
use crate::words::Tokens;

/// The fewest sentences with a small first letter that make a text one that was typed in a hurry.
const LEAST: usize = 2;
/// How much of a text tells who does something in its first sentence.
const MOST_OPENING: usize = 100;

/// What people type before they say something.
const FILLERS: [&str; 10] = [
    "so basically ",
    "basically, ",
    "basically ",
    "ok so ",
    "okay so ",
    "so yeah ",
    "well, ",
    "also ",
    "im prinzip ",
    "bref, ",
];

/// What they type only before who does something: `ok team we teach`, but not `so Karin, here it is`.
const OPENINGS: [&str; 19] = [
    "listen up, ",
    "ok team ",
    "ok all ",
    "ok folks ",
    "so ",
    "yo so ",
    "yo, ",
    "naja, ",
    "alors ",
    "alors, ",
    "voilà, ",
    "bueno, ",
    "pues ",
    "allora ",
    "allora, ",
    "dunque ",
    "bom, ",
    "então ",
    "nou, ",
];

/// What people ask at the end of a sentence without wanting to know, and what only sounds there.
static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:\s*,\s*(?:(?:ok|okay|right|yeah|yes|isn't it|oder|nicht wahr|nicht|ja|non|oui|d'accord|vale|sí|si|no|verdad|certo|vero|giusto|tá|tá bom|",
        r"aye|pois|toch|ja|hè|tak|prawda|va|eller hur|değil mi|tamam mı)\s*\?+",
        r"|(?:innit|you know|y'know|gell|gelle|ne|wa|hein|quoi|tu vois|eh|sabes|né|viu|hoor|hè|ok|okay)\s*[?!.…]+)",
        r"|\s+(?:ok|okay)\s*\?+)(\s|$)",
    ))
    .ok()
});

/// A text that was typed in a hurry as its writer would have written it with more time: without what is said before the first
/// sentence and asked at the end of any, and with a capital where a sentence begins.
///
/// `is_order` says whether a sentence is for the writer alone.
pub fn tidied<'a>(text: &'a str, lexicon: Option<&Lexicon>, is_order: impl Fn(&str) -> bool) -> Cow<'a, str> {
    let text = lexicon.map_or(text, |lexicon| without_opening(text, lexicon));
    let text = then(Cow::Borrowed(text), |text| with_spaces(text, &is_order));
    let text = then(text, |text| lexicon.map_or(Cow::Borrowed(text), |lexicon| without_tags(text, lexicon)));
    then(text, |text| with_capitals(text, &is_order))
}

/// The text after one more step, which mostly changes nothing.
fn then<'a>(text: Cow<'a, str>, step: impl Fn(&str) -> Cow<'_, str>) -> Cow<'a, str> {
    let changed = match step(&text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(changed) => Some(changed),
    };
    changed.map_or(text, Cow::Owned)
}

/// Where a sentence ends and the next begins without a space between them: `39€.Devis gratuit.parlez pas`.
static GLUED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|\s)[^\s.@/:]*(?:\p{L}{3}|[\d€%)])(\.)(\p{L}{2,})(?:\s|$)").ok());

/// The text with a space where a sentence begins right behind another one: with a capital, or for the writer alone.
fn with_spaces(text: &str, is_order: impl Fn(&str) -> bool) -> Cow<'_, str> {
    // `ASP.NET`, `Node.JS`
    const LEAST_WORD: usize = 4;
    let Some(glued) = GLUED.as_ref() else { return Cow::Borrowed(text) };
    let mut out = String::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = glued.captures_at(text, at) {
        let (Some(mark), Some(word)) = (found.get(1), found.get(2)) else { break };
        // The white space behind the word can be that before the next one.
        at = word.end();
        let sentence = &text[word.start()..];
        let sentence = &sentence[..sentence.find(['.', '!', '?', '\n']).unwrap_or(sentence.len())];
        // `v2.Beta`
        let is_version = text[..mark.start()].ends_with(|char: char| char.is_ascii_digit());
        let is_begun =
            !is_version && word.as_str().starts_with(char::is_uppercase) && word.as_str().len() >= LEAST_WORD;
        if is_begun || is_order(sentence) {
            out.push_str(&text[from..mark.end()]);
            out.push(' ');
            from = mark.end();
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// The text from where its writer says what `we` do: `hey team so basically we tow boats`.
fn without_opening<'a>(text: &'a str, lexicon: &Lexicon) -> &'a str {
    let begun = text.trim_start();
    let greeted = greeting::behind_greeting(begun);
    let rest = greeted.unwrap_or(begun);
    let mut bare = without_fillers(rest);
    while let Some(behind) = OPENINGS.iter().find_map(|opening| behind(bare, opening)) {
        bare = without_fillers(behind);
    }
    let is_filled = bare.len() < rest.len();
    let tokens = Tokens::of(tidy::head(bare, MOST_OPENING));
    let is_claim = lexicon.grammar.we.has(tokens.word(0)) && !lexicon.grammar.i.has(tokens.word(0));
    if is_filled && is_claim {
        return bare;
    }
    // `Buenas! hacemos cocinas`; `Hi all, we need a page` is a letter.
    if begun[..begun.len() - rest.len()].trim_end().ends_with(['!', '.']) { rest } else { text }
}

/// The text without `right?` and its like at the ends of sentences.
fn without_tags<'a>(text: &'a str, lexicon: &Lexicon) -> Cow<'a, str> {
    const LEAST_WORDS: usize = 3;
    let Some(tag) = TAG.as_ref() else { return Cow::Borrowed(text) };
    tag.replace_all(text, |found: &regex::Captures<'_>| {
        let (whole, at) = found.get(0).map_or(("", 0), |all| (all.as_str(), all.start()));
        let begin = text[..at].rfind(['.', '!', '?', '\n']).map_or(0, |end| end + 1);
        let sentence = Tokens::of(&text[begin..at]);
        // `Do you deliver, yes?` is a question without it, too.
        if sentence.len() < LEAST_WORDS || lexicon.grammar.asks.has(sentence.word(0)) {
            return whole.to_owned();
        }
        format!(".{}", found.get(1).map_or("", |space| space.as_str()))
    })
}

/// The text with a capital at the beginning of each sentence if it was typed without them; else only behind what is no abbreviation, and
/// where a sentence for the writer begins, which would be told as a part of the one before it.
fn with_capitals(text: &str, is_order: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let starts: Vec<usize> = starts(text);
    let is_small = |at: &usize| text[*at..].starts_with(char::is_lowercase);
    let small = starts.iter().filter(|at| is_small(at)).count();
    let is_typed_small = small >= LEAST && small * 2 >= starts.len();
    let sentence = |number: usize| {
        let end = starts.get(number + 1).copied().unwrap_or(text.len());
        text[starts[number]..end].lines().next().unwrap_or_default().trim()
    };
    let begun: Vec<usize> = (0..starts.len())
        .filter(|number| is_small(&starts[*number]))
        .filter(|number| {
            let is_begun = || ends_surely(&text[..starts[*number]]) || is_order(sentence(*number));
            is_typed_small || *number > 0 && is_begun()
        })
        .map(|number| starts[number])
        .collect();
    if begun.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for at in begun {
        out.push_str(&text[from..at]);
        let rest = without_fillers(&text[at..]);
        let Some(first) = rest.chars().next() else { break };
        out.extend(first.to_uppercase());
        from = text.len() - rest.len() + first.len_utf8();
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// Whether what is before a sentence that begins small ends one: `2,80 €.`, `a visit.`, but not `Abschn.` or `e.g.`
fn ends_surely(before: &str) -> bool {
    const LEAST_LETTERS: usize = 5;
    const VOWELS: &str = "aeiouyäöüáéíóúàèùâêîôûãõąę";
    let before = before.trim_end();
    let Some(word) = before.strip_suffix('.') else { return before.ends_with(['!', '?']) };
    let word = word.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let is_price = word.contains(['€', '$', '£', '%']);
    // Abbreviations mostly end where no word does.
    let is_word = word.chars().all(char::is_alphabetic)
        && tidy::length(&word) >= LEAST_LETTERS
        && word.chars().rev().take(2).any(|char| VOWELS.contains(char));
    is_price || is_word
}

/// The text behind the fillers that it begins with.
fn without_fillers(mut text: &str) -> &str {
    loop {
        let rest = FILLERS.iter().find_map(|filler| behind(text, filler));
        match rest.or_else(|| label::behind_site(text)) {
            Some(rest) => text = rest,
            None => return text,
        }
    }
}

/// The text behind these small letters, however it writes them.
fn behind<'a>(text: &'a str, small: &str) -> Option<&'a str> {
    let head = tidy::head(text, small.len());
    (head.to_lowercase() == small).then(|| &text[head.len()..])
}

/// Where sentences begin, in bytes: the first letter of each line of sentences, and behind each mark that ends one.
fn starts(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        // A line without a mark could be a heading if it began with a capital.
        if line.trim_start().starts_with(char::is_alphabetic) && line.contains(['.', '!', '?', ':']) {
            found.push(at + indent);
        }
        for (mark, char) in line.char_indices().filter(|(_, char)| matches!(char, '.' | '!' | '?')) {
            let behind = &line[mark + char.len_utf8()..];
            let next = behind.trim_start();
            let is_end = behind.len() != next.len()
                && next.starts_with(char::is_alphabetic)
                && !(char == '.' && sentence::is_shortened(&line[..mark], behind));
            if is_end {
                found.push(at + line.len() - next.len());
            }
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lexicon;

    fn capitals(text: &str) -> Cow<'_, str> {
        with_capitals(text, |_| false)
    }

    #[test]
    fn sentences_typed_without_capitals_are_told_apart() {
        assert_eq!(
            capitals("so basically we sell probes. they last a season. costs 389 eur. works w/o internet"),
            "We sell probes. They last a season. Costs 389 eur. Works w/o internet"
        );
        assert_eq!(
            capitals("ok so for the site: we fix boilers. same day mostly"),
            "We fix boilers. Same day mostly"
        );
        assert_eq!(
            capitals("voor de website, we maken daken schoon. zonder hoge druk"),
            "We maken daken schoon. Zonder hoge druk"
        );
        assert_eq!(capitals("for the sites, we pay. also daily"), "For the sites, we pay. Daily");
        assert_eq!(capitals("wir backen. täglich ab sechs.\nkommen sie vorbei!"), {
            "Wir backen. Täglich ab sechs.\nKommen sie vorbei!"
        });
    }

    #[test]
    fn what_is_asked_and_said_in_passing_goes() {
        let tidied = |tag: &str, text: &str| tidied(text, lexicon::of(tag), |_| false).into_owned();
        for (tag, typed, told) in [
            ("fr", "On élève 140 ruches, ok?? Le miel est bon.", "On élève 140 ruches. Le miel est bon."),
            ("fr", "Pains bio pour 32 cantines, hein. Oui.", "Pains bio pour 32 cantines. Oui."),
            ("de", "Wir bauen Treppen aus Eiche, oder? Gut.", "Wir bauen Treppen aus Eiche. Gut."),
            ("es", "Peinamos novias en Cádiz, vale?", "Peinamos novias en Cádiz."),
            ("pt", "A gente conserta geladeira, tá?\nSim.", "A gente conserta geladeira.\nSim."),
            ("en", "hey team so basically we tow boats. Come.", "we tow boats. Come."),
            ("en", "Hi all, basically we do flat roofs. Come.", "we do flat roofs. Come."),
            ("en", "yo so we rent kayaks, right? Come.", "we rent kayaks. Come."),
            ("de", "Hallöchen! also wir scheren Hunde. Gut.", "wir scheren Hunde. Gut."),
            ("nl", "Winkel open tot 17u, hè. Kom.", "Winkel open tot 17u. Kom."),
            ("es", "Buenas! hacemos cocinas. Garantía.", "hacemos cocinas. Garantía."),
            ("fr", "Depl. 39€.Devis gratuit.Appelez vite.", "Depl. 39€. Devis gratuit. Appelez vite."),
        ] {
            assert_eq!(tidied(tag, typed), told);
        }
        for (tag, text) in [
            ("en", "Hi Anna, so basically we lost them. Bye."),
            ("en", "Hi all, we need a page. Thanks."),
            ("en", "Do you deliver on Sundays, yes? We do."),
            ("en", "Is it loud? Ok? No."),
            ("en", "\"It is quiet, right?\" asks Ann."),
            ("de", "Zu teuer, oder? Nein."),
            ("en", "See www.Acme.Shop or Acme.shop for Node.js, v2.Beta and a@b.Shop."),
            ("de", "Was kostet das, ja? Wenig."),
        ] {
            assert_eq!(tidied(tag, text), text);
        }
    }

    #[test]
    fn a_sentence_for_the_writer_begins_anew_however_small() {
        let typed = "The pot is 500 g. say nothing about May. We ship approx. five jars, e.g. in June.";
        assert_eq!(
            with_capitals(typed, |sentence| sentence.starts_with("say")),
            "The pot is 500 g. Say nothing about May. We ship approx. five jars, e.g. in June."
        );
        assert_eq!(capitals(typed), typed);
        assert_eq!(
            capitals("A visit is £5. we come on foot. It is the Univ. of Leeds. Assn. of smiths. Am 3. mai."),
            "A visit is £5. We come on foot. It is the Univ. of Leeds. Assn. of smiths. Am 3. mai."
        );
        assert_eq!(
            with_spaces("A visit is free.say nothing about May. Bye.", |sentence| sentence
                .starts_with("say")),
            "A visit is free. say nothing about May. Bye."
        );
    }

    #[test]
    fn a_text_with_capitals_stays_as_it_is() {
        for text in [
            "We pay approx. five percent more, e.g. in May. Fine. It is so.",
            "iPads are welcome. We lend them. You bring them back.",
            "- fast\n- safe. And quiet.\n\nWe build pumps. They last.",
            "",
            "one line",
        ] {
            assert_eq!(capitals(text), text);
        }
    }

    proptest! {
        #[test]
        fn a_text_is_tidied_once_whatever_stands_in_it(text in "(?s)[a-zäß .!?,€\\nA-Z0-9]{0,60}(ok\\?\\?|, right\\?|hi all so we)?[a-z .]{0,20}") {
            let once = tidied(&text, lexicon::of("en"), |sentence| sentence.len() % 2 == 0).into_owned();
            prop_assert!(once.len() <= text.len() + text.matches('.').count());
        }
    }

    proptest! {
        #[test]
        fn nothing_but_first_letters_and_fillers_changes(text in "(?s)[a-zäö .!?,\\nA-Z]{0,80}") {
            let changed = capitals(&text);
            let small = |text: &str| text.to_lowercase();
            if FILLERS.iter().any(|filler| small(&text).contains(filler)) {
                prop_assert!(changed.len() <= text.len());
            } else {
                prop_assert_eq!(small(&changed), small(&text));
            }
        }
    }
}
