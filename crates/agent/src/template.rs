//! The agent that needs no model: it finds what a brief says already and sets it as a page.
//!
//! The contexts are read as an outline ([`outline`]), sorted into copy and what was meant for the writer ([`sort`]), and set as
//! components in an order that suits the type of page ([`plan`]). What this is not: a writer. Besides the few [`phrases`] it says
//! nothing that the brief does not say.
//! Invariant: the same brief gives the same bytes, in a time bounded by how much of a brief is read.

use std::collections::HashMap;
use std::future::ready;

use pagesmith_model::content::component::Component;
use pagesmith_model::content::{Content, ContentHead};
use pagesmith_model::page::PageType;

pub mod blocks;
pub mod data;
pub mod detect;
pub mod gather;
pub mod language;
pub mod links;
pub mod markup;
pub mod material;
pub mod notes;
pub mod opening;
pub mod outline;
pub mod phrases;
pub mod plan;
pub mod reader;
pub mod relevance;
pub mod rich;
pub mod sentence;
pub mod sort;
pub mod stance;
pub mod tidy;
pub mod voice;

use language::Language;
use material::Material;
use notes::Notes;
use opening::Opening;
use reader::Reader;
use sort::{Origin, Sorter};

use crate::{Brief, Draft, PageAgent, Step, Usage, Watch, Writing};

/// The fewest letters and digits that a context says something with.
const LEAST_SIGNS: usize = 3;

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
    let supplement = said(brief.supplementary_context.as_deref().unwrap_or_default());
    let context = said(&brief.page_context);
    let language = language::of(context).or_else(|| language::of(supplement)).unwrap_or(language::ENGLISH);
    let english = language == language::ENGLISH;
    let recap = brief.page_type == PageType::CallFollowup;
    let words = phrases::of(language);

    let mut material = Material { reader: Reader::of(brief), ..Material::default() };
    let mut notes = Notes::of(&brief.logs, &material.reader, english);
    material.interest.add(&notes.read);
    Sorter::read(supplement, Origin::Audience, english, recap, &mut material, &mut notes);
    Sorter::read(context, Origin::Page, english, recap, &mut material, &mut notes);
    material.forget_repeats();
    for text in material.reader.wishes.clone().iter().flatten().chain(&material.reader.traits.clone()) {
        material.interest.add(text);
    }

    let has_notes = !notes.topics.is_empty() || !notes.next.is_empty() || !material.about_reader.is_empty();
    let opening = opening::of(brief.page_type, &brief.page_name, &mut material, words, has_notes);
    let head = head(&opening, &material, language);
    let mut blocks = plan::blocks(brief.page_type, &opening, material, notes, words, &brief.actions);
    number(&mut blocks);
    Content::of(head, blocks)
}

/// A context, unless it is too short to say anything.
fn said(context: &str) -> &str {
    let signs = context.chars().filter(|char| char.is_alphanumeric()).take(LEAST_SIGNS);
    if signs.count() < LEAST_SIGNS { "" } else { context }
}

/// What the page says of itself.
fn head(opening: &Opening, material: &Material, language: Language) -> ContentHead {
    let brand = material.brand.as_deref().filter(|brand| !opening.subject.contains(brand));
    let title = match brand {
        Some(brand) if tidy::length(&opening.subject) + tidy::length(brand) <= 67 => {
            format!("{} – {brand}", opening.subject)
        }
        _ if tidy::length(&opening.subject) <= 70 => opening.subject.clone(),
        // Half a sentence is no title where two names make one.
        _ => match (&material.brand, material.reader.company.as_str()) {
            (Some(brand), company) if !company.is_empty() => tidy::fit(&format!("{brand} · {company}"), 70),
            _ => tidy::fit(&opening.subject, 70),
        },
    };
    let about = opening
        .subtitle
        .clone()
        .filter(|_| opening.title == opening.subject)
        .unwrap_or_else(|| opening.subject.clone());
    ContentHead {
        title: Some(title),
        description: Some(tidy::fit(&about, 160)),
        language: Some(language.tag.to_owned()),
    }
}

/// Gives the blocks ids by their kind and place, so that the same page has the same ones.
pub(crate) fn number(blocks: &mut [Component]) {
    let mut counts: HashMap<&'static str, usize> = HashMap::new();
    for block in blocks {
        let (kind, id) = part(block);
        let count = counts.entry(kind).or_default();
        *count += 1;
        *id = Some(format!("{kind}-{count}"));
    }
}

fn part(block: &mut Component) -> (&'static str, &mut Option<String>) {
    match block {
        Component::Hero(block) => ("hero", &mut block.block_id),
        Component::Text(block) => ("text", &mut block.block_id),
        Component::Image(block) => ("image", &mut block.block_id),
        Component::Video(block) => ("video", &mut block.block_id),
        Component::Table(block) => ("table", &mut block.block_id),
        Component::FeatureCards(block) => ("cards", &mut block.block_id),
        Component::Frame(block) => ("frame", &mut block.block_id),
        Component::FrameList(block) => ("faq", &mut block.block_id),
        Component::TestimonialCarousel(block) => ("voices", &mut block.block_id),
        Component::CallToAction(block) => ("closing", &mut block.block_id),
        Component::StatsCards(block) => ("stats", &mut block.block_id),
        Component::LogoMarquee(block) => ("logos", &mut block.block_id),
        Component::Threads(block) => ("threads", &mut block.block_id),
        Component::Custom(block) => ("custom", &mut block.block_id),
    }
}
