//! Title and subtitle of a page: complete phrases of two to ten words, taken from the facts and never cut off within.

use crate::clause;
use crate::concern::Concerns;
use crate::contact::has_telephone;
use crate::count::words;
use crate::kind::Kind;
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::material::{Chapter, ChapterPiece, Fact, Material};
use crate::rich::Rich;
use crate::stance::greeting;
use crate::tidy;
use crate::words::{Tokens, is_unspaced};

mod definition;

use definition::SentencePosition;

/// The fewest and the most words of a headline.
const WORDS: std::ops::RangeInclusive<usize> = 2..=10;
/// The fewest and the most words of a subtitle.
const LEAST_SUBTITLE: usize = 4;
const MOST_SUBTITLE: usize = 40;
/// How many sentences from the beginning one says who speaks.
const DEFINED_WITHIN: usize = 3;
/// A text of so few words says nothing that could be a title.
const TINY: usize = 5;
/// The fewest words of a sentence that claims something.
const LEAST_CLAIM: usize = 3;
/// The fewest words of a subject that says more than a name.
const LONG_SUBJECT: usize = 3;

/// What is at the top of a page.
#[derive(Debug, Default, PartialEq)]
pub struct Opening {
    /// The headline.
    pub title: String,
    /// The sentence or two below it.
    pub subtitle: Option<String>,
    /// The sentence that the headline is the beginning of, if it is not below it: who speaks and what they do.
    pub lead: Option<String>,
}

/// Whether the first sentence of a text names who speaks and says what they are: `Wet Nose is a dog grooming van`.
pub fn names_company(sentence: &str, lexicon: &Lexicon) -> bool {
    definition::is_of_name(sentence, lexicon)
}

/// Whether a text can be a headline as it stands.
pub fn is_headline(text: &str) -> bool {
    WORDS.contains(&words(text))
        && text.split_whitespace().count() <= *WORDS.end()
        && tidy::length(text) <= 120
        && !text.ends_with(['…', ':', ',', ';'])
        && tidy::says_something(text)
        && !has_telephone(text)
}

/// Chooses the opening and takes what it uses out of the material.
pub fn of(material: &mut Material, concerns: &Concerns, page_name: &str, language: Language) -> Opening {
    let mut rest = None;
    // The sentence that the title is the beginning of.
    let mut used = None;
    let title = material
        .headline
        .take()
        .and_then(|headline| {
            let whole = without_stop(&headline);
            let whole = greeting::introduced(&whole).map_or(whole.clone(), tidy::capital);
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
        .filter(|headline| !concerns.refuses(headline) && !is_of_writer(headline))
        .or_else(|| definition(material, language, &mut used).filter(|title| !concerns.refuses(title)))
        .or_else(|| first_clause(material, language, true).filter(|title| !concerns.refuses(title)))
        .or_else(|| before_bracket(material, language, &mut used).filter(|title| !concerns.refuses(title)))
        .or_else(|| first_heading(material).filter(|title| !concerns.refuses(title)))
        .or_else(|| claim(material, concerns, language, 1))
        .or_else(|| subject(material, LONG_SUBJECT))
        .or_else(|| first_clause(material, language, false).filter(|title| !concerns.refuses(title)))
        .or_else(|| material.company.clone().filter(|company| is_headline(company)))
        .or_else(|| claim(material, concerns, language, 0))
        .or_else(|| subject(material, 0))
        .or_else(|| name_of_page(page_name).filter(|_| material.chapters.iter().all(Chapter::is_empty)))
        .unwrap_or_else(|| fallback(material, page_name, language));
    let subtitle =
        rest.or_else(|| material.tagline.take()).or_else(|| subtitle(material, concerns, language));
    // Without a fact that answers a concern, the whole sentence is below its beginning.
    let answers = subtitle.as_deref().is_some_and(|subtitle| concerns.weight(subtitle) > 0);
    let (subtitle, lead) = match used {
        // A sentence that says hardly more than its beginning would be read twice.
        Some(used)
            if subtitle.is_some() && words(&title) * 2 > words(&used) && begins_with(&used, &title) =>
        {
            (subtitle, Some(used))
        }
        Some(used) if !answers && words(&used) <= MOST_SUBTITLE => (Some(used), subtitle),
        used => (subtitle, used),
    };
    let subtitle = subtitle.map(|text| tidy::capital(&text)).filter(|text| tidy::says_something(text));
    Opening { title: tidy::capital(&title), subtitle, lead }
}

fn begins_with(sentence: &str, title: &str) -> bool {
    tidy::folded(sentence).starts_with(tidy::folded(title).as_str())
}

fn fallback(material: &Material, page_name: &str, language: Language) -> String {
    // A page's name is for colleagues, unless the text has its words as well.
    let all = tidy::folded(&material.words());
    let is_told =
        |name: &String| words(&all) <= TINY || Tokens::of(name).iter().all(|word| all.contains(word));
    let name = material.company.clone().or_else(|| shown_name(page_name).filter(is_told));
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

/// The sentences or items before the first heading.
fn leads(chapters: &mut [Chapter]) -> Option<&mut Vec<Fact>> {
    let first = chapters.iter_mut().find(|chapter| chapter.title.is_none() && !chapter.is_empty())?;
    first.pieces.iter_mut().find_map(|piece| match piece {
        ChapterPiece::Facts(facts) | ChapterPiece::List(facts) if !facts.is_empty() => Some(facts),
        _ => None,
    })
}

/// The sentence that says who speaks as a headline; what else it says stays among the facts.
fn definition(material: &mut Material, language: Language, used: &mut Option<String>) -> Option<String> {
    let lexicon = language.lexicon?;
    let all = material.words();
    let facts = leads(&mut material.chapters)?;
    for at in 0..facts.len().min(DEFINED_WITHIN) {
        let whole = without_stop(facts[at].text.plain());
        let text = without_day(&whole, lexicon).to_owned();
        let Some(found) = definition::of(&text, lexicon, SentencePosition { text: &all, is_first: at == 0 })
        else {
            continue;
        };
        let Some(title) = found.title else {
            material.company = material.company.take().or(found.name);
            return None;
        };
        match found.rest {
            // The day is not in the title, so its sentence stays.
            _ if text.len() < whole.len() => {}
            None => {
                facts.remove(at);
            }
            // A name alone leaves the sentence for below it, and a figure is among the figures.
            Some(rest)
                if rest == text
                    && (found.name.as_deref() == Some(title.as_str()) || facts[at].kind == Kind::Figure) => {}
            Some(rest) if rest == text => *used = Some(facts.remove(at).text.plain().to_owned()),
            Some(rest) => facts[at].text = Rich::of(&rest),
        }
        material.company = material.company.take().or(found.name);
        return Some(title);
    }
    None
}

/// A sentence without the day that it begins with: `Le 12 juin 2027, la journée réunit …`.
fn without_day<'a>(sentence: &'a str, lexicon: &Lexicon) -> &'a str {
    sentence.split_once(", ").filter(|(day, _)| is_day(day, lexicon)).map_or(sentence, |(_, rest)| rest)
}

/// Whether a text is no more than a day.
fn is_day(text: &str, lexicon: &Lexicon) -> bool {
    let tokens = Tokens::of(text);
    tokens.len() <= 5
        && tokens.iter().any(|word| lexicon.kinds.times.has(word))
        && tokens.iter().any(|word| word.starts_with(|char: char| char.is_ascii_digit()))
}

/// A short sentence of the facts that claims something; one that answers a concern first.
fn claim(material: &mut Material, concerns: &Concerns, language: Language, least: usize) -> Option<String> {
    let lexicon = language.lexicon;
    let mut best: Option<(usize, usize, usize, usize)> = None;
    for (chapter_at, chapter) in
        material.chapters.iter().enumerate().filter(|(_, chapter)| chapter.title.is_none())
    {
        for (piece_at, piece) in chapter.pieces.iter().enumerate() {
            let (ChapterPiece::Facts(facts) | ChapterPiece::List(facts)) = piece else { continue };
            for (at, fact) in facts.iter().enumerate() {
                let text = without_stop(fact.text.plain());
                let stands = !concerns.refuses(&text)
                    && matches!(fact.kind, Kind::Feature | Kind::Proof | Kind::Guarantee)
                    && can_open(&text, lexicon)
                    && !text.ends_with('?')
                    && !text.contains('(')
                    && !fact.text.markdown().contains("](")
                    // A price or an hour, which only a lexicon knows to be one.
                    && (lexicon.is_some() || least == 0 || !text.contains(|char: char| char.is_ascii_digit()));
                let weight = concerns.weight(&text);
                if stands && weight >= least && best.is_none_or(|(other, ..)| weight > other) {
                    best = Some((weight, chapter_at, piece_at, at));
                }
            }
        }
    }
    let (_, chapter, piece, at) = best?;
    match &mut material.chapters[chapter].pieces[piece] {
        ChapterPiece::Facts(facts) | ChapterPiece::List(facts) => {
            Some(without_stop(facts.remove(at).text.plain()))
        }
        _ => None,
    }
}

/// Whether a sentence, or what it begins with, can be the title of a page, with nothing before it.
fn can_open(text: &str, lexicon: Option<&Lexicon>) -> bool {
    is_headline(text)
        && words(text) >= LEAST_CLAIM
        && greeting::introduced(text).is_none()
        && !text.contains(['"', '“', '@', '/'])
        && lexicon.is_none_or(|lexicon| is_claim(text, lexicon))
}

/// Whether a sentence can be said first: it refuses nothing and refers to nothing that was not said.
fn is_claim(text: &str, lexicon: &Lexicon) -> bool {
    const NOT_FIRST: [&str; 15] = [
        "no", "not", "never", "don't", "dont", "doesn't", "nicht", "kein", "keine", "pas", "jamais", "nunca",
        "não", "non", "niet",
    ];
    const LESS: [&str; 8] = ["fewer", "less", "far", "more", "most", "both", "been", "covered"];
    let tokens = Tokens::of(text);
    lexicon.grammar.leans.begins(&tokens).is_none()
        && !LESS.contains(&tokens.word(0))
        && !tokens.iter().any(|word| NOT_FIRST.contains(&word))
        && !(0..3).map(|at| tokens.word(at)).any(|word| {
            lexicon.grammar.third.has(word)
                && !lexicon.grammar.articles.has(word)
                && !lexicon.grammar.you.has(word)
        })
}

/// The heading that the text begins with.
fn first_heading(material: &mut Material) -> Option<String> {
    let first = material.chapters.iter_mut().find(|chapter| !chapter.is_empty())?;
    let is_title = first.title.as_deref().is_some_and(|title| {
        is_headline(title) && words(title) >= LONG_SUBJECT && !is_of_writer(title) && !title.ends_with('?')
    });
    if is_title { first.title.take() } else { None }
}

/// What the page is to be about, by a sentence that asks for it.
fn subject(material: &mut Material, least: usize) -> Option<String> {
    material.subject.take_if(|subject| is_headline(subject) && words(subject) >= least)
}

/// The clause before the first comma of the first sentence, if what follows can stand without it. `is_event` asks for one that goes
/// on with its date.
fn first_clause(material: &mut Material, language: Language, is_event: bool) -> Option<String> {
    let lexicon = language.lexicon;
    let facts = leads(&mut material.chapters)?;
    let text = without_stop(facts.first()?.text.plain());
    let (title, rest) = [", ", " – ", " — ", ": ", "; ", "。"].iter().find_map(|mark| {
        let (one, other) = text.split_once(mark)?;
        // `Open morning at St Brannock's, Saturday 14 March`
        let is_dated =
            lexicon.is_some_and(|lexicon| lexicon.kinds.times.has(Tokens::of(tidy::head(other, 40)).word(0)));
        let is_clause = *mark != ", " || lexicon.is_some_and(|lexicon| clause::stands_alone(other, lexicon));
        (is_headline(one) && words(other) >= 5 && if is_event { is_dated } else { is_clause })
            .then(|| (one.trim().to_owned(), other.trim().to_owned()))
    })?;
    let is_open = lexicon.is_some_and(|lexicon| {
        is_day(&title, lexicon) || lexicon.grammar.leans.begins(&Tokens::of(&title)).is_some()
    });
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

/// What the first sentence says before the bracket that ends it: `We look for tenors (concert on 27 March 2027)`. The whole sentence stands
/// below it.
fn before_bracket(material: &mut Material, language: Language, used: &mut Option<String>) -> Option<String> {
    let facts = leads(&mut material.chapters)?;
    let text = without_stop(facts.first()?.text.plain());
    let (title, bracket) = text.split_once(" (")?;
    let bracket = bracket.trim_end_matches(['.', '。']);
    let is_title = bracket.find(')') == bracket.len().checked_sub(1)
        && can_open(title, language.lexicon)
        && language.lexicon.is_none_or(|lexicon| !is_day(title, lexicon));
    if !is_title {
        return None;
    }
    let title = title.trim().to_owned();
    *used = Some(facts.remove(0).text.plain().to_owned());
    Some(title)
}

/// Whether a title is one of a document between colleagues: `Deck for quarry operators`.
fn is_of_writer(title: &str) -> bool {
    const SIGNS: [&str; 14] = [
        "deck",
        "slides",
        "draft",
        "briefing",
        "copy",
        "lp",
        "abm",
        "template",
        "entwurf",
        "vorlage",
        "brouillon",
        "borrador",
        "rascunho",
        "bozza",
    ];
    Tokens::of(title).iter().any(|word| SIGNS.contains(&word))
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
    let is_only = material.is_shorter_than(LEAST_SUBTITLE);
    let facts = leads(&mut material.chapters)?;
    let fits = |fact: &Fact| {
        let text = fact.text.plain();
        matches!(fact.kind, Kind::Feature | Kind::Guarantee | Kind::Proof)
            && !concerns.refuses(text)
            && (words(text) >= LEAST_SUBTITLE || is_only)
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
mod tests;
