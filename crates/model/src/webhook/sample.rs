//! Sample events, for a test of a subscription: of the very shape of real ones, about things that do not exist.

use serde::Serialize;

use crate::json::JsonText;
use crate::time::Timestamp;
use crate::version::life::VersionEvent;
use crate::webhook::EventType;
use crate::webhook::payload::VersionPayload;

/// What happened to a submission of a form: which submission, then what this type of event tells.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FormPayload<T> {
    #[serde(rename = "type")]
    kind: EventType,
    form_id: &'static str,
    submission_id: &'static str,
    #[serde(flatten)]
    told: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Submitted {
    submitted_at: Timestamp,
    input: Input,
    utm_parameters: Empty,
}

#[derive(Serialize)]
struct Input {
    email: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Enriched {
    enriched_at: Timestamp,
    enriched_data: Empty,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EnrichmentFailed {
    failed_at: Timestamp,
    error: &'static str,
}

#[derive(Serialize)]
struct Empty {}

/// A payload of that type.
pub fn payload(kind: EventType, now: Timestamp) -> crate::Result<JsonText> {
    match kind {
        EventType::VersionCreated => version(VersionEvent::Created, now),
        EventType::VersionProcessed => version(VersionEvent::Processed, now),
        EventType::VersionPublished => version(VersionEvent::Published, now),
        EventType::FormSubmitted => {
            let input = Input { email: "jane@example.com" };
            form(kind, Submitted { submitted_at: now, input, utm_parameters: Empty {} })
        }
        EventType::FormEnriched => form(kind, Enriched { enriched_at: now, enriched_data: Empty {} }),
        EventType::FormEnrichmentFailed => {
            let error = "Nothing was found about jane@example.com.";
            form(kind, EnrichmentFailed { failed_at: now, error })
        }
    }
}

fn version(event: VersionEvent, now: Timestamp) -> crate::Result<JsonText> {
    let (page_id, version_id) = ("page_00000000000000000000000000", "version_00000000000000000000000000");
    JsonText::of(&VersionPayload::new(event, page_id, version_id, now))
}

fn form(kind: EventType, told: impl Serialize) -> crate::Result<JsonText> {
    let (form_id, submission_id) =
        ("form_00000000000000000000000000", "submission_00000000000000000000000000");
    JsonText::of(&FormPayload { kind, form_id, submission_id, told })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_stands_first() {
        for kind in EventType::ALL {
            let payload = payload(kind, Timestamp::from_micros(0)).unwrap();
            assert!(payload.as_str().starts_with(&format!("{{\"type\":\"{}\",", kind.as_str())));
        }
    }
}
