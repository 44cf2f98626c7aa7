//! The server's keys while one takes another's place: the first seals, and all of them open.
//!
//! What this is not: where they are kept. Invariant: what any of the keys has sealed opens, and nothing new is sealed but under the first.

use super::{NONCE_LENGTH, SecretKey, open, seal};

/// See above; mostly it is one key alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretKeys {
    first: SecretKey,
    others: Vec<SecretKey>,
}

/// What became of something sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resealed {
    /// It was sealed under the first key.
    Already,
    /// It was sealed under another one; the same under the first.
    Anew(Vec<u8>),
    /// None of the keys opens it.
    Closed,
}

impl SecretKeys {
    /// The key that seals, and others that only open.
    pub fn new(first: SecretKey, others: Vec<SecretKey>) -> SecretKeys {
        SecretKeys { first, others }
    }

    /// The key that seals.
    pub fn first(&self) -> &SecretKey {
        &self.first
    }

    /// Whether there are keys that only open.
    pub fn are_several(&self) -> bool {
        !self.others.is_empty()
    }

    fn all(&self) -> impl Iterator<Item = &SecretKey> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Encrypts under the first key; see [`seal`].
    pub fn seal(&self, nonce: [u8; NONCE_LENGTH], aad: &[u8], plain: &[u8]) -> Vec<u8> {
        seal(&self.first, nonce, aad, plain)
    }

    /// Decrypts under whichever key fits; see [`open`].
    pub fn open(&self, aad: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        self.all().find_map(|key| open(key, aad, sealed))
    }

    /// The key under which something is sealed, if it is one of these.
    pub fn key_of(&self, aad: &[u8], sealed: &[u8]) -> Option<&SecretKey> {
        self.all().find(|key| open(key, aad, sealed).is_some())
    }

    /// The fingerprints of all, the first key's first; see [`SecretKey::fingerprint`].
    pub fn fingerprints(&self) -> Vec<String> {
        self.all().map(SecretKey::fingerprint).collect()
    }

    /// The same under the first key.
    pub fn reseal(&self, nonce: [u8; NONCE_LENGTH], aad: &[u8], sealed: &[u8]) -> Resealed {
        if open(&self.first, aad, sealed).is_some() {
            return Resealed::Already;
        }
        match self.open(aad, sealed) {
            Some(plain) => Resealed::Anew(self.seal(nonce, aad, &plain)),
            None => Resealed::Closed,
        }
    }

    /// The digests that the keys make of the same parts, the first key's first; see [`SecretKey::digest`].
    pub fn digests(&self, purpose: &str, parts: &[&str]) -> Vec<[u8; 32]> {
        self.all().map(|key| key.digest(purpose, parts)).collect()
    }
}

impl From<SecretKey> for SecretKeys {
    fn from(key: SecretKey) -> SecretKeys {
        SecretKeys::new(key, vec![])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: SecretKey = SecretKey::new([1; 32]);
    const NEW: SecretKey = SecretKey::new([2; 32]);

    #[test]
    fn all_keys_open_and_the_first_seals() {
        let (before, during, after) =
            (SecretKeys::from(OLD), SecretKeys::new(NEW, vec![OLD]), SecretKeys::from(NEW));
        let sealed = before.seal([3; 24], b"row", b"whsec");
        assert_eq!(during.open(b"row", &sealed).as_deref(), Some(&b"whsec"[..]));
        assert_eq!(after.open(b"row", &sealed), None);
        assert_eq!((during.key_of(b"row", &sealed), after.key_of(b"row", &sealed)), (Some(&OLD), None));
        assert_eq!(during.fingerprints(), [NEW.fingerprint(), OLD.fingerprint()]);
        let Resealed::Anew(anew) = during.reseal([4; 24], b"row", &sealed) else { panic!("not anew") };
        assert_eq!(after.open(b"row", &anew).as_deref(), Some(&b"whsec"[..]));
        assert_eq!(before.open(b"row", &anew), None);
        assert_eq!(during.reseal([5; 24], b"row", &anew), Resealed::Already);
        assert_eq!(during.reseal([5; 24], b"other row", &anew), Resealed::Closed);
        assert_eq!(after.reseal([5; 24], b"row", &sealed), Resealed::Closed);
    }

    #[test]
    fn each_key_makes_a_digest_of_its_own() {
        let digests = SecretKeys::new(NEW, vec![OLD]).digests("preview", &["a"]);
        assert_eq!(digests, [NEW.digest("preview", &["a"]), OLD.digest("preview", &["a"])]);
    }
}
