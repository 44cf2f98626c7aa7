//! Titles and subtitles of contexts.

use super::*;
use crate::classify::Classifier;
use crate::reader::Reader;

#[test]
fn a_telephone_number_stands_in_no_headline() {
    assert!(!is_headline("Reservieren übers Telefon 041 555 01 22 oder Formular"));
    assert!(!is_headline("Call us on +44 (0)20 7946 0000"));
    assert!(is_headline("From 2024 - 2025 in Leeds, too"));
}

fn opening(context: &str) -> (String, Option<String>, Option<String>) {
    let language = Language::of_texts(&[context, "This is a text that anyone can tell to be English."]);
    let reading = Classifier::read(context, &Reader::default(), language);
    let mut material = reading.material;
    let opening = of(&mut material, &reading.concerns, "page v2", language);
    (opening.title, opening.subtitle, material.company)
}

#[test]
fn a_definition_becomes_a_phrase_and_tells_who_speaks() {
    let (title, _, company) =
        opening("Millbrook Tools makes quick-change systems for presses. They fit what you have.");
    assert_eq!(title, "Quick-change systems for presses");
    assert_eq!(company.as_deref(), Some("Millbrook Tools"));
}

#[test]
fn a_bracket_at_the_end_of_the_first_sentence_is_no_part_of_the_title() {
    let choir = "# Kammerkoret Lyng\nVi søker tenorer til vårens Bach-prosjekt (Johannespasjonen, konsert 27. mars 2027 i Nidarosdomen).\n\
        - Øvelse hver tirsdag 18.30–21.00 på Singsaker skole\n- Medlemskontingent 900 kr i halvåret, studenter 400 kr\n\
        Dirigent er Solveig Bakk. Du trenger ikke ha sunget i kor før.";
    let (title, subtitle, company) = opening(choir);
    assert_eq!(title, "Vi søker tenorer til vårens Bach-prosjekt");
    assert!(subtitle.is_some_and(|subtitle| subtitle.ends_with("i Nidarosdomen).")));
    assert_eq!(company.as_deref(), Some("Kammerkoret Lyng"));
}

#[test]
fn a_title_is_never_cut_off_in_the_middle() {
    for context in [
        "We bake bread for the whole street every morning from six on with flour from two mills that stand less than thirty kilometres from the oven.",
        "Bakery",
        "?",
        "Open at six, bread until noon, coffee all day, and cake whenever somebody in the kitchen has time for it.",
    ] {
        let (title, ..) = opening(context);
        assert!(is_headline(&title), "{title}");
        assert!(!title.contains('…'), "{title}");
    }
}
