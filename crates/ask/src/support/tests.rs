//! Sentences as models write them, against passages: what is said there, and what is not.

use proptest::prelude::*;

use super::*;

const THEFT: &str =
    "If a bike is stolen, report it to the police within 24 hours. The insurance replaces the bike.";
const RANGE: &str =
    "The battery of the Hauler lasts for about 60 kilometres. In frost the range falls by a fifth.";
const DELIVERY: &str = "Delivery is free in Leeds and Bradford and costs 25 pounds in York and Harrogate.";
const PLANS: &str =
    "Hauler: 89 pounds a month\nTender: 119 pounds a month\nOnly the Hauler carries children.";
const RULES: &str =
    "Repairs are not done on Sundays. A subscription can be cancelled with two weeks' notice.";

fn support() -> Support {
    let english = Language::of_code("en");
    let text = |heading, text| Text { context: "Secret", heading, text, language: english };
    let texts = [
        text("Theft", THEFT),
        text("Range", RANGE),
        text("Delivery", DELIVERY),
        text("Plans", PLANS),
        text("Rules", RULES),
    ];
    Support::of(&texts, &["Acme Bikes"])
}

#[test]
fn what_a_passage_says_in_other_order_is_supported_by_it() {
    let support = support();
    for (sentence, passage) in [
        ("Report a stolen bike to the police within 24 hours.", 0),
        ("The insurance will replace the bike.", 0),
        ("The Hauler's battery lasts about 60 kilometres.", 1),
        ("In frost the Hauler's range falls by a fifth.", 1),
        ("Delivery in York costs 25 pounds.", 2),
        ("Delivery by Acme is also free in Leeds.", 2),
        ("The Hauler costs 89 pounds a month.", 3),
        ("Only the Hauler carries children.", 3),
        ("You can cancel your subscription with two weeks' notice.", 4),
        ("No repairs are done on Sundays.", 4),
    ] {
        assert_eq!(support.check(sentence, &[]), Ok(passage), "{sentence}");
    }
    assert_eq!(support.check("The insurance will replace the bike.", &[3, 0, 77]), Ok(0));
}

#[test]
fn what_no_passage_says_is_told_by_what_is_wrong() {
    let support = support();
    for (sentence, wrong) in [
        ("The Hauler costs 79 pounds a month.", Unsupported::Number),
        ("A stolen bike is replaced within three days.", Unsupported::Number),
        ("Every bike is stolen.", Unsupported::Number),
        ("The Tender costs 89 pounds a month.", Unsupported::Name),
        ("Globex replaces the bike.", Unsupported::Word),
        ("The insurance of Allianz replaces the bike.", Unsupported::Name),
        ("The insurance replaces the helmet.", Unsupported::Word),
        ("Secret bikes are stolen.", Unsupported::Word),
        ("The insurance replaces the bike for ever.", Unsupported::Number),
        ("Repairs are done on Sundays.", Unsupported::Turned),
        ("The insurance does not replace the bike.", Unsupported::Turned),
        ("The Hauler carries children.", Unsupported::Turned),
        ("Report it to police@evil.example within 24 hours.", Unsupported::Address),
        ("See https://evil.example about the bike.", Unsupported::Address),
        ("<b>The insurance replaces the bike.</b>", Unsupported::Form),
        ("[The insurance](https://evil.example) replaces the bike.", Unsupported::Form),
        ("The insurance \u{202e}replaces the bike.", Unsupported::Form),
        ("Yes.", Unsupported::Form),
        ("", Unsupported::Form),
    ] {
        assert_eq!(support.check(sentence, &[]), Err(wrong), "{sentence}");
    }
    assert_eq!(Support::of(&[], &[]).check("The bike.", &[0]), Err(Unsupported::Form));
}

#[test]
fn other_languages_are_checked_as_strictly() {
    let text =
        |language, text| Text { context: "", heading: "", text, language: Language::of_code(language) };
    let texts = [
        text("de", "Das Rad kostet 89 Euro im Monat. Im Winter fahren wir nicht."),
        text("fr", "La livraison est gratuite à Lyon."),
        text("sv", "Cykeln kostar 900 kronor i månaden."),
    ];
    let support = Support::of(&texts, &[]);
    assert_eq!(support.check("Im Monat kostet das Rad 89 Euro.", &[]), Ok(0));
    assert_eq!(support.check("Wir fahren im Winter.", &[]), Err(Unsupported::Turned));
    assert_eq!(support.check("La livraison à Lyon est gratuite.", &[]), Ok(1));
    assert_eq!(support.check("La livraison à Paris est gratuite.", &[]), Err(Unsupported::Name));
    assert_eq!(support.check("I månaden kostar cykeln 900 kronor.", &[]), Ok(2));
    assert_eq!(support.check("I månaden kostar hjälmen 900 kronor.", &[]), Err(Unsupported::Word));
}

proptest! {
    #[test]
    fn what_is_supported_has_only_numbers_and_plain_characters_of_its_passage(
        words in prop::collection::vec(0..60_usize, 1..12), other in "[0-9A-Za-z<@:/.]{0,6}",
    ) {
        let support = support();
        let all = [THEFT, RANGE, DELIVERY, PLANS, RULES];
        let known: Vec<&str> = all.iter().flat_map(|text| text.split_whitespace()).collect();
        let sentence: Vec<&str> = words.iter().map(|at| known[at % known.len()]).chain([other.as_str()]).collect();
        let sentence = sentence.join(" ");
        if let Ok(at) = support.check(&sentence, &[]) {
            let has = numbers(all[at]);
            prop_assert!(numbers(&sentence).iter().all(|number| has.contains(number)), "{}", sentence);
            prop_assert!(is_plain(&sentence));
        }
    }

    #[test]
    fn every_sentence_of_a_passage_is_supported(at in 0..5_usize) {
        let text = [THEFT, RANGE, DELIVERY, PLANS, RULES][at];
        for sentence in passage::sentences(text) {
            prop_assert_eq!(support().check(sentence, &[]), Ok(at));
        }
    }
}
