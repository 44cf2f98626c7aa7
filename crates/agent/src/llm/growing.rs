//! The document while it is written: blocks are taken as soon as they are complete.
//!
//! What this is not: a parser of JSON; it only counts brackets outside of texts, and every block goes through the checks of a whole
//! answer, since what is written so far becomes the page if the writing is cancelled. Invariant: how the text is cut changes nothing,
//! and what is given is a valid document without what a page must not say.

use pagesmith_model::content::{Content, ContentHead};
use pagesmith_template_agent::shared::check::Mending;
use serde_json::Value;

use super::answer::{self, Judge};
use super::clean::MOST_BLOCKS;

/// Reads a document while it is written.
pub struct Growing<'a> {
    judge: &'a Judge<'a>,
    mending: Mending<'a>,
    text: String,
    /// How far the text has been looked at.
    at: usize,
    depth: usize,
    quoted: bool,
    escaped: bool,
    /// Where the text at hand began, and the last one that ended: the name of a field.
    quote: usize,
    name: (usize, usize),
    /// How deep the list of blocks is.
    blocks: Option<usize>,
    /// Where the block at hand began.
    block: usize,
    head: Option<ContentHead>,
    content: Option<Content>,
}

impl<'a> Growing<'a> {
    /// Nothing written yet.
    pub fn new(judge: &'a Judge<'a>) -> Growing<'a> {
        Growing {
            judge,
            mending: Mending::by(&judge.checker),
            text: String::new(),
            at: 0,
            depth: 0,
            quoted: false,
            escaped: false,
            quote: 0,
            name: (0, 0),
            blocks: None,
            block: 0,
            head: None,
            content: None,
        }
    }

    /// Takes more text; gives the document if a block has been completed.
    pub fn push(&mut self, text: &str) -> Option<&Content> {
        self.text.push_str(text);
        let mut grown = false;
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            grown |= self.see(byte);
            self.at += 1;
        }
        self.content.as_ref().filter(|_| grown)
    }

    fn see(&mut self, byte: u8) -> bool {
        if self.quoted {
            if byte == b'"' && !self.escaped {
                self.quoted = false;
                self.name = (self.quote, self.at);
            }
            self.escaped = byte == b'\\' && !self.escaped;
            return false;
        }
        match byte {
            b'"' => {
                self.quoted = true;
                self.escaped = false;
                self.quote = self.at + 1;
            }
            b'[' | b'{' => {
                let named = self.text.get(self.name.0..self.name.1).unwrap_or_default();
                if byte == b'[' && self.blocks.is_none() && named == "blocks" {
                    self.blocks = Some(self.depth + 1);
                    self.find_head();
                } else if self.blocks == Some(self.depth) {
                    self.block = self.at;
                }
                self.depth += 1;
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                if byte == b'}' && self.blocks == Some(self.depth) {
                    return self.end_block();
                }
                if byte == b']' && self.blocks.is_some_and(|depth| self.depth < depth) {
                    // Nothing that follows is a block.
                    self.blocks = Some(usize::MAX);
                }
            }
            _ => {}
        }
        false
    }

    /// The head, if it is before the blocks.
    fn find_head(&mut self) {
        let before = &self.text[..self.at];
        let head = before
            .find("\"head\"")
            .and_then(|at| before[at + 6..].find('{').map(|open| &before[at + 6 + open..]));
        let value =
            head.and_then(|text| serde_json::Deserializer::from_str(text).into_iter::<Value>().next()?.ok());
        let mut head = self.judge.head(value.as_ref());
        self.judge.checker.mend_head(&mut head);
        self.head = Some(head);
    }

    fn end_block(&mut self) -> bool {
        let Some(text) = self.text.get(self.block..=self.at) else { return false };
        let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
        let component = self.judge.allowed.cleaned(value).and_then(|block| answer::component(&block).ok());
        let component = component.and_then(|component| self.mending.block(component));
        let Some(component) = component.filter(|block| self.judge.allowed.leads_nowhere_else(block)) else {
            return false;
        };
        let mut blocks = self.content.take().map(|content| content.blocks).unwrap_or_default();
        let grown = blocks.len() < MOST_BLOCKS;
        if grown {
            blocks.push(component);
        }
        self.content = Some(self.judge.finished(self.head.clone().unwrap_or_default(), blocks));
        grown
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use pagesmith_model::brief::Brief;
    use pagesmith_model::page::PageType;

    use super::*;

    fn brief() -> Brief {
        Brief::new(PageType::Inbound, "Page", "We bake bread for the whole street.")
    }

    const DOCUMENT: &str = r#"{"format":1,"head":{"title":"T","language":"en"},"blocks":[{"type":"hero","title":"A \"}] b"},
        {"type":"popup"},{"type":"text","markdown":"x [y](z) {"},{"type":"frame-list","frames":[{"title":"é","markdown":"b"}]}]}"#;

    #[test]
    fn blocks_are_given_as_soon_as_they_are_complete() {
        let brief = brief();
        let judge = Judge::of(&brief);
        let mut growing = Growing::new(&judge);
        let counts: Vec<usize> = DOCUMENT
            .char_indices()
            .filter_map(|(at, char)| {
                growing.push(&DOCUMENT[at..at + char.len_utf8()]).map(|content| content.blocks.len())
            })
            .collect();
        assert_eq!(counts, [1, 2, 3]);
        let content = growing.content.unwrap();
        assert_eq!(content.head.title.as_deref(), Some("T"));
        let wanted = judge.enforced(judge.document(DOCUMENT).unwrap().content).unwrap();
        assert_eq!(content.blocks, wanted.blocks);
    }

    #[test]
    fn a_block_that_says_what_it_must_not_is_not_given() {
        let brief = Brief {
            supplementary_context: Some("They were let down by Stobbs twice.".to_owned()),
            ..brief()
        };
        let judge = Judge::of(&brief);
        let mut growing = Growing::new(&judge);
        let content = growing.push(
            r#"{"head":{"title":"Not Stobbs"},"blocks":[{"type":"hero","title":"Bread for you","subtitle":"Better than Stobbs"},
            {"type":"text","markdown":"For 500 streets."},{"type":"text","markdown":"Warm.\n\nYou were let down by Stobbs twice."}]}"#,
        );
        let shown = serde_json::to_string(content.unwrap()).unwrap();
        assert!(shown.contains("Warm.") && !shown.contains("Stobbs") && !shown.contains("500"), "{shown}");
    }

    proptest! {
        #[test]
        fn how_text_is_cut_changes_nothing(cuts in prop::collection::vec(0usize..300, 0..6)) {
            let brief = brief();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| DOCUMENT.floor_char_boundary(cut)).collect();
            cuts.extend([0, DOCUMENT.len()]);
            cuts.sort_unstable();
            let judge = Judge::of(&brief);
            let mut growing = Growing::new(&judge);
            for pair in cuts.windows(2) {
                growing.push(&DOCUMENT[pair[0]..pair[1]]);
            }
            let mut whole = Growing::new(&judge);
            whole.push(DOCUMENT);
            prop_assert_eq!(growing.content, whole.content);
        }

        #[test]
        fn any_text_is_taken(text in "(\\{|\\}|\\[|\\]|\"blocks\":|\"head\":|\"|\\\\|,|é){0,30}") {
            let brief = brief();
            Growing::new(&Judge::of(&brief)).push(&text);
        }
    }
}
