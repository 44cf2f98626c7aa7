//! Users: people who sign in at the console, and what they may do in which tenant.
//!
//! What this is not: a person ([`crate::person`]), about whom a tenant keeps data. A user belongs to the installation and has a role in
//! each of some tenants. Here are the types and the rules of names; the other rules have a file each.
//! Invariant: no type here holds a password, a secret or a digest of one.

pub mod guessing;
pub mod password;
pub mod recovery_code;
pub mod role;
pub mod session;
pub mod totp;

use crate::actor::Actor;
use crate::bounds::is_blank;
use crate::email::EmailAddress;
use crate::id::{InvitationId, TenantId, UserId};
use crate::issue::{Issue, IssueCode};
use crate::time::Timestamp;

pub use role::{Permission, Role};

/// The most characters of a user's name.
pub const LONGEST_NAME: usize = 100;
/// In how many tenants a user may have a role.
pub const MOST_TENANTS: usize = 100;
/// How many users a tenant may have.
pub const MOST_USERS_OF_TENANT: usize = 1_000;
/// The language of a user who has chosen none.
pub const USUAL_LANGUAGE: &str = "en";

/// Somebody who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The user's id.
    pub user_id: UserId,
    /// The address by which the user signs in, unique in the installation.
    pub email: EmailAddress,
    /// What the user is called.
    pub name: String,
    /// The language in which the console is shown, a BCP 47 tag.
    pub language: String,
    /// Whether a password is set; a new user has none until the link is used.
    pub has_password: bool,
    /// Whether signing in takes a code of an authenticator app as well.
    pub has_totp: bool,
    /// Whether the user may sign in with a password where passwords are off.
    pub is_break_glass: bool,
    /// Since when the user cannot sign in; `None` while the user can.
    pub disabled_at: Option<Timestamp>,
    /// When the user was made.
    pub created_at: Timestamp,
    /// Whether the user runs the installation: its tenants, servers and backups. It gives no role in any tenant.
    pub is_operator: bool,
}

/// A user's role in a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The user.
    pub user_id: UserId,
    /// What the user may do there.
    pub role: Role,
    /// Since when.
    pub created_at: Timestamp,
}

/// An invitation to a tenant, without the text of its link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its id, safe to show.
    pub invitation_id: InvitationId,
    /// The tenant that the link leads into.
    pub tenant_id: TenantId,
    /// The role that whoever accepts it gets.
    pub role: Role,
    /// The only address that may accept it, if it is meant for one.
    pub email: Option<EmailAddress>,
    /// Who made it.
    pub invited_by: Actor,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Timestamp,
    /// How the e-mail with its link fares, if it is sent by e-mail.
    pub mail: Option<InvitationMail>,
}

/// An e-mail with the link of an invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationMail {
    /// How it fares.
    pub state: MailState,
    /// Why the last try to send it failed, if it did.
    pub problem: Option<String>,
}

/// How an e-mail fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    /// It waits to be sent, for the first time or again.
    Waiting,
    /// The mail server has taken it.
    Sent,
    /// It was given up.
    Failed,
}

impl MailState {
    /// The state as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            MailState::Waiting => "waiting",
            MailState::Sent => "sent",
            MailState::Failed => "failed",
        }
    }

    /// The state of this name.
    pub fn parse(text: &str) -> Option<MailState> {
        [MailState::Waiting, MailState::Sent, MailState::Failed]
            .into_iter()
            .find(|state| state.as_str() == text)
    }
}

/// A name as it is kept: without space around it; refused with an issue if it is empty, too long, or holds control characters.
pub fn user_name(text: &str) -> Result<String, Issue> {
    let name = text.trim();
    let issue = |code, rule: &str| Err(Issue::body(code, &["name"], format!("name: {rule}.")));
    match name.chars().count() {
        _ if is_blank(name) && !name.contains(char::is_control) => {
            issue(IssueCode::TooShort, "a user needs a name")
        }
        1..=LONGEST_NAME if name.chars().any(char::is_control) => {
            issue(IssueCode::InvalidCharacter, "must not hold control characters")
        }
        1..=LONGEST_NAME => Ok(name.to_owned()),
        _ => issue(IssueCode::TooLong, &format!("must have at most {LONGEST_NAME} characters")),
    }
}

/// An e-mail address in its normal form.
pub fn user_email(text: &str) -> Result<EmailAddress, Issue> {
    EmailAddress::parse(text).ok_or_else(|| {
        let rule = "email: must be an e-mail address of at most 255 characters, such as jane@example.com.";
        Issue::body(IssueCode::InvalidFormat, &["email"], rule)
    })
}

/// A language tag of two or three letters, with a region of two letters or not: `en`, `pt-BR`.
pub fn user_language(text: &str) -> Result<String, Issue> {
    let (language, region) = text.split_once('-').map_or((text, None), |(tag, region)| (tag, Some(region)));
    let letters = |text: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    if !letters(language, 2..=3) || !region.is_none_or(|region| letters(region, 2..=2)) {
        let rule = "language: must be a language tag, such as en, de or pt-BR.";
        return Err(Issue::body(IssueCode::InvalidFormat, &["language"], rule));
    }
    let language = language.to_ascii_lowercase();
    Ok(region.map_or(language.clone(), |region| format!("{language}-{}", region.to_ascii_uppercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(user_name("  Jane Doe ").unwrap(), "Jane Doe");
        assert_eq!(user_name(&"é".repeat(LONGEST_NAME)).unwrap().chars().count(), LONGEST_NAME);
        for (text, code) in [
            (String::new(), IssueCode::TooShort),
            (" \t ".to_owned(), IssueCode::TooShort),
            ("\u{200b} \u{3164}".to_owned(), IssueCode::TooShort),
            ("Jane\nDoe".to_owned(), IssueCode::InvalidCharacter),
            ("J\0".to_owned(), IssueCode::InvalidCharacter),
            ("x".repeat(LONGEST_NAME + 1), IssueCode::TooLong),
        ] {
            assert_eq!(user_name(&text).unwrap_err().code, code, "{text:?}");
        }
    }

    #[test]
    fn languages_have_one_spelling() {
        for (text, kept) in [("en", "en"), ("DE", "de"), ("pt-br", "pt-BR"), ("gsw", "gsw")] {
            assert_eq!(user_language(text).unwrap(), kept);
        }
        for text in ["", "e", "english", "en-", "en-USA", "e1", "en_US", "en-US-x", "dé"] {
            assert!(user_language(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn addresses_are_those_of_persons() {
        assert_eq!(user_email(" Jane@Example.COM ").unwrap().as_str(), "jane@example.com");
        assert_eq!(user_email("jane").unwrap_err().path, ["email"]);
    }
}
