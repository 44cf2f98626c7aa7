//! The sentence that says who speaks and what they do, as a headline: `Practice software for dentists`.
//!
//! Invariant: a headline ends where its sentence could end; a list, a verb and its object, or a clause is never cut in two.

use std::sync::LazyLock;

use crate::clause;
use crate::count::words;
use crate::headline::is_headline;
use crate::lexicon::Lexicon;
use crate::stance::{greeting, lists};
use crate::tidy;
use crate::words::Tokens;

/// The most words before the verb of a definition.
const MOST_SUBJECT: usize = 7;
/// A noun phrase of so many words, cut out of a longer one, says little.
const VAGUE: usize = 4;
/// The fewest words that have to be left out for a headline that begins like its sentence.
const LEAST_LEFT_OUT: usize = 3;

/// A sentence that says who speaks, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Definition {
    /// Who speaks, if the sentence names them.
    pub name: Option<String>,
    /// The headline, if one can be made.
    pub title: Option<String>,
    /// What the sentence says besides the headline; nothing if the headline says it all.
    pub rest: Option<String>,
}

/// Where a sentence stands that may say who speaks.
#[derive(Debug, Clone, Copy)]
pub struct SentencePosition<'a> {
    /// All that the brief says.
    pub text: &'a str,
    /// Whether it begins with the sentence.
    pub is_first: bool,
}

impl SentencePosition<'_> {
    /// Whether a word is known to be a name: it is met again.
    fn has_name(self, name: &str) -> bool {
        self.times(name) >= 2
    }

    /// Whether a word is one of the language: it is met in small letters.
    fn has_word(self, word: &str) -> bool {
        self.times(word) > 0
    }

    /// How often the brief has these letters as whole words.
    fn times(self, name: &str) -> usize {
        let is_apart = |(at, _): &(usize, &str)| {
            let (before, behind) = (&self.text[..*at], &self.text[at + name.len()..]);
            !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
        };
        self.text.match_indices(name).filter(is_apart).count()
    }
}

/// Takes a sentence apart that begins with a name or with `we`.
pub fn of(sentence: &str, lexicon: &Lexicon, place: SentencePosition<'_>) -> Option<Definition> {
    if let Some(who) = greeting::introduced(sentence) {
        return Some(introduced(sentence, who, lexicon));
    }
    let tokens = Tokens::of(sentence);
    let is_we = lexicon.grammar.we.has(tokens.word(0)) && !lexicon.grammar.articles.has(tokens.word(0));
    let (name, verb) = if is_we {
        (None, 1)
    } else {
        match speaker(sentence, &tokens, lexicon, place)? {
            Speaker { name, end, is_sure: true } => (Some(name), end),
            Speaker { end, .. } if place.is_first => (None, end),
            Speaker { .. } => return None,
        }
    };
    let grammar = &lexicon.grammar;
    let noun = grammar.is_a.at(&tokens, verb).or_else(|| grammar.supplies.at(&tokens, verb));
    if let Some(noun) = noun {
        return Some(named(sentence, tokens.start(noun.end), name, lexicon));
    }
    let (title, is_whole) = match beginning(sentence, tokens.end(verb), lexicon) {
        Some(found) => found,
        None => return name.map(|name| from_name(name, sentence)),
    };
    if is_whole {
        return Some(Definition { name, title: Some(title), rest: None });
    }
    match name {
        Some(name) if words(&sentence[title.len()..]) < LEAST_LEFT_OUT => Some(from_name(name, sentence)),
        name => Some(Definition { name, title: Some(title), rest: Some(sentence.to_owned()) }),
    }
}

/// Whether a first sentence begins with a name and says of it what it is.
pub fn is_of_name(sentence: &str, lexicon: &Lexicon) -> bool {
    let tokens = Tokens::of(sentence);
    let place = SentencePosition { text: "", is_first: true };
    speaker(sentence, &tokens, lexicon, place).is_some_and(|speaker| {
        let is_a = lexicon.grammar.is_a.at(&tokens, speaker.end);
        speaker.is_sure
            && is_a.is_some_and(|found| {
                lexicon.grammar.articles.has(tokens.word(found.end)) || found.end - found.start >= 2
            })
    })
}

/// Who somebody says they are as the headline.
fn introduced(sentence: &str, who: &str, lexicon: &Lexicon) -> Definition {
    let tokens = Tokens::of(tidy::head(who, 40));
    let from =
        if lexicon.grammar.articles.has(tokens.word(0)) && tokens.len() > 1 { tokens.start(1) } else { 0 };
    // `Jesteśmy piekarnią Zakwas`: what has a case cannot stand alone, but a name can.
    if lexicon.grammar.declines && who.starts_with(char::is_lowercase) {
        let name = who.split_once(' ').and_then(|(_, name)| proper_name(name, lexicon, 1));
        return Definition { name, title: None, rest: Some(sentence.to_owned()) };
    }
    let name = proper_name(&who[from..], lexicon, 2);
    // `We are called Corner Dental and open at six`
    let behind = name.as_deref().and_then(|name| who[from..].strip_prefix(name)).unwrap_or_default();
    if lexicon.grammar.openers.begins(&Tokens::of(tidy::head(behind, 40))).is_some() {
        return from_name(name.unwrap_or_default(), sentence);
    }
    named(sentence, sentence.len() - who.len() + from, name, lexicon)
}

/// The name as the headline, if it is more than a word.
fn from_name(name: String, sentence: &str) -> Definition {
    let title = Some(name.clone()).filter(|name| is_headline(name));
    Definition { name: Some(name), title, rest: Some(sentence.to_owned()) }
}

/// The noun phrase behind the verb as the headline.
fn named(sentence: &str, start: usize, name: Option<String>, lexicon: &Lexicon) -> Definition {
    let phrase = sentence[start..].trim();
    let first = phrase.split(' ').next().unwrap_or_default();
    let is_to_reader = lexicon.grammar.you.has(&tidy::folded(first));
    let made = beginning(phrase, 0, lexicon).filter(|_| !is_to_reader);
    // `supplies offices and looks after machines` is no phrase without its subject.
    let has_verb = |title: &str| {
        let tokens = Tokens::of(title);
        let relative =
            (1..tokens.len()).find(|at| RELATIVE.contains(&tokens.word(*at))).unwrap_or(tokens.len());
        // `école de cuisine`: behind a preposition or an article stands a noun.
        let grammar = &lexicon.grammar;
        let is_noun = |at: usize| {
            grammar.boundaries.has(tokens.word(at - 1)) || grammar.articles.has(tokens.word(at - 1))
        };
        (1..relative).any(|at| grammar.does.at(&tokens, at).is_some() && !is_noun(at))
    };
    match made.filter(|(title, _)| !has_verb(title)) {
        Some((title, true)) => Definition { name, title: Some(title), rest: None },
        // A few words that leave out what is special say less than the name.
        Some((title, false)) if words(&title) <= VAGUE && name.as_deref().is_some_and(is_headline) => {
            from_name(name.unwrap_or_default(), sentence)
        }
        Some((title, false)) => {
            let left = phrase[title.len()..].trim_start_matches([' ', ',', ';', ':', '–', '—']);
            // What follows a mark can stand alone; what follows a preposition cannot.
            let is_apart = phrase[title.len()..].trim_start().starts_with([';', ':', '–', '—']);
            let rest = if is_apart && words(left) >= 3 { tidy::capital(left) } else { sentence.to_owned() };
            Definition { name, title: Some(title), rest: Some(rest) }
        }
        None => match name.or_else(|| proper_name(phrase, lexicon, 2)) {
            Some(name) => from_name(name, sentence),
            None => Definition { name: None, title: None, rest: Some(sentence.to_owned()) },
        },
    }
}

/// The name that a sentence begins with.
struct Speaker {
    name: String,
    /// The number of the word behind it.
    end: usize,
    /// Whether it is certain that it is a name.
    is_sure: bool,
}

/// The name that a sentence begins with, if it can be one.
fn speaker(
    sentence: &str,
    tokens: &Tokens,
    lexicon: &Lexicon,
    place: SentencePosition<'_>,
) -> Option<Speaker> {
    const WITHIN: [&str; 17] = [
        "de", "la", "le", "du", "des", "of", "von", "van", "der", "den", "del", "da", "do", "di", "and",
        "und", "the",
    ];
    let grammar = &lexicon.grammar;
    let start = usize::from(grammar.articles.has(tokens.word(0)) && !grammar.we.has(tokens.word(0)));
    let is_capital = |at: usize| sentence[tokens.start(at)..].starts_with(char::is_uppercase);
    let mut end = start;
    while end < tokens.len().min(start + MOST_SUBJECT) {
        let gap = if end > start { &sentence[tokens.end(end - 1)..tokens.start(end)] } else { " " };
        let joins = matches!(gap, " " | " & " | " + ");
        // `Domaine de la Roche`
        let within =
            (end..end + 2).take_while(|at| end > start && WITHIN.contains(&tokens.word(*at))).count();
        if !joins || !is_capital(end + within) {
            break;
        }
        end += within + 1;
    }
    let is_next = |at: usize| at < tokens.len() && &sentence[tokens.end(at - 1)..tokens.start(at)] == " ";
    if end == start || !is_next(end) {
        return None;
    }
    let name = &sentence[tokens.start(start)..tokens.end(end - 1)];
    let count = end - start;
    // `The Turbine Hall at Askern is`
    if matches!(tokens.word(end), "at" | "in" | "im" | "en" | "à" | "a" | "em") && is_capital(end + 1) {
        end += 2;
    }
    if !is_next(end) || grammar.boundaries.has(tokens.word(end)) || grammar.who.has(tokens.word(end)) {
        return None;
    }
    let first = tokens.word(start).split('\'').next().unwrap_or_default();
    let is_word = INDEFINITE.has(first)
        || grammar.third.has(first)
        || grammar.you.has(first)
        || grammar.asks.has(first)
        || grammar.boundaries.has(first)
        || start == 0 && grammar.leans.begins(tokens).is_some()
        || lexicon.kinds.empty.has(first)
        || lexicon.numbers.words.at(tokens, start).is_some()
        || first.starts_with(|char: char| char.is_ascii_digit());
    let is_a = grammar.is_a.at(tokens, end);
    let is_thing = is_a
        .as_ref()
        .is_some_and(|found| found.end - found.start >= 2 || grammar.articles.has(tokens.word(found.end)));
    let acts = is_a.is_some() || grammar.does.at(tokens, end).is_some();
    // In German every noun has a capital.
    let is_plural_name = lexicon.kinds.persons.has(first);
    let is_known = place.has_name(name) || name.contains('&');
    let is_sure = if start > 0 && count == 1 {
        is_thing
    } else if lexicon.grammar.capital_nouns {
        is_known || is_thing || (place.is_first && acts && !first.ends_with("en"))
    } else {
        // `Corvane places staff`: no word of the language, as it never is in small letters.
        let is_third_person = place.is_first && !grammar.inverts && tokens.word(end).ends_with('s');
        is_known || count >= 2 || (acts || is_third_person && !place.has_word(first)) && !first.ends_with('s')
    };
    let can_be_name = start == 0 && !grammar.capital_nouns || is_sure;
    (can_be_name && !is_word && !is_plural_name).then(|| Speaker { name: name.to_owned(), end, is_sure })
}

/// Words that stand for nobody in particular.
static INDEFINITE: LazyLock<lists::Set> =
    LazyLock::new(|| lists::of(include_str!("indefinite.txt"), "indefinite").into());

/// Words that begin a clause about the noun before them.
const RELATIVE: [&str; 16] = [
    "waar", "waarmee", "who", "which", "that", "whose", "where", "qui", "que", "dont", "où", "che", "dove",
    "donde", "onde", "cuyo",
];

/// The name that a phrase begins with, up to a comma, a joint or a preposition: `Hotel Lindenhof, 32 rooms by the lake`.
/// It has at least so many words.
fn proper_name(phrase: &str, lexicon: &Lexicon, least: usize) -> Option<String> {
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase) || *word == "&";
    let mut end = 0;
    let mut count = 0;
    for word in phrase.split(' ').take_while(is_capital).take(MOST_SUBJECT) {
        end += word.len() + usize::from(count > 0);
        count += 1;
        if word.ends_with(',') {
            break;
        }
    }
    let name = phrase[..end].trim_end_matches([',', '&', ' ']);
    let next = Tokens::of(tidy::head(&phrase[end..], 40));
    let grammar = &lexicon.grammar;
    let ends = phrase[..end].ends_with(',')
        || next.len() == 0
        || grammar.openers.begins(&next).is_some()
        || grammar.who.has(next.word(0))
        || grammar.boundaries.has(next.word(0));
    let is_you = grammar.you.has(&tidy::folded(phrase.split(' ').next().unwrap_or_default()));
    (count >= least && ends && !is_you).then(|| name.to_owned())
}

/// Whether a clause goes on with how something came to be: `…, run by the Maier family since 1954`.
fn is_participle(clause: &str) -> bool {
    const PARTICIPLES: [&str; 14] = [
        "run",
        "founded",
        "based",
        "led",
        "owned",
        "made",
        "built",
        "established",
        "located",
        "started",
        "opened",
        "set",
        "gegründet",
        "geführt",
    ];
    PARTICIPLES.contains(&Tokens::of(tidy::head(clause, 40)).word(0))
}

/// The longest beginning of a sentence that is a headline and could end there, and whether that is all of it. At least two words
/// are behind the byte `behind`.
fn beginning(sentence: &str, behind: usize, lexicon: &Lexicon) -> Option<(String, bool)> {
    let sentence = sentence.trim_end_matches(['.', '。', '!', ' ']);
    let tokens = Tokens::of(sentence);
    if is_headline(sentence) && words(&sentence[behind.min(sentence.len())..]) >= usize::from(behind > 0) {
        return Some((tidy::capital(sentence), true));
    }
    let relative = (1..tokens.len()).find(|at| RELATIVE.contains(&tokens.word(*at)));
    // `a studio and we are looking for a publisher`
    let second = (1..tokens.len()).find(|at| {
        let is_joint = lexicon.grammar.openers.at(&tokens, *at).is_some_and(|found| found.end == at + 1);
        is_joint && lexicon.grammar.we.has(tokens.word(at + 1))
    });
    let most = [relative, second].into_iter().flatten().min().map_or(sentence.len(), |at| tokens.start(at));
    let marks = ["; ", ": ", " – ", " — ", " (", ". "];
    let mut ends: Vec<usize> =
        marks.iter().flat_map(|mark| sentence.match_indices(mark).map(|(at, _)| at)).collect();
    ends.extend(sentence.match_indices(", ").filter_map(|(at, _)| {
        let rest = &sentence[at + 2..];
        let is_relative = RELATIVE.contains(&Tokens::of(tidy::head(rest, 40)).word(0));
        (is_relative || is_participle(rest) || clause::follows(rest, lexicon)).then_some(at)
    }));
    // `stellt Maschinen für Bäckereien her`: where verbs or parts of them end a clause, only one that ends in a noun is cut.
    let ends_in_noun = |at: usize| {
        let clause = &sentence[tokens.start(at)..];
        let clause = clause.find([',', ';', ':', '–']).map_or(clause, |end| &clause[..end]);
        clause.trim().rsplit(' ').next().is_some_and(|word| word.starts_with(char::is_uppercase))
    };
    let boundary = |at: &usize| {
        let is_cut = !lexicon.grammar.inverts || ends_in_noun(*at);
        is_cut && lexicon.grammar.boundaries.has(tokens.word(*at)) || [relative, second].contains(&Some(*at))
    };
    ends.extend((1..tokens.len()).filter(boundary).map(|at| tokens.start(at)));
    ends.sort_unstable_by_key(|end| std::cmp::Reverse(*end));
    ends.into_iter().filter(|end| *end <= most).find_map(|end| {
        let title = sentence[..end].trim_end_matches([' ', ',', ':', ';', '–', '—']);
        let last = title.rsplit(' ').next().map(tidy::folded).unwrap_or_default();
        let told = title.get(behind..).map_or(0, words);
        let is_whole = !lexicon.kinds.empty.has(&last)
            && !lexicon.grammar.articles.has(&last)
            && !lexicon.grammar.boundaries.has(&last)
            && !cuts_list(title)
            && title.matches('(').count() == title.matches(')').count();
        let fits = is_headline(title) && words(title) >= 3 && (behind == 0 || told >= 2);
        (fits && is_whole).then(|| (title.to_owned(), false))
    })
}

/// Whether the last thing of a list is missing.
fn cuts_list(title: &str) -> bool {
    let joints =
        [" and ", " or ", " & ", " et ", " ou ", " y ", " o ", " e ", " und ", " oder ", " en ", " of "];
    title.rsplit_once(", ").is_some_and(|(_, last)| !joints.iter().any(|joint| last.contains(joint)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    fn title(tag: &str, sentence: &str) -> (Option<String>, Option<String>) {
        let found = of(sentence, lexicon::of(tag).unwrap(), SentencePosition { text: "", is_first: false });
        found.map_or((None, None), |found| (found.name, found.title))
    }

    #[test]
    fn a_definition_ends_where_a_sentence_can() {
        for (tag, sentence, name, wanted) in [
            (
                "en",
                "Tallyboard is an analytics service for subscription businesses that answers this second question from data",
                "Tallyboard",
                "analytics service for subscription businesses",
            ),
            (
                "en",
                "Wardlink shows free beds, transports and cleaning on one board that runs in the browser",
                "Wardlink",
                "Wardlink shows free beds, transports and cleaning on one board",
            ),
            (
                "en",
                "Hollowoak Apiary Supply makes cedar hives, frames and protective clothing for hobby and small commercial beekeepers",
                "Hollowoak Apiary Supply",
                "cedar hives, frames and protective clothing",
            ),
            (
                "fr",
                "Le Domaine de la Roche-Vive cultive dix-huit hectares de grenache, de syrah et de carignan sur les hauteurs",
                "Domaine de la Roche-Vive",
                "Domaine de la Roche-Vive",
            ),
            ("fr", "Nous sommes une école de cuisine à Nantes", "", "École de cuisine à Nantes"),
            (
                "en",
                "Hartley & Crumb has baked on Mill Lane in Otley since 1987",
                "Hartley & Crumb",
                "Hartley & Crumb",
            ),
        ] {
            let name = Some(name.to_owned()).filter(|name| !name.is_empty());
            assert_eq!(title(tag, sentence), (name, Some(wanted.to_owned())), "{sentence}");
        }
    }

    #[test]
    fn what_is_no_name_defines_nobody() {
        for sentence in [
            "Nothing is ripped out",
            "Practices with the software lose fewer appointments to no-shows",
            "Far fewer know why some of them left",
            "Buses run from Barnstaple and Bideford",
        ] {
            assert_eq!(title("en", sentence).0, None, "{sentence}");
        }
    }
}
