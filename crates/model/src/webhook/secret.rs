//! Secrets of subscriptions: what deliveries are signed with.
//!
//! A secret is the text `whsec_` and the base64 of 32 random bytes. A subscription has one, and after a rotation for a while older
//! ones too. They are never shown by `Debug`, and leave the process only sealed or in the one answer that shows a new one.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::seal::{NONCE_LENGTH, SecretKeys};
use crate::time::Timestamp;

const PREFIX: &str = "whsec_";
/// How many older secrets are kept at most.
const MOST_OLDER: usize = 10;

/// The text of a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The secret of fresh random bytes.
    pub fn new(bytes: [u8; 32]) -> Secret {
        Secret(format!("{PREFIX}{}", STANDARD.encode(bytes)))
    }

    /// A secret as somebody was shown it.
    pub fn parse(text: &str) -> Option<Secret> {
        let secret = Secret(text.to_owned());
        secret.bytes().map(|_| secret)
    }

    /// The text: what its owner keeps.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The bytes behind the prefix; `None` if they are no base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        STANDARD.decode(self.0.strip_prefix(PREFIX)?).ok()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A secret that still signs beside the newest until an instant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Older {
    secret: Secret,
    /// Microseconds.
    until: i64,
}

/// A subscription's secrets, the newest and those that still sign beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secrets {
    newest: Secret,
    older: Vec<Older>,
}

impl Secrets {
    /// Of a new subscription.
    pub fn new(secret: Secret) -> Secrets {
        Secrets { newest: secret, older: vec![] }
    }

    /// With another newest one; the one before signs until `until`.
    #[must_use]
    pub fn rotated(self, secret: Secret, until: Timestamp, now: Timestamp) -> Secrets {
        let mut older = vec![Older { secret: self.newest, until: until.as_micros() }];
        older.extend(self.older);
        older.retain(|older| older.until > now.as_micros());
        older.truncate(MOST_OLDER);
        Secrets { newest: secret, older }
    }

    /// The newest.
    pub fn newest(&self) -> &Secret {
        &self.newest
    }

    /// Those that sign at `now`, newest first.
    pub fn signing(&self, now: Timestamp) -> impl Iterator<Item = &Secret> {
        let older = self.older.iter().filter(move |older| older.until > now.as_micros());
        std::iter::once(&self.newest).chain(older.map(|older| &older.secret))
    }

    /// Encrypted, for the row that `bound` names.
    pub fn seal(&self, keys: &SecretKeys, nonce: [u8; NONCE_LENGTH], bound: &str) -> crate::Result<Vec<u8>> {
        let plain = serde_json::to_vec(self).map_err(crate::Error::internal)?;
        Ok(keys.seal(nonce, bound.as_bytes(), &plain))
    }

    /// What [`Secrets::seal`] made for the same row under one of the keys.
    pub fn open(keys: &SecretKeys, bound: &str, sealed: &[u8]) -> Option<Secrets> {
        serde_json::from_slice(&keys.open(bound.as_bytes(), sealed)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::seal::SecretKey;

    fn secret(byte: u8) -> Secret {
        Secret::new([byte; 32])
    }

    #[test]
    fn a_secret_is_not_shown_and_has_the_known_form() {
        let secret = secret(0);
        assert_eq!(secret.expose(), "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        assert_eq!(secret.bytes(), Some(vec![0; 32]));
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        assert_eq!(Secret::parse(secret.expose()), Some(secret));
        assert_eq!(Secret::parse("whsec_%"), None);
        assert_eq!(Secret::parse("AAAA"), None);
    }

    #[test]
    fn older_secrets_sign_until_their_time_is_over() {
        let now = Timestamp::from_micros(1_000_000);
        let hour = now.plus(Duration::from_hours(1));
        let secrets = Secrets::new(secret(1)).rotated(secret(2), hour, now).rotated(secret(3), now, now);
        let signing = |at| secrets.signing(at).cloned().collect::<Vec<_>>();
        assert_eq!(signing(now), [secret(3), secret(1)]);
        assert_eq!(signing(hour), [secret(3)]);
    }

    #[test]
    fn only_so_many_older_ones_are_kept() {
        let now = Timestamp::from_micros(0);
        let until = now.plus(Duration::from_hours(1));
        let rotate = |secrets: Secrets, byte| secrets.rotated(secret(byte), until, now);
        let secrets = (1..=20).fold(Secrets::new(secret(0)), rotate);
        let signing: Vec<_> = secrets.signing(now).cloned().collect();
        assert_eq!(signing, (10..=20).rev().map(secret).collect::<Vec<_>>());
    }

    #[test]
    fn secrets_open_only_in_their_own_row() {
        let secrets =
            Secrets::new(secret(1)).rotated(secret(2), Timestamp::from_micros(9), Timestamp::from_micros(1));
        let keys = SecretKeys::from(SecretKey::new([7; 32]));
        let sealed = secrets.seal(&keys, [3; 24], "tenant_1 sub_1").unwrap();
        assert_eq!(Secrets::open(&keys, "tenant_1 sub_1", &sealed), Some(secrets));
        assert_eq!(Secrets::open(&keys, "tenant_1 sub_2", &sealed), None);
        assert!(!sealed.windows(6).any(|bytes| bytes == b"whsec_"));
    }
}
