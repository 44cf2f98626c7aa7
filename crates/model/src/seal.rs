//! Sealing: encryption of small values at rest under the server's key, with XChaCha20-Poly1305.
//!
//! What this is not: a place where keys are kept or random bytes are made; both are handed in. [`SecretKeys`] is several keys in the place of one.
//! Invariant: a sealed value opens only under the same key and the same associated data, unchanged. Put into the
//! associated data what the value belongs to (tenant, row, column), so that it cannot be moved elsewhere.
//!
//! Form: the nonce's 24 bytes, then the ciphertext with its tag of 16.

mod keys;

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;

pub use keys::{Resealed, SecretKeys};

/// Bytes of a nonce; random ones are long enough never to meet again.
pub const NONCE_LENGTH: usize = 24;

/// A key of 256 bits; never shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey([u8; 32]);

impl SecretKey {
    /// The key of these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads padded standard base64, white space around it ignored; `None` unless it holds 32 bytes.
    pub fn from_base64(text: &str) -> Option<Self> {
        STANDARD.decode(text.trim()).ok()?.try_into().ok().map(Self)
    }

    /// The key as padded standard base64, for the file or setting that keeps it.
    pub fn to_base64(&self) -> String {
        STANDARD.encode(self.0)
    }

    /// A digest of the parts that only this key makes; `purpose` keeps those of different uses apart.
    pub fn digest(&self, purpose: &str, parts: &[&str]) -> [u8; 32] {
        // A key shorter than a block is filled up with zeros by the definition of HMAC.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        let mut mac = <Hmac<Sha256> as Mac>::new(&block.into());
        for part in [&[purpose], parts].concat() {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac.finalize().into_bytes().into()
    }

    /// Eight hex digits by which people tell keys apart; they betray nothing of the key.
    pub fn fingerprint(&self) -> String {
        let [a, b, c, d, ..] = self.digest("fingerprint", &[]);
        format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}

/// Encrypts the text; the nonce must be fresh random bytes, for the same one twice under a key would betray both.
#[expect(
    clippy::expect_used,
    reason = "the cipher refuses only texts over 256 GiB, which no caller can hold"
)]
pub fn seal(key: &SecretKey, nonce: [u8; NONCE_LENGTH], aad: &[u8], plain: &[u8]) -> Vec<u8> {
    let payload = Payload { msg: plain, aad };
    let ciphertext = key.cipher().encrypt(&XNonce::from(nonce), payload).expect("text below 256 GiB");
    [&nonce[..], &ciphertext].concat()
}

/// Decrypts what [`seal`] made; `None` if the key or the associated data differ or a byte was changed.
pub fn open(key: &SecretKey, aad: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, ciphertext) = sealed.split_first_chunk::<NONCE_LENGTH>()?;
    key.cipher().decrypt(&XNonce::from(*nonce), Payload { msg: ciphertext, aad }).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: SecretKey = SecretKey::new([7; 32]);

    #[test]
    fn a_key_is_not_shown_and_comes_back_from_base64() {
        let text = KEY.to_base64();
        assert_eq!(format!("{KEY:?}"), "SecretKey(…)");
        assert_eq!(SecretKey::from_base64(&format!("{text}\n")).map(|key| key.0), Some(KEY.0));
        assert!(SecretKey::from_base64(&text[4..]).is_none());
        assert!(SecretKey::from_base64("not base64").is_none());
    }

    #[test]
    fn a_digest_depends_on_the_key_the_purpose_and_every_part() {
        let digest = KEY.digest("slug", &["a", "bc"]);
        assert_eq!(digest, KEY.digest("slug", &["a", "bc"]));
        assert_ne!(digest, KEY.digest("slug", &["ab", "c"]));
        assert_ne!(digest, KEY.digest("other", &["a", "bc"]));
        assert_ne!(digest, SecretKey::new([8; 32]).digest("slug", &["a", "bc"]));
    }

    #[test]
    fn a_fingerprint_is_short_and_the_key_s_own() {
        let fingerprint = KEY.fingerprint();
        assert_eq!(fingerprint.len(), 8);
        assert_eq!(fingerprint, SecretKey::new([7; 32]).fingerprint());
        assert_ne!(fingerprint, SecretKey::new([8; 32]).fingerprint());
    }

    #[test]
    fn opens_only_under_the_same_key_and_data() {
        let sealed = seal(&KEY, [1; 24], b"tenant_1", b"whsec");
        assert_eq!(open(&KEY, b"tenant_1", &sealed).as_deref(), Some(&b"whsec"[..]));
        assert_eq!(open(&KEY, b"tenant_2", &sealed), None);
        assert_eq!(open(&SecretKey::new([8; 32]), b"tenant_1", &sealed), None);
    }

    proptest! {
        #[test]
        fn comes_back_unless_changed(
            plain in prop::collection::vec(any::<u8>(), 0..100),
            aad in prop::collection::vec(any::<u8>(), 0..30),
            nonce in any::<[u8; 24]>(),
            at in any::<prop::sample::Index>(),
            flip in 1..=255_u8,
        ) {
            let mut sealed = seal(&KEY, nonce, &aad, &plain);
            prop_assert_eq!(sealed.len(), plain.len() + 40);
            prop_assert_eq!(open(&KEY, &aad, &sealed), Some(plain));
            let at = at.index(sealed.len());
            prop_assert_eq!(open(&KEY, &aad, &sealed[..at]), None);
            sealed[at] ^= flip;
            prop_assert_eq!(open(&KEY, &aad, &sealed), None);
        }
    }
}
