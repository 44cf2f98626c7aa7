//! The template agent: it writes a page from a brief alone, without a model.
//!
//! [`compose`] is the entry. It reads a brief's contexts as an outline, sorts them into copy and instructions to the writer, and sets
//! the copy as components in an order that suits the type of page. The README lists the stages. [`text`] holds the rules about
//! texts that the agents with a model share. What this crate is not: a writer. Besides a few fixed phrases it adds nothing to
//! what the brief says.
//! Invariant: the same brief gives the same bytes, and the time is bounded however long the brief is.

use pagesmith_model::brief::Brief;
use pagesmith_model::content::{Content, ContentHead};
use pagesmith_model::page::PageType;

mod blocks;
mod data;
mod detect;
mod gather;
mod language;
mod links;
mod markup;
mod material;
mod notes;
mod opening;
mod outline;
mod phrases;
mod plan;
mod reader;
mod relevance;
mod rich;
mod sentence;
mod sort;
mod stance;
pub mod text;
mod tidy;
mod voice;

use language::Language;
use material::Material;
use notes::Notes;
use opening::Opening;
use reader::Reader;
use sort::{Origin, Sorter};

/// The fewest letters and digits that a context says something with.
const LEAST_SIGNS: usize = 3;

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
    text::number_blocks(&mut blocks);
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
        ..ContentHead::default()
    }
}
