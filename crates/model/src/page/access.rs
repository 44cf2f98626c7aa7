//! Who may open a person's or an account's own page, and the part of an address that nobody guesses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who may open somebody's own page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum PageAccess {
    /// Whoever knows or guesses the address, which is made of the name.
    Open,
    /// Whoever has the address, which ends in a random part.
    #[default]
    Unguessable,
    /// Whoever has a link, which is signed and ends.
    Signed,
}

impl PageAccess {
    /// All of them.
    pub const ALL: [PageAccess; 3] = [PageAccess::Open, PageAccess::Unguessable, PageAccess::Signed];

    /// The word that is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            PageAccess::Open => "open",
            PageAccess::Unguessable => "unguessable",
            PageAccess::Signed => "signed",
        }
    }

    /// The access of that word.
    pub fn parse(text: &str) -> Option<PageAccess> {
        PageAccess::ALL.into_iter().find(|access| access.as_str() == text)
    }
}

/// Who may open a page that is or is not a person's: only what has a secret address can be kept from those who guess; a person's is as
/// the tenant decides unless something is set for it, an account's is open, for the name of a company is no secret.
pub fn effective(
    has_secret: bool,
    is_persons: bool,
    set: Option<PageAccess>,
    of_persons: PageAccess,
) -> PageAccess {
    match (has_secret, is_persons) {
        (false, _) => PageAccess::Open,
        (true, true) => set.unwrap_or(of_persons),
        (true, false) => set.unwrap_or(PageAccess::Open),
    }
}

/// How many random characters an unguessable address ends in: 50 bits.
const RANDOM: usize = 10;
/// Digits and letters without those that are mistaken for others.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The slug with a random part, of which each byte gives a character.
pub fn with_random(slug: &str, random: [u8; RANDOM]) -> String {
    let characters = random.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)]));
    std::iter::once(slug).flat_map(str::chars).chain(std::iter::once('-')).chain(characters).collect()
}

/// Whether a slug may be one with a random part: it looks like one.
pub fn may_be_random(slug: &str) -> bool {
    slug.rsplit_once('-')
        .is_some_and(|(_, end)| end.len() == RANDOM && end.bytes().all(|byte| ALPHABET.contains(&byte)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_random_part_is_ten_characters_of_base_32() {
        assert_eq!(with_random("jane-doe", [0, 1, 2, 3, 9, 10, 30, 31, 32, 255]), "jane-doe-01239ayz0z");
        for (slug, expected) in [
            ("jane-doe-01239ayz0z", true),
            ("jane-doe", false),
            ("01239ayz0z", false),
            ("jane-doe-01239ayz0", false),
            ("jane-doe-01239ayz0zz", false),
            ("jane-doe-01239ayz0i", false),
        ] {
            assert_eq!(may_be_random(slug), expected, "{slug}");
        }
    }

    #[test]
    fn every_word_is_read_as_it_is_written() {
        for access in [PageAccess::Open, PageAccess::Unguessable, PageAccess::Signed] {
            assert_eq!(PageAccess::parse(access.as_str()), Some(access));
            assert_eq!(serde_json::to_value(access).unwrap(), access.as_str());
        }
        assert_eq!(PageAccess::parse("Open"), None);
    }

    proptest! {
        #[test]
        fn every_random_part_looks_like_one(slug in "[a-z-]{1,60}", random in any::<[u8; RANDOM]>()) {
            prop_assert!(may_be_random(&with_random(&slug, random)));
        }
    }
}
