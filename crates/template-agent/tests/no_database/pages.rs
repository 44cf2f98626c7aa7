//! Whole pages for realistic briefs, kept to be read by people: would one send them?

use pagesmith_model::brief::Brief;
use pagesmith_template_agent::compose;

use crate::briefs;

fn shown(brief: &Brief) -> String {
    serde_json::to_string_pretty(&compose(brief).content).unwrap()
}

macro_rules! pages {
    ($($name:ident: $brief:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(shown(&briefs::$brief()));
        })*
    };
}

pages! {
    an_outbound_page_for_a_person_at_a_company: outbound,
    a_page_after_a_call_with_notes: followup,
    a_sales_deck_with_numbers_quotes_and_plans: deck,
    an_inbound_page_with_little_context: little,
    a_page_out_of_one_word: word,
    a_page_out_of_instructions_alone: only_instructions,
    a_custom_page_out_of_markup: custom,
    an_inbound_page_out_of_labelled_fields: fields,
    a_custom_page_with_a_part_for_one_account: special,
    a_german_page: german,
    a_japanese_page: japanese,
    an_arabic_page: arabic,
}
