//! The agent that needs no model: it finds what a brief says already and sets it as a page.

use std::future::ready;

use pagesmith_model::content::component::{Component, Hero};
use pagesmith_model::content::tag::Tag;
use pagesmith_model::content::{Content, ContentHead};

pub mod blocks;
pub mod detect;
pub mod gather;
pub mod language;
pub mod links;
pub mod markup;
pub mod material;
pub mod notes;
pub mod outline;
pub mod phrases;
pub mod reader;
pub mod relevance;
pub mod rich;
pub mod sentence;
pub mod sort;
pub mod stance;
pub mod tidy;
pub mod voice;

use crate::{Brief, Draft, PageAgent, Step, Usage, Watch, Writing};

/// The template.
#[derive(Debug, Clone, Copy, Default)]
pub struct Template;

impl PageAgent for Template {
    fn write<'a>(&'a self, brief: &'a Brief, watch: &'a dyn Watch) -> Writing<'a> {
        watch.step(Step::Reading);
        let content = compose(brief);
        watch.step(Step::Writing { blocks: content.blocks.len() });
        watch.so_far(&content);
        Box::pin(ready(Ok(Draft { content, usage: Usage::default() })))
    }
}

/// The page of a brief; the same brief always gives the same page.
pub fn compose(brief: &Brief) -> Content {
    let title: String = brief.page_name.chars().take(200).collect();
    let title = if title.trim().is_empty() { "Welcome".to_owned() } else { title };
    let head = ContentHead { title: Some(title.clone()), description: None, language: Some("en".to_owned()) };
    let hero = Hero {
        kind: Tag::default(),
        block_id: Some("hero-1".to_owned()),
        eyebrow: None,
        title,
        subtitle: None,
        image: None,
        action_ids: brief.actions.iter().take(2).map(|action| action.id().to_owned()).collect(),
    };
    Content::of(head, vec![Component::Hero(hero)])
}
