//! What the head of a request says.

use axum::http::{HeaderMap, header};

use crate::words::Words;

/// The language of a user who has chosen one, or that the browser prefers.
pub(crate) fn words_of(setting: Option<&str>, headers: &HeaderMap) -> Words {
    Words::choose(setting, Some(text(headers, header::ACCEPT_LANGUAGE.as_str())))
}

/// The text of a header; empty if there is none.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
