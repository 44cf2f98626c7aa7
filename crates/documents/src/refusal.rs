//! Why a document is not read, in words for whoever uploaded it.

use serde::{Deserialize, Serialize};

/// Why a document is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// Its bytes are not what they should be.
    Broken,
    /// There is no text in it.
    Empty,
    /// Its bytes are no text.
    NoText,
    /// An archive without a document.
    NoDocument,
    /// A format of long ago.
    Old,
    /// A password is needed.
    Protected,
    /// It has too many elements.
    ManyElements,
    /// It has too many pages.
    ManyPages,
    /// It is nested too deeply.
    Deep,
    /// It is too large.
    Large,
    /// What it unpacks to is too large.
    Unpacked,
}

impl Refusal {
    /// The reason, of a `page` or a `file`.
    pub fn reason(self, noun: &str) -> String {
        let predicate = match self {
            Refusal::Broken => "could not be understood",
            Refusal::Empty => "has no text",
            Refusal::NoText => "is named as text and holds something else",
            Refusal::NoDocument => "is an archive without a DOCX or PPTX document",
            Refusal::Old => "has a format that Office had before 2007: save it as DOCX or PPTX",
            Refusal::Protected => "is protected by a password",
            Refusal::ManyElements => "has too many elements",
            Refusal::ManyPages => "has more than 2,000 pages",
            Refusal::Deep => "is nested too deeply",
            Refusal::Large => "is larger than 64 MiB",
            Refusal::Unpacked => "unpacks to more than 64 MiB",
        };
        format!("The {noun} {predicate}.")
    }
}
