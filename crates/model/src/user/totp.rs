//! Codes of authenticator apps: TOTP of RFC 6238 with HMAC-SHA-1, six digits and steps of thirty seconds, which every app can do.
//!
//! A code is taken in its step, the one before and the one after, for clocks differ. The caller keeps the step of the last code that
//! was taken: no code of that step or an earlier one is taken again.

use hmac::{Hmac, Mac};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha1::Sha1;
use subtle::ConstantTimeEq;

use crate::email::EmailAddress;
use crate::time::Timestamp;

/// Bytes of a secret, as many as a digest of SHA-1.
pub const SECRET_BYTES: usize = 20;
/// Seconds of a step.
const STEP: i64 = 30;
/// Digits of a code.
const DIGITS: usize = 6;
/// What apps show beside the user's address.
const ISSUER: &str = "Pagesmith";

/// The step of an instant.
pub fn step_at(now: Timestamp) -> i64 {
    now.as_micros().div_euclid(1_000_000 * STEP)
}

/// The step whose code this is, if it is one of those that are taken now, behind the step of the last code that was taken.
pub fn verify(secret: &[u8], typed: &str, now: Timestamp, last_step: Option<i64>) -> Option<i64> {
    let typed: String = typed.chars().filter(|char| !char.is_whitespace()).collect();
    if typed.len() != DIGITS || !typed.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let present = step_at(now);
    // Each is looked at, so that the time does not tell which it was.
    let mut found = None;
    for step in [present - 1, present, present + 1] {
        let is_code = bool::from(code(secret, step).as_bytes().ct_eq(typed.as_bytes()));
        if is_code && last_step.is_none_or(|last| step > last) && found.is_none() {
            found = Some(step);
        }
    }
    found
}

/// The code of a step.
pub fn code(secret: &[u8], step: i64) -> String {
    let digest = digest(secret, step);
    let offset = usize::from(digest[19] & 0xf);
    let number =
        digest[offset..offset + 4].iter().fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
    format!("{:0DIGITS$}", (number & 0x7fff_ffff) % 10_u32.pow(DIGITS as u32))
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
fn digest(secret: &[u8], step: i64) -> [u8; 20] {
    let mut mac = <Hmac<Sha1> as Mac>::new_from_slice(secret).expect("a key of any length");
    mac.update(&step.to_be_bytes());
    mac.finalize().into_bytes().into()
}

/// A secret as people type it into an app: base 32 of RFC 4648 without padding.
pub fn base32(secret: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (mut text, mut bits, mut held) = (String::new(), 0_u32, 0);
    for byte in secret {
        bits = (bits << 8) | u32::from(*byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            text.push(char::from(ALPHABET[(bits >> held) as usize & 0b1_1111]));
        }
    }
    if held > 0 {
        text.push(char::from(ALPHABET[(bits << (5 - held)) as usize & 0b1_1111]));
    }
    text
}

/// The address that an app reads from a QR code.
pub fn address(secret: &[u8], email: &EmailAddress) -> String {
    let label = utf8_percent_encode(email.as_str(), NON_ALPHANUMERIC);
    format!("otpauth://totp/{ISSUER}:{label}?secret={}&issuer={ISSUER}", base32(secret))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The secret of the tests of RFC 6238.
    const SECRET: &[u8] = b"12345678901234567890";

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B; it shows eight digits, of which ours are the last six.
        for (seconds, shown) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            assert_eq!(code(SECRET, step_at(at(seconds))), shown[2..], "at {seconds}");
            assert_eq!(verify(SECRET, &shown[2..], at(seconds), None), Some(step_at(at(seconds))));
        }
    }

    #[test]
    fn base_32_is_that_of_rfc_4648() {
        for (plain, shown) in [
            ("", ""),
            ("f", "MY"),
            ("fo", "MZXQ"),
            ("foo", "MZXW6"),
            ("foob", "MZXW6YQ"),
            ("foobar", "MZXW6YTBOI"),
        ] {
            assert_eq!(base32(plain.as_bytes()), shown);
        }
    }

    #[test]
    fn an_app_reads_who_and_what() {
        let email = EmailAddress::parse("jane+a@example.com").unwrap();
        assert_eq!(
            address(SECRET, &email),
            "otpauth://totp/Pagesmith:jane%2Ba%40example%2Ecom?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pagesmith"
        );
    }

    #[test]
    fn what_is_no_code_is_refused() {
        let typed = code(SECRET, step_at(at(59)));
        let spaced = format!(" {} {} ", &typed[..3], &typed[3..]);
        assert!(verify(SECRET, &spaced, at(59), None).is_some());
        for wrong in ["", "28708", "2870820", "28708a", "２８７０８２", "-28708"] {
            assert_eq!(verify(SECRET, wrong, at(59), None), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_code_is_taken_once_and_only_near_its_step(
            secret in any::<[u8; SECRET_BYTES]>(), step in 10_i64..100_000_000, late in -5_i64..=5, last in prop::option::of(-3_i64..=3),
        ) {
            let typed = code(&secret, step);
            let now = at((step + late) * STEP + 7);
            let last = last.map(|last| step + last);
            let taken = verify(&secret, &typed, now, last);
            // Another step may by chance have the same code.
            let same = |other: i64| code(&secret, other) == typed;
            let candidates = [step + late - 1, step + late, step + late + 1];
            let expected = candidates.into_iter().find(|at| same(*at) && last.is_none_or(|last| *at > last));
            prop_assert_eq!(taken, expected);
            if let Some(taken) = taken {
                prop_assert_ne!(verify(&secret, &typed, now, Some(taken)), Some(taken));
            }
        }
    }
}
