//! One attempt to deliver an event, as it is kept and shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// How much of an answer is kept, in bytes.
pub const KEPT_ANSWER: usize = 4096;

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Attempt {
    /// When it began.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// What went wrong before an answer was there, or while it was read.
    pub error: Option<String>,
    /// The beginning of the answer's body.
    pub response: Option<String>,
}

impl Attempt {
    /// Whether the event has arrived.
    pub fn is_success(&self) -> bool {
        self.error.is_none() && self.status.is_some_and(|status| (200..300).contains(&status))
    }

    /// Whether the receiver wants nothing any more.
    pub fn is_gone(&self) -> bool {
        self.status == Some(410)
    }
}

/// The part of an answer that is kept, as text: what is no UTF-8 is replaced.
pub fn kept_answer(body: &[u8]) -> Option<String> {
    let kept = body.get(..KEPT_ANSWER).unwrap_or(body);
    (!kept.is_empty()).then(|| String::from_utf8_lossy(kept).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_between_200_and_299_is_a_success() {
        let with = |status, error: Option<&str>| Attempt {
            at: Timestamp::from_micros(0),
            duration_ms: 1,
            status,
            error: error.map(str::to_owned),
            response: None,
        };
        assert!(with(Some(200), None).is_success() && with(Some(299), None).is_success());
        for status in [None, Some(100), Some(301), Some(410), Some(500)] {
            assert!(!with(status, None).is_success());
        }
        assert!(!with(Some(200), Some("timeout")).is_success());
        assert!(with(Some(410), None).is_gone());
    }

    #[test]
    fn a_long_answer_is_cut() {
        assert_eq!(kept_answer(b""), None);
        assert_eq!(kept_answer(&[b'a'; 5000]).map(|text| text.len()), Some(KEPT_ANSWER));
        assert_eq!(kept_answer(b"\xff").as_deref(), Some("\u{fffd}"));
    }
}
