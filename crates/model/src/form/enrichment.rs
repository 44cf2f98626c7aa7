//! Enrichment: a tenant's own hook is told of each accepted submission and answers what it knows of who sent it.
//!
//! The hook answers at once, or later by a callback. Answers are read here ([`Answer::read`]), and here stands how often it is tried. What this
//! is not: the sending, and what becomes of a person.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::domain::Domain;
use crate::email::EmailAddress;
use crate::json::JsonText;
use crate::linkedin::LinkedinProfile;
use crate::phone::PhoneNumber;
use crate::text::turns_writing;
use crate::time::Timestamp;

/// The largest answer of a hook, in bytes.
pub const LARGEST_ANSWER: usize = 256 * 1024;
/// How long a hook that has answered 202 may take to call back.
pub const CALLBACK_WITHIN: Duration = Duration::from_mins(10);
/// Where hooks call back, on the site of their tenant.
pub const CALLBACK_PATH: &str = "/.pagesmith/e/";
/// The longest error that a hook tells, in characters.
const LONGEST_ERROR: usize = 500;
/// How long to wait after each try that failed.
const PAUSES: [Duration; 5] = [
    Duration::from_secs(10),
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
];
/// The longest pause that a hook may ask for.
const LONGEST_PAUSE: Duration = Duration::from_hours(6);

/// A tenant's hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Its address.
    pub url: String,
    /// Whether it is told of submissions.
    pub active: bool,
    /// What its signing secret is made of.
    pub seed: Vec<u8>,
    /// The one before, and until when it signs as well.
    pub older: Option<(Vec<u8>, Timestamp)>,
    /// When it was set first.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Settings of the enrichment hook.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SetEnrichmentHookRequest")]
#[schemars(example = json!({ "url": "https://example.com/enrich" }))]
pub struct NewHook {
    /// URL that is called. It must lead to a public address.
    #[schemars(with = "crate::webhook::url::DeliveryUrl")]
    pub url: String,
    /// Whether the hook is called. While it is false, submissions are accepted without enrichment.
    #[serde(default = "yes")]
    pub active: bool,
}

fn yes() -> bool {
    true
}

/// How far the enrichment of a submission is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnrichmentStatus {
    /// The hook is called, or is to call back.
    Pending,
    /// The hook has told what it knows.
    Enriched,
    /// It has not.
    Failed,
}

impl EnrichmentStatus {
    /// As it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            EnrichmentStatus::Pending => "pending",
            EnrichmentStatus::Enriched => "enriched",
            EnrichmentStatus::Failed => "failed",
        }
    }

    /// The one of that name.
    pub fn parse(text: &str) -> Option<EnrichmentStatus> {
        let all = [EnrichmentStatus::Pending, EnrichmentStatus::Enriched, EnrichmentStatus::Failed];
        all.into_iter().find(|status| status.as_str() == text)
    }
}

/// What came of the enrichment of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrichment {
    /// How far it is.
    pub status: EnrichmentStatus,
    /// What the hook knew, an object.
    pub data: Option<JsonText>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// What a hook knows; or that it knows nothing, or why what it says is of no use.
pub type HookAnswer = Result<Map<String, Value>, String>;

/// How a hook has answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// With its last word.
    Told(HookAnswer),
    /// It calls back.
    Later,
    /// It may know something if it is asked again.
    Again(String),
}

impl Answer {
    /// The answer of this status and body, of which the caller has read at most one byte more than [`LARGEST_ANSWER`].
    pub fn read(status: u16, body: &[u8]) -> Answer {
        let failed = |why: String| Answer::Told(Err(why));
        match status {
            202 => Answer::Later,
            204 => failed("The hook knows nothing about this submission.".to_owned()),
            200..=299 => Answer::Told(parse_answer(body)),
            429 | 500..=599 => Answer::Again(format!("The hook answered {status}.")),
            300..=399 => failed(format!("The hook answered {status}; redirects are not followed.")),
            _ => failed(format!("The hook answered {status}.")),
        }
    }
}

/// Reads the body of a 200 or of a callback.
pub fn parse_answer(body: &[u8]) -> HookAnswer {
    if body.len() > LARGEST_ANSWER {
        let limit = LARGEST_ANSWER / 1024;
        return Err(format!("The answer of the hook is larger than {limit} KiB."));
    }
    let told: Option<Map<String, Value>> = serde_json::from_slice(body).ok();
    match told.map(|mut told| (told.remove("enrichedData"), told.remove("error"))) {
        Some((Some(Value::Object(data)), _)) => Ok(data),
        Some((None, Some(Value::String(error)))) if !error.trim().is_empty() => {
            let error = error.chars().filter(|char| !char.is_control()).take(LONGEST_ERROR);
            Err(error.collect())
        }
        _ => Err("The answer of the hook is no JSON object with an object `enrichedData`.".to_owned()),
    }
}

/// When a hook is called again after its try number `tries`, counted from one; nothing if it is given up.
pub fn next_try(tries: i64, now: Timestamp, asked: Option<Duration>) -> Option<Timestamp> {
    let at = usize::try_from(tries.saturating_sub(1)).unwrap_or_default();
    let pause = *PAUSES.get(at)?;
    Some(now.plus(asked.unwrap_or_default().min(LONGEST_PAUSE).max(pause)))
}

/// What of a hook's data a person may be given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PersonFacts {
    /// What the person is called.
    pub name: Option<String>,
    /// E-mail address.
    pub email: Option<EmailAddress>,
    /// Phone number.
    pub phone_number: Option<PhoneNumber>,
    /// LinkedIn profile.
    pub linkedin_profile_url: Option<LinkedinProfile>,
    /// The domain of the company.
    pub domain: Option<Domain>,
}

/// The longest name that a person may have, in characters.
const LONGEST_NAME: usize = 255;

impl PersonFacts {
    /// What is named as the fields of persons are; what is not one is left out. Names lose the signs that turn the writing around, as those
    /// of forms do.
    pub fn of(data: &Map<String, Value>) -> PersonFacts {
        let text = |name: &str| data.get(name).and_then(Value::as_str).map(str::trim);
        let name = data.get("name").and_then(Value::as_str).unwrap_or_default();
        let name: String = name.chars().filter(|char| !turns_writing(*char)).collect();
        let name = Some(name.trim()).filter(|name| !name.is_empty() && name.chars().count() <= LONGEST_NAME);
        PersonFacts {
            name: name.filter(|name| !name.chars().any(char::is_control)).map(str::to_owned),
            email: text("email").and_then(EmailAddress::parse),
            phone_number: text("phoneNumber").and_then(PhoneNumber::parse),
            linkedin_profile_url: text("linkedinProfileUrl").and_then(LinkedinProfile::parse),
            domain: text("domain").and_then(Domain::parse),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn answers_are_read_by_status_and_body() {
        let data = br#"{"enrichedData":{"company":"Example Inc."}}"#;
        let Answer::Told(Ok(read)) = Answer::read(200, data) else { panic!() };
        assert_eq!(Value::Object(read), json!({ "company": "Example Inc." }));
        assert_eq!(Answer::read(202, b""), Answer::Later);
        for (status, body) in [
            (204, b"".as_slice()),
            (302, data),
            (404, data),
            (200, b""),
            (200, b"[]"),
            (200, br#"{"enrichedData":[]}"#),
            (200, b"<html>"),
            (200, br#"{"error":"  "}"#),
        ] {
            assert!(matches!(Answer::read(status, body), Answer::Told(Err(_))), "{status} {body:?}");
        }
        for status in [429, 500, 503, 599] {
            assert!(matches!(Answer::read(status, data), Answer::Again(_)), "{status}");
        }
        let error = Answer::read(200, br#"{"error":"no\nmatch"}"#);
        assert_eq!(error, Answer::Told(Err("nomatch".to_owned())));
        assert!(parse_answer(&vec![b' '; LARGEST_ANSWER + 1]).is_err());
    }

    #[test]
    fn pauses_grow_and_end() {
        let now = Timestamp::from_micros(0);
        let pause = |tries, asked: Option<u64>| {
            let at = next_try(tries, now, asked.map(Duration::from_secs))?;
            Some(at.as_micros() / 1_000_000)
        };
        let tries: Vec<_> = (0..=6).map(|tries| pause(tries, None)).collect();
        assert_eq!(tries, [Some(10), Some(10), Some(60), Some(300), Some(1_800), Some(7_200), None]);
        assert_eq!((pause(1, Some(90)), pause(2, Some(3))), (Some(90), Some(60)));
        assert_eq!((pause(1, Some(u64::MAX / 2)), pause(6, Some(1))), (Some(21_600), None));
    }

    #[test]
    fn only_what_fits_a_person_is_taken() {
        let data = json!({ "name": " Ada ", "email": "no address", "phoneNumber": 5, "domain": "example.com",
            "linkedinProfileUrl": "https://www.linkedin.com/in/ada" });
        let facts = PersonFacts::of(data.as_object().unwrap());
        assert_eq!((facts.name.as_deref(), &facts.email, &facts.phone_number), (Some("Ada"), &None, &None));
        assert!(facts.domain.is_some() && facts.linkedin_profile_url.is_some());
        let turned = json!({ "name": "\u{202e}Ada\u{2066} Lovelace \u{2069}" });
        assert_eq!(PersonFacts::of(turned.as_object().unwrap()).name.as_deref(), Some("Ada Lovelace"));
        let nothing = json!({ "name": "\u{202e} \u{2069}" });
        assert_eq!(PersonFacts::of(nothing.as_object().unwrap()), PersonFacts::default());
        let long = json!({ "name": "a".repeat(256) });
        assert_eq!(PersonFacts::of(long.as_object().unwrap()), PersonFacts::default());
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_answer(status in 100u16..1000, body in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Answer::Told(Err(error)) | Answer::Again(error) = Answer::read(status, &body) {
                prop_assert!(!error.is_empty() && error.chars().count() <= LONGEST_ERROR);
            }
        }
    }
}
