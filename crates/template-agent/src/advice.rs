//! The plan of a type of page in words: what the template follows is advice to a model.

use pagesmith_model::page::PageType;

use crate::plan::{self, Section};

/// The sections that suit a type of page, in their order.
pub fn sections(page_type: PageType) -> Vec<&'static str> {
    plan::of(page_type).iter().map(|slot| name(slot.section)).collect()
}

fn name(section: Section) -> &'static str {
    match section {
        Section::Talked => "what was talked about",
        Section::Next => "what was agreed and comes next",
        Section::Answers => "what answers the visitor's concerns",
        Section::Lead => "what it is",
        Section::Figures => "figures",
        Section::Features => "what is offered",
        Section::Chapters => "chapters that have a heading in the brief",
        Section::Steps => "steps",
        Section::Voices => "quotations",
        Section::Integrations => "systems that it works with",
        Section::Guarantees => "guarantees and certificates",
        Section::Proof => "customers and references",
        Section::Prices => "prices",
        Section::Questions => "questions and answers",
        Section::Places => "places and hours",
        Section::More => "what else there is to know",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_order() {
        let first = |page_type| sections(page_type)[..2].to_vec();
        assert_eq!(first(PageType::Outbound), ["what answers the visitor's concerns", "figures"]);
        assert_eq!(
            first(PageType::CallFollowup),
            ["what was agreed and comes next", "what was talked about"]
        );
    }
}
