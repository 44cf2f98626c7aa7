//! Sample events, for a test of a subscription: of the very shape of real ones, about things that do not exist.

use serde::Serialize;

use crate::json::JsonText;
use crate::time::Timestamp;
use crate::webhook::EventType;

/// Every field that a payload may have; each type has its own.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Payload {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    submission_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    processed_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    published_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    submitted_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enriched_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Input>,
    #[serde(skip_serializing_if = "Option::is_none")]
    utm_parameters: Option<Empty>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enriched_data: Option<Empty>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
struct Input {
    email: &'static str,
}

/// A payload of that type.
pub fn payload(kind: EventType, now: Timestamp) -> crate::Result<JsonText> {
    let empty = Payload { kind: kind.as_str(), ..Payload::default() };
    let version = |empty| Payload {
        page_id: Some("page_00000000000000000000000000"),
        version_id: Some("version_00000000000000000000000000"),
        ..empty
    };
    let form = |empty| Payload {
        form_id: Some("form_00000000000000000000000000"),
        submission_id: Some("submission_00000000000000000000000000"),
        ..empty
    };
    JsonText::of(&match kind {
        EventType::VersionCreated => Payload { created_at: Some(now), ..version(empty) },
        EventType::VersionProcessed => Payload { processed_at: Some(now), ..version(empty) },
        EventType::VersionPublished => Payload { published_at: Some(now), ..version(empty) },
        EventType::FormSubmitted => Payload {
            submitted_at: Some(now),
            input: Some(Input { email: "jane@example.com" }),
            utm_parameters: Some(Empty {}),
            ..form(empty)
        },
        EventType::FormEnriched => {
            Payload { enriched_at: Some(now), enriched_data: Some(Empty {}), ..form(empty) }
        }
        EventType::FormEnrichmentFailed => Payload {
            failed_at: Some(now),
            error: Some("Nothing was found about jane@example.com."),
            ..form(empty)
        },
    })
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
