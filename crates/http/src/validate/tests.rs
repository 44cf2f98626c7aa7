//! Every broken rule is told once, at its place.

use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::json::JsonText;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::log::label::LogLabel;
use pagesmith_model::phone::PhoneNumber;
use serde::Deserialize;
use serde_json::json;

use super::*;
use crate::extract::body::decode;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Identifiers {
    #[serde(default)]
    #[schemars(with = "EmailAddress")]
    email: Option<EmailAddress>,
    #[serde(default)]
    domain: Option<Domain>,
    #[serde(default)]
    phone_number: Option<PhoneNumber>,
    #[serde(default)]
    linkedin_profile_url: Option<LinkedinProfile>,
    #[serde(default)]
    source: Option<LogLabel>,
}

/// Code, path and message of each issue.
fn issues(body: &Value) -> Vec<(&'static str, String, String)> {
    let mut issues = Issues::default();
    Validator::new::<Identifiers>().check(&Document::from(body), &mut issues);
    let told = |issue: &Issue| (issue.code.as_str(), issue.path.join("."), issue.message.clone());
    issues.listed().iter().map(told).collect()
}

#[test]
fn an_identifier_in_any_spelling_is_valid_and_read_in_its_normal_form() {
    let body = json!({
        "email": " Jane.Doe+Tag@B\u{fc}cher.DE ",
        "domain": "https://www.Example.com/about",
        "phoneNumber": "+4915112345678",
        "linkedinProfileUrl": "de.linkedin.com/in/Jane-Doe/?x=1",
        "source": "page-view",
    });
    assert_eq!(issues(&body), []);
    let read: Identifiers = decode(&Validators::default(), body.to_string().as_bytes()).unwrap();
    assert_eq!(read.email.unwrap().as_str(), "jane.doe+tag@xn--bcher-kva.de");
    assert_eq!(read.domain.unwrap().as_str(), "example.com");
    assert_eq!(read.linkedin_profile_url.unwrap().as_str(), "https://www.linkedin.com/in/jane-doe");
    assert_eq!(issues(&json!({ "domain": null, "phoneNumber": null, "linkedinProfileUrl": null })), []);
}

#[test]
fn wrong_identifiers_are_all_told_at_once_and_what_they_must_be() {
    for (email, domain, phone, profile, source) in [
        ("jane@@example.com", "example", "0151 12345678", "https://www.linkedin.com/company/x", "Page View"),
        ("jane", "127.0.0.1", "+49CALLME", "https://example.com/in/jane", "a--b"),
        ("🦀@example.com", "jane@example.com", "+0", "jane-doe", "שלום"),
    ] {
        let body = json!({
            "email": email, "domain": domain, "phoneNumber": phone, "linkedinProfileUrl": profile, "source": source,
        });
        let mut found = issues(&body);
        found.sort();
        let issue = |path: &str, rule: TextRule| {
            ("invalid_format", path.to_owned(), format!("{path}: {}.", rule.sentence))
        };
        let expected = [
            issue("domain", Domain::RULE),
            issue("email", EmailAddress::RULE),
            issue("linkedinProfileUrl", LinkedinProfile::RULE),
            issue("phoneNumber", PhoneNumber::RULE),
            issue("source", LogLabel::RULE),
        ];
        assert_eq!(found, expected);
    }
}

#[test]
fn an_identifier_of_another_type_or_length_is_told_as_such() {
    assert_eq!(issues(&json!({ "email": null }))[0].0, "invalid_type");
    assert_eq!(issues(&json!({ "phoneNumber": 4_915_112_345_678_u64 }))[0].0, "invalid_type");
    let long = json!({ "source": "a".repeat(101) });
    assert_eq!(issues(&long).iter().map(|issue| issue.0).collect::<Vec<_>>(), ["too_long"]);
    let long = json!({ "email": format!("{}@example.com", "a".repeat(300)) });
    assert_eq!(issues(&long).iter().map(|issue| issue.0).collect::<Vec<_>>(), ["invalid_format"]);
}

#[test]
fn what_is_valid_can_be_read_and_what_can_be_read_is_valid() {
    let validators = Validators::default();
    for text in ["", " ", "a", "a.b", "a@b.c", "+12", "linkedin.com/in/a", "\u{202e}a.b", "A-b.CO", "🦀.la"]
    {
        for field in ["email", "domain", "phoneNumber", "linkedinProfileUrl", "source"] {
            let body = json!({ field: text });
            let valid = issues(&body).is_empty();
            let read = serde_json::from_value::<Identifiers>(body.clone()).is_ok();
            assert_eq!(valid, read, "{body}");
            assert_eq!(
                decode::<Identifiers>(&validators, body.to_string().as_bytes()).is_ok(),
                read,
                "{body}"
            );
        }
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Numbers {
    small: u8,
    large: u64,
    signed: i64,
    #[schemars(with = "Value")]
    free: JsonText,
}

fn numbers(small: &str, large: &str, signed: &str) -> Result<Numbers, Issues> {
    let body = format!(r#"{{"small": {small}, "large": {large}, "signed": {signed}, "free": {{"a": 1.0}}}}"#);
    decode(&Validators::default(), body.as_bytes())
}

#[test]
fn integers_are_read_in_every_spelling_and_what_is_free_stays_as_it_was_sent() {
    let read = numbers("2.55e2", "18446744073709551615.0", "-9223372036854775808e0").unwrap();
    assert_eq!((read.small, read.large, read.signed), (u8::MAX, u64::MAX, i64::MIN));
    assert_eq!(read.free.as_str(), r#"{"a": 1.0}"#);
}

#[test]
fn a_number_beyond_its_type_is_told_at_its_place() {
    for (issue, numbers) in [
        (("too_big", "small"), numbers("256", "0", "0")),
        (("too_small", "small"), numbers("-1", "0", "0")),
        (("too_big", "large"), numbers("0", "18446744073709551616", "0")),
        (("too_big", "large"), numbers("0", "1e400", "0")),
        (("too_big", "signed"), numbers("0", "0", "9223372036854775808")),
        (("too_small", "signed"), numbers("0", "0", "-1e300")),
        (("invalid_type", "signed"), numbers("0", "0", "0.5")),
    ] {
        let issues = numbers.unwrap_err();
        let told: Vec<_> =
            issues.listed().iter().map(|one| (one.code.as_str(), one.path.join("."))).collect();
        assert_eq!(told, [(issue.0, issue.1.to_owned())]);
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Table {
    rows: Option<Vec<Row>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Row {
    Near(Near),
    Far(Far),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct Near {
    name: String,
    weight: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct Far {
    address: String,
    weight: u8,
    kind: Option<Kind>,
}

#[derive(Debug, Deserialize, JsonSchema)]
enum Kind {
    One,
    Other,
}

#[test]
fn of_several_forms_the_one_is_meant_whose_fields_are_there() {
    for (rows, expected) in [
        (
            json!([{ "name": 1, "weight": "x" }, { "address": 1, "weight": -1 }]),
            vec![
                "invalid_type rows.0.name",
                "invalid_type rows.0.weight",
                "invalid_type rows.1.address",
                "too_small rows.1.weight",
            ],
        ),
        (json!([{ "address": "a", "weight": 1, "kind": 5 }]), vec!["invalid_type rows.0.kind"]),
        (json!([{ "address": "a", "weight": 1, "kind": "Third" }]), vec!["invalid_value rows.0.kind"]),
        (json!([{ "name": "a", "weight": 1, "kind": "One" }]), vec!["unrecognized_key rows.0.kind"]),
        (json!([1]), vec!["invalid_type rows.0"]),
        (json!(1), vec!["invalid_type rows"]),
    ] {
        let mut issues = Issues::default();
        Validator::new::<Table>().check(&Document::from(&json!({ "rows": rows })), &mut issues);
        let mut told: Vec<_> = issues
            .listed()
            .iter()
            .map(|one| format!("{} {}", one.code.as_str(), one.path.join(".")))
            .collect();
        told.sort();
        assert_eq!(told, expected, "{rows}");
    }
}

#[test]
fn an_address_of_the_web_has_a_host_and_a_port_that_there_can_be() {
    for text in [
        "https://acme.example",
        "HTTP://acme.example:65535/?a#b",
        "https://[::1]/",
        "mailto:a@b.example",
        "tel:+491",
        "https://user:secret@acme.example/",
    ] {
        assert!(is_address(text), "{text}");
    }
    for text in [
        "",
        "acme.example",
        "/a",
        "http:",
        "http://",
        "http:///a",
        "https:a.example",
        "https://:80",
        "https://@",
        "https://a:65536/",
        "https://a:x/",
        "https://a b/",
        "https://[::1",
        "https://256.1.1.1/",
        "https://ä.example/",
    ] {
        assert!(!is_address(text), "{text}");
    }
}
