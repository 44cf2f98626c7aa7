//! What the API says of something that it refuses, in the user's language.
//!
//! The API has its sentences in English. Those that people come across are known by their form; any other is shown as it is.

use super::Words;
use super::sentences::{OF_FIELDS, OF_REQUESTS, OF_ROWS, OF_WORK};

impl Words {
    /// What was said of a field or of the whole; several issues stand on a line each.
    pub(crate) fn issue(self, said: &str) -> String {
        let line = |line: &str| self.known_issue(line).unwrap_or_else(|| line.to_owned());
        said.lines().map(line).collect::<Vec<_>>().join(" ")
    }

    /// The same for one line, if its form is known.
    pub(crate) fn known_issue(self, line: &str) -> Option<String> {
        let of = |said: &str| {
            let sentence = said.trim_end_matches('.');
            OF_FIELDS.iter().chain(OF_REQUESTS).chain(OF_WORK).chain(OF_ROWS).find_map(|(form, key)| {
                let named = named(sentence, form)?;
                let value = |at: usize| named.get(at).copied().unwrap_or_default();
                Some(self.with(key, &[("value", value(0).into()), ("more", value(1).into())]))
            })
        };
        of(line).or_else(|| of(without_place(line)))
    }
}

/// A sentence without the path of the field in front of it, which stands at its field.
fn without_place(line: &str) -> &str {
    let is_path = |place: &str| {
        !place.is_empty()
            && place.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    };
    line.split_once(": ").filter(|(place, _)| is_path(place)).map_or(line, |(_, rest)| rest)
}

/// What stands where the form has `{}`, if a sentence has that form.
fn named<'a>(sentence: &'a str, form: &str) -> Option<Vec<&'a str>> {
    let mut parts = form.split("{}").peekable();
    let mut rest = sentence.strip_prefix(parts.next()?)?;
    let mut values = vec![];
    while let Some(part) = parts.next() {
        // The last part ends the sentence, each other one stands where it comes first.
        let at =
            if parts.peek().is_some() { rest.find(part)? } else { rest.len().checked_sub(part.len())? };
        values.push(rest.get(..at).filter(|value| !value.is_empty())?);
        rest = rest[at..].strip_prefix(part)?;
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sentences_of_the_api_are_said_in_the_users_language() {
        let german = Words::of("de").unwrap();
        let english = Words::of("en").unwrap();
        for (said, in_german) in [
            ("name: must have at most 200 characters.", "Darf höchstens 200 Zeichen haben."),
            ("must have at least 12 characters.", "Muss mindestens 12 Zeichen haben."),
            ("actions.0.type: must be one of a, b.", "Muss eines davon sein: a, b."),
            ("pageId: there is no page 'page_1'.", "Das gibt es nicht."),
            ("code: is not a code that the app shows now.", "Diesen Code zeigt die App gerade nicht an."),
            ("is required.\nmust be at least 3.", "Muss angegeben werden. Muss mindestens 3 sein."),
            ("The page is archived.", "Die Seite ist archiviert."),
            ("The domain 'a.b: c.d' is not verified.", "Die Domain „a.b: c.d“ ist noch nicht bestätigt."),
            ("Work: E-Mail: is no e-mail address", "Work: E-Mail: keine E-Mail-Adresse."),
            ("has 3 cells, the first line has 4", "Die Zeile hat 3 Zellen, die erste Zeile 4."),
            ("A tenant may have at most 200 brands.", "Mehr als 200 Marken kann ein Mandant nicht haben."),
            (
                "An import that is running cannot be begun.",
                "In diesem Stand geht das mit einem Import nicht.",
            ),
        ] {
            assert_eq!(german.issue(said), in_german);
            assert!(!english.issue(said).contains("issue-"), "{}", english.issue(said));
        }
        assert_eq!(
            english.issue("name: must have at most 200 characters."),
            "Must have at most 200 characters."
        );
        let unknown = "path: is taken by 'Spring: a: b'.";
        assert_eq!(german.issue(unknown), unknown);
    }

    #[test]
    fn every_sentence_is_found_by_itself_and_has_a_text_in_every_language() {
        // The sentences that are said shorter, without what they name.
        let short =
            ["issue-unknown", "issue-trashed", "issue-not-picture", "issue-import-state", "issue-moved"];
        let sentences = OF_FIELDS.iter().chain(OF_REQUESTS).chain(OF_WORK).chain(OF_ROWS);
        for (form, key) in sentences.clone() {
            let place = if form.starts_with(char::is_lowercase) { "a.0.b: " } else { "" };
            let said = format!("{place}{}.", form.replace("{}", "<7>"));
            let first = sentences.clone().find(|(other, _)| named(&form.replace("{}", "7"), other).is_some());
            assert_eq!(first.map(|(_, key)| key), Some(key), "{form}");
            for (tag, _) in Words::languages() {
                let told = Words::of(tag).unwrap().issue(&said);
                assert!((told != said || tag == "en") && !told.contains(key), "{told}");
                assert!(!form.contains("{}") || told.contains("<7>") || short.contains(key), "{told}");
            }
        }
    }

    /// A sentence that is said in other words by now would be shown in English.
    #[test]
    fn every_sentence_is_one_of_the_api() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut folders: Vec<_> = ["model", "operations", "worker", "http", "console"]
            .map(|name| crates.join(name).join("src"))
            .into();
        let mut sources = String::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("words/sentences.rs") {
                    sources.push_str(&std::fs::read_to_string(path).unwrap());
                }
            }
        }
        for (form, _) in OF_REQUESTS.iter().chain(OF_WORK).chain(OF_ROWS) {
            for part in form.split("{}") {
                // What is wrong with a cell is written without the column's name.
                let part = part.strip_prefix(": ").unwrap_or(part);
                assert!(sources.contains(part), "{form}: {part}");
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_is_said_something_is_shown(said in "\\PC{0,80}") {
            let told = Words::of("de").unwrap().issue(&said);
            prop_assert_eq!(told.is_empty(), said.is_empty());
        }
    }
}
