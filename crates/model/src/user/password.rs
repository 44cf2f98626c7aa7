//! Passwords: which are taken, and their digests by Argon2id.
//!
//! There are no rules of composition: length is what counts, and that nobody would try it first. A password is compared in Unicode's
//! normal form C, so that keyboards that spell letters differently agree.
//! Hashing takes tens of milliseconds and 19 MiB on purpose: never within a transaction, and not on a thread that others wait for.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use unicode_normalization::UnicodeNormalization;

use crate::email::EmailAddress;
use crate::error::{Error, Result};
use crate::issue::{Issue, IssueCode};

/// The fewest characters.
pub const FEWEST_CHARACTERS: usize = 12;
/// The most bytes.
pub const MOST_BYTES: usize = 1_024;
/// Random bytes of a salt.
pub const SALT_BYTES: usize = 16;

/// Passwords of at least twelve characters that are common, in small letters.
const COMMON: &str = include_str!("common_passwords.txt");

/// Whether a user with this address and name may have the password; `path` is the field that held it.
pub fn check(password: &str, email: &EmailAddress, name: &str, path: &str) -> Result<(), Issue> {
    let issue = |code, rule: String| Err(Issue::body(code, &[path], format!("{path}: {rule}.")));
    if password.len() > MOST_BYTES {
        return issue(IssueCode::TooLong, format!("must have at most {MOST_BYTES} bytes"));
    }
    if password.chars().count() < FEWEST_CHARACTERS {
        return issue(IssueCode::TooShort, format!("must have at least {FEWEST_CHARACTERS} characters"));
    }
    let plain = folded(password);
    if [email.as_str(), email.local_part(), name].iter().any(|own| folded(own) == plain) {
        return issue(IssueCode::InvalidValue, "must not be the user's e-mail address or name".to_owned());
    }
    let is_repeated = plain.chars().collect::<std::collections::HashSet<_>>().len() < 3;
    if is_repeated || COMMON.lines().any(|common| common == plain) {
        return issue(IssueCode::InvalidValue, "is one of the passwords that are tried first".to_owned());
    }
    Ok(())
}

/// As it is compared with what is easily guessed.
fn folded(text: &str) -> String {
    text.trim().nfkc().flat_map(char::to_lowercase).collect()
}

/// As it is hashed.
fn normal(password: &str) -> String {
    password.nfc().collect()
}

/// What a digest costs.
#[derive(Debug, Clone)]
pub struct Cost(Params);

impl Cost {
    /// What OWASP recommends for Argon2id: 19 MiB, two passes, one lane.
    pub fn recommended() -> Cost {
        Cost(Params::DEFAULT)
    }

    /// As little as Argon2 allows; for tests, which make many.
    pub fn least() -> Result<Cost> {
        Params::new(Params::MIN_M_COST, Params::MIN_T_COST, Params::MIN_P_COST, None)
            .map(Cost)
            .map_err(|error| Error::internal(error.to_string()))
    }

    /// The digest of a password, as a PHC string.
    pub fn hash(&self, password: &str, salt: &[u8; SALT_BYTES]) -> Result<String> {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, self.0.clone());
        let hash: PasswordHash = argon2
            .hash_password_with_salt(normal(password).as_bytes(), salt)
            .map_err(|error| Error::internal(error.to_string()))?;
        Ok(hash.to_string())
    }

    /// Whether it is the password of that digest. Without a digest it takes as long, and is false.
    pub fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        // Longer ones are never set, and would cost time.
        let password = if password.len() > MOST_BYTES { "" } else { password };
        let Some(hash) = hash else {
            self.hash(password, &[0; SALT_BYTES])?;
            return Ok(false);
        };
        let hash = PasswordHash::new(hash).map_err(|error| Error::internal(error.to_string()))?;
        Ok(Argon2::default().verify_password(normal(password).as_bytes(), &hash).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(password: &str) -> Option<IssueCode> {
        let email = EmailAddress::parse("jane.doe.longer@example.com").unwrap();
        check(password, &email, "Jane Margaret Doe", "password").err().map(|issue| issue.code)
    }

    #[test]
    fn length_counts_and_composition_does_not() {
        for password in ["correct horse battery", "aaaaaaabbbbbbc", "zwölf äöü ß€", &"xyz".repeat(341)]
        {
            assert_eq!(refusal(password), None, "{password}");
        }
        assert_eq!(refusal("elevenchars"), Some(IssueCode::TooShort));
        assert_eq!(refusal("äöüäöüäöüäö"), Some(IssueCode::TooShort), "characters count, not bytes");
        assert_eq!(refusal(&"xyzw".repeat(257)), Some(IssueCode::TooLong));
    }

    #[test]
    fn what_is_tried_first_is_refused() {
        for password in [
            "jane.doe.longer@example.com",
            "JANE.DOE.longer",
            "jane margaret doe",
            "Password1234",
            "123456789012",
            "qwertyuiopasdf",
            "aaaaaaaaaaaaaaaa",
            "abababababababab",
        ] {
            assert_eq!(refusal(password), Some(IssueCode::InvalidValue), "{password}");
        }
    }

    #[test]
    fn the_list_holds_what_could_be_typed() {
        let mut lines: Vec<&str> = COMMON.lines().collect();
        for line in &lines {
            assert!(line.chars().count() >= FEWEST_CHARACTERS && folded(line) == **line, "{line}");
        }
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), COMMON.lines().count(), "a line twice");
    }

    #[test]
    fn a_digest_is_of_its_password_alone() {
        let cost = Cost::least().unwrap();
        let hash = cost.hash("correct horse battery", &[1; SALT_BYTES]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$"), "{hash}");
        assert!(cost.verify("correct horse battery", Some(&hash)).unwrap());
        assert!(!cost.verify("correct horse batterz", Some(&hash)).unwrap());
        assert!(!cost.verify("", Some(&hash)).unwrap());
        assert!(!cost.verify("correct horse battery", None).unwrap());
        assert_ne!(hash, cost.hash("correct horse battery", &[2; SALT_BYTES]).unwrap());
        assert!(cost.verify("x", Some("no digest")).is_err());
    }

    #[test]
    fn the_recommended_cost_is_that_of_owasp() {
        let hash = Cost::recommended().hash("correct horse battery", &[1; SALT_BYTES]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        // A digest is verified with the cost that it names.
        assert!(Cost::least().unwrap().verify("correct horse battery", Some(&hash)).unwrap());
    }

    #[test]
    fn spellings_of_a_letter_are_one() {
        let cost = Cost::least().unwrap();
        let hash = cost.hash("caf\u{e9} con leche", &[1; SALT_BYTES]).unwrap();
        assert!(cost.verify("cafe\u{301} con leche", Some(&hash)).unwrap());
    }
}
