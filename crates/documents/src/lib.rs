//! What documents say: from their bytes to their text, with Markdown headings.
//!
//! Nothing here opens a file, calls anybody or asks for the time. Documents are other people's. [`read`] bounds what it unpacks and keeps,
//! but the readers of formats below it may panic, take much memory or never end over a hostile file: it is called in a process that has
//! limits, `pagesmith read-document`. [`html`], [`brand`], [`styles`] and [`charset`] are bounded enough to read pages of the web in the server itself.

pub mod brand;
pub mod charset;
pub mod html;
mod kind;
mod office;
mod pdf;
mod plain;
mod refusal;
mod spreadsheet;
pub mod styles;
mod title;
mod writer;

use serde::{Deserialize, Serialize};

pub use kind::Kind;
pub use refusal::Refusal;

/// How many characters of a text are kept.
pub const KEPT: usize = 200_000;

/// The largest document, in bytes.
pub const LARGEST: usize = 64 * 1024 * 1024;

/// What a document says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// What it is called: by what it says about itself, else its first heading.
    pub title: Option<String>,
    /// Its text, with Markdown headings, up to [`KEPT`] characters.
    pub text: String,
}

/// What a process that reads a document answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// What the document says.
    Read(Document),
    /// Why it was not read.
    Refused(Refusal),
}

/// Reads a document of a kind.
pub fn read(kind: Kind, bytes: &[u8]) -> Result<Document, Refusal> {
    let (title, text) = match kind {
        Kind::Pdf => pdf::read(bytes)?,
        Kind::Office => office::read(bytes)?,
        Kind::OldOffice => return Err(office::old(bytes)),
        Kind::Html => {
            let page = html::read(&charset::decode_file(bytes), None)?;
            (page.title, page.text)
        }
        Kind::Csv => (None, spreadsheet::read(&plain::text(bytes)?)),
        Kind::Markdown | Kind::Plain => (None, plain::text(bytes)?),
    };
    let text: String = text.replace('\0', "").chars().take(KEPT).collect();
    if text.trim().is_empty() {
        return Err(Refusal::Empty);
    }
    let title = title.as_deref().and_then(title::usable).or_else(|| title::of_text(&text));
    Ok(Document { title, text })
}
