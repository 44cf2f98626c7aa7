//! What an editor says to the owner, in the language of the message.

use crate::document::Document;
use crate::language::{self, Language};
use crate::thing::block_label;
pub use crate::thing::short;

/// Speaks the language of a message, or else that of its page.
#[derive(Debug, Clone, Copy)]
pub struct Voice(&'static Language);

impl Voice {
    /// The voice that answers a message about a page.
    pub fn of(message: &str, document: &Document) -> Voice {
        let tag = document.content.head.language.as_deref();
        Voice(language::ordered(message, tag)[0])
    }

    /// An answer of the languages' data files, with what stands for its placeholders.
    pub fn say(self, name: &str, values: &[(&str, &str)]) -> String {
        self.0.say(name, values)
    }

    /// What a block is called; the page if there is none of this id.
    pub fn label(self, document: &Document, block_id: Option<&str>) -> String {
        match block_id.and_then(|id| document.block(id)) {
            Some(block) => block_label(&crate::document::json(block), self.0),
            None => self.say("page", &[]),
        }
    }
}
