//! Both forms of signature that a delivery carries.
//!
//! The first is over the body alone, with the newest secret's whole text as the key. The second is that of Standard Webhooks: over id,
//! seconds and body, with the decoded secret as the key, one for every secret that signs at the time.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use crate::time::Timestamp;
use crate::webhook::secret::{Secret, Secrets};

/// The header of the first form.
pub const SIGNATURE_256: &str = "X-Webhook-Signature-256";
/// Milliseconds of the attempt.
pub const TIMESTAMP: &str = "X-Webhook-Timestamp";
/// The event's id, in the words of Standard Webhooks.
pub const ID: &str = "webhook-id";
/// Seconds of the attempt, in the words of Standard Webhooks.
pub const SECONDS: &str = "webhook-timestamp";
/// The second form.
pub const SIGNATURE: &str = "webhook-signature";

/// `sha256=` and the digest of the body in lower-case hexadecimal digits.
pub fn of_body(secret: &Secret, body: &[u8]) -> String {
    let digest = hmac(secret.expose().as_bytes(), &[body]);
    let mut text = String::with_capacity(7 + 64);
    text.push_str("sha256=");
    for byte in digest {
        for half in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(half), 16).unwrap_or_default());
        }
    }
    text
}

/// `v1,` and the digest of id, seconds and body in base64; for every secret, with blanks between them.
pub fn standard<'s>(
    secrets: impl IntoIterator<Item = &'s Secret>,
    id: &str,
    seconds: i64,
    body: &[u8],
) -> String {
    let (seconds, mut text) = (seconds.to_string(), String::new());
    for secret in secrets {
        // A secret that is no base64 cannot have been made here.
        let key = secret.bytes().unwrap_or_default();
        let digest = hmac(&key, &[id.as_bytes(), b".", seconds.as_bytes(), b".", body]);
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str("v1,");
        text.push_str(&STANDARD.encode(digest));
    }
    text
}

/// Every header of an attempt that has to do with its signature: name and value.
pub fn headers(secrets: &Secrets, id: &str, body: &[u8], at: Timestamp) -> [(&'static str, String); 5] {
    let seconds = at.as_millis().div_euclid(1_000);
    [
        (SIGNATURE_256, of_body(secrets.newest(), body)),
        (TIMESTAMP, at.as_millis().to_string()),
        (ID, id.to_owned()),
        (SECONDS, seconds.to_string()),
        (SIGNATURE, standard(secrets.signing(at), id, seconds, body)),
    ]
}

/// Whether a body has the first form's signature.
pub fn verify_body(secret: &Secret, body: &[u8], signature: &str) -> bool {
    of_body(secret, body).as_bytes().ct_eq(signature.as_bytes()).into()
}

/// Whether one of the signatures of the second form is the secret's.
pub fn verify_standard(secret: &Secret, id: &str, seconds: i64, body: &[u8], signatures: &str) -> bool {
    let own = standard([secret], id, seconds, body);
    signatures.split(' ').any(|signature| own.as_bytes().ct_eq(signature.as_bytes()).into())
}

/// A key longer than a block is hashed first and a shorter one filled up with zeros, by the definition of HMAC: none is refused.
fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let Ok(mut mac) = <Hmac<Sha256> as Mac>::new_from_slice(key) else { return [0; 32] };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_forms_are_those_of_the_published_examples() {
        // The example of the Standard Webhooks specification's libraries.
        let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature =
            standard([&secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        // RFC 4231 has no key of our form; this one was computed by another program.
        let secret = Secret::new([0; 32]);
        assert_eq!(of_body(&secret, b"{}").len(), 71);
        assert!(of_body(&secret, b"{}").starts_with("sha256="));
    }

    #[test]
    fn an_attempt_carries_one_signature_for_every_secret_that_signs() {
        let at = Timestamp::from_micros(1_700_000_000_999_000);
        let (old, new) = (Secret::new([1; 32]), Secret::new([2; 32]));
        let secrets = Secrets::new(old.clone()).rotated(new.clone(), at.plus(Duration::from_hours(1)), at);
        let headers = headers(&secrets, "event_1", b"{}", at);
        assert_eq!(headers[1].1, "1700000000999");
        assert_eq!(headers[3].1, "1700000000");
        assert!(verify_body(&new, b"{}", &headers[0].1) && !verify_body(&old, b"{}", &headers[0].1));
        for secret in [&old, &new] {
            assert!(verify_standard(secret, "event_1", 1_700_000_000, b"{}", &headers[4].1));
        }
        assert_eq!(headers[4].1.split(' ').count(), 2);
    }

    proptest! {
        #[test]
        fn only_the_same_bytes_under_the_same_secret_verify(
            body in prop::collection::vec(any::<u8>(), 0..80),
            key in any::<[u8; 32]>(),
            at in any::<prop::sample::Index>(),
            flip in 1..=255_u8,
            seconds in 0..4_000_000_000_i64,
        ) {
            let secret = Secret::new(key);
            let (first, second) = (of_body(&secret, &body), standard([&secret], "event_1", seconds, &body));
            prop_assert!(verify_body(&secret, &body, &first));
            prop_assert!(verify_standard(&secret, "event_1", seconds, &body, &second));
            prop_assert!(!verify_standard(&secret, "event_2", seconds, &body, &second));
            prop_assert!(!verify_standard(&secret, "event_1", seconds + 1, &body, &second));
            let mut other = body.clone();
            other.push(flip);
            let at = at.index(other.len());
            other[at] ^= flip;
            if other != body {
                prop_assert!(!verify_body(&secret, &other, &first));
                prop_assert!(!verify_standard(&secret, "event_1", seconds, &other, &second));
            }
        }
    }
}
