//! LinkedIn profiles of persons, as `https://www.linkedin.com/in/<handle>`.
//!
//! What this is not: a check that the profile exists. Companies, schools, other sites and addresses that name nobody are refused; so
//! are the old `/pub/` addresses, whose handles LinkedIn has given anew.
//!
//! The handle is kept as people read it: percent-encoding decoded, composed (NFC), lower case, for LinkedIn ignores case.
//! So both spellings of `josé` are one profile, and a search finds it. An exception are the 39 characters of a member's id
//! (`ACoAA…`), which stand for a handle in exports and mean something else in another case.

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;

use crate::domain::without_scheme;
use crate::text_rule::normal_text;

/// More than this is not looked at: an address with its query.
const MAX_INPUT: usize = 2_048;

/// The greatest length of a handle, in characters; LinkedIn itself allows 100.
const MAX_HANDLE: usize = 100;

const PREFIX: &str = "https://www.linkedin.com/in/";

/// What may be before the path `/in/…`: the mobile site, and links in mails.
const MOUNTS: [&str; 3] = ["comm", "m", "mwlite"];

/// The address of a LinkedIn profile in its normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkedinProfile(String);

normal_text!(
    LinkedinProfile,
    "format": "linkedin-profile",
    "must be the address of a person's LinkedIn profile, such as https://www.linkedin.com/in/jane-doe",
    { "minLength": 1 },
    MAX_INPUT
);

impl LinkedinProfile {
    /// The profile that this address leads to.
    pub fn parse(text: &str) -> Option<LinkedinProfile> {
        let text = text.trim();
        if text.len() > MAX_INPUT {
            return None;
        }
        let rest = without_scheme(text)?;
        let address = rest.split(['?', '#']).next()?;
        let mut segments = address.split('/');
        if !is_linkedin(segments.next()?) {
            return None;
        }
        let mut segments = segments.filter(|segment| !segment.is_empty());
        let mut first = segments.next()?;
        if MOUNTS.contains(&first.to_ascii_lowercase().as_str()) {
            first = segments.next()?;
        }
        // What follows the handle (a language, `details`, `recent-activity`) is still that person's.
        let handle =
            if first.eq_ignore_ascii_case("in") { normal_handle(segments.next()?)? } else { return None };
        Some(LinkedinProfile(format!("{PREFIX}{handle}")))
    }

    /// What tells this person from others: the last part of the address.
    pub fn handle(&self) -> &str {
        self.0.strip_prefix(PREFIX).unwrap_or(&self.0)
    }

    /// Whether the handle is the id that LinkedIn gave the member, and says nothing to people.
    pub fn is_member_id(&self) -> bool {
        is_member_id(self.handle())
    }
}

/// `linkedin.com`, its mobile sites, and its sites for countries, which have two letters.
fn is_linkedin(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    match host.strip_suffix("linkedin.com") {
        Some("" | "www." | "m." | "mobile." | "touch.") => true,
        Some(country) => matches!(country.as_bytes(), [b'a'..=b'z', b'a'..=b'z', b'.']),
        None => false,
    }
}

fn normal_handle(text: &str) -> Option<String> {
    let text = percent_decode_str(text).decode_utf8().ok()?;
    let handle: String = if is_member_id(&text) {
        text.into_owned()
    } else {
        // Letter by letter, because the rule for a final sigma would make a letter depend on its neighbours.
        text.nfc().flat_map(char::to_lowercase).nfc().collect()
    };
    let is_handle = (1..=MAX_HANDLE).contains(&handle.chars().count())
        && handle.chars().all(may_stand_in_handle)
        && handle.chars().any(char::is_alphanumeric);
    is_handle.then_some(handle)
}

/// Handles that LinkedIn made itself from names hold letters of all scripts, and even signs.
fn may_stand_in_handle(char: char) -> bool {
    match char {
        '\0'..='\x7f' => char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.' | '\'' | '~'),
        // What joins signs is no sign by itself, but without it words of some scripts are spelt wrongly.
        '\u{200c}' | '\u{200d}' => true,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => false,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff0}'..='\u{ffff}' => false,
        _ => !char.is_whitespace() && !char.is_control(),
    }
}

fn is_member_id(handle: &str) -> bool {
    let bytes = handle.as_bytes();
    bytes.len() == 39
        && bytes[0] == b'A'
        && bytes[3..5] == *b"AA"
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn handle(text: &str) -> Option<String> {
        LinkedinProfile::parse(text).map(|profile| profile.handle().to_owned())
    }

    #[test]
    fn brings_every_spelling_to_one() {
        for text in [
            "https://www.linkedin.com/in/jane-doe",
            "https://www.linkedin.com/in/jane-doe/",
            "http://linkedin.com/in/Jane-Doe",
            "HTTPS://WWW.LINKEDIN.COM/IN/JANE-DOE",
            "linkedin.com/in/jane-doe",
            "  www.linkedin.com/in/jane-doe?utm_source=x/y&u=https://a.b\n",
            "//de.linkedin.com/in/jane-doe#about",
            "https://uk.linkedin.com/in/jane-doe/de",
            "https://m.linkedin.com/in/jane-doe",
            "https://www.linkedin.com/mwlite/in/jane-doe",
            "https://www.linkedin.com/comm/in/jane-doe?midToken=a",
            "https://www.linkedin.com/in/jane%2Ddoe/details/experience/",
            "https://www.linkedin.com//in//jane-doe//",
        ] {
            let profile = LinkedinProfile::parse(text).unwrap();
            assert_eq!(profile.as_str(), "https://www.linkedin.com/in/jane-doe", "{text}");
        }
    }

    #[test]
    fn keeps_handles_as_people_read_them() {
        for spelling in
            ["josé-pérez-1a2", "JOSÉ-pérez-1a2", "jos%C3%A9-p%c3%a9rez-1a2", "jose%CC%81-pérez-1a2"]
        {
            let found = handle(&format!("https://linkedin.com/in/{spelling}"));
            assert_eq!(found.as_deref(), Some("josé-pérez-1a2"), "{spelling}");
        }
        assert_eq!(handle("linkedin.com/in/%E5%8C%97%E4%BA%AC").as_deref(), Some("北京"));
        assert_eq!(handle("linkedin.com/in/jane-%F0%9F%9A%80-1").as_deref(), Some("jane-🚀-1"));
        assert_eq!(handle("linkedin.com/in/שלום-1").as_deref(), Some("שלום-1"));
    }

    #[test]
    fn member_ids_keep_their_case() {
        let id = "ACoAABcDeFgHiJkLmNoPqRsTuVwXyZ012345_-a";
        let profile = LinkedinProfile::parse(&format!("linkedin.com/in/{id}")).unwrap();
        assert_eq!((profile.handle(), profile.is_member_id()), (id, true));
        let handle = format!("linkedin.com/in/{}", id.to_lowercase());
        assert!(!LinkedinProfile::parse(&handle).unwrap().is_member_id());
    }

    #[test]
    fn refuses_what_is_no_person_on_linkedin() {
        for wrong in [
            "",
            "jane-doe",
            "in/jane-doe",
            "https://www.linkedin.com",
            "https://www.linkedin.com/",
            "https://www.linkedin.com/in",
            "https://www.linkedin.com/in/",
            "https://www.linkedin.com/in/-",
            "https://www.linkedin.com/in/?x",
            "https://www.linkedin.com/company/example",
            "https://www.linkedin.com/school/example",
            "https://www.linkedin.com/feed/update/urn:li:activity:1",
            "https://www.linkedin.com/pub/jane-doe/1/2b3/4c5",
            "https://www.linkedin.com/sales/people/ACoAAB,NAME",
            "https://business.linkedin.com/in/jane-doe",
            "https://www.linkedin.com.evil.example/in/jane-doe",
            "https://evillinkedin.com/in/jane-doe",
            "https://linkedin.com@evil.example/in/jane-doe",
            "https://jane@linkedin.com/in/jane-doe",
            "https://example.com/in/jane-doe",
            "https://xing.com/profile/jane_doe",
            "ftp://linkedin.com/in/jane-doe",
            "javascript://linkedin.com/in/jane",
            "https://www.linkedin.com/in/jane doe",
            "https://www.linkedin.com/in/jane%20doe",
            "https://www.linkedin.com/in/jane%2Fdoe",
            "https://www.linkedin.com/in/jane%252Ddoe",
            "https://www.linkedin.com/in/jane%ff",
            "https://www.linkedin.com/in/jane%00",
            "https://www.linkedin.com/in/jane%E2%80%AEeod",
            "https://www.linkedin.com/in/<script>",
            &format!("https://www.linkedin.com/in/{}", "a".repeat(101)),
            &format!("https://www.linkedin.com/in/jane?{}", "a".repeat(MAX_INPUT)),
        ] {
            assert_eq!(handle(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn the_normal_form_is_its_own(
            text in "\\PC{0,30}|(https?://)?([a-z]{2}\\.|www\\.)?linkedin\\.com/in/(\\PC|[A-Za-z0-9%-]|%[a-f0-9]{2}){1,12}/?",
        ) {
            if let Some(profile) = LinkedinProfile::parse(&text) {
                prop_assert_eq!(LinkedinProfile::parse(profile.as_str()), Some(profile.clone()));
                prop_assert!(profile.as_str().chars().count() <= 255 && !profile.handle().is_empty());
                prop_assert!(!profile.handle().contains(['/', '?', '#', '%', ' ']));
            }
        }

        #[test]
        fn percent_encoding_makes_no_difference(name in "[\\p{L}\\p{M}]{1,12}") {
            use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
            let encoded = utf8_percent_encode(&name, NON_ALPHANUMERIC);
            prop_assert_eq!(handle(&format!("linkedin.com/in/{encoded}")), handle(&format!("linkedin.com/in/{name}")));
        }
    }
}
