//! Title and subtitle of a page: complete phrases of two to ten words, taken from the facts and never cut off within.

use crate::classify::kind::Kind;
use crate::clause;
use crate::concern::Concerns;
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::material::{Chapter, Fact, Material, Piece};
use crate::rich::Rich;
use crate::tidy;
use crate::words::{Tokens, is_unspaced};

/// The fewest and the most words of a headline.
const WORDS: std::ops::RangeInclusive<usize> = 2..=10;
/// The most words of a subtitle.
const MOST_SUBTITLE: usize = 40;

/// What stands at the top of a page.
#[derive(Debug, Default, PartialEq)]
pub struct Opening {
    /// The headline.
    pub title: String,
    /// The sentence or two below it.
    pub subtitle: Option<String>,
}

/// How many words a text has; scripts without spaces count two characters as one.
pub fn words(text: &str) -> usize {
    let unspaced = text.chars().filter(|char| is_unspaced(*char)).count();
    if unspaced * 2 > tidy::length(text) {
        unspaced.div_ceil(2)
    } else {
        text.split_whitespace().filter(|word| tidy::says_something(word)).count()
    }
}

/// Whether a text can be a headline as it stands.
pub fn is_headline(text: &str) -> bool {
    WORDS.contains(&words(text))
        && tidy::length(text) <= 120
        && !text.ends_with(['…', ':', ',', ';'])
        && tidy::says_something(text)
}

/// Chooses the opening and takes what it uses out of the material.
pub fn of(material: &mut Material, concerns: &Concerns, page_name: &str, language: Language) -> Opening {
    let mut rest = None;
    let title = material
        .headline
        .take()
        .and_then(|headline| {
            let whole = without_stop(&headline);
            let says_more =
                material.chapters.iter().any(|chapter| chapter.title.is_none() && !chapter.is_empty());
            if is_name(&whole) && says_more {
                material.company.get_or_insert(whole);
                return None;
            }
            if is_headline(&whole) {
                return Some(whole);
            }
            // A name alone is who speaks; a long title is cut where its author cut it.
            if words(&whole) == 1 && material.company.is_none() {
                material.company = Some(whole);
                return None;
            }
            let (title, more) = clauses(&whole)?;
            rest = more;
            Some(title)
        })
        .filter(|headline| !concerns.refuses(headline))
        .or_else(|| definition(material, language))
        .or_else(|| claim(material, concerns, language))
        .or_else(|| subject(material))
        .or_else(|| first_clause(material, language).filter(|title| !concerns.refuses(title)))
        .or_else(|| material.company.clone().filter(|company| is_headline(company)))
        .or_else(|| name_of_page(page_name).filter(|_| material.chapters.iter().all(Chapter::is_empty)))
        .unwrap_or_else(|| fallback(material, page_name, language));
    let subtitle =
        rest.or_else(|| material.tagline.take()).or_else(|| subtitle(material, concerns, language));
    Opening { title: tidy::capital(&title), subtitle: subtitle.filter(|text| tidy::says_something(text)) }
}

fn fallback(material: &Material, page_name: &str, language: Language) -> String {
    let name = material.company.clone().or_else(|| shown_name(page_name));
    let about = language.lexicon.zip(name.as_deref()).and_then(|(lexicon, company)| {
        crate::lexicon::filled(&lexicon.phrases.about, &[("{company}", company)])
            .filter(|text| is_headline(text))
    });
    about.unwrap_or_else(|| general(language))
}

/// A headline that is true of every page.
pub fn general(language: Language) -> String {
    language
        .lexicon
        .map_or_else(|| "Good to see you".to_owned(), |lexicon| lexicon.phrases.fallback_title.clone())
}

fn without_stop(title: &str) -> String {
    let title = title.trim().trim_end_matches([':', '：', ',', ';']);
    let bare = title.strip_suffix(['.', '。']).filter(|bare| !bare.ends_with('.') && !bare.contains(". "));
    tidy::one_line(bare.unwrap_or(title))
}

/// Whether a heading is the name of a company or a product rather than a title.
fn is_name(heading: &str) -> bool {
    let width: usize = heading.chars().map(|char| if is_unspaced(char) { 2 } else { 1 }).sum();
    let is_capital = |word: &str| {
        word.starts_with(|char: char| {
            char.is_uppercase() || char.is_ascii_digit() || is_unspaced(char) || char == '&'
        })
    };
    width <= 30
        && heading.split_whitespace().count() <= 3
        && heading.split_whitespace().all(is_capital)
        && !heading.ends_with(['?', '!', '.', '？', '！'])
}

/// A long title at the mark where its author divided it.
fn clauses(text: &str) -> Option<(String, Option<String>)> {
    [": ", " – ", " — ", " | ", " - ", ". ", "; "].iter().find_map(|mark| {
        let (one, other) = text.split_once(mark)?;
        let (one, other) = (one.trim(), other.trim());
        if is_headline(one) {
            Some((one.to_owned(), Some(tidy::capital(other))))
        } else if is_headline(other) {
            Some((tidy::capital(other), None))
        } else {
            None
        }
    })
}

/// The sentences of running text before the first heading, with their places.
fn leads(chapters: &mut [Chapter]) -> Option<&mut Vec<Fact>> {
    let first = chapters.iter_mut().find(|chapter| chapter.title.is_none() && !chapter.is_empty())?;
    first.pieces.iter_mut().find_map(|piece| match piece {
        Piece::Facts(facts) if !facts.is_empty() => Some(facts),
        _ => None,
    })
}

/// A definition as a phrase: `Millbrook Tools makes quick-change systems for presses` is quick-change systems for presses.
fn definition(material: &mut Material, language: Language) -> Option<String> {
    let lexicon = language.lexicon?;
    let company = material.company.clone();
    let facts = leads(&mut material.chapters)?;
    for at in 0..facts.len().min(3) {
        let text = without_stop(facts[at].text.plain());
        let Some(found) = phrase(&text, lexicon) else { continue };
        if company.is_none() {
            material.company = found.name;
        }
        let facts = leads(&mut material.chapters)?;
        if !is_headline(&found.phrase) {
            return None;
        }
        match found.rest {
            Some(rest) => facts[at].text = Rich::of(&tidy::capital(&rest)),
            None => {
                facts.remove(at);
            }
        }
        return Some(found.phrase);
    }
    None
}

/// A definition taken apart.
struct Definition {
    /// Who is defined, if that is a name.
    name: Option<String>,
    /// What it is or does, as a phrase of its own.
    phrase: String,
    /// What else the sentence says.
    rest: Option<String>,
}

fn phrase(text: &str, lexicon: &Lexicon) -> Option<Definition> {
    let tokens = Tokens::of(text);
    let is_we = lexicon.grammar.we.has(tokens.word(0));
    for start in 1..tokens.len().min(6) {
        let is_a = lexicon.grammar.is_a.at(&tokens, start);
        let does = lexicon.grammar.does.at(&tokens, start);
        let Some(verb) = is_a.or(does) else { continue };
        let subject = text[..tokens.end(start - 1)].trim();
        let is_name = subject.split_whitespace().all(|word| {
            word.starts_with(|char: char| char.is_uppercase() || char.is_ascii_digit() || "&+".contains(char))
                || matches!(word, "and" | "of" | "de" | "von" | "und" | "&")
        }) && !lexicon.grammar.articles.has(tokens.word(0));
        if !is_name && !is_we || subject.contains([',', ':', ';']) {
            return None;
        }
        let from_noun = is_a.is_some() || lexicon.grammar.supplies.at(&tokens, start).is_some();
        let whole = text[tokens.start(if from_noun { verb.end } else { start })..].trim();
        // Only noun phrases stand alone: `makes quick-change systems`, not `helps you`.
        if !from_noun && !is_we {
            return Some(Definition {
                name: (!is_we).then(|| subject.to_owned()),
                phrase: String::new(),
                rest: None,
            });
        }
        let (phrase, rest) = divided(whole);
        let name = (is_name && !is_we).then(|| subject.to_owned());
        // `supplies offices and looks after machines` is no phrase without its subject.
        let has_verb =
            lexicon.grammar.does.is_in(&Tokens::of(phrase.split_once(' ').map_or("", |(_, rest)| rest)));
        let is_short = has_verb
            || phrase
                .split_whitespace()
                .next()
                .is_some_and(|word| lexicon.grammar.you.has(&tidy::folded(word)));
        let phrase = if is_short || !from_noun { String::new() } else { phrase };
        return Some(Definition { name, phrase, rest });
    }
    None
}

/// The first clause of a phrase and what follows it.
fn divided(text: &str) -> (String, Option<String>) {
    let joints = [". ", "; ", ": ", " – ", " — "];
    let cut = joints.iter().filter_map(|joint| text.find(joint).map(|at| (at, joint.len()))).min();
    match cut {
        Some((at, length)) if words(&text[at + length..]) >= 3 => {
            (text[..at].trim().to_owned(), Some(text[at + length..].trim().to_owned()))
        }
        _ => (text.to_owned(), None),
    }
}

/// A short sentence of the facts that claims something; one that answers a concern first.
fn claim(material: &mut Material, concerns: &Concerns, language: Language) -> Option<String> {
    let lexicon = language.lexicon;
    let mut best: Option<(usize, usize, usize, usize)> = None;
    for (chapter_at, chapter) in
        material.chapters.iter().enumerate().filter(|(_, chapter)| chapter.title.is_none())
    {
        for (piece_at, piece) in chapter.pieces.iter().enumerate() {
            let (Piece::Facts(facts) | Piece::List(facts)) = piece else { continue };
            for (at, fact) in facts.iter().enumerate() {
                let text = without_stop(fact.text.plain());
                let stands = !concerns.refuses(&text)
                    && matches!(fact.kind, Kind::Feature | Kind::Proof | Kind::Guarantee)
                    && is_headline(&text)
                    && words(&text) >= 3
                    && !text.ends_with('?')
                    && !text.contains(['(', '"', '“', '@', '/'])
                    && !fact.text.markdown().contains("](")
                    && lexicon
                        .is_none_or(|lexicon| lexicon.grammar.leans.begins(&Tokens::of(&text)).is_none());
                let weight =
                    concerns.weight(&text) + usize::from(chapter_at == 0 && at == 0 && piece_at == 0);
                if stands && best.is_none_or(|(other, ..)| weight > other) {
                    best = Some((weight, chapter_at, piece_at, at));
                }
            }
        }
    }
    let (_, chapter, piece, at) = best?;
    match &mut material.chapters[chapter].pieces[piece] {
        Piece::Facts(facts) | Piece::List(facts) => Some(without_stop(facts.remove(at).text.plain())),
        _ => None,
    }
}

/// What the page is to be about, by a sentence that asks for it.
fn subject(material: &mut Material) -> Option<String> {
    material.subject.take().filter(|subject| is_headline(subject))
}

/// The clause before the first comma of the first sentence, if what follows can stand without it.
fn first_clause(material: &mut Material, language: Language) -> Option<String> {
    let lexicon = language.lexicon;
    let facts = leads(&mut material.chapters)?;
    let text = without_stop(facts.first()?.text.plain());
    let (title, rest) = [", ", " – ", " — ", ": ", "; ", "、", "，", "。"].iter().find_map(|mark| {
        let (one, other) = text.split_once(mark)?;
        let is_clause =
            *mark != ", " || lexicon.is_some_and(|lexicon| clause::stands_alone(other, lexicon));
        (is_headline(one) && words(other) >= 5 && is_clause)
            .then(|| (one.trim().to_owned(), other.trim().to_owned()))
    })?;
    let is_open = lexicon.is_some_and(|lexicon| lexicon.grammar.leans.begins(&Tokens::of(&title)).is_some());
    if is_open || title.contains(['"', '“', '(']) {
        return None;
    }
    if tidy::says_something(&rest) {
        facts[0].text = Rich::of(&tidy::capital(&rest));
    } else {
        facts.remove(0);
    }
    Some(title)
}

/// The name of the page, if it is a headline for visitors.
fn name_of_page(name: &str) -> Option<String> {
    shown_name(name).filter(|name| is_headline(name))
}

/// The name of the page, if it is one for visitors.
fn shown_name(name: &str) -> Option<String> {
    let name = tidy::line(name, 120);
    let signs = [
        "page",
        "template",
        "test",
        "draft",
        "campaign",
        "outbound",
        "inbound",
        "deck",
        "copy",
        "entwurf",
        "kampagne",
        "q1",
        "q2",
        "q3",
        "q4",
        "follow-up",
        "followup",
        "fu",
        "lp",
        "landing",
        "final",
        "abm",
        "wave",
        "slides",
        "ads",
        "google",
        "crm",
        "seite",
        "vorlage",
        "neu",
        "new",
        "kopie",
        "web",
    ];
    let is_internal =
        tidy::folded(&name).split(|char: char| !char.is_alphanumeric() && char != '-').any(|word| {
            signs.contains(&word)
                || word.starts_with('v') && word[1..].starts_with(|char: char| char.is_ascii_digit())
                || word.starts_with("wave")
        });
    let is_shown = crate::stance::is_copy(&name)
        && !name.contains(['{', '<', '|', '_', '/'])
        && !is_internal
        && name.starts_with(char::is_uppercase);
    (is_shown && tidy::says_something(&name)).then_some(name)
}

/// The next sentence or two, or the one that answers a concern.
fn subtitle(material: &mut Material, concerns: &Concerns, language: Language) -> Option<String> {
    let lexicon = language.lexicon;
    let facts = leads(&mut material.chapters)?;
    let fits = |fact: &Fact| {
        let text = fact.text.plain();
        matches!(fact.kind, Kind::Feature | Kind::Guarantee | Kind::Proof)
            && !concerns.refuses(text)
            && words(text) <= MOST_SUBTITLE
            && !text.ends_with(['?', ':'])
            && !fact.text.markdown().contains("](")
    };
    let strongest = facts.iter().enumerate().filter(|(_, fact)| fits(fact)).max_by_key(|(at, fact)| {
        (concerns.weight(fact.text.plain()) + if fact.is_stressed { 10 } else { 0 }, std::cmp::Reverse(*at))
    });
    let (at, fact) = strongest?;
    let leans =
        lexicon.is_some_and(|lexicon| lexicon.grammar.leans.begins(&Tokens::of(fact.text.plain())).is_some());
    let has_concern = !concerns.is_empty() && concerns.weight(fact.text.plain()) > 0;
    let at = if has_concern && !leans { at } else { facts.iter().position(fits)? };
    if at > 0
        && lexicon.is_some_and(|lexicon| {
            lexicon.grammar.leans.begins(&Tokens::of(facts[at].text.plain())).is_some()
        })
    {
        return None;
    }
    Some(facts.remove(at).text.plain().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Classifier;
    use crate::reader::Reader;

    fn opening(context: &str) -> (String, Option<String>, Option<String>) {
        let language = Language::of_texts(&[context, "This is a text that anyone can tell to be English."]);
        let reading = Classifier::read(context, &Reader::default(), language);
        let mut material = reading.material;
        let opening = of(&mut material, &reading.concerns, "page v2", language);
        (opening.title, opening.subtitle, material.company)
    }

    #[test]
    fn a_definition_becomes_a_phrase_and_tells_who_speaks() {
        let (title, _, company) =
            opening("Millbrook Tools makes quick-change systems for presses. They fit what you have.");
        assert_eq!(title, "Quick-change systems for presses");
        assert_eq!(company.as_deref(), Some("Millbrook Tools"));
    }

    #[test]
    fn a_title_is_never_cut_off_in_the_middle() {
        for context in [
            "We bake bread for the whole street every morning from six on with flour from two mills that stand less than thirty kilometres from the oven.",
            "Bakery",
            "?",
            "Open at six, bread until noon, coffee all day, and cake whenever somebody in the kitchen has time for it.",
        ] {
            let (title, ..) = opening(context);
            assert!(is_headline(&title), "{title}");
            assert!(!title.contains('…'), "{title}");
        }
    }
}
