//! E-mail addresses of persons: trimmed, lower case, with the host in ASCII.
//!
//! What this is not: a check that somebody reads the mailbox, nor a header of a message: no display names, comments, quoted local
//! parts or addresses of machines, which no contact has. A tag (`jane+shop`) is kept, for it may lead to another mailbox.
//!
//! A local part outside ASCII is refused: hardly any mail system takes one, they have no case rule in common, and where one turns up it
//! is a slip of the keyboard. An international host is kept in its punycode form, so that both spellings are one address.

use email_address::EmailAddress as Grammar;

use crate::domain::{Domain, host_name};
use crate::text_rule::normal_text;

/// The greatest length of the normal form.
const MAX: usize = 255;

/// More than this is not looked at: a host may shrink on the way to ASCII, but not by as much.
const MAX_INPUT: usize = 1_024;

/// An e-mail address in its normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EmailAddress(String);

normal_text!(
    EmailAddress,
    "format": "email",
    "must be an e-mail address of at most 255 characters, such as jane@example.com",
    {},
    MAX_INPUT
);

impl EmailAddress {
    /// The address that this text is, in any spelling.
    pub fn parse(text: &str) -> Option<EmailAddress> {
        let text = text.trim();
        if text.len() > MAX_INPUT {
            return None;
        }
        let (local, host) = text.split_once('@')?;
        // The grammar takes quoted local parts and some letters outside ASCII as well.
        if !local.is_ascii() || local.starts_with('"') || !Grammar::is_valid_local_part(local) {
            return None;
        }
        let host = host_name(host)?;
        let mut address = local.to_ascii_lowercase();
        address.push('@');
        address.push_str(&host);
        (address.len() <= MAX).then_some(EmailAddress(address))
    }

    /// What is before the @.
    pub fn local_part(&self) -> &str {
        self.parts().0
    }

    /// The domain of the mailbox.
    pub fn domain(&self) -> Domain {
        Domain::of_host(self.parts().1.to_owned())
    }

    fn parts(&self) -> (&str, &str) {
        self.0.split_once('@').unwrap_or((&self.0, ""))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn normal(text: &str) -> Option<String> {
        EmailAddress::parse(text).map(EmailAddress::into_string)
    }

    #[test]
    fn brings_every_spelling_to_one() {
        for (text, address) in [
            ("jane@example.com", "jane@example.com"),
            ("\t Jane.Doe+Tag@EXAMPLE.Com \n", "jane.doe+tag@example.com"),
            ("jane@bücher.de", "jane@xn--bcher-kva.de"),
            ("JANE@XN--bcher-KVA.de.", "jane@xn--bcher-kva.de"),
            ("o'brien_{x}@mail.example.co.uk", "o'brien_{x}@mail.example.co.uk"),
            ("jane@www.example.com", "jane@www.example.com"),
            ("1@2.example", "1@2.example"),
        ] {
            assert_eq!(normal(text).as_deref(), Some(address), "{text}");
        }
    }

    #[test]
    fn tells_local_part_and_domain() {
        let address = EmailAddress::parse("Jane+a@Mail.Example.com").unwrap();
        assert_eq!(address.local_part(), "jane+a");
        assert_eq!(address.domain().as_str(), "mail.example.com");
        let www = EmailAddress::parse("jane@www.example.com").unwrap();
        assert_eq!(www.domain(), Domain::parse("www.example.com").unwrap());
    }

    #[test]
    fn refuses_what_is_no_address() {
        for wrong in [
            "",
            "@",
            "jane",
            "jane@",
            "@example.com",
            "jane@@example.com",
            "jane@doe@example.com",
            "jane@example",
            "jane@localhost",
            "jane@example..com",
            "jane.@example.com",
            ".jane@example.com",
            "ja..ne@example.com",
            "jane doe@example.com",
            "jane@exam ple.com",
            "jane@-example.com",
            "jane@127.0.0.1",
            "jane@[127.0.0.1]",
            "\"jane doe\"@example.com",
            "\"jane\"@example.com",
            "\"@example.com",
            "Jane <jane@example.com>",
            "mailto:jane@example.com",
            "jane@example.com,joe@example.com",
            "jane(comment)@example.com",
            "jörg@example.com",
            "🦀@example.com",
            "jane@example.com/path",
            "jane@https://example.com",
            "ja\0ne@example.com",
            "jane\u{202e}@example.com",
            &format!("{}@example.com", "a".repeat(65)),
            &format!("{}@example.com", "a".repeat(300)),
        ] {
            assert_eq!(normal(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_length_of_the_normal_form_counts() {
        let host = |labels: usize| format!("{}com", "abcdefg.".repeat(labels));
        assert_eq!(normal(&format!("{}@{}", "a".repeat(64), host(23))).map(|it| it.len()), Some(252));
        assert_eq!(normal(&format!("{}@{}", "a".repeat(64), host(24))), None);
        let spaced = format!("{:>300}", "jane@example.com");
        assert_eq!(normal(&spaced).as_deref(), Some("jane@example.com"));
    }

    proptest! {
        #[test]
        fn the_normal_form_is_its_own(
            text in "\\PC{0,40}| ?[a-zA-Z0-9.+_'é]{1,12}@[a-zA-Z0-9äß-]{1,9}(\\.[a-zäA-Z]{1,5}){0,3}\\.? ?",
        ) {
            if let Some(address) = EmailAddress::parse(&text) {
                prop_assert_eq!(EmailAddress::parse(address.as_str()), Some(address.clone()));
                prop_assert!(address.as_str().is_ascii() && !address.as_str().bytes().any(|b| b.is_ascii_uppercase()));
                prop_assert_eq!(address.as_str().matches('@').count(), 1);
                prop_assert_eq!(Domain::parse(address.domain().as_str()), Some(address.domain()));
            }
        }

        #[test]
        fn case_and_white_space_make_no_difference(
            local in "[a-z0-9]{1,8}(\\.[a-z0-9]{1,8})?(\\+[a-z]{1,5})?", label in "[a-z]{1,10}", before in "[ \t\n]{0,3}",
        ) {
            let plain = format!("{local}@{label}.com");
            let address = EmailAddress::parse(&plain).unwrap();
            prop_assert_eq!(address.as_str(), &plain);
            prop_assert_eq!(EmailAddress::parse(&format!("{before}{}{before}", plain.to_uppercase())), Some(address));
        }
    }
}
