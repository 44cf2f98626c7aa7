//! The texts that go with a form to a browser and come back: a token that says since when, and a task that costs work.
//!
//! Both are bound to the id of one submission, which is accepted once: so neither is of use twice. What this is not: the signatures,
//! which are made by whoever has the server's key.

use sha2::{Digest, Sha256};

use crate::id::SubmissionId;
use crate::time::Timestamp;

/// How long a token is good for, in milliseconds: as long as a page may stay open.
pub const TOKEN_LIFE_MS: i64 = 24 * 60 * 60 * 1_000;
/// Faster than this nobody fills in a form, in milliseconds.
pub const FASTEST_MS: i64 = 1_500;
/// How many bits of a proof must be zero: about a fifth of a second of a phone.
pub const DIFFICULTY: u32 = 14;
/// The longest proof.
const LONGEST_PROOF: usize = 20;

/// A token as it is sent: the submission, when it was begun, and the signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The submission that it is for.
    pub submission_id: SubmissionId,
    /// When the visitor began to fill in the form.
    pub begun_at: Timestamp,
    /// What was signed.
    pub signature: String,
}

impl Token {
    /// The token of this text.
    pub fn parse(text: &str) -> Option<Token> {
        let mut parts = text.split('.');
        let (id, millis, signature) = (parts.next()?, parts.next()?, parts.next()?);
        let is_plain = signature.len() == 43 && parts.next().is_none();
        let millis =
            millis.parse::<i64>().ok().filter(|millis| (0..=253_402_300_799_999).contains(millis))?;
        Some(Token {
            submission_id: SubmissionId::parse(id).filter(|_| is_plain)?,
            begun_at: Timestamp::from_micros(millis * 1_000),
            signature: signature.to_owned(),
        })
    }

    /// As it is sent.
    pub fn text(&self) -> String {
        format!("{}.{}.{}", self.submission_id, self.begun_at.as_millis(), self.signature)
    }
}

/// Whether this is a proof of work for a task: the digest of both begins with enough zeros.
pub fn is_proof(task: &str, proof: &str) -> bool {
    if proof.is_empty() || proof.len() > LONGEST_PROOF {
        return false;
    }
    let digest = Sha256::digest(format!("{task}.{proof}"));
    let bytes: [u8; 4] = [digest[0], digest[1], digest[2], digest[3]];
    u32::from_be_bytes(bytes).leading_zeros() >= DIFFICULTY
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_token_comes_back_as_it_was_sent() {
        let token = Token {
            submission_id: SubmissionId::parse("submission_00000000000000000000000000").unwrap(),
            begun_at: Timestamp::from_micros(1_700_000_000_123_000),
            signature: "a".repeat(43),
        };
        assert_eq!(Token::parse(&token.text()), Some(token));
    }

    #[test]
    fn work_is_needed_and_can_be_done() {
        let proof = (0..1 << 20).map(|number| number.to_string()).find(|proof| is_proof("task", proof));
        let proof = proof.unwrap();
        assert!(!is_proof("another task", &proof) || !is_proof("task", "1") || !is_proof("task", "2"));
        assert!(!is_proof("task", ""));
        assert!(!is_proof("task", &"1".repeat(21)));
    }

    proptest! {
        #[test]
        fn any_text_is_a_token_or_none(text in ".{0,120}") {
            if let Some(token) = Token::parse(&text) {
                prop_assert_eq!(token.begun_at.as_micros() % 1_000, 0);
            }
        }
    }
}
