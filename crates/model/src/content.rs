//! What a version says: a document of typed components in their order, and what its head says of it.
//!
//! The document is stored as JSON with the number of its [`FORMAT`]. Whoever writes one, a caller, the template or a model, comes
//! through the same two checks: the schema of these types, and [`Content::issues`] for what a schema cannot say. What is drawn of it
//! is the business of the renderer, which knows no invalid document.
//! Invariant: within a kept document every block has an id, and no two have the same.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::Bounded;
use crate::error::Result;
use crate::example::example;
use crate::id::BlockId;
use crate::issue::{Issue, IssueCode};

pub mod address;
pub mod component;
pub mod diff;
pub mod markdown;
pub mod part;
mod pictures;
mod references;
pub mod source;
pub mod tag;
pub mod texts;

pub use component::Component;
pub use pictures::Resolved;
pub use source::Source;

/// The number of the document's format; a later one is told apart by it.
pub const FORMAT: u32 = 1;

/// The most blocks of a document.
pub const MOST_BLOCKS: usize = 200;

/// The content of a version: its metadata, and its blocks from top to bottom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "VersionContent")]
#[schemars(example = json!({
    "format": 1,
    "head": example::<ContentHead>(),
    "blocks": [
        example::<component::Hero>(),
        example::<component::FeatureCards>(),
        example::<component::CallToAction>(),
    ],
}))]
pub struct Content {
    /// Version of the document's format: 1.
    #[serde(default = "format")]
    #[schemars(extend("const" = 1))]
    pub format: u32,
    /// Title, description and language, which apply where page and audience give none.
    #[serde(default)]
    pub head: ContentHead,
    /// The blocks, from top to bottom.
    #[schemars(length(max = MOST_BLOCKS))]
    pub blocks: Vec<Component>,
}

/// A document of which the head alone is read.
#[derive(Debug, Deserialize)]
pub struct HeadOnly {
    /// The head.
    #[serde(default)]
    pub head: ContentHead,
}

fn format() -> u32 {
    FORMAT
}

/// What a document says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "title": "Forecasts for finance teams",
    "description": "Close the month with fewer spreadsheets.",
    "language": "en",
    "siteName": "Acme",
}))]
pub struct ContentHead {
    /// Title in the browser's window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// Summary of the page, in a sentence or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub description: Option<String>,
    /// Language of the text as a BCP 47 tag, such as `en` or `pt-BR`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,8}$"))]
    pub language: Option<String>,
    /// Name of the company or product that the page is of; used in header, footer and metadata where the site
    /// has no name of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::NameUpTo<100>")]
    pub site_name: Option<String>,
    /// Instructions of the brief that the page agent did not understand, and sentences that it kept back because nothing
    /// shows that they are for visitors. Visitors never get them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Bounded<1, 500>>", length(max = 50))]
    pub unapplied_instructions: Vec<String>,
    /// What of the tenant's knowledge the page agent used, and in which blocks. Visitors never get it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub sources: Vec<Source>,
}

impl Content {
    /// A document of these blocks.
    pub fn of(head: ContentHead, blocks: Vec<Component>) -> Content {
        Content { format: FORMAT, head, blocks }
    }

    /// Every rule that the document breaks and its schema cannot say: ids that occur twice, addresses that are none or
    /// lead to code, rows of a table that are not as wide as its head, actions that the page has not got, and bands
    /// with neither logos nor names.
    pub fn issues(&self, is_action: &dyn Fn(&str) -> bool) -> Vec<Issue> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for (index, block) in self.blocks.iter().enumerate() {
            let mut issues = Issues { at: index.to_string(), found: &mut found };
            if let Some(id) = block.block_id()
                && !seen.insert(id)
            {
                let message = format!("'{id}' is the id of another block already");
                issues.add(IssueCode::DuplicateValue, &["blockId"], &message);
            }
            for (path, id) in block.action_ids() {
                if !is_action(id) {
                    let message = format!("the page has no action '{id}'");
                    issues.add(IssueCode::UnknownReference, &borrowed(&path), &message);
                }
            }
            for (path, url) in block.addresses() {
                if !address::is_fetched(url) {
                    issues.add(IssueCode::InvalidFormat, &borrowed(&path), "must be an http or https URL");
                }
            }
            for (path, width, rows) in block.crooked_rows() {
                let message = format!("must have {width} cells, as many as there are columns, not {rows}");
                issues.add(IssueCode::InvalidValue, &borrowed(&path), &message);
            }
            if block.is_empty_band() {
                issues.add(
                    IssueCode::TooShort,
                    &["logos"],
                    "must have at least one item if there are no names",
                );
            }
        }
        found
    }

    /// Gives every block without an id one from `mint`.
    pub fn fill_ids(&mut self, mint: &mut dyn FnMut() -> Result<BlockId>) -> Result<()> {
        for block in &mut self.blocks {
            if block.block_id().is_none() {
                block.set_block_id(mint()?.into_string());
            }
        }
        Ok(())
    }
}

fn borrowed(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// The issues of one block.
struct Issues<'a> {
    at: String,
    found: &'a mut Vec<Issue>,
}

impl Issues<'_> {
    fn add(&mut self, code: IssueCode, rest: &[&str], what: &str) {
        let path: Vec<&str> = ["blocks", &self.at].into_iter().chain(rest.iter().copied()).collect();
        let message = format!("{}: {what}", path.join("."));
        self.found.push(Issue::body(code, &path, message));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(value: serde_json::Value) -> Content {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn the_head_alone_is_that_of_the_whole() {
        let head: HeadOnly = serde_json::from_value(everything()).unwrap();
        assert_eq!(head.head, read(everything()).head);
        let without: HeadOnly = serde_json::from_value(json!({ "blocks": [] })).unwrap();
        assert_eq!(without.head, ContentHead::default());
    }

    fn everything() -> serde_json::Value {
        json!({ "format": 1, "head": { "title": "T", "description": "D", "language": "pt-BR", "siteName": "S",
            "unappliedInstructions": ["I"], "sources": [{ "topicEntryId": "e", "chunkId": "c", "title": "T",
            "url": "https://example.com/a", "blockIds": ["b1"] }] }, "blocks": [
            { "type": "hero", "blockId": "b1", "eyebrow": "E", "title": "T", "subtitle": "S", "actionIds": ["a"],
              "figure": { "value": "1", "label": "a" }, "image": { "url": "https://example.com/a.png", "altText": "A", "width": 1200, "height": 630 } },
            { "type": "text", "blockId": "b2", "title": "T", "markdown": "*M*" },
            { "type": "image", "blockId": "b3", "image": { "assetId": "a", "altText": "" } },
            { "type": "video", "blockId": "b4", "url": "https://www.youtube.com/watch?v=abc" },
            { "type": "table", "blockId": "b5", "columns": ["A", "B"], "rows": [["1", "2"]] },
            { "type": "feature-cards", "blockId": "b6", "cards": [{ "title": "1", "text": "x" }, { "title": "2", "actionId": "a" }] },
            { "type": "frame", "blockId": "b7", "title": "T", "markdown": "M", "collapsible": true },
            { "type": "frame-list", "blockId": "b8", "frames": [{ "title": "Q", "markdown": "A" }] },
            { "type": "testimonial-carousel", "blockId": "b9", "testimonials": [{ "quote": "Q", "author": "A" }] },
            { "type": "call-to-action", "blockId": "b10", "title": "T", "actionIds": ["a"] },
            { "type": "stats-cards", "blockId": "b11", "stats": [{ "value": "1", "label": "a" }, { "value": "2", "label": "b" }] },
            { "type": "logo-marquee", "blockId": "b12", "logos": [{ "url": "https://example.com/l.svg", "altText": "L" }], "names": ["N"] },
            { "type": "threads", "blockId": "b13", "question": "Q", "choices": [{ "label": "1", "markdown": "x" }, { "label": "2", "markdown": "y" }] },
            { "type": "steps", "blockId": "b15", "title": "T", "steps": [{ "title": "1", "text": "x" }, { "title": "2" }] },
            { "type": "comparison", "blockId": "b16", "title": "T", "columns": [{ "title": "1", "points": ["x"] }, { "title": "2", "points": ["y"] }] },
            { "type": "price-cards", "blockId": "b17", "title": "T", "plans": [
              { "name": "1", "price": "9 €", "text": "x", "points": ["y"], "actionId": "a" }, { "name": "2" }] },
            { "type": "custom", "blockId": "b14", "name": "pricing", "html": "<p>x</p>" },
        ] })
    }

    #[test]
    fn every_component_is_read_and_written_as_it_was() {
        let content = read(everything());
        assert_eq!(content.blocks.len(), Component::TAGS.len());
        assert_eq!(content.issues(&|id| id == "a"), []);
        let written = serde_json::to_value(&content).unwrap();
        assert_eq!(read(written.clone()), content);
        for (block, tag) in written["blocks"].as_array().unwrap().iter().zip(Component::TAGS) {
            assert_eq!(block["type"], *tag);
        }
    }

    #[test]
    fn what_a_schema_cannot_say_is_told_at_its_place() {
        let content = read(json!({ "blocks": [
            { "type": "hero", "blockId": "x", "title": "T", "actionIds": ["a", "gone"] },
            { "type": "table", "blockId": "x", "columns": ["A", "B"], "rows": [["1", "2"], ["3"]] },
            { "type": "image", "image": { "url": "javascript:alert(1)", "altText": "" } },
            { "type": "price-cards", "plans": [{ "name": "1", "actionId": "a" }, { "name": "2", "actionId": "gone" }] },
            { "type": "logo-marquee", "logos": [] },
        ] }));
        let issues = content.issues(&|id| id == "a");
        let told: Vec<_> = issues.iter().map(|issue| (issue.code.as_str(), issue.path.join("."))).collect();
        assert_eq!(
            told,
            [
                ("unknown_reference", "blocks.0.actionIds.1".to_owned()),
                ("duplicate_value", "blocks.1.blockId".to_owned()),
                ("invalid_value", "blocks.1.rows.1".to_owned()),
                ("invalid_format", "blocks.2.image.url".to_owned()),
                ("unknown_reference", "blocks.3.plans.1.actionId".to_owned()),
                ("too_short", "blocks.4.logos".to_owned()),
            ]
        );
    }

    #[test]
    fn a_band_has_logos_or_names() {
        let logo = json!({ "url": "https://example.com/l.svg", "altText": "L" });
        for band in [
            json!({ "type": "logo-marquee", "logos": [logo] }),
            json!({ "type": "logo-marquee", "names": ["N"] }),
            json!({ "type": "logo-marquee", "logos": [], "names": ["N"] }),
        ] {
            assert_eq!(read(json!({ "blocks": [band] })).issues(&|_| false), []);
        }
    }

    #[test]
    fn blocks_without_an_id_get_one_and_others_keep_theirs() {
        let mut content = read(json!({ "blocks": [
            { "type": "text", "markdown": "a" }, { "type": "text", "blockId": "mine", "markdown": "b" },
        ] }));
        let ids = crate::id::Uuid7Source::new();
        content.fill_ids(&mut || Ok(BlockId::mint(ids.next(crate::Timestamp::from_micros(0), 1)))).unwrap();
        assert!(content.blocks[0].block_id().unwrap().starts_with("block_"));
        assert_eq!(content.blocks[1].block_id(), Some("mine"));
    }

    #[test]
    fn a_component_that_nobody_knows_is_refused() {
        let unknown = json!({ "blocks": [{ "type": "popup", "text": "x" }] });
        assert!(serde_json::from_value::<Content>(unknown).is_err());
    }

    proptest! {
        #[test]
        fn reading_random_json_never_panics(text in "\\PC{0,80}") {
            let _ = serde_json::from_str::<Content>(&text);
        }
    }
}
