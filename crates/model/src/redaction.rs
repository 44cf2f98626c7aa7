//! Finding somebody in texts, and taking them out: by full name, e-mail address, phone number, LinkedIn profile and id, in the spellings
//! that are usual.
//!
//! What this is not: a reader. A first name alone, a nickname or a description is not found, and a namesake is. Invariants: what is
//! found in a redacted text is nothing, and JSON stays JSON.

use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;

use crate::linkedin::LinkedinProfile;
use crate::person::Person;
use crate::slug;
use crate::text;

mod json;
mod number;

/// What is in the place of what was found.
pub const ERASED: &str = "[erased]";
/// How far apart the words of a name may stand, in characters.
const GAP: usize = 3;
/// Behind this an address of a profile is not looked at.
const LONGEST_PROFILE: usize = 400;
const PROFILES: &str = "linkedin.com/";

/// Somebody to be found.
#[derive(Debug, Clone)]
pub struct Sought {
    /// The words of the name, folded, as it is written and as it is in addresses; none if it has one word only, which would be
    /// found everywhere.
    names: Vec<Vec<String>>,
    /// The e-mail address, as it is and percent-encoded.
    emails: Vec<String>,
    /// The digits of the phone number.
    phone: Option<String>,
    profile: Option<LinkedinProfile>,
    id: String,
}

impl Sought {
    /// This person.
    pub fn of(person: &Person) -> Sought {
        let slug = slug::slugify(&person.name, "-");
        let mut names = Vec::new();
        for name in [person.name.as_str(), &slug] {
            let name: Vec<String> = words(name).into_iter().map(|(_, word)| word).collect();
            if name.len() > 1 && !names.contains(&name) {
                names.push(name);
            }
        }
        let email = person.identifiers.email.as_ref().map(|email| email.as_str().to_ascii_lowercase());
        let phone = person.identifiers.phone_number.as_ref();
        Sought {
            names,
            emails: email.map(|email| vec![email.replace('@', "%40"), email]).unwrap_or_default(),
            phone: phone.map(|phone| phone.as_str().trim_start_matches('+').to_owned()),
            profile: person.identifiers.linkedin_profile_url.clone(),
            id: person.person_id.to_string(),
        }
    }

    /// The text without the person; `None` if the person is not in it.
    pub fn redact(&self, text: &str) -> Option<String> {
        let mut redacted = self.redact_once(text)?;
        // What was part of something longer may be separate now.
        while let Some(again) = self.redact_once(&redacted) {
            redacted = again;
        }
        Some(redacted)
    }

    fn redact_once(&self, text: &str) -> Option<String> {
        let places = self.places(text);
        let mut redacted = String::with_capacity(text.len());
        let mut copied = 0;
        for place in &places {
            redacted.push_str(&text[copied..place.start]);
            redacted.push_str(ERASED);
            copied = place.end;
        }
        redacted.push_str(&text[copied..]);
        (!places.is_empty()).then_some(redacted)
    }

    /// The JSON text without the person, in strings, names of fields and numbers; all else stays as it is, to the byte.
    pub fn redact_json(&self, text: &str) -> Option<String> {
        json::redact(self, text)
    }

    /// Where the person is, in order; what overlaps is one place.
    fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let lower = text.to_ascii_lowercase();
        for email in &self.emails {
            let is_whole = |place: &Range<usize>| {
                !lower[..place.start].ends_with(is_of_address) && !goes_on(&lower[place.end..])
            };
            found.extend(occurrences(&lower, email).filter(is_whole));
        }
        found.extend(occurrences(&lower, &self.id));
        if let Some(profile) = &self.profile {
            found.extend(occurrences(&lower, PROFILES).filter_map(|place| profile_at(text, place, profile)));
        }
        if let Some(phone) = &self.phone {
            found.extend(number::places(text, phone));
        }
        let words = if self.names.is_empty() { vec![] } else { words(text) };
        found.extend(self.names.iter().flat_map(|name| names(name, text, &words)));
        found.sort_by_key(|place| (place.start, place.end));
        found.dedup_by(|next, before| {
            let overlaps = next.start < before.end;
            if overlaps {
                before.end = before.end.max(next.end);
            }
            overlaps
        });
        found
    }
}

/// A word and its place.
type Word = (Range<usize>, String);

/// Where a name is: its words in their order, or begun with another one, as in `Doe, Jane`.
fn names(name: &[String], text: &str, words: &[Word]) -> Vec<Range<usize>> {
    let is_near = |pair: &[Word]| text[pair[0].0.end..pair[1].0.start].chars().count() <= GAP;
    let is_name = |part: &&[Word]| {
        let here = || part.iter().map(|(_, word)| word);
        (0..name.len()).any(|first| here().eq(name[first..].iter().chain(&name[..first])))
    };
    words
        .windows(name.len())
        .filter(|part| part.windows(2).all(is_near))
        .filter(is_name)
        .map(|part| part[0].0.start..part[part.len() - 1].0.end)
        .collect()
}

/// Whether a character before an address would belong to it.
fn is_of_address(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '+' | '-')
}

/// Whether an address goes on in what is behind it.
fn goes_on(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('.') => chars.next().is_some_and(char::is_alphanumeric),
        Some(char) => char.is_alphanumeric() || char == '-',
        None => false,
    }
}

fn occurrences<'a>(text: &'a str, wanted: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    text.match_indices(wanted).map(|(at, found)| at..at + found.len())
}

/// The whole address around `place`, if it is that profile's.
fn profile_at(text: &str, place: Range<usize>, profile: &LinkedinProfile) -> Option<Range<usize>> {
    let is_end =
        |char: char| char.is_whitespace() || char.is_control() || "\"'<>()[]{}|\\^`,;".contains(char);
    let start = text[..place.start]
        .rfind(is_end)
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let start = start.max(text.floor_char_boundary(place.start.saturating_sub(LONGEST_PROFILE)));
    let rest = &text[place.end..text.floor_char_boundary(text.len().min(place.end + LONGEST_PROFILE))];
    let end = place.end + rest.find(is_end).unwrap_or(rest.len());
    let end = start + text[start..end].trim_end_matches(['.', '!', '?', ':']).len();
    // What is before the address, as in `Profile:https://…`, is no part of it.
    let start = text[start..place.start].rfind("http").map_or(start, |at| start + at);
    (LinkedinProfile::parse(&text[start..end]).as_ref() == Some(profile)).then_some(start..end)
}

/// The words of a text with their places, folded.
fn words(text: &str) -> Vec<Word> {
    let is_of_word = |char: char| char.is_alphanumeric() || canonical_combining_class(char) != 0;
    let mut words = Vec::new();
    let mut start = None;
    for (at, char) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_of_word(char)) {
            (None, true) => start = Some(at),
            (Some(begun), false) => {
                words.push((begun..at, text::fold(&text[begun..at])));
                start = None;
            }
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests;
