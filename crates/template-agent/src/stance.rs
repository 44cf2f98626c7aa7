//! Whom a line of a context speaks to: the reader of the page, or whoever writes it.
//!
//! Callers mix both: what the page may say, and how it is to be written. What is said to the writer never appears on a page. It still
//! counts: what is to be stressed comes first, what is not to be mentioned is left out, and a subject can become a title.
//! What this is not: understanding. In doubt a line is taken for an instruction, as a sentence less does no harm.

use crate::tidy;

pub mod confidential;
pub mod doubt;
pub mod floor;
pub mod greeting;
pub mod label;
pub mod lists;
mod phrases;
mod signs;
mod words;

use signs::{Sign, Signs};

/// How much of a sentence is looked at.
const MOST_BYTES: usize = 4000;

/// Whom a sentence speaks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// The reader.
    Copy,
    /// The writer: how the page is to be.
    Instruction,
    /// A program that is hoped to obey; nothing near it is trusted.
    Injection,
}

/// Whom a sentence speaks to.
pub fn of(sentence: &str) -> Stance {
    let folded = tidy::folded(tidy::head(sentence, MOST_BYTES));
    let signs = Signs::of(&folded);
    if signs.has(Sign::Injection) {
        return Stance::Injection;
    }
    let words = words::all();
    let bare = without_manners(&folded);
    let all: Vec<&str> = tokens(bare).collect();
    let end = bare.trim_end_matches(['.', '!', '。', ' ']);
    let has_mark = signs.has(Sign::Mark) || sentence.len() > MOST_BYTES;
    let is_instruction = is_for_page(bare)
        || speaks_of_page(bare, &all)
        || is_order(bare, &all)
        || words.starts_elsewhere.strip(bare).is_some()
        || words.ends_elsewhere.iter().any(|sign| end.ends_with(sign))
        || is_asked_in_japanese(bare, signs)
        || is_unfinished(&folded, signs)
        || has_gap(&folded)
        || is_data(&folded)
        || is_whole(tidy::head(sentence, MOST_BYTES))
        || has_mark
            && sentence
                .split(|char: char| !char.is_alphanumeric())
                .any(|word| words.unfinished.contains(&word))
        || label::split(sentence.trim()).is_some_and(|(name, _)| label::of(name) == label::Label::Writer);
    if is_instruction { Stance::Instruction } else { Stance::Copy }
}

/// Whether a sentence is for the writer as a whole, whatever its clauses say: it asks to keep something quiet, doubts what it says, or
/// tells what a price would come down to.
pub fn is_whole(sentence: &str) -> bool {
    confidential::is_asked(sentence) || doubt::is_doubt(sentence) || floor::is_floor(sentence)
}

/// Whether a text speaks to a program.
pub fn is_injection(text: &str) -> bool {
    Seen::of(text).is_injection()
}

/// A text that was looked through for what must not be on a page, whatever it says.
pub struct Seen {
    folded: String,
    signs: Signs,
}

impl Seen {
    /// Looks through a text.
    pub fn of(text: &str) -> Seen {
        let folded = tidy::folded(text);
        let signs = Signs::of(&folded);
        Seen { folded, signs }
    }

    /// Whether it speaks to a program.
    pub fn is_injection(&self) -> bool {
        self.signs.has(Sign::Injection)
    }

    /// Whether it has a place that somebody meant to fill and has not.
    pub fn is_placeholder(&self) -> bool {
        is_unfinished(&self.folded, self.signs) || has_gap(&self.folded)
    }
}

/// Whether a reader may see it.
pub fn is_copy(sentence: &str) -> bool {
    of(sentence) == Stance::Copy
}

/// The sentence without what is said before an order: `Please also`, `Make sure to`, a bullet.
fn without_manners(folded: &str) -> &str {
    let mut bare = folded;
    loop {
        let next =
            bare.trim_start_matches(|char: char| char.is_whitespace() || "-*•–—>\"'“”(:,.#!".contains(char));
        let next = words::all().manners.strip(next).unwrap_or(next);
        if next.len() == bare.len() {
            return bare;
        }
        bare = next;
    }
}

/// `Landing page for our CRM`: what the page is, not what it says.
fn is_for_page(bare: &str) -> bool {
    let start = words::all().articles.strip(bare).unwrap_or(bare);
    words::all().page_kinds.strip(start).is_some_and(|rest| {
        let mut next = rest.split_whitespace().take(2);
        rest.starts_with(' ') && next.any(|word| words::all().about.has(word))
    })
}

/// `The page should feel calm`, `Our audience is`, `Readers must see`.
fn speaks_of_page(bare: &str, all: &[&str]) -> bool {
    let start = &all[..all.len().min(8)];
    let is_page = start.iter().take(5).any(|word| words::all().page_words.has(word));
    let is_reader = start.iter().take(3).any(|word| words::all().readers.has(word));
    let must = start.iter().any(|word| words::all().musts.has(word));
    let has_to = start.windows(2).any(|pair| matches!(pair, ["need" | "needs" | "has" | "have", "to"]));
    let is_told = start.iter().any(|word| matches!(*word, "is" | "are" | "=" | "for" | "about"));
    let is_this_page = matches!(
        start,
        [
            "this" | "the",
            "page" | "deck" | "site" | "website" | "copy" | "tone" | "audience",
            "is" | "are" | "for" | "about",
            ..
        ]
    );
    let starts = |with: &[&str]| with.iter().any(|text| bare.starts_with(text));
    ((is_page || is_reader) && must)
        || (is_page && has_to)
        || is_this_page
        || words::all().wishes.strip(bare).is_some()
        || (starts(&["our target", "target audience", "target customer", "the target", "our audience"])
            && is_told)
}

/// An order to a writer.
fn is_order(bare: &str, all: &[&str]) -> bool {
    let word = |at: usize| all.get(at).copied().unwrap_or_default();
    if all.is_empty() {
        return false;
    }
    let (first, second, is_not) = match (word(0), word(1)) {
        ("do", "not") => (word(2), word(3), true),
        ("don't" | "dont" | "never" | "no", next) => (next, word(2), true),
        (first, second) => (first, second, false),
    };
    // Few sentences begin as an order does; only of these more is asked.
    let to_reader =
        || all.iter().any(|word| matches!(*word, "your" | "yours" | "you" | "you're" | "yourself"));
    let of_page =
        || all[1..].iter().any(|word| words::all().page_words.has(word)) || bare.contains("call to action");
    let of_style = || all[1..].iter().any(|word| words::all().style_words.has(word));
    let at_someone = || words::all().someone.has(second);
    if words::all().always_orders.has(first) {
        return !to_reader() || of_page() || of_style() || is_not;
    }
    if is_not && words::all().not_orders.has(first) {
        return !to_reader() || of_page() || of_style();
    }
    let count = || bare.split_whitespace().count();
    match first {
        "include" | "add" | "show" | "insert" | "list" if count() <= 5 && !to_reader() && second != "up" => {
            true
        }
        "make" if is_not && second == "things" => true,
        "more" | "not" | "only" if (is_not || first == "not") && second != "a" => {
            (of_page() || of_style()) && !to_reader()
        }
        "sound" => {
            of_style() || matches!(second, "like" | "confident" | "natural" | "human" | "authoritative")
        }
        "write" | "draft" => of_page() || of_style() || words::all().written.has(second) || at_someone(),
        "avoid" => {
            of_page() || of_style() || words::all().avoided.has(second) || (!to_reader() && count() <= 3)
        }
        "keep" => {
            (of_style() || second == "it" || second == "things" || second == "sentences") && !to_reader()
        }
        "be" => of_style() || second == "careful" || second == "sure",
        "focus" => !to_reader() && !bare.contains("what matters"),
        verb if words::all().orders.has(verb) => of_page() || of_style() || (at_someone() && !to_reader()),
        _ => false,
    }
}

fn is_asked_in_japanese(bare: &str, signs: Signs) -> bool {
    if !signs.has(Sign::Asked) || !signs.has(Sign::OfPage) {
        return false;
    }
    // What politeness put before it may have had the signs.
    let signs = Signs::of(bare);
    signs.has(Sign::Asked) && signs.has(Sign::OfPage)
}

/// Whether it is a piece of JSON, which was meant for a program.
fn is_data(folded: &str) -> bool {
    folded.trim_start().starts_with(['{', '[', '"', '}', ']']) && folded.contains("\":")
}

/// Whether it holds a name that somebody else's machine was to fill in: `{first_name}`, `%COMPANY%`.
fn has_gap(folded: &str) -> bool {
    if !folded.bytes().any(|byte| matches!(byte, b'{' | b'%')) {
        return false;
    }
    let is_name = |text: &str| {
        (2..=40).contains(&text.len())
            && text.starts_with(|char: char| char.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_ .-|".contains(&byte))
    };
    let mut braces = folded.split('{').skip(1);
    let in_braces = braces.any(|rest| rest.split_once('}').is_some_and(|(inner, _)| is_name(inner)));
    // `50 % more and 20 % less` has spaces between its signs, a gap has none.
    let parts: Vec<&str> = folded.split('%').collect();
    let between = parts.get(1..parts.len().saturating_sub(1)).unwrap_or_default();
    in_braces || between.iter().any(|inner| is_name(inner) && !inner.contains([' ', '-', '.']))
}

/// Whether a sentence has a word for parts or qualities of a page that only its writer uses.
pub fn mentions_page(sentence: &str) -> bool {
    let folded = tidy::folded(sentence);
    let mut all = tokens(&folded);
    all.any(|word| words::all().page_words.has(word) || words::all().style_words.has(word))
}

/// What someone meant to fill in and has not.
fn is_unfinished(folded: &str, signs: Signs) -> bool {
    signs.has(Sign::Unfinished)
        || matches!(
            folded.trim_matches(|char: char| !char.is_alphanumeric()),
            "tbd"
                | "todo"
                | "tba"
                | "n/a"
                | "na"
                | "xxx"
                | "fixme"
                | "undefined"
                | "null"
                | "none"
                | "placeholder"
        )
        || folded.starts_with("todo:")
        || folded.starts_with("tbd:")
        || folded.starts_with("fixme")
}

/// What the page is to be about, by a sentence that asks for it.
pub fn subject(sentence: &str) -> Option<String> {
    let folded = tidy::folded(sentence);
    // Folding keeps lengths for the scripts that these words are of; elsewhere there is no subject to find.
    if folded.len() != sentence.len() {
        return None;
    }
    let at = words::all().subjects.end_in(&folded)?;
    let rest = sentence.get(at..)?.trim();
    let end = rest.find(['.', ';', '!', '?', '\n', '(']).unwrap_or(rest.len());
    let rest = &rest[..end];
    let cut = words::all().subject_ends.iter().filter_map(|sign| tidy::folded(rest).find(sign)).min();
    let found = rest.get(..cut.unwrap_or(rest.len()))?.trim().trim_end_matches([',', ':', '-']);
    let size = tidy::length(found);
    (3..=90).contains(&size).then(|| tidy::capital(found))
}

/// What is not to be mentioned, by a sentence that says so.
pub fn unwanted(sentence: &str) -> Option<String> {
    let folded = tidy::folded(sentence);
    let at = words::all().unwanted.end_in(&folded)?;
    let rest = folded[at..].split(['.', ';', '!', '\n']).next()?.trim();
    tidy::says_something(rest).then(|| rest.to_owned())
}

/// The words of a folded text.
fn tokens(folded: &str) -> impl Iterator<Item = &str> {
    folded
        .split(|char: char| !char.is_alphanumeric() && char != '\'' && char != '-')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What operators write for the agent; none of it may be seen by a visitor.
    const INSTRUCTIONS: &str = include_str!("stance/instructions.txt");

    /// What operators write for visitors, close to orders as it is.
    const COPY: &str = include_str!("stance/copy.txt");

    #[test]
    fn instructions_are_told_from_copy() {
        let shown: Vec<&str> = INSTRUCTIONS.lines().filter(|line| is_copy(line)).collect();
        assert!(shown.is_empty(), "taken for copy: {shown:#?}");
        let hidden: Vec<&str> = COPY.lines().filter(|line| !is_copy(line)).collect();
        assert!(hidden.is_empty(), "taken for instructions: {hidden:#?}");
    }

    #[test]
    fn a_request_names_its_subject() {
        let subjects = [
            ("Write a landing page about our new CRM for dentists.", "Our new CRM for dentists"),
            ("Create a page for the Spring Sale, with three sections.", "The Spring Sale"),
            ("Please create a one-pager on zero-trust networking (short)", "Zero-trust networking"),
            ("Schreibe eine Seite über unsere neue Bäckerei in Köln.", "Unsere neue Bäckerei in Köln"),
        ];
        for (sentence, wanted) in subjects {
            assert_eq!(subject(sentence).as_deref(), Some(wanted), "{sentence}");
        }
        assert_eq!(subject("Tone: friendly"), None);
    }

    #[test]
    fn what_is_not_to_be_mentioned_is_known() {
        assert_eq!(
            unwanted("Please do not mention pricing or discounts.").as_deref(),
            Some("pricing or discounts")
        );
        assert_eq!(unwanted("Avoid mentioning Rivalco!").as_deref(), Some("rivalco"));
        assert_eq!(unwanted("Mention the price"), None);
    }
}
