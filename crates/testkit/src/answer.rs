//! What a caller of the API is answered.

use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use serde_json::Value;

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body's bytes.
    pub bytes: Bytes,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).expect("the answer's body is JSON")
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.to_vec()).unwrap()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The answer, which must have that status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.bytes));
        self
    }

    /// Code and path (joined by dots) of each validation issue, which must be a 400.
    #[track_caller]
    pub fn issues(self) -> Vec<(String, String)> {
        let body = self.expect(400).json();
        let entries = body["details"].as_array().expect("details is an array").clone();
        let issues = entries.iter().flat_map(|entry| entry["issues"].as_array().unwrap().clone());
        issues
            .map(|issue| {
                let path: Vec<&str> =
                    issue["path"].as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect();
                (issue["code"].as_str().unwrap().to_owned(), path.join("."))
            })
            .collect()
    }
}
