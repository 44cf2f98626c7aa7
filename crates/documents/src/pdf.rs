//! PDF: the text of its pages. Headings are lines in larger letters; a line break within a paragraph is a space.
//!
//! A page over which the reader of the format panics is left out; a document of which no page can be read is broken.

mod layout;
mod lines;

use std::panic::{AssertUnwindSafe, catch_unwind};

use layout::Layout;
use pdf_extract::{Dictionary, Document, Error, Object, output_doc_page};

use crate::refusal::Refusal;

/// The most pages.
const MOST_PAGES: usize = 2_000;

/// The title and the text of a document.
pub(crate) fn read(bytes: &[u8]) -> Result<(Option<String>, String), Refusal> {
    let loaded = catch_unwind(|| Document::load_mem(bytes)).map_err(|_| Refusal::Broken)?;
    let document = loaded.map_err(|error| match error {
        Error::InvalidPassword | Error::Decryption(_) => Refusal::Protected,
        _ => Refusal::Broken,
    })?;
    // One that needs no password to be read is not encrypted any more.
    if document.trailer.get(b"Encrypt").is_ok() {
        return Err(Refusal::Protected);
    }
    let pages = document.get_pages();
    if pages.is_empty() {
        return Err(Refusal::Broken);
    }
    if pages.len() > MOST_PAGES {
        return Err(Refusal::ManyPages);
    }
    let mut layout = Layout::default();
    let mut unread = 0;
    for page in pages.keys() {
        let reading = AssertUnwindSafe(|| output_doc_page(&document, &mut layout, *page));
        let is_read = matches!(catch_unwind(reading), Ok(Ok(())));
        if layout.is_full() {
            break;
        }
        if !is_read {
            unread += 1;
            layout.end();
        }
    }
    if unread == pages.len() {
        return Err(Refusal::Broken);
    }
    Ok((title(&document), lines::text(layout.into_lines())))
}

/// The title that a document has among its properties.
fn title(document: &Document) -> Option<String> {
    let properties: &Dictionary = match document.trailer.get(b"Info").ok()? {
        Object::Reference(id) => document.get_dictionary(*id).ok()?,
        Object::Dictionary(found) => found,
        _ => return None,
    };
    let title = properties.get_deref(b"Title", document).ok()?;
    pdf_extract::decode_text_string(title).ok()
}
