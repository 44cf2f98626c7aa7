//! The name of a person that nobody has named: what its identifiers say.
//!
//! What this is not: a guess at spelling. `mcdonald` becomes `Mcdonald`, and a name that is given later fills the blank.
//! Invariant: a name has 1 to 255 characters.

use crate::email::EmailAddress;
use crate::linkedin::LinkedinProfile;
use crate::phone::PhoneNumber;

/// The greatest length of a name, in characters.
pub const MAX: usize = 255;

/// The name by the first of the identifiers that tells one: `jane.doe+x@…` is Jane Doe, `in/jane-doe-1a2b3c` as well; a
/// phone number stands for itself. None if there is no identifier.
pub fn from_identifiers(
    email: Option<&EmailAddress>,
    linkedin: Option<&LinkedinProfile>,
    phone: Option<&PhoneNumber>,
) -> Option<String> {
    let by_email = || email.and_then(|email| words(without_tag(email.local_part()), &['.', '_', '-']));
    let by_handle = || {
        let profile = linkedin.filter(|profile| !profile.is_member_id())?;
        words(without_id(profile.handle()), &['-', '_', '.'])
    };
    // Where no letter is found, the identifier itself is better than nothing.
    by_email()
        .or_else(by_handle)
        .or_else(|| email.map(|email| email.local_part().to_owned()))
        .or_else(|| linkedin.map(|profile| profile.handle().to_owned()))
        .or_else(|| phone.map(|phone| phone.as_str().to_owned()))
        .map(|name| name.chars().take(MAX).collect())
}

fn without_tag(local_part: &str) -> &str {
    local_part.split_once('+').map_or(local_part, |(name, _)| name)
}

/// LinkedIn tells people of one name apart by an id at the end, which has digits.
fn without_id(handle: &str) -> &str {
    match handle.rsplit_once('-') {
        Some((name, id)) if id.chars().any(char::is_numeric) => name,
        _ => handle,
    }
}

/// The parts that hold a letter, each with a capital first letter; none if there is no such part.
fn words(text: &str, separators: &[char]) -> Option<String> {
    let words: Vec<String> = text
        .split(separators)
        .filter(|part| part.chars().any(char::is_alphabetic))
        .map(|part| {
            let mut letters = part.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
        })
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_email(text: &str) -> String {
        from_identifiers(Some(&EmailAddress::parse(text).unwrap()), None, None).unwrap()
    }

    fn by_handle(text: &str) -> String {
        let profile = LinkedinProfile::parse(&format!("linkedin.com/in/{text}")).unwrap();
        from_identifiers(None, Some(&profile), None).unwrap()
    }

    #[test]
    fn reads_names_out_of_addresses() {
        for (local, name) in [
            ("jane.doe+x", "Jane Doe"),
            ("JANE_DOE", "Jane Doe"),
            ("jane-marie.doe", "Jane Marie Doe"),
            ("jdoe", "Jdoe"),
            ("o'brien", "O'brien"),
            ("jane.doe.1984", "Jane Doe"),
            ("jane2", "Jane2"),
            ("+tag", "+tag"),
            ("12345", "12345"),
            ("_", "_"),
        ] {
            assert_eq!(by_email(&format!("{local}@example.com")), name, "{local}");
        }
    }

    #[test]
    fn reads_names_out_of_handles() {
        for (handle, name) in [
            ("jane-doe", "Jane Doe"),
            ("jane-doe-1a2b3c", "Jane Doe"),
            ("janedoe", "Janedoe"),
            ("jane-doe-phd", "Jane Doe Phd"),
            ("josé-pérez-12", "José Pérez"),
            ("élodie", "Élodie"),
            ("北京-1a2b", "北京"),
            ("ßa-doe", "SSa Doe"),
            ("12345", "12345"),
            ("4-2", "4-2"),
        ] {
            assert_eq!(by_handle(handle), name, "{handle}");
        }
        let id = "ACoAABcDeFgHiJkLmNoPqRsTuVwXyZ012345_-a";
        assert_eq!(by_handle(id), id);
    }

    #[test]
    fn the_first_identifier_that_tells_a_name_counts() {
        let email = EmailAddress::parse("jane@example.com").unwrap();
        let digits = EmailAddress::parse("123@qq.com").unwrap();
        let profile = LinkedinProfile::parse("linkedin.com/in/j-doe").unwrap();
        let phone = PhoneNumber::parse("+4915112345678").unwrap();
        let name = |email, profile, phone| from_identifiers(email, profile, phone);
        assert_eq!(name(Some(&email), Some(&profile), Some(&phone)).as_deref(), Some("Jane"));
        assert_eq!(name(Some(&digits), Some(&profile), Some(&phone)).as_deref(), Some("J Doe"));
        assert_eq!(name(Some(&digits), None, Some(&phone)).as_deref(), Some("123"));
        assert_eq!(name(None, None, Some(&phone)).as_deref(), Some("+4915112345678"));
        assert_eq!(name(None, None, None), None);
    }

    proptest! {
        #[test]
        fn a_name_is_never_empty_and_never_too_long(local in "[a-z0-9.+_'-]{1,64}", handle in "\\PC{1,100}") {
            let email = EmailAddress::parse(&format!("{local}@example.com"));
            let profile = LinkedinProfile::parse(&format!("linkedin.com/in/{handle}"));
            for (email, profile) in [(email.as_ref(), None), (None, profile.as_ref()), (email.as_ref(), profile.as_ref())] {
                if let Some(name) = from_identifiers(email, profile, None) {
                    prop_assert!((1..=MAX).contains(&name.chars().count()) && !name.trim().is_empty());
                } else {
                    prop_assert!(email.is_none() && profile.is_none());
                }
            }
        }
    }
}
