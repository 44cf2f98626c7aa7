//! What the API says of a field that was refused, in the user's language.
//!
//! The API has its sentences in English. Those that people come across in forms are known here by their form, with `{}` where a number or a
//! name stands; any other is shown as it is.

use super::Words;

/// A sentence of the API, without its full stop, and the key of the same in the catalogues.
const SENTENCES: &[(&str, &str)] = &[
    ("is required", "issue-required"),
    ("must have a character that can be seen", "issue-blank"),
    ("must have at least 1 character", "issue-blank"),
    ("must have at most {} characters", "issue-most-characters"),
    ("must have at least {} characters", "issue-fewest-characters"),
    ("must have at most {} bytes", "issue-most-bytes"),
    ("must have at most {} items", "issue-most-items"),
    ("must have at least 1 item", "issue-no-items"),
    ("must have at least {} items", "issue-fewest-items"),
    ("must be at least {}", "issue-least"),
    ("must be at most {}", "issue-greatest"),
    ("must be one of {}", "issue-one-of"),
    ("is not valid", "issue-invalid"),
    ("has a wrong form", "issue-invalid"),
    ("must be an absolute URL", "issue-url"),
    ("must be an absolute URL with a host, such as https://example.com/hooks", "issue-url"),
    ("must be an http or https URL", "issue-url"),
    ("must be an e-mail address of at most 255 characters, such as jane@example.com", "issue-email"),
    (
        "must be a phone number in international form, + and digits alone, such as +4915112345678",
        "issue-phone",
    ),
    ("must be a domain with at least two labels, such as example.com", "issue-domain"),
    ("must be a host name with at least two labels, such as go.example.com", "issue-host"),
    ("must be a host name such as go.example.com, without scheme, port and path", "issue-host"),
    (
        "must be the address of a person's LinkedIn profile, such as https://www.linkedin.com/in/jane-doe",
        "issue-linkedin",
    ),
    (
        "must be lower-case letters and digits, in groups joined by single hyphens, such as page-view",
        "issue-label",
    ),
    ("must be a path such as /spring, without scheme and host", "issue-path"),
    ("must be a path without query and fragment", "issue-path"),
    ("is no address that a page may link to", "issue-address"),
    ("must be in the future", "issue-past"),
    ("must be within ten years", "issue-far"),
    ("must be later than publishAt", "issue-order"),
    ("publishAt or unpublishAt must be given", "issue-required"),
    ("must not hold control characters", "issue-characters"),
    ("the character NUL cannot be stored", "issue-characters"),
    ("there is no {}", "issue-unknown"),
    ("stands in this form already", "issue-twice"),
    ("an option stands twice", "issue-twice"),
    ("is told by another field already", "issue-twice"),
    ("a choice needs options", "issue-no-options"),
    ("a user needs a name", "issue-blank"),
    ("must not be the user's e-mail address or name", "issue-password-own"),
    ("is one of the passwords that are tried first", "issue-password-common"),
    ("is not the password", "issue-password-wrong"),
    ("is not a code that the app shows now", "issue-code-wrong"),
];

impl Words {
    /// What was said of a field; several sentences stand on a line each.
    pub(crate) fn issue(self, said: &str) -> String {
        said.lines().map(|line| self.issue_line(line)).collect::<Vec<_>>().join(" ")
    }

    fn issue_line(self, line: &str) -> String {
        let sentence = without_place(line).trim_end_matches('.');
        let known = SENTENCES.iter().find_map(|(form, key)| Some((named(sentence, form)?, key)));
        match known {
            Some((value, key)) => self.with(key, &[("value", value.into())]),
            None => line.to_owned(),
        }
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
fn named<'a>(sentence: &'a str, form: &str) -> Option<&'a str> {
    let Some((before, after)) = form.split_once("{}") else {
        return (sentence == form).then_some("");
    };
    sentence.strip_prefix(before)?.strip_suffix(after).filter(|value| !value.is_empty())
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
        for (form, key) in SENTENCES {
            let said = format!("a.0.b: {}.", form.replace("{}", "<7>"));
            let first = SENTENCES.iter().find(|(other, _)| named(&form.replace("{}", "7"), other).is_some());
            assert_eq!(first.map(|(_, key)| key), Some(key), "{form}");
            for (tag, _) in Words::languages() {
                let told = Words::of(tag).unwrap().issue(&said);
                assert!(told != said && !told.contains(key), "{told}");
                assert!(!form.contains("{}") || told.contains("<7>") || *key == "issue-unknown", "{told}");
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
