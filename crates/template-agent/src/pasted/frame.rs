//! What is around the text of a web page, a mail or a post, and comes along when somebody copies it: the navigation, the question
//! about cookies, the line about rights, the warning below a mail, the buttons below a post.
//!
//! What this is not: a reader of pages. Only whole parts of a line go that say nothing else.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::sentence;
use crate::stance::lists;
use crate::tidy;

fn list(name: &str) -> Vec<&'static str> {
    lists::of(include_str!("frame.txt"), name)
}

static NAVIGATION: LazyLock<lists::Set> = LazyLock::new(|| list("navigation").into());
static BUTTONS: LazyLock<lists::Set> = LazyLock::new(|| list("button").into());
static SOCIAL: LazyLock<lists::Set> = LazyLock::new(|| list("social").into());
/// How a question about cookies begins, and what it has besides: a baker uses cookies as well.
static COOKIES: LazyLock<lists::Beginnings> = LazyLock::new(|| list("cookies").into());
static WEB: LazyLock<Vec<&'static str>> = LazyLock::new(|| list("web"));
/// How a line about rights begins.
static RIGHTS: LazyLock<lists::Beginnings> = LazyLock::new(|| list("rights").into());
/// How it goes on with who has made the page. Alone it may be anything: `Site by the lake`.
static MAKERS: LazyLock<lists::Beginnings> = LazyLock::new(|| list("makers").into());
/// What a sentence has that is below a mail.
static BELOW: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(list("mail")).ok());
/// How a sentence begins that only one person says to another.
static SMALL_TALK: LazyLock<lists::Beginnings> = LazyLock::new(|| list("smalltalk").into());
/// The most words of such a sentence.
const MOST_TALK: usize = 14;
/// Everything of which a frame's line has something.
static SIGNS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let names = ["navigation", "button", "social", "cookies", "rights", "makers", "mail", "smalltalk"];
    AhoCorasick::new(names.into_iter().flat_map(list)).ok()
});

/// The fewest entries of a navigation, and how many of them are known.
const LEAST_ENTRIES: usize = 3;
const LEAST_KNOWN: usize = 2;
/// The most words of an entry.
const MOST_ENTRY: usize = 3;

/// The line without what is around a text.
pub fn without(line: &str) -> Cow<'_, str> {
    let folded = tidy::folded(line);
    if !SIGNS.as_ref().is_some_and(|signs| signs.is_match(&folded)) {
        return Cow::Borrowed(line);
    }
    let mut kept = Vec::new();
    let mut is_whole = true;
    let mut is_about_rights = false;
    // Columns of a page come with a gap between them.
    for column in line.split("   ").map(str::trim).filter(|column| !column.is_empty()) {
        let mut start = 0;
        let ends = sentence::ends(column);
        for end in ends.into_iter().chain([column.len()]) {
            let part = column[std::mem::replace(&mut start, end)..end].trim();
            if part.is_empty() {
                continue;
            }
            let bare = bare(&tidy::folded(part)).to_owned();
            is_about_rights |= RIGHTS.strip(&bare).is_some();
            if is_about_rights && MAKERS.strip(&bare).is_some() || is_of_frame(&bare) {
                is_whole = false;
            } else {
                kept.push(part);
            }
        }
    }
    if is_whole { Cow::Borrowed(line) } else { Cow::Owned(kept.join(" ")) }
}

/// A part of a line without the marks before it.
fn bare(folded: &str) -> &str {
    folded.trim_start_matches(['-', '*', '•', '·', '>', '#', ' ', '|'])
}

/// Whether a part of a line says nothing but what a frame does.
fn is_of_frame(bare: &str) -> bool {
    let asks_for_cookies = COOKIES.strip(bare).is_some_and(|rest| {
        !rest.contains(char::is_alphanumeric) || WEB.iter().any(|word| bare.contains(word))
    });
    let button = bare.trim_end_matches(['>', '»', '›', '→', '.', '…', '!', ' ']);
    BUTTONS.has(button)
        || asks_for_cookies
        || RIGHTS.strip(bare).is_some()
        || BELOW.as_ref().is_some_and(|below| below.is_match(bare))
        || is_small_talk(bare)
        || is_navigation(bare)
        || is_below_post(bare)
}

/// `Hope you are well!`
fn is_small_talk(bare: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    bare.split_whitespace().count() <= MOST_TALK
        && !bare.contains(|char: char| char.is_ascii_digit())
        && SMALL_TALK.strip(bare).is_some_and(ends)
}

/// `Home | Services | Contact`
fn is_navigation(bare: &str) -> bool {
    const MARKS: [char; 5] = ['|', '·', '/', '»', '>'];
    let mut marks = MARKS.into_iter().filter(|mark| bare.contains(*mark)).map(|mark| format!(" {mark} "));
    marks.find(|mark| bare.contains(mark)).is_some_and(|mark| {
        let entries: Vec<&str> = bare.split(mark.as_str()).map(str::trim).collect();
        entries.len() >= LEAST_ENTRIES
            && entries.iter().all(|entry| entry.split_whitespace().count() <= MOST_ENTRY)
            && entries.iter().filter(|entry| NAVIGATION.has(entry)).count() >= LEAST_KNOWN
    })
}

/// `Like · Reply · 3w`
fn is_below_post(bare: &str) -> bool {
    let parts: Vec<&str> = bare.split('·').map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_known = |part: &&str| SOCIAL.has(part.trim_end_matches(['!', '.']));
    let is_age = |part: &&str| {
        part.starts_with(|char: char| char.is_ascii_digit()) && part.split_whitespace().count() <= 3
    };
    bare.contains('·')
        && parts.iter().any(is_known)
        && parts.iter().all(|part| is_known(part) || is_age(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_around_a_text_goes() {
        for (line, kept) in [
            ("Start | Leistungen | Preise | Kontakt   Wir verwenden Cookies. Alle akzeptieren", ""),
            ("Home | Menu | Contact      Open from noon. Read more >>", "Open from noon."),
            ("We fix roofs. © 2021 Oak Roofs Ltd. Website by Dotty.", "We fix roofs."),
            ("Me gusta · Responder · 2 sem", ""),
            ("Nous utilisons des cookies pour améliorer votre expérience. Tout accepter", ""),
            ("Wir verwenden Cookies, um Ihnen das beste Erlebnis auf unserer Website zu bieten.", ""),
            ("Questa e-mail può contenere informazioni riservate.", ""),
            ("Lire la suite", ""),
        ] {
            assert_eq!(without(line), kept, "{line}");
        }
    }

    #[test]
    fn what_a_text_says_stays() {
        for line in [
            "Leeds | York | Hull",
            "We share one boat, and you are home by six.",
            "Home | Garden | Terrace: we build them all",
            "Contact lenses · Glasses · 3 shops",
            "Read more in an hour: our course for children.",
            "Your data stays confidential.   Like your own.",
            "We use cookie cutters of our own.",
            "We use cookies from our own oven in every sundae.",
            "Wir verwenden Cookies aus unserer Backstube.",
            "Site by the lake with forty pitches.",
            "Website von uns, Texte von Ihnen.",
            "Print",
        ] {
            assert_eq!(without(line), line);
        }
    }
}
