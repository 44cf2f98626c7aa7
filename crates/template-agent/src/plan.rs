//! Which sections a page of each type has, in which order: data, read by [`crate::write`].
//!
//! A section for which there is too little material is left out; its facts are in another one or in the last.

use pagesmith_model::page::PageType;

/// A kind of section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// What was talked about in a call.
    Talked,
    /// What was agreed and comes next.
    Next,
    /// Facts that answer what the audience cares about.
    Answers,
    /// The first sentences of running text.
    Lead,
    /// Figures as a band.
    Figures,
    /// What is offered.
    Features,
    /// Chapters with a heading of their own.
    Chapters,
    /// Steps of a sequence.
    Steps,
    /// Quotations.
    Voices,
    /// Systems that it works with.
    Integrations,
    /// Guarantees and certificates.
    Guarantees,
    /// Customers, years, references.
    Proof,
    /// Prices.
    Prices,
    /// Questions with answers.
    Questions,
    /// Places and hours.
    Places,
    /// What belongs nowhere else.
    More,
}

/// A section of a plan.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// What is in it.
    pub section: Section,
    /// The fewest parts that make it worth a section.
    pub least: usize,
    /// The most parts that it shows.
    pub most: usize,
}

const fn slot(section: Section, least: usize, most: usize) -> Slot {
    Slot { section, least, most }
}

const ANSWERS: Slot = slot(Section::Answers, 1, 4);
const LEAD: Slot = slot(Section::Lead, 1, 3);
const FIGURES: Slot = slot(Section::Figures, 2, 12);
const FEATURES: Slot = slot(Section::Features, 2, 12);
const CHAPTERS: Slot = slot(Section::Chapters, 1, 40);
const STEPS: Slot = slot(Section::Steps, 2, 20);
const VOICES: Slot = slot(Section::Voices, 1, 12);
const INTEGRATIONS: Slot = slot(Section::Integrations, 2, 30);
const GUARANTEES: Slot = slot(Section::Guarantees, 1, 12);
const PROOF: Slot = slot(Section::Proof, 1, 12);
const PRICES: Slot = slot(Section::Prices, 1, 12);
const QUESTIONS: Slot = slot(Section::Questions, 1, 24);
const PLACES: Slot = slot(Section::Places, 1, 12);
const MORE: Slot = slot(Section::More, 1, 60);
const TALKED: Slot = slot(Section::Talked, 1, 7);
const NEXT: Slot = slot(Section::Next, 1, 14);

/// For visitors who come by themselves: what it is, what it does, who says so, what it costs.
const INBOUND: &[Slot] = &[
    ANSWERS,
    LEAD,
    FIGURES,
    FEATURES,
    CHAPTERS,
    STEPS,
    VOICES,
    INTEGRATIONS,
    GUARANTEES,
    PROOF,
    PRICES,
    QUESTIONS,
    PLACES,
    MORE,
];
/// For one company: what answers its concerns, and the proof of it.
const OUTBOUND: &[Slot] = &[
    ANSWERS,
    FIGURES,
    LEAD,
    FEATURES,
    CHAPTERS,
    VOICES,
    STEPS,
    INTEGRATIONS,
    GUARANTEES,
    PROOF,
    PRICES,
    QUESTIONS,
    PLACES,
    MORE,
];
/// After a call: what was said and agreed, then what it was about.
const CALL_FOLLOWUP: &[Slot] = &[
    NEXT,
    TALKED,
    ANSWERS,
    FIGURES,
    LEAD,
    FEATURES,
    CHAPTERS,
    STEPS,
    VOICES,
    INTEGRATIONS,
    GUARANTEES,
    PROOF,
    PRICES,
    QUESTIONS,
    PLACES,
    MORE,
];
/// For a room: figures and a sequence of slides.
const SALES_DECK: &[Slot] = &[
    ANSWERS,
    FIGURES,
    LEAD,
    FEATURES,
    CHAPTERS,
    STEPS,
    VOICES,
    PROOF,
    INTEGRATIONS,
    GUARANTEES,
    PRICES,
    QUESTIONS,
    PLACES,
    MORE,
];
/// In the order of the brief as far as it has one.
const CUSTOM: &[Slot] = &[
    ANSWERS,
    LEAD,
    CHAPTERS,
    FIGURES,
    FEATURES,
    STEPS,
    VOICES,
    INTEGRATIONS,
    GUARANTEES,
    PROOF,
    PRICES,
    QUESTIONS,
    PLACES,
    MORE,
];

/// The sections of a type of page.
pub fn of(page_type: PageType) -> &'static [Slot] {
    match page_type {
        PageType::Inbound => INBOUND,
        PageType::Outbound => OUTBOUND,
        PageType::CallFollowup => CALL_FOLLOWUP,
        PageType::SalesDeck => SALES_DECK,
        PageType::Custom => CUSTOM,
    }
}

/// How many sections a page has at most if a short one is asked for.
pub const SHORT: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_has_a_place_for_every_kind_of_fact() {
        for page_type in [
            PageType::Inbound,
            PageType::Outbound,
            PageType::CallFollowup,
            PageType::SalesDeck,
            PageType::Custom,
        ] {
            let plan = of(page_type);
            for wanted in INBOUND {
                assert!(plan.iter().any(|slot| slot.section == wanted.section), "{page_type:?} {wanted:?}");
            }
            assert_eq!(
                plan.last().map(|slot| slot.section),
                Some(Section::More),
                "what is left is shown last"
            );
        }
    }
}
