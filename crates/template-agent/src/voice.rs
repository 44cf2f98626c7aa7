//! Notes about a reader, said to the reader.
//!
//! "Jordan asked about single sign-on" becomes "You asked about single sign-on". What this is not: grammar. It is done for English notes
//! only, and a sentence that still speaks of someone else afterwards is not shown. Invariant: nothing that a seller notes for
//! themselves gets through: terms of the deal, judgements, ids.

use crate::reader::Reader;
use crate::tidy;

/// What opens a note about the conversation, and how the page says it.
const WE: &[&str] = &[
    "discussed",
    "talked",
    "agreed",
    "covered",
    "reviewed",
    "looked",
    "walked",
    "went",
    "spoke",
    "compared",
    "demoed",
    "clarified",
    "touched",
    "explored",
    "started",
    "met",
    "decided",
];

/// What opens a note about the reader without naming them.
const YOU: &[(&str, &str)] = &[
    ("asked", "asked"),
    ("wants", "want"),
    ("wanted", "wanted"),
    ("needs", "need"),
    ("needed", "needed"),
    ("mentioned", "mentioned"),
    ("uses", "use"),
    ("using", "are using"),
    ("looking", "are looking"),
    ("interested", "are interested"),
    ("plans", "plan"),
    ("planning", "are planning"),
    ("liked", "liked"),
    ("likes", "like"),
    ("runs", "run"),
    ("prefers", "prefer"),
    ("would", "would"),
    ("has", "have"),
    ("is", "are"),
    ("currently", "currently"),
    ("hopes", "hope"),
    ("migrating", "are migrating"),
    ("moving", "are moving"),
    ("evaluating", "are evaluating"),
    ("considering", "are considering"),
];

/// Verbs of the third person that do not just lose their `s`.
const VERBS: &[(&str, &str)] = &[
    ("is", "are"),
    ("isn't", "aren't"),
    ("was", "were"),
    ("wasn't", "weren't"),
    ("has", "have"),
    ("hasn't", "haven't"),
    ("does", "do"),
    ("doesn't", "don't"),
    ("goes", "go"),
    ("tries", "try"),
    ("'s", "are"),
];

/// A note as it can be said to its reader; `None` if it should not be.
pub fn to_reader(sentence: &str, reader: &Reader, english: bool) -> Option<String> {
    let sentence = sentence.trim();
    if !english {
        return (!reader.is_named_in(sentence)).then(|| sentence.to_owned());
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let holds = |set: &[&str]| {
        words
            .iter()
            .any(|word| set.contains(&tidy::folded(word.trim_end_matches(['.', ',', ';', ':'])).as_str()))
    };
    // Of two people in one sentence only one is the reader.
    if holds(&["she", "her", "hers"]) && holds(&["he", "him", "his"]) {
        return None;
    }
    let first = tidy::folded(words.first()?);
    let first = first.trim_end_matches([',', ':']);
    let turned = if WE.contains(&first) {
        format!("We {}", uncapitalised(sentence))
    } else if let Some((_, verb)) = YOU.iter().find(|(word, _)| *word == first) {
        let rest = words[1..].join(" ");
        format!("You {verb} {}", pronouns_turned(&rest))
    } else {
        subject_turned(&words, reader)?
    };
    let left = format!(" {} ", tidy::folded(&turned));
    let speaks_of_other = [" he ", " she ", " his ", " her ", " him ", " hers ", " he's ", " she's "]
        .iter()
        .any(|word| left.contains(word));
    (!speaks_of_other && !reader.is_named_in(&turned)).then(|| tidy::capital(&turned))
}

/// Words before someone to whom something is done, who then is not the one that the sentence is about.
const BEFORE_OBJECTS: &[&str] = &[
    "with", "to", "from", "by", "for", "of", "about", "and", "told", "asked", "call", "called", "met", "ask",
    "tell", "invite",
];

/// The sentence with the reader in the place of the one it speaks of.
fn subject_turned(words: &[&str], reader: &Reader) -> Option<String> {
    let is_subject = |word: &str| {
        let folded = tidy::folded(word);
        let bare = folded.trim_end_matches([',', '.', ':', ';']);
        matches!(bare, "he" | "she" | "they")
            || (!bare.is_empty()
                && (bare == tidy::folded(&reader.first) || bare == tidy::folded(&reader.last)))
    };
    let mut turned: Vec<String> = Vec::with_capacity(words.len());
    let mut singular = !reader.company.is_empty() && words.join(" ").starts_with(&reader.company);
    let mut seen = singular;
    let mut at = 0;
    while at < words.len() {
        let word = words[at];
        seen |= is_subject(word);
        let is_object = at > 0 && BEFORE_OBJECTS.contains(&tidy::folded(words[at - 1]).as_str());
        if is_subject(word) && is_object {
            return None;
        }
        if let Some(owner) = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"))
            && is_subject(owner)
        {
            turned.push(if turned.is_empty() { "Your" } else { "your" }.to_owned());
        } else if is_subject(word) {
            // A first and a last name are one subject.
            while at + 1 < words.len() && is_subject(words[at + 1]) {
                at += 1;
            }
            // `Dr Okafor` is one.
            const TITLES: [&str; 8] = ["dr", "dr.", "mr", "mr.", "mrs", "mrs.", "ms", "prof."];
            turned.pop_if(|last| TITLES.contains(&tidy::folded(last).as_str()));
            let starts =
                turned.is_empty() || turned.last().is_some_and(|last| last.ends_with(['.', '!', '?', ':']));
            turned.push(if starts { "You" } else { "you" }.to_owned());
            let plural = tidy::folded(word) == "they";
            singular |= !plural;
            if let Some(verb) = words.get(at + 1) {
                turned.push(if plural { (*verb).to_owned() } else { verb_turned(verb) });
                at += 1;
            }
        } else {
            // `You have 120 agents and use Zendesk`: the second verb follows the first.
            let follows =
                singular && turned.last().is_some_and(|last| matches!(last.as_str(), "and" | "but" | "then"));
            let known = VERBS
                .iter()
                .chain(YOU)
                .find(|(third, _)| follows && *third == word && !third.ends_with("ing"));
            // As long as the reader was not named, `their` and `them` are somebody else's.
            let is_others =
                !seen && PLURAL.contains(&tidy::folded(word.trim_end_matches(['.', ','])).as_str());
            turned.push(match known {
                Some((_, verb)) => (*verb).to_owned(),
                None if is_others => word.to_owned(),
                None => pronoun_turned(word, around(words, at)),
            });
        }
        at += 1;
    }
    let turned = turned.join(" ");
    // The company's own doing is the reader's as well.
    if reader.company.is_empty() || !turned.starts_with(&reader.company) {
        return Some(turned);
    }
    let rest = turned[reader.company.len()..].trim_start();
    let (verb, behind) = rest.split_once(' ')?;
    Some(format!("You {} {behind}", verb_turned(verb)))
}

fn verb_turned(verb: &str) -> String {
    if let Some((_, turned)) = VERBS.iter().find(|(third, _)| *third == verb) {
        return (*turned).to_owned();
    }
    let stem = verb.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']));
    match stem {
        Some(stem) if stem.ends_with("ie") => format!("{}y", &stem[..stem.len() - 2]),
        Some(stem)
            if ["she", "che", "xe", "sse"].iter().any(|end| stem.ends_with(end))
                && !stem.ends_with("ache") =>
        {
            stem[..stem.len() - 1].to_owned()
        }
        Some(stem) if verb.bytes().all(|byte| byte.is_ascii_lowercase()) => stem.to_owned(),
        _ => verb.to_owned(),
    }
}

/// Words that do not follow a possessive: before them, `her` is somebody and not somebody's.
const NOT_OWNED: &[&str] = &[
    "to", "about", "on", "with", "and", "for", "by", "at", "if", "that", "a", "an", "the", "in", "how",
    "what", "when", "after", "before", "of", "because", "this", "next",
];

/// Words that speak of several, who are the reader's company or somebody else.
const PLURAL: &[&str] = &["their", "theirs", "them", "they're"];

/// The words before and after one.
fn around<'a>(words: &[&'a str], at: usize) -> (Option<&'a str>, Option<&'a str>) {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    (before.copied(), words.get(at + 1).copied())
}

fn pronoun_turned(word: &str, (before, next): (Option<&str>, Option<&str>)) -> String {
    let bare = word.trim_end_matches([',', '.', ';', ':', '!', '?']);
    let behind = &word[bare.len()..];
    let turned = match bare {
        "their" | "his" => "your",
        "Their" | "His" | "Her" => "Your",
        "theirs" => "yours",
        // `Two of them` are things.
        "them" if before == Some("of") => return word.to_owned(),
        "them" | "him" => "you",
        "her" if behind.is_empty() && next.is_some_and(|next| !NOT_OWNED.contains(&next)) => "your",
        "her" => "you",
        "they're" | "he's" | "she's" => "you're",
        _ => return word.to_owned(),
    };
    format!("{turned}{behind}")
}

fn pronouns_turned(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let turned = words.iter().enumerate().map(|(at, word)| pronoun_turned(word, around(&words, at)));
    turned.collect::<Vec<_>>().join(" ")
}

fn uncapitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader() -> Reader {
        Reader {
            name: "Jordan Ellis".to_owned(),
            first: "Jordan".to_owned(),
            last: "Ellis".to_owned(),
            company: "Brightpath Logistics".to_owned(),
            ..Reader::default()
        }
    }

    #[test]
    fn notes_are_said_to_their_reader() {
        for (note, said) in [
            ("Jordan asked about single sign-on.", "You asked about single sign-on."),
            ("Jordan Ellis runs finance for the group.", "You run finance for the group."),
            (
                "They close in 9 days and are moving to NetSuite.",
                "You close in 9 days and are moving to NetSuite.",
            ),
            ("Discussed the rollout for 40 seats.", "We discussed the rollout for 40 seats."),
            ("Wants a pilot with their warehouse team.", "You want a pilot with your warehouse team."),
            ("Brightpath Logistics operates 14 depots.", "You operate 14 depots."),
            ("The pilot starts in March.", "The pilot starts in March."),
            ("She is preparing an audit.", "You are preparing an audit."),
            ("Twenty cold rooms, two of them from 1987.", "Twenty cold rooms, two of them from 1987."),
            ("The auditors bring their own devices.", "The auditors bring their own devices."),
            ("Jordan wants to keep two of them.", "You want to keep two of them."),
        ] {
            assert_eq!(to_reader(note, &reader(), true).as_deref(), Some(said), "{note}");
        }
    }
}
