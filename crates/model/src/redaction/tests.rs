//! What is found in which spelling, and what is left alone.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::email::EmailAddress;
use crate::id::{PersonId, Uuid7Source};
use crate::person::Identifiers;
use crate::phone::PhoneNumber;
use crate::time::Timestamp;

fn person() -> Person {
    let now = Timestamp::from_micros(0);
    Person {
        person_id: PersonId::mint(Uuid7Source::new().next(now, 1)),
        name: "Zoë O’Brien".to_owned(),
        identifiers: Identifiers {
            email: EmailAddress::parse("zoe@quux.example"),
            linkedin_profile_url: LinkedinProfile::parse("linkedin.com/in/zoe-ob"),
            phone_number: PhoneNumber::parse("+4915112345678"),
        },
        domain: None,
        slug: "zoe-obrien".to_owned(),
        context: None,
        account_id: None,
        created_at: now,
        updated_at: now,
        deleted_at: None,
    }
}

#[test]
fn every_usual_spelling_is_found() {
    let sought = Sought::of(&person());
    for (text, expected) in [
        ("Zoë O’Brien called", "[erased] called"),
        ("zoe o'brien", "[erased]"),
        ("O'Brien, Zoe asked", "[erased] asked"),
        ("/spring/zoe-o-brien-x8f3", "/spring/[erased]-x8f3"),
        ("Mail ZOE@quux.example.", "Mail [erased]."),
        ("mailto:zoe%40quux.example", "mailto:[erased]"),
        ("+49 151 1234-5678", "[erased]"),
        ("call 0151 12345678 at 9", "call [erased] at 9"),
        ("(0049) 151/12345678", "([erased]"),
        ("+49 (0) 151 12345678", "[erased]"),
        ("see https://de.linkedin.com/in/Zoe-OB?x=1, please", "see [erased], please"),
    ] {
        assert_eq!(sought.redact(text).as_deref(), Some(expected), "{text}");
    }
    let id = person().person_id;
    assert_eq!(sought.redact(&format!("of {id}!")).as_deref(), Some("of [erased]!"));
}

#[test]
fn others_are_left_alone() {
    let sought = Sought::of(&person());
    for text in [
        "Zoë called",
        "Zoe Miller and Ann O'Brien",
        "zoe o'briens",
        "anzoe@quux.example",
        "zoe@quux.example.org",
        "+49 151 123456789",
        "order 15112345678901",
        "linkedin.com/in/zoe-obi",
        "12345678",
    ] {
        assert_eq!(sought.redact(text), None, "{text}");
    }
    let one_word = Sought::of(&Person { name: "Zoe".to_owned(), ..person() });
    assert_eq!(one_word.redact("Zoe called"), None);
}

#[test]
fn json_keeps_everything_else_to_the_byte() {
    let sought = Sought::of(&person());
    for (json, expected) in [
        (r#"{ "a" : "Zo\u00eb O'Brien",  "n": 1.50 }"#, r#"{ "a" : "[erased]",  "n": 1.50 }"#),
        (r#"{"phone":4915112345678}"#, r#"{"phone":"[erased]"}"#),
        (
            r#"{"zoe@quux.example":1,"x":{"zoe@quux.example":[2]}}"#,
            r#"{"[erased]":1,"x":{"[erased] 2":[2]}}"#,
        ),
        (r#"["\"zoe o'brien\\"]"#, r#"["\"[erased]\\"]"#),
    ] {
        assert_eq!(sought.redact_json(json).as_deref(), Some(expected), "{json}");
    }
    assert_eq!(sought.redact_json(r#"{"a":[1,-2e5,"Zoe"]}"#), None);
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("Zoë O’Brien".to_owned()),
        Just("zoe@quux.example".to_owned()),
        Just("+49 151 12345678".to_owned()),
        Just("https://linkedin.com/in/zoe-ob".to_owned()),
        "[ .,;:a-zé0-9/@\"\\\\-]{0,6}",
        "\\PC{0,4}",
    ]
}

proptest! {
    #[test]
    fn a_redacted_text_holds_nothing_more(pieces in prop::collection::vec(piece(), 0..8)) {
        let (sought, text) = (Sought::of(&person()), pieces.concat());
        if let Some(redacted) = sought.redact(&text) {
            prop_assert_eq!(sought.redact(&redacted), None, "{} → {}", text, redacted);
        }
    }

    #[test]
    fn redacted_json_is_json_and_holds_nothing_more(pieces in prop::collection::vec(piece(), 0..6)) {
        let sought = Sought::of(&person());
        let value = serde_json::json!({ pieces.concat(): pieces, "n": [1, 4_915_112_345_678_i64] });
        let redacted = sought.redact_json(&value.to_string()).unwrap();
        prop_assert!(serde_json::from_str::<Value>(&redacted).is_ok(), "{}", redacted);
        prop_assert_eq!(sought.redact_json(&redacted), None);
    }
}
