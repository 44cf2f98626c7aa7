//! How the company can be reached, as a text tells it: telephone numbers and e-mail addresses.

/// The fewest digits of a telephone number. Two years side by side have fewer.
const FEWEST_DIGITS: usize = 9;

/// Whether a text has a telephone number: so many digits in groups.
pub fn has_telephone(text: &str) -> bool {
    let is_inside = |char: char| char.is_ascii_digit() || matches!(char, ' ' | '-' | '/' | '(' | ')' | '+');
    let groups = text.split(|char| !is_inside(char));
    groups.map(|group| group.bytes().filter(u8::is_ascii_digit).count()).any(|digits| digits >= FEWEST_DIGITS)
}

/// What looks like an e-mail address.
pub fn mail_addresses(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| char.is_whitespace() || "<>()[]\",;".contains(char))
        .map(|word| word.trim_matches(|char: char| !char.is_alphanumeric()))
        .filter(|word| {
            word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        })
}

/// Whether a text has an e-mail address. The address of a page with an `@` in it is none.
pub fn has_mail_address(text: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || "-._+".contains(char);
    mail_addresses(text).any(|address| {
        address.split_once('@').is_some_and(|(name, host)| name.chars().chain(host.chars()).all(is_part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_addresses_are_told_from_others() {
        for text in ["0341 555 0199", "Call us on +44 (0)20 7946 0000", "tel. 218-555-0147"] {
            assert!(has_telephone(text), "{text}");
        }
        for text in ["From 2024 - 2025 in Leeds, too", "12,000 parts in 40 minutes", "open 9-17"] {
            assert!(!has_telephone(text), "{text}");
        }
        assert!(has_mail_address("Write to orders@krume.example.") && has_mail_address("(jo.b@x-y.org)"));
        assert!(
            !has_mail_address("12 rolls @ 45 cents")
                && !has_mail_address("follow @krume")
                && !has_mail_address("a@b")
                && !has_mail_address("https://social.example/@jo.b")
        );
    }
}
