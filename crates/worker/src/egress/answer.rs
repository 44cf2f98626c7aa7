//! What is kept of an answer: its status, when to come again, and the beginning of its body.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderMap, Response, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::Failure;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// When the other side asks to be called again.
    pub again: Option<Again>,
    /// The beginning of the body.
    pub body: Bytes,
}

/// What `Retry-After` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// After that time.
    In(Duration),
    /// At that instant, in seconds since 1970.
    At(u64),
}

impl Again {
    /// Reads the header.
    pub(super) fn read(headers: &HeaderMap) -> Option<Again> {
        let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Again::In(Duration::from_secs(text.parse().unwrap_or(u64::from(u32::MAX)))));
        }
        let at = httpdate::parse_http_date(text).ok()?;
        Some(Again::At(at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()))
    }

    /// How long the header asks to wait, without a clock of ours: what is a date counts from the one at which the answer was sent.
    pub(super) fn pause(headers: &HeaderMap) -> Option<Duration> {
        match Again::read(headers)? {
            Again::In(pause) => Some(pause),
            Again::At(second) => {
                let sent = httpdate::parse_http_date(headers.get(header::DATE)?.to_str().ok()?).ok()?;
                let sent = sent.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
                Some(Duration::from_secs(second.saturating_sub(sent)))
            }
        }
    }

    /// How long that is from the given instant on.
    pub fn after(self, now: pagesmith_model::Timestamp) -> Duration {
        match self {
            Again::In(pause) => pause,
            Again::At(second) => {
                let now = u64::try_from(now.as_micros()).unwrap_or_default();
                Duration::from_micros(second.saturating_mul(1_000_000).saturating_sub(now))
            }
        }
    }
}

/// Reads the beginning of an answer's body. What is left closes the connection instead of being read.
pub(super) async fn read(response: Response<Incoming>, limit: usize) -> Result<Answer, Failure> {
    let (head, mut body) = response.into_parts();
    let mut read = Bytes::new();
    let mut more = Vec::new();
    while read.len() + more.len() < limit {
        let Some(frame) = body.frame().await else { break };
        // An answer that has come is an answer, whatever becomes of the rest of its body.
        let Ok(frame) = frame else { break };
        let Ok(data) = frame.into_data() else { continue };
        if read.is_empty() {
            read = data;
        } else {
            more.extend_from_slice(&data);
        }
    }
    let mut whole = if more.is_empty() { read } else { [read.as_ref(), &more].concat().into() };
    whole.truncate(limit);
    Ok(Answer { status: head.status.as_u16(), again: Again::read(&head.headers), body: whole })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use pagesmith_model::Timestamp;

    use super::*;

    #[test]
    fn a_date_to_wait_for_counts_from_when_the_answer_was_sent() {
        let pause = |after: &'static str, sent: Option<&'static str>| {
            let named = |name, text| (name, HeaderValue::from_static(text));
            let sent = sent.map(|sent| named(header::DATE, sent));
            Again::pause(&[named(header::RETRY_AFTER, after)].into_iter().chain(sent).collect())
        };
        let (noon, later) = ("Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 01 Mar 2026 12:01:30 GMT");
        assert_eq!(pause("7", Some(noon)), Some(Duration::from_secs(7)));
        assert_eq!(pause(later, Some(noon)), Some(Duration::from_secs(90)));
        assert_eq!(pause(noon, Some(later)), Some(Duration::ZERO));
        assert_eq!((pause(later, None), pause("soon", Some(noon))), (None, None));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = Timestamp::from_micros(1_772_366_400_000_000);
        let after = |text: &'static str| {
            let headers = HeaderMap::from_iter([(header::RETRY_AFTER, HeaderValue::from_static(text))]);
            Again::read(&headers).map(|again| again.after(now).as_secs())
        };
        assert_eq!(after("120"), Some(120));
        assert_eq!(after("99999999999999999999999"), Some(u64::from(u32::MAX)));
        assert_eq!(after("Sun, 01 Mar 2026 12:01:00 GMT"), Some(60));
        assert_eq!(after("Sun, 01 Mar 2020 12:01:00 GMT"), Some(0));
        assert_eq!(after("soon"), None);
        assert_eq!(after("-5"), None);
        assert_eq!(after(""), None);
    }
}
