//! A question whose answer is plain text, the same for every form of API: an answer to a visitor, a summary, a description of a picture.

use bytes::Bytes;

/// A picture that a model looks at.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainPicture {
    /// Its media type.
    pub media_type: String,
    /// Its bytes in Base64.
    pub base64: Bytes,
}

impl PlainPicture {
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.base64).unwrap_or_default()
    }
}

/// A question whose answer is plain text.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainQuestion {
    /// The instructions, which are ours.
    pub system: &'static str,
    /// What is asked, with everything that came from others as data.
    pub user: String,
    /// What is to be looked at.
    pub picture: Option<PlainPicture>,
}
