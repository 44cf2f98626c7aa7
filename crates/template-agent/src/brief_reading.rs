//! A brief, read once: what both the page and the checker of pages are made from.
//!
//! Reading is most of the work of composing a page, so that a page and its checker share one reading.

use pagesmith_model::brief::Brief;
use pagesmith_model::page::PageType;

use crate::audience::{self, Audience};
use crate::classify::{Classifier, Reading};
use crate::concern::Concerns;
use crate::followup::{self, FollowUp};
use crate::headline::{self, Opening};
use crate::instructions::Instructions;
use crate::knowledge::Knowledge;
use crate::language::Language;
use crate::material::Material;
use crate::reader::Reader;
use crate::subject::Subject;
use crate::weigh::weigh;
use crate::{pasted, tidy};

/// The fewest letters and digits that a context says something with.
const LEAST_SIGNS: usize = 3;

/// How much of a context tells its language.
const MOST_TELLING: usize = 8192;

/// What a brief says.
pub struct BriefReading<'a> {
    /// The brief.
    pub brief: &'a Brief,
    /// The language of its page.
    pub language: Language,
    /// Who reads the page.
    pub audience: Audience,
    /// What they care about.
    pub concerns: Concerns,
    /// What is asked of the writer.
    pub instructions: Instructions,
    /// What the context asks and nobody understood; `instructions` has those of the supplement as well.
    pub not_understood: Vec<String>,
    /// Sentences of the context that describe the audience.
    pub notes: Vec<String>,
    /// What the context says to the writer.
    pub orders: Vec<String>,
    /// The context without its remarks, and without what programs put around a text that is pasted.
    pub context: String,
    /// The remarks that stood in it.
    pub remarks: Vec<String>,
    /// What visitors may read, without what the opening says.
    pub material: Material,
    /// What is known beside it.
    pub knowledge: Knowledge,
    /// What it is all about, if anything else has to fit it.
    pub subject: Subject,
    /// Headline and subtitle.
    pub opening: Opening,
    /// What is told after a call; nothing for other pages.
    pub followup: FollowUp,
}

impl<'a> BriefReading<'a> {
    /// Reads a brief.
    pub fn of(brief: &'a Brief) -> BriefReading<'a> {
        let supplement = brief.supplementary_context.as_deref().unwrap_or_default();
        let said = said(&brief.page_context);
        // A signature or the mail that is answered may be in another language.
        let (own, _) = pasted::cleaned(tidy::head(said, MOST_TELLING));
        let language = Language::of_texts(&[&own, supplement]);
        let reader = Reader::of(brief);
        let mut reading = Classifier::read(said, &reader, language);
        weigh(&mut reading, language);
        let Reading { mut material, mut instructions, mut concerns, notes, orders, context, remarks, .. } =
            reading;
        brief.voice.words_to_use.iter().for_each(|word| concerns.stress(word));
        brief.voice.words_to_avoid.iter().for_each(|word| concerns.refuse(word));
        let not_understood = instructions.not_understood.clone();
        let told = material.words();
        let audience =
            audience::read(brief, reader, &notes, &told, language, &mut concerns, &mut instructions);
        // Most briefs have neither knowledge nor assets, and theirs costs nothing.
        let is_alone = brief.knowledge.is_empty() && brief.assets.is_empty();
        let subject =
            if is_alone { Subject::default() } else { Subject::of(brief, &material, &concerns, language) };
        let knowledge = Knowledge::of(brief, &material, &subject, &concerns, &audience.reader, language);
        let opening = headline::of(&mut material, &concerns, &brief.page_name, language);
        let followup = match brief.page_type {
            PageType::CallFollowup => {
                followup::of(brief, &notes, &audience.reader, material.company.as_deref(), language)
            }
            _ => FollowUp::default(),
        };
        BriefReading {
            brief,
            language,
            audience,
            concerns,
            instructions,
            not_understood,
            notes,
            orders,
            context,
            remarks,
            material,
            knowledge,
            subject,
            opening,
            followup,
        }
    }
}

/// A context, unless it is too short to say anything.
fn said(context: &str) -> &str {
    let signs = context.chars().filter(|char| char.is_alphanumeric()).take(LEAST_SIGNS);
    if signs.count() < LEAST_SIGNS { "" } else { context }
}
