//! The template agent: it writes a page from a brief alone, without a model.
//!
//! [`compose`] is the entry: a pipeline of stages, each of which hands a value of its own to the next. The README lists them. [`shared`]
//! is what the agents with a model use as well: the checker, and rules about texts and pictures.
//! What this crate is not: a writer. Besides a few fixed phrases it adds nothing to what the brief says.
//! Invariant: the same brief gives the same bytes, and the time is bounded however long the brief is.

use pagesmith_model::brief::Brief;
use pagesmith_model::content::{Content, ContentHead};
use pagesmith_model::page::PageType;

mod advice;
mod alt_text;
mod audience;
mod block_ids;
mod blocks;
mod brief_reading;
mod careless;
mod check;
mod classify;
mod clause;
mod concern;
mod contact;
mod count;
mod data;
mod facts;
mod fate;
mod figure;
mod followup;
mod gather;
mod headline;
mod instructions;
mod kind;
mod knowledge;
mod language;
mod left_out;
mod lexicon;
mod links;
mod markup;
mod material;
mod outline;
mod pasted;
mod pictures;
mod plan;
mod public_chunks;
mod reader;
mod rich;
mod sentence;
mod sentence_model;
pub mod shared;
mod stance;
mod subject;
mod tidy;
mod voice;
mod weigh;
mod words;
mod write;

use brief_reading::BriefReading;
use check::{Checker, Finding};
use facts::Facts;
use followup::FollowUp;
use headline::Opening;
use instructions::Instructions;
use language::Language;
use left_out::Said;
use lexicon::Phrases;
use pictures::OfferedAssets;
use reader::Reader;
use write::Writer;

/// The features by which sentences are told from remarks, for the test that trains their weights.
pub mod internals {
    /// Features as numbers.
    pub mod features {
        pub use crate::sentence_model::features::{WEIGHTS, cuts, numbers};
    }
}

/// A page that was composed.
pub struct Composed {
    /// The page.
    pub content: Content,
    /// What the check found in it before that was taken out.
    pub findings: Vec<Finding>,
    /// The checker of the brief, for what is changed of the page.
    pub checker: Checker,
}

/// The page of a brief, with what its own check found. The same brief always gives the same page.
pub fn compose(brief: &Brief) -> Composed {
    let reading = BriefReading::of(brief);
    let checker = Checker::new(&reading);
    let offered_assets = OfferedAssets::of(&reading);
    let BriefReading {
        language,
        audience,
        concerns,
        instructions,
        material,
        mut opening,
        followup,
        knowledge,
        context,
        orders,
        notes,
        ..
    } = reading;
    let company = material.company.clone();
    let subject = opening.title.clone();
    if brief.page_type == PageType::CallFollowup {
        opening = after_call(opening, &followup, &audience.reader, language);
    }
    let shown: Vec<&str> =
        [Some(opening.title.as_str()), opening.subtitle.as_deref()].into_iter().flatten().collect();
    let facts = facts::of(material, &concerns, language, &shown);
    let writer = Writer {
        page_type: brief.page_type,
        language,
        audience: &audience,
        concerns: &concerns,
        instructions: &instructions,
        company: company.as_deref(),
        actions: &brief.actions,
    };
    let mut blocks = writer.write(&opening, facts, Facts::known(knowledge, language), followup);
    offered_assets.place(&mut blocks, &concerns, instructions.is_short);
    let mut head = head(&subject, &opening, company, language);
    head.unapplied_instructions = instructions.not_understood;
    let mut content = Content::of(head, blocks);
    let findings = checker.enforce(&mut content);
    content.head.title.get_or_insert_with(|| headline::general(language));
    content.head.description.get_or_insert_with(|| headline::general(language));
    block_ids::number_blocks(&mut content.blocks);
    let named = std::mem::take(&mut content.head.unapplied_instructions);
    let said = Said { context: &context, orders: &orders, notes: &notes, named: &named };
    let left_out = left_out::of(&said, &content, language);
    let mut instructions = Instructions { not_understood: named, ..Instructions::default() };
    left_out.iter().for_each(|sentence| instructions.keep(sentence));
    content.head.unapplied_instructions = instructions.not_understood;
    checker.note_sources(&mut content);
    Composed { content, findings, checker }
}

/// The headline of the page of a brief.
fn title(reading: &BriefReading<'_>) -> String {
    let of_call = reading.language.lexicon.filter(|_| reading.brief.page_type == PageType::CallFollowup);
    of_call.map_or_else(
        || reading.opening.title.clone(),
        |lexicon| thanks(&lexicon.phrases, &reading.audience.reader),
    )
}

/// Thanks for a call, by name if there is one.
fn thanks(phrases: &Phrases, reader: &Reader) -> String {
    let names = [("{first}", reader.first.as_str()), ("{name}", reader.name.as_str())];
    lexicon::filled(&phrases.thanks, &names).unwrap_or_else(|| phrases.thanks_all.clone())
}

/// After a call the page thanks, and what it is about is below.
fn after_call(opening: Opening, followup: &FollowUp, reader: &Reader, language: Language) -> Opening {
    let Some(lexicon) = language.lexicon else { return opening };
    let phrases = &lexicon.phrases;
    let title = thanks(phrases, reader);
    // A headline that is true of every page says nothing here.
    let title_of_page = Some(opening.title).filter(|title| *title != headline::general(language));
    let (about, lead) = match (opening.lead, opening.subtitle, title_of_page) {
        (Some(lead), subtitle, _) => (lead, subtitle),
        (None, Some(subtitle), Some(title)) if subtitle.starts_with(title.as_str()) => (subtitle, None),
        (None, Some(subtitle), Some(title)) => {
            (format!("{}. {subtitle}", title.trim_end_matches(['.', '!', '?'])), None)
        }
        (None, subtitle, title) => (subtitle.or(title).unwrap_or_default(), None),
    };
    let has_recap = !followup.next.is_empty() || !followup.topics.is_empty();
    let subtitle = if has_recap && count::words(&about) <= 30 {
        format!("{} {about}", phrases.recap).trim_end().to_owned()
    } else {
        about
    };
    Opening { title, subtitle: Some(subtitle).filter(|text| tidy::says_something(text)), lead }
}

/// What the page says of itself.
fn head(subject: &str, opening: &Opening, company: Option<String>, language: Language) -> ContentHead {
    let site_name =
        company.map(|company| tidy::fit(&company, 100)).filter(|company| tidy::says_something(company));
    let title = match &site_name {
        Some(name)
            if !subject.contains(name.as_str()) && tidy::length(subject) + tidy::length(name) <= 67 =>
        {
            format!("{subject} – {name}")
        }
        _ => subject.to_owned(),
    };
    let about = opening.subtitle.as_deref().filter(|text| tidy::length(text) <= 300).unwrap_or(subject);
    ContentHead {
        title: Some(tidy::fit(&title, 120)),
        description: Some(tidy::fit(about, 300)),
        language: Some(language.tag.to_owned()),
        site_name,
        unapplied_instructions: Vec::new(),
        sources: Vec::new(),
    }
}
